//! `ninefold race`: the same puzzles for every strategy, every answer compared.
//!
//! Two parts. First every strategy answers every puzzle once, puzzle by puzzle, so that all meet the same state of the machine;
//! whoever begins changes from puzzle to puzzle. That gives the answers and the counters. Then the puzzles that all have answered are
//! timed in passes, one strategy after the other, whoever begins changing again; the best pass of each counts.

use std::ffi::OsString;
use std::io::Write;
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table};
use ninefold::{Board, CancelToken, Counter, Counters, End, Limits, Outcome, Puzzle, Solver, Strategy};
use ninefold_formats::{Count, Format, Options};
use serde::Serialize;

use crate::args::{AnswerFormat, RaceArgs};
use crate::batch;
use crate::input;
use crate::output::{Verdict, table};
use crate::progress::{Progress, grouped, time};
use crate::report;
use crate::status::{Done, Status, Stop};

/// The embedded puzzles, with what is known of each. `examples/race_set.rs` made them.
const EMBEDDED: &[u8] = include_bytes!("../data/race.jsonl");

/// Counts up to here: enough to tell whether there is no solution, one, or more.
const CAP: u64 = 2;

/// A puzzle of the race.
struct Course {
    label: String,
    puzzle: Puzzle,
    /// What its text says about its solutions.
    declared: Option<Known>,
}

/// What someone says about the solutions of a puzzle.
#[derive(Clone, PartialEq, Eq)]
struct Known {
    verdict: Verdict,
    /// The only solution.
    solution: Option<Board>,
}

/// One answer of one strategy.
struct Run {
    verdict: Verdict,
    solution: Option<Board>,
    time: Duration,
    counters: Counters,
}

impl Run {
    fn known(&self) -> Option<Known> {
        match self.verdict {
            Verdict::Unique => Some(Known { verdict: self.verdict, solution: self.solution.clone() }),
            Verdict::Multiple | Verdict::Unsolvable => Some(Known { verdict: self.verdict, solution: None }),
            _ => None,
        }
    }
}

struct Racer {
    strategy: &'static Strategy,
    solver: Box<dyn Solver>,
    runs: Vec<Run>,
    best_pass: Option<Duration>,
}

pub(crate) fn run(args: &RaceArgs) -> Done {
    let mut racers: Vec<Racer> = chosen(&args.strategies)?
        .into_iter()
        .map(|strategy| Racer { strategy, solver: (strategy.build)(), runs: Vec::new(), best_pass: None })
        .collect();
    let (courses, refused) = courses(&args.input.inputs, &args.input.options())?;
    if courses.is_empty() {
        return Err(Stop::Failed("there is no puzzle to race on".into()));
    }

    let cancel = batch::cancel_on_interrupt();
    let mut limits = Limits::none().with_time(args.time_per_puzzle).with_cancel(cancel.clone());
    limits = limits.with_deadline(ninefold::clock::now().plus(args.total_timeout));
    if let Some(nodes) = args.limit_nodes {
        limits = limits.with_nodes(nodes);
    }
    let mut progress = Progress::new(args.quiet, Some((courses.len() * racers.len()) as u64));
    answer_all(&mut racers, &courses, &limits, &cancel, &mut progress);
    let answered = racers.first().map_or(0, |racer| racer.runs.len());
    let common: Vec<usize> = (0..answered).filter(|&i| racers.iter().all(|racer| racer.runs[i].known().is_some())).collect();
    let begun = progress.elapsed();
    if !cancel.is_cancelled() {
        let until = args.total_timeout.saturating_sub(begun) / 2;
        time_passes(&mut racers, &courses, &common, args.rounds, until, &cancel, &mut progress);
    }
    progress.clear();

    let disagreements = disagreements(&racers, &courses[..answered]);
    let mut out = Vec::new();
    if args.puzzles {
        write_puzzles(args.format, &racers, &courses[..answered], &mut out);
    } else {
        write_strategies(args.format, &racers, &common, &mut out);
    }
    std::io::stdout().write_all(&out)?;

    let mut stderr = anstream::stderr();
    for disagreement in &disagreements {
        let _ = writeln!(stderr, "{}", report::plain_error(disagreement));
    }
    if !args.quiet {
        let agreement = match disagreements.len() {
            0 => "all answers agree".into(),
            n => format!("the answers to {n} disagree"),
        };
        let _ = writeln!(
            stderr,
            "{}{} puzzles, {} answered by all: {agreement}; {}",
            if cancel.is_cancelled() { "interrupted: " } else { "" },
            grouped(answered as u64),
            grouped(common.len() as u64),
            time(progress.elapsed())
        );
    }
    Ok(match (cancel.is_cancelled(), refused, disagreements.is_empty()) {
        (true, ..) => Status::Interrupted,
        (_, 1.., _) => Status::Error,
        (_, _, false) => Status::No,
        _ => Status::Yes,
    })
}

