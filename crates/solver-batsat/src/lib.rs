//! The strategy `batsat`: the same formulas as `sat`, solved by another solver of conflict-driven clause learning (crate `batsat`).
//! It takes every rule set.
//!
//! 1. The givens are placed, then naked and hidden singles, and locked candidates removed, until there are none left. Often that is the solution.
//! 2. Every candidate that remains becomes a variable, and clauses say what the rules say: see [`ninefold_cnf`].
//! 3. The solver decides, always that a cell holds a digit, propagates, and learns a clause from each conflict.
//! 4. A clause that forbids the solution, naming only a few cells that force the others, makes it look for the next one.
//!
//! batsat is MiniSat in Rust: N. Eén and N. Sörensson, *An extensible SAT-solver*, 2003. What it has over `varisat` in strategy `sat`:
//! it can be stopped between any two decisions, counts its decisions, can be told what to try first for good, and can be kept from
//! deciding on auxiliary variables.
//!
//! ```
//! use ninefold_core::{Limits, Puzzle, Solver, Verdict};
//! use ninefold_solver_batsat::Batsat;
//!
//! let puzzle = Puzzle::new("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse()?)?;
//! let Verdict::Unique(solution) = Batsat::new().classify(&puzzle, &Limits::none()) else { panic!() };
//! assert!(solution.to_string().starts_with("812753649"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! Clauses are loaded with a look at the limits every 1024; the search looks at every decision and every conflict. The limit on nodes is
//! held against conflicts and is exact. A formula whose estimate passes a bound of memory is written with
//! [`AtMostOne::Product`] instead of pairs, and refused if that does not fit either: see [`Batsat::with_memory`].
//!
//! # What it is bad at
//!
//! Easy puzzles and enumeration, as every SAT solver. Observers see each model as one guess.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, SolverOpts, Var, lbool};
use ninefold_cnf::{AtMostOne, Encoding, Form, Literal, Preparation, Problem, Sink, Size};
use ninefold_core::{
    Budget, Caps, Contradiction, Counter, CounterSet, End, Event, Puzzle, RuleSupport, Search, Solver, Strategy,
};

/// What every variant takes and counts. Literals propagated are not digits forced, so propagations stay unknown.
const CAPS: Caps =
    Caps { rules: RuleSupport::Any, counters: CounterSet::of(&[Counter::Solutions, Counter::Conflicts, Counter::Decisions]) };

/// The default and its variants, each with one change.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "batsat",
        summary: "singles and locked candidates, then clauses: conflict-driven clause learning by batsat",
        caps: CAPS,
        build: || Box::new(Batsat::new()),
    },
    Strategy {
        name: "batsat:false-first",
        summary: "decisions say that a cell does not hold a digit",
        caps: CAPS,
        build: || Box::new(Batsat::new().with_first_value(false)),
    },
    Strategy {
        name: "batsat:fast-decay",
        summary: "conflicts of long ago are forgotten at MiniSat's pace, five times as fast",
        caps: CAPS,
        build: || Box::new(Batsat::new().with_decay(0.95)),
    },
    Strategy {
        name: "batsat:product",
        summary: "at-most-one by rows and columns (Chen 2010) instead of pairs",
        caps: CAPS,
        build: || Box::new(Batsat::new().with_at_most_one(AtMostOne::Product)),
    },
];

/// The strategy: [`Batsat::new`] is the default, each `with_` changes one thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Batsat {
    at_most_one: AtMostOne,
    first_value: bool,
    decay: f64,
    memory: u64,
}

impl Batsat {
    /// Up to what estimate of a formula's memory, in bytes, it is loaded: see [`Batsat::with_memory`].
    pub const DEFAULT_MEMORY: u64 = 512 << 20;

    /// The default: pairs, candidates decided true, a slow decay.
    pub const fn new() -> Batsat {
        Batsat { at_most_one: AtMostOne::Pairwise, first_value: true, decay: 0.99, memory: Batsat::DEFAULT_MEMORY }
    }

