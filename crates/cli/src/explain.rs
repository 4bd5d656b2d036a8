//! `ninefold explain`: why a puzzle has no solution, several, or one.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::Args as ArgGroup;
use ninefold::explain::{Ambiguity, Core, Explanation, Uniqueness, explain};
use ninefold::{Board, Budget, CancelToken, Cell, Clash, Digit, Limits, Puzzle, PuzzleError, Rules, Solution, Strategy, Verdict};
use serde::Serialize;

use crate::args::{AnswerFormat, EXIT_CODES, InputArgs, duration, limits, strategy_names, table_format};
use crate::batch::{self, Job, Work};
use crate::input;
use crate::output::{ClashObject, ErrorObject, Place, quoted};
use crate::report;
use crate::status::{Done, Status, Stop};

/// Say why a puzzle has no solution, several, or one
///
/// No solution: a smallest set of givens that cannot stand together, of which none can go. Clashing givens: the clashes. Several solutions:
/// the cells in which two of them differ, and a given more that would leave one. One solution: which givens are not needed.
#[derive(Debug, ArgGroup)]
#[command(after_long_help = EXIT_CODES)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// The strategy, or a variant of one. `auto` takes the best for the rules
    #[arg(short, long, value_name = "NAME[:VARIANT]", default_value = "auto", hide_possible_values = true, value_parser = strategy_names())]
    pub(crate) strategy: String,

    /// Give up on one of the searches for a puzzle after this many nodes (conflicts, for a strategy that has no nodes)
    #[arg(long, value_name = "N")]
    pub(crate) limit_nodes: Option<u64>,

    /// Give up on one of the searches for a puzzle after this time: 2, 0.5, 500ms, 2s, 1m
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    pub(crate) timeout: Duration,

    /// Give up on a puzzle after this time, with what is known by then
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub(crate) puzzle_timeout: Duration,

    /// How to write the answers
    #[arg(short, long, value_name = "FORMAT", default_value = "grid", value_parser = table_format())]
    pub(crate) format: AnswerFormat,

    /// No progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

struct Explainer {
    /// `None` for the best for the rules.
    strategy: Option<&'static Strategy>,
    limits: Limits,
    puzzle_time: Duration,
    format: AnswerFormat,
    colour: bool,
    labels: bool,
    cancel: CancelToken,
}

/// How many of each ending.
#[derive(Default)]
pub(crate) struct Tally {
    answers: u64,
    status: Status,
}

pub(crate) fn run(args: &ExplainArgs) -> Done {
    if ninefold::strategies().is_empty() {
        return Err(Stop::Failed("this program was built without any strategy".into()));
    }
    let options = args.input.options();
    let sources = input::sources(&args.input.inputs, &options).map_err(Stop::Failed)?;
    let cancel = batch::cancel_on_interrupt();
    let limits = limits(args.limit_nodes, Some(args.timeout)).with_cancel(cancel.clone());
    let stdout = std::io::stdout();
    let colour = anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never && stdout.is_terminal();
    let explainer = Explainer {
        strategy: ninefold::by_name(&args.strategy),
        limits,
        puzzle_time: args.puzzle_timeout,
        format: args.format,
        colour: colour && args.format == AnswerFormat::Grid,
        labels: !(sources.len() == 1 && sources[0].is_text()),
        cancel: cancel.clone(),
    };
    let head: &[u8] =
        if args.format == AnswerFormat::Csv { b"puzzle,rules,verdict,cells,additions,settled,message\n" } else { b"" };
    let streamed = batch::stream(sources, options, vec![explainer], &cancel, args.quiet, head)?;
    if streamed.interrupted {
        return Ok(Status::Interrupted);
    }
    if streamed.tally.answers == 0 && !streamed.closed {
        return Err(Stop::Failed("there is no puzzle in the input".into()));
    }
    Ok(streamed.tally.status)
}

