//! Races Ninefold's `bitboard` engine against other Sudoku solvers, and checks that all of them give the same answers.
//!
//! ```text
//! cargo run --release -- generate minimal --count 20000 > minimal.txt
//! cargo run --release -- race minimal.txt --question count2
//! ```
//!
//! All engines run in one process, pass by pass in rotating order, so that a change of clock speed hits all of them alike. Before
//! anything is timed, every engine answers every puzzle once and the answers are compared.

mod engines;
mod generate;
#[cfg(feature = "tdoku")]
mod tdoku;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand, ValueEnum};
use engines::{Engine, Question};

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Race the engines on files of puzzles, one 81-character line each (`.` or `0` for blanks; the rest of a line is ignored)
    Race(Race),
    /// Write puzzles made from a seed, one a line
    Generate(Generate),
    /// List the engines
    Engines,
}

#[derive(Args)]
struct Race {
    /// Files of puzzles
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// What to ask (repeatable)
    #[arg(long, value_enum, default_values = ["solve", "count2"])]
    question: Vec<Question>,
    /// Engines to run (comma separated); all but the slow ones if not given
    #[arg(long, value_delimiter = ',')]
    engines: Vec<String>,
    /// Run the slow engines too, on the first puzzles of each file only
    #[arg(long, value_name = "PUZZLES", num_args = 0..=1, default_missing_value = "200")]
    slow: Option<usize>,
    /// Include reading the puzzle from its line in the time
    #[arg(long)]
    parse: bool,
    /// Timed passes for each engine
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    repetitions: u32,
    /// Repeat the file within a pass until it takes this long
    #[arg(long, value_name = "MS", default_value_t = 50)]
    min_pass: u64,
    /// Only the first puzzles of each file
    #[arg(long, value_name = "PUZZLES")]
    first: Option<usize>,
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Args)]
struct Generate {
    #[arg(value_enum)]
    kind: generate::Kind,
    #[arg(long, default_value_t = 10_000)]
    count: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    /// One row a file and question: nanoseconds a puzzle and ratio to the best peer for each of Ninefold's engines
    Summary,
    /// One object an engine, question and file
    Json,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Race(race) => run_race(&race),
        Command::Generate(options) => generate::write(options.kind, options.count, options.seed, &mut std::io::stdout().lock())
            .map_err(|error| format!("cannot write the puzzles: {error}")),
        Command::Engines => {
            for engine in engines::all() {
                println!("{}{}", engine.name(), if engine.is_slow() { " (slow)" } else { "" });
            }
            Ok(())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The 81-character puzzles of a file.
fn read(file: &Path, first: Option<usize>) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let puzzle = line.get(..81).filter(|p| p.bytes().all(|b| b == b'.' || b.is_ascii_digit()));
        lines.push(puzzle.ok_or(format!("{}:{}: not 81 digits or dots", file.display(), number + 1))?.replace('0', "."));
        if first == Some(lines.len()) {
            break;
        }
    }
    if lines.is_empty() { Err(format!("{}: no puzzles", file.display())) } else { Ok(lines) }
}

/// What was measured for one engine.
struct Row {
    name: String,
    puzzles: usize,
    /// Nanoseconds a puzzle, one entry a repetition, sorted.
    times: Vec<f64>,
    guesses: Option<f64>,
}

impl Row {
    fn median(&self) -> f64 {
        self.times[self.times.len() / 2]
    }
}

fn run_race(race: &Race) -> Result<(), String> {
    let mut engines = engines::all();
    let known: Vec<String> = engines.iter().map(|e| e.name().to_owned()).collect();
    if let Some(name) = race.engines.iter().find(|name| !known.contains(name)) {
        return Err(format!("no engine `{name}`; there are: {}", known.join(", ")));
    }
    engines.retain(|engine| {
        if race.engines.is_empty() {
            !engine.is_variant() && (race.slow.is_some() || !engine.is_slow())
        } else {
            race.engines.iter().any(|name| name == engine.name())
        }
    });
    if race.format == Format::Summary {
        print_summary_header(&engines);
    }
    for file in &race.files {
        let lines = read(file, race.first)?;
        for engine in &mut engines {
            let n = if engine.is_slow() { race.slow.unwrap_or(200).min(lines.len()) } else { lines.len() };
            engine.prepare(&lines[..n]);
        }
        for &question in &race.question {
            check(&mut engines, &lines, question)?;
            let rows = measure(&mut engines, question, race);
            report(file, &lines, question, &rows, race);
        }
    }
    Ok(())
}

/// Every engine answers every puzzle; all answers must be right as far as can be told, and agree.
fn check(engines: &mut [Box<dyn Engine>], lines: &[String], question: Question) -> Result<(), String> {
    for (i, line) in lines.iter().enumerate() {
        let mut expected: Option<(u64, String)> = None;
        for engine in engines.iter_mut().filter(|engine| i < engine.puzzles()) {
            if question == Question::All && !engine.counts_all() {
                continue;
            }
            let answer = engine.answer(i, question);
            if let Some(grid) = answer.grid
                && !is_solution(&grid, line.as_bytes())
            {
                return Err(format!("{} gave a wrong solution of {line}", engine.name()));
            }
            match &expected {
                None => expected = Some((answer.solutions, engine.name().to_owned())),
                Some((solutions, name)) if *solutions != answer.solutions => {
                    return Err(format!(
                        "{line}: {name} found {solutions} solutions, {} found {}",
                        engine.name(),
                        answer.solutions
                    ));
                }
                Some(_) => {}
            }
        }
    }
    Ok(())
}

