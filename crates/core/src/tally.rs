//! Counters in registers, for engines whose nodes cost a few nanoseconds.

use std::ops::ControlFlow;

use crate::{Counter, End, Search};

/// Counts a depth-first search in local variables and reports to its [`Search`] now and then.
///
/// An engine that visits a node in eight nanoseconds would lose a tenth of its speed if every count went through memory. This one keeps
/// the counts where the compiler can hold them in registers; the limits are still met to the node.
///
/// The engine walks cells (or any other points of choice) one after the other. At each it takes a first choice, and when it
/// comes back, the next one.
#[derive(Debug)]
pub struct Tally {
    allowance: u64,
    left: u64,
    guesses: u64,
    propagations: u64,
    dead_ends: u64,
    open: u64,
    deepest: u64,
}

impl Tally {
    /// Nothing counted yet.
    pub fn new(search: &Search<'_>) -> Tally {
        let allowance = search.node_allowance();
        Tally { allowance, left: allowance, guesses: 0, propagations: 0, dead_ends: 0, open: 0, deepest: 0 }
    }

    /// A node is visited. Breaks where a limit has run out; everything is reported then.
    #[inline(always)]
    pub fn node(&mut self, search: &mut Search<'_>) -> ControlFlow<End> {
        self.left -= 1;
        if self.left != 0 { ControlFlow::Continue(()) } else { self.report(search) }
    }

    /// The first choice at a node is taken: a guess where others are open, else forced.
    #[inline(always)]
    pub fn first_choice(&mut self, others_open: bool) {
        self.guesses += u64::from(others_open);
        self.propagations += u64::from(!others_open);
        self.open += u64::from(others_open);
        self.deepest = self.deepest.max(self.open);
    }

    /// The search came back to a guess, which is closed, and takes the next choice: a guess again where others are open,
    /// else all that is left.
    #[inline(always)]
    pub fn next_choice(&mut self, others_open: bool) {
        self.guesses += u64::from(others_open);
        self.open -= u64::from(!others_open);
    }

    /// The node has no way on.
    #[inline(always)]
    pub fn dead_end(&mut self) {
        self.dead_ends += 1;
    }

    /// The guesses open now.
    #[inline(always)]
    pub fn open(&self) -> usize {
        self.open as usize
    }

    /// Hands everything counted to the search. Breaks where a limit has run out.
    #[cold]
    #[inline(never)]
    pub fn report(&mut self, search: &mut Search<'_>) -> ControlFlow<End> {
        search.add(Counter::Guesses, self.guesses);
        search.add(Counter::Propagations, self.propagations);
        search.add(Counter::DeadEnds, self.dead_ends);
        search.raise(Counter::MaxDepth, self.deepest);
        (self.guesses, self.propagations, self.dead_ends) = (0, 0, 0);
        let flow = search.nodes(self.allowance - self.left);
        self.allowance = search.node_allowance();
        self.left = self.allowance;
        flow
    }
}
