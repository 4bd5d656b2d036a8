//! Writes certificates of every puzzle of a file in every way there is, checks them, and prints sizes and times.
//!
//! ```text
//! cargo run --release -p ninefold-tests --example certificates -- [--strategies NAMES] [--save DIR] FILE
//! cargo run --release -p ninefold-tests --example certificates -- --tamper N [--seed N] FILE
//! ```
//!
//! Lines of FILE begin with a puzzle; what follows a space, tab, comma or colon is passed over. `--save` keeps the formulas and proofs, for
//! other checkers. `--tamper` changes one thing in each of N certificates: all have to be refused, but for those that are still right.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ninefold::certify::{self, CertifyError, ProofFormat};
use ninefold::{Board, Claim, Limits, Puzzle, Solution};
use ninefold_testkit::Random;
use ninefold_tests::certificates::{Fate, TAMPERINGS, certificate, fate, tamper};
use ninefold_tests::lrat;
use ninefold_verify::verify;

/// What a certificate may take to be written.
const PATIENCE: Duration = Duration::from_secs(20);

/// Solutions counted at most.
const MOST: u64 = 1000;

#[derive(Default)]
struct Row {
    done: u64,
    gave_up: u64,
    splits: u64,
    own: u64,
    steps: u64,
    bytes: u64,
    largest: u64,
    writing: Duration,
    checking: Duration,
}

fn main() -> ExitCode {
    let mut strategies: Vec<String> = ninefold::strategies().iter().map(|strategy| strategy.name.into()).collect();
    let (mut save, mut tampered, mut seed, mut file) = (None, None, 1, None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--strategies" => strategies = args.next().unwrap_or_default().split(',').map(String::from).collect(),
            "--save" => save = args.next().map(PathBuf::from),
            "--tamper" => tampered = args.next().and_then(|count| count.parse().ok()),
            "--seed" => seed = args.next().and_then(|seed| seed.parse().ok()).unwrap_or(1),
            _ => file = Some(arg),
        }
    }
    let Some(text) = file.and_then(|file| fs::read_to_string(file).ok()) else {
        eprintln!("name a file of puzzles");
        return ExitCode::from(2);
    };
    let cases: Vec<(Puzzle, Vec<Solution>)> = text.lines().filter_map(case).collect();
    eprintln!("{} puzzles with at most {MOST} solutions", cases.len());
    match tampered {
        Some(count) => tamper_with(&cases, count, seed),
        None => measure(&cases, &strategies, save.as_deref()),
    }
}

/// A puzzle with its solutions; `None` where there are too many, or the line is no puzzle.
fn case(line: &str) -> Option<(Puzzle, Vec<Solution>)> {
    let text = line.split([' ', '\t', ',', ':']).next()?;
    let puzzle = Puzzle::new(text.parse::<Board>().ok()?).ok()?;
    let mut solver = (ninefold::auto(puzzle.rules())?.build)();
    let (solutions, outcome) = solver.solutions(&puzzle, MOST + 1, &Limits::none().with_time(PATIENCE));
    (outcome.is_exact()).then_some((puzzle, solutions))
}

