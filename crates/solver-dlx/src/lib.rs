//! Exact cover with dancing links: the strategy `dlx`, by the crate of that name.
//!
//! Every pair of a cell and a digit is an *option*. It covers *items*: its cell, and for each house of the cell the pair of that house
//! and the digit. A solution is a set of options that covers every cell and every (full house, digit) exactly once, and every
//! (smaller house, digit) at most once.
//!
//! 1. Link the matrix of the rules once; cover the items of the givens, hide the options that the puzzle excludes.
//! 2. Choose the item with the fewest options left (of equals the first; one with a single option or none is taken at once), but of places of digits
//!    only those with two. From side 16 on, items that dead ends came from weigh more: [`ItemChoice::Weighted`].
//! 3. No option: a dead end. Otherwise cover the item and try its options one after the other:
//! 4. cover the other items of the option, that is, unlink every option that shares one, and go to 2 until no item is left.
//! 5. To come back, link everything again in reverse order: no node forgets where it was, so nothing is copied.
//!
//! Source: Donald E. Knuth, "Dancing Links", 2000; *The Art of Computer Programming* 4B, 7.2.2.1, 2022, Algorithm X.
//!
//! ```
//! use ninefold_core::{Limits, Puzzle, Solver, Verdict};
//! use ninefold_solver_dlx::Dlx;
//!
//! let puzzle = Puzzle::new("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?)?;
//! let mut solver = Dlx::new();
//! let Verdict::Unique(solution) = solver.classify(&puzzle, &Limits::none()) else { panic!("a proper puzzle") };
//! assert!(solution.to_string().starts_with("534678912"));
//!
//! // One level a blank: forced digits are levels too, so this puzzle has 51 of them and no guess.
//! let counters = *solver.count(&puzzle, 2, &Limits::none()).counters();
//! assert_eq!((counters.nodes(), counters.guesses()), (Some(52), Some(0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How its counters are meant
//!
//! A node is a partial assignment: the root, and one for each option tried, forced ones included. An item with a single option
//! forces it (a propagation: a naked single if the item is a cell, a hidden single if it is a place of a house). With more, each
//! option but the last is a guess. A dead end is a node whose chosen item has no option. Link updates are Knuth's: one for each node or
//! item that the search takes out of its list; putting it back is not counted again, and neither is the covering of givens.
//!
//! # What the choice of items is worth
//!
//! Mean (longest) ms of a count up to 2, given up after 3 s; boards that the command makes, and 1000 boards of side 16 that circulate. One quiet
//! core of an AMD EPYC (Zen 4), rustc 1.95. On classic boards `dlx` and `dlx:fewest` walk the same tree as a rule.
//!
//! `cargo run --release -p ninefold --example large_boards -- dlx:fewest,dlx 3 25:0 25:20 25:30 36:0 36:10 36:20 49:0 64:0 FILE`
//!
//! | boards | `dlx:fewest` | `dlx` |
//! |---|---|---|
//! | 25, 0 % | 6.47 (6.5) | 3.42 (3.4) |
//! | 25, 20 % | 602.80 (3001.6), 4 of 5 | 2.05 (3.0) |
//! | 25, 30 % | 70.23 (222.6) | 6.71 (16.6) |
//! | 36, 0 % | 30.43 (30.4) | 20.66 (20.7) |
//! | 36, 10 % | 256.79 (982.5) | 26.35 (58.9) |
//! | 36, 20 % | 1307.99 (3003.4), 4 of 5 | 87.45 (380.6) |
//! | 49, 0 % | 164.50 (164.5) | 52.81 (52.8) |
//! | 64, 0 % | 3000.34 (3000.3), 0 of 1 | 280.79 (280.8) |
//! | 1000 of side 16 | 2.37 (303.3) | 0.46 (3.7) |
//!
//! # What it is bad at
//!
//! - It sees singles and nothing else; where other strategies propagate in a pass over the board, each forced digit costs a level and
//!   a scan of all items (324 on a 9×9 board, 16,384 on an empty 64×64 one).
//! - Sparse big boards: among hundreds of items with equally many options the choice is blind, and a wrong one high up is not undone
//!   in practice. To stay near what is filled and to weigh dead ends fills empty boards of every side, and boards of side up to 36 with few
//!   givens. Side 49 and 64 with a tenth of the cells given are too much; the search stays within its memory and its limits there.
//! - Rules with very many houses: the matrix holds a node for each house of each option. Beyond 192 MiB of nodes the search ends as
//!   [`Budget::Memory`](ninefold_core::Budget::Memory).
//!
//! A solver keeps the matrix of the last rules it saw, about 100 KB for the classic ones, until it sees others or is dropped.

mod dance;
mod matrix;

use std::fmt;
use std::ops::ControlFlow;

use ninefold_core::{Caps, Counter, CounterSet, End, Puzzle, RuleSupport, Rules, Search, Solver, Strategy};

use crate::dance::Dancer;
use crate::matrix::Matrix;

const CAPS: Caps = Caps { rules: RuleSupport::Any, counters: CounterSet::TREE.with(Counter::LinkUpdates) };

