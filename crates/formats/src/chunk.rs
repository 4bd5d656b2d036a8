//! Entries on the way to another thread: lines are carried as they are and read where they arrive.

use std::sync::Arc;
use std::vec;

use memchr::memchr;
use ninefold_core::Board;

use crate::cells::RuleBook;
use crate::line::{self, Lines};
use crate::text::{self, Line};
use crate::{Entry, Options, Position, ReadError};

/// What is beyond this many bytes waits for the next chunk.
const MOST_BYTES: usize = 1 << 18;

/// Some entries of a text, those of line formats not read yet.
///
/// Reading a line takes about as long as finding the next one, so where several threads work on the entries, each may read its
/// own: [`Reader::read_chunk`](crate::Reader::read_chunk) fills a chunk, which may be sent to another thread, and
/// [`Chunk::entries`] reads it there. The entries, their order and their positions are those of the reader.
///
/// ```
/// use ninefold_formats::{Chunk, Options, Reader};
/// let text = "12..34..........\n....12....34....\n".repeat(10);
/// let mut reader = Reader::new(text.as_bytes(), Options::new());
/// let mut chunk = Chunk::default();
/// let mut entries = 0;
/// while reader.read_chunk(8, &mut chunk) {
///     std::thread::scope(|scope| {
///         scope.spawn(|| entries += chunk.entries().flatten().count());
///     });
/// }
/// assert_eq!(entries, 20);
/// ```
#[derive(Debug, Default)]
pub struct Chunk {
    items: Vec<Item>,
    /// How many lines and entries the items are.
    count: usize,
    bytes: Vec<u8>,
    ready: Vec<Result<Entry, ReadError>>,
    /// About how many bytes the entries that are read hold beside themselves.
    held: usize,
    /// How its lines are to be read.
    way: Option<Arc<(Lines, Options)>>,
}

#[derive(Clone, Copy, Debug)]
enum Item {
    /// Whole lines with their ends: where the first starts in the text, and where the bytes of the last end.
    Lines { at: Position, end: usize },
    /// The next of those that are read.
    Ready,
}

impl Chunk {
    /// Its lines and entries: no fewer than [`Chunk::entries`] yields, since a line may turn out to be empty or a comment.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Takes everything out of it, in the order of the text, and reads what is not read yet.
    pub fn entries(&mut self) -> Entries<'_> {
        self.held = 0;
        self.count = 0;
        Entries {
            items: self.items.drain(..),
            bytes: &mut self.bytes,
            from: 0,
            end: 0,
            at: Position::START,
            ready: self.ready.drain(..),
            way: self.way.as_deref(),
        }
    }

    /// Whether it holds so many bytes that further entries should wait for another chunk.
    pub fn is_heavy(&self) -> bool {
        self.room() == 0
    }

    /// How many bytes it takes until it is heavy.
    pub(crate) fn room(&self) -> usize {
        MOST_BYTES.saturating_sub(self.bytes.len() + self.held)
    }

    /// Adds an entry behind all others.
    pub fn push(&mut self, entry: Result<Entry, ReadError>) {
        self.items.push(Item::Ready);
        self.count += 1;
        self.held += entry.as_ref().map_or(0, Entry::held);
        self.ready.push(entry);
    }

    /// Makes sure that its lines are read in this way; `false` where those that it has are another reader's.
    pub(crate) fn agree(&mut self, way: &Arc<(Lines, Options)>) -> bool {
        match &self.way {
            Some(same) if Arc::ptr_eq(same, way) => true,
            Some(_) if !self.bytes.is_empty() => false,
            _ => {
                self.way = Some(way.clone());
                true
            }
        }
    }

    /// Adds so many lines: their bytes with their ends, and where the first starts in the text.
    pub(crate) fn push_lines(&mut self, count: usize, bytes: &[u8], at: Position) {
        self.bytes.extend_from_slice(bytes);
        self.items.push(Item::Lines { at, end: self.bytes.len() });
        self.count += count;
    }
}

/// The entries of a [`Chunk`].
#[derive(Debug)]
pub struct Entries<'a> {
    items: vec::Drain<'a, Item>,
    bytes: &'a mut Vec<u8>,
    /// What is left of the lines at hand, and where that starts in the text.
    from: usize,
    end: usize,
    at: Position,
    ready: vec::Drain<'a, Result<Entry, ReadError>>,
    way: Option<&'a (Lines, Options)>,
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry, ReadError>;

    fn next(&mut self) -> Option<Result<Entry, ReadError>> {
        loop {
            while self.from == self.end {
                match self.items.next()? {
                    Item::Ready => return self.ready.next(),
                    Item::Lines { at, end } => (self.at, self.end) = (at, end),
                }
            }
            let (lines, options) = self.way?;
            let rest = &self.bytes[self.from..self.end];
            let length = memchr(b'\n', rest).map_or(rest.len(), |length| length + 1);
            let line = Line { bytes: text::without_end(&rest[..length]), at: self.at.pass_line(length) };
            self.from += length;
            // What stands before the first puzzle is never left to a chunk, so none of its lines is a title.
            if let Some(entry) = lines.read(line, false, options, &mut RuleBook::default()) {
                return Some(entry);
            }
        }
    }
}

impl Entries<'_> {
    /// The next entry, where it is a line with a classic board and nothing else: the number of the line, and the board. `None` says
    /// nothing of what comes, which the iterator yields. Most entries by far are such lines, and this is the shortest way to them.
    #[inline]
    pub fn next_plain(&mut self) -> Option<(u64, Board)> {
        let (lines, _) = self.way?;
        if !lines.classic {
            return None;
        }
        let (board, length) = line::classic(&self.bytes[self.from..self.end])?;
        self.from += length;
        Some((self.at.pass_line(length).line, board))
    }
}

impl Drop for Entries<'_> {
    fn drop(&mut self) {
        self.bytes.clear();
    }
}
