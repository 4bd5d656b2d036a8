//! Named cases with known truth.

use crate::Random;
use ninefold_core::{BlockShape, Board, Cell, Digit, DigitSet, HouseKind, Puzzle, Rules};

/// How many solutions a case has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// So many and no more.
    Exactly(u64),
    /// At least so many, more than anyone enumerates in a test.
    AtLeast(u64),
}

/// A puzzle whose truth is known.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What to call it.
    pub name: &'static str,
    /// How many solutions it has.
    pub count: Count,
    /// The solution as a line, where there is exactly one and it is worth stating.
    pub solution: Option<&'static str>,
    rules: Variant,
    text: &'static str,
    /// Cells and the digits that they may hold.
    restrictions: &'static [(usize, &'static [u8])],
}

#[derive(Clone, Copy, Debug)]
enum Variant {
    Blocks(&'static str),
    Jigsaw(&'static str),
    Latin(usize),
    Diagonals(&'static str),
    /// Blocks, and no two cells a knight's move apart hold the same digit: many houses of two cells.
    AntiKnight(&'static str),
}

impl Case {
    /// The puzzle.
    ///
    /// # Panics
    /// Never: the cases are well formed, as the tests of this crate show.
    pub fn puzzle(&self) -> Puzzle {
        let board = Board::parse(&self.rules(), self.text).expect("the case is a board");
        if self.restrictions.is_empty() {
            return Puzzle::new(board).expect("the case has no clash");
        }
        let mut sets = vec![DigitSet::all(board.rules().side()); board.rules().cell_count()];
        for (cell, digits) in self.restrictions {
            sets[*cell] = digits.iter().filter_map(|&digit| Digit::new(digit)).collect();
        }
        Puzzle::with_candidates(board, &sets).expect("the case has no clash")
    }

    fn rules(&self) -> Rules {
        let blocks = |shape: &str| Rules::blocks(shape.parse().expect("a block shape"));
        match self.rules {
            Variant::Blocks(shape) => blocks(shape),
            Variant::Jigsaw(regions) => Rules::jigsaw(regions.as_bytes()).expect("a region map"),
            Variant::Latin(side) => Rules::builder(side).rows_and_columns().build().expect("rows and columns"),
            Variant::Diagonals(shape) => {
                let shape: BlockShape = shape.parse().expect("a block shape");
                let side = shape.side();
                let cell = |row: usize, column: usize| Cell::new(row * side + column).expect("a cell of the board");
                Rules::builder(side)
                    .rows_and_columns()
                    .block_houses(shape)
                    .house(HouseKind::Extra("main diagonal".into()), (0..side).map(|i| cell(i, i)))
                    .house(HouseKind::Extra("other diagonal".into()), (0..side).map(|i| cell(i, side - 1 - i)))
                    .build()
                    .expect("two diagonals")
            }
            Variant::AntiKnight(shape) => {
                let shape: BlockShape = shape.parse().expect("a block shape");
                let side = shape.side();
                let mut builder = Rules::builder(side).rows_and_columns().block_houses(shape);
                for row in 0..side {
                    for column in 0..side {
                        for (down, across) in [(1, 2), (2, 1), (1, -2), (2, -1)] {
                            let (other_row, other_column) = (row + down, column as isize + across);
                            if other_row < side && (0..side as isize).contains(&other_column) {
                                let pair = [row * side + column, other_row * side + other_column as usize];
                                let cells = pair.map(|index| Cell::new(index).expect("a cell of the board"));
                                builder = builder.house(HouseKind::Extra("knight's move".into()), cells);
                            }
                        }
                    }
                }
                builder.build().expect("pairs of cells")
            }
        }
    }
}

const fn classic(name: &'static str, count: Count, text: &'static str, solution: Option<&'static str>) -> Case {
    Case { name, count, solution, rules: Variant::Blocks("3x3"), text, restrictions: &[] }
}

const fn other(name: &'static str, count: Count, rules: Variant, text: &'static str, solution: Option<&'static str>) -> Case {
    Case { name, count, solution, rules, text, restrictions: &[] }
}

const WIKIPEDIA: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const WIKIPEDIA_SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// The named cases: no solution, one, two, many; complete and empty boards; dead cells; candidates restricted; several rule sets. All of them are
/// small enough for plain backtracking.
pub fn cases() -> Vec<Case> {
    use Count::{AtLeast, Exactly};
    vec![
        classic("the puzzle of the Wikipedia article", Exactly(1), WIKIPEDIA, Some(WIKIPEDIA_SOLUTION)),
        classic("a complete grid", Exactly(1), WIKIPEDIA_SOLUTION, Some(WIKIPEDIA_SOLUTION)),
        classic(
            "a grid with one blank",
            Exactly(1),
            "53467891267219534819834256785976142342685379171392485696153728428741963534528617.",
            Some(WIKIPEDIA_SOLUTION),
        ),
        classic(
            "a pair that can be swapped",
            Exactly(2),
            "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179",
            None,
        ),
        classic(
            "an empty board",
            AtLeast(700),
            ".................................................................................",
            None,
        ),
        classic(
            "a cell without a candidate",
            Exactly(0),
            ".12345678..................9.....................................................",
            None,
        ),
        classic(
            "a digit without a place in a row",
            Exactly(0),
            "..1234567..................8...........................8.........................",
            None,
        ),
        Case {
            name: "a restriction that leaves one of two solutions",
            count: Exactly(1),
            solution: None,
            rules: Variant::Blocks("2x2"),
            text: ".2.4.4.221434321",
            restrictions: &[(0, &[1])],
        },
        Case {
            name: "a blank that may hold nothing",
            count: Exactly(0),
            solution: None,
            rules: Variant::Blocks("3x3"),
            text: WIKIPEDIA,
            restrictions: &[(2, &[])],
        },
        Case {
            name: "a restriction that excludes the only solution",
            count: Exactly(0),
            solution: None,
            rules: Variant::Blocks("3x3"),
            text: WIKIPEDIA,
            restrictions: &[(2, &[1, 2, 3, 5, 6, 7, 8, 9])],
        },
        Case {
            name: "restrictions that name the solution",
            count: Exactly(1),
            solution: Some(WIKIPEDIA_SOLUTION),
            rules: Variant::Blocks("3x3"),
            text: WIKIPEDIA,
            restrictions: &[(2, &[4]), (3, &[6, 2]), (79, &[7])],
        },
        other("the smallest board", Exactly(1), Variant::Blocks("1x1"), ".", Some("1")),
        other("the smallest board, complete", Exactly(1), Variant::Blocks("1x1"), "1", Some("1")),
        other("a 2×2 board", Exactly(2), Variant::Blocks("1x2"), "....", None),
        other("an empty 4×4 board", Exactly(288), Variant::Blocks("2x2"), "................", None),
        other("a 4×4 board with two solutions", Exactly(2), Variant::Blocks("2x2"), ".2.4.4.221434321", None),
        other("a Latin square of side 4", Exactly(576), Variant::Latin(4), "................", None),
        other("an empty jigsaw of side 4", Exactly(24), Variant::Jigsaw("1112132233243444"), "................", None),
        other("a 4×4 board with diagonals", Exactly(48), Variant::Diagonals("2x2"), "................", None),
        other(
            "a 4×4 board without a knight's move between equals",
            Exactly(24),
            Variant::AntiKnight("2x2"),
            "................",
            None,
        ),
        other(
            "a 6×6 board without a knight's move between equals",
            AtLeast(700),
            Variant::AntiKnight("2x3"),
            "....................................",
            None,
        ),
        other("a 6×6 board of flat blocks", AtLeast(700), Variant::Blocks("2x3"), "....................................", None),
        other("a 6×6 board of tall blocks", AtLeast(700), Variant::Blocks("3x2"), "....................................", None),
    ]
}

/// A solvable board of this block shape: a shifted pattern of digits, shuffled a little, with `blanks` of every ten cells
/// cleared. The same arguments give the same board everywhere. It may have several solutions.
///
/// # Panics
/// Where `shape` is no block shape.
pub fn patterned(shape: &str, blanks: u64, seed: u64) -> Puzzle {
    let shape: BlockShape = shape.parse().expect("a block shape");
    let side = shape.side();
    let mut random = Random::new(seed);
    let shift = random.below(side);
    let bytes: Vec<u8> = (0..side * side)
        .map(|index| {
            let (row, column) = (index / side, index % side);
            // Each row of a band starts one block further, each band one cell further.
            let digit = (shape.columns() * (row % shape.rows()) + row / shape.rows() + column + shift) % side + 1;
            if (random.below(10) as u64) < blanks { 0 } else { digit as u8 }
        })
        .collect();
    let board = Board::from_bytes(&Rules::blocks(shape), &bytes).expect("the pattern fits the board");
    Puzzle::new(board).expect("the pattern has no clash")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_a_puzzle_with_a_name_of_its_own() {
        let mut names: Vec<&str> = cases().iter().map(|case| case.name).collect();
        for case in cases() {
            let _ = case.puzzle();
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), cases().len());
    }

    #[test]
    fn patterned_boards_keep_the_rules_when_full() {
        for shape in ["1x1", "2x2", "2x3", "3x2", "3x3", "2x5", "5x5", "8x8"] {
            let full = patterned(shape, 0, 1);
            assert!(full.board().is_full());
            assert!(ninefold_core::Solution::new(&full, full.board().clone()).is_ok());
        }
    }
}
