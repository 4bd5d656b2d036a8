//! Initialisers of C, C++, C# and Java: `int grid[9][9] = { {7,0,0,…}, … };`.

use ninefold_core::MAX_SIDE;

use crate::cells::{
    RuleBook, Symbol, Token, board_of, board_of_numbers, count_error, is_cell, likely_count, symbol_error, symbols_of,
};
use crate::found::Found;
use crate::{Entry, ErrorKind, Format, Options, Position, ReadError};

/// Deeper than a list of boards of rows.
const MAX_DEPTH: usize = 8;

/// The most cells that may wait for their board to end, so that a hostile text cannot fill the memory with them.
const MAX_WAITING: usize = 4 * MAX_SIDE * MAX_SIDE;

/// A part of a board that is not complete yet.
#[derive(Debug)]
enum Node {
    Row(Vec<Token>, Position),
    /// A number, a name or a character.
    Cell(Token),
    /// A string in double quotes.
    Text(Token),
}

/// A list whose end is still to come.
#[derive(Debug)]
struct Open {
    at: Position,
    nodes: Vec<Node>,
    /// Whether boards were in it, so that it is no board itself.
    list: bool,
}

/// Reads every initialiser of a text. What is outside of braces is passed over.
pub(crate) fn read(text: &str, start: Position, options: &Options, book: &mut RuleBook, found: &mut Found<'_>) {
    let mut lexer = Lexer { text, offset: 0, at: start };
    let mut open: Vec<Open> = Vec::new();
    let mut waiting = 0;
    let mut any = false;
    let fail = |found: &mut Found<'_>, kind, at, message: &str| {
        let error = ReadError::new(kind, at, 1, message).with_hint("what follows is not read");
        found.push(Err(error.within(text.as_bytes(), start)));
    };
    while let Some((lexeme, at)) = lexer.next() {
        match lexeme {
            Lexeme::Open if open.len() == MAX_DEPTH => return fail(found, ErrorKind::TooDeep, at, "braces nested too deep"),
            Lexeme::Open => open.push(Open { at, nodes: Vec::new(), list: false }),
            Lexeme::Close => {
                let Some(closed) = open.pop() else { return fail(found, ErrorKind::Syntax, at, "this `}` closes nothing") };
                any = true;
                let row = !closed.list && closed.nodes.iter().all(Node::is_short);
                if closed.nodes.is_empty() {
                    continue;
                }
                match open.last_mut() {
                    Some(around) if row => around.nodes.push(closed.into_row()),
                    around => {
                        if let Some(around) = around {
                            around.list = true;
                        }
                        waiting -= closed.cells();
                        boards(&closed, options, book, &mut |entry| {
                            found.push(entry.map_err(|error| error.within(text.as_bytes(), start)));
                        });
                        if found.is_full() {
                            return;
                        }
                    }
                }
            }
            Lexeme::Cell(node) => {
                let Some(around) = open.last_mut() else { continue };
                around.nodes.push(node);
                waiting += 1;
                if waiting > MAX_WAITING {
                    return fail(found, ErrorKind::Side, at, "more cells than the largest board has");
                }
            }
            Lexeme::Unclosed => return fail(found, ErrorKind::Syntax, at, "this quote has no end on its line"),
        }
    }
    if let Some(open) = open.last() {
        fail(found, ErrorKind::Syntax, open.at, "this `{` has no end");
    } else if !any {
        let error = ReadError::new(ErrorKind::UnknownFormat, start, 0, "no initialiser `{ … }` is in this text");
        found.push(Err(error.within(text.as_bytes(), start)));
    }
}

impl Node {
    /// Whether it can be one cell of a row.
    fn is_short(&self) -> bool {
        match self {
            Node::Row(..) => false,
            Node::Cell(_) => true,
            Node::Text(token) => token.text.chars().count() <= 2,
        }
    }
}

impl Open {
    fn cells(&self) -> usize {
        self.nodes.iter().map(|node| if let Node::Row(cells, _) = node { cells.len() } else { 1 }).sum()
    }

    fn into_row(self) -> Node {
        let cell = |node| match node {
            Node::Cell(token) | Node::Text(token) => vec![token],
            Node::Row(tokens, _) => tokens,
        };
        Node::Row(self.nodes.into_iter().flat_map(cell).collect(), self.at)
    }
}

enum Lexeme {
    Open,
    Close,
    Cell(Node),
    Unclosed,
}

