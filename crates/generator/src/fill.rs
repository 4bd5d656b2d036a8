//! A search in random order, which fills empty boards.

use std::ops::ControlFlow;

use ninefold::{Caps, Cell, Choice, Contradiction, Digit, DigitSet, End, Puzzle, Rules, Search, Why};

use crate::Random;

/// Work between two looks at the limits, in cells and places looked at.
const WORK_PER_LOOK: usize = 1 << 16;

/// Digits whose only place in a house is known are placed first, then the cell with the fewest candidates takes one of them at random.
pub(crate) struct Fill<'r> {
    random: &'r mut Random,
    candidates: Vec<DigitSet>,
    digits: Vec<u8>,
    /// Candidates as they were before each removal, in order; a placed cell has its digit alone.
    trail: Vec<(Cell, DigitSet)>,
    placed: Vec<Cell>,
    guesses: Vec<Guess>,
    work: usize,
}

/// An open choice: the cell, what has not been tried, and how far to undo.
struct Guess {
    cell: Cell,
    rest: DigitSet,
    trail: usize,
    placed: usize,
}

/// What to do next.
enum Next {
    Solved,
    Dead(Contradiction),
    Forced(Cell, Digit, Why),
    Choose(Cell),
}

impl<'r> Fill<'r> {
    pub(crate) fn new(random: &'r mut Random) -> Fill<'r> {
        Fill {
            random,
            candidates: Vec::new(),
            digits: Vec::new(),
            trail: Vec::new(),
            placed: Vec::new(),
            guesses: Vec::new(),
            work: 0,
        }
    }

    pub(crate) fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
        Search::end(self.run(puzzle, search))
    }

