//! What limits cost: `limits-off/<strategy>/<set>` against `limits-on/<strategy>/<set>`, the same puzzles in one run.
//!
//! "On" is a limit on nodes, a limit on time and a cancel token together, none of which is reached. "Off" is none of them.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use ninefold::{CancelToken, End, Limits, Puzzle};
use ninefold_tests::set;

fn limits(criterion: &mut Criterion) {
    let on = Limits::none().with_nodes(u64::MAX / 2).with_time(Duration::from_secs(3600)).with_cancel(CancelToken::new());
    let puzzles: Vec<Puzzle> = set("minimal").into_iter().take(40).map(|entry| entry.puzzle).collect();
    for strategy in ninefold::strategies() {
        let mut solver = (strategy.build)();
        // What a strategy needs long for would hide the cost of beginning a search.
        let reach = Limits::none().with_nodes(20_000);
        let chosen: Vec<&Puzzle> =
            puzzles.iter().filter(|puzzle| solver.count(puzzle, 2, &reach).end() == End::Exhausted).collect();
        for (id, limits) in [("limits-off", &Limits::none()), ("limits-on", &on)] {
            criterion.benchmark_group(format!("{id}/{}", strategy.name)).bench_function("minimal", |bencher| {
                bencher.iter(|| chosen.iter().map(|puzzle| solver.count(black_box(puzzle), 2, limits).count()).sum::<u64>());
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    targets = limits
}
criterion_main!(benches);
