//! Proofs that a puzzle has no solutions but those that are known, in the formats of the SAT community.
//!
//! [`write_cnf`] states the puzzle as a formula, in DIMACS format, and [`prove`] a proof that it cannot be satisfied, in DRAT or LRAT format.
//! With no known solution that says: the puzzle is unsolvable. With one, which a clause forbids: it has no other.
//!
//! The formula is the plain puzzle; nothing is worked out before it is written, so that it can be checked by eye. The candidate "row `r`,
//! column `c` holds `d`" is the variable `((r - 1) · n + c - 1) · n + d` on a board of side `n`. Its clauses are, in this order:
//!
//! 1. for each cell in row-major order: it holds a digit; for each two digits: not both;
//! 2. for each house, for each digit: one of the cells holds it, if the house has as many cells as there are digits; for each two cells: not both,
//!    but for pairs that an earlier house has too;
//! 3. for each given: the candidate; for each candidate that a blank is not allowed: its negation;
//! 4. for each known solution: not all of its digits.
//!
//! Each added clause of the proof follows by unit propagation from the ones before (RUP), so it is a DRUP proof, which is a DRAT proof. An LRAT proof
//! names the clauses that propagate, too. Sources: E. Goldberg and Y. Novikov, *Verification of proofs of unsatisfiability for CNF formulas*, 2003
//! (RUP); N. Wetzler, M. Heule and W. Hunt, *DRAT-trim: efficient checking and trimming using expressive clausal proofs*, 2014 (DRAT); L. Cruz-Filipe,
//! M. Heule, W. Hunt, M. Kaufmann and P. Schneider-Kamp, *Efficient certified RAT verification*, 2017 (LRAT).
//!
//! ```
//! use ninefold_core::{Limits, Puzzle, Solver};
//! use ninefold_solver_sat::{Sat, proof};
//!
//! let puzzle = Puzzle::new("123. 34.2 2... .32.".parse()?)?;
//! let (known, _) = Sat::new().solutions(&puzzle, 1, &Limits::none());
//! let (mut cnf, mut lemmas) = (Vec::new(), Vec::new());
//! let size = proof::write_cnf(&puzzle, &known, &mut cnf)?;
//! assert_eq!((size.variables, size.clauses), (64, 16 * 7 + 12 * 4 + 12 * 24 - 64 + 9 + 1));
//! proof::prove(&puzzle, &known, proof::Format::Drat, &Limits::none(), &mut lemmas)?;
//! assert_eq!(String::from_utf8(lemmas)?.lines().last(), Some("0"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::cell::{Cell as Slot, RefCell};
use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;

use ninefold_core::{Board, Budget, Digit, DigitSet, End, Limits, Puzzle, Search, Solution};
use varisat::checker::{CheckedProofStep, CheckerData, ProofProcessor};
use varisat::{ExtendFormula, Lit, Solver};

use crate::encode::{Encoding, Literal, Preparation, Problem, Size};
use crate::{CAPS, estimate};

/// Up to what estimate of the formula's memory, in bytes, a proof is tried. The checker that runs along holds each clause once more, with its
/// bookkeeping.
const MEMORY: u64 = 128 << 20;

/// The format of a proof, as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Clauses added and deleted.
    Drat,
    /// The same with numbers, and for each clause the ones that it follows from.
    Lrat,
}

/// How long a proof is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Proof {
    /// Clauses that were added.
    pub lemmas: u64,
    /// Learned clauses that were deleted. Those of the formula stay.
    pub deletions: u64,
}

/// Why there is no proof.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProofError {
    /// There is a solution that is not among the known ones.
    Solution(Box<Solution>),
    /// A limit ran out.
    GaveUp(Budget),
    /// The proof could not be written.
    Write(io::Error),
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofError::Solution(solution) => write!(f, "there is another solution: {solution}"),
            ProofError::GaveUp(budget) => write!(f, "gave up: {budget}"),
            ProofError::Write(error) => write!(f, "the proof cannot be written: {error}"),
        }
    }
}

impl std::error::Error for ProofError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ProofError::Write(error) => Some(error),
            _ => None,
        }
    }
}

/// Hands every clause of the formula to a sink, in the order of the file.
fn clauses(
    puzzle: &Puzzle,
    known: &[Solution],
    search: &mut Search<'_>,
    sink: &mut impl FnMut(&[Literal]) -> ControlFlow<End>,
) -> ControlFlow<End> {
    let rules = puzzle.rules();
    let side = rules.side();
    let blank = Puzzle::new(Board::empty(rules)).expect("a board without digits has no clash");
    let Ok(problem) = Problem::prepare(&blank, Preparation::Raw, search)? else { unreachable!("nothing is placed") };
    problem.encode(Encoding::default(), sink)?;
    let variable = |cell: usize, digit: Digit| (cell * side + digit.index()) as u32;
    for cell in rules.cells() {
        match puzzle.board().get(cell) {
            Some(given) => sink(&[Literal::positive(variable(cell.index(), given))])?,
            None => {
                for digit in DigitSet::all(side).difference(puzzle.allowed(cell)) {
                    sink(&[Literal::negative(variable(cell.index(), digit))])?;
                }
            }
        }
    }
    for solution in known {
        let digits = rules.cells().map(|cell| Literal::negative(variable(cell.index(), solution.digit(cell))));
        sink(&digits.collect::<Vec<_>>())?;
    }
    ControlFlow::Continue(())
}

