//! Tables whose columns of times are told apart from the others.

use std::collections::HashMap;
use std::fmt::Write;
use std::time::Duration;

/// Stands for a time that was not measured.
const UNMEASURED: &str = "⏱";

/// A table in Markdown: words to the left, figures to the right.
pub(crate) struct Table {
    heads: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(heads: &[&'static str]) -> Table {
        Table { heads: heads.to_vec(), rows: Vec::new() }
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.push(cells.into());
    }

    /// A row of as many cells as there are heads.
    pub(crate) fn push(&mut self, cells: Vec<String>) {
        assert_eq!(cells.len(), self.heads.len(), "a cell for each head");
        self.rows.push(cells);
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!("| {} |\n", self.heads.join(" | "));
        text.push('|');
        for column in 0..self.heads.len() {
            let is_figure = |cell: &String| !cell.contains(char::is_alphabetic);
            text.push_str(if self.rows.iter().all(|row| is_figure(&row[column])) { "---:|" } else { "---|" });
        }
        text.push('\n');
        for row in &self.rows {
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text
    }
}

/// A figure with its thousands set apart; a dash where it is not known.
pub(crate) fn figure(value: Option<u64>) -> String {
    let Some(value) = value else { return "–".into() };
    let figures = value.to_string();
    let mut text = String::new();
    for (i, figure) in figures.chars().enumerate() {
        if i > 0 && (figures.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(figure);
    }
    text
}

/// A mean, exact to a tenth.
pub(crate) fn mean(sum: u64, count: usize) -> String {
    let count = count.max(1) as u64;
    // Rounded in whole numbers, so that it is the same everywhere.
    let tenths = (10 * sum + count / 2) / count;
    if tenths >= 1000 { figure(Some((tenths + 5) / 10)) } else { format!("{}.{}", tenths / 10, tenths % 10) }
}

/// A time of one puzzle in microseconds.
pub(crate) fn micros(time: Option<Duration>) -> String {
    match time.map(|time| time.as_secs_f64() * 1e6) {
        None => UNMEASURED.into(),
        Some(micros) if micros < 10.0 => format!("{micros:.2}"),
        Some(micros) if micros < 1000.0 => format!("{micros:.0}"),
        Some(micros) => figure(Some(micros as u64)),
    }
}

/// Puzzles a second, to two figures.
pub(crate) fn rate(time: Option<Duration>) -> String {
    let Some(time) = time else { return UNMEASURED.into() };
    let rate = 1.0 / time.as_secs_f64();
    let unit = 10f64.powf(rate.log10().floor() - 1.0);
    figure(Some(((rate / unit).round() * unit) as u64))
}

fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

/// Fills times that were not measured from the old text: by the head of the table, the first cell of the row and, where several rows
/// have the same, their order.
pub(crate) fn keep_times(new: &str, old: &str) -> String {
    let mut known = HashMap::new();
    walk(old, |key, line| {
        known.insert(key, cells(line).into_iter().map(String::from).collect::<Vec<_>>());
        line.to_owned()
    });
    walk(new, |key, line| {
        if !line.contains(UNMEASURED) {
            return line.to_owned();
        }
        let before = known.get(&key);
        let filled: Vec<String> = cells(line)
            .into_iter()
            .enumerate()
            .map(|(i, cell)| match cell {
                UNMEASURED => before.and_then(|row| row.get(i)).cloned().unwrap_or_else(|| "–".into()),
                cell => cell.to_owned(),
            })
            .collect();
        format!("| {} |", filled.join(" | "))
    })
}

/// Passes every row of every table through a function, with what identifies it.
fn walk(text: &str, mut row: impl FnMut((String, String, usize), &str) -> String) -> String {
    let mut out = Vec::new();
    let mut head = None;
    let mut seen: HashMap<String, usize> = HashMap::new();
    for line in text.lines() {
        if !line.starts_with('|') {
            head = None;
            out.push(line.to_owned());
            continue;
        }
        let Some(head) = &head else {
            head = Some(line.to_owned());
            seen.clear();
            out.push(line.to_owned());
            continue;
        };
        let first = cells(line).first().copied().unwrap_or_default().to_owned();
        let count = seen.entry(first.clone()).or_default();
        *count += 1;
        out.push(row((head.clone(), first, *count), line));
    }
    out.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_kept_and_everything_else_is_new() {
        let old = "| a | nodes | time |\n|---|---:|---:|\n| x | 1 | 5.00 |\n| x | 2 | 6.00 |\n| y | 3 | 7.00 |\n";
        let mut table = Table::new(&["a", "nodes", "time"]);
        table.row(["x".into(), "1".into(), micros(None)]);
        table.row(["x".into(), "9".into(), micros(None)]);
        table.row(["z".into(), "3".into(), micros(None)]);
        let kept = keep_times(&table.text(), old);
        assert_eq!(kept, "| a | nodes | time |\n|---|---:|---:|\n| x | 1 | 5.00 |\n| x | 9 | 6.00 |\n| z | 3 | – |");
        // What has not changed is left as it is, so that a check finds nothing.
        let mut table = Table::new(&["a", "nodes", "time"]);
        for (name, nodes) in [("x", "1"), ("x", "2"), ("y", "3")] {
            table.row([name.into(), nodes.into(), micros(None)]);
        }
        assert_eq!(keep_times(&table.text(), old), old.trim_end());
    }

    #[test]
    fn means_are_rounded_in_whole_numbers() {
        assert_eq!([mean(1, 3), mean(2, 3), mean(0, 0), mean(12_345, 10)], ["0.3", "0.7", "0.0", "1,235"]);
    }
}
