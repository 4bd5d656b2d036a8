//! Writing: from boards to text that reads back as the same boards.

use std::fmt;
use std::io::{self, Write};

use ninefold_core::{BlockShape, Board, Cell, Digit, DigitSet, Rules};

use crate::grid::{Kind, kind_of};
use crate::line::is_number;
use crate::{Format, Record};

/// The characters of the digits, with the blank in front.
const fn symbols_with(blank: u8) -> [u8; 65] {
    let mut symbols = [blank; 65];
    let mut digit = 1;
    while digit <= 64 {
        symbols[digit as usize] = match Digit::new(digit) {
            Some(digit) => digit.symbol() as u8,
            None => blank,
        };
        digit += 1;
    }
    symbols
}

const DOTS: [u8; 65] = symbols_with(b'.');
const ZEROS: [u8; 65] = symbols_with(b'0');

/// Appends the cells of a board, one character each, blanks as `.`.
#[inline]
pub fn write_cells(out: &mut Vec<u8>, board: &Board) {
    write_with(out, board, &DOTS);
}

/// Appends a board as a line: its cells and a line end. The fast way out: no formatting, no allocation but the list's own.
///
/// ```
/// let board = "12..34..........".parse()?;
/// let mut out = Vec::new();
/// ninefold_formats::write_line(&mut out, &board);
/// assert_eq!(out, b"12..34..........\n");
/// # Ok::<(), ninefold_core::ParseError>(())
/// ```
#[inline]
pub fn write_line(out: &mut Vec<u8>, board: &Board) {
    write_cells(out, board);
    out.push(b'\n');
}

#[inline]
fn write_with(out: &mut Vec<u8>, board: &Board, symbols: &[u8; 65]) {
    match board.classic_bytes() {
        // Without the table, so that the compiler makes vector code of it: the symbols of the digits follow each other.
        Some(cells) => out.extend_from_slice(&cells.map(|cell| if cell == 0 { symbols[0] } else { cell + b'0' })),
        None => out.extend(board.as_bytes().iter().map(|&byte| symbols[usize::from(byte)])),
    }
}

/// Why a puzzle was not written.
#[derive(Debug)]
pub struct WriteError(Reason);

#[derive(Debug)]
enum Reason {
    Refused { format: Format, reason: String },
    Io(io::Error),
}

impl WriteError {
    fn refused(format: Format, reason: impl Into<String>) -> WriteError {
        WriteError(Reason::Refused { format, reason: reason.into() })
    }

    /// Why the format cannot express the puzzle; `None` where the output failed.
    pub fn reason(&self) -> Option<&str> {
        match &self.0 {
            Reason::Refused { reason, .. } => Some(reason),
            Reason::Io(_) => None,
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Reason::Refused { format, reason } => write!(f, "the format {format} cannot express this puzzle: {reason}"),
            Reason::Io(error) => write!(f, "cannot write: {error}"),
        }
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Reason::Refused { .. } => None,
            Reason::Io(error) => Some(error),
        }
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> WriteError {
        WriteError(Reason::Io(error))
    }
}

/// Writes records in a format, from the head of a text to its end. A refused record leaves no trace in the output.
///
/// ```
/// use ninefold_formats::{Format, Record, Writer};
/// let board = "12..34..........".parse()?;
/// let mut writer = Writer::new(Vec::new(), Format::JsonLines);
/// writer.write(&Record::new(&board))?;
/// assert_eq!(writer.finish()?, b"{\"puzzle\":\"12..34..........\",\"rules\":\"2x2\"}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    encoder: Encoder,
    buffer: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// A writer to an output. Each record is one call of `write` on it.
    pub fn new(out: W, format: Format) -> Writer<W> {
        Writer { out, encoder: Encoder::new(format), buffer: Vec::new() }
    }

    /// Writes one record.
    ///
    /// # Errors
    /// Where the format cannot express the puzzle, with the reason, or the output fails.
    pub fn write(&mut self, record: &Record<'_>) -> Result<(), WriteError> {
        self.buffer.clear();
        self.encoder.encode(record, &mut self.buffer)?;
        self.out.write_all(&self.buffer)?;
        Ok(())
    }

    /// Writes what ends the text and gives the output back.
    ///
    /// # Errors
    /// Where the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.buffer.clear();
        self.encoder.end(&mut self.buffer);
        self.out.write_all(&self.buffer)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Writes records as one text.
