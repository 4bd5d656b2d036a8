//! Puzzles, the only door to a solver, and solutions, the only way out.

use std::fmt;
use std::sync::Arc;

use crate::{Board, Cell, Clash, Digit, DigitSet, Rules, classic};

/// A board without clashes, and optionally a restriction of the candidates of its cells (pencil marks, even and odd
/// cells). Whether it has a solution is for a solver to find out.
#[derive(Clone, PartialEq, Eq)]
pub struct Puzzle {
    board: Board,
    restrictions: Option<Arc<[DigitSet]>>,
}

impl Puzzle {
    /// The puzzle that asks for the blanks of this board.
    ///
    /// # Errors
    /// Where a house holds a digit twice; the error lists every [`Clash`].
    #[inline]
    pub fn new(board: Board) -> Result<Puzzle, PuzzleError> {
        if !board.is_valid() {
            return Err(PuzzleError::clashes(board));
        }
        Ok(Puzzle { board, restrictions: None })
    }

    /// The same, where each cell may only hold the digits of its set: one set a cell in row-major order. Digits over the
    /// side are ignored. A blank whose set is empty makes the puzzle unsolvable, which is an answer and no error.
    ///
    /// # Errors
    /// Where a house holds a digit twice, the count of sets is not the count of cells, or a given is not in its own set.
    pub fn with_candidates(board: Board, candidates: &[DigitSet]) -> Result<Puzzle, PuzzleError> {
        let count = board.rules().cell_count();
        if candidates.len() != count {
            let message = format!("{} candidate sets where the board has {count} cells", candidates.len());
            return Err(PuzzleError::new(PuzzleErrorKind::CandidateCount, message, Vec::new(), board));
        }
        let side = board.rules().side();
        let excluded = board.givens().find(|(cell, digit)| !candidates[cell.index()].contains(*digit));
        if let Some((cell, digit)) = excluded {
            let message = format!("the given {digit} at {} is not among its own candidates", cell.label(side));
            return Err(PuzzleError::new(PuzzleErrorKind::GivenExcluded, message, Vec::new(), board));
        }
        let all = DigitSet::all(side);
        let sets: Arc<[DigitSet]> = candidates.iter().map(|set| set.intersection(all)).collect();
        let puzzle = Puzzle::new(board)?;
        let restricts = sets.iter().zip(puzzle.board.as_bytes()).any(|(set, byte)| *byte == 0 && *set != all);
        Ok(Puzzle { restrictions: restricts.then_some(sets), ..puzzle })
    }

    /// The board with the givens.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rules of the board.
    #[inline]
    pub fn rules(&self) -> &Rules {
        self.board.rules()
    }

    /// The digits that each cell is restricted to, where the puzzle restricts any: one set a cell in row-major order. The
    /// rules and the givens are not applied to them.
    #[inline]
    pub fn restrictions(&self) -> Option<&[DigitSet]> {
        self.restrictions.as_deref()
    }

    /// The digits that a cell may hold by itself: its given alone, or its restriction, or all digits. Its peers are not looked
    /// at.
    ///
    /// # Panics
    /// Where the cell is not on the board.
    pub fn allowed(&self, cell: Cell) -> DigitSet {
        self.givens().allowed(cell)
    }

    #[inline]
    pub(crate) fn givens(&self) -> Givens<'_> {
        Givens { board: &self.board, restrictions: self.restrictions.as_deref() }
    }
}

/// What a solution has to extend: the board and the restrictions of a puzzle, or a board that nobody has checked. A clash needs no
/// check here, since no solution extends clashing givens.
#[derive(Clone, Copy)]
pub(crate) struct Givens<'a> {
    board: &'a Board,
    restrictions: Option<&'a [DigitSet]>,
}

