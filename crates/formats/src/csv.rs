//! Columns separated by commas, semicolons or tabs; one puzzle a line, with or without a header.
//!
//! A quoted column ends on its line. General CSV lets a quoted text run over several lines, so that one quote too many swallows
//! the rest of the file: here it costs its own line alone, which is why no general reader is used.

use std::borrow::Cow;

use ninefold_core::{Board, Rules};

use crate::cells::{RuleBook, Symbol, board_of, count_error, is_cell, likely_count, solution_of, symbol_error, symbols_of};
use crate::entry::Notes;
use crate::line;
use crate::text::{Line, advance};
use crate::{Count, Entry, ErrorKind, Format, Options, Position, ReadError, Symbols};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Puzzle,
    Solution,
    Regions,
    Rules,
    Count,
    Rating,
    Name,
    Comment,
    Other,
}

fn column_of(name: &str) -> Column {
    let name = name.trim().trim_matches('"').trim().to_ascii_lowercase();
    match name.as_str() {
        "puzzle" | "puzzles" | "quiz" | "quizzes" | "board" | "grid" | "sudoku" | "question" | "givens" | "unsolved" => {
            Column::Puzzle
        }
        "solution" | "solutions" | "answer" | "solved" => Column::Solution,
        "regions" | "region" => Column::Regions,
        "rules" => Column::Rules,
        "count" | "solution_count" => Column::Count,
        "rating" | "difficulty" | "level" | "score" => Column::Rating,
        "name" | "id" | "source" | "title" => Column::Name,
        "comment" | "comments" | "note" | "notes" => Column::Comment,
        _ => Column::Other,
    }
}

/// The separator of a line, by the first that occurs outside of cells.
fn separator_of(line: &str) -> char {
    line.chars().find(|symbol| matches!(symbol, ',' | ';' | '\t')).unwrap_or(',')
}

/// Whether a line names columns, the puzzle's among them.
pub(crate) fn is_header(line: &str) -> bool {
    let separator = separator_of(line);
    line.split(separator).any(|name| column_of(name) == Column::Puzzle)
        && line.split(separator).all(|name| !name.trim().is_empty() && !name.trim().starts_with(|c: char| c.is_ascii_digit()))
}

/// One column of a line: its text without quotes, and where that starts.
struct Cell<'a> {
    text: Cow<'a, str>,
    at: Position,
}

/// The columns of a file, from its header or from its first line.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    names: Option<Vec<Column>>,
    separator: Option<char>,
}

impl Columns {
    /// The separator of columns that are known to be a puzzle and its solution and nothing else.
    pub(crate) fn plain_separator(&self) -> Option<u8> {
        let plain = |names: &&Vec<Column>| names.is_empty() || ***names == [Column::Puzzle, Column::Solution];
        self.names.as_ref().filter(plain)?;
        u8::try_from(self.separator?).ok()
    }

    /// Reads one line; `None` for a header.
    pub(crate) fn line(&mut self, line: Line<'_>, options: &Options, book: &mut RuleBook) -> Option<Result<Entry, ReadError>> {
        let text = match line::decode(line) {
            Ok(text) => text,
            Err(error) => return Some(Err(error)),
        };
        let separator = *self.separator.get_or_insert_with(|| separator_of(text));
        if self.names.is_none() {
            if is_header(text.trim()) {
                self.names = Some(text.split(separator).map(column_of).collect());
                return None;
            }
            self.names = Some(Vec::new());
        }
        let names = self.names.as_deref().unwrap_or_default();
        let entry = cells_of(text, line.at, separator).and_then(|cells| entry_of(&cells, names, line.at, options, book));
        Some(entry.map_err(|error| error.within(line.bytes, line.at)))
    }
}

/// Cuts a line at its separators, quotes observed.
fn cells_of(text: &str, start: Position, separator: char) -> Result<Vec<Cell<'_>>, ReadError> {
    // The columns are counted along with the walk, since counting from the start for each would be quadratic.
    let (mut counted, mut at) = (0, start);
    let mut place = |offset: usize| {
        at = advance(at, &text.as_bytes()[counted..offset]);
        counted = offset;
        at
    };
    let mut cells = Vec::new();
    let mut from = 0;
    loop {
        let rest = &text[from..];
        let indent = rest.len() - rest.trim_start_matches(' ').len();
        if !rest[indent..].starts_with('"') {
            let length = rest.find(separator).unwrap_or(rest.len());
            cells.push(Cell { text: Cow::Borrowed(&rest[..length]), at: place(from) });
            if from + length == text.len() {
                return Ok(cells);
            }
            from += length + separator.len_utf8();
            continue;
        }
        let open = from + indent;
        let open_at = place(open);
        let mut quoted = String::new();
        let mut i = open + 1;
        loop {
            let Some(length) = text[i..].find('"') else {
                return Err(ReadError::new(ErrorKind::Syntax, open_at, 1, "this quote has no end on its line"));
            };
            quoted.push_str(&text[i..i + length]);
            i += length + 1;
            if !text[i..].starts_with('"') {
                break;
            }
            quoted.push('"');
            i += 1;
        }
        cells.push(Cell { text: Cow::Owned(quoted), at: place(open + 1) });
        let rest = text[i..].trim_start_matches(' ');
        i = text.len() - rest.len();
        if rest.is_empty() {
            return Ok(cells);
        }
        if !rest.starts_with(separator) {
            return Err(ReadError::new(
                ErrorKind::Syntax,
                place(i),
                1,
                format!("`{separator}` is expected after a quoted column"),
            ));
        }
        from = i + separator.len_utf8();
    }
}

