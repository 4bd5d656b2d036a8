//! `ninefold strategies`.

use std::io::Write;

use ninefold::{RuleSupport, Strategy};
use serde::Serialize;

use crate::args::{AnswerFormat, StrategiesArgs};
use crate::output::{quoted, table};
use crate::status::{Done, Status};

#[derive(Serialize)]
struct Row {
    name: &'static str,
    rules: &'static str,
    counters: Vec<&'static str>,
    summary: &'static str,
}

impl From<&Strategy> for Row {
    fn from(strategy: &Strategy) -> Row {
        Row {
            name: strategy.name,
            rules: match strategy.caps.rules {
                RuleSupport::Any => "any",
                RuleSupport::Classic => "9x9",
                _ => "some",
            },
            counters: strategy.caps.counters.iter().map(ninefold::Counter::name).collect(),
            summary: strategy.summary,
        }
    }
}

pub(crate) fn run(args: &StrategiesArgs) -> Done {
    let rows: Vec<Row> =
        ninefold::all_variants().filter(|strategy| args.all || strategy.variant().is_none()).map(Row::from).collect();
    let mut out = Vec::new();
    match args.format {
        AnswerFormat::Line => rows.iter().for_each(|row| out.extend_from_slice(format!("{}\n", row.name).as_bytes())),
        AnswerFormat::Csv => {
            out.extend_from_slice(b"name,rules,counters,summary\n");
            for row in &rows {
                let counters = row.counters.join(" ");
                let _ = writeln!(out, "{},{},{counters},{}", row.name, row.rules, quoted(row.summary));
            }
        }
        AnswerFormat::Json => {
            for row in &rows {
                // Names and sentences: nothing that JSON cannot say.
                let _ = serde_json::to_writer(&mut out, row);
                out.push(b'\n');
            }
        }
        AnswerFormat::Grid | AnswerFormat::Count => {
            let mut table = table(&["strategy", "rules", "summary", "counters"]);
            table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic).set_width(width());
            for row in &rows {
                table.add_row([row.name, row.rules, row.summary, &row.counters.join(", ").replace('_', " ")]);
            }
            let _ = writeln!(out, "{}", table.trim_fmt());
        }
    }
    std::io::stdout().write_all(&out)?;
    Ok(Status::Yes)
}

/// The width of the terminal; 120 where standard output is none.
pub(crate) fn width() -> u16 {
    terminal_size::terminal_size_of(std::io::stdout()).map_or(120, |(width, _)| width.0)
}
