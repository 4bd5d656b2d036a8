//! What this strategy does beyond the contract.

use ninefold_cnf::AtMostOne;
use ninefold_core::{Board, Budget, CancelToken, Counter, End, Limits, Puzzle, Rules, Search, Solver};
use ninefold_solver_batsat::Batsat;

/// A. Inkala's puzzle of 2012, which has no singles to begin with.
const HARD: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

fn empty(shape: &str) -> Puzzle {
    Puzzle::new(Board::empty(&Rules::blocks(shape.parse().unwrap()))).unwrap()
}

#[test]
fn empty_boards_are_filled_up_to_the_largest() {
    for shape in ["5x5", "6x6", "8x8"] {
        let outcome = Batsat::new().solve(&empty(shape), &Limits::none());
        assert_eq!((outcome.count(), outcome.end()), (1, End::Stopped), "{shape}");
    }
}

#[test]
fn a_formula_over_the_bound_of_memory_is_written_compactly_or_refused() {
    let puzzle = empty("5x5");
    let refused = Batsat::new().with_memory(1 << 20).solve(&puzzle, &Limits::none());
    assert_eq!((refused.count(), refused.end()), (0, End::OutOfBudget(Budget::Memory)));
    // Pairs need 46 MB by the estimate, rows and columns 18.
    let conflicts = |solver: Batsat| {
        let outcome = { solver }.solve(&puzzle, &Limits::none());
        assert_eq!(outcome.count(), 1);
        *outcome.counters()
    };
    let pairs = conflicts(Batsat::new());
    let product = conflicts(Batsat::new().with_at_most_one(AtMostOne::Product));
    assert_ne!(pairs.get(Counter::Decisions), product.get(Counter::Decisions), "the two can be told apart");
    assert_eq!(conflicts(Batsat::new().with_memory(30 << 20)), product);
}

#[test]
fn conflicts_and_decisions_are_counted_and_the_limit_is_exact() {
    let puzzle = Puzzle::new(HARD.parse().unwrap()).unwrap();
    let whole = Batsat::new().count(&puzzle, 2, &Limits::none());
    let conflicts = whole.counters().get(Counter::Conflicts).unwrap();
    assert!(whole.is_exact() && conflicts > 10, "{conflicts}");
    assert!(whole.counters().get(Counter::Decisions).unwrap() > 0);
    let enough = Batsat::new().count(&puzzle, 2, &Limits::none().with_nodes(conflicts));
    assert_eq!((enough.end(), enough.counters()), (End::Exhausted, whole.counters()));
    let short = Batsat::new().count(&puzzle, 2, &Limits::none().with_nodes(conflicts - 1));
    assert_eq!(short.end(), End::OutOfBudget(Budget::Nodes));
    assert_eq!(short.counters().get(Counter::Conflicts), Some(conflicts - 1));
}

#[test]
fn a_large_board_can_be_cancelled_while_its_formula_is_loaded() {
    let token = CancelToken::new();
    let limits = Limits::none().with_cancel(token.clone());
    let mut search = Search::new(&limits);
    token.cancel();
    assert_eq!(Batsat::new().search(&empty("8x8"), &mut search), End::OutOfBudget(Budget::Cancelled));
}

#[test]
fn any_decay_is_held_to_its_range() {
    let puzzle = Puzzle::new(HARD.parse().unwrap()).unwrap();
    for decay in [f64::NAN, f64::NEG_INFINITY, -1.0, 0.0, 0.5, 1.0, f64::INFINITY] {
        assert_eq!(Batsat::new().with_decay(decay).count(&puzzle, 2, &Limits::none()).count(), 1, "{decay}");
    }
}
