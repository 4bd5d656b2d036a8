//! A small checker for certificates: arguments, written down step by step, that a puzzle has no solution, exactly one, or a given
//! number of them. It has no solver in it and trusts nothing but the rules: whoever has read these few hundred lines need not trust
//! the program that found the answer.
//!
//! A certificate is a *refutation tree*, a text that docs/CERTIFICATES.md describes. After the rules, the puzzle and the claim come
//!
//! 1. **steps**: a digit is forced where the cell has no other candidate, or a full house no other place for it;
//! 2. **splits**: what is open, the candidates of a cell or the places of a digit in a full house, is divided among branches, each of
//!    which follows in full;
//! 3. **leaves**: a branch ends with a cell without a candidate, a house without a place for a digit, or a solution.
//!
//! Every solution is in exactly one branch of a split, a step loses none, a leaf has none or one: the solutions among the leaves are
//! all there are, and their count is held against the claim.
//!
//! Answers that are checked instead of programs that are trusted: R. M. McConnell, K. Mehlhorn, S. Näher, P. Schweitzer, "Certifying
//! algorithms", Computer Science Review 5, 2011. It is bad at arguments that need more than cases and singles: what a locked
//! candidate says in a line costs a few branches here.
//!
//! ```
//! let text = "\
//! ninefold certificate 1
//! side 4
//! lines
//! blocks 2x2
//! givens 123.34.22....32.
//! claim unique
//! proof
//! split r3c4 3 14
//! r1c4=4 r2c3=1 r3c2=1 r3c3=4/h7 r4c1=4 r4c4=1
//! solution 1234341221434321
//! r1c4=4 r3c2=1
//! dead r3c4
//! ";
//! let verified = ninefold_verify::verify(text.as_bytes(), None)?;
//! assert_eq!((verified.claim.to_string(), verified.leaves), ("unique".into(), 2));
//!
//! let refusal = ninefold_verify::verify(text.replace("14\nr1c4=4", "14\nr1c4=1").as_bytes(), None).unwrap_err();
//! assert_eq!(refusal.to_string(), "line 9: `r1c4=1` is not forced: 4 is open");
//! # Ok::<(), ninefold_verify::Refusal>(())
//! ```

mod state;
mod statement;
mod text;

use std::fmt;
use std::io::BufRead;

use ninefold_core::{Board, Claim, DigitSet, Puzzle};

use state::State;
use text::Lines;

/// A certificate that was accepted: what it proves, and how large the argument is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Verified {
    /// The rules and the givens that the certificate is about.
    pub board: Board,
    /// What each cell may hold by itself, in row-major order: its given alone, or what the certificate allows, or all digits.
    pub allowed: Vec<DigitSet>,
    /// The claim, which is true.
    pub claim: Claim,
    /// The first solution of the tree, if it has any.
    pub solution: Option<Board>,
    /// Splits.
    pub splits: u64,
    /// Leaves: contradictions and solutions.
    pub leaves: u64,
    /// Forced digits.
    pub steps: u64,
}

/// Why a certificate is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// False where the text cannot be read to its end, or its first line is not that of a certificate.
    pub is_certificate: bool,
    /// The line that fails, counted from 1; where a line is missing, the one after the last.
    pub line: u64,
    /// What is wrong, in one clause.
    pub message: String,
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal { is_certificate: true, line: 0, message }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Refusal {}

/// Checks a certificate. With `puzzle`, one that is about another puzzle or other rules is refused; without, the caller has to look at
/// [`Verified::board`] and [`Verified::allowed`].
///
/// Any bytes end in an answer. Time is in proportion to the length of the text; memory depends on the rules alone, up to some 200 MB.
///
/// # Errors
/// The first line that does not hold, and why.
pub fn verify(input: impl BufRead, puzzle: Option<&Puzzle>) -> Result<Verified, Refusal> {
    let mut lines = Lines { input, bytes: Vec::new(), number: 0 };
    check(&mut lines, puzzle).map_err(|refusal| Refusal { line: lines.number, ..refusal })
}

fn check(lines: &mut Lines<impl BufRead>, puzzle: Option<&Puzzle>) -> Result<Verified, Refusal> {
    let mut verified = statement::read(lines, puzzle)?;
    let rules = verified.board.rules().clone();
    let mut state = State::new(&rules, &verified.board, &verified.allowed);
    let (mut solutions, mut is_complete) = (0, false);
    while let Some(line) = lines.next()? {
        if is_complete {
            return Err("every branch is settled, and yet there is more".to_owned().into());
        }
        match line.split_once(' ') {
            Some(("split", split)) => {
                state.split(split)?;
                verified.splits += 1;
                continue;
            }
            Some(("dead", item)) => state.check_dead(item)?,
            Some(("solution", board)) => {
                let solution = state.check_solution(board)?;
                verified.solution.get_or_insert(solution);
                solutions += 1;
            }
            _ => {
                line.split(' ').try_for_each(|step| state.step(step))?;
                verified.steps += line.split(' ').count() as u64;
                continue;
            }
        }
        verified.leaves += 1;
        is_complete = !state.next_branch();
    }
    if !is_complete {
        return Err("the text ends before every branch is settled".to_owned().into());
    }
    if solutions != verified.claim.solutions() {
        return Err(format!("the tree has {solutions} solutions, and the claim is {}", verified.claim).into());
    }
    Ok(verified)
}
