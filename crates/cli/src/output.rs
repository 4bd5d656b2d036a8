//! Writes answers: one for each puzzle, in the format that was asked for.

use std::io::{IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use comfy_table::{LineStyle, Table, TableStyle};
use ninefold::{Board, Clash, Counter, Counters, End, Outcome, Solution, Times};
use ninefold_formats::{Count, ReadError, write_cells};
use serde::{Serialize, Serializer};

use crate::args::AnswerFormat;
use crate::progress::{grouped, time};
use crate::status::Status;

/// What is known about a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Unique,
    Multiple,
    Unsolvable,
    Clash,
    /// A first solution, and nobody asked for more.
    First,
    Unknown,
    Unsupported,
    Error,
}

impl Verdict {
    pub(crate) const ALL: [Verdict; 8] = [
        Verdict::Unique,
        Verdict::Multiple,
        Verdict::Unsolvable,
        Verdict::Clash,
        Verdict::First,
        Verdict::Unknown,
        Verdict::Unsupported,
        Verdict::Error,
    ];

    /// Of an outcome, without copying its solutions as [`Outcome::verdict`] does.
    pub(crate) fn of(outcome: &Outcome) -> Verdict {
        match (outcome.end(), outcome.count()) {
            (End::Unsupported, _) => Verdict::Unsupported,
            (_, 2..) => Verdict::Multiple,
            (End::Exhausted, 1) => Verdict::Unique,
            (End::Exhausted, _) => Verdict::Unsolvable,
            (End::Stopped, _) => Verdict::First,
            (End::OutOfBudget(_), _) => Verdict::Unknown,
        }
    }

    /// The word that programs read. Whether a first solution is the only one is not known.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Unique => "unique",
            Verdict::Multiple => "multiple",
            Verdict::Unsolvable => "unsolvable",
            Verdict::Clash => "clash",
            Verdict::First | Verdict::Unknown => "unknown",
            Verdict::Unsupported => "unsupported",
            Verdict::Error => "error",
        }
    }

    /// The word of the summary.
    pub(crate) fn summary_word(self) -> &'static str {
        match self {
            Verdict::First => "solved (uniqueness not asked)",
            Verdict::Unknown => "given up",
            Verdict::Clash => "with clashing givens",
            Verdict::Error => "not readable",
            _ => self.word(),
        }
    }

    pub(crate) fn status(self) -> Status {
        match self {
            Verdict::Unique | Verdict::First => Status::Yes,
            Verdict::Multiple | Verdict::Unsolvable | Verdict::Clash => Status::No,
            Verdict::Unknown => Status::GaveUp,
            Verdict::Unsupported | Verdict::Error => Status::Error,
        }
    }

    fn style(self) -> Style {
        let colour = match self.status() {
            Status::Yes => AnsiColor::Green,
            Status::No | Status::GaveUp => AnsiColor::Yellow,
            Status::Error | Status::Interrupted => AnsiColor::Red,
        };
        Style::new().bold().fg_color(Some(colour.into()))
    }
}

/// Where an entry comes from: the source, and its line there, or 0 for the source as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) source: &'a str,
    pub(crate) line: u64,
    pub(crate) name: Option<&'a str>,
}

impl Place<'_> {
    /// In front of an answer for people.
    pub(crate) fn label(&self) -> String {
        let name = self.name.map(|name| format!(" ({})", name.escape_debug())).unwrap_or_default();
        match self.line {
            0 => format!("{}{name}: ", self.source),
            line => format!("{}:{line}{name}: ", self.source),
        }
    }
}

/// An answer with all that the formats show of it.
pub(crate) struct Answer<'a> {
    pub(crate) place: Place<'a>,
    pub(crate) verdict: Verdict,
    pub(crate) board: Option<&'a Board>,
    pub(crate) strategy: &'a str,
    pub(crate) outcome: Option<&'a Outcome>,
    pub(crate) clashes: &'a [Clash],
    pub(crate) error: Option<ErrorObject<'a>>,
}

