//! What an observer sees.

use std::ops::ControlFlow;

use ninefold_core::{Choice, Counter, End, Event, Limits, Puzzle, Search, Solution, Strategy};

use crate::{Count, supported_cases};

/// The events of a search, counted and replayed.
#[derive(Default)]
struct Seen {
    guesses: u64,
    dead_ends: u64,
    solutions: u64,
    deepest: usize,
    /// The digits placed since each open guess; the first list belongs to the root.
    placed: Vec<Vec<(usize, u8)>>,
    complaint: Option<String>,
}

impl Seen {
    fn watch(&mut self, puzzle: &Puzzle, event: Event<'_>) {
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
                self.compare(puzzle, solution);
            }
            _ => {}
        }
    }

    fn place(&mut self, cell: usize, digit: u8) {
        match self.placed.last_mut() {
            Some(placed) => placed.push((cell, digit)),
            None => self.complain("a step after the root was taken back".to_owned()),
        }
    }

    /// The givens and the placements in force must be the solution.
    fn compare(&mut self, puzzle: &Puzzle, solution: &Solution) {
        let mut digits = puzzle.board().as_bytes().to_vec();
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

/// An observer changes no answer and no count; it sees as many guesses, dead ends and solutions as the counters say; and at
/// each solution the placements it saw, less those taken back, fill the board.
///
/// # Panics
/// Where that is not so.
pub fn the_observer_sees_what_the_counters_count(strategy: &Strategy) {
    for case in supported_cases(strategy) {
        let puzzle = case.puzzle();
        let cap = if matches!(case.count, Count::AtLeast(_)) { 20 } else { u64::MAX };
        let mut seen = Seen { placed: vec![Vec::new()], ..Seen::default() };
        let mut observer = |event: Event<'_>| seen.watch(&puzzle, event);
        let mut found = Vec::new();
        let mut visitor = |solution: &Solution| {
            found.push(solution.to_string());
            ControlFlow::Continue(())
        };
        let mut search = Search::new(&Limits::none()).with_cap(cap).with_visitor(&mut visitor).with_observer(&mut observer);
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
        if outcome.end() == End::Exhausted && counters.guesses().is_some() {
            assert_eq!(seen.dead_ends + seen.solutions, seen.guesses + 1, "{name}: leaves of the tree");
        }
    }
}
