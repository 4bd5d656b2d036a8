//! What a reader is told about the text.

use ninefold_core::Rules;

use crate::Format;

/// Which characters stand for the digits of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Symbols {
    /// `1`-`9`, then `A`-`Z`, `a`-`z`, `@`, `$`, `&`; `0` is a blank.
    FromOne,
    /// `0`-`9`, then `A`-`Z`: `0` is the first digit, as on hexadecimal 16×16 boards. For sides 10 to 36.
    FromZero,
    /// `A` is the first digit, in either case. For sides up to 26.
    Letters,
}

/// How to read: everything has a default, so that `Options::new()` reads whatever can be told from the content.
///
/// ```
/// use ninefold_core::Rules;
/// use ninefold_formats::{Format, Options};
/// let options = Options::new().rules(Rules::blocks("2x3".parse()?)).format(Format::Line);
/// # Ok::<(), ninefold_core::RulesError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) rules: Option<Rules>,
    pub(crate) format: Option<Format>,
    pub(crate) symbols: Option<Symbols>,
    pub(crate) lenient: bool,
    pub(crate) max_line: usize,
    pub(crate) max_text: usize,
    pub(crate) max_decompressed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            rules: None,
            format: None,
            symbols: None,
            lenient: false,
            max_line: 1 << 20,
            max_text: 1 << 26,
            max_decompressed: 1 << 32,
        }
    }
}

impl Options {
    /// Rules, format and symbols from the content, strict, and the default limits.
    pub fn new() -> Options {
        Options::default()
    }

    /// The rules of every board. Without them square blocks are told from the count of cells, and regions from a region map.
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Options {
        self.rules = Some(rules);
        self
    }

    /// The format, rather than the one that the content shows.
    #[must_use]
    pub fn format(mut self, format: Format) -> Options {
        self.format = Some(format);
        self
    }

    /// The symbols, where the content leaves them open.
    #[must_use]
    pub fn symbols(mut self, symbols: Symbols) -> Options {
        self.symbols = Some(symbols);
        self
    }

    /// Whether to pick puzzles out of text that is no puzzle file: prose is passed over, a puzzle may stand in the middle of a
    /// line, spaces may be blanks, full-width figures count as figures.
    #[must_use]
    pub fn lenient(mut self, lenient: bool) -> Options {
        self.lenient = lenient;
        self
    }

    /// The longest line, in bytes: at least 256, and 1 MiB by default. A longer one is an error and is passed over without being held.
    #[must_use]
    pub fn max_line(mut self, bytes: usize) -> Options {
        self.max_line = bytes.max(256);
        self
    }

    /// The longest text, in bytes, of what must be held as a whole: an XML or initialiser file, one JSON board; 64 MiB by default.
    #[must_use]
    pub fn max_text(mut self, bytes: usize) -> Options {
        self.max_text = bytes.max(1);
        self
    }

    /// The most bytes that a compressed input may unfold to; 4 GiB by default. Memory stays flat up to there, so this bounds time.
    #[must_use]
    pub fn max_decompressed(mut self, bytes: u64) -> Options {
        self.max_decompressed = bytes;
        self
    }
}
