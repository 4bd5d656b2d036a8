//! Boards in any state, and the clashes on them.

use std::fmt;

use crate::{Cell, Digit, HouseId, HouseKind, Rules, classic};

/// The digits of a board, one byte a cell in row-major order: 0 for a blank, else the digit.
///
/// Boards of up to 81 cells live inline, so that a classic line becomes a puzzle without touching the heap.
#[derive(Clone)]
enum Cells {
    Inline { count: u8, bytes: [u8; 81] },
    Heap(Box<[u8]>),
}

impl Cells {
    fn blank(count: usize) -> Cells {
        if count <= 81 { Cells::Inline { count: count as u8, bytes: [0; 81] } } else { Cells::Heap(vec![0; count].into()) }
    }

    #[inline]
    fn as_slice(&self) -> &[u8] {
        match self {
            Cells::Inline { count, bytes } => &bytes[..*count as usize],
            Cells::Heap(bytes) => bytes,
        }
    }

    #[inline]
    fn as_mut_slice(&mut self) -> &mut [u8] {
        match self {
            Cells::Inline { count, bytes } => &mut bytes[..*count as usize],
            Cells::Heap(bytes) => bytes,
        }
    }
}

/// Rules and an optional digit for each cell, in any state: empty, half full, full, with or without clashes.
///
/// It reads from text (`FromStr`, [`Board::parse`]) and shows as a line, or as a grid with `{:#}`.
///
/// ```
/// use ninefold_core::Board;
/// let board: Board = "12.. 34.. .... ....".parse()?;
/// assert_eq!(board.rules().side(), 4);
/// assert_eq!(board.to_string(), "12..34..........");
/// assert_eq!(format!("{board:#}"), "1 2 | . .\n3 4 | . .\n----+----\n. . | . .\n. . | . .");
/// # Ok::<(), ninefold_core::ParseError>(())
/// ```
#[derive(Clone)]
pub struct Board {
    rules: Rules,
    cells: Cells,
}

impl Board {
    /// A board without digits.
    pub fn empty(rules: &Rules) -> Board {
        Board { rules: rules.clone(), cells: Cells::blank(rules.cell_count()) }
    }

    /// A board from one byte a cell in row-major order: 0 for a blank, else the digit.
    ///
    /// # Errors
    /// Where the length is not the count of cells, or a byte is over the side.
    pub fn from_bytes(rules: &Rules, bytes: &[u8]) -> Result<Board, BoardError> {
        if bytes.len() != rules.cell_count() {
            return Err(BoardError { message: format!("{} cells where the board has {}", bytes.len(), rules.cell_count()) });
        }
        let side = rules.side();
        if let Some(index) = bytes.iter().position(|&byte| usize::from(byte) > side) {
            let label = Cell::from_index(index).label(side);
            return Err(BoardError { message: format!("{} at {label} where the digits are 1 to {side}", bytes[index]) });
        }
        let mut board = Board::empty(rules);
        board.cells.as_mut_slice().copy_from_slice(bytes);
        Ok(board)
    }

    /// A classic board from 81 characters; blanks are `.`, `0`, `_`, `*` and `?`. `None` where another character is among
    /// them; [`Board::parse`] then tells which. This is the fast way in: a few nanoseconds.
    #[inline]
    pub fn from_classic_line(line: &[u8; 81]) -> Option<Board> {
        let mut bytes = [0; 81];
        let mut bad = false;
        // Without branches or a table, so that the compiler makes vector code of it.
        for (byte, &symbol) in bytes.iter_mut().zip(line) {
            let digit = symbol.wrapping_sub(b'0');
            let blank = (symbol == b'.') | (symbol == b'_') | (symbol == b'*') | (symbol == b'?');
            *byte = if blank { 0 } else { digit };
            bad |= !blank & (digit > 9);
        }
        if bad { None } else { Some(Board { rules: Rules::classic().clone(), cells: Cells::Inline { count: 81, bytes } }) }
    }

    /// A classic board whose bytes are known to be digits or blanks.
    #[inline]
    pub(crate) fn from_classic_bytes(bytes: &[u8; 81]) -> Board {
        Board { rules: Rules::classic().clone(), cells: Cells::Inline { count: 81, bytes: *bytes } }
    }