///
/// # Errors
/// Where the format cannot express one of the puzzles.
///
/// ```
/// use ninefold_formats::{read, write, Format, Options};
/// let entries = read(b"12..34..........", &Options::new()).collect::<Result<Vec<_>, _>>()?;
/// let text = write(Format::Grid, entries.iter().map(|entry| entry.record()))?;
/// assert_eq!(text, b"1 2 | . .\n3 4 | . .\n----+----\n. . | . .\n. . | . .\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write<'a>(format: Format, records: impl IntoIterator<Item = Record<'a>>) -> Result<Vec<u8>, WriteError> {
    let mut encoder = Encoder::new(format);
    let mut out = Vec::new();
    for record in records {
        encoder.encode(&record, &mut out)?;
    }
    encoder.end(&mut out);
    Ok(out)
}

/// A format on its way: what was written decides how to go on.
#[derive(Debug)]
struct Encoder {
    format: Format,
    written: u64,
    /// The column that tells the rules, where one does.
    rules_column: Option<&'static str>,
}

impl Encoder {
    fn new(format: Format) -> Encoder {
        Encoder { format, written: 0, rules_column: None }
    }

    fn encode(&mut self, record: &Record<'_>, out: &mut Vec<u8>) -> Result<(), WriteError> {
        self.check(record)?;
        match self.format {
            Format::Line => {
                write_cells(out, record.board);
                self.tail(record, out);
                out.push(b'\n');
            }
            Format::Counted => {
                write_cells(out, record.board);
                out.push(b':');
                match record.count {
                    Some(count) => out.extend_from_slice(count.to_string().as_bytes()),
                    None => out.push(b'?'),
                }
                if let Some(solution) = record.solution {
                    out.push(b':');
                    write_cells(out, solution);
                }
                self.tail(record, out);
                out.push(b'\n');
            }
            Format::Grid => {
                self.between(out);
                heading(record, out);
                let _ = writeln!(out, "{:#}", record.board);
            }
            Format::Csv => self.csv(record, out)?,
            Format::Json => {
                out.extend_from_slice(if self.written == 0 { b"[\n" } else { b",\n" });
                self.json(record, out);
            }
            Format::JsonLines => {
                self.json(record, out);
                out.push(b'\n');
            }
            Format::Array => {
                out.extend_from_slice(if self.written == 0 { b"{\n" } else { b",\n" });
                array(record.board, out);
            }
            Format::Sdk => sdk(record, out),
            Format::Sdm => {
                write_with(out, record.board, &ZEROS);
                out.push(b'\n');
            }
            Format::SimpleSudoku => {
                self.between(out);
                simple_sudoku(record.board, out);
            }
            Format::OpenSudoku => {
                if self.written == 0 {
                    out.extend_from_slice(OPEN_SUDOKU_HEAD);
                }
                out.extend_from_slice(b"  <game data=\"");
                write_with(out, record.board, &ZEROS);
                out.push(b'"');
                if let Some(comment) = record.comment {
                    out.extend_from_slice(b" note=\"");
                    out.extend_from_slice(quick_xml::escape::escape(one_line(comment)).as_bytes());
                    out.push(b'"');
                }
                out.extend_from_slice(b" />\n");
            }
            Format::Hodoku => hodoku(record, out),
            Format::PencilLine => {
                for set in candidates_of(record) {
                    for digit in DigitSet::all(record.board.rules().side()) {
                        out.push(if set.contains(digit) { DOTS[usize::from(digit.get())] } else { b'.' });
                    }
                }
                out.push(b'\n');
            }
            Format::PencilGrid => {
                self.between(out);
                heading(record, out);
                let words: Vec<String> = candidates_of(record).iter().map(DigitSet::to_string).collect();
                padded(record.board.rules(), &words, out);
            }
            Format::Link => {
                out.extend_from_slice(b"https://www.sudokuwiki.org/sudoku.htm?bd=");
                write_with(out, record.board, &ZEROS);
                out.push(b'\n');
            }
            Format::Decimal => {
                self.between(out);
                heading(record, out);
                let words: Vec<String> = record.board.as_bytes().iter().map(u8::to_string).collect();
                padded(record.board.rules(), &words, out);
            }
            Format::Jigsaw => {
                self.between(out);
                heading(record, out);
                rows(record.board.as_bytes(), record.board.rules().side(), out);
                out.push(b'\n');
                let map = region_map(record.board.rules()).unwrap_or_default();
                for row in map.as_bytes().chunks(record.board.rules().side()) {
                    out.extend_from_slice(row);
                    out.push(b'\n');
                }
            }
            Format::JigsawLine => {
                write_cells(out, record.board);
                out.push(b':');
                out.extend_from_slice(region_map(record.board.rules()).unwrap_or_default().as_bytes());
                if let Some(solution) = record.solution {
                    out.push(b':');
                    write_cells(out, solution);
                }
                self.tail(record, out);
                out.push(b'\n');
            }
        }
        self.written += 1;
        Ok(())
    }

