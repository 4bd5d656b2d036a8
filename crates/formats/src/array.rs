//! Initialisers of C, C++, C# and Java: `int grid[9][9] = { {7,0,0,…}, … };`.

use crate::cells::{
    RuleBook, Symbol, Token, board_of, board_of_numbers, count_error, is_cell, likely_count, symbol_error, symbols_of,
};
use crate::{Entry, ErrorKind, Format, Options, Position, ReadError};

/// Deeper than a list of boards of rows.
const MAX_DEPTH: usize = 8;

/// A part of an initialiser.
#[derive(Debug)]
enum Node {
    List(Vec<Node>, Position),
    /// A number, a name or a character.
    Leaf(Token),
    /// A string in double quotes.
    Text(Token),
}

impl Node {
    fn at(&self) -> Position {
        match self {
            Node::List(_, at) => *at,
            Node::Leaf(token) | Node::Text(token) => token.at,
        }
    }
}

/// Reads every initialiser of a text.
pub(crate) fn read(
    text: &str,
    start: Position,
    options: &Options,
    book: &mut RuleBook,
    found: &mut dyn FnMut(Result<Entry, ReadError>),
) {
    let mut at = start;
    let mut chars = text.char_indices().peekable();
    // The lists that are open, the outermost first.
    let mut open: Vec<(Vec<Node>, Position)> = Vec::new();
    let mut any = false;
    while let Some((offset, symbol)) = chars.next() {
        let here = at;
        step(&mut at, symbol);
        let mut take_while = |at: &mut Position, more: &mut dyn FnMut(char) -> bool| {
            while let Some(&(_, next)) = chars.peek() {
                if !more(next) {
                    break;
                }
                chars.next();
                step(at, next);
            }
            chars.peek().map_or(text.len(), |(end, _)| *end)
        };
        match symbol {
            '/' if text[offset..].starts_with("//") => {
                take_while(&mut at, &mut |next| next != '\n');
            }
            '/' if text[offset..].starts_with("/*") => {
                let length = text[offset..].find("*/").map_or(text.len(), |length| offset + length + 2);
                let mut now = offset + 1;
                take_while(&mut at, &mut |next| {
                    let more = now < length;
                    now += next.len_utf8();
                    more
                });
            }
            '{' => {
                if open.len() == MAX_DEPTH {
                    let message = format!("nested more than {MAX_DEPTH} deep");
                    return found(Err(ReadError::new(ErrorKind::TooDeep, here, 1, message)));
                }
                open.push((Vec::new(), here));
            }
            '}' => {
                let Some((nodes, from)) = open.pop() else {
                    return found(Err(ReadError::new(ErrorKind::Syntax, here, 1, "this `}` closes nothing")));
                };
                let list = Node::List(nodes, from);
                match open.last_mut() {
                    Some((around, _)) => around.push(list),
                    None => {
                        any = true;
                        boards(&list, options, book, found);
                    }
                }
            }
            '"' | '\'' => {
                let end = take_while(&mut at, &mut |next| next != symbol && next != '\n');
                let closed = text[end..].starts_with(symbol);
                let inner = Position { offset: here.offset + 1, column: here.column + 1, ..here };
                let token = Token { text: text[offset + 1..end].into(), at: inner };
                if !closed {
                    return found(Err(ReadError::new(ErrorKind::Syntax, here, 1, "this quote has no end on its line")));
                }
                let mut closing = true;
                take_while(&mut at, &mut |_| std::mem::take(&mut closing));
                if let Some((around, _)) = open.last_mut() {
                    around.push(if symbol == '"' { Node::Text(token) } else { Node::Leaf(token) });
                }
            }
            ',' => {}
            _ if symbol.is_whitespace() => {}
            _ => {
                let end =
                    take_while(&mut at, &mut |next| !next.is_whitespace() && !matches!(next, ',' | '{' | '}' | '"' | '\'' | '/'));
                if let Some((around, _)) = open.last_mut() {
                    around.push(Node::Leaf(Token { text: text[offset..end].into(), at: here }));
                }
            }
        }
    }
    if let Some((_, from)) = open.last() {
        found(Err(ReadError::new(ErrorKind::Syntax, *from, 1, "this `{` has no end")));
    } else if !any {
        found(Err(ReadError::new(ErrorKind::UnknownFormat, start, 0, "no initialiser `{ … }` is in this text")));
    }
}

fn step(at: &mut Position, symbol: char) {
    at.offset += symbol.len_utf8() as u64;
    at.column += 1;
    if symbol == '\n' {
        at.line += 1;
        at.column = 1;
    }
}

/// The boards of a list: the list itself, or the lists in it.
fn boards(list: &Node, options: &Options, book: &mut RuleBook, found: &mut dyn FnMut(Result<Entry, ReadError>)) {
    let Node::List(nodes, at) = list else {
        return found(Err(ReadError::new(ErrorKind::Syntax, list.at(), 1, "a board in braces is expected here")));
    };
    let is_list = match nodes.first() {
        None => return,
        Some(Node::List(inner, _)) => {
            matches!(inner.first(), Some(Node::List(..) | Node::Text(_)))
                && !matches!(inner.first(), Some(Node::Text(token)) if token.text.chars().count() <= 2)
        }
        Some(Node::Text(token)) => {
            let length = token.text.chars().count();
            if length >= 16 && length != nodes.len() {
                for node in nodes {
                    found(board(std::slice::from_ref(node), node.at(), options, book));
                }
                return;
            }
            false
        }
        Some(Node::Leaf(_)) => false,
    };
    if is_list {
        nodes.iter().for_each(|node| boards(node, options, book, found));
    } else {
        found(board(nodes, *at, options, book));
    }
}

/// One board of rows in braces, rows in quotes, or cells.
fn board(nodes: &[Node], at: Position, options: &Options, book: &mut RuleBook) -> Result<Entry, ReadError> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut characters = true;
    for node in nodes {
        match node {
            Node::Leaf(token) => {
                characters &= token.text.chars().count() == 1;
                tokens.push(token.clone());
            }
            Node::Text(row) => {
                let row: Vec<Symbol> =
                    symbols_of(&row.text, row.at).into_iter().filter(|symbol| !symbol.symbol.is_whitespace()).collect();
                tokens.extend(row.iter().map(|symbol| Token { text: symbol.symbol.to_string(), at: symbol.at }));
            }
            Node::List(cells, from) => {
                if cells.len() != nodes.len() {
                    let message = format!("{} cells in this row where {} are expected", cells.len(), nodes.len());
                    return Err(ReadError::new(ErrorKind::RowLength, *from, 1, message));
                }
                for cell in cells {
                    let (Node::Leaf(token) | Node::Text(token)) = cell else {
                        return Err(ReadError::new(ErrorKind::Syntax, cell.at(), 1, "a cell is expected here"));
                    };
                    characters &= token.text.chars().count() == 1;
                    tokens.push(token.clone());
                }
            }
        }
    }
    for token in &mut tokens {
        if token.text.trim().is_empty() {
            token.text = ".".into();
            characters &= true;
        }
    }
    if options.rules.is_none()
        && let Some(expected) = likely_count(tokens.len())
    {
        return Err(count_error(tokens.len(), expected, at));
    }
    let rules = book.for_count(options, tokens.len(), at)?;
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