impl Answer<'_> {
    fn count(&self) -> Count {
        match (self.outcome, self.verdict) {
            (Some(outcome), _) => Count { found: outcome.count(), exact: outcome.is_exact() },
            (None, Verdict::Clash) => Count::exactly(0),
            (None, _) => Count::at_least(0),
        }
    }

    pub(crate) fn stopped_by(&self) -> Option<&'static str> {
        match self.outcome?.end() {
            End::Exhausted | End::Unsupported => None,
            End::Stopped => Some("solutions"),
            End::OutOfBudget(budget) => Some(budget.name()),
        }
    }

    /// One sentence for people.
    pub(crate) fn sentence(&self) -> String {
        let found = |count: u64| match count {
            0 => "no solution found so far".into(),
            1 => "one solution found, whether there are others is not known".into(),
            count => format!("{} solutions found so far", grouped(count)),
        };
        match (self.verdict, self.outcome) {
            (Verdict::Unique, _) => "exactly one solution".into(),
            (Verdict::Multiple, Some(outcome)) => match outcome.end() {
                End::Exhausted => format!("exactly {} solutions", grouped(outcome.count())),
                End::OutOfBudget(budget) => {
                    format!("at least {} solutions, then gave up ({budget})", grouped(outcome.count()))
                }
                _ => format!("at least {} solutions", grouped(outcome.count())),
            },
            (Verdict::Unsolvable, _) => "no solution".into(),
            (Verdict::First, _) => "a first solution; whether there are others was not asked".into(),
            (Verdict::Unknown, Some(outcome)) => match outcome.end() {
                End::OutOfBudget(budget) => format!("gave up ({budget}): {}", found(outcome.count())),
                _ => found(outcome.count()),
            },
            (Verdict::Clash, _) => match &self.error {
                Some(error) => error.message.clone(),
                None => "the givens clash, so there is no solution".into(),
            },
            (Verdict::Unsupported, _) => match self.board {
                _ if self.strategy.is_empty() => "no enabled strategy takes these rules".into(),
                Some(board) => format!("the strategy {} does not take the rules {}", self.strategy, board.rules()),
                None => "unsupported rules".into(),
            },
            (_, None) | (Verdict::Error, _) => self.error.as_ref().map(|error| error.message.clone()).unwrap_or_default(),
        }
    }
}

/// How to write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) format: AnswerFormat,
    /// Whether people see colours.
    pub(crate) colour: bool,
    /// Whether counters and times are shown.
    pub(crate) stats: bool,
    /// Whether answers for people name their place.
    pub(crate) labels: bool,
}

impl Look {
    /// What stands above all answers.
    pub(crate) fn head(&self) -> Vec<u8> {
        if self.format != AnswerFormat::Csv {
            return Vec::new();
        }
        let mut head = String::from("puzzle,rules,strategy,verdict,count,stopped_by,solution,message");
        if self.stats {
            for counter in Counter::ALL {
                head.push(',');
                head.push_str(counter.name());
            }
            head.push_str(",setup_ns,search_ns");
        }
        head.push('\n');
        head.into_bytes()
    }

