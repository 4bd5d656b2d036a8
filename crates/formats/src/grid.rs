//! Grids: rows under each other, with separators, frames and headings; as symbols, decimal numbers or pencil marks; with a region
//! map behind them for jigsaws.

use ninefold_core::{BlockShape, Digit, DigitSet, Rules};

use crate::cells::{
    RuleBook, Symbol, Token, board_of, board_of_marks, board_of_numbers, count_error, count_error_over, is_blank, is_cell, span,
    symbol_error, symbols_of,
};
use crate::entry::Notes;
use crate::{Entry, ErrorKind, Format, Options, Position, ReadError};

/// More rows than any board has: a grid that seems wider is one of this many rows, and wrong.
const MAX_ROWS: usize = 128;

/// The longest row, in bytes. A row of a 64×64 board with all its pencil marks has some 4,200; up to 128 rows are held.
const MAX_ROW: usize = 1 << 14;

/// Whether a character only sets cells apart.
pub(crate) fn is_gap(symbol: char) -> bool {
    symbol.is_whitespace() || matches!(symbol, '|' | ',' | ';' | '¦' | '\u{2500}'..='\u{257f}')
}

/// What a line of a grid file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Blank,
    Comment,
    Border,
    Heading,
    Row,
}

/// Tells what a line is, on boards of this side.
pub(crate) fn kind_of(text: &str, side: usize) -> Kind {
    let text = text.trim();
    if text.is_empty() {
        return Kind::Blank;
    }
    if text.starts_with('#') || text.starts_with("//") {
        return Kind::Comment;
    }
    if is_border(text) {
        return Kind::Border;
    }
    if is_heading(text, side) { Kind::Heading } else { Kind::Row }
}

/// Dashes and what frames are made of, and more dashes than anything that might be a blank.
fn is_border(text: &str) -> bool {
    let (mut dashes, mut dots) = (0, 0);
    for symbol in text.chars() {
        match symbol {
            '-' | '=' | '\u{2500}'..='\u{257f}' | '—' | '–' => dashes += 1,
            '.' | '*' => dots += 1,
            '+' | '|' | ':' | '\'' | '`' | ',' | ';' | '~' => {}
            _ if symbol.is_whitespace() => {}
            _ => return false,
        }
    }
    dashes > dots
}

/// A line that begins with a word or is mostly words, and has not the cells of a row.
fn is_heading(text: &str, side: usize) -> bool {
    let letters = text.chars().filter(|symbol| symbol.is_alphabetic()).count();
    let all = text.chars().filter(|symbol| !symbol.is_whitespace()).count();
    let longest = text.split(|symbol: char| !symbol.is_alphabetic()).map(|word| word.chars().count()).max().unwrap_or(0);
    if longest < 3 || text.contains('|') {
        return false;
    }
    let begins = text.split(|symbol: char| !symbol.is_alphabetic()).next().is_some_and(|word| word.chars().count() >= 3);
    if !begins && 2 * letters < all {
        return false;
    }
    // On large boards letters are digits: what has about the cells of a row is one.
    side <= 9 || text.chars().filter(|symbol| is_cell(*symbol)).count().abs_diff(side) > 1
}

/// The groups of a row that white space and separators set apart.
pub(crate) fn tokens_of(symbols: &[Symbol]) -> Vec<Token> {
    symbols
        .split(|symbol| is_gap(symbol.symbol))
        .filter(|group| !group.is_empty())
        .map(|group| Token { text: group.iter().map(|symbol| symbol.symbol).collect(), at: group[0].at })
        .collect()
}

/// One row of the text.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) text: String,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) start: Position,
    /// The position behind its last character.
    pub(crate) end: Position,
}

impl Row {
    pub(crate) fn new(text: &str, at: Position) -> Row {
        let symbols = symbols_of(text, at);
        let text_end = text.trim_end();
        let columns = text_end.chars().count() as u64;
        let end = Position { offset: at.offset + text_end.len() as u64, line: at.line, column: at.column + columns };
        Row { text: text.into(), symbols, start: at, end }
    }

    fn cells(&self) -> Vec<Symbol> {
        self.symbols.iter().filter(|symbol| !is_gap(symbol.symbol)).copied().collect()
    }

    fn at(&self) -> Position {
        self.symbols.iter().find(|symbol| !symbol.symbol.is_whitespace()).map_or(self.end, |symbol| symbol.at)
    }

