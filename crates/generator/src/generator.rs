//! The generator: a full grid, from which givens are taken away.

use std::fmt;

use ninefold::{Board, Budget, Cell, Limits, Puzzle, Rules, Solution};

use crate::check::{Answer, Checker};
use crate::grid::{NoGrid, full_grid, shuffled};
use crate::purse::Purse;
use crate::unavoidable::Unavoidable;
use crate::{Random, Symmetry};

/// Nodes (conflicts, for a strategy that has no nodes) of one uniqueness check.
const CHECK_NODES: u64 = 100_000;

/// Rounds without coming closer to the count of givens asked for, after which another grid is tried.
const STALE_ROUNDS: u32 = 100;

/// What makes puzzles of one kind. Puzzle `i` depends on the settings, the seed and `i` alone, on every platform; so a
/// million puzzles may be made on any number of threads and in any order.
///
/// ```
/// use ninefold::{Limits, Rules};
/// use ninefold_generator::{Generator, Symmetry};
///
/// let generator = Generator::new(Rules::classic(), 1).givens(28).symmetry(Symmetry::Rotational180);
/// # if ninefold::auto(Rules::classic()).is_none() { return Ok(()) }
/// let made = generator.generate(0, &Limits::none())?;
/// assert_eq!(made.puzzle().board().given_count(), 28);
/// assert!(Symmetry::Rotational180.holds(made.puzzle().board()));
/// assert!(matches!(ninefold::classify(made.puzzle()), ninefold::Verdict::Unique(only) if only == *made.solution()));
/// # Ok::<(), ninefold_generator::GenerateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generator {
    rules: Rules,
    seed: u64,
    unique: bool,
    minimal: bool,
    givens: Option<usize>,
    symmetry: Symmetry,
    attempts: u32,
    check_nodes: u64,
}

impl Generator {
    /// Puzzles with one solution, no symmetry, and about as many givens as puzzles in print have: see [`Generator::usual_givens`].
    pub fn new(rules: &Rules, seed: u64) -> Generator {
        Generator {
            rules: rules.clone(),
            seed,
            unique: true,
            minimal: false,
            givens: None,
            symmetry: Symmetry::None,
            // Putting back and removing takes a thirtieth of a millisecond on a classic board, and half a second on one of side 16.
            attempts: if rules.cell_count() <= 81 { 50_000 } else { 20 },
            check_nodes: CHECK_NODES,
        }
    }

    /// Exactly this many givens.
    #[must_use]
    pub fn givens(mut self, givens: usize) -> Generator {
        self.givens = Some(givens);
        self
    }

    /// No given can go: without it there is a second solution. With a symmetry no orbit of givens can go as a whole; a single given of it
    /// perhaps could, which would break the symmetry ([`Generated::is_minimal`] tells).
    #[must_use]
    pub fn minimal(mut self, minimal: bool) -> Generator {
        self.minimal = minimal;
        self
    }

    /// The pattern of givens has this symmetry.
    #[must_use]
    pub fn symmetry(mut self, symmetry: Symmetry) -> Generator {
        self.symmetry = symmetry;
        self
    }

    /// Whether there is exactly one solution (the default), or nobody asks: then the givens are a random part of a full grid, and their
    /// count has to be said.
    #[must_use]
    pub fn unique(mut self, unique: bool) -> Generator {
        self.unique = unique;
        self
    }

