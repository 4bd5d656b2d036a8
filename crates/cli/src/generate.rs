//! `ninefold generate`.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use clap::Args as ArgGroup;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ninefold::{Board, Budget, CancelToken, Counter, Limits, Rules, Strategy};
use ninefold_formats::{Count, Format, Record, Writer};
use ninefold_generator::hard::{Figure, Found, Hunt, Kind};
use ninefold_generator::{GenerateError, GenerateErrorKind, Generated, Generator, Symmetry};

use crate::args::{AnswerFormat, duration, rules, table_format};
use crate::batch;
use crate::progress::{Progress, grouped, time};
use crate::status::{Done, Status, Stop};

/// Puzzles that may be finished before the one whose turn it is.
const WINDOW: u64 = 4096;

/// Reports beyond these say nothing new; the summary counts the others.
const MOST_REPORTS: u64 = 20;

/// The side up to which it takes no time worth mentioning to tell whether a puzzle is minimal.
const QUICK_SIDE: usize = 9;

/// Make puzzles: with one solution, minimal, symmetric, or hard for one strategy
///
/// Puzzles go to standard output, everything else to standard error. Puzzle N of a seed is always the same, whatever the platform and the
/// count of threads, unless a limit on time cuts it short.
#[derive(Debug, ArgGroup)]
#[command(after_long_help = "\
Exit codes:
  0    every puzzle is as asked
  2    usage error, or no puzzle can be as asked
  3    gave up on a puzzle, at a limit or after all attempts
  130  interrupted")]
pub(crate) struct GenerateArgs {
    /// How many puzzles
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    pub(crate) count: u64,

    /// The rules: 3x3, 2x3+diagonals, latin:7, jigsaw:MAP, or @FILE. `ninefold rules` lists the names
    #[arg(short, long, value_name = "RULES", value_parser = rules, default_value = "3x3")]
    pub(crate) rules: Rules,

    /// The seed. Without one a fresh one is taken and told
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// The number of the first puzzle: `--first 7` makes the seventh puzzle of the seed, and those after it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) first: u64,

    /// No given can go; with a symmetry, no orbit of givens
    #[arg(short, long)]
    pub(crate) minimal: bool,

    /// Exactly this many givens [default: about three eighths of the cells, more on large boards]
    #[arg(short, long, value_name = "N")]
    pub(crate) givens: Option<usize>,

    /// The symmetry of the pattern of givens
    #[arg(long, value_name = "SYMMETRY", default_value = "none", value_parser = symmetry())]
    pub(crate) symmetry: Symmetry,

    /// Do not ask whether there are other solutions: the givens are a random part of a full grid
    #[arg(long, requires = "givens", conflicts_with_all = ["minimal", "hard_for"])]
    pub(crate) any_solutions: bool,

    /// Search for puzzles that take this strategy many nodes; `all` stands for each of them but the variants
    #[arg(long, value_name = "NAME", hide_possible_values = true, value_parser = hard_names(), conflicts_with_all = ["minimal", "givens", "symmetry"])]
    pub(crate) hard_for: Option<String>,

    /// … and this one few
    #[arg(long, value_name = "NAME", hide_possible_values = true, value_parser = easy_names(), requires = "hard_for")]
    pub(crate) easy_for: Option<String>,

    /// Puzzles without a solution, with --hard-for
    #[arg(long, requires = "hard_for")]
    pub(crate) unsolvable: bool,

    /// Give up on a puzzle after this many tries [default: 50000; 20 on boards of side 10 and more; 1000 puzzles looked at with --hard-for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) attempts: Option<u32>,

    /// Give up on a single search after this many nodes (conflicts, for a strategy that has no nodes) [default: 100000; 1000000 with
    /// --hard-for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) limit_nodes: Option<u64>,

    /// Give up on a puzzle after this time: 2, 0.5, 500ms, 2s, 1m. With --hard-for the best so far is taken
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,

    /// Give up on all that is not made after this time
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) total_timeout: Option<Duration>,

    /// How to write the puzzles
    #[arg(short, long, value_name = "FORMAT", default_value = "grid", value_parser = table_format())]
    pub(crate) format: AnswerFormat,

    /// Threads that make puzzles [default: one a core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// No summary and no progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

fn symmetry() -> impl TypedValueParser<Value = Symmetry> {
    PossibleValuesParser::new(Symmetry::ALL.map(Symmetry::name)).map(|name| name.parse().expect("these are names of symmetries"))
}

fn hard_names() -> PossibleValuesParser {
    PossibleValuesParser::new(std::iter::once("all").chain(ninefold::all_variants().map(|strategy| strategy.name)))
}

