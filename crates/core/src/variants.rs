//! The named variants: houses that a rule set may have beside its rows, columns and blocks.

use std::fmt;

use crate::rules::RulesErrorKind;
use crate::{BlockShape, Cell, MAX_SIDE, RulesError};

/// Houses by name: what a variant makes of a board.
type Houses = Vec<(String, Vec<Cell>)>;

/// Why a variant does not exist on a board, as the end of "windows need".
type Needs = String;

/// A board as far as variants are concerned.
#[derive(Clone, Copy)]
struct Frame {
    side: usize,
    shape: Option<BlockShape>,
}

impl Frame {
    fn cell(self, row: usize, column: usize) -> Cell {
        Cell::from_index(row * self.side + column)
    }

    fn blocks(self) -> Result<BlockShape, Needs> {
        self.shape.ok_or_else(|| "blocks".into())
    }
}

/// A named group of houses that can be added to a board: `3x3+diagonals`.
///
/// ```
/// use ninefold_core::{Rules, Variant};
/// let rules: Rules = "3x3+windows".parse()?;
/// assert_eq!(rules.houses().len(), 31);
/// assert_eq!(Variant::by_name("windoku").map(Variant::name), Some("windows"));
/// assert!("2x3+windows".parse::<Rules>().is_err());
/// # Ok::<(), ninefold_core::RulesError>(())
/// ```
pub struct Variant {
    name: &'static str,
    aliases: &'static [&'static str],
    summary: &'static str,
    pairs: bool,
    make: fn(Frame) -> Result<Houses, Needs>,
}

/// Every variant, in the order in which a rule set has their houses. Pairs come last, so that those which a larger house implies
/// can be left out.
const ALL: &[Variant] = &[
    Variant {
        name: "diagonals",
        aliases: &["x", "diagonal"],
        summary: "the two diagonals, each with every digit once; any board",
        pairs: false,
        make: |frame| Ok([main_diagonal(frame), anti_diagonal(frame)].into()),
    },
    Variant {
        name: "main-diagonal",
        aliases: &[],
        summary: "the diagonal from the first cell to the last alone; any board",
        pairs: false,
        make: |frame| Ok([main_diagonal(frame)].into()),
    },
    Variant {
        name: "anti-diagonal",
        aliases: &[],
        summary: "the other diagonal alone; any board",
        pairs: false,
        make: |frame| Ok([anti_diagonal(frame)].into()),
    },
    Variant {
        name: "windows",
        aliases: &["hyper", "windoku", "window"],
        summary: "squares one cell apart and one from the edge: four of 3×3 on a 9×9 board; sides 4, 9, 16, 25 …",
        pairs: false,
        make: windows,
    },
    Variant {
        name: "centre-dots",
        aliases: &["center-dots", "centre-dot", "center-dot"],
        summary: "the centre cells of all blocks; blocks with an odd number of rows and of columns",
        pairs: false,
        make: centre_dots,
    },
    Variant {
        name: "asterisk",
        aliases: &[],
        summary: "nine cells in the shape of a star; 9×9 alone",
        pairs: false,
        make: asterisk,
    },
    Variant {
        name: "disjoint-groups",
        aliases: &["disjoint"],
        summary: "the cells at the same place in every block, one house a place; boards with blocks",
        pairs: false,
        make: disjoint_groups,
    },
    Variant {
        name: "anti-knight",
        aliases: &["antiknight", "knight"],
        summary: "cells a chess knight's move apart differ; any board",
        pairs: true,
        make: |frame| Ok(pairs(frame, "a knight's move", &[(1, -2), (1, 2), (2, -1), (2, 1)])),
    },
    Variant {
        name: "anti-king",
        aliases: &["antiking", "king"],
        summary: "cells a chess king's move apart differ, so touching ones; any board",
        pairs: true,
        make: |frame| Ok(pairs(frame, "a king's move", &[(0, 1), (1, -1), (1, 0), (1, 1)])),
    },
];

fn main_diagonal(frame: Frame) -> (String, Vec<Cell>) {
    ("main diagonal".into(), (0..frame.side).map(|i| frame.cell(i, i)).collect())
}

