//! What a race tells, column by column, for tables and for programs.

use std::io::Write;
use std::time::Duration;

use ninefold::Counter;
use ninefold_race::{Quantile, Report, Row, Set};
use serde::{Serialize, Serializer};

use crate::output::quoted;
use crate::progress::{grouped, time};

/// One figure, or none where it cannot be known.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    None,
    Text(String),
    Count(u64),
    /// So many of so many.
    Of(u64, u64),
    Rate(f64),
    Factor(f64),
    Time(Duration),
    Bytes(u64),
    /// A time that the strategy did not live to see: beyond its limit.
    Beyond,
}

/// A column of the rows of a race.
pub(super) struct Column {
    /// What programs call it; times are in nanoseconds.
    pub(super) key: &'static str,
    /// What tables call it.
    pub(super) head: &'static str,
    /// What it means, for a newcomer.
    pub(super) note: &'static str,
    pub(super) value: fn(&Row) -> Value,
    /// Whether give-ups make it a lower bound.
    pub(super) grows: bool,
}

const fn column(key: &'static str, head: &'static str, note: &'static str, value: fn(&Row) -> Value) -> Column {
    Column { key, head, note, value, grows: false }
}

const fn growing(key: &'static str, head: &'static str, note: &'static str, value: fn(&Row) -> Value) -> Column {
    Column { key, head, note, value, grows: true }
}

/// Answers and times.
pub(super) const TIMES: &[Column] = &[
    column("answered", "answers", "puzzles whose question was settled", |row| Value::Of(row.answered as u64, row.puzzles as u64)),
    column("answers_per_second", "per sec", "answers a second, the time of give-ups included", |row| {
        row.answers_per_second.map_or(Value::None, Value::Rate)
    }),
    growing("relative", "× best", "time against the best strategy of the set, on the puzzles that both take", |row| {
        row.relative.map_or(Value::None, Value::Factor)
    }),
    column("median_ns", "median", "half of the puzzles take no longer", |row| of_quantile(row.median)),
    column("p90_ns", "p90", "nine in ten take no longer", |row| of_quantile(row.p90)),
    column("p99_ns", "p99", "ninety-nine in a hundred take no longer", |row| of_quantile(row.p99)),
    column("max_ns", "max", "the slowest", |row| of_quantile(row.max)),
];

/// The search.
pub(super) const SEARCH: &[Column] = &[
    growing("nodes", "nodes", "partial assignments visited", |row| count(row.counter(Counter::Nodes))),
    growing("guesses", "guesses", "choices taken where two or more were open", |row| count(row.counter(Counter::Guesses))),
    growing("dead_ends", "dead ends", "nodes with no way on", |row| count(row.counter(Counter::DeadEnds))),
    growing("propagations", "forced", "digits forced rather than chosen", |row| count(row.counter(Counter::Propagations))),
    growing("max_depth", "depth", "the most guesses open at once", |row| count(row.counter(Counter::MaxDepth))),
    column("without_guess", "no guess", "puzzles answered without a guess", |row| {
        row.without_guess.map_or(Value::None, |count| Value::Of(count as u64, row.answered as u64))
    }),
];

/// What it costs.
pub(super) const COST: &[Column] = &[
    growing("time_ns", "time", "all puzzles, give-ups included", |row| Value::Time(row.time)),
    growing("setup_ns", "set-up", "the part of it before the search", |row| Value::Time(row.setup)),
    growing("search_ns", "search", "the search itself", |row| Value::Time(row.search)),
    growing("conflicts", "conflicts", "clauses that a SAT solver learned", |row| count(row.counter(Counter::Conflicts))),
    growing("link_updates", "links", "links taken out of an exact-cover matrix", |row| count(row.counter(Counter::LinkUpdates))),
    column("peak_bytes", "heap", "the most memory on the heap at once (needs `--features memory`)", |row| {
        row.peak_bytes.map_or(Value::None, Value::Bytes)
    }),
];

/// The columns that matter most, those that may go first at the end.
pub(super) const MAIN: &[&str] =
    &["answered", "answers_per_second", "relative", "median_ns", "nodes", "guesses", "without_guess", "max_ns", "p90_ns"];

/// The order in which the main columns stand.
pub(super) fn all() -> impl Iterator<Item = &'static Column> {
    TIMES.iter().chain(SEARCH).chain(COST)
}

fn count(value: Option<u64>) -> Value {
    value.map_or(Value::None, Value::Count)
}

fn of_quantile(quantile: Option<Quantile>) -> Value {
    match quantile {
        None => Value::None,
        Some(Quantile::Time(time)) => Value::Time(time),
        Some(Quantile::Beyond) => Value::Beyond,
    }
}

impl Column {
    /// What a table shows. `beyond` stands for times beyond the limit.
    pub(super) fn text(&self, row: &Row, beyond: &str) -> String {
        let text = (self.value)(row).text(beyond);
        let known = text != UNKNOWN && self.grows && row.gave_up > 0;
        if known { format!("≥ {text}") } else { text }
    }
}

/// What stands for a figure that cannot be known.
pub(super) const UNKNOWN: &str = "–";

impl Value {
    pub(super) fn text(&self, beyond: &str) -> String {
        match self {
            Value::None => UNKNOWN.into(),
            Value::Text(text) => text.clone(),
            Value::Count(count) => short(*count),
            Value::Of(part, whole) => format!("{part}/{whole}"),
            Value::Rate(rate) | Value::Factor(rate) => figure(*rate),
            Value::Time(duration) => time(*duration),
            Value::Bytes(bytes) => memory(*bytes),
            Value::Beyond => beyond.into(),
        }
    }
}

