//! Boards as text: the plain line and the plain grid.
//!
//! A cell is one character: a digit (`1`-`9`, `A`-`Z`, `a`-`z`, `@`, `$`, `&`) or a blank (`.`, `0`, `_`, `*`, `?`). White
//! space, `|` and `,` separate; lines made of `-`, `+`, `=`, `|` and white space alone are borders. On boards of side 10 to 35 small
//! letters stand for the large ones. Every other layout is the business of the formats crate.

use std::fmt;
use std::str::FromStr;

use crate::{BlockShape, Board, Cell, Digit, MAX_SIDE, Rules};

fn is_blank(symbol: char) -> bool {
    matches!(symbol, '.' | '0' | '_' | '*' | '?')
}

/// One character of the text that stands for a cell.
#[derive(Clone, Copy)]
struct Symbol {
    symbol: char,
    line: usize,
    column: usize,
}

/// The cells of a text, and how many each of its lines has (border lines and empty lines left out).
struct Symbols {
    cells: Vec<Symbol>,
    lines: Vec<(usize, usize)>,
}

impl Symbols {
    /// Takes every character that is not a separator. Whether it stands for a digit depends on the side.
    fn read(text: &str) -> Result<Symbols, ParseError> {
        let mut symbols = Symbols { cells: Vec::new(), lines: Vec::new() };
        for (line_index, line) in text.lines().enumerate() {
            let line = if line_index == 0 { line.strip_prefix('\u{feff}').unwrap_or(line) } else { line };
            if line.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '+' | '=' | '|')) {
                continue;
            }
            let before = symbols.cells.len();
            for (column_index, symbol) in line.chars().enumerate() {
                if symbol.is_whitespace() || matches!(symbol, '|' | ',') {
                    continue;
                }
                let symbol = Symbol { symbol, line: line_index + 1, column: column_index + 1 };
                if !is_blank(symbol.symbol) && Digit::from_symbol(symbol.symbol).is_none() {
                    return Err(symbol.error(
                        ParseErrorKind::Symbol,
                        format!("`{}` is neither a digit nor a blank", symbol.symbol.escape_debug()),
                    ));
                }
                if symbols.cells.len() == MAX_SIDE * MAX_SIDE {
                    return Err(symbol.error(
                        ParseErrorKind::CellCount,
                        format!("more than {} cells, the most a board can have", MAX_SIDE * MAX_SIDE),
                    ));
                }
                symbols.cells.push(symbol);
            }
            symbols.lines.push((line_index + 1, symbols.cells.len() - before));
        }
        Ok(symbols)
    }

    /// Where the text ends: the place of what is missing.
    fn end(&self) -> (usize, usize) {
        self.cells.last().map_or((1, 1), |last| (last.line, last.column + 1))
    }

    fn board(&self, rules: &Rules) -> Result<Board, ParseError> {
        let (side, count) = (rules.side(), rules.cell_count());
        if self.cells.len() != count {
            return Err(self.count_error(side));
        }
        // A text of several lines is a grid: its lines are the rows, unless it is a line that was merely broken.
        if self.lines.len() == side
            && let Some(&(line, cells)) = self.lines.iter().find(|(_, cells)| *cells != side)
        {
            let message = format!("{cells} cells in this row where {side} are expected");
            return Err(ParseError { kind: ParseErrorKind::RowLength, line, column: 1, message });
        }
        let zero_is_a_digit = self.zero_is_a_digit(side)?;
        let mut bytes = vec![0; count];
        for (byte, symbol) in bytes.iter_mut().zip(&self.cells) {
            *byte = symbol.digit(side, zero_is_a_digit)?.map_or(0, Digit::get);
        }
        Ok(Board::from_bytes(rules, &bytes).expect("the cells were counted and their digits checked"))
    }

    /// Boards of side 10 to 36 are also written with `0` for the first digit, as hexadecimal 16×16 boards are. A `0`
    /// beside another kind of blank, on a board that does not use its own last digit, is such a digit. Where nothing else
    /// tells, the text is refused rather than guessed.
    fn zero_is_a_digit(&self, side: usize) -> Result<bool, ParseError> {
        if !(10..=36).contains(&side) {
            return Ok(false);
        }
        let Some(zero) = self.cells.iter().find(|cell| cell.symbol == '0') else { return Ok(false) };
        let last = Digit::new(side as u8);
        let other_blank = self.cells.iter().any(|cell| cell.symbol != '0' && is_blank(cell.symbol));
        let mut digits = self.cells.iter().filter(|cell| !is_blank(cell.symbol)).peekable();
        if digits.peek().is_none() {
            return Ok(false);
        }
        let uses_last = digits.any(|cell| cell.value(side) == last);
        match (uses_last, other_blank) {
            (true, _) => Ok(false),
            (false, true) => Ok(true),
            (false, false) => Err(zero.error(
                ParseErrorKind::AmbiguousZero,
                format!("`0` may be a blank or the first digit of a board of side {side}: write blanks as `.`"),
            )),
        }
    }

    fn count_error(&self, side: usize) -> ParseError {
        let (mut line, mut column) = self.end();
        let mut message = format!("{} cells found where {} are expected", self.cells.len(), side * side);
        if self.cells.len() > side * side {
            let first_over = self.cells[side * side];
            (line, column) = (first_over.line, first_over.column);
        }
        // Where all rows but one have the right length, that one is the culprit.
        if let [(bad_line, cells)] = self.lines.iter().filter(|(_, cells)| *cells != side).collect::<Vec<_>>()[..]
            && self.lines.len() == side
        {
            (line, column) = (*bad_line, 1);
            message = format!("{message}: this row has {cells} where {side} are expected");
        }
        ParseError { kind: ParseErrorKind::CellCount, line, column, message }
    }

    /// Rules with square blocks for this count of cells.
    fn square_rules(&self) -> Result<Rules, ParseError> {
        let count = self.cells.len();
        let side = count.isqrt();
        if side * side != count || count == 0 {
            // The lines show the side that was meant, if they agree on it.
            let meant = self.lines.iter().map(|(_, cells)| *cells).max().filter(|longest| *longest == self.lines.len());
            if let Some(side) = meant.filter(|side| BlockShape::square(*side).is_some()) {
                return Err(self.count_error(side));
            }
            if (73..=89).contains(&count) {
                return Err(self.count_error(9));
            }
            let (line, column) = self.end();
            let message = format!("{count} cells found, which make no square board");
            return Err(ParseError { kind: ParseErrorKind::CellCount, line, column, message });
        }
        match BlockShape::square(side) {
            Some(shape) => Ok(Rules::blocks(shape)),
            None => {
                let shapes: Vec<String> = BlockShape::all_for(side)
                    .filter(|shape| shape.rows() > 1 && shape.columns() > 1)
                    .map(|shape| shape.to_string())
                    .collect();
                let shapes = if shapes.is_empty() { format!("none but 1x{side}") } else { shapes.join(" or ") };
                let message = format!("{count} cells make a {side}×{side} board, which needs a block shape: {shapes}");
                Err(ParseError { kind: ParseErrorKind::BlockShape, line: 1, column: 1, message })
            }
        }
    }
}

