//! Strategy `propagation`: candidates, singles to a fixpoint, and the fewest choices first, for any rules.
//!
//! 1. Each cell keeps the set of its candidates; each (full house, digit) keeps the count of its places.
//! 2. A digit that is placed is removed from the peers of its cell, and the counts follow.
//! 3. A cell with one candidate (naked single) or a digit with one place in a house (hidden single) is placed at once; one with none is a dead
//!    end.
//! 4. When nothing is forced, the cell with the fewest candidates is guessed, or a digit that has two places in a house if no cell has two.
//! 5. A guess that fails is undone from a trail and removed as a candidate, and the search goes on from there.
//!
//! Constraint propagation with the fewest candidates first is the recipe of Peter Norvig's essay ("Solving every Sudoku puzzle", 2006); the
//! rule is older (R. M. Haralick and G. L. Elliott, "Increasing tree search efficiency for constraint satisfaction problems", Artificial
//! Intelligence 14, 1980).
//!
//! It is bad at boards of side 16 and more that are near the border between many solutions and none: without learning from its dead
//! ends it meets the same ones again and again. [`Propagation::with_learning`] is for those: after the singles it searches as SAT solvers do, with
//! the rules built in instead of written as clauses (J. P. Marques-Silva and K. A. Sakallah, "GRASP", 1999; O. Ohrimenko, P. J. Stuckey and
//! M. Codish, "Propagation via lazy clause generation", 2009).
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

mod houses;
mod learning;
mod state;

use std::ops::ControlFlow;

use ninefold_core::{
    Caps, Cell, Choice, Counter, CounterSet, Digit, End, HouseId, Puzzle, RuleSupport, Rules, Search, Solver, Strategy, Why,
};

use crate::learning::Learner;
use crate::state::{State, Step};

/// What [`Propagation::with_learning`] counts. It goes back over several decisions at once and restarts, so they make no tree: they are told as
/// decisions and conflicts, not as guesses and dead ends. A node is the root, a decision, or what a learned clause leads back to.
const LEARNING: Caps = Caps {
    rules: RuleSupport::Any,
    counters: CounterSet::TREE
        .without(Counter::Guesses)
        .without(Counter::DeadEnds)
        .with(Counter::Conflicts)
        .with(Counter::Decisions),
};

/// The strategy and its variants, the default first.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "propagation",
        summary: "naked and hidden singles, then the fewest choices of a cell, or two places in a house",
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
    Strategy {
        name: "propagation:locked",
        summary: "the same, and locked candidates are removed when singles are done",
        caps: Caps::ALL,
        build: || Box::new(Propagation::new().with_inference(Inference::LockedCandidates)),
    },
    Strategy {
        name: "propagation:subsets",
        summary: "the same, and naked and hidden pairs and triples are looked for when singles are done",
        caps: Caps::ALL,
        build: || Box::new(Propagation::new().with_inference(Inference::Subsets)),
    },
    Strategy {
        name: "propagation:matching",
        summary: "the same, and each full house keeps only what some way of filling it has (Régin)",
        caps: Caps::ALL,
        build: || Box::new(Propagation::new().with_inference(Inference::Matching)),
    },
    Strategy {
        name: "propagation:weighted",
        summary: "guesses where there are few choices for the dead ends met there (dom/wdeg)",
        caps: Caps::ALL,
        build: || Box::new(Propagation::new().with_branching(Branching::Weighted)),
    },
    Strategy {
        name: "propagation:learning",
        summary: "a clause is learned from each dead end, as by SAT solvers; for large boards",
        caps: LEARNING,
        build: || Box::new(Propagation::new().with_learning(true)),
    },
];

