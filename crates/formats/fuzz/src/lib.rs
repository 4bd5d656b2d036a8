//! What every text must keep, whatever bytes it is of.

use ninefold_core::Rules;
use ninefold_formats::{Chunk, Format, Options, Reader, Symbols, write};

/// Reads a text to its end, and checks what was found: each thing has its place in order, each error can be shown, each puzzle
/// reads back as itself from every format that can express it, and chunks yield the same.
pub fn check(text: &[u8], options: &Options) {
    let mut entries = 0;
    let mut reader = Reader::new(text, options.clone());
    let mut chunk = Chunk::default();
    let mut direct = Reader::new(text, options.clone());
    while reader.read_chunk(1 + text.len() % 7, &mut chunk) {
        let mut entries = chunk.entries();
        loop {
            if let Some((line, board)) = entries.next_plain() {
                let same = direct.next().expect("as many entries").expect("a board");
                assert_eq!((line, &board), (same.position().line(), same.board()));
                continue;
            }
            let Some(entry) = entries.next() else { break };
            let same = direct.next().expect("as many entries");
            assert_eq!(entry.map_err(|error| format!("{error:?}")), same.map_err(|error| format!("{error:?}")));
        }
    }
    assert!(direct.next().is_none());
    for entry in Reader::new(text, options.clone()) {
        entries += 1;
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                assert!(error.position().line() >= 1 && error.position().column() >= 1);
                assert!(!error.to_string().is_empty() && !error.to_string().contains('\n'));
                if let Some(shown) = error.text() {
                    assert!(!shown.contains('\n'));
                    let column = usize::try_from(error.text_column()).unwrap();
                    assert!(column <= shown.chars().count() + 2, "{error:?}");
                }
                continue;
            }
        };
        let _ = entry.puzzle();
        // The first of a text stands for all, and three formats for the others: writing takes longer than reading.
        if entries > 1 {
            continue;
        }
        for &format in Format::ALL.iter().cycle().skip(text.len() % Format::ALL.len()).take(3) {
            let Ok(text) = write(format, [entry.record()]) else { continue };
            let mut options = Options::new().format(format).symbols(Symbols::FromOne);
            if !matches!(format, Format::Jigsaw | Format::JigsawLine) {
                options = options.rules(entry.board().rules().clone());
            }
            let again: Vec<_> = Reader::new(&text[..], options).collect();
            assert_eq!(again.len(), 1, "{format}: {}", String::from_utf8_lossy(&text));
            let again = again[0].as_ref().unwrap_or_else(|error| panic!("{format}: {error}: {}", String::from_utf8_lossy(&text)));
            assert_eq!(again.board(), entry.board(), "{format}");
        }
    }
}

/// Options by the first byte of an input: rules, symbols, leniency.
pub fn options(byte: u8) -> Options {
    let options = match byte & 3 {
        0 | 1 => Options::new(),
        2 => Options::new().rules(Rules::blocks("2x2".parse().unwrap())),
        _ => Options::new().rules(Rules::blocks("2x3".parse().unwrap())),
    };
    let options = match byte >> 2 & 3 {
        1 => options.symbols(Symbols::FromZero),
        2 => options.symbols(Symbols::Letters),
        _ => options,
    };
    options.lenient(byte & 16 != 0)
}

/// Reads an input whose first byte makes the options and, modulo their count, chooses one of the formats.
pub fn check_formats(data: &[u8], formats: &[Format]) {
    let [first, second, text @ ..] = data else { return };
    let options = options(*first);
    match formats.get(usize::from(*second) % (formats.len() + 1)) {
        Some(&format) => check(text, &options.format(format)),
        None => check(text, &options),
    }
}
