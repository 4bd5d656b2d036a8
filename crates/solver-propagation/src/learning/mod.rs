//! Learning: the search of a SAT solver whose clauses are the rules themselves.
//!
//! Statements are *this cell holds this digit* and its opposite, for every candidate that singles leave. The rules are never written as
//! clauses: of each cell, and of the places of each digit in each full house, exactly one candidate holds, and a count and an
//! exclusive or per group show the last one. Where propagation contradicts, a clause is learned that names a few statements which
//! cannot be false together, and the search goes back to where that clause would have spoken.
//!
//! What was tried and measured is told where it is done, in conflicts on boards of side 25 near the phase transition. `docs/STRATEGIES.md` has the
//! table, and what did not help.

mod analysis;
mod clauses;
mod groups;
mod order;
mod trail;

use std::ops::ControlFlow;

use ninefold_core::{Choice, Counter, End, Puzzle, Search};

use crate::state::State;

use analysis::Mark;
use clauses::Clauses;
use groups::{GROUPS_PER_POLL, Groups, Var};
use order::Order;
use trail::{Conflict, Reason, Rest};

/// A statement about a candidate: `2 · var` says that its cell holds its digit, `2 · var + 1` that it does not.
type Lit = u32;

const fn holds(var: Var) -> Lit {
    2 * var
}

const fn holds_not(var: Var) -> Lit {
    2 * var + 1
}

const fn candidate(lit: Lit) -> Var {
    lit >> 1
}

const fn is_positive(lit: Lit) -> bool {
    lit & 1 == 0
}

/// By what activities fade with each conflict. With 0.99 there were 1.07 times as many; from 0.98 down to 0.94 nothing changes.
const DECAY: f64 = 0.98;

/// Of so many candidates at the top of the order, five levels of its heap, the one in small groups is decided. Those of four levels make
/// for 1.05 times as many conflicts.
const RIVALS: usize = 31;

/// No candidate begins with so much activity.
const FRESH: f64 = 0.05;

/// By how much each candidate begins behind the one before, so that sparse boards are filled row by row: an empty one of 64×64 without a
/// conflict, where in no order tens of thousands of conflicts do not suffice.
const ROW_BY_ROW: f64 = 1e-9;

/// Conflicts to the first restart; the next ones follow after this many times 1, 1, 2, 1, 1, 2, 4, … (M. Luby, A. Sinclair,
/// D. Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993). Half and twice as many make no difference.
const RESTART: u64 = 64;

/// Conflicts to the first reduction of the clauses, and how many more there are from each to the next.
const REDUCE: u64 = 2000;
const REDUCE_MORE: u64 = 100;

/// Statements, at most, of the clauses that forbid solutions.
const MOST_FORBIDDEN: usize = 1 << 20;

/// The search. It is built anew for each puzzle.
#[derive(Debug)]
pub(crate) struct Learner<'p> {
    puzzle: &'p Puzzle,
    /// The digits that singles have placed, one byte a cell.
    placed: Vec<u8>,
    groups: Groups,
    rest: Vec<Rest>,
    /// Of each statement: 1 where it holds, -1 where it does not, 0 while it is open.
    values: Vec<i8>,
    /// Of each candidate that is not open: the decisions that were open, and why it is what it is.
    levels: Vec<u32>,
    reasons: Vec<Reason>,
    /// What holds, in the order in which it came to.
    trail: Vec<Lit>,
    /// Where in the trail each decision stands.
    level_starts: Vec<usize>,
    /// What of the trail the rules and the clauses have been applied to.
    next_rule: usize,
    next_clause: usize,
    conflict: Option<Conflict>,
    clauses: Clauses,
    order: Order,
    /// Levels up to this one are not left by learning, only by searching them to their end: see [`Learner::leave_solution`].
    floor: u32,
    /// Statements of clauses that forbid solutions.
    forbidden: usize,
    most_forbidden: usize,
    work: usize,
    // What analysis writes on.
    learned: Vec<Lit>,
    premises: Vec<Lit>,
    marks: Vec<Mark>,
    marked: Vec<Var>,
    stamp: u64,
    level_stamps: Vec<u64>,
    excluded_stamp: u64,
    excluded_stamps: Vec<u64>,
    open_stamp: u64,
    open_stamps: Vec<u64>,
}

