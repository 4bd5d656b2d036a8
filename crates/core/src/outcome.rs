//! How a search ends, and what is known then.

use std::time::Duration;

use crate::puzzle::Givens;
use crate::{Board, Budget, Counters, Puzzle, Solution};

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub enum End {
    /// Everything was searched: the solutions found are all there are.
    Exhausted,
    /// The visitor, or the cap on solutions, had enough.
    Stopped,
    /// A limit ran out: nothing is known about what was not searched.
    OutOfBudget(Budget),
    /// The strategy does not take these rules. Nothing was searched.
    Unsupported,
}

/// What is known about the solutions of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// No solution.
    Unsolvable,
    /// Exactly one solution: a proper puzzle.
    Unique(Solution),
    /// At least two solutions; here are two of them.
    Multiple([Solution; 2]),
    /// The search gave up before it knew.
    Unknown(Budget),
    /// The strategy does not take these rules.
    Unsupported,
}

impl Verdict {
    /// The word that programs read: `unsolvable`, `unique`, `multiple`, `unknown` or `unsupported`.
    pub const fn name(&self) -> &'static str {
        match self {
            Verdict::Unsolvable => "unsolvable",
            Verdict::Unique(_) => "unique",
            Verdict::Multiple(_) => "multiple",
            Verdict::Unknown(_) => "unknown",
            Verdict::Unsupported => "unsupported",
        }
    }
}

/// Where the time of a search went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Before the search: building the matrix, the formula, the candidates.
    pub setup: Duration,
    /// The search itself.
    pub search: Duration,
}

/// What came of one search.
#[derive(Clone, Debug)]
#[must_use]
pub struct Outcome {
    end: End,
    count: u64,
    first: Option<Solution>,
    second: Option<Solution>,
    counters: Counters,
    times: Option<Times>,
}

impl Outcome {
    /// An outcome without solutions. For engines that fill outcomes themselves, as a batch engine does; others get theirs from
    /// [`Search::finish`](crate::Search::finish).
    pub fn new(end: End, counters: Counters) -> Outcome {
        Outcome { end, count: 0, first: None, second: None, counters, times: None }
    }

    /// How the search ended.
    pub fn end(&self) -> End {
        self.end
    }

    /// Solutions found, up to the cap.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether [`count`](Outcome::count) is the count of all solutions: the search ended by itself.
    pub fn is_exact(&self) -> bool {
        self.end == End::Exhausted
    }

    /// The first solution that was found.
    pub fn solution(&self) -> Option<&Solution> {
        self.first.as_ref()
    }

    /// The first two solutions that were found, in the order of finding.
    pub fn solutions(&self) -> impl Iterator<Item = &Solution> {
        self.first.iter().chain(&self.second)
    }

    /// What was counted.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Where the time went, if the search was timed.
    pub fn times(&self) -> Option<Times> {
        self.times
    }

    /// What is known about the puzzle. A search that stopped at its first solution does not know whether there are more:
    /// [`Verdict::Unknown`] with [`Budget::Solutions`].
    pub fn verdict(&self) -> Verdict {
        match (self.end, &self.first, &self.second) {
            (End::Unsupported, ..) => Verdict::Unsupported,
            (_, Some(first), Some(second)) => Verdict::Multiple([first.clone(), second.clone()]),
            (End::Exhausted, Some(first), None) => Verdict::Unique(first.clone()),
            (End::Exhausted, None, _) => Verdict::Unsolvable,
            (End::Stopped, ..) => Verdict::Unknown(Budget::Solutions),
            (End::OutOfBudget(budget), ..) => Verdict::Unknown(budget),
        }
    }

    /// Checks a full board against the puzzle and takes it in as a solution. The count goes up; the first two are kept.
    /// `digits` has one byte a cell in row-major order, 1 to the side.
    ///
    /// # Panics
    /// Where the board does not solve the puzzle: that is a bug in the strategy.
    #[inline]
    pub fn add_solution(&mut self, puzzle: &Puzzle, digits: &[u8]) {
        self.add(puzzle.givens(), digits);
    }

    /// The same for a board that nobody has checked for clashes: that there is a solution says that it has none.
    ///
    /// # Panics
    /// Where `digits` do not keep the rules or not the givens: that is a bug in the strategy.
    #[inline]
    pub fn add_board_solution(&mut self, board: &Board, digits: &[u8]) {
        self.add(Givens::of_board(board), digits);
    }

    #[inline]
    fn add(&mut self, givens: Givens<'_>, digits: &[u8]) {
        // What is not kept is only checked: the copy takes longer than the check.
        if self.second.is_some() && givens.are_solved_by(digits) {
            self.count += 1;
        } else {
            self.keep(checked(givens, digits));
        }
    }

    /// Ends the outcome with what an engine knows at last.
    pub fn set_end(&mut self, end: End, counters: Counters) {
        self.counters = counters;
        self.finish(end);
    }

    /// Ends the outcome with the counters that it has.
    pub(crate) fn finish(&mut self, end: End) {
        self.end = end;
        self.counters.set(crate::Counter::Solutions, self.count);
    }

    pub(crate) fn counters_mut(&mut self) -> &mut Counters {
        &mut self.counters
    }

    pub(crate) fn keep(&mut self, solution: Solution) {
        self.count += 1;
        if self.first.is_none() {
            self.first = Some(solution);
        } else if self.second.is_none() {
            self.second = Some(solution);
        }
    }

    pub(crate) fn set_times(&mut self, times: Times) {
        self.times = Some(times);
    }
}

/// The solution that a strategy reports, checked by the rules alone: no strategy vouches for itself.
#[inline]
pub(crate) fn checked(givens: Givens<'_>, digits: &[u8]) -> Solution {
    if let Some(solution) = Solution::from_classic_bytes(givens, digits) {
        return solution;
    }
    // The general way, which also says what is wrong.
    let board = match Board::from_bytes(givens.board().rules(), digits) {
        Ok(board) => board,
        Err(error) => wrong(givens, &error),
    };
    match Solution::of(givens, board) {
        Ok(solution) => solution,
        Err(error) => wrong(givens, &error),
    }
}

#[cold]
fn wrong(givens: Givens<'_>, error: &dyn std::error::Error) -> ! {
    panic!("a strategy reported a solution that is none: {error} (puzzle {})", givens.board())
}
