//! The strategy and its variants, against a slow reference.

use std::cell::Cell as Shared;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use ninefold_core::{
    BlockShape, Board, Budget, CancelToken, Cell, Counter, Digit, DigitSet, End, Event, HouseKind, Limits, Puzzle, Rules, Search,
    Solution, Solver, Verdict, Why,
};
use ninefold_solver_sat::{STRATEGIES, Sat};
use ninefold_testkit::Random;

const WIKIPEDIA: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// A. Inkala's puzzle of 2012: no singles at all to begin with.
const INKALA: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

fn none() -> Limits {
    Limits::none()
}

fn puzzle(text: &str) -> Puzzle {
    Puzzle::new(text.parse().unwrap()).unwrap()
}

fn blocks(shape: &str) -> Rules {
    Rules::blocks(shape.parse::<BlockShape>().unwrap())
}

fn empty(rules: &Rules) -> Puzzle {
    Puzzle::new(Board::empty(rules)).unwrap()
}

/// Up to `cap` solutions, by plain backtracking on the cell with the fewest digits that fit.
fn reference(puzzle: &Puzzle, cap: usize) -> BTreeSet<Vec<u8>> {
    fn fits(puzzle: &Puzzle, board: &Board, cell: Cell) -> DigitSet {
        let used: DigitSet = puzzle.rules().peers(cell).iter().filter_map(|peer| board.get(*peer)).collect();
        puzzle.allowed(cell).difference(used)
    }
    let mut found = BTreeSet::new();
    let mut open = vec![puzzle.board().clone()];
    while let Some(board) = open.pop() {
        let blanks = puzzle.rules().cells().filter(|cell| board.get(*cell).is_none());
        let Some(cell) = blanks.min_by_key(|cell| fits(puzzle, &board, *cell).len()) else {
            found.insert(board.as_bytes().to_vec());
            if found.len() == cap {
                break;
            }
            continue;
        };
        for digit in fits(puzzle, &board, cell) {
            let mut next = board.clone();
            next.set(cell, Some(digit));
            open.push(next);
        }
    }
    found
}

/// Every variant finds every solution, each once.
fn check(puzzle: &Puzzle) -> usize {
    let expected = reference(puzzle, usize::MAX);
    for strategy in STRATEGIES {
        let (found, outcome) = (strategy.build)().solutions(puzzle, u64::MAX, &none());
        let boards: BTreeSet<Vec<u8>> = found.iter().map(|solution| solution.as_bytes().to_vec()).collect();
        assert_eq!(boards, expected, "{}: {puzzle:?}", strategy.name);
        assert_eq!(found.len(), expected.len(), "{} repeats a solution: {puzzle:?}", strategy.name);
        assert_eq!(outcome.end(), End::Exhausted, "{}: {puzzle:?}", strategy.name);
    }
    expected.len()
}

#[test]
fn every_variant_solves_classic_puzzles() {
    for strategy in STRATEGIES {
        let mut solver = (strategy.build)();
        for text in [WIKIPEDIA, INKALA] {
            let Verdict::Unique(solution) = solver.classify(&puzzle(text), &none()) else { panic!("{}", strategy.name) };
            assert_eq!(BTreeSet::from([solution.as_bytes().to_vec()]), reference(&puzzle(text), 2), "{}", strategy.name);
        }
    }
}

#[test]
fn counts_are_those_of_the_reference() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let mut counts = BTreeSet::new();
    let solved: Vec<u8> = reference(&puzzle(WIKIPEDIA), 1).pop_first().unwrap();
    for blanks in [30, 40, 46, 48, 50, 52] {
        let mut bytes = solved.clone();
        let mut left = blanks;
        while left > 0 {
            let byte = &mut bytes[random.below(81)];
            left -= usize::from(*byte != 0);
            *byte = 0;
        }
        counts.insert(check(&Puzzle::new(Board::from_bytes(Rules::classic(), &bytes).unwrap()).unwrap()));
    }
    assert!(counts.len() > 3 && *counts.last().unwrap() > 10, "the puzzles are varied: {counts:?}");
}

#[test]
fn the_empty_board_of_side_4_has_288_solutions() {
    assert_eq!(check(&empty(&blocks("2x2"))), 288);
}

