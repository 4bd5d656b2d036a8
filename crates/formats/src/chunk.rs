//! Entries on the way to another thread: lines are carried as they are and read where they arrive.

use std::sync::Arc;
use std::vec;

use crate::cells::RuleBook;
use crate::line::{self, Lines};
use crate::text::Line;
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
    bytes: Vec<u8>,
    ready: Vec<Result<Entry, ReadError>>,
    /// About how many bytes the entries that are read hold beside themselves.
    held: usize,
    /// How its lines are to be read.
    way: Option<Arc<(Lines, Options)>>,
}

#[derive(Clone, Copy, Debug)]
enum Item {
    /// A line: where it starts in the text, and where its bytes end.
    Line { offset: u64, number: u64, end: usize },
    /// The next of those that are read.
    Ready,
}

impl Chunk {
    /// Its lines and entries: no fewer than [`Chunk::entries`] yields, since a line may turn out to be empty or a comment.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Takes everything out of it, in the order of the text, and reads what is not read yet.
    pub fn entries(&mut self) -> Entries<'_> {
        self.held = 0;
        Entries {
            items: self.items.drain(..),
            bytes: &mut self.bytes,
            from: 0,
            ready: self.ready.drain(..),
            way: self.way.as_deref(),
        }
    }

    /// Whether it holds so many bytes that further entries should wait for another chunk.
    pub fn is_heavy(&self) -> bool {
        self.bytes.len() + self.held >= MOST_BYTES
    }

    /// Adds an entry behind all others.
    pub fn push(&mut self, entry: Result<Entry, ReadError>) {
        self.items.push(Item::Ready);
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

    /// Adds a line.
    #[inline]
    pub(crate) fn push_line(&mut self, line: Line<'_>) {
        self.bytes.extend_from_slice(line.bytes);
        self.items.push(Item::Line { offset: line.at.offset, number: line.at.line, end: self.bytes.len() });
    }
}

/// The entries of a [`Chunk`].
#[derive(Debug)]
pub struct Entries<'a> {
    items: vec::Drain<'a, Item>,
    bytes: &'a mut Vec<u8>,
    from: usize,
    ready: vec::Drain<'a, Result<Entry, ReadError>>,
    way: Option<&'a (Lines, Options)>,
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry, ReadError>;

    #[inline]
    fn next(&mut self) -> Option<Result<Entry, ReadError>> {
        loop {
            let Item::Line { offset, number, end } = self.items.next()? else { return self.ready.next() };
            let line = Line { bytes: &self.bytes[self.from..end], at: Position { offset, line: number, column: 1 } };
            self.from = end;
            let (lines, options) = self.way?;
            if lines.classic
                && let Some(entry) = line::classic(line, lines.format)
            {
                return Some(Ok(entry));
            }
            // What stands before the first puzzle is never left to a chunk, so none of its lines is a title.
            if let Some(entry) = lines.read(line, false, options, &mut RuleBook::default()) {
                return Some(entry);
            }
        }
    }
}

impl Drop for Entries<'_> {
    fn drop(&mut self) {
        self.bytes.clear();
    }
}
