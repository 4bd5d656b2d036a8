//! From characters and numbers to boards: what every reader shares.

use std::borrow::Cow;

use ninefold_core::{BlockShape, Board, Digit, DigitSet, MAX_SIDE, Rules, RulesError};

use crate::{ErrorKind, Options, Position, ReadError, Symbols};

/// One character of the text and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    pub(crate) symbol: char,
    pub(crate) at: Position,
}

/// The characters of a line with their places.
pub(crate) fn symbols_of(text: &str, start: Position) -> Vec<Symbol> {
    let mut at = start;
    text.chars()
        .map(|symbol| {
            let here = Symbol { symbol, at };
            at.offset += symbol.len_utf8() as u64;
            at.column += 1;
            here
        })
        .collect()
}

pub(crate) fn is_blank(symbol: char) -> bool {
    matches!(symbol, '.' | '0' | '_' | '*' | '?')
}

/// Whether a character can stand for a cell on some board.
pub(crate) fn is_cell(symbol: char) -> bool {
    is_blank(symbol) || Digit::from_symbol(symbol).is_some()
}

/// The rules of boards whose text does not name them.
#[derive(Debug, Default)]
pub(crate) struct RuleBook {
    /// The last ones, since a file has the same rules from end to end and rules are expensive to set up.
    blocks: Option<Rules>,
    jigsaw: Option<(Vec<char>, Rules)>,
    named: Option<(String, Rules)>,
}

impl RuleBook {
    /// The rules for a count of cells: those of the options, else square blocks.
    pub(crate) fn for_count(&mut self, options: &Options, count: usize, at: Position) -> Result<Rules, ReadError> {
        if let Some(rules) = &options.rules {
            return if rules.cell_count() == count { Ok(rules.clone()) } else { Err(count_error(count, rules.cell_count(), at)) };
        }
        let side = count.isqrt();
        if side * side != count || count == 0 {
            let message = format!("{count} cells found, which make no square board");
            return Err(ReadError::new(ErrorKind::CellCount, at, 0, message));
        }
        if let Some(rules) =
            self.blocks.as_ref().filter(|rules| rules.side() == side && rules.block_shape() == BlockShape::square(side))
        {
            return Ok(rules.clone());
        }
        if side > MAX_SIDE {
            let message = format!("a board of side {side} is not possible: the side is 1 to {MAX_SIDE}");
            return Err(ReadError::new(ErrorKind::Side, at, 0, message));
        }
        let Some(shape) = BlockShape::square(side) else { return Err(shape_error(side, at)) };
        let rules = Rules::blocks(shape);
        self.blocks = Some(rules.clone());
        Ok(rules)
    }

    /// The rules with a name, and the regions of a map that stands beside it.
    pub(crate) fn for_name(&mut self, name: &str, map: Option<&str>) -> Result<Rules, RulesError> {
        let name = &*match map {
            None => Cow::Borrowed(name),
            Some(map) if name.eq_ignore_ascii_case("jigsaw") => format!("jigsaw:{map}").into(),
            Some(map) => format!("{name}+regions:{map}").into(),
        };
        if let Some((_, rules)) = self.named.as_ref().filter(|(last, _)| last == name) {
            return Ok(rules.clone());
        }
        let rules: Rules = name.parse()?;
        self.named = Some((name.to_owned(), rules.clone()));
        Ok(rules)
    }

    /// The rules with the regions of a map.
    pub(crate) fn for_regions(&mut self, map: &[Symbol]) -> Result<Rules, ReadError> {
        let names: Vec<char> = map.iter().map(|symbol| symbol.symbol).collect();
        if let Some((last, rules)) = &self.jigsaw
            && *last == names
        {
            return Ok(rules.clone());
        }
        let at = map.first().map_or(Position::START, |symbol| symbol.at);
        if names.len() > MAX_SIDE * MAX_SIDE {
            let message = format!("a region map of {} cells is too large: the side is 1 to {MAX_SIDE}", names.len());
            return Err(ReadError::new(ErrorKind::Side, at, 0, message));
        }
        let rules = Rules::jigsaw(&names)
            .map_err(|error| ReadError::new(ErrorKind::Regions, at, span(map), format!("no region map: {error}")))?;
        self.jigsaw = Some((names, rules.clone()));
        Ok(rules)
    }
}

/// How many characters a piece of one line covers.
pub(crate) fn span(symbols: &[Symbol]) -> u64 {
    match (symbols.first(), symbols.last()) {
        (Some(first), Some(last)) if first.at.line == last.at.line => last.at.column - first.at.column + 1,
        (Some(_), _) => 1,
        _ => 0,
    }
}

fn shape_error(side: usize, at: Position) -> ReadError {
    let shapes: Vec<String> = BlockShape::all_for(side)
        .filter(|shape| shape.rows() > 1 && shape.columns() > 1)
        .map(|shape| shape.to_string())
        .collect();
    let choice = if shapes.is_empty() { format!("none but 1x{side}") } else { shapes.join(" or ") };
    let message = format!("{} cells make a {side}×{side} board, which needs a block shape: {choice}", side * side);
    let error = ReadError::new(ErrorKind::BlockShape, at, 0, message);
    match shapes.first() {
        Some(shape) => error.with_hint(format!("name the rules, such as {shape} (rows x columns of a block)")),
        None => error.with_hint("name the rules, or give a region map"),
    }
}

