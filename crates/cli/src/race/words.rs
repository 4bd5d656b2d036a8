//! Who wins where, in words.

use ninefold_race::{Report, Row, SetReport};

use super::columns::figure;

/// A sentence or two for each set that was reached, and one for all.
pub(super) fn sentences(report: &Report) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut wins: Vec<(&str, Vec<&str>)> = Vec::new();
    for set in report.sets.iter().filter(|set| !set.entries.is_empty()) {
        let rows = report.rows(set);
        let Some((best, text)) = of_set(set, &rows) else {
            sentences.push(format!("{}: no strategy answered any puzzle within its limits.", set.name));
            continue;
        };
        sentences.push(text);
        match wins.iter_mut().find(|(name, _)| *name == best) {
            Some((_, sets)) => sets.push(&set.name),
            None => wins.push((best, vec![&set.name])),
        }
    }
    wins.sort_by_key(|(_, sets)| std::cmp::Reverse(sets.len()));
    if report.sets.len() > 1 && report.strategies.len() > 1 && !wins.is_empty() {
        let wins: Vec<String> = wins.iter().map(|(name, sets)| format!("{name} wins {}", listed(sets))).collect();
        sentences.push(format!("All in all: {}.", wins.join("; ")));
    }
    sentences
}

/// The best strategy of a set, and what is to be said.
fn of_set(set: &SetReport, rows: &[Row]) -> Option<(&'static str, String)> {
    let best = rows.iter().find(|row| row.relative == Some(1.0))?;
    let rate = best.answers_per_second?;
    let mut text = format!("{}: {} is best with {} answers a second", set.name, best.strategy, figure(rate));
    if best.answered < best.puzzles {
        text += &format!(" and {} of {} answered", best.answered, best.puzzles);
    }
    let mut others: Vec<(&Row, f64)> =
        rows.iter().filter(|row| row.strategy != best.strategy).filter_map(|row| Some((row, row.relative?))).collect();
    others.sort_by(|a, b| a.1.total_cmp(&b.1));
    let against: Vec<String> = others
        .iter()
        .map(|(row, factor)| {
            let least = if row.gave_up > 0 { "at least " } else { "" };
            format!("{} {least}× {}", row.strategy, figure(*factor))
        })
        .collect();
    text.push('.');
    if !against.is_empty() {
        text += &format!(" Time against it: {}.", against.join(", "));
    }
    let those = |what: &str, count: fn(&Row) -> usize| {
        let named: Vec<String> = rows.iter().filter(|row| count(row) > 0).map(|row| of_all(row, count(row))).collect();
        if named.is_empty() { String::new() } else { format!(" {what}: {}.", named.join(", ")) }
    };
    text += &those("Gave up on", |row| row.gave_up);
    text += &those("Did not take the rules of", |row| row.unsupported);
    text += &those("Answered without a guess", |row| row.without_guess.unwrap_or(0));
    Some((best.strategy, text))
}

fn of_all(row: &Row, count: usize) -> String {
    if count == row.puzzles { format!("{} all", row.strategy) } else { format!("{} {count}", row.strategy) }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).into(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
