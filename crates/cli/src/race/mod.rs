//! `ninefold race`: the same puzzles for every strategy, every answer compared. What measures is the crate `ninefold-race`.

mod args;
mod columns;
mod load;
mod machine;
mod page;
mod plot;
mod table;
mod words;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;

use ninefold::Strategy;
use ninefold_race::{Race, Report, Set, Stage};

use crate::args::AnswerFormat;
use crate::batch;
use crate::progress::{Progress, grouped, time};
use crate::report;
use crate::status::{Done, Status, Stop};

pub(crate) use args::RaceArgs;

/// Counts bytes on the heap, in a program whose allocator does.
#[cfg(feature = "memory")]
const PEAK: Option<ninefold_race::Peak> = Some(|work| allocation_counter::measure(work).bytes_max);
#[cfg(not(feature = "memory"))]
const PEAK: Option<ninefold_race::Peak> = None;

pub(crate) fn run(args: &RaceArgs) -> Done {
    let strategies = chosen(&args.strategies)?;
    let (sets, refused) = load::sets(&args.input)?;
    if sets.iter().all(|set| set.entries.is_empty()) {
        return Err(Stop::Failed("there is no puzzle to race on".into()));
    }
    // Before the race, so that nobody waits for a page that cannot be written.
    let cannot =
        |error: std::io::Error, path: &std::path::Path| Stop::Failed(format!("cannot write {}: {error}", path.display()));
    let html = match &args.html {
        Some(path) => Some((path, File::create(path).map_err(|error| cannot(error, path))?)),
        None => None,
    };
    let mut race = Race::new(strategies);
    race.question = args.question.into();
    race.time_per_puzzle = args.time_per_puzzle;
    race.nodes_per_puzzle = args.limit_nodes;
    race.total_time = args.total_timeout;
    race.repeat = args.repeat;
    race.threads = args.threads.into();
    race.seed = args.seed;
    race.cancel = batch::cancel_on_interrupt();
    race.peak = PEAK;

    let mut progress = Progress::new(args.quiet, Some((u64::from(race.repeat) + 1) * PART));
    let report = race.run(&sets, &mut |stage| show(&mut progress, stage));
    progress.clear();

    let mut out = Vec::new();
    match (args.format, args.puzzles) {
        (AnswerFormat::Json, false) => columns::write_json(&columns::of_rows(&report), &mut out),
        (AnswerFormat::Json, true) => columns::write_json(&columns::of_runs(&report, &sets), &mut out),
        (AnswerFormat::Csv, false) => columns::write_csv(&columns::of_rows(&report), &mut out),
        (AnswerFormat::Csv, true) => columns::write_csv(&columns::of_runs(&report, &sets), &mut out),
        (AnswerFormat::Line, false) => columns::write_lines(&columns::of_rows(&report), "answers_per_second", &mut out),
        (AnswerFormat::Line, true) => columns::write_lines(&columns::of_runs(&report, &sets), "time_ns", &mut out),
        (AnswerFormat::Grid | AnswerFormat::Count, false) => table::write(&report, &sets, args.columns, &mut out),
        (AnswerFormat::Grid | AnswerFormat::Count, true) => table::write_puzzles(&report, &sets, &mut out),
    }
    std::io::stdout().write_all(&out)?;
    if let Some((path, mut file)) = html {
        let page = page::page(&report, &sets).map_err(|error| Stop::Failed(format!("cannot draw the page: {error}")))?;
        file.write_all(page.as_bytes()).map_err(|error| cannot(error, path))?;
    }

    let mut stderr = anstream::stderr();
    for disagreement in &report.disagreements {
        let _ = writeln!(stderr, "{}", report::plain_error(&disagreement.to_string()));
    }
    if !args.quiet {
        let _ = writeln!(stderr, "{}", last_words(&report));
        if !report.interrupted && report.reached() < report.size() {
            let _ = writeln!(
                stderr,
                "for more of them: a longer --total-timeout, a shorter --time-per-puzzle, or --strategies without the slow ones"
            );
        }
    }
    Ok(match (report.interrupted, refused, report.disagreements.is_empty()) {
        (true, ..) => Status::Interrupted,
        (_, 1.., _) => Status::Error,
        (_, _, false) => Status::No,
        _ => Status::Yes,
    })
}

/// Steps of the progress for the answers, and for each round of the times.
const PART: u64 = 1000;

/// How far it is, each round of the times as long as the answers.
fn show(progress: &mut Progress, stage: Stage) {
    let (before, done, all) = match stage {
        Stage::Answers { done, all } => (0, done, all),
        Stage::Times { round, done, all, .. } => (round, done, all),
    };
    let position = u64::from(before) * PART + done as u64 * PART / all.max(1) as u64;
    progress.show(position, || match stage {
        Stage::Answers { done, all } => format!("answers, puzzle {} of {}", grouped(done as u64), grouped(all as u64)),
        Stage::Times { round, rounds, .. } => format!("times, round {round} of {rounds}"),
    });
}

fn last_words(report: &Report) -> String {
    let (reached, size) = (report.reached() as u64, report.size() as u64);
    let of = if reached < size { format!(" of {}", grouped(size)) } else { String::new() };
    let agreement = match report.disagreements.len() {
        0 => "all answers agree".into(),
        n => format!("the answers to {n} disagree"),
    };
    format!(
        "{}{}{of} puzzles, {} strategies: {agreement}; {}",
        match (report.interrupted, reached < size) {
            (true, _) => "interrupted: ",
            (_, true) => "out of time: ",
            _ => "",
        },
        grouped(reached),
        report.strategies.len(),
        time(report.elapsed)
    )
}

/// The strategies by the names that were given, each once, in the order of the registry.
fn chosen(names: &[String]) -> Result<Vec<&'static Strategy>, Stop> {
    let is_chosen = |strategy: &Strategy| {
        names.iter().any(|name| name == strategy.name || name == "all" && strategy.variant().is_none() || name == "variants")
    };
    let chosen: Vec<&Strategy> = ninefold::all_variants().filter(|strategy| is_chosen(strategy)).collect();
    if chosen.is_empty() { Err(Stop::Failed("this program was built without any strategy".into())) } else { Ok(chosen) }
}

/// The rules of a set's puzzles in few words.
fn rules_of(set: &Set) -> String {
    let names: BTreeSet<&str> = set.entries.iter().map(|entry| entry.puzzle.rules().name()).collect();
    match names.len() {
        0..=3 => names.into_iter().map(short_rules).collect::<Vec<_>>().join(", "),
        n => format!("{n} rule sets"),
    }
}

/// The name of rules, cut where it spells out a map.
fn short_rules(name: &str) -> String {
    const LONGEST: usize = 24;
    match name.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.into(),
    }
}
