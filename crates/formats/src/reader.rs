//! The reader: finds the format out and yields entries.

use std::collections::VecDeque;
use std::fmt;
use std::io::Read;
use std::sync::Arc;

use ninefold_core::{MAX_SIDE, Rules};

use crate::array;
use crate::cells::RuleBook;
use crate::csv::Columns;
use crate::detect::{self, HEAD, Shape};
use crate::found::Found;
use crate::grid::Grids;
use crate::json::{self, Values};
use crate::line::{self, Lines};
use crate::sdk::Sections;
use crate::text::Text;
use crate::xml;
use crate::{Chunk, Entry, ErrorKind, Format, Options, ReadError, Symbols};

/// Yields the entries of a text, in order, each with its position or as the error that it is. A bad entry costs that entry alone.
///
/// Formats with one puzzle a line, grids and JSON are read as streams, in memory that does not grow with the input.
///
/// ```
/// use ninefold_formats::{Options, Reader};
/// let text = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 # easy\nno puzzle\n";
/// let mut reader = Reader::new(&text[..], Options::new());
/// let entry = reader.next().unwrap()?;
/// assert_eq!(entry.board().given_count(), 30);
/// assert_eq!(entry.comment(), Some("easy"));
/// let error = reader.next().unwrap().unwrap_err();
/// assert_eq!(error.position().line(), 2);
/// assert!(reader.next().is_none());
/// # Ok::<(), ninefold_formats::ReadError>(())
/// ```
pub struct Reader<R> {
    text: Text<R>,
    options: Options,
    book: RuleBook,
    state: State,
    ready: VecDeque<Result<Entry, ReadError>>,
    format: Option<Format>,
    /// Whether a line was read as a puzzle: titles stand before that alone.
    begun: bool,
    /// Whether a line of 81 symbols is a classic board.
    classic: bool,
    /// How a chunk has to read the lines.
    way: Option<Arc<(Lines, Options)>>,
}

enum State {
    Start,
    Lines(Format),
    Csv(Columns),
    Grids(Box<Grids>),
    Json(Values),
    JsonLines,
    Sdk(Box<Sections>),
    Whole(Format),
    Done,
}

/// Reads a text that is held in memory.
///
/// ```
/// use ninefold_formats::{read, Options};
/// let boards = read(b"12..34..........\n....12....34....\n", &Options::new()).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(boards[1].board().to_string(), "....12....34....");
/// # Ok::<(), ninefold_formats::ReadError>(())
/// ```
pub fn read<'a>(text: &'a [u8], options: &Options) -> Reader<&'a [u8]> {
    Reader::new(text, options.clone())
}

impl<R: Read> Reader<R> {
    /// A reader of an input: a file, a pipe, bytes. The input is read in large pieces, so it need not be buffered. Nothing is read yet.
    pub fn new(input: R, options: Options) -> Reader<R> {
        Reader {
            text: Text::new(input, &options),
            options,
            book: RuleBook::default(),
            state: State::Start,
            ready: VecDeque::new(),
            format: None,
            begun: false,
            classic: false,
            way: None,
        }
    }

    /// The format of the text: known once the first entry was read, and `None` where there is nothing to read.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// Fills a chunk up to `max` entries: with [`take_lines`](Reader::take_lines) where that gives any, otherwise one by one. Returns
    /// whether there is anything in it; an empty chunk after this is the end.
    pub fn read_chunk(&mut self, max: usize, chunk: &mut Chunk) -> bool {
        while chunk.len() < max && !chunk.is_heavy() {
            if self.take_lines(max, chunk) == 0 {
                match self.next() {
                    Some(entry) => chunk.push(entry),
                    None => break,
                }
            }
        }
        !chunk.is_empty()
    }

