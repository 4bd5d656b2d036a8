//! Puzzles that are hard for one strategy and easy for another, or hard for all.
//!
//! A [`Hunt`] starts from a generated puzzle and changes it step by step: a given goes, comes or moves, two digits are exchanged, the
//! board is mirrored or transposed, rows, columns, bands or stacks change places. A change stays unless it makes the score much worse, less
//! and less so with time (threshold accepting: G. Dueck and T. Scheuer, "Threshold accepting", 1990); a hunt that comes no further
//! starts again. Scores are fractions of whole numbers, so that a hunt goes the same way on every platform.
//!
//! The figure of a strategy is the nodes that it visits to settle whether there is exactly one solution; for a strategy that has no nodes
//! (SAT) it is its conflicts, and 0 counts as 1. Nodes of different strategies are not the same thing, as the strategies' page says: a ratio
//! shows what a kind of puzzle does to a kind of search, not how much faster one is.
//!
//! ```
//! use ninefold::{Limits, Rules};
//! use ninefold_generator::hard::Hunt;
//!
//! # let (Some(_), Some(_)) = (ninefold::by_name("state-array"), ninefold::by_name("propagation")) else { return Ok(()) };
//! let hard_for = ninefold::by_name("state-array").expect("an enabled strategy");
//! let easy_for = ninefold::by_name("propagation").expect("an enabled strategy");
//! let hunt = Hunt::new(Rules::classic(), 1, hard_for, easy_for).attempts(50).nodes(20_000);
//! let found = hunt.search(0, &Limits::none(), &mut |better| {
//!     println!("{}: {}", better.ratio(), better.puzzle());
//!     std::ops::ControlFlow::Continue(())
//! })?;
//! assert!(found.ratio() > 10.0);
//! # Ok::<(), ninefold_generator::GenerateError>(())
//! ```

use std::cmp::Ordering;
use std::collections::HashSet;
use std::ops::ControlFlow;

use ninefold::{Board, Budget, Cell, Digit, End, Limits, Outcome, Puzzle, Rules, Solution, Solver, Strategy};

use crate::Random;
use crate::generator::{GenerateError, GenerateErrorKind, Generator};
use crate::purse::{Purse, steps};

/// Generated puzzles whose median says what a strategy usually takes.
const SAMPLE: u64 = 15;

/// Changes without a better puzzle, after which a hunt starts again.
const STALE: u32 = 400;

/// The worst change that may stay at first, in thousandths of the score that are lost; none at the end.
const FIRST_LOSS: u64 = 700;

/// What the puzzles are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Kind {
    /// Exactly one solution.
    #[default]
    Unique,
    /// No solution, and no clash.
    Unsolvable,
}

/// What is hunted for.
#[derive(Clone, Debug)]
pub struct Hunt {
    rules: Rules,
    seed: u64,
    hard_for: Vec<&'static Strategy>,
    easy_for: Option<&'static Strategy>,
    kind: Kind,
    attempts: u32,
    nodes: u64,
}

/// What a strategy takes for a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The strategy.
    pub strategy: &'static str,
    /// Nodes, or conflicts for a strategy that has no nodes.
    pub steps: u64,
    /// Whether it was not done by then.
    pub at_least: bool,
    /// What the steps are compared with: 1, or what the strategy usually takes where a puzzle is to be hard for all.
    pub usual: u64,
}

/// A puzzle that was found.
#[derive(Clone, Debug)]
pub struct Found {
    puzzle: Puzzle,
    solution: Option<Solution>,
    hard: Vec<Figure>,
    easy: Option<Figure>,
    score: Score,
}

impl Found {
    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// Its only solution, where it has one.
    pub fn solution(&self) -> Option<&Solution> {
        self.solution.as_ref()
    }

    /// What the strategies take that it is to be hard for; where these are all, those with the smallest figures first.
    pub fn hard(&self) -> &[Figure] {
        &self.hard
    }

    /// What the strategy takes that it is to be easy for.
    pub fn easy(&self) -> Option<Figure> {
        self.easy
    }

