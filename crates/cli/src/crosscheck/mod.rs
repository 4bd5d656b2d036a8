//! `ninefold crosscheck`: everyone answers every puzzle, and the answers are held against each other.

mod external;
mod fuzz;
mod show;

use std::cell::Cell;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args as ArgGroup;
use ninefold::crosscheck::{Answer, Crosscheck, Participant, Summary};
use ninefold::{CancelToken, Limits, Puzzle, Strategy};
use ninefold_formats::Entry;

use crate::args::{AnswerFormat, EXIT_CODES, InputArgs, duration, limits, table_format};
use crate::batch::{self, Job, Work};
use crate::input;
use crate::output::Place;
use crate::report;
use crate::status::{Done, Status, Stop};
use external::{External, Program, Takes};
use show::Shower;

/// Reports beyond these say nothing new; the summary counts the others.
const MOST_REPORTS: u64 = 20;

/// How long one disagreement may be made smaller.
const SHRINK_TIME: Duration = Duration::from_secs(30);

/// How many puzzles may be asked for that.
const SHRINK_QUESTIONS: u64 = 4000;

/// What a puzzle of `--fuzz` may take, unless a limit is named: there, many puzzles tell more than long searches.
const FUZZ_NODES: u64 = 10_000;

/// Hold the answers of strategies, and of your own solver, against each other
///
/// Every participant answers every puzzle: verdict, count of solutions, and the set of solutions are compared, and each solution is checked
/// by the rules. What a file says of a puzzle (`puzzle:count:solution`) takes part too. A disagreement is made as small as possible and written to
/// a file. Who gave up agrees with nothing.
#[derive(Debug, ArgGroup)]
#[command(after_long_help = EXIT_CODES)]
pub(crate) struct CrosscheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// The strategies, separated by commas; `all` stands for all but their variants, `variants` for these too, `none` for none
    #[arg(short, long, value_name = "NAMES", value_delimiter = ',', default_value = "all", hide_possible_values = true, value_parser = checker_names())]
    pub(crate) strategies: Vec<String>,

    /// Count solutions up to this many. Puzzles with fewer have their sets of solutions compared
    #[arg(short, long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) count: u64,

    /// Give up on an answer after this many nodes (conflicts, for a strategy that has no nodes)
    #[arg(long, value_name = "N")]
    pub(crate) limit_nodes: Option<u64>,

    /// Give up on an answer after this time: 2, 0.5, 500ms, 2s, 1m
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1s")]
    pub(crate) timeout: Duration,

    /// Let another program take part: it reads a puzzle a line and answers with a line (see docs/CROSSCHECK.md). `{}` in the
    /// command stands for the puzzle, where it takes one as an argument. May be given several times
    #[arg(short, long, value_name = "[NAME=]COMMAND", value_parser = Program::parse)]
    pub(crate) external: Vec<Program>,

    /// Which puzzles other programs are asked
    #[arg(long, value_name = "WHICH", default_value = "classic")]
    pub(crate) external_takes: Takes,

    /// How long another program may take for an answer; after that it is stopped
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s")]
    pub(crate) external_timeout: Duration,

    /// Take puzzles of all kinds that are made at random instead of a file, for so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = duration, conflicts_with = "inputs")]
    pub(crate) fuzz: Option<Duration>,

    /// Ask each puzzle also turned, mirrored, relabelled and with its lines moved, which must change no answer
    #[arg(long)]
    pub(crate) metamorphic: bool,

    /// Makes the random puzzles and changes the same again [default: another for each --fuzz, else 0]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Where a disagreement is written. Files that exist are left alone, and the name gets a number
    #[arg(short, long, value_name = "FILE", default_value = "disagreement.jsonl")]
    pub(crate) out: PathBuf,

    /// Make so many disagreements small and show them; the others are counted. --fuzz ends after these
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) most: u64,

    /// How to write the answers
    #[arg(short, long, value_name = "FORMAT", default_value = "grid", value_parser = table_format())]
    pub(crate) format: AnswerFormat,

    /// Threads that ask [default: one a core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// No summary of agreement and no progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

fn checker_names() -> clap::builder::PossibleValuesParser {
    let words = ["all", "variants", "none"].into_iter();
    clap::builder::PossibleValuesParser::new(words.chain(ninefold::all_variants().map(|strategy| strategy.name)))
}

/// What all threads share.
struct Settings {
    strategies: Vec<&'static Strategy>,
    externals: Vec<Program>,
    takes: Takes,
    external_timeout: Duration,
    cap: u64,
    limits: Limits,
    seed: u64,
    metamorphic: bool,
    cancel: CancelToken,
    shower: Shower,
    /// Disagreements so far, in all threads.
    found: AtomicU64,
    most: u64,
    reports: AtomicU64,
}

