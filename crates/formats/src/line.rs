//! Lines that hold one puzzle each: `line`, `counted`, `sdm`, `jigsaw-line`, `pencil-line`, `hodoku`, `link`, and one-line
//! `decimal`.

use ninefold_core::{Board, Digit, DigitSet, MAX_SIDE, Rules};

use crate::cells::{
    RuleBook, Symbol, Token, board_of, board_of_marks, board_of_numbers, count_error, count_error_over, is_blank, is_cell,
    is_region_map, likely_count, solution_of, span, symbol_error, symbols_of,
};
use crate::entry::Notes;
use crate::grid::{Kind, kind_of};
use crate::text::{Line, advance};
use crate::{Count, Entry, ErrorKind, Format, Options, Position, ReadError};

/// What HoDoKu writes where a line belongs to no technique.
pub(crate) const NO_TECHNIQUE: &str = "0000";

/// The side of a classic board times itself, and what is read without any detour.
const CLASSIC: usize = 81;

/// The cells of the largest board.
const MAX_CELLS: usize = MAX_SIDE * MAX_SIDE;

/// The counts of cells at which a run of characters is a whole board whatever follows it: square sides with square blocks, without
/// 1 (a digit alone is no puzzle) and 4 to 9 (rows of a grid).
const WHOLE: [usize; 7] = [16, 81, 256, 625, 1296, 2401, 4096];

/// The board of a text's first line, where that is nothing but 81 symbols of a classic board, and the bytes of the line with its end.
#[inline]
pub(crate) fn classic(text: &[u8]) -> Option<(Board, usize)> {
    let (cells, rest) = text.split_first_chunk::<CLASSIC>()?;
    let end = match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return None,
    };
    // No symbol of a board ends a line, so this is one line.
    Some((Board::from_classic_line(cells)?, CLASSIC + end))
}

/// The entry of a line with a classic puzzle and nothing behind it but a count and a solution, if anything; `None` for all else, which the long way
/// reads or explains. Large collections have a solution in every line.
pub(crate) fn quick(line: Line<'_>, format: Format) -> Option<Entry> {
    let (cells, rest) = line.bytes.split_first_chunk::<CLASSIC>()?;
    let board = Board::from_classic_line(cells)?;
    let Some((separator, rest)) = rest.split_first() else {
        return Some(Entry::new(board, line.at, format));
    };
    let mut notes = Notes::default();
    // Too short for a solution or a region map: a count, a rating, a comment.
    if format != Format::Csv && rest.len() < CLASSIC - 1 && ends_cells(char::from(*separator)) {
        let tail = std::str::from_utf8(&line.bytes[CLASSIC..]).ok()?;
        let at = Position { offset: line.at.offset + CLASSIC as u64, column: line.at.column + CLASSIC as u64, ..line.at };
        let options = Options::new();
        let mut parser = Parser { options: &options, book: &mut RuleBook::default(), format };
        parser.tail(&symbols_of(tail, at), &board, false, &mut notes).ok()?;
        let format = if notes.count.is_some() && format == Format::Line { Format::Counted } else { format };
        return Some(Entry::new(board, line.at, format).with_notes(notes));
    }
    let solution = match separator {
        b',' | b';' => rest,
        b':' => {
            let figures = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (count, rest) = rest.split_at(figures);
            notes.count = Some(Count::parse(std::str::from_utf8(count).ok()?)?);
            rest.strip_prefix(b":")?
        }
        _ => return None,
    };
    let solution = Board::from_classic_line(solution.try_into().ok()?).filter(Board::is_full)?;
    notes.solution = Some(solution);
    let format = if notes.count.is_some() && format == Format::Line { Format::Counted } else { format };
    Some(Entry::new(board, line.at, format).with_notes(notes))
}

/// The text of a line, or where it stops being text.
pub(crate) fn decode(line: Line<'_>) -> Result<&str, ReadError> {
    std::str::from_utf8(line.bytes).map_err(|error| {
        let at = advance(line.at, &line.bytes[..error.valid_up_to()]);
        let shown: Vec<String> = line.bytes[error.valid_up_to()..]
            .iter()
            .take(error.error_len().unwrap_or(4))
            .map(|byte| format!("0x{byte:02X}"))
            .collect();
        ReadError::new(ErrorKind::Encoding, at, 1, format!("{} is no UTF-8 text", shown.join(" "))).within(line.bytes, line.at)
    })
}