/// A figure with as many places as say something.
pub(super) fn figure(value: f64) -> String {
    match value {
        0.0..0.095 => format!("{value:.3}"),
        0.0..9.95 => format!("{value:.1}"),
        _ => short(value.round() as u64),
    }
}

/// A limit on time, without places that say nothing.
pub(super) fn limit(limit: Duration) -> String {
    time(limit).replace(".00 ", " ").replace(".0 ", " ")
}

/// A count; of tens of millions the millions.
pub(super) fn short(count: u64) -> String {
    match count {
        0..10_000_000 => grouped(count),
        _ => format!("{} M", grouped(count / 1_000_000)),
    }
}

/// Bytes in the unit that suits them.
pub(super) fn memory(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{} B", grouped(bytes)),
        10_000..10_000_000 => format!("{} kB", grouped(bytes.div_ceil(1000))),
        _ => format!("{} MB", grouped(bytes.div_ceil(1_000_000))),
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::None | Value::Beyond => serializer.serialize_none(),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Count(count) | Value::Of(count, _) | Value::Bytes(count) => serializer.serialize_u64(*count),
            Value::Rate(figure) | Value::Factor(figure) => serializer.serialize_f64(*figure),
            Value::Time(time) => serializer.serialize_u64(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)),
        }
    }
}

/// A row for programs: its columns by name.
pub(super) type Fields = Vec<(&'static str, Value)>;

/// One row for each strategy and set.
pub(super) fn of_rows(report: &Report) -> Vec<Fields> {
    let mut rows = Vec::new();
    for set in &report.sets {
        for row in report.rows(set) {
            let mut fields: Fields = vec![
                ("set", Value::Text(set.name.clone())),
                ("strategy", Value::Text(row.strategy.into())),
                ("question", Value::Text(report.question.name().into())),
                ("puzzles", Value::Count(row.puzzles as u64)),
                ("gave_up", Value::Count(row.gave_up as u64)),
                ("unsupported", Value::Count(row.unsupported as u64)),
            ];
            fields.extend(all().map(|column| (column.key, (column.value)(&row))));
            rows.push(fields);
        }
    }
    rows
}

/// One row for each strategy and puzzle.
pub(super) fn of_runs(report: &Report, sets: &[Set]) -> Vec<Fields> {
    let mut rows = Vec::new();
    for (set, reached) in sets.iter().zip(&report.sets) {
        for (place, &entry) in reached.entries.iter().enumerate() {
            let entry = &set.entries[entry];
            for (strategy, runs) in report.strategies.iter().zip(&reached.runs) {
                let run = &runs[place];
                let taken = |value| if run.is_taken() { value } else { Value::None };
                let mut fields: Fields = vec![
                    ("set", Value::Text(set.name.clone())),
                    ("name", Value::Text(entry.name.clone())),
                    ("rules", Value::Text(entry.puzzle.rules().name().into())),
                    ("puzzle", Value::Text(entry.puzzle.to_string())),
                    ("strategy", Value::Text(strategy.name.into())),
                    ("question", Value::Text(report.question.name().into())),
                    ("answer", Value::Text(run.answer.name().into())),
                    ("count", taken(Value::Count(run.count))),
                    ("stopped_by", run.answer.stopped_by().map_or(Value::None, |budget| Value::Text(budget.name().into()))),
                    ("time_ns", taken(Value::Time(run.time))),
                    ("setup_ns", taken(Value::Time(run.parts.setup))),
                    ("search_ns", taken(Value::Time(run.parts.search))),
                ];
                let counters = Counter::ALL.iter().filter(|&&counter| counter != Counter::Solutions);
                fields.extend(counters.map(|&counter| (counter.name(), taken(count(run.counters.get(counter))))));
                rows.push(fields);
            }
        }
    }
    rows
}

struct Object<'a>(&'a Fields);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// One object a line.
pub(super) fn write_json(rows: &[Fields], out: &mut Vec<u8>) {
    for row in rows {
        // Writing to memory cannot fail, and the figures are finite.
        let _ = serde_json::to_writer(&mut *out, &Object(row));
        out.push(b'\n');
    }
}

/// A line with the names, and one for each row.
pub(super) fn write_csv(rows: &[Fields], out: &mut Vec<u8>) {
    let Some(first) = rows.first() else { return };
    let names: Vec<&str> = first.iter().map(|(key, _)| *key).collect();
    let _ = writeln!(out, "{}", names.join(","));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|(_, value)| cell(value)).collect();
        let _ = writeln!(out, "{}", cells.join(","));
    }
}

/// Set (or puzzle), strategy and one figure.
pub(super) fn write_lines(rows: &[Fields], figure: &str, out: &mut Vec<u8>) {
    for row in rows {
        let cell = |key| row.iter().find(|(name, _)| *name == key).map(|(_, value)| cell(value));
        let what = cell("puzzle").or(cell("set")).unwrap_or_default();
        let _ = writeln!(out, "{what},{},{}", cell("strategy").unwrap_or_default(), cell(figure).unwrap_or_default());
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::None | Value::Beyond => String::new(),
        Value::Text(text) => quoted(text),
        value => serde_json::to_string(value).unwrap_or_default(),
    }
}