    fn run(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> ControlFlow<End> {
        let rules = puzzle.rules();
        search.begin(puzzle, &Caps::ALL)?;
        self.load(puzzle);
        search.setup_done();
        search.node()?;
        loop {
            if self.work > WORK_PER_LOOK {
                self.work = 0;
                search.poll()?;
            }
            let why = match self.next(rules) {
                Next::Forced(cell, digit, why) => {
                    search.propagated(cell, digit, why);
                    self.place(rules, cell, digit);
                    continue;
                }
                Next::Choose(cell) => {
                    self.guesses.push(Guess {
                        cell,
                        rest: self.candidates[cell.index()],
                        trail: self.trail.len(),
                        placed: self.placed.len(),
                    });
                    self.choose(rules, search)?;
                    continue;
                }
                Next::Solved => {
                    search.solution(puzzle, &self.digits)?;
                    None
                }
                Next::Dead(why) => Some(why),
            };
            if let Some(why) = why {
                search.dead_end(why);
            }
            // Back to the last choice that has something left.
            while self.guesses.last().is_some_and(|guess| guess.rest.is_empty()) {
                self.guesses.pop();
            }
            let Some(guess) = self.guesses.last() else { return ControlFlow::Continue(()) };
            for (cell, set) in self.trail.drain(guess.trail..).rev() {
                self.candidates[cell.index()] = set;
            }
            for cell in self.placed.drain(guess.placed..) {
                self.digits[cell.index()] = 0;
            }
            search.back(self.guesses.len() - 1);
            self.choose(rules, search)?;
        }
    }

    fn load(&mut self, puzzle: &Puzzle) {
        let rules = puzzle.rules();
        self.digits = puzzle.board().as_bytes().to_vec();
        self.candidates = rules.cells().map(|cell| puzzle.allowed(cell)).collect();
        for (cell, digit) in puzzle.board().givens() {
            for peer in rules.peers(cell) {
                self.candidates[peer.index()].remove(digit);
            }
        }
    }

    /// Takes one of the digits left at the last choice, at random. The last one is no guess.
    fn choose(&mut self, rules: &Rules, search: &mut Search<'_>) -> ControlFlow<End> {
        let depth = self.guesses.len();
        let guess = self.guesses.last_mut().expect("a choice is open");
        let digit = guess.rest.iter().nth(self.random.below(guess.rest.len())).expect("a digit of the set");
        guess.rest.remove(digit);
        let (cell, last) = (guess.cell, guess.rest.is_empty());
        if last {
            search.last_choice(cell, digit);
        } else {
            search.guess(Choice::Place { cell, digit }, depth);
        }
        search.node()?;
        self.place(rules, cell, digit);
        ControlFlow::Continue(())
    }

    fn place(&mut self, rules: &Rules, cell: Cell, digit: Digit) {
        self.digits[cell.index()] = digit.get();
        self.placed.push(cell);
        self.trail.push((cell, self.candidates[cell.index()]));
        self.candidates[cell.index()] = DigitSet::of(digit);
        self.work += rules.peers(cell).len();
        for &peer in rules.peers(cell) {
            let set = &mut self.candidates[peer.index()];
            if set.contains(digit) {
                self.trail.push((peer, *set));
                set.remove(digit);
            }
        }
    }

    fn next(&mut self, rules: &Rules) -> Next {
        let side = rules.side();
        // From a random cell on, so that ties are broken at random.
        let count = rules.cell_count();
        let start = self.random.below(count);
        let mut fewest: Option<(usize, Cell)> = None;
        self.work += count;
        for index in (start..count).chain(0..start) {
            if self.digits[index] != 0 {
                continue;
            }
            let cell = Cell::new(index).expect("a cell of the board");
            let set = self.candidates[index];
            match set.len() {
                0 => return Next::Dead(Contradiction::Cell(cell)),
                1 => {
                    let digit = set.first().expect("one digit");
                    return Next::Forced(cell, digit, Why::NakedSingle);
                }
                choices if fewest.is_none_or(|(fewest, _)| choices < fewest) => fewest = Some((choices, cell)),
                _ => {}
            }
        }
        let Some((_, cell)) = fewest else { return Next::Solved };
        for (id, house) in rules.house_ids().zip(rules.houses()).filter(|(_, house)| house.is_full()) {
            self.work += side;
            let (mut once, mut twice) = (0, 0);
            for cell in house.cells() {
                let set = self.candidates[cell.index()].bits();
                twice |= once & set;
                once |= set;
            }
            let missing = DigitSet::all(side).difference(DigitSet::from_bits(once));
            if let Some(digit) = missing.first() {
                return Next::Dead(Contradiction::House(id, digit));
            }
            let only = once & !twice;
            let single = house
                .cells()
                .iter()
                .find(|cell| self.digits[cell.index()] == 0 && self.candidates[cell.index()].bits() & only != 0);
            if let Some(&cell) = single {
                let digits = DigitSet::from_bits(self.candidates[cell.index()].bits() & only);
                let digit = digits.first().expect("a digit with one place");
                return Next::Forced(cell, digit, Why::HiddenSingle(id));
            }
        }
        Next::Choose(cell)
    }
}

#[cfg(test)]
mod tests {
    use ninefold::{Board, Limits};

    use super::*;

    #[test]
    fn it_finds_every_solution_once_in_whatever_order() {
        let empty = Puzzle::new(Board::empty(&Rules::blocks("2x2".parse().unwrap()))).unwrap();
        for stream in 0..5 {
            let mut found = std::collections::BTreeSet::new();
            let mut visitor = |solution: &ninefold::Solution| {
                assert!(found.insert(solution.to_string()));
                ControlFlow::Continue(())
            };
            let mut random = Random::new(1, stream);
            let mut search = Search::new(&Limits::none()).with_visitor(&mut visitor);
            let end = Fill::new(&mut random).search(&empty, &mut search);
            let outcome = search.finish(end);
            assert_eq!((outcome.count(), outcome.end()), (288, End::Exhausted));
            let counters = outcome.counters();
            assert_eq!(counters.dead_ends().unwrap() + 288, counters.guesses().unwrap() + 1);
            assert_eq!(found.len(), 288);
        }
    }
}