/// Whether a line holds nothing to read: white space, a comment, or a separator of `=` or box-drawing characters. A line of dashes
/// might be meant for blanks, so it is no separator here.
pub(crate) fn is_empty(text: &str) -> bool {
    let text = text.trim();
    let separator = |symbol| matches!(symbol, '=' | '\u{2500}'..='\u{257f}');
    text.is_empty() || text.starts_with('#') || text.starts_with("//") || text.len() > 2 && text.chars().all(separator)
}

/// Whether a line is a title, as some collections have above their first puzzle: words, none as long as a puzzle.
pub(crate) fn is_title(text: &str) -> bool {
    text.trim_start().starts_with(char::is_alphabetic)
        && kind_of(text, 9) == Kind::Heading
        && text.split_whitespace().all(|word| word.chars().count() < 16)
}

/// How the lines of a text are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    pub(crate) format: Format,
    /// Whether a line of 81 symbols is a classic board.
    pub(crate) classic: bool,
}

impl Lines {
    /// Reads one line; `None` where it holds nothing to read. Titles are passed over where one `may_be_title`.
    pub(crate) fn read(
        self,
        line: Line<'_>,
        may_be_title: bool,
        options: &Options,
        book: &mut RuleBook,
    ) -> Option<Result<Entry, ReadError>> {
        if self.classic
            && let Some(entry) = quick(line, self.format)
        {
            return Some(Ok(entry));
        }
        let text = std::str::from_utf8(line.bytes);
        if text.is_ok_and(is_empty) || may_be_title && text.is_ok_and(is_title) {
            return None;
        }
        if options.lenient {
            return scrape(line, self.format, options, book);
        }
        Some(read(line, self.format, options, book))
    }
}

/// Reads a line leniently: a puzzle may stand anywhere in it. `None` where it has nothing like a puzzle.
pub(crate) fn scrape(line: Line<'_>, format: Format, options: &Options, book: &mut RuleBook) -> Option<Result<Entry, ReadError>> {
    let error = match read(line, format, options, book) {
        Ok(entry) => return Some(Ok(entry)),
        Err(error) => error,
    };
    let text = String::from_utf8_lossy(line.bytes);
    let symbols = symbols_of(&text, line.at);
    let wanted = options.rules.as_ref().map(Rules::cell_count);
    // 16 characters in a row that could be cells are a word more often than a board of side 4.
    let fits = |run: &&[Symbol]| wanted.map_or(run.len() > 16 && WHOLE.contains(&run.len()), |wanted| run.len() == wanted);
    let runs = || symbols.split(|symbol| !is_cell(symbol.symbol));
    for run in runs().filter(fits) {
        let at = run[0].at;
        let board = book.for_count(options, run.len(), at).and_then(|rules| board_of(run, &rules, options));
        if let Ok(board) = board {
            return Some(Ok(Entry::new(board, at, format)));
        }
    }
    // What has about as many cells as a board was probably meant for one.
    let near = runs().any(|run| match wanted {
        Some(wanted) => run.len().abs_diff(wanted) <= wanted / 9,
        None => run.len() > 64 && likely_count(run.len()).is_some(),
    });
    near.then_some(Err(error))
}

/// Reads one line in a format, or in whichever of the line formats it shows.
pub(crate) fn read(line: Line<'_>, format: Format, options: &Options, book: &mut RuleBook) -> Result<Entry, ReadError> {
    let text = decode(line)?;
    let mut read = || -> Result<Entry, ReadError> {
        let forced = options.format.is_some();
        let symbols = symbols_of(text, line.at);
        let from = symbols.iter().position(|symbol| !symbol.symbol.is_whitespace()).unwrap_or(symbols.len());
        let symbols = &symbols[from..];
        let mut parser = Parser { options, book, format };
        match format {
            Format::Hodoku => return parser.hodoku(symbols),
            Format::Link => return parser.link(symbols),
            Format::PencilLine => return parser.pencil_line(symbols),
            _ if forced => {}
            // Files that gather puzzles from several programs mix these, and none can be taken for another.
            _ if symbols.first().is_some_and(|symbol| symbol.symbol == ':') => return parser.hodoku(symbols),
            _ if text.contains("bd=") => return parser.link(symbols),
            _ if leading(symbols).len() == 729 && parser.wanted() != Some(729) => return parser.pencil_line(symbols),
            _ => {}
        }
        parser.line(symbols)
    };
    read().map_err(|error| error.within(line.bytes, line.at))
}