#[test]
fn the_degenerate_boards_are_answered() {
    for strategy in STRATEGIES {
        let mut solver = (strategy.build)();
        let mut count = |puzzle: &Puzzle| {
            let outcome = solver.count(puzzle, 1000, &none());
            (outcome.count(), outcome.end())
        };
        assert_eq!(count(&empty(&blocks("1x1"))), (1, End::Exhausted), "{}", strategy.name);
        assert_eq!(count(&puzzle("1")), (1, End::Exhausted));
        // A complete grid, no given at all, no digit for r1c9, no place for 9 in block 1.
        let solved = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        assert_eq!(count(&puzzle(solved)), (1, End::Exhausted));
        assert_eq!(count(&empty(Rules::classic())), (1000, End::Stopped));
        let line = |start: &str| puzzle(&format!("{start:.<81}"));
        assert_eq!(count(&line("12345678.........9")), (0, End::Exhausted), "{}", strategy.name);
        assert_eq!(count(&line("12.......34.......56.........9")), (0, End::Exhausted), "{}", strategy.name);
        // Boards without blocks, of sides that blocks cannot have.
        assert_eq!(count(&empty(&Rules::builder(2).rows_and_columns().build().unwrap())), (2, End::Exhausted));
        assert_eq!(count(&empty(&Rules::builder(3).rows_and_columns().build().unwrap())), (12, End::Exhausted));
        // No houses: every cell for itself. Small houses alone: two cells that differ.
        assert_eq!(count(&empty(&Rules::builder(2).build().unwrap())), (16, End::Exhausted), "{}", strategy.name);
        let pair = [0, 3].map(|index| Cell::new(index).unwrap());
        let rules = Rules::builder(2).house(HouseKind::Extra("pair".into()), pair).build().unwrap();
        assert_eq!(count(&empty(&rules)), (8, End::Exhausted), "{}", strategy.name);
    }
}

#[test]
fn restrictions_hold_and_may_leave_nothing() {
    let digit = |value| Digit::new(value).unwrap();
    let board = || Board::empty(&blocks("2x2"));
    let mut random = Random::new(0xd1b5_4a32_d192_ed03);
    let mut counts = BTreeSet::new();
    for _ in 0..12 {
        let without = |bit: usize| DigitSet::from_bits(15 & !(1 << bit));
        let sets: Vec<DigitSet> = (0..16).map(|_| without(random.below(8))).collect();
        counts.insert(check(&Puzzle::with_candidates(board(), &sets).unwrap()));
    }
    assert!(counts.len() > 3, "the puzzles are varied: {counts:?}");
    let mut sets = vec![DigitSet::all(4); 16];
    sets[5] = DigitSet::EMPTY;
    assert_eq!(check(&Puzzle::with_candidates(board(), &sets).unwrap()), 0);
    // No cell of the first row may hold a 1.
    let mut sets = vec![DigitSet::all(4); 16];
    sets[..4].iter_mut().for_each(|set| set.remove(digit(1)));
    assert_eq!(check(&Puzzle::with_candidates(board(), &sets).unwrap()), 0);
}

#[test]
fn variants_of_the_rules_are_taken() {
    let cells = |list: &[usize]| list.iter().filter_map(|i| Cell::new(*i)).collect::<Vec<_>>();
    // A jigsaw of side 5: a plus sign in the middle.
    let regions = b"AAABB AACBB DCCCB DDCEE DDEEE".iter().filter(|b| **b != b' ').collect::<Vec<_>>();
    let jigsaw = Rules::jigsaw(&regions).unwrap();
    let solved = reference(&empty(&jigsaw), 1).pop_first().unwrap();
    let mut bytes = solved;
    bytes.iter_mut().enumerate().filter(|(i, _)| i % 5 != 0 && i % 7 != 0).for_each(|(_, byte)| *byte = 0);
    assert!(check(&Puzzle::new(Board::from_bytes(&jigsaw, &bytes).unwrap()).unwrap()) > 0);
    // Diagonals, full houses; and knight's moves, houses of two cells.
    let diagonal = Rules::builder(4)
        .rows_and_columns()
        .block_houses("2x2".parse().unwrap())
        .house(HouseKind::Extra("main diagonal".into()), cells(&[0, 5, 10, 15]))
        .house(HouseKind::Extra("other diagonal".into()), cells(&[3, 6, 9, 12]))
        .build()
        .unwrap();
    assert_eq!(check(&empty(&diagonal)), 48);
    let mut knight = Rules::builder(6).rows_and_columns();
    for (row, column) in (0..6).flat_map(|row| (0..6).map(move |column| (row, column))) {
        for (down, right) in [(1i32, 2i32), (2, 1), (1, -2), (2, -1)] {
            let (r, c) = (row + down, column + right);
            if r < 6 && (0..6).contains(&c) {
                let pair = cells(&[(row * 6 + column) as usize, (r * 6 + c) as usize]);
                knight = knight.house(HouseKind::Extra("knight's move".into()), pair);
            }
        }
    }
    let rules = knight.build().unwrap();
    let mut board = Board::empty(&rules);
    (0..6u8).for_each(|i| board.set(Cell::new(i.into()).unwrap(), Digit::new(i + 1)));
    check(&Puzzle::new(board).unwrap());
    for shape in ["2x3", "3x2"] {
        let rules = blocks(shape);
        let solved = reference(&empty(&rules), 1).pop_first().unwrap();
        let mut bytes = solved;
        bytes.iter_mut().enumerate().filter(|(i, _)| i % 3 != 0).for_each(|(_, byte)| *byte = 0);
        assert!(check(&Puzzle::new(Board::from_bytes(&rules, &bytes).unwrap()).unwrap()) > 0);
    }
}