    /// How at-most-one is said, where memory allows it.
    #[must_use]
    pub const fn with_at_most_one(mut self, at_most_one: AtMostOne) -> Batsat {
        self.at_most_one = at_most_one;
        self
    }

    /// The value that the solver gives a candidate it decides on.
    #[must_use]
    pub const fn with_first_value(mut self, value: bool) -> Batsat {
        self.first_value = value;
        self
    }

    /// What is left of a variable's activity after each conflict, over 0 and under 1; held to the range 0.01 to 0.9999.
    #[must_use]
    pub const fn with_decay(mut self, decay: f64) -> Batsat {
        // `clamp` keeps what is not a number, which the solver would refuse.
        self.decay = if decay > 0.01 { decay.min(0.9999) } else { 0.01 };
        self
    }

    /// Up to what estimate of its memory, in bytes, a formula is loaded. Where pairs would pass it, at-most-one is said by
    /// [`AtMostOne::Product`], of which an empty 64×64 board takes some 300 MB; where that passes it too, the search ends as
    /// [`Budget::Memory`] before anything is loaded. Blocking clauses count too. The estimate is 40 bytes a clause, 8 a literal and 200
    /// a variable.
    #[must_use]
    pub const fn with_memory(mut self, bytes: u64) -> Batsat {
        self.memory = bytes;
        self
    }

    fn walk(&self, puzzle: &Puzzle, search: &mut Search<'_>) -> ControlFlow<End> {
        search.begin(puzzle, &CAPS)?;
        let problem = match Problem::prepare(puzzle, Preparation::LockedCandidates, search)? {
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
        let (encoding, memory) = self.fit(&problem, search)?;
        let search = RefCell::new(search);
        let ended = Cell::new(None);
        let watch = Watch { search: &search, ended: &ended };
        let options = SolverOpts { var_decay: self.decay, ..SolverOpts::default() };
        let mut engine = Engine { first_value: self.first_value, problem: &problem, solver: batsat::Solver::new(options, watch) };
        engine.load(encoding, &search)?;
        search.borrow_mut().setup_done();
        engine.enumerate(&search, &ended, memory)
    }

    /// The encoding that fits the memory, and what it leaves of it.
    fn fit(&self, problem: &Problem<'_>, search: &mut Search<'_>) -> ControlFlow<End, (Encoding, u64)> {
        for at_most_one in [self.at_most_one, AtMostOne::Product] {
            let encoding = Encoding { form: Form::Extended, at_most_one };
            let size = problem.size(encoding, search)?;
            if let Some(left) = self.memory.checked_sub(estimate(&size)) {
                return ControlFlow::Continue((encoding, left));
            }
        }
        ControlFlow::Break(End::OutOfBudget(Budget::Memory))
    }
}

impl Default for Batsat {
    fn default() -> Batsat {
        Batsat::new()
    }
}

impl Solver for Batsat {
    fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
        Search::end(self.walk(puzzle, search))
    }

    fn caps(&self) -> Caps {
        CAPS
    }
}

/// What a formula takes in batsat, in bytes: a clause has a header of 4 bytes, 4 bytes a literal and two watches of 8, all in vectors that
/// may have grown to twice their content; a variable has two vectors of watches and some dozen words.
fn estimate(size: &Size) -> u64 {
    40 * size.clauses + 8 * size.literals + 200 * size.variables
}

/// batsat at work on one puzzle.
struct Engine<'e, C: Callbacks> {
    first_value: bool,
    problem: &'e Problem<'e>,
    solver: batsat::Solver<C>,
}