/// The run of cells at the start.
fn leading(symbols: &[Symbol]) -> &[Symbol] {
    let end = symbols.iter().position(|symbol| !is_cell(symbol.symbol)).unwrap_or(symbols.len());
    &symbols[..end]
}

fn is_gap(symbol: char) -> bool {
    symbol.is_whitespace() || matches!(symbol, ',' | '|')
}

/// What may come directly after the last cell.
fn ends_cells(symbol: char) -> bool {
    symbol.is_whitespace() || matches!(symbol, ',' | ';' | ':' | '#' | '|')
}

fn text_of(symbols: &[Symbol]) -> String {
    symbols.iter().map(|symbol| symbol.symbol).collect()
}

fn trim(symbols: &[Symbol]) -> &[Symbol] {
    let from = symbols.iter().position(|symbol| !symbol.symbol.is_whitespace()).unwrap_or(symbols.len());
    let to = symbols.iter().rposition(|symbol| !symbol.symbol.is_whitespace()).map_or(from, |last| last + 1);
    &symbols[from..to]
}

/// The position behind the last of some symbols.
fn behind(symbols: &[Symbol], otherwise: Position) -> Position {
    symbols.last().map_or(otherwise, |last| Position {
        offset: last.at.offset + last.symbol.len_utf8() as u64,
        line: last.at.line,
        column: last.at.column + 1,
    })
}

/// A piece of a line between separators that are not part of a cell.
struct Group {
    from: usize,
    to: usize,
}

impl Group {
    fn len(&self) -> usize {
        self.to - self.from
    }
}

struct Parser<'a> {
    options: &'a Options,
    book: &'a mut RuleBook,
    format: Format,
}

