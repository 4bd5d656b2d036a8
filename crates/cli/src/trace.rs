//! `ninefold trace`.
//!
//! The search runs on a thread of its own and hands its lines over in pieces; the main thread writes them and shows progress where none
//! come.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::{Args as ArgGroup, ValueEnum};
use ninefold::{
    CancelToken, Cell, Choice, Contradiction, Counter, Event, HouseId, Limits, Observer, Outcome, Puzzle, Rules, Search,
    Solution, Strategy, Why,
};
use ninefold_formats::{Options, Reader};
use serde::Serialize;

use crate::args::{InputArgs, duration, limits, strategy_names};
use crate::batch;
use crate::input;
use crate::output::{Answer, Place, Stats, Verdict, colour_wanted, counters_line};
use crate::progress::{Progress, grouped};
use crate::report;
use crate::status::{Done, Status, Stop};

/// Lines are handed over whenever this many bytes of them have gathered; on a terminal one by one.
const PART: usize = 1 << 13;

/// Guesses by which a line is indented at most; deeper ones are told as a figure.
const DEEPEST_INDENT: usize = 24;

const SCHEMA: &str = "\
JSON lines, the same for every strategy. Each has `event`; all but the first and the last two also `node` (nodes visited so far; null for a
strategy that has none, which has `conflicts` instead) and `depth` (guesses open). Cells are named r1c1, houses as `row 1`, `block 3`.
  start     puzzle, rules, side, strategy, count (solutions asked for), version (of the program)
  guess     cell and digit; or, where a digit is confined and not placed: cells, house and digit
  place     cell, digit, why: naked_single | hidden_single (house) | refuted | learned | ...
  remove    cell, digit, why: peer (by, a cell) | locked_candidates (house) | arrangement | refuted | ...
  dead_end  why: cell (cell) | house (house, digit) | arrangement | clauses
  back      depth, after the guess is taken back
  solution  number, solution
  cut       not shown: guess, place, remove, dead_end, back, solution; more: how to see them
  end       verdict, count, exact, stopped_by, solution (the first), events, stats (counters; null where not known)";

/// Show a search step by step: guesses, forced digits, dead ends, solutions
///
/// Of one puzzle, as JSON lines or for people: what forces a digit, what shows a dead end, and the way back. The search goes on after the last event that is shown, so the counters at the end are whole.
#[derive(Debug, ArgGroup)]
#[command(after_long_help = SCHEMA)]
pub(crate) struct TraceArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Which puzzle of the input, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    number: u64,

    /// The strategy, or a variant of one: see `ninefold strategies --all`. `auto` takes the best for the rules
    #[arg(short, long, value_name = "NAME[:VARIANT]", default_value = "auto", hide_possible_values = true, value_parser = strategy_names())]
    strategy: String,

    /// Stop at this many solutions. 2 shows how a strategy proves that there is only one
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,

    /// How to write the events
    #[arg(short, long, value_name = "FORMAT", default_value = "json")]
    format: TraceFormat,

    /// Show this many events, or `all`; the others are counted
    #[arg(long, value_name = "N", default_value = "1000", value_parser = event_limit)]
    limit_events: u64,

    /// In text, show every candidate that is removed; JSON always has them
    #[arg(long)]
    removals: bool,

    /// Give up after this many nodes (conflicts, for a strategy that has no nodes)
    #[arg(long, value_name = "N")]
    limit_nodes: Option<u64>,

    /// Give up after this time: 2, 0.5, 500ms, 2s, 1m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    timeout: Option<Duration>,

    /// No progress and no notes
    #[arg(short, long)]
    quiet: bool,
}

/// How events are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TraceFormat {
    /// One JSON object a line; `ninefold trace --help` tells their fields
    Json,
    /// For people: indented by open guesses
    Text,
}

fn event_limit(text: &str) -> Result<u64, String> {
    match text {
        "all" => Ok(u64::MAX),
        _ => text.parse().map_err(|_| "a number of events or `all` is expected".into()),
    }
}