    fn paint(&self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.into() }
    }

    /// Appends an answer. `listed` solutions were written already, as they were found.
    pub(crate) fn write(&self, answer: &Answer<'_>, listed: bool, out: &mut Vec<u8>) {
        match self.format {
            AnswerFormat::Grid => self.write_grid(answer, listed, out),
            AnswerFormat::Line => {
                if !listed {
                    match answer.outcome.and_then(Outcome::solution) {
                        Some(solution) => write_cells(out, solution.board()),
                        None => out.extend_from_slice(answer.verdict.word().as_bytes()),
                    }
                    out.push(b'\n');
                }
            }
            AnswerFormat::Count => {
                match answer.board {
                    Some(board) => {
                        write_cells(out, board);
                        let _ = write!(out, ":{}", answer.count());
                        if let Some(solution) = answer.outcome.and_then(Outcome::solution) {
                            out.push(b':');
                            write_cells(out, solution.board());
                        }
                    }
                    None => out.extend_from_slice(answer.verdict.word().as_bytes()),
                }
                out.push(b'\n');
            }
            AnswerFormat::Csv => self.write_csv(answer, listed, out),
            AnswerFormat::Json => self.write_json(answer, None, out),
        }
    }

    fn write_grid(&self, answer: &Answer<'_>, listed: bool, out: &mut Vec<u8>) {
        let label = if self.labels { answer.place.label() } else { String::new() };
        let word = if answer.verdict == Verdict::First { "solved" } else { answer.verdict.word() };
        let word = self.paint(answer.verdict.style(), word);
        // A comment, so that the answers read back as grids.
        let _ = writeln!(out, "# {label}{word}: {}", answer.sentence());
        for clash in answer.clashes {
            let _ = writeln!(out, "#   {clash}");
        }
        if self.stats
            && let Some(outcome) = answer.outcome
        {
            let _ = writeln!(out, "#   {}: {}", answer.strategy, counters_line(outcome.counters(), outcome.times()));
        }
        if let Some(outcome) = answer.outcome.filter(|_| !listed) {
            for (i, solution) in outcome.solutions().enumerate() {
                if i > 0 {
                    out.push(b'\n');
                }
                self.write_solution_grid(answer.board, solution, out);
            }
        }
        out.push(b'\n');
    }

    /// A solution as a grid; on a terminal its givens stand out.
    fn write_solution_grid(&self, puzzle: Option<&Board>, solution: &Solution, out: &mut Vec<u8>) {
        let grid = format!("{:#}", solution.board());
        let Some(puzzle) = puzzle.filter(|_| self.colour) else {
            let _ = writeln!(out, "{grid}");
            return;
        };
        let (given, found) = (Style::new().bold(), Style::new().fg_color(Some(AnsiColor::Cyan.into())));
        for (digit, clue) in grid.chars().zip(format!("{puzzle:#}").chars()) {
            let _ = match (digit, clue) {
                (' ' | '|' | '-' | '+' | '\n', _) => write!(out, "{digit}"),
                (_, '.') => write!(out, "{found}{digit}{found:#}"),
                _ => write!(out, "{given}{digit}{given:#}"),
            };
        }
        out.push(b'\n');
    }

    fn write_csv(&self, answer: &Answer<'_>, listed: bool, out: &mut Vec<u8>) {
        if let Some(board) = answer.board {
            write_cells(out, board);
        }
        let rules = answer.board.map(|board| board.rules().name()).unwrap_or_default();
        let _ = write!(out, ",{},{},{},", quoted(rules), answer.strategy, answer.verdict.word());
        let _ = if answer.verdict == Verdict::Error { Ok(()) } else { write!(out, "{}", answer.count()) };
        let _ = write!(out, ",{},", answer.stopped_by().unwrap_or_default());
        if let Some(solution) = answer.outcome.and_then(Outcome::solution).filter(|_| !listed) {
            write_cells(out, solution.board());
        }
        out.push(b',');
        let clashes: Vec<String> = answer.clashes.iter().map(Clash::to_string).collect();
        let message = match &answer.error {
            Some(error) => error.message.clone(),
            None => clashes.join("; "),
        };
        out.extend_from_slice(quoted(&message).as_bytes());
        if self.stats {
            let counters = answer.outcome.map(Outcome::counters);
            for counter in Counter::ALL {
                out.push(b',');
                if let Some(value) = counters.and_then(|counters| counters.get(counter)) {
                    let _ = write!(out, "{value}");
                }
            }
            match answer.outcome.and_then(Outcome::times) {
                Some(times) => {
                    let _ = write!(out, ",{},{}", times.setup.as_nanos(), times.search.as_nanos());
                }
                None => out.extend_from_slice(b",,"),
            }
        }
        out.push(b'\n');
    }

    /// One solution of several, as it is found: `n` counts from 1.
    pub(crate) fn write_listed(&self, place: &Place<'_>, puzzle: &Board, solution: &Solution, n: u64, out: &mut Vec<u8>) {
        match self.format {
            AnswerFormat::Grid => {
                let label = if self.labels { place.label() } else { String::new() };
                let _ = writeln!(out, "# {label}solution {n}");
                self.write_solution_grid(Some(puzzle), solution, out);
                out.push(b'\n');
            }
            AnswerFormat::Line => {
                write_cells(out, solution.board());
                out.push(b'\n');
            }
            AnswerFormat::Csv => {
                write_cells(out, puzzle);
                let _ = write!(out, ",{},,,,,", quoted(puzzle.rules().name()));
                write_cells(out, solution.board());
                out.push(b',');
                if self.stats {
                    out.extend(std::iter::repeat_n(b',', Counter::ALL.len() + 2));
                }
                out.push(b'\n');
            }
            // The array stands first in its object, for what else is in there is known when it ends.
            AnswerFormat::Json => {
                out.extend_from_slice(if n == 1 { b"{\"solutions\":[\"" } else { b",\"" });
                write_cells(out, solution.board());
                out.push(b'"');
            }
            AnswerFormat::Count => {}
        }
    }

    /// The rest of a JSON object whose `n` solutions were written.
    pub(crate) fn write_json_after(&self, answer: &Answer<'_>, n: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(if n == 0 { b"{\"solutions\":[]," } else { b"]," });
        let start = out.len();
        self.write_json(answer, Some(()), out);
        out.remove(start);
    }

    fn write_json(&self, answer: &Answer<'_>, listed: Option<()>, out: &mut Vec<u8>) {
        let count = answer.count();
        let object = Object {
            puzzle: answer.board.map(Board::to_string),
            rules: answer.board.map(|board| board.rules().name()),
            name: answer.place.name,
            strategy: Some(answer.strategy).filter(|name| !name.is_empty()),
            verdict: answer.verdict.word(),
            count: count.found,
            exact: count.exact,
            solutions: match (listed, answer.outcome) {
                (Some(()), _) => None,
                (None, outcome) => {
                    Some(outcome.iter().flat_map(|outcome| outcome.solutions()).map(Solution::to_string).collect())
                }
            },
            clashes: answer.clashes.iter().map(ClashObject::from).collect(),
            stopped_by: answer.stopped_by(),
            stats: answer.outcome.map(|outcome| Stats { counters: outcome.counters(), times: outcome.times() }),
            error: answer.error.as_ref(),
        };
        // Writing to memory cannot fail, and the object has nothing that JSON cannot say.
        let _ = serde_json::to_writer(&mut *out, &object);
        out.push(b'\n');
    }
}