    /// Steps of the one over steps of the other. Where it is to be hard for all: the least, over the strategies, of the steps over what
    /// the strategy usually takes.
    pub fn ratio(&self) -> f64 {
        self.score.0 as f64 / self.score.1 as f64
    }

    /// Whether the ratio is a lower bound: a strategy that it is hard for was stopped at the limit.
    pub fn is_lower_bound(&self) -> bool {
        self.hard.iter().any(|figure| figure.at_least)
    }
}

/// A fraction; its parts are over 0.
#[derive(Clone, Copy, Debug)]
struct Score(u64, u64);

impl Score {
    fn cmp(self, other: Score) -> Ordering {
        (u128::from(self.0) * u128::from(other.1)).cmp(&(u128::from(other.0) * u128::from(self.1)))
    }

    /// The score that still passes when so many thousandths may be lost.
    fn less(self, thousandths: u64) -> Score {
        // One bit is lost where the parts are huge, on every platform alike.
        let keep = 1000 - thousandths.min(999);
        match (self.0.checked_mul(keep), self.1.checked_mul(1000)) {
            (Some(over), Some(under)) => Score(over.max(1), under),
            _ => Score((self.0 / 1000).max(1).saturating_mul(keep), self.1.max(1)),
        }
    }
}

impl Hunt {
    /// Puzzles that are hard for one strategy and easy for another.
    pub fn new(rules: &Rules, seed: u64, hard_for: &'static Strategy, easy_for: &'static Strategy) -> Hunt {
        Hunt { easy_for: Some(easy_for), ..Hunt::for_all(rules, seed, vec![hard_for]) }
    }

    /// Puzzles that are hard for each of these strategies. What is made as large as possible is the least of the ratios of steps to what
    /// the strategy usually takes (the median of fifteen generated puzzles); otherwise the strategy with the largest
    /// figures, or the one with the smallest, would be the only one that counts.
    pub fn for_all(rules: &Rules, seed: u64, strategies: Vec<&'static Strategy>) -> Hunt {
        Hunt {
            rules: rules.clone(),
            seed,
            hard_for: strategies,
            easy_for: None,
            kind: Kind::Unique,
            attempts: 1000,
            nodes: 1_000_000,
        }
    }

    /// One solution (the default), or none.
    #[must_use]
    pub fn kind(mut self, kind: Kind) -> Hunt {
        self.kind = kind;
        self
    }

    /// How many puzzles are looked at, at least 1.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Hunt {
        self.attempts = attempts.max(1);
        self
    }

    /// Nodes (conflicts, for a strategy that has no nodes) of one search, at least 1. A ratio cannot get larger than this.
    #[must_use]
    pub fn nodes(mut self, nodes: u64) -> Hunt {
        self.nodes = nodes.max(1);
        self
    }

    /// Hunts for puzzle `index`: what comes of it depends on the settings, the seed and `index` alone, unless a limit on time cuts
    /// it short. The visitor sees each better puzzle; its break ends the hunt.
    ///
    /// When a limit runs out, the best so far is the result.
    ///
    /// # Errors
    /// Where not one puzzle was found before a limit ran out, a strategy does not take the rules, or none is named.
    pub fn search(
        &self,
        index: u64,
        limits: &Limits,
        visit: &mut dyn FnMut(&Found) -> ControlFlow<()>,
    ) -> Result<Found, GenerateError> {
        let mut purse = Purse::new(limits);
        let mut random = Random::new(self.seed, index);
        let mut run = Run::new(self, &mut random, &mut purse)?;
        let ended = run.hunt(visit);
        match (run.best, ended) {
            (Some(best), _) => Ok(best),
            (None, Err(error)) => Err(error),
            (None, Ok(())) => Err(GenerateError::new(
                GenerateErrorKind::NotReached,
                format!("none of {} puzzles was settled within {} nodes", self.attempts, self.nodes),
            )),
        }
    }
}

/// A strategy at work.
struct Racer {
    strategy: &'static Strategy,
    solver: Box<dyn Solver>,
    usual: u64,
}

