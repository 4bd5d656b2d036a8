//! What a race costs beside the searches: its sum for one strategy against a bare loop over the same puzzles.
//!
//! ```text
//! cargo run --release -p ninefold-race --example overhead -- FILE [STRATEGY]
//! ```
//!
//! Both are run in turn, and the best of each counts. Of a race that is, for each block of puzzles, the best of five rounds; so the bare loop goes
//! over the same blocks as often.

use std::fs::File;
use std::hint::black_box;
use std::time::{Duration, Instant};

use ninefold::{Limits, Puzzle};
use ninefold_formats::{Options, Reader};
use ninefold_race::{Entry, Question, Race, Set};

const TRIES: usize = 4;
const ROUNDS: usize = 5;
const BLOCK: usize = 64;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args_os().skip(1);
    let file = File::open(args.next().ok_or("name a file of puzzles")?)?;
    let name = args.next().map_or_else(|| "bitboard".into(), |name| name.to_string_lossy().into_owned());
    let strategy = ninefold::by_name(&name).ok_or("there is no such strategy")?;
    let puzzles: Vec<Puzzle> =
        Reader::new(file, Options::new()).map(|entry| Ok(entry?.puzzle()?)).collect::<Result<_, Box<dyn std::error::Error>>>()?;
    let entries = puzzles.iter().map(|puzzle| Entry { name: String::new(), puzzle: puzzle.clone(), known: None });
    let sets = [Set { name: "set".into(), entries: entries.collect() }];

    let mut race = Race::new(vec![strategy]);
    race.repeat = ROUNDS as u32;
    let mut best = [Duration::MAX; 2];
    for _ in 0..TRIES {
        let report = race.run(&sets, &mut |_| ());
        best[0] = best[0].min(report.rows(&report.sets[0])[0].time);
        let mut solver = (strategy.build)();
        let mut blocks = vec![Duration::MAX; puzzles.len().div_ceil(BLOCK)];
        for _ in 0..ROUNDS {
            for (block, best) in puzzles.chunks(BLOCK).zip(&mut blocks) {
                let start = Instant::now();
                for puzzle in block {
                    let _ = black_box(solver.count(black_box(puzzle), Question::Count.cap(), &Limits::none()));
                }
                *best = start.elapsed().min(*best);
            }
        }
        best[1] = best[1].min(blocks.iter().sum());
    }
    let [raced, bare] = best.map(|time| time.as_nanos() as f64 / puzzles.len().max(1) as f64);
    println!(
        "{name}, {} puzzles: {raced:.1} ns a puzzle raced, {bare:.1} ns bare, {:+.2} %",
        puzzles.len(),
        (raced / bare - 1.0) * 100.0
    );
    Ok(())
}