impl Parser<'_> {
    /// The count of cells that the rules ask for.
    fn wanted(&self) -> Option<usize> {
        self.options.rules.as_ref().map(Rules::cell_count)
    }

    /// A puzzle, and whatever the line says about it.
    fn line(&mut self, symbols: &[Symbol]) -> Result<Entry, ReadError> {
        let at = symbols.first().map_or(Position::START, |symbol| symbol.at);
        if let Some((tokens, tail)) = self.decimal_cells(symbols) {
            let rules = self.book.for_count(self.options, tokens.len(), at)?;
            let board = board_of_numbers(&tokens, &rules, self.options)?;
            let mut notes = Notes::default();
            free_text(tail, &mut notes);
            return Ok(Entry::new(board, at, Format::Decimal).with_notes(notes));
        }
        let (cells, tail) = self.cells(symbols)?;
        let (map, tail) = self.region_map(tail, cells.len());
        let (rules, format) = match map {
            Some(map) if map.len() != cells.len() => {
                let message = format!("a region map of {} cells for {} cells", map.len(), cells.len());
                return Err(ReadError::new(ErrorKind::Regions, map[0].at, span(map), message));
            }
            Some(map) => (self.book.for_regions(map)?, Format::JigsawLine),
            None if self.format == Format::JigsawLine => {
                let message = format!("a region map of {} cells is expected after the puzzle and `:`", cells.len());
                return Err(ReadError::new(ErrorKind::Regions, behind(&cells, at), 0, message));
            }
            None => (self.book.for_count(self.options, cells.len(), at)?, self.format),
        };
        let board = board_of(&cells, &rules, self.options)?;
        let mut notes = Notes::default();
        self.tail(tail, &board, map.is_some(), &mut notes)?;
        let counted = format == Format::Line && notes.count.is_some();
        Ok(Entry::new(board, at, if counted { Format::Counted } else { format }).with_notes(notes))
    }

    /// Finds where the cells end. Cells may stand in groups with white space, commas or bars between.
    fn cells<'s>(&self, symbols: &'s [Symbol]) -> Result<(Vec<Symbol>, &'s [Symbol]), ReadError> {
        let at = symbols.first().map_or(Position::START, |symbol| symbol.at);
        let mut groups: Vec<Group> = Vec::new();
        let mut stop = symbols.len();
        let mut cells = 0;
        for (i, symbol) in symbols.iter().enumerate() {
            // One cell over is enough to know that there are too many.
            if cells > MAX_CELLS {
                stop = i;
                break;
            }
            if is_cell(symbol.symbol) || self.options.lenient && ('０'..='９').contains(&symbol.symbol) {
                cells += 1;
                match groups.last_mut() {
                    Some(group) if group.to == i => group.to += 1,
                    _ => groups.push(Group { from: i, to: i + 1 }),
                }
            } else if !is_gap(symbol.symbol) {
                stop = i;
                break;
            }
        }
        let total: usize = groups.iter().map(Group::len).sum();
        let take = |count: usize| -> (Vec<Symbol>, &'s [Symbol]) {
            let cells: Vec<Symbol> =
                groups.iter().flat_map(|group| &symbols[group.from..group.to]).take(count).copied().collect();
            let end = groups
                .iter()
                .scan(0, |sum, group| {
                    let before = *sum;
                    *sum += group.len();
                    Some((before, group))
                })
                .find(|(before, group)| before + group.len() >= count)
                .map_or(0, |(before, group)| group.from + count - before);
            (cells, &symbols[end..])
        };
        let first = groups.first().map_or(0, Group::len);
        let square_of_groups = groups.len() >= first && groups.iter().take(first).all(|group| group.len() == first) && first > 1;
        let whole = match self.wanted() {
            Some(wanted) => {
                // Whole groups only: `12 34` never ends in the middle of a group.
                let mut sum = 0;
                let ends = groups.iter().any(|group| {
                    sum += group.len();
                    sum == wanted
                });
                ends.then_some(wanted)
            }
            None if square_of_groups && (groups.len() == first || !WHOLE.contains(&first)) => Some(first * first),
            None if WHOLE.contains(&first) => Some(first),
            // Cells one by one: as many as make a square.
            None if first == 1 => {
                let single = groups.iter().take_while(|group| group.len() == 1).count();
                Some(single.isqrt().pow(2)).filter(|&count| count == total || count >= CLASSIC)
            }
            None if total.isqrt().pow(2) == total && total > 0 => Some(total),
            None => None,
        };
        if let Some(count) = whole {
            let (cells, tail) = take(count);
            return match tail.first() {
                Some(&next) if !ends_cells(next.symbol) => Err(trailing_error(next, tail)),
                _ => Ok((cells, tail)),
            };
        }
        if total > MAX_CELLS && self.wanted().is_none() {
            let message = format!("more than {MAX_CELLS} cells, which no board has: the side is 1 to {MAX_SIDE}");
            return Err(ReadError::new(ErrorKind::Side, at, 0, message));
        }
        // What stopped the cells is wrong, unless it is what ends them.
        if let Some(&next) = symbols.get(stop)
            && (!ends_cells(next.symbol) || groups.is_empty())
        {
            return Err(symbol_error(next));
        }
        let Some(expected) = self.wanted().or_else(|| likely_count(total)).or_else(|| likely_count(first)) else {
            let end = groups.last().map_or(at, |group| behind(&symbols[..group.to], at));
            let message = format!("{total} cells found, which make no square board");
            return Err(ReadError::new(ErrorKind::CellCount, end, 0, message));
        };
        if total > expected {
            let (cells, tail) = take(expected);
            let Some(&next) = tail.iter().find(|symbol| !is_gap(symbol.symbol)) else {
                return Err(count_error(total, expected, behind(&cells, at)));
            };
            // Letters behind figures are no cells of a board of side 9.
            if expected == CLASSIC && next.symbol.is_ascii_alphabetic() {
                return Err(trailing_error(next, tail));
            }
            let over = total - expected;
            return Err(count_error_over(total, expected, next.at, over as u64));
        }
        let end = groups.last().map_or(at, |group| behind(&symbols[..group.to], at));
        let error = count_error(total, expected, end);
        let (cells, _) = take(total);
        Err(match missing_row(&cells, expected) {
            Some(row) => error.with_hint(format!("is one blank missing in row {row}?")),
            None if total + 1 == expected => error.with_hint("is one blank missing?"),
            None => error,
        })
    }

    /// The cells of a line of decimal numbers, if it is one: more than a row of them, unless the format was named.
    fn decimal_cells<'s>(&self, symbols: &'s [Symbol]) -> Option<(Vec<Token>, &'s [Symbol])> {
        let forced = self.format == Format::Decimal;
        if !forced && !matches!(self.format, Format::Line | Format::Counted) {
            return None;
        }
        // A number of two figures is among them, with separators around all; that needs no more than a look at the start.
        if !forced && leading(symbols).len() > 4 {
            return None;
        }
        let mut tokens = Vec::new();
        let mut i = 0;
        let mut end = 0;
        while i < symbols.len() {
            if is_gap(symbols[i].symbol) {
                i += 1;
                continue;
            }
            let length = symbols[i..].iter().position(|symbol| ends_cells(symbol.symbol)).unwrap_or(symbols.len() - i);
            let text = text_of(&symbols[i..i + length]);
            let number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            if !number && !matches!(text.as_str(), "." | "_" | "*" | "?" | "-1") {
                break;
            }
            if tokens.len() > MAX_CELLS {
                return None;
            }
            tokens.push(Token { text, at: symbols[i].at });
            i += length;
            end = i;
        }
        let count = match self.wanted() {
            Some(wanted) => wanted,
            None => tokens.len().isqrt().pow(2),
        };
        let decimal = forced || tokens.iter().any(|token| token.text.len() > 1 && token.text != "-1");
        if !decimal
            || count != tokens.len()
            || count < if forced { 1 } else { 100 }
            || tokens.iter().any(|token| token.text.len() > 3)
        {
            return None;
        }
        Some((tokens, &symbols[end..]))
    }

    /// The region map behind a puzzle, if there is one, and what follows it.
    fn region_map<'s>(&self, tail: &'s [Symbol], count: usize) -> (Option<&'s [Symbol]>, &'s [Symbol]) {
        let Some((colon, rest)) = tail.split_first() else { return (None, tail) };
        let end = rest.iter().position(|symbol| ends_cells(symbol.symbol)).unwrap_or(rest.len());
        let map = &rest[..end];
        let told = self.format == Format::JigsawLine;
        if colon.symbol != ':' || self.options.rules.is_some() || map.len() != count && !told || map.is_empty() {
            return (None, tail);
        }
        if told || is_region_map(map) { (Some(map), &rest[end..]) } else { (None, tail) }
    }

    /// What a line says behind the cells: count, solution, rating, comment.
    fn tail(&mut self, tail: &[Symbol], board: &Board, map: bool, notes: &mut Notes) -> Result<(), ReadError> {
        let Some((separator, rest)) = tail.split_first() else { return Ok(()) };
        if separator.symbol != ':' {
            let rest = trim(if separator.symbol == '#' { tail } else { rest });
            let (word, more) = split_word(rest);
            if word.len() >= 16 && is_solution(word, board) {
                notes.solution = Some(solution_of(word, board.rules(), self.options)?);
                free_text(behind_separator(more), notes);
            } else {
                free_text(rest, notes);
            }
            return Ok(());
        }
        let hash = rest.iter().position(|symbol| symbol.symbol == '#').unwrap_or(rest.len());
        let (fields, comment) = rest.split_at(hash);
        let colon = fields.iter().position(|symbol| symbol.symbol == ':').unwrap_or(fields.len());
        let (first, second) = (trim(&fields[..colon]), trim(fields.get(colon + 1..).unwrap_or_default()));
        let (word, more) = split_word(first);
        // Sixteen figures are a count that no one has, but a solution of side 4. After a region map there is no count.
        if (map || word.len() >= 16) && is_solution(word, board) {
            notes.solution = Some(solution_of(word, board.rules(), self.options)?);
            free_text(behind_separator(more), notes);
            free_text(second, notes);
            free_text(comment, notes);
            return Ok(());
        }
        let count = Count::parse(&text_of(word));
        if count.is_none() && !matches!(word, [] | [Symbol { symbol: '?', .. }]) {
            free_text(rest, notes);
            return Ok(());
        }
        notes.count = count;
        free_text(behind_separator(more), notes);
        let (word, more) = split_word(second);
        if is_solution(word, board)
            || word.len() >= 16 && word.len() == board.rules().cell_count() && leading(word).len() == word.len()
        {
            notes.solution = Some(solution_of(word, board.rules(), self.options)?);
            free_text(behind_separator(more), notes);
        } else {
            let cells = board.rules().cell_count();
            if word.len() >= 16 && word.len().abs_diff(cells) <= cells / 9 + 1 && leading(word).len() == word.len() {
                return Err(count_error(word.len(), cells, word[0].at).with_hint("this is read as the solution"));
            }
            free_text(second, notes);
        }
        free_text(comment, notes);
        Ok(())
    }

    /// Side characters a cell, each the digit of its place or a blank.
    fn pencil_line(&mut self, symbols: &[Symbol]) -> Result<Entry, ReadError> {
        let at = symbols.first().map_or(Position::START, |symbol| symbol.at);
        let run = leading(symbols);
        let (marks, tail) = (run, &symbols[run.len()..]);
        if let Some(&next) = tail.first()
            && !ends_cells(next.symbol)
        {
            return Err(symbol_error(next));
        }
        let wanted = self.options.rules.as_ref().map(Rules::side);
        let side = (1..=MAX_SIDE).find(|side| side.pow(3) == marks.len());
        let side = match (wanted, side) {
            (Some(wanted), Some(side)) if wanted == side => side,
            (None, Some(side)) => side,
            (wanted, _) => {
                let side = wanted.unwrap_or(9);
                let message = format!("{} marks found where {} are expected, {side} for each cell", marks.len(), side.pow(3));
                return Err(ReadError::new(ErrorKind::CellCount, behind(run, at), 0, message));
            }
        };
        let rules = self.book.for_count(self.options, side * side, at)?;
        let mut sets = Vec::with_capacity(side * side);
        for cell in marks.chunks(side) {
            let mut set = DigitSet::EMPTY;
            for (i, &mark) in cell.iter().enumerate() {
                if is_blank(mark.symbol) {
                    continue;
                }
                let digit = Digit::new(i as u8 + 1).expect("a side is at most 64");
                let shown = if side <= 35 { mark.symbol.to_ascii_uppercase() } else { mark.symbol };
                if Digit::from_symbol(shown) != Some(digit) {
                    let message = format!("`{}` stands where only `{digit}` or a blank can", mark.symbol);
                    return Err(ReadError::new(ErrorKind::Symbol, mark.at, 1, message));
                }
                set.insert(digit);
            }
            sets.push(set);
        }
        let (board, sets) = board_of_marks(sets, &rules);
        let mut notes = Notes::default();
        free_text(trim(tail), &mut notes);
        let mut entry = Entry::new(board, at, Format::PencilLine).with_notes(notes);
        entry.restrictions = Some(sets);
        Ok(entry)
    }

    /// `:technique:candidates:cells:deleted candidates:eliminations:placements:comment`; a `+` marks a placed digit.
    fn hodoku(&mut self, symbols: &[Symbol]) -> Result<Entry, ReadError> {
        let at = symbols.first().map_or(Position::START, |symbol| symbol.at);
        let fields: Vec<&[Symbol]> = symbols.split(|symbol| symbol.symbol == ':').collect();
        if fields.len() < 4 || !fields[0].is_empty() {
            let message = "a HoDoKu line is `:technique:candidates:cells:deleted:eliminations:placements:comment`";
            return Err(ReadError::new(ErrorKind::Syntax, at, span(symbols), message));
        }
        let mut givens = Vec::new();
        let mut state = Vec::new();
        let mut placed = None;
        for &symbol in trim(fields[3]) {
            if symbol.symbol == '+' {
                placed = Some(symbol);
                continue;
            }
            state.push(symbol);
            let given =
                if placed.take().is_some() && !is_blank(symbol.symbol) { Symbol { symbol: '.', ..symbol } } else { symbol };
            givens.push(given);
        }
        if let Some(plus) = placed {
            return Err(ReadError::new(ErrorKind::Syntax, plus.at, 1, "a digit is expected after `+`"));
        }
        let wanted = self.wanted().or_else(|| likely_count(givens.len())).unwrap_or(givens.len());
        if givens.len() != wanted {
            return Err(count_error(givens.len(), wanted, behind(trim(fields[3]), at)));
        }
        let rules = self.book.for_count(self.options, givens.len(), at)?;
        let board = board_of(&givens, &rules, self.options)?;
        let state = board_of(&state, &rules, self.options)?;
        let mut notes = Notes::default();
        let technique = text_of(trim(fields[1]));
        notes.name = Some(technique).filter(|name| !name.is_empty() && name != NO_TECHNIQUE);
        let restrictions = match fields.get(4).map(|field| trim(field)) {
            Some(deleted) if !deleted.is_empty() => Some(deleted_candidates(deleted, &board)?),
            _ => None,
        };
        // Comments may hold colons themselves.
        if fields.len() > 7 {
            let from = symbols.len() + 1 - fields[7..].iter().map(|field| field.len() + 1).sum::<usize>();
            notes.comment = Some(text_of(trim(&symbols[from..]))).filter(|comment| !comment.is_empty());
        }
        notes.state = (state != board).then_some(state);
        let mut entry = Entry::new(board, at, Format::Hodoku).with_notes(notes);
        entry.restrictions = restrictions;
        Ok(entry)
    }

    /// The cells after `bd=` in a web address.
    fn link(&mut self, symbols: &[Symbol]) -> Result<Entry, ReadError> {
        let at = symbols.first().map_or(Position::START, |symbol| symbol.at);
        let start = symbols
            .windows(3)
            .position(|three| three[0].symbol == 'b' && three[1].symbol == 'd' && three[2].symbol == '=')
            .ok_or_else(|| ReadError::new(ErrorKind::Syntax, at, span(symbols), "no `bd=` in this address"))?;
        let value = &symbols[start + 3..];
        let end = value
            .iter()
            .position(|symbol| matches!(symbol.symbol, '&' | '#' | '"' | '\'' | '<' | '>') || symbol.symbol.is_whitespace());
        let (value, tail) = value.split_at(end.unwrap_or(value.len()));
        let cells = percent_decoded(value)?;
        let value_at = value.first().map_or(behind(symbols, at), |symbol| symbol.at);
        if cells.len() == 729 && self.wanted() != Some(729) {
            return Ok(Entry { format: Format::Link, position: at, ..self.pencil_line(&cells)? });
        }
        let wanted = self.wanted().or_else(|| likely_count(cells.len())).unwrap_or(cells.len());
        if let Some(&bad) = cells.iter().find(|symbol| !is_cell(symbol.symbol)) {
            return Err(symbol_error(bad));
        }
        if cells.len() != wanted {
            let error = count_error(cells.len(), wanted, behind(value, value_at));
            return Err(match cells.first() {
                Some(first) if first.symbol == 'S' => {
                    error.with_hint("the packed form of this address cannot be read: use the plain one")
                }
                _ => error,
            });
        }
        let rules = self.book.for_count(self.options, cells.len(), value_at)?;
        let board = board_of(&cells, &rules, self.options)?;
        let mut notes = Notes::default();
        if tail.first().is_some_and(|symbol| symbol.symbol.is_whitespace()) {
            free_text(trim(tail), &mut notes);
        }
        Ok(Entry::new(board, at, Format::Link).with_notes(notes))
    }
}

