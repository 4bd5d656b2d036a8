//! The shared ground of Ninefold: digits, cells, rules, boards, puzzles, solutions, and the [`Solver`] trait that every
//! strategy implements. This crate depends on nothing but the standard library.
//!
//! - **What a Sudoku is**: [`Rules`] are a list of [`House`]s, sets of cells that hold different digits. Rows, columns,
//!   blocks, jigsaw regions, diagonals and pairs of cells are all houses, so one piece of code serves every variant.
//! - **What may be asked**: a [`Board`] is any state of the grid; a [`Puzzle`] is a board without clashes and the only door
//!   to a solver; a [`Solution`] is a full board that keeps the rules and extends its puzzle, checked when it is made.
//! - **How it is answered**: a [`Solver`] walks its search tree and tells a [`Search`] what happens. The companion holds
//!   the [`Limits`], the [`Counters`], the visitor of solutions and an optional [`Observer`], so that limits, counters and
//!   traces mean the same for every strategy.
//!
//! ```
//! use ninefold_core::{Board, Puzzle};
//!
//! let board: Board = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! assert!(board.clashes().is_empty());
//! let puzzle = Puzzle::new(board)?;
//! assert_eq!(puzzle.board().given_count(), 30);
//! assert_eq!(puzzle.board().rules().to_string(), "3x3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod cell;
mod claim;
mod classic;
pub mod clock;
mod counters;
mod digit;
mod limits;
mod observe;
mod outcome;
mod puzzle;
mod rules;
mod search;
mod solver;
mod spec;
mod strategy;
mod tally;
mod text;
mod variants;

pub use board::{Board, BoardError, Clash};
pub use cell::Cell;
pub use claim::Claim;
pub use counters::{Counter, CounterSet, Counters};
pub use digit::{Digit, DigitSet, Digits};
pub use limits::{Budget, CancelToken, Limits};
pub use observe::{Choice, Contradiction, Event, Observer, Why};
pub use outcome::{End, Outcome, Times, Verdict};
pub use puzzle::{Puzzle, PuzzleError, PuzzleErrorKind, Solution, SolutionError};
pub use rules::{BlockShape, House, HouseGroup, HouseId, HouseKind, Rules, RulesBuilder, RulesError, RulesErrorKind};
pub use search::Search;
pub use solver::Solver;
pub use strategy::{Caps, RuleSupport, Strategy};
pub use tally::Tally;
pub use text::{ParseError, ParseErrorKind};
pub use variants::Variant;

/// The longest side a board can have, in cells.
pub const MAX_SIDE: usize = 64;
