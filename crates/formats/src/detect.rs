//! Tells the format of a text from its start.

use ninefold_core::{Digit, MAX_SIDE, Rules};

use crate::cells::{Symbol, is_blank, is_cell, is_region_map, symbols_of};
use crate::grid::{self, Kind, Row};
use crate::{ErrorKind, Format, Options, Position, ReadError};

/// How much of the text is looked at, in bytes: more than a 64×64 grid of decimal numbers.
pub(crate) const HEAD: usize = 1 << 16;

/// What the start of a text shows.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) format: Format,
    /// The cells of a row, for grids.
    pub(crate) width: usize,
    /// Whether the rows have spaces for blanks.
    pub(crate) spaces: bool,
}

impl Shape {
    fn of(format: Format) -> Shape {
        Shape { format, width: 9, spaces: false }
    }
}

/// Whether a first line leaves no doubt that the text has a classic board in every line, so that nothing more need be waited for.
pub(crate) fn is_plain_line(line: &[u8]) -> bool {
    line.len() >= 81
        && line[..81].iter().all(|&byte| is_blank(byte.into()) || byte.is_ascii_digit())
        && line.get(81).is_none_or(|&byte| matches!(byte, b' ' | b'\t' | b'#' | b'\r' | b'\n'))
}

/// The format of a text that starts so; `Ok(None)` where it has nothing to read. `at` is where the head starts.
pub(crate) fn detect(head: &[u8], whole: bool, at: Position, options: &Options) -> Result<Option<Shape>, ReadError> {
    // A line or character that the head cuts off is left out.
    let head = match head.iter().rposition(|&byte| byte == b'\n') {
        Some(end) if !whole => &head[..end],
        _ => head,
    };
    let text = String::from_utf8_lossy(head);
    let start = text.trim_start();
    match start.chars().next() {
        None if options.format.is_none() => return Ok(None),
        // Leniently, a page of the web is text to pick puzzles from.
        Some('<')
            if options.format.is_none() && (!options.lenient || start.contains("<opensudoku") || start.contains("<game")) =>
        {
            return Ok(Some(Shape::of(Format::OpenSudoku)));
        }
        Some('"') if options.format.is_none() && is_string(start) => return Ok(Some(Shape::of(Format::Json))),
        Some('[')
            if !start[1..].trim_start().starts_with(|c: char| c.is_ascii_alphabetic() && c != 'n')
                && options.format.is_none() =>
        {
            return Ok(Some(Shape::of(json_kind(start))));
        }
        Some('{') if start[1..].trim_start().starts_with(['"', '}']) && options.format.is_none() => {
            return Ok(Some(Shape::of(json_kind(start))));
        }
        _ => {}
    }
    let survey = Survey::new(&text, at, whole);
    if options.format.is_none() {
        if survey.sections {
            return Ok(Some(Shape::of(Format::Sdk)));
        }
        if survey.braces && survey.rows.is_empty() && survey.lines.is_empty() {
            return Ok(Some(Shape::of(Format::Array)));
        }
    }
    survey.shape(options)
}

/// One value a line, or one value over many lines. A broken line must not hide that the others are values of their own.
fn json_kind(text: &str) -> Format {
    let complete =
        |line: &str| line.starts_with(['{', '[']) && serde_json::from_str::<&serde_json::value::RawValue>(line).is_ok();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (first, second) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let next = second.starts_with(['{', '[']);
    let several = || [first, second].into_iter().chain(lines).filter(|line| complete(line)).take(2).count() == 2;
    if complete(first) && next || several() { Format::JsonLines } else { Format::Json }
}

/// Whether a text starts with a line that is one quoted string.
fn is_string(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default().trim_end();
    line.len() > 1 && line.find('"') == Some(0) && line[1..].find('"') == Some(line.len() - 2) && !crate::csv::is_header(line)
}

/// The lines of a text, by what they may be.
#[derive(Debug, Default)]
struct Survey {
    /// Lines that can only be one puzzle each, and the format of that.
    lines: Vec<Format>,
    /// Lines that can be rows of a grid.
    rows: Vec<Row>,
    /// How many rows follow each other before the first blank line or heading.
    run: usize,
    /// Whether this is all of the text.
    whole: bool,
    sections: bool,
    braces: bool,
    header: bool,
    /// The length of the lines where they are as many as they are long.
    wide: Option<usize>,
    /// The first line that is neither.
    other: Option<Row>,
}