    /// How many times givens are taken away down to the end before a puzzle is given up, at least 1.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Generator {
        self.attempts = attempts.max(1);
        self
    }

    /// Nodes (conflicts, for a strategy that has no nodes) of one uniqueness check. What is not settled by then stays a given.
    #[must_use]
    pub fn check_nodes(mut self, nodes: u64) -> Generator {
        self.check_nodes = nodes;
        self
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The givens of a puzzle where no count and no minimal puzzle is asked for: three eighths of the cells up to side 9 (30 on the
    /// classic board), half of them up to side 16, five eighths beyond. Givens stay where more have to.
    pub fn usual_givens(rules: &Rules) -> usize {
        let eighths = match rules.side() {
            0..=9 => 3,
            10..=16 => 4,
            _ => 5,
        };
        rules.cell_count() * eighths / 8
    }

    /// Why no puzzle can be as asked, where that is known beforehand.
    ///
    /// # Errors
    /// [`GenerateErrorKind::Impossible`] with the reason.
    pub fn check(&self) -> Result<(), GenerateError> {
        let impossible = |message: String| Err(GenerateError::new(GenerateErrorKind::Impossible, message));
        let (side, cells) = (self.rules.side(), self.rules.cell_count());
        if !self.unique && self.minimal {
            return impossible("a minimal puzzle has one solution, so uniqueness cannot be left open".into());
        }
        let Some(givens) = self.givens else {
            if !self.unique {
                return impossible("where uniqueness is left open, the count of givens has to be said".into());
            }
            return Ok(());
        };
        if givens > cells {
            return impossible(format!("{givens} givens where the board has {cells} cells"));
        }
        if let Some([below, above]) = self.nearest_counts(givens) {
            let symmetry = self.symmetry;
            return impossible(format!(
                "no pattern of {givens} givens has the symmetry {symmetry} on a board of side {side}: {below} or {above} can have it"
            ));
        }
        if self.unique && givens + 1 < side {
            return impossible(format!(
                "{givens} givens leave two digits of {side} out, and these could be exchanged: one solution needs {} or more",
                side - 1
            ));
        }
        if self.unique && self.rules.is_classic() && givens < 17 {
            return impossible(format!(
                "{givens} givens where one solution needs 17 or more (G. McGuire, B. Tugemann and G. Civario, 2012)"
            ));
        }
        Ok(())
    }

    /// The nearest counts that patterns of the symmetry can have; `None` where this one can be had.
    fn nearest_counts(&self, givens: usize) -> Option<[usize; 2]> {
        let mut possible = vec![false; self.rules.cell_count() + 1];
        possible[0] = true;
        for orbit in self.symmetry.orbits(self.rules.side()) {
            for count in (orbit.len()..possible.len()).rev() {
                possible[count] |= possible[count - orbit.len()];
            }
        }
        if possible[givens] {
            return None;
        }
        // No givens and all cells are always possible.
        let below = (0..givens).rev().find(|&count| possible[count]).unwrap_or(0);
        let above = (givens..possible.len()).find(|&count| possible[count]).unwrap_or(possible.len() - 1);
        Some([below, above])
    }

    /// A full grid: stream `index` of the seed, the same that puzzle `index` begins with.
    ///
    /// # Errors
    /// Where the rules allow none, a limit runs out, or no enabled strategy takes the rules.
    pub fn full_grid(&self, index: u64, limits: &Limits) -> Result<Solution, GenerateError> {
        let grid = full_grid(&self.rules, &mut Random::new(self.seed, index), &mut Purse::new(limits))?;
        Ok(solution(&Puzzle::new(grid.clone()).expect("a full grid has no clash"), grid))
    }

    /// Makes puzzle `index`. The limits are those of this one call: their nodes are shared by all of its searches.
    ///
    /// # Errors
    /// - [`GenerateErrorKind::Impossible`] where no puzzle can be as asked, which [`Generator::check`] tells beforehand, or the rules
    ///   allow no full grid.
    /// - [`GenerateErrorKind::NotReached`] where the attempts are used up; [`GenerateError::closest`] has the puzzle that came closest.
    /// - [`GenerateErrorKind::OutOfBudget`] where a limit runs out, likewise.
    /// - [`GenerateErrorKind::Unsupported`] where no enabled strategy takes the rules.
    pub fn generate(&self, index: u64, limits: &Limits) -> Result<Generated, GenerateError> {
        self.check()?;
        self.make(&mut Random::new(self.seed, index), &mut Purse::new(limits))
    }

    /// The same from any stream and for a part of other limits.
    pub(crate) fn make(&self, random: &mut Random, purse: &mut Purse) -> Result<Generated, GenerateError> {
        let orbits = self.symmetry.orbits(self.rules.side());
        if !self.unique {
            let grid = full_grid(&self.rules, random, purse)?;
            return Ok(self.random_part(&grid, &orbits, random));
        }
        let checker = Checker::new(&self.rules, self.check_nodes).ok_or_else(GenerateError::unsupported)?;
        let mut run = Run { orbits, random, purse, checker, closest: None };
        match (self.attempt(&mut run), run.closest) {
            (Ok(()), Some((0, made))) => Ok(made),
            (Ok(()), closest) => Err(self.shortfall(GenerateErrorKind::NotReached, closest)),
            (Err(NoGrid::OutOfBudget(budget)), closest) => Err(self.shortfall(GenerateErrorKind::OutOfBudget(budget), closest)),
            (Err(no_grid), _) => Err(no_grid.into()),
        }
    }

    /// Takes givens away, from one grid after the other, until a puzzle is as asked or the attempts are used up. The best is left in
    /// the run.
    fn attempt(&self, run: &mut Run<'_>) -> Result<(), NoGrid> {
        let mut attempts = self.attempts;
        while attempts > 0 {
            let grid = full_grid(&self.rules, run.random, run.purse)?;
            let mut unavoidable = Unavoidable::of_two_digits(&self.rules, grid.as_bytes(), run.purse)?;
            let mut work = Removal { grid: &grid, board: grid.clone(), count: grid.given_count(), settled: true };
            let mut order = shuffled(run.orbits.len(), run.random);
            let mut current: Option<(Board, usize)> = None;
            let mut stale = 0;
            while attempts > 0 && stale < STALE_ROUNDS {
                attempts -= 1;
                let ended = self.remove(run, &mut work, &mut unavoidable, &order);
                let made = Generated::new(&work, self.unique);
                let distance = self.distance(&made);
                if run.closest.as_ref().is_none_or(|(closest, _)| distance < *closest) {
                    run.closest = Some((distance, made));
                }
                ended?;
                if distance == 0 {
                    return Ok(());
                }
                match &mut current {
                    Some((_, best)) if distance > *best => stale += 1,
                    Some((board, best)) => {
                        stale = if distance < *best { 0 } else { stale + 1 };
                        (*board, *best) = (work.board, distance);
                    }
                    None => current = Some((work.board, distance)),
                }
                // Some blanks of the best so far are givens again, and others may go in their place.
                let board = current.as_ref().map_or_else(|| grid.clone(), |(board, _)| board.clone());
                work = Removal { grid: &grid, count: board.given_count(), board, settled: true };
                order = self.put_back(run, &mut work);
            }
        }
        Ok(())
    }

    /// Makes givens of a few blank orbits; gives the order in which the orbits may then go, those put back last.
    fn put_back(&self, run: &mut Run<'_>, work: &mut Removal<'_>) -> Vec<usize> {
        let is_given = |work: &Removal<'_>, orbit: &[Cell]| work.board.get(orbit[0]).is_some();
        let (mut order, mut blanks): (Vec<usize>, Vec<usize>) =
            (0..run.orbits.len()).partition(|&orbit| is_given(work, &run.orbits[orbit]));
        run.random.shuffle(&mut order);
        run.random.shuffle(&mut blanks);
        blanks.truncate(1 + run.random.below(4));
        for &orbit in &blanks {
            for &cell in &run.orbits[orbit] {
                work.board.set(cell, work.grid.get(cell));
                work.count += 1;
            }
        }
        order.extend(blanks);
        order
    }

    /// The fewest givens that are wanted.
    fn floor(&self) -> usize {
        match self.givens {
            // A minimal puzzle is found by going down to the end; its count is looked at then.
            _ if self.minimal => 0,
            Some(givens) => givens,
            None => Generator::usual_givens(&self.rules),
        }
    }

    /// How far a puzzle is from what was asked: 0 where it is just that.
    fn distance(&self, made: &Generated) -> usize {
        let off = self.givens.map_or(0, |givens| givens.abs_diff(made.puzzle.board().given_count()));
        // A puzzle that cannot be proved minimal is further off than any count of givens.
        if self.minimal && !made.minimal { off + self.rules.cell_count() + 1 } else { off }
    }

    /// Takes orbits away in this order, each unless there is a second solution then, and unless fewer givens than wanted would be left.
    ///
    /// Many are taken at once at first, and half as many each time that they cannot all go. The result is that of taking
    /// them one by one, since whoever can go with others can go alone; only the checks that would succeed are spared.
    fn remove(
        &self,
        run: &mut Run<'_>,
        work: &mut Removal<'_>,
        unavoidable: &mut Unavoidable,
        order: &[usize],
    ) -> Result<(), Budget> {
        let floor = self.floor();
        let mut group = (order.len() / 3).max(1);
        let mut from = 0;
        while from < order.len() && work.count > floor {
            run.purse.poll()?;
            let mut cells: Vec<Cell> = Vec::new();
            let mut taken = 0;
            let mut to = from;
            while to < order.len() && taken < group {
                let orbit = &run.orbits[order[to]];
                to += 1;
                if work.board.get(orbit[0]).is_some() && work.count - cells.len() >= floor + orbit.len() {
                    cells.extend(orbit);
                    taken += 1;
                }
            }
            if taken == 0 {
                break;
            }
            let settled = match self.try_without(run, work, unavoidable, &cells) {
                Ok(Some(true)) => {
                    work.count -= cells.len();
                    from = to;
                    continue;
                }
                Ok(other) => other.is_some(),
                Err(budget) => {
                    work.put(&cells);
                    work.settled = false;
                    return Err(budget);
                }
            };
            work.put(&cells);
            if taken == 1 {
                from = to;
                work.settled &= settled;
            }
            group = (taken / 2).max(1);
        }
        work.settled &= floor == 0;
        Ok(())
    }

    /// Blanks the cells and tells whether the solution is still the only one; `None` where that is not settled.
    fn try_without(
        &self,
        run: &mut Run<'_>,
        work: &mut Removal<'_>,
        unavoidable: &mut Unavoidable,
        cells: &[Cell],
    ) -> Result<Option<bool>, Budget> {
        for &cell in cells {
            work.board.set(cell, None);
        }
        if unavoidable.within(&blanks(&work.board)) {
            return Ok(Some(false));
        }
        Ok(match run.checker.check(&work.board, work.grid, run.purse)? {
            Answer::Unique => Some(true),
            Answer::Multiple(other) => {
                let grid = work.grid;
                unavoidable.add(self.rules.cells().filter(|&cell| other.get(cell) != grid.get(cell)));
                Some(false)
            }
            Answer::Unknown => None,
        })
    }

    /// A random part of a full grid with the givens that were asked for.
    fn random_part(&self, grid: &Board, orbits: &[Vec<Cell>], random: &mut Random) -> Generated {
        let wanted = self.givens.unwrap_or(0);
        let order = shuffled(orbits.len(), random);
        // Which counts the orbits from a place of the order on can have together.
        let mut reachable = vec![vec![false; wanted + 1]; order.len() + 1];
        reachable[order.len()][0] = true;
        for place in (0..order.len()).rev() {
            let size = orbits[order[place]].len();
            for count in 0..=wanted {
                reachable[place][count] = reachable[place + 1][count] || count >= size && reachable[place + 1][count - size];
            }
        }
        let mut work = Removal { grid, board: Board::empty(&self.rules), count: 0, settled: false };
        for (place, &orbit) in order.iter().enumerate() {
            let cells = &orbits[orbit];
            let left = wanted - work.count;
            if left >= cells.len() && reachable[place + 1][left - cells.len()] {
                work.put(cells);
                work.count += cells.len();
            }
        }
        Generated::new(&work, false)
    }

    fn shortfall(&self, kind: GenerateErrorKind, closest: Option<(usize, Generated)>) -> GenerateError {
        let mut message = match kind {
            GenerateErrorKind::OutOfBudget(budget) => format!("gave up ({budget})"),
            _ => format!("no puzzle as asked in {} attempts", self.attempts),
        };
        let closest = closest.map(|(_, made)| made);
        if let Some(made) = &closest {
            let count = made.puzzle.board().given_count();
            message += &match self.givens {
                Some(givens) => format!(": the closest has {count} givens where {givens} were asked for"),
                None => format!(": the closest has {count} givens"),
            };
            if self.minimal && !made.minimal {
                message += " and is not proved minimal";
            }
        }
        GenerateError { kind, message, closest: closest.map(Box::new) }
    }
}

/// One call of [`Generator::generate`].
struct Run<'a> {
    orbits: Vec<Vec<Cell>>,
    random: &'a mut Random,
    purse: &'a mut Purse,
    checker: Checker,
    /// The best so far and how far it is from what was asked.
    closest: Option<(usize, Generated)>,
}

