//! The engines, each with its own type of prepared input.

use std::hint::black_box;

use clap::ValueEnum;
use ninefold_core::{Board, CancelToken, Limits, Outcome, Puzzle, Solver};
use ninefold_solver_bitboard as bitboard;

/// What is asked of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Question {
    /// The first solution
    Solve,
    /// How many solutions, up to two: is it unique?
    Count2,
    /// How many solutions in all
    All,
}

impl Question {
    pub fn name(self) -> &'static str {
        match self {
            Question::Solve => "solve",
            Question::Count2 => "count to 2",
            Question::All => "count all",
        }
    }

    fn limit(self) -> u64 {
        match self {
            Question::Solve => 1,
            Question::Count2 => 2,
            Question::All => u64::MAX,
        }
    }
}

/// The answer to one puzzle: `Solve` finds one solution or none.
pub struct Answer {
    pub solutions: u64,
    pub grid: Option<[u8; 81]>,
}

/// A solver in the race.
pub trait Engine {
    fn name(&self) -> &str;
    /// Runs on a few puzzles only.
    fn is_slow(&self) -> bool {
        false
    }
    /// Runs only when asked for by name.
    fn is_variant(&self) -> bool {
        false
    }
    /// Can count all solutions in reasonable time.
    fn counts_all(&self) -> bool {
        true
    }
    fn prepare(&mut self, lines: &[String]);
    fn puzzles(&self) -> usize;
    /// Answers puzzle `i`.
    fn answer(&mut self, i: usize, question: Question) -> Answer;
    /// Answers all puzzles as fast as it can, and says how many solutions it saw.
    fn pass(&mut self, question: Question, parse: bool) -> u64;
    /// Guesses a puzzle, if the engine tells.
    fn guesses(&mut self, _question: Question) -> Option<f64> {
        None
    }
}

/// Keeps the compiler from dropping the work behind a value.
pub fn keep<T>(value: T) {
    black_box(value);
}

pub fn all() -> Vec<Box<dyn Engine>> {
    let mut engines: Vec<Box<dyn Engine>> = bitboard_engines();
    #[cfg(feature = "tdoku")]
    engines.push(Box::new(simple(crate::tdoku::Tdoku)));
    engines.push(Box::new(simple(SudokuCrate)));
    engines.push(Box::new(simple(Msolve)));
    engines.push(Box::new(simple(Rustoku)));
    engines.push(Box::new(simple(Sudokugen)));
    engines
}

/// 0 for blanks, 1 to 9 for givens.
pub fn digits(line: &str) -> [u8; 81] {
    let bytes = line.as_bytes();
    std::array::from_fn(|i| if bytes[i] == b'.' { 0 } else { bytes[i] - b'0' })
}

// ---- Ninefold ----

struct Bitboard {
    name: String,
    engine: bitboard::Engine,
    lines: Vec<String>,
    puzzles: Vec<[u8; 81]>,
}

fn bitboard_engines() -> Vec<Box<dyn Engine>> {
    let mut engines: Vec<Box<dyn Engine>> = Vec::new();
    let mut add = |name: String, engine| {
        engines.push(Box::new(Bitboard { name, engine, lines: Vec::new(), puzzles: Vec::new() }));
    };
    add("bitboard".to_owned(), bitboard::Engine::new());
    for path in bitboard::Path::available() {
        add(format!("bitboard:{}", path.name()), bitboard::Engine::new().with_path(path));
    }
    for rule in bitboard::Rule::ALL {
        add(format!("bitboard:{}", rule.name()), bitboard::Engine::new().with_rule(rule));
    }
    engines.push(Box::new(Batch::new("bitboard:batch".to_owned(), bitboard::Bitboard::new())));
    for path in bitboard::Path::available() {
        engines.push(Box::new(Batch::new(
            format!("bitboard:batch-{}", path.name()),
            bitboard::Engine::new().with_path(path).into(),
        )));
    }
    engines.push(Box::new(Behind { name: "bitboard:solver", limits: Limits::none(), ..Behind::default() }));
    let far = std::time::Duration::from_secs(100_000);
    let limits = Limits::none().with_nodes(u64::MAX / 2).with_time(far).with_cancel(CancelToken::new());
    engines.push(Box::new(Behind { name: "bitboard:limits", limits, ..Behind::default() }));
    engines
}

