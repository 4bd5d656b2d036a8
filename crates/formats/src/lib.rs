//! Reads and writes Sudokus in every common text format.

mod array;
mod cells;
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

pub use entry::{Count, Entry, Position, Record};
pub use error::{ErrorKind, ReadError};
pub use format::{Format, UnknownFormat};
pub use options::{Options, Symbols};
pub use reader::{Reader, read};
pub use write::{WriteError, Writer, write, write_cells, write_line};