    fn end(&self, out: &mut Vec<u8>) {
        match (self.format, self.written) {
            (Format::Json, 0) => out.extend_from_slice(b"[]\n"),
            (Format::Json, _) => out.extend_from_slice(b"\n]\n"),
            (Format::Array, 0) => {}
            (Format::Array, _) => out.extend_from_slice(b"\n}\n"),
            (Format::OpenSudoku, 0) => {
                out.extend_from_slice(OPEN_SUDOKU_HEAD);
                out.extend_from_slice(b"</opensudoku>\n");
            }
            (Format::OpenSudoku, _) => out.extend_from_slice(b"</opensudoku>\n"),
            _ => {}
        }
    }

    /// Refuses what would read back as another puzzle.
    fn check(&self, record: &Record<'_>) -> Result<(), WriteError> {
        let format = self.format;
        let refuse = |reason: String| Err(WriteError::refused(format, reason));
        let rules = record.board.rules();
        for (what, board) in [("solution", record.solution), ("state", record.state)] {
            if board.is_some_and(|board| board.rules().side() != rules.side()) {
                return refuse(format!("its {what} has another side"));
            }
        }
        if record.solution.is_some_and(|solution| !solution.is_full()) {
            return refuse("its solution has a blank".into());
        }
        if record.restrictions.is_some_and(|sets| sets.len() != rules.cell_count()) {
            return refuse("it has not one set of candidates for each cell".into());
        }
        match format {
            Format::Sdk | Format::Sdm | Format::SimpleSudoku | Format::OpenSudoku | Format::Hodoku | Format::Link
                if !rules.is_classic() =>
            {
                return refuse(format!("it has classic boards alone, and the rules of this one are {}", shown(rules)));
            }
            Format::Jigsaw | Format::JigsawLine if region_map(rules).is_none() => {
                return refuse(format!("the rules {} are not rows, columns and regions alone", shown(rules)));
            }
            _ => {}
        }
        let pencil = matches!(format, Format::PencilLine | Format::PencilGrid);
        let restricted = record.restrictions.is_some_and(|sets| {
            sets.iter()
                .zip(record.board.as_bytes())
                .any(|(set, byte)| *byte == 0 && set.intersection(DigitSet::all(rules.side())) != DigitSet::all(rules.side()))
        });
        let keeps = pencil || matches!(format, Format::Json | Format::JsonLines | Format::Hodoku);
        if restricted && !keeps {
            return refuse("it has no place for pencil marks".into());
        }
        if pencil {
            let sets = candidates_of(record);
            let bad = sets.iter().zip(record.board.as_bytes()).enumerate().find_map(|(i, (set, byte))| match set.len() {
                1 if *byte == 0 => Some((i, "is a blank with one candidate, which would read back as a given")),
                0 if format == Format::PencilGrid => Some((i, "has no candidate, which has no sign here")),
                _ => None,
            });
            if let Some((cell, why)) = bad.and_then(|(i, why)| Some((Cell::new(i)?, why))) {
                return refuse(format!("{} {why}", cell.label(rules.side())));
            }
        }
        Ok(())
    }

    /// An empty line between boards.
    fn between(&self, out: &mut Vec<u8>) {
        if self.written > 0 {
            out.push(b'\n');
        }
    }

    /// Rating and comment behind the cells of a line.
    fn tail(&self, record: &Record<'_>, out: &mut Vec<u8>) {
        if let Some(rating) = record.rating.filter(|rating| is_number(rating)) {
            out.push(b' ');
            out.extend_from_slice(rating.as_bytes());
        }
        if let Some(comment) = record.comment {
            out.extend_from_slice(b" # ");
            out.extend_from_slice(one_line(comment).as_bytes());
        }
    }