/// A puzzle that loses givens.
struct Removal<'a> {
    grid: &'a Board,
    board: Board,
    /// Its givens.
    count: usize,
    /// Whether each given that stayed was proved to be needed.
    settled: bool,
}

impl Removal<'_> {
    /// Makes givens of these cells.
    fn put(&mut self, cells: &[Cell]) {
        for &cell in cells {
            self.board.set(cell, self.grid.get(cell));
        }
    }
}

/// The blanks of a board, one bit a cell.
fn blanks(board: &Board) -> Vec<u64> {
    let words = board.as_bytes().chunks(64);
    words.map(|cells| cells.iter().enumerate().fold(0, |word, (i, &byte)| word | u64::from(byte == 0) << i)).collect()
}

/// The only solution of a puzzle that was made by taking givens away from it.
fn solution(puzzle: &Puzzle, grid: Board) -> Solution {
    Solution::new(puzzle, grid).expect("a full grid solves each of its parts")
}

/// A puzzle that was made, and the full grid that it was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    puzzle: Puzzle,
    solution: Solution,
    unique: bool,
    minimal: bool,
}

impl Generated {
    fn new(work: &Removal<'_>, unique: bool) -> Generated {
        let puzzle = Puzzle::new(work.board.clone()).expect("part of a full grid has no clash");
        let solution = solution(&puzzle, work.grid.clone());
        Generated { puzzle, solution, unique, minimal: unique && work.settled }
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The full grid that it was made from: its only solution, unless uniqueness was left open.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// Whether it is proved that there is no other solution.
    pub fn is_unique(&self) -> bool {
        self.unique
    }

    /// Whether it is proved that no orbit of givens can go; without a symmetry that is a minimal puzzle. Only puzzles that were to be minimal
    /// are asked.
    pub fn is_orbit_minimal(&self) -> bool {
        self.minimal
    }

    /// Whether no single given can go, and there is one solution; `None` where a limit ran out before that was known.
    pub fn is_minimal(&self, limits: &Limits) -> Option<bool> {
        let mut purse = Purse::new(limits);
        let mut checker = Checker::new(self.puzzle.rules(), u64::MAX)?;
        let (mut board, grid) = (self.puzzle.board().clone(), self.solution.board());
        if !self.unique && !matches!(checker.check(&board, grid, &mut purse).ok()?, Answer::Unique) {
            return Some(false);
        }
        for (cell, given) in self.puzzle.board().givens() {
            board.set(cell, None);
            match checker.check(&board, grid, &mut purse).ok()? {
                Answer::Unique => return Some(false),
                Answer::Multiple(_) => {}
                Answer::Unknown => return None,
            }
            board.set(cell, Some(given));
        }
        Some(true)
    }
}

/// Why no puzzle was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GenerateErrorKind {
    /// No puzzle can be as asked.
    Impossible,
    /// The attempts are used up.
    NotReached,
    /// A limit ran out.
    OutOfBudget(Budget),
    /// No enabled strategy takes the rules.
    Unsupported,
}

