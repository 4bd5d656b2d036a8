//! What the tests and the benches share: named puzzles and sets of puzzles, each with its truth.
//!
//! The data lie in `tests/data`: `named.jsonl`, famous puzzles and small cases with a name; `sets/*.jsonl`, generated from fixed seeds by
//! `cargo run --release -p ninefold-tests --example make_sets`. A line is a JSON object as every command of the program reads and writes
//! it: the puzzle, its rules where they are not the classic ones, how many solutions it has (`"exact":false` where that is a lower
//! bound), the solution if there is only one, its name and a comment. So `ninefold race tests/data/sets` and whoever else takes a file
//! or a folder runs on the same puzzles.

pub mod certificates;
pub mod lrat;

use ninefold::Puzzle;
use ninefold_formats::{Format, Options};

/// A puzzle with its truth.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name, unique in its file.
    pub name: String,
    /// What is said about it besides.
    pub comment: Option<String>,
    /// How many solutions it has, or at least has where `exact` is off.
    pub count: u64,
    /// Whether `count` is the whole truth.
    pub exact: bool,
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The solution, where there is one and it is stated.
    pub solution: Option<String>,
}

/// The sets that exist, with their text. A set is added by naming it here and in `make_sets`.
const SETS: &[(&str, &str)] = &[
    ("easy", include_str!("../data/sets/easy.jsonl")),
    ("many-givens", include_str!("../data/sets/many-givens.jsonl")),
    ("minimal", include_str!("../data/sets/minimal.jsonl")),
    ("sparse", include_str!("../data/sets/sparse.jsonl")),
    ("symmetric", include_str!("../data/sets/symmetric.jsonl")),
    ("multiple", include_str!("../data/sets/multiple.jsonl")),
    ("none", include_str!("../data/sets/none.jsonl")),
    ("4x4", include_str!("../data/sets/4x4.jsonl")),
    ("6x6", include_str!("../data/sets/6x6.jsonl")),
    ("8x8", include_str!("../data/sets/8x8.jsonl")),
    ("12x12", include_str!("../data/sets/12x12.jsonl")),
    ("16x16", include_str!("../data/sets/16x16.jsonl")),
    ("25x25", include_str!("../data/sets/25x25.jsonl")),
    ("jigsaw", include_str!("../data/sets/jigsaw.jsonl")),
    ("variants", include_str!("../data/sets/variants.jsonl")),
    ("hard-for-all", include_str!("../data/sets/hard-for-all.jsonl")),
    ("hard-for-backtracking", include_str!("../data/sets/hard-for-backtracking.jsonl")),
    ("hard-for-state-array", include_str!("../data/sets/hard-for-state-array.jsonl")),
    ("hard-for-propagation", include_str!("../data/sets/hard-for-propagation.jsonl")),
    ("hard-for-dlx", include_str!("../data/sets/hard-for-dlx.jsonl")),
    ("hard-for-sat", include_str!("../data/sets/hard-for-sat.jsonl")),
    ("hard-for-bitboard", include_str!("../data/sets/hard-for-bitboard.jsonl")),
];

/// The names of the sets.
pub fn set_names() -> impl Iterator<Item = &'static str> {
    SETS.iter().map(|(name, _)| *name)
}

/// A set by its name.
///
/// # Panics
/// Where there is no such set, or its file is broken.
pub fn set(name: &str) -> Vec<Entry> {
    let (_, text) = SETS.iter().find(|(set, _)| *set == name).unwrap_or_else(|| panic!("there is no set `{name}`"));
    read(text)
}

/// The famous puzzles and named cases.
pub fn named() -> Vec<Entry> {
    read(include_str!("../data/named.jsonl"))
}

/// Reads entries.
///
/// # Panics
/// With the line where one is broken: the files are the project's own.
pub fn read(text: &str) -> Vec<Entry> {
    let entries = ninefold_formats::read(text.as_bytes(), &Options::new().format(Format::JsonLines));
    entries
        .map(|entry| entry.map_err(Into::into).and_then(|entry| truth(&entry)).unwrap_or_else(|error| panic!("{error}")))
        .collect()
}

fn truth(read: &ninefold_formats::Entry) -> Result<Entry, Box<dyn std::error::Error>> {
    let line = read.position().line();
    let count = read.count().ok_or_else(|| format!("line {line}: no count of solutions"))?;
    Ok(Entry {
        name: read.name().ok_or_else(|| format!("line {line}: no name"))?.to_owned(),
        comment: read.comment().map(str::to_owned),
        count: count.found,
        exact: count.exact,
        puzzle: read.puzzle()?,
        solution: read.solution().map(ToString::to_string),
    })
}