/// Writes the formula that the puzzle has a solution other than the known ones. Comments at its head say what the variables
/// and clauses mean.
///
/// # Errors
/// Where `out` cannot be written.
pub fn write_cnf(puzzle: &Puzzle, known: &[Solution], out: &mut dyn Write) -> io::Result<Size> {
    let side = puzzle.rules().side();
    let limits = Limits::none();
    let mut search = Search::new(&limits);
    let mut size = Size { variables: (side * side * side) as u64, ..Size::default() };
    // Counted first, since the number stands at the head of the file. Without limits nothing breaks.
    let _ = clauses(puzzle, known, &mut search, &mut |clause| {
        size.clauses += 1;
        size.literals += clause.len() as u64;
        ControlFlow::Continue(())
    });
    writeln!(out, "c A Sudoku of side {side}: there is a solution other than the known ones.")?;
    writeln!(
        out,
        "c Variable ((row - 1) * {side} + column - 1) * {side} + digit, each from 1 to {side}: this cell holds this digit."
    )?;
    writeln!(out, "c Clauses, in this order:")?;
    writeln!(out, "c - for each cell, row by row: it holds a digit; for each two digits, not both")?;
    writeln!(
        out,
        "c - for each house and each digit: some cell holds it, if there are {side} cells; for each two cells, not both"
    )?;
    writeln!(out, "c - for each given, its variable; for each digit that a blank may not hold, its negation")?;
    writeln!(out, "c - for each known solution: not all of its digits")?;
    writeln!(out, "c rules {}", puzzle.rules())?;
    for house in puzzle.rules().houses() {
        let labels: Vec<String> = house.cells().iter().map(|cell| cell.label(side)).collect();
        writeln!(out, "c house {}", labels.join(" "))?;
    }
    writeln!(out, "c givens {}", puzzle.board())?;
    for solution in known {
        writeln!(out, "c known {solution}")?;
    }
    writeln!(out, "p cnf {} {}", size.variables, size.clauses)?;
    let mut written = Ok(());
    let mut line = String::new();
    let _ = clauses(puzzle, known, &mut search, &mut |clause| {
        use std::fmt::Write as _;
        line.clear();
        for literal in clause {
            // Writing to a string cannot fail.
            let _ = write!(line, "{} ", literal.to_dimacs());
        }
        line.push_str("0\n");
        written = out.write_all(line.as_bytes());
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(End::Stopped) }
    });
    written?;
    out.flush()?;
    Ok(size)
}