impl Givens<'_> {
    #[inline]
    pub(crate) fn of_board(board: &Board) -> Givens<'_> {
        Givens { board, restrictions: None }
    }

    pub(crate) fn board(&self) -> &Board {
        self.board
    }

    fn allowed(&self, cell: Cell) -> DigitSet {
        match (self.board.get(cell), self.restrictions) {
            (Some(digit), _) => DigitSet::of(digit),
            (None, Some(sets)) => sets[cell.index()],
            (None, None) => DigitSet::all(self.board.rules().side()),
        }
    }

    /// The quick check of a solution: whether these bytes are one. False also where it does not serve, for other rules and for restricted
    /// candidates.
    #[inline]
    pub(crate) fn are_solved_by(&self, bytes: &[u8]) -> bool {
        match (self.board.classic_bytes(), bytes.try_into()) {
            (Some(givens), Ok(bytes)) => self.restrictions.is_none() && classic::solves(givens, bytes),
            _ => false,
        }
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board.fmt(f)
    }
}

impl fmt::Debug for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.restrictions.is_some() { " restricted" } else { "" };
        write!(f, "Puzzle({} {}{kind})", self.rules(), self.board)
    }
}

/// What is wrong with a board that was to be a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PuzzleErrorKind {
    /// A house holds a digit twice.
    Clash,
    /// The count of candidate sets is not the count of cells.
    CandidateCount,
    /// A given is not among its own candidates.
    GivenExcluded,
}

/// Why a board is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleError {
    kind: PuzzleErrorKind,
    message: String,
    clashes: Vec<Clash>,
    board: Box<Board>,
}

impl PuzzleError {
    fn new(kind: PuzzleErrorKind, message: String, clashes: Vec<Clash>, board: Board) -> PuzzleError {
        PuzzleError { kind, message, clashes, board: Box::new(board) }
    }

    #[cold]
    fn clashes(board: Board) -> PuzzleError {
        let clashes = board.clashes();
        let mut message = clashes[0].to_string();
        if clashes.len() > 1 {
            message = format!("{message} (and {} more)", clashes.len() - 1);
        }
        PuzzleError::new(PuzzleErrorKind::Clash, message, clashes, board)
    }

    /// What is wrong.
    pub fn kind(&self) -> PuzzleErrorKind {
        self.kind
    }

    /// Every clash of the givens; empty for the other kinds.
    pub fn clash_list(&self) -> &[Clash] {
        &self.clashes
    }

    /// The board that is no puzzle.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

impl fmt::Display for PuzzleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PuzzleError {}

/// A full board that keeps the rules and extends its puzzle. The constructor checks both, so whoever holds one need not trust
/// the strategy that found it.
///
/// ```
/// use ninefold_core::{Board, Puzzle, Solution};
/// let puzzle = Puzzle::new("12.. .... .... ....".parse()?)?;
/// let full: Board = "1234 3412 2143 4321".parse()?;
/// assert_eq!(Solution::new(&puzzle, full)?.to_string(), "1234341221434321");
/// let other: Board = "2134 3412 1243 4321".parse()?;
/// assert_eq!(Solution::new(&puzzle, other).unwrap_err().to_string(), "2 at r1c1 where the puzzle has 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Solution(Board);

impl Solution {
    /// Checks that a board solves a puzzle.
    ///
    /// # Errors
    /// The first reason why it does not: other rules, a blank, a digit other than the given, a digit that the cell may not
    /// hold, or a clash.
    #[inline]
    pub fn new(puzzle: &Puzzle, board: Board) -> Result<Solution, SolutionError> {
        Solution::of(puzzle.givens(), board)
    }

    #[inline]
    pub(crate) fn of(givens: Givens<'_>, board: Board) -> Result<Solution, SolutionError> {
        let same_rules = match (givens.board.classic_bytes(), board.classic_bytes()) {
            (Some(_), Some(bytes)) => {
                if givens.are_solved_by(bytes) {
                    return Ok(Solution(board));
                }
                true
            }
            _ => givens.board.rules() == board.rules(),
        };
        match Solution::objection(givens, &board, same_rules) {
            Some(message) => Err(SolutionError { message }),
            None => Ok(Solution(board)),
        }
    }

