//! The learned clauses.

use super::Lit;

/// A clause, by the place at which it begins.
pub(super) type Clause = u32;

/// Where the parts of a clause are, from its beginning.
const LENGTH: usize = 0;
const DISTANCE: usize = 1;
const LITS: usize = 2;

/// Set in the distance of a clause that took part in a conflict since the last reduction.
const USED: u32 = 1 << 31;

/// In the place of a distance: the clause is to go.
const GONE: u32 = u32::MAX;

/// Clauses whose statements lie in so few levels are kept for good (G. Audemard, L. Simon, 2009) …
pub(super) const GOOD_DISTANCE: u32 = 2;

/// … and up to this distance those that were of use since the last reduction.
const FAIR_DISTANCE: u32 = 6;

/// Words over which even good clauses are forgotten: 128 MiB.
const MOST_WORDS: usize = 1 << 25;

/// A clause that waits for one of its first two statements to become false.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    pub(super) clause: Clause,
    /// Another statement of the clause: where it holds, the clause need not be looked at.
    pub(super) other: Lit,
}

/// Clauses, one behind the other: length, distance, statements.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    words: Vec<u32>,
    starts: Vec<Clause>,
    /// The clauses that watch each statement.
    pub(super) watches: Vec<Vec<Watch>>,
}

impl Clauses {
    pub(super) fn new(lits: usize) -> Clauses {
        Clauses { words: Vec::new(), starts: Vec::new(), watches: vec![Vec::new(); lits] }
    }

    /// Adds a clause of two statements or more, which watches the first two. Its distance is the number of levels that its
    /// statements lie in; one with distance 0 is never forgotten.
    pub(super) fn add(&mut self, lits: &[Lit], distance: u32) -> Clause {
        let clause = self.words.len() as Clause;
        self.words.extend([lits.len() as u32, if distance == 0 { 0 } else { distance | USED }]);
        self.words.extend_from_slice(lits);
        self.starts.push(clause);
        self.watch(clause);
        clause
    }

    fn watch(&mut self, clause: Clause) {
        let lits = self.lits(clause);
        let (first, second) = (lits[0], lits[1]);
        self.watches[first as usize].push(Watch { clause, other: second });
        self.watches[second as usize].push(Watch { clause, other: first });
    }

    #[inline]
    pub(super) fn lits(&self, clause: Clause) -> &[Lit] {
        let at = clause as usize;
        &self.words[at + LITS..at + LITS + self.words[at + LENGTH] as usize]
    }

    #[inline]
    pub(super) fn lits_mut(&mut self, clause: Clause) -> &mut [Lit] {
        let at = clause as usize;
        let length = self.words[at + LENGTH] as usize;
        &mut self.words[at + LITS..at + LITS + length]
    }

    /// The clause took part in a conflict.
    pub(super) fn mark_used(&mut self, clause: Clause) {
        let distance = &mut self.words[clause as usize + DISTANCE];
        if *distance != 0 {
            *distance |= USED;
        }
    }

    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = Clause> + '_ {
        self.starts.iter().copied()
    }

    /// In how many levels its statements lay when it took part last, or 0 if it is never forgotten.
    pub(super) fn distance(&self, clause: Clause) -> u32 {
        self.words[clause as usize + DISTANCE] & !USED
    }

    /// Lowers the distance of a clause that is used; one with distance 0 keeps it, and one that lies in one level has 1.
    pub(super) fn lower_distance(&mut self, clause: Clause, to: u32) {
        if (1..self.distance(clause)).contains(&to) {
            self.words[clause as usize + DISTANCE] = to | USED;
        }
    }

    /// Forgets the worse half of the clauses that are not good, were of no use lately and may go, moves the others together, and gives
    /// a table that tells where a clause is now.
    pub(super) fn reduce(&mut self, is_needed: impl Fn(Clause, Lit, Lit) -> bool) -> Moved {
        let good = if self.words.len() > MOST_WORDS { 0 } else { GOOD_DISTANCE };
        let mut worst = Vec::new();
        for &clause in &self.starts {
            let at = clause as usize;
            let (used, distance) = (self.words[at + DISTANCE] & USED != 0, self.words[at + DISTANCE] & !USED);
            self.words[at + DISTANCE] = distance;
            let is_kept = distance <= good || (used && distance <= FAIR_DISTANCE);
            if !is_kept && !is_needed(clause, self.words[at + LITS], self.words[at + LITS + 1]) {
                worst.push((distance, self.words[at + LENGTH], clause));
            }
        }
        worst.sort_unstable_by(|a, b| b.cmp(a));
        for (.., clause) in &worst[..worst.len().div_ceil(2)] {
            self.words[*clause as usize + DISTANCE] = GONE;
        }
        let mut old = std::mem::take(&mut self.words);
        self.watches.iter_mut().for_each(Vec::clear);
        for clause in std::mem::take(&mut self.starts) {
            let at = clause as usize;
            if old[at + DISTANCE] != GONE {
                let now = self.words.len() as Clause;
                self.words.extend_from_slice(&old[at..at + LITS + old[at + LENGTH] as usize]);
                self.starts.push(now);
                self.watch(now);
                old[at] = now;
            }
        }
        Moved(old)
    }
}

/// The old words, in which each clause that was kept begins with its new place.
pub(super) struct Moved(Vec<u32>);

impl Moved {
    /// The new place of a clause that was needed.
    pub(super) fn place(&self, clause: Clause) -> Clause {
        self.0[clause as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reducing_keeps_what_is_needed_good_or_for_ever() {
        let mut clauses = Clauses::new(20);
        let all = [
            clauses.add(&[0, 2, 4], 9),
            clauses.add(&[6, 8, 10], 0),
            clauses.add(&[1, 3], 2),
            clauses.add(&[5, 7, 9, 11], 8),
            clauses.add(&[12, 14, 16], 7),
            clauses.add(&[13, 15, 17], 5),
        ];
        // Of 9 and 7, the two that may go, the worse one goes.
        let moved = clauses.reduce(|clause, _, _| clause == all[3]);
        let kept: Vec<&[Lit]> = [1, 2, 3, 4, 5].map(|i| clauses.lits(moved.place(all[i]))).into();
        assert_eq!(kept, [&[6, 8, 10][..], &[1, 3], &[5, 7, 9, 11], &[12, 14, 16], &[13, 15, 17]]);
        assert_eq!(clauses.starts.len(), 5);
        assert!(clauses.watches[0].is_empty() && clauses.watches[14].len() == 1);
        clauses.lower_distance(0, 3);
        assert_eq!((clauses.distance(0), clauses.distance(moved.place(all[2]))), (0, 2));
        // Not used since, the one of distance 5 may go now too.
        clauses.reduce(|_, first, _| first == 5 || first == 12);
        assert_eq!(clauses.starts.len(), 4);
    }
}