fn measure(cases: &[(Puzzle, Vec<Solution>)], strategies: &[String], save: Option<&Path>) -> ExitCode {
    println!("| from | certificates | gave up | splits | of the writer | steps | bytes | largest | writing | checking |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut refused = 0;
    for name in strategies {
        let Some(strategy) = ninefold::by_name(name) else { continue };
        let mut row = Row::default();
        for (puzzle, solutions) in cases {
            let claim = Claim::of(solutions.len() as u64);
            let (mut text, begun) = (Vec::new(), Instant::now());
            let limits = Limits::none().with_time(PATIENCE);
            let tree = match certify::tree(&mut *(strategy.build)(), puzzle, claim, &limits, &mut text) {
                Ok(tree) => tree,
                Err(CertifyError::GaveUp(_) | CertifyError::Unsupported) => {
                    row.gave_up += 1;
                    continue;
                }
                Err(error) => panic!("{name}: {error} on {puzzle}"),
            };
            row.writing += begun.elapsed();
            let begun = Instant::now();
            let verified = verify(&text[..], Some(puzzle));
            row.checking += begun.elapsed();
            if !verified.is_ok_and(|verified| verified.claim == claim) {
                println!("refused: {name} on {puzzle}");
                refused += 1;
            }
            row.done += 1;
            row.splits += tree.splits;
            row.own += tree.own_splits;
            row.steps += tree.steps;
            row.bytes += tree.bytes;
            row.largest = row.largest.max(tree.bytes);
        }
        print(&format!("tree, `{name}`"), &row);
    }
    for format in [ProofFormat::Drat, ProofFormat::Lrat] {
        let ending = if format == ProofFormat::Drat { "drat" } else { "lrat" };
        let mut row = Row::default();
        for (i, (puzzle, solutions)) in cases.iter().enumerate() {
            let (mut cnf, mut proof) = (Vec::new(), Vec::new());
            let (begun, limits) = (Instant::now(), Limits::none().with_time(PATIENCE));
            match certify::formula(puzzle, solutions, format, &limits, &mut cnf, &mut proof) {
                Ok(formula) => {
                    row.writing += begun.elapsed();
                    row.done += 1;
                    row.steps += formula.lemmas;
                    if format == ProofFormat::Lrat {
                        let begun = Instant::now();
                        let (cnf, proof) = (String::from_utf8_lossy(&cnf), String::from_utf8_lossy(&proof));
                        if let Err(line) = lrat::check(&cnf, &proof) {
                            println!("refused: LRAT on {puzzle}: {line}");
                            refused += 1;
                        }
                        row.checking += begun.elapsed();
                    }
                    row.bytes += proof.len() as u64;
                    row.largest = row.largest.max(proof.len() as u64);
                }
                Err(CertifyError::GaveUp(_) | CertifyError::Unsupported) => {
                    row.gave_up += 1;
                    continue;
                }
                Err(error) => panic!("{ending}: {error} on {puzzle}"),
            }
            if let Some(dir) = save {
                fs::create_dir_all(dir).expect("the directory can be made");
                for (ending, bytes) in [("cnf", &cnf), (ending, &proof)] {
                    let file = File::create(dir.join(format!("{i}.{ending}"))).expect("the file can be made");
                    BufWriter::new(file).write_all(bytes).expect("the file can be written");
                }
            }
        }
        print(&format!("`{ending}`"), &row);
    }
    if refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The means of one row.
fn print(name: &str, row: &Row) {
    let mean = |sum: u64| sum.checked_div(row.done).unwrap_or(0);
    let micros = |time: Duration| time.as_micros().checked_div(row.done.into()).unwrap_or(0);
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {} µs | {} µs |",
        row.done,
        row.gave_up,
        mean(row.splits),
        mean(row.own),
        mean(row.steps),
        mean(row.bytes),
        row.largest,
        micros(row.writing),
        micros(row.checking)
    );
}

fn tamper_with(cases: &[(Puzzle, Vec<Solution>)], count: u64, seed: u64) -> ExitCode {
    let mut random = Random::new(seed);
    let strategies = ninefold::strategies();
    let (mut refused, mut right, mut wrong) = (0, 0, 0);
    let mut by_way: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    let mut unchanged = 0;
    while refused + right + wrong < count {
        let (puzzle, solutions) = &cases[random.below(cases.len())];
        let strategy = strategies[random.below(strategies.len())];
        // The plain backtrackers take seconds for some; any tree will do.
        let name =
            if strategy.name.contains("backtracking") || strategy.name == "state-array" { "propagation" } else { strategy.name };
        let Ok(text) = certificate(name, puzzle, Claim::of(solutions.len() as u64)) else { continue };
        for (way, name) in TAMPERINGS.into_iter().enumerate() {
            let tampered = tamper(&text, way, &mut random);
            if tampered == text.as_bytes() {
                unchanged += 1;
                continue;
            }
            let entry = by_way.entry(name).or_default();
            match fate(&tampered) {
                Fate::Refused(_) => {
                    refused += 1;
                    entry.0 += 1;
                }
                Fate::True(_) => {
                    right += 1;
                    entry.1 += 1;
                }
                Fate::False(verified) => {
                    wrong += 1;
                    println!("false and accepted: {} is {}", verified.board, verified.claim);
                    println!("{}", String::from_utf8_lossy(&tampered));
                }
            }
        }
    }
    println!(
        "{} certificates tampered with: {refused} refused, {right} still right, {wrong} false and accepted ({unchanged} came out unchanged)",
        refused + right + wrong
    );
    for (way, (refused, right)) in by_way {
        println!("{way}: {refused} refused, {right} still right");
    }
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