/// Why no puzzle was made, and what came closest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenerateError {
    kind: GenerateErrorKind,
    message: String,
    closest: Option<Box<Generated>>,
}

impl GenerateError {
    pub(crate) fn new(kind: GenerateErrorKind, message: String) -> GenerateError {
        GenerateError { kind, message, closest: None }
    }

    pub(crate) fn unsupported() -> GenerateError {
        GenerateError::new(GenerateErrorKind::Unsupported, "no enabled strategy takes these rules".into())
    }

    /// What kept the puzzle from being made.
    pub fn kind(&self) -> GenerateErrorKind {
        self.kind
    }

    /// The puzzle that came closest to what was asked, where there is one: with one solution, and with more or other givens.
    pub fn closest(&self) -> Option<&Generated> {
        self.closest.as_deref()
    }
}

impl From<NoGrid> for GenerateError {
    fn from(no_grid: NoGrid) -> GenerateError {
        match no_grid {
            NoGrid::Impossible => GenerateError::new(GenerateErrorKind::Impossible, "these rules allow no full grid".into()),
            NoGrid::OutOfBudget(budget) => GenerateError::new(
                GenerateErrorKind::OutOfBudget(budget),
                format!("gave up ({budget}) before there was a full grid"),
            ),
            NoGrid::Unsupported => GenerateError::unsupported(),
        }
    }
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for GenerateError {}

#[cfg(test)]
mod tests {
    use ninefold::Verdict;