#[test]
fn large_boards_are_solved() {
    for (shape, count) in [("2x4", 3), ("3x4", 3), ("4x4", 2), ("5x5", 2)] {
        let puzzle = empty(&blocks(shape));
        let (found, outcome) = Sat::new().solutions(&puzzle, count, &none());
        assert_eq!((found.len() as u64, outcome.end()), (count, End::Stopped), "{shape}");
        // Taking a few cells away from a solution leaves a puzzle whose solutions extend the rest.
        let mut board = found[0].board().clone();
        (0..board.as_bytes().len()).step_by(2).for_each(|i| board.set(Cell::new(i).unwrap(), None));
        let sparse = Puzzle::new(board).unwrap();
        assert!(Sat::new().solve(&sparse, &none()).solution().is_some(), "{shape}");
    }
}

#[test]
fn the_largest_board_works_on_a_small_stack_or_is_refused() {
    let work = || {
        let rules = blocks("8x8");
        let outcome = Sat::new().solve(&empty(&rules), &none());
        assert_eq!(outcome.end(), End::OutOfBudget(Budget::Memory));
        assert_eq!(outcome.verdict(), Verdict::Unknown(Budget::Memory));
        // A Latin square shifted by 8 in each row of blocks solves it; with half of the cells taken away it fits.
        let mut board = Board::empty(&rules);
        for cell in rules.cells().filter(|cell| cell.index() % 2 == 0) {
            let (row, column) = (cell.row(64), cell.column(64));
            board.set(cell, Digit::new(((row % 8 * 8 + row / 8 + column) % 64) as u8 + 1));
        }
        let outcome = Sat::new().solve(&Puzzle::new(board).unwrap(), &none());
        assert_eq!(outcome.end(), End::Stopped);
        assert_eq!(outcome.count(), 1);
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn blocking_clauses_count_as_memory() {
    let rules = Rules::builder(4).build().unwrap();
    let outcome = Sat::new().with_memory(64_000).count(&empty(&rules), u64::MAX, &none());
    assert_eq!(outcome.end(), End::OutOfBudget(Budget::Memory));
    assert!(outcome.count() > 100 && !outcome.is_exact());
}

#[test]
fn a_used_token_or_deadline_ends_the_search_at_once() {
    let token = CancelToken::new();
    token.cancel();
    for strategy in STRATEGIES {
        let mut solver = (strategy.build)();
        let outcome = solver.solve(&puzzle(INKALA), &none().with_cancel(token.clone()));
        assert_eq!((outcome.end(), outcome.count()), (End::OutOfBudget(Budget::Cancelled), 0));
        let outcome = solver.solve(&puzzle(INKALA), &none().with_time(Duration::ZERO));
        assert_eq!((outcome.end(), outcome.count()), (End::OutOfBudget(Budget::Time), 0));
        assert_eq!(solver.count(&puzzle(INKALA), 2, &none()).end(), End::Exhausted, "{} can be used again", strategy.name);
    }
}

/// Thirteen cells that differ and have twelve digits: clauses learned one by one need longer than anyone has to see that.
fn endless() -> Puzzle {
    let house = (0..13).filter_map(Cell::new);
    let rules = Rules::builder(14).house(HouseKind::Extra("pigeons".into()), house).build().unwrap();
    let mut sets = vec![DigitSet::all(14); 196];
    sets[..13].fill(DigitSet::all(12));
    Puzzle::with_candidates(Board::empty(&rules), &sets).unwrap()
}

#[test]
fn a_search_in_full_swing_is_cancelled_and_timed_out() {
    // How long it takes to get going depends on the machine: the other thread steps back more and more often, until something was learned.
    let was_searching = (0..20).any(|doubled| {
        let token = CancelToken::new();
        let limits = none().with_cancel(token.clone());
        let outcome = std::thread::scope(|scope| {
            scope.spawn(move || {
                (0..1000 << doubled).for_each(|_| std::thread::yield_now());
                token.cancel();
            });
            Sat::new().solve(&endless(), &limits)
        });
        assert_eq!(outcome.end(), End::OutOfBudget(Budget::Cancelled));
        outcome.counters().get(Counter::Conflicts) > Some(0)
    });
    assert!(was_searching);
    let outcome = Sat::new().solve(&endless(), &none().with_time(Duration::from_millis(30)));
    assert_eq!(outcome.end(), End::OutOfBudget(Budget::Time));
    assert_eq!(outcome.count(), 0);
}

#[test]
fn the_node_limit_is_an_exact_limit_on_conflicts() {
    for strategy in STRATEGIES {
        let mut solver = (strategy.build)();
        let whole = solver.count(&puzzle(INKALA), 2, &none());
        let conflicts = whole.counters().get(Counter::Conflicts).unwrap();
        assert!(conflicts > 5, "{}: {conflicts} conflicts", strategy.name);
        for nodes in [0, 1, conflicts / 2, conflicts - 1] {
            let outcome = solver.count(&puzzle(INKALA), 2, &none().with_nodes(nodes));
            assert_eq!(outcome.end(), End::OutOfBudget(Budget::Nodes), "{}", strategy.name);
            assert_eq!(outcome.counters().get(Counter::Conflicts), Some(nodes), "{}", strategy.name);
        }
        let outcome = solver.count(&puzzle(INKALA), 2, &none().with_nodes(conflicts));
        assert_eq!((outcome.end(), outcome.count()), (End::Exhausted, 1), "{}", strategy.name);
        for counter in [Counter::Nodes, Counter::Guesses, Counter::Propagations, Counter::Decisions] {
            assert_eq!(outcome.counters().get(counter), None);
        }
    }
}

#[test]
fn the_same_search_has_the_same_conflicts_and_the_same_order_of_solutions() {
    for strategy in STRATEGIES {
        let run = || {
            let (found, outcome) = (strategy.build)().solutions(&empty(Rules::classic()), 50, &none());
            (found.iter().map(Solution::to_string).collect::<Vec<_>>(), *outcome.counters())
        };
        assert_eq!(run(), run(), "{}", strategy.name);
    }
}

#[test]
fn the_observer_sees_singles_with_their_reasons_and_models_as_learned() {
    let [hidden, naked, guesses, learned, leaves] = [0; 5].map(Shared::new);
    let bump = |counter: &Shared<usize>| counter.set(counter.get() + 1);
    let run = |puzzle: &Puzzle, cap: u64| -> [usize; 5] {
        let mut observer = |event: Event<'_>| match event {
            Event::Place { why: Why::NakedSingle, .. } => bump(&naked),
            Event::Place { why: Why::HiddenSingle(house), cell, .. } => {
                assert!(puzzle.rules().house(house).cells().contains(&cell));
                bump(&hidden);
            }
            Event::Place { why: Why::Learned, .. } => bump(&learned),
            Event::Guess { depth: 1, .. } => bump(&guesses),
            Event::Back { depth: 0 } => {}
            Event::Solution { .. } | Event::DeadEnd { .. } => bump(&leaves),
            other => panic!("{other:?}"),
        };
        let mut search = Search::new(&none()).with_cap(cap).with_observer(&mut observer);
        let _ = Sat::new().search(puzzle, &mut search);
        [&hidden, &naked, &guesses, &learned, &leaves].map(|counter| counter.replace(0))
    };
    let [hidden, naked, others @ ..] = run(&puzzle(WIKIPEDIA), 2);
    assert_eq!((hidden + naked, others), (51, [0, 0, 1]));
    // The 9s of rows 2 and 3 and of columns 2 and 3 leave r1c1 alone to block 1.
    let mut board = Board::empty(Rules::classic());
    [12, 24, 28, 56].iter().for_each(|index| board.set(Cell::new(*index).unwrap(), Digit::new(9)));
    assert_eq!(run(&Puzzle::new(board).unwrap(), 1)[..2], [1, 0]);
    assert_eq!(run(&puzzle(INKALA), 2), [0, 0, 1, 59, 2], "the model, and that there is no other");
    assert_eq!(run(&empty(Rules::classic()), 2), [0, 0, 2, 160, 2]);
    assert_eq!(run(&puzzle(&format!("{:.<81}", "12345678.........9")), 2)[4], 1);
}

#[test]
fn a_visitor_may_stop_and_times_are_told() {
    let mut seen = 0;
    let mut visitor = |_: &Solution| {
        seen += 1;
        if seen == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut search = Search::new(&none()).with_visitor(&mut visitor).with_times();
    let end = Sat::new().search(&empty(Rules::classic()), &mut search);
    let outcome = search.finish(end);
    assert_eq!((end, outcome.count()), (End::Stopped, 7));
    let times = outcome.times().unwrap();
    assert!(times.setup > Duration::ZERO && times.search > Duration::ZERO);
}