fn trailing_error(next: Symbol, tail: &[Symbol]) -> ReadError {
    if next.symbol.is_control() {
        return symbol_error(next);
    }
    let length = tail.iter().take_while(|symbol| !symbol.symbol.is_whitespace()).count() as u64;
    ReadError::new(ErrorKind::Trailing, next.at, length, "text directly after the last cell")
        .with_hint("put a space or `#` before a comment")
}

/// The first word, up to white space or a separator, and the rest.
fn split_word(symbols: &[Symbol]) -> (&[Symbol], &[Symbol]) {
    let end = symbols.iter().position(|symbol| ends_cells(symbol.symbol)).unwrap_or(symbols.len());
    symbols.split_at(end)
}

/// What comes behind a word, its separator left out.
fn behind_separator(symbols: &[Symbol]) -> &[Symbol] {
    let symbols = trim(symbols);
    match symbols.first() {
        Some(Symbol { symbol: ',' | ';' | ':', .. }) => &symbols[1..],
        _ => symbols,
    }
}

/// Whether a word has as many digits as the board has cells: words of letters alone are none on boards that have figures.
fn is_solution(word: &[Symbol], board: &Board) -> bool {
    word.len() == board.rules().cell_count()
        && word.iter().all(|symbol| is_cell(symbol.symbol) && !is_blank(symbol.symbol))
        && (board.rules().side() > 9 || word.iter().any(|symbol| symbol.symbol.is_ascii_digit()))
}

