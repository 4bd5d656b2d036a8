//! Holds the answers of several solvers against each other, and makes a disagreement as small as possible.
//!
//! Participants are strategies, any other [`Solver`], or whatever implements [`Participant`]. On each puzzle the verdict, the count of solutions up
//! to a cap, and the set of solutions are compared; every solution is checked by the rules. Who gave up, or does not take the rules, agrees with
//! nothing. Solvers are used again from puzzle to puzzle, so that state which one keeps by mistake shows.
//!
//! In the tests of a solver of your own:
//!
//! ```
//! use ninefold::crosscheck::Crosscheck;
//! use ninefold::{Limits, Puzzle, Solver};
//!
//! # fn mine() -> Box<dyn Solver> { (ninefold::all_variants().next().unwrap().build)() }
//! # if ninefold::strategies().is_empty() { return Ok(()) }
//! let mut check = Crosscheck::new().solver("mine", mine).cap(20).limits(Limits::none().with_nodes(100_000));
//! for strategy in ninefold::strategies() {
//!     check = check.strategy(strategy);
//! }
//! for line in ["12..34..........", "1..............2", "1234341221434321"] {
//!     let puzzle = Puzzle::new(line.parse()?)?;
//!     if let Err(finding) = check.puzzle(&puzzle) {
//!         panic!("{finding}");
//!     }
//! }
//! assert_eq!(check.summary().puzzles, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A solver that misses the second solution, caught and shrunk:
//!
//! ```
//! use ninefold::crosscheck::{Answer, ConflictKind, Crosscheck, Participant};
//! use ninefold::{Limits, Puzzle};
//!
//! /// Says of every puzzle that it is unique.
//! struct Rash;
//!
//! impl Participant for Rash {
//!     fn name(&self) -> &str {
//!         "rash"
//!     }
//!
//!     fn answer(&mut self, _: &Puzzle, _: u64, _: &Limits) -> Answer {
//!         Answer::claim(1, Some(1))
//!     }
//!
//!     fn restart(&mut self) {}
//! }
//!
//! # if ninefold::by_name("propagation").is_none() { return Ok(()) }
//! let partner = ninefold::by_name("propagation").ok_or("not enabled")?;
//! let mut check = Crosscheck::new().participant(Box::new(Rash)).strategy(partner);
//! let finding = check.puzzle(&Puzzle::new("12.. .... .... ....".parse()?)?).unwrap_err();
//! assert_eq!(finding.comparison().conflicts()[0].kind(), ConflictKind::Missed);
//! assert_eq!(finding.smallest().board().to_string(), "....");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod change;
mod compare;
pub(crate) mod draft;
mod fuzz;
pub(crate) mod minimize;
mod participant;
mod random;
mod shrink;

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::time::Duration;

pub use change::{Change, Changes};
pub use compare::{Comparison, Conflict, ConflictKind, Said};
pub use fuzz::{Fuzz, FuzzCase};
pub use participant::{Answer, AnswerKind, Participant, SolverParticipant};

use crate::{CancelToken, Limits, Puzzle, Solver, Strategy};

/// How many puzzles are remembered, to find out which of them left a state behind.
const HISTORY: usize = 32;

/// Participants, what they are asked, and what came of it so far.
///
/// See the [module](self) for examples.
pub struct Crosscheck {
    participants: Vec<Box<dyn Participant>>,
    cap: u64,
    limits: Limits,
    effort: Effort,
    /// Makes the changes of the next puzzle, where changed puzzles are asked too.
    seed: Option<u64>,
    history: VecDeque<(Puzzle, Option<u64>)>,
    summary: Summary,
}

/// How much may be spent on making one disagreement small.
#[derive(Clone, Copy, Debug)]
struct Effort {
    questions: u64,
    time: Option<Duration>,
}

/// What was asked and answered so far. Changed puzzles count as answers of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Puzzles asked.
    pub puzzles: u64,
    /// Puzzles on which at least two answers could be compared.
    pub compared: u64,
    /// Puzzles that one answer stands alone for, or none: nothing is known about agreement.
    pub not_compared: u64,
    /// Puzzles with a disagreement.
    pub disagreements: u64,
    /// The answers of each participant, in their order.
    pub participants: Vec<Tally>,
}

/// The answers of one participant, by their kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Who.
    pub name: String,
    /// Answers that stand for something.
    pub claims: u64,
    /// Answers that gave up at a limit.
    pub gave_up: u64,
    /// Puzzles that it does not take.
    pub unsupported: u64,
    /// Answers that no participant should give.
    pub faults: u64,
}