fn anti_diagonal(frame: Frame) -> (String, Vec<Cell>) {
    ("anti-diagonal".into(), (0..frame.side).map(|i| frame.cell(i, frame.side - 1 - i)).collect())
}

fn windows(frame: Frame) -> Result<Houses, Needs> {
    let root = frame.side.isqrt();
    if root * root != frame.side || root < 2 {
        return Err("a side that is the square of 2 or more: 4, 9, 16, 25, 36, 49 or 64".into());
    }
    let across = root - 1;
    let window = |i: usize| {
        let (top, left) = (1 + i / across * (root + 1), 1 + i % across * (root + 1));
        let cells = (0..frame.side).map(|k| frame.cell(top + k / root, left + k % root)).collect();
        (format!("window {}", i + 1), cells)
    };
    Ok((0..across * across).map(window).collect())
}

fn centre_dots(frame: Frame) -> Result<Houses, Needs> {
    let shape = frame.blocks()?;
    let (rows, columns) = (shape.rows(), shape.columns());
    if rows.is_multiple_of(2) || columns.is_multiple_of(2) {
        return Err(format!("blocks that have a centre cell, and those of {shape} have none"));
    }
    let centre = |row: usize, column: usize| row % rows == rows / 2 && column % columns == columns / 2;
    Ok([("centre dots".into(), cells_where(frame, centre))].into())
}

fn asterisk(frame: Frame) -> Result<Houses, Needs> {
    if frame.side != 9 {
        return Err("a 9×9 board: the star is nine cells that have no like on other boards".into());
    }
    const STAR: [(usize, usize); 9] = [(1, 4), (2, 2), (2, 6), (4, 1), (4, 4), (4, 7), (6, 2), (6, 6), (7, 4)];
    Ok([("asterisk".into(), STAR.map(|(row, column)| frame.cell(row, column)).into())].into())
}

fn disjoint_groups(frame: Frame) -> Result<Houses, Needs> {
    let shape = frame.blocks()?;
    let (rows, columns) = (shape.rows(), shape.columns());
    let group = |place: usize| {
        let same = |row: usize, column: usize| row % rows * columns + column % columns == place;
        (format!("disjoint group {}", place + 1), cells_where(frame, same))
    };
    Ok((0..frame.side).map(group).collect())
}

fn cells_where(frame: Frame, wanted: impl Fn(usize, usize) -> bool) -> Vec<Cell> {
    let side = frame.side;
    (0..side * side).filter(|i| wanted(i / side, i % side)).map(Cell::from_index).collect()
}

/// A house of two cells for each of these steps down and to the side that stays on the board.
fn pairs(frame: Frame, name: &str, steps: &[(usize, isize)]) -> Houses {
    let side = frame.side;
    let mut houses = Vec::new();
    for (row, column) in (0..side * side).map(|i| (i / side, i % side)) {
        for (down, aside) in steps {
            if let Some(other) = column.checked_add_signed(*aside).filter(|other| *other < side && row + down < side) {
                houses.push((name.to_owned(), vec![frame.cell(row, column), frame.cell(row + down, other)]));
            }
        }
    }
    houses
}