/// Proves that the formula of [`write_cnf`] cannot be satisfied, and writes the proof to `out` as it is found. Each step was checked
/// by varisat's own checker before it is written.
///
/// The limit on nodes is held against the clauses that are learned.
///
/// # Errors
/// Where there is another solution, a limit runs out, or `out` cannot be written. What was written by then is no proof.
pub fn prove(
    puzzle: &Puzzle,
    known: &[Solution],
    format: Format,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<Proof, ProofError> {
    let mut search = Search::new(limits);
    let size = match problem_size(puzzle, &mut search) {
        ControlFlow::Continue(size) => size,
        ControlFlow::Break(end) => return Err(gave_up(end)),
    };
    if estimate(&size) > MEMORY {
        return Err(ProofError::GaveUp(Budget::Memory));
    }
    let search = RefCell::new(search);
    let ended = Slot::new(None);
    let failed = RefCell::new(None);
    let scribe = &mut Scribe {
        format,
        out,
        search: &search,
        ended: &ended,
        failed: &failed,
        inputs: 0,
        last: 0,
        is_complete: false,
        proof: Proof::default(),
    };
    let unlimited = Limits::none();
    let mut written = 0;
    // The solver borrows the scribe for as long as it lives.
    let answer = {
        let mut solver = Solver::new();
        solver.add_proof_processor(&mut *scribe);
        let mut lits = Vec::new();
        let mut beside = Search::new(&unlimited);
        let loaded = clauses(puzzle, known, &mut beside, &mut |clause| {
            lits.clear();
            lits.extend(clause.iter().map(|literal| Lit::from_code(literal.code() as usize)));
            solver.add_clause(&lits);
            written += 1;
            if written % 1024 == 0 { search.borrow_mut().poll() } else { ControlFlow::Continue(()) }
        });
        if let ControlFlow::Break(end) = loaded {
            return Err(gave_up(end));
        }
        solver.solve().map(|satisfied| satisfied.then(|| solver.model().unwrap_or_default()))
    };
    if let Some(error) = failed.take() {
        return Err(ProofError::Write(error));
    }
    if let Some(end) = ended.get() {
        return Err(gave_up(end));
    }
    match answer.expect("only the scribe makes errors") {
        None => {}
        Some(model) => return Err(ProofError::Solution(Box::new(solution_of(puzzle, &model)))),
    }
    assert!(scribe.is_complete, "varisat ends a refutation with the empty clause");
    scribe.out.flush().map_err(ProofError::Write)?;
    Ok(scribe.proof)
}

fn problem_size(puzzle: &Puzzle, search: &mut Search<'_>) -> ControlFlow<End, Size> {
    search.begin(puzzle, &CAPS)?;
    let blank = Puzzle::new(Board::empty(puzzle.rules())).expect("a board without digits has no clash");
    let Ok(problem) = Problem::prepare(&blank, Preparation::Raw, search)? else { unreachable!("nothing is placed") };
    problem.size(Encoding::default(), search)
}

fn gave_up(end: End) -> ProofError {
    match end {
        End::OutOfBudget(budget) => ProofError::GaveUp(budget),
        // The strategy takes any rules, and nobody else stops it.
        _ => ProofError::GaveUp(Budget::Cancelled),
    }
}

fn solution_of(puzzle: &Puzzle, model: &[Lit]) -> Solution {
    let side = puzzle.rules().side();
    let mut digits = vec![0; puzzle.rules().cell_count()];
    for lit in model.iter().filter(|lit| lit.is_positive()) {
        digits[lit.index() / side] = (lit.index() % side) as u8 + 1;
    }
    let board = Board::from_bytes(puzzle.rules(), &digits).expect("a model has digits of the board");
    Solution::new(puzzle, board).expect("a model of the formula is a solution")
}

/// Writes the steps of the proof down.
struct Scribe<'p, 's> {
    format: Format,
    out: &'p mut dyn Write,
    search: &'p RefCell<Search<'s>>,
    ended: &'p Slot<Option<End>>,
    failed: &'p RefCell<Option<io::Error>>,
    /// Clauses of the formula. The checker numbers clauses from 0 on, these first; LRAT does from 1 on.
    inputs: u64,
    /// The number of the clause added last.
    last: u64,
    /// Whether the empty clause was written.
    is_complete: bool,
    proof: Proof,
}

impl Scribe<'_, '_> {
    fn write(&mut self, step: &CheckedProofStep<'_>, data: CheckerData<'_, '_>) -> io::Result<()> {
        use CheckedProofStep::{AddClause, AtClause, DeleteClause, DuplicatedClause, TautologicalClause};
        if self.is_complete {
            return Ok(());
        }
        match step {
            AddClause { .. } | DuplicatedClause { .. } | TautologicalClause { .. } => self.inputs += 1,
            AtClause { id, clause, propagations, .. } => {
                let lits = dimacs(clause, data);
                self.is_complete = clause.is_empty();
                self.proof.lemmas += 1;
                match self.format {
                    Format::Drat => writeln!(self.out, "{lits}0")?,
                    Format::Lrat => {
                        self.last = self.number(*id);
                        let hints: Vec<String> = propagations.iter().map(|id| self.number(*id).to_string()).collect();
                        writeln!(self.out, "{} {lits}0 {} 0", self.last, hints.join(" "))?;
                    }
                }
            }
            DeleteClause { id, clause } => {
                self.proof.deletions += 1;
                match self.format {
                    Format::Drat => writeln!(self.out, "d {}0", dimacs(clause, data))?,
                    Format::Lrat => writeln!(self.out, "{} d {} 0", self.last.max(self.inputs), self.number(*id))?,
                }
            }
            // Names of variables; and clauses of the formula that the givens satisfy or shorten. To tell checkers that these may be forgotten would make
            // up nine tenths of the proof.
            _ => {}
        }
        Ok(())
    }

    /// The LRAT number of a clause.
    fn number(&self, id: u64) -> u64 {
        id + 1
    }
}

/// The literals of a clause, each with a space after it.
fn dimacs(clause: &[Lit], data: CheckerData<'_, '_>) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for lit in clause {
        let var = data.user_from_proof_var(lit.var()).expect("every variable of the formula is the user's");
        // Writing to a string cannot fail.
        let _ = write!(text, "{} ", var.lit(lit.is_positive()).to_dimacs());
    }
    text
}

impl ProofProcessor for Scribe<'_, '_> {
    fn process_step(&mut self, step: &CheckedProofStep<'_>, data: CheckerData<'_, '_>) -> Result<(), anyhow::Error> {
        if let Err(error) = self.write(step, data) {
            *self.failed.borrow_mut() = Some(error);
            anyhow::bail!("the proof cannot be written");
        }
        // While the formula is loaded, whoever loads it looks at the limits.
        if let CheckedProofStep::AtClause { propagations, .. } = step {
            let mut search = self.search.borrow_mut();
            // As in the strategy's count of conflicts: a clause made shorter by units names one other.
            let flow = if propagations.len() > 1 { search.conflict() } else { ControlFlow::Continue(()) };
            if let ControlFlow::Break(end) = flow {
                self.ended.set(Some(end));
                anyhow::bail!("a limit has run out");
            }
        }
        Ok(())
    }
}
