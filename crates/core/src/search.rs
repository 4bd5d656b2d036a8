//! The companion of one search: limits, counters, visitor, observer.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use crate::clock::{self, Moment};
use crate::outcome::checked;
use crate::{
    Budget, CancelToken, Caps, Cell, Choice, Contradiction, Counter, CounterSet, Counters, Digit, End, Event, Limits, Observer,
    Outcome, Puzzle, Solution, Times, Why,
};

/// How long a search may go without looking at the clock and the cancel token; the interval between two looks, in nodes, is
/// adjusted to stay near it. A fiftieth of what is promised (50 ms), since the cost of a node may jump.
const TARGET: Duration = Duration::from_millis(1);

/// Nodes before the first look. A search that is done by then, as on most classic puzzles, never reads the clock; on a large board a
/// node takes long, and whatever takes longer than a node looks by itself.
const FIRST_INTERVAL: u64 = 8;

/// The most nodes between two looks. At 10 ns a node that is a look every 40 µs, which costs less than 0.1 %.
const MAX_INTERVAL: u64 = 4096;

/// Looks at each solution as it is found; its break ends the search.
type Visitor<'a> = dyn FnMut(&Solution) -> ControlFlow<()> + 'a;

/// One run's companion. An engine tells it what happens and is told when to stop; the caller sets the limits, the cap on
/// solutions, the visitor and the observer beforehand and reads the [`Outcome`] afterwards.
///
/// For an engine, every method that can end the search gives a [`ControlFlow`] whose break value is the [`End`] to return, so that
/// `?` unwinds:
///
/// ```
/// use std::ops::ControlFlow;
/// use ninefold_core::{Caps, End, Limits, Puzzle, Search, Solver};
///
/// /// Solves only what is solved already.
/// struct Nothing;
///
/// impl Nothing {
///     fn walk(&self, puzzle: &Puzzle, search: &mut Search<'_>) -> ControlFlow<End> {
///         search.begin(puzzle, &self.caps())?;
///         search.setup_done();
///         search.node()?;
///         if puzzle.board().is_full() {
///             search.solution(puzzle, puzzle.board().as_bytes())?;
///         }
///         ControlFlow::Continue(())
///     }
/// }
///
/// impl Solver for Nothing {
///     fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
///         Search::end(self.walk(puzzle, search))
///     }
/// }
///
/// let puzzle = Puzzle::new("1234 3412 2143 4321".parse()?)?;
/// let outcome = Nothing.count(&puzzle, 2, &Limits::none());
/// assert_eq!((outcome.count(), outcome.is_exact()), (1, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Search<'a> {
    /// Nodes, or whatever the strategy counts in their place ([`Search::begin`] tells). Compared with `next_look` at each.
    steps: u64,
    /// The step at which the limits are looked at next; `u64::MAX` where there are none.
    next_look: u64,
    interval: u64,
    last_look: Option<Moment>,
    node_limit: u64,
    /// The limit on time, until the first look turns it into a deadline.
    time: Option<Duration>,
    deadline: Option<Moment>,
    cancels: Vec<CancelToken>,
    step_counter: Counter,
    cap: u64,
    /// What came of it so far; its counters are those of the search.
    outcome: Outcome,
    timed: bool,
    begun: Option<Moment>,
    set_up: Option<Moment>,
    visitor: Option<&'a mut Visitor<'a>>,
    observer: Option<&'a mut dyn Observer>,
}

