//! Strategy `bitboard`: the fast engine for the classic 9×9, and for nothing else.
//!
//! 1. A board is nine digit boards of 81 bits, kept in five 256-bit registers; a guess copies 160 bytes.
//! 2. A **sweep** treats all digits at once and without a branch. In each stack and each band a digit has at most six
//!    *arrangements* (one minirow a row, one a block); only what is part of one stays. Then the only place of a digit in a row
//!    clears its cell, and the only candidate of a cell clears its row. Sweeps go on until nothing changes.
//! 3. At that fixpoint, **triads**: a minirow holds three digits. If three digits have no other minirow of their row to go
//!    to, all others leave it; if four have none, the board is dead. The same for minicolumns.
//! 4. Otherwise it **branches**: in the unfixed band or stack with the fewest arrangements over all digits, on the digit with the
//!    fewest, taking one minirow or excluding it. The excluding side waits on a stack.
//! 5. A state with one candidate in every cell is checked against the rules, and reported.
//!
//! Steps 2 to 4 together are what T. Dillon's tdoku (2019) reasons about with boxes and bands; the one-minirow-at-a-time view of
//! locked candidates is older (JasonLion, champagne and Z. Brukner, the solvers called JCZSolve, 2012). The bit layout, the packing
//! and the choice in registers are this crate's own.
//!
//! # Representation
//!
//! [`Engine`] does the work, `kernel::board` draws the bits. A 32-bit lane is one band of one digit: three row fields of nine bits,
//! each followed by a guard bit. Columns are permuted inside a field so that "or over the three cells of a minirow" is two shifts. The
//! guard bits let one addition ask all rows of a band "is anything set?".
//!
//! Arrangements need minirows only, nine bits of 27. So three registers are packed into one for that part (see
//! `kernel::sweep`), which saves a third of its instructions. Even and odd arrangements of a band are two and-chains over the
//! packed bits; a lane permutation serves as the eight-entry table that turns a set of arrangements back into a mask.
//!
//! # What a sweep contains
//!
//! Arrangements over bands and stacks contain hidden singles in rows, columns and blocks (all but the last step, which
//! needs the row) and locked candidates of both kinds. Naked singles come from adding up the nine boards bit by bit. Not
//! contained: pairs, fish, chains. Those are left to the search.
//!
//! # Where it branches
//!
//! Boards with many solutions are different: nearly every guess leads to one, and inference beyond the singles is wasted. So
//! [`Rule::Auto`] branches on the first cell with two candidates, without triads, where a puzzle has thirty givens or more and
//! still needs a guess, and near the leaves once a puzzle has shown two solutions. Almost empty boards are different again:
//! without triads the first digits are laid out so that the last have no room, and the search takes ages to see it. `Rule::NoTriads`
//! shows that on boards with few givens; it is there to be studied.
//!
//! # Processors
//!
//! The kernel is written once over a small trait of eight lanes and compiled three times: plain Rust, AVX2, and AVX-512 on 256-bit
//! registers, where three-input logic saves about a quarter of the instructions. [`Path`] picks one at run time. All three
//! give the same answers and walk the same tree, which the tests check step by step against slow plain definitions.
//!
//! # What the parts are worth
//!
//! Counting to two solutions, 5,000 puzzles a set, on one quiet core of an AMD Zen 4 (rustc 1.95, no flags): ratio to the fastest
//! other Rust solver in the same run (`sudoku` 0.8), and guesses a puzzle, which are exact.
//!
//! | variant | easy | no solution | minimal | guesses, minimal |
//! |---|---|---|---|---|
//! | AVX-512 (default there) | 7.8 | 7.3 | 4.3 | 0.94 |
//! | AVX2 | 6.3 | 5.8 | 3.5 | 0.94 |
//! | portable | 0.9 | 0.9 | 0.7 | 0.94 |
//! | AVX-512, `no-triads` | 8.0 | 7.3 | 4.2 | 1.09 |
//! | AVX-512, `bivalue` | 8.0 | 7.2 | 3.8 | 1.40 |
//!
//! The harder the puzzles, the more the parts matter: on the hardest known ones triads save a quarter of the guesses, and branching
//! on arrangements instead of cells more than a third of the time. The portable path is there for processors without AVX2; it is slower
//! than `sudoku`. The sets and the table come from `benches/peers` (likewise for `easy` and `no-solution`):
//!
//! ```text
//! cargo run --release -- generate minimal --count 5000 --seed 1 > minimal.txt
//! cargo run --release -- race minimal.txt --question count2 \
//!     --engines bitboard,bitboard:avx2,bitboard:no-triads,bitboard:bivalue,bitboard:portable,sudoku
//! ```
//!
//! # What it is bad at
//!
//! Other rules: they end as unsupported. Enumerating very many solutions: it beats the others there by less than elsewhere, since each
//! solution costs about five sweeps whatever is known. It cannot tell how many digits were forced, since it never places one by itself;
//! an observer is told, by a slower run of the same tree.
//!
//! # Example
//!
//! ```
//! use ninefold_core::{Limits, Puzzle, Solver, Verdict};
//! use ninefold_solver_bitboard::Bitboard;
//!
//! let puzzle = Puzzle::new("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?)?;
//! let mut solver = Bitboard::new();
//! assert!(matches!(solver.classify(&puzzle, &Limits::none()), Verdict::Unique(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod engine;
mod kernel;
mod report;
mod vector;

use std::ops::ControlFlow;

use ninefold_core::{Board, Caps, Counter, CounterSet, End, Limits, Outcome, Puzzle, RuleSupport, Search, Solver, Strategy};

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
#[derive(Debug)]
pub struct Bitboard {
    engine: Engine,
    /// The path of the batches.
    lanes: batch::Path,
}

impl Default for Bitboard {
    fn default() -> Bitboard {
        Bitboard { engine: Engine::new(), lanes: batch::Path::best() }
    }
}

impl From<Engine> for Bitboard {
    fn from(engine: Engine) -> Bitboard {
        Bitboard { lanes: batch::Path::named(engine.path().name()), engine }
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

    /// Whether a batch goes through the lanes. They have one rule, and beyond two solutions a board is so open that one call, which picks
    /// its rule, is faster.
    fn in_lanes(&self, cap: u64) -> bool {
        cap <= 2 && self.engine.rule() == Rule::Auto
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
        if self.in_lanes(cap) {
            batch::search(self.lanes, puzzles, &CAPS, cap, each, whole)
        } else {
            OneByOne(self).search_batch(puzzles, cap, each, whole)
        }
    }

    fn search_boards(&mut self, boards: &[Board], cap: u64, each: &Limits, whole: &Limits) -> Vec<Outcome> {
        if self.in_lanes(cap) {
            batch::search(self.lanes, boards, &CAPS, cap, each, whole)
        } else {
            OneByOne(self).search_boards(boards, cap, each, whole)
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