fn is_solution(grid: &[u8; 81], puzzle: &[u8]) -> bool {
    let mut seen = [0u16; 27];
    for cell in 0..81 {
        let digit = grid[cell];
        if !(1..=9).contains(&digit) || (puzzle[cell] != b'.' && puzzle[cell] - b'0' != digit) {
            return false;
        }
        let (row, column) = (cell / 9, cell % 9);
        for house in [row, 9 + column, 18 + row / 3 * 3 + column / 3] {
            seen[house] |= 1 << digit;
        }
    }
    seen.iter().all(|&digits| digits == 0x3FE)
}

fn measure(engines: &mut [Box<dyn Engine>], question: Question, race: &Race) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut active: Vec<&mut Box<dyn Engine>> =
        engines.iter_mut().filter(|engine| question != Question::All || engine.counts_all()).collect();
    let mut rounds = Vec::new();
    for engine in &mut active {
        let start = Instant::now();
        engine.pass(question, race.parse);
        let wanted = Duration::from_millis(race.min_pass).as_secs_f64() / start.elapsed().as_secs_f64();
        rounds.push(wanted.ceil().max(1.0) as u32);
        rows.push(Row {
            name: engine.name().to_owned(),
            puzzles: engine.puzzles(),
            times: Vec::new(),
            guesses: engine.guesses(question),
        });
    }
    let n = active.len();
    for repetition in 0..race.repetitions as usize {
        for k in 0..n {
            let i = (k + repetition) % n;
            let start = Instant::now();
            for _ in 0..rounds[i] {
                engines::keep(active[i].pass(question, race.parse));
            }
            let nanos = start.elapsed().as_secs_f64() * 1e9;
            let row = &mut rows[i];
            row.times.push(nanos / f64::from(rounds[i]) / row.puzzles as f64);
        }
    }
    for row in &mut rows {
        row.times.sort_by(f64::total_cmp);
    }
    rows
}

fn report(file: &Path, lines: &[String], question: Question, rows: &[Row], race: &Race) {
    let set = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    let peer = rows.iter().filter(|row| !row.name.starts_with("bitboard")).min_by(|a, b| a.median().total_cmp(&b.median()));
    if race.format == Format::Table {
        println!("\n{set}: {} puzzles, {}{}", lines.len(), question.name(), if race.parse { ", reading included" } else { "" });
        println!(
            "| engine | puzzles/s | ns a puzzle (min–max) | guesses a puzzle | ratio to the best peer |\n|---|---|---|---|---|"
        );
    }
    if race.format == Format::Summary {
        return summarize(&set, lines.len(), question, rows, peer);
    }
    for row in rows {
        let ratio = peer.map(|peer| peer.median() / row.median());
        let (median, min, max) = (row.median(), row.times[0], row.times[row.times.len() - 1]);
        match race.format {
            Format::Table => println!(
                "| {} | {:.0} | {median:.0} ({min:.0}–{max:.0}) | {} | {} |",
                row.name,
                1e9 / median,
                row.guesses.map_or("–".to_owned(), |guesses| format!("{guesses:.2}")),
                ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.2}")),
            ),
            Format::Summary => {}
            Format::Json => println!(
                "{}",
                serde_json::json!({
                    "set": set, "question": question.name(), "reading_included": race.parse, "engine": row.name, "puzzles": row.puzzles,
                    "puzzles_per_second": 1e9 / median, "ns": median, "ns_min": min, "ns_max": max,
                    "guesses": row.guesses, "best_peer": peer.map(|p| &p.name), "ratio_to_best_peer": ratio,
                })
            ),
        }
    }
}

/// The header is printed above the first row alone, by `run_race`.
fn summarize(set: &str, puzzles: usize, question: Question, rows: &[Row], peer: Option<&Row>) {
    let mut cells = vec![set.trim_end_matches(".txt").to_owned(), puzzles.to_string(), question.name().to_owned()];
    for row in own(rows) {
        let ratio = peer.map_or("–".to_owned(), |peer| format!("{:.2}", peer.median() / row.median()));
        cells.push(format!("{:.0} ({ratio})", row.median()));
    }
    let guesses = own(rows).find_map(|row| row.guesses);
    cells.push(guesses.map_or("–".to_owned(), |guesses| format!("{guesses:.2}")));
    cells.push(peer.map_or("–".to_owned(), |peer| format!("{} {:.0}", peer.name, peer.median())));
    println!("| {} |", cells.join(" | "));
}

fn own(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.name.starts_with("bitboard"))
}

fn print_summary_header(engines: &[Box<dyn Engine>]) {
    let names = engines.iter().map(|engine| engine.name()).filter(|name| name.starts_with("bitboard"));
    let cells: Vec<&str> = ["set", "puzzles", "question"].into_iter().chain(names).chain(["guesses", "best peer, ns"]).collect();
    println!("| {} |\n|{}", cells.join(" | "), "---|".repeat(cells.len()));
}