impl<'a> Search<'a> {
    /// A companion with these limits and no cap on solutions.
    ///
    /// The time of [`Limits::with_time`] counts from the first look at the clock, which comes with the set-up of a large board and
    /// within a few nodes of a small one.
    pub fn new(limits: &Limits) -> Search<'a> {
        let cancels = limits.cancels().to_vec();
        let node_limit = limits.nodes().unwrap_or(u64::MAX);
        // No time at all is a deadline that has passed.
        let none_at_all = limits.time().filter(Duration::is_zero).map(|_| clock::now());
        let deadline = none_at_all.or(limits.deadline());
        let looks = deadline.is_some() || limits.time().is_some() || !cancels.is_empty();
        Search {
            steps: 0,
            next_look: if looks { FIRST_INTERVAL } else { u64::MAX }.min(node_limit.saturating_add(1)),
            interval: FIRST_INTERVAL,
            last_look: None,
            node_limit,
            time: limits.time(),
            deadline,
            cancels,
            step_counter: Counter::Nodes,
            cap: u64::MAX,
            outcome: Outcome::new(End::Exhausted, Counters::zero(CounterSet::TREE)),
            timed: false,
            begun: None,
            set_up: None,
            visitor: None,
            observer: None,
        }
    }

    /// Stops at this many solutions. 0 counts as 1.
    #[must_use]
    pub fn with_cap(mut self, cap: u64) -> Search<'a> {
        self.set_cap(cap);
        self
    }

    /// The same without moving half a kilobyte, which an easy puzzle would notice.
    pub(crate) fn set_cap(&mut self, cap: u64) {
        self.cap = cap.max(1);
    }

    /// Shows every solution to this visitor; its break ends the search.
    #[must_use]
    pub fn with_visitor(mut self, visitor: &'a mut Visitor<'a>) -> Search<'a> {
        self.visitor = Some(visitor);
        self
    }

    /// Tells this observer everything that happens.
    #[must_use]
    pub fn with_observer(mut self, observer: &'a mut dyn Observer) -> Search<'a> {
        self.observer = Some(observer);
        self
    }

    /// Measures set-up and search time. Off by default: reading the clock three times costs a good part of what an easy puzzle
    /// takes.
    #[must_use]
    pub fn with_times(mut self) -> Search<'a> {
        self.timed = true;
        self
    }

    /// What came of the search, given how it ended.
    #[inline]
    pub fn finish(mut self, end: End) -> Outcome {
        if let Some(begun) = self.begun {
            let now = clock::now();
            let set_up = self.set_up.unwrap_or(now);
            self.outcome.set_times(Times { setup: set_up.since(begun), search: now.since(set_up) });
        }
        self.outcome.counters_mut().set(self.step_counter, self.steps);
        self.outcome.finish(end);
        self.outcome
    }

    /// The counters so far.
    pub fn counters(&self) -> Counters {
        let mut counters = *self.outcome.counters();
        counters.set(self.step_counter, self.steps);
        counters.set(Counter::Solutions, self.outcome.count());
        counters
    }

    // For engines, in the order in which they call.

    /// Called by an engine before anything else: notes which counters it keeps and what it takes.
    ///
    /// The limit on nodes is held against [`Counter::Nodes`], or against [`Counter::Conflicts`] for a strategy that cannot count
    /// nodes.
    ///
    /// # Errors
    /// Breaks with [`End::Unsupported`] where the strategy does not take the puzzle's rules, and with
    /// [`End::OutOfBudget`] where a limit has already run out.
    #[inline]
    pub fn begin(&mut self, puzzle: &Puzzle, caps: &Caps) -> ControlFlow<End> {
        self.outcome.counters_mut().keep(caps.counters);
        self.step_counter = if caps.counters.contains(Counter::Nodes) { Counter::Nodes } else { Counter::Conflicts };
        if self.timed {
            self.begun = Some(clock::now());
        }
        if !caps.takes(puzzle.rules()) {
            return ControlFlow::Break(End::Unsupported);
        }
        // A deadline may have passed already; a time that begins now has not.
        let time = self.time.take();
        let flow = self.poll();
        self.time = time;
        flow
    }

    /// Called when everything is built and the search itself begins: splits set-up time from search time.
    #[inline]
    pub fn setup_done(&mut self) {
        if self.timed {
            self.set_up = Some(clock::now());
        }
    }

    /// A node is visited. Breaks where a limit has run out; the node that broke is not counted.
    #[inline(always)]
    pub fn node(&mut self) -> ControlFlow<End> {
        self.steps += 1;
        if self.steps < self.next_look { ControlFlow::Continue(()) } else { self.look() }
    }

    /// Nodes that an engine may visit before it has to call [`Search::nodes`]: for engines that keep their count in a register.
    /// Always 1 or more; 1 where someone watches, who is told at which node things happen.
    #[inline]
    pub fn node_allowance(&self) -> u64 {
        if self.observer.is_some() { 1 } else { (self.next_look - self.steps).max(1) }
    }

    /// So many nodes were visited since the last call, at most [`Search::node_allowance`]. Breaks as [`Search::node`] does.
    #[inline]
    pub fn nodes(&mut self, visited: u64) -> ControlFlow<End> {
        self.steps += visited;
        if self.steps < self.next_look { ControlFlow::Continue(()) } else { self.look() }
    }

    /// A conflict of a SAT solver. It is a step for the limits, as [`Search::node`] is.
    #[inline]
    pub fn conflict(&mut self) -> ControlFlow<End> {
        self.node()
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> ControlFlow<End> {
        if self.steps > self.node_limit {
            self.steps = self.node_limit;
            return ControlFlow::Break(End::OutOfBudget(Budget::Nodes));
        }
        if self.time.is_none() && self.deadline.is_none() && self.cancels.is_empty() {
            self.next_look = self.node_limit.saturating_add(1);
            return ControlFlow::Continue(());
        }
        let now = clock::now();
        self.poll_at(|| now)?;
        if let Some(last) = self.last_look {
            let since = now.since(last);
            if since < TARGET / 2 {
                self.interval = (2 * self.interval).min(MAX_INTERVAL);
            } else if since > TARGET {
                self.interval = (self.interval / 4).max(1);
            }
        }
        self.last_look = Some(now);
        self.next_look = (self.steps + self.interval).min(self.node_limit.saturating_add(1));
        ControlFlow::Continue(())
    }

    /// Looks at the clock and the cancel token now. Nodes do that by themselves now and then; engines call it where a single
    /// step can be long: while they build a matrix or a formula, or propagate on a large board.
    #[inline]
    pub fn poll(&mut self) -> ControlFlow<End> {
        self.poll_at(clock::now)
    }

    #[inline]
    fn poll_at(&mut self, now: impl FnOnce() -> Moment) -> ControlFlow<End> {
        if self.cancels.iter().any(CancelToken::is_cancelled) {
            return ControlFlow::Break(End::OutOfBudget(Budget::Cancelled));
        }
        if self.time.is_none() && self.deadline.is_none() {
            return ControlFlow::Continue(());
        }
        let now = now();
        if let Some(time) = self.time.take() {
            let end = now.plus(time);
            self.deadline = Some(self.deadline.map_or(end, |deadline| deadline.min(end)));
        }
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return ControlFlow::Break(End::OutOfBudget(Budget::Time));
        }
        ControlFlow::Continue(())
    }

    /// A choice is taken while others are open; `depth` counts the open guesses, this one included.
    #[inline]
    pub fn guess(&mut self, choice: Choice<'_>, depth: usize) {
        self.outcome.counters_mut().add(Counter::Guesses, 1);
        self.outcome.counters_mut().raise(Counter::MaxDepth, depth as u64);
        if let Some(observer) = &mut self.observer {
            observer.event_at(self.steps, Event::Guess { choice, depth });
        }
    }

    /// A digit is placed because the rules leave no other choice.
    #[inline]
    pub fn propagated(&mut self, cell: Cell, digit: Digit, why: Why) {
        self.outcome.counters_mut().add(Counter::Propagations, 1);
        if let Some(observer) = &mut self.observer {
            observer.event_at(self.steps, Event::Place { cell, digit, why });
        }
    }

    /// A digit is placed because the other choices at this node are refuted. It is neither a guess nor a propagation.
    #[inline]
    pub fn last_choice(&mut self, cell: Cell, digit: Digit) {
        if let Some(observer) = &mut self.observer {
            observer.event_at(self.steps, Event::Place { cell, digit, why: Why::Refuted });
        }
    }

    /// A candidate is removed.
    #[inline]
    pub fn removed(&mut self, cell: Cell, digit: Digit, why: Why) {
        if let Some(observer) = &mut self.observer {
            observer.event_at(self.steps, Event::Remove { cell, digit, why });
        }
    }

    /// The node has no way on.
    #[inline]
    pub fn dead_end(&mut self, why: Contradiction) {
        self.outcome.counters_mut().add(Counter::DeadEnds, 1);
        if let Some(observer) = &mut self.observer {
            observer.event_at(self.steps, Event::DeadEnd { why });
        }
    }

    /// The last guess is taken back; `depth` guesses stay open.
    #[inline]
    pub fn back(&mut self, depth: usize) {
        if let Some(observer) = &mut self.observer {
            observer.event_at(self.steps, Event::Back { depth });
        }
    }

    /// Adds to a counter at once, for engines that count in registers and report now and then.
    #[inline]
    pub fn add(&mut self, counter: Counter, more: u64) {
        self.outcome.counters_mut().add(counter, more);
    }

    /// Raises a counter that is a maximum.
    #[inline]
    pub fn raise(&mut self, counter: Counter, value: u64) {
        self.outcome.counters_mut().raise(counter, value);
    }

    /// Tells the observer and counts nothing: for engines that count in bulk, with [`Search::add`] or a
    /// [`Tally`](crate::Tally).
    #[inline]
    pub fn event(&mut self, event: Event<'_>) {
        if let Some(observer) = &mut self.observer {
            observer.event_at(self.steps, event);
        }
    }

    /// Whether someone watches. An engine whose fast path cannot tell its steps takes a slower one then.
    #[inline]
    pub fn is_observed(&self) -> bool {
        self.observer.is_some()
    }

    /// A solution is found: one byte a cell in row-major order, 1 to the side. Core checks it, counts it and shows it around.
    /// Breaks with [`End::Stopped`] where the caller has enough.
    ///
    /// # Panics
    /// Where the board does not solve the puzzle: that is a bug in the strategy.
    pub fn solution(&mut self, puzzle: &Puzzle, digits: &[u8]) -> ControlFlow<End> {
        if self.visitor.is_none() && self.observer.is_none() {
            self.outcome.add_solution(puzzle, digits);
        } else {
            let solution = checked(puzzle.givens(), digits);
            if let Some(observer) = &mut self.observer {
                observer.event_at(self.steps, Event::Solution { solution: &solution });
            }
            let flow = self.visitor.as_mut().map_or(ControlFlow::Continue(()), |visitor| visitor(&solution));
            self.outcome.keep(solution);
            if flow.is_break() {
                return ControlFlow::Break(End::Stopped);
            }
        }
        if self.outcome.count() < self.cap { ControlFlow::Continue(()) } else { ControlFlow::Break(End::Stopped) }
    }

    /// The end that a finished walk comes to: its break, or else everything was searched.
    pub fn end(flow: ControlFlow<End>) -> End {
        match flow {
            ControlFlow::Continue(()) => End::Exhausted,
            ControlFlow::Break(end) => end,
        }
    }
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("counters", &self.counters()).field("cap", &self.cap).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Solver, Verdict};

    /// Visits nodes for ever, and reports the one solution of its puzzle again and again.
    struct Endless {
        solutions: bool,
    }

    impl Endless {
        fn walk(&self, puzzle: &Puzzle, search: &mut Search<'_>) -> ControlFlow<End> {
            search.begin(puzzle, &self.caps())?;
            search.setup_done();
            loop {
                search.node()?;
                if self.solutions {
                    search.solution(puzzle, puzzle.board().as_bytes())?;
                }
            }
        }
    }

    impl Solver for Endless {
        fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
            Search::end(self.walk(puzzle, search))
        }
    }

    fn puzzle() -> Puzzle {
        Puzzle::new("1234 3412 2143 4321".parse().unwrap()).unwrap()
    }

    #[test]
    fn a_node_limit_is_exact() {
        let token = CancelToken::new();
        for nodes in [0, 1, 2, 1000, 10_000] {
            for limits in [Limits::none().with_nodes(nodes), Limits::none().with_nodes(nodes).with_cancel(token.clone())] {
                let outcome = Endless { solutions: false }.count(&puzzle(), 2, &limits);
                assert_eq!(outcome.end(), End::OutOfBudget(Budget::Nodes));
                assert_eq!(outcome.counters().nodes(), Some(nodes));
                assert_eq!(outcome.verdict(), Verdict::Unknown(Budget::Nodes));
            }
        }
    }

    #[test]
    fn the_highest_node_limit_does_not_overflow() {
        let search = Search::new(&Limits::none().with_nodes(u64::MAX));
        assert_eq!(search.node_allowance(), u64::MAX);
    }

    #[test]
    fn time_and_tokens_end_an_endless_search() {
        let mut solver = Endless { solutions: false };
        let time = Limits::none().with_time(Duration::from_millis(5));
        assert_eq!(solver.solve(&puzzle(), &time).end(), End::OutOfBudget(Budget::Time));
        let (used, unused) = (CancelToken::new(), CancelToken::new());
        used.cancel();
        let cancelled = Limits::none().with_cancel(used).with_cancel(unused);
        assert_eq!(solver.solve(&puzzle(), &cancelled).end(), End::OutOfBudget(Budget::Cancelled));
        assert_eq!(solver.solve(&puzzle(), &cancelled).counters().nodes(), Some(0));
        assert_eq!(solver.solve(&puzzle(), &Limits::none().with_time(Duration::ZERO)).end(), End::OutOfBudget(Budget::Time));
    }

    #[test]
    fn the_cap_and_the_visitor_stop_the_search() {
        let mut solver = Endless { solutions: true };
        for cap in [1, 2, 7] {
            let (found, outcome) = solver.solutions(&puzzle(), cap, &Limits::none());
            assert_eq!((found.len() as u64, outcome.count(), outcome.end()), (cap, cap, End::Stopped));
        }
        let mut seen = 0;
        let mut visitor = |_: &Solution| {
            seen += 1;
            if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut search = Search::new(&Limits::none()).with_visitor(&mut visitor);
        assert_eq!(solver.search(&puzzle(), &mut search), End::Stopped);
        assert_eq!(search.finish(End::Stopped).count(), 3);
    }

    #[test]
    fn counting_nodes_in_bulk_meets_the_same_limit() {
        let limits = Limits::none().with_nodes(1000).with_cancel(CancelToken::new());
        let mut search = Search::new(&limits);
        let mut visited = 0;
        let end = loop {
            let allowance = search.node_allowance();
            visited += allowance;
            if let ControlFlow::Break(end) = search.nodes(allowance) {
                break end;
            }
        };
        assert_eq!(end, End::OutOfBudget(Budget::Nodes));
        assert_eq!(search.finish(end).counters().nodes(), Some(1000));
        assert_eq!(visited, 1001);
    }

    #[test]
    #[should_panic(expected = "a strategy reported a solution that is none: 2 at r1c1 where the puzzle has 1")]
    fn a_wrong_solution_is_a_bug_of_the_strategy() {
        let _ = Search::new(&Limits::none()).solution(&puzzle(), &[2; 16]);
    }

    #[test]
    fn a_batch_shares_its_node_limit() {
        let puzzles = vec![puzzle(); 3];
        let each = Limits::none().with_nodes(40);
        let ends: Vec<_> = Endless { solutions: false }
            .search_batch(&puzzles, 1, &each, &Limits::none().with_nodes(70))
            .iter()
            .map(|outcome| outcome.counters().nodes())
            .collect();
        assert_eq!(ends, [Some(40), Some(30), Some(0)]);
    }
}
