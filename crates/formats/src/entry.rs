//! What a reader yields and a writer takes.

use std::fmt;

use ninefold_core::{Board, DigitSet, Puzzle, PuzzleError};

use crate::Format;

/// A place in a text. For UTF-16 and compressed input it is a place in the decoded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub(crate) offset: u64,
    pub(crate) line: u64,
    pub(crate) column: u64,
}

impl Position {
    pub(crate) const START: Position = Position { offset: 0, line: 1, column: 1 };

    /// Moves on to the next line, behind one of this many bytes with its end; the place before.
    #[inline]
    pub(crate) fn pass_line(&mut self, length: usize) -> Position {
        let before = *self;
        *self = Position { offset: before.offset + length as u64, line: before.line + 1, column: 1 };
        before
    }

    /// The line, counted from 1.
    pub const fn line(self) -> u64 {
        self.line
    }

    /// The column in characters, counted from 1.
    pub const fn column(self) -> u64 {
        self.column
    }

    /// The bytes before it in the UTF-8 text, a byte order mark included.
    pub const fn offset(self) -> u64 {
        self.offset
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// How many solutions a text says, or a solver found, a puzzle to have. It reads and shows as `2`, or as `2+` for "at least 2".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// The count.
    pub found: u64,
    /// Whether there are no more.
    pub exact: bool,
}

impl Count {
    /// Exactly this many.
    pub const fn exactly(found: u64) -> Count {
        Count { found, exact: true }
    }

    /// This many or more.
    pub const fn at_least(found: u64) -> Count {
        Count { found, exact: false }
    }

    pub(crate) fn parse(text: &str) -> Option<Count> {
        let (figures, exact) = text.strip_suffix('+').map_or((text, true), |figures| (figures, false));
        if figures.is_empty() || !figures.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Some(Count { found: figures.parse().ok()?, exact })
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.found, if self.exact { "" } else { "+" })
    }
}

/// What a text may say beside the puzzle. Few do, so it lives in a box of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    pub(crate) solution: Option<Board>,
    pub(crate) state: Option<Board>,
    pub(crate) count: Option<Count>,
    pub(crate) rating: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) comment: Option<String>,
}

/// One puzzle as a text gives it. The board is not yet checked for clashes: [`Entry::puzzle`] does that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub(crate) board: Board,
    pub(crate) position: Position,
    pub(crate) format: Format,
    pub(crate) restrictions: Option<Box<[DigitSet]>>,
    pub(crate) notes: Option<Box<Notes>>,
}

impl Entry {
    pub(crate) fn new(board: Board, position: Position, format: Format) -> Entry {
        Entry { board, position, format, restrictions: None, notes: None }
    }

    pub(crate) fn with_notes(mut self, notes: Notes) -> Entry {
        if notes != Notes::default() {
            self.notes = Some(Box::new(notes));
        }
        self
    }

    /// The board with the givens, clashing or not.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The board alone.
    pub fn into_board(self) -> Board {
        self.board
    }

    /// The candidates that pencil marks leave to each cell, in row-major order, where the text has pencil marks. A given has
    /// itself alone.
    pub fn restrictions(&self) -> Option<&[DigitSet]> {
        self.restrictions.as_deref()
    }

    /// The puzzle: the board with its restrictions.
    ///
    /// # Errors
    /// Where the givens clash; the error lists each clash with its cells.
    pub fn puzzle(&self) -> Result<Puzzle, PuzzleError> {
        match &self.restrictions {
            Some(sets) => Puzzle::with_candidates(self.board.clone(), sets),
            None => Puzzle::new(self.board.clone()),
        }
    }

    /// The same without a copy of the board.
    ///
    /// # Errors
    /// As [`Entry::puzzle`]; the error has the board.
    #[inline]
    pub fn into_puzzle(self) -> Result<Puzzle, PuzzleError> {
        match self.restrictions {
            Some(sets) => Puzzle::with_candidates(self.board, &sets),
            None => Puzzle::new(self.board),
        }
    }

    /// Where the entry begins.
    pub fn position(&self) -> Position {
        self.position
    }

    /// The format in which it was written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The solution that the text declares. It is not checked.
    pub fn solution(&self) -> Option<&Board> {
        self.notes.as_ref()?.solution.as_ref()
    }

    /// The board in play, givens and placed digits, that the text keeps beside the puzzle.
    pub fn state(&self) -> Option<&Board> {
        self.notes.as_ref()?.state.as_ref()
    }

    /// The count of solutions that the text declares. It is not checked.
    pub fn count(&self) -> Option<Count> {
        self.notes.as_ref()?.count
    }

    /// The rating or level, as it is written.
    pub fn rating(&self) -> Option<&str> {
        self.notes.as_ref()?.rating.as_deref()
    }

    /// The name or heading.
    pub fn name(&self) -> Option<&str> {
        self.notes.as_ref()?.name.as_deref()
    }

    /// The comment.
    pub fn comment(&self) -> Option<&str> {
        self.notes.as_ref()?.comment.as_deref()
    }

    /// About how many bytes it holds beside itself.
    pub(crate) fn held(&self) -> usize {
        let boards = [Some(&self.board), self.solution(), self.state()];
        let texts = [self.rating(), self.name(), self.comment()];
        boards.into_iter().flatten().map(|board| board.rules().cell_count()).sum::<usize>()
            + texts.into_iter().flatten().map(str::len).sum::<usize>()
            + self.restrictions().map_or(0, size_of_val)
    }

    /// What a writer needs of it.
    pub fn record(&self) -> Record<'_> {
        Record {
            board: &self.board,
            restrictions: self.restrictions(),
            solution: self.solution(),
            state: self.state(),
            count: self.count(),
            rating: self.rating(),
            name: self.name(),
            comment: self.comment(),
        }
    }
}

/// One puzzle for a writer: the board, and whatever is known about it. A format writes what it has a place for.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The board with the givens.
    pub board: &'a Board,
    /// The candidates of each cell in row-major order, of a puzzle with pencil marks.
    pub restrictions: Option<&'a [DigitSet]>,
    /// A solution.
    pub solution: Option<&'a Board>,
    /// The board in play.
    pub state: Option<&'a Board>,
    /// How many solutions there are.
    pub count: Option<Count>,
    /// The rating or level.
    pub rating: Option<&'a str>,
    /// The name.
    pub name: Option<&'a str>,
    /// A comment.
    pub comment: Option<&'a str>,
}

impl<'a> Record<'a> {
    /// The board and nothing else.
    pub fn new(board: &'a Board) -> Record<'a> {
        Record { board, restrictions: None, solution: None, state: None, count: None, rating: None, name: None, comment: None }
    }
}

impl<'a> From<&'a Puzzle> for Record<'a> {
    fn from(puzzle: &'a Puzzle) -> Record<'a> {
        Record { restrictions: puzzle.restrictions(), ..Record::new(puzzle.board()) }
    }
}
