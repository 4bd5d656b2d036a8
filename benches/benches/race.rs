//! The race of all strategies: `<question>/<strategy>/<set>`, throughput in puzzles.
//!
//! Questions: `solve`, the first solution; `count`, up to two, which tells whether a puzzle is proper; `enumerate`, all solutions up to a
//! thousand; `setup`, what is done before the search begins: the matrix, the formula, the candidates. Sets are those of
//! `tests/data/sets`. A strategy takes part with a set that it answers within a limit on nodes, and not at all where that is less than all
//! of its puzzles: a race on different puzzles would compare nothing. Set `NINEFOLD_VARIANTS` to let the variants run too.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ninefold::{End, Limits, Puzzle, Search, Solver, Strategy};
use ninefold_tests::{set, set_names};

/// More nodes than this on one puzzle and a strategy is out of the race on that set.
const NODES: u64 = 100_000;

/// A few puzzles of each set are enough: the mean over them is what is compared.
const PUZZLES: usize = 40;

/// The question, its cap on solutions, and the sets that it is asked of; `None` for all sets.
const QUESTIONS: &[(&str, u64, Option<&[&str]>)] =
    &[("solve", 1, None), ("count", 2, None), ("enumerate", 1000, Some(&["multiple"]))];

fn rows() -> Vec<&'static Strategy> {
    let variants = std::env::var_os("NINEFOLD_VARIANTS").is_some();
    ninefold::all_variants().filter(|strategy| variants || strategy.variant().is_none()).collect()
}

fn puzzles(name: &str) -> Vec<Puzzle> {
    set(name).into_iter().take(PUZZLES).map(|entry| entry.puzzle).collect()
}

fn answers_all(strategy: &Strategy, puzzles: &[Puzzle], cap: u64) -> bool {
    let mut solver = (strategy.build)();
    let limits = Limits::none().with_nodes(NODES);
    puzzles.iter().all(|puzzle| matches!(solver.count(puzzle, cap, &limits).end(), End::Exhausted | End::Stopped))
}

fn race(criterion: &mut Criterion) {
    for (question, cap, sets) in QUESTIONS {
        for name in set_names().filter(|name| sets.is_none_or(|sets| sets.contains(name))) {
            let puzzles = puzzles(name);
            for strategy in rows() {
                if !answers_all(strategy, &puzzles, *cap) {
                    continue;
                }
                let mut group = criterion.benchmark_group(format!("{question}/{}", strategy.name));
                group.throughput(Throughput::Elements(puzzles.len() as u64));
                group.bench_function(name, |bencher| {
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

/// The time until a search begins, as the search itself takes it. A limit of no node ends it there; what a strategy does until it meets
/// that limit is not counted.
fn setup(criterion: &mut Criterion) {
    let limits = Limits::none().with_nodes(0);
    for name in set_names() {
        let puzzles = puzzles(name);
        for strategy in rows() {
            if puzzles.iter().any(|puzzle| !strategy.caps.takes(puzzle.rules())) {
                continue;
            }
            let mut group = criterion.benchmark_group(format!("setup/{}", strategy.name));
            group.throughput(Throughput::Elements(puzzles.len() as u64));
            group.bench_function(name, |bencher| {
                let mut solver = (strategy.build)();
                bencher.iter_custom(|passes| {
                    let mut sum = Duration::ZERO;
                    for puzzle in (0..passes).flat_map(|_| &puzzles) {
                        let mut search = Search::new(&limits).with_cap(1).with_times();
                        let end = solver.search(black_box(puzzle), &mut search);
                        sum += search.finish(end).times().map_or(Duration::ZERO, |times| times.setup);
                    }
                    sum
                });
            });
            group.finish();
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = race, setup
}
criterion_main!(benches);
