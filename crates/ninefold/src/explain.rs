//! Says why a puzzle is what it is: which givens cannot stand together, where two solutions differ and what more would settle it, which givens
//! are not needed.
//!
//! Any solver will do; nothing is taken on trust that a solution can show. Givens that clash are seen before:
//! [`Puzzle::new`] reports them.
//!
//! ```
//! use ninefold::explain::{Explanation, explain};
//! use ninefold::{Limits, Puzzle};
//!
//! # if ninefold::auto(&ninefold::Rules::blocks("2x2".parse()?)).is_none() { return Ok(()) }
//! let puzzle = Puzzle::new("12.. .... ..3. ..4.".parse()?)?;
//! let mut solver = (ninefold::auto(puzzle.rules()).ok_or("no strategy")?.build)();
//! if let Explanation::Unsolvable(core) = explain(&puzzle, &mut *solver, &Limits::none()) {
//!     // The 1 and the 2 leave 3 and 4 to the other half of the row, and both are in the third column already.
//!     assert_eq!(core.puzzle().board().to_string(), "12........3...4.");
//!     assert!(core.is_minimal());
//! } else {
//!     unreachable!("there is no solution");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;

use crate::crosscheck::draft::Draft;
use crate::crosscheck::minimize::minimize;
use crate::{Board, Budget, CancelToken, Cell, Digit, DigitSet, End, Limits, Outcome, Puzzle, Solution, Solver, Verdict, clock};

/// Solutions that are looked at to find two that are close together, and what would tell them apart: fewer on large boards, so that
/// no more cells than these are looked at.
const SAMPLE: u64 = 500;
const SAMPLE_CELLS: u64 = 50_000;

fn sample_size(puzzle: &Puzzle) -> u64 {
    (SAMPLE_CELLS / puzzle.rules().cell_count() as u64).clamp(20, SAMPLE)
}

/// Whether the whole has to end. Searches end at once then, but there may be thousands of them to set up.
fn is_over(limits: &Limits) -> bool {
    let passed = limits.deadline().is_some_and(|deadline| clock::now() >= deadline);
    passed || limits.cancels().iter().any(CancelToken::is_cancelled)
}

/// Solutions of which every two are compared.
const PAIRS: usize = 100;

/// Why a puzzle is what it is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Explanation {
    /// There is no solution.
    Unsolvable(Core),
    /// There are several.
    Multiple(Ambiguity),
    /// There is exactly one.
    Unique(Uniqueness),
    /// The solver gave up before the puzzle's own question was settled.
    Unknown(Budget),
    /// The solver does not take the rules.
    Unsupported,
}

/// Explains a puzzle.
///
/// The limits hold for each single search, of which there may be some hundreds; their deadline and their tokens end the whole. What could not
/// be settled within them is told.
pub fn explain(puzzle: &Puzzle, solver: &mut dyn Solver, limits: &Limits) -> Explanation {
    match solver.classify(puzzle, limits) {
        Verdict::Unsolvable => Explanation::Unsolvable(Core::find(puzzle, solver, limits)),
        Verdict::Multiple(first) => Explanation::Multiple(Ambiguity::find(puzzle, first, solver, limits)),
        Verdict::Unique(solution) => Explanation::Unique(Uniqueness::find(puzzle, solution, solver, limits)),
        Verdict::Unknown(budget) => Explanation::Unknown(budget),
        Verdict::Unsupported => Explanation::Unsupported,
    }
}

/// Part of a puzzle that has no solution by itself.
///
/// It is found by leaving out what can go: many at once, then each alone (the deletion of G. Dravnieks, in chunks; compare U. Junker: QuickXplain,
/// 2004, whose result is the same kind of set).
#[derive(Clone, Debug)]
pub struct Core {
    puzzle: Puzzle,
    needed: Vec<(Cell, Solution)>,
    open: Vec<Cell>,
}

impl Core {
    fn find(puzzle: &Puzzle, solver: &mut dyn Solver, limits: &Limits) -> Core {
        let draft = Draft::of(puzzle);
        let all = DigitSet::all(draft.rules.side());
        let restricts = |cell: usize| draft.sets.as_ref().is_some_and(|sets| sets[cell] != all);
        let items: Vec<usize> = (0..draft.digits.len()).filter(|&cell| draft.digits[cell] != 0 || restricts(cell)).collect();
        let with = |cells: &[usize]| {
            let mut part = Draft { digits: vec![0; draft.digits.len()], ..draft.clone() };
            let mut sets = part.sets.as_ref().map(|sets| vec![all; sets.len()]);
            for &cell in cells {
                part.digits[cell] = draft.digits[cell];
                if let (Some(sets), Some(own)) = (&mut sets, &draft.sets) {
                    sets[cell] = own[cell];
                }
            }
            part.sets = sets;
            part.puzzle().expect("part of a puzzle has no clash where the puzzle has none")
        };
        let kept = minimize(items, |cells| solver.count(&with(cells), 1, limits).verdict() == Verdict::Unsolvable);
        // Each of them once more, for the solution that shows that it cannot go.
        let (mut needed, mut open) = (Vec::new(), Vec::new());
        for &item in &kept {
            let rest: Vec<usize> = kept.iter().copied().filter(|&cell| cell != item).collect();
            match solver.solve(&with(&rest), limits).solution() {
                Some(solution) => needed.push((cell_at(item), solution.clone())),
                None => open.push(cell_at(item)),
            }
        }
        Core { puzzle: with(&kept), needed, open }
    }