/// Everything that is said of a puzzle, for all formats.
struct Answer<'a> {
    board: &'a Board,
    verdict: &'static str,
    status: Status,
    /// Sentences; the first stands alone.
    sentences: Vec<String>,
    /// The board that is shown, with the cells that are marked.
    shown: Board,
    marked: Vec<Cell>,
    object: Object,
}

#[derive(Serialize, Default)]
struct Object {
    puzzle: String,
    rules: String,
    strategy: Option<&'static str>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clashes: Vec<ClashObject>,
    /// The cells that cannot stand together, or in which the solutions differ, or that are not needed.
    cells: Vec<Spot>,
    /// Whether no cell more can go (unsolvable, unique), or fewer additions would not do (multiple).
    settled: Option<bool>,
    checked_by: Option<&'static str>,
    open: Vec<String>,
    solutions: Vec<String>,
    additions: Vec<Spot>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A cell with what it holds, if that matters.
#[derive(Serialize)]
struct Spot {
    cell: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    digit: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<Vec<u8>>,
}

impl Explainer {
    fn strategy(&self, rules: &Rules) -> Option<&'static Strategy> {
        self.strategy.or_else(|| ninefold::auto(rules))
    }

    fn answer<'a>(&self, puzzle: &'a Puzzle) -> Answer<'a> {
        let Some(strategy) = self.strategy(puzzle.rules()) else {
            return unsettled(puzzle, "unsupported", Status::Error, "no enabled strategy takes these rules".into());
        };
        let limits = self.limits.clone().with_deadline(ninefold::clock::now().plus(self.puzzle_time));
        let mut answer = match explain(puzzle, &mut *(strategy.build)(), &limits) {
            Explanation::Unsolvable(core) => unsolvable(puzzle, &core, second_opinion(strategy, &core, &limits)),
            Explanation::Multiple(ambiguity) => multiple(puzzle, &ambiguity),
            Explanation::Unique(unique) => self::unique(puzzle, &unique),
            Explanation::Unknown(budget) => unsettled(puzzle, "unknown", Status::GaveUp, unknown(budget)),
            Explanation::Unsupported => {
                let message = format!("the strategy {} does not take the rules {:.60}", strategy.name, puzzle.rules());
                unsettled(puzzle, "unsupported", Status::Error, message)
            }
            _ => unsettled(puzzle, "unknown", Status::GaveUp, "no explanation".into()),
        };
        answer.object.strategy = Some(strategy.name);
        answer
    }

    fn write(&self, answer: Answer<'_>, place: Place<'_>, out: &mut Vec<u8>) {
        let Answer { board, verdict, sentences, shown, marked, mut object, .. } = answer;
        let (first, more) = sentences.split_first().map_or(("", &[][..]), |(first, more)| (first.as_str(), more));
        let side = board.rules().side();
        let cells = |places: &[Spot]| {
            let words = places.iter().map(|place| match place.digit.and_then(Digit::new) {
                Some(digit) => format!("{}={}", place.cell, digit.symbol()),
                None => place.cell.clone(),
            });
            words.collect::<Vec<_>>().join(" ")
        };
        let _ = match self.format {
            AnswerFormat::Json => {
                object.puzzle = board.to_string();
                object.rules = board.rules().name().into();
                object.verdict = verdict;
                // Writing to memory cannot fail, and the object has nothing that JSON cannot say.
                let _ = serde_json::to_writer(&mut *out, &object);
                writeln!(out)
            }
            AnswerFormat::Line => {
                writeln!(out, "{}", [verdict, &cells(&object.cells), &cells(&object.additions)].join("\t").trim_end())
            }
            AnswerFormat::Csv => writeln!(
                out,
                "{board},{},{verdict},{},{},{},{}",
                quoted(board.rules().name()),
                cells(&object.cells),
                cells(&object.additions),
                object.settled.map_or("", |settled| if settled { "true" } else { "false" }),
                quoted(&sentences.join("; "))
            ),
            AnswerFormat::Grid | AnswerFormat::Count => {
                let label = if self.labels { place.label() } else { String::new() };
                let _ = writeln!(out, "{label}{}: {first}", self.paint(Style::new().bold(), verdict));
                for sentence in more {
                    let _ = writeln!(out, "  {sentence}");
                }
                if side <= 25 {
                    let _ = write!(out, "\n{}", self.marked_grid(&shown, &marked));
                }
                writeln!(out)
            }
        };
    }

    fn paint(&self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.into() }
    }

    /// A grid with a star at each cell that is marked, in colour too where there is any.
    fn marked_grid(&self, board: &Board, marked: &[Cell]) -> String {
        let rules = board.rules();
        let side = rules.side();
        let (height, width) = rules.block_shape().map_or((side, side), |shape| (shape.rows(), shape.columns()));
        let stands_out = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        let mut text = String::new();
        for row in 0..side {
            if row > 0 && row % height == 0 {
                let dashes: Vec<String> = (0..side / width).map(|_| "-".repeat(3 * width)).collect();
                let _ = writeln!(text, "{}", dashes.join("+"));
            }
            for column in 0..side {
                let Some(cell) = rules.cell(row, column) else { continue };
                let symbol = board.get(cell).map_or('.', Digit::symbol);
                if column > 0 && column % width == 0 {
                    text.push('|');
                }
                if marked.binary_search(&cell).is_ok() {
                    let _ = write!(text, " {}", self.paint(stands_out, &format!("{symbol}*")));
                } else {
                    let _ = write!(text, " {symbol} ");
                }
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        text
    }
}

fn unknown(budget: Budget) -> String {
    format!("gave up ({budget}) before it was clear whether there is a solution: raise --timeout or --limit-nodes")
}

fn unsettled<'a>(puzzle: &'a Puzzle, verdict: &'static str, status: Status, message: String) -> Answer<'a> {
    let object = Object { error: Some(message.clone()), ..Object::default() };
    Answer {
        board: puzzle.board(),
        verdict,
        status,
        sentences: vec![message],
        shown: puzzle.board().clone(),
        marked: Vec::new(),
        object,
    }
}

/// Whether another strategy says of the part, too, that it has no solution: its name, and what it says.
fn second_opinion(first: &Strategy, core: &Core, limits: &Limits) -> Option<(&'static str, Verdict)> {
    let rules = core.puzzle().rules();
    ninefold::strategies().into_iter().filter(|other| other.base() != first.base() && other.caps.takes(rules)).rev().find_map(
        |other| match (other.build)().classify(core.puzzle(), limits) {
            Verdict::Unknown(_) | Verdict::Unsupported => None,
            verdict => Some((other.name, verdict)),
        },
    )
}

fn unsolvable<'a>(puzzle: &'a Puzzle, core: &Core, opinion: Option<(&'static str, Verdict)>) -> Answer<'a> {
    let side = puzzle.rules().side();
    let givens = core.puzzle().board().given_count();
    let cells = core.cells();
    let places: Vec<Spot> = cells
        .iter()
        .map(|&cell| Spot {
            cell: cell.label(side),
            digit: core.puzzle().board().get(cell).map(Digit::get),
            candidates: core
                .puzzle()
                .board()
                .get(cell)
                .is_none()
                .then(|| core.puzzle().allowed(cell).iter().map(Digit::get).collect()),
        })
        .collect();
    let restricted = cells.len() - givens;
    let mut what = match (givens, restricted) {
        (0, 0) => "the rules alone".into(),
        (givens, 0) => format!("{givens} {}", if givens == 1 { "given" } else { "givens" }),
        (0, restricted) => format!("the candidates of {restricted} {}", if restricted == 1 { "cell" } else { "cells" }),
        (givens, restricted) => format!("{givens} givens with the candidates of {restricted} cells"),
    };
    what.push_str(match cells.len() {
        0 => " leave no solution",
        1 => " leaves no solution",
        _ => " cannot stand together",
    });
    let mut sentences = vec![what];
    if !cells.is_empty() {
        let listed: Vec<String> = cells
            .iter()
            .map(|&cell| match core.puzzle().board().get(cell) {
                Some(digit) => format!("{digit} at {}", cell.label(side)),
                None => format!("{{{}}} at {}", core.puzzle().allowed(cell), cell.label(side)),
            })
            .collect();
        sentences.push(listed.join(", "));
        sentences.push(if core.is_minimal() {
            "none of them can go: without any one of them the others have a solution".into()
        } else {
            format!("of {} it is not known whether they could go: the search for that gave up", labels(core.open(), side))
        });
    }
    let mut checked_by = None;
    match opinion {
        Some((name, Verdict::Unsolvable)) => {
            sentences.push(format!("checked with {name}"));
            checked_by = Some(name);
        }
        Some((name, verdict)) => sentences.push(format!("BUT {name} says {}: please report this", verdict.name())),
        None => sentences.push("not checked: no second strategy takes these rules and answers in time".into()),
    }
    let object = Object {
        cells: places,
        settled: Some(core.is_minimal()),
        checked_by,
        open: core.open().iter().map(|cell| cell.label(side)).collect(),
        ..Object::default()
    };
    Answer {
        board: puzzle.board(),
        verdict: "unsolvable",
        status: Status::No,
        sentences,
        shown: puzzle.board().clone(),
        marked: cells,
        object,
    }
}

fn multiple<'a>(puzzle: &'a Puzzle, ambiguity: &Ambiguity) -> Answer<'a> {
    let side = puzzle.rules().side();
    let differing = ambiguity.differing();
    let [a, b] = ambiguity.solutions();
    let count = ambiguity.count();
    let mut sentences = vec![format!(
        "{} {count} solutions; two of them differ in {} cells",
        if ambiguity.is_exact() { "exactly" } else { "at least" },
        differing.len()
    )];
    let pairs = |cell: &Cell| format!("{}: {} or {}", cell.label(side), a.digit(*cell), b.digit(*cell));
    const MOST: usize = 12;
    if differing.len() <= MOST {
        sentences.push(differing.iter().map(pairs).collect::<Vec<_>>().join(", "));
    }
    let additions: Vec<String> =
        ambiguity.additions().iter().map(|(cell, digit)| format!("{digit} at {}", cell.label(side))).collect();
    sentences.push(match (&additions[..], ambiguity.are_fewest()) {
        ([], _) => "no givens that would leave one solution were found in time".into(),
        ([one], _) => format!("one given more would leave one solution: {one}"),
        (several, true) => format!("no single given would leave one solution, these would: {}", several.join(", ")),
        (several, false) => format!("these givens more would leave one solution, the fewest found: {}", several.join(", ")),
    });
    let place = |(cell, digit): &(Cell, Digit)| Spot { cell: cell.label(side), digit: Some(digit.get()), candidates: None };
    let object = Object {
        cells: differing.iter().map(|cell| Spot { cell: cell.label(side), digit: None, candidates: None }).collect(),
        settled: Some(ambiguity.are_fewest()),
        solutions: ambiguity.solutions().iter().map(Solution::to_string).collect(),
        additions: ambiguity.additions().iter().map(place).collect(),
        ..Object::default()
    };
    Answer {
        board: puzzle.board(),
        verdict: "multiple",
        status: Status::No,
        sentences,
        shown: a.board().clone(),
        marked: differing,
        object,
    }
}

