//! Who takes part, and what they can say.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{Board, Budget, End, Limits, Puzzle, Solution, Solver, Strategy};

/// Someone who answers puzzles: a solver of this process ([`SolverParticipant`]), or a program outside, a service, a table of known answers.
///
/// Nothing that a participant says is believed: [`Crosscheck`](super::Crosscheck) holds every solution against the rules and the
/// answers against each other.
pub trait Participant: Send {
    /// What reports call it.
    fn name(&self) -> &str;

    /// Says what it knows about the solutions of a puzzle, of which no more than `cap` are asked for.
    ///
    /// Whatever goes wrong is an answer too: see [`Answer::fault`].
    fn answer(&mut self, puzzle: &Puzzle, cap: u64, limits: &Limits) -> Answer;

    /// Forgets everything, as if nothing had been asked before.
    fn restart(&mut self);
}

/// A [`Solver`] of this process. It is used again from puzzle to puzzle, as its users would, so that state that it
/// keeps by mistake shows; a panic is its answer, and it is built anew then.
///
/// A solver that obeys no limit and never returns cannot be stopped from outside: nor is it here.
pub struct SolverParticipant {
    name: String,
    build: Box<dyn Fn() -> Box<dyn Solver> + Send>,
    solver: Option<Box<dyn Solver>>,
}

impl SolverParticipant {
    /// A solver by the function that builds it.
    pub fn new(name: impl Into<String>, build: impl Fn() -> Box<dyn Solver> + Send + 'static) -> SolverParticipant {
        SolverParticipant { name: name.into(), build: Box::new(build), solver: None }
    }
}

impl From<&Strategy> for SolverParticipant {
    fn from(strategy: &Strategy) -> SolverParticipant {
        SolverParticipant::new(strategy.name, strategy.build)
    }
}

impl fmt::Debug for SolverParticipant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolverParticipant").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Participant for SolverParticipant {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&mut self, puzzle: &Puzzle, cap: u64, limits: &Limits) -> Answer {
        let SolverParticipant { build, solver, .. } = self;
        // Whatever state a panic leaves behind is thrown away below.
        let asked = catch_unwind(AssertUnwindSafe(|| solver.get_or_insert_with(build).solutions(puzzle, cap, limits)));
        match asked {
            Ok((solutions, outcome)) => {
                let boards: Vec<Board> = solutions.iter().map(|solution| solution.board().clone()).collect();
                let (shown, told) = (boards.len() as u64, outcome.count());
                match outcome.end() {
                    _ if shown != told => Answer::fault(format!("counts {told} solutions and shows {shown}")),
                    _ if shown > cap => Answer::fault(format!("goes on after the {cap} solutions that were asked for")),
                    End::Exhausted => Answer::all(boards),
                    End::Stopped if shown == cap => Answer::some(boards),
                    End::Stopped => Answer::fault(format!("stops at {shown} solutions where {cap} are asked for")),
                    End::OutOfBudget(budget) => Answer::gave_up(budget, boards),
                    End::Unsupported if shown == 0 => Answer::unsupported(),
                    End::Unsupported => Answer::fault("does not take the rules, but shows a solution"),
                }
            }
            Err(payload) => {
                self.restart();
                Answer::fault(format!("panics: {}", message_of(&*payload)))
            }
        }
    }

    fn restart(&mut self) {
        let solver = self.solver.take();
        // After a panic the parts that are left may well panic again.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(solver)));
    }
}

fn message_of(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

/// What kind of answer it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnswerKind {
    /// A statement about the solutions.
    Claim,
    /// A limit ran out. What was found until then is known all the same.
    GaveUp(Budget),
    /// The rules are not taken, or the puzzle cannot be put to this participant.
    Unsupported,
    /// It has nothing to say to this puzzle, as a list of known answers in which it is not. It is left out of the comparison.
    Nothing,
    /// Something that no participant should do, as a clause: `panics: …`, `shows what is no solution: …`.
    Fault(String),
}

/// What a participant says: there are at least so many solutions and at most so many, and these are some of them.
///
/// ```
/// use ninefold::crosscheck::Answer;
/// assert_eq!(Answer::claim(2, Some(2)).to_string(), "exactly 2 solutions");
/// assert_eq!(Answer::claim(2, None).to_string(), "at least 2 solutions");
/// assert_eq!(Answer::claim(0, Some(0)).to_string(), "no solution");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    kind: AnswerKind,
    at_least: u64,
    at_most: Option<u64>,
    solutions: Vec<Board>,
}

impl Answer {
    /// These are all solutions.
    pub fn all(solutions: Vec<Board>) -> Answer {
        let count = solutions.len() as u64;
        Answer { kind: AnswerKind::Claim, at_least: count, at_most: Some(count), solutions }
    }