    /// The givens and the restrictions that have no solution together, and nothing else of the puzzle. Where it has neither, the rules alone
    /// have none.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The cells of its givens and restrictions.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self.needed.iter().map(|(cell, _)| *cell).chain(self.open.iter().copied()).collect();
        cells.sort_unstable();
        cells
    }

    /// The cells that cannot be left out, each with a solution of what is left then.
    pub fn needed(&self) -> &[(Cell, Solution)] {
        &self.needed
    }

    /// The cells of which that is not known, because the solver gave up.
    pub fn open(&self) -> &[Cell] {
        &self.open
    }

    /// Whether no cell can be left out.
    pub fn is_minimal(&self) -> bool {
        self.open.is_empty()
    }
}

/// Two solutions, and what would settle which.
#[derive(Clone, Debug)]
pub struct Ambiguity {
    solutions: [Solution; 2],
    count: u64,
    exact: bool,
    additions: Vec<(Cell, Digit)>,
    settles: bool,
    fewest: bool,
}

impl Ambiguity {
    fn find(puzzle: &Puzzle, first: [Solution; 2], solver: &mut dyn Solver, limits: &Limits) -> Ambiguity {
        let (sample, outcome) = solver.solutions(puzzle, sample_size(puzzle), limits);
        let mut ambiguity = Ambiguity {
            solutions: closest(&sample).unwrap_or(first),
            count: outcome.count().max(2),
            exact: outcome.is_exact(),
            additions: Vec::new(),
            settles: false,
            fewest: false,
        };
        match one_more(puzzle, &sample, &outcome, solver, limits) {
            OneMore::Found(addition) => {
                ambiguity.additions = vec![addition];
                (ambiguity.settles, ambiguity.fewest) = (true, true);
            }
            none => {
                ambiguity.additions = more(puzzle, sample, solver, limits).unwrap_or_default();
                ambiguity.settles = !ambiguity.additions.is_empty();
                ambiguity.fewest = matches!(none, OneMore::None) && ambiguity.additions.len() == 2;
            }
        }
        ambiguity
    }

    /// Two solutions; of those looked at, two that differ in the fewest cells.
    pub fn solutions(&self) -> &[Solution; 2] {
        &self.solutions
    }

    /// The cells in which they differ.
    pub fn differing(&self) -> Vec<Cell> {
        let [a, b] = self.solutions.each_ref().map(Solution::as_bytes);
        (0..a.len()).filter(|&cell| a[cell] != b[cell]).map(cell_at).collect()
    }

    /// How many solutions were looked at; 500 at most, fewer on boards of side 11 and over.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether there are no more.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Givens that, added to the puzzle, leave one solution; empty where none were found within the limits.
    pub fn additions(&self) -> &[(Cell, Digit)] {
        &self.additions
    }

    /// Whether fewer would not do: shown for one, and for two where every single one was tried. Otherwise they are the fewest found, and none
    /// of them can go.
    pub fn are_fewest(&self) -> bool {
        self.settles && self.fewest
    }
}

/// The only solution, and which givens it does not take.
#[derive(Clone, Debug)]
pub struct Uniqueness {
    solution: Solution,
    spare: Vec<Cell>,
    open: Vec<Cell>,
}

impl Uniqueness {
    fn find(puzzle: &Puzzle, solution: Solution, solver: &mut dyn Solver, limits: &Limits) -> Uniqueness {
        let draft = Draft::of(puzzle);
        let (mut spare, mut open) = (Vec::new(), Vec::new());
        for cell in draft.givens() {
            if is_over(limits) {
                open.push(cell_at(cell));
                continue;
            }
            let mut without = draft.clone();
            without.digits[cell] = 0;
            let Some(without) = without.puzzle() else { continue };
            match solver.classify(&without, limits) {
                Verdict::Unique(_) => spare.push(cell_at(cell)),
                Verdict::Multiple(_) => {}
                _ => open.push(cell_at(cell)),
            }
        }
        Uniqueness { solution, spare, open }
    }

