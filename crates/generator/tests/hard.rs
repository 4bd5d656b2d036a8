//! What a hunt promises: the figures are those of the strategies, and it goes the same way each time.

use std::ops::ControlFlow;

use ninefold::{Budget, CancelToken, Counter, Limits, Puzzle, Rules, Strategy};
use ninefold_generator::GenerateErrorKind;
use ninefold_generator::hard::{Figure, Found, Hunt, Kind};

fn strategy(name: &str) -> &'static Strategy {
    ninefold::by_name(name).unwrap()
}

fn hunt(hard: &str, easy: &str) -> Hunt {
    Hunt::new(Rules::classic(), 1, strategy(hard), strategy(easy)).attempts(60).nodes(5_000)
}

fn search(hunt: &Hunt) -> Found {
    hunt.search(0, &Limits::none(), &mut |_| ControlFlow::Continue(())).unwrap()
}

fn assert_figure(figure: Figure, puzzle: &Puzzle, nodes: u64, solutions: u64) {
    let outcome = (strategy(figure.strategy).build)().count(puzzle, 2, &Limits::none().with_nodes(nodes));
    let steps = outcome.counters().nodes().or(outcome.counters().get(Counter::Conflicts)).unwrap();
    assert_eq!((figure.steps, figure.at_least), (steps.max(1), !outcome.is_exact()), "{} on {puzzle}", figure.strategy);
    assert!(figure.at_least || outcome.count() == solutions);
}

#[test]
fn the_figures_are_those_of_the_strategies() {
    for (hard, easy) in [("state-array", "propagation"), ("dlx", "bitboard"), ("sat", "backtracking"), ("bitboard", "sat")] {
        for (kind, solutions) in [(Kind::Unique, 1), (Kind::Unsolvable, 0)] {
            let found = search(&hunt(hard, easy).kind(kind));
            assert_eq!(found.solution().is_some(), solutions == 1);
            let (hard, easy) = (found.hard()[0], found.easy().unwrap());
            assert_figure(hard, found.puzzle(), 5_000, solutions);
            assert_figure(easy, found.puzzle(), 5_000, solutions);
            assert_eq!(found.ratio(), hard.steps as f64 / easy.steps as f64);
            assert_eq!(found.is_lower_bound(), hard.at_least);
        }
    }
}

#[test]
fn each_puzzle_that_the_visitor_sees_is_better_and_the_last_is_the_result() {
    let mut seen: Vec<(f64, String)> = Vec::new();
    let mut visit = |found: &Found| {
        seen.push((found.ratio(), found.puzzle().to_string()));
        ControlFlow::Continue(())
    };
    let found = hunt("state-array", "dlx").search(2, &Limits::none(), &mut visit).unwrap();
    assert!(seen.len() > 1 && seen.is_sorted_by(|a, b| a.0 < b.0), "{seen:?}");
    assert_eq!(seen.last().unwrap().1, found.puzzle().to_string());
    let again = search(&hunt("state-array", "dlx"));
    assert_eq!(again.puzzle(), search(&hunt("state-array", "dlx")).puzzle());
    assert_ne!(again.puzzle(), found.puzzle());
}

#[test]
fn the_visitor_can_end_the_hunt() {
    let mut visits = 0;
    let mut visit = |_: &Found| {
        visits += 1;
        ControlFlow::Break(())
    };
    hunt("state-array", "dlx").search(0, &Limits::none(), &mut visit).unwrap();
    assert_eq!(visits, 1);
}

#[test]
fn a_puzzle_for_all_is_harder_than_usual_for_each() {
    // The two that go row by row take too long for a test.
    let strategies = ["propagation", "dlx", "sat", "bitboard"].map(strategy);
    let hunt = Hunt::for_all(Rules::classic(), 1, strategies.to_vec()).attempts(600).nodes(20_000);
    let found = search(&hunt);
    for row in strategies {
        assert!(found.hard().iter().any(|figure| figure.strategy == row.name), "{}", row.name);
    }
    assert!(found.easy().is_none());
    let least = found.hard().iter().map(|figure| figure.steps as f64 / figure.usual as f64).fold(f64::INFINITY, f64::min);
    assert_eq!(found.ratio(), least);
    assert!(least > 1.0, "{least}");
}

#[test]
fn other_rules_and_limits() {
    let rules = Rules::blocks("2x3".parse().unwrap());
    let small = Hunt::new(&rules, 1, strategy("backtracking"), strategy("propagation")).attempts(50);
    assert!(search(&small).ratio() > 1.0);
    let unsupported = Hunt::new(&rules, 1, strategy("bitboard"), strategy("dlx"));
    let error = unsupported.search(0, &Limits::none(), &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert_eq!(error.kind(), GenerateErrorKind::Unsupported);
    let token = CancelToken::new();
    token.cancel();
    let error = small.search(0, &Limits::none().with_cancel(token), &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert_eq!(error.kind(), GenerateErrorKind::OutOfBudget(Budget::Cancelled));
    // A limit that runs out later leaves the best so far.
    let found = small.search(0, &Limits::none().with_nodes(5_000), &mut |_| ControlFlow::Continue(()));
    assert!(found.is_ok());
}
