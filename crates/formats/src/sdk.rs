//! SadMan Sudoku: `#` headers, then `[Puzzle]` and perhaps `[State]`, each with the rows of a grid.

use ninefold_core::Board;

use crate::cells::RuleBook;
use crate::entry::Notes;
use crate::grid::Grids;
use crate::{Entry, ErrorKind, Format, Options, Position, ReadError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Head,
    Puzzle,
    State,
    /// A section of another program, such as `[Colors]`: passed over.
    Other,
}

/// Reads sections one after the other.
#[derive(Debug)]
pub(crate) struct Sections {
    section: Section,
    grid: Grids,
    width: usize,
    notes: Notes,
    puzzle: Option<Result<Entry, ReadError>>,
    state: Option<Result<Board, ReadError>>,
}

impl Sections {
    pub(crate) fn new(width: usize) -> Sections {
        Sections {
            section: Section::Head,
            grid: Grids::new(Format::Grid, width, false),
            width,
            notes: Notes::default(),
            puzzle: None,
            state: None,
        }
    }

    /// Takes a line; gives the entry that is complete with it.
    pub(crate) fn line(
        &mut self,
        text: Result<&str, ReadError>,
        at: Position,
        options: &Options,
        book: &mut RuleBook,
    ) -> Option<Result<Entry, ReadError>> {
        if let Ok(text) = text.as_ref().map(|text| text.trim()) {
            if let Some(name) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
                self.end_section(options);
                let section = match name.to_ascii_lowercase().as_str() {
                    "puzzle" => Section::Puzzle,
                    "state" => Section::State,
                    _ => Section::Other,
                };
                // A second `[Puzzle]` starts a second puzzle.
                let entry = if section == Section::Puzzle { self.take() } else { None };
                self.section = section;
                return entry;
            }
            if let Some(header) = text.strip_prefix('#') {
                let entry = if self.section == Section::Head { None } else { self.end_section(options).take() };
                self.section = Section::Head;
                self.header(header);
                return entry;
            }
        }
        let whole = match self.section {
            Section::Other => return None,
            Section::Head if text.as_ref().is_ok_and(|text| text.trim().is_empty()) => return None,
            // The first version of the format has no sections.
            Section::Head if self.puzzle.is_none() => {
                self.section = Section::Puzzle;
                self.grid.line(text, at, options, book)
            }
            _ => self.grid.line(text, at, options, book),
        };
        if let Some(whole) = whole {
            self.store(whole, at);
        }
        None
    }

    fn header(&mut self, header: &str) {
        let mut symbols = header.chars();
        let (tag, value) = (symbols.next(), symbols.as_str().trim());
        if value.is_empty() {
            return;
        }
        let place = match tag {
            Some('D') => &mut self.notes.name,
            Some('L') => &mut self.notes.rating,
            _ => &mut self.notes.comment,
        };
        // Author, date, source and address have no place of their own.
        match place {
            Some(text) => {
                text.push_str("; ");
                text.push_str(value);
            }
            None => *place = Some(value.into()),
        }
    }

    fn store(&mut self, whole: Result<Entry, ReadError>, at: Position) {
        let twice = || ReadError::new(ErrorKind::Syntax, at, 0, "a second board in one section");
        match self.section {
            Section::State if self.state.is_none() => self.state = Some(whole.map(Entry::into_board)),
            Section::Puzzle if self.puzzle.is_none() => self.puzzle = Some(whole),
            _ => self.puzzle = Some(Err(twice())),
        }
    }

    fn end_section(&mut self, options: &Options) -> &mut Sections {
        if let Some(error) = self.grid.finish(options) {
            self.store(Err(error), Position::START);
        }
        self.grid = Grids::new(Format::Grid, self.width, false);
        self
    }

    /// The entry read so far.
    fn take(&mut self) -> Option<Result<Entry, ReadError>> {
        let (puzzle, state) = (self.puzzle.take(), self.state.take());
        if puzzle.is_none() && state.is_none() {
            // Headers alone: they belong to what follows.
            return None;
        }
        let mut notes = std::mem::take(&mut self.notes);
        let entry = match (puzzle, state) {
            (Some(Err(error)), _) | (_, Some(Err(error))) => return Some(Err(error)),
            // A file without `[Puzzle]` has the board in its state.
            (None, Some(Ok(state))) => Entry::new(state, Position::START, Format::Sdk),
            (Some(Ok(entry)), state) => {
                notes.state = state.and_then(Result::ok);
                entry
            }
            (None, None) => return None,
        };
        Some(Ok(Entry { format: Format::Sdk, ..entry }.with_notes(notes)))
    }

    /// What is left at the end of the text.
    pub(crate) fn finish(&mut self, options: &Options) -> Option<Result<Entry, ReadError>> {
        self.end_section(options).take()
    }
}
