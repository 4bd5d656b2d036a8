//! Known counts, degenerate boards, big boards.

use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use ninefold_core::{
    BlockShape, Board, Budget, CancelToken, Cell, DigitSet, End, Event, HouseKind, Limits, Puzzle, Rules, Search, Solution,
    Solver, Strategy, Verdict,
};
use ninefold_solver_dlx::{Dlx, STRATEGIES};

fn blocks(text: &str) -> Rules {
    Rules::blocks(text.parse::<BlockShape>().unwrap())
}

fn empty(rules: &Rules) -> Puzzle {
    Puzzle::new(Board::empty(rules)).unwrap()
}

fn each(mut check: impl FnMut(&Strategy, &mut dyn Solver)) {
    for strategy in STRATEGIES {
        check(strategy, &mut *(strategy.build)());
    }
}

fn count(solver: &mut dyn Solver, puzzle: &Puzzle) -> u64 {
    let outcome = solver.count(puzzle, u64::MAX, &Limits::none());
    assert_eq!(outcome.end(), End::Exhausted);
    outcome.count()
}

#[test]
fn all_boards_of_small_rules_are_found() {
    let cells = |list: [usize; 4]| list.map(|index| Cell::new(index).unwrap());
    let diagonals = Rules::builder(4)
        .rows_and_columns()
        .block_houses("2x2".parse().unwrap())
        .house(HouseKind::Extra("main diagonal".into()), cells([0, 5, 10, 15]))
        .house(HouseKind::Extra("other diagonal".into()), cells([3, 6, 9, 12]))
        .build()
        .unwrap();
    let no_houses = Rules::builder(2).build().unwrap();
    // Counts of Latin squares and of small Sudokus: OEIS A002860 and A107739.
    each(|strategy, solver| {
        for (rules, known) in [
            (blocks("1x1"), 1),
            (blocks("1x2"), 2),
            (blocks("3x1"), 12),
            (blocks("1x4"), 576),
            (blocks("2x2"), 288),
            (diagonals.clone(), 48),
            (no_houses.clone(), 16),
        ] {
            assert_eq!(count(solver, &empty(&rules)), known, "{} on {rules}", strategy.name);
        }
    });
}

#[test]
fn a_complete_grid_is_its_own_solution() {
    let line = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    each(|_, solver| {
        for text in ["1", "1234341221434321", line] {
            let puzzle = Puzzle::new(text.parse().unwrap()).unwrap();
            let outcome = solver.count(&puzzle, 2, &Limits::none());
            assert_eq!((outcome.count(), outcome.end(), outcome.counters().nodes()), (1, End::Exhausted, Some(1)));
            assert_eq!(outcome.solution().unwrap().to_string(), text);
            assert_eq!(solver.solve(&puzzle, &Limits::none()).end(), End::Stopped);
        }
    });
}

#[test]
fn a_dead_grid_has_no_solution() {
    let rules = blocks("2x2");
    let nothing = Puzzle::with_candidates(Board::empty(&rules), &[DigitSet::EMPTY; 16]).unwrap();
    let stuck = Puzzle::new("123. .... ...4 ....".parse().unwrap()).unwrap();
    each(|_, solver| {
        for puzzle in [&nothing, &stuck] {
            for _ in 0..2 {
                assert_eq!(solver.classify(puzzle, &Limits::none()), Verdict::Unsolvable);
            }
        }
    });
}

#[test]
fn solutions_are_reported_once_each() {
    each(|_, solver| {
        let (found, outcome) = solver.solutions(&empty(&blocks("2x2")), u64::MAX, &Limits::none());
        let mut texts: Vec<String> = found.iter().map(Solution::to_string).collect();
        texts.sort();
        texts.dedup();
        assert_eq!((texts.len(), outcome.end()), (288, End::Exhausted));
    });
}

