//! `ninefold certify`.
//!
//! What is true is found out first, by the strategy that `auto` picks; so nothing is written for a claim that is false. Then the work runs on a
//! thread of its own, and the main thread shows progress.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use clap::{Args as ArgGroup, ValueEnum};
use ninefold::certify::{self, CertifyError, ProofFormat};
use ninefold::{Budget, Claim, End, Limits, Puzzle, Search, Solution, Strategy};
use serde::Serialize;

use crate::args::{AnswerFormat, InputArgs, duration, limits, strategy_names, table_format};
use crate::batch;
use crate::output::quoted;
use crate::progress::{Progress, grouped, time};
use crate::report;
use crate::status::{Done, Status, Stop};
use crate::trace::puzzle_of;

/// Up to how many solutions are counted where no claim is named.
const MOST: u64 = 10_000;

const DETAILS: &str = "\
A tree is a text of cases and forced digits; `ninefold verify FILE` checks it. DRAT and LRAT are for SAT proof checkers: beside FILE.drat stands FILE.cnf, the puzzle as a formula, which forbids the solutions that are claimed.

Exit codes: 0 written, 1 the claim is false, 2 input or usage error, 3 gave up at a limit, 130 interrupted";

/// Write a certificate: an argument that a puzzle has no solution, exactly one, or a given number, which others can check
#[derive(Debug, ArgGroup)]
#[command(after_long_help = DETAILS)]
pub(crate) struct CertifyArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Which puzzle of the input, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    number: u64,

    /// unsolvable, unique or count=N. Otherwise it is found out what is true, up to 10000 solutions
    #[arg(long, value_name = "CLAIM", value_parser = str::parse::<Claim>)]
    claim: Option<Claim>,

    /// The strategy whose search becomes the tree: see `ninefold strategies --all`. `auto` takes the one with the smallest trees for the rules
    #[arg(short, long, value_name = "NAME[:VARIANT]", default_value = "auto", hide_possible_values = true, value_parser = strategy_names())]
    strategy: String,

    /// Where to write the certificate; `-` is standard output, for a tree
    #[arg(short, long, value_name = "FILE|-")]
    out: OsString,

    /// What to write. Otherwise told from the name of the file: .drat, .lrat, or else a tree
    #[arg(long, value_name = "KIND")]
    proof: Option<Kind>,

    /// Give up after this many nodes
    #[arg(long, value_name = "N")]
    limit_nodes: Option<u64>,

    /// Give up after this time: 2, 0.5, 500ms, 2s, 1m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    timeout: Option<Duration>,

    /// How to say what was written
    #[arg(short, long, value_name = "FORMAT", default_value = "grid", value_parser = table_format())]
    format: AnswerFormat,

    /// No progress, and nothing said where the certificate goes to standard output
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A refutation tree, from any strategy
    Tree,
    /// A formula and its proof in DRAT format, from the strategy sat
    Drat,
    /// The same in LRAT format
    Lrat,
}