/// The engine behind the `Solver` trait, with or without limits, from `Puzzle` to `Outcome`.
#[derive(Default)]
struct Behind {
    name: &'static str,
    solver: bitboard::Bitboard,
    limits: Limits,
    lines: Vec<[u8; 81]>,
    puzzles: Vec<Puzzle>,
}

fn puzzle(line: &[u8; 81]) -> Puzzle {
    Puzzle::new(Board::from_classic_line(line).expect("81 digits or dots")).expect("no clash")
}

impl Engine for Behind {
    fn name(&self) -> &str {
        self.name
    }
    fn is_variant(&self) -> bool {
        true
    }
    fn prepare(&mut self, lines: &[String]) {
        self.lines = lines.iter().map(|line| line.as_bytes().try_into().expect("81 bytes")).collect();
        self.puzzles = self.lines.iter().map(puzzle).collect();
    }
    fn puzzles(&self) -> usize {
        self.puzzles.len()
    }
    fn answer(&mut self, i: usize, question: Question) -> Answer {
        let outcome = self.solver.count(&self.puzzles[i], question.limit(), &self.limits);
        let grid = outcome.solution().map(|solution| solution.as_bytes().try_into().expect("81 cells"));
        Answer { solutions: outcome.count(), grid }
    }
    fn pass(&mut self, question: Question, parse: bool) -> u64 {
        let (solver, limits) = (&mut self.solver, &self.limits);
        let mut ask = |puzzle: &Puzzle| black_box(solver.count(puzzle, question.limit(), limits)).count();
        if parse { self.lines.iter().map(|line| ask(&puzzle(line))).sum() } else { self.puzzles.iter().map(ask).sum() }
    }
    fn guesses(&mut self, question: Question) -> Option<f64> {
        let (solver, limits) = (&mut self.solver, &self.limits);
        let mut guesses = |puzzle| solver.count(puzzle, question.limit(), limits).counters().guesses().unwrap_or(0);
        let sum: u64 = self.puzzles.iter().map(&mut guesses).sum();
        Some(sum as f64 / self.puzzles.len() as f64)
    }
}

/// Puzzles handed to `search_batch` at once, as a program that streams would.
const BATCH: usize = 1024;

/// The batch engine behind the `Solver` trait, from `Puzzle` to `Outcome`.
struct Batch {
    name: String,
    solver: bitboard::Bitboard,
    lines: Vec<[u8; 81]>,
    puzzles: Vec<Puzzle>,
    /// The batch that was asked last for single answers: where it begins, and what was asked.
    checked: Option<(usize, Question)>,
    outcomes: Vec<Outcome>,
}

impl Batch {
    fn new(name: String, solver: bitboard::Bitboard) -> Batch {
        Batch { name, solver, lines: Vec::new(), puzzles: Vec::new(), checked: None, outcomes: Vec::new() }
    }

    fn ask(&mut self, puzzles: &[Puzzle], question: Question) -> u64 {
        let outcomes = self.solver.search_batch(puzzles, question.limit(), &Limits::none(), &Limits::none());
        black_box(&outcomes).iter().map(Outcome::count).sum()
    }
}