/// The strategies by the names that were given, each once, in the order of the registry.
fn chosen(names: &[String]) -> Result<Vec<&'static Strategy>, Stop> {
    let is_chosen = |strategy: &Strategy| {
        names.iter().any(|name| name == strategy.name || name == "all" && strategy.variant().is_none() || name == "variants")
    };
    let chosen: Vec<&Strategy> = ninefold::all_variants().filter(|strategy| is_chosen(strategy)).collect();
    if chosen.is_empty() { Err(Stop::Failed("this program was built without any strategy".into())) } else { Ok(chosen) }
}

/// The puzzles, and how many entries are none. Those are reported.
fn courses(inputs: &[OsString], options: &Options) -> Result<(Vec<Course>, usize), Stop> {
    let mut entries = Vec::new();
    let mut refused = 0;
    let mut stderr = anstream::stderr();
    if inputs.is_empty() {
        let options = options.clone().format(Format::JsonLines);
        entries.extend(ninefold_formats::read(EMBEDDED, &options).map(|entry| ("race".into(), entry)));
    }
    for input in inputs {
        match input::read_all(input, options) {
            Ok(more) => entries.extend(more),
            Err(reason) => {
                refused += 1;
                let _ = writeln!(stderr, "{}", report::plain_error(&reason));
            }
        }
    }
    let mut courses = Vec::new();
    for (source, entry) in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                refused += 1;
                let _ = writeln!(stderr, "{}", report::read_error(&source, &error));
                continue;
            }
        };
        let line = entry.position().line();
        let declared = declared(entry.count(), entry.solution());
        let label = entry.name().map_or_else(|| format!("{source}:{line}"), |name| name.escape_debug().to_string());
        match entry.puzzle() {
            Ok(puzzle) => courses.push(Course { label, puzzle, declared }),
            Err(error) => {
                refused += 1;
                let _ = writeln!(stderr, "{}", report::place_error(&source, line, &format!("no puzzle: {error}"), &[]));
            }
        }
    }
    Ok((courses, refused))
}

/// What a text says, as far as it settles the verdict.
fn declared(count: Option<Count>, solution: Option<&Board>) -> Option<Known> {
    let verdict = match count? {
        Count { found: 0, exact: true } => Verdict::Unsolvable,
        Count { found: 1, exact: true } => Verdict::Unique,
        Count { found: 2.., .. } => Verdict::Multiple,
        _ => return None,
    };
    Some(Known { verdict, solution: solution.filter(|_| verdict == Verdict::Unique).cloned() })
}

/// Every strategy, every puzzle, once. Ends early only when interrupted, with as many runs for each strategy.
fn answer_all(racers: &mut [Racer], courses: &[Course], limits: &Limits, cancel: &CancelToken, progress: &mut Progress) {
    let count = racers.len();
    for (i, course) in courses.iter().enumerate() {
        for k in 0..count {
            progress.show((i * count + k) as u64, || format!("puzzle {} of {}", i + 1, courses.len()));
            let racer = &mut racers[(i + k) % count];
            let start = Instant::now();
            let outcome = racer.solver.count(&course.puzzle, CAP, limits);
            let time = start.elapsed();
            racer.runs.push(Run {
                verdict: Verdict::of(&outcome),
                solution: outcome.solution().map(|solution| solution.board().clone()),
                time,
                counters: *outcome.counters(),
            });
        }
        if cancel.is_cancelled() {
            // This puzzle's answers are cut short.
            racers.iter_mut().for_each(|racer| racer.runs.truncate(i));
            return;
        }
    }
}

/// Times the puzzles that all answered, up to `rounds` times and not much longer than `until`.
fn time_passes(
    racers: &mut [Racer],
    courses: &[Course],
    common: &[usize],
    rounds: u32,
    until: Duration,
    cancel: &CancelToken,
    progress: &mut Progress,
) {
    let begun = Instant::now();
    let puzzles: Vec<&Puzzle> = common.iter().map(|&i| &courses[i].puzzle).collect();
    let count = racers.len();
    // No limit on time: each has shown that it ends. The token still ends it.
    let limits = Limits::none().with_cancel(cancel.clone());
    for round in 0..rounds {
        for k in 0..count {
            progress.show((courses.len() * count) as u64, || format!("timing, pass {} of {rounds}", round + 1));
            let racer = &mut racers[(round as usize + k) % count];
            let start = Instant::now();
            for puzzle in &puzzles {
                let outcome: Outcome = racer.solver.count(puzzle, CAP, &limits);
                if let End::OutOfBudget(_) = outcome.end() {
                    return;
                }
            }
            let time = start.elapsed();
            racer.best_pass = Some(racer.best_pass.map_or(time, |best| best.min(time)));
        }
        if begun.elapsed() > until {
            return;
        }
    }
}