    pub(crate) fn count(&self, style: Format) -> usize {
        match style {
            Format::Decimal | Format::PencilGrid => tokens_of(&self.symbols).len(),
            _ => self.cells().len(),
        }
    }
}

/// How a grid is cut into pieces: what ended a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Break {
    Blank,
    Border,
}

/// The rest of a broken board, which is passed over so that the next board is read from its first row.
#[derive(Clone, Copy, Debug)]
struct Rest {
    /// Rows that the board still had to have, and the rows of one of its pieces.
    rows: usize,
    height: usize,
    /// Whether a row was passed over since the last break.
    any: bool,
}

/// Puts rows together to boards. Nothing is held but the rows of one board.
#[derive(Debug)]
pub(crate) struct Grids {
    format: Format,
    /// The width of the rows as the start of the file shows it.
    width: usize,
    /// Whether the rows have spaces for blanks.
    spaces: bool,
    name: Option<String>,
    rows: Vec<Row>,
    /// A row that could not even be decoded.
    bad_row: Option<ReadError>,
    /// The rows of the first piece, the rows of this one so far, and what ended the first.
    band: Option<usize>,
    piece: usize,
    broken_by: Option<Break>,
    rest: Option<Rest>,
    /// The board before a region map.
    waiting: Option<Vec<Row>>,
    /// Whether the region map of a board that could not be read is still to come.
    orphan: bool,
}

impl Grids {
    pub(crate) fn new(format: Format, width: usize, spaces: bool) -> Grids {
        Grids {
            format,
            width,
            spaces,
            name: None,
            rows: Vec::new(),
            bad_row: None,
            band: None,
            piece: 0,
            broken_by: None,
            rest: None,
            waiting: None,
            orphan: false,
        }
    }

    /// The side of the board that is being read.
    fn side(&self, options: &Options) -> usize {
        if let Some(rules) = &options.rules {
            return rules.side();
        }
        let side = match &self.rows[..] {
            [first, second, ..] if !self.spaces && first.count(self.format) == second.count(self.format) => {
                first.count(self.format)
            }
            _ => self.width,
        };
        side.clamp(1, MAX_ROWS)
    }

