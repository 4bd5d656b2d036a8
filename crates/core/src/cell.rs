//! Cells.

use std::fmt;

/// A cell, by its row-major index: `row · side + column`, both counted from 0. A side is at most 64, so 0 to 4095.
///
/// Only prose and messages say `r1c1`, counted from 1; [`Cell::label`] makes that.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u16);

impl Cell {
    /// The cell with this row-major index; `None` from 4096 on.
    pub const fn new(index: usize) -> Option<Cell> {
        if index < crate::MAX_SIDE * crate::MAX_SIDE { Some(Cell(index as u16)) } else { None }
    }

    /// The row-major index, counted from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row on a board of this side, counted from 0.
    pub const fn row(self, side: usize) -> usize {
        self.index() / side
    }

    /// The column on a board of this side, counted from 0.
    pub const fn column(self, side: usize) -> usize {
        self.index() % side
    }

    /// The cell as messages name it on a board of this side: `r1c1` is the first.
    pub fn label(self, side: usize) -> String {
        format!("r{}c{}", self.row(side) + 1, self.column(side) + 1)
    }

    pub(crate) const fn from_index(index: usize) -> Cell {
        debug_assert!(index < crate::MAX_SIDE * crate::MAX_SIDE);
        Cell(index as u16)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}