fn unique<'a>(puzzle: &'a Puzzle, unique: &Uniqueness) -> Answer<'a> {
    let side = puzzle.rules().side();
    let givens = puzzle.board().given_count();
    let mut sentences = vec!["exactly one solution".to_string()];
    sentences.push(match (unique.spare(), unique.is_minimal()) {
        (_, true) => format!("all {givens} givens are needed: without any one of them there are more"),
        ([], false) => "no given is known to be spare".into(),
        (spare, _) => format!("{} of {givens} givens are not needed, each by itself: {}", spare.len(), labels(spare, side)),
    });
    if !unique.open().is_empty() {
        sentences.push(format!("not known of {}: the search for that gave up", labels(unique.open(), side)));
    }
    let place = |cell: &Cell| Spot { cell: cell.label(side), digit: puzzle.board().get(*cell).map(Digit::get), candidates: None };
    let object = Object {
        cells: unique.spare().iter().map(place).collect(),
        settled: Some(unique.is_minimal()),
        open: unique.open().iter().map(|cell| cell.label(side)).collect(),
        solutions: vec![unique.solution().to_string()],
        ..Object::default()
    };
    Answer {
        board: puzzle.board(),
        verdict: "unique",
        status: Status::Yes,
        sentences,
        shown: puzzle.board().clone(),
        marked: unique.spare().to_vec(),
        object,
    }
}