impl Summary {
    /// Adds what others with the same participants were asked.
    pub fn add(&mut self, other: &Summary) {
        self.puzzles += other.puzzles;
        self.compared += other.compared;
        self.not_compared += other.not_compared;
        self.disagreements += other.disagreements;
        for (i, tally) in other.participants.iter().enumerate() {
            match self.participants.get_mut(i) {
                Some(own) => {
                    own.claims += tally.claims;
                    own.gave_up += tally.gave_up;
                    own.unsupported += tally.unsupported;
                    own.faults += tally.faults;
                }
                None => self.participants.push(tally.clone()),
            }
        }
    }

    fn count(&mut self, comparison: &Comparison) {
        self.puzzles += 1;
        if comparison.claims() >= 2 {
            self.compared += 1;
        } else {
            self.not_compared += 1;
        }
        self.disagreements += u64::from(comparison.is_disagreement());
        for said in comparison.answers() {
            let tally = &mut self.participants[said.seat()];
            let count = match said.answer().kind() {
                AnswerKind::Claim => &mut tally.claims,
                AnswerKind::GaveUp(_) => &mut tally.gave_up,
                AnswerKind::Unsupported => &mut tally.unsupported,
                AnswerKind::Nothing => continue,
                AnswerKind::Fault(_) => &mut tally.faults,
            };
            *count += 1;
        }
    }
}

impl Default for Crosscheck {
    fn default() -> Crosscheck {
        Crosscheck::new()
    }
}

impl fmt::Debug for Crosscheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crosscheck").field("cap", &self.cap).field("summary", &self.summary).finish_non_exhaustive()
    }
}

impl Crosscheck {
    /// Without participants and limits; up to 10 solutions are asked for, and 2,000 questions make a disagreement small.
    pub fn new() -> Crosscheck {
        Crosscheck {
            participants: Vec::new(),
            cap: 10,
            limits: Limits::none(),
            effort: Effort { questions: 2000, time: None },
            seed: None,
            history: VecDeque::new(),
            summary: Summary::default(),
        }
    }

    /// Adds a participant.
    #[must_use]
    pub fn participant(mut self, participant: Box<dyn Participant>) -> Crosscheck {
        self.summary.participants.push(Tally { name: participant.name().into(), ..Tally::default() });
        self.participants.push(participant);
        self
    }

    /// Adds a strategy of the registry, or a row of your own.
    #[must_use]
    pub fn strategy(self, strategy: &Strategy) -> Crosscheck {
        self.participant(Box::new(SolverParticipant::from(strategy)))
    }

    /// Adds a solver by the function that builds it.
    #[must_use]
    pub fn solver(self, name: impl Into<String>, build: impl Fn() -> Box<dyn Solver> + Send + 'static) -> Crosscheck {
        self.participant(Box::new(SolverParticipant::new(name, build)))
    }

    /// Asks for up to this many solutions. A puzzle with fewer has its set of solutions compared, one with as many or more the fact that there
    /// are as many. 0 counts as 1.
    #[must_use]
    pub fn cap(mut self, cap: u64) -> Crosscheck {
        self.cap = cap.max(1);
        self
    }

    /// Limits each answer. A token in them also ends the shrinking.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Crosscheck {
        self.limits = limits;
        self
    }

    /// Makes a disagreement small with at most so many puzzles asked, and for not much longer than this time.
    #[must_use]
    pub fn effort(mut self, questions: u64, time: Option<Duration>) -> Crosscheck {
        self.effort = Effort { questions, time };
        self
    }

    /// Asks each puzzle from now on also turned, mirrored, relabelled and with its lines moved, which must not change the answer but for these
    /// changes: see [`Changes`]. The seed makes the changes; give each puzzle another one.
    pub fn change(&mut self, seed: Option<u64>) {
        self.seed = seed;
    }

    /// What was asked and answered so far.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Asks everyone about a puzzle.
    ///
    /// # Errors
    /// Where something is wrong with the answers: the finding, with the smallest puzzle found that shows it.
    pub fn puzzle(&mut self, puzzle: &Puzzle) -> Result<Comparison, Box<Finding>> {
        let comparison = self.compare(puzzle);
        if comparison.is_disagreement() && !self.is_cancelled() {
            Err(Box::new(self.examine(puzzle, comparison)))
        } else {
            Ok(comparison)
        }
    }

    /// Asks everyone about a puzzle, and leaves a disagreement as it is.
    pub fn compare(&mut self, puzzle: &Puzzle) -> Comparison {
        let changes = self.seed.map(|seed| Changes::new(puzzle.rules(), &Change::ALL, seed));
        let comparison = self.ask(puzzle, changes.as_ref());
        self.summary.count(&comparison);
        if self.history.len() == HISTORY {
            self.history.pop_front();
        }
        self.history.push_back((puzzle.clone(), self.seed));
        comparison
    }

    /// Finds out whether a disagreement, the last that [`compare`](Crosscheck::compare) gave, comes again, and makes it small. All participants start
    /// anew.
    pub fn examine(&mut self, puzzle: &Puzzle, comparison: Comparison) -> Finding {
        shrink::examine(self, puzzle, comparison)
    }

    fn is_cancelled(&self) -> bool {
        self.limits.cancels().iter().any(CancelToken::is_cancelled)
    }

    fn restart(&mut self) {
        self.participants.iter_mut().for_each(|participant| participant.restart());
    }

    /// Asks everyone, and notes nothing.
    fn ask(&mut self, puzzle: &Puzzle, changes: Option<&Changes>) -> Comparison {
        let changed = changes.map(|changes| (changes, changes.apply(puzzle)));
        let mut said = Vec::with_capacity(2 * self.participants.len());
        for (seat, participant) in self.participants.iter_mut().enumerate() {
            let answer = participant.answer(puzzle, self.cap, &self.limits).checked(puzzle);
            said.push(Said { name: participant.name().into(), seat, answer });
            if let Some((changes, changed)) = &changed {
                // Checked by the changed rules, then by the rules: both say the same of a board that fits.
                let answer = participant.answer(changed, self.cap, &self.limits).checked(changed);
                let answer = answer.map_solutions(|board| changes.back(board)).checked(puzzle);
                said.push(Said { name: format!("{} ({changes})", participant.name()), seat, answer });
            }
        }
        said.retain(|said| *said.answer.kind() != AnswerKind::Nothing);
        Comparison::new(said)
    }
}

