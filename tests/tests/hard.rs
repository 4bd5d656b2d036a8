//! The sets `hard-for-*` show what they say: one strategy takes a thousand times what another takes.

use std::collections::BTreeSet;

use ninefold::{Counter, Limits, Puzzle, Strategy};
use ninefold_tests::{set, set_names};

/// The ratio that each pair has to have.
const RATIO: u64 = 1000;

/// Steps after which the strategy that a puzzle is easy for gives up. It takes far fewer.
const EASY: u64 = 2000;

/// Nodes, or conflicts where there are none, and whether it was done by then.
fn steps(strategy: &Strategy, puzzle: &Puzzle, limit: u64) -> (u64, bool) {
    let outcome = (strategy.build)().count(puzzle, 2, &Limits::none().with_nodes(limit));
    let counters = outcome.counters();
    (counters.nodes().or(counters.get(Counter::Conflicts)).unwrap_or(0), outcome.is_exact())
}

#[test]
fn a_puzzle_of_a_pair_takes_the_one_a_thousand_times_as_many_steps_as_the_other() {
    let mut pairs = BTreeSet::new();
    for name in set_names().filter(|name| name.starts_with("hard-for-") && *name != "hard-for-all") {
        for entry in set(name) {
            let (hard, easy) = entry.name.strip_prefix("hard-for-").and_then(|pair| pair.split_once("-easy-for-")).unwrap();
            assert_eq!(name.strip_prefix("hard-for-"), Some(hard));
            pairs.insert((hard.to_owned(), easy.to_owned()));
            let (Some(hard), Some(easy)) = (ninefold::by_name(hard), ninefold::by_name(easy)) else { continue };
            let (few, done) = steps(easy, &entry.puzzle, EASY);
            assert!(done, "{}: {few} steps of {} do not do", entry.name, easy.name);
            let (many, _) = steps(hard, &entry.puzzle, few.max(1) * RATIO);
            assert_eq!(many, few.max(1) * RATIO, "{}: {} takes {few} steps, {} only {many}", entry.name, easy.name, hard.name);
        }
    }
    let names = ["backtracking", "state-array", "propagation", "dlx", "sat", "bitboard"];
    let all = names.iter().flat_map(|hard| names.map(|easy| (*hard, easy))).filter(|(hard, easy)| hard != easy);
    // Two of them walk the same tree, and `propagation` never visits more nodes than `dlx`: see docs/GENERATOR.md.
    let none = [("backtracking", "state-array"), ("state-array", "backtracking"), ("propagation", "dlx")];
    let wanted = all.filter(|pair| !none.contains(pair));
    assert_eq!(pairs, wanted.map(|(hard, easy)| (hard.to_owned(), easy.to_owned())).collect());
}