/// A board that clashes, or whose givens are not among their own candidates.
fn clashing<'a>(board: &'a Board, error: &PuzzleError) -> Answer<'a> {
    let clashes = error.clash_list();
    let mut sentences: Vec<String> = clashes.iter().map(Clash::to_string).collect();
    match sentences.len() {
        0 => sentences.push(error.to_string()),
        _ => sentences.insert(0, "the givens clash, so there is no solution".into()),
    }
    let mut marked: Vec<Cell> = clashes.iter().flat_map(Clash::cells).collect();
    marked.sort_unstable();
    marked.dedup();
    let side = board.rules().side();
    let place = |cell: &Cell| Spot { cell: cell.label(side), digit: board.get(*cell).map(Digit::get), candidates: None };
    let object = Object {
        clashes: clashes.iter().map(ClashObject::from).collect(),
        cells: marked.iter().map(place).collect(),
        error: clashes.is_empty().then(|| error.to_string()),
        ..Object::default()
    };
    Answer { board, verdict: "clash", status: Status::No, sentences, shown: board.clone(), marked, object }
}

fn labels(cells: &[Cell], side: usize) -> String {
    cells.iter().map(|cell| cell.label(side)).collect::<Vec<_>>().join(" ")
}

impl Work for Explainer {
    type Tally = Tally;