/// One sentence for each puzzle on which answers differ, among each other or from what its text says.
fn disagreements(racers: &[Racer], courses: &[Course]) -> Vec<String> {
    let mut sentences = Vec::new();
    for (i, course) in courses.iter().enumerate() {
        let mut said: Vec<(&str, Known)> = Vec::new();
        said.extend(course.declared.clone().map(|known| ("the input", known)));
        said.extend(racers.iter().filter_map(|racer| Some((racer.strategy.name, racer.runs[i].known()?))));
        let agrees = |a: &Known, b: &Known| {
            a.verdict == b.verdict && (a.solution.is_none() || b.solution.is_none() || a.solution == b.solution)
        };
        if said.iter().any(|(_, known)| !said.iter().all(|(_, other)| agrees(known, other))) {
            let answers: Vec<String> = said
                .iter()
                .map(|(name, known)| match &known.solution {
                    Some(solution) => format!("{name} says {} {solution}", known.verdict.word()),
                    None => format!("{name} says {}", known.verdict.word()),
                })
                .collect();
            sentences.push(format!("{} ({}): {}", course.label, course.puzzle, answers.join(", ")));
        }
    }
    sentences
}

/// A strategy's row.
#[derive(Serialize)]
struct Row {
    strategy: &'static str,
    puzzles: usize,
    answered: usize,
    gave_up: usize,
    unsupported: usize,
    /// All runs of the first part, given up or not.
    all_ns: u64,
    /// The puzzles that all strategies answered, and the best pass over them.
    common: usize,
    common_ns: Option<u64>,
    common_puzzles_per_second: Option<u64>,
    common_nodes: Option<u64>,
    common_guesses: Option<u64>,
    common_dead_ends: Option<u64>,
    common_propagations: Option<u64>,
}