    /// Takes a line; gives the board that it completes, or the error of a board that it cuts off.
    pub(crate) fn line(
        &mut self,
        text: Result<&str, ReadError>,
        at: Position,
        options: &Options,
        book: &mut RuleBook,
    ) -> Option<Result<Entry, ReadError>> {
        let side = self.side(options);
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                return self.bad_row(error, at, options, book);
            }
        };
        if text.len() > MAX_ROW {
            let error = ReadError::new(ErrorKind::TooLong, at, 0, format!("this row is longer than {MAX_ROW} bytes"));
            return self.bad_row(error.within(text.as_bytes(), at), at, options, book);
        }
        match kind_of(text, side) {
            Kind::Blank => self.pause(Break::Blank, options),
            Kind::Border => self.pause(Break::Border, options),
            Kind::Comment => None,
            // A row of pencil marks may look like words.
            Kind::Heading if self.format == Format::PencilGrid && is_row_of_marks(&Row::new(text, at), side) => {
                self.row(Row::new(text, at), options, book)
            }
            // Between a board and its map: what the map is called.
            Kind::Heading if self.rows.is_empty() && self.waiting.is_some() => None,
            Kind::Heading => {
                let cut_off = self.finish(options);
                self.rest = None;
                self.name = Some(text.trim().to_string());
                cut_off.map(Err)
            }
            Kind::Row if options.lenient && !self.spaces && Row::new(text, at).count(self.format) != side => None,
            Kind::Row => self.row(Row::new(text, at), options, book),
        }
    }

    /// A line that cannot be read: it stands for one row of the board around it.
    fn bad_row(
        &mut self,
        error: ReadError,
        at: Position,
        options: &Options,
        book: &mut RuleBook,
    ) -> Option<Result<Entry, ReadError>> {
        if self.rest.is_none() {
            self.bad_row.get_or_insert(error);
        }
        self.row(Row::new("", at), options, book)
    }

    fn row(&mut self, row: Row, options: &Options, book: &mut RuleBook) -> Option<Result<Entry, ReadError>> {
        if let Some(rest) = &mut self.rest {
            rest.rows = rest.rows.saturating_sub(1);
            rest.any = true;
            return None;
        }
        self.rows.push(row);
        self.piece += 1;
        if self.rows.len() < self.side(options) {
            return None;
        }
        let rows = std::mem::take(&mut self.rows);
        let bad_row = self.bad_row.take();
        self.reset();
        if let Some(error) = bad_row {
            self.orphan = self.waiting.take().is_none();
            return Some(Err(error));
        }
        if self.format != Format::Jigsaw {
            return Some(self.board(&rows, options, book));
        }
        if std::mem::take(&mut self.orphan) && is_map(&rows) {
            return None;
        }
        let Some(board) = self.waiting.take() else {
            self.waiting = Some(rows);
            return None;
        };
        let made = self.jigsaw(&board, &rows, options, book);
        // Where a map is missing, what stands in its place is the next board.
        if made.is_err() && rows.iter().any(|row| row.cells().iter().any(|cell| is_blank(cell.symbol))) {
            self.waiting = Some(rows);
        }
        Some(made)
    }

    /// A blank line or border: the end of a piece, and perhaps of the board.
    fn pause(&mut self, kind: Break, options: &Options) -> Option<Result<Entry, ReadError>> {
        if let Some(rest) = &mut self.rest {
            // What is left is less than a piece: a row was missing, or all is passed over.
            let ends = rest.any && rest.rows < rest.height;
            if ends || self.broken_by == Some(Break::Border) && kind == Break::Blank {
                self.rest = None;
                self.broken_by = None;
            } else {
                rest.any = false;
            }
            return None;
        }
        if self.rows.is_empty() {
            return None;
        }
        let side = self.side(options);
        if self.piece == 0 {
            // Two breaks in a row: a blank line where the pieces end with borders ends the board.
            if self.broken_by == Some(Break::Border) && kind == Break::Blank {
                return self.finish(options).map(Err);
            }
            return None;
        }
        let band = *self.band.get_or_insert(self.piece);
        let ends = self.broken_by == Some(Break::Border) && kind == Break::Blank;
        if self.piece == band && side.is_multiple_of(band) && !ends {
            self.broken_by.get_or_insert(kind);
            self.piece = 0;
            return None;
        }
        let height = match options.rules.as_ref().and_then(Rules::block_shape).or_else(|| BlockShape::square(side)) {
            _ if side.is_multiple_of(band) => band,
            Some(shape) if band < 2 * shape.rows() => shape.rows(),
            _ => side,
        };
        let rows = side.saturating_sub(self.rows.len());
        let broken_by = self.broken_by.or(Some(kind));
        let error = self.finish(options);
        if !ends && rows >= height {
            self.rest = Some(Rest { rows, height, any: false });
            self.broken_by = broken_by;
        }
        error.map(Err)
    }

    fn reset(&mut self) {
        self.rows.clear();
        self.band = None;
        self.piece = 0;
        self.broken_by = None;
    }

    /// The error for a board that ends before its last row; `None` where no board was begun.
    pub(crate) fn finish(&mut self, options: &Options) -> Option<ReadError> {
        let side = self.side(options);
        let rows = std::mem::take(&mut self.rows);
        let bad_row = self.bad_row.take();
        let waiting = self.waiting.take();
        self.orphan = waiting.is_none() && !rows.is_empty();
        self.reset();
        self.name = None;
        if let Some(error) = bad_row {
            return Some(error);
        }
        let Some(last) = rows.last() else {
            let board = waiting?;
            let last = board.last()?;
            let message = "a region map is expected after this grid";
            return Some(ReadError::new(ErrorKind::Regions, last.end, 0, message).within(last.text.as_bytes(), last.start));
        };
        let found: usize = rows.iter().map(|row| row.count(self.format)).sum();
        if options.lenient && rows.len() < side / 2 {
            return None;
        }
        // Where a board could have as many rows as there are, but not as many columns, the columns are what is wrong.
        let rows_fit = BlockShape::square(rows.len()).is_some() && BlockShape::square(side).is_none();
        if options.rules.is_none() && rows_fit && rows.iter().all(|row| row.count(self.format) == side) {
            let (first, expected) = (&rows[0], rows.len());
            let hint = format!("each of the {expected} rows has {side} cells");
            let error = match first.cells().get(expected) {
                Some(over) => count_error_over(found, expected * expected, over.at, (side - expected) as u64),
                None => count_error(found, expected * expected, first.end),
            };
            return Some(error.with_hint(hint).within(first.text.as_bytes(), first.start));
        }
        let hint = format!("the grid ends after {} of {side} rows", rows.len());
        Some(count_error(found, side * side, last.end).with_hint(hint).within(last.text.as_bytes(), last.start))
    }

    fn take_notes(&mut self) -> Notes {
        Notes { name: self.name.take(), ..Notes::default() }
    }

    fn board(&mut self, rows: &[Row], options: &Options, book: &mut RuleBook) -> Result<Entry, ReadError> {
        let notes = self.take_notes();
        let at = rows[0].at();
        let entry = match self.format {
            Format::Decimal | Format::PencilGrid => {
                let tokens: Vec<Vec<Token>> = rows.iter().map(|row| tokens_of(&row.symbols)).collect();
                check_lengths(rows, &tokens.iter().map(Vec::len).collect::<Vec<_>>(), |row, column| {
                    let token = &tokens[row][column];
                    (token.at, token.length())
                })?;
                let rules = book.for_count(options, rows.len() * rows.len(), at)?;
                let tokens: Vec<Token> = tokens.into_iter().flatten().collect();
                if self.format == Format::Decimal {
                    Entry::new(board_of_numbers(&tokens, &rules, options).map_err(|error| in_rows(error, rows))?, at, self.format)
                } else {
                    let sets = tokens.iter().map(|token| marks(token, &rules)).collect::<Result<_, _>>();
                    let (board, sets) = board_of_marks(sets.map_err(|error| in_rows(error, rows))?, &rules);
                    let mut entry = Entry::new(board, at, self.format);
                    entry.restrictions = Some(sets);
                    entry
                }
            }
            _ => {
                let cells = self.symbols(rows, options)?;
                let rules = book.for_count(options, cells.len(), at).map_err(|error| in_rows(error, rows))?;
                Entry::new(board_of(&cells, &rules, options).map_err(|error| in_rows(error, rows))?, at, self.format)
            }
        };
        Ok(entry.with_notes(notes))
    }

    /// The cells of rows of symbols, of the right count.
    fn symbols(&self, rows: &[Row], options: &Options) -> Result<Vec<Symbol>, ReadError> {
        let side = rows.len();
        let cells: Vec<Vec<Symbol>> = rows
            .iter()
            .map(|row| {
                if !(self.spaces && options.lenient) {
                    return row.cells();
                }
                // Every place counts, and what is missing at the end is blank.
                let end = row.end;
                let mut cells: Vec<Symbol> = row.symbols.iter().filter(|symbol| symbol.at.column < end.column).copied().collect();
                for cell in &mut cells {
                    if cell.symbol.is_whitespace() {
                        cell.symbol = '.';
                    }
                }
                cells.resize(cells.len().max(side), Symbol { symbol: '.', at: end });
                cells
            })
            .collect();
        // A character that is no cell is wrong before the count is.
        if let Some(&bad) =
            cells.iter().flatten().find(|symbol| !is_cell(symbol.symbol) && !('０'..='９').contains(&symbol.symbol))
        {
            return Err(in_rows(symbol_error(bad), rows));
        }
        check_lengths(rows, &cells.iter().map(Vec::len).collect::<Vec<_>>(), |row, column| (cells[row][column].at, 1)).map_err(
            |error| {
                let short = rows.iter().any(|row| row.cells().len() < side && row.text.trim_end().chars().count() >= side / 2);
                let spaced = rows.iter().all(|row| row.text.trim_end().chars().count() <= side && !row.text.contains('|'));
                if short && spaced && self.spaces {
                    error.with_hint("spaces are no blanks: write blanks as `.`, or read leniently")
                } else {
                    error
                }
            },
        )?;
        Ok(cells.into_iter().flatten().collect())
    }

    fn jigsaw(&mut self, board: &[Row], map: &[Row], options: &Options, book: &mut RuleBook) -> Result<Entry, ReadError> {
        let notes = self.take_notes();
        let cells = self.symbols(board, options)?;
        let map_cells: Vec<Vec<Symbol>> = map.iter().map(Row::cells).collect();
        check_lengths(map, &map_cells.iter().map(Vec::len).collect::<Vec<_>>(), |row, column| (map_cells[row][column].at, 1))?;
        let map_cells: Vec<Symbol> = map_cells.into_iter().flatten().collect();
        let rules = match &options.rules {
            Some(rules) => rules.clone(),
            None => book.for_regions(&map_cells).map_err(|error| in_rows(error, map))?,
        };
        let at = board[0].at();
        if rules.cell_count() != cells.len() {
            return Err(in_rows(count_error(cells.len(), rules.cell_count(), at), board));
        }
        let made = board_of(&cells, &rules, options).map_err(|error| in_rows(error, board))?;
        Ok(Entry::new(made, at, Format::Jigsaw).with_notes(notes))
    }
}

