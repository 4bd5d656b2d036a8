//! Sets of cells of a full grid that cannot all be blank.

use ninefold::{Budget, Cell, Rules};

use crate::purse::Purse;

/// Unavoidable sets of one full grid: the digits in each can be put another way, so a puzzle that has all of them blank has a second
/// solution. Whoever removes givens asks here first, which is cheaper than a search.
///
/// The word is that of G. McGuire, B. Tugemann and G. Civario ("There is no 16-clue Sudoku", 2012).
#[derive(Debug)]
pub(crate) struct Unavoidable {
    /// Words of 64 cells for one set.
    words: usize,
    sets: Vec<u64>,
}

impl Unavoidable {
    /// The sets of two digits of a full grid.
    pub(crate) fn of_two_digits(rules: &Rules, grid: &[u8], purse: &mut Purse) -> Result<Unavoidable, Budget> {
        let mut own = Unavoidable { words: grid.len().div_ceil(64), sets: Vec::new() };
        let mut cells_of = vec![Vec::new(); rules.side()];
        for cell in rules.cells() {
            cells_of[usize::from(grid[cell.index()]) - 1].push(cell);
        }
        let mut seen = vec![false; grid.len()];
        for (i, first) in cells_of.iter().enumerate() {
            for other in &cells_of[i + 1..] {
                purse.poll()?;
                first.iter().chain(other).for_each(|cell| seen[cell.index()] = false);
                for &start in first.iter().chain(other) {
                    if !seen[start.index()] {
                        let chain = two_digit_chain(rules, grid, start, other[0], &mut seen);
                        own.add(chain.into_iter());
                    }
                }
            }
        }
        Ok(own)
    }

    pub(crate) fn add(&mut self, cells: impl Iterator<Item = Cell>) {
        let from = self.sets.len();
        self.sets.resize(from + self.words, 0);
        for cell in cells {
            self.sets[from + cell.index() / 64] |= 1 << (cell.index() % 64);
        }
    }

    /// Whether these blanks, one bit a cell, contain a set.
    pub(crate) fn within(&self, blanks: &[u64]) -> bool {
        self.sets.chunks_exact(self.words).any(|set| set.iter().zip(blanks).all(|(set, blanks)| set & !blanks == 0))
    }
}

/// The cells of two digits that hang together with the first: whoever changes one has to change all.
///
/// Swapping the two digits in them gives another full grid that keeps the rules, whatever the houses are: a cell outside that holds
/// one of the digits shares no house with them. Graph theory knows such chains from A. B. Kempe (1879).
///
/// `other` is any cell that holds the second digit. The chain is marked in `seen`, and what is marked is left out.
pub(crate) fn two_digit_chain(rules: &Rules, grid: &[u8], start: Cell, other: Cell, seen: &mut [bool]) -> Vec<Cell> {
    let digits = [grid[start.index()], grid[other.index()]];
    seen[start.index()] = true;
    let mut chain = vec![start];
    let mut next = 0;
    while let Some(&cell) = chain.get(next) {
        next += 1;
        for &peer in rules.peers(cell) {
            if digits.contains(&grid[peer.index()]) && !seen[peer.index()] {
                seen[peer.index()] = true;
                chain.push(peer);
            }
        }
    }
    chain
}