/// Walks over a text, comments and commas left out.
struct Lexer<'a> {
    text: &'a str,
    offset: usize,
    at: Position,
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<(Lexeme, Position)> {
        loop {
            let rest = &self.text[self.offset..];
            let symbol = rest.chars().next()?;
            let at = self.at;
            let lexeme = match symbol {
                '/' if rest.starts_with("//") => {
                    self.step(rest.find('\n').unwrap_or(rest.len()));
                    continue;
                }
                '/' if rest.starts_with("/*") => {
                    self.step(rest.find("*/").map_or(rest.len(), |end| end + 2));
                    continue;
                }
                ',' => {
                    self.step(1);
                    continue;
                }
                _ if symbol.is_whitespace() => {
                    self.step(symbol.len_utf8());
                    continue;
                }
                '{' => {
                    self.step(1);
                    Lexeme::Open
                }
                '}' => {
                    self.step(1);
                    Lexeme::Close
                }
                '"' | '\'' => {
                    let Some(length) = rest[1..].find([symbol, '\n']).filter(|&end| rest[1 + end..].starts_with(symbol)) else {
                        return Some((Lexeme::Unclosed, at));
                    };
                    self.step(1);
                    let token = Token { text: rest[1..1 + length].into(), at: self.at };
                    self.step(length + 1);
                    Lexeme::Cell(if symbol == '"' { Node::Text(token) } else { Node::Cell(token) })
                }
                _ => {
                    let ends = |symbol: char| symbol.is_whitespace() || matches!(symbol, ',' | '{' | '}' | '"' | '\'' | '/');
                    // The first is taken in any case: a lone `/` ends here too.
                    let first = symbol.len_utf8();
                    let length = first + rest[first..].find(ends).unwrap_or(rest.len() - first);
                    self.step(length);
                    Lexeme::Cell(Node::Cell(Token { text: rest[..length].into(), at }))
                }
            };
            return Some((lexeme, at));
        }
    }

    fn step(&mut self, count: usize) {
        self.at = crate::text::advance(self.at, &self.text.as_bytes()[self.offset..self.offset + count]);
        self.offset += count;
    }
}

/// The boards of a list: strings may be one board each.
fn boards(list: &Open, options: &Options, book: &mut RuleBook, found: &mut dyn FnMut(Result<Entry, ReadError>)) {
    // Boards whose cells stand in one list each.
    let flat = |node: &Node| matches!(node, Node::Row(cells, _) if cells.len() >= 16 && cells.len() != list.nodes.len());
    if list.nodes.iter().all(flat) {
        for node in &list.nodes {
            if let Node::Row(cells, at) = node {
                let cells: Vec<Node> = cells.iter().cloned().map(Node::Cell).collect();
                found(board(&cells, *at, options, book));
            }
        }
        return;
    }
    let whole = |node: &Node| matches!(node, Node::Text(token) if token.text.len() >= 16 && token.text.len() != list.nodes.len());
    if list.nodes.first().is_some_and(whole) {
        for node in &list.nodes {
            let at = if let Node::Text(token) | Node::Cell(token) = node { token.at } else { list.at };
            found(board(std::slice::from_ref(node), at, options, book));
        }
    } else {
        found(board(&list.nodes, list.at, options, book));
    }
}

/// One board of rows in braces, rows in quotes, or cells.
fn board(nodes: &[Node], at: Position, options: &Options, book: &mut RuleBook) -> Result<Entry, ReadError> {
    let mut tokens: Vec<Token> = Vec::new();
    let row_error = |found: usize, at: Position| {
        let message = format!("{found} cells in this row where {} are expected", nodes.len());
        ReadError::new(ErrorKind::RowLength, at, 1, message)
    };
    let rows = nodes.len() > 1 && nodes.iter().any(|node| matches!(node, Node::Row(..)));
    for node in nodes {
        match node {
            Node::Cell(token) if rows => return Err(row_error(1, token.at)),
            Node::Cell(token) => tokens.push(token.clone()),
            Node::Text(text) => {
                let row: Vec<Symbol> =
                    symbols_of(&text.text, text.at).into_iter().filter(|symbol| !symbol.symbol.is_whitespace()).collect();
                if rows {
                    return Err(row_error(row.len(), text.at));
                }
                if row.is_empty() {
                    tokens.push(Token { text: ".".into(), at: text.at });
                }
                if row.len() <= 2
                    && nodes.len() != row.len()
                    && row.iter().all(|symbol| symbol.symbol.is_ascii_digit())
                    && !row.is_empty()
                {
                    // A number in quotes.
                    tokens.push(text.clone());
                } else {
                    tokens.extend(row.iter().map(|symbol| Token { text: symbol.symbol.to_string(), at: symbol.at }));
                }
            }
            Node::Row(cells, from) => {
                if cells.len() != nodes.len() {
                    return Err(row_error(cells.len(), *from));
                }
                tokens.extend(cells.iter().cloned());
            }
        }
    }
    for token in &mut tokens {
        if token.text.trim().is_empty() {
            token.text = ".".into();
        }
    }
    if options.rules.is_none()
        && let Some(expected) = likely_count(tokens.len())
    {
        return Err(count_error(tokens.len(), expected, at));
    }
    let rules = book.for_count(options, tokens.len(), at)?;
    let characters = tokens.iter().all(|token| token.text.chars().count() == 1);
    let letters = tokens.iter().any(|token| token.text.starts_with(|symbol: char| symbol.is_ascii_alphabetic()));
    let board = if characters && letters {
        let symbols: Vec<Symbol> =
            tokens.iter().filter_map(|token| Some(Symbol { symbol: token.text.chars().next()?, at: token.at })).collect();
        if let Some(&bad) = symbols.iter().find(|symbol| !is_cell(symbol.symbol)) {
            return Err(symbol_error(bad));
        }
        board_of(&symbols, &rules, options)?
    } else {
        board_of_numbers(&tokens, &rules, options)?
    };
    Ok(Entry::new(board, at, Format::Array))
}
