//! The race of all strategies: `<question>/<strategy>/<set>`.
//!
//! Questions: `solve`, the first solution; `count`, up to two, which tells whether a puzzle is proper; `enumerate`, all solutions up to a
//! thousand. Sets are those of `tests/data/sets`. A strategy takes part with the puzzles of a set that it answers within a node limit, and
//! not at all where that is less than all of them: a race on different puzzles would compare nothing. Set `NINEFOLD_VARIANTS` to let the variants
//! run too.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ninefold::{End, Limits, Puzzle, Solver, Strategy};
use ninefold_tests::set;

/// More nodes than this on one puzzle and a strategy is out of the race on that set.
const NODES: u64 = 100_000;

const QUESTIONS: &[(&str, u64, &[&str])] = &[
    ("solve", 1, &["easy", "minimal", "sparse", "none", "6x6", "16x16", "25x25", "jigsaw"]),
    ("count", 2, &["easy", "minimal", "sparse", "none", "6x6", "16x16", "25x25", "jigsaw"]),
    ("enumerate", 1000, &["multiple"]),
];

fn answers_all(strategy: &Strategy, puzzles: &[Puzzle], cap: u64) -> bool {
    let mut solver = (strategy.build)();
    let limits = Limits::none().with_nodes(NODES);
    puzzles.iter().all(|puzzle| matches!(solver.count(puzzle, cap, &limits).end(), End::Exhausted | End::Stopped))
}

fn race(criterion: &mut Criterion) {
    let variants = std::env::var_os("NINEFOLD_VARIANTS").is_some();
    let rows: Vec<_> = ninefold::all_variants().filter(|strategy| variants || strategy.variant().is_none()).collect();
    for (question, cap, sets) in QUESTIONS {
        for name in *sets {
            // A few puzzles of each set are enough: the mean over them is what is compared.
            let puzzles: Vec<Puzzle> = set(name).into_iter().take(40).map(|entry| entry.puzzle).collect();
            for strategy in &rows {
                if !answers_all(strategy, &puzzles, *cap) {
                    continue;
                }
                let mut group = criterion.benchmark_group(format!("{question}/{}", strategy.name));
                group.throughput(Throughput::Elements(puzzles.len() as u64));
                group.bench_function(*name, |bencher| {
                    let mut solver = (strategy.build)();
                    bencher.iter(|| ask(&mut *solver, &puzzles, *cap));
                });
                group.finish();
            }
        }
    }
}

fn ask(solver: &mut dyn Solver, puzzles: &[Puzzle], cap: u64) -> u64 {
    puzzles.iter().map(|puzzle| solver.count(black_box(puzzle), cap, &Limits::none()).count()).sum()
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = race
}
criterion_main!(benches);