/// Adds the text of the row that an error is in.
fn in_rows(error: ReadError, rows: &[Row]) -> ReadError {
    match rows.iter().find(|row| row.end.line == error.position().line()) {
        Some(row) => error.within(row.text.as_bytes(), row.start),
        None => error,
    }
}

/// Checks that every row has as many cells as there are rows.
fn check_lengths(rows: &[Row], lengths: &[usize], place: impl Fn(usize, usize) -> (Position, u64)) -> Result<(), ReadError> {
    let side = rows.len();
    let Some(bad) = lengths.iter().position(|&length| length != side) else { return Ok(()) };
    let found: usize = lengths.iter().sum();
    let others_fit = lengths.iter().enumerate().all(|(row, &length)| row == bad || length == side);
    let (position, length) = if lengths[bad] > side {
        let (first, _) = place(bad, side);
        let (last, width) = place(bad, lengths[bad] - 1);
        (first, last.column - first.column + width)
    } else {
        (rows[bad].end, 0)
    };
    let error = if others_fit {
        let (missing, over) = (side.saturating_sub(lengths[bad]), lengths[bad].saturating_sub(side));
        let hint = match (missing, over) {
            (1, _) => format!("is one blank missing in row {}?", bad + 1),
            (0, 1) => format!("is there one cell too many in row {}?", bad + 1),
            _ => format!("row {} has {} cells", bad + 1, lengths[bad]),
        };
        let message = format!("{found} cells found where {} are expected", side * side);
        ReadError::new(ErrorKind::CellCount, position, length, message).with_hint(hint)
    } else {
        let message = format!("{} cells in row {} where {side} are expected", lengths[bad], bad + 1);
        ReadError::new(ErrorKind::RowLength, position, length, message)
    };
    Err(error.within(rows[bad].text.as_bytes(), rows[bad].start))
}

