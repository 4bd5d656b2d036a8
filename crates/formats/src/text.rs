//! The text as lines or as a window that moves over it, with positions, in flat memory.

use std::io::Read;

use memchr::{memchr, memchr_iter};

use crate::input::{Fault, Input};
use crate::{ErrorKind, Options, Position, ReadError};

/// What is read at once. Larger did not measure faster.
const CHUNK: usize = 1 << 16;

/// One line, without its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: Position,
}

pub(crate) struct Text<R> {
    input: Input<R>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// What ended the input: its end, or a fault not yet reported.
    ended: bool,
    fault: Option<Fault>,
    at: Position,
    max_line: usize,
}

impl<R: Read> Text<R> {
    pub(crate) fn new(input: R, options: &Options) -> Text<R> {
        Text {
            input: Input::new(input, options.max_decompressed),
            buffer: Vec::new(),
            start: 0,
            end: 0,
            ended: false,
            fault: None,
            at: Position::START,
            max_line: options.max_line,
        }
    }

    /// Reads more behind what is held; `false` where there is no more.
    pub(crate) fn more(&mut self) -> bool {
        if self.ended {
            return false;
        }
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.buffer.len() < self.end + CHUNK {
            let doubled = (2 * self.buffer.len()).max(self.end + CHUNK);
            self.buffer.resize(doubled, 0);
        }
        let first = self.at.offset == 0 && self.end == 0;
        match self.input.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.ended = true,
            Ok(count) => {
                self.end += count;
                if first && self.buffer[..self.end].starts_with(b"\xef\xbb\xbf") {
                    self.start = 3;
                    self.at.offset = 3;
                }
            }
            Err(fault) => {
                self.ended = true;
                self.fault = Some(fault);
            }
        }
        !self.ended
    }

    /// What is held and not yet consumed.
    pub(crate) fn window(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Where the window starts.
    pub(crate) fn at(&self) -> Position {
        self.at
    }

    /// Moves the window on.
    pub(crate) fn consume(&mut self, count: usize) {
        self.at = advance(self.at, &self.buffer[self.start..self.start + count]);
        self.start += count;
    }

    /// The error that ended the input, once.
    pub(crate) fn take_fault(&mut self) -> Option<ReadError> {
        let position = advance(self.at, self.window());
        match self.fault.take()? {
            Fault::Io(error) => Some(ReadError::io(position, error)),
            Fault::Compression(message) => Some(ReadError::new(ErrorKind::Compression, position, 0, message)),
        }
    }

    /// Passes over a line of this length with its end; where it starts.
    #[inline]
    pub(crate) fn consume_line(&mut self, length: usize) -> Position {
        self.start += length;
        self.at.pass_line(length)
    }

    /// The next lines that are held as a whole and not over the limit: how many, up to so many lines and the line that reaches so many
    /// bytes; their bytes with their ends; and where they start.
    pub(crate) fn held_lines(&mut self, most: usize, most_bytes: usize) -> (usize, &[u8], Position) {
        let (mut count, mut length) = (0, 0);
        for end in memchr_iter(b'\n', self.window()).take(most) {
            if end - length > self.max_line || length >= most_bytes {
                break;
            }
            count += 1;
            length = end + 1;
        }
        let (from, at) = (self.start, self.at);
        self.start += length;
        self.at.offset += length as u64;
        self.at.line += count as u64;
        (count, &self.buffer[from..self.start], at)
    }

    /// The next line. A line over the limit is an error and passed over.
    pub(crate) fn next_line(&mut self) -> Option<Result<Line<'_>, ReadError>> {
        let mut searched = self.start;
        loop {
            if let Some(length) = memchr(b'\n', &self.buffer[searched..self.end]) {
                let (from, to) = (self.start, searched + length);
                if to - from > self.max_line {
                    return Some(Err(self.skip_line()));
                }
                self.start = to + 1;
                return Some(Ok(self.line(from, to, 1)));
            }
            let held = self.end - self.start;
            if held > self.max_line {
                return Some(Err(self.skip_line()));
            }
            if !self.more() {
                break;
            }
            searched = self.start + held;
        }
        if let Some(error) = self.take_fault() {
            // What is held of a line that broke off is not read as if it were whole.
            let error = error.within(self.window(), self.at);
            self.start = self.end;
            return Some(Err(error));
        }
        if self.start == self.end {
            return None;
        }
        let (from, to) = (self.start, self.end);
        self.start = to;
        Some(Ok(self.line(from, to, 0)))
    }

    fn line(&mut self, from: usize, to: usize, end: usize) -> Line<'_> {
        let at = self.at.pass_line(to - from + end);
        Line { bytes: without_return(&self.buffer[from..to]), at }
    }

    /// Passes over a line of any length.
    fn skip_line(&mut self) -> ReadError {
        let message = format!("this line is longer than {} bytes", self.max_line);
        let error = ReadError::new(ErrorKind::TooLong, self.at, 0, message).within(self.window(), self.at);
        loop {
            if let Some(length) = memchr(b'\n', self.window()) {
                self.start += length + 1;
                self.at = Position { offset: self.at.offset + length as u64 + 1, line: self.at.line + 1, column: 1 };
                return error;
            }
            self.at.offset += self.window().len() as u64;
            self.start = self.end;
            if !self.more() {
                return error;
            }
        }
    }
}

/// A line without its end.
pub(crate) fn without_end(line: &[u8]) -> &[u8] {
    without_return(line.strip_suffix(b"\n").unwrap_or(line))
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The position after these bytes.
pub(crate) fn advance(at: Position, bytes: &[u8]) -> Position {
    let mut at = at;
    at.offset += bytes.len() as u64;
    let mut rest = bytes;
    while let Some(end) = memchr(b'\n', rest) {
        at.line += 1;
        at.column = 1;
        rest = &rest[end + 1..];
    }
    // Bytes that continue a character do not count.
    at.column += rest.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u64;
    at
}