pub(crate) fn run(args: &TraceArgs) -> Done {
    let Some(puzzle) = puzzle_of(&args.input.inputs, &args.input.options(), args.number, args.quiet)? else {
        return Ok(Status::Error);
    };
    let strategy = match args.strategy.as_str() {
        "auto" => ninefold::auto(puzzle.rules()),
        name => ninefold::by_name(name),
    };
    let Some(strategy) = strategy else {
        return Err(Stop::Failed("no enabled strategy takes these rules: `ninefold strategies` lists those there are".into()));
    };
    if !strategy.caps.takes(puzzle.rules()) {
        let message = format!("{} does not take the rules {}: try another --strategy", strategy.name, puzzle.rules().name());
        return Err(Stop::Failed(message));
    }
    let cancel = batch::cancel_on_interrupt();
    let limits = limits(args.limit_nodes, args.timeout).with_cancel(cancel.clone());
    let steps = AtomicU64::new(0);
    let (sender, pieces) = mpsc::sync_channel(16);
    std::thread::scope(|scope| {
        let teller = Teller {
            pieces: sender,
            closed: cancel.clone(),
            steps: &steps,
            puzzle: &puzzle,
            strategy,
            format: args.format,
            colour: args.format == TraceFormat::Text && colour_wanted(),
            removals: args.removals,
            part: if std::io::stdout().is_terminal() { 1 } else { PART },
            limit: args.limit_events,
            seen: [0; KINDS.len()],
            shown: 0,
            cut: [0; KINDS.len()],
            guesses: Vec::new(),
            text: Vec::new(),
        };
        let (count, limits) = (args.count, &limits);
        let search = scope.spawn(move || teller.trace(count, limits));
        let unit = if strategy.caps.counters.contains(Counter::Nodes) { "nodes" } else { "conflicts" };
        let written = write_pieces(&pieces, args.quiet, || format!("{} {unit}", grouped(steps.load(Ordering::Relaxed))));
        if written.is_err() {
            cancel.cancel();
        }
        drop(pieces);
        let outcome = search.join().unwrap_or_else(|panic| resume_unwind(panic));
        written?;
        Ok(match outcome.end() {
            ninefold::End::OutOfBudget(ninefold::Budget::Cancelled) => Status::Interrupted,
            ninefold::End::OutOfBudget(_) => Status::GaveUp,
            _ => Status::Yes,
        })
    })
}

/// Writes what comes until the search has ended.
fn write_pieces(pieces: &Receiver<Vec<u8>>, quiet: bool, message: impl Fn() -> String) -> Result<(), Stop> {
    let mut progress = Progress::new(quiet, None);
    let mut stdout = std::io::stdout();
    loop {
        match pieces.recv_timeout(Duration::from_millis(200)) {
            Ok(piece) => progress.write(&mut stdout, &piece)?,
            Err(RecvTimeoutError::Timeout) => progress.show(0, &message),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    progress.clear();
    Ok(())
}

/// The puzzle that is asked for; `None` where it is none, which has been told by then.
pub(crate) fn puzzle_of(inputs: &[OsString], options: &Options, number: u64, quiet: bool) -> Result<Option<Puzzle>, Stop> {
    let mut stderr = anstream::stderr();
    let mut count = 0;
    for source in input::sources(inputs, options).map_err(Stop::Failed)? {
        let name = source.name.clone();
        let (input, slow) = match source.open() {
            Ok(opened) => opened,
            Err(reason) => {
                let _ = writeln!(stderr, "{}", report::source_error(&name, &reason));
                return Ok(None);
            }
        };
        let mut reader = Reader::new(input, options.clone());
        let left = usize::try_from(number - 1 - count).unwrap_or(usize::MAX);
        for _ in 0..left {
            if reader.next().is_none() {
                break;
            }
            count += 1;
        }
        if count + 1 < number {
            continue;
        }
        let entry = match reader.next() {
            None => continue,
            Some(Err(error)) => {
                let _ = writeln!(stderr, "{}", report::read_error(&name, &error));
                return Ok(None);
            }
            Some(Ok(entry)) => entry,
        };
        // Whoever types puzzles need not type another one first.
        if !quiet && !slow && reader.next().is_some() {
            let _ =
                writeln!(stderr, "{name} has more puzzles; this is number {}: --number {} takes the next", number, number + 1);
        }
        return match entry.puzzle() {
            Ok(puzzle) => Ok(Some(puzzle)),
            Err(error) => {
                let notes: Vec<String> = error.clash_list().iter().map(ToString::to_string).collect();
                let message =
                    if notes.is_empty() { error.to_string() } else { "the givens clash, so there is nothing to search".into() };
                let _ = writeln!(stderr, "{}", report::place_error(&name, entry.position().line(), &message, &notes));
                Ok(None)
            }
        };
    }
    Err(Stop::Failed(match count {
        0 => "there is no puzzle in the input".into(),
        count => {
            format!("the input has {} puzzle{} and no number {}", grouped(count), if count == 1 { "" } else { "s" }, number)
        }
    }))
}

/// The kinds of events, as they are counted.
const KINDS: [&str; 6] = ["guess", "place", "remove", "dead_end", "back", "solution"];

fn kind_of(event: &Event<'_>) -> Option<usize> {
    Some(match event {
        Event::Guess { .. } => 0,
        Event::Place { .. } => 1,
        Event::Remove { .. } => 2,
        Event::DeadEnd { .. } => 3,
        Event::Back { .. } => 4,
        Event::Solution { .. } => 5,
        _ => return None,
    })
}

/// Puts the events of one search into words and hands them over.
struct Teller<'t> {
    pieces: SyncSender<Vec<u8>>,
    /// Used where nobody takes the pieces any more.
    closed: CancelToken,
    steps: &'t AtomicU64,
    puzzle: &'t Puzzle,
    strategy: &'t Strategy,
    format: TraceFormat,
    colour: bool,
    removals: bool,
    part: usize,
    limit: u64,
    seen: [u64; KINDS.len()],
    shown: u64,
    /// What the limit has cut off, by kind.
    cut: [u64; KINDS.len()],
    /// The open guesses, in words.
    guesses: Vec<String>,
    /// Lines not yet handed over.
    text: Vec<u8>,
}

impl Observer for Teller<'_> {
    fn event(&mut self, event: Event<'_>) {
        self.event_at(0, event);
    }

    fn event_at(&mut self, steps: u64, event: Event<'_>) {
        self.steps.store(steps, Ordering::Relaxed);
        let Some(kind) = kind_of(&event) else { return };
        self.seen[kind] += 1;
        if self.shown == self.limit {
            self.cut[kind] += 1;
            return;
        }
        // What a text leaves out is not cut, and does not use up the limit.
        if let (TraceFormat::Text, false, Event::Remove { why, .. }) = (self.format, self.removals, &event)
            && *why != Why::Refuted
        {
            return;
        }
        let taken_back = match &event {
            Event::Back { depth } => {
                let guess = self.guesses.get(*depth).cloned().unwrap_or_default();
                self.guesses.truncate(*depth);
                guess
            }
            _ => String::new(),
        };
        match self.format {
            TraceFormat::Json => self.write_json(steps, &event),
            TraceFormat::Text => self.write_text(steps, &event, &taken_back),
        }
        if let Event::Guess { choice, .. } = &event {
            self.guesses.push(self.choice(choice));
        }
        self.shown += 1;
        if self.text.len() >= self.part || self.shown == self.limit {
            self.hand_over();
        }
    }
}

