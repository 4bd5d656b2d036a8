//! The strategy `sat`: the puzzle as a formula in conjunctive normal form, solved by conflict-driven clause learning (crate `varisat`).
//! It takes every rule set.
//!
//! 1. The givens are placed, then naked and hidden singles, and locked candidates removed, until there are none left. Often that is the solution.
//! 2. Every candidate that remains becomes a variable, *this cell holds this digit*.
//! 3. Clauses say that every cell holds exactly one digit, that every full house holds every digit, and that no house holds one twice.
//! 4. The solver decides, propagates, and learns a clause from each conflict, until there is a model or the empty clause.
//! 5. A clause that forbids the model, naming only a few cells that force the others, makes it look for the next one.
//!
//! Sources: I. Lynce and J. Ouaknine, *Sudoku as a SAT problem*, 2006 (minimal and extended formulas); J. P. Marques-Silva and
//! K. A. Sakallah, *GRASP: a search algorithm for propositional satisfiability*, 1999 (learning from conflicts); for at-most-one see
//! [`AtMostOne`]. Module [`encode`] writes the formulas and is of use without this solver.
//!
//! ```
//! use ninefold_core::{Limits, Puzzle, Solver, Verdict};
//! use ninefold_solver_sat::Sat;
//!
//! let puzzle = Puzzle::new("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse()?)?;
//! let Verdict::Unique(solution) = Sat::new().classify(&puzzle, &Limits::none()) else { panic!() };
//! assert!(solution.to_string().starts_with("812753649"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What the choices cost
//!
//! Mean µs a puzzle for the first solution and for a count up to 2, and conflicts of the count. One quiet core of an AMD EPYC (Zen 4), rustc
//! 1.95; the conflicts are exact. Written by `cargo run --release -p ninefold-solver-sat --example encodings -- FILE`, on every 50th of the
//! 49,158 puzzles with 17 givens, on every other of 375 puzzles that are hardest for most programs, and on every 20th of 1000 of side 16.
//!
//! | variant | 17 givens | conflicts | hardest | conflicts | 16×16 | conflicts |
//! |---|---|---|---|---|---|---|
//! | `sat` | 53 / 57 | 0.8 | 609 / 1167 | 117 | 681 / 814 | 15 |
//! | `sat:singles` | 106 / 119 | 2.5 | 548 / 1221 | 118 | 743 / 911 | 20 |
//! | `sat:givens` | 426 / 461 | 2.5 | 550 / 1283 | 117 | 1074 / 1353 | 23 |
//! | `sat:raw` | 1303 / 1356 | 2.6 | 1897 / 2593 | 121 | 12102 / 12013 | 22 |
//! | `sat:minimal` | 67 / 86 | 9.0 | 2322 / 5359 | 730 | 3120 / 3933 | 334 |
//! | `sat:sequential` | 62 / 67 | 0.9 | 727 / 1613 | 124 | 784 / 1003 | 17 |
//! | `sat:commander` | 58 / 62 | 0.9 | 717 / 1429 | 124 | 758 / 913 | 16 |
//! | `sat:product` | 66 / 69 | 0.9 | 810 / 1670 | 128 | 868 / 1046 | 16 |
//! | `sat:bimander` | 59 / 64 | 0.9 | 664 / 1424 | 128 | 739 / 888 | 15 |
//! | `sat:false-first` | 51 / 57 | 0.9 | 913 / 1140 | 119 | 658 / 808 | 15 |
//! | `sat:block-all` | 53 / 57 | 1.0 | 599 / 1223 | 115 | 659 / 795 | 15 |
//!
//! The first four rows show what doing singles and locked candidates first is worth, `minimal` what the clauses are worth that follow from
//! others. Compact at-most-one encodings have nothing to win here: after singles so few candidates are left that pairs are as small, and they
//! propagate at once. Reading the proof, by which conflicts are counted and limits kept, costs 10 to 20 %.
//!
//! # Limits
//!
//! Clauses are loaded with a look at the limits every 1024, and the solver is stopped from its proof, which it writes in pieces of 8 KiB, some
//! ten to a hundred conflicts. The limit on nodes is held against conflicts and is exact in what it reports: the search ends as
//! [`Budget::Nodes`] if and only if it would need more; up to one piece of the proof is worked on in vain. A formula over a bound of
//! memory is refused, an empty 64×64 board among them: see [`Sat::with_memory`].
//!
//! # What it is bad at
//!
//! Easy puzzles: writing the formula takes longer than other strategies need to solve them. Enumeration: each solution is a restart and a
//! clause more. It cannot tell its decisions, so a trace shows each model as one guess. Its strength is large and hard boards,
//! where learning pays.

