//! Rule sets beyond blocks: every strategy that takes them finds the same solutions.

use std::collections::BTreeSet;
use std::time::Duration;

use ninefold::{Board, Cell, Digit, DigitSet, End, HouseKind, Limits, Puzzle, Rules, RulesBuilder, Solution, Strategy};

const RULES: [&str; 23] = [
    "latin:4+diagonals",
    "latin:5+extra:1....11....22...3222.33.3",
    "latin:6+anti-king",
    "3x2+anti-king",
    "free:3+house:r1c1r1c2r1c3+house:r2c1r3c3",
    "free:4+anti-king",
    "2x2+windows",
    "2x2+diagonals+disjoint-groups",
    "2x2+house:r1c1r2c3+house:r1c1+house:r1c1r1c2r1c3r1c4",
    "2x3+diagonals",
    "2x3+disjoint-groups",
    "2x3+anti-knight",
    "3x2+main-diagonal+anti-diagonal",
    "jigsaw:1112132233243444+extra:1..........1....",
    "jigsaw:1111222112223314442356433335644475567777756666755+anti-diagonal",
    "3x3+diagonals",
    "3x3+windows",
    "3x3+centre-dots",
    "3x3+asterisk",
    "3x3+disjoint-groups",
    "3x3+anti-knight",
    "3x3+anti-king",
    "3x3+regions:111222333111222333111222333444555666444555666444555666777888999777888999777888999+diagonals+windows",
];

/// A full board of these rules, another for each seed; `None` where there is none.
fn full_board(rules: &Rules, seed: usize) -> Option<Solution> {
    [rules.side(), 2, 0].into_iter().find_map(|digits| full_board_from(rules, seed, digits))
}

/// The same, begun with so many digits here and there, as far as they clash with none before.
fn full_board_from(rules: &Rules, seed: usize, digits: usize) -> Option<Solution> {
    let side = rules.side();
    let mut board = Board::empty(rules);
    for i in 0..digits {
        let cell = Cell::new((seed * 7 + i * (side + 1 + seed)) % rules.cell_count()).unwrap();
        let before = board.get(cell);
        board.set(cell, Digit::new(((seed + i * i) % side) as u8 + 1));
        if !board.is_valid() {
            board.set(cell, before);
        }
    }
    let puzzle = Puzzle::new(board).unwrap();
    let limits = Limits::none().with_nodes(100_000);
    let strategies = ninefold::strategies().into_iter().filter(|strategy| strategy.caps.takes(rules));
    strategies.filter_map(|strategy| (strategy.build)().solve(&puzzle, &limits).solution().cloned()).next()
}

/// A puzzle with so many blanks that it mostly has a few solutions.
fn puzzle(full: &Solution, seed: usize) -> Puzzle {
    let mut board = full.board().clone();
    let count = board.rules().cell_count();
    for i in 0..count * 3 / 5 {
        board.set(Cell::new((seed + i * 5 + i * i % 11) % count).unwrap(), None);
    }
    Puzzle::new(board).unwrap()
}

/// Every solution up to a cap; `None` where the strategy gave up.
fn solutions(strategy: &Strategy, puzzle: &Puzzle) -> Option<BTreeSet<String>> {
    let (found, outcome) = (strategy.build)().solutions(puzzle, 500, &Limits::none().with_nodes(20_000));
    (outcome.end() == End::Exhausted).then(|| found.iter().map(ToString::to_string).collect())
}

fn check_agreement(puzzle: &Puzzle) -> usize {
    let mut answers = Vec::new();
    for strategy in ninefold::strategies() {
        if strategy.caps.takes(puzzle.rules()) {
            answers.extend(solutions(strategy, puzzle).map(|found| (strategy.name, found)));
        } else {
            let end = (strategy.build)().solve(puzzle, &Limits::none()).end();
            assert_eq!(end, End::Unsupported, "{} on {}", strategy.name, puzzle.rules());
        }
    }
    for pair in answers.windows(2) {
        assert_eq!(pair[0].1, pair[1].1, "{} and {} on {} {puzzle}", pair[0].0, pair[1].0, puzzle.rules());
    }
    answers.len()
}

#[test]
fn all_strategies_find_the_same_solutions_under_every_rule_set() {
    for name in RULES {
        let rules: Rules = name.parse().unwrap();
        let taking = ninefold::strategies().iter().filter(|strategy| strategy.caps.takes(&rules)).count();
        let mut compared = 0;
        for seed in 0..6 {
            let Some(full) = full_board(&rules, seed) else { continue };
            compared += check_agreement(&puzzle(&full, seed));
        }
        assert!(taking == 0 || compared >= 2 * taking.min(2), "{name}: {compared} answers");
    }
}