impl Engine for Batch {
    fn name(&self) -> &str {
        &self.name
    }
    fn is_variant(&self) -> bool {
        self.name != "bitboard:batch"
    }
    fn prepare(&mut self, lines: &[String]) {
        self.lines = lines.iter().map(|line| line.as_bytes().try_into().expect("81 bytes")).collect();
        self.puzzles = self.lines.iter().map(puzzle).collect();
        self.checked = None;
    }
    fn puzzles(&self) -> usize {
        self.puzzles.len()
    }
    fn answer(&mut self, i: usize, question: Question) -> Answer {
        // A whole batch for one answer, so that what is checked is what is timed.
        let start = i / BATCH * BATCH;
        let batch = &self.puzzles[start..self.puzzles.len().min(start + BATCH)];
        if self.checked != Some((start, question)) {
            self.outcomes = self.solver.search_batch(batch, question.limit(), &Limits::none(), &Limits::none());
            self.checked = Some((start, question));
        }
        let outcome = &self.outcomes[i - start];
        let grid = outcome.solution().map(|solution| solution.as_bytes().try_into().expect("81 cells"));
        Answer { solutions: outcome.count(), grid }
    }
    fn pass(&mut self, question: Question, parse: bool) -> u64 {
        if parse {
            let lines = std::mem::take(&mut self.lines);
            let sum = lines.chunks(BATCH).map(|lines| self.ask(&lines.iter().map(puzzle).collect::<Vec<_>>(), question)).sum();
            self.lines = lines;
            sum
        } else {
            let puzzles = std::mem::take(&mut self.puzzles);
            let sum = puzzles.chunks(BATCH).map(|puzzles| self.ask(puzzles, question)).sum();
            self.puzzles = puzzles;
            sum
        }
    }
    fn guesses(&mut self, question: Question) -> Option<f64> {
        let outcomes = self.solver.search_batch(&self.puzzles, question.limit(), &Limits::none(), &Limits::none());
        let sum: u64 = outcomes.iter().filter_map(|outcome| outcome.counters().guesses()).sum();
        Some(sum as f64 / self.puzzles.len() as f64)
    }
}

impl Engine for Bitboard {
    fn name(&self) -> &str {
        &self.name
    }
    fn is_variant(&self) -> bool {
        self.name != "bitboard"
    }
    fn prepare(&mut self, lines: &[String]) {
        self.lines = lines.to_vec();
        self.puzzles = lines.iter().map(|line| digits(line)).collect();
    }
    fn puzzles(&self) -> usize {
        self.puzzles.len()
    }
    fn answer(&mut self, i: usize, question: Question) -> Answer {
        if question == Question::Solve {
            let grid = self.engine.solve(&self.puzzles[i]);
            Answer { solutions: u64::from(grid.is_some()), grid }
        } else {
            Answer { solutions: self.engine.count(&self.puzzles[i], question.limit()), grid: None }
        }
    }
    fn pass(&mut self, question: Question, parse: bool) -> u64 {
        let engine = &mut self.engine;
        let mut ask = |givens: &[u8; 81]| {
            if question == Question::Solve {
                u64::from(black_box(engine.solve(givens)).is_some())
            } else {
                engine.count(givens, question.limit())
            }
        };
        if parse { self.lines.iter().map(|line| ask(&digits(line))).sum() } else { self.puzzles.iter().map(ask).sum() }
    }
    fn guesses(&mut self, question: Question) -> Option<f64> {
        let guesses: u64 = self.puzzles.iter().map(|givens| self.engine.guesses(givens, question.limit())).sum();
        Some(guesses as f64 / self.puzzles.len() as f64)
    }
}

// ---- the others ----

/// A solver without state of its own.
pub trait Peer {
    /// A puzzle as the solver likes it.
    type Input;
    const NAME: &'static str;
    const SLOW: bool = false;
    const COUNTS_ALL: bool = true;
    fn read(line: &str) -> Self::Input;
    /// The first solution, in the solver's own form.
    fn solve(input: &Self::Input) -> Option<Self::Solution>;
    type Solution;
    fn grid(solution: &Self::Solution) -> [u8; 81];
    fn count(input: &Self::Input, limit: u64) -> u64;
}

struct Simple<P: Peer> {
    lines: Vec<String>,
    puzzles: Vec<P::Input>,
}

fn simple<P: Peer>(_: P) -> Simple<P> {
    Simple { lines: Vec::new(), puzzles: Vec::new() }
}

