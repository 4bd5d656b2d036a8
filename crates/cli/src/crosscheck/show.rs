//! Shows what came of it, and writes disagreements to files.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ninefold::crosscheck::{AnswerKind, Comparison, Finding, Repeats, Said};
use ninefold::{Board, Puzzle};
use ninefold_formats::{Format, Record};
use serde::Serialize;

use super::{CrosscheckArgs, Stated, Tally};
use crate::args::AnswerFormat;
use crate::output::{Place, quoted};
use crate::progress::{grouped, time};
use crate::report;
use crate::status::Stop;

/// How findings and the summary are written.
pub(super) struct Shower {
    format: AnswerFormat,
    quiet: bool,
    out: PathBuf,
    /// The options of the command that repeats a finding, without its seed.
    options: String,
}

#[derive(Serialize)]
struct FindingObject<'a> {
    r#type: &'static str,
    file: &'a str,
    line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    puzzle: String,
    rules: &'a str,
    smallest: PuzzleObject<'a>,
    before: Vec<PuzzleObject<'a>>,
    repeats: &'static str,
    answers: Vec<AnswerObject<'a>>,
    conflicts: Vec<String>,
    questions: u64,
    written: Option<String>,
    command: Option<&'a str>,
}

#[derive(Serialize)]
struct PuzzleObject<'a> {
    puzzle: String,
    rules: &'a str,
    givens: usize,
    restricted: bool,
}

impl<'a> From<&'a Puzzle> for PuzzleObject<'a> {
    fn from(puzzle: &'a Puzzle) -> PuzzleObject<'a> {
        PuzzleObject {
            puzzle: puzzle.to_string(),
            rules: puzzle.rules().name(),
            givens: puzzle.board().given_count(),
            restricted: puzzle.restrictions().is_some(),
        }
    }
}

#[derive(Serialize)]
struct AnswerObject<'a> {
    name: &'a str,
    answer: &'static str,
    at_least: u64,
    at_most: Option<u64>,
    solutions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

impl<'a> From<&'a Said> for AnswerObject<'a> {
    fn from(said: &'a Said) -> AnswerObject<'a> {
        let answer = said.answer();
        let (word, message) = match answer.kind() {
            AnswerKind::Claim => ("claim", None),
            AnswerKind::GaveUp(budget) => ("gave_up", Some(budget.name())),
            AnswerKind::Unsupported => ("unsupported", None),
            AnswerKind::Fault(what) => ("fault", Some(what.as_str())),
            _ => ("other", None),
        };
        AnswerObject {
            name: said.name(),
            answer: word,
            at_least: answer.at_least(),
            at_most: answer.at_most(),
            solutions: answer.solutions().iter().map(Board::to_string).collect(),
            message,
        }
    }
}

#[derive(Serialize)]
struct SummaryObject<'a> {
    r#type: &'static str,
    puzzles: u64,
    compared: u64,
    not_compared: u64,
    disagreements: u64,
    stated: u64,
    clashing: u64,
    unreadable: u64,
    interrupted: bool,
    seed: Option<u64>,
    ns: u64,
    participants: Vec<ParticipantObject<'a>>,
}

#[derive(Serialize)]
struct ParticipantObject<'a> {
    name: &'a str,
    claims: u64,
    gave_up: u64,
    unsupported: u64,
    faults: u64,
}

impl Shower {
    pub(super) fn new(args: &CrosscheckArgs, nodes: Option<u64>) -> Shower {
        let mut options = format!(" --strategies {} --count {}", args.strategies.join(","), args.count);
        let _ = write!(options, " --timeout {}", args.timeout.as_secs_f64());
        if let Some(nodes) = nodes {
            let _ = write!(options, " --limit-nodes {nodes}");
        }
        for program in &args.external {
            let _ = write!(options, " --external {}", shell_word(program.text()));
        }
        if !args.external.is_empty() {
            let takes = clap::ValueEnum::to_possible_value(&args.external_takes);
            let takes = takes.as_ref().map_or("classic", |value| value.get_name());
            let _ = write!(options, " --external-takes {takes} --external-timeout {}", args.external_timeout.as_secs_f64());
        }
        Shower { format: args.format, quiet: args.quiet, out: args.out.clone(), options }
    }