/// Whether standard output is a terminal that wants colours.
pub(crate) fn colour_wanted() -> bool {
    let stdout = std::io::stdout();
    anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never && stdout.is_terminal()
}

/// Counters and times in one line for people.
pub(crate) fn counters_line(counters: &Counters, times: Option<Times>) -> String {
    let mut parts: Vec<String> = counters
        .kept()
        .iter()
        .filter_map(|counter| Some(format!("{} {}", counter.name().replace('_', " "), grouped(counters.get(counter)?))))
        .collect();
    if let Some(times) = times {
        parts.push(format!("set-up {}", time(times.setup)));
        parts.push(format!("search {}", time(times.search)));
    }
    parts.join(", ")
}

/// A table with a line below its heads and nothing else.
pub(crate) fn table(heads: &[&str]) -> Table {
    const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::new('─', '─', '─', '─'));
    let mut table = Table::new();
    table.load_style(STYLE).set_header(heads.to_vec());
    table
}

/// A column of CSV, in quotes where it needs them.
pub(crate) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r', ';', '\t']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}

#[derive(Serialize)]
struct Object<'a> {
    puzzle: Option<String>,
    rules: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    strategy: Option<&'a str>,
    verdict: &'a str,
    count: u64,
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<Vec<String>>,
    clashes: Vec<ClashObject>,
    stopped_by: Option<&'a str>,
    stats: Option<Stats<'a>>,
    error: Option<&'a ErrorObject<'a>>,
}

/// A clash as programs read it.
#[derive(Serialize)]
pub(crate) struct ClashObject {
    digit: u8,
    house: String,
    cells: [String; 2],
}

impl From<&Clash> for ClashObject {
    fn from(clash: &Clash) -> ClashObject {
        ClashObject { digit: clash.digit().get(), house: clash.house_kind().to_string(), cells: clash.cell_labels() }
    }
}

/// What was wrong with an entry.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ErrorObject<'a> {
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<&'a str>,
    pub(crate) file: &'a str,
    pub(crate) line: Option<u64>,
    pub(crate) column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<&'a str>,
}

impl<'a> ErrorObject<'a> {
    pub(crate) fn of_reading(source: &'a str, error: &'a ReadError) -> ErrorObject<'a> {
        ErrorObject {
            message: error.message().into(),
            kind: Some(error.kind().name()),
            file: source,
            line: Some(error.position().line()),
            column: Some(error.position().column()),
            hint: error.hint(),
        }
    }

    pub(crate) fn of_source(source: &'a str, message: &str) -> ErrorObject<'a> {
        ErrorObject { message: message.into(), kind: None, file: source, line: None, column: None, hint: None }
    }
}

/// Counters and times as programs read them.
pub(crate) struct Stats<'a> {
    pub(crate) counters: &'a Counters,
    pub(crate) times: Option<Times>,
}

impl Serialize for Stats<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let nanos = |time: std::time::Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let counters = Counter::ALL.map(|counter| (counter.name(), self.counters.get(counter)));
        let times = [
            ("setup_ns", self.times.map(|times| nanos(times.setup))),
            ("search_ns", self.times.map(|times| nanos(times.search))),
        ];
        serializer.collect_map(counters.into_iter().chain(times))
    }
}