/// A rating if it is a number, else a comment. What is there already stays.
pub(crate) fn free_text(symbols: &[Symbol], notes: &mut Notes) {
    let symbols = trim(symbols);
    let hash = symbols.first().is_some_and(|symbol| symbol.symbol == '#');
    let text = text_of(trim(&symbols[usize::from(hash)..]));
    if text.is_empty() {
        return;
    }
    if !hash && notes.rating.is_none() {
        // A number in front is the rating, what follows is a comment.
        let end = text.find(|symbol: char| symbol.is_whitespace() || matches!(symbol, ',' | ';' | '#')).unwrap_or(text.len());
        if is_number(&text[..end]) {
            notes.rating = Some(text[..end].to_string());
            let rest = text[end..].trim_start_matches(|symbol: char| symbol.is_whitespace() || matches!(symbol, ',' | ';' | '#'));
            add_comment(rest, notes);
            return;
        }
    }
    add_comment(&text, notes);
}

fn add_comment(text: &str, notes: &mut Notes) {
    let text = text.trim();
    if text.is_empty() {
        return;
    }
    match &mut notes.comment {
        Some(comment) => {
            comment.push(' ');
            comment.push_str(text);
        }
        None => notes.comment = Some(text.into()),
    }
}

/// Whether a text is a plain decimal number.
pub(crate) fn is_number(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let mut parts = text.splitn(2, '.');
    let figures = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = (parts.next().unwrap_or_default(), parts.next());
    !whole.is_empty() && figures(whole) && fraction.is_none_or(|part| !part.is_empty() && figures(part))
}