    /// Moves lines that are held already into a chunk, as they are, until that has `max` entries; how many. It never reads on, so 0
    /// says nothing about the rest: the next entry is then to be had from the iterator. Once that has yielded one, the lines of
    /// formats with one puzzle a line are moved.
    pub fn take_lines(&mut self, max: usize, chunk: &mut Chunk) -> usize {
        let State::Lines(format) = self.state else { return 0 };
        // Titles stand before the first puzzle, and only the reader knows where that is.
        if !self.begun || !self.ready.is_empty() {
            return 0;
        }
        let way = self.way.get_or_insert_with(|| Arc::new((Lines { format, classic: self.classic }, self.options.clone())));
        if !chunk.agree(way) {
            return 0;
        }
        let (count, bytes, at) = self.text.held_lines(max.saturating_sub(chunk.len()), chunk.room());
        if count > 0 {
            chunk.push_lines(count, bytes, at);
        }
        count
    }

    /// Finds the format out.
    fn start(&mut self) {
        // One plain line says all, so that a pipe gets its first answer before its second question.
        while self.options.format.is_none() && self.options.rules.as_ref().is_none_or(Rules::is_classic) {
            let window = self.text.window();
            if let Some(end) = memchr::memchr(b'\n', window) {
                if detect::is_plain_line(&window[..end]) {
                    self.state = State::Lines(Format::Line);
                    self.format = Some(Format::Line);
                    self.classic = true;
                    return;
                }
                break;
            }
            if window.len() > 1000 || !self.text.more() {
                break;
            }
        }
        while self.text.window().len() < HEAD && self.text.more() {}
        let window = self.text.window();
        let whole = window.len() < HEAD;
        let shape = match detect::detect(&window[..window.len().min(HEAD)], whole, self.text.at(), &self.options) {
            Ok(Some(shape)) => shape,
            Ok(None) => {
                if whole {
                    self.ready.extend(self.text.take_fault().map(Err));
                    self.state = State::Done;
                    return;
                }
                // Nothing but white space or comments so far: whatever comes is taken as lines.
                Shape { format: Format::Line, width: 9, spaces: false }
            }
            Err(error) => {
                self.ready.push_back(Err(error));
                self.state = State::Done;
                return;
            }
        };
        self.format = Some(shape.format);
        self.state = match shape.format {
            Format::Csv => State::Csv(Columns::default()),
            Format::Grid | Format::SimpleSudoku | Format::PencilGrid | Format::Jigsaw => {
                State::Grids(Box::new(Grids::new(shape.format, shape.width, shape.spaces)))
            }
            Format::Decimal if self.decimal_rows(shape.width) => {
                State::Grids(Box::new(Grids::new(shape.format, shape.width, shape.spaces)))
            }
            Format::Json => State::Json(Values::new()),
            Format::JsonLines => State::JsonLines,
            Format::Sdk => State::Sdk(Box::new(Sections::new(shape.width))),
            Format::OpenSudoku | Format::Array => State::Whole(shape.format),
            format => State::Lines(format),
        };
        self.classic = self.is_classic();
    }

    /// Whether lines of so many numbers are the rows of boards, rather than boards.
    fn decimal_rows(&self, width: usize) -> bool {
        match &self.options.rules {
            Some(rules) => width != rules.cell_count() || width == 1,
            None => width <= MAX_SIDE,
        }
    }

    /// Whether lines of 81 symbols are classic boards here. Symbols that count from elsewhere take the long way.
    fn is_classic(&self) -> bool {
        matches!(self.format, Some(Format::Line | Format::Counted | Format::Sdm | Format::Csv))
            && self.options.rules.as_ref().is_none_or(Rules::is_classic)
            && self.options.symbols.is_none_or(|symbols| symbols == Symbols::FromOne)
    }

