//! Symmetry of the pattern of givens.

use std::fmt;
use std::str::FromStr;

use ninefold::{Board, Cell};

/// Where a cell of a board of this side goes: row and column, counted from 0.
type Map = fn(side: usize, row: usize, column: usize) -> (usize, usize);

const HALF_TURN: Map = |side, row, column| (side - 1 - row, side - 1 - column);
const QUARTER_TURN: Map = |side, row, column| (column, side - 1 - row);
const TOP_TO_BOTTOM: Map = |side, row, column| (side - 1 - row, column);
const LEFT_TO_RIGHT: Map = |side, row, column| (row, side - 1 - column);
const MAIN_DIAGONAL: Map = |_, row, column| (column, row);
const ANTI_DIAGONAL: Map = |side, row, column| (side - 1 - column, side - 1 - row);

/// A symmetry that the pattern of givens has: where one cell of an orbit holds a given, all of it do. The digits are not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Symmetry {
    /// No symmetry: each cell by itself.
    #[default]
    None,
    /// A half turn.
    Rotational180,
    /// A quarter turn, and so a half turn too.
    Rotational90,
    /// The upper half mirrors the lower: the axis is horizontal.
    Horizontal,
    /// The left half mirrors the right: the axis is vertical.
    Vertical,
    /// Mirrored at the diagonal from the upper left to the lower right.
    Diagonal,
    /// Mirrored at the diagonal from the upper right to the lower left.
    AntiDiagonal,
    /// Mirrored at both axes.
    HorizontalVertical,
    /// Mirrored at both diagonals.
    Diagonals,
    /// All of these together: the symmetry of the square.
    Full,
}

impl Symmetry {
    /// Every symmetry, from none to full.
    pub const ALL: [Symmetry; 10] = [
        Symmetry::None,
        Symmetry::Rotational180,
        Symmetry::Rotational90,
        Symmetry::Horizontal,
        Symmetry::Vertical,
        Symmetry::Diagonal,
        Symmetry::AntiDiagonal,
        Symmetry::HorizontalVertical,
        Symmetry::Diagonals,
        Symmetry::Full,
    ];

