//! What a search counts. One definition each, for every strategy.

use std::fmt;

/// A counter, with its one definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Counter {
    /// Partial assignments visited, the root included. The root is the puzzle itself; every digit, or every choice, that a
    /// strategy tries and finds not refuted at once leads to one more.
    Nodes,
    /// Choices taken where two or more were open. The last choice left at a node is not a guess: the others are refuted.
    Guesses,
    /// Nodes with no way on.
    DeadEnds,
    /// Digits forced rather than chosen: placed because the rules left no other choice. A digit that remains because its
    /// alternatives were searched and refuted is neither forced nor a guess.
    Propagations,
    /// The most guesses open at once.
    MaxDepth,
    /// Solutions found.
    Solutions,
    /// Conflicts of a SAT solver: clauses learned.
    Conflicts,
    /// Decisions of a SAT solver.
    Decisions,
    /// Links taken out of an exact-cover matrix by covering in the search (D. E. Knuth's updates); putting them back is not
    /// counted again, nor is what the givens cover.
    LinkUpdates,
}

impl Counter {
    /// All counters, in the order in which tables show them.
    pub const ALL: [Counter; 9] = [
        Counter::Nodes,
        Counter::Guesses,
        Counter::DeadEnds,
        Counter::Propagations,
        Counter::MaxDepth,
        Counter::Solutions,
        Counter::Conflicts,
        Counter::Decisions,
        Counter::LinkUpdates,
    ];

    /// The name that programs read, such as `dead_ends`.
    pub const fn name(self) -> &'static str {
        match self {
            Counter::Nodes => "nodes",
            Counter::Guesses => "guesses",
            Counter::DeadEnds => "dead_ends",
            Counter::Propagations => "propagations",
            Counter::MaxDepth => "max_depth",
            Counter::Solutions => "solutions",
            Counter::Conflicts => "conflicts",
            Counter::Decisions => "decisions",
            Counter::LinkUpdates => "link_updates",
        }
    }
}

/// A set of counters: those that a strategy keeps.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CounterSet(u16);

impl CounterSet {
    /// The six counters that every strategy that walks a search tree keeps: nodes, guesses, dead ends, propagations,
    /// depth and solutions.
    pub const TREE: CounterSet = CounterSet::of(&[
        Counter::Nodes,
        Counter::Guesses,
        Counter::DeadEnds,
        Counter::Propagations,
        Counter::MaxDepth,
        Counter::Solutions,
    ]);

    /// The set of these counters.
    pub const fn of(counters: &[Counter]) -> CounterSet {
        let mut bits = 0;
        let mut i = 0;
        while i < counters.len() {
            bits |= 1 << counters[i] as u16;
            i += 1;
        }
        CounterSet(bits)
    }

    /// This set and one counter more.
    #[must_use]
    pub const fn with(self, counter: Counter) -> CounterSet {
        CounterSet(self.0 | 1 << counter as u16)
    }

    /// This set without one counter.
    #[must_use]
    pub const fn without(self, counter: Counter) -> CounterSet {
        CounterSet(self.0 & !(1 << counter as u16))
    }

    /// Whether the counter is in the set.
    pub const fn contains(self, counter: Counter) -> bool {
        self.0 & 1 << counter as u16 != 0
    }

    /// The counters, in the order of [`Counter::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Counter> {
        Counter::ALL.into_iter().filter(move |&counter| self.contains(counter))
    }
}

impl fmt::Debug for CounterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The counters of one search. What a strategy cannot know is `None`, never 0.
#[derive(Clone, Copy)]
pub struct Counters {
    kept: CounterSet,
    values: [u64; Counter::ALL.len()],
}

impl Counters {
    /// All kept counters at zero, the others unknown.
    pub const fn zero(kept: CounterSet) -> Counters {
        Counters { kept, values: [0; Counter::ALL.len()] }
    }

    /// The value of a counter; `None` where the strategy cannot know it.
    pub const fn get(&self, counter: Counter) -> Option<u64> {
        if self.kept.contains(counter) { Some(self.values[counter as usize]) } else { None }
    }

    /// The counters that are kept.
    pub const fn kept(&self) -> CounterSet {
        self.kept
    }

    /// Partial assignments visited; see [`Counter::Nodes`].
    pub const fn nodes(&self) -> Option<u64> {
        self.get(Counter::Nodes)
    }

    /// Choices taken where two or more were open; see [`Counter::Guesses`].
    pub const fn guesses(&self) -> Option<u64> {
        self.get(Counter::Guesses)
    }

    /// Nodes with no way on; see [`Counter::DeadEnds`].
    pub const fn dead_ends(&self) -> Option<u64> {
        self.get(Counter::DeadEnds)
    }

    /// Digits forced rather than chosen; see [`Counter::Propagations`].
    pub const fn propagations(&self) -> Option<u64> {
        self.get(Counter::Propagations)
    }

    /// The most guesses open at once; see [`Counter::MaxDepth`].
    pub const fn max_depth(&self) -> Option<u64> {
        self.get(Counter::MaxDepth)
    }

    /// Sets a counter. A counter outside the kept set stays unknown.
    pub const fn set(&mut self, counter: Counter, value: u64) {
        self.values[counter as usize] = value;
    }

    /// Adds to a counter. A counter outside the kept set stays unknown.
    pub const fn add(&mut self, counter: Counter, more: u64) {
        self.values[counter as usize] += more;
    }

    /// Raises a counter to a value that may be its maximum.
    pub const fn raise(&mut self, counter: Counter, value: u64) {
        if value > self.values[counter as usize] {
            self.values[counter as usize] = value;
        }
    }

    pub(crate) const fn keep(&mut self, kept: CounterSet) {
        self.kept = kept;
    }
}

/// Equal where the same counters are kept and have the same values; what else was added is not looked at.
impl PartialEq for Counters {
    fn eq(&self, other: &Counters) -> bool {
        self.kept == other.kept && self.kept.iter().all(|counter| self.get(counter) == other.get(counter))
    }
}

impl Eq for Counters {}

impl Default for Counters {
    fn default() -> Counters {
        Counters::zero(CounterSet::TREE)
    }
}

impl fmt::Debug for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for counter in self.kept.iter() {
            map.entry(&counter.name(), &self.values[counter as usize]);
        }
        map.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_is_not_kept_is_unknown_whatever_was_added() {
        let mut counters = Counters::zero(CounterSet::TREE.without(Counter::Guesses));
        counters.add(Counter::Guesses, 3);
        counters.add(Counter::Nodes, 3);
        assert_eq!(counters.guesses(), None);
        assert_eq!(counters.nodes(), Some(3));
        assert_eq!(counters.get(Counter::Conflicts), None);
    }

    #[test]
    fn the_order_of_all_is_the_order_of_the_values() {
        for (i, counter) in Counter::ALL.into_iter().enumerate() {
            assert_eq!(counter as usize, i);
        }
    }
}
