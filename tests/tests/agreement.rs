//! All strategies agree, on what they find and on what an outsider sees of it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ninefold::{Budget, Counter, End, Limits, Puzzle, Strategy, Verdict};
use ninefold_testkit::{cases, patterned};

/// Every solution up to a cap that a random puzzle never reaches, as a set; `None` where the strategy gave up.
fn solutions(strategy: &Strategy, puzzle: &Puzzle) -> Option<BTreeSet<String>> {
    let (found, outcome) = (strategy.build)().solutions(puzzle, 2000, &Limits::none().with_nodes(100_000));
    match outcome.end() {
        End::Exhausted => Some(found.iter().map(ToString::to_string).collect()),
        End::OutOfBudget(Budget::Nodes) | End::Stopped => None,
        end => panic!("{}: {end:?} on {puzzle}", strategy.name),
    }
}

#[test]
fn all_strategies_find_the_same_set_of_solutions_of_random_puzzles() {
    for (shape, blanks, seeds) in
        [("2x2", 6, 60), ("2x3", 5, 60), ("3x2", 5, 60), ("2x4", 4, 30), ("3x3", 5, 60), ("3x4", 3, 20), ("4x4", 3, 8)]
    {
        let mut compared = 0;
        for seed in 0..seeds {
            let puzzle = patterned(shape, blanks, seed);
            let answers: Vec<_> = ninefold::strategies()
                .into_iter()
                .filter(|strategy| strategy.caps.takes(puzzle.rules()))
                .filter_map(|strategy| Some((strategy.name, solutions(strategy, &puzzle)?)))
                .collect();
            for pair in answers.windows(2) {
                assert_eq!(pair[0].1, pair[1].1, "{} and {} on {puzzle}", pair[0].0, pair[1].0);
            }
            compared += usize::from(!answers.is_empty());
        }
        let enabled = ninefold::strategies().iter().any(|strategy| strategy.caps.takes(patterned(shape, 0, 0).rules()));
        assert!(!enabled || compared > seeds as usize / 2, "only {compared} of {seeds} boards of {shape} were compared");
    }
}

/// What an outsider sees of a verdict, without which of several solutions came first.
fn shown(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Unique(solution) => format!("unique {solution}"),
        other => other.name().to_owned(),
    }
}

/// The same text for every strategy, so that one snapshot stands for all.
#[test]
fn verdicts_are_the_same_for_every_strategy() {
    for classic in [true, false] {
        for strategy in ninefold::strategies() {
            let mut text = String::new();
            for case in cases() {
                let puzzle = case.puzzle();
                if puzzle.rules().is_classic() == classic && strategy.caps.takes(puzzle.rules()) {
                    let verdict = (strategy.build)().classify(&puzzle, &Limits::none());
                    writeln!(text, "{}: {}", case.name, shown(&verdict)).unwrap();
                }
            }
            // A strategy for the classic board alone has nothing to show of the others.
            if !text.is_empty() {
                insta::allow_duplicates! {
                    insta::assert_snapshot!(if classic { "verdicts_classic" } else { "verdicts_other_rules" }, text);
                }
            }
        }
    }
}

#[test]
fn gave_up_is_not_unsolvable() {
    let puzzle =
        Puzzle::new("........................................................8.................6......".parse().unwrap())
            .unwrap();
    let limits = Limits::none().with_nodes(0);
    for strategy in ninefold::all_variants() {
        let verdict = (strategy.build)().classify(&puzzle, &limits);
        // A SAT solver may find solutions without a conflict, which is its step; what it must not say is that there are none.
        let steps_are_nodes = strategy.caps.counters.contains(Counter::Nodes);
        assert_ne!(verdict, Verdict::Unsolvable, "{}", strategy.name);
        assert!(!steps_are_nodes || verdict == Verdict::Unknown(Budget::Nodes), "{}: {verdict:?}", strategy.name);
    }
}

#[test]
fn clashes_are_reported_with_their_cells() {
    let wikipedia = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
    let mut text = String::new();
    for (index, digit) in [(0, '8'), (66, '1'), (45, '4'), (19, '6')] {
        let changed: String = wikipedia.chars().enumerate().map(|(i, c)| if i == index { digit } else { c }).collect();
        let error = Puzzle::new(changed.parse().unwrap()).unwrap_err();
        writeln!(text, "{error}").unwrap();
        for clash in error.clash_list() {
            writeln!(text, "  {clash}").unwrap();
        }
    }
    insta::assert_snapshot!("clashes", text);
}

#[test]
fn the_two_backtrackers_walk_one_tree() {
    let sets = ninefold_tests::set_names().flat_map(|set| {
        // The sets of a hundred and more are of one kind: every fifth puzzle of those will do.
        let entries = ninefold_tests::set(set);
        let step = if entries.len() < 100 { 1 } else { 5 };
        entries.into_iter().step_by(step).map(move |entry| (format!("{set} {}", entry.name), entry.puzzle))
    });
    let named = ninefold_tests::named().into_iter().map(|entry| (entry.name, entry.puzzle));
    let puzzles: Vec<_> = sets.chain(named).collect();
    for variant in ["", ":column-major", ":fewest"] {
        let pair = ["backtracking", "state-array"].map(|name| ninefold::by_name(&format!("{name}{variant}")));
        match pair {
            [Some(a), Some(b)] => {
                ninefold_testkit::two_strategies_walk_one_tree(a, b);
                for (name, puzzle) in &puzzles {
                    // A node costs the more the larger the board, and where the next cell is looked for on all of it.
                    let work = if variant == ":fewest" { 100_000 } else { 1_000_000 };
                    let nodes = work / puzzle.rules().cell_count() as u64;
                    ninefold_testkit::two_strategies_walk_one_tree_on(a, b, name, puzzle, nodes);
                }
            }
            missing if cfg!(feature = "all") => panic!("`{variant}`: {missing:?}"),
            _ => {}
        }
    }
}