impl Survey {
    fn new(text: &str, start: Position, whole: bool) -> Survey {
        let mut survey = Survey { whole, ..Survey::default() };
        let mut at = start;
        let mut run_ended = false;
        let mut first = true;
        let mut lengths = Vec::new();
        for line in text.split('\n') {
            let here = at;
            at = Position { offset: at.offset + line.len() as u64 + 1, line: at.line + 1, column: 1 };
            let line = line.strip_suffix('\r').unwrap_or(line);
            let trimmed = line.trim();
            if trimmed.starts_with('[') && trimmed.ends_with(']') && trimmed[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
                survey.sections = true;
                continue;
            }
            if line.contains(['{', '}']) {
                survey.braces = true;
                continue;
            }
            match grid::kind_of(line, 9) {
                Kind::Blank => run_ended |= !survey.rows.is_empty(),
                Kind::Comment | Kind::Border => {}
                kind => {
                    if first && crate::csv::is_header(trimmed) {
                        survey.header = true;
                        first = false;
                        continue;
                    }
                    first = false;
                    let row = Row::new(line, here);
                    if let Some(format) = line_format(trimmed, &row) {
                        survey.lines.push(format);
                        lengths.push(count(&row, Format::Grid));
                    } else if kind == Kind::Row && is_row(&row) || is_large_row_of_marks(&row) {
                        if !run_ended {
                            survey.run += 1;
                        }
                        survey.rows.push(row);
                    } else {
                        run_ended |= !survey.rows.is_empty();
                        survey.other.get_or_insert(row);
                    }
                }
            }
        }
        survey.wide =
            lengths.first().copied().filter(|&width| lengths.len() == width && lengths.iter().all(|length| *length == width));
        survey
    }

    fn shape(&self, options: &Options) -> Result<Option<Shape>, ReadError> {
        let grid = self.grid(options);
        if let Some(format) = options.format {
            let mut shape = grid.map_or(Shape::of(format), |grid| grid.unwrap_or(Shape::of(format)));
            // The width that the rows have in the style that was named.
            let counts: Vec<usize> = self.rows.iter().map(|row| count(row, format)).collect();
            if shape.format != format {
                shape.width = most_common(&counts).unwrap_or(9);
            }
            shape.format = format;
            return Ok(Some(shape));
        }
        if self.header && (!self.lines.is_empty() || !self.rows.is_empty()) {
            return Ok(Some(Shape::of(Format::Csv)));
        }
        // A grid of more than 64 rows is wrong, but wrong as a grid.
        if let Some(width) = self.wide_grid() {
            return Ok(Some(Shape { format: Format::Grid, width, spaces: false }));
        }
        if !self.lines.is_empty() && 4 * self.lines.len() >= self.rows.len() {
            let format = most_common(&self.lines).unwrap_or(Format::Line);
            return Ok(Some(Shape::of(format)));
        }
        match (grid, &self.other) {
            (Some(grid), _) => grid.map(Some),
            (None, Some(row)) if !options.lenient => {
                let at = row.symbols.iter().find(|symbol| !symbol.symbol.is_whitespace()).map_or(row.end, |symbol| symbol.at);
                let length = row.end.column - at.column;
                let error = ReadError::new(ErrorKind::UnknownFormat, at, length, "no puzzle in any known format starts here");
                Err(error.within(row.text.as_bytes(), row.start).with_hint(if row.text.contains('\0') {
                    "is this a text file? UTF-16 needs a byte order mark"
                } else {
                    "name the format, or read leniently to pass over what is no puzzle"
                }))
            }
            (None, Some(_)) => Ok(Some(Shape::of(Format::Line))),
            (None, None) => Ok(None),
        }
    }

    fn wide_grid(&self) -> Option<usize> {
        if !self.lines.iter().all(|format| *format == Format::Line) {
            return None;
        }
        self.wide.filter(|_| self.rows.is_empty())
    }

