//! Many classic puzzles at once on one core.
//!
//! Every puzzle has a lane of its own in vectors of `u16`: one vector a cell, and in each lane the cell's candidate set (bit `d - 1`
//! for digit `d`). A sweep infers for all lanes together and without a branch; a lane that comes no further is dealt with by
//! itself: it takes an arrangement of a digit and keeps the others on its own stack, or reports its solution, or goes back
//! to its last branch, or takes the next puzzle of the batch. When there are no more puzzles, lanes at rest take branches of
//! the busy ones.
//!
//! The kernel is written once, against a few operations ([`lanes::Lanes`]), and compiled for each kind of processor.

mod engine;
mod lanes;
mod sweep;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::collections::VecDeque;

pub(crate) use engine::Path;
use engine::{Bounds, Counts, Ending, Poll, Work};
use ninefold_core::clock::{self, Moment};
use ninefold_core::{Board, Budget, CancelToken, Caps, Counter, Counters, End, Limits, Outcome, Puzzle};

/// What a lane can take: a puzzle, or a board that nobody has checked. Clashing givens need no check here, since a sweep finds them out
/// as it finds out any other reason why there is no solution.
pub(crate) trait Given {
    fn board(&self) -> &Board;

    fn restrictions(&self) -> Option<[u16; 81]>;

    /// Checks a solution and adds it.
    fn add_solution(&self, digits: &[u8; 81], outcome: &mut Outcome);
}

impl Given for Puzzle {
    #[inline]
    fn board(&self) -> &Board {
        self.board()
    }

    #[inline]
    fn restrictions(&self) -> Option<[u16; 81]> {
        self.restrictions()?;
        let mut sets = [0; 81];
        for (set, cell) in sets.iter_mut().zip(self.rules().cells()) {
            *set = self.allowed(cell).bits() as u16;
        }
        Some(sets)
    }

    #[inline]
    fn add_solution(&self, digits: &[u8; 81], outcome: &mut Outcome) {
        outcome.add_solution(self, digits);
    }
}

impl Given for Board {
    #[inline]
    fn board(&self) -> &Board {
        self
    }

    #[inline]
    fn restrictions(&self) -> Option<[u16; 81]> {
        None
    }

    #[inline]
    fn add_solution(&self, digits: &[u8; 81], outcome: &mut Outcome) {
        outcome.add_board_solution(self, digits);
    }
}

/// The body of [`search_batch`](ninefold_core::Solver::search_batch) and [`search_boards`](ninefold_core::Solver::search_boards): one
/// outcome a puzzle, in their order. Puzzles of other rules than the classic ones are unsupported.
///
/// `each` limits every single puzzle, `whole` the batch. A limit on time for a single puzzle counts from the moment at which it
/// comes into a lane, and is kept to within a millisecond.
pub(crate) fn search<G: Given>(path: Path, puzzles: &[G], caps: &Caps, cap: u64, each: &Limits, whole: &Limits) -> Vec<Outcome> {
    let unsupported = || Outcome::new(End::Unsupported, Counters::zero(caps.counters));
    // The end of an unsupported puzzle stays; the others get theirs.
    let mut outcomes: Vec<Outcome> = puzzles.iter().map(|_| unsupported()).collect();
    let classic =
        puzzles.iter().enumerate().filter_map(|(place, puzzle)| Some((puzzle.board().classic_bytes()?, place))).collect();
    // Deadlines and tokens end everything, whoever set them: only a time is a puzzle's own.
    let own_time = each.time().is_some();
    let deadlines = [whole.deadline_from_now(), each.deadline_from_now().filter(|_| !own_time)];
    let bounds =
        Bounds { solutions: cap.max(1), nodes: each.nodes().unwrap_or(u64::MAX), total_nodes: whole.nodes().unwrap_or(u64::MAX) };
    let mut batch = Batch {
        puzzles,
        classic,
        counters: Counters::zero(caps.counters),
        outcomes: &mut outcomes,
        deadline: deadlines.into_iter().flatten().min(),
        cancels: whole.cancels().iter().chain(each.cancels()).collect(),
        own: own_time.then_some(each),
        due: VecDeque::new(),
    };
    engine::run(path, bounds, &mut batch);
    outcomes
}

/// The classic puzzles of a batch.
struct Batch<'a, G> {
    puzzles: &'a [G],
    /// The givens of each, and its place in `puzzles`.
    classic: Vec<(&'a [u8; 81], usize)>,
    outcomes: &'a mut [Outcome],
    /// All that are kept, at zero.
    counters: Counters,
    deadline: Option<Moment>,
    cancels: Vec<&'a CancelToken>,
    /// The limits of a single puzzle, if there is one on its time.
    own: Option<&'a Limits>,
    /// For each tick the moment at which puzzles begun before it have to give up.
    due: VecDeque<(u64, Moment)>,
}

impl<G: Given> Work for Batch<'_, G> {
    fn len(&self) -> usize {
        self.classic.len()
    }

    fn givens(&self, puzzle: usize) -> &[u8; 81] {
        self.classic[puzzle].0
    }

    fn restrictions(&self, puzzle: usize) -> Option<[u16; 81]> {
        self.puzzles[self.classic[puzzle].1].restrictions()
    }

    fn solution(&mut self, puzzle: usize, digits: &[u8; 81]) {
        let place = self.classic[puzzle].1;
        self.puzzles[place].add_solution(digits, &mut self.outcomes[place]);
    }

    fn again(&mut self, puzzle: usize) {
        self.outcomes[self.classic[puzzle].1] = Outcome::new(End::Unsupported, self.counters);
    }

    fn end(&mut self, puzzle: usize, ending: Ending, counts: Counts) {
        let mut counters = self.counters;
        counters.set(Counter::Nodes, counts.nodes);
        counters.set(Counter::Guesses, counts.guesses);
        counters.set(Counter::DeadEnds, counts.dead_ends);
        counters.set(Counter::MaxDepth, u64::from(counts.max_depth));
        let end = match ending {
            Ending::Exhausted => End::Exhausted,
            Ending::Capped => End::Stopped,
            Ending::Nodes => End::OutOfBudget(Budget::Nodes),
            Ending::Time => End::OutOfBudget(Budget::Time),
            Ending::Cancelled => End::OutOfBudget(Budget::Cancelled),
        };
        self.outcomes[self.classic[puzzle].1].set_end(end, counters);
    }

    fn poll(&mut self, tick: u64) -> Poll {
        if self.cancels.iter().any(|token| token.is_cancelled()) {
            return Poll { stop: Some(Ending::Cancelled), overdue: 0 };
        }
        if self.deadline.is_none() && self.own.is_none() {
            return Poll::default();
        }
        // Before the clock is read for the comparison, so that no time at all is due now.
        let due = self.own.and_then(Limits::deadline_from_now);
        let now = clock::now();
        let mut poll = Poll::default();
        if self.deadline.is_some_and(|deadline| deadline <= now) {
            poll.stop = Some(Ending::Time);
        }
        if let Some(due) = due {
            // Due before it began: no time at all, or a deadline besides that has passed.
            if due <= now {
                poll.stop = Some(Ending::Time);
            }
            self.due.push_back((tick, due));
            while let Some(&(tick, due)) = self.due.front()
                && due <= now
            {
                poll.overdue = tick;
                self.due.pop_front();
            }
        }
        poll
    }
}