/// The error for a count of cells that is not the expected one.
pub(crate) fn count_error(found: usize, expected: usize, at: Position) -> ReadError {
    let cells = if found == 1 { "1 cell".into() } else { format!("{found} cells") };
    ReadError::new(ErrorKind::CellCount, at, 0, format!("{cells} found where {expected} are expected"))
}

/// The same where there are too many: the place is the first of those over.
pub(crate) fn count_error_over(found: usize, expected: usize, at: Position, over: u64) -> ReadError {
    ReadError::new(ErrorKind::CellCount, at, over, format!("{found} cells found where {expected} are expected"))
}

/// The count of cells that a wrong count most likely should have been.
pub(crate) fn likely_count(found: usize) -> Option<usize> {
    [16, 81, 256, 625].into_iter().find(|&count| count != found && found.abs_diff(count) <= count / 9)
}

/// Which digits the symbols stand for.
#[derive(Clone, Copy, Debug)]
struct Alphabet {
    symbols: Symbols,
    side: usize,
}

impl Alphabet {
    fn find(symbols: &[Symbol], side: usize, told: Option<Symbols>) -> Result<Alphabet, ReadError> {
        if let Some(symbols) = told {
            return Ok(Alphabet { symbols, side });
        }
        let from_one = Alphabet { symbols: Symbols::FromOne, side };
        let mut zero = None;
        let mut other_blank = false;
        let mut figures = false;
        let mut letter: Option<Symbol> = None;
        let mut last_letter = 0;
        let mut others = false;
        let mut uses_last = false;
        for &symbol in symbols {
            match symbol.symbol {
                '0' => zero = zero.or(Some(symbol)),
                '.' | '_' | '*' | '?' => other_blank = true,
                '1'..='9' => figures = true,
                'A'..='Z' | 'a'..='z' => {
                    letter = letter.or(Some(symbol));
                    last_letter = last_letter.max(symbol.symbol.to_ascii_uppercase() as usize - 'A' as usize + 1);
                }
                _ => others = true,
            }
            uses_last |= from_one.digit(symbol.symbol).is_some_and(|digit| usize::from(digit) == side);
        }
        if !figures && !others && side <= 26 && last_letter <= side {
            if side <= 9 || 9 + last_letter > side {
                // Nothing but letters, or nothing at all.
                return Ok(if letter.is_some() { Alphabet { symbols: Symbols::Letters, side } } else { from_one });
            }
            if let Some(letter) = letter.filter(|_| zero.is_none()) {
                let message = format!("the letters may count from `A` as 1 or as 10 on a board of side {side}");
                return Err(ReadError::new(ErrorKind::AmbiguousSymbols, letter.at, 1, message)
                    .with_hint("name the symbols: from 1 (1-9, A-…) or letters (A-…)"));
            }
        }
        let Some(zero) = zero.filter(|_| (10..=36).contains(&side) && (figures || letter.is_some())) else {
            return Ok(from_one);
        };
        match (uses_last, other_blank) {
            (true, _) => Ok(from_one),
            (false, true) => Ok(Alphabet { symbols: Symbols::FromZero, side }),
            (false, false) => {
                let message = format!("`0` may be a blank or the first digit of a board of side {side}");
                Err(ReadError::new(ErrorKind::AmbiguousSymbols, zero.at, 1, message)
                    .with_hint("write blanks as `.`, or name the symbols: from 1 or from 0"))
            }
        }
    }

    /// The digit of a symbol, whether or not it fits the side; `None` for what is no digit here.
    fn digit(self, symbol: char) -> Option<u8> {
        let fold = match self.symbols {
            Symbols::FromOne => self.side <= 35,
            Symbols::FromZero | Symbols::Letters => true,
        };
        let symbol = if fold { symbol.to_ascii_uppercase() } else { symbol };
        match self.symbols {
            Symbols::FromOne => Digit::from_symbol(symbol).map(Digit::get),
            Symbols::FromZero if symbol == '0' => Some(1),
            Symbols::FromZero => Digit::from_symbol(symbol).map(|digit| digit.get() + 1),
            Symbols::Letters => symbol.is_ascii_uppercase().then(|| symbol as u8 - b'A' + 1),
        }
    }

    /// The byte of a board for a symbol: 0 for a blank, else the digit.
    fn byte(self, symbol: Symbol, lenient: bool) -> Result<u8, ReadError> {
        let mut shown = symbol.symbol;
        if lenient && ('０'..='９').contains(&shown) {
            shown = char::from(b'0' + (u32::from(shown) - u32::from('０')) as u8);
        }
        if let Some(digit) = self.digit(shown) {
            if usize::from(digit) <= self.side {
                return Ok(digit);
            }
            let message =
                format!("`{shown}` is digit {digit}, but a board of side {} has the digits 1 to {}", self.side, self.side);
            return Err(ReadError::new(ErrorKind::DigitTooLarge, symbol.at, 1, message));
        }
        if is_blank(shown) { Ok(0) } else { Err(symbol_error(symbol)) }
    }
}

