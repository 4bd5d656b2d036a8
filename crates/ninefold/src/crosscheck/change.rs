//! Changes of a puzzle that change its solutions in the same way and nothing else.

use std::fmt;

use super::draft::{Draft, parts_of, rules_from};
use super::random::Random;
use crate::{Board, Cell, Digit, DigitSet, Puzzle, Rules};

/// One kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// The rows of each band change places among each other; where there are no blocks, all rows.
    Rows,
    /// The bands change places.
    Bands,
    /// The columns of each stack change places among each other; where there are no blocks, all columns.
    Columns,
    /// The stacks change places.
    Stacks,
    /// Rows become columns, so that with a mirror the board is turned.
    Transpose,
    /// Left and right change sides, top and bottom, or both.
    Mirror,
    /// The digits change their names.
    Relabel,
}

impl Change {
    /// Every kind, in the order in which they are applied.
    pub const ALL: [Change; 7] =
        [Change::Rows, Change::Bands, Change::Columns, Change::Stacks, Change::Transpose, Change::Mirror, Change::Relabel];

    const fn word(self) -> &'static str {
        match self {
            Change::Rows => "rows moved",
            Change::Bands => "bands moved",
            Change::Columns => "columns moved",
            Change::Stacks => "stacks moved",
            Change::Transpose => "transposed",
            Change::Mirror => "mirrored",
            Change::Relabel => "relabelled",
        }
    }
}

/// Some changes one after the other, of puzzles with certain rules.
///
/// The rules change with the board: every house goes where its cells go. Where it comes out as another set of the same houses, as on any board
/// with square blocks, the rules stay the same ones.
///
/// ```
/// use ninefold::crosscheck::{Change, Changes};
/// use ninefold::Puzzle;
/// let puzzle = Puzzle::new("12.. .... .... ...4".parse()?)?;
/// let changes = Changes::new(puzzle.rules(), &[Change::Transpose, Change::Relabel], 7);
/// let changed = changes.apply(&puzzle);
/// assert_eq!(changed.rules(), puzzle.rules());
/// assert_eq!(changed.board().given_count(), 3);
/// assert_eq!(changes.back(changed.board()), *puzzle.board());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Changes {
    kinds: Vec<Change>,
    from: Rules,
    to: Rules,
    /// Where each cell goes.
    cells: Vec<usize>,
    /// What each digit is called, at its index.
    digits: Vec<u8>,
}

impl Changes {
    /// Changes of these kinds, made from a seed: the same seed makes the same changes, and a kind less leaves the others as they are.
    ///
    /// A kind that the rules have no place for changes nothing.
    pub fn new(rules: &Rules, kinds: &[Change], seed: u64) -> Changes {
        let side = rules.side();
        let mut row: Vec<usize> = (0..side).collect();
        let mut column = row.clone();
        let mut digits: Vec<u8> = (1..=side as u8).collect();
        let (mut transpose, mut upside_down, mut sides) = (false, false, false);
        let (height, width) = rules.block_shape().map_or((side, side), |shape| (shape.rows(), shape.columns()));
        for (stream, kind) in Change::ALL.into_iter().enumerate() {
            if !kinds.contains(&kind) {
                continue;
            }
            let mut random = Random::new(seed, stream as u64);
            match kind {
                Change::Rows => within_groups(&mut row, height, &mut random),
                Change::Bands => groups(&mut row, height, &mut random),
                Change::Columns => within_groups(&mut column, width, &mut random),
                Change::Stacks => groups(&mut column, width, &mut random),
                Change::Transpose => transpose = true,
                Change::Mirror => {
                    let which = 1 + random.below(3);
                    (upside_down, sides) = (which & 1 != 0, which & 2 != 0);
                }
                Change::Relabel => random.shuffle(&mut digits),
            }
        }
        let cells: Vec<usize> = (0..side * side)
            .map(|index| {
                let (mut r, mut c) = (row[index / side], column[index % side]);
                if transpose {
                    (r, c) = (c, r);
                }
                if upside_down {
                    r = side - 1 - r;
                }
                if sides {
                    c = side - 1 - c;
                }
                r * side + c
            })
            .collect();
        let moved = |cell: &Cell| Cell::new(cells[cell.index()]).expect("the cells change places among each other");
        let houses: Vec<_> = parts_of(rules).into_iter().map(|(kind, house)| (kind, house.iter().map(moved).collect())).collect();
        let to = rules_from(side, &houses, rules).expect("houses stay houses where their cells go");
        let kinds = Change::ALL.into_iter().filter(|kind| kinds.contains(kind)).collect();
        Changes { kinds, from: rules.clone(), to, cells, digits }
    }

    /// What is changed.
    pub fn kinds(&self) -> &[Change] {
        &self.kinds
    }

