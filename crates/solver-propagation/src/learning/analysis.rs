//! What is learned from a conflict.

use super::clauses::{Clause, GOOD_DISTANCE};
use super::groups::Var;
use super::trail::{Conflict, Reason};
use super::{Learner, Lit, candidate, holds, holds_not, is_positive};

/// How far a statement is followed back to find that the rest of the clause implies it.
const MOST_STEPS_BACK: u32 = 40;

/// What analysis knows of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mark {
    #[default]
    None,
    /// It is in the clause, or was on the way to it.
    Seen,
    /// It was put in for others that it excludes.
    Stands,
    /// It follows from the clause.
    Follows,
    /// It does not, as far as was looked.
    Stays,
}

impl Learner<'_> {
    /// Finds the clause that a conflict teaches: going back from it, the first statement of this level through which everything
    /// passes, with what of lower levels was met (J. P. Marques-Silva, K. A. Sakallah, 1999). It is left in `learned`, what it forces
    /// first and what is undone first thereafter.
    ///
    /// Gives the level at which it forces that, and its distance: the count of levels that it names.
    pub(super) fn analyze(&mut self, conflict: Conflict) -> (u32, u32) {
        let mut premises = std::mem::take(&mut self.premises);
        self.premises_of_conflict(conflict, &mut premises);
        if let Conflict::Clause(clause) = conflict {
            self.measure_again(clause);
        }
        self.learned.clear();
        self.learned.push(0);
        let level = self.level();
        let (mut open, mut at) = (0, self.trail.len());
        loop {
            for &lit in &premises {
                let var = candidate(lit) as usize;
                if self.marks[var] == Mark::None && self.levels[var] > 0 {
                    self.mark(var as Var, Mark::Seen);
                    self.order.bump(var as Var);
                    if self.levels[var] == level {
                        open += 1;
                    } else {
                        self.learned.push(lit);
                    }
                }
            }
            let lit = loop {
                at -= 1;
                let var = candidate(self.trail[at]) as usize;
                if self.marks[var] != Mark::None && self.levels[var] == level {
                    break self.trail[at];
                }
            };
            open -= 1;
            if open == 0 {
                self.learned[0] = lit ^ 1;
                break;
            }
            self.premises_of(candidate(lit), &mut premises);
            if let Reason::Clause(clause) = self.reasons[candidate(lit) as usize] {
                self.measure_again(clause);
            }
        }
        self.replace_by_peers();
        self.leave_out_what_follows();
        self.join_levels(&mut premises);
        self.leave_out_what_is_excluded();
        for var in self.marked.drain(..) {
            self.marks[var as usize] = Mark::None;
        }
        // Candidates behind the clause count too: they will be in the next one (J. H. Liang et al., "Learning rate based branching
        // heuristic for SAT solvers", 2016).
        for at in 1..self.learned.len() {
            self.premises_of(candidate(self.learned[at]), &mut premises);
            premises.iter().for_each(|&lit| self.order.bump(candidate(lit)));
        }
        self.premises = premises;
        let mut back = 0;
        for at in 1..self.learned.len() {
            let level = self.levels[candidate(self.learned[at]) as usize];
            if level > back {
                back = level;
                self.learned.swap(1, at);
            }
        }
        (back, self.stamp_levels())
    }

    fn mark(&mut self, var: Var, mark: Mark) {
        if self.marks[var as usize] == Mark::None {
            self.marked.push(var);
        }
        self.marks[var as usize] = mark;
    }

    /// The statements that are false and make the conflict.
    fn premises_of_conflict(&mut self, conflict: Conflict, into: &mut Vec<Lit>) {
        into.clear();
        match conflict {
            Conflict::Pair(a, b) => into.extend([holds_not(a), holds_not(b)]),
            Conflict::Group(group) => into.extend(self.groups.members(group).iter().map(|&var| holds(var))),
            Conflict::Clause(clause) => {
                self.clauses.mark_used(clause);
                into.extend_from_slice(self.clauses.lits(clause));
            }
        }
    }

    /// The statements that are false and force the candidate to be what it is.
    fn premises_of(&mut self, var: Var, into: &mut Vec<Lit>) {
        into.clear();
        match self.reasons[var as usize] {
            Reason::Decision | Reason::Fact | Reason::Refuted => {}
            Reason::Peer(peer) => into.push(holds_not(peer)),
            Reason::Group(group) => {
                into.extend(self.groups.members(group).iter().filter(|&&other| other != var).map(|&other| holds(other)));
            }
            Reason::Clause(clause) => {
                self.clauses.mark_used(clause);
                into.extend_from_slice(&self.clauses.lits(clause)[1..]);
            }
        }
    }

    /// Where one digit excluded several candidates of the clause, that digit says it shorter. This alone saved a quarter of the
    /// conflicts; to do it for single candidates too cost more than it saved, since a candidate can be excluded in many ways.
    fn replace_by_peers(&mut self) {
        let level = self.level();
        let mut learned = std::mem::take(&mut self.learned);
        let mut to = 1;
        for at in 1..learned.len() {
            let lit = learned[at];
            let excluder = self.excluder(lit).filter(|&peer| (1..level).contains(&self.levels[peer as usize]));
            learned[to] = match excluder.map(|peer| (peer, self.marks[peer as usize])) {
                Some((_, Mark::Stands)) => continue,
                Some((peer, Mark::None)) if learned[at + 1..].iter().any(|&other| self.excluder(other) == Some(peer)) => {
                    self.mark(peer, Mark::Stands);
                    holds_not(peer)
                }
                _ => lit,
            };
            to += 1;
        }
        learned.truncate(to);
        self.learned = learned;
    }

    /// The candidate that excluded the one which a clause asks for.
    fn excluder(&self, lit: Lit) -> Option<Var> {
        match self.reasons[candidate(lit) as usize] {
            Reason::Peer(peer) if is_positive(lit) => Some(peer),
            _ => None,
        }
    }

    /// Leaves out what is false because others of the clause are (N. Sörensson, A. Biere, "Minimizing learned clauses", 2009).
    fn leave_out_what_follows(&mut self) {
        self.stamp_levels();
        let mut learned = std::mem::take(&mut self.learned);
        let first = learned[0];
        learned.retain(|&lit| lit == first || !self.follows(candidate(lit), 0));
        self.learned = learned;
    }

    fn follows(&mut self, var: Var, steps: u32) -> bool {
        if steps > MOST_STEPS_BACK {
            return false;
        }
        // Premises are walked in place: to list them at each step takes longer.
        match self.reasons[var as usize] {
            Reason::Decision | Reason::Refuted => false,
            Reason::Fact => true,
            Reason::Peer(peer) => self.is_granted(peer, steps),
            Reason::Group(group) => self.groups.range(group).all(|at| {
                let other = self.groups.member(at);
                other == var || self.is_granted(other, steps)
            }),
            Reason::Clause(clause) => {
                let length = self.clauses.lits(clause).len();
                (1..length).all(|at| self.is_granted(candidate(self.clauses.lits(clause)[at]), steps))
            }
        }
    }

    fn is_granted(&mut self, var: Var, steps: u32) -> bool {
        let level = self.levels[var as usize];
        match self.marks[var as usize] {
            _ if level == 0 => true,
            Mark::Seen | Mark::Stands | Mark::Follows => true,
            Mark::Stays => false,
            Mark::None => {
                // What lies in a level that the clause does not name cannot follow from it.
                let follows = self.level_stamps[level as usize] == self.stamp && self.follows(var, steps + 1);
                self.mark(var, if follows { Mark::Follows } else { Mark::Stays });
                follows
            }
        }
    }

    /// Replaces all statements of one level by the first one through which everything passes from the decision of that level to them, where
    /// what else is needed on the way follows from the rest of the clause (M. Fleury, A. Biere, "Efficient all-UIP learned clause
    /// minimization", 2021).
    fn join_levels(&mut self, premises: &mut Vec<Lit>) {
        let mut learned = std::mem::take(&mut self.learned);
        let levels = &self.levels;
        learned[1..].sort_unstable_by_key(|&lit| (levels[candidate(lit) as usize], lit));
        let (mut from, mut to) = (1, 1);
        while from < learned.len() {
            let level = self.levels[candidate(learned[from]) as usize];
            let count = learned[from..].iter().take_while(|&&lit| self.levels[candidate(lit) as usize] == level).count();
            let joined = if count > 1 { self.joined(level, &learned[from..from + count], premises) } else { None };
            if let Some(lit) = joined {
                learned[to] = lit;
                to += 1;
            } else {
                learned.copy_within(from..from + count, to);
                to += count;
            }
            from += count;
        }
        learned.truncate(to);
        self.learned = learned;
    }

    /// The one statement that says what these of one level do.
    fn joined(&mut self, level: u32, lits: &[Lit], premises: &mut Vec<Lit>) -> Option<Lit> {
        self.open_stamp += 1;
        for &lit in lits {
            self.open_stamps[candidate(lit) as usize] = self.open_stamp;
        }
        let mut open = lits.len();
        let mut at = self.level_starts[level as usize];
        loop {
            at -= 1;
            let lit = self.trail[at];
            let var = candidate(lit);
            if self.open_stamps[var as usize] != self.open_stamp {
                continue;
            }
            if open == 1 {
                self.mark(var, Mark::Stands);
                return Some(lit ^ 1);
            }
            open -= 1;
            if self.reasons[var as usize] == Reason::Refuted {
                return None;
            }
            self.premises_of(var, premises);
            for &premise in premises.iter() {
                let var = candidate(premise) as usize;
                if self.levels[var] != level {
                    if !self.is_granted(var as Var, 0) {
                        return None;
                    }
                } else if self.open_stamps[var] != self.open_stamp {
                    self.open_stamps[var] = self.open_stamp;
                    open += 1;
                }
            }
        }
    }

    /// Leaves out every candidate that the clause asks for although it says already that something which excludes it does not hold: if
    /// the candidate held, that would not either. The rules are clauses of two statements, and this resolves with them.
    fn leave_out_what_is_excluded(&mut self) {
        self.excluded_stamp += 1;
        for &lit in self.learned.iter().filter(|&&lit| !is_positive(lit)) {
            for other in self.groups.excluded_by(candidate(lit)) {
                self.excluded_stamps[other as usize] = self.excluded_stamp;
            }
        }
        let (first, stamp) = (self.learned[0], self.excluded_stamp);
        let stamps = &self.excluded_stamps;
        self.learned.retain(|&lit| lit == first || !is_positive(lit) || stamps[candidate(lit) as usize] != stamp);
    }

    /// Stamps the levels that the clause names, and counts them.
    fn stamp_levels(&mut self) -> u32 {
        self.stamp += 1;
        count_levels(&self.learned, &self.levels, &mut self.level_stamps, self.stamp)
    }

    /// A clause that took part may lie in fewer levels than when it was learned (G. Audemard, L. Simon, 2009).
    fn measure_again(&mut self, clause: Clause) {
        if self.clauses.distance(clause) > GOOD_DISTANCE {
            self.stamp += 1;
            let distance = count_levels(self.clauses.lits(clause), &self.levels, &mut self.level_stamps, self.stamp);
            self.clauses.lower_distance(clause, distance);
        }
    }
}

/// Counts the levels of statements, and stamps them.
fn count_levels(lits: &[Lit], levels: &[u32], stamps: &mut [u64], stamp: u64) -> u32 {
    let mut count = 0;
    for &lit in lits {
        let last = &mut stamps[levels[candidate(lit) as usize] as usize];
        count += u32::from(*last != stamp);
        *last = stamp;
    }
    count
}