impl<C: Callbacks> Engine<'_, C> {
    /// The literal in batsat. A variable comes into being when it is first named; numbers have no gaps.
    fn literal(&mut self, literal: Literal) -> Lit {
        while self.solver.num_vars() <= literal.variable() {
            // Auxiliary variables are never decided on: what they have to be follows from the others, and what does not follow may be
            // false. An empty 64×64 board is filled in half a second; with decisions on them it takes minutes.
            let decides = self.solver.num_vars() < self.problem.variable_count();
            self.solver.new_var(lbool::new(self.first_value), decides);
        }
        Lit::new(Var::unsafe_from_idx(literal.variable()), !literal.is_negative())
    }

    fn add(&mut self, literals: &[Literal], clause: &mut Vec<Lit>) {
        clause.clear();
        for literal in literals {
            let literal = self.literal(*literal);
            clause.push(literal);
        }
        // False where the formula is refuted already; the search finds the same.
        let _ = self.solver.add_clause_reuse(clause);
    }

    fn load(&mut self, encoding: Encoding, search: &RefCell<&mut Search<'_>>) -> ControlFlow<End> {
        let problem = self.problem;
        let mut sink = Load { engine: self, search, clause: Vec::new(), clauses: 0 };
        problem.encode(encoding, &mut sink).map_continue(|_| ())
    }

    fn enumerate(&mut self, search: &RefCell<&mut Search<'_>>, ended: &Cell<Option<End>>, mut memory: u64) -> ControlFlow<End> {
        let problem = self.problem;
        loop {
            let (conflicts, decisions) = (self.solver.num_conflicts(), self.solver.num_decisions());
            let learned = search.borrow().counters().get(Counter::Conflicts).unwrap_or(0);
            let answer = self.solver.solve_limited(&[]);
            let mut search = search.borrow_mut();
            search.add(Counter::Decisions, self.solver.num_decisions() - decisions);
            if let Some(end) = ended.get() {
                return ControlFlow::Break(end);
            }
            if answer != lbool::TRUE {
                // The last conflict, on level zero, teaches no clause.
                let told = search.counters().get(Counter::Conflicts).unwrap_or(0) - learned;
                for _ in told..self.solver.num_conflicts() - conflicts {
                    search.conflict()?;
                }
                search.event(Event::DeadEnd { why: Contradiction::Clauses });
                return ControlFlow::Continue(());
            }
            let solver = &self.solver;
            let digits = problem.decode(|variable| solver.value_var(Var::unsafe_from_idx(variable)) == lbool::TRUE);
            problem.show_model(&digits, &mut search);
            search.solution(problem.puzzle(), &digits)?;
            search.back(0);
            let clause = problem.blocking(&digits, &mut search)?;
            drop(search);
            let taken = estimate(&Size { variables: 0, clauses: 1, literals: clause.len() as u64 });
            if taken > memory {
                return ControlFlow::Break(End::OutOfBudget(Budget::Memory));
            }
            memory -= taken;
            self.add(&clause, &mut Vec::new());
        }
    }
}

/// Loads clauses into the solver and looks at the limits meanwhile.
struct Load<'l, 'e, 's, 'a, C: Callbacks> {
    engine: &'l mut Engine<'e, C>,
    search: &'l RefCell<&'s mut Search<'a>>,
    /// The clause on its way to the solver.
    clause: Vec<Lit>,
    clauses: u32,
}

impl<C: Callbacks> Sink for Load<'_, '_, '_, '_, C> {
    fn clause(&mut self, literals: &[Literal]) -> ControlFlow<End> {
        self.engine.add(literals, &mut self.clause);
        self.clauses += 1;
        // A clause takes about 100 ns, so this is a look every 100 µs.
        if self.clauses.is_multiple_of(1024) { self.poll() } else { ControlFlow::Continue(()) }
    }

    fn poll(&mut self) -> ControlFlow<End> {
        self.search.borrow_mut().poll()
    }
}

/// Counts conflicts and stops the solver where a limit has run out.
struct Watch<'w, 's, 'a> {
    search: &'w RefCell<&'s mut Search<'a>>,
    ended: &'w Cell<Option<End>>,
}

impl<'a> Watch<'_, '_, 'a> {
    fn tell(&self, what: fn(&mut Search<'a>) -> ControlFlow<End>) {
        if self.ended.get().is_none()
            && let ControlFlow::Break(end) = what(&mut self.search.borrow_mut())
        {
            self.ended.set(Some(end));
        }
    }
}

impl Callbacks for Watch<'_, '_, '_> {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.tell(Search::conflict);
        }
    }

    /// Asked before every decision.
    fn stop(&self) -> bool {
        self.tell(Search::poll);
        self.ended.get().is_some()
    }
}
