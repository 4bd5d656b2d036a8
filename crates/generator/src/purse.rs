//! What is left of the limits of one call that makes many searches.

use ninefold::{Budget, Counter, Limits, Outcome, clock};

/// The limits of a call, turned into what each of its searches may use.
#[derive(Debug)]
pub(crate) struct Purse {
    /// Deadline and tokens.
    limits: Limits,
    /// Nodes left for all searches together.
    nodes: Option<u64>,
    polls: u32,
}

impl Purse {
    pub(crate) fn new(limits: &Limits) -> Purse {
        let mut own = Limits::none();
        if let Some(deadline) = limits.deadline_from_now() {
            own = own.with_deadline(deadline);
        }
        for token in limits.cancels() {
            own = own.with_cancel(token.clone());
        }
        Purse { limits: own, nodes: limits.nodes(), polls: 0 }
    }

    /// The limits of one search of at most so many nodes.
    pub(crate) fn limits(&self, nodes: u64) -> Limits {
        self.limits.clone().with_nodes(self.nodes.map_or(nodes, |left| left.min(nodes)))
    }

    /// Takes off what a search used. `Err` where it says that everything has to end.
    pub(crate) fn spend(&mut self, outcome: &Outcome) -> Result<(), Budget> {
        if let Some(left) = &mut self.nodes {
            *left = left.saturating_sub(steps(outcome));
            if *left == 0 {
                return Err(Budget::Nodes);
            }
        }
        match outcome.end() {
            ninefold::End::OutOfBudget(budget @ (Budget::Time | Budget::Cancelled)) => Err(budget),
            _ => Ok(()),
        }
    }

    /// Whether a limit has run out, for work outside of searches: called every few microseconds, looks now and then.
    pub(crate) fn poll(&mut self) -> Result<(), Budget> {
        self.polls += 1;
        if self.polls.is_multiple_of(64) { self.look() } else { Ok(()) }
    }

    /// The same, at once.
    pub(crate) fn look(&self) -> Result<(), Budget> {
        if self.limits.cancels().iter().any(ninefold::CancelToken::is_cancelled) {
            return Err(Budget::Cancelled);
        }
        if self.limits.deadline().is_some_and(|deadline| deadline <= clock::now()) {
            return Err(Budget::Time);
        }
        if self.nodes == Some(0) { Err(Budget::Nodes) } else { Ok(()) }
    }
}

/// Nodes, or conflicts for a strategy that has no nodes: what a limit on nodes is held against.
pub(crate) fn steps(outcome: &Outcome) -> u64 {
    let counters = outcome.counters();
    counters.nodes().or(counters.get(Counter::Conflicts)).unwrap_or(0)
}