    fn csv(&mut self, record: &Record<'_>, out: &mut Vec<u8>) -> Result<(), WriteError> {
        let rules = record.board.rules();
        let map = region_map(rules);
        // Square blocks are told by the count of cells.
        let plain = BlockShape::square(rules.side()).is_some_and(|shape| rules.name() == shape.to_string());
        let wanted = if plain { None } else { Some(if map.is_some() { "regions" } else { "rules" }) };
        if self.written == 0 {
            self.rules_column = wanted;
            let told = wanted.map(|column| format!("{column},")).unwrap_or_default();
            out.extend_from_slice(format!("puzzle,{told}solution,count,rating,name,comment\n").as_bytes());
        } else if let Some(column) = wanted.filter(|_| self.rules_column != wanted && self.rules_column != Some("rules")) {
            let message = format!("the first puzzle had no {column}, so there is no column for them");
            return Err(WriteError::refused(self.format, message));
        }
        write_cells(out, record.board);
        out.push(b',');
        match self.rules_column {
            Some("rules") => column(rules.name(), out),
            _ => out.extend_from_slice(map.unwrap_or_default().as_bytes()),
        }
        if self.rules_column.is_some() {
            out.push(b',');
        }
        if let Some(solution) = record.solution {
            write_cells(out, solution);
        }
        out.push(b',');
        if let Some(count) = record.count {
            out.extend_from_slice(count.to_string().as_bytes());
        }
        for text in [record.rating, record.name, record.comment] {
            out.push(b',');
            if let Some(text) = text {
                column(&one_line(text), out);
            }
        }
        out.push(b'\n');
        Ok(())
    }

    fn json(&self, record: &Record<'_>, out: &mut Vec<u8>) {
        let rules = record.board.rules();
        out.extend_from_slice(b"{\"puzzle\":\"");
        write_cells(out, record.board);
        out.push(b'"');
        match region_map(rules) {
            Some(map) => field("regions", map, out),
            None if rules.is_classic() => {}
            None => field("rules", rules.name(), out),
        }
        for (name, board) in [("solution", record.solution), ("state", record.state)] {
            if let Some(board) = board {
                let _ = write!(out, ",\"{name}\":\"");
                write_cells(out, board);
                out.push(b'"');
            }
        }
        if let Some(count) = record.count {
            let _ = write!(out, ",\"count\":{}", count.found);
            if !count.exact {
                out.extend_from_slice(b",\"exact\":false");
            }
        }
        for (name, text) in [("rating", record.rating), ("name", record.name), ("comment", record.comment)] {
            if let Some(text) = text {
                field(name, text, out);
            }
        }
        if record.restrictions.is_some() {
            out.extend_from_slice(b",\"candidates\":[");
            for (i, set) in candidates_of(record).iter().enumerate() {
                let _ = write!(out, "{}\"{set}\"", if i > 0 { "," } else { "" });
            }
            out.push(b']');
        }
        out.push(b'}');
    }
}

const OPEN_SUDOKU_HEAD: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku>\n";

/// A field with a text, as JSON.
fn field(name: &str, text: &str, out: &mut Vec<u8>) {
    let text = serde_json::to_string(text).expect("a text is always JSON");
    let _ = write!(out, ",\"{name}\":{text}");
}

/// A text without line ends and other control characters, for formats whose texts end with the line.
fn one_line(text: &str) -> String {
    text.chars().map(|symbol| if symbol.is_control() { ' ' } else { symbol }).collect::<String>().trim().to_string()
}

/// A column, quoted where it must be.
fn column(text: &str, out: &mut Vec<u8>) {
    if text.contains([',', '"', ';']) || text.trim() != text {
        out.push(b'"');
        out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
        out.push(b'"');
    } else {
        out.extend_from_slice(text.as_bytes());
    }
}

/// The name above a grid, if it will be taken for a heading there.
fn heading(record: &Record<'_>, out: &mut Vec<u8>) {
    let Some(name) = record.name.map(one_line) else { return };
    if kind_of(&name, record.board.rules().side()) == Kind::Heading {
        out.extend_from_slice(name.as_bytes());
        out.push(b'\n');
    }
}

fn rows(bytes: &[u8], side: usize, out: &mut Vec<u8>) {
    for row in bytes.chunks(side) {
        out.extend(row.iter().map(|&byte| DOTS[usize::from(byte)]));
        out.push(b'\n');
    }
}