fn easy_names() -> PossibleValuesParser {
    PossibleValuesParser::new(ninefold::all_variants().map(|strategy| strategy.name))
}

/// What makes the puzzles.
enum Maker {
    Removal(Generator),
    Hunt(Hunt),
}

/// A puzzle on its way to the output.
struct Made {
    board: Board,
    solution: Option<Board>,
    /// Whether the count of solutions is known: 1, or 0 where there is none.
    counted: bool,
    comment: String,
    /// Worth telling besides: the ratio that was reached.
    note: Option<String>,
}

/// What all threads share.
struct Shared<'a> {
    maker: Maker,
    each: Limits,
    whole: Limits,
    symmetry: Symmetry,
    commented: bool,
    end: u64,
    turn: Mutex<Turn>,
    moved: Condvar,
    best: Mutex<Option<f64>>,
    cancel: &'a CancelToken,
}

/// Whose turn it is.
struct Turn {
    /// The next puzzle that nobody makes yet.
    next: u64,
    /// The next one to be written.
    written: u64,
}

pub(crate) fn run(args: &GenerateArgs) -> Done {
    let seed = args.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
    let maker = maker(args, seed)?;
    let first = args.first - 1;
    let end = first.checked_add(args.count).ok_or_else(|| Stop::Failed("there are no puzzles beyond 2^64".into()))?;
    let cancel = batch::cancel_on_interrupt();
    let each = args.timeout.map_or(Limits::none(), |time| Limits::none().with_time(time));
    let mut whole = Limits::none().with_cancel(cancel.clone());
    if let Some(time) = args.total_timeout {
        whole = whole.with_deadline(ninefold::clock::now().plus(time));
    }
    if args.seed.is_none() {
        let _ = writeln!(anstream::stderr(), "seed {seed}");
    }
    let shared = Shared {
        maker,
        each,
        whole,
        symmetry: args.symmetry,
        commented: args.format != AnswerFormat::Line,
        end,
        turn: Mutex::new(Turn { next: first, written: first }),
        moved: Condvar::new(),
        best: Mutex::new(None),
        cancel: &cancel,
    };
    let threads = args.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let threads = u64::try_from(threads).unwrap_or(1).min(args.count.max(1));
    thread::scope(|scope| {
        let (done, made) = mpsc::sync_channel(256);
        for _ in 0..threads {
            let (shared, done) = (&shared, done.clone());
            scope.spawn(move || shared.work(&done));
        }
        drop(done);
        let written = write_all(args, &shared, first, &made);
        // Whoever still works or waits has to end before the scope does.
        cancel.cancel();
        drop(made);
        shared.moved.notify_all();
        written
    })
}

fn maker(args: &GenerateArgs, seed: u64) -> Result<Maker, Stop> {
    let strategy = |name: &str| -> Result<&'static Strategy, Stop> {
        let strategy = ninefold::by_name(name).ok_or_else(|| Stop::Failed(format!("there is no strategy `{name}`")))?;
        if strategy.caps.takes(&args.rules) {
            return Ok(strategy);
        }
        Err(Stop::Failed(format!("{name} does not take the rules {}; `ninefold strategies` tells which do", args.rules)))
    };
    let Some(hard_for) = &args.hard_for else {
        let mut generator =
            Generator::new(&args.rules, seed).minimal(args.minimal).symmetry(args.symmetry).unique(!args.any_solutions);
        if let Some(givens) = args.givens {
            generator = generator.givens(givens);
        }
        if let Some(attempts) = args.attempts {
            generator = generator.attempts(attempts);
        }
        if let Some(nodes) = args.limit_nodes {
            generator = generator.check_nodes(nodes);
        }
        generator.check().map_err(|error| Stop::Failed(error.to_string()))?;
        return Ok(Maker::Removal(generator));
    };
    let mut hunt = match (hard_for.as_str(), &args.easy_for) {
        ("all", None) => {
            let takes = |strategy: &&'static Strategy| strategy.caps.takes(&args.rules);
            Hunt::for_all(&args.rules, seed, ninefold::strategies().into_iter().filter(takes).collect())
        }
        ("all", Some(_)) => {
            return Err(Stop::Failed(
                "a puzzle that is hard for all is easy for none: leave out --easy-for or name one strategy".into(),
            ));
        }
        (_, None) => return Err(Stop::Failed("--hard-for needs --easy-for: hard for one means easy for another".into())),
        (hard, Some(easy)) => Hunt::new(&args.rules, seed, strategy(hard)?, strategy(easy)?),
    };
    if args.unsolvable {
        hunt = hunt.kind(Kind::Unsolvable);
    }
    if let Some(attempts) = args.attempts {
        hunt = hunt.attempts(attempts);
    }
    if let Some(nodes) = args.limit_nodes {
        hunt = hunt.nodes(nodes);
    }
    Ok(Maker::Hunt(hunt))
}

