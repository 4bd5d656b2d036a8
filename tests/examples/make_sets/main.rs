//! Writes the sets in `tests/data/sets`, the same ones every time, in a few minutes.
//!
//! ```text
//! cargo run --release -p ninefold-tests --example make_sets [-- SET …]
//! ```

mod pairs;
mod traps;

use std::error::Error;
use std::fs;
use std::path::Path;

use ninefold::{Digit, Limits, Puzzle, Rules, Solver, Verdict};
use ninefold_formats::{Count, Format, Record, Writer};
use ninefold_generator::{Generator, Random, Symmetry};

/// The seed of all sets but those that say otherwise.
const SEED: u64 = 9;

/// A puzzle and what is said about it.
#[derive(Debug)]
pub(crate) struct Item {
    /// The name; that of the set and a number where it has none.
    pub(crate) name: Option<String>,
    /// The puzzle.
    pub(crate) puzzle: Puzzle,
    /// A comment.
    pub(crate) comment: Option<String>,
}

impl Item {
    fn plain(puzzle: Puzzle) -> Item {
        Item { name: None, puzzle, comment: None }
    }
}

type Items = Result<Vec<Item>, Box<dyn Error>>;

/// Counts the solutions of each puzzle and writes the set.
fn write_set(name: &str, items: &[Item]) -> Result<(), Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sets").join(name).with_extension("jsonl");
    let mut writer = Writer::new(Vec::new(), Format::JsonLines);
    for (i, item) in items.iter().enumerate() {
        // Where the search for the fewest choices loses its way, learning does not.
        let quick = Limits::none().with_nodes(200_000);
        let outcome = strategy("propagation")?.count(&item.puzzle, 1000, &quick);
        let known = outcome.is_exact() || outcome.count() == 1000;
        let outcome = if known { outcome } else { strategy("sat")?.count(&item.puzzle, 1000, &Limits::none()) };
        let solution = outcome.solution().filter(|_| outcome.count() == 1).map(|solution| solution.board().clone());
        let number = format!("{name}-{}", i + 1);
        let mut record = Record::from(&item.puzzle);
        record.name = Some(item.name.as_deref().unwrap_or(&number));
        record.comment = item.comment.as_deref();
        record.count = Some(Count { found: outcome.count(), exact: outcome.is_exact() });
        record.solution = solution.as_ref();
        writer.write(&record)?;
    }
    let text = writer.finish()?;
    eprintln!("{name}: {} puzzles, {} bytes", items.len(), text.len());
    Ok(fs::write(path, text)?)
}

/// A fresh solver.
pub(crate) fn strategy(name: &str) -> Result<Box<dyn Solver>, Box<dyn Error>> {
    Ok((ninefold::by_name(name).ok_or_else(|| format!("strategy `{name}` is off"))?.build)())
}

fn blocks(shape: &str) -> Result<Rules, Box<dyn Error>> {
    Ok(Rules::blocks(shape.parse()?))
}

/// The first puzzles of a generator.
fn made(generator: &Generator, many: u64) -> Items {
    let made = (0..many).map(|index| Ok(Item::plain(generator.generate(index, &Limits::none())?.puzzle().clone())));
    made.collect()
}

/// Singles alone solve it: the solver does not guess.
fn easy() -> Items {
    let generator = Generator::new(Rules::classic(), SEED).givens(33);
    let mut solver = strategy("propagation")?;
    let mut items = Vec::new();
    for index in 0.. {
        let puzzle = generator.generate(index, &Limits::none())?.puzzle().clone();
        if solver.count(&puzzle, 2, &Limits::none()).counters().guesses() == Some(0) {
            items.push(Item::plain(puzzle));
        }
        if items.len() == 200 {
            break;
        }
    }
    Ok(items)
}

/// Minimal puzzles of every symmetry: no orbit can go.
fn symmetric() -> Items {
    let mut items = Vec::new();
    for symmetry in Symmetry::ALL.into_iter().filter(|symmetry| *symmetry != Symmetry::None) {
        for mut item in made(&Generator::new(Rules::classic(), SEED).minimal(true).symmetry(symmetry), 4)? {
            item.comment = Some(symmetry.to_string());
            items.push(item);
        }
    }
    Ok(items)
}

/// Minimal puzzles that have lost one to four givens.
fn multiple() -> Items {
    let mut random = Random::new(SEED, 12);
    let mut items = Vec::new();
    for item in made(&Generator::new(Rules::classic(), SEED + 1).minimal(true), 100)? {
        let mut board = item.puzzle.board().clone();
        for _ in 0..=random.below(4) {
            let givens: Vec<_> = board.givens().map(|(cell, _)| cell).collect();
            board.set(*random.pick(&givens).ok_or("no given is left")?, None);
        }
        items.push(Item::plain(Puzzle::new(board)?));
    }
    Ok(items)
}