    /// The rules of the board.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The digit in a cell; `None` for a blank.
    ///
    /// # Panics
    /// Where the cell is not on the board.
    pub fn get(&self, cell: Cell) -> Option<Digit> {
        Digit::new(self.as_bytes()[cell.index()])
    }

    /// Writes a digit into a cell, or clears it.
    ///
    /// # Panics
    /// Where the cell is not on the board or the digit is over its side.
    pub fn set(&mut self, cell: Cell, digit: Option<Digit>) {
        let byte = digit.map_or(0, Digit::get);
        assert!(usize::from(byte) <= self.rules.side(), "the digit {byte} does not fit a board of side {}", self.rules.side());
        self.cells.as_mut_slice()[cell.index()] = byte;
    }

    /// One byte a cell in row-major order: 0 for a blank, else the digit.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.cells.as_slice()
    }

    /// The cells of a classic board as an array; `None` for other rules.
    #[inline]
    pub fn classic_bytes(&self) -> Option<&[u8; 81]> {
        match &self.cells {
            Cells::Inline { bytes, .. } if self.rules.is_classic() => Some(bytes),
            _ => None,
        }
    }

    /// The cells that hold a digit, with it, in row-major order.
    pub fn givens(&self) -> impl Iterator<Item = (Cell, Digit)> + '_ {
        self.as_bytes().iter().enumerate().filter_map(|(i, &byte)| Some((Cell::from_index(i), Digit::new(byte)?)))
    }

    /// How many cells hold a digit.
    pub fn given_count(&self) -> usize {
        self.as_bytes().iter().filter(|&&byte| byte != 0).count()
    }

    /// Whether every cell holds a digit.
    pub fn is_full(&self) -> bool {
        !self.as_bytes().contains(&0)
    }

    /// Whether no house holds a digit twice. A board that is valid in this sense need not be solvable.
    pub fn is_valid(&self) -> bool {
        match self.classic_bytes() {
            Some(bytes) => classic::is_valid(bytes),
            None => self.find_clashes(|_| true).is_none(),
        }
    }

    /// Validation: every digit that a house holds twice, with both cells; empty for a valid board.
    ///
    /// A digit that a house holds three times makes two clashes, each with the first of its cells. A pair of cells that shares two houses
    /// makes one clash in each. A valid board is not necessarily solvable: only a solver can tell.
    ///
    /// ```
    /// use ninefold_core::Board;
    /// let board: Board = "1..1 .... ...3 2..3".parse()?;
    /// let clashes = board.clashes();
    /// assert_eq!(clashes[0].to_string(), "1 twice in row 1: r1c1 and r1c4");
    /// assert_eq!(clashes[1].to_string(), "3 twice in column 4: r3c4 and r4c4");
    /// assert_eq!(clashes[2].to_string(), "3 twice in block 4: r3c4 and r4c4");
    /// assert_eq!(clashes.len(), 3);
    /// # Ok::<(), ninefold_core::ParseError>(())
    /// ```
    pub fn clashes(&self) -> Vec<Clash> {
        let mut clashes = Vec::new();
        self.find_clashes(|clash| {
            clashes.push(clash);
            false
        });
        clashes
    }

    /// Walks the clashes until one is enough, and tells whether one was.
    fn find_clashes(&self, mut enough: impl FnMut(Clash) -> bool) -> Option<()> {
        let bytes = self.as_bytes();
        for (i, house) in self.rules.houses().iter().enumerate() {
            // The first cell of each digit in this house; the sentinel is no cell.
            let mut first = [u16::MAX; 65];
            for &cell in house.cells() {
                let byte = bytes[cell.index()];
                let Some(digit) = Digit::new(byte) else { continue };
                if first[usize::from(byte)] == u16::MAX {
                    first[usize::from(byte)] = cell.index() as u16;
                    continue;
                }
                let clash = Clash {
                    digit,
                    house: HouseId::from_index(i),
                    kind: house.kind().clone(),
                    cells: [Cell::from_index(usize::from(first[usize::from(byte)])), cell],
                    side: self.rules.side() as u8,
                };
                if enough(clash) {
                    return Some(());
                }
            }
        }
        None
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.as_bytes() == other.as_bytes() && self.rules == other.rules
    }
}