impl Symbol {
    fn error(self, kind: ParseErrorKind, message: String) -> ParseError {
        ParseError { kind, line: self.line, column: self.column, message }
    }

    /// The digit of a symbol that is no blank, with small letters folded into large ones where both cannot be digits.
    fn value(self, side: usize) -> Option<Digit> {
        let symbol = if side <= 35 { self.symbol.to_ascii_uppercase() } else { self.symbol };
        Digit::from_symbol(symbol)
    }

    fn digit(self, side: usize, zero_is_a_digit: bool) -> Result<Option<Digit>, ParseError> {
        let shift = u8::from(zero_is_a_digit);
        if is_blank(self.symbol) {
            return Ok(if zero_is_a_digit && self.symbol == '0' { Digit::new(1) } else { None });
        }
        let value = self.value(side).map_or(0, Digit::get) + shift;
        match Digit::new(value) {
            Some(digit) if usize::from(value) <= side => Ok(Some(digit)),
            _ => Err(self.error(
                ParseErrorKind::DigitTooLarge,
                format!("`{}` is digit {value}, but a board of side {side} has the digits 1 to {side}", self.symbol),
            )),
        }
    }
}

impl Board {
    /// Reads a plain line or a plain grid for these rules.
    ///
    /// # Errors
    /// With the line and column of the first thing that is wrong: a character that is neither digit nor blank, a digit
    /// over the side, too few or too many cells, a row of the wrong length.
    ///
    /// ```
    /// use ninefold_core::{Board, Rules};
    /// let rules = Rules::blocks("2x3".parse()?);
    /// let board = Board::parse(&rules, "1.. ...\n... 2..\n... ...\n... ..3\n... ...\n... ...")?;
    /// assert_eq!(board.given_count(), 3);
    /// let error = Board::parse(&rules, "1..~").unwrap_err();
    /// assert_eq!((error.line(), error.column()), (1, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(rules: &Rules, text: &str) -> Result<Board, ParseError> {
        Symbols::read(text)?.board(rules)
    }
}