    /// Its name: `none`, `rotational-180`, `rotational-90`, `horizontal`, `vertical`, `diagonal`, `anti-diagonal`,
    /// `horizontal-vertical`, `diagonals` or `full`. [`FromStr`] reads it.
    pub const fn name(self) -> &'static str {
        match self {
            Symmetry::None => "none",
            Symmetry::Rotational180 => "rotational-180",
            Symmetry::Rotational90 => "rotational-90",
            Symmetry::Horizontal => "horizontal",
            Symmetry::Vertical => "vertical",
            Symmetry::Diagonal => "diagonal",
            Symmetry::AntiDiagonal => "anti-diagonal",
            Symmetry::HorizontalVertical => "horizontal-vertical",
            Symmetry::Diagonals => "diagonals",
            Symmetry::Full => "full",
        }
    }

    /// What it is made of.
    fn maps(self) -> &'static [Map] {
        match self {
            Symmetry::None => &[],
            Symmetry::Rotational180 => &[HALF_TURN],
            Symmetry::Rotational90 => &[QUARTER_TURN],
            Symmetry::Horizontal => &[TOP_TO_BOTTOM],
            Symmetry::Vertical => &[LEFT_TO_RIGHT],
            Symmetry::Diagonal => &[MAIN_DIAGONAL],
            Symmetry::AntiDiagonal => &[ANTI_DIAGONAL],
            Symmetry::HorizontalVertical => &[TOP_TO_BOTTOM, LEFT_TO_RIGHT],
            Symmetry::Diagonals => &[MAIN_DIAGONAL, ANTI_DIAGONAL],
            Symmetry::Full => &[QUARTER_TURN, TOP_TO_BOTTOM],
        }
    }

    /// The orbits of the cells of a board of this side, 0 to 64: cells that hold givens together or not at all. Each cell is in one; they
    /// come in the order of their first cells.
    ///
    /// # Panics
    /// Where the side is over 64.
    pub fn orbits(self, side: usize) -> Vec<Vec<Cell>> {
        let mut seen = vec![false; side * side];
        let mut orbits = Vec::new();
        for start in 0..side * side {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            let mut orbit = vec![start];
            let mut next = 0;
            while let Some(&index) = orbit.get(next) {
                next += 1;
                for map in self.maps() {
                    let (row, column) = map(side, index / side, index % side);
                    let image = row * side + column;
                    if !seen[image] {
                        seen[image] = true;
                        orbit.push(image);
                    }
                }
            }
            orbit.sort_unstable();
            orbits.push(orbit.into_iter().map(|index| Cell::new(index).expect("a cell of the board")).collect());
        }
        orbits
    }

    /// Whether the pattern of the givens of this board has the symmetry.
    ///
    /// ```
    /// use ninefold_generator::Symmetry;
    /// let board = "1... .... .... ...2".parse()?;
    /// assert!(Symmetry::Rotational180.holds(&board));
    /// assert!(!Symmetry::Rotational90.holds(&board));
    /// # Ok::<(), ninefold::ParseError>(())
    /// ```
    pub fn holds(self, board: &Board) -> bool {
        let side = board.rules().side();
        let bytes = board.as_bytes();
        self.maps().iter().all(|map| {
            (0..bytes.len()).all(|index| {
                let (row, column) = map(side, index / side, index % side);
                (bytes[index] == 0) == (bytes[row * side + column] == 0)
            })
        })
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a text is not the name of a symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymmetryError(String);

impl fmt::Display for SymmetryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Symmetry::ALL.iter().map(|symmetry| symmetry.name()).collect();
        write!(f, "`{}` is not a symmetry: there are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for SymmetryError {}

impl FromStr for Symmetry {
    type Err = SymmetryError;

    fn from_str(text: &str) -> Result<Symmetry, SymmetryError> {
        Symmetry::ALL.into_iter().find(|symmetry| symmetry.name() == text).ok_or_else(|| SymmetryError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orbits_split_the_board_and_are_as_large_as_the_symmetry() {
        for side in 1..=10 {
            for symmetry in Symmetry::ALL {
                let orbits = symmetry.orbits(side);
                let mut cells: Vec<usize> = orbits.iter().flatten().map(|cell| cell.index()).collect();
                cells.sort_unstable();
                assert_eq!(cells, (0..side * side).collect::<Vec<_>>(), "{symmetry} {side}");
                let most = match symmetry {
                    Symmetry::None => 1,
                    Symmetry::Rotational90 | Symmetry::HorizontalVertical | Symmetry::Diagonals => 4,
                    Symmetry::Full => 8,
                    _ => 2,
                };
                assert!(orbits.iter().all(|orbit| most % orbit.len() == 0), "{symmetry} {side}");
            }
        }
    }

    #[test]
    fn a_board_of_one_orbit_has_the_symmetry() {
        for symmetry in Symmetry::ALL {
            for orbit in symmetry.orbits(6) {
                let mut board = Board::empty(&ninefold::Rules::blocks("2x3".parse().unwrap()));
                for &cell in &orbit {
                    board.set(cell, ninefold::Digit::new(1));
                }
                assert!(symmetry.holds(&board), "{symmetry}: {board}");
                board.set(orbit[0], None);
                assert_eq!(symmetry.holds(&board), orbit.len() == 1, "{symmetry}: {board}");
            }
        }
    }

    #[test]
    fn names_are_read_and_others_refused() {
        for symmetry in Symmetry::ALL {
            assert_eq!(symmetry.name().parse(), Ok(symmetry));
        }
        assert!(
            "rotational"
                .parse::<Symmetry>()
                .unwrap_err()
                .to_string()
                .starts_with("`rotational` is not a symmetry: there are none")
        );
    }
}