/// Whether a line has one group of digits for each cell of a row.
fn is_row_of_marks(row: &Row, side: usize) -> bool {
    let digit = |symbol: &Symbol| Digit::from_symbol(symbol.symbol).is_some_and(|digit| usize::from(digit.get()) <= side);
    row.count(Format::PencilGrid) == side && row.cells().iter().all(|symbol| is_blank(symbol.symbol) || digit(symbol))
}

/// The candidates that a group of pencil marks names. A blank alone leaves every candidate.
fn marks(token: &Token, rules: &Rules) -> Result<DigitSet, ReadError> {
    let side = rules.side();
    let mut set = DigitSet::EMPTY;
    let mut at = token.at;
    let alone = token.text.chars().count() == 1;
    for shown in token.text.chars() {
        let symbol = Symbol { symbol: shown, at };
        at = Position { offset: at.offset + shown.len_utf8() as u64, column: at.column + 1, ..at };
        if alone && is_blank(shown) {
            return Ok(DigitSet::all(side));
        }
        let folded = if side <= 35 { shown.to_ascii_uppercase() } else { shown };
        match Digit::from_symbol(folded) {
            Some(digit) if usize::from(digit.get()) > side => {
                let message = format!("`{shown}` is digit {}, but the digits are 1 to {side}", digit.get());
                return Err(ReadError::new(ErrorKind::DigitTooLarge, symbol.at, 1, message));
            }
            Some(digit) => set.insert(digit),
            None => return Err(symbol_error(symbol)),
        }
    }
    Ok(set)
}

/// Whether a grid is a region map.
fn is_map(rows: &[Row]) -> bool {
    crate::cells::is_region_map(&rows.iter().flat_map(Row::cells).collect::<Vec<_>>())
}

/// Whether two grids, one after the other, are a board and its region map.
pub(crate) fn is_jigsaw(board: &[Row], map: &[Row]) -> bool {
    let map: Vec<Symbol> = map.iter().flat_map(Row::cells).collect();
    let board: usize = board.iter().map(|row| row.cells().len()).sum();
    board == map.len() && span(&map) > 0 && crate::cells::is_region_map(&map)
}