/// Writes the puzzles in their order and sums up.
fn write_all(
    args: &GenerateArgs,
    shared: &Shared<'_>,
    first: u64,
    made: &mpsc::Receiver<(u64, Result<Made, GenerateError>)>,
) -> Done {
    let mut progress = Progress::new(args.quiet, Some(args.count));
    let gathered = Gathered::default();
    let mut writer = Writer::new(gathered.clone(), output_format(args));
    let mut out = std::io::stdout();
    let mut stderr = anstream::stderr();
    let mut waiting: VecDeque<Option<Result<Made, GenerateError>>> = VecDeque::new();
    let (mut next, mut count, mut missing) = (first, 0, 0);
    let mut status = Status::Yes;
    let mut impossible = None;
    loop {
        let elapsed = progress.elapsed().as_secs_f64();
        progress.show(next - first, || match *shared.best.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(ratio) => format!("{} puzzles, best ratio {}", grouped(count), grouped(ratio as u64)),
            None => format!("{} puzzles, {}/s", grouped(count), grouped((count as f64 / elapsed.max(1e-9)) as u64)),
        });
        match made.recv_timeout(Duration::from_millis(100)) {
            Ok((index, result)) => {
                let place = (index - next) as usize;
                if waiting.len() <= place {
                    waiting.resize_with(place + 1, || None);
                }
                waiting[place] = Some(result);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => continue,
        }
        while let Some(Some(_)) = waiting.front()
            && let Some(result) = waiting.pop_front().flatten()
        {
            next += 1;
            match result {
                Ok(puzzle) => {
                    let name = next.to_string();
                    writer.write(&puzzle.record(&name, args.format)).map_err(|error| Stop::Failed(error.to_string()))?;
                    count += 1;
                    if let Some(note) = puzzle.note.filter(|_| !args.quiet) {
                        let _ = progress.write(&mut stderr, format!("puzzle {next}: {note}\n").as_bytes());
                    }
                }
                Err(error) if error.kind() == GenerateErrorKind::OutOfBudget(Budget::Cancelled) => {}
                Err(error) if error.kind() == GenerateErrorKind::Impossible => impossible = Some(error),
                Err(error) => {
                    status = status.max(Status::GaveUp);
                    missing += 1;
                    if missing <= MOST_REPORTS {
                        let _ = progress.write(&mut stderr, report(next, &error).as_bytes());
                    }
                }
            }
        }
        progress.write(&mut out, &gathered.take())?;
        shared.turn.lock().unwrap_or_else(PoisonError::into_inner).written = next;
        shared.moved.notify_all();
        if let Some(error) = &impossible {
            return Err(Stop::Failed(error.to_string()));
        }
    }
    progress.clear();
    writer.finish()?;
    progress.write(&mut out, &gathered.take())?;
    let interrupted = shared.cancel.is_cancelled();
    if count < args.count && !interrupted {
        status = status.max(Status::GaveUp);
    }
    if !args.quiet && (args.count > 1 || interrupted || status != Status::Yes) {
        let elapsed = progress.elapsed();
        let _ = writeln!(
            stderr,
            "{}{} of {} puzzles, {}/s; {}",
            if interrupted { "interrupted: " } else { "" },
            grouped(count),
            grouped(args.count),
            grouped((count as f64 / elapsed.as_secs_f64().max(1e-9)) as u64),
            time(elapsed)
        );
        if missing > 0 {
            let _ = writeln!(
                stderr,
                "gave up on {}: raise --attempts, --limit-nodes or --timeout, or ask for more givens",
                grouped(missing)
            );
        }
    }
    Ok(if interrupted { Status::Interrupted } else { status })
}

/// Why a puzzle was not made, and what came closest.
fn report(number: u64, error: &GenerateError) -> String {
    let mut text = format!("puzzle {number}: {error}\n");
    if let Some(closest) = error.closest() {
        text += &format!("  {}\n", closest.puzzle());
    }
    text
}

/// The format that `solve` reads back: where the regions are not blocks, one that has a map.
fn output_format(args: &GenerateArgs) -> Format {
    let regions = args.rules.houses().iter().any(|house| matches!(house.kind(), ninefold::HouseKind::Region(_)));
    match args.format {
        AnswerFormat::Csv => Format::Csv,
        AnswerFormat::Json => Format::JsonLines,
        AnswerFormat::Line | AnswerFormat::Count if regions => Format::JigsawLine,
        AnswerFormat::Line | AnswerFormat::Count => Format::Line,
        AnswerFormat::Grid if regions => Format::Jigsaw,
        AnswerFormat::Grid => Format::Grid,
    }
}