/// Puzzles with a wrong digit that clashes with no given.
fn none() -> Items {
    let mut random = Random::new(SEED, 13);
    let mut solver = strategy("propagation")?;
    let mut items = Vec::new();
    for item in made(&Generator::new(Rules::classic(), SEED + 2).givens(25), 100)? {
        loop {
            let mut board = item.puzzle.board().clone();
            let blanks: Vec<_> = board.rules().cells().filter(|&cell| board.get(cell).is_none()).collect();
            board.set(*random.pick(&blanks).ok_or("no blank is left")?, Digit::new(random.below(9) as u8 + 1));
            let Ok(puzzle) = Puzzle::new(board) else { continue };
            if solver.classify(&puzzle, &Limits::none()) == Verdict::Unsolvable {
                items.push(Item::plain(puzzle));
                break;
            }
        }
    }
    Ok(items)
}

/// Boards of one side, in turn of each of these block shapes.
fn boards(shapes: &[&str], many: u64, with: impl Fn(Generator) -> Generator) -> Items {
    let mut items = Vec::new();
    for index in 0..many {
        let rules = blocks(shapes[index as usize % shapes.len()])?;
        let generator = with(Generator::new(&rules, SEED));
        items.push(Item::plain(generator.generate(index, &Limits::none())?.puzzle().clone()));
    }
    Ok(items)
}

fn jigsaw() -> Items {
    let mut items = Vec::new();
    for map in [
        "1122211322413554435544335",
        "333224333224111224155664155644155666",
        "111123333111222333112222236444555536445585566744588666744886699777788999777889999",
    ] {
        let rules = Rules::jigsaw(map.as_bytes())?;
        items.extend(made(&Generator::new(&rules, SEED).minimal(true), 5)?);
    }
    Ok(items)
}

/// Boards with what can be added to them: five of each.
fn variants() -> Items {
    let mut items = Vec::new();
    for name in [
        "3x3+diagonals",
        "3x3+windows",
        "3x3+centre-dots",
        "3x3+asterisk",
        "3x3+disjoint-groups",
        "3x3+anti-knight",
        "3x3+anti-king",
        "2x3+anti-knight",
        "latin:7+diagonals",
    ] {
        items.extend(made(&Generator::new(&name.parse()?, SEED).minimal(true), 5)?);
    }
    Ok(items)
}

fn main() -> Result<(), Box<dyn Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let classic = || Generator::new(Rules::classic(), SEED);
    let sets: [(&str, &dyn Fn() -> Items); 15] = [
        ("easy", &easy),
        ("many-givens", &|| made(&classic().givens(50), 60)),
        ("minimal", &|| made(&classic().minimal(true), 200)),
        ("sparse", &|| made(&classic().givens(19).attempts(u32::MAX), 40)),
        ("symmetric", &symmetric),
        ("multiple", &multiple),
        ("none", &none),
        ("4x4", &|| boards(&["2x2"], 20, |made| made.minimal(true))),
        ("6x6", &|| boards(&["2x3", "3x2"], 20, |made| made.minimal(true))),
        ("8x8", &|| boards(&["2x4", "4x2"], 10, |made| made.minimal(true))),
        ("12x12", &|| boards(&["3x4", "2x6"], 10, |made| made.givens(60))),
        ("16x16", &|| boards(&["4x4"], 10, |made| made.givens(112))),
        ("25x25", &|| boards(&["5x5"], 4, |made| made.givens(320))),
        ("jigsaw", &jigsaw),
        ("variants", &variants),
    ];
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    for (name, make) in sets {
        if is_wanted(name) {
            write_set(name, &make()?)?;
        }
    }
    if is_wanted("hard-for-all") {
        write_set("hard-for-all", &pairs::hard_for_all()?)?;
    }
    // The table of docs/GENERATOR.md.
    let names: Vec<&str> = pairs::strategies().iter().map(|strategy| strategy.name).collect();
    println!("| hard for \\ easy for | `{}` |\n|---|{}", names.join("` | `"), "---|".repeat(names.len()));
    for hard in pairs::strategies() {
        let name = format!("hard-for-{}", hard.name);
        if is_wanted(&name) {
            let items = pairs::hard_for(hard)?;
            write_set(&name, &items)?;
            println!(
                "| `{}` | {} |",
                hard.name,
                names.iter().map(|easy| pairs::ratio(&items, easy)).collect::<Vec<_>>().join(" | ")
            );
        }
    }
    Ok(())
}