    /// The grid that the rows make; `None` where there are none.
    fn grid(&self, options: &Options) -> Option<Result<Shape, ReadError>> {
        let rows = &self.rows;
        let first = rows.first()?;
        let symbols: Vec<usize> = rows.iter().map(|row| count(row, Format::Grid)).collect();
        let tokens: Vec<usize> = rows.iter().map(|row| count(row, Format::Decimal)).collect();
        let width = most_common(&symbols)?;
        let groups = most_common(&tokens)?;
        let fit = |counts: &[usize], width: usize| counts.iter().filter(|count| **count == width).count();
        let shape = |format: Format, width: usize| Some(Ok(Shape { format, width, spaces: false }));
        let at = first.symbols.iter().find(|symbol| !symbol.symbol.is_whitespace()).map_or(first.end, |symbol| symbol.at);

        // Groups of several characters, one group a cell.
        let marks = rows.iter().filter(|row| is_marks(row)).count();
        let numbers = rows.iter().filter(|row| is_numbers(row)).count();
        let all = rows.len();
        // The head may end in the middle of a grid.
        let as_rows = |width: usize| if self.whole { all.is_multiple_of(width) } else { width <= MAX_SIDE };
        let (by_groups, by_symbols) = (fit(&tokens, groups), fit(&symbols, width));
        let grouped = groups > 1
            && 2 * marks.max(numbers) > all
            && (by_groups > by_symbols || by_groups == by_symbols && as_rows(groups) && !as_rows(width));
        if grouped {
            let told = options.rules.as_ref().map(Rules::side);
            if marks > numbers || groups <= 9 {
                return shape(Format::PencilGrid, groups);
            }
            if numbers > marks || told.is_some_and(|side| side <= 9) {
                return shape(Format::Decimal, groups);
            }
            let error = ReadError::new(ErrorKind::AmbiguousFormat, at, 0, "groups of figures that are numbers or pencil marks");
            return Some(Err(error
                .within(first.text.as_bytes(), first.start)
                .with_hint("name the format: decimal or pencil-grid")));
        }

        let plain = all > 0 && tokens.iter().all(|count| *count == 1);
        if plain {
            let told = options.rules.as_ref();
            if told.is_some_and(|rules| rules.cell_count() == width && rules.side() != width) {
                return shape(Format::Line, width);
            }
            if told.is_none() {
                let small =
                    symbols.iter().sum::<usize>() == all * width && rows.iter().all(|row| row.symbols.iter().all(is_small));
                match width {
                    1 => return shape(Format::Line, width),
                    16 if small && as_rows(16) && matches!(self.run, 4 | 16) => {
                        let message = "16 lines of 16 cells are boards of side 4 or one board of side 16";
                        return Some(Err(ReadError::new(ErrorKind::AmbiguousFormat, at, 16, message)
                            .within(first.text.as_bytes(), first.start)
                            .with_hint("name the format, line or grid, or the rules, 2x2 or 4x4")));
                    }
                    16 if small => return shape(Format::Line, width),
                    // Squares that are no whole grid are lines, of boards whose block shape must be named.
                    25 | 36 | 49 | 64 if !as_rows(width) => return shape(Format::Line, width),
                    _ => {}
                }
            }
        }
        // `12.. 34.. .... ....`: a board in groups, all in one line.
        let in_groups = |row: &Row| {
            let tokens = grid::tokens_of(&row.symbols);
            tokens.len() > 1 && tokens.iter().all(|token| token.text.len() == tokens.len())
        };
        if self.run != width
            && all != width
            && rows.iter().all(in_groups)
            && options.rules.as_ref().is_none_or(|r| r.side() != width)
        {
            return shape(Format::Line, width);
        }
        let longest = rows.iter().map(|row| row.text.trim_end().chars().count()).max().unwrap_or(0);
        let gaps = rows.iter().any(|row| row.text.trim_end().contains(char::is_whitespace));
        let spaces =
            gaps && longest == self.run && fit(&symbols, width) < all && !rows.iter().any(|row| row.text.contains(['|', ',']));
        if spaces {
            return Some(Ok(Shape { format: Format::Grid, width: longest, spaces }));
        }
        let jigsaw = all >= 2 * width
            && self.run != 1
            && options.rules.is_none()
            && grid::is_jigsaw(&rows[..width], &rows[width..2 * width]);
        shape(if jigsaw { Format::Jigsaw } else { Format::Grid }, width)
    }
}

fn count(row: &Row, format: Format) -> usize {
    row.count(format)
}

