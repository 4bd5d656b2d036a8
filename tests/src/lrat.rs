//! A checker of LRAT proofs that knows nothing of Sudoku (L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, "Efficient certified RAT
//! verification", 2017). It takes proofs without RAT steps, as all of ours are.

use std::collections::{HashMap, HashSet};

/// Checks a proof against a formula in DIMACS format: each clause of the proof is negated, each clause that it names in turn has one literal that is not
/// false and makes it true, and the last one has none. The proof ends with the empty clause.
///
/// # Errors
/// The line of the proof that does not hold.
pub fn check(cnf: &str, proof: &str) -> Result<(), String> {
    let lines = cnf.lines().filter(|line| !line.starts_with(['c', 'p']));
    let mut clauses: HashMap<u64, Vec<i32>> = (1..).zip(lines.filter_map(literals)).collect();
    let mut last = clauses.len() as u64;
    for line in proof.lines() {
        let wrong = || line.to_owned();
        let (id, rest) = line.split_once(' ').ok_or_else(wrong)?;
        let id: u64 = id.parse().map_err(|_| wrong())?;
        if let Some(deleted) = rest.strip_prefix("d ") {
            for id in literals(deleted).ok_or_else(wrong)? {
                clauses.remove(&id.unsigned_abs().into()).ok_or_else(wrong)?;
            }
            continue;
        }
        let end = rest.split(' ').position(|word| word == "0").ok_or_else(wrong)?;
        let words: Vec<&str> = rest.split(' ').collect();
        let lemma = literals(&words[..=end].join(" ")).ok_or_else(wrong)?;
        let hints = literals(&words[end + 1..].join(" ")).ok_or_else(wrong)?;
        let mut truths: HashSet<i32> = lemma.iter().map(|literal| -literal).collect();
        let mut is_refuted = false;
        for hint in hints {
            let clause = clauses.get(&hint.unsigned_abs().into()).ok_or_else(wrong)?;
            let mut open = clause.iter().filter(|literal| !truths.contains(&-**literal));
            match (open.next(), open.next()) {
                (None, _) => is_refuted = true,
                (Some(&unit), None) => drop(truths.insert(unit)),
                _ => return Err(wrong()),
            }
        }
        if !is_refuted || id <= last {
            return Err(wrong());
        }
        if lemma.is_empty() {
            return Ok(());
        }
        last = id;
        clauses.insert(id, lemma);
    }
    Err("the empty clause is missing".into())
}

/// The numbers of a list that ends with 0.
fn literals(line: &str) -> Option<Vec<i32>> {
    let mut numbers: Vec<i32> = line.split_whitespace().map(|word| word.parse().ok()).collect::<Option<_>>()?;
    (numbers.pop() == Some(0)).then_some(numbers)
}
