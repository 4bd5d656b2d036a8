//! Limits, tested by their effect: searches that would go on for ages end, and say why.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use ninefold_core::{Budget, CancelToken, Counter, End, Limits, Puzzle, Strategy, Verdict};

use crate::endless;

/// How long a search may go on after it was told to end before the test calls it endless. A strategy has to end within 50 ms; the margin is
/// for machines that do something else at the same time.
const PATIENCE: Duration = Duration::from_secs(20);

/// A puzzle without a solution that plain backtracking searches for ages: published by Peter Norvig ("Solving every Sudoku puzzle", 2006) as one his
/// program needed 1,439 seconds for.
const DEAD: &str = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";

fn dead(strategy: &Strategy) -> Option<Puzzle> {
    let puzzle = Puzzle::new(DEAD.parse().expect("a classic line")).expect("no clash");
    strategy.caps.takes(puzzle.rules()).then_some(puzzle)
}

/// Runs a search in a thread of its own and gives its outcome.
///
/// # Panics
/// Where the search does not end.
fn outcome_in_time(strategy: &Strategy, puzzle: &Puzzle, limits: &Limits) -> ninefold_core::Outcome {
    let (sender, receiver) = mpsc::channel();
    let (build, puzzle, own_limits) = (strategy.build, puzzle.clone(), limits.clone());
    // The default stack of a thread is what a strategy has to get by with on the largest boards.
    thread::spawn(move || {
        let _ = sender.send(build().count(&puzzle, u64::MAX, &own_limits));
    });
    match receiver.recv_timeout(PATIENCE) {
        Ok(outcome) => outcome,
        Err(error) => panic!("{} does not obey {limits:?}: {error}", strategy.name),
    }
}

/// Limits on nodes and on time end a search that would not end by itself, and the verdict is that it is unknown.
///
/// # Panics
/// Where they do not.
pub fn limits_end_the_search(strategy: &Strategy) {
    let puzzle = endless(strategy);
    let steps = if strategy.caps.counters.contains(Counter::Nodes) { Counter::Nodes } else { Counter::Conflicts };
    for nodes in [0, 1, 10, 100] {
        let outcome = outcome_in_time(strategy, &puzzle, &Limits::none().with_nodes(nodes).with_time(PATIENCE));
        assert_eq!(outcome.end(), End::OutOfBudget(Budget::Nodes), "{} with {nodes} nodes", strategy.name);
        assert!(
            outcome.counters().get(steps).is_some_and(|steps| steps <= nodes),
            "{} with {nodes} nodes: {outcome:?}",
            strategy.name
        );
    }
    let time = Limits::none().with_time(Duration::from_millis(30));
    let outcome = outcome_in_time(strategy, &puzzle, &time);
    assert_eq!(outcome.end(), End::OutOfBudget(Budget::Time), "{}", strategy.name);
    if let Some(dead) = dead(strategy) {
        let outcome = outcome_in_time(strategy, &dead, &time);
        let verdict = outcome.verdict();
        // A strong strategy is done before the time is over.
        assert!(
            verdict == Verdict::Unsolvable || verdict == Verdict::Unknown(Budget::Time),
            "{}: {verdict:?} where there is no solution",
            strategy.name
        );
        let outcome = outcome_in_time(strategy, &dead, &Limits::none().with_nodes(0));
        assert_eq!(outcome.verdict(), Verdict::Unknown(Budget::Nodes), "{}", strategy.name);
    }
}

/// A token used by another thread ends the search inside, on an empty board, on one without a solution, and on a 64×64 board.
///
/// # Panics
/// Where it does not.
pub fn cancelled_in_mid_search(strategy: &Strategy) {
    let huge = Puzzle::new(".".repeat(4096).parse().expect("an empty board")).expect("no clash");
    let huge = strategy.caps.takes(huge.rules()).then_some(huge);
    for (puzzle, may_be_done) in [(Some(endless(strategy)), false), (dead(strategy), true), (huge, false)]
        .into_iter()
        .filter_map(|(puzzle, done)| Some((puzzle?, done)))
    {
        let token = CancelToken::new();
        let other = token.clone();
        let canceller = thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            other.cancel();
        });
        let outcome = outcome_in_time(strategy, &puzzle, &Limits::none().with_cancel(token));
        canceller.join().expect("the canceller does not panic");
        let cancelled = outcome.end() == End::OutOfBudget(Budget::Cancelled);
        let refused = outcome.end() == End::OutOfBudget(Budget::Memory);
        let done = may_be_done && outcome.verdict() == Verdict::Unsolvable;
        assert!(cancelled || refused || done, "{} on {puzzle}: {:?}", strategy.name, outcome.end());
    }
}