impl Row {
    fn new(racer: &Racer, common: &[usize]) -> Row {
        let with = |verdict: Verdict| racer.runs.iter().filter(|run| run.verdict == verdict).count();
        let (gave_up, unsupported) = (with(Verdict::Unknown), with(Verdict::Unsupported));
        let sum = |counter: Counter| common.iter().map(|&i| racer.runs[i].counters.get(counter)).sum::<Option<u64>>();
        let sum = |counter| if common.is_empty() { None } else { sum(counter) };
        let pass = racer.best_pass.filter(|_| !common.is_empty());
        Row {
            strategy: racer.strategy.name,
            puzzles: racer.runs.len(),
            answered: racer.runs.len() - gave_up - unsupported,
            gave_up,
            unsupported,
            all_ns: nanos(racer.runs.iter().map(|run| run.time).sum()),
            common: common.len(),
            common_ns: pass.map(nanos),
            common_puzzles_per_second: pass.map(|pass| (common.len() as f64 / pass.as_secs_f64().max(1e-9)) as u64),
            common_nodes: sum(Counter::Nodes),
            common_guesses: sum(Counter::Guesses),
            common_dead_ends: sum(Counter::DeadEnds),
            common_propagations: sum(Counter::Propagations),
        }
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn write_strategies(format: AnswerFormat, racers: &[Racer], common: &[usize], out: &mut Vec<u8>) {
    let rows: Vec<Row> = racers.iter().map(|racer| Row::new(racer, common)).collect();
    let known = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
    match format {
        AnswerFormat::Line => rows.iter().for_each(|row| {
            let _ = writeln!(out, "{} {}", row.strategy, known(row.common_ns));
        }),
        AnswerFormat::Csv => {
            out.extend_from_slice(
                b"strategy,puzzles,answered,gave_up,unsupported,all_ns,common,common_ns,common_puzzles_per_second,\
                common_nodes,common_guesses,common_dead_ends,common_propagations\n",
            );
            for row in &rows {
                let counts = [row.puzzles, row.answered, row.gave_up, row.unsupported].map(|count| count.to_string());
                let figures = [
                    row.common_ns,
                    row.common_puzzles_per_second,
                    row.common_nodes,
                    row.common_guesses,
                    row.common_dead_ends,
                    row.common_propagations,
                ];
                let figures = figures.map(known);
                let (counts, figures) = (counts.join(","), figures.join(","));
                let _ = writeln!(out, "{},{counts},{},{},{figures}", row.strategy, row.all_ns, row.common);
            }
        }
        AnswerFormat::Json => write_objects(&rows, out),
        AnswerFormat::Grid | AnswerFormat::Count => {
            // No wider than the narrowest terminals; CSV and JSON have the rest.
            let mut table = table(&["strategy", "answers", "per sec", "ratio", "nodes", "guesses", "all"]);
            let best = rows.iter().filter_map(|row| row.common_ns).min();
            let unknown = || String::from("–");
            let number = |value: Option<u64>| value.map_or_else(unknown, grouped);
            for row in &rows {
                table.add_row([
                    row.strategy.to_string(),
                    format!("{}/{}", row.answered, row.puzzles),
                    number(row.common_puzzles_per_second),
                    match (row.common_ns, best) {
                        (Some(ns), Some(best)) => format!("{:.1}", ns as f64 / best.max(1) as f64),
                        _ => unknown(),
                    },
                    number(row.common_nodes),
                    number(row.common_guesses),
                    time(Duration::from_nanos(row.all_ns)),
                ]);
            }
            align_right(&mut table);
            let _ = writeln!(
                out,
                "{}\n\nPuzzles per second, ratio, nodes, guesses: the {} puzzles that all answered,\nasked for up to {CAP} solutions; the best of \
                 several passes. Ratio: time against\nthe fastest. All: every puzzle once, those given up included.",
                table.trim_fmt(),
                common.len()
            );
            for (what, count) in
                [("Gave up", (|row| row.gave_up) as fn(&Row) -> usize), ("Rules not taken", |row| row.unsupported)]
            {
                let named = rows.iter().filter(|row| count(row) > 0).map(|row| format!("{} {}", row.strategy, count(row)));
                let named: Vec<String> = named.collect();
                if !named.is_empty() {
                    let _ = writeln!(out, "{what}: {}.", named.join(", "));
                }
            }
        }
    }
}

/// A puzzle's row.
#[derive(Serialize)]
struct PuzzleRow<'a> {
    puzzle: String,
    name: &'a str,
    rules: &'a str,
    answers: Vec<PuzzleAnswer>,
}

#[derive(Serialize)]
struct PuzzleAnswer {
    strategy: &'static str,
    verdict: &'static str,
    ns: u64,
    nodes: Option<u64>,
    guesses: Option<u64>,
}

fn write_puzzles(format: AnswerFormat, racers: &[Racer], courses: &[Course], out: &mut Vec<u8>) {
    let rows: Vec<PuzzleRow<'_>> = courses
        .iter()
        .enumerate()
        .map(|(i, course)| PuzzleRow {
            puzzle: course.puzzle.to_string(),
            name: &course.label,
            rules: course.puzzle.rules().name(),
            answers: racers
                .iter()
                .map(|racer| {
                    let run = &racer.runs[i];
                    PuzzleAnswer {
                        strategy: racer.strategy.name,
                        verdict: run.verdict.word(),
                        ns: nanos(run.time),
                        nodes: run.counters.nodes(),
                        guesses: run.counters.guesses(),
                    }
                })
                .collect(),
        })
        .collect();
    match format {
        AnswerFormat::Json => write_objects(&rows, out),
        AnswerFormat::Csv | AnswerFormat::Line => {
            let known = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
            if format == AnswerFormat::Csv {
                out.extend_from_slice(b"puzzle,rules,strategy,verdict,ns,nodes,guesses\n");
            }
            for row in &rows {
                for answer in &row.answers {
                    let rules = crate::output::quoted(row.rules);
                    let _ = writeln!(
                        out,
                        "{},{rules},{},{},{},{},{}",
                        row.puzzle,
                        answer.strategy,
                        answer.verdict,
                        answer.ns,
                        known(answer.nodes),
                        known(answer.guesses)
                    );
                }
            }
        }
        AnswerFormat::Grid | AnswerFormat::Count => {
            let mut heads = vec!["puzzle", "rules"];
            heads.extend(racers.iter().map(|racer| racer.strategy.name));
            let mut table = table(&heads);
            for row in &rows {
                let mut cells = vec![row.name.to_string(), row.rules.to_string()];
                cells.extend(row.answers.iter().map(|answer| match answer.verdict {
                    "unknown" => format!("> {}", time(Duration::from_nanos(answer.ns))),
                    "unsupported" => "not taken".into(),
                    _ => time(Duration::from_nanos(answer.ns)),
                }));
                table.add_row(cells);
            }
            align_right(&mut table);
            let _ = writeln!(out, "{}", table.trim_fmt());
        }
    }
}

fn write_objects<T: Serialize>(rows: &[T], out: &mut Vec<u8>) {
    for row in rows {
        // Names and figures: nothing that JSON cannot say.
        let _ = serde_json::to_writer(&mut *out, row);
        out.push(b'\n');
    }
}

/// Figures stand under each other; names stay on the left.
fn align_right(table: &mut Table) {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}
