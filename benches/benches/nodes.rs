//! How many nodes a second a strategy visits, with limits on: `nodes/<strategy>/sparse`. Throughput is in nodes.
//!
//! Only strategies that walk the same tree can be compared by it: `backtracking` and `state-array`, and their variants of one name. Each puzzle
//! is searched for its first solution, up to a limit on nodes that makes the work the same for both.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ninefold::{CancelToken, Counter, Limits, Puzzle};
use ninefold_tests::set;

fn nodes(criterion: &mut Criterion) {
    let limits = Limits::none().with_nodes(200_000).with_time(Duration::from_secs(3600)).with_cancel(CancelToken::new());
    let puzzles: Vec<Puzzle> = set("sparse").into_iter().map(|entry| entry.puzzle).collect();
    for strategy in ninefold::strategies().into_iter().filter(|strategy| strategy.caps.counters.contains(Counter::Nodes)) {
        let mut solver = (strategy.build)();
        let mut visit =
            || -> u64 { puzzles.iter().filter_map(|puzzle| solver.solve(black_box(puzzle), &limits).counters().nodes()).sum() };
        let mut group = criterion.benchmark_group(format!("nodes/{}", strategy.name));
        group.throughput(Throughput::Elements(visit()));
        group.bench_function("sparse", |bencher| bencher.iter(&mut visit));
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    targets = nodes
}
criterion_main!(benches);
