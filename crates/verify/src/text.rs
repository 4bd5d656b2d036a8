//! The text: its lines, and the words for cells, digits and boards.

use std::io::{BufRead, Read};

use ninefold_core::{Board, Cell, Digit, DigitSet, Rules};

use crate::Refusal;

/// The longest line there may be, in bytes. The longest one needed, the 4096 cells of a 64×64 board, is far below.
const LONGEST: u64 = 1 << 16;

/// Reads lines and counts them. Empty lines and lines that begin with `#` are passed over.
pub(crate) struct Lines<R> {
    pub(crate) input: R,
    pub(crate) bytes: Vec<u8>,
    /// The line read last, counted from 1; after the end of the text, one more than there are.
    pub(crate) number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The next line without its end; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<&str>, Refusal> {
        loop {
            self.number += 1;
            self.bytes.clear();
            let read = self.input.by_ref().take(LONGEST).read_until(b'\n', &mut self.bytes);
            let unreadable = |error| format!("the text cannot be read: {error}");
            if read.map_err(|error| Refusal { is_certificate: false, line: 0, message: unreadable(error) })? == 0 {
                return Ok(None);
            }
            if self.bytes.len() as u64 == LONGEST || !self.bytes.is_ascii() {
                return Err(format!("this line has {LONGEST} bytes or more, or bytes that are not ASCII").into());
            }
            if self.bytes[0] != b'#' && !self.bytes.trim_ascii().is_empty() {
                let line = str::from_utf8(&self.bytes).map_err(|error| error.to_string())?;
                return Ok(Some(line.trim_end_matches(['\n', '\r'])));
            }
        }
    }
}

/// The cell that a label such as `r1c2` names.
pub(crate) fn cell(rules: &Rules, label: &str) -> Result<Cell, String> {
    let numbers = label.strip_prefix('r').and_then(|numbers| numbers.split_once('c'));
    let number = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
    let found = numbers.and_then(|(row, column)| rules.cell(number(row)?, number(column)?));
    found.ok_or_else(|| format!("`{label}` names no cell of a board of side {}", rules.side()))
}

/// The digits that a text lists, each once.
pub(crate) fn digits(rules: &Rules, text: &str) -> Result<DigitSet, String> {
    let mut set = DigitSet::EMPTY;
    for symbol in text.chars() {
        let digit = Digit::from_symbol(symbol).filter(|digit| usize::from(digit.get()) <= rules.side() && !set.contains(*digit));
        set.insert(digit.ok_or_else(|| format!("`{symbol}` is no digit of a board of side {}, or is twice", rules.side()))?);
    }
    Ok(set)
}

/// The one digit that a text is.
pub(crate) fn digit(rules: &Rules, text: &str) -> Result<Digit, String> {
    digits(rules, text)?.single().ok_or_else(|| format!("one digit is expected, not `{text}`"))
}

/// A board of one character a cell, `.` for a blank.
pub(crate) fn board(rules: &Rules, text: &str) -> Result<Board, String> {
    if text.len() != rules.cell_count() {
        return Err(format!("{} characters where the board has {} cells", text.len(), rules.cell_count()));
    }
    let mut board = Board::empty(rules);
    for (at, cell) in rules.cells().enumerate().filter(|(at, _)| text.as_bytes()[*at] != b'.') {
        board.set(cell, Some(digit(rules, &text[at..=at])?));
    }
    Ok(board)
}
