//! What a reader finds in a text that is held as a whole.

use std::collections::VecDeque;

use crate::{Entry, ErrorKind, ReadError};

/// The most errors and entries of one text or value. An error takes some hundred bytes and needs but two in a hostile text, so
/// without a bound the errors alone would take a hundred times the memory of the text.
const MAX_ERRORS: usize = 1000;
const MAX_ENTRIES: usize = 1 << 20;

/// Takes entries and errors in the order of the text.
pub(crate) struct Found<'a> {
    ready: &'a mut VecDeque<Result<Entry, ReadError>>,
    errors: usize,
    entries: usize,
    full: bool,
}

impl Found<'_> {
    pub(crate) fn new(ready: &mut VecDeque<Result<Entry, ReadError>>) -> Found<'_> {
        Found { ready, errors: 0, entries: 0, full: false }
    }

    /// Whether nothing more is taken, so that reading on is useless.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    pub(crate) fn push(&mut self, entry: Result<Entry, ReadError>) {
        if self.full {
            return;
        }
        let position = match &entry {
            Ok(entry) => entry.position(),
            Err(error) => error.position(),
        };
        match entry {
            Ok(_) => self.entries += 1,
            Err(_) => self.errors += 1,
        }
        self.ready.push_back(entry);
        if self.errors == MAX_ERRORS || self.entries == MAX_ENTRIES {
            self.full = true;
            let what = if self.errors == MAX_ERRORS { "errors" } else { "puzzles" };
            let message = format!("{} {what} up to here", self.errors.max(self.entries));
            let error = ReadError::new(ErrorKind::TooLong, position, 0, message);
            self.ready.push_back(Err(error.with_hint("what follows is not read: use a format with one puzzle a line")));
        }
    }
}