    /// The text as a whole, for formats that are no streams.
    fn whole(&mut self, format: Format) {
        let at = self.text.at();
        while self.text.window().len() <= self.options.max_text && self.text.more() {}
        if let Some(error) = self.text.take_fault() {
            self.ready.push_back(Err(error));
            return;
        }
        if self.text.window().len() > self.options.max_text {
            let message = format!(
                "this text is longer than {} bytes, and a text in the format {format} is read as a whole",
                self.options.max_text
            );
            self.ready.push_back(Err(ReadError::new(ErrorKind::TooLong, at, 0, message)));
            return;
        }
        let bytes = self.text.window();
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let at = crate::text::advance(at, &bytes[..error.valid_up_to()]);
                self.ready.push_back(Err(ReadError::new(ErrorKind::Encoding, at, 1, "bytes that are no UTF-8 text")));
                return;
            }
        };
        let mut found = Found::new(&mut self.ready);
        match format {
            Format::OpenSudoku => xml::read(text, at, &self.options, &mut found),
            _ => array::read(text, at, &self.options, &mut self.book, &mut found),
        }
    }

    /// Reads on by a line or so; the entry that it completes. What else it completes waits in `ready`.
    fn step(&mut self) -> Option<Result<Entry, ReadError>> {
        match &mut self.state {
            State::Start => self.start(),
            State::Lines(format) => {
                let format = *format;
                match self.text.next_line() {
                    None => self.state = State::Done,
                    Some(Err(error)) => return Some(Err(error)),
                    Some(Ok(line)) => {
                        let lines = Lines { format, classic: self.classic };
                        let entry = lines.read(line, !self.begun, &self.options, &mut self.book);
                        self.begun |= entry.is_some();
                        return entry;
                    }
                }
            }
            State::Csv(columns) => match self.text.next_line() {
                None => self.state = State::Done,
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(line)) => {
                    if self.classic
                        && columns.plain_separator().is_some_and(|separator| line.bytes.get(81) == Some(&separator))
                        && let Some(entry) = line::quick(line, Format::Csv)
                    {
                        return Some(Ok(entry));
                    }
                    if std::str::from_utf8(line.bytes).is_ok_and(line::is_empty) {
                        return None;
                    }
                    return columns.line(line, &self.options, &mut self.book);
                }
            },
            State::Grids(grids) => match self.text.next_line() {
                None => {
                    let error = grids.finish(&self.options);
                    self.state = State::Done;
                    return error.map(Err);
                }
                Some(Err(error)) => return grids.line(Err(error), self.text.at(), &self.options, &mut self.book),
                Some(Ok(line)) => return grids.line(line::decode(line), line.at, &self.options, &mut self.book),
            },
            State::Sdk(sections) => match self.text.next_line() {
                None => {
                    let entry = sections.finish(&self.options);
                    self.state = State::Done;
                    return entry;
                }
                Some(Err(error)) => return sections.line(Err(error), self.text.at(), &self.options, &mut self.book),
                Some(Ok(line)) => return sections.line(line::decode(line), line.at, &self.options, &mut self.book),
            },
            State::Json(values) => {
                if !values.next(&mut self.text, &self.options, &mut self.book, &mut Found::new(&mut self.ready)) {
                    self.state = State::Done;
                }
            }
            State::JsonLines => match self.text.next_line() {
                None => self.state = State::Done,
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(line)) if line.bytes.trim_ascii().is_empty() => return None,
                Some(Ok(line)) => {
                    let mut found = Found::new(&mut self.ready);
                    json::value(line.bytes, line.at, Format::JsonLines, &self.options, &mut self.book, &mut found);
                }
            },
            State::Whole(format) => {
                let format = *format;
                self.whole(format);
                self.state = State::Done;
            }
            State::Done => {}
        }
        None
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Entry, ReadError>;

    #[inline]
    fn next(&mut self) -> Option<Result<Entry, ReadError>> {
        // Most entries by far are plain lines of files of nothing else.
        if let State::Lines(format) = self.state
            && self.classic
            && let Some((board, length)) = line::classic(self.text.window())
        {
            self.begun = true;
            return Some(Ok(Entry::new(board, self.text.consume_line(length), format)));
        }
        self.next_slowly()
    }
}

impl<R: Read> Reader<R> {
    fn next_slowly(&mut self) -> Option<Result<Entry, ReadError>> {
        loop {
            if let Some(entry) = self.ready.pop_front() {
                return Some(entry);
            }
            if matches!(self.state, State::Done) {
                return None;
            }
            if let Some(entry) = self.step() {
                return Some(entry);
            }
        }
    }
}

impl<R: Read> std::iter::FusedIterator for Reader<R> {}

impl<R> fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("options", &self.options).field("format", &self.format).finish_non_exhaustive()
    }
}
