//! What holds, why, and what follows by the rules and the learned clauses.

use std::ops::ControlFlow;

use ninefold_core::{Contradiction, End, Search, Why};

use super::clauses::{Clause, Watch};
use super::groups::{Item, Var};
use super::{Learner, Lit, candidate, holds, holds_not, is_positive};

/// Work between two looks at the limits, in statements looked at: well under a millisecond.
const WORK_PER_LOOK: usize = 1 << 18;

/// Why a statement holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// It was decided.
    Decision,
    /// It was learned, and depends on nothing.
    Fact,
    /// The opposite decision was searched to its end.
    Refuted,
    /// This candidate holds, and excludes it.
    Peer(Var),
    /// All other candidates of this group are excluded.
    Group(u32),
    /// All other statements of this learned clause are false.
    Clause(Clause),
}

/// What cannot hold together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Conflict {
    /// The first candidate excludes the second one, which holds too.
    Pair(Var, Var),
    /// No candidate of the group is left.
    Group(u32),
    /// Every statement of the learned clause is false.
    Clause(Clause),
}

/// What is left of a group: how many candidates, and the exclusive or of their numbers. Where one is left, that is its number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rest {
    pub(super) count: u32,
    mix: Var,
}

impl Rest {
    pub(super) fn of(members: &[Var]) -> Rest {
        Rest { count: members.len() as u32, mix: members.iter().fold(0, |mix, var| mix ^ var) }
    }
}

