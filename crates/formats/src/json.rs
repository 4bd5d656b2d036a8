//! JSON: one board, arrays of boards, objects that have a board in them; read as a stream of values.

use std::borrow::Cow;
use std::fmt;
use std::io::Read;
use std::marker::PhantomData;

use ninefold_core::{Board, Digit, DigitSet, MAX_SIDE, Rules};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::cells::{
    RuleBook, Symbol, Token, board_of, board_of_numbers, count_error, is_cell, likely_count, symbol_error, symbols_of,
};
use crate::entry::Notes;
use crate::found::Found;
use crate::text::{Text, advance};
use crate::{Count, Entry, ErrorKind, Format, Options, Position, ReadError};

/// Deeper than any board is nested in any known file.
const MAX_DEPTH: u32 = 32;

/// Finds where one JSON value ends, over a window that may grow.
#[derive(Debug, Default)]
struct Scan {
    at: usize,
    depth: u32,
    in_string: bool,
    escaped: bool,
    begun: bool,
}

enum Scanned {
    End(usize),
    Unfinished,
    TooDeep(usize),
}

impl Scan {
    fn run(&mut self, window: &[u8]) -> Scanned {
        while let Some(&byte) = window.get(self.at) {
            let here = self.at;
            self.at += 1;
            if self.in_string {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => {
                        self.in_string = false;
                        if self.depth == 0 {
                            return Scanned::End(self.at);
                        }
                    }
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => (self.in_string, self.begun) = (true, true),
                b'[' | b'{' => {
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        return Scanned::TooDeep(here);
                    }
                }
                b']' | b'}' => {
                    if self.depth == 0 {
                        // It belongs to what is around the value.
                        return Scanned::End(here);
                    }
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Scanned::End(self.at);
                    }
                }
                b',' | b' ' | b'\n' | b'\r' | b'\t' if self.depth == 0 => return Scanned::End(here),
                _ => {}
            }
        }
        Scanned::Unfinished
    }
}

/// The place in a file of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Between values, one after the other.
    Top,
    /// In an array of boards, before a value or the end.
    Array,
    /// In an array of boards, behind a value.
    Behind,
    Ended,
}

/// Reads values from a stream.
#[derive(Debug)]
pub(crate) struct Values {
    place: Place,
}

impl Values {
    pub(crate) fn new() -> Values {
        Values { place: Place::Top }
    }

    /// Reads on up to the next entries, which it hands to `found`; `false` at the end.
    pub(crate) fn next<R: Read>(
        &mut self,
        text: &mut Text<R>,
        options: &Options,
        book: &mut RuleBook,
        found: &mut Found<'_>,
    ) -> bool {
        if self.place == Place::Ended {
            return false;
        }
        let Some(first) = skip_space(text) else {
            if let Some(error) = text.take_fault() {
                found.push(Err(error));
            } else if self.place != Place::Top {
                found.push(Err(ReadError::new(ErrorKind::Syntax, text.at(), 0, "the JSON array has no end")));
            }
            self.place = Place::Ended;
            return true;
        };
        match (self.place, first) {
            (Place::Array | Place::Behind, b']') => {
                text.consume(1);
                self.place = Place::Top;
                return true;
            }
            (Place::Behind, b',') => {
                text.consume(1);
                self.place = Place::Array;
                return true;
            }
            (Place::Behind, _) => {
                found.push(Err(self.stop(text, "`,` or `]` is expected here")));
                return true;
            }
            (Place::Top, b'[') if opens_list(text) => {
                text.consume(1);
                self.place = Place::Array;
                return true;
            }
            _ => {}
        }
        let mut scan = Scan::default();
        let end = loop {
            match scan.run(text.window()) {
                Scanned::End(end) if end <= options.max_text => break end,
                Scanned::TooDeep(at) => {
                    let position = advance(text.at(), &text.window()[..at]);
                    let message = format!("nested more than {MAX_DEPTH} deep");
                    found.push(Err(ReadError::new(ErrorKind::TooDeep, position, 1, message).within(text.window(), text.at())));
                    self.place = Place::Ended;
                    return true;
                }
                Scanned::End(_) | Scanned::Unfinished if text.window().len() > options.max_text => {
                    let message = format!("this JSON value is longer than {} bytes", options.max_text);
                    found.push(Err(ReadError::new(ErrorKind::TooLong, text.at(), 0, message).within(text.window(), text.at())));
                    self.place = Place::Ended;
                    return true;
                }
                Scanned::End(_) | Scanned::Unfinished => {
                    if !text.more() {
                        if let Some(error) = text.take_fault() {
                            found.push(Err(error));
                            self.place = Place::Ended;
                            return true;
                        }
                        let window = text.window();
                        if scan.depth > 0 || scan.in_string {
                            let position = advance(text.at(), window);
                            let error = ReadError::new(ErrorKind::Syntax, position, 0, "the JSON value has no end");
                            found.push(Err(error.within(window, text.at())));
                            self.place = Place::Ended;
                            return true;
                        }
                        break window.len();
                    }
                }
            }
        };
        if end == 0 {
            found.push(Err(self.stop(text, "a JSON value is expected here")));
            return true;
        }
        value(&text.window()[..end], text.at(), Format::Json, options, book, found);
        text.consume(end);
        if self.place == Place::Array {
            self.place = Place::Behind;
        }
        true
    }

