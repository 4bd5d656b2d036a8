//! Formulas and proofs, by the strategy `sat`.

use std::io::Write;

use super::CertifyError;
use crate::{Limits, Puzzle, Solution};

/// The format of a proof, as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProofFormat {
    /// Clauses added and deleted.
    Drat,
    /// The same with numbers, and for each clause the ones that it follows from.
    Lrat,
}

/// How large a formula and its proof are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Formula {
    /// Variables of the formula: side³.
    pub variables: u64,
    /// Clauses of the formula.
    pub clauses: u64,
    /// Clauses that the proof adds.
    pub lemmas: u64,
    /// Clauses that the proof deletes.
    pub deletions: u64,
}

/// Writes the formula "this puzzle has a solution other than the known ones" in DIMACS format to `cnf`, and a proof that it cannot be satisfied
/// to `proof`. Without known solutions the puzzle is unsolvable; with one it is unique; the known ones have to be different, or the count is less.
///
/// Any SAT proof checker takes the pair; docs/CERTIFICATES.md names some. The crate of the strategy `sat` has the details, in its module `proof`.
///
/// # Errors
/// Where there is another solution, a limit runs out, the feature `sat` is off, or something cannot be written. What was
/// written by then is no proof.
pub fn formula(
    puzzle: &Puzzle,
    known: &[Solution],
    format: ProofFormat,
    limits: &Limits,
    cnf: &mut dyn Write,
    proof: &mut dyn Write,
) -> Result<Formula, CertifyError> {
    #[cfg(not(feature = "sat"))]
    {
        let _ = (puzzle, known, format, limits, cnf, proof);
        Err(CertifyError::Unsupported)
    }
    #[cfg(feature = "sat")]
    {
        use ninefold_solver_sat::proof::{Format, ProofError, prove, write_cnf};
        let format = match format {
            ProofFormat::Drat => Format::Drat,
            ProofFormat::Lrat => Format::Lrat,
        };
        // The proof first: where there is none, the formula is of no use.
        let done = prove(puzzle, known, format, limits, proof).map_err(|error| match error {
            ProofError::Solution(solution) => CertifyError::TooMany(solution),
            ProofError::GaveUp(budget) => CertifyError::GaveUp(budget),
            ProofError::Write(error) => CertifyError::Write(error),
            other => CertifyError::Write(std::io::Error::other(other.to_string())),
        })?;
        let size = write_cnf(puzzle, known, cnf)?;
        Ok(Formula { variables: size.variables, clauses: size.clauses, lemmas: done.lemmas, deletions: done.deletions })
    }
}