impl Kind {
    fn of(args: &CertifyArgs) -> Kind {
        let ending = Path::new(&args.out).extension().and_then(OsStr::to_str).unwrap_or_default();
        args.proof.unwrap_or(match ending {
            "drat" => Kind::Drat,
            "lrat" => Kind::Lrat,
            _ => Kind::Tree,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Tree => "tree",
            Kind::Drat => "drat",
            Kind::Lrat => "lrat",
        }
    }
}

/// What came of it, as the JSON has it.
#[derive(Default, Serialize)]
struct Object {
    puzzle: String,
    rules: String,
    claim: String,
    /// Whether the claim is true; null where that is not known.
    holds: Option<bool>,
    proof: &'static str,
    strategy: &'static str,
    files: Vec<String>,
    bytes: u64,
    /// Sizes by their names.
    sizes: serde_json::Map<String, serde_json::Value>,
    /// Solutions that show that the claim is false.
    solutions: Vec<String>,
    stopped_by: Option<&'static str>,
    seconds: f64,
}

pub(crate) fn run(args: &CertifyArgs) -> Done {
    let kind = Kind::of(args);
    let to_stdout = args.out == "-";
    if to_stdout && kind != Kind::Tree {
        return Err(Stop::Failed("a formula and its proof are two files: name one with --out, such as proof.drat".into()));
    }
    let Some(puzzle) = puzzle_of(&args.input.inputs, &args.input.options(), args.number, args.quiet)? else {
        return Ok(Status::Error);
    };
    let begun = Instant::now();
    let auto = ninefold::auto(puzzle.rules());
    let chosen = match (kind, args.strategy.as_str()) {
        (Kind::Drat | Kind::Lrat, _) => ninefold::by_name("sat"),
        (Kind::Tree, "auto") => certify::auto(puzzle.rules()),
        (Kind::Tree, name) => ninefold::by_name(name).filter(|strategy| strategy.caps.takes(puzzle.rules())),
    };
    let (Some(auto), Some(strategy)) = (auto, chosen) else {
        let message = format!("{} is not enabled or does not take the rules {}", args.strategy, puzzle.rules());
        return Err(Stop::Failed(message));
    };
    let cancel = batch::cancel_on_interrupt();
    let mut limits = limits(args.limit_nodes, None).with_cancel(cancel.clone());
    if let Some(time) = args.timeout {
        limits = limits.with_deadline(ninefold::clock::now().plus(time));
    }
    let mut object = Object {
        puzzle: puzzle.to_string(),
        rules: puzzle.rules().to_string(),
        proof: kind.name(),
        strategy: strategy.name,
        ..Object::default()
    };
    let done = AtomicU64::new(0);
    let message = || match done.load(Ordering::Relaxed) {
        0 => "finding out what is true".into(),
        bytes => format!("{} bytes", grouped(bytes)),
    };
    let result = watched(args.quiet, message, || {
        let (claim, known) = truth(auto, &puzzle, args.claim, kind, &limits, &mut object)?;
        object.claim = claim.to_string();
        let mut output = Output::create(&args.out, kind, &done)?;
        let written = match kind {
            Kind::Tree => {
                let mut solver = (strategy.build)();
                certify::tree(&mut *solver, &puzzle, claim, &limits, &mut output.main).map(|tree| {
                    vec![
                        ("splits", tree.splits),
                        ("leaves", tree.leaves),
                        ("steps", tree.steps),
                        ("solutions", tree.solutions),
                        ("own_splits", tree.own_splits),
                    ]
                })
            }
            Kind::Drat | Kind::Lrat => {
                let format = if kind == Kind::Drat { ProofFormat::Drat } else { ProofFormat::Lrat };
                let cnf = output.cnf.as_mut().expect("a formula has its file");
                certify::formula(&puzzle, &known, format, &limits, cnf, &mut output.main).map(|formula| {
                    vec![
                        ("variables", formula.variables),
                        ("clauses", formula.clauses),
                        ("lemmas", formula.lemmas),
                        ("deletions", formula.deletions),
                    ]
                })
            }
        };
        match written {
            Ok(sizes) => {
                object.files = output.finish()?;
                object.sizes = sizes.into_iter().map(|(name, size)| (name.to_owned(), size.into())).collect();
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    });
    object.bytes = done.load(Ordering::Relaxed);
    object.seconds = begun.elapsed().as_secs_f64();
    let status = match result {
        Ok(()) => {
            object.holds = Some(true);
            Status::Yes
        }
        Err(Failure::False) => {
            object.holds = Some(false);
            Status::No
        }
        Err(Failure::Certify(CertifyError::GaveUp(Budget::Cancelled))) => return Ok(Status::Interrupted),
        Err(Failure::Certify(CertifyError::GaveUp(budget))) => {
            object.stopped_by = Some(budget.name());
            Status::GaveUp
        }
        Err(Failure::Certify(CertifyError::Write(error))) => return Err(error.into()),
        Err(Failure::Certify(error)) => return Err(Stop::Failed(error.to_string())),
        Err(Failure::Stop(stop)) => return Err(stop),
    };
    say(args, to_stdout, &object)?;
    Ok(status)
}

/// Why there is no certificate.
enum Failure {
    /// The claim is false; the object says what shows it.
    False,
    Certify(CertifyError),
    Stop(Stop),
}

impl From<CertifyError> for Failure {
    fn from(error: CertifyError) -> Failure {
        Failure::Certify(error)
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stop(stop)
    }
}

/// The claim that is true, and the solutions that a formula has to forbid.
fn truth(
    strategy: &Strategy,
    puzzle: &Puzzle,
    claim: Option<Claim>,
    kind: Kind,
    limits: &Limits,
    object: &mut Object,
) -> Result<(Claim, Vec<Solution>), Failure> {
    let cap = claim.map_or(MOST, Claim::solutions).saturating_add(1);
    let keeps_all = kind != Kind::Tree;
    let mut known: Vec<Solution> = Vec::new();
    let mut visitor = |solution: &Solution| {
        if keeps_all || known.len() < 2 {
            known.push(solution.clone());
        }
        ControlFlow::Continue(())
    };
    let mut solver = (strategy.build)();
    let mut search = Search::new(limits).with_cap(cap).with_visitor(&mut visitor);
    let end = solver.search(puzzle, &mut search);
    let outcome = search.finish(end);
    let count = outcome.count();
    let found = match (end, claim) {
        (End::OutOfBudget(budget), _) => return Err(CertifyError::GaveUp(budget).into()),
        (End::Unsupported, _) => return Err(CertifyError::Unsupported.into()),
        (_, Some(claim)) => claim,
        (End::Exhausted, None) => Claim::of(count),
        (End::Stopped, None) => {
            let message = format!("there are more than {} solutions: name how many with --claim count=N", grouped(MOST));
            return Err(Stop::Failed(message).into());
        }
    };
    if count == found.solutions() && end == End::Exhausted {
        return Ok((found, known));
    }
    object.claim = found.to_string();
    object.sizes.insert("solutions".into(), count.into());
    object.solutions = known.iter().take(2).map(Solution::to_string).collect();
    Err(Failure::False)
}

/// The files on their way: they get their names when they are whole.
struct Output<'a> {
    main: Counted<'a>,
    cnf: Option<Counted<'a>>,
    /// What each is called now, and what it is to be called.
    names: Vec<(PathBuf, PathBuf)>,
}

/// Counts the bytes that pass.
struct Counted<'a> {
    out: Box<dyn Write + Send>,
    bytes: &'a AtomicU64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<'a> Output<'a> {
    fn create(out: &OsString, kind: Kind, bytes: &'a AtomicU64) -> Result<Output<'a>, Stop> {
        let mut output = Output { main: Counted { out: Box::new(io::sink()), bytes }, cnf: None, names: Vec::new() };
        if out == "-" {
            output.main.out = Box::new(BufWriter::new(io::stdout()));
            return Ok(output);
        }
        let path = PathBuf::from(out);
        let mut open = |path: PathBuf| {
            let mut part = path.clone().into_os_string();
            part.push(".part");
            let part = PathBuf::from(part);
            let file = File::create(&part).map_err(|error| failed(&path, &error))?;
            output.names.push((part, path));
            Ok::<Box<dyn Write + Send>, Stop>(Box::new(BufWriter::new(file)))
        };
        if kind != Kind::Tree {
            let cnf = path.with_extension("cnf");
            if cnf == path {
                return Err(Stop::Failed("the formula goes to FILE.cnf: give the proof another ending, such as .drat".into()));
            }
            output.cnf = Some(Counted { out: open(cnf)?, bytes });
        }
        output.main.out = open(path)?;
        Ok(output)
    }

    /// Gives the files their names, and tells them.
    fn finish(mut self) -> Result<Vec<String>, Stop> {
        self.main.flush()?;
        if let Some(cnf) = &mut self.cnf {
            cnf.flush()?;
        }
        self.close();
        let mut names = Vec::new();
        for (part, path) in std::mem::take(&mut self.names) {
            fs::rename(&part, &path).map_err(|error| failed(&path, &error))?;
            names.push(path.display().to_string());
        }
        Ok(names)
    }
}

impl Output<'_> {
    /// Some systems neither rename nor remove a file that is open.
    fn close(&mut self) {
        self.main.out = Box::new(io::sink());
        self.cnf = None;
    }
}

impl Drop for Output<'_> {
    /// What is not whole goes away.
    fn drop(&mut self) {
        self.close();
        for (part, _) in &self.names {
            let _ = fs::remove_file(part);
        }
    }
}