/// The strategy and its variants, for a registry. Each variant has one change from the first.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "dlx",
        summary: "exact cover with dancing links, fewest options first, weighted by dead ends from side 16 on",
        caps: CAPS,
        build: || Box::new(Dlx::new()),
    },
    Strategy {
        name: "dlx:fewest",
        summary: "of all items the one with the fewest options, on boards of every side",
        caps: CAPS,
        build: || Box::new(Dlx::builder().item_choice(ItemChoice::Fewest).build()),
    },
    Strategy {
        name: "dlx:weighted",
        summary: "fewest options for the dead ends met there (dom/wdeg) on boards of every side",
        caps: CAPS,
        build: || Box::new(Dlx::builder().item_choice(ItemChoice::Weighted).build()),
    },
    Strategy {
        name: "dlx:full-scan",
        summary: "looks at every item before it chooses, even after a forced one",
        caps: CAPS,
        build: || Box::new(Dlx::builder().item_choice(ItemChoice::FewestOfAll).build()),
    },
    Strategy {
        name: "dlx:cells",
        summary: "chooses among cells only: no hidden singles",
        caps: CAPS,
        build: || Box::new(Dlx::builder().item_choice(ItemChoice::FewestCells).build()),
    },
    Strategy {
        name: "dlx:places",
        summary: "chooses among the places of digits in houses: no naked singles",
        caps: CAPS,
        build: || Box::new(Dlx::builder().item_choice(ItemChoice::FewestPlaces).build()),
    },
    Strategy {
        name: "dlx:first-item",
        summary: "takes the first item left, however many options it has",
        caps: CAPS,
        build: || Box::new(Dlx::builder().item_choice(ItemChoice::First).build()),
    },
    Strategy {
        name: "dlx:by-row",
        summary: "what is forced anywhere, else the fewest options in the first open row",
        caps: CAPS,
        build: || Box::new(Dlx::builder().item_choice(ItemChoice::FewestInRow).build()),
    },
];

/// Which item a node branches on. Items are ordered: cells in row-major order, then each full house's digits, ascending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ItemChoice {
    /// [`FewestNear`](ItemChoice::FewestNear) on boards of side under 16, [`Weighted`](ItemChoice::Weighted) on others.
    #[default]
    BySide,
    /// The item with the fewest options, of equals the first; the scan ends at the first item that has one option or none.
    Fewest,
    /// As [`Fewest`](ItemChoice::Fewest), among cells and such (full house, digit) as have two options at most.
    FewestNear,
    /// As [`FewestNear`](ItemChoice::FewestNear), but the options of an item are divided by its weight. The weight is 1 and the count of dead ends of this search in which the item had no option left, or was one of the forced items
    /// before it, or the guess before these. After F. Boussemart, F. Hemery, C. Lecoutre and L. Sais, "Boosting systematic search by weighting
    /// constraints", 2004, who weigh the one constraint that failed.
    Weighted,
    /// The item with the fewest options, of equals the first, after a look at all: an item without options is found before
    /// another one's single option is tried.
    FewestOfAll,
    /// As [`Fewest`](ItemChoice::Fewest), among cells only.
    FewestCells,
    /// As [`Fewest`](ItemChoice::Fewest), among (full house, digit) only, as long as one is left; then among cells.
    FewestPlaces,
    /// The first item, however many options it has.
    First,
    /// An item with one option or none, wherever it is; else the cell with the fewest options in the first row that has a blank.
    FewestInRow,
}

/// The least side of boards on which dead ends are weighed by default.
const WEIGHED_FROM_SIDE: usize = 16;

impl ItemChoice {
    /// The choice on a board of these rules.
    fn on(self, rules: &Rules) -> ItemChoice {
        match self {
            ItemChoice::BySide if rules.side() < WEIGHED_FROM_SIDE => ItemChoice::FewestNear,
            ItemChoice::BySide => ItemChoice::Weighted,
            other => other,
        }
    }
}

/// Puts a [`Dlx`] together.
#[derive(Clone, Copy, Debug, Default)]
pub struct DlxBuilder {
    item_choice: ItemChoice,
}

impl DlxBuilder {
    /// Which item a node branches on; [`ItemChoice::BySide`] by default.
    #[must_use]
    pub fn item_choice(mut self, item_choice: ItemChoice) -> DlxBuilder {
        self.item_choice = item_choice;
        self
    }

    /// The finished solver.
    pub fn build(self) -> Dlx {
        Dlx { item_choice: self.item_choice, matrix: None }
    }
}

/// The solver: see the [crate] for how it works.
///
/// It takes every rule set whose matrix is within the bound on memory, and keeps that matrix for the next puzzle of the same rules.
#[derive(Default)]
pub struct Dlx {
    item_choice: ItemChoice,
    /// The matrix of the last rules. A search takes it out and brings it back when it is done with it: after a panic of a visitor, or
    /// a limit during set-up, there is none, and the next search builds a new one. A large one that was given up comes back too, since
    /// to free it would take time that a caller whose limit ran out does not have.
    matrix: Option<Matrix>,
}

