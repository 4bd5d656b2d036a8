//! Reads and writes Sudokus in every common text format, and says exactly what is wrong where it cannot.
//!
//! - [`Reader`] takes any [`std::io::Read`] (a file, a pipe, bytes) and yields `Result<Entry, ReadError>`: puzzles in the order of
//!   the text, each with its place. Compressed input (gzip, Zstandard) and UTF-16 are told by their first bytes.
//! - The [`Format`] is told by the content or named in the [`Options`], and so are the rules and the symbols. A text that could be
//!   two things is refused with both named; nothing is guessed.
//! - One bad entry costs that entry alone. A [`ReadError`] has kind, place, length, the text around it, and a hint, so that a report
//!   can be made of it without the input at hand. Givens that clash are no error of the text: [`Entry::puzzle`] reports them.
//! - [`Writer`] and [`write()`] write the same formats. What a format cannot express is refused with the reason; what was written
//!   reads back as the same puzzle.
//!
//! Memory does not grow with the input for lines, grids and JSON; what must be held as a whole is bounded by the options. Nothing
//! panics, whatever the bytes are.
//!
//! ```
//! use ninefold_formats::{read, write, ErrorKind, Format, Options};
//!
//! let text = b"Grid 01\n12..\n34..\n....\n....\n\nGrid 02\n1234\n34 x2\n2143\n4321\n";
//! let entries: Vec<_> = read(text, &Options::new()).collect();
//! let first = entries[0].as_ref().unwrap();
//! assert_eq!(first.name(), Some("Grid 01"));
//! assert_eq!(first.board().to_string(), "12..34..........");
//! let error = entries[1].as_ref().unwrap_err();
//! assert_eq!((error.kind(), error.position().line(), error.position().column()), (ErrorKind::DigitTooLarge, 9, 4));
//! assert_eq!(error.message(), "`x` is digit 33, but a board of side 4 has the digits 1 to 4");
//!
//! let json = write(Format::JsonLines, [first.record()])?;
//! assert_eq!(json, b"{\"puzzle\":\"12..34..........\",\"rules\":\"2x2\",\"name\":\"Grid 01\"}\n");
//! # Ok::<(), ninefold_formats::WriteError>(())
//! ```
//!
//! It is bad at pictures, at formats of variants beyond regions (cages, thermometers), and at packed addresses whose coding is not
//! public.

mod array;
mod cells;
mod chunk;
mod csv;
mod detect;
mod entry;
mod error;
mod format;
mod found;
mod grid;
mod input;
mod json;
mod line;
mod options;
mod reader;
mod sdk;
mod text;
mod write;
mod xml;

pub use chunk::{Chunk, Entries};
pub use entry::{Count, Entry, Position, Record};
pub use error::{ErrorKind, ReadError};
pub use format::{Format, UnknownFormat};
pub use options::{Options, Symbols};
pub use reader::{Reader, read};
pub use write::{WriteError, Writer, write, write_cells, write_line};