/// Deleted candidates as HoDoKu names them: digit, row, column, one group each.
fn deleted_candidates(field: &[Symbol], board: &Board) -> Result<Box<[DigitSet]>, ReadError> {
    let rules = board.rules();
    let side = rules.side();
    let mut sets = vec![DigitSet::all(side); rules.cell_count()];
    for (cell, digit) in board.givens() {
        sets[cell.index()] = DigitSet::of(digit);
    }
    for group in field.split(|symbol| symbol.symbol.is_whitespace()).filter(|group| !group.is_empty()) {
        let figures: Vec<usize> =
            group.iter().filter_map(|symbol| symbol.symbol.to_digit(10)).map(|figure| figure as usize).collect();
        let place = match figures[..] {
            [digit, row, column] if group.len() == 3 && row > 0 && column > 0 && digit <= side => {
                Digit::new(digit as u8).zip(rules.cell(row - 1, column - 1))
            }
            _ => None,
        };
        let Some((digit, cell)) = place else {
            let message = format!("`{}` is no candidate such as `617` (digit, row, column)", text_of(group).escape_debug());
            return Err(ReadError::new(ErrorKind::Syntax, group[0].at, span(group), message));
        };
        if board.get(cell).is_none() {
            sets[cell.index()].remove(digit);
        }
    }
    Ok(sets.into())
}