/// Reads a plain line or a plain grid of a board with square blocks (1×1, 4×4, 9×9, 16×16, 25×25 … 64×64), told by the
/// count of cells. Boards of other sides need [`Board::parse`] with their rules.
impl FromStr for Board {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Board, ParseError> {
        // The common case by far; whatever it refuses, the general way explains.
        if let Ok(line) = text.as_bytes().try_into()
            && let Some(board) = Board::from_classic_line(line)
        {
            return Ok(board);
        }
        let symbols = Symbols::read(text)?;
        let rules = symbols.square_rules()?;
        symbols.board(&rules)
    }
}

/// A line without separators, blanks as `.`; with `{:#}` a grid with its blocks set apart.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.rules().side();
        let symbol = |index: usize| self.get(Cell::from_index(index)).map_or('.', Digit::symbol);
        if !f.alternate() {
            let line: String = (0..side * side).map(symbol).collect();
            return f.write_str(&line);
        }
        let (height, width) = self.rules().block_shape().map_or((side, side), |shape| (shape.rows(), shape.columns()));
        for row in 0..side {
            if row > 0 {
                f.write_str("\n")?;
            }
            if row > 0 && row % height == 0 {
                for block in 0..side / width {
                    // Two characters a cell and one for the space after the bar, but none before the first column.
                    let edge = usize::from(block > 0);
                    write!(
                        f,
                        "{}{}",
                        if block > 0 { "+" } else { "" },
                        "-".repeat(2 * width + edge - usize::from(block + 1 == side / width))
                    )?;
                }
                f.write_str("\n")?;
            }
            for column in 0..side {
                match column {
                    0 => {}
                    _ if column % width == 0 => f.write_str(" | ")?,
                    _ => f.write_str(" ")?,
                }
                write!(f, "{}", symbol(row * side + column))?;
            }
        }
        Ok(())
    }
}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// A character that is neither digit, blank nor separator.
    Symbol,
    /// A digit over the side of the board.
    DigitTooLarge,
    /// Too few or too many cells.
    CellCount,
    /// A row with too few or too many cells.
    RowLength,
    /// The side fits several block shapes or none.
    BlockShape,
    /// `0` could be a blank or a digit.
    AmbiguousZero,
}

/// Why a text was refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    kind: ParseErrorKind,
    line: usize,
    column: usize,
    message: String,
}

