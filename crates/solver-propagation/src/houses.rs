//! What a full house says when it is looked at as a whole: subsets and matchings.

use ninefold_core::DigitSet;

/// A full house at a fixpoint of singles: the candidates of its blank cells, which have as many digits to hold as they are.
#[derive(Debug, Default)]
pub(crate) struct OpenHouse {
    /// One set a blank cell, at most 64.
    pub(crate) cells: Vec<DigitSet>,
    /// What may be removed from each of them.
    pub(crate) removals: Vec<DigitSet>,
}

impl OpenHouse {
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
        self.removals.clear();
    }

    /// Finds the naked and hidden subsets of two and three: cells that have between them as many digits as they are, which the other cells
    /// lose; and digits that have as many places as they are, where all else goes.
    pub(crate) fn subsets(&mut self) {
        self.removals.resize(self.cells.len(), DigitSet::EMPTY);
        let sets: Vec<u64> = self.cells.iter().map(|set| set.bits()).collect();
        let digits: Vec<u32> = (0..u64::BITS).filter(|digit| sets.iter().any(|set| set >> digit & 1 != 0)).collect();
        let places: Vec<u64> = digits
            .iter()
            .map(|digit| sets.iter().enumerate().fold(0, |places, (i, set)| places | (set >> digit & 1) << i))
            .collect();
        let remove = |removals: &mut [DigitSet], i: usize, bits: u64| {
            removals[i] = removals[i].union(DigitSet::from_bits(sets[i] & bits));
        };
        for_subsets(&sets, |members, union| {
            for i in (0..sets.len()).filter(|i| members >> i & 1 == 0) {
                remove(&mut self.removals, i, union);
            }
        });
        for_subsets(&places, |members, union| {
            let own = (0..digits.len()).filter(|i| members >> i & 1 != 0).fold(0, |own, i| own | 1 << digits[i]);
            for i in (0..sets.len()).filter(|i| union >> i & 1 != 0) {
                remove(&mut self.removals, i, !own);
            }
        });
    }

    /// Finds every candidate that no way of filling the house has, or that there is none: then false (J.-C. Régin, "A filtering algorithm for
    /// constraints of difference in CSPs", 1994).
    ///
    /// A matching gives each cell a digit of its own. Another way of filling the house differs from it by cycles: cells that take each
    /// other's digits round. So a cell can hold the digit of another exactly where the two lie on a cycle, in one strongly connected component.
    pub(crate) fn matching(&mut self) -> bool {
        self.removals.resize(self.cells.len(), DigitSet::EMPTY);
        // The cell that each digit is matched to.
        let mut owners = [usize::MAX; 64];
        for cell in 0..self.cells.len() {
            if !self.augment(cell, &mut owners, &mut 0) {
                return false;
            }
        }
        let components = self.components(&owners);
        for (cell, set) in self.cells.iter().enumerate() {
            for digit in *set {
                let owner = owners[digit.index()];
                if owner == usize::MAX || components[owner] != components[cell] {
                    self.removals[cell].insert(digit);
                }
            }
        }
        true
    }

    /// Finds a digit for a cell, moving others where that helps (H. W. Kuhn, 1955).
    fn augment(&self, cell: usize, owners: &mut [usize; 64], tried: &mut u64) -> bool {
        for digit in self.cells[cell] {
            if *tried >> digit.index() & 1 == 0 {
                *tried |= 1 << digit.index();
                let owner = owners[digit.index()];
                if owner == usize::MAX || self.augment(owner, owners, tried) {
                    owners[digit.index()] = cell;
                    return true;
                }
            }
        }
        false
    }

    /// The strongly connected components of the graph in which a cell leads to the owners of its candidates, as a number a cell. At most 64
    /// cells, so what each reaches is a word, and the closure a few thousand steps.
    fn components(&self, owners: &[usize; 64]) -> Vec<u64> {
        let count = self.cells.len();
        let mut reached: Vec<u64> = self
            .cells
            .iter()
            .enumerate()
            .map(|(cell, set)| {
                set.iter()
                    .filter(|digit| owners[digit.index()] < count)
                    .fold(1 << cell, |to, digit| to | 1 << owners[digit.index()])
            })
            .collect();
        for middle in 0..count {
            let through = reached[middle];
            for from in &mut reached {
                if *from >> middle & 1 != 0 {
                    *from |= through;
                }
            }
        }
        // Two cells lie on a cycle where each reaches the other: they then reach the same.
        reached
    }
}