    /// Broken in a way that leaves open where the next value starts.
    fn stop<R: Read>(&mut self, text: &Text<R>, message: &str) -> ReadError {
        self.place = Place::Ended;
        ReadError::new(ErrorKind::Syntax, text.at(), 1, message)
            .within(text.window(), text.at())
            .with_hint("what follows is not read")
    }
}

/// Passes over white space; the next byte.
fn skip_space<R: Read>(text: &mut Text<R>) -> Option<u8> {
    loop {
        let window = text.window();
        let space = window.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(window.len());
        text.consume(space);
        if let Some(&byte) = text.window().first() {
            return Some(byte);
        }
        if !text.more() {
            return None;
        }
    }
}

/// Whether the `[` at the window's start opens a list of boards rather than one board: what it holds are objects, boards made of
/// rows, or strings longer than any row.
fn opens_list<R: Read>(text: &mut Text<R>) -> bool {
    loop {
        let window = text.window();
        let mut bytes = window.iter().skip(1).filter(|byte| !byte.is_ascii_whitespace());
        match (bytes.next(), bytes.next()) {
            (Some(b'{' | b']'), _) => return true,
            (Some(b'['), Some(b'[')) => return true,
            (Some(b'"'), _) => {
                // Only up to the first bracket, so that the answer is the same however the text arrives.
                let array = &window[..memchr::memchr(b']', window).unwrap_or(window.len())];
                let mut quotes = memchr::memchr_iter(b'"', array);
                if let (Some(open), Some(close)) = (quotes.next(), quotes.next())
                    && (close - open > MAX_SIDE + 1 || quotes.count() > 2 * MAX_SIDE)
                {
                    return true;
                }
            }
            (Some(_), Some(_)) => return false,
            _ => {}
        }
        // Neither a long string nor more strings than a board has rows: the whole array will tell.
        if window.len() > 1 << 16 || memchr::memchr(b']', window).is_some() || !text.more() {
            return false;
        }
    }
}

/// The entries of one value.
pub(crate) fn value(bytes: &[u8], at: Position, format: Format, options: &Options, book: &mut RuleBook, found: &mut Found<'_>) {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let position = advance(at, &bytes[..error.valid_up_to()]);
            let error = ReadError::new(ErrorKind::Encoding, position, 1, "bytes that are no UTF-8 text");
            return found.push(Err(error.within(bytes, at)));
        }
    };
    let mut source = Source { text, at, marks: Vec::new(), format, options, book };
    source.set_marks();
    let result = source.parse(text).and_then(|raw: &RawValue| source.entries(raw, found, 0));
    if let Err(error) = result {
        found.push(Err(error.within(bytes, at)));
    }
}

