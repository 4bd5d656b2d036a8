//! Whether a puzzle still has one solution.

use ninefold::{Board, Budget, Outcome, Puzzle, Rules, Solver, Verdict};

use crate::purse::Purse;

/// Nodes after which a quick strategy hands a puzzle on to a thorough one. Whatever singles and a few guesses settle takes fewer.
const QUICK_NODES: u64 = 300;

/// What is known about the solutions of a puzzle.
pub(crate) enum Answer {
    Unique,
    /// This board is another solution, or one of two.
    Multiple(Box<Board>),
    /// The limit on one check ran out.
    Unknown,
}

/// Asks strategies one after the other.
pub(crate) struct Checker {
    /// Each with the nodes that it may visit.
    stages: Vec<(Box<dyn Solver>, u64)>,
}

impl Checker {
    /// The strategies that [`ninefold::auto`] has for these rules; before them, on boards that are not classic, the one that settles
    /// easy puzzles at once. `None` where none is enabled.
    pub(crate) fn new(rules: &Rules, nodes: u64) -> Option<Checker> {
        let best = ninefold::auto(rules)?;
        let mut stages = Vec::new();
        if !rules.is_classic() {
            let quick = ninefold::by_name("propagation").filter(|quick| quick.caps.takes(rules));
            let thorough = ninefold::by_name("sat").filter(|thorough| thorough.caps.takes(rules));
            if let Some(quick) = quick {
                stages.push(((quick.build)(), QUICK_NODES.min(nodes)));
            }
            stages.push(((thorough.unwrap_or(best).build)(), nodes));
        } else {
            stages.push(((best.build)(), nodes));
        }
        Some(Checker { stages })
    }

    /// Whether the puzzle has another solution than the known one.
    pub(crate) fn check(&mut self, board: &Board, known: &Board, purse: &mut Purse) -> Result<Answer, Budget> {
        let puzzle = Puzzle::new(board.clone()).expect("part of a solution has no clash");
        for (solver, nodes) in &mut self.stages {
            let outcome = solver.count(&puzzle, 2, &purse.limits(*nodes));
            purse.spend(&outcome)?;
            if let Some(answer) = answer(&outcome, known) {
                return Ok(answer);
            }
        }
        Ok(Answer::Unknown)
    }
}

fn answer(outcome: &Outcome, known: &Board) -> Option<Answer> {
    // One solution that is not the known one is a second, whatever else the search did not get to.
    if let Some(other) = outcome.solutions().find(|solution| solution.as_bytes() != known.as_bytes()) {
        return Some(Answer::Multiple(Box::new(other.board().clone())));
    }
    match outcome.verdict() {
        Verdict::Unique(_) => Some(Answer::Unique),
        Verdict::Unsolvable => panic!("a strategy says that part of a solution has none"),
        _ => None,
    }
}