    /// These are solutions, and there may be more.
    pub fn some(solutions: Vec<Board>) -> Answer {
        Answer { kind: AnswerKind::Claim, at_least: solutions.len() as u64, at_most: None, solutions }
    }

    /// A statement about the count without, or with only some of, the solutions.
    pub fn claim(at_least: u64, at_most: Option<u64>) -> Answer {
        Answer { kind: AnswerKind::Claim, at_least, at_most, solutions: Vec::new() }
    }

    /// Adds a solution to what is shown.
    #[must_use]
    pub fn with_solution(mut self, solution: Board) -> Answer {
        self.solutions.push(solution);
        self
    }

    /// A limit ran out after these solutions.
    pub fn gave_up(budget: Budget, solutions: Vec<Board>) -> Answer {
        Answer { kind: AnswerKind::GaveUp(budget), ..Answer::some(solutions) }
    }

    /// The rules are not taken.
    pub fn unsupported() -> Answer {
        Answer { kind: AnswerKind::Unsupported, ..Answer::claim(0, None) }
    }

    /// There is nothing to say.
    pub fn nothing() -> Answer {
        Answer { kind: AnswerKind::Nothing, ..Answer::claim(0, None) }
    }

    /// The participant did what none should do, as a clause: it crashed, said nothing in time, answered nonsense.
    pub fn fault(what: impl Into<String>) -> Answer {
        Answer { kind: AnswerKind::Fault(what.into()), ..Answer::claim(0, None) }
    }

    /// What kind of answer it is.
    pub fn kind(&self) -> &AnswerKind {
        &self.kind
    }

    /// Whether it says something that it stands for, so that it can agree or disagree.
    pub fn is_claim(&self) -> bool {
        self.kind == AnswerKind::Claim
    }

    /// There are at least so many solutions.
    pub fn at_least(&self) -> u64 {
        self.at_least
    }

    /// There are at most so many; `None` where that is left open.
    pub fn at_most(&self) -> Option<u64> {
        self.at_most
    }

    /// The solutions that are shown. In a [`Comparison`](super::Comparison) they are checked by the rules, sorted, and each there once.
    pub fn solutions(&self) -> &[Board] {
        &self.solutions
    }

    /// The same with other boards in place of the solutions.
    pub(super) fn map_solutions(mut self, map: impl Fn(&Board) -> Board) -> Answer {
        self.solutions = self.solutions.iter().map(map).collect();
        self
    }

    /// The answer with sorted solutions, or the fault that is in it.
    pub(super) fn checked(mut self, puzzle: &Puzzle) -> Answer {
        for board in &self.solutions {
            if let Err(error) = Solution::new(puzzle, board.clone()) {
                return Answer::fault(format!("shows what is no solution: {error} ({board})"));
            }
        }
        self.solutions.sort_unstable_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
        if let Some(pair) = self.solutions.windows(2).find(|pair| pair[0] == pair[1]) {
            return Answer::fault(format!("shows a solution twice: {}", pair[0]));
        }
        let shown = self.solutions.len() as u64;
        if let Some(most) = self.at_most.filter(|most| *most < shown.max(self.at_least)) {
            return Answer::fault(format!("says that there are at most {most} solutions, but also {}", shown.max(self.at_least)));
        }
        self.at_least = self.at_least.max(shown);
        self
    }
}

/// One clause, without the solutions unless it is the only one.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let solutions = |count: u64| if count == 1 { "solution" } else { "solutions" };
        match (&self.kind, self.at_least, self.at_most) {
            (AnswerKind::Unsupported, ..) => f.write_str("does not take it"),
            (AnswerKind::Nothing, ..) => f.write_str("says nothing"),
            (AnswerKind::Fault(what), ..) => f.write_str(what),
            (AnswerKind::GaveUp(budget), 0, _) => write!(f, "gave up ({budget})"),
            (AnswerKind::GaveUp(budget), found, _) => write!(f, "gave up ({budget}) after {found} {}", solutions(found)),
            (AnswerKind::Claim, _, Some(0)) => f.write_str("no solution"),
            (AnswerKind::Claim, least, Some(most)) if least == most => write!(f, "exactly {most} {}", solutions(most)),
            (AnswerKind::Claim, least, Some(most)) => write!(f, "{least} to {most} solutions"),
            (AnswerKind::Claim, least, None) => write!(f, "at least {least} {}", solutions(least)),
        }?;
        match &self.solutions[..] {
            [only] => write!(f, ": {only}"),
            _ => Ok(()),
        }
    }
}