    use super::*;

    /// Removal as everyone describes it: one orbit after the other.
    fn one_by_one(grid: &Board, orbits: &[Vec<Cell>], order: &[usize], floor: usize) -> Board {
        let mut board = grid.clone();
        for &orbit in order {
            let before = board.clone();
            orbits[orbit].iter().for_each(|&cell| board.set(cell, None));
            let unique = matches!(ninefold::classify(&Puzzle::new(board.clone()).unwrap()), Verdict::Unique(_));
            if board.given_count() < floor || !unique {
                board = before;
            }
        }
        board
    }

    #[test]
    fn taking_many_at_once_comes_to_the_same_as_one_by_one() {
        for (shape, floor) in [("2x2", 0), ("2x3", 12), ("3x3", 0), ("3x3", 0), ("3x3", 35)] {
            for symmetry in [Symmetry::None, Symmetry::Diagonal, Symmetry::Full] {
                let rules = Rules::blocks(shape.parse().unwrap());
                let generator = Generator::new(&rules, 1).minimal(floor == 0).givens(floor).symmetry(symmetry);
                let (mut random, mut purse) = (Random::new(12, 0), Purse::new(&Limits::none()));
                let grid = full_grid(&rules, &mut random, &mut purse).unwrap();
                let orbits = symmetry.orbits(rules.side());
                let order = shuffled(orbits.len(), &mut random);
                let expected = one_by_one(&grid, &orbits, &order, floor);
                let mut unavoidable = Unavoidable::of_two_digits(&rules, grid.as_bytes(), &mut purse).unwrap();
                let checker = Checker::new(&rules, u64::MAX).unwrap();
                let mut run = Run { orbits, random: &mut random, purse: &mut purse, checker, closest: None };
                let mut work = Removal { grid: &grid, board: grid.clone(), count: grid.given_count(), settled: true };
                generator.remove(&mut run, &mut work, &mut unavoidable, &order).unwrap();
                assert_eq!(work.board.to_string(), expected.to_string(), "{shape} {symmetry}");
                assert_eq!((work.count, work.settled), (expected.given_count(), floor == 0));
            }
        }
    }
}
