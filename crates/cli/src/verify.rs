//! `ninefold verify`.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args as ArgGroup;
use ninefold::{CancelToken, Puzzle, Rules};
use ninefold_formats::Options;
use ninefold_verify::{Refusal, Verified, verify};
use serde::Serialize;

use crate::args::{AnswerFormat, rules, table_format};
use crate::batch;
use crate::certify::watched;
use crate::output::quoted;
use crate::progress::grouped;
use crate::status::{Done, Status};
use crate::trace::puzzle_of;

const DETAILS: &str = "\
Without --puzzle, look at the puzzle in the answer: a certificate for another one is worth nothing. DRAT and LRAT proofs are for
SAT proof checkers; docs/CERTIFICATES.md names some.

Exit codes: 0 every certificate is accepted, 1 one is refused, 2 one cannot be read or is no certificate, 130 interrupted";

/// Check certificates that `certify` wrote, with nothing but the rules
///
/// The checker is small and has no solver in it. It says what was proven, or the line where the argument fails.
#[derive(Debug, ArgGroup)]
#[command(after_long_help = DETAILS)]
pub(crate) struct VerifyArgs {
    /// Certificates, or `-` for standard input
    #[arg(value_name = "FILE|-", required = true)]
    files: Vec<OsString>,

    /// The puzzle (a text or a file) that the certificates have to be about, and nothing else
    #[arg(long, value_name = "FILE|PUZZLE")]
    puzzle: Option<OsString>,

    /// The rules of that puzzle, as for `solve`
    #[arg(short, long, value_name = "RULES", requires = "puzzle", value_parser = rules)]
    rules: Option<Rules>,

    /// How to write the answers
    #[arg(short, long, value_name = "FORMAT", default_value = "grid", value_parser = table_format())]
    format: AnswerFormat,

    /// No progress
    #[arg(short, long)]
    quiet: bool,
}

/// An answer, as the JSON has it.
#[derive(Serialize)]
struct Object<'a> {
    file: &'a str,
    verdict: &'static str,
    claim: Option<String>,
    puzzle: Option<String>,
    rules: Option<&'a str>,
    solution: Option<String>,
    splits: Option<u64>,
    leaves: Option<u64>,
    steps: Option<u64>,
    line: Option<u64>,
    message: Option<&'a str>,
}

/// Stops reading when the token is used.
struct Stoppable<R> {
    inner: R,
    cancel: CancelToken,
    bytes: std::sync::Arc<AtomicU64>,
}

impl<R: Read> Read for Stoppable<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("interrupted"));
        }
        let count = self.inner.read(buffer)?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

pub(crate) fn run(args: &VerifyArgs) -> Done {
    let puzzle = match &args.puzzle {
        None => None,
        Some(text) => {
            let options = args.rules.iter().fold(Options::new(), |options, rules| options.rules(rules.clone()));
            let Some(puzzle) = puzzle_of(std::slice::from_ref(text), &options, 1, args.quiet)? else { return Ok(Status::Error) };
            Some(puzzle)
        }
    };
    let cancel = batch::cancel_on_interrupt();
    let bytes = std::sync::Arc::new(AtomicU64::new(0));
    let mut stdout = io::stdout();
    if args.format == AnswerFormat::Csv {
        stdout.write_all(b"file,verdict,claim,puzzle,rules,splits,leaves,steps,line,message\n")?;
    }
    let mut worst = Status::Yes;
    for file in &args.files {
        let name = file.to_string_lossy().replace(char::is_control, "\u{fffd}");
        let message = || format!("{} bytes of {name}", grouped(bytes.load(Ordering::Relaxed)));
        let verified = watched(args.quiet, message, || check(file, puzzle.as_ref(), &cancel, &bytes));
        if cancel.is_cancelled() {
            return Ok(Status::Interrupted);
        }
        worst = worst.max(match &verified {
            Ok(_) => Status::Yes,
            Err(refusal) if refusal.is_certificate => Status::No,
            Err(_) => Status::Error,
        });
        let mut out = Vec::new();
        write(args.format, &name, &verified, &mut out);
        stdout.write_all(&out)?;
    }
    Ok(worst)
}

fn check(
    file: &OsString,
    puzzle: Option<&Puzzle>,
    cancel: &CancelToken,
    bytes: &std::sync::Arc<AtomicU64>,
) -> Result<Verified, Refusal> {
    let inner: Box<dyn Read> = if file == "-" {
        Box::new(io::stdin())
    } else {
        let unreadable = |error: io::Error| {
            let mut refusal = Refusal::from(format!("the file cannot be opened: {error}"));
            refusal.is_certificate = false;
            refusal
        };
        Box::new(File::open(file).map_err(unreadable)?)
    };
    let input = Stoppable { inner, cancel: cancel.clone(), bytes: bytes.clone() };
    verify(BufReader::with_capacity(1 << 16, input), puzzle)
}

fn write(format: AnswerFormat, name: &str, verified: &Result<Verified, Refusal>, out: &mut Vec<u8>) {
    let verdict = match verified {
        Ok(_) => "accepted",
        Err(refusal) if refusal.is_certificate => "refused",
        Err(_) => "error",
    };
    let (good, bad) = (verified.as_ref().ok(), verified.as_ref().err());
    let line = bad.map(|refusal| refusal.line).filter(|line| *line > 0);
    let object = Object {
        file: name,
        verdict,
        claim: good.map(|good| good.claim.to_string()),
        puzzle: good.map(|good| good.board.to_string()),
        rules: good.map(|good| good.board.rules().name()),
        solution: good.and_then(|good| good.solution.as_ref()).map(ToString::to_string),
        splits: good.map(|good| good.splits),
        leaves: good.map(|good| good.leaves),
        steps: good.map(|good| good.steps),
        line,
        message: bad.map(|refusal| refusal.message.as_str()),
    };
    // Writing to memory cannot fail.
    let _ = match format {
        AnswerFormat::Json => serde_json::to_writer(&mut *out, &object).map_err(io::Error::from).and_then(|()| writeln!(out)),
        AnswerFormat::Line => writeln!(out, "{verdict}"),
        AnswerFormat::Csv => {
            let figure = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
            writeln!(
                out,
                "{},{verdict},{},{},{},{},{},{},{},{}",
                quoted(name),
                object.claim.as_deref().unwrap_or_default(),
                object.puzzle.as_deref().unwrap_or_default(),
                quoted(object.rules.unwrap_or_default()),
                figure(object.splits),
                figure(object.leaves),
                figure(object.steps),
                figure(line),
                quoted(object.message.unwrap_or_default())
            )
        }
        AnswerFormat::Grid | AnswerFormat::Count => match verified {
            Ok(good) => {
                let restricted =
                    good.board.rules().cells().any(|cell| {
                        good.board.get(cell).is_none() && good.allowed[cell.index()].len() < good.board.rules().side()
                    });
                let (claim, board, rules) = (good.claim, &good.board, good.board.rules());
                let _ = writeln!(
                    out,
                    "{name}: accepted: {claim} ({} splits, {} leaves, {} steps)",
                    grouped(good.splits),
                    grouped(good.leaves),
                    grouped(good.steps)
                );
                writeln!(out, "  puzzle {board}, rules {rules}{}", if restricted { ", with restricted cells" } else { "" })
            }
            Err(refusal) => {
                let place = line.map_or(String::new(), |line| format!("line {line}: "));
                writeln!(out, "{name}: {verdict}: {place}{}", refusal.message)
            }
        },
    };
}