/// What is done at each node when singles are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Inference {
    /// Nothing more.
    #[default]
    Singles,
    /// Locked candidates: where all places of a digit in a full house lie in another house, the rest of that one cannot hold it. They are read
    /// off the counts of places; without hidden singles there are none.
    LockedCandidates,
    /// In each full house, two or three cells that have as many candidates between them keep these for themselves, and two or three
    /// digits that have as many places between them keep those.
    Subsets,
    /// In each full house, the candidates that no way of filling it has go: subsets of any size. J.-C. Régin, "A filtering algorithm for
    /// constraints of difference in CSPs", 1994.
    Matching,
}

/// Where guesses are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Branching {
    /// In the cell with the fewest candidates, of several the first in row-major order; where none has two, for the first digit that has two places
    /// in a house.
    #[default]
    CellsAndHouses,
    /// In the cell with the fewest candidates.
    Cells,
    /// In the cell, or for a digit with two places in a house, with the fewest choices for its weight, which is 1 and the count of dead ends that it has shown
    /// so far: after F. Boussemart, F. Hemery, C. Lecoutre and L. Sais, "Boosting systematic search by weighting constraints", 2004.
    Weighted,
}

/// The solver. It keeps its memory from puzzle to puzzle.
#[derive(Debug)]
pub struct Propagation {
    branching: Branching,
    hidden_singles: bool,
    inference: Inference,
    learning: bool,
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
        Propagation {
            branching: Branching::default(),
            hidden_singles: true,
            inference: Inference::default(),
            learning: false,
            state: State::default(),
            guesses: Vec::new(),
        }
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

    /// The same solver with more done at each node when singles are done.
    #[must_use]
    pub fn with_inference(mut self, inference: Inference) -> Propagation {
        self.inference = inference;
        self
    }

    /// The same solver with or without learning from dead ends. With it, singles come first and the guesses of the tree are replaced by
    /// decisions on candidates that took part in the latest conflicts; [`Branching`] and [`Propagation::with_hidden_singles`] then
    /// say only what is done before. Further solutions are found in bounded memory, and each once.
    #[must_use]
    pub fn with_learning(mut self, on: bool) -> Propagation {
        self.learning = on;
        self
    }

    fn run(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> ControlFlow<End> {
        search.begin(puzzle, &self.caps())?;
        self.guesses.clear();
        let loaded = self.state.load(puzzle, self.hidden_singles, search)?;
        if self.branching == Branching::Weighted {
            self.state.weigh(puzzle.rules());
        }
        search.setup_done();
        search.node()?;
        let mut step = match loaded {
            Step::Done => self.propagate(puzzle.rules(), search)?,
            dead => dead,
        };
        if self.learning && step == Step::Done && !self.state.is_full() {
            return Learner::new(puzzle, &self.state, search)?.run(search);
        }
        loop {
            match step {
                Step::Done if !self.state.is_full() => {
                    step = self.guess(puzzle, search)?;
                    continue;
                }
                Step::Done => search.solution(puzzle, self.state.digits())?,
                Step::Dead(why) => {
                    search.dead_end(why);
                    if self.branching == Branching::Weighted {
                        self.state.add_weight(puzzle.rules(), why);
                    }
                }
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
        let (cell, digit, house) = match self.branching {
            Branching::CellsAndHouses => self.state.fewest_choices(puzzle.rules(), self.hidden_singles),
            Branching::Cells => self.state.fewest_choices(puzzle.rules(), false),
            Branching::Weighted => self.state.heaviest_item(puzzle.rules()),
        };
        self.guesses.push(Guess { cell, digit, house, mark: self.state.mark() });
        search.guess(Choice::Place { cell, digit }, self.guesses.len());
        search.node()?;
        self.state.place(puzzle.rules(), search, cell, digit);
        self.propagate(puzzle.rules(), search)
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
        self.propagate(rules, search)
    }

    fn propagate(&mut self, rules: &Rules, search: &mut Search<'_>) -> ControlFlow<End, Step> {
        self.state.propagate_houses(rules, search, self.inference)
    }
}

impl Solver for Propagation {
    fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
        Search::end(self.run(puzzle, search))
    }

    fn caps(&self) -> Caps {
        if self.learning { LEARNING } else { Caps::ALL }
    }
}