/// Calls back for every two or three of the sets that have just as many members together; with the sets as bits, and their union.
fn for_subsets(sets: &[u64], mut found: impl FnMut(u64, u64)) {
    let small: Vec<usize> = (0..sets.len()).filter(|&i| (2..=3).contains(&sets[i].count_ones())).collect();
    for (at, &a) in small.iter().enumerate() {
        for (next, &b) in small.iter().enumerate().skip(at + 1) {
            let two = sets[a] | sets[b];
            if two.count_ones() == 2 {
                found(1 << a | 1 << b, two);
            } else if two.count_ones() == 3 {
                for &c in &small[next + 1..] {
                    if (two | sets[c]).count_ones() == 3 {
                        found(1 << a | 1 << b | 1 << c, two);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(text: &[&str]) -> Vec<DigitSet> {
        text.iter().map(|set| set.chars().filter_map(ninefold_core::Digit::from_symbol).collect()).collect()
    }

    fn after(house: &OpenHouse) -> Vec<String> {
        house.cells.iter().zip(&house.removals).map(|(set, gone)| set.difference(*gone).to_string()).collect()
    }

    /// The union of all ways to fill a house, by trying.
    fn supported(cells: &[DigitSet], used: DigitSet) -> Option<Vec<DigitSet>> {
        let Some((first, rest)) = cells.split_first() else { return Some(Vec::new()) };
        let mut all: Option<Vec<DigitSet>> = None;
        for digit in first.difference(used) {
            if let Some(below) = supported(rest, used.union(DigitSet::of(digit))) {
                let all = all.get_or_insert_with(|| vec![DigitSet::EMPTY; cells.len()]);
                all[0].insert(digit);
                all[1..].iter_mut().zip(below).for_each(|(set, more)| *set = set.union(more));
            }
        }
        all
    }

    #[test]
    fn subsets_of_two_and_three_are_found_naked_and_hidden() {
        let mut house = OpenHouse { cells: sets(&["12", "12", "1345", "2345", "345"]), removals: Vec::new() };
        house.subsets();
        assert_eq!(after(&house), ["12", "12", "345", "345", "345"]);
        let mut house = OpenHouse { cells: sets(&["12345", "1256", "3456", "3456", "3456", "3456"]), removals: Vec::new() };
        house.subsets();
        assert_eq!(after(&house), ["12", "12", "3456", "3456", "3456", "3456"]);
    }

    #[test]
    fn a_matching_leaves_what_some_way_of_filling_the_house_has_and_nothing_else() {
        let mut random = ninefold_testkit::Random::new(1);
        for _ in 0..20_000 {
            let count = 2 + random.below(5);
            let all = DigitSet::all(count).bits();
            let cells: Vec<DigitSet> = (0..count)
                .map(|_| DigitSet::from_bits((random.next_u64() | random.next_u64()) & random.next_u64() & all))
                .collect();
            let mut house = OpenHouse { cells: cells.clone(), removals: Vec::new() };
            let can_be_filled = house.matching();
            let truth = supported(&cells, DigitSet::EMPTY);
            assert_eq!(can_be_filled, truth.is_some(), "{cells:?}");
            let Some(truth) = truth else { continue };
            let left: Vec<DigitSet> = cells.iter().zip(&house.removals).map(|(set, gone)| set.difference(*gone)).collect();
            assert_eq!(left, truth, "{cells:?}");
            // Subsets remove no more than the matching.
            let mut house = OpenHouse { cells: cells.clone(), removals: Vec::new() };
            house.subsets();
            assert!(
                house
                    .removals
                    .iter()
                    .zip(cells.iter().zip(&truth))
                    .all(|(gone, (set, left))| gone.difference(set.difference(*left)).is_empty())
            );
        }
    }
}
