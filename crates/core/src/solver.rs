//! The trait that every strategy implements.

use std::ops::ControlFlow;

use crate::{Board, Caps, Counters, End, Limits, Outcome, Puzzle, Search, Solution, Verdict};

/// A way of solving puzzles. One method is required, [`search`](Solver::search); the others ask it the usual questions.
///
/// What every implementation keeps (crate `ninefold-testkit` checks it):
///
/// - Every solution is reported once, and the end is [`End::Exhausted`] only when there are no others.
/// - "No solution" and "gave up" are never mistaken for each other.
/// - Limits are honoured inside one search: it ends within 50 ms of a deadline or a cancellation, on any board.
/// - A solver may be used again after any ending and gives the same answer.
/// - Rules that it does not take end as [`End::Unsupported`], at once.
///
/// ```
/// use ninefold_core::{Limits, Puzzle, Solver, Verdict};
///
/// fn is_proper(solver: &mut dyn Solver, puzzle: &Puzzle) -> bool {
///     matches!(solver.classify(puzzle, &Limits::none()), Verdict::Unique(_))
/// }
/// ```
pub trait Solver: Send {
    /// Searches the puzzle and reports to its companion: first [`Search::begin`], then what happens, and every solution.
    fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End;

    /// What this solver takes and what it counts. By default every rule set and the counters of a search tree.
    fn caps(&self) -> Caps {
        Caps::ALL
    }

    /// The first solution: see [`Outcome::solution`]. Does not ask whether there are more.
    fn solve(&mut self, puzzle: &Puzzle, limits: &Limits) -> Outcome {
        self.count(puzzle, 1, limits)
    }

    /// Whether the puzzle has no solution, exactly one, or more.
    fn classify(&mut self, puzzle: &Puzzle, limits: &Limits) -> Verdict {
        self.count(puzzle, 2, limits).verdict()
    }

    /// Counts solutions up to a cap. [`Outcome::is_exact`] tells whether there are no more.
    fn count(&mut self, puzzle: &Puzzle, cap: u64, limits: &Limits) -> Outcome {
        let mut search = Search::new(limits);
        search.set_cap(cap);
        let end = self.search(puzzle, &mut search);
        search.finish(end)
    }

    /// Up to `most` solutions, in the order in which this strategy finds them, and the outcome.
    fn solutions(&mut self, puzzle: &Puzzle, most: u64, limits: &Limits) -> (Vec<Solution>, Outcome) {
        let mut found = Vec::new();
        let mut visitor = |solution: &Solution| {
            found.push(solution.clone());
            ControlFlow::Continue(())
        };
        let mut search = Search::new(limits).with_cap(most).with_visitor(&mut visitor);
        let end = self.search(puzzle, &mut search);
        let outcome = search.finish(end);
        (found, outcome)
    }

    /// Searches many puzzles, each up to `cap` solutions, and gives one outcome for each, in their order.
    ///
    /// `each` limits every single puzzle, `whole` the batch: its node limit is shared by all, and when it runs out the puzzles not
    /// yet searched end as [`End::OutOfBudget`], with what was found. By default one puzzle after the other; an engine that
    /// works on many at once overrides it. The end and the solutions of a puzzle do not depend on the others unless a limit runs out; what is
    /// counted may, by a little, where an engine works on many at once.
    fn search_batch(&mut self, puzzles: &[Puzzle], cap: u64, each: &Limits, whole: &Limits) -> Vec<Outcome> {
        let deadline = whole.deadline_from_now();
        let mut nodes = whole.nodes();
        let mut outcomes = Vec::with_capacity(puzzles.len());
        for puzzle in puzzles {
            let mut limits = each.clone();
            if let Some(deadline) = deadline {
                limits = limits.with_deadline(deadline);
            }
            if let Some(nodes) = nodes {
                limits = limits.with_nodes(each.nodes().map_or(nodes, |own| own.min(nodes)));
            }
            for token in whole.cancels() {
                limits = limits.with_cancel(token.clone());
            }
            let outcome = self.count(puzzle, cap, &limits);
            if let Some(nodes) = &mut nodes {
                let counters = outcome.counters();
                *nodes -= counters.nodes().or(counters.get(crate::Counter::Conflicts)).unwrap_or(0).min(*nodes);
            }
            outcomes.push(outcome);
        }
        outcomes
    }

    /// The same for boards as they come, whose givens nobody has checked: one outcome a board, in their order.
    ///
    /// A board whose givens clash has no solution, and its outcome says no more than that; where it matters,
    /// [`Board::is_valid`](crate::Board::is_valid) tells a clash from a puzzle without solution. By default every board is checked and
    /// the puzzles are searched as [`search_batch`](Solver::search_batch) does it; an engine that works on many at once saves the
    /// check, which takes long beside its search, of every board for which it finds a solution.
    fn search_boards(&mut self, boards: &[Board], cap: u64, each: &Limits, whole: &Limits) -> Vec<Outcome> {
        let clashing = Outcome::new(End::Exhausted, Counters::zero(self.caps().counters));
        let mut outcomes = vec![clashing; boards.len()];
        let valid = |(place, board): (usize, &Board)| Some((place, Puzzle::new(board.clone()).ok()?));
        let (places, puzzles): (Vec<usize>, Vec<Puzzle>) = boards.iter().enumerate().filter_map(valid).unzip();
        for (place, outcome) in places.into_iter().zip(self.search_batch(&puzzles, cap, each, whole)) {
            outcomes[place] = outcome;
        }
        outcomes
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
        (**self).search(puzzle, search)
    }

    fn caps(&self) -> Caps {
        (**self).caps()
    }

    fn search_batch(&mut self, puzzles: &[Puzzle], cap: u64, each: &Limits, whole: &Limits) -> Vec<Outcome> {
        (**self).search_batch(puzzles, cap, each, whole)
    }

    fn search_boards(&mut self, boards: &[Board], cap: u64, each: &Limits, whole: &Limits) -> Vec<Outcome> {
        (**self).search_boards(boards, cap, each, whole)
    }
}
