//! Puzzles as formulas in conjunctive normal form, for any SAT solver.
//!
//! [`Problem::prepare`] decides what is left to say: which candidates remain, and so which variables there are. A variable
//! stands for one candidate, *this cell holds this digit*; they are numbered from 0 in the order of cells, then digits, without gaps.
//! [`Problem::encode`] writes the clauses into a [`Sink`]; auxiliary variables follow the others. [`Problem::decode`] reads a
//! model, [`Problem::blocking`] makes the clause that forbids one solution.
//!
//! ```
//! use std::ops::ControlFlow;
//! use ninefold_core::{Limits, Puzzle, Search};
//! use ninefold_cnf::{Encoding, Literal, Preparation, Problem};
//!
//! let puzzle = Puzzle::new("1... ..3. .4.. ...2".parse()?)?;
//! let mut search = Search::new(&Limits::none());
//! let ControlFlow::Continue(Ok(problem)) = Problem::prepare(&puzzle, Preparation::Givens, &mut search) else { panic!() };
//! assert_eq!(problem.variable_count(), 20);
//!
//! let mut dimacs = String::new();
//! let mut sink = |clause: &[Literal]| {
//!     for literal in clause {
//!         dimacs += &format!("{} ", literal.to_dimacs());
//!     }
//!     dimacs += "0\n";
//!     ControlFlow::Continue(())
//! };
//! assert_eq!(problem.encode(Encoding::default(), &mut sink), ControlFlow::Continue(20));
//! assert!(dimacs.starts_with("1 2 0\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ops::{ControlFlow, Not};

use ninefold_core::{Cell, Choice, Contradiction, Digit, DigitSet, End, Puzzle, Search, Why};

mod at_most_one;
mod propagate;

pub use at_most_one::AtMostOne;
use propagate::Propagation;

/// Houses compared between two polls of the limits: some 100 µs of work.
const STEPS_PER_POLL: usize = 1 << 16;

/// A variable or its negation: twice the variable, plus one where it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// The literal that is true where the variable is. Variables are numbered from 0 to 2³⁰.
    pub const fn positive(variable: u32) -> Literal {
        Literal(variable << 1)
    }

    /// The literal that is true where the variable is false.
    pub const fn negative(variable: u32) -> Literal {
        Literal(variable << 1 | 1)
    }

    /// The variable, counted from 0.
    pub const fn variable(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the variable is negated.
    pub const fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// Twice the variable, plus one where it is negated: an index into per-literal tables.
    pub const fn code(self) -> u32 {
        self.0
    }

    /// The literal in a DIMACS file: the variable counted from 1, with a minus sign where it is negated.
    pub const fn to_dimacs(self) -> i32 {
        let variable = self.variable().cast_signed() + 1;
        if self.is_negative() { -variable } else { variable }
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// Takes clauses. Any `FnMut(&[Literal]) -> ControlFlow<End>` is one.
pub trait Sink {
    /// A clause: at least one of these literals is true. An empty clause says that the formula cannot be satisfied.
    ///
    /// # Errors
    /// A break ends the encoding, as where a limit has run out.
    fn clause(&mut self, literals: &[Literal]) -> ControlFlow<End>;

    /// Called now and then while no clauses come.
    ///
    /// # Errors
    /// A break ends the encoding, as where a limit has run out.
    fn poll(&mut self) -> ControlFlow<End> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(&[Literal]) -> ControlFlow<End>> Sink for F {
    fn clause(&mut self, literals: &[Literal]) -> ControlFlow<End> {
        self(literals)
    }
}

/// What is done with the givens before the formula is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preparation {
    /// Nothing: the formula states the whole board, side³ variables, and each given is a unit clause.
    Raw,
    /// The givens are placed and taken from their peers; what remains is encoded.
    Givens,
    /// The same, then naked and hidden singles are placed until there are none left.
    Singles,
    /// The same, and locked candidates are removed, until there is nothing of either.
    LockedCandidates,
}

/// How much the formula says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// Every cell holds a digit, no house holds one twice; nothing that follows from that.
    Minimal,
    /// Also: no cell holds two digits, and every full house holds every digit.
    Extended,
}

/// How to write a prepared puzzle down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// How much the formula says.
    pub form: Form,
    /// How at-most-one is said.
    pub at_most_one: AtMostOne,
}