    /// What stands above all answers.
    pub(super) fn head(&self) -> &'static [u8] {
        if self.format == AnswerFormat::Csv {
            b"file,line,puzzle,rules,smallest,smallest_rules,repeats,conflict,written\n"
        } else {
            b""
        }
    }

    /// Writes a finding to its file, and appends what is said of it.
    pub(super) fn finding(&self, finding: &Finding, place: Place<'_>, out: &mut Vec<u8>, notes: &mut Vec<u8>) {
        let written = self.write_file(finding);
        if let Err(reason) = &written {
            let _ = writeln!(notes, "{}", report::plain_error(&format!("the disagreement is not written: {reason}")));
        }
        let file = written.as_ref().ok().map(|(path, _)| path.display().to_string());
        let command = written.as_ref().ok().map(|(_, command)| command.as_str());
        let conflict = finding.comparison().conflicts().first().map(ToString::to_string).unwrap_or_default();
        let _ = match self.format {
            AnswerFormat::Json => {
                self.write_json(finding, place, file, command, out);
                Ok(())
            }
            AnswerFormat::Line => writeln!(out, "{}\t{conflict}", finding.smallest()),
            AnswerFormat::Csv => writeln!(
                out,
                "{},{},{},{},{},{},{},{},{}",
                quoted(place.source),
                place.line,
                finding.original(),
                quoted(finding.original().rules().name()),
                finding.smallest(),
                quoted(finding.smallest().rules().name()),
                repeats_word(finding.repeats()),
                quoted(&conflict),
                quoted(&file.unwrap_or_default())
            ),
            AnswerFormat::Grid | AnswerFormat::Count => {
                let _ = write!(out, "{}{finding}", place.label());
                if let (Some(file), Some(command)) = (file, command) {
                    let _ = writeln!(out, "written to {file}; again with:\n  {command}");
                }
                writeln!(out)
            }
        };
    }

    fn write_json(&self, finding: &Finding, place: Place<'_>, written: Option<String>, command: Option<&str>, out: &mut Vec<u8>) {
        let comparison: &Comparison = finding.comparison();
        let object = FindingObject {
            r#type: "disagreement",
            file: place.source,
            line: place.line,
            name: place.name,
            puzzle: finding.original().to_string(),
            rules: finding.original().rules().name(),
            smallest: finding.smallest().into(),
            before: finding.before().iter().map(PuzzleObject::from).collect(),
            repeats: repeats_word(finding.repeats()),
            answers: comparison.answers().iter().map(AnswerObject::from).collect(),
            conflicts: comparison.conflicts().iter().map(ToString::to_string).collect(),
            questions: finding.questions(),
            written,
            command,
        };
        write_object(&object, out);
    }

    /// Writes the puzzles of a finding to a file of its own, with the command that asks them again; both.
    fn write_file(&self, finding: &Finding) -> Result<(PathBuf, String), String> {
        let (path, mut file) = self.new_file()?;
        let mut command = format!("ninefold crosscheck {} --threads 1{}", shell_word(&path.to_string_lossy()), self.options);
        if let Some((seed, _)) = finding.changes() {
            // The changes of a puzzle are made from the seed and its number, so that those before take some seeds.
            let seed = seed.wrapping_sub(finding.before().len() as u64);
            let _ = write!(command, " --metamorphic --seed {seed}");
        }
        // Beside the puzzle, since not every format has comments.
        let conflicts = finding.comparison().conflicts().iter().map(|conflict| one_line(&conflict.to_string()));
        let comment = format!("{}; again with: {command}", conflicts.collect::<Vec<_>>().join("; "));
        let last = Record { comment: Some(&comment), ..Record::from(finding.smallest()) };
        let records = finding.before().iter().map(Record::from).chain([last]);
        let text = ninefold_formats::write(Format::JsonLines, records).map_err(|error| error.to_string())?;
        file.write_all(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok((path, command))
    }

    /// A file that did not exist.
    fn new_file(&self) -> Result<(PathBuf, std::fs::File), String> {
        for number in 1..=10_000 {
            let path = if number == 1 { self.out.clone() } else { numbered(&self.out, number) };
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((path, file)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(format!("{}: {error}", path.display())),
            }
        }
        Err(format!("{} and 10,000 numbered files like it exist", self.out.display()))
    }

    /// The last line: how many agree.
    pub(super) fn summary(&self, tally: &Tally, elapsed: Duration, interrupted: bool, seed: Option<u64>) -> Result<(), Stop> {
        let summary = &tally.summary;
        let mut out = Vec::new();
        if self.format == AnswerFormat::Json {
            let participants = summary.participants.iter().filter(|tally| tally.name != Stated::NAME);
            let object = SummaryObject {
                r#type: "summary",
                puzzles: summary.puzzles,
                compared: summary.compared,
                not_compared: summary.not_compared,
                disagreements: summary.disagreements,
                stated: tally.stated,
                clashing: tally.clashing,
                unreadable: tally.unreadable,
                interrupted,
                seed,
                ns: u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX),
                participants: participants
                    .map(|tally| ParticipantObject {
                        name: &tally.name,
                        claims: tally.claims,
                        gave_up: tally.gave_up,
                        unsupported: tally.unsupported,
                        faults: tally.faults,
                    })
                    .collect(),
            };
            write_object(&object, &mut out);
        } else if !self.quiet {
            let _ = writeln!(out, "{}", sentence(tally, elapsed, interrupted));
        }
        match self.format {
            AnswerFormat::Json | AnswerFormat::Grid | AnswerFormat::Count => std::io::stdout().write_all(&out)?,
            // Programs read the lines.
            _ => {
                let _ = std::io::stderr().write_all(&out);
            }
        }
        Ok(())
    }
}

