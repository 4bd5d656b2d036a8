//! The sets: the embedded ones, or one for each file.

use std::io::Write;
use std::path::Path;

use ninefold_formats::{Count, Entry as Read, Format, Options, ReadError};
use ninefold_race::{Answer, Entry, Known, Set};

use crate::args::InputArgs;
use crate::input;
use crate::report;
use crate::status::Stop;

/// The embedded sets, with what is known of each puzzle. `examples/race_set.rs` made them.
const EMBEDDED: &[(&str, &[u8])] = &[
    ("easy", include_bytes!("../../data/race/easy.jsonl")),
    ("minimal", include_bytes!("../../data/race/minimal.jsonl")),
    ("famous", include_bytes!("../../data/race/famous.jsonl")),
    ("special", include_bytes!("../../data/race/special.jsonl")),
    ("sizes", include_bytes!("../../data/race/sizes.jsonl")),
];

/// The set of all puzzles that are given as text.
const ARGUMENTS: &str = "command line";

/// The sets, and how many entries are no puzzles. Those are reported.
pub(super) fn sets(args: &InputArgs) -> Result<(Vec<Set>, usize), Stop> {
    let mut loader = Loader::default();
    if args.inputs.is_empty() {
        let options = Options::new().format(Format::JsonLines);
        for (name, bytes) in EMBEDDED {
            ninefold_formats::read(bytes, &options).for_each(|entry| loader.add(name, name, entry));
        }
    }
    for input in &args.inputs {
        match input::read_all(input, &args.options()) {
            Ok(entries) => entries.into_iter().for_each(|(source, entry)| {
                let set = if source.starts_with("<argument") { ARGUMENTS } else { &source };
                loader.add(set, &source, entry);
            }),
            Err(reason) => loader.refuse(&report::plain_error(&reason)),
        }
    }
    shorten(&mut loader.sets);
    Ok((loader.sets, loader.refused))
}

#[derive(Default)]
struct Loader {
    sets: Vec<Set>,
    refused: usize,
}

impl Loader {
    fn refuse(&mut self, report: &str) {
        self.refused += 1;
        let _ = writeln!(anstream::stderr(), "{report}");
    }

    fn add(&mut self, set: &str, source: &str, entry: Result<Read, ReadError>) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return self.refuse(&report::read_error(source, &error)),
        };
        let line = entry.position().line();
        let puzzle = match entry.puzzle() {
            Ok(puzzle) => puzzle,
            Err(error) => return self.refuse(&report::place_error(source, line, &format!("no puzzle: {error}"), &[])),
        };
        let name = entry.name().map_or_else(|| format!("{source}:{line}"), input::printable);
        let entry = Entry { name, puzzle, known: known(&entry) };
        // A file comes in one piece, so its set is the last one; texts may stand between files.
        match self.sets.iter_mut().rev().find(|known| known.name == set) {
            Some(known) => known.entries.push(entry),
            None => self.sets.push(Set { name: set.into(), entries: vec![entry] }),
        }
    }
}

/// What a text says, as far as it settles the answer.
fn known(entry: &Read) -> Option<Known> {
    let answer = match entry.count()? {
        Count { found: 0, exact: true } => Answer::Unsolvable,
        Count { found: 1, exact: true } => Answer::Unique,
        Count { found: 2.., .. } => Answer::Multiple,
        _ => return None,
    };
    Some(Known { answer, solution: entry.solution().filter(|_| answer == Answer::Unique).cloned() })
}

/// Files are called by their names without folder and ending, as long as that tells them apart.
fn shorten(sets: &mut [Set]) {
    let stem = |set: &Set| {
        let name = Path::new(&set.name).file_name().unwrap_or(set.name.as_ref()).to_string_lossy().into_owned();
        name.split_once('.').map_or(name.clone(), |(stem, _)| stem.to_owned())
    };
    let stems: Vec<String> = sets.iter().map(stem).collect();
    for (i, set) in sets.iter_mut().enumerate() {
        if !stems[i].is_empty() && stems.iter().filter(|other| **other == stems[i]).count() == 1 {
            set.name.clone_from(&stems[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_where_they_stay_apart() {
        let set = |name: &str| Set { name: name.into(), entries: Vec::new() };
        let mut sets = ["a/one.txt", "a/two.txt.gz", "b/two.csv", "<stdin>", "/x/.hidden"].map(set);
        shorten(&mut sets);
        assert_eq!(sets.map(|set| set.name), ["one", "a/two.txt.gz", "b/two.csv", "<stdin>", "/x/.hidden"]);
    }
}
