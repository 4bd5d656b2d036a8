//! What rules that nobody would play do to the strategies: how long they take to be set up, how late a search ends after its time is over,
//! and the memory.
//!
//! ```text
//! cargo run --release -p ninefold-tests --example hostile_rules [STRATEGY ...]
//! ```

use std::time::{Duration, Instant};

use ninefold::{Board, Cell, HouseKind, Limits, Puzzle, Rules, RulesBuilder};

fn cell(index: usize) -> Cell {
    Cell::new(index).expect("a cell of a 64×64 board")
}

fn with_houses(builder: RulesBuilder, houses: impl Iterator<Item = Vec<Cell>>) -> Rules {
    let name = || HouseKind::Extra("x".into());
    houses.fold(builder, |builder, cells| builder.house(name(), cells)).build().expect("within the bounds of rules")
}

/// Numbers that follow no order, the same every time (D. Lehmer's generator with the factor of S. Park and K. Miller, 1988).
fn numbers() -> impl Iterator<Item = usize> {
    std::iter::successors(Some(1u64), |n| Some(n * 48_271 % 0x7fff_ffff)).map(|n| n as usize)
}

fn pairs_of(mut random: impl Iterator<Item = usize>, count: usize) -> Vec<Vec<Cell>> {
    let mut pairs = Vec::new();
    while pairs.len() < count {
        if let (Some(a), Some(b)) = (random.next(), random.next())
            && a % 4096 != b % 4096
        {
            pairs.push(vec![cell(a % 4096), cell(b % 4096)]);
        }
    }
    pairs
}

type Make = fn() -> Rules;

/// What they are, and how they are made.
const RULE_SETS: [(&str, Make); 10] = [
    ("no houses", || "free:64".parse().expect("a name")),
    ("an 8x8 board with both kinds of pairs", || "8x8+anti-knight+anti-king".parse().expect("a name")),
    ("4096 houses of one cell", || with_houses(Rules::builder(64), (0..4096).map(|i| vec![cell(i)]))),
    ("row 1 nearly four thousand times", || {
        with_houses(Rules::builder(64).rows_and_columns(), (0..3900).map(|_| (0..64).map(cell).collect()))
    }),
    ("four thousand full houses", || {
        with_houses(
            Rules::builder(64),
            (0..4096).map(|i| (0..64).map(|k| cell((i * 67 + k * (1 + 2 * (i % 31))) % 4096)).collect()),
        )
    }),
    ("four thousand houses of 63 cells", || {
        with_houses(
            Rules::builder(64),
            (0..4096).map(|i| (0..63).map(|k| cell((i * 67 + k * (1 + 2 * (i % 31))) % 4096)).collect()),
        )
    }),
    ("rows, columns and ninety-nine thousand pairs", || {
        with_houses(Rules::builder(64).rows_and_columns(), pairs_of(numbers(), 99_000).into_iter())
    }),
    ("one pair a hundred thousand times", || with_houses(Rules::builder(64), (0..100_000).map(|_| vec![cell(0), cell(1)]))),
    ("440 cells, each pair of which differs", || {
        with_houses(Rules::builder(64), (0..440).flat_map(|a| (0..a).map(move |b| vec![cell(9 * a), cell(9 * b)])))
    }),
    ("a 9×9 board with all pairs of its first 40 cells", || {
        with_houses(Rules::builder(9), (0..40).flat_map(|a| (0..a).map(move |b| vec![cell(a), cell(b)])))
    }),
];

/// The memory of the process in MiB: now, and at most since it began. 0 where the system does not tell.
fn memory() -> (u64, u64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) / 1024
    };
    (field("VmRSS:"), field("VmHWM:"))
}

fn main() {
    // One ends most strategies while they set up, the other while they search.
    const TIMES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(300)];
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for (name, make) in RULE_SETS {
        let start = Instant::now();
        let rules = make();
        println!("{name}: {} houses, set up in {:.0?}, {} MiB", rules.houses().len(), start.elapsed(), memory().0);
        let puzzle = Puzzle::new(Board::empty(&rules)).expect("an empty board has no clash");
        for strategy in ninefold::strategies() {
            if !wanted.is_empty() && !wanted.iter().any(|name| name == strategy.name) {
                continue;
            }
            for time in TIMES {
                let mut solver = (strategy.build)();
                let start = Instant::now();
                let end = solver.count(&puzzle, 2, &Limits::none().with_time(time)).end();
                let took = start.elapsed();
                let late = took.saturating_sub(time).as_millis();
                let (now, most) = memory();
                let name = strategy.name;
                println!("  {name:<14} {took:>8.1?} of {time:?}, late {late:>4} ms, {now:>5} MiB (at most {most}): {end:?}");
            }
        }
    }
}
