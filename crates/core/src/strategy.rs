//! A row of the registry: one strategy, or one variant of it.

use std::fmt;

use crate::{CounterSet, Rules, Solver};

/// Which rules a strategy takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RuleSupport {
    /// Every rule set.
    Any,
    /// The classic 9×9 alone.
    Classic,
}

/// What a strategy takes and what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// The rules that it takes.
    pub rules: RuleSupport,
    /// The counters that it keeps.
    pub counters: CounterSet,
}

impl Caps {
    /// Every rule set, and the counters of a search tree.
    pub const ALL: Caps = Caps { rules: RuleSupport::Any, counters: CounterSet::TREE };

    /// Whether these rules are taken.
    #[inline]
    pub fn takes(&self, rules: &Rules) -> bool {
        match self.rules {
            RuleSupport::Any => true,
            RuleSupport::Classic => rules.is_classic(),
        }
    }
}

/// A strategy that can be picked by name, or a variant of one.
///
/// A variant has one change from the default, so that one change can be studied at a time. Its name is that of its
/// strategy, a colon and a word: `state-array:fewest`.
#[derive(Clone, Copy)]
pub struct Strategy {
    /// The one name that it has everywhere: on the command line, in benches, in tables.
    pub name: &'static str,
    /// What it is, in one clause.
    pub summary: &'static str,
    /// What it takes and what it counts.
    pub caps: Caps,
    /// Makes a fresh solver.
    pub build: fn() -> Box<dyn Solver>,
}

impl Strategy {
    /// The name without the variant: the crate and the Cargo feature it comes from.
    pub fn base(&self) -> &'static str {
        self.name.split_once(':').map_or(self.name, |(base, _)| base)
    }

    /// The variant's word; `None` for the default of a strategy.
    pub fn variant(&self) -> Option<&'static str> {
        self.name.split_once(':').map(|(_, variant)| variant)
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Strategy").field("name", &self.name).field("caps", &self.caps).finish_non_exhaustive()
    }
}