impl Variant {
    /// Every variant, in the order in which rule sets have their houses.
    pub fn all() -> &'static [Variant] {
        ALL
    }

    /// The variant with this name or alias.
    pub fn by_name(name: &str) -> Option<&'static Variant> {
        ALL.iter().find(|variant| variant.name == name || variant.aliases.contains(&name))
    }

    /// The name in the names of rules: `diagonals`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Other names that are read: `x`.
    pub fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    /// What its houses are, and on which boards it exists, in one clause.
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// Whether its houses are pairs of cells.
    pub fn is_pairs(&self) -> bool {
        self.pairs
    }

    /// Its houses on a board of this side (1 to 64) with or without blocks, each with what to call it. Of pairs, also those that are
    /// in a house together anyway.
    ///
    /// # Errors
    /// Where the variant does not exist on such a board, with what it needs.
    pub fn houses(&self, side: usize, shape: Option<BlockShape>) -> Result<Vec<(String, Vec<Cell>)>, RulesError> {
        if !(1..=MAX_SIDE).contains(&side) {
            let message = format!("a board of side {side} is not possible: the side is 1 to {MAX_SIDE}");
            return Err(RulesError::new(RulesErrorKind::Side, message));
        }
        (self.make)(Frame { side, shape: shape.filter(|shape| shape.side() == side) }).map_err(|needs| {
            let verb = if self.name.ends_with('s') { "need" } else { "needs" };
            RulesError::new(RulesErrorKind::Variant, format!("{} {verb} {needs}", self.name))
        })
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Variant").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(variant: &str, side: usize, shape: &str) -> Vec<Vec<String>> {
        let shape = if shape.is_empty() { None } else { Some(shape.parse().unwrap()) };
        let houses = Variant::by_name(variant).unwrap().houses(side, shape).unwrap();
        houses.iter().map(|(_, cells)| cells.iter().map(|cell| cell.label(side)).collect()).collect()
    }

    fn refusal(variant: &str, side: usize, shape: &str) -> String {
        let shape = if shape.is_empty() { None } else { Some(shape.parse().unwrap()) };
        Variant::by_name(variant).unwrap().houses(side, shape).unwrap_err().to_string()
    }

    #[test]
    fn houses_lie_where_their_names_say() {
        assert_eq!(labels("diagonals", 3, ""), [["r1c1", "r2c2", "r3c3"], ["r1c3", "r2c2", "r3c1"]]);
        let windows = labels("windoku", 9, "3x3");
        assert_eq!(windows.len(), 4);
        assert_eq!((windows[0][0].as_str(), windows[3][8].as_str()), ("r2c2", "r8c8"));
        assert_eq!(windows[1], ["r2c6", "r2c7", "r2c8", "r3c6", "r3c7", "r3c8", "r4c6", "r4c7", "r4c8"]);
        assert_eq!(labels("windows", 4, "2x2"), [["r2c2", "r2c3", "r3c2", "r3c3"]]);
        assert_eq!(labels("windows", 16, "")[8].last().unwrap(), "r15c15");
        assert_eq!(labels("centre-dots", 3, "1x3"), [["r1c2", "r2c2", "r3c2"]]);
        assert_eq!(labels("centre-dots", 9, "3x3")[0][..4], ["r2c2", "r2c5", "r2c8", "r5c2"]);
        assert_eq!(labels("disjoint", 6, "2x3")[5], ["r2c3", "r2c6", "r4c3", "r4c6", "r6c3", "r6c6"]);
        assert_eq!(labels("anti-knight", 3, "").len(), 8);
        assert_eq!(labels("anti-king", 2, "").len(), 6);
        assert!(labels("anti-knight", 2, "").is_empty());
    }

    #[test]
    fn houses_of_whole_variants_hold_every_digit() {
        for variant in ALL.iter().filter(|variant| !variant.pairs) {
            for side in 1..=MAX_SIDE {
                for (name, cells) in variant.houses(side, BlockShape::square(side)).unwrap_or_default() {
                    assert_eq!(cells.len(), side, "{name}");
                }
            }
        }
    }

    #[test]
    fn boards_without_the_variant_are_refused_with_the_reason() {
        assert_eq!(
            refusal("windows", 6, "2x3"),
            "windows need a side that is the square of 2 or more: 4, 9, 16, 25, 36, 49 or 64"
        );
        assert_eq!(
            refusal("asterisk", 16, "4x4"),
            "asterisk needs a 9×9 board: the star is nine cells that have no like on other boards"
        );
        assert_eq!(
            refusal("centre-dots", 6, "2x3"),
            "centre-dots need blocks that have a centre cell, and those of 2x3 have none"
        );
        assert_eq!(refusal("disjoint-groups", 7, ""), "disjoint-groups need blocks");
        assert_eq!(refusal("diagonals", 0, ""), "a board of side 0 is not possible: the side is 1 to 64");
    }

    #[test]
    fn names_are_of_one_variant_each() {
        let names: Vec<&str> = ALL.iter().flat_map(|variant| variant.aliases.iter().chain([&variant.name])).copied().collect();
        for name in &names {
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
        }
        let pairs: Vec<bool> = ALL.iter().map(Variant::is_pairs).collect();
        assert!(pairs.is_sorted(), "pairs come last");
    }
}