impl Made {
    fn record<'a>(&'a self, name: &'a str, format: AnswerFormat) -> Record<'a> {
        let mut record = Record::new(&self.board);
        if matches!(format, AnswerFormat::Csv | AnswerFormat::Json) {
            record.name = Some(name);
            record.comment = Some(&self.comment);
            record.solution = self.solution.as_ref();
            record.count = self.counted.then(|| Count { found: u64::from(self.solution.is_some()), exact: true });
        }
        record
    }
}

/// Text that is gathered before it is written.
#[derive(Clone, Default)]
struct Gathered(Rc<RefCell<Vec<u8>>>);

impl Gathered {
    fn take(&self) -> Vec<u8> {
        self.0.take()
    }
}

impl Write for Gathered {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Shared<'_> {
    /// Makes one puzzle after the other.
    fn work(&self, done: &SyncSender<(u64, Result<Made, GenerateError>)>) {
        while let Some(index) = self.next() {
            if done.send((index, self.make(index))).is_err() {
                return;
            }
        }
    }

    /// The next puzzle to make; `None` where there are no more, or it is time to end.
    fn next(&self) -> Option<u64> {
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let late = self.whole.deadline().is_some_and(|deadline| deadline <= ninefold::clock::now());
            if turn.next == self.end || self.cancel.is_cancelled() || late {
                return None;
            }
            if turn.next - turn.written < WINDOW {
                turn.next += 1;
                return Some(turn.next - 1);
            }
            let waited = self.moved.wait_timeout(turn, Duration::from_millis(100));
            turn = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn make(&self, index: u64) -> Result<Made, GenerateError> {
        let mut limits = self.whole.clone();
        if let Some(time) = self.each.time() {
            limits = limits.with_time(time);
        }
        match &self.maker {
            Maker::Removal(generator) => generator.generate(index, &limits).map(|made| self.generated(&made, &limits)),
            Maker::Hunt(hunt) => {
                let mut visit = |found: &Found| {
                    let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
                    *best = Some(best.map_or(found.ratio(), |best| best.max(found.ratio())));
                    ControlFlow::Continue(())
                };
                let found = hunt.search(index, &limits, &mut visit)?;
                let note = figures(&found);
                Ok(Made {
                    board: found.puzzle().board().clone(),
                    solution: found.solution().map(|solution| solution.board().clone()),
                    counted: true,
                    comment: note.clone(),
                    note: Some(note),
                })
            }
        }
    }

    fn generated(&self, made: &Generated, limits: &Limits) -> Made {
        let board = made.puzzle().board().clone();
        let mut comment = String::new();
        if self.commented {
            comment = format!("{} givens", board.given_count());
            if self.symmetry != Symmetry::None {
                comment += &format!(", {}", self.symmetry);
            }
            if made.is_orbit_minimal() && self.symmetry != Symmetry::None {
                comment += ", no orbit can go";
            }
            let minimal = if made.is_orbit_minimal() && self.symmetry == Symmetry::None {
                Some(true)
            } else if board.rules().side() <= QUICK_SIDE {
                made.is_minimal(limits)
            } else {
                None
            };
            comment += match minimal {
                Some(true) => ", minimal",
                Some(false) => ", not minimal",
                None => "",
            };
        }
        let solution = made.is_unique().then(|| made.solution().board().clone());
        Made { board, solution, counted: made.is_unique(), comment, note: None }
    }
}

/// What the strategies take for a puzzle, and the ratio.
fn figures(found: &Found) -> String {
    let figure = |figure: &Figure| {
        let nodes = ninefold::by_name(figure.strategy).is_some_and(|strategy| strategy.caps.counters.contains(Counter::Nodes));
        let more = if figure.at_least { " or more" } else { "" };
        let plural = if figure.steps == 1 { "" } else { "s" };
        format!("{} {}{more} {}{plural}", figure.strategy, grouped(figure.steps), if nodes { "node" } else { "conflict" })
    };
    let all: Vec<String> = found.hard().iter().chain(found.easy().iter()).map(figure).collect();
    let least = if found.is_lower_bound() { "at least " } else { "" };
    let what = if found.easy().is_some() { "ratio" } else { "least ratio to the usual" };
    format!("{}: {what} {least}{:.1}", all.join(", "), found.ratio())
}