pub(crate) fn run(args: &CrosscheckArgs) -> Done {
    let strategies = chosen(&args.strategies);
    // A file may state the answers, and a changed puzzle is a second question: one participant will do then.
    let needed = if args.fuzz.is_some() && !args.metamorphic { 2 } else { 1 };
    if strategies.len() + args.external.len() < needed {
        return Err(Stop::Failed(format!("at least {needed} to take part: name --strategies or --external")));
    }
    let options = args.input.options();
    let cancel = batch::cancel_on_interrupt();
    let nodes = args.limit_nodes.or(args.fuzz.map(|_| FUZZ_NODES));
    let limits = limits(nodes, Some(args.timeout)).with_cancel(cancel.clone());
    let seed = args.seed.unwrap_or_else(|| if args.fuzz.is_some() { seed_of_now() } else { 0 });
    let settings = Arc::new(Settings {
        strategies,
        externals: args.external.clone(),
        takes: args.external_takes,
        external_timeout: args.external_timeout,
        cap: args.count,
        limits,
        seed,
        metamorphic: args.metamorphic,
        cancel: cancel.clone(),
        shower: Shower::new(args, nodes),
        found: AtomicU64::new(0),
        most: args.most,
        reports: AtomicU64::new(0),
    });
    let threads = match args.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    quiet_panics();
    if let Some(time) = args.fuzz {
        return fuzz::run(args, &settings, threads, time);
    }
    let sources = input::sources(&args.input.inputs, &options).map_err(Stop::Failed)?;
    let workers: Vec<Checker> = (0..threads).map(|_| Checker::new(&settings)).collect();
    let streamed = batch::stream(sources, options, workers, &cancel, args.quiet, settings.shower.head())?;
    let tally = streamed.tally;
    if streamed.closed {
        return Ok(tally.status());
    }
    let suppressed = settings.reports.load(Ordering::Relaxed).saturating_sub(MOST_REPORTS);
    if suppressed > 0 && !args.quiet {
        let _ = writeln!(anstream::stderr(), "{suppressed} reports more are not shown");
    }
    settings.shower.summary(&tally, streamed.elapsed, streamed.interrupted, None)?;
    if streamed.interrupted {
        return Ok(Status::Interrupted);
    }
    if tally.summary.puzzles + tally.clashing + tally.unreadable == 0 {
        return Err(Stop::Failed("there is no puzzle in the input".into()));
    }
    Ok(tally.status())
}

/// The strategies by the names that were given, each once, in the order of the registry.
fn chosen(names: &[String]) -> Vec<&'static Strategy> {
    let is_chosen = |strategy: &Strategy| {
        names.iter().any(|name| name == strategy.name || name == "all" && strategy.variant().is_none() || name == "variants")
    };
    ninefold::all_variants().filter(|strategy| is_chosen(strategy)).collect()
}

fn seed_of_now() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    // Short enough to type again.
    (now.as_secs() ^ u64::from(now.subsec_nanos())) % 1_000_000_000
}

thread_local! {
    /// Whether a panic in this thread is an answer of a participant.
    static ASKING: Cell<bool> = const { Cell::new(false) };
}

/// A participant's panic is told as its answer, once, and not by the hook as well, for every puzzle that is tried on the way.
fn quiet_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !ASKING.get() {
            usual(info);
        }
    }));
}

/// What is summed up over all puzzles.
#[derive(Default)]
pub(crate) struct Tally {
    summary: Summary,
    /// Puzzles of which the input says how many solutions they have.
    stated: u64,
    clashing: u64,
    unreadable: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.summary.add(&other.summary);
        self.stated += other.stated;
        self.clashing += other.clashing;
        self.unreadable += other.unreadable;
    }

    fn status(&self) -> Status {
        match (self.unreadable, self.summary.disagreements, self.summary.not_compared) {
            (1.., ..) => Status::Error,
            (_, 1.., _) => Status::No,
            (_, _, 1..) => Status::GaveUp,
            _ => Status::Yes,
        }
    }
}

/// What the input says of the puzzle that is asked, as a participant. Of every other puzzle it says nothing.
#[derive(Clone, Default)]
struct Stated(Arc<Mutex<Option<(Puzzle, Answer)>>>);

impl Stated {
    const NAME: &str = "the input";

    fn set(&self, stated: Option<(Puzzle, Answer)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = stated;
    }
}

impl Participant for Stated {
    fn name(&self) -> &str {
        Stated::NAME
    }

    fn answer(&mut self, puzzle: &Puzzle, _: u64, _: &Limits) -> Answer {
        let stated = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stated.as_ref().filter(|(own, _)| own == puzzle).map_or_else(Answer::nothing, |(_, answer)| answer.clone())
    }

