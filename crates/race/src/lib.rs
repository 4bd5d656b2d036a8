//! Races strategies on the same puzzles: measures, compares the answers, sums up.
//!
//! A [`Race`] runs in two parts and is deterministic but for its times.
//!
//! 1. **Answers.** Every strategy answers every puzzle once, puzzle by puzzle, in an order that is shuffled anew for each. That gives the
//!    answers, which are compared with each other and with what is known, and the counters. The puzzles come in random order too, in turn
//!    from every set, so that a race which ends early has seen a fair sample of each.
//! 2. **Times.** What a strategy answered it answers again, in blocks of some puzzles and in several rounds, the strategies interleaved
//!    block by block in shuffled order. The best time of each counts: noise only ever adds.
//!
//! A give-up is no answer, and its time counts in full: it never makes a strategy look fast. Every solution is checked by core before anyone
//! counts it.
//!
//! # What the race itself costs
//!
//! Reading a clock takes some 25 ns, a twentieth of what the fastest strategy needs for a puzzle. So where the puzzles of a block take less than
//! 30 µs in the mean, the block is timed once more as a whole, without limits, since all have just ended, with one reading of the clock before and one
//! after it, for as many passes as last 50 µs at least; the times of its single puzzles are scaled to that sum. The puzzles of a block
//! lie side by side in memory, and what a solver keeps for the rules it has built by then. `examples/overhead.rs` compares the sum with a bare loop.
//!
//! ```
//! use ninefold_race::{Entry, Race, Set};
//!
//! let puzzle = ninefold::Puzzle::new("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?)?;
//! let set = Set { name: "one".into(), entries: vec![Entry { name: "a".into(), puzzle, known: None }] };
//! let report = Race::new(ninefold::strategies()).run(&[set], &mut |_| ());
//! assert!(report.disagreements.is_empty());
//! for row in report.rows(&report.sets[0]) {
//!     println!("{}: {} of {} answered, {:?} nodes", row.strategy, row.answered, row.puzzles, row.nodes());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate reads the clock of core and touches no files. Threads are started only where [`Race::threads`] is above 1.

mod answer;
mod measure;
mod random;
mod row;
mod set;
mod stats;

pub use answer::{Answer, Disagreement, Question};
pub use measure::{Peak, Race, Run, Stage};
pub use row::{Quantile, Report, Row, SetReport};
pub use set::{Entry, Known, Set};
pub use stats::{quantile, spearman};