impl<P: Peer> Engine for Simple<P> {
    fn name(&self) -> &str {
        P::NAME
    }
    fn is_slow(&self) -> bool {
        P::SLOW
    }
    fn counts_all(&self) -> bool {
        P::COUNTS_ALL
    }
    fn prepare(&mut self, lines: &[String]) {
        self.lines = lines.to_vec();
        self.puzzles = lines.iter().map(|line| P::read(line)).collect();
    }
    fn puzzles(&self) -> usize {
        self.puzzles.len()
    }
    fn answer(&mut self, i: usize, question: Question) -> Answer {
        let input = &self.puzzles[i];
        if question == Question::Solve {
            let grid = P::solve(input).map(|solution| P::grid(&solution));
            Answer { solutions: u64::from(grid.is_some()), grid }
        } else {
            Answer { solutions: P::count(input, question.limit()), grid: None }
        }
    }
    fn pass(&mut self, question: Question, parse: bool) -> u64 {
        let ask = |input: &P::Input| {
            if question == Question::Solve {
                u64::from(black_box(P::solve(input)).is_some())
            } else {
                P::count(input, question.limit())
            }
        };
        if parse { self.lines.iter().map(|line| ask(&P::read(line))).sum() } else { self.puzzles.iter().map(ask).sum() }
    }
}

/// A limit as `usize`, for solvers that count in it.
fn small(limit: u64) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}

struct SudokuCrate;

impl Peer for SudokuCrate {
    type Input = sudoku::Sudoku;
    type Solution = sudoku::Sudoku;
    const NAME: &'static str = "sudoku";
    fn read(line: &str) -> sudoku::Sudoku {
        sudoku::Sudoku::from_str_line(line).expect("81 digits or dots")
    }
    fn solve(input: &sudoku::Sudoku) -> Option<sudoku::Sudoku> {
        input.some_solution()
    }
    fn grid(solution: &sudoku::Sudoku) -> [u8; 81] {
        solution.to_bytes()
    }
    fn count(input: &sudoku::Sudoku, limit: u64) -> u64 {
        input.solutions_count_up_to(small(limit)) as u64
    }
}

struct Msolve;

impl Peer for Msolve {
    type Input = msolve::Sudoku;
    type Solution = msolve::Sudoku;
    const NAME: &'static str = "msolve";
    fn read(line: &str) -> msolve::Sudoku {
        line.parse().expect("81 digits or dots")
    }
    fn solve(input: &msolve::Sudoku) -> Option<msolve::Sudoku> {
        input.solve_one()
    }
    fn grid(solution: &msolve::Sudoku) -> [u8; 81] {
        solution.to_array()
    }
    fn count(input: &msolve::Sudoku, limit: u64) -> u64 {
        input.count_solutions(small(limit)) as u64
    }
}

struct Rustoku;

impl Peer for Rustoku {
    type Input = rustoku_lib::Rustoku;
    type Solution = rustoku_lib::core::Solution;
    const NAME: &'static str = "rustoku-lib";
    const SLOW: bool = true;
    const COUNTS_ALL: bool = false;
    fn read(line: &str) -> rustoku_lib::Rustoku {
        rustoku_lib::Rustoku::new_from_str(line).expect("81 digits or dots without clashes")
    }
    fn solve(input: &rustoku_lib::Rustoku) -> Option<rustoku_lib::core::Solution> {
        input.clone().solve_any()
    }
    fn grid(solution: &rustoku_lib::core::Solution) -> [u8; 81] {
        std::array::from_fn(|cell| solution.board.get(cell / 9, cell % 9))
    }
    fn count(input: &rustoku_lib::Rustoku, limit: u64) -> u64 {
        input.clone().count_solutions_until(small(limit)) as u64
    }
}

struct Sudokugen;

impl Peer for Sudokugen {
    type Input = sudokugen::Board;
    type Solution = sudokugen::Board;
    const NAME: &'static str = "sudokugen";
    const SLOW: bool = true;
    const COUNTS_ALL: bool = false;
    fn read(line: &str) -> sudokugen::Board {
        line.parse().expect("81 digits or dots")
    }
    fn solve(input: &sudokugen::Board) -> Option<sudokugen::Board> {
        let mut board = input.clone();
        board.solve().ok().map(|()| board)
    }
    fn grid(solution: &sudokugen::Board) -> [u8; 81] {
        std::array::from_fn(|cell| solution.get_at(cell / 9, cell % 9).unwrap_or(0))
    }
    /// `sudokugen` cannot count; it says whether there is a solution.
    fn count(input: &sudokugen::Board, _limit: u64) -> u64 {
        u64::from(Self::solve(input).is_some())
    }
}
