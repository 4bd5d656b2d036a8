//! Strategy `propagation`: candidates, singles to a fixpoint, and the fewest choices first, for any rules.
//!
//! 1. Each cell keeps the set of its candidates; each (full house, digit) keeps the count of its places.
//! 2. A digit that is placed is removed from the peers of its cell, and the counts follow.
//! 3. A cell with one candidate (naked single) or a digit with one place in a house (hidden single) is placed at once; one with none is a dead
//!    end.
//! 4. When nothing is forced, the cell with the fewest candidates, or the digit with the fewest places in a house, is guessed.
//! 5. A guess that fails is undone from a trail and removed as a candidate, and the search goes on from there.
//!
//! Constraint propagation with the fewest candidates first is the recipe of Peter Norvig's essay ("Solving every Sudoku puzzle", 2006); the
//! rule is older (R. M. Haralick and G. L. Elliott, "Increasing tree search efficiency for constraint satisfaction problems", Artificial
//! Intelligence 14, 1980).
//!
//! It is bad at boards of side 16 and more that are near the border between many solutions and none: without learning from its dead
//! ends it meets the same ones again and again.
//!
//! ```
//! use ninefold_core::{Limits, Puzzle, Solver, Verdict};
//! use ninefold_solver_propagation::Propagation;
//!
//! let puzzle = Puzzle::new("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?)?;
//! let outcome = Propagation::new().count(&puzzle, 2, &Limits::none());
//! assert!(matches!(outcome.verdict(), Verdict::Unique(_)));
//! assert_eq!(outcome.counters().guesses(), Some(0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod state;

use std::ops::ControlFlow;

use ninefold_core::{Caps, Cell, Choice, Digit, End, HouseId, Puzzle, Search, Solver, Strategy, Why};

use crate::state::{State, Step};

/// The strategy and its variants, the default first.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "propagation",
        summary: "naked and hidden singles, then the fewest choices of a cell or a house",
        caps: Caps::ALL,
        build: || Box::new(Propagation::new()),
    },
    Strategy {
        name: "propagation:cells",
        summary: "the same, but guesses are made in cells only",
        caps: Caps::ALL,
        build: || Box::new(Propagation::new().with_branching(Branching::Cells)),
    },
    Strategy {
        name: "propagation:naked",
        summary: "the same without hidden singles: only cells are looked at",
        caps: Caps::ALL,
        build: || Box::new(Propagation::new().with_hidden_singles(false)),
    },
];

/// Where guesses are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Branching {
    /// In the cell with the fewest candidates or for the digit with the fewest places in a house, whichever has fewer; of several cells
    /// the first in row-major order, and cells before houses.
    #[default]
    CellsAndHouses,
    /// In the cell with the fewest candidates.
    Cells,
}

/// The solver. It keeps its memory from puzzle to puzzle.
#[derive(Debug)]
pub struct Propagation {
    branching: Branching,
    hidden_singles: bool,
    state: State,
    guesses: Vec<Guess>,
}

/// An open guess: what was chosen, and how far to undo.
#[derive(Clone, Copy, Debug)]
struct Guess {
    cell: Cell,
    digit: Digit,
    /// The house in which places of the digit were counted; `None` where candidates of the cell were.
    house: Option<HouseId>,
    mark: state::Mark,
}

impl Default for Propagation {
    fn default() -> Propagation {
        Propagation { branching: Branching::default(), hidden_singles: true, state: State::default(), guesses: Vec::new() }
    }
}

impl Propagation {
    /// Both kinds of singles, guesses in cells and houses.
    pub fn new() -> Propagation {
        Propagation::default()
    }

    /// The same solver with guesses made elsewhere.
    #[must_use]
    pub fn with_branching(mut self, branching: Branching) -> Propagation {
        self.branching = branching;
        self
    }

    /// The same solver with or without hidden singles. Without them, guesses are made in cells, since places are not
    /// counted.
    #[must_use]
    pub fn with_hidden_singles(mut self, on: bool) -> Propagation {
        self.hidden_singles = on;
        self
    }

    fn run(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> ControlFlow<End> {
        search.begin(puzzle, &self.caps())?;
        self.guesses.clear();
        let loaded = self.state.load(puzzle, self.hidden_singles, search)?;
        search.setup_done();
        search.node()?;
        let mut step = match loaded {
            Step::Done => self.state.propagate(puzzle.rules(), search)?,
            dead => dead,
        };
        loop {
            match step {
                Step::Done if !self.state.is_full() => {
                    step = self.guess(puzzle, search)?;
                    continue;
                }
                Step::Done => search.solution(puzzle, self.state.digits())?,
                Step::Dead(why) => search.dead_end(why),
            }
            let Some(guess) = self.guesses.pop() else { return ControlFlow::Continue(()) };
            self.state.undo(puzzle.rules(), search, guess.mark)?;
            search.back(self.guesses.len());
            search.node()?;
            step = self.refuted(puzzle, search, guess)?;
        }
    }

    /// Takes the first choice of the item that has the fewest.
    fn guess(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> ControlFlow<End, Step> {
        let in_houses = self.hidden_singles && self.branching == Branching::CellsAndHouses;
        let (cell, digit, house) = self.state.fewest_choices(puzzle.rules(), in_houses);
        self.guesses.push(Guess { cell, digit, house, mark: self.state.mark() });
        search.guess(Choice::Place { cell, digit }, self.guesses.len());
        search.node()?;
        self.state.place(puzzle.rules(), search, cell, digit);
        self.state.propagate(puzzle.rules(), search)
    }

    /// Removes the refuted choice. Where it leaves one choice of the same item, that one is taken without being counted: it is
    /// neither forced by the rules nor a guess.
    fn refuted(&mut self, puzzle: &Puzzle, search: &mut Search<'_>, guess: Guess) -> ControlFlow<End, Step> {
        let rules = puzzle.rules();
        search.removed(guess.cell, guess.digit, Why::Refuted);
        self.state.remove(rules, guess.cell, guess.digit);
        if let Some((cell, digit)) = self.state.only_choice(rules, guess.cell, guess.digit, guess.house) {
            search.last_choice(cell, digit);
            self.state.place(rules, search, cell, digit);
        }
        self.state.propagate(rules, search)
    }
}

impl Solver for Propagation {
    fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
        Search::end(self.run(puzzle, search))
    }
}