mod conflicts;
pub mod proof;

use std::cell::{Cell, RefCell};
use std::io;
use std::ops::ControlFlow;

use ninefold_core::{
    Budget, Caps, Contradiction, Counter, CounterSet, End, Event, Puzzle, RuleSupport, Search, Solver, Strategy,
};
use varisat::config::SolverConfigUpdate;
use varisat::{ExtendFormula, ProofFormat};

pub use ninefold_cnf as encode;

use conflicts::ConflictCounter;
use encode::{AtMostOne, Encoding, Form, Literal, Preparation, Problem, Size};

/// What every variant takes and counts. varisat tells neither its decisions nor its propagations, and walks no tree whose nodes
/// could be counted.
const CAPS: Caps = Caps { rules: RuleSupport::Any, counters: CounterSet::of(&[Counter::Solutions, Counter::Conflicts]) };

/// The default and its variants, each with one change.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "sat",
        summary: "singles and locked candidates, then clauses: conflict-driven clause learning by varisat",
        caps: CAPS,
        build: || Box::new(Sat::new()),
    },
    Strategy {
        name: "sat:singles",
        summary: "singles are placed first, but locked candidates are left to the solver",
        caps: CAPS,
        build: || Box::new(Sat::new().with_preparation(Preparation::Singles)),
    },
    Strategy {
        name: "sat:givens",
        summary: "the givens are applied, but singles are left to the solver",
        caps: CAPS,
        build: || Box::new(Sat::new().with_preparation(Preparation::Givens)),
    },
    Strategy {
        name: "sat:raw",
        summary: "the whole board as a formula, each given a unit clause",
        caps: CAPS,
        build: || Box::new(Sat::new().with_preparation(Preparation::Raw)),
    },
    Strategy {
        name: "sat:minimal",
        summary: "no clauses that follow from the others",
        caps: CAPS,
        build: || Box::new(Sat::new().with_form(Form::Minimal)),
    },
    Strategy {
        name: "sat:sequential",
        summary: "at-most-one by a sequential counter (Sinz 2005) instead of pairs",
        caps: CAPS,
        build: || Box::new(Sat::new().with_at_most_one(AtMostOne::Sequential)),
    },
    Strategy {
        name: "sat:commander",
        summary: "at-most-one by commander variables (Klieber and Kwon 2007) instead of pairs",
        caps: CAPS,
        build: || Box::new(Sat::new().with_at_most_one(AtMostOne::Commander)),
    },
    Strategy {
        name: "sat:product",
        summary: "at-most-one by rows and columns (Chen 2010) instead of pairs",
        caps: CAPS,
        build: || Box::new(Sat::new().with_at_most_one(AtMostOne::Product)),
    },
    Strategy {
        name: "sat:bimander",
        summary: "at-most-one by groups numbered in binary (Nguyen and Mai 2015) instead of pairs",
        caps: CAPS,
        build: || Box::new(Sat::new().with_at_most_one(AtMostOne::Bimander)),
    },
    Strategy {
        name: "sat:false-first",
        summary: "the solver tries first that a cell does not hold a digit",
        caps: CAPS,
        build: || Box::new(Sat::new().with_first_value(false)),
    },
    Strategy {
        name: "sat:block-all",
        summary: "a solution is forbidden by naming every cell instead of a few",
        caps: CAPS,
        build: || Box::new(Sat::new().with_blocking(Blocking::All)),
    },
];

/// How a solution is forbidden, so that the next one is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Blocking {
    /// By a few cells that force the others: [`Problem::blocking`].
    Few,
    /// By every cell that the preparation left open.
    All,
}

/// The strategy: [`Sat::new`] is the default, each `with_` changes one thing. The crate's documentation tells what they cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sat {
    preparation: Preparation,
    encoding: Encoding,
    first_value: bool,
    blocking: Blocking,
    memory: u64,
}

impl Sat {
    /// Up to what estimate of a formula's memory, in bytes, it is loaded: see [`Sat::with_memory`].
    pub const DEFAULT_MEMORY: u64 = 256 << 20;

    /// The default: singles, the extended form, pairs, candidates tried true first.
    pub const fn new() -> Sat {
        Sat {
            preparation: Preparation::LockedCandidates,
            encoding: Encoding { form: Form::Extended, at_most_one: AtMostOne::Pairwise },
            first_value: true,
            blocking: Blocking::Few,
            memory: Sat::DEFAULT_MEMORY,
        }
    }