fn entry_of(
    cells: &[Cell<'_>],
    names: &[Column],
    at: Position,
    options: &Options,
    book: &mut RuleBook,
) -> Result<Entry, ReadError> {
    let find = |column: Column| {
        names.iter().position(|name| *name == column).and_then(|i| cells.get(i)).filter(|cell| !cell.text.trim().is_empty())
    };
    let puzzle = if names.is_empty() { cells.first() } else { find(Column::Puzzle) };
    let Some(puzzle) = puzzle.filter(|cell| !cell.text.trim().is_empty()) else {
        let end = cells.last().map_or(at, |cell| cell.at);
        return Err(ReadError::new(ErrorKind::Syntax, end, 0, "this line has no puzzle column"));
    };
    let (regions, rules) = (find(Column::Regions), find(Column::Rules));
    let board = match classic_board(puzzle, options)
        .filter(|_| regions.is_none() && rules.is_none_or(|rules| rules.text.trim() == "3x3"))
    {
        Some(board) => board,
        None => board_with(puzzle, regions, rules, options, book)?,
    };
    let mut notes = Notes::default();
    let mut solution = find(Column::Solution);
    if names.is_empty() {
        // Without a header: the solution second, if it is one; then a rating or comments.
        let mut rest = &cells[1..];
        if let Some(second) = rest.first()
            && trimmed_symbols(second).len() == board.rules().cell_count()
            && trimmed_symbols(second).iter().all(|symbol| is_cell(symbol.symbol))
        {
            solution = Some(second);
            rest = &rest[1..];
        }
        for cell in rest {
            line::free_text(&symbols_of(&cell.text, cell.at), &mut notes);
        }
    } else {
        let text = |column: Column| find(column).map(|cell| cell.text.trim().to_string());
        notes.rating = text(Column::Rating);
        notes.name = text(Column::Name);
        notes.comment = text(Column::Comment);
        notes.count = find(Column::Count).map(count_of).transpose()?.flatten();
    }
    if let Some(solution) = solution {
        let quick = classic_board(solution, options).filter(|solution| solution.is_full() && solution.rules() == board.rules());
        notes.solution = Some(match quick {
            Some(solution) => solution,
            None => {
                let symbols = board_symbols(solution)?;
                if symbols.len() != board.rules().cell_count() {
                    let error = count_error(symbols.len(), board.rules().cell_count(), solution.at);
                    return Err(error.with_hint("this is read as the solution"));
                }
                solution_of(&symbols, board.rules(), options)?
            }
        });
    }
    Ok(Entry::new(board, at, Format::Csv).with_notes(notes))
}

/// The board of a column with 81 symbols of a classic board and nothing else, which is what large collections have.
fn classic_board(cell: &Cell<'_>, options: &Options) -> Option<Board> {
    let usual = options.rules.as_ref().is_none_or(Rules::is_classic) && options.symbols.is_none_or(|it| it == Symbols::FromOne);
    let cells: &[u8; 81] = cell.text.as_bytes().try_into().ok()?;
    if usual { Board::from_classic_line(cells) } else { None }
}

/// The board of a column, with the regions and the rules of others.
fn board_with(
    puzzle: &Cell<'_>,
    regions: Option<&Cell<'_>>,
    rules: Option<&Cell<'_>>,
    options: &Options,
    book: &mut RuleBook,
) -> Result<Board, ReadError> {
    let symbols = board_symbols(puzzle)?;
    let named = match rules {
        Some(cell) if options.rules.is_none() => {
            let map = regions.map(|map| trimmed_symbols(map).iter().map(|symbol| symbol.symbol).collect::<String>());
            let length = cell.text.chars().count() as u64;
            Some(
                book.for_name(cell.text.trim(), map.as_deref())
                    .map_err(|error| ReadError::new(ErrorKind::Rules, cell.at, length, error.to_string()))?,
            )
        }
        _ => None,
    };
    let wanted = options.rules.as_ref().or(named.as_ref()).map(Rules::cell_count).or_else(|| likely_count(symbols.len()));
    if let Some(wanted) = wanted.filter(|wanted| *wanted != symbols.len()) {
        let end = symbols.last().map_or(puzzle.at, |last| Position {
            column: last.at.column + 1,
            offset: last.at.offset + 1,
            ..last.at
        });
        return Err(count_error(symbols.len(), wanted, end));
    }
    let rules = match (named, regions) {
        (Some(rules), _) => rules,
        (None, Some(regions)) if options.rules.is_none() => {
            let map = trimmed_symbols(regions);
            if map.len() != symbols.len() {
                let message = format!("a region map of {} cells for {} cells", map.len(), symbols.len());
                return Err(ReadError::new(ErrorKind::Regions, regions.at, map.len() as u64, message));
            }
            book.for_regions(&map)?
        }
        _ => book.for_count(options, symbols.len(), puzzle.at)?,
    };
    board_of(&symbols, &rules, options)
}

fn count_of(cell: &Cell<'_>) -> Result<Option<Count>, ReadError> {
    let text = cell.text.trim();
    match Count::parse(text) {
        None if text != "?" => {
            let message = format!("`{}` is no count of solutions", text.escape_debug());
            Err(ReadError::new(ErrorKind::Syntax, cell.at, text.chars().count() as u64, message))
        }
        count => Ok(count),
    }
}

fn trimmed_symbols(cell: &Cell<'_>) -> Vec<Symbol> {
    symbols_of(&cell.text, cell.at).into_iter().filter(|symbol| !symbol.symbol.is_whitespace()).collect()
}

fn board_symbols(cell: &Cell<'_>) -> Result<Vec<Symbol>, ReadError> {
    let symbols = trimmed_symbols(cell);
    match symbols.iter().find(|symbol| !is_cell(symbol.symbol)) {
        Some(&bad) => Err(symbol_error(bad)),
        None => Ok(symbols),
    }
}