#[test]
fn a_visitor_stops_the_search_inside() {
    each(|_, solver| {
        let mut seen = 0;
        let mut visitor = |_: &Solution| {
            seen += 1;
            if seen == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut search = Search::new(&Limits::none()).with_visitor(&mut visitor);
        assert_eq!(solver.search(&empty(&blocks("3x3")), &mut search), End::Stopped);
        assert_eq!(seen, 7);
        assert_eq!(count(solver, &empty(&blocks("2x2"))), 288);
    });
}

/// A full 64×64 grid without its last `holes` cells.
fn big(holes: usize) -> Puzzle {
    let digit = |index: usize| ((index % 64 + index / 64 % 8 * 8 + index / 512) % 64) as u8 + 1;
    let bytes: Vec<u8> = (0..4096).map(|index| if index < 4096 - holes { digit(index) } else { 0 }).collect();
    Puzzle::new(Board::from_bytes(&blocks("8x8"), &bytes).unwrap()).unwrap()
}

#[test]
fn a_board_of_64_by_64_needs_no_deep_stack() {
    let run = || {
        let mut solver = Dlx::new();
        assert_eq!(solver.count(&big(600), 1, &Limits::none().with_nodes(20_000)).count(), 1);
        // As deep as it goes in these nodes, then back up again from wherever that is.
        let outcome = solver.count(&big(4096), 1, &Limits::none().with_nodes(4000));
        assert!(outcome.counters().propagations().is_some());
        assert_eq!(solver.count(&big(64), 2, &Limits::none()).count(), 1);
    };
    thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
}

#[test]
fn empty_and_sparse_big_boards_are_filled() {
    let mut solver = Dlx::new();
    let limits = Limits::none().with_nodes(20_000);
    for text in ["4x4", "5x5", "4x8", "6x6"] {
        assert_eq!(solver.count(&empty(&blocks(text)), 1, &limits).count(), 1, "{text}");
    }
    // A fifth of the cells of a 25×25 board, and their digits shuffled: many solutions, and few where one looks first.
    let rules = blocks("5x5");
    for seed in 0..5 {
        let digit = |row: usize, column: usize| ((row % 5 * 5 + row / 5 + column) * 7 + seed) % 25 + 1;
        let byte = |index: usize| {
            if (index * index + seed * index / 3).is_multiple_of(5) { digit(index / 25, index % 25) as u8 } else { 0 }
        };
        let puzzle = Puzzle::new(Board::from_bytes(&rules, &(0..625).map(byte).collect::<Vec<u8>>()).unwrap()).unwrap();
        assert_eq!(solver.count(&puzzle, 1, &limits).count(), 1, "seed {seed}");
    }
}

#[test]
fn empty_boards_with_variants_are_filled() {
    let mut solver = Dlx::new();
    for name in [
        "3x3+anti-knight",
        "3x3+diagonals+windows",
        "2x5+anti-knight",
        "3x4+anti-knight",
        "3x5+diagonals",
        "latin:10+anti-knight",
    ] {
        let outcome = solver.count(&empty(&name.parse().unwrap()), 1, &Limits::none().with_nodes(20_000));
        assert_eq!(outcome.count(), 1, "{name}");
    }
}

#[test]
fn limits_end_an_empty_big_board_wherever_it_is() {
    each(|strategy, solver| {
        for rules in [blocks("5x5"), blocks("8x8")] {
            for millis in [0, 3, 30] {
                let limits = Limits::none().with_time(Duration::from_millis(millis));
                let outcome = solver.count(&empty(&rules), u64::MAX, &limits);
                assert_eq!(outcome.end(), End::OutOfBudget(Budget::Time), "{} on {rules}", strategy.name);
            }
            let token = CancelToken::new();
            let limits = Limits::none().with_cancel(token.clone());
            let mut events = 0;
            let mut observer = |_: Event<'_>| {
                events += 1;
                token.cancel();
            };
            let end = solver.search(&empty(&rules), &mut Search::new(&limits).with_observer(&mut observer));
            assert!(events > 0, "{} on {rules} was searching", strategy.name);
            assert_eq!(end, End::OutOfBudget(Budget::Cancelled), "{} on {rules}", strategy.name);
        }
        assert_eq!(count(solver, &empty(&blocks("2x2"))), 288);
    });
}

#[test]
fn a_big_board_that_was_stopped_is_searched_anew() {
    let mut solver = Dlx::new();
    let puzzle = big(500);
    let whole = solver.count(&puzzle, 2, &Limits::none().with_nodes(3000));
    for nodes in [0, 1, 2, 77] {
        let outcome = solver.count(&puzzle, 2, &Limits::none().with_nodes(nodes));
        assert_eq!((outcome.end(), outcome.counters().nodes()), (End::OutOfBudget(Budget::Nodes), Some(nodes)));
        let again = solver.count(&puzzle, 2, &Limits::none().with_nodes(3000));
        assert_eq!((again.end(), again.counters()), (whole.end(), whole.counters()));
    }
}

#[test]
fn rules_with_too_many_houses_are_given_up_and_not_called_unsolvable() {
    let mut builder = Rules::builder(64).rows_and_columns();
    for i in 0..90_000 {
        let cells = [i % 4096, (i + 1 + i / 4096) % 4096];
        builder = builder.house(HouseKind::Extra(String::new()), cells.into_iter().filter_map(Cell::new));
    }
    let puzzle = empty(&builder.build().unwrap());
    let mut solver = Dlx::new();
    assert_eq!(solver.classify(&puzzle, &Limits::none()), Verdict::Unknown(Budget::Memory));
    assert_eq!(count(&mut solver, &empty(&blocks("2x2"))), 288);
}
