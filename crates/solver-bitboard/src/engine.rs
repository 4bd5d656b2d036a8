//! The engine by itself: bytes in, answers out, no limits and no observer.

use crate::kernel::board::{self, State};
use crate::kernel::choice::Sides;
use crate::kernel::entry::{self, Path};
use crate::kernel::search::{ALMOST_EMPTY, ALWAYS, Inference, Slot, Watch, search};
use crate::vector::Vector;
use crate::vector::portable::Portable;

/// What the engine infers and where it branches. Whatever the rule, the answers are the same; the trees are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Rule {
    /// `Triads` on most boards, `Bivalue` on open ones with many solutions.
    #[default]
    Auto,
    /// Branch on arrangements, and count in triads first.
    Triads,
    /// Branch on arrangements, without triads.
    NoTriads,
    /// Branch on the first cell with two candidates (on arrangements where there is none), without triads.
    Bivalue,
}

impl Rule {
    /// All rules, the default first.
    pub const ALL: [Rule; 4] = [Rule::Auto, Rule::Triads, Rule::NoTriads, Rule::Bivalue];

    /// `auto`, `triads`, `no-triads` or `bivalue`.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Auto => "auto",
            Rule::Triads => "triads",
            Rule::NoTriads => "no-triads",
            Rule::Bivalue => "bivalue",
        }
    }

    pub(crate) const fn inference(self) -> Inference {
        let (triads_from, cheap_below, adapt) = match self {
            Rule::Auto => (0, 0, true),
            Rule::Triads => (0, 0, false),
            Rule::NoTriads => (ALMOST_EMPTY, 0, false),
            Rule::Bivalue => (0, ALWAYS, false),
        };
        Inference { triads_from, cheap_below, adapt }
    }
}

/// The engine. It keeps its stack from puzzle to puzzle.
///
/// ```
/// use ninefold_solver_bitboard::Engine;
///
/// let line = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let givens = line.map(|byte| if byte == b'.' { 0 } else { byte - b'0' });
/// let mut engine = Engine::new();
/// assert_eq!(engine.count(&givens, 2), 1);
/// assert_eq!(engine.solve(&givens).unwrap()[..9], [5, 3, 4, 6, 7, 8, 9, 1, 2]);
/// ```
#[derive(Debug)]
pub struct Engine {
    path: Path,
    rule: Rule,
    stack: Vec<Slot>,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// The fastest path of this processor, and the rule picked board by board.
    pub fn new() -> Engine {
        Engine { path: Path::best(), rule: Rule::Auto, stack: Vec::new() }
    }

    /// The same engine on another path.
    #[must_use]
    pub fn with_path(mut self, path: Path) -> Engine {
        self.path = path;
        self
    }

    /// The same engine with another rule.
    #[must_use]
    pub fn with_rule(mut self, rule: Rule) -> Engine {
        self.rule = rule;
        self
    }

    /// The path.
    pub fn path(&self) -> Path {
        self.path
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The first solution. `givens` has one byte a cell, row by row: 1 to 9 for a given, 0 (or any other byte) for a blank. Givens
    /// that clash have no solution.
    #[inline]
    pub fn solve(&mut self, givens: &[u8; 81]) -> Option<[u8; 81]> {
        let mut first = First(None);
        self.run(givens, None, &mut first);
        first.0
    }

    /// The number of solutions, at most `limit` (0 counts as 1).
    #[inline]
    pub fn count(&mut self, givens: &[u8; 81], limit: u64) -> u64 {
        let mut count = Count { found: 0, limit };
        self.run(givens, None, &mut count);
        count.found
    }

    /// Runs the search with a watcher. `allowed`: 81 masks of candidates, bit `d - 1` for digit `d`.
    #[inline]
    pub(crate) fn run<W: entry::WatchAny>(&mut self, givens: &[u8; 81], allowed: Option<&[u16; 81]>, watch: &mut W) {
        entry::run(self.path, givens, allowed, self.rule.inference(), &mut self.stack, watch);
    }

    /// The same on the portable path, for watchers that know no other.
    pub(crate) fn run_portable<W: Watch<Portable>>(&mut self, givens: &[u8; 81], allowed: Option<&[u16; 81]>, watch: &mut W) {
        search::<Portable, W>(givens, allowed, self.rule.inference(), &mut self.stack, watch);
    }

    /// What a full search up to `limit` solutions costs: its guesses.
    pub fn guesses(&mut self, givens: &[u8; 81], limit: u64) -> u64 {
        let mut watch = Guesses { count: Count { found: 0, limit }, guesses: 0 };
        self.run(givens, None, &mut watch);
        watch.guesses
    }
}

struct First(Option<[u8; 81]>);

impl<V: Vector> Watch<V> for First {
    #[inline(always)]
    fn node(&mut self) -> bool {
        true
    }
    #[inline(always)]
    fn guess(&mut self, _: &State<V>, _: &Sides<V>, _: usize) {}
    #[inline(always)]
    fn dead_end(&mut self, _: &State<V>) {}
    #[inline(always)]
    fn back(&mut self, _: usize) {}
    #[inline(always)]
    fn solution(&mut self, state: &State<V>) -> bool {
        self.0 = Some(board::grid(state));
        false
    }
}

struct Count {
    found: u64,
    limit: u64,
}

impl<V: Vector> Watch<V> for Count {
    #[inline(always)]
    fn node(&mut self) -> bool {
        true
    }
    #[inline(always)]
    fn guess(&mut self, _: &State<V>, _: &Sides<V>, _: usize) {}
    #[inline(always)]
    fn dead_end(&mut self, _: &State<V>) {}
    #[inline(always)]
    fn back(&mut self, _: usize) {}
    #[inline(always)]
    fn solution(&mut self, _: &State<V>) -> bool {
        self.found += 1;
        self.found < self.limit
    }
}

struct Guesses {
    count: Count,
    guesses: u64,
}

impl<V: Vector> Watch<V> for Guesses {
    fn node(&mut self) -> bool {
        true
    }
    fn guess(&mut self, _: &State<V>, _: &Sides<V>, _: usize) {
        self.guesses += 1;
    }
    fn dead_end(&mut self, _: &State<V>) {}
    fn back(&mut self, _: usize) {}
    fn solution(&mut self, state: &State<V>) -> bool {
        self.count.solution(state)
    }
}