    /// The changed puzzle.
    ///
    /// # Panics
    /// Where it has other rules than those that the changes were made for.
    pub fn apply(&self, puzzle: &Puzzle) -> Puzzle {
        assert!(*puzzle.rules() == self.from, "changes of {} do not fit a puzzle of {}", self.from, puzzle.rules());
        let mut digits = vec![0; self.cells.len()];
        let mut sets = puzzle.restrictions().map(|sets| vec![DigitSet::EMPTY; sets.len()]);
        for (i, &byte) in puzzle.board().as_bytes().iter().enumerate() {
            digits[self.cells[i]] = if byte == 0 { 0 } else { self.digits[usize::from(byte) - 1] };
            if let (Some(changed), Some(own)) = (&mut sets, puzzle.restrictions()) {
                changed[self.cells[i]] = own[i].iter().filter_map(|digit| Digit::new(self.digits[digit.index()])).collect();
            }
        }
        Draft { rules: self.to.clone(), digits, sets }.puzzle().expect("a changed puzzle has no clash where the puzzle has none")
    }

    /// What a board with the changed rules was before the changes.
    ///
    /// # Panics
    /// Where it has other rules.
    pub fn back(&self, board: &Board) -> Board {
        assert!(*board.rules() == self.to, "a board of {} does not come from changes to {}", board.rules(), self.to);
        let mut names = vec![0; self.digits.len() + 1];
        for (i, &digit) in self.digits.iter().enumerate() {
            names[usize::from(digit)] = i as u8 + 1;
        }
        let digits: Vec<u8> = self.cells.iter().map(|&cell| names[usize::from(board.as_bytes()[cell])]).collect();
        Board::from_bytes(&self.from, &digits).expect("the board has as many cells and digits as before")
    }
}

/// `rows and bands moved, transposed`: what was changed.
impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.kinds.iter().map(|kind| kind.word()).collect();
        f.write_str(&words.join(", "))
    }
}

/// Places change within groups of this size.
fn within_groups(places: &mut [usize], size: usize, random: &mut Random) {
    let order: Vec<Vec<usize>> = (0..places.len() / size).map(|_| random.permutation(size)).collect();
    for place in places {
        *place = *place / size * size + order[*place / size][*place % size];
    }
}

/// Groups of this size change places.
fn groups(places: &mut [usize], size: usize, random: &mut Random) {
    let order = random.permutation(places.len() / size);
    for place in places {
        *place = order[*place / size] * size + *place % size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_blocks_keep_their_rules_and_others_are_transposed() {
        for (shape, transposed) in [("3x3", "3x3"), ("2x2", "2x2"), ("2x3", "3x2"), ("4x4", "4x4")] {
            let rules = Rules::blocks(shape.parse().unwrap());
            for seed in 0..5 {
                assert_eq!(Changes::new(&rules, &Change::ALL, seed).to.to_string(), transposed);
                let without: Vec<Change> = Change::ALL.into_iter().filter(|kind| *kind != Change::Transpose).collect();
                assert_eq!(Changes::new(&rules, &without, seed).to, rules);
            }
        }
    }

    #[test]
    fn regions_and_other_houses_go_where_their_cells_go() {
        let jigsaw = Rules::jigsaw(b"1112132233243444").unwrap();
        let changes = Changes::new(&jigsaw, &Change::ALL, 3);
        assert_eq!(changes.to.houses().len(), 12);
        assert!(changes.to.name().starts_with("jigsaw:"), "{}", changes.to);
        let diagonal = (0..4).map(|i| Cell::new(5 * i).unwrap());
        let shape = "2x2".parse().unwrap();
        let rules = Rules::builder(4).rows_and_columns().block_houses(shape);
        let rules = rules.house(crate::HouseKind::Extra("diagonal".into()), diagonal).build().unwrap();
        assert_eq!(Changes::new(&rules, &[Change::Transpose], 3).to, rules);
        assert_eq!(Changes::new(&rules, &Change::ALL, 3).to.houses().len(), 13);
        for name in ["3x3+diagonals", "2x3+anti-knight", "3x3+windows", "latin:5", "free:4+house:r1c1r2c2"] {
            let rules: Rules = name.parse().unwrap();
            let changed = Changes::new(&rules, &Change::ALL, 9).to;
            assert_eq!((changed.houses().len(), changed.side()), (rules.houses().len(), rules.side()));
            assert_eq!(changed.name().parse::<Rules>().unwrap().houses().len(), rules.houses().len());
            assert_eq!(Changes::new(&rules, &[Change::Relabel], 9).to, rules);
        }
    }

    #[test]
    fn back_undoes_what_apply_does_for_givens_and_candidates() {
        let board: Board = "1... .2.. ..3. ...4".parse().unwrap();
        let mut sets = vec![DigitSet::all(4); 16];
        sets[1] = DigitSet::of(Digit::new(3).unwrap());
        let puzzle = Puzzle::with_candidates(board, &sets).unwrap();
        for seed in 0..20 {
            let changes = Changes::new(puzzle.rules(), &Change::ALL, seed);
            let changed = changes.apply(&puzzle);
            assert_eq!(changes.back(changed.board()), *puzzle.board());
            let restricted = |puzzle: &Puzzle| puzzle.restrictions().unwrap().iter().filter(|set| set.len() == 1).count();
            assert_eq!(restricted(&changed), restricted(&puzzle));
        }
    }
}
