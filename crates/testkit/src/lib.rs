//! The contract that every Ninefold solver keeps, as plain functions over a [`Strategy`], and the named cases that it is
//! checked on.
//!
//! A strategy crate calls [`contract`] for each of its rows. Someone who writes a solver of their own implements
//! `ninefold_core::Solver`, makes a `Strategy` row for it, and does the same:
//!
//! ```
//! use ninefold_core::{Caps, End, Puzzle, Search, Solver, Strategy};
//! # struct Mine;
//! # impl Solver for Mine {
//! #     fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
//! #         let _ = search.begin(puzzle, &Caps::ALL);
//! #         End::Unsupported
//! #     }
//! # }
//! const MINE: Strategy = Strategy { name: "mine", summary: "my own", caps: Caps::ALL, build: || Box::new(Mine) };
//!
//! // A solver that answers nothing does not keep the contract.
//! assert!(std::panic::catch_unwind(|| ninefold_testkit::contract(&MINE)).is_err());
//! ```
//!
//! To hold the answers of your solver against those of others on puzzles of your own, see `ninefold::crosscheck`.
//!
//! Every function panics with the name of the strategy and of the case where the contract is broken. Nothing here asserts a
//! time: limits are tested by their effect on searches that would not end without them.

mod cases;
mod limits;
mod random;
mod watch;

use std::collections::BTreeSet;

use ninefold_core::{CancelToken, Caps, Counter, End, Limits, Outcome, Puzzle, Solution, Solver, Strategy, Verdict};

pub use cases::{Case, Count, cases, patterned};
pub use limits::{cancelled_in_mid_search, limits_end_the_search};
pub use random::Random;
pub use watch::the_observer_sees_what_the_counters_count;

/// The whole contract.
///
/// # Panics
/// Where the strategy breaks it.
pub fn contract(strategy: &Strategy) {
    caps_are_told_the_same_way_twice(strategy);
    unsupported_rules_are_told_at_once(strategy);
    every_case_has_its_count(strategy);
    every_size_is_solved(strategy);
    every_solution_is_found_once(strategy);
    the_cap_stops_the_search(strategy);
    counters_keep_their_definitions(strategy);
    any_ending_leaves_the_solver_usable(strategy);
    a_batch_gives_what_single_calls_give(strategy);
    boards_give_what_their_puzzles_give(strategy);
    limits_end_the_search(strategy);
    cancelled_in_mid_search(strategy);
    the_observer_sees_what_the_counters_count(strategy);
}

/// The solver says the same of itself as its row in the registry.
///
/// # Panics
/// Where it does not.
pub fn caps_are_told_the_same_way_twice(strategy: &Strategy) {
    assert_eq!((strategy.build)().caps(), strategy.caps, "{}", strategy.name);
    assert!(strategy.caps.counters.contains(Counter::Solutions), "{} does not count solutions", strategy.name);
    let steps = strategy.caps.counters;
    assert!(
        steps.contains(Counter::Nodes) || steps.contains(Counter::Conflicts),
        "{} counts nothing that a node limit could be held against",
        strategy.name
    );
}

/// Rules that the strategy does not take end as unsupported, and say nothing about solutions.
///
/// # Panics
/// Where they do not.
pub fn unsupported_rules_are_told_at_once(strategy: &Strategy) {
    for case in cases() {
        let puzzle = case.puzzle();
        let verdict = (strategy.build)().classify(&puzzle, &Limits::none().with_nodes(0));
        let supported = strategy.caps.takes(puzzle.rules());
        assert_eq!(verdict == Verdict::Unsupported, !supported, "{} on {}", strategy.name, case.name);
    }
}

/// Every named case that the strategy takes has the count and the solution that are known, asked for one, for two, and for all
/// solutions.
///
/// # Panics
/// Where it has not.
pub fn every_case_has_its_count(strategy: &Strategy) {
    let mut solver = (strategy.build)();
    for case in supported_cases(strategy) {
        let puzzle = case.puzzle();
        for cap in [1, 2, 3, 700] {
            let outcome = solver.count(&puzzle, cap, &Limits::none());
            check_count(strategy, &case, cap, &outcome);
        }
        let verdict = solver.classify(&puzzle, &Limits::none());
        let expected = match case.count {
            Count::Exactly(0) => "unsolvable",
            Count::Exactly(1) => "unique",
            _ => "multiple",
        };
        assert_eq!(verdict.name(), expected, "{} on {}", strategy.name, case.name);
        if let (Verdict::Unique(solution), Some(known)) = (&verdict, case.solution) {
            assert_eq!(solution.to_string(), known, "{} on {}", strategy.name, case.name);
        }
        if let Verdict::Multiple([a, b]) = &verdict {
            assert_ne!(a, b, "{} on {} found one solution twice", strategy.name, case.name);
        }
    }
}