#[test]
fn restricted_candidates_go_with_every_rule_set() {
    for name in ["latin:4+diagonals", "2x3+anti-knight", "jigsaw:1112132233243444"] {
        let rules: Rules = name.parse().unwrap();
        for seed in 0..6 {
            let Some(full) = full_board(&rules, seed) else { continue };
            let puzzle = puzzle(&full, seed);
            // Half of the cells are told to be even or odd.
            let sets: Vec<DigitSet> = rules
                .cells()
                .map(|cell| match (puzzle.board().get(cell), cell.index() % 2) {
                    (None, 1) => {
                        DigitSet::all(rules.side()).iter().filter(|it| it.get() % 2 == full.digit(cell).get() % 2).collect()
                    }
                    _ => DigitSet::all(rules.side()),
                })
                .collect();
            let restricted = Puzzle::with_candidates(puzzle.board().clone(), &sets).unwrap();
            check_agreement(&restricted);
        }
    }
}

#[test]
fn a_house_that_says_nothing_new_changes_nothing() {
    let plain: Rules = "2x3".parse().unwrap();
    let row = || (0..6).filter_map(Cell::new);
    let again = Rules::builder(6)
        .rows_and_columns()
        .block_houses("2x3".parse().unwrap())
        .house(HouseKind::Extra("row 1 again".into()), row())
        .house(HouseKind::Extra("part of row 1".into()), row().take(2))
        .house(HouseKind::Extra("alone".into()), row().take(1))
        .build()
        .unwrap();
    let Some(full) = full_board(&plain, 3) else { return };
    let puzzle = puzzle(&full, 3);
    let other = Puzzle::new(Board::from_bytes(&again, puzzle.board().as_bytes()).unwrap()).unwrap();
    for strategy in ninefold::strategies().into_iter().filter(|strategy| strategy.caps.takes(&plain)) {
        assert_eq!(solutions(strategy, &puzzle), solutions(strategy, &other), "{}", strategy.name);
    }
}

/// As many cells as the houses of a rule set may have, less those of the lines and blocks of a 64×64 board.
const MOST_CELLS: usize = (1 << 18) - 3 * 64 * 64;

#[test]
fn rules_that_nobody_plays_end_by_their_limits() {
    let large = || Rules::builder(64).rows_and_columns().block_houses("8x8".parse().unwrap());
    let house = |builder: RulesBuilder, cells: &mut dyn Iterator<Item = usize>| {
        builder.house(HouseKind::Extra("extra".into()), cells.filter_map(Cell::new))
    };
    let fold = |count: usize, builder, cells: &dyn Fn(usize) -> Vec<usize>| {
        (0..count).fold(builder, |builder, i| house(builder, &mut cells(i).into_iter()))
    };
    let pairs = fold(99_000, large(), &|i| vec![9 * i % 4096, (9 * i + 1 + i % 7) % 4096]);
    // One row again and again, or all of it but a cell; houses that nothing fits; squares of a board with two digits.
    let row = fold(MOST_CELLS / 64, large(), &|_| (0..64).collect());
    let most_of_row = fold(MOST_CELLS / 64, large(), &|i| (0..64).filter(|cell| *cell != i % 64).collect());
    let scattered = fold(4096, Rules::builder(64), &|i| (0..64).map(|k| (i * 1001 + k * (2 * i + 1)) % 4096).collect());
    let crowd = fold(99_000, Rules::builder(2), &|i| if i % 2 == 0 { vec![i / 2 % 4] } else { vec![i / 2 % 2, 2 + i / 4 % 2] });
    let alone = fold(4096, Rules::builder(64), &|i| vec![i]);
    // As many cells as make a colouring of a complete graph, which has none: pigeons in holes.
    let clique = (0..100).flat_map(|a| (0..a).map(move |b| [a, b]));
    let clique = clique.fold(Rules::builder(10), |builder, pair| house(builder, &mut pair.into_iter()));
    for rules in [pairs, row, most_of_row, scattered, crowd, alone, clique] {
        let puzzle = Puzzle::new(Board::empty(&rules.build().unwrap())).unwrap();
        // What is done beside singles is done house by house, so that variants differ here.
        for strategy in ninefold::all_variants().filter(|it| it.variant().is_none() || it.name.starts_with("propagation")) {
            let limits = Limits::none().with_time(Duration::from_millis(30));
            let outcome = (strategy.build)().count(&puzzle, 2, &limits);
            assert!(
                matches!(outcome.end(), End::OutOfBudget(_) | End::Stopped | End::Exhausted | End::Unsupported),
                "{}: {:?}",
                strategy.name,
                outcome.end()
            );
        }
    }
}