impl Racer {
    fn new(strategy: &'static Strategy) -> Racer {
        Racer { strategy, solver: (strategy.build)(), usual: 1 }
    }

    fn run(&mut self, puzzle: &Puzzle, nodes: u64, purse: &mut Purse) -> Result<(Outcome, Figure), Budget> {
        let outcome = self.solver.count(puzzle, 2, &purse.limits(nodes));
        purse.spend(&outcome)?;
        let at_least = matches!(outcome.end(), End::OutOfBudget(_));
        let figure = Figure { strategy: self.strategy.name, steps: steps(&outcome).max(1), at_least, usual: self.usual };
        Ok((outcome, figure))
    }
}

/// One call of [`Hunt::search`].
struct Run<'a> {
    hunt: &'a Hunt,
    random: &'a mut Random,
    purse: &'a mut Purse,
    hard: Vec<Racer>,
    /// The strategy that it is to be easy for, or the best there is: tells first what a puzzle is.
    judge: Racer,
    /// The houses, each as its cells in order.
    houses: HashSet<Vec<usize>>,
    best: Option<Found>,
}

impl<'a> Run<'a> {
    fn new(hunt: &'a Hunt, random: &'a mut Random, purse: &'a mut Purse) -> Result<Run<'a>, GenerateError> {
        let judge = hunt.easy_for.or(ninefold::auto(&hunt.rules)).ok_or_else(GenerateError::unsupported)?;
        let mut named = hunt.hard_for.iter().chain(&hunt.easy_for);
        if hunt.hard_for.is_empty() || named.any(|strategy| !strategy.caps.takes(&hunt.rules)) {
            return Err(GenerateError::unsupported());
        }
        let houses = hunt.rules.houses().iter().map(|house| sorted(house.cells().iter().map(|cell| cell.index()))).collect();
        let hard = hunt.hard_for.iter().map(|strategy| Racer::new(strategy)).collect();
        let mut run = Run { hunt, random, purse, hard, judge: Racer::new(judge), houses, best: None };
        if hunt.easy_for.is_none() {
            run.measure_the_usual()?;
        }
        Ok(run)
    }

    /// What each strategy takes for the median of some generated puzzles.
    fn measure_the_usual(&mut self) -> Result<(), GenerateError> {
        let generator = starts(&self.hunt.rules, self.hunt.seed);
        let mut puzzles = Vec::new();
        for sample in 0..SAMPLE {
            puzzles.push(generator.make(&mut Random::new(self.hunt.seed, u64::MAX - sample), self.purse)?);
        }
        for racer in &mut self.hard {
            let mut all = Vec::new();
            for made in &puzzles {
                all.push(racer.run(made.puzzle(), self.hunt.nodes, self.purse).map_err(out_of_budget)?.1.steps);
            }
            all.sort_unstable();
            racer.usual = all[all.len() / 2];
        }
        // The quickest to say that a puzzle is no better comes first.
        self.hard.sort_by_key(|racer| racer.usual);
        Ok(())
    }

    fn hunt(&mut self, visit: &mut dyn FnMut(&Found) -> ControlFlow<()>) -> Result<(), GenerateError> {
        let attempts = u64::from(self.hunt.attempts);
        // The puzzle that is changed, what is known about it, and for how long it has not become better.
        let mut current: Option<Found> = None;
        let mut stale = 0;
        for attempt in 0..attempts {
            if stale >= STALE {
                current = None;
            }
            let board = match &current {
                None => self.start()?,
                Some(found) => match self.change(found.puzzle.board(), found.solution.as_ref().map(Solution::board)) {
                    Some(board) => board,
                    None => continue,
                },
            };
            stale += 1;
            let loss = FIRST_LOSS * (attempts - attempt) / attempts;
            let bar = current.as_ref().map(|found| found.score.less(loss));
            let found = match self.judged(&board, bar) {
                Ok(Some(found)) => found,
                Ok(None) => continue,
                Err(budget) => return Err(out_of_budget(budget)),
            };
            if current.as_ref().is_none_or(|current| found.score.cmp(current.score).is_gt()) {
                stale = 0;
            }
            if self.best.as_ref().is_none_or(|best| found.score.cmp(best.score).is_gt()) {
                self.best = Some(found.clone());
                if visit(&found).is_break() {
                    return Ok(());
                }
            }
            current = Some(found);
        }
        Ok(())
    }

    /// A generated puzzle; where it is to have no solution, with one given changed, which may or may not do.
    fn start(&mut self) -> Result<Board, GenerateError> {
        let generator = starts(&self.hunt.rules, self.hunt.seed);
        let board = generator.make(self.random, self.purse)?.puzzle().board().clone();
        Ok(match self.hunt.kind {
            Kind::Unique => board,
            Kind::Unsolvable => self.spoiled(&board).unwrap_or(board),
        })
    }

    /// The score of a board, if it is of the kind that is hunted for and passes the bar.
    fn judged(&mut self, board: &Board, bar: Option<Score>) -> Result<Option<Found>, Budget> {
        let Ok(puzzle) = Puzzle::new(board.clone()) else { return Ok(None) };
        let most = self.hunt.nodes;
        // More than this of the easy strategy, and even a hard one that uses all of its nodes does not pass.
        let easy_most = match (self.hunt.easy_for, bar) {
            (Some(_), Some(Score(over, under))) => {
                u64::try_from(u128::from(most) * u128::from(under) / u128::from(over)).unwrap_or(most).clamp(1, most)
            }
            _ => most,
        };
        let (outcome, figure) = self.judge.run(&puzzle, easy_most, self.purse)?;
        let fits = match self.hunt.kind {
            Kind::Unique => outcome.is_exact() && outcome.count() == 1,
            Kind::Unsolvable => outcome.is_exact() && outcome.count() == 0,
        };
        if !fits {
            return Ok(None);
        }
        let easy = self.hunt.easy_for.map(|_| figure);
        let under = easy.map_or(1, |figure| figure.steps);
        let mut score: Option<Score> = None;
        let mut hard = Vec::with_capacity(self.hard.len());
        for racer in &mut self.hard {
            let figure = if racer.strategy.name == figure.strategy && easy.is_none() {
                Figure { usual: racer.usual, ..figure }
            } else {
                racer.run(&puzzle, most, self.purse)?.1
            };
            hard.push(figure);
            let own = Score(figure.steps, under.saturating_mul(figure.usual));
            if bar.is_some_and(|bar| own.cmp(bar).is_lt()) {
                return Ok(None);
            }
            if score.is_none_or(|score| own.cmp(score).is_lt()) {
                score = Some(own);
            }
        }
        let solution = outcome.solution().cloned();
        Ok(score.map(|score| Found { puzzle, solution, hard, easy, score }))
    }

    /// The board with one change; `None` where the change that was drawn cannot be made.
    fn change(&mut self, board: &Board, solution: Option<&Board>) -> Option<Board> {
        match self.random.below(8) {
            0 | 1 => self.moved(board, solution),
            2 => self.taken(board),
            3 => self.given(board, solution),
            4 => {
                let side = board.rules().side();
                let (a, b) = (self.random.below(side) as u8 + 1, self.random.below(side) as u8 + 1);
                let exchange = |byte| {
                    if byte == a {
                        b
                    } else if byte == b {
                        a
                    } else {
                        byte
                    }
                };
                let bytes: Vec<u8> = board.as_bytes().iter().map(|&byte| exchange(byte)).collect();
                Board::from_bytes(board.rules(), &bytes).ok()
            }
            _ => self.turned(board),
        }
    }

    /// One given less.
    fn taken(&mut self, board: &Board) -> Option<Board> {
        let givens: Vec<Cell> = board.givens().map(|(cell, _)| cell).collect();
        let mut board = board.clone();
        board.set(*self.random.pick(&givens)?, None);
        Some(board)
    }

    /// One given more: the solution's digit, or any where there is no solution.
    fn given(&mut self, board: &Board, solution: Option<&Board>) -> Option<Board> {
        let blanks: Vec<Cell> = board.rules().cells().filter(|&cell| board.get(cell).is_none()).collect();
        let cell = *self.random.pick(&blanks)?;
        let digit = match solution {
            Some(solution) => solution.get(cell),
            None => Digit::new(self.random.below(board.rules().side()) as u8 + 1),
        };
        let mut board = board.clone();
        board.set(cell, digit);
        Some(board)
    }

    /// A given less and another one more.
    fn moved(&mut self, board: &Board, solution: Option<&Board>) -> Option<Board> {
        let less = self.taken(board)?;
        self.given(&less, solution)
    }

    /// Another digit in the place of a given, or as a new one.
    fn spoiled(&mut self, board: &Board) -> Option<Board> {
        for _ in 0..100 {
            let cells: Vec<Cell> = board.rules().cells().collect();
            let mut board = board.clone();
            board.set(*self.random.pick(&cells)?, Digit::new(self.random.below(board.rules().side()) as u8 + 1));
            if board.is_valid() {
                return Some(board);
            }
        }
        None
    }

    /// The same puzzle seen another way: transposed, mirrored, or with two rows, columns, bands or stacks exchanged, where the rules
    /// allow that.
    fn turned(&mut self, board: &Board) -> Option<Board> {
        let rules = board.rules();
        let side = rules.side();
        let (band, stack) = rules.block_shape().map_or((side, side), |shape| (shape.rows(), shape.columns()));
        let map: Vec<usize> = match self.random.below(8) {
            0 => (0..side * side).map(|index| index % side * side + index / side).collect(),
            1 => (0..side * side).map(|index| (side - 1 - index / side) * side + index % side).collect(),
            2 => (0..side * side).map(|index| index / side * side + side - 1 - index % side).collect(),
            way => {
                let size = if way % 2 == 0 { band } else { stack };
                let lines = if way < 6 { self.lines_exchanged(side, size) } else { self.groups_exchanged(side, size) };
                if way % 2 == 0 {
                    (0..side * side).map(|index| lines[index / side] * side + index % side).collect()
                } else {
                    (0..side * side).map(|index| index / side * side + lines[index % side]).collect()
                }
            }
        };
        let keeps =
            rules.houses().iter().all(|house| self.houses.contains(&sorted(house.cells().iter().map(|cell| map[cell.index()]))));
        if !keeps {
            return None;
        }
        let mut bytes = vec![0; map.len()];
        for (&byte, &to) in board.as_bytes().iter().zip(&map) {
            bytes[to] = byte;
        }
        Board::from_bytes(rules, &bytes).ok()
    }

    /// Two lines of one group exchanged.
    fn lines_exchanged(&mut self, side: usize, size: usize) -> Vec<usize> {
        let group = self.random.below(side / size) * size;
        let (a, b) = (group + self.random.below(size), group + self.random.below(size));
        let mut lines: Vec<usize> = (0..side).collect();
        lines.swap(a, b);
        lines
    }

    /// Two groups of lines exchanged.
    fn groups_exchanged(&mut self, side: usize, size: usize) -> Vec<usize> {
        let (a, b) = (self.random.below(side / size) * size, self.random.below(side / size) * size);
        let mut lines: Vec<usize> = (0..side).collect();
        for i in 0..size {
            lines.swap(a + i, b + i);
        }
        lines
    }
}

/// The puzzles that hunts start from: minimal ones where that is quick.
fn starts(rules: &Rules, seed: u64) -> Generator {
    Generator::new(rules, seed).minimal(rules.cell_count() <= 81)
}

fn out_of_budget(budget: Budget) -> GenerateError {
    GenerateError::new(GenerateErrorKind::OutOfBudget(budget), format!("gave up ({budget}) before there was a puzzle"))
}

fn sorted(cells: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut cells: Vec<usize> = cells.collect();
    cells.sort_unstable();
    cells
}