    /// What is done with the givens before the formula is written.
    #[must_use]
    pub const fn with_preparation(mut self, preparation: Preparation) -> Sat {
        self.preparation = preparation;
        self
    }

    /// How much the formula says.
    #[must_use]
    pub const fn with_form(mut self, form: Form) -> Sat {
        self.encoding.form = form;
        self
    }

    /// How at-most-one is said.
    #[must_use]
    pub const fn with_at_most_one(mut self, at_most_one: AtMostOne) -> Sat {
        self.encoding.at_most_one = at_most_one;
        self
    }

    /// The value that the solver tries first for a candidate it decides on.
    #[must_use]
    pub const fn with_first_value(mut self, value: bool) -> Sat {
        self.first_value = value;
        self
    }

    /// How a solution is forbidden, so that the next one is found.
    #[must_use]
    pub const fn with_blocking(mut self, blocking: Blocking) -> Sat {
        self.blocking = blocking;
        self
    }

    /// Up to what estimate of its memory, in bytes, a formula is loaded; a larger one ends the search as
    /// [`Budget::Memory`] before anything is loaded. Blocking clauses count too. The estimate is 8 bytes a literal and 200 a
    /// variable, somewhat more than what is used.
    ///
    /// It bounds time as well: what varisat does between two looks at the limits, and giving its memory back, takes about 40 ms
    /// for an empty board of side 49 (196 MB by the estimate, within the default) and 70 ms for one of side 64 (557 MB).
    #[must_use]
    pub const fn with_memory(mut self, bytes: u64) -> Sat {
        self.memory = bytes;
        self
    }

    fn walk(&self, puzzle: &Puzzle, search: &mut Search<'_>) -> ControlFlow<End> {
        search.begin(puzzle, &CAPS)?;
        let problem = match Problem::prepare(puzzle, self.preparation, search)? {
            Ok(problem) => problem,
            Err(contradiction) => {
                search.setup_done();
                search.dead_end(contradiction);
                return ControlFlow::Continue(());
            }
        };
        if !problem.placed_bytes().contains(&0) {
            search.setup_done();
            return search.solution(puzzle, problem.placed_bytes());
        }
        let size = problem.size(self.encoding, search)?;
        let Some(memory) = self.memory.checked_sub(estimate(&size)) else {
            return ControlFlow::Break(End::OutOfBudget(Budget::Memory));
        };
        let search = RefCell::new(search);
        let ended = Cell::new(None);
        let watch = ProofWatch { search: &search, ended: &ended, counter: ConflictCounter::new() };
        let mut engine = Engine {
            sat: self,
            problem: &problem,
            solver: new_solver(watch, puzzle.rules().side()),
            lits: Vec::new(),
            ended: &ended,
        };
        engine.load(&search)?;
        search.borrow_mut().setup_done();
        engine.enumerate(&search, memory)
    }
}

impl Default for Sat {
    fn default() -> Sat {
        Sat::new()
    }
}

impl Solver for Sat {
    fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
        Search::end(self.walk(puzzle, search))
    }

    fn caps(&self) -> Caps {
        CAPS
    }
}

/// What a formula takes in varisat, in bytes: a literal is 4 bytes in a vector that may have grown to twice its content; a variable
/// has four vectors of clauses and some dozen words.
fn estimate(size: &Size) -> u64 {
    8 * size.literals + 200 * size.variables
}

fn new_solver<'w>(watch: ProofWatch<'w, '_, '_>, side: usize) -> varisat::Solver<'w> {
    let mut solver = varisat::Solver::new();
    // varisat throws learned clauses away every 15,000 conflicts (10,000 for the better ones). On hard 25×25 boards a fifth of that
    // halves the time; 9×9 boards end long before.
    let mut config = SolverConfigUpdate::new();
    config.reduce_locals_interval = Some(3000);
    config.reduce_mids_interval = Some(2000);
    // On boards of side 25 activities that fade slowly, 0.995 instead of 0.95 a conflict, saved a quarter of the time on four hard ones. On the
    // hardest 9×9 boards they cost some conflicts more.
    if side >= 16 {
        config.vsids_decay = Some(0.995);
    }
    solver.config(&config).expect("the intervals are in range");
    // The other formats cannot take clauses once the search has begun. This one also tells learned clauses from shortened ones.
    solver.write_proof(watch, ProofFormat::Varisat);
    solver
}

/// varisat at work on one puzzle.
struct Engine<'e, 'w> {
    sat: &'e Sat,
    problem: &'e Problem<'e>,
    solver: varisat::Solver<'w>,
    /// The clause on its way to the solver.
    lits: Vec<varisat::Lit>,
    /// How the search ended, where the solver was stopped from its proof.
    ended: &'w Cell<Option<End>>,
}