    /// The solution.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// The givens without which, each by itself, the solution stays the only one.
    pub fn spare(&self) -> &[Cell] {
        &self.spare
    }

    /// The givens of which that is not known, because the solver gave up.
    pub fn open(&self) -> &[Cell] {
        &self.open
    }

    /// Whether no given can go.
    pub fn is_minimal(&self) -> bool {
        self.spare.is_empty() && self.open.is_empty()
    }
}

fn cell_at(index: usize) -> Cell {
    Cell::new(index).expect("the cell is on the board")
}

/// The two that differ in the fewest cells.
fn closest(sample: &[Solution]) -> Option<[Solution; 2]> {
    let sample = &sample[..sample.len().min(PAIRS)];
    let pairs = sample.iter().enumerate().flat_map(|(i, a)| sample[i + 1..].iter().map(move |b| (a, b)));
    let distance = |(a, b): &(&Solution, &Solution)| a.as_bytes().iter().zip(b.as_bytes()).filter(|(a, b)| a != b).count();
    pairs.min_by_key(distance).map(|(a, b)| [a.clone(), b.clone()])
}

/// How often each digit of each blank occurs in these solutions.
fn occurrences(puzzle: &Puzzle, sample: &[Solution]) -> BTreeMap<(Cell, Digit), usize> {
    let mut occurrences = BTreeMap::new();
    let blanks: Vec<Cell> = puzzle.rules().cells().filter(|cell| puzzle.board().get(*cell).is_none()).collect();
    for solution in sample {
        for &cell in &blanks {
            *occurrences.entry((cell, solution.digit(cell))).or_insert(0) += 1;
        }
    }
    occurrences
}

fn with_given(puzzle: &Puzzle, cell: Cell, digit: Digit) -> Option<Puzzle> {
    let mut draft = Draft::of(puzzle);
    draft.digits[cell.index()] = digit.get();
    draft.puzzle()
}

enum OneMore {
    Found((Cell, Digit)),
    /// Every single one was tried.
    None,
    /// The solver gave up on some.
    Unknown,
}

/// A given that would make the puzzle unique.
fn one_more(puzzle: &Puzzle, sample: &[Solution], outcome: &Outcome, solver: &mut dyn Solver, limits: &Limits) -> OneMore {
    let seen = occurrences(puzzle, sample);
    if outcome.is_exact() {
        let only = seen.iter().find(|(_, count)| **count == 1);
        return only.map_or(OneMore::None, |(addition, _)| OneMore::Found(*addition));
    }
    let mut all_tried = true;
    for cell in puzzle.rules().cells().filter(|cell| puzzle.board().get(*cell).is_none()) {
        for digit in puzzle.allowed(cell) {
            // What is in two solutions settles nothing.
            if seen.get(&(cell, digit)).is_some_and(|count| *count > 1) {
                continue;
            }
            if is_over(limits) {
                return OneMore::Unknown;
            }
            let Some(with) = with_given(puzzle, cell, digit) else { continue };
            match solver.classify(&with, limits) {
                Verdict::Unique(_) => return OneMore::Found((cell, digit)),
                Verdict::Multiple(_) | Verdict::Unsolvable => {}
                _ => all_tried = false,
            }
        }
    }
    if all_tried { OneMore::None } else { OneMore::Unknown }
}

/// Givens that make the puzzle unique: the rarest digit again and again, and in the end without those that are not needed.
fn more(puzzle: &Puzzle, mut sample: Vec<Solution>, solver: &mut dyn Solver, limits: &Limits) -> Option<Vec<(Cell, Digit)>> {
    let mut additions = Vec::new();
    let mut current = puzzle.clone();
    loop {
        if is_over(limits) {
            return None;
        }
        let seen = occurrences(&current, &sample);
        let (&(cell, digit), _) = seen.iter().filter(|(_, count)| **count < sample.len()).min_by_key(|(_, count)| **count)?;
        additions.push((cell, digit));
        current = with_given(&current, cell, digit)?;
        let (next, outcome) = solver.solutions(&current, sample_size(puzzle) / 5, limits);
        match (next.len(), outcome.end()) {
            (1, End::Exhausted) => break,
            (2.., _) => sample = next,
            _ => return None,
        }
    }
    let all = additions.clone();
    Some(minimize(all, |additions| {
        let mut board: Board = puzzle.board().clone();
        additions.iter().for_each(|(cell, digit)| board.set(*cell, Some(*digit)));
        let draft = Draft { digits: board.as_bytes().to_vec(), ..Draft::of(puzzle) };
        draft.puzzle().is_some_and(|puzzle| matches!(solver.classify(&puzzle, limits), Verdict::Unique(_)))
    }))
}
