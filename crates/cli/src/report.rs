//! Error reports for people.

use std::io::IsTerminal;
use std::ops::Range;
use std::sync::OnceLock;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use ninefold_formats::ReadError;

/// The longest piece that is underlined, in characters. More says nothing more.
const LONGEST_MARK: usize = 80;

/// Colour where standard error is a terminal that wants it.
fn renderer() -> &'static Renderer {
    static RENDERER: OnceLock<Renderer> = OnceLock::new();
    RENDERER.get_or_init(|| {
        let stderr = std::io::stderr();
        let colour = anstream::AutoStream::choice(&stderr) != anstream::ColorChoice::Never && stderr.is_terminal();
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.decor_style(DecorStyle::Ascii)
    })
}

/// One clause, without a place.
pub(crate) fn plain_error(message: &str) -> String {
    renderer().render(&[Group::with_title(Level::ERROR.primary_title(message))])
}

/// One clause about a whole source.
pub(crate) fn source_error(name: &str, message: &str) -> String {
    renderer().render(&[Level::ERROR.primary_title(message).element(Origin::path(name))])
}

/// One clause about a place of a source, with more lines below it.
pub(crate) fn place_error(name: &str, line: u64, message: &str, notes: &[String]) -> String {
    let group = Level::ERROR.primary_title(message).element(Origin::path(name).line(at(line)));
    let notes = notes.iter().map(|note| Level::NOTE.message(note.as_str()));
    renderer().render(&[group.elements(notes)])
}

/// What could not be read: the place, the piece of text, what was expected, and a hint.
pub(crate) fn read_error(name: &str, error: &ReadError) -> String {
    let position = error.position();
    let line = at(position.line());
    let mut group = Group::with_title(Level::ERROR.primary_title(error.message()));
    if let Some(text) = error.text() {
        let snippet = Snippet::source(text).line_start(line).annotation(AnnotationKind::Primary.span(span(
            text,
            at(error.text_column()),
            at(error.length()),
        )));
        if error.text_column() == position.column() {
            group = group.element(snippet.path(name));
        } else {
            // Of a long line a part is shown, which cannot tell its own place.
            group = group.element(Origin::path(name).line(line).char_column(at(position.column()))).element(snippet);
        }
    } else {
        group = group.element(Origin::path(name).line(line).char_column(at(position.column())));
    }
    let help = error.hint().map(|hint| Level::HELP.message(hint));
    renderer().render(&[group.elements(help)])
}

fn at(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// The bytes of a piece of text that starts at a column, counted in characters from 1.
fn span(text: &str, column: usize, length: usize) -> Range<usize> {
    let place = |index: usize| text.char_indices().nth(index).map_or(text.len(), |(at, _)| at);
    let from = place(column.saturating_sub(1));
    from..place((column.saturating_sub(1)).saturating_add(length.min(LONGEST_MARK))).max(from)
}