impl<'p> Learner<'p> {
    /// Takes what a fixpoint of singles has left of a puzzle.
    ///
    /// # Errors
    /// Breaks where a limit runs out, that on memory included.
    pub(crate) fn new(puzzle: &'p Puzzle, state: &State, search: &mut Search<'_>) -> ControlFlow<End, Learner<'p>> {
        let groups = Groups::new(puzzle, state, search)?;
        search.poll()?;
        let count = groups.count();
        let mut rest = Vec::with_capacity(groups.items.len());
        for group in 0..groups.items.len() {
            if group.is_multiple_of(GROUPS_PER_POLL) {
                search.poll()?;
            }
            rest.push(Rest::of(groups.members(group as u32)));
        }
        // Before the first conflict, candidates of small groups come first, and among the many equals of a sparse board the first.
        let in_group = |at| 0.01 / f64::from(rest[groups.group_at(at) as usize].count).exp2();
        let begin = |var| groups.range_of(var).map(in_group).sum::<f64>() - ROW_BY_ROW * f64::from(var);
        let mut activities = Vec::with_capacity(count);
        for var in 0..count as Var {
            // A candidate may be in thousands of groups.
            if var.is_multiple_of(64) {
                search.poll()?;
            }
            activities.push(begin(var));
        }
        ControlFlow::Continue(Learner {
            puzzle,
            placed: state.digits().to_vec(),
            rest,
            values: vec![0; 2 * count],
            levels: vec![0; count],
            reasons: vec![Reason::Decision; count],
            trail: Vec::with_capacity(count),
            level_starts: Vec::new(),
            next_rule: 0,
            next_clause: 0,
            conflict: None,
            clauses: Clauses::new(2 * count),
            order: Order::new(activities),
            floor: 0,
            forbidden: 0,
            most_forbidden: MOST_FORBIDDEN,
            work: 0,
            learned: Vec::new(),
            premises: Vec::new(),
            marks: vec![Mark::None; count],
            marked: Vec::new(),
            stamp: 0,
            level_stamps: vec![0; count + 1],
            excluded_stamp: 0,
            excluded_stamps: vec![0; count],
            open_stamp: 0,
            open_stamps: vec![0; count],
            groups,
        })
    }

    /// The count of open decisions.
    fn level(&self) -> u32 {
        self.level_starts.len() as u32
    }

    /// Searches for all solutions.
    pub(crate) fn run(&mut self, search: &mut Search<'_>) -> ControlFlow<End> {
        let (mut restarts, mut until_restart) = (0, RESTART);
        let (mut reductions, mut until_reduction) = (0, REDUCE);
        loop {
            self.propagate(search)?;
            if let Some(conflict) = self.conflict {
                search.add(Counter::Conflicts, 1);
                search.dead_end(self.contradiction(conflict));
                if self.level() == 0 {
                    return ControlFlow::Continue(());
                }
                if self.level() == self.floor {
                    self.refute_last(search);
                } else {
                    let (level, distance) = self.analyze(conflict);
                    self.back(level.max(self.floor), search);
                    self.keep_learned(distance);
                    self.order.decay(DECAY);
                }
                search.node()?;
                until_restart -= 1;
                if until_restart == 0 {
                    restarts += 1;
                    until_restart = RESTART * luby(restarts);
                    self.back(self.floor, search);
                }
                until_reduction -= 1;
                if until_reduction == 0 {
                    reductions += 1;
                    until_reduction = REDUCE + REDUCE_MORE * reductions;
                    self.reduce();
                }
            } else if self.trail.len() == self.groups.count() {
                self.report(search)?;
                if self.level() == 0 {
                    return ControlFlow::Continue(());
                }
                self.leave_solution(search);
                search.node()?;
            } else {
                self.decide(search)?;
            }
        }
    }

    /// Decides that a candidate holds. That it does not, or what it was last, as SAT solvers decide, makes for twice as many
    /// conflicts: a digit in a cell has many more consequences than a candidate less.
    fn decide(&mut self, search: &mut Search<'_>) -> ControlFlow<End> {
        let var = self.most_promising();
        self.level_starts.push(self.trail.len());
        search.add(Counter::Decisions, 1);
        let choice = Choice::Place { cell: self.groups.cells[var as usize], digit: self.groups.digits[var as usize] };
        search.guess(choice, self.level() as usize);
        search.node()?;
        self.assign(holds(var), Reason::Decision);
        ControlFlow::Continue(())
    }

    /// An open candidate: of the most active ones that in whose groups few others are left, for if it fails, these are what there is to
    /// try. To go by the size of the groups first, or by activity alone, makes for more conflicts. It stays in the order, as all do that are
    /// not first when they come to hold or not to: whoever meets them there passes over them.
    fn most_promising(&mut self) -> Var {
        let first = loop {
            let var = self.order.first().expect("a candidate is open");
            if self.values[holds(var) as usize] == 0 {
                break var;
            }
            self.order.pop();
        };
        // Nothing is known yet of the others: one by one, see ROW_BY_ROW.
        if self.order.activity(first) < FRESH {
            return first;
        }
        let (mut best, mut highest) = (first, 0.0);
        for &var in self.order.top(RIVALS).iter().filter(|&&var| self.values[holds(var) as usize] == 0) {
            let others = self.groups.range_of(var).map(|at| self.rest[self.groups.group_at(at) as usize].count - 1).sum::<u32>();
            let score = self.order.activity(var) / f64::from(others).sqrt();
            if score > highest {
                (best, highest) = (var, score);
            }
        }
        best
    }

    /// Keeps the learned clause and makes what it forces hold.
    fn keep_learned(&mut self, distance: u32) {
        let reason =
            if self.learned.len() == 1 { Reason::Fact } else { Reason::Clause(self.clauses.add(&self.learned, distance)) };
        self.assign(self.learned[0], reason);
    }

    fn reduce(&mut self) {
        let (values, reasons) = (&self.values, &self.reasons);
        let is_reason = |clause, lit: Lit| values[lit as usize] > 0 && reasons[candidate(lit) as usize] == Reason::Clause(clause);
        let moved = self.clauses.reduce(|clause, first, second| is_reason(clause, first) || is_reason(clause, second));
        for &lit in &self.trail {
            if let Reason::Clause(clause) = &mut self.reasons[candidate(lit) as usize] {
                *clause = moved.place(*clause);
            }
        }
    }

    fn report(&mut self, search: &mut Search<'_>) -> ControlFlow<End> {
        let mut digits = self.placed.clone();
        for var in self.trail.iter().filter(|&&lit| is_positive(lit)).map(|&lit| candidate(lit) as usize) {
            digits[self.groups.cells[var].index()] = self.groups.digits[var].get();
        }
        search.solution(self.puzzle, &digits)
    }

    /// Goes on from a solution. A clause forbids to take all the decisions that led to it again, and the search is as free as before.
    ///
    /// Such clauses have to be kept for ever. When there are too many, solutions are left behind in the order of the tree instead: the
    /// last decision is refuted, and no level up to there is left again before it has been searched to its end (M. Gebser,
    /// B. Kaufmann, A. Neumann, T. Schaub, "Conflict-driven answer set enumeration", 2007).
    fn leave_solution(&mut self, search: &mut Search<'_>) {
        let level = self.level();
        self.forbidden += level as usize;
        if self.floor > 0 || self.forbidden > self.most_forbidden {
            self.floor = level;
            self.refute_last(search);
            return;
        }
        self.learned.clear();
        self.learned.extend(self.level_starts.iter().rev().map(|&start| self.trail[start] ^ 1));
        self.back(level - 1, search);
        self.keep_learned(0);
    }

    /// The last decision has been searched to its end: the opposite is what is left.
    fn refute_last(&mut self, search: &mut Search<'_>) {
        let level = self.level() - 1;
        let decision = self.trail[self.level_starts[level as usize]];
        self.back(level, search);
        self.floor = level;
        self.assign(decision ^ 1, Reason::Refuted);
    }
}