impl Eq for Board {}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({} {})", self.rules, self)
    }
}

/// Bytes that are no board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError {
    message: String,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BoardError {}

/// A digit that a house holds twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    digit: Digit,
    house: HouseId,
    kind: HouseKind,
    cells: [Cell; 2],
    side: u8,
}

impl Clash {
    /// The digit.
    pub fn digit(&self) -> Digit {
        self.digit
    }

    /// The house, as an id of the board's rules.
    pub fn house(&self) -> HouseId {
        self.house
    }

    /// What the house is called.
    pub fn house_kind(&self) -> &HouseKind {
        &self.kind
    }

    /// The two cells, in the order of the house.
    pub fn cells(&self) -> [Cell; 2] {
        self.cells
    }

    /// The two cells as messages name them: `r1c1`.
    pub fn cell_labels(&self) -> [String; 2] {
        self.cells.map(|cell| cell.label(usize::from(self.side)))
    }
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.cell_labels();
        write!(f, "{} twice in {}: {a} and {b}", self.digit, self.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

    fn with(row: usize, column: usize, digit: u8) -> Board {
        let mut board: Board = PUZZLE.parse().unwrap();
        let cell = board.rules().cell(row - 1, column - 1).unwrap();
        board.set(cell, Digit::new(digit));
        board
    }

    fn clashes(board: &Board) -> Vec<String> {
        board.clashes().iter().map(Clash::to_string).collect()
    }

    #[test]
    fn a_valid_board_has_no_clash() {
        assert_eq!(clashes(&PUZZLE.parse().unwrap()), Vec::<String>::new());
        assert!(PUZZLE.parse::<Board>().unwrap().is_valid());
    }

    #[test]
    fn each_clash_is_named_with_its_house_and_cells() {
        assert_eq!(clashes(&with(1, 1, 8)), ["8 twice in column 1: r1c1 and r4c1", "8 twice in block 1: r1c1 and r3c3"]);
        assert_eq!(
            clashes(&with(8, 4, 1)),
            ["1 twice in row 8: r8c4 and r8c5", "1 twice in column 4: r2c4 and r8c4", "1 twice in block 8: r8c4 and r8c5"]
        );
        assert_eq!(clashes(&with(6, 1, 4)), ["4 twice in column 1: r5c1 and r6c1", "4 twice in block 4: r5c1 and r6c1"]);
        assert_eq!(
            clashes(&with(3, 2, 6)),
            ["6 twice in row 3: r3c2 and r3c8", "6 twice in column 2: r3c2 and r7c2", "6 twice in block 1: r2c1 and r3c2"]
        );
    }

    #[test]
    fn the_fast_check_agrees_with_the_list_of_clashes() {
        for index in 0..81 {
            for digit in 0..=9 {
                let board = with(index / 9 + 1, index % 9 + 1, digit);
                assert_eq!(board.is_valid(), board.clashes().is_empty(), "{board}");
            }
        }
    }

    #[test]
    fn the_fast_line_reader_agrees_with_the_parser() {
        let line: [u8; 81] = PUZZLE.as_bytes().try_into().unwrap();
        assert_eq!(Board::from_classic_line(&line), PUZZLE.parse().ok());
        for byte in 0..=255u8 {
            let mut line = line;
            line[7] = byte;
            let text: String = line.iter().map(|&b| char::from(b)).collect();
            let slow = Board::parse(Rules::classic(), &text).ok();
            // White space and separators make the parser find 80 cells, so it refuses what the fast reader refuses.
            assert_eq!(Board::from_classic_line(&line), slow, "{byte}");
        }
    }

    #[test]
    fn bytes_outside_the_side_are_refused() {
        let rules = Rules::blocks("2x2".parse().unwrap());
        assert_eq!(Board::from_bytes(&rules, &[0; 15]).unwrap_err().to_string(), "15 cells where the board has 16");
        let mut bytes = [0; 16];
        bytes[5] = 5;
        assert_eq!(Board::from_bytes(&rules, &bytes).unwrap_err().to_string(), "5 at r2c2 where the digits are 1 to 4");
    }
}
