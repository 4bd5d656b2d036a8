//! OpenSudoku: XML with one `game` element a puzzle.

use std::borrow::Cow;

use ninefold_core::{Board, Rules};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::cells::{Symbol, board_of, count_error, is_cell, symbol_error, symbols_of};
use crate::entry::Notes;
use crate::found::Found;
use crate::text::advance;
use crate::{Entry, ErrorKind, Format, Options, Position, ReadError};

/// Reads every game of a text.
pub(crate) fn read(text: &str, start: Position, options: &Options, found: &mut Found<'_>) {
    let mut reader = Reader::from_str(text);
    let mut walk = Walk { text, start, offset: 0, at: start };
    let mut notes = Notes::default();
    let mut games = 0;
    // The element whose text comes next.
    let mut inside = String::new();
    let mut words = String::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(element) | Event::Empty(element)) => {
                inside = element.local_name().as_ref().to_string();
                words.clear();
                if inside == "folder" {
                    notes = Notes { name: attribute(&element, "name"), ..Notes::default() };
                }
                if inside == "game" {
                    games += 1;
                    let entry = game(&element, &mut walk, &notes, options).map_err(|error| walk.within(error));
                    found.push(entry);
                    if found.is_full() {
                        return;
                    }
                }
            }
            // A text comes in pieces, cut at its entities.
            Ok(Event::Text(piece)) => words.push_str(&piece),
            Ok(Event::GeneralRef(name)) => words.push_str(&unescaped(&format!("&{};", &*name))),
            Ok(Event::End(_)) => {
                let text = std::mem::take(&mut words).trim().to_string();
                let place = match inside.as_str() {
                    "name" => Some(&mut notes.name),
                    "level" => Some(&mut notes.rating),
                    "comment" | "description" => Some(&mut notes.comment),
                    _ => None,
                };
                if let Some(place) = place.filter(|_| !text.is_empty()) {
                    *place = Some(text);
                }
                inside.clear();
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                let offset = usize::try_from(reader.error_position()).unwrap_or(0).min(text.len());
                let at = walk.to(offset);
                let error = ReadError::new(ErrorKind::Syntax, at, 1, format!("no XML: {error}"));
                found.push(Err(walk.within(error).with_hint("what follows is not read")));
                return;
            }
        }
    }
    if games == 0 {
        let error = ReadError::new(ErrorKind::UnknownFormat, start, 0, "no `game` element is in this XML");
        found.push(Err(walk.within(error)));
    }
}

/// Positions in a text that is walked from front to back.
struct Walk<'a> {
    text: &'a str,
    start: Position,
    offset: usize,
    at: Position,
}

impl Walk<'_> {
    fn to(&mut self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        if offset > self.offset {
            self.at = advance(self.at, &self.text.as_bytes()[self.offset..offset]);
            self.offset = offset;
        }
        self.at
    }

    fn within(&self, error: ReadError) -> ReadError {
        error.within(self.text.as_bytes(), self.start)
    }
}

/// A text with the five entities of XML and character references in place. Others are left as they are, so that no text grows.
fn unescaped(text: &str) -> String {
    quick_xml::escape::unescape(text).map_or_else(|_| text.to_string(), Cow::into_owned)
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).ok()??;
    Some(unescaped(&attribute.value).trim().to_string()).filter(|value| !value.is_empty())
}

fn game(element: &BytesStart<'_>, walk: &mut Walk<'_>, notes: &Notes, options: &Options) -> Result<Entry, ReadError> {
    // The element borrows from the text, so its address tells where it is.
    let base = walk.text.as_ptr() as usize;
    let offset = |part: &str| (part.as_ptr() as usize).saturating_sub(base);
    let at = walk.to(offset(element));
    let syntax = |at: Position, message: String| ReadError::new(ErrorKind::Syntax, at, 0, message);
    let data = element
        .try_get_attribute("data")
        .map_err(|error| syntax(at, format!("no XML: {error}")))?
        .ok_or_else(|| syntax(at, "this game has no `data`".into()))?;
    let data_at = match &data.value {
        Cow::Borrowed(value) => walk.to(offset(value)),
        Cow::Owned(_) => at,
    };
    let value: &str = &data.value;
    let symbols = symbols_of(value, data_at);
    let rules = options.rules.as_ref().unwrap_or(Rules::classic());
    let board = if value.trim_start().starts_with("version") {
        saved_game(&symbols, rules, options)?
    } else {
        {
            let symbols: Vec<Symbol> = symbols.into_iter().filter(|symbol| !symbol.symbol.is_whitespace()).collect();
            cells(&symbols, rules, options, data_at)?
        }
    };
    let mut notes = notes.clone();
    if let Some(note) = attribute(element, "note") {
        notes.comment = Some(note);
    }
    Ok(Entry::new(board, at, Format::OpenSudoku).with_notes(notes))
}

fn cells(symbols: &[Symbol], rules: &Rules, options: &Options, at: Position) -> Result<Board, ReadError> {
    if let Some(&bad) = symbols.iter().find(|symbol| !is_cell(symbol.symbol)) {
        let error = symbol_error(bad);
        return Err(if bad.symbol == '&' { error.with_hint("entities are not expanded here") } else { error });
    }
    if symbols.len() != rules.cell_count() {
        let end =
            symbols.last().map_or(at, |last| Position { column: last.at.column + 1, offset: last.at.offset + 1, ..last.at });
        return Err(count_error(symbols.len(), rules.cell_count(), end));
    }
    board_of(symbols, rules, options)
}

/// A game in play: `version: 1`, then `digit|notes|editable|` for each cell, with two kinds of notes from version 4 on. The cells
/// that cannot be edited are the givens.
fn saved_game(symbols: &[Symbol], rules: &Rules, options: &Options) -> Result<Board, ReadError> {
    let at = symbols.first().map_or(Position::START, |symbol| symbol.at);
    // The head ends with a line end, which XML turns into a space or writes as an entity.
    let colon = symbols.iter().position(|symbol| symbol.symbol == ':').unwrap_or(0);
    let bar = symbols.iter().position(|symbol| symbol.symbol == '|').unwrap_or(symbols.len());
    let body = &symbols[bar.saturating_sub(1).max(colon)..];
    let mut fields: Vec<&[Symbol]> = body.split(|symbol| symbol.symbol == '|').collect();
    if fields.last().is_some_and(|last| last.iter().all(|symbol| symbol.symbol.is_whitespace())) {
        fields.pop();
    }
    let width = match fields.len() / rules.cell_count() {
        width @ (3 | 4) if fields.len() == width * rules.cell_count() => width,
        _ => {
            let message = format!(
                "{} fields in this saved game, which are not 3 or 4 for each of {} cells",
                fields.len(),
                rules.cell_count()
            );
            return Err(ReadError::new(ErrorKind::CellCount, at, 0, message));
        }
    };
    let mut givens = Vec::with_capacity(rules.cell_count());
    for cell in fields.chunks(width) {
        let field = |i: usize| -> Result<Symbol, ReadError> {
            match cell[i] {
                [symbol] => Ok(*symbol),
                other => {
                    let at = other.first().map_or(at, |symbol| symbol.at);
                    Err(ReadError::new(ErrorKind::Syntax, at, other.len() as u64, "one figure is expected in this field"))
                }
            }
        };
        let (digit, editable) = (field(0)?, field(width - 1)?);
        givens.push(if editable.symbol == '0' { digit } else { Symbol { symbol: '0', ..digit } });
    }
    cells(&givens, rules, options, at)
}