/// The n-th number of the sequence 1, 1, 2, 1, 1, 2, 4, …, counted from 1.
fn luby(mut n: u64) -> u64 {
    loop {
        let size = (n + 1).next_power_of_two();
        if size == n + 1 {
            return size / 2;
        }
        n -= size / 2 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Step;
    use ninefold_core::Limits;
    use ninefold_testkit::{Count, Random, cases};
    use std::collections::BTreeSet;

    #[test]
    fn solutions_are_each_found_once_however_they_are_left_behind() {
        for case in cases() {
            let Count::Exactly(count) = case.count else { continue };
            let puzzle = case.puzzle();
            for most_forbidden in [0, 1, 40, 1000] {
                let mut state = State::default();
                let mut found = BTreeSet::new();
                let mut visitor = |solution: &ninefold_core::Solution| {
                    assert!(found.insert(solution.to_string()), "{} twice on {}", solution, case.name);
                    ControlFlow::Continue(())
                };
                let mut search = Search::new(&Limits::none()).with_visitor(&mut visitor);
                let flow = match state.load(&puzzle, true, &mut search) {
                    ControlFlow::Continue(Step::Done) => state.propagate(puzzle.rules(), &mut search),
                    other => other,
                };
                if flow != ControlFlow::Continue(Step::Done) || state.is_full() {
                    continue;
                }
                let ControlFlow::Continue(mut learner) = Learner::new(&puzzle, &state, &mut search) else { panic!("no limits") };
                learner.most_forbidden = most_forbidden;
                assert!(learner.run(&mut search).is_continue());
                assert_eq!(search.finish(End::Exhausted).count(), count, "{}, {most_forbidden}", case.name);
                assert_eq!(found.len() as u64, count, "{}, {most_forbidden}", case.name);
            }
        }
    }

    /// A board of side 25 with some of its cells cleared.
    fn cleared(percent: usize, seed: u64) -> Puzzle {
        let mut random = Random::new(seed);
        let full = (0..625).map(|cell| ((cell / 25 % 5 * 5 + cell / 125 + cell % 25) % 25) as u8 + 1);
        let given: Vec<u8> = full.map(|digit| if random.below(100) < percent { 0 } else { digit }).collect();
        let rules = ninefold_core::Rules::blocks(ninefold_core::BlockShape::square(25).unwrap());
        Puzzle::new(ninefold_core::Board::from_bytes(&rules, &given).unwrap()).unwrap()
    }

    /// Whether the opposite of a clause contradicts by propagation alone.
    fn follows_by_propagation(learner: &mut Learner<'_>, clause: &[Lit], search: &mut Search<'_>) -> bool {
        for &lit in clause {
            if learner.values[lit as usize] == 0 && learner.conflict.is_none() {
                learner.level_starts.push(learner.trail.len());
                learner.assign(lit ^ 1, Reason::Decision);
                assert!(learner.propagate(search).is_continue());
            }
        }
        let follows = learner.conflict.is_some() || clause.iter().any(|&lit| learner.values[lit as usize] > 0);
        learner.back(0, search);
        follows
    }

    /// Takes a clause in, at the root.
    fn take_in(learner: &mut Learner<'_>, clause: &[Lit], search: &mut Search<'_>) {
        if clause.iter().any(|&lit| learner.values[lit as usize] > 0) {
            return;
        }
        match clause.iter().copied().filter(|&lit| learner.values[lit as usize] == 0).collect::<Vec<Lit>>()[..] {
            [fact] => learner.assign(fact, Reason::Fact),
            ref open => drop(learner.clauses.add(open, 1)),
        }
        assert!(learner.propagate(search).is_continue());
    }

    #[test]
    fn each_clause_follows_by_propagation_from_the_rules_and_others_before_it() {
        let mut count = 0;
        for seed in 0..3 {
            let puzzle = cleared(57, seed);
            let mut state = State::default();
            let mut search = Search::new(&Limits::none()).with_cap(1);
            assert!(state.load(&puzzle, true, &mut search).is_continue());
            assert!(state.propagate(puzzle.rules(), &mut search).is_continue());
            let ControlFlow::Continue(mut learner) = Learner::new(&puzzle, &state, &mut search) else { panic!("no limits") };
            assert!(learner.run(&mut search).is_break());
            let mut left: Vec<Vec<Lit>> = learner.clauses.iter().map(|clause| learner.clauses.lits(clause).to_vec()).collect();
            let facts = learner.trail.iter().filter(|&&lit| learner.reasons[candidate(lit) as usize] == Reason::Fact);
            left.extend(facts.map(|&fact| vec![fact]));
            count += left.len();
            let mut search = Search::new(&Limits::none());
            let ControlFlow::Continue(mut checker) = Learner::new(&puzzle, &state, &mut search) else { panic!("no limits") };
            // Facts stand at the end of the list and not where they were learned, so that several rounds can be needed.
            while !left.is_empty() {
                let before = left.len();
                left.retain(|clause| {
                    let follows = follows_by_propagation(&mut checker, clause, &mut search);
                    if follows {
                        take_in(&mut checker, clause, &mut search);
                    }
                    !follows
                });
                assert!(left.len() < before, "{seed}: {left:?}");
            }
        }
        assert!(count > 300, "{count}");
    }

    #[test]
    fn restarts_follow_the_sequence_of_luby() {
        let first: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
