//! What was wrong, and where.

use std::fmt;
use std::io;

use crate::Position;

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
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
    /// A side over 64.
    Side,
    /// A region map that is none.
    Regions,
    /// The name of rules that do not exist.
    Rules,
    /// Characters that could stand for different digits.
    AmbiguousSymbols,
    /// A text that reads as different formats.
    AmbiguousFormat,
    /// A text in no known format.
    UnknownFormat,
    /// Text directly after the last cell.
    Trailing,
    /// Broken syntax: of JSON, XML, columns, sections.
    Syntax,
    /// Bytes that are no text.
    Encoding,
    /// A line or a text over its limit.
    TooLong,
    /// Nested too deep.
    TooDeep,
    /// A broken compressed file, or one that unfolds to more than its limit.
    Compression,
    /// The input could not be read.
    Io,
}

impl ErrorKind {
    /// A short name for reports that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            ErrorKind::Symbol => "symbol",
            ErrorKind::DigitTooLarge => "digit-too-large",
            ErrorKind::CellCount => "cell-count",
            ErrorKind::RowLength => "row-length",
            ErrorKind::BlockShape => "block-shape",
            ErrorKind::Side => "side",
            ErrorKind::Regions => "regions",
            ErrorKind::Rules => "rules",
            ErrorKind::AmbiguousSymbols => "ambiguous-symbols",
            ErrorKind::AmbiguousFormat => "ambiguous-format",
            ErrorKind::UnknownFormat => "unknown-format",
            ErrorKind::Trailing => "trailing",
            ErrorKind::Syntax => "syntax",
            ErrorKind::Encoding => "encoding",
            ErrorKind::TooLong => "too-long",
            ErrorKind::TooDeep => "too-deep",
            ErrorKind::Compression => "compression",
            ErrorKind::Io => "io",
        }
    }
}

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    position: Position,
    length: u64,
    message: String,
    hint: Option<String>,
    text: Option<Box<str>>,
    text_column: u64,
    cause: Option<io::Error>,
}

/// Why one entry could not be read. Everything that a report needs is here, so that a report can be made of a stream too.
///
/// ```
/// use ninefold_formats::{read, ErrorKind, Options};
/// let error = read(b"53..7.... 6..195... .98....6. 8...6...3 4..8.3..1 7...2...6 .6....28. ...419..5 ....8..7", &Options::new())
///     .next()
///     .unwrap()
///     .unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::CellCount);
/// assert_eq!((error.position().line(), error.position().column()), (1, 89));
/// assert_eq!(error.to_string(), "80 cells found where 81 are expected");
/// ```
#[derive(Debug)]
pub struct ReadError(Box<Inner>);

impl ReadError {
    /// An error about `length` characters at a position.
    pub(crate) fn new(kind: ErrorKind, position: Position, length: u64, message: impl Into<String>) -> ReadError {
        let message: String = message.into();
        // What other crates say may quote the text, line ends and all, at any length.
        const LONGEST: usize = 200;
        let message = match message.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &message[..end]),
            None => message,
        };
        let message = message.replace(char::is_control, " ");
        ReadError(Box::new(Inner { kind, position, length, message, hint: None, text: None, text_column: 1, cause: None }))
    }

    pub(crate) fn io(position: Position, error: io::Error) -> ReadError {
        let mut this = ReadError::new(ErrorKind::Io, position, 0, format!("cannot read on: {error}"));
        this.0.cause = Some(error);
        this
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> ReadError {
        self.0.hint = Some(hint.into());
        self
    }

    /// Keeps what is around the place, of the line it is in, unless that is kept already. `text` starts at `start`.
    ///
    /// It costs the same however long the text is, so that a text with as many errors as bytes takes no more than linear time.
    pub(crate) fn within(mut self, text: &[u8], start: Position) -> ReadError {
        // What fits a report, in bytes before and behind the place.
        const BEFORE: usize = 200;
        const BEHIND: usize = 400;
        if self.0.text.is_some() {
            return self;
        }
        let offset = self.0.position.offset.saturating_sub(start.offset);
        let offset = usize::try_from(offset).unwrap_or(usize::MAX).min(text.len());
        let (before, behind) = text.split_at(offset);
        let before = &before[before.len().saturating_sub(BEFORE)..];
        let before = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        // A character that the cut went through is left out.
        let cut = before.iter().take_while(|&&byte| byte & 0xc0 == 0x80).count();
        let before = String::from_utf8_lossy(&before[cut..]);
        let behind = &behind[..behind.len().min(BEHIND)];
        let behind = behind.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let behind = String::from_utf8_lossy(behind);
        self.0.text_column = before.chars().count() as u64 + 1;
        self.0.text = Some(format!("{before}{}", behind.trim_end_matches(['\r', '\u{fffd}'])).into());
        self
    }

    /// What is wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Where.
    pub fn position(&self) -> Position {
        self.0.position
    }

    /// How many characters from there are wrong; 0 where something is missing.
    pub fn length(&self) -> u64 {
        self.0.length
    }

    /// What is wrong, as one lowercase clause, without the position. `Display` shows the same.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to do about it, where there is something to say.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The line, or the part of a long line around the place. Control characters and bytes that are no text may be in it.
    pub fn text(&self) -> Option<&str> {
        self.0.text.as_deref()
    }

    /// The column of the place within [`text`](ReadError::text), in characters, counted from 1.
    pub fn text_column(&self) -> u64 {
        self.0.text_column
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.cause.as_ref().map(|cause| cause as &(dyn std::error::Error + 'static))
    }
}