fn check_count(strategy: &Strategy, case: &Case, cap: u64, outcome: &Outcome) {
    let (name, case_name) = (strategy.name, case.name);
    let all = match case.count {
        Count::Exactly(all) => all,
        Count::AtLeast(_) => u64::MAX,
    };
    assert_eq!(outcome.count(), all.min(cap), "{name} on {case_name}, at most {cap}");
    if all < cap {
        assert_eq!(outcome.end(), End::Exhausted, "{name} on {case_name}, at most {cap}");
    } else {
        // A strategy may or may not know at the last solution that there are no more.
        assert!(matches!(outcome.end(), End::Stopped), "{name} on {case_name}, at most {cap}: {:?}", outcome.end());
    }
    assert_eq!(outcome.solutions().count() as u64, outcome.count().min(2), "{name} on {case_name}");
    assert_eq!(outcome.counters().get(Counter::Solutions), Some(outcome.count()), "{name} on {case_name}");
}

/// Boards of many sides and rules with a third of their cells blank get a solution; core checks it.
///
/// # Panics
/// Where one does not.
pub fn every_size_is_solved(strategy: &Strategy) {
    let mut solver = (strategy.build)();
    for shape in ["1x1", "1x2", "2x2", "1x5", "2x3", "3x2", "2x4", "3x3", "2x5", "3x4", "4x4", "5x5"] {
        let puzzle = patterned(shape, 3, 7);
        if strategy.caps.takes(puzzle.rules()) {
            let outcome = solver.solve(&puzzle, &Limits::none());
            assert_eq!(outcome.count(), 1, "{} on a board of {shape}", strategy.name);
        }
    }
}

/// Enumeration finds each solution once and then ends.
///
/// # Panics
/// Where one is missing or found twice.
pub fn every_solution_is_found_once(strategy: &Strategy) {
    let mut solver = (strategy.build)();
    for case in supported_cases(strategy) {
        let Count::Exactly(count) = case.count else { continue };
        let (found, outcome) = solver.solutions(&case.puzzle(), u64::MAX, &Limits::none());
        assert_eq!(outcome.end(), End::Exhausted, "{} on {}", strategy.name, case.name);
        let distinct: BTreeSet<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!((found.len() as u64, distinct.len() as u64), (count, count), "{} on {}", strategy.name, case.name);
    }
}

/// A search ends at its cap, in the middle of any number of solutions, with as many as were asked for.
///
/// # Panics
/// Where it does not.
pub fn the_cap_stops_the_search(strategy: &Strategy) {
    let mut solver = (strategy.build)();
    let puzzle = endless(strategy);
    for cap in [1, 2, 50] {
        let (found, outcome) = solver.solutions(&puzzle, cap, &Limits::none());
        let expected = (cap, cap, End::Stopped);
        assert_eq!((found.len() as u64, outcome.count(), outcome.end()), expected, "{}", strategy.name);
    }
}

/// Counters have the values that their definitions allow, and the same ones when the search is done again.
///
/// In a search that ended by itself every guess adds one leaf to the tree, and every leaf is a dead end or a solution, so
/// dead ends + solutions = guesses + 1.
///
/// # Panics
/// Where they have not.
pub fn counters_keep_their_definitions(strategy: &Strategy) {
    let mut solver = (strategy.build)();
    for case in supported_cases(strategy) {
        let puzzle = case.puzzle();
        let outcome = solver.count(&puzzle, 700, &Limits::none());
        let counters = outcome.counters();
        let name = format!("{} on {}: {counters:?}", strategy.name, case.name);
        assert_eq!(counters.kept(), strategy.caps.counters, "{name}");
        assert_eq!(counters, solver.count(&puzzle, 700, &Limits::none()).counters(), "{name}");
        if let Some(nodes) = counters.nodes() {
            assert!(nodes >= 1, "{name}");
            assert!(counters.dead_ends().is_none_or(|dead| dead <= nodes), "{name}");
            assert!(counters.guesses().is_none_or(|guesses| guesses < nodes), "{name}");
        }
        if let (Some(guesses), Some(depth)) = (counters.guesses(), counters.max_depth()) {
            assert!(depth <= guesses && (guesses == 0 || depth >= 1), "{name}");
        }
        if let (Some(guesses), Some(dead), End::Exhausted) = (counters.guesses(), counters.dead_ends(), outcome.end()) {
            assert_eq!(dead + outcome.count(), guesses + 1, "{name}");
        }
    }
}

