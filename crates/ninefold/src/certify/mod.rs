//! Certificates: arguments that a puzzle has no solution, exactly one, or a given number, for a checker that trusts no solver.
//!
//! [`tree`] writes a *refutation tree* from the search of any strategy: a text of cases and forced digits, which the crate
//! `ninefold-verify` checks with the rules alone. The branching is the strategy's, taken from its [`Event`](crate::Event)s; the forced digits
//! are worked out again here, by naked and hidden singles. Where a strategy knew more than singles show, as a bitboard does that arranges a
//! whole band, the writer closes the gap with a few branches of its own. docs/CERTIFICATES.md describes the format.
//!
//! [`formula`] writes the puzzle as a formula in DIMACS format and a proof of it in DRAT or LRAT format, with the strategy `sat`, for the checkers
//! that the SAT community has.
//!
//! ```
//! use ninefold::{Claim, Limits, Puzzle, certify};
//!
//! let puzzle = Puzzle::new("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse()?)?;
//! # if ninefold::auto(puzzle.rules()).is_none() { return Ok(()) }
//! let mut solver = (certify::auto(puzzle.rules()).expect("a strategy is enabled").build)();
//! let mut text = Vec::new();
//! let summary = certify::tree(&mut *solver, &puzzle, Claim::Unique, &Limits::none(), &mut text)?;
//! assert_eq!(summary.solutions, 1);
//!
//! let verified = ninefold_verify::verify(&text[..], Some(&puzzle))?;
//! assert_eq!(verified.claim, Claim::Unique);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod formula;
mod state;
mod tree;

use std::fmt;
use std::io;

use crate::{Budget, Counter, Rules, Solution, Strategy};

pub use formula::{Formula, ProofFormat, formula};
pub use tree::{Tree, tree};

/// The enabled strategy whose search makes the best tree for these rules: the one of [`auto`](crate::auto), or `propagation:weighted` where that one
/// walks no tree. Strategies that learn from conflicts jump over branches, which the writer has to fill in without what they
/// learned. `None` where no enabled strategy takes the rules.
///
/// docs/CERTIFICATES.md has the measurements behind this.
pub fn auto(rules: &Rules) -> Option<&'static Strategy> {
    let auto = crate::auto(rules)?;
    if auto.caps.counters.contains(Counter::Guesses) {
        return Some(auto);
    }
    Some(crate::by_name("propagation:weighted").filter(|strategy| strategy.caps.takes(rules)).unwrap_or(auto))
}

/// Why there is no certificate.
#[derive(Debug)]
#[non_exhaustive]
pub enum CertifyError {
    /// The claim is false: the puzzle has more solutions, and this is one that is too many.
    TooMany(Box<Solution>),
    /// The claim is false: the puzzle has only so many solutions.
    TooFew(u64),
    /// A limit ran out.
    GaveUp(Budget),
    /// The strategy does not take the rules, or is not enabled.
    Unsupported,
    /// The certificate could not be written.
    Write(io::Error),
}

impl fmt::Display for CertifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertifyError::TooMany(solution) => write!(f, "the claim is false: there is one solution more: {solution}"),
            CertifyError::TooFew(0) => f.write_str("the claim is false: there is no solution"),
            CertifyError::TooFew(1) => f.write_str("the claim is false: there is only one solution"),
            CertifyError::TooFew(count) => write!(f, "the claim is false: there are only {count} solutions"),
            CertifyError::GaveUp(budget) => write!(f, "gave up: {budget}"),
            CertifyError::Unsupported => f.write_str("the strategy does not take these rules, or is not enabled"),
            CertifyError::Write(error) => write!(f, "the certificate cannot be written: {error}"),
        }
    }
}

impl std::error::Error for CertifyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CertifyError::Write(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for CertifyError {
    fn from(error: io::Error) -> CertifyError {
        CertifyError::Write(error)
    }
}