impl ParseError {
    /// What is wrong.
    pub fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// The line, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column in characters, counted from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong, without the position.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn error(text: &str) -> (ParseErrorKind, usize, usize) {
        let error = text.parse::<Board>().unwrap_err();
        (error.kind(), error.line(), error.column())
    }

    #[test]
    fn a_line_and_a_grid_read_the_same_and_come_out_as_they_went_in() {
        let board: Board = LINE.parse().unwrap();
        assert_eq!(board.to_string(), LINE);
        let grid = format!("{board:#}");
        assert_eq!(grid.lines().next(), Some("5 3 . | . 7 . | . . ."));
        assert_eq!(grid.lines().nth(3), Some("------+-------+------"));
        assert_eq!(grid.parse::<Board>().unwrap(), board);
        for blank in ["0", "_", "*", "?"] {
            assert_eq!(LINE.replace('.', blank).parse::<Board>().unwrap(), board);
        }
        let broken: String = LINE.as_bytes().chunks(9).map(|row| format!("{}\r\n", String::from_utf8_lossy(row))).collect();
        assert_eq!(broken.parse::<Board>().unwrap(), board);
    }

    #[test]
    fn every_size_comes_out_as_it_went_in() {
        for side in 1..=64 {
            for shape in BlockShape::all_for(side) {
                let rules = Rules::blocks(shape);
                let bytes: Vec<u8> = (0..side * side).map(|i| (i * 7 % (side + 1)) as u8).collect();
                let board = Board::from_bytes(&rules, &bytes).unwrap();
                assert_eq!(Board::parse(&rules, &board.to_string()).as_ref(), Ok(&board));
                assert_eq!(Board::parse(&rules, &format!("{board:#}")).as_ref(), Ok(&board), "{board:#}");
            }
        }
    }

    #[test]
    fn errors_name_the_place() {
        assert_eq!(error(&LINE.replacen('7', "x", 1)), (ParseErrorKind::DigitTooLarge, 1, 5));
        assert_eq!(error(&LINE.replacen('7', "~", 1)), (ParseErrorKind::Symbol, 1, 5));
        assert_eq!(error(&LINE[..80]), (ParseErrorKind::CellCount, 1, 81));
        assert_eq!(error(&format!("{LINE}.")), (ParseErrorKind::CellCount, 1, 82));
        assert_eq!(error(&".".repeat(4097)), (ParseErrorKind::CellCount, 1, 4097));
        assert_eq!(error(&".".repeat(100)).0, ParseErrorKind::BlockShape);
        assert_eq!(error("").0, ParseErrorKind::CellCount);
        assert_eq!(error("1234\n123\n1234\n1234"), (ParseErrorKind::CellCount, 2, 1));
        assert_eq!(error("1234\n123\n12341\n1234"), (ParseErrorKind::RowLength, 2, 1));
        let message = ".".repeat(100).parse::<Board>().unwrap_err().to_string();
        assert_eq!(message, "line 1, column 1: 100 cells make a 10×10 board, which needs a block shape: 2x5 or 5x2");
    }

    #[test]
    fn zero_on_a_large_board_is_a_digit_a_blank_or_refused() {
        let rules = Rules::blocks("4x4".parse().unwrap());
        let read = |head: &str, rest: &str| Board::parse(&rules, &format!("{head}{}", rest.repeat(256 - head.len())));
        let first = |board: Board| board.as_bytes()[..3].to_vec();
        assert_eq!(first(read("01F", ".").unwrap()), [1, 2, 16]);
        assert_eq!(first(read("01G", ".").unwrap()), [0, 1, 16]);
        assert_eq!(first(read("0g1", "0").unwrap()), [0, 16, 1]);
        assert_eq!(first(read("000", "0").unwrap()), [0, 0, 0]);
        assert_eq!(read("01F", "0").unwrap_err().kind(), ParseErrorKind::AmbiguousZero);
        assert_eq!(read("1H.", ".").unwrap_err().kind(), ParseErrorKind::DigitTooLarge);
    }

    #[test]
    fn any_text_ends_in_a_board_or_an_error() {
        for text in ["\0", "\u{feff}", "５３", "|||", "---", "\n\n\n", "\u{feff}1", "💥", "&"] {
            let _ = text.parse::<Board>();
        }
        assert_eq!("\u{feff}1".parse::<Board>().unwrap().to_string(), "1");
        assert_eq!(".".parse::<Board>().unwrap().rules().side(), 1);
    }
}
