//! `ninefold check`.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ninefold::{Board, Clash, PuzzleErrorKind, Solution};
use serde::Serialize;

use crate::args::{AnswerFormat, CheckArgs};
use crate::batch::{self, Job, Work};
use crate::input;
use crate::output::{ClashObject, ErrorObject, Place, quoted};
use crate::progress::{grouped, time};
use crate::report;
use crate::status::{Done, Status, Stop};

const MOST_REPORTS: u64 = 20;

struct Checker {
    format: AnswerFormat,
    labels: bool,
    solution: Option<Board>,
    reports: Arc<AtomicU64>,
}

#[derive(Default)]
pub(crate) struct Tally {
    valid: u64,
    invalid: u64,
    unreadable: u64,
}

impl Tally {
    fn total(&self) -> u64 {
        self.valid + self.invalid + self.unreadable
    }
}

/// What is found about a board.
struct Finding<'a> {
    board: &'a Board,
    clashes: Vec<Clash>,
    /// A given that pencil marks exclude, or the first mismatch with the solution.
    objection: Option<String>,
}

impl Finding<'_> {
    fn is_valid(&self) -> bool {
        self.clashes.is_empty() && self.objection.is_none()
    }
}

#[derive(Serialize)]
struct Object<'a> {
    puzzle: Option<String>,
    rules: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    valid: Option<bool>,
    givens: Option<usize>,
    full: Option<bool>,
    clashes: Vec<ClashObject>,
    objection: Option<&'a str>,
    error: Option<ErrorObject<'a>>,
}

pub(crate) fn run(args: &CheckArgs) -> Done {
    let options = args.input.options();
    let solution = match &args.solution {
        None => None,
        Some(text) => Some(read_solution(text, &options)?),
    };
    let sources = input::sources(&args.input.inputs, &options).map_err(Stop::Failed)?;
    let labels = !(sources.len() == 1 && sources[0].is_text());
    let reports = Arc::new(AtomicU64::new(0));
    let checker = Checker { format: args.format, labels, solution, reports: reports.clone() };
    let head: &[u8] = if args.format == AnswerFormat::Csv { b"puzzle,rules,valid,message\n" } else { b"" };
    let cancel = batch::cancel_on_interrupt();
    // One thread: reading takes longer than checking.
    let streamed = batch::stream(sources, options, vec![checker], &cancel, args.quiet, head)?;
    let tally = streamed.tally;
    let status = match (tally.unreadable, tally.invalid) {
        (1.., _) => Status::Error,
        (_, 1..) => Status::No,
        _ => Status::Yes,
    };
    if streamed.closed {
        return Ok(status);
    }
    if !args.quiet {
        let mut stderr = anstream::stderr();
        let suppressed = reports.load(Ordering::Relaxed).saturating_sub(MOST_REPORTS);
        if suppressed > 0 {
            let _ = writeln!(stderr, "{} reports more are not shown", grouped(suppressed));
        }
        if tally.total() > 1 || streamed.interrupted {
            let _ = writeln!(
                stderr,
                "{}{} boards: {} valid, {} not valid, {} not readable; {}",
                if streamed.interrupted { "interrupted: " } else { "" },
                grouped(tally.total()),
                grouped(tally.valid),
                grouped(tally.invalid),
                grouped(tally.unreadable),
                time(streamed.elapsed)
            );
        }
    }
    if streamed.interrupted {
        return Ok(Status::Interrupted);
    }
    if tally.total() == 0 {
        return Err(Stop::Failed("there is no board in the input".into()));
    }
    Ok(status)
}

/// The one board that `--solution` names.
fn read_solution(text: &std::ffi::OsString, options: &ninefold_formats::Options) -> Result<Board, Stop> {
    let failed = |message: String| Stop::Failed(format!("--solution: {message}"));
    let mut entries = input::read_all(text, options).map_err(failed)?.into_iter();
    match (entries.next(), entries.next()) {
        (Some((_, Ok(entry))), None) => Ok(entry.into_board()),
        (Some((name, Err(error))), _) => Err(failed(format!("{name}, {}: {error}", error.position()))),
        (None, _) => Err(failed("there is no board in it".into())),
        (Some(_), Some(_)) => Err(failed("there is more than one board in it".into())),
    }
}

impl Checker {
    fn reports_more(&self) -> bool {
        self.format != AnswerFormat::Json && self.reports.fetch_add(1, Ordering::Relaxed) < MOST_REPORTS
    }