/// `all answers agree: 95 puzzles, 95 compared; bitboard 95, dlx 94 (1 given up); 12.3 ms`
fn sentence(tally: &Tally, elapsed: Duration, interrupted: bool) -> String {
    let summary = &tally.summary;
    let mut text = String::new();
    if interrupted {
        text.push_str("interrupted: ");
    }
    text.push_str(&match (summary.disagreements, summary.compared) {
        (0, 0) => "no answers could be compared".into(),
        (0, _) => "all answers agree".into(),
        (1, _) => "1 disagreement".into(),
        (count, _) => format!("{} disagreements", grouped(count)),
    });
    let _ = write!(text, ": {} puzzles, {} compared", grouped(summary.puzzles), grouped(summary.compared));
    for (count, what) in [
        (summary.not_compared, "not compared"),
        (tally.clashing, "refused since givens clash"),
        (tally.unreadable, "not readable"),
        (tally.stated, "with stated answers"),
    ] {
        if count > 0 {
            let _ = write!(text, ", {} {what}", grouped(count));
        }
    }
    let mut parts = Vec::new();
    for participant in summary.participants.iter().filter(|tally| tally.name != Stated::NAME) {
        let mut part = format!("{} {}", participant.name, grouped(participant.claims));
        let notes = [(participant.gave_up, "given up"), (participant.unsupported, "not taken"), (participant.faults, "at fault")];
        let notes: Vec<String> =
            notes.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{} {what}", grouped(*count))).collect();
        if !notes.is_empty() {
            let _ = write!(part, " ({})", notes.join(", "));
        }
        parts.push(part);
    }
    let _ = write!(text, "; {}; {}", parts.join(", "), time(elapsed));
    text
}

fn repeats_word(repeats: Repeats) -> &'static str {
    match repeats {
        Repeats::Alone => "alone",
        Repeats::After => "after",
        _ => "not",
    }
}

/// `name-2.jsonl`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{number}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{number}"),
    };
    path.with_file_name(name)
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A word as a shell takes it.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.into() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

fn write_object<T: Serialize>(object: &T, out: &mut Vec<u8>) {
    // Writing to memory cannot fail, and the object has nothing that JSON cannot say.
    let _ = serde_json::to_writer(&mut *out, object);
    out.push(b'\n');
}