/// After a search that ended by itself, at a cap, at a limit, by a token or as unsupported, the solver answers as a fresh one does.
///
/// # Panics
/// Where it does not.
pub fn any_ending_leaves_the_solver_usable(strategy: &Strategy) {
    let mut solver = (strategy.build)();
    let used = CancelToken::new();
    used.cancel();
    let interruptions = [
        (1, Limits::none()),
        (2, Limits::none()),
        (u64::MAX, Limits::none().with_nodes(0)),
        (u64::MAX, Limits::none().with_nodes(1)),
        (u64::MAX, Limits::none().with_nodes(5)),
        (u64::MAX, Limits::none().with_nodes(40)),
        (u64::MAX, Limits::none().with_cancel(used)),
    ];
    let all: Vec<(Case, Puzzle)> = cases().into_iter().map(|case| (case, case.puzzle())).collect();
    let probe = supported_cases(strategy).next().expect("there is a case for every strategy");
    for (cap, limits) in &interruptions {
        for (case, puzzle) in &all {
            if matches!(case.count, Count::AtLeast(_)) && limits.nodes().is_none() && *cap > 2 && limits.cancels().is_empty() {
                continue;
            }
            let _ = solver.count(puzzle, *cap, limits);
            let again = solver.count(&probe.puzzle(), 700, &Limits::none());
            let fresh = (strategy.build)().count(&probe.puzzle(), 700, &Limits::none());
            assert_eq!(
                (again.count(), again.end(), again.counters()),
                (fresh.count(), fresh.end(), fresh.counters()),
                "{} after {} with at most {cap} solutions and {limits:?}",
                strategy.name,
                case.name
            );
        }
    }
}

/// `search_batch` answers what single calls answer, in the order of the puzzles, for batches of any length.
///
/// # Panics
/// Where it does not.
pub fn a_batch_gives_what_single_calls_give(strategy: &Strategy) {
    let mut solver = (strategy.build)();
    let chosen: Vec<Case> = cases().into_iter().filter(|case| matches!(case.count, Count::Exactly(_))).collect();
    for length in [0, 1, 2, 15, 16, 17, 33, 100] {
        let batch: Vec<Case> = (0..length).map(|i| chosen[i * 7 % chosen.len()]).collect();
        let puzzles: Vec<Puzzle> = batch.iter().map(Case::puzzle).collect();
        for cap in [1, 2, 5] {
            let outcomes = solver.search_batch(&puzzles, cap, &Limits::none(), &Limits::none());
            assert_eq!(outcomes.len(), puzzles.len(), "{}", strategy.name);
            for (case, (puzzle, outcome)) in batch.iter().zip(puzzles.iter().zip(&outcomes)) {
                if strategy.caps.takes(puzzle.rules()) {
                    check_count(strategy, case, cap, outcome);
                } else {
                    assert_eq!(outcome.end(), End::Unsupported, "{} on {}", strategy.name, case.name);
                }
            }
            // Nor does it matter what else is in the batch.
            for (puzzle, outcome) in puzzles.iter().zip(&outcomes).take(20) {
                let alone = &solver.search_batch(std::slice::from_ref(puzzle), cap, &Limits::none(), &Limits::none())[0];
                let told = |outcome: &Outcome| {
                    (outcome.end(), outcome.count(), outcome.solutions().map(Solution::to_string).collect::<Vec<_>>())
                };
                assert_eq!(told(outcome), told(alone), "{} on {puzzle} in a batch of {length}", strategy.name);
            }
        }
    }
    let puzzles = vec![endless(strategy); 20];
    let used = CancelToken::new();
    used.cancel();
    for outcome in solver.search_batch(&puzzles, u64::MAX, &Limits::none(), &Limits::none().with_cancel(used)) {
        assert!(matches!(outcome.end(), End::OutOfBudget(_)), "{}: {:?}", strategy.name, outcome.end());
    }
}

