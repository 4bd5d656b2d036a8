//! What an observer sees.

use std::ops::ControlFlow;

use ninefold_core::{Choice, Counter, End, Event, Limits, Observer, Puzzle, Search, Solution, Strategy};

use crate::{Count, supported_cases};

/// The events of a search, counted and replayed.
struct Seen<'p> {
    puzzle: &'p Puzzle,
    /// Whether steps are nodes.
    counts_nodes: bool,
    steps: u64,
    /// The node of the last leaf, which no other leaf shares.
    last_leaf: u64,
    guesses: u64,
    dead_ends: u64,
    solutions: u64,
    deepest: usize,
    /// The digits placed since each open guess; the first list belongs to the root.
    placed: Vec<Vec<(usize, u8)>>,
    complaint: Option<String>,
}

impl Observer for Seen<'_> {
    fn event_at(&mut self, steps: u64, event: Event<'_>) {
        if steps < self.steps || self.counts_nodes && steps == 0 {
            self.complain(format!("step {steps} after step {}", self.steps));
        }
        self.steps = steps;
        if self.counts_nodes && matches!(event, Event::DeadEnd { .. } | Event::Solution { .. }) {
            if steps == self.last_leaf {
                self.complain(format!("two leaves at node {steps}"));
            }
            self.last_leaf = steps;
        }
        self.event(event);
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Guess { choice, depth } => {
                self.guesses += 1;
                self.deepest = self.deepest.max(depth);
                if depth != self.placed.len() {
                    self.complain(format!("a guess at depth {depth} with {} guesses open", self.placed.len() - 1));
                }
                self.placed.push(Vec::new());
                if let Choice::Place { cell, digit } = choice {
                    self.place(cell.index(), digit.get());
                }
            }
            Event::Place { cell, digit, .. } => self.place(cell.index(), digit.get()),
            Event::DeadEnd { .. } => self.dead_ends += 1,
            Event::Back { depth } => {
                if depth + 1 >= self.placed.len() {
                    self.complain(format!("back to depth {depth} with {} guesses open", self.placed.len() - 1));
                }
                self.placed.truncate(depth + 1);
            }
            Event::Solution { solution } => {
                self.solutions += 1;
                self.compare(solution);
            }
            _ => {}
        }
    }
}

impl<'p> Seen<'p> {
    fn new(puzzle: &'p Puzzle, strategy: &Strategy) -> Seen<'p> {
        Seen {
            puzzle,
            counts_nodes: strategy.caps.counters.contains(Counter::Nodes),
            steps: 0,
            last_leaf: 0,
            guesses: 0,
            dead_ends: 0,
            solutions: 0,
            deepest: 0,
            placed: vec![Vec::new()],
            complaint: None,
        }
    }

    fn place(&mut self, cell: usize, digit: u8) {
        match self.placed.last_mut() {
            Some(placed) => placed.push((cell, digit)),
            None => self.complain("a step after the root was taken back".to_owned()),
        }
    }

    /// The givens and the placements in force must be the solution.
    fn compare(&mut self, solution: &Solution) {
        let mut digits = self.puzzle.board().as_bytes().to_vec();
        for (cell, digit) in self.placed.concat() {
            if digits[cell] != 0 && digits[cell] != digit {
                self.complain(format!("cell {cell} was given {} and {digit}", digits[cell]));
            }
            digits[cell] = digit;
        }
        if digits != solution.as_bytes() {
            self.complain(format!("the placements make {digits:?} where the solution is {solution}"));
        }
    }

    fn complain(&mut self, complaint: String) {
        self.complaint.get_or_insert(complaint);
    }
}

/// An observer changes no answer and no count; it sees as many guesses, dead ends and solutions as the counters say, one leaf more than
/// guesses when everything was searched, and no two leaves at one node; and at each solution the placements it saw, less those taken
/// back, fill the board.
///
/// # Panics
/// Where that is not so.
pub fn the_observer_sees_what_the_counters_count(strategy: &Strategy) {
    for case in supported_cases(strategy) {
        let puzzle = case.puzzle();
        let cap = if matches!(case.count, Count::AtLeast(_)) { 20 } else { u64::MAX };
        let mut seen = Seen::new(&puzzle, strategy);
        let mut found = Vec::new();
        let mut visitor = |solution: &Solution| {
            found.push(solution.to_string());
            ControlFlow::Continue(())
        };
        let mut search = Search::new(&Limits::none()).with_cap(cap).with_visitor(&mut visitor).with_observer(&mut seen);
        let end = (strategy.build)().search(&puzzle, &mut search);
        let outcome = search.finish(end);

        let (unwatched, plain) = (strategy.build)().solutions(&puzzle, cap, &Limits::none());
        let name = format!("{} on {}", strategy.name, case.name);
        assert_eq!(seen.complaint, None, "{name}");
        assert_eq!(
            (outcome.end(), outcome.count(), outcome.counters()),
            (plain.end(), plain.count(), plain.counters()),
            "{name}"
        );
        assert!(found.iter().eq(unwatched.iter().map(ToString::to_string).collect::<Vec<_>>().iter()), "{name}: other solutions");
        assert_eq!(seen.solutions, outcome.count(), "{name}");
        let counters = outcome.counters();
        for (counter, seen) in
            [(Counter::Guesses, seen.guesses), (Counter::DeadEnds, seen.dead_ends), (Counter::MaxDepth, seen.deepest as u64)]
        {
            assert!(
                counters.get(counter).is_none_or(|count| count == seen),
                "{name}: {seen} {} seen, {counters:?}",
                counter.name()
            );
        }
        let steps = counters.nodes().or(counters.get(Counter::Conflicts));
        assert!(steps.is_some_and(|steps| seen.steps <= steps), "{name}: an event at step {}, {counters:?}", seen.steps);
        if outcome.end() == End::Exhausted {
            assert_eq!(seen.dead_ends + seen.solutions, seen.guesses + 1, "{name}: leaves of the tree");
        }
    }
}