/// Whether a disagreement comes again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repeats {
    /// Participants that were asked nothing before disagree again.
    Alone,
    /// Only after other puzzles: a participant keeps state from one to the next. [`Finding::before`] has them.
    After,
    /// Not even after the same puzzles as far as they are remembered: state from longer ago, chance, or a time limit.
    Not,
}

/// A disagreement, made small.
#[derive(Clone, Debug)]
pub struct Finding {
    original: Puzzle,
    first: Comparison,
    smallest: Puzzle,
    before: Vec<Puzzle>,
    comparison: Comparison,
    repeats: Repeats,
    /// The seed and the kinds of changes without which it does not show.
    changes: Option<(u64, Vec<Change>)>,
    questions: u64,
}

impl Finding {
    /// The puzzle that was asked.
    pub fn original(&self) -> &Puzzle {
        &self.original
    }

    /// The answers to it.
    pub fn first_comparison(&self) -> &Comparison {
        &self.first
    }

    /// The smallest puzzle found that shows it.
    pub fn smallest(&self) -> &Puzzle {
        &self.smallest
    }

    /// The answers to the smallest.
    pub fn comparison(&self) -> &Comparison {
        &self.comparison
    }

    /// The puzzles that have to be asked before the smallest, in this order; empty unless state is kept.
    pub fn before(&self) -> &[Puzzle] {
        &self.before
    }

    /// Whether it comes again.
    pub fn repeats(&self) -> Repeats {
        self.repeats
    }

    /// The seed and the kinds of the changes without which it does not show, as [`Changes::new`] takes them.
    pub fn changes(&self) -> Option<(u64, &[Change])> {
        self.changes.as_ref().map(|(seed, kinds)| (*seed, kinds.as_slice()))
    }

    /// How many puzzles were asked to make it small.
    pub fn questions(&self) -> u64 {
        self.questions
    }
}

/// For people: who says what about the smallest puzzle, and where it comes from.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.repeats {
            Repeats::Alone => writeln!(f, "disagreement")?,
            Repeats::After => {
                writeln!(f, "disagreement that only comes after other puzzles, so that state is kept between them")?;
            }
            Repeats::Not => writeln!(f, "disagreement that did not come again when it was asked anew")?,
        }
        for (i, puzzle) in self.before.iter().enumerate() {
            writeln!(f, "puzzle {} of {}: {puzzle} ({})", i + 1, self.before.len() + 1, puzzle.rules())?;
        }
        let blanks = self.smallest.rules().cell_count() - self.smallest.board().given_count();
        writeln!(f, "{:#}", self.smallest.board())?;
        writeln!(
            f,
            "rules {}, {} givens, {blanks} blanks{}",
            self.smallest.rules(),
            self.smallest.board().given_count(),
            if self.smallest.restrictions().is_some() { ", candidates restricted" } else { "" }
        )?;
        write!(f, "{}", self.comparison)?;
        if self.smallest != self.original {
            writeln!(f, "made of: {} ({})", self.original, self.original.rules())?;
        }
        Ok(())
    }
}

/// What a disagreement is about: whose answers do not fit, and how.
type Signature = BTreeSet<(ConflictKind, usize)>;

fn signature(comparison: &Comparison) -> Signature {
    let seat = |i: usize| comparison.answers()[i].seat();
    let mut signature = Signature::new();
    for conflict in comparison.conflicts() {
        signature.insert((conflict.kind(), seat(conflict.who())));
        if let (ConflictKind::Contradiction, Some(other)) = (conflict.kind(), conflict.other()) {
            signature.insert((conflict.kind(), seat(other)));
        }
    }
    signature
}
