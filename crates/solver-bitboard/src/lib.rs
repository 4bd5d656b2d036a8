//! Strategy `bitboard`: the fast engine for the classic 9×9.

mod batch;
mod engine;
mod kernel;
mod report;
mod vector;

use std::ops::ControlFlow;

use ninefold_core::{Caps, Counter, CounterSet, End, Limits, Outcome, Puzzle, RuleSupport, Search, Solver, Strategy};

pub use engine::{Engine, Rule};
pub use kernel::entry::Path;

/// The classic 9×9 alone; nodes, guesses, dead ends, depth and solutions. Digits are not placed one by one, so that forced ones
/// cannot be counted.
const CAPS: Caps = Caps { rules: RuleSupport::Classic, counters: CounterSet::TREE.without(Counter::Propagations) };

/// The strategy and its variants, the default first.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "bitboard",
        summary: "nine digit boards in vector registers, branching on arrangements of a digit in a band or stack",
        caps: CAPS,
        build: || Box::new(Bitboard::new()),
    },
    Strategy {
        name: "bitboard:portable",
        summary: "the same without vector instructions",
        caps: CAPS,
        build: || Box::new(Bitboard::from(Engine::new().with_path(Path::portable()))),
    },
    Strategy {
        name: "bitboard:no-triads",
        summary: "the same without counting in triads",
        caps: CAPS,
        build: || Box::new(Bitboard::from(Engine::new().with_rule(Rule::NoTriads))),
    },
    Strategy {
        name: "bitboard:bivalue",
        summary: "the same, branching on the first cell with two candidates, without triads",
        caps: CAPS,
        build: || Box::new(Bitboard::from(Engine::new().with_rule(Rule::Bivalue))),
    },
];

/// The solver: an [`Engine`] behind the trait, with limits, counters and observers.
#[derive(Debug, Default)]
pub struct Bitboard {
    engine: Engine,
}

impl From<Engine> for Bitboard {
    fn from(engine: Engine) -> Bitboard {
        Bitboard { engine }
    }
}

impl Bitboard {
    /// The fastest path of this processor, and the rule picked board by board.
    pub fn new() -> Bitboard {
        Bitboard::default()
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    fn run(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> ControlFlow<End> {
        search.begin(puzzle, &CAPS)?;
        let Some(givens) = puzzle.board().classic_bytes() else { return ControlFlow::Break(End::Unsupported) };
        let masks;
        let allowed = match puzzle.restrictions() {
            Some(sets) => {
                let mut own = [0u16; 81];
                for (mask, set) in own.iter_mut().zip(sets) {
                    *mask = (set.bits() & 0x1FF) as u16;
                }
                masks = own;
                Some(&masks)
            }
            None => None,
        };
        search.setup_done();
        if search.is_observed() {
            let mut teller = report::Teller::new(puzzle, search, givens);
            self.engine.run_portable(givens, allowed, &mut teller);
            teller.finish()
        } else {
            let mut reporter = report::Reporter::new(puzzle, search);
            self.engine.run(givens, allowed, &mut reporter);
            reporter.finish()
        }
    }
}

impl Solver for Bitboard {
    fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
        Search::end(self.run(puzzle, search))
    }

    fn caps(&self) -> Caps {
        CAPS
    }

    /// A puzzle a lane, where the rule is left to the engine: the lanes have one rule of their own.
    fn search_batch(&mut self, puzzles: &[Puzzle], cap: u64, each: &Limits, whole: &Limits) -> Vec<Outcome> {
        if self.engine.rule() == Rule::Auto {
            let path = batch::Path::named(self.engine.path().name());
            batch::search_batch(path, puzzles, &CAPS, cap, each, whole)
        } else {
            OneByOne(self).search_batch(puzzles, cap, each, whole)
        }
    }
}

/// The solver with the batches that the trait provides.
struct OneByOne<'a>(&'a mut Bitboard);

impl Solver for OneByOne<'_> {
    fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
        self.0.search(puzzle, search)
    }

    fn caps(&self) -> Caps {
        CAPS
    }
}
