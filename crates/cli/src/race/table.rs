//! Tables for people.

use std::io::{IsTerminal, Write};

use comfy_table::{CellAlignment, Table};
use ninefold_race::{Answer, Question, Report, Row, Set};

use super::args::Columns;
use super::columns::{self, Column, UNKNOWN};
use super::{rules_of, short_rules, words};
use crate::output::table;
use crate::progress::time;

/// The widest that a table gets on its own, and the least that it is cut down to.
const WIDEST: usize = 120;
const NARROWEST: usize = 80;

pub(super) fn write(report: &Report, sets: &[Set], wanted: Columns, out: &mut Vec<u8>) {
    let width = width();
    let beyond = beyond(report);
    let rows_of_sets: Vec<Vec<Row>> = report.sets.iter().map(|set| report.rows(set)).collect();
    let groups: Vec<Vec<&Column>> = match wanted {
        Columns::All => [columns::TIMES, columns::SEARCH, columns::COST].map(|group| group.iter().collect()).into(),
        Columns::Main => vec![fitting(&rows_of_sets, &beyond, width)],
    };
    for ((set, reached), rows) in sets.iter().zip(&report.sets).zip(&rows_of_sets) {
        let _ = writeln!(out, "{}", title(set, reached.entries.len()));
        for group in &groups {
            let _ = writeln!(out, "{}\n", lines(rows, group, &beyond).trim_fmt());
        }
    }
    let mut notes: Vec<String> = groups.iter().flatten().map(|column| format!("{}: {}", column.head, column.note)).collect();
    notes.push(format!("{UNKNOWN}: cannot be known, or nothing to tell"));
    if rows_of_sets.iter().flatten().any(|row| row.gave_up > 0) {
        notes.push("≥: at least, since it gave up on some".into());
    }
    notes.push(question(report.question).into());
    let _ = writeln!(out, "{}\n", wrapped(&notes.join(" · "), width));
    for sentence in words::sentences(report) {
        let _ = writeln!(out, "{}", wrapped(&sentence, width));
    }
}

/// As wide as the terminal, within reason.
fn width() -> usize {
    let columns = terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    columns.filter(|_| std::io::stdout().is_terminal()).map_or(NARROWEST, |width| width.clamp(NARROWEST, WIDEST))
}

/// What stands for a time that a strategy did not live to see.
pub(super) fn beyond(report: &Report) -> String {
    // A limit on nodes may have ended it sooner.
    let by_time = report.sets.iter().flat_map(|set| set.runs.iter().flatten()).all(|run| match run.answer {
        Answer::GaveUp(budget) => budget == ninefold::Budget::Time,
        _ => true,
    });
    if by_time { format!("> {}", columns::limit(report.time_per_puzzle)) } else { "gave up".into() }
}

pub(super) fn title(set: &Set, reached: usize) -> String {
    let of = if reached < set.entries.len() { format!(" of {}", set.entries.len()) } else { String::new() };
    let noun = if set.entries.len() == 1 { "puzzle" } else { "puzzles" };
    format!("{}: {reached}{of} {noun}, {}", set.name, rules_of(set))
}

pub(super) fn question(question: Question) -> &'static str {
    match question {
        Question::Solve => "asked for the first solution",
        Question::Count => "asked whether there is no solution, one, or more",
        Question::Enumerate => "asked for all solutions, up to 1000",
    }
}

/// As many of the main columns as fit in the tables of all sets, in their usual order.
fn fitting(sets: &[Vec<Row>], beyond: &str, width: usize) -> Vec<&'static Column> {
    let mut keys = columns::MAIN.to_vec();
    loop {
        let columns: Vec<&Column> = columns::all().filter(|column| keys.contains(&column.key)).collect();
        let lines = sets.iter().flat_map(|rows| lines(rows, &columns, beyond).lines().collect::<Vec<_>>());
        let widest = lines.map(|line| line.trim_end().chars().count()).max().unwrap_or(0);
        if widest <= width || keys.len() <= 3 {
            return columns;
        }
        keys.pop();
    }
}

fn lines(rows: &[Row], columns: &[&Column], beyond: &str) -> Table {
    let mut heads = vec!["strategy"];
    heads.extend(columns.iter().map(|column| column.head));
    let mut table = table(&heads);
    for row in rows {
        let mut cells = vec![row.strategy.to_string()];
        cells.extend(columns.iter().map(|column| column.text(row, beyond)));
        table.add_row(cells);
    }
    align_right(&mut table);
    // Narrow gaps, so that more fits.
    table.column_iter_mut().for_each(|column| {
        column.set_padding((0, 1));
    });
    table
}

/// Every puzzle with the times of all strategies.
pub(super) fn write_puzzles(report: &Report, sets: &[Set], out: &mut Vec<u8>) {
    for (set, reached) in sets.iter().zip(&report.sets) {
        let _ = writeln!(out, "{}", title(set, reached.entries.len()));
        let mut heads = vec!["puzzle", "rules"];
        heads.extend(report.strategies.iter().map(|strategy| strategy.name));
        let mut table = table(&heads);
        for (place, &entry) in reached.entries.iter().enumerate() {
            let entry = &set.entries[entry];
            let mut cells = vec![entry.name.clone(), short_rules(entry.puzzle.rules().name())];
            cells.extend(reached.runs.iter().map(|runs| match runs[place].answer {
                Answer::GaveUp(_) => format!("> {}", time(runs[place].time)),
                Answer::Unsupported => UNKNOWN.into(),
                _ => time(runs[place].time),
            }));
            table.add_row(cells);
        }
        align_right(&mut table);
        let _ = writeln!(out, "{}\n", table.trim_fmt());
    }
}

/// Figures stand under each other; names stay on the left.
fn align_right(table: &mut Table) {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// Breaks lines between words.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 0 && last + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}