/// One value, and where it stands in the file.
struct Source<'a, 'b> {
    text: &'a str,
    at: Position,
    /// The position at every so many bytes, so that a place costs no walk from the start.
    marks: Vec<Position>,
    format: Format,
    options: &'b Options,
    book: &'b mut RuleBook,
}

/// The bytes between two marks.
const MARK: usize = 4096;

/// The longest string that is read as a board, in bytes: a 64×64 board with every character escaped and set apart.
const LONGEST_BOARD: usize = 1 << 16;

/// The most items of one array that are held: they take eight times the memory of their text.
const MAX_ITEMS: usize = 1 << 20;

/// The fields that may hold the board.
const PUZZLE_KEYS: [&str; 10] = ["puzzle", "quiz", "board", "grid", "sudoku", "value", "cells", "givens", "question", "unsolved"];
const SOLUTION_KEYS: [&str; 4] = ["solution", "answer", "solved", "solutions"];
const OTHER_KEYS: [&str; 14] = [
    "regions",
    "rules",
    "state",
    "count",
    "exact",
    "rating",
    "difficulty",
    "level",
    "name",
    "id",
    "title",
    "comment",
    "note",
    "candidates",
];
const LIST_KEYS: [&str; 7] = ["puzzles", "boards", "grids", "sudokus", "quizzes", "newboard", "data"];

/// The items of an array, up to a limit.
struct Items<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Items<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Items<T>, D::Error> {
        struct Limited<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Limited<T> {
            type Value = Items<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Items<T>, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = array.next_element()? {
                    if items.len() == MAX_ITEMS {
                        return Err(Error::custom(format_args!("more than {MAX_ITEMS} items in one array")));
                    }
                    items.push(item);
                }
                Ok(Items(items))
            }
        }
        deserializer.deserialize_seq(Limited(PhantomData))
    }
}

/// The fields of an object that are known here, by their names in lower case; the last of those with the same name.
struct Fields<'a>(Vec<(&'static str, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields<'de>, D::Error> {
        struct Known;
        impl<'de> Visitor<'de> for Known {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Fields<'de>, A::Error> {
                let mut fields: Vec<(&'static str, &'de RawValue)> = Vec::new();
                let known = || PUZZLE_KEYS.iter().chain(&SOLUTION_KEYS).chain(&LIST_KEYS).chain(&OTHER_KEYS);
                while let Some(name) = object.next_key::<String>()? {
                    let value: &'de RawValue = object.next_value()?;
                    let name = name.to_ascii_lowercase();
                    if let Some(&name) = known().find(|known| **known == name) {
                        fields.retain(|(other, _)| *other != name);
                        fields.push((name, value));
                    }
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Known)
    }
}