    fn work(&mut self, job: &mut Job, emit: &mut dyn FnMut(Vec<u8>)) -> Tally {
        let mut tally = Tally::default();
        let source: Arc<str> = job.source.clone();
        let mut count = |status: Status| {
            tally.answers += 1;
            tally.status = tally.status.max(status);
        };
        if let Some(fault) = job.fault.take() {
            let _ = writeln!(job.notes, "{}", report::source_error(&source, &fault));
            count(Status::Error);
        }
        for entry in job.chunk.entries() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let _ = writeln!(job.notes, "{}", report::read_error(&source, &error));
                    if self.format == AnswerFormat::Json {
                        let _ = serde_json::to_writer(&mut job.out, &ErrorObject::of_reading(&source, &error));
                        job.out.push(b'\n');
                    }
                    count(Status::Error);
                    continue;
                }
            };
            let place = Place { source: &source, line: entry.position().line(), name: entry.name() };
            match entry.puzzle() {
                Ok(puzzle) => {
                    let answer = self.answer(&puzzle);
                    if self.cancel.is_cancelled() {
                        job.cut = true;
                        break;
                    }
                    count(answer.status);
                    self.write(answer, place, &mut job.out);
                }
                Err(error) => {
                    let answer = clashing(entry.board(), &error);
                    count(answer.status);
                    self.write(answer, place, &mut job.out);
                }
            }
            // One thread does all the work, so that answers can be written as they come.
            emit(std::mem::take(&mut job.out));
        }
        tally
    }

    fn add(sum: &mut Tally, tally: Tally) {
        sum.answers += tally.answers;
        sum.status = sum.status.max(tally.status);
    }
}
