//! The formats, by name.

use std::fmt;
use std::str::FromStr;

/// A text format, by the name that options and reports use.
///
/// ```
/// use ninefold_formats::Format;
/// assert_eq!("opensudoku".parse(), Ok(Format::OpenSudoku));
/// assert_eq!(Format::PencilGrid.name(), "pencil-grid");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// One puzzle a line, one character a cell; a rating or comment may follow.
    Line,
    /// `puzzle:count:solution`, one a line.
    Counted,
    /// Rows under each other, with or without separators, frames and headings.
    Grid,
    /// Comma- or semicolon-separated columns, with or without a header.
    Csv,
    /// JSON: one board, or an array of boards, strings or objects.
    Json,
    /// JSON, one value a line.
    JsonLines,
    /// An initialiser of C, C++, C# or Java: `{ {7,0,0}, … }`.
    Array,
    /// SadMan Sudoku: `#` headers, `[Puzzle]` and `[State]`.
    Sdk,
    /// SadMan Sudoku collections: 81 figures a line, `0` for a blank.
    Sdm,
    /// Simple Sudoku: nine rows with `|` and dashes.
    SimpleSudoku,
    /// OpenSudoku: XML with one `game` element a puzzle.
    OpenSudoku,
    /// HoDoKu library lines: `:technique:candidates:cells:deleted:…`.
    Hodoku,
    /// Pencil marks in one line: side characters a cell, 729 for the classic board.
    PencilLine,
    /// Pencil marks as a grid: one group of candidates a cell.
    PencilGrid,
    /// A web address with the board after `bd=`.
    Link,
    /// Decimal numbers separated by white space, rows under each other or in one line.
    Decimal,
    /// A grid followed by its region map.
    Jigsaw,
    /// `grid:regions:solution`, one a line.
    JigsawLine,
}

impl Format {
    /// Every format, in the order of the documentation.
    pub const ALL: &'static [Format] = &[
        Format::Line,
        Format::Counted,
        Format::Grid,
        Format::Csv,
        Format::Json,
        Format::JsonLines,
        Format::Array,
        Format::Sdk,
        Format::Sdm,
        Format::SimpleSudoku,
        Format::OpenSudoku,
        Format::Hodoku,
        Format::PencilLine,
        Format::PencilGrid,
        Format::Link,
        Format::Decimal,
        Format::Jigsaw,
        Format::JigsawLine,
    ];

    /// The name: lower case, words joined by `-`.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Line => "line",
            Format::Counted => "counted",
            Format::Grid => "grid",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::JsonLines => "jsonl",
            Format::Array => "array",
            Format::Sdk => "sdk",
            Format::Sdm => "sdm",
            Format::SimpleSudoku => "ss",
            Format::OpenSudoku => "opensudoku",
            Format::Hodoku => "hodoku",
            Format::PencilLine => "pencil-line",
            Format::PencilGrid => "pencil-grid",
            Format::Link => "link",
            Format::Decimal => "decimal",
            Format::Jigsaw => "jigsaw",
            Format::JigsawLine => "jigsaw-line",
        }
    }

    /// What it is, in one line for a list of formats.
    pub const fn summary(self) -> &'static str {
        match self {
            Format::Line => "one puzzle a line, one character a cell",
            Format::Counted => "puzzle:count:solution, one a line",
            Format::Grid => "rows under each other",
            Format::Csv => "comma-separated columns: puzzle, solution and more",
            Format::Json => "a JSON array of boards",
            Format::JsonLines => "one JSON object a line",
            Format::Array => "an initialiser of C or Java",
            Format::Sdk => "SadMan Sudoku (.sdk)",
            Format::Sdm => "SadMan Sudoku collection (.sdm)",
            Format::SimpleSudoku => "Simple Sudoku (.ss)",
            Format::OpenSudoku => "OpenSudoku XML",
            Format::Hodoku => "HoDoKu library lines",
            Format::PencilLine => "pencil marks in one line (729 characters)",
            Format::PencilGrid => "pencil marks as a grid",
            Format::Link => "web address with bd=",
            Format::Decimal => "decimal numbers separated by spaces",
            Format::Jigsaw => "a grid and its region map",
            Format::JigsawLine => "grid:regions:solution, one a line",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        Format::ALL.iter().copied().find(|format| format.name() == name).ok_or_else(|| UnknownFormat(name.into()))
    }
}

/// A name that no format has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no format is called `{}`; there are:", self.0)?;
        Format::ALL.iter().try_for_each(|format| write!(f, " {format}"))
    }
}

impl std::error::Error for UnknownFormat {}