/// The error for a character that stands for nothing.
pub(crate) fn symbol_error(symbol: Symbol) -> ReadError {
    let shown = symbol.symbol;
    let message = format!("`{}` is neither a digit nor a blank", shown.escape_debug());
    let error = ReadError::new(ErrorKind::Symbol, symbol.at, 1, message);
    match shown {
        '０'..='９' => {
            let plain = char::from(b'0' + (u32::from(shown) - u32::from('０')) as u8);
            error.with_hint(format!("this is a full-width figure: write `{plain}`"))
        }
        '\0' => error.with_hint("is this a text file? UTF-16 needs a byte order mark"),
        '-' => error.with_hint("write blanks as `.` or `0`"),
        _ => error,
    }
}

/// The board of these cells, one symbol a cell.
pub(crate) fn board_of(symbols: &[Symbol], rules: &Rules, options: &Options) -> Result<Board, ReadError> {
    let alphabet = Alphabet::find(symbols, rules.side(), options.symbols)?;
    let bytes: Vec<u8> =
        symbols.iter().map(|&symbol| alphabet.byte(symbol, options.lenient)).collect::<Result<_, ReadError>>()?;
    Ok(Board::from_bytes(rules, &bytes).expect("the cells were counted and their digits checked"))
}

/// The declared solution of these cells: a board without blanks.
pub(crate) fn solution_of(symbols: &[Symbol], rules: &Rules, options: &Options) -> Result<Board, ReadError> {
    let board = board_of(symbols, rules, options)?;
    match symbols.iter().zip(board.as_bytes()).find(|(_, byte)| **byte == 0) {
        Some((blank, _)) => Err(ReadError::new(ErrorKind::Symbol, blank.at, 1, "a blank in what is read as the solution")),
        None => Ok(board),
    }
}

/// One cell as a number or a group of characters.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) at: Position,
}

impl Token {
    pub(crate) fn length(&self) -> u64 {
        self.text.chars().count() as u64
    }
}

/// The board of these cells as decimal numbers: 1 to the side, or 0 or a character for a blank.
pub(crate) fn board_of_numbers(tokens: &[Token], rules: &Rules, options: &Options) -> Result<Board, ReadError> {
    let side = rules.side();
    let shift = u8::from(options.symbols == Some(Symbols::FromZero));
    let mut bytes = Vec::with_capacity(tokens.len());
    for token in tokens {
        let text = token.text.as_str();
        if matches!(text, "." | "_" | "*" | "?" | "-1" | "null") || text == "0" && shift == 0 {
            bytes.push(0);
            continue;
        }
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = format!("`{}` is neither a number nor a blank", text.escape_debug());
            return Err(ReadError::new(ErrorKind::Symbol, token.at, token.length(), message));
        }
        let figures = text.trim_start_matches('0');
        let figures = if figures.is_empty() { "0" } else { figures };
        match figures.parse::<u8>().ok().and_then(|number| number.checked_add(shift)).filter(|&digit| usize::from(digit) <= side)
        {
            Some(digit) => bytes.push(digit),
            None => {
                let message = format!("`{}` is over {}", text.escape_debug(), side - usize::from(shift));
                return Err(ReadError::new(ErrorKind::DigitTooLarge, token.at, token.length(), message));
            }
        }
    }
    Ok(Board::from_bytes(rules, &bytes).expect("the cells were counted and their digits checked"))
}

/// The board and candidates of cells given by their pencil marks. A cell with one candidate is a given.
pub(crate) fn board_of_marks(sets: Vec<DigitSet>, rules: &Rules) -> (Board, Box<[DigitSet]>) {
    let bytes: Vec<u8> = sets.iter().map(|set| set.single().map_or(0, Digit::get)).collect();
    let board = Board::from_bytes(rules, &bytes).expect("the cells were counted and their digits checked");
    (board, sets.into())
}

/// Whether a text of one symbol a cell is a region map: as many regions as the side, of as many cells each, and two cells of one
/// region side by side, which a solution never has.
pub(crate) fn is_region_map(map: &[Symbol]) -> bool {
    let side = map.len().isqrt();
    if side * side != map.len() || !(2..=MAX_SIDE).contains(&side) {
        return false;
    }
    let mut counts: Vec<(char, usize)> = Vec::new();
    for symbol in map {
        let regions = counts.len();
        match counts.iter_mut().find(|(name, _)| *name == symbol.symbol) {
            Some((_, count)) => *count += 1,
            None if regions == side => return false,
            None => counts.push((symbol.symbol, 1)),
        }
    }
    let name = |index: usize| map[index].symbol;
    let touching = (0..map.len())
        .any(|i| i % side + 1 < side && name(i) == name(i + 1) || i + side < map.len() && name(i) == name(i + side));
    counts.iter().all(|(_, count)| *count == side) && touching
}