impl Dlx {
    /// The default: fewest options first.
    pub fn new() -> Dlx {
        Dlx::default()
    }

    /// Starts from the default options.
    pub fn builder() -> DlxBuilder {
        DlxBuilder::default()
    }

    /// Which item a node branches on.
    pub fn item_choice(&self) -> ItemChoice {
        self.item_choice
    }

    fn run(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> ControlFlow<End> {
        search.begin(puzzle, &self.caps())?;
        // The filter drops a matrix of no use before the new one is built: never two in memory.
        let usable = |matrix: &Matrix| matrix.is_whole && matrix.rules() == puzzle.rules();
        let matrix = match self.matrix.take().filter(usable) {
            Some(matrix) => matrix,
            None => Matrix::build(puzzle.rules(), search)?,
        };
        let mut dancer = Dancer::new(matrix, puzzle, search, self.item_choice);
        dancer.cover_puzzle()?;
        let flow = dancer.walk();
        self.matrix = Some(dancer.uncover_puzzle());
        flow
    }
}

impl Solver for Dlx {
    fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
        let flow = self.run(puzzle, search);
        Search::end(flow)
    }

    fn caps(&self) -> Caps {
        CAPS
    }
}

impl fmt::Debug for Dlx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.matrix.as_ref().map(Matrix::rules);
        f.debug_struct("Dlx").field("item_choice", &self.item_choice).field("matrix", &rules).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use ninefold_core::{Board, Budget, Digit, DigitSet, Limits, Solution};

    fn fresh(rules: &Rules) -> Matrix {
        match Matrix::build(rules, &mut Search::new(&Limits::none())) {
            ControlFlow::Continue(matrix) => matrix,
            ControlFlow::Break(end) => panic!("{end:?}"),
        }
    }

    /// The matrix that a solver keeps is the one that its rules begin with.
    fn assert_whole(solver: &Dlx, rules: &Rules) {
        let kept = solver.matrix.as_ref().expect("the matrix comes back");
        let fresh = fresh(rules);
        assert!(kept.items == fresh.items && kept.opts == fresh.opts, "the matrix is not whole");
    }

    fn puzzle(line: &str) -> Puzzle {
        Puzzle::new(line.parse().expect("a board")).expect("no clash")
    }

    const MANY: &str = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1............9";

    #[test]
    fn the_matrix_is_whole_after_every_ending() {
        for strategy in STRATEGIES {
            let choice = match strategy.name {
                "dlx" => ItemChoice::Fewest,
                "dlx:full-scan" => ItemChoice::FewestOfAll,
                "dlx:cells" => ItemChoice::FewestCells,
                "dlx:places" => ItemChoice::FewestPlaces,
                "dlx:by-row" => ItemChoice::FewestInRow,
                _ => ItemChoice::First,
            };
            let mut solver = Dlx::builder().item_choice(choice).build();
            let puzzle = puzzle(MANY);
            for nodes in [0, 1, 2, 10, 40, 64, 65, 66, 100, 500, 5000] {
                let outcome = solver.count(&puzzle, u64::MAX, &Limits::none().with_nodes(nodes));
                assert_eq!(outcome.end(), End::OutOfBudget(Budget::Nodes));
                assert_whole(&solver, puzzle.rules());
            }
            let mut allowed = vec![DigitSet::all(9); 81];
            allowed[0] = DigitSet::from_bits(0b1_0101_0101);
            allowed[40].remove(Digit::new(9).expect("a digit"));
            allowed[80] = DigitSet::from_bits(1 << 8);
            let restricted = Puzzle::with_candidates(puzzle.board().clone(), &allowed).expect("givens are allowed");
            let _ = solver.count(&restricted, 3, &Limits::none().with_nodes(20_000));
            assert_whole(&solver, puzzle.rules());
        }
    }

    #[test]
    fn a_solver_outlives_a_visitor_that_panics() {
        let mut solver = Dlx::new();
        let puzzle = puzzle(MANY);
        let before = solver.count(&puzzle, 5, &Limits::none());
        let caught = catch_unwind(AssertUnwindSafe(|| {
            let mut visitor = |_: &Solution| panic!("enough");
            let mut search = Search::new(&Limits::none()).with_visitor(&mut visitor);
            solver.search(&puzzle, &mut search)
        }));
        assert!(caught.is_err() && solver.matrix.is_none());
        let after = solver.count(&puzzle, 5, &Limits::none());
        assert_eq!(after.counters(), before.counters());
        assert_whole(&solver, puzzle.rules());
    }

    #[test]
    fn one_solver_goes_from_rules_to_rules() {
        let mut solver = Dlx::new();
        for (text, count) in [("1x1", 1), ("2x2", 288), ("1x4", 576), ("3x3", 300), ("2x1", 2), ("2x2", 288)] {
            let rules = Rules::blocks(text.parse().expect("a shape"));
            let puzzle = Puzzle::new(Board::empty(&rules)).expect("no clash");
            assert_eq!(solver.count(&puzzle, 300.max(count), &Limits::none()).count(), count, "{text}");
            assert_whole(&solver, &rules);
        }
    }
}