impl<'a> Source<'a, '_> {
    fn set_marks(&mut self) {
        if self.text.len() <= MARK {
            return;
        }
        let mut at = self.at;
        for chunk in self.text.as_bytes().chunks(MARK) {
            self.marks.push(at);
            at = advance(at, chunk);
        }
    }

    fn place(&self, offset: usize) -> Position {
        let mark = (offset / MARK).min(self.marks.len().saturating_sub(1));
        let from = self.marks.get(mark).copied().unwrap_or(self.at);
        advance(from, &self.text.as_bytes()[mark * MARK..offset])
    }

    fn within(&self, error: ReadError) -> ReadError {
        error.within(self.text.as_bytes(), self.at)
    }

    /// Where a part of the text starts. It borrows from the text, so its address tells.
    fn offset_of(&self, part: &str) -> usize {
        (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize).min(self.text.len())
    }

    fn error(&self, kind: ErrorKind, part: &str, message: impl Into<String>) -> ReadError {
        let length = part.lines().next().unwrap_or_default().chars().count() as u64;
        ReadError::new(kind, self.place(self.offset_of(part)), length, message)
    }

    fn parse<T: Deserialize<'a>>(&self, part: &'a str) -> Result<T, ReadError> {
        serde_json::from_str(part).map_err(|error| {
            let base = self.offset_of(part);
            let before: usize = part.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
            let mut offset = (base + before + error.column().saturating_sub(1)).min(self.text.len());
            while !self.text.is_char_boundary(offset) {
                offset -= 1;
            }
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            ReadError::new(ErrorKind::Syntax, self.place(offset), 1, format!("no JSON: {message}"))
        })
    }

    /// All entries in a value.
    fn entries(&mut self, raw: &'a RawValue, found: &mut Found<'_>, depth: u32) -> Result<(), ReadError> {
        let text = raw.get();
        match text.as_bytes().first() {
            Some(b'{') => self.object(raw, found, depth),
            Some(b'[') => {
                let Items(items): Items<&RawValue> = self.parse(text)?;
                if items.is_empty() {
                    return Ok(());
                }
                if depth < 4 && self.is_list(&items) {
                    for item in items {
                        if let Err(error) = self.entries(item, found, depth + 1) {
                            found.push(Err(self.within(error)));
                        }
                        if found.is_full() {
                            break;
                        }
                    }
                    return Ok(());
                }
                let (board, _) = self.board(raw, None)?;
                found.push(Ok(Entry::new(board, self.place(self.offset_of(text)), self.format)));
                Ok(())
            }
            Some(b'"') => {
                let (board, _) = self.board(raw, None)?;
                found.push(Ok(Entry::new(board, self.place(self.offset_of(text)), self.format)));
                Ok(())
            }
            _ => Err(self.error(ErrorKind::Syntax, text, "a board, a string or an object is expected here")),
        }
    }

    /// Whether the items of an array are boards rather than the rows or cells of one.
    fn is_list(&self, items: &[&RawValue]) -> bool {
        let first = items[0].get();
        match first.as_bytes().first() {
            Some(b'{') => true,
            Some(b'[') => first[1..].trim_start().starts_with('['),
            Some(b'"') => {
                // As many strings as each is long are the rows of one board.
                let length = first.chars().count() - 2;
                length >= 16 && length != items.len() && length.isqrt().pow(2) == length
            }
            _ => false,
        }
    }

    fn object(&mut self, raw: &'a RawValue, found: &mut Found<'_>, depth: u32) -> Result<(), ReadError> {
        let text = raw.get();
        let Fields(fields) = self.parse(text)?;
        let find = |keys: &[&str]| {
            let field = keys.iter().find_map(|key| fields.iter().find(|(name, _)| name == key));
            field.map(|(_, raw)| *raw).filter(|raw| raw.get() != "null")
        };
        let Some(puzzle) = find(&PUZZLE_KEYS) else {
            if let Some(list) = find(&LIST_KEYS).filter(|_| depth < 4) {
                return self.entries(list, found, depth + 1);
            }
            let message = format!("no field holds a board: `{}` is expected", PUZZLE_KEYS[0]);
            return Err(self.error(ErrorKind::Syntax, text, message));
        };
        let rules = match (&self.options.rules, find(&["regions"]), find(&["rules"])) {
            (Some(rules), _, _) => Some(rules.clone()),
            (None, Some(regions), None) => {
                let map = self.region_map(regions)?;
                Some(self.book.for_regions(&map)?)
            }
            (None, regions, Some(rules)) => {
                let map = regions.map(|regions| self.region_map(regions)).transpose()?;
                Some(self.rules(rules, map.as_deref())?)
            }
            _ => None,
        };
        let (board, rules) = self.board(puzzle, rules.as_ref())?;
        let mut notes = Notes::default();
        if let Some(solution) = find(&SOLUTION_KEYS) {
            // `solutions` may be a list, of which the first is kept.
            let first = if solution.get().starts_with('[') {
                let Items(items): Items<&'a RawValue> = self.parse(solution.get())?;
                match items.first() {
                    Some(item) if item.get().starts_with('"') && item.get().chars().count() == rules.cell_count() + 2 => {
                        Some(*item)
                    }
                    Some(_) => Some(solution),
                    None => None,
                }
            } else {
                Some(solution)
            };
            notes.solution = first.map(|first| self.board(first, Some(&rules))).transpose()?.map(|(board, _)| board);
            if notes.solution.as_ref().is_some_and(|board| !board.is_full()) {
                return Err(self.error(ErrorKind::Symbol, solution.get(), "a blank in what is read as the solution"));
            }
        }
        notes.state = find(&["state"]).map(|state| self.board(state, Some(&rules))).transpose()?.map(|(board, _)| board);
        if let Some(count) = find(&["count"]) {
            let exact = find(&["exact"]).is_none_or(|exact| exact.get() != "false");
            let plain = count.get().trim_matches('"');
            let parsed = Count::parse(plain);
            if parsed.is_none() && plain != "?" {
                return Err(self.error(ErrorKind::Syntax, count.get(), "this is no count of solutions"));
            }
            notes.count = parsed.map(|count| Count { exact: count.exact && exact, ..count });
        }
        notes.rating = self.words(find(&["rating", "difficulty", "level"]))?;
        notes.name = self.words(find(&["name", "id", "title"]))?;
        notes.comment = self.words(find(&["comment", "note"]))?;
        let mut restrictions = find(&["candidates"]).map(|raw| self.candidates(raw, &rules)).transpose()?;
        // Some leave the candidates of a given out.
        for (cell, digit) in board.givens() {
            if let Some(set) = restrictions.as_mut().map(|sets| &mut sets[cell.index()]).filter(|set| set.is_empty()) {
                *set = DigitSet::of(digit);
            }
        }
        let mut entry = Entry::new(board, self.place(self.offset_of(text)), self.format).with_notes(notes);
        entry.restrictions = restrictions;
        found.push(Ok(entry));
        Ok(())
    }

    /// A string or number as text.
    fn words(&self, raw: Option<&'a RawValue>) -> Result<Option<String>, ReadError> {
        let Some(raw) = raw else { return Ok(None) };
        let text = raw.get();
        Ok(Some(if text.starts_with('"') { self.parse::<String>(text)? } else { text.to_string() }))
    }

    /// Rules by their name, with the regions of a map beside it.
    fn rules(&mut self, raw: &'a RawValue, map: Option<&[Symbol]>) -> Result<Rules, ReadError> {
        let name: String = self.parse(raw.get())?;
        let map = map.map(|map| map.iter().map(|symbol| symbol.symbol).collect::<String>());
        self.book.for_name(&name, map.as_deref()).map_err(|error| self.error(ErrorKind::Rules, raw.get(), error.to_string()))
    }

    fn region_map(&self, raw: &'a RawValue) -> Result<Vec<Symbol>, ReadError> {
        let text = raw.get();
        if text.starts_with('"') {
            return self.string(text);
        }
        let mut map = Vec::new();
        for row in self.parse::<Items<&'a RawValue>>(text)?.0 {
            if row.get().starts_with('"') {
                map.extend(self.string(row.get())?);
                continue;
            }
            for cell in self.parse::<Items<u32>>(row.get())?.0 {
                // Any character that is the same for the same number will do.
                let symbol = char::from_u32(cell).unwrap_or('\u{10ffff}');
                map.push(Symbol { symbol, at: self.place(self.offset_of(row.get())) });
            }
        }
        Ok(map)
    }

    /// The characters of a string with their places, white space left out.
    fn string(&self, text: &'a str) -> Result<Vec<Symbol>, ReadError> {
        if text.len() > LONGEST_BOARD {
            let message = format!("a string of {} bytes, more than any board has", text.len());
            return Err(self.error(ErrorKind::Side, &text[..1], message));
        }
        let string: Cow<'a, str> = match text.get(1..text.len() - 1).filter(|inner| !inner.contains('\\')) {
            Some(inner) => Cow::Borrowed(inner),
            None => Cow::Owned(self.parse::<String>(text)?),
        };
        let start = self.place(self.offset_of(text) + 1);
        let mut symbols = symbols_of(&string, start);
        if matches!(string, Cow::Owned(_)) {
            // Escapes move everything behind them: the whole string is the place.
            symbols.iter_mut().for_each(|symbol| symbol.at = start);
        }
        symbols.retain(|symbol| !symbol.symbol.is_whitespace());
        Ok(symbols)
    }

    /// A board as a string, as rows, or as a flat array of cells.
    fn board(&mut self, raw: &'a RawValue, rules: Option<&Rules>) -> Result<(Board, Rules), ReadError> {
        let text = raw.get();
        let at = self.place(self.offset_of(text));
        if text.starts_with('"') {
            let symbols: Vec<Symbol> =
                self.string(text)?.into_iter().filter(|symbol| !matches!(symbol.symbol, '|' | ',')).collect();
            return self.board_of_symbols(&symbols, rules, at);
        }
        if !text.starts_with('[') {
            return Err(self.error(ErrorKind::Syntax, text, "a board is expected here"));
        }
        let Items(items): Items<&'a RawValue> = self.parse(text)?;
        if items.len() > MAX_SIDE * MAX_SIDE {
            let message =
                format!("{} cells or rows, more than the {} cells of the largest board", items.len(), MAX_SIDE * MAX_SIDE);
            return Err(self.error(ErrorKind::Side, &text[..1], message));
        }
        let nested = items.first().is_some_and(|item| item.get().starts_with('['));
        let row_strings = items.first().is_some_and(|item| item.get().starts_with('"') && item.get().chars().count() > 4);
        if row_strings {
            self.check_side(items.len(), text)?;
            let mut symbols = Vec::new();
            for item in &items {
                let row = self.string(item.get())?;
                if row.len() != items.len() {
                    let message = format!("{} cells in this row where {} are expected", row.len(), items.len());
                    return Err(self.error(ErrorKind::RowLength, item.get(), message));
                }
                symbols.extend(row);
            }
            return self.board_of_symbols(&symbols, rules, at);
        }
        let mut cells: Vec<&'a str> = Vec::new();
        if nested {
            self.check_side(items.len(), text)?;
            for item in &items {
                let Items(row): Items<&'a RawValue> = self.parse(item.get())?;
                if row.len() != items.len() {
                    let message = format!("{} cells in this row where {} are expected", row.len(), items.len());
                    return Err(self.error(ErrorKind::RowLength, item.get(), message));
                }
                cells.extend(row.iter().map(|cell| cell.get()));
            }
        } else {
            cells.extend(items.iter().map(|cell| cell.get()));
        }
        self.board_of_cells(&cells, rules, at)
    }

    fn check_side(&self, side: usize, text: &'a str) -> Result<(), ReadError> {
        if side <= MAX_SIDE {
            return Ok(());
        }
        let message = format!("a board of side {side} is not possible: the side is 1 to {MAX_SIDE}");
        Err(self.error(ErrorKind::Side, &text[..1], message))
    }

    fn rules_for(&mut self, count: usize, rules: Option<&Rules>, at: Position) -> Result<Rules, ReadError> {
        match rules {
            Some(rules) if rules.cell_count() == count => Ok(rules.clone()),
            Some(rules) => Err(count_error(count, rules.cell_count(), at)),
            None => match likely_count(count).filter(|_| self.options.rules.is_none()) {
                Some(expected) => Err(count_error(count, expected, at)),
                None => self.book.for_count(self.options, count, at),
            },
        }
    }

    fn board_of_symbols(&mut self, symbols: &[Symbol], rules: Option<&Rules>, at: Position) -> Result<(Board, Rules), ReadError> {
        if let Some(&bad) = symbols.iter().find(|symbol| !is_cell(symbol.symbol)) {
            return Err(symbol_error(bad));
        }
        let rules = self.rules_for(symbols.len(), rules, at)?;
        Ok((board_of(symbols, &rules, self.options)?, rules))
    }

    /// Cells that are strings, numbers, `null` or -1.
    fn board_of_cells(&mut self, cells: &[&'a str], rules: Option<&Rules>, at: Position) -> Result<(Board, Rules), ReadError> {
        // A walk along the text, since counting lines from the start for each cell would be quadratic.
        let mut offset = cells.first().map_or(0, |cell| self.offset_of(cell));
        let mut place = self.place(offset);
        let mut tokens = Vec::with_capacity(cells.len());
        let mut symbols = true;
        for &cell in cells {
            let start = self.offset_of(cell);
            place = advance(place, &self.text.as_bytes()[offset..start]);
            offset = start;
            let (text, at) = if cell.starts_with('"') {
                let inner: String = self.parse(cell)?;
                let inner = if inner.trim().is_empty() || inner.trim() == "-" { "." } else { inner.trim() }.to_string();
                (inner, Position { offset: place.offset + 1, column: place.column + 1, ..place })
            } else {
                // Numbers and null; 0 and what stands for a blank need no letters.
                symbols = false;
                (cell.to_string(), place)
            };
            symbols &= text.chars().count() == 1;
            tokens.push(Token { text, at });
        }
        let rules = self.rules_for(cells.len(), rules, at)?;
        let board = if symbols {
            let symbols: Vec<Symbol> =
                tokens.iter().filter_map(|token| Some(Symbol { symbol: token.text.chars().next()?, at: token.at })).collect();
            board_of(&symbols, &rules, self.options)?
        } else {
            board_of_numbers(&tokens, &rules, self.options)?
        };
        Ok((board, rules))
    }

    /// Pencil marks: one string of digits a cell; or one string for the board, with `e` for a cell that holds an even digit, `o` for an
    /// odd one, and `.` for any.
    fn candidates(&self, raw: &'a RawValue, rules: &Rules) -> Result<Box<[DigitSet]>, ReadError> {
        if raw.get().starts_with('"') {
            let symbols = self.string(raw.get())?;
            if symbols.len() != rules.cell_count() {
                return Err(count_error(symbols.len(), rules.cell_count(), self.place(self.offset_of(raw.get()))));
            }
            let all = DigitSet::all(rules.side());
            let parity = |parity: u8| all.into_iter().filter(|digit: &Digit| digit.get() % 2 == parity).collect();
            let set = |symbol: &Symbol| match symbol.symbol {
                'e' | 'E' => Ok(parity(0)),
                'o' | 'O' => Ok(parity(1)),
                '.' => Ok(all),
                other => Err(ReadError::new(
                    ErrorKind::Symbol,
                    symbol.at,
                    1,
                    format!("`{}` is none of `e` (even), `o` (odd) and `.` (any)", other.escape_debug()),
                )),
            };
            return symbols.iter().map(set).collect();
        }
        let Items(cells): Items<String> = self.parse(raw.get())?;
        if cells.len() != rules.cell_count() {
            return Err(count_error(cells.len(), rules.cell_count(), self.place(self.offset_of(raw.get()))));
        }
        let set = |cell: &String| -> Option<DigitSet> {
            cell.chars().map(|c| Digit::from_symbol(c).filter(|digit| usize::from(digit.get()) <= rules.side())).collect()
        };
        cells.iter().map(set).collect::<Option<Box<[DigitSet]>>>().ok_or_else(|| {
            self.error(ErrorKind::Symbol, raw.get(), format!("candidates are strings of the digits 1 to {}", rules.side()))
        })
    }
}