impl Learner<'_> {
    /// Makes an open statement hold. Candidates that this leaves alone in a group hold too.
    #[inline]
    pub(super) fn assign(&mut self, lit: Lit, reason: Reason) {
        let var = candidate(lit);
        self.values[lit as usize] = 1;
        self.values[lit as usize ^ 1] = -1;
        self.levels[var as usize] = self.level();
        self.reasons[var as usize] = reason;
        self.trail.push(lit);
        if is_positive(lit) {
            return;
        }
        for at in self.groups.range_of(var) {
            let group = self.groups.group_at(at);
            let rest = &mut self.rest[group as usize];
            rest.count -= 1;
            rest.mix ^= var;
            match *rest {
                Rest { count: 0, .. } => self.conflict = Some(Conflict::Group(group)),
                Rest { count: 1, mix: last } if self.values[holds(last) as usize] == 0 => {
                    self.assign(holds(last), Reason::Group(group));
                }
                _ => {}
            }
        }
    }

    /// Draws every conclusion until there are none left or one contradicts. Learned clauses speak before the rules: they say more, so that
    /// fewer statements lead to a conflict, and there were a fifth fewer conflicts than the other way round.
    pub(super) fn propagate(&mut self, search: &mut Search<'_>) -> ControlFlow<End> {
        let is_observed = search.is_observed();
        while self.conflict.is_none() {
            if self.work > WORK_PER_LOOK {
                self.work = 0;
                search.poll()?;
            }
            if let Some(&lit) = self.trail.get(self.next_clause) {
                self.next_clause += 1;
                self.visit(lit ^ 1);
            } else if let Some(&lit) = self.trail.get(self.next_rule) {
                self.next_rule += 1;
                if is_positive(lit) {
                    self.tell(lit, search);
                    self.exclude_all(candidate(lit));
                } else if is_observed {
                    // Only observers are told of what is removed.
                    self.tell(lit, search);
                }
            } else {
                return ControlFlow::Continue(());
            }
        }
        if is_observed {
            // What contradicts has been concluded, but not yet told.
            for at in self.next_rule..self.trail.len() {
                if !is_positive(self.trail[at]) {
                    self.tell(self.trail[at], search);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Tells the companion of a statement that holds.
    #[inline]
    fn tell(&self, lit: Lit, search: &mut Search<'_>) {
        let var = candidate(lit) as usize;
        let (cell, digit) = (self.groups.cells[var], self.groups.digits[var]);
        match (is_positive(lit), self.reasons[var]) {
            (true, Reason::Group(group)) => {
                let why = match self.groups.items[group as usize] {
                    Item::Cell(_) => Why::NakedSingle,
                    Item::Place(house, _) => Why::HiddenSingle(house),
                };
                search.propagated(cell, digit, why);
            }
            (true, Reason::Clause(_) | Reason::Fact) => search.propagated(cell, digit, Why::Learned),
            (true, Reason::Refuted) => search.last_choice(cell, digit),
            (false, Reason::Peer(peer)) => {
                let from = self.groups.cells[peer as usize];
                // That a placed cell has no other digit goes without saying.
                if from != cell {
                    search.removed(cell, digit, Why::Peer(from));
                }
            }
            (false, Reason::Clause(_) | Reason::Fact) => search.removed(cell, digit, Why::Learned),
            (false, Reason::Refuted) => search.removed(cell, digit, Why::Refuted),
            // A decision was told as a guess.
            _ => {}
        }
    }

    /// Excludes all that a candidate which holds excludes.
    fn exclude_all(&mut self, var: Var) {
        for at in self.groups.range_of(var) {
            let group = self.groups.group_at(at);
            if self.rest[group as usize].count > 1 {
                let members = self.groups.range(group);
                self.work += members.len();
                for place in members {
                    self.exclude(var, self.groups.member(place));
                }
            }
        }
        let loose = self.groups.range_of_loose(var);
        self.work += 1 + loose.len();
        for at in loose {
            if let Some(other) = self.groups.loose_at(at, var) {
                self.exclude(var, other);
            }
        }
    }

    #[inline]
    fn exclude(&mut self, var: Var, other: Var) {
        match self.values[holds(other) as usize] {
            0 => self.assign(holds_not(other), Reason::Peer(var)),
            1 if other != var => self.conflict = Some(Conflict::Pair(var, other)),
            _ => {}
        }
    }

    /// Looks at the clauses that watch a statement which has become false: each finds another statement to watch, or forces its
    /// last one (M. W. Moskewicz et al., "Chaff", 2001).
    fn visit(&mut self, lit: Lit) {
        let mut watches = std::mem::take(&mut self.clauses.watches[lit as usize]);
        self.work += watches.len();
        let (mut from, mut to) = (0, 0);
        while let Some(&watch) = watches.get(from) {
            from += 1;
            if self.values[watch.other as usize] > 0 {
                watches[to] = watch;
                to += 1;
                continue;
            }
            let values = &self.values[..];
            let lits = self.clauses.lits_mut(watch.clause);
            let [one, two, rest @ ..] = lits else { unreachable!("clauses have two statements or more") };
            // The two watched statements come first.
            let first = *one ^ *two ^ lit;
            (*one, *two) = (first, lit);
            let kept = Watch { clause: watch.clause, other: first };
            let value = values[first as usize];
            if value <= 0
                && let Some(other) = rest.iter_mut().find(|other| values[**other as usize] >= 0)
            {
                std::mem::swap(two, other);
                let other = *two;
                self.clauses.watches[other as usize].push(kept);
                continue;
            }
            watches[to] = kept;
            to += 1;
            if value == 0 {
                self.assign(first, Reason::Clause(watch.clause));
            } else if value < 0 {
                self.conflict = Some(Conflict::Clause(watch.clause));
            }
            if self.conflict.is_some() {
                break;
            }
        }
        watches.drain(to..from);
        self.clauses.watches[lit as usize] = watches;
    }

    /// Takes back every decision above a level, and all that followed.
    pub(super) fn back(&mut self, level: u32, search: &mut Search<'_>) {
        self.conflict = None;
        if level >= self.level() {
            return;
        }
        let start = self.level_starts[level as usize];
        for at in (start..self.trail.len()).rev() {
            let lit = self.trail[at];
            let var = candidate(lit);
            self.values[lit as usize] = 0;
            self.values[lit as usize ^ 1] = 0;
            self.order.push(var);
            if !is_positive(lit) {
                for at in self.groups.range_of(var) {
                    let rest = &mut self.rest[self.groups.group_at(at) as usize];
                    rest.count += 1;
                    rest.mix ^= var;
                }
            }
        }
        self.trail.truncate(start);
        self.level_starts.truncate(level as usize);
        (self.next_rule, self.next_clause) = (start, start);
        search.back(level as usize);
    }

    /// What a conflict says of the board.
    pub(super) fn contradiction(&self, conflict: Conflict) -> Contradiction {
        let group = match conflict {
            Conflict::Group(group) => group,
            // What holds too was the last of its group, and is excluded now.
            Conflict::Pair(_, other) => match self.reasons[other as usize] {
                Reason::Group(group) => group,
                _ => return Contradiction::Cell(self.groups.cells[other as usize]),
            },
            Conflict::Clause(_) => return Contradiction::Arrangement,
        };
        match self.groups.items[group as usize] {
            Item::Cell(cell) => Contradiction::Cell(cell),
            Item::Place(house, digit) => Contradiction::House(house, digit),
        }
    }
}