impl Teller<'_> {
    fn trace(mut self, count: u64, limits: &Limits) -> Outcome {
        self.write_start(count);
        let mut solver = (self.strategy.build)();
        let puzzle = self.puzzle;
        let mut search = Search::new(limits).with_cap(count).with_observer(&mut self);
        let end = solver.search(puzzle, &mut search);
        let outcome = search.finish(end);
        self.write_cut();
        self.write_end(&outcome);
        self.hand_over();
        outcome
    }

    fn hand_over(&mut self) {
        if self.pieces.send(std::mem::take(&mut self.text)).is_err() {
            self.closed.cancel();
            self.limit = self.shown;
        }
    }

    fn rules(&self) -> &Rules {
        self.puzzle.rules()
    }

    fn cell(&self, cell: Cell) -> String {
        cell.label(self.rules().side())
    }

    fn house(&self, house: HouseId) -> String {
        self.rules().house(house).kind().to_string()
    }

    fn is_tree(&self) -> bool {
        self.strategy.caps.counters.contains(Counter::Nodes)
    }

    fn line(&mut self, line: &impl Serialize) {
        // Names, figures and boards: nothing that JSON cannot say.
        let _ = serde_json::to_writer(&mut self.text, line);
        self.text.push(b'\n');
    }

    fn write_json(&mut self, steps: u64, event: &Event<'_>) {
        let mut line = Line {
            event: KINDS[kind_of(event).unwrap_or_default()],
            node: self.is_tree().then_some(steps),
            conflicts: (!self.is_tree()).then_some(steps),
            depth: self.guesses.len(),
            ..Line::default()
        };
        match *event {
            Event::Guess { choice, depth } => {
                line.depth = depth;
                match choice {
                    Choice::Place { cell, digit } => (line.cell, line.digit) = (Some(self.cell(cell)), Some(digit.get())),
                    Choice::Confine { house, digit, cells } => {
                        line.digit = Some(digit.get());
                        line.house = Some(self.house(house));
                        line.cells = Some(cells.iter().map(|&cell| self.cell(cell)).collect());
                    }
                    _ => {}
                }
            }
            Event::Place { cell, digit, why } | Event::Remove { cell, digit, why } => {
                (line.cell, line.digit) = (Some(self.cell(cell)), Some(digit.get()));
                let (word, house, by) = why_word(why);
                line.why = Some(word);
                line.house = house.map(|house| self.house(house));
                line.by = by.map(|cell| self.cell(cell));
            }
            Event::DeadEnd { why } => match why {
                Contradiction::Cell(cell) => (line.why, line.cell) = (Some("cell"), Some(self.cell(cell))),
                Contradiction::House(house, digit) => {
                    (line.why, line.house, line.digit) = (Some("house"), Some(self.house(house)), Some(digit.get()));
                }
                Contradiction::Arrangement => line.why = Some("arrangement"),
                Contradiction::Clauses => line.why = Some("clauses"),
                _ => line.why = Some("other"),
            },
            Event::Solution { solution } => {
                line.number = Some(self.seen[5]);
                line.solution = Some(solution.to_string());
            }
            _ => {}
        }
        self.line(&line);
    }

    fn write_text(&mut self, steps: u64, event: &Event<'_>, taken_back: &str) {
        let (style, text) = match *event {
            Event::Guess { choice, .. } => (YELLOW, format!("guess {}", self.choice(&choice))),
            Event::Place { cell, digit, why } => {
                (PLAIN, format!("{} = {}  {}", self.cell(cell), digit.symbol(), self.reason(why)))
            }
            Event::Remove { cell, digit, why } => {
                let reason = if why == Why::Refuted { "refuted".into() } else { self.reason(why) };
                (DIM, format!("{} is not {}  {reason}", self.cell(cell), digit.symbol()))
            }
            Event::DeadEnd { why } => (RED, format!("dead end: {}", self.contradiction(why))),
            Event::Back { .. } => (DIM, format!("back, without {taken_back}")),
            Event::Solution { solution } => (GREEN, format!("solution {}: {solution}", grouped(self.seen[5]))),
            _ => return,
        };
        // A guess stands where it is made, what follows from it one further in.
        let depth = self.guesses.len();
        let bars = "│ ".repeat(depth.min(DEEPEST_INDENT));
        let deeper = if depth > DEEPEST_INDENT { format!("+{} ", depth - DEEPEST_INDENT) } else { String::new() };
        let text = if self.colour { format!("{style}{text}{style:#}") } else { text };
        let _ = writeln!(self.text, "{:>8}  {bars}{deeper}{text}", grouped(steps));
    }

    fn choice(&self, choice: &Choice<'_>) -> String {
        match choice {
            Choice::Place { cell, digit } => format!("{} = {}", self.cell(*cell), digit.symbol()),
            Choice::Confine { house, digit, cells } => {
                let cells: Vec<String> = cells.iter().map(|&cell| self.cell(cell)).collect();
                format!("{} of {} in {}", digit.symbol(), self.house(*house), cells.join(" or "))
            }
            _ => "something else".into(),
        }
    }

    fn reason(&self, why: Why) -> String {
        match why {
            Why::NakedSingle => "nothing else fits there".into(),
            Why::HiddenSingle(house) => format!("its only place in {}", self.house(house)),
            Why::Peer(cell) => format!("it is in {}", self.cell(cell)),
            Why::LockedCandidates(house) => format!("it is needed in {}", self.house(house)),
            Why::AllDifferent(house) => format!("no way of filling {} has it", self.house(house)),
            Why::Arrangement => "no arrangement of its band or stack has it there".into(),
            Why::Refuted => "the other choices are refuted".into(),
            Why::Learned => "follows from the clauses".into(),
            _ => "for another reason".into(),
        }
    }

    fn contradiction(&self, why: Contradiction) -> String {
        match why {
            Contradiction::Cell(cell) => format!("no digit is left for {}", self.cell(cell)),
            Contradiction::House(house, digit) => format!("no place is left for {} in {}", digit.symbol(), self.house(house)),
            Contradiction::Arrangement => "the candidates cannot be arranged any more".into(),
            Contradiction::Clauses if self.seen[5] > 0 => "the clauses have no other model".into(),
            Contradiction::Clauses => "the clauses have no model".into(),
            _ => "for another reason".into(),
        }
    }

    fn write_start(&mut self, count: u64) {
        let (puzzle, rules) = (self.puzzle.to_string(), self.rules().name().to_owned());
        match self.format {
            TraceFormat::Json => {
                let version = env!("CARGO_PKG_VERSION");
                let (side, strategy) = (self.rules().side(), self.strategy.name);
                self.line(&Start { event: "start", puzzle, rules, side, strategy, count, version });
            }
            TraceFormat::Text => {
                let unit = if self.is_tree() { "node" } else { "conflict" };
                let name = self.strategy.name;
                let _ = writeln!(self.text, "{puzzle}\n{name}, rules {rules}\n\n{unit:>8}");
            }
        }
        self.hand_over();
    }

    /// The mark that says what is missing and how to get it.
    fn write_cut(&mut self) {
        let events: u64 = self.cut.iter().sum();
        if events == 0 {
            return;
        }
        let limit = self.shown.saturating_add(events);
        let more = format!("--limit-events {limit}");
        match self.format {
            TraceFormat::Json => {
                let [guess, place, remove, dead_end, back, solution] = self.cut;
                self.line(&Cut { event: "cut", events, guess, place, remove, dead_end, back, solution, more });
            }
            TraceFormat::Text => {
                let kinds = ["guesses", "placements", "removals", "dead ends", "ways back", "solutions"];
                let parts: Vec<String> = self
                    .cut
                    .iter()
                    .zip(kinds)
                    .filter(|(count, _)| **count > 0)
                    .map(|(count, kind)| format!("{} {kind}", grouped(*count)))
                    .collect();
                let text = format!("… cut here: {} more events ({}); {more} shows all", grouped(events), parts.join(", "));
                let text = if self.colour { format!("{YELLOW}{text}{YELLOW:#}") } else { text };
                let _ = writeln!(self.text, "{text}");
            }
        }
    }

    fn write_end(&mut self, outcome: &Outcome) {
        let verdict = Verdict::of(outcome);
        let place = Place { source: "", line: 0, name: None };
        let answer = Answer {
            place,
            verdict,
            board: Some(self.puzzle.board()),
            strategy: self.strategy.name,
            outcome: Some(outcome),
            clashes: &[],
            error: None,
        };
        match self.format {
            TraceFormat::Json => {
                let line = EndLine {
                    event: "end",
                    verdict: verdict.word(),
                    count: outcome.count(),
                    exact: outcome.is_exact(),
                    stopped_by: answer.stopped_by(),
                    solution: outcome.solution().map(Solution::to_string),
                    events: self.seen.iter().sum(),
                    stats: Stats { counters: outcome.counters(), times: None },
                };
                self.line(&line);
            }
            TraceFormat::Text => {
                let _ = writeln!(self.text, "\n{}\n{}", answer.sentence(), counters_line(outcome.counters(), None));
                if let Some(solution) = outcome.solution() {
                    let _ = writeln!(self.text, "\n{:#}", solution.board());
                }
            }
        }
    }
}

