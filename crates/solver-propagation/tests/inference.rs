//! What a search says is true: held against all solutions of a puzzle, which another variant lists.

use std::collections::BTreeSet;

use ninefold_core::{Board, Cell, Choice, Digit, Event, Limits, Puzzle, Search, Solution, Solver, Strategy};
use ninefold_solver_propagation::STRATEGIES;
use ninefold_testkit::{Count, cases, patterned};

/// The solutions that are not reported yet, and the guesses that are open.
struct Truth {
    solutions: Vec<Solution>,
    guesses: Vec<(Cell, Digit)>,
    removed: u64,
    placed: u64,
}

impl Truth {
    /// The solutions that could still be found below the open guesses.
    fn ahead(&self) -> impl Iterator<Item = &Solution> {
        self.solutions.iter().filter(|solution| self.guesses.iter().all(|&(cell, digit)| solution.digit(cell) == digit))
    }

    fn hear(&mut self, name: &str, event: Event<'_>) {
        match event {
            Event::Guess { choice: Choice::Place { cell, digit }, depth } => {
                self.guesses.push((cell, digit));
                assert_eq!(depth, self.guesses.len(), "{name}");
            }
            Event::Back { depth } => self.guesses.truncate(depth),
            Event::Remove { cell, digit, why } => {
                self.removed += 1;
                assert!(self.ahead().all(|solution| solution.digit(cell) != digit), "{name}: {cell:?} loses {digit} by {why:?}");
            }
            Event::Place { cell, digit, why } => {
                self.placed += 1;
                assert!(self.ahead().all(|solution| solution.digit(cell) == digit), "{name}: {cell:?} gets {digit} by {why:?}");
            }
            Event::DeadEnd { why } => assert_eq!(self.ahead().count(), 0, "{name}: a dead end by {why:?}"),
            Event::Solution { solution } => self.solutions.retain(|ahead| ahead != solution),
            _ => {}
        }
    }
}

fn puzzles() -> Vec<(String, Puzzle)> {
    let few = cases().into_iter().filter(|case| matches!(case.count, Count::Exactly(_)));
    let mut puzzles: Vec<_> = few.map(|case| (case.name.to_owned(), case.puzzle())).collect();
    for shape in ["2x2", "2x3", "3x2", "3x3", "3x4"] {
        puzzles.extend((0..12).map(|seed| (format!("{shape} seed {seed}"), patterned(shape, 2, seed))));
    }
    puzzles
}

fn variant(name: &str) -> &'static Strategy {
    STRATEGIES.iter().find(|strategy| strategy.name == name).expect("a row")
}

#[test]
fn nothing_is_removed_placed_or_refuted_that_a_solution_ahead_has() {
    for (name, puzzle) in puzzles() {
        let (solutions, outcome) = (variant("propagation:naked").build)().solutions(&puzzle, 1000, &Limits::none());
        if !outcome.is_exact() {
            continue;
        }
        let mut counts = BTreeSet::new();
        for strategy in STRATEGIES {
            let name = format!("{} on {name}", strategy.name);
            let mut truth = Truth { solutions: solutions.clone(), guesses: Vec::new(), removed: 0, placed: 0 };
            let mut observer = |event: Event<'_>| truth.hear(&name, event);
            let mut search = Search::new(&Limits::none()).with_observer(&mut observer);
            let end = (strategy.build)().search(&puzzle, &mut search);
            counts.insert(search.finish(end).count());
            assert!(truth.solutions.is_empty(), "{name}: a solution was not found");
            assert!(puzzle.board().is_full() || solutions.is_empty() || truth.placed + truth.removed > 0, "{name} said nothing");
        }
        assert_eq!(counts.into_iter().collect::<Vec<_>>(), [solutions.len() as u64], "{name}");
    }
}

#[test]
fn stronger_inference_saves_guesses() {
    // Two puzzles that are known for being hard: by Arto Inkala (2012), and "Golden Nugget" (2007).
    let hard = [
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
    ];
    let puzzles = hard.map(|line| Puzzle::new(line.parse().expect("a classic line")).expect("no clash"));
    let guesses = |name: &str| -> u64 {
        let mut solver = (variant(name).build)();
        puzzles.iter().filter_map(|puzzle| solver.count(puzzle, 2, &Limits::none()).counters().guesses()).sum()
    };
    let [plain, locked, subsets, matching] =
        ["propagation", "propagation:locked", "propagation:subsets", "propagation:matching"].map(guesses);
    assert!(locked < plain && subsets < plain && matching < plain, "{plain}, {locked}, {subsets}, {matching}");
}

#[test]
fn guesses_do_not_stray_on_empty_boards_with_variants() {
    for name in [
        "3x3+anti-knight",
        "3x3+anti-king",
        "3x3+diagonals+windows",
        "3x3+disjoint-groups",
        "2x3+diagonals",
        "2x5+anti-knight",
        "3x4+anti-knight",
        "3x5+diagonals",
        "3x5+anti-knight",
        "latin:10+anti-knight",
    ] {
        let puzzle = Puzzle::new(Board::empty(&name.parse().unwrap())).unwrap();
        for name_of_row in ["propagation", "propagation:cells"] {
            let outcome = (variant(name_of_row).build)().solve(&puzzle, &Limits::none().with_nodes(5000));
            assert_eq!(outcome.count(), 1, "{name_of_row} on {name}");
        }
    }
}