impl Default for Encoding {
    /// Extended, with [`AtMostOne::Pairwise`]: the fastest in every measurement.
    fn default() -> Encoding {
        Encoding { form: Form::Extended, at_most_one: AtMostOne::Pairwise }
    }
}

/// How large a formula is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Variables, auxiliary ones included.
    pub variables: u64,
    /// Clauses.
    pub clauses: u64,
    /// Literals in all clauses.
    pub literals: u64,
}

/// What is left of a puzzle after its preparation, with a variable for each candidate.
#[derive(Clone, Debug)]
pub struct Problem<'p> {
    puzzle: &'p Puzzle,
    state: Propagation<'p>,
    /// The first variable of each cell; one entry more than there are cells.
    first: Vec<u32>,
    /// Whether the givens are left to unit clauses.
    raw: bool,
}

impl<'p> Problem<'p> {
    /// Prepares a puzzle. Digits placed beyond the givens are told to the search companion, which also sets the limits.
    /// `Err` where the preparation shows that there is no solution.
    ///
    /// # Errors
    /// Breaks where a limit has run out.
    pub fn prepare(
        puzzle: &'p Puzzle,
        preparation: Preparation,
        search: &mut Search<'_>,
    ) -> ControlFlow<End, Result<Problem<'p>, Contradiction>> {
        let mut state = Propagation::new(puzzle);
        let raw = preparation == Preparation::Raw;
        if !raw && let Err(contradiction) = state.place_givens(puzzle, search)? {
            return ControlFlow::Continue(Err(contradiction));
        }
        if matches!(preparation, Preparation::Singles | Preparation::LockedCandidates) {
            loop {
                if let Err(contradiction) = state.run(true, search)? {
                    return ControlFlow::Continue(Err(contradiction));
                }
                if preparation == Preparation::Singles || state.is_full() {
                    break;
                }
                match state.remove_locked(search)? {
                    Err(contradiction) => return ControlFlow::Continue(Err(contradiction)),
                    Ok(false) => break,
                    Ok(true) => {}
                }
            }
        }
        let mut first = Vec::with_capacity(state.sets.len() + 1);
        let mut count = 0;
        for (set, digit) in state.sets.iter().zip(&state.digits) {
            first.push(count);
            count += if *digit == 0 { set.len() as u32 } else { 0 };
        }
        first.push(count);
        ControlFlow::Continue(Ok(Problem { puzzle, state, first, raw }))
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &'p Puzzle {
        self.puzzle
    }

    /// How many candidates remain, each with a variable: 0 where every cell is placed. Auxiliary variables are not counted.
    pub fn variable_count(&self) -> u32 {
        self.first[self.first.len() - 1]
    }

    /// The digit that the preparation placed in a cell, given or forced.
    ///
    /// # Panics
    /// Where the cell is not on the board.
    pub fn placed(&self, cell: Cell) -> Option<Digit> {
        Digit::new(self.state.digits[cell.index()])
    }

    /// The digits placed, one byte a cell in row-major order, 0 for none.
    pub fn placed_bytes(&self) -> &[u8] {
        &self.state.digits
    }

    /// The candidates of a cell; of a placed one, its digit.
    ///
    /// # Panics
    /// Where the cell is not on the board.
    pub fn candidates(&self, cell: Cell) -> DigitSet {
        self.state.sets[cell.index()]
    }

    /// The variable that says that a cell holds a digit; `None` where that is settled.
    ///
    /// # Panics
    /// Where the cell is not on the board.
    pub fn variable(&self, cell: Cell, digit: Digit) -> Option<u32> {
        let set = self.candidates(cell);
        if self.placed(cell).is_some() || !set.contains(digit) {
            return None;
        }
        let below = set.bits() & (DigitSet::of(digit).bits() - 1);
        Some(self.first[cell.index()] + below.count_ones())
    }

    /// The cell and the digit that a variable stands for; `None` for an auxiliary one.
    pub fn place(&self, variable: u32) -> Option<(Cell, Digit)> {
        if variable >= self.variable_count() {
            return None;
        }
        let index = self.first.partition_point(|&first| first <= variable) - 1;
        let cell = Cell::new(index)?;
        let digit = self.candidates(cell).iter().nth((variable - self.first[index]) as usize)?;
        Some((cell, digit))
    }

    /// How large the formula would be, without writing it: no more than this, and less where two houses share pairs of cells that
    /// need not be said twice.
    ///
    /// # Errors
    /// Breaks where a limit has run out.
    pub fn size(&self, encoding: Encoding, search: &mut Search<'_>) -> ControlFlow<End, Size> {
        let rules = self.puzzle.rules();
        let extended = encoding.form == Form::Extended;
        let costs: Vec<(u64, u64)> = (0..=rules.side()).map(|count| encoding.at_most_one.cost(count)).collect();
        let mut size = Size { variables: u64::from(self.variable_count()), ..Size::default() };
        let at_most_one = |size: &mut Size, count: usize| {
            let (variables, clauses) = costs[count];
            size.variables += variables;
            size.clauses += clauses;
            size.literals += 2 * clauses;
        };
        for cell in rules.cells().filter(|cell| self.placed(*cell).is_none()) {
            let count = self.candidates(cell).len();
            size.clauses += 1;
            size.literals += count as u64;
            if self.states_one_digit(cell, extended) {
                at_most_one(&mut size, count);
            }
            if self.raw && self.puzzle.board().get(cell).is_some() {
                size.clauses += 1;
                size.literals += 1;
            }
        }
        for house in rules.houses() {
            search.poll()?;
            let (mut counts, mut used) = ([0; 64], 0);
            for &cell in house.cells() {
                let set = self.candidates(cell);
                if self.placed(cell).is_some() {
                    used |= set.bits();
                } else {
                    set.iter().for_each(|digit| counts[digit.index()] += 1);
                }
            }
            for (digit, &count) in counts[..rules.side()].iter().enumerate() {
                if extended && house.is_full() && used >> digit & 1 == 0 {
                    size.clauses += 1;
                    size.literals += count as u64;
                }
                at_most_one(&mut size, count);
            }
        }
        ControlFlow::Continue(size)
    }

    /// Whether it has to be said that a cell holds at most one digit. Where every cell of a full house holds a digit and none is
    /// there twice, no cell can hold two, and the minimal form leaves it out.
    fn states_one_digit(&self, cell: Cell, extended: bool) -> bool {
        let rules = self.puzzle.rules();
        extended || !rules.houses_of(cell).iter().any(|id| rules.house(*id).is_full())
    }

    /// Writes the formula and gives the count of all variables, auxiliary ones included. Its models, taken without the
    /// auxiliary variables, are the solutions of the puzzle, each once.
    ///
    /// # Errors
    /// Breaks where the sink does.
    pub fn encode(&self, encoding: Encoding, sink: &mut impl Sink) -> ControlFlow<End, u32> {
        let rules = self.puzzle.rules();
        let extended = encoding.form == Form::Extended;
        let mut next = self.variable_count();
        let mut literals = Vec::with_capacity(rules.side());
        for cell in rules.cells() {
            if self.placed(cell).is_some() {
                continue;
            }
            literals.clear();
            literals.extend((self.first[cell.index()]..self.first[cell.index() + 1]).map(Literal::positive));
            sink.clause(&literals)?;
            if self.states_one_digit(cell, extended) {
                encoding.at_most_one.write(&literals, &mut next, sink)?;
            }
            if self.raw
                && let Some(given) = self.puzzle.board().get(cell)
            {
                // A given is among its own candidates: the puzzle's constructor checked it.
                let given = self.variable(cell, given).map(Literal::positive);
                sink.clause(given.as_slice())?;
            }
        }
        let mut places: Vec<Vec<(Cell, Literal)>> = vec![Vec::new(); rules.side()];
        for (index, house) in rules.houses().iter().enumerate() {
            sink.poll()?;
            let mut used = 0u64;
            for &cell in house.cells() {
                let set = self.candidates(cell);
                if self.placed(cell).is_some() {
                    used |= set.bits();
                } else {
                    for (variable, digit) in (self.first[cell.index()]..).zip(set) {
                        places[digit.index()].push((cell, Literal::positive(variable)));
                    }
                }
            }
            for (digit, places) in places.iter_mut().enumerate() {
                if extended && house.is_full() && used >> digit & 1 == 0 {
                    literals.clear();
                    literals.extend(places.iter().map(|(_, literal)| *literal));
                    sink.clause(&literals)?;
                }
                if encoding.at_most_one.is_pairwise(places.len()) {
                    self.pairs(index, places, sink)?;
                } else {
                    literals.clear();
                    literals.extend(places.iter().map(|(_, literal)| *literal));
                    encoding.at_most_one.write(&literals, &mut next, sink)?;
                }
                places.clear();
            }
        }
        ControlFlow::Continue(next)
    }

    /// A clause for each pair of places of a digit in a house, but for pairs that an earlier house has too: a sixth of the pairs on a
    /// classic board.
    fn pairs(&self, house: usize, places: &[(Cell, Literal)], sink: &mut impl Sink) -> ControlFlow<End> {
        let rules = self.puzzle.rules();
        let mut steps = 0;
        for (i, &(a, literal_a)) in places.iter().enumerate() {
            for &(b, literal_b) in &places[i + 1..] {
                // A cell may be in thousands of houses, and a pair need not make a clause.
                steps += rules.houses_of(a).len() + rules.houses_of(b).len();
                if steps > STEPS_PER_POLL {
                    steps = 0;
                    sink.poll()?;
                }
                if rules.house_of_both(a, b).is_none_or(|first| first.index() >= house) {
                    sink.clause(&[!literal_a, !literal_b])?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The board that a model stands for, one byte a cell in row-major order; 0 where the model makes no candidate of a cell
    /// true, which no model of the formula does.
    pub fn decode(&self, is_true: impl Fn(u32) -> bool) -> Vec<u8> {
        let mut digits = self.state.digits.clone();
        for (index, digit) in digits.iter_mut().enumerate() {
            if *digit == 0 {
                let variables = self.first[index]..self.first[index + 1];
                let chosen = variables.zip(self.state.sets[index]).find(|(variable, _)| is_true(*variable));
                *digit = chosen.map_or(0, |(_, digit)| digit.get());
            }
        }
        digits
    }

    /// Tells the observer of a model, whose board is `solution`. Solvers do not say which of its digits were decisions and which followed
    /// from clauses, so the whole model is shown as one guess, at the first open cell, and what is learned with it.
    ///
    /// # Panics
    /// Where `solution` has fewer bytes than there are cells, or a blank.
    pub fn show_model(&self, solution: &[u8], search: &mut Search<'_>) {
        let open = self.puzzle.rules().cells().filter(|cell| self.placed(*cell).is_none());
        for (i, cell) in open.enumerate() {
            let digit = Digit::new(solution[cell.index()]).expect("a model has a digit in every cell");
            if i == 0 {
                search.guess(Choice::Place { cell, digit }, 1);
            } else {
                search.propagated(cell, digit, Why::Learned);
            }
        }
    }

    /// A clause that forbids one solution and no other. It does not name every cell, but a few whose digits force all others
    /// by naked and hidden singles; the fewer literals, the more a solver can do with it.
    ///
    /// `solution` has one byte a cell in row-major order, 1 to the side.
    ///
    /// # Errors
    /// Breaks where a limit has run out.
    ///
    /// # Panics
    /// Where `solution` has fewer bytes than there are cells, or does not solve the puzzle.
    pub fn blocking(&self, solution: &[u8], search: &mut Search<'_>) -> ControlFlow<End, Vec<Literal>> {
        let mut clause = Vec::new();
        let mut state = self.state.clone();
        if self.raw && state.place_givens(self.puzzle, search)?.is_err() {
            unreachable!("the puzzle has a solution");
        }
        loop {
            if state.run(false, search)?.is_err() {
                unreachable!("singles do not contradict a solution");
            }
            let rules = self.puzzle.rules();
            let open = rules.cells().filter(|cell| state.digits[cell.index()] == 0);
            let Some(cell) = open.min_by_key(|cell| state.sets[cell.index()].len()) else { break };
            let digit = Digit::new(solution[cell.index()]).expect("a solution has no blanks");
            let variable = self.variable(cell, digit).expect("a digit of the solution is a candidate");
            clause.push(Literal::negative(variable));
            if state.place(cell, digit).is_err() {
                unreachable!("a digit of the solution fits");
            }
        }
        ControlFlow::Continue(clause)
    }

    /// The clause that forbids one solution by naming every open cell.
    ///
    /// # Panics
    /// Where `solution` has fewer bytes than there are cells, or is no solution.
    pub fn blocking_all(&self, solution: &[u8]) -> Vec<Literal> {
        let open = self.puzzle.rules().cells().filter(|cell| self.placed(*cell).is_none());
        let digit = |cell: Cell| Digit::new(solution[cell.index()]).expect("a solution has no blanks");
        open.filter_map(|cell| self.variable(cell, digit(cell)).map(Literal::negative)).collect()
    }
}