/// The word of a reason, and the house or cell it names.
fn why_word(why: Why) -> (&'static str, Option<HouseId>, Option<Cell>) {
    match why {
        Why::NakedSingle => ("naked_single", None, None),
        Why::HiddenSingle(house) => ("hidden_single", Some(house), None),
        Why::Peer(cell) => ("peer", None, Some(cell)),
        Why::LockedCandidates(house) => ("locked_candidates", Some(house), None),
        Why::AllDifferent(house) => ("all_different", Some(house), None),
        Why::Arrangement => ("arrangement", None, None),
        Why::Refuted => ("refuted", None, None),
        Why::Learned => ("learned", None, None),
        _ => ("other", None, None),
    }
}

const PLAIN: Style = Style::new();
const DIM: Style = Style::new().dimmed();
const YELLOW: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));
const RED: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red)));
const GREEN: Style = Style::new().bold().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Green)));

#[derive(Serialize)]
struct Start {
    event: &'static str,
    puzzle: String,
    rules: String,
    side: usize,
    strategy: &'static str,
    count: u64,
    version: &'static str,
}

/// An event. What does not apply is left out, but for `node`, which is null where it is not known.
#[derive(Default, Serialize)]
struct Line {
    event: &'static str,
    node: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conflicts: Option<u64>,
    depth: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digit: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    house: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<String>,
}

#[derive(Serialize)]
struct Cut {
    event: &'static str,
    events: u64,
    guess: u64,
    place: u64,
    remove: u64,
    dead_end: u64,
    back: u64,
    solution: u64,
    more: String,
}

#[derive(Serialize)]
struct EndLine<'a> {
    event: &'static str,
    verdict: &'static str,
    count: u64,
    exact: bool,
    stopped_by: Option<&'static str>,
    solution: Option<String>,
    events: u64,
    stats: Stats<'a>,
}