    fn write(&self, place: Place<'_>, finding: &Finding<'_>, out: &mut Vec<u8>) {
        let valid = finding.is_valid();
        let lines: Vec<String> = finding.clashes.iter().map(Clash::to_string).chain(finding.objection.clone()).collect();
        let _ = match self.format {
            AnswerFormat::Grid | AnswerFormat::Count => {
                let label = if self.labels { place.label() } else { String::new() };
                let _ = writeln!(out, "{label}{valid}");
                lines.iter().try_for_each(|line| writeln!(out, "  {line}"))
            }
            AnswerFormat::Line if lines.is_empty() => writeln!(out, "{valid}"),
            AnswerFormat::Line => writeln!(out, "{valid}\t{}", lines.join("; ")),
            AnswerFormat::Csv => {
                let rules = quoted(finding.board.rules().name());
                writeln!(out, "{},{rules},{valid},{}", finding.board, quoted(&lines.join("; ")))
            }
            AnswerFormat::Json => {
                let object = Object {
                    puzzle: Some(finding.board.to_string()),
                    rules: Some(finding.board.rules().name()),
                    name: place.name,
                    valid: Some(valid),
                    givens: Some(finding.board.given_count()),
                    full: Some(finding.board.is_full()),
                    clashes: finding.clashes.iter().map(ClashObject::from).collect(),
                    objection: finding.objection.as_deref(),
                    error: None,
                };
                write_object(&object, out);
                Ok(())
            }
        };
    }

    fn write_error(&self, place: Place<'_>, error: ErrorObject<'_>, out: &mut Vec<u8>) {
        match self.format {
            AnswerFormat::Json => {
                let object = Object {
                    puzzle: None,
                    rules: None,
                    name: None,
                    valid: None,
                    givens: None,
                    full: None,
                    clashes: Vec::new(),
                    objection: None,
                    error: Some(error),
                };
                write_object(&object, out);
            }
            AnswerFormat::Csv => {
                let _ = writeln!(out, ",,error,{}", quoted(&error.message));
            }
            AnswerFormat::Line => out.extend_from_slice(b"error\n"),
            AnswerFormat::Grid | AnswerFormat::Count => {
                let label = if self.labels { place.label() } else { String::new() };
                let _ = writeln!(out, "{label}error: {}", error.message);
            }
        }
    }
}

fn write_object(object: &Object<'_>, out: &mut Vec<u8>) {
    // Writing to memory cannot fail, and the object has nothing that JSON cannot say.
    let _ = serde_json::to_writer(&mut *out, object);
    out.push(b'\n');
}

impl Work for Checker {
    type Tally = Tally;

    fn work(&mut self, job: &mut Job, _: &mut dyn FnMut(Vec<u8>)) -> Tally {
        let mut tally = Tally::default();
        let source = job.source.clone();
        if let Some(fault) = job.fault.take() {
            tally.unreadable += 1;
            if self.reports_more() {
                let _ = writeln!(job.notes, "{}", report::source_error(&source, &fault));
            }
            let place = Place { source: &source, line: 0, name: None };
            self.write_error(place, ErrorObject::of_source(&source, &fault), &mut job.out);
        }
        for entry in job.chunk.entries() {
            match entry {
                Ok(entry) => {
                    let place = Place { source: &source, line: entry.position().line(), name: entry.name() };
                    let mut finding = Finding { board: entry.board(), clashes: Vec::new(), objection: None };
                    match entry.puzzle() {
                        Ok(puzzle) => {
                            if let Some(solution) = &self.solution
                                && let Err(error) = Solution::new(&puzzle, solution.clone())
                            {
                                finding.objection = Some(error.to_string());
                            }
                        }
                        Err(error) if error.kind() == PuzzleErrorKind::Clash => finding.clashes = error.clash_list().to_vec(),
                        Err(error) => finding.objection = Some(error.to_string()),
                    }
                    if finding.is_valid() {
                        tally.valid += 1;
                    } else {
                        tally.invalid += 1;
                    }
                    self.write(place, &finding, &mut job.out);
                }
                Err(error) => {
                    tally.unreadable += 1;
                    if self.reports_more() {
                        let _ = writeln!(job.notes, "{}", report::read_error(&source, &error));
                    }
                    let place = Place { source: &source, line: error.position().line(), name: None };
                    self.write_error(place, ErrorObject::of_reading(&source, &error), &mut job.out);
                }
            }
        }
        tally
    }

    fn add(sum: &mut Tally, tally: Tally) {
        sum.valid += tally.valid;
        sum.invalid += tally.invalid;
        sum.unreadable += tally.unreadable;
    }
}
