//! A chunk yields what the reader itself would have yielded.

use std::io::Read;

use ninefold_formats::{Chunk, Entry, Format, Options, ReadError, Reader, Symbols, read};
use proptest::prelude::*;

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// An input that gives some bytes at a time.
struct Drops<'a>(&'a [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

/// All entries by way of chunks, and how many of the chunks' items were no entries.
fn by_chunks(text: &[u8], options: &Options, drop: usize, max: usize) -> (Vec<Result<Entry, ReadError>>, usize) {
    let mut reader = Reader::new(Drops(text, drop), options.clone());
    let mut chunk = Chunk::default();
    let mut entries = Vec::new();
    let mut items = 0;
    while reader.read_chunk(max, &mut chunk) {
        assert!(chunk.len() <= max);
        items += chunk.len();
        entries.extend(chunk.entries());
        assert!(chunk.is_empty());
    }
    let skipped = items - entries.len();
    (entries, skipped)
}

/// Errors are compared by what they say.
fn told(entries: impl IntoIterator<Item = Result<Entry, ReadError>>) -> Vec<Result<Entry, String>> {
    entries.into_iter().map(|entry| entry.map_err(|error| format!("{error:?}"))).collect()
}

/// A line of a file: good, with notes, bad, empty, of another kind.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => Just(PUZZLE.to_owned()),
        2 => Just(format!("{PUZZLE} # easy")),
        2 => Just(format!("{PUZZLE},{SOLUTION}")),
        2 => Just(format!("{PUZZLE}:1:{SOLUTION}")),
        1 => Just(format!("# {}", "x".repeat(79))),
        1 => Just(String::new()),
        1 => Just("  ".to_owned()),
        1 => Just(format!("Title {}", "word ".repeat(15))),
        1 => Just(PUZZLE.replace('9', "x")),
        1 => Just(PUZZLE[1..].to_owned()),
        1 => Just("12..34..........".to_owned()),
        1 => Just(format!(":0000:x:{PUZZLE}:::")),
        1 => "[ -~é\u{0}]{0,100}",
    ]
}

proptest! {
    #[test]
    fn chunks_yield_what_the_reader_yields(
        lines in prop::collection::vec((line(), prop::bool::ANY), 0..30),
        drop in 1..500usize,
        max in 1..12usize,
        lenient: bool,
    ) {
        let text: String = lines.iter().map(|(line, returned)| format!("{line}{}", if *returned { "\r\n" } else { "\n" })).collect();
        let options = Options::new().lenient(lenient);
        let (entries, _) = by_chunks(text.as_bytes(), &options, drop, max);
        prop_assert_eq!(told(entries), told(read(text.as_bytes(), &options)));
    }
}

proptest! {
    #[test]
    fn plain_lines_are_the_entries_with_nothing_but_a_board(
        lines in prop::collection::vec((line(), prop::bool::ANY), 0..30),
        drop in 1..500usize,
        max in 1..12usize,
        lenient: bool,
    ) {
        let text: String = lines.iter().map(|(line, returned)| format!("{line}{}", if *returned { "\r\n" } else { "\n" })).collect();
        let options = Options::new().lenient(lenient);
        let mut expected = read(text.as_bytes(), &options);
        let mut reader = Reader::new(Drops(text.as_bytes(), drop), options.clone());
        let mut chunk = Chunk::default();
        while reader.read_chunk(max, &mut chunk) {
            let mut entries = chunk.entries();
            loop {
                if let Some((line, board)) = entries.next_plain() {
                    let entry = expected.next().unwrap().unwrap();
                    prop_assert_eq!((entry.position().line(), entry.board()), (line, &board));
                    prop_assert!(entry.name().or(entry.comment()).or(entry.rating()).is_none());
                    prop_assert!(entry.count().is_none() && entry.solution().is_none() && entry.restrictions().is_none());
                } else if let Some(entry) = entries.next() {
                    prop_assert_eq!(told([entry]), told(expected.next()));
                } else {
                    break;
                }
            }
        }
        prop_assert!(expected.next().is_none());
    }
}

#[test]
fn plain_lines_are_taken_as_such() {
    let text = format!("{PUZZLE}\n").repeat(5);
    let mut reader = Reader::new(text.as_bytes(), Options::new());
    let mut chunk = Chunk::default();
    assert!(reader.read_chunk(9, &mut chunk));
    let mut entries = chunk.entries();
    // The first was read by the reader, to find the format out.
    assert!(entries.next_plain().is_none() && entries.next().is_some());
    // Lines come behind it, and the first of them is looked up with the iterator.
    assert!(entries.next().is_some());
    let plain: Vec<u64> = std::iter::from_fn(|| entries.next_plain()).map(|(line, _)| line).collect();
    assert_eq!(plain, [3, 4, 5]);
}

#[test]
fn lines_are_left_to_the_chunk_only_where_the_format_has_one_puzzle_a_line() {
    let text = format!("{PUZZLE}\n# comment\n").repeat(5);
    assert_eq!(by_chunks(text.as_bytes(), &Options::new(), 1000, 100).1, 5, "comments after the first puzzle are found out late");
    let grid = "12..\n34..\n....\n....\n\n".repeat(3);
    let (entries, late) = by_chunks(grid.as_bytes(), &Options::new(), 1000, 100);
    assert_eq!((entries.len(), late), (3, 0));
}

#[test]
fn symbols_of_the_options_hold_in_a_chunk() {
    let text = "0.............1.\n".repeat(4);
    let options = Options::new().format(Format::Line).symbols(Symbols::FromZero);
    let (entries, _) = by_chunks(text.as_bytes(), &options, 1000, 3);
    assert_eq!(told(entries), told(read(text.as_bytes(), &options)));
}

#[test]
fn a_chunk_of_one_reader_takes_no_lines_of_another() {
    let text = format!("{PUZZLE}\n").repeat(3);
    let strict = Options::new();
    let mut first = Reader::new(text.as_bytes(), strict.clone());
    let mut second = Reader::new(text.as_bytes(), strict.lenient(true));
    let mut chunk = Chunk::default();
    assert!(first.next().is_some() && second.next().is_some());
    assert_eq!(first.take_lines(1, &mut chunk), 1);
    assert_eq!(second.take_lines(10, &mut chunk), 0);
    assert_eq!(chunk.entries().count(), 1);
    assert_eq!(second.take_lines(10, &mut chunk), 2);
}

#[test]
fn chunks_of_long_lines_stay_small() {
    let long = format!("{PUZZLE} # {}\n", "x".repeat(100_000)).repeat(50);
    let mut reader = Reader::new(long.as_bytes(), Options::new());
    let mut chunk = Chunk::default();
    let mut entries = 0;
    while reader.read_chunk(1000, &mut chunk) {
        assert!(chunk.len() <= 4, "{}", chunk.len());
        entries += chunk.entries().flatten().count();
    }
    assert_eq!(entries, 50);
}
