//! The head of a certificate: rules, puzzle, claim.

use std::io::BufRead;

use ninefold_core::{Cell, Claim, DigitSet, HouseKind, Puzzle, Rules, RulesBuilder, RulesError};

use crate::text::{self, Lines};
use crate::{Refusal, Verified};

/// Reads up to the line `proof`, and compares with the puzzle that the certificate should be about. The givens may clash: then the
/// argument is short.
pub(crate) fn read(lines: &mut Lines<impl BufRead>, puzzle: Option<&Puzzle>) -> Result<Verified, Refusal> {
    match lines.next() {
        Ok(Some(Claim::CERTIFICATE)) => {}
        Err(refusal) if !refusal.is_certificate => return Err(refusal),
        _ => {
            let message = format!("the first line of a certificate is `{}`", Claim::CERTIFICATE);
            return Err(Refusal { is_certificate: false, line: 0, message });
        }
    }
    let (key, value) = entry(lines)?;
    let side = value.parse().ok().filter(|_| key == "side").ok_or_else(|| "`side` and a number are expected".to_owned())?;
    let text_of = |error: RulesError| error.to_string();
    let mut builder = Rules::builder(side);
    // A board without houses, from which cells can be read while the rules are not complete.
    let cells = Rules::builder(side).build().map_err(text_of)?;
    let givens = loop {
        let (key, value) = entry(lines)?;
        if key == "givens" {
            break value;
        }
        builder = add_houses(builder, &cells, &key, &value)?;
    };
    let rules = builder.build().map_err(text_of)?;
    let board = text::board(&rules, &givens)?;
    let mut allowed = vec![DigitSet::all(side); rules.cell_count()];
    board.givens().for_each(|(cell, digit)| allowed[cell.index()] = DigitSet::of(digit));
    let claim = loop {
        let (key, value) = entry(lines)?;
        match key.as_str() {
            // No digit at all may be listed: then the cell is dead from the start.
            "allow" => {
                let (label, list) = value.split_once(' ').unwrap_or((&value, ""));
                let set = &mut allowed[text::cell(&rules, label)?.index()];
                *set = set.intersection(text::digits(&rules, list)?);
            }
            "claim" => break value.parse()?,
            _ => return Err(format!("`allow` or `claim` is expected, not `{key}`").into()),
        }
    };
    if entry(lines)? != ("proof".into(), String::new()) {
        return Err("`proof` is expected after the claim".to_owned().into());
    }
    // Names of rules and houses and the order of houses do not matter.
    let fits = |puzzle: &Puzzle| {
        let same_rules = side == puzzle.rules().side() && houses(&rules) == houses(puzzle.rules());
        same_rules && rules.cells().all(|cell| allowed[cell.index()] == puzzle.allowed(cell))
    };
    if !puzzle.is_none_or(fits) {
        return Err("the certificate is about another puzzle, or other rules".to_owned().into());
    }
    Ok(Verified { board, allowed, claim, solution: None, splits: 0, leaves: 0, steps: 0 })
}

/// A line of the head: its first word, and the rest.
fn entry(lines: &mut Lines<impl BufRead>) -> Result<(String, String), Refusal> {
    let line = lines.next()?.ok_or_else(|| "the text ends before the proof begins".to_owned())?;
    let (key, value) = line.split_once(' ').unwrap_or((line, ""));
    Ok((key.into(), value.into()))
}

fn add_houses(builder: RulesBuilder, cells: &Rules, key: &str, value: &str) -> Result<RulesBuilder, String> {
    Ok(match key {
        "lines" => builder.rows_and_columns(),
        "blocks" => builder.block_houses(value.parse().map_err(|error: RulesError| error.to_string())?),
        "regions" => builder.regions(value.as_bytes()),
        "house" => {
            let labels: Result<Vec<Cell>, String> = value.split(' ').map(|label| text::cell(cells, label)).collect();
            builder.house(HouseKind::Extra(String::new()), labels?)
        }
        _ => return Err(format!("`lines`, `blocks`, `regions`, `house` or `givens` is expected, not `{key}`")),
    })
}

/// The houses as sets of cells, each once, sorted.
fn houses(rules: &Rules) -> Vec<Vec<Cell>> {
    let mut houses: Vec<Vec<Cell>> = rules.houses().iter().map(|house| house.cells().to_vec()).collect();
    houses.iter_mut().for_each(|cells| cells.sort_unstable());
    houses.sort_unstable();
    houses.dedup();
    houses
}