impl Engine<'_, '_> {
    /// varisat tries a variable it has not decided before as false. So it is given the negations: a candidate is false in it when the
    /// cell holds the digit. On the hardest 9×9 boards that saves 40 % of the time to the first solution.
    fn add(&mut self, clause: &[Literal]) {
        let flip = u32::from(self.sat.first_value);
        self.lits.clear();
        self.lits.extend(clause.iter().map(|literal| varisat::Lit::from_code((literal.code() ^ flip) as usize)));
        self.solver.add_clause(&self.lits);
    }

    fn load(&mut self, search: &RefCell<&mut Search<'_>>) -> ControlFlow<End> {
        let (problem, encoding) = (self.problem, self.sat.encoding);
        let mut sink = Load { engine: self, search, clauses: 0 };
        problem.encode(encoding, &mut sink).map_continue(|_| ())
    }

    fn enumerate(&mut self, search: &RefCell<&mut Search<'_>>, mut memory: u64) -> ControlFlow<End> {
        let problem = self.problem;
        loop {
            match self.solver.solve() {
                Ok(true) => {}
                Ok(false) => {
                    search.borrow_mut().event(Event::DeadEnd { why: Contradiction::Clauses });
                    return ControlFlow::Continue(());
                }
                Err(_) => return ControlFlow::Break(self.ended.get().expect("only the watch on the proof makes an error")),
            }
            let digits = self.model();
            let mut search = search.borrow_mut();
            problem.show_model(&digits, &mut search);
            search.solution(problem.puzzle(), &digits)?;
            search.back(0);
            let clause = match self.sat.blocking {
                Blocking::Few => problem.blocking(&digits, &mut search)?,
                Blocking::All => problem.blocking_all(&digits),
            };
            drop(search);
            // Two watches of 16 bytes and a header besides the literals.
            let taken = 64 + 8 * clause.len() as u64;
            if taken > memory {
                return ControlFlow::Break(End::OutOfBudget(Budget::Memory));
            }
            memory -= taken;
            self.add(&clause);
        }
    }

    /// The board of the model that the solver has just found.
    fn model(&self) -> Vec<u8> {
        let count = self.problem.variable_count() as usize;
        let mut values = vec![false; count];
        for lit in self.solver.model().unwrap_or_default() {
            if let Some(value) = values.get_mut(lit.index()) {
                *value = lit.is_positive() != self.sat.first_value;
            }
        }
        self.problem.decode(|variable| values[variable as usize])
    }
}

impl Drop for Engine<'_, '_> {
    fn drop(&mut self) {
        // The solver ends its proof when it goes; nobody counts any more.
        self.ended.set(Some(End::Stopped));
    }
}

/// Loads clauses into the solver and looks at the limits meanwhile.
struct Load<'l, 'e, 'w, 's, 'a> {
    engine: &'l mut Engine<'e, 'w>,
    search: &'l RefCell<&'s mut Search<'a>>,
    clauses: u32,
}

impl encode::Sink for Load<'_, '_, '_, '_, '_> {
    fn clause(&mut self, literals: &[Literal]) -> ControlFlow<End> {
        self.engine.add(literals);
        self.clauses += 1;
        // A clause takes 50 to 100 ns, so this is a look every 100 µs.
        if self.clauses.is_multiple_of(1024) { self.poll() } else { ControlFlow::Continue(()) }
    }

    fn poll(&mut self) -> ControlFlow<End> {
        self.search.borrow_mut().poll()
    }
}

/// Reads the proof that varisat writes, in pieces of 8 KiB: counts conflicts, and stops the solver where a limit has run out.
struct ProofWatch<'w, 's, 'a> {
    search: &'w RefCell<&'s mut Search<'a>>,
    ended: &'w Cell<Option<End>>,
    counter: ConflictCounter,
}

impl ProofWatch<'_, '_, '_> {
    fn read(&mut self, bytes: &[u8]) -> ControlFlow<End> {
        let mut search = self.search.borrow_mut();
        for _ in 0..self.counter.read(bytes) {
            search.conflict()?;
        }
        search.poll()
    }
}

impl io::Write for ProofWatch<'_, '_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // After an error varisat drops the proof, whose buffer then tries once more.
        if self.ended.get().is_none()
            && let ControlFlow::Break(end) = self.read(bytes)
        {
            self.ended.set(Some(end));
            return Err(io::ErrorKind::Other.into());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