/// `search_boards` answers what the boards' puzzles answer, and a clash is one more board without solution.
///
/// # Panics
/// Where it does not.
pub fn boards_give_what_their_puzzles_give(strategy: &Strategy) {
    let mut solver = (strategy.build)();
    let chosen: Vec<Case> = cases()
        .into_iter()
        .filter(|case| matches!(case.count, Count::Exactly(_)) && case.puzzle().restrictions().is_none())
        .collect();
    let mut boards = Vec::new();
    for case in &chosen {
        let board = case.puzzle().board().clone();
        let clashing = board.givens().next().and_then(|(cell, digit)| {
            let mut board = board.clone();
            board.set(*board.rules().peers(cell).iter().find(|&&peer| board.get(peer) != Some(digit))?, Some(digit));
            Some(board)
        });
        boards.push(board);
        boards.extend(clashing);
    }
    let clashing = boards.iter().filter(|board| !board.is_valid()).count();
    assert!(clashing > 5, "{clashing} boards clash");
    for cap in [1, 2, 5] {
        let outcomes = solver.search_boards(&boards, cap, &Limits::none(), &Limits::none());
        assert_eq!(outcomes.len(), boards.len(), "{}", strategy.name);
        let mut cases = chosen.iter();
        for (board, outcome) in boards.iter().zip(&outcomes) {
            if board.is_valid() {
                let case = cases.next().expect("a case for every board");
                if strategy.caps.takes(board.rules()) {
                    check_count(strategy, case, cap, outcome);
                } else {
                    assert_eq!(outcome.end(), End::Unsupported, "{} on {}", strategy.name, case.name);
                }
            } else {
                assert_eq!(outcome.count(), 0, "{} on the clashing {board}", strategy.name);
                let taken = strategy.caps.takes(board.rules());
                assert!(outcome.end() == End::Exhausted || !taken && outcome.end() == End::Unsupported, "{}", strategy.name);
            }
        }
    }
}

/// Two strategies walk one tree: the same nodes, guesses, dead ends, forced digits and depth, and the same first solution, on every case
/// and on boards of many sides.
///
/// # Panics
/// Where they do not.
pub fn two_strategies_walk_one_tree(a: &Strategy, b: &Strategy) {
    let mut puzzles: Vec<(String, Puzzle)> = cases().into_iter().map(|case| (case.name.to_owned(), case.puzzle())).collect();
    for shape in ["2x2", "2x3", "3x2", "2x4", "3x3", "3x4", "4x4"] {
        puzzles.extend((0..20).map(|seed| (format!("{shape} seed {seed}"), patterned(shape, 2, seed))));
    }
    for (name, puzzle) in puzzles {
        two_strategies_walk_one_tree_on(a, b, &name, &puzzle, 200_000);
    }
}

/// The same on one puzzle, up to so many nodes; `name` is for the message.
///
/// # Panics
/// Where they do not.
pub fn two_strategies_walk_one_tree_on(a: &Strategy, b: &Strategy, name: &str, puzzle: &Puzzle, nodes: u64) {
    for cap in [1, 700] {
        let limits = Limits::none().with_nodes(nodes);
        let [first, second] = [a, b].map(|strategy| (strategy.build)().count(puzzle, cap, &limits));
        assert_eq!(first.counters(), second.counters(), "{} and {} on {name}", a.name, b.name);
        assert_eq!((first.end(), first.solution()), (second.end(), second.solution()), "{} and {} on {name}", a.name, b.name);
    }
}

fn supported_cases(strategy: &Strategy) -> impl Iterator<Item = Case> {
    let caps: Caps = strategy.caps;
    cases().into_iter().filter(move |case| caps.takes(case.puzzle().rules()))
}

/// A puzzle with far too many solutions to enumerate, on the largest board that is quick to set up: an empty 16×16, or an empty
/// 9×9 for a strategy that takes nothing else.
fn endless(strategy: &Strategy) -> Puzzle {
    let large = Puzzle::new(".".repeat(256).parse().expect("an empty board")).expect("no clash");
    if strategy.caps.takes(large.rules()) {
        large
    } else {
        Puzzle::new(".".repeat(81).parse().expect("an empty board")).expect("no clash")
    }
}