    fn restart(&mut self) {}
}

/// What an entry says about its solutions.
fn stated(entry: &Entry, puzzle: &Puzzle) -> Option<(Puzzle, Answer)> {
    let answer = match entry.count() {
        Some(count) => Some(Answer::claim(count.found, count.exact.then_some(count.found))),
        None => entry.solution().map(|_| Answer::claim(1, None)),
    }?;
    let answer = match entry.solution() {
        Some(solution) => answer.with_solution(solution.clone()),
        None => answer,
    };
    Some((puzzle.clone(), answer))
}

/// One thread's participants.
struct Checker {
    settings: Arc<Settings>,
    check: Crosscheck,
    stated: Stated,
}

impl Checker {
    fn new(settings: &Arc<Settings>) -> Checker {
        let stated = Stated::default();
        let mut check = Crosscheck::new().cap(settings.cap).limits(settings.limits.clone());
        check = check.effort(SHRINK_QUESTIONS, Some(SHRINK_TIME));
        for strategy in &settings.strategies {
            check = check.strategy(strategy);
        }
        for program in &settings.externals {
            let external = External::new(program.clone(), settings.takes, settings.external_timeout, settings.cancel.clone());
            check = check.participant(Box::new(external));
        }
        let check = check.participant(Box::new(stated.clone()));
        Checker { settings: settings.clone(), check, stated }
    }

    /// Asks everyone about one puzzle and writes what is found. `number` counts puzzles from 0 and makes the changes.
    fn ask(&mut self, puzzle: &Puzzle, number: u64, place: Place<'_>, out: &mut Vec<u8>, notes: &mut Vec<u8>) {
        let seed = self.settings.metamorphic.then_some(self.settings.seed.wrapping_add(number));
        self.check.change(seed);
        ASKING.set(true);
        let comparison = self.check.compare(puzzle);
        let finding = (comparison.is_disagreement() && !self.settings.cancel.is_cancelled()).then(|| {
            let shown = self.settings.found.fetch_add(1, Ordering::Relaxed) < self.settings.most;
            shown.then(|| self.check.examine(puzzle, comparison))
        });
        ASKING.set(false);
        if let Some(Some(finding)) = finding {
            self.settings.shower.finding(&finding, place, out, notes);
        }
    }

    fn reports_more(&self) -> bool {
        self.settings.reports.fetch_add(1, Ordering::Relaxed) < MOST_REPORTS
    }
}

impl Work for Checker {
    type Tally = Tally;

    fn work(&mut self, job: &mut Job, _: &mut dyn FnMut(Vec<u8>)) -> Tally {
        let mut tally = Tally::default();
        let before = self.check.summary().clone();
        let source = job.source.clone();
        if let Some(fault) = job.fault.take() {
            tally.unreadable += 1;
            let _ = writeln!(job.notes, "{}", report::source_error(&source, &fault));
        }
        for entry in job.chunk.entries() {
            if self.settings.cancel.is_cancelled() {
                job.cut = true;
                break;
            }
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    tally.unreadable += 1;
                    if self.reports_more() {
                        let _ = writeln!(job.notes, "{}", report::read_error(&source, &error));
                    }
                    continue;
                }
            };
            let line = entry.position().line();
            let Ok(puzzle) = entry.puzzle() else {
                // Refused before any solver, as it has to be; a file may say so.
                tally.clashing += 1;
                if entry.count().is_some_and(|count| count.found > 0) && self.reports_more() {
                    let message = "the input says that this has a solution, but its givens clash";
                    let _ = writeln!(job.notes, "{}", report::place_error(&source, line, message, &[]));
                    tally.unreadable += 1;
                }
                continue;
            };
            let stated = stated(&entry, &puzzle);
            tally.stated += u64::from(stated.is_some());
            self.stated.set(stated);
            let place = Place { source: &source, line, name: entry.name() };
            // Lines, since they are the same however the input is cut into jobs.
            self.ask(&puzzle, line.wrapping_sub(1), place, &mut job.out, &mut job.notes);
        }
        tally.summary = since(self.check.summary(), &before);
        tally
    }

    fn add(sum: &mut Tally, tally: Tally) {
        sum.add(&tally);
    }
}

/// What came to a summary.
fn since(now: &Summary, before: &Summary) -> Summary {
    let mut since = now.clone();
    since.puzzles -= before.puzzles;
    since.compared -= before.compared;
    since.not_compared -= before.not_compared;
    since.disagreements -= before.disagreements;
    for (now, before) in since.participants.iter_mut().zip(&before.participants) {
        now.claims -= before.claims;
        now.gave_up -= before.gave_up;
        now.unsupported -= before.unsupported;
        now.faults -= before.faults;
    }
    since
}