/// One word a cell in columns of equal width, blocks set apart.
fn padded(rules: &Rules, words: &[String], out: &mut Vec<u8>) {
    let side = rules.side();
    let shape = rules.block_shape().or_else(|| BlockShape::new(side, 1).ok());
    let (height, blocks) =
        shape.filter(|_| rules.block_shape().is_some()).map_or((side, side), |shape| (shape.rows(), shape.columns()));
    let width = words.iter().map(String::len).max().unwrap_or(1);
    for (row, cells) in words.chunks(side).enumerate() {
        if row > 0 && row % height == 0 {
            out.push(b'\n');
        }
        for (column, word) in cells.iter().enumerate() {
            let gap = match column {
                0 => "",
                _ if column % blocks == 0 => "  ",
                _ => " ",
            };
            let _ = write!(out, "{gap}{word:>width$}");
        }
        out.push(b'\n');
    }
}

fn array(board: &Board, out: &mut Vec<u8>) {
    let side = board.rules().side();
    out.extend_from_slice(b"  {\n");
    for (i, row) in board.as_bytes().chunks(side).enumerate() {
        let row: Vec<String> = row.iter().map(u8::to_string).collect();
        let _ = writeln!(out, "    {{{}}}{}", row.join(", "), if i + 1 < side { "," } else { "" });
    }
    out.extend_from_slice(b"  }");
}

fn sdk(record: &Record<'_>, out: &mut Vec<u8>) {
    for (tag, text) in [('D', record.name), ('C', record.comment), ('L', record.rating)] {
        if let Some(text) = text {
            let _ = writeln!(out, "#{tag}{}", one_line(text));
        }
    }
    out.extend_from_slice(b"[Puzzle]\n");
    rows(record.board.as_bytes(), 9, out);
    if let Some(state) = record.state {
        out.extend_from_slice(b"[State]\n");
        rows(state.as_bytes(), 9, out);
    }
}

fn simple_sudoku(board: &Board, out: &mut Vec<u8>) {
    for (i, row) in board.as_bytes().chunks(9).enumerate() {
        if i == 3 || i == 6 {
            out.extend_from_slice(b"-----------\n");
        }
        for (column, &byte) in row.iter().enumerate() {
            if column == 3 || column == 6 {
                out.push(b'|');
            }
            out.push(DOTS[usize::from(byte)]);
        }
        out.push(b'\n');
    }
}

fn hodoku(record: &Record<'_>, out: &mut Vec<u8>) {
    let technique = record.name.map(one_line).filter(|name| !name.is_empty() && !name.contains(':'));
    let _ = write!(out, ":{}:x:", technique.as_deref().unwrap_or(crate::line::NO_TECHNIQUE));
    let state = record.state.unwrap_or(record.board);
    for (&given, &digit) in record.board.as_bytes().iter().zip(state.as_bytes()) {
        if given == 0 && digit != 0 {
            out.push(b'+');
        }
        out.push(DOTS[usize::from(if given == 0 { digit } else { given })]);
    }
    out.push(b':');
    if let Some(sets) = record.restrictions {
        let mut first = true;
        for (i, set) in sets.iter().enumerate().filter(|(i, _)| record.board.as_bytes()[*i] == 0) {
            for digit in DigitSet::all(9).difference(*set) {
                let _ = write!(out, "{}{digit}{}{}", if first { "" } else { " " }, i / 9 + 1, i % 9 + 1);
                first = false;
            }
        }
    }
    let _ = writeln!(out, ":::{}", record.comment.map(one_line).unwrap_or_default());
}

/// The candidates of each cell: a given's own digit, else what the restrictions leave.
fn candidates_of(record: &Record<'_>) -> Vec<DigitSet> {
    let all = DigitSet::all(record.board.rules().side());
    let bytes = record.board.as_bytes();
    (0..bytes.len())
        .map(|i| match (Digit::new(bytes[i]), record.restrictions) {
            (Some(digit), _) => DigitSet::of(digit),
            (None, Some(sets)) => sets[i].intersection(all),
            (None, None) => all,
        })
        .collect()
}

/// The region map of rules that are rows, columns and regions and nothing else.
fn region_map(rules: &Rules) -> Option<&str> {
    rules.name().strip_prefix("jigsaw:").filter(|map| !map.contains('+'))
}

/// The name of rules for a message: some have every cell of their houses in it.
fn shown(rules: &Rules) -> String {
    const LONGEST: usize = 100;
    let cut = if rules.name().chars().count() > LONGEST { "…" } else { "" };
    format!("{rules:.LONGEST$}{cut}")
}