    /// The same for one byte a cell; `None` where the bytes are no solution, or the quick check does not serve the puzzle.
    #[inline]
    pub(crate) fn from_classic_bytes(givens: Givens<'_>, bytes: &[u8]) -> Option<Solution> {
        let bytes: &[u8; 81] = bytes.try_into().ok()?;
        givens.are_solved_by(bytes).then(|| Solution(Board::from_classic_bytes(bytes)))
    }

    fn objection(givens: Givens<'_>, board: &Board, same_rules: bool) -> Option<String> {
        if !same_rules {
            return Some(format!("a board of {} cannot solve a puzzle of {}", board.rules(), givens.board.rules()));
        }
        let side = board.rules().side();
        for cell in board.rules().cells() {
            let label = || cell.label(side);
            let Some(digit) = board.get(cell) else { return Some(format!("{} is blank", label())) };
            match givens.board.get(cell) {
                Some(given) if given != digit => return Some(format!("{digit} at {} where the puzzle has {given}", label())),
                _ if !givens.allowed(cell).contains(digit) => {
                    return Some(format!("{digit} at {} which the puzzle does not allow there", label()));
                }
                _ => {}
            }
        }
        if board.is_valid() { None } else { board.clashes().first().map(Clash::to_string) }
    }

    /// The full board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.0
    }

    /// The digits, 1 to the side, one byte a cell in row-major order.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The digit of a cell.
    ///
    /// # Panics
    /// Where the cell is not on the board.
    pub fn digit(&self, cell: Cell) -> Digit {
        self.0.get(cell).expect("a solution has no blanks")
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Solution({} {})", self.0.rules(), self.0)
    }
}

/// Why a board is not the solution of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionError {
    message: String,
}

impl fmt::Display for SolutionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SolutionError {}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn puzzle() -> Puzzle {
        Puzzle::new(PUZZLE.parse().unwrap()).unwrap()
    }

    #[test]
    fn clashing_givens_are_no_puzzle() {
        let error = Puzzle::new(PUZZLE.replacen('5', "8", 1).parse().unwrap()).unwrap_err();
        assert_eq!(error.kind(), PuzzleErrorKind::Clash);
        assert_eq!(error.to_string(), "8 twice in column 1: r1c1 and r4c1 (and 1 more)");
        assert_eq!(error.clash_list().len(), 2);
    }

    #[test]
    fn only_the_solution_is_a_solution() {
        assert_eq!(Solution::new(&puzzle(), SOLUTION.parse().unwrap()).unwrap().to_string(), SOLUTION);
        let refusal = |text: &str| Solution::new(&puzzle(), text.parse().unwrap()).unwrap_err().to_string();
        assert_eq!(refusal(PUZZLE), "r1c3 is blank");
        let other = "531276498647198532298345167124867953856934721379521846982753614763419285415682379";
        assert_eq!(refusal(other), "8 at r2c6 where the puzzle has 5");
        let swapped = SOLUTION.replacen("46", "64", 1);
        assert_eq!(refusal(&swapped), "6 twice in column 3: r1c3 and r5c3");
    }

    #[test]
    fn restrictions_are_kept_and_checked() {
        let board: Board = PUZZLE.parse().unwrap();
        let mut sets = vec![DigitSet::all(64); 81];
        assert!(Puzzle::with_candidates(board.clone(), &sets).unwrap().restrictions().is_none());
        sets[2].remove(Digit::new(4).unwrap());
        let restricted = Puzzle::with_candidates(board.clone(), &sets).unwrap();
        assert_eq!(restricted.allowed(Cell::new(2).unwrap()).to_string(), "12356789");
        assert_eq!(
            Solution::new(&restricted, SOLUTION.parse().unwrap()).unwrap_err().to_string(),
            "4 at r1c3 which the puzzle does not allow there"
        );
        sets[0] = DigitSet::EMPTY;
        assert_eq!(Puzzle::with_candidates(board.clone(), &sets).unwrap_err().kind(), PuzzleErrorKind::GivenExcluded);
        assert_eq!(Puzzle::with_candidates(board, &sets[1..]).unwrap_err().kind(), PuzzleErrorKind::CandidateCount);
    }
}