fn most_common<T: Copy + PartialEq>(items: &[T]) -> Option<T> {
    let mut counts: Vec<(T, usize)> = Vec::new();
    for item in items {
        match counts.iter_mut().find(|(other, _)| other == item) {
            Some((_, count)) => *count += 1,
            None => counts.push((*item, 1)),
        }
    }
    // The first of those that are equally common.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(item, _)| item)
}

/// The format of a line that can only be a puzzle of its own.
fn line_format(trimmed: &str, row: &Row) -> Option<Format> {
    if trimmed.starts_with(':') {
        return Some(Format::Hodoku);
    }
    if trimmed.contains("bd=") {
        return Some(Format::Link);
    }
    let symbols = symbols_of(trimmed, Position::START);
    // Full-width figures are wrong in a puzzle, but they make it no less a puzzle.
    let cell = |symbol: &Symbol| is_cell(symbol.symbol) || ('０'..='９').contains(&symbol.symbol);
    let run = symbols.iter().position(|symbol| !cell(symbol)).unwrap_or(symbols.len());
    if run == 729 {
        return Some(Format::PencilLine);
    }
    if run >= 16 {
        let rest = &symbols[run..];
        let field = |rest: &[Symbol]| -> usize {
            rest.iter().skip(1).position(|symbol| !is_cell(symbol.symbol)).unwrap_or(rest.len().saturating_sub(1))
        };
        match rest.first().map(|symbol| symbol.symbol) {
            Some(':') => {
                let length = field(rest);
                if length == run && is_region_map(&rest[1..=length]) {
                    return Some(Format::JigsawLine);
                }
                let count: String =
                    rest[1..].iter().map(|symbol| symbol.symbol).take_while(|symbol| *symbol != ':' && *symbol != '#').collect();
                let counted = crate::Count::parse(count.trim()).is_some() || matches!(count.trim(), "?" | "");
                return Some(if counted { Format::Counted } else { Format::Line });
            }
            Some(',' | ';') if run > 64 || field(rest) == run => return Some(Format::Csv),
            Some('#') => return Some(Format::Line),
            _ if run > 64 => return Some(Format::Line),
            _ => {}
        }
    }
    // More cells than a row can have, one by one or in groups, unless the groups are one cell each.
    let tokens = grid::tokens_of(&row.symbols);
    let many = symbols.iter().filter(|symbol| cell(symbol)).count() > 64 && !is_marks(row) && !is_numbers(row);
    (many || tokens.len() > 64).then_some(Format::Line)
}

/// Whether a line is mostly cells.
fn is_row(row: &Row) -> bool {
    let cells = row.symbols.iter().filter(|symbol| is_cell(symbol.symbol)).count();
    let others = row.symbols.iter().filter(|symbol| !is_cell(symbol.symbol) && !grid::is_gap(symbol.symbol)).count();
    cells > 0 && others <= 1 + cells / 4
}

/// Whether every group of a row is candidates in ascending order.
fn is_marks(row: &Row) -> bool {
    let tokens = grid::tokens_of(&row.symbols);
    tokens.iter().all(|token| {
        let digits: Option<Vec<Digit>> = token.text.chars().map(Digit::from_symbol).collect();
        match digits {
            Some(digits) => digits.windows(2).all(|two| two[0] < two[1]),
            None => matches!(token.text.as_str(), "." | "0" | "_" | "*" | "?"),
        }
    })
}

/// Whether a line that looks like words is a row of pencil marks on a large board.
fn is_large_row_of_marks(row: &Row) -> bool {
    is_marks(row) && count(row, Format::PencilGrid) > 9 && row.text.contains(|symbol: char| symbol.is_ascii_digit())
}

/// Whether every group of a row is a number of one or two figures, or a blank.
fn is_numbers(row: &Row) -> bool {
    let tokens = grid::tokens_of(&row.symbols);
    tokens.iter().all(|token| {
        matches!(token.text.as_str(), "." | "_" | "*" | "?" | "-1")
            || (1..=2).contains(&token.text.len()) && token.text.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether a character can stand on a board of side 4.
fn is_small(symbol: &Symbol) -> bool {
    is_blank(symbol.symbol) || symbol.symbol.is_whitespace() || ('1'..='4').contains(&symbol.symbol)
}