fn failed(path: &Path, error: &io::Error) -> Stop {
    Stop::Failed(format!("cannot write {}: {error}", path.display()))
}

/// Does the work on a thread of its own, while this one shows progress.
pub(crate) fn watched<T: Send>(quiet: bool, message: impl Fn() -> String, work: impl FnOnce() -> T + Send) -> T {
    let mut progress = Progress::new(quiet, None);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel::<()>();
        let work = scope.spawn(move || {
            // Dropped when the work is done, or panics.
            let _sender = sender;
            work()
        });
        while receiver.recv_timeout(Duration::from_millis(200)) == Err(RecvTimeoutError::Timeout) {
            progress.show(0, &message);
        }
        progress.clear();
        work.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Says what was written, or why nothing was: on standard output, or on standard error where the certificate is on the other.
fn say(args: &CertifyArgs, to_stdout: bool, object: &Object) -> Done {
    let mut text = Vec::new();
    let verdict = match (object.holds, object.stopped_by) {
        (Some(true), _) => "certified",
        (Some(false), _) => "false",
        (None, _) => "unknown",
    };
    let _ = match args.format {
        AnswerFormat::Json => serde_json::to_writer(&mut text, object).map_err(io::Error::from).and_then(|()| writeln!(text)),
        AnswerFormat::Line => writeln!(text, "{verdict}"),
        AnswerFormat::Csv => {
            let _ = writeln!(text, "puzzle,rules,claim,verdict,proof,strategy,bytes,seconds");
            let Object { puzzle, rules, claim, proof, strategy, bytes, seconds, .. } = object;
            writeln!(text, "{puzzle},{},{claim},{verdict},{proof},{strategy},{bytes},{seconds:.3}", quoted(rules))
        }
        AnswerFormat::Grid | AnswerFormat::Count => match object.holds {
            Some(true) => {
                let sizes: Vec<String> =
                    object.sizes.iter().map(|(name, size)| format!("{size} {}", name.replace('_', " "))).collect();
                let files = if to_stdout { String::new() } else { format!(" in {}", object.files.join(" and ")) };
                let spent = time(Duration::from_secs_f64(object.seconds));
                writeln!(
                    text,
                    "{}: certified{files}; {}, {} bytes, {spent}",
                    object.claim,
                    sizes.join(", "),
                    grouped(object.bytes)
                )
            }
            Some(false) => {
                let count = object.sizes.get("solutions").and_then(serde_json::Value::as_u64).unwrap_or_default();
                let wanted = object.claim.parse::<Claim>().map_or(0, Claim::solutions);
                let least = if count > wanted { "at least " } else { "" };
                let s = if count == 1 { "" } else { "s" };
                let _ = writeln!(text, "the claim {} is false: the puzzle has {least}{count} solution{s}", object.claim);
                object.solutions.iter().try_for_each(|solution| writeln!(text, "{solution}"))
            }
            None => writeln!(text, "unknown: gave up at the {} limit", object.stopped_by.unwrap_or_default()),
        },
    };
    if !to_stdout {
        std::io::stdout().write_all(&text)?;
    } else if !args.quiet {
        let _ = anstream::stderr().write_all(&text);
    } else if object.holds != Some(true) {
        let _ = writeln!(anstream::stderr(), "{}", report::plain_error(String::from_utf8_lossy(&text).trim_end()));
    }
    Ok(Status::Yes)
}
