//! Puzzles for any rules: with one solution, minimal or with a given count of givens, with a symmetry, from a seed.
//!
//! 1. A **full grid** comes from a search in random order (fewest candidates first, restarted when it strays); where that does not
//!    end, from a pattern of the blocks or from a strategy, mixed by swapping chains of two digits.
//! 2. **Removal**: givens go in random order, orbit by orbit where a symmetry is asked for, each unless there is a second solution
//!    then. What stays is minimal: who cannot go now cannot go later either, since fewer givens have more solutions.
//! 3. Many go at once at first, and half as many whenever they cannot: the result is the same with a third of the checks. A check begins
//!    with the known **unavoidable sets**, cells that cannot all be blank, and asks a strategy only where they do not tell.
//! 4. A **count of givens** that removal does not reach is looked for by putting a few givens back and removing others.
//!
//! Removal with uniqueness checks is how S. Ostermiller's QQWing (2006) and most others make puzzles; unavoidable sets are from G. McGuire,
//! B. Tugemann and G. Civario ("There is no 16-clue Sudoku", 2012). Puzzles that come out of it are no fair sample of all minimal
//! puzzles: those with many givens are rarer than they should be (D. Berthier, "Unbiased statistics of a CSP", 2009).
//!
//! ```
//! use ninefold::{Limits, Rules};
//! use ninefold_generator::Generator;
//!
//! # if ninefold::auto(Rules::classic()).is_none() { return Ok(()) }
//! let generator = Generator::new(Rules::classic(), 42).minimal(true);
//! for index in 0..3 {
//!     let made = generator.generate(index, &Limits::none())?;
//!     println!("{}", made.puzzle());
//! }
//! # Ok::<(), ninefold_generator::GenerateError>(())
//! ```
//!
//! Nothing here starts a thread: puzzle `index` depends on the settings, the seed and `index` alone, so whoever has threads hands out
//! indices.
//!
//! It is bad at minimal puzzles of side 25 and more, where each of some hundred checks may take seconds.

mod check;
mod fill;
mod generator;
mod grid;
pub mod hard;
mod purse;
mod random;
mod symmetry;
mod unavoidable;

pub use generator::{GenerateError, GenerateErrorKind, Generated, Generator};
pub use random::Random;
pub use symmetry::{Symmetry, SymmetryError};