/// Undoes `%2E` and the like. What is not so written stays.
fn percent_decoded(symbols: &[Symbol]) -> Result<Vec<Symbol>, ReadError> {
    let mut decoded = Vec::with_capacity(symbols.len());
    let mut i = 0;
    while i < symbols.len() {
        let symbol = symbols[i];
        if symbol.symbol != '%' {
            decoded.push(symbol);
            i += 1;
            continue;
        }
        let hex = |symbol: Option<&Symbol>| symbol.and_then(|symbol| symbol.symbol.to_digit(16));
        match (hex(symbols.get(i + 1)), hex(symbols.get(i + 2))) {
            (Some(high), Some(low)) if 16 * high + low < 128 => {
                decoded.push(Symbol { symbol: char::from((16 * high + low) as u8), at: symbol.at });
            }
            _ => return Err(ReadError::new(ErrorKind::Syntax, symbol.at, 1, "`%` is not followed by two hexadecimal figures")),
        }
        i += 3;
    }
    Ok(decoded)
}

/// The row, counted from 1, in which a blank must have been left out of a classic line of 80 cells: the only one for which the
/// givens do not clash.
fn missing_row(cells: &[Symbol], expected: usize) -> Option<usize> {
    if expected != CLASSIC || cells.len() + 1 != CLASSIC {
        return None;
    }
    let mut rows = (0..CLASSIC).filter_map(|place| {
        let mut line = [b'.'; CLASSIC];
        for (i, cell) in cells.iter().enumerate() {
            line[i + usize::from(i >= place)] = u8::try_from(cell.symbol).ok()?;
        }
        Board::from_classic_line(&line).filter(Board::is_valid).map(|_| place / 9 + 1)
    });
    let row = rows.next()?;
    rows.all(|other| other == row).then_some(row)
}
