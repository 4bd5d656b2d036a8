//! Strategy `state-array`: the textbook backtracker, with the digits that each house has used kept in an array.
//!
//! 1. Take the first blank cell in row-major order.
//! 2. Its candidates are the digits that none of its houses has used: one OR over the houses' sets, whatever the side.
//! 3. Take the smallest candidate, mark it used in each house of the cell, go on with the next blank cell.
//! 4. With no candidate, go back to the last cell, unmark its digit and take its next candidate.
//! 5. With no blank cell left, the board is a solution.
//!
//! The tree is exactly that of strategy `backtracking`, node by node; only the test of a digit costs O(1) here instead of a scan. A
//! set of digits is one 64-bit word, as the bit-vector backtrackers for the n queens have used it (M. Richards, "Backtracking
//! algorithms in MCPL using bit patterns and recursion", 1997).
//!
//! It is bad at whatever fixes little in its first rows: a puzzle made for that ("near worst case", 17 givens, an empty
//! first row) takes tens of millions of nodes. [`CellOrder::Fewest`] is the one change that mends most of it.
//!
//! ```
//! use ninefold_core::{Limits, Puzzle, Solver, Verdict};
//! use ninefold_solver_state_array::{CellOrder, StateArray};
//!
//! let puzzle = Puzzle::new("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?)?;
//! let mut solver = StateArray::new().with_order(CellOrder::Fewest);
//! assert!(matches!(solver.classify(&puzzle, &Limits::none()), Verdict::Unique(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ops::ControlFlow;

use ninefold_core::{
    Caps, Cell, Choice, Contradiction, Digit, DigitSet, End, Event, HouseId, Puzzle, Rules, Search, Solver, Strategy, Tally, Why,
};

/// The strategy and its variants, the default first.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "state-array",
        summary: "backtracking, cells row by row, used digits of each house in an array",
        caps: Caps::ALL,
        build: || Box::new(StateArray::new()),
    },
    Strategy {
        name: "state-array:column-major",
        summary: "the same, cells column by column",
        caps: Caps::ALL,
        build: || Box::new(StateArray::new().with_order(CellOrder::ColumnMajor)),
    },
    Strategy {
        name: "state-array:fewest",
        summary: "the same, the cell with the fewest candidates first",
        caps: Caps::ALL,
        build: || Box::new(StateArray::new().with_order(CellOrder::Fewest)),
    },
];

/// Which blank cell is filled next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CellOrder {
    /// Row by row, as the textbook does.
    #[default]
    RowMajor,
    /// Column by column: what turning the board does to a puzzle that is hard row by row.
    ColumnMajor,
    /// The cell with the fewest candidates; of several, the first in row-major order.
    Fewest,
}

/// The solver. It keeps its memory from puzzle to puzzle.
#[derive(Debug, Default)]
pub struct StateArray {
    order: CellOrder,
    frames: Vec<Frame>,
    digits: Vec<u8>,
}

impl StateArray {
    /// The textbook order.
    pub fn new() -> StateArray {
        StateArray::default()
    }

    /// The same solver with another order of cells.
    #[must_use]
    pub fn with_order(mut self, order: CellOrder) -> StateArray {
        self.order = order;
        self
    }

    fn run(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> ControlFlow<End> {
        search.begin(puzzle, &self.caps())?;
        let rules = puzzle.rules();
        self.digits.clear();
        self.digits.extend_from_slice(puzzle.board().as_bytes());
        self.frames.clear();
        let side = rules.side();
        let cell_at = |i: usize| match self.order {
            CellOrder::ColumnMajor => rules.cell(i % side, i / side).expect("the board is square"),
            CellOrder::RowMajor | CellOrder::Fewest => Cell::new(i).expect("the board is no larger than 64×64"),
        };
        for cell in (0..rules.cell_count()).map(cell_at) {
            if puzzle.board().get(cell).is_none() {
                self.frames.push(Frame::new(cell, rules.houses_of(cell), puzzle.allowed(cell)));
            }
        }
        // Rows, columns and blocks, or regions: three houses a cell is by far the most common case.
        if rules.houses().len() <= 256 && rules.cells().all(|cell| rules.houses_of(cell).len() == 3) {
            self.walk_watched(puzzle, search, ThreeHouses::new(puzzle))
        } else {
            self.walk_watched(puzzle, search, AnyHouses::new(puzzle))
        }
    }

    fn walk_watched<H: Used>(&mut self, puzzle: &Puzzle, search: &mut Search<'_>, used: H) -> ControlFlow<End> {
        search.setup_done();
        if search.is_observed() {
            self.walk_ordered::<H, true>(puzzle, search, used)
        } else {
            self.walk_ordered::<H, false>(puzzle, search, used)
        }
    }

    fn walk_ordered<H: Used, const WATCHED: bool>(
        &mut self,
        puzzle: &Puzzle,
        search: &mut Search<'_>,
        used: H,
    ) -> ControlFlow<End> {
        match self.order {
            CellOrder::Fewest => self.walk::<H, WATCHED, true>(puzzle, search, used),
            CellOrder::RowMajor | CellOrder::ColumnMajor => self.walk::<H, WATCHED, false>(puzzle, search, used),
        }
    }

    /// The search. Everything that is known when the code is made (who watches, the order of cells, the houses of a cell) is
    /// a parameter of the type, so that the one loop is as tight as a loop written for one case.
    fn walk<H: Used, const WATCHED: bool, const FEWEST: bool>(
        &mut self,
        puzzle: &Puzzle,
        search: &mut Search<'_>,
        mut used: H,
    ) -> ControlFlow<End> {
        let frames = &mut self.frames[..];
        let mut tally = Tally::new(search);
        let mut at = 0;
        'node: loop {
            tally.node(search)?;
            if at == frames.len() {
                tally.report(search)?;
                for frame in &*frames {
                    self.digits[frame.cell.index()] = frame.digit().get();
                }
                search.solution(puzzle, &self.digits)?;
            } else {
                if FEWEST {
                    bring_fewest_forward(frames, at, &used);
                }
                let frame = &mut frames[at];
                let candidates = used.free(frame);
                if candidates != 0 {
                    frame.take(candidates);
                    used.toggle(frame);
                    let others_open = frame.untried != 0;
                    tally.first_choice(others_open);
                    if WATCHED {
                        search.event(frame.placement(others_open, Why::NakedSingle, tally.open()));
                    }
                    at += 1;
                    continue 'node;
                }
                tally.dead_end();
                if WATCHED {
                    search.event(Event::DeadEnd { why: Contradiction::Cell(frame.cell) });
                }
            }
            // Back to the last cell that has an untried candidate.
            loop {
                if at == 0 {
                    return tally.report(search);
                }
                at -= 1;
                let frame = &mut frames[at];
                used.toggle(frame);
                if frame.untried != 0 {
                    frame.take(frame.untried);
                    used.toggle(frame);
                    let others_open = frame.untried != 0;
                    tally.next_choice(others_open);
                    if WATCHED {
                        search.event(Event::Back { depth: tally.open() - usize::from(others_open) });
                        search.event(frame.placement(others_open, Why::Refuted, tally.open()));
                    }
                    at += 1;
                    continue 'node;
                }
            }
        }
    }
}

impl Solver for StateArray {
    fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
        Search::end(self.run(puzzle, search))
    }
}

/// One blank cell and what was tried there.
#[derive(Debug)]
struct Frame {
    /// The first three houses of the cell; all that it has, on most boards. The side is at most 64, so three times 64 houses fit a byte.
    houses: [u8; 3],
    cell: Cell,
    /// The digits that the puzzle allows here, before any house is looked at.
    allowed: u64,
    /// The digit in the cell, as a set of one.
    bit: u64,
    /// The candidates not yet tried.
    untried: u64,
}

impl Frame {
    fn new(cell: Cell, houses: &[HouseId], allowed: DigitSet) -> Frame {
        let mut first = [0; 3];
        for (slot, house) in first.iter_mut().zip(houses) {
            *slot = house.index() as u8;
        }
        Frame { houses: first, cell, allowed: allowed.bits(), bit: 0, untried: 0 }
    }

    /// Takes the smallest of the open candidates; the others stay untried.
    #[inline(always)]
    fn take(&mut self, open: u64) {
        self.bit = open & open.wrapping_neg();
        self.untried = open ^ self.bit;
    }

    fn digit(&self) -> Digit {
        DigitSet::from_bits(self.bit).first().expect("a digit was taken")
    }

    fn placement(&self, guess: bool, why: Why, depth: usize) -> Event<'static> {
        let (cell, digit) = (self.cell, self.digit());
        if guess { Event::Guess { choice: Choice::Place { cell, digit }, depth } } else { Event::Place { cell, digit, why } }
    }
}

/// Moves the frame whose cell has the fewest candidates to `at`; of several, the first in row-major order.
fn bring_fewest_forward<H: Used>(frames: &mut [Frame], at: usize, used: &H) {
    let count = |frame: &Frame| used.free(frame).count_ones();
    let mut best = at;
    let mut fewest = count(&frames[at]);
    for (i, frame) in frames.iter().enumerate().skip(at + 1) {
        let candidates = count(frame);
        if candidates < fewest || candidates == fewest && frame.cell < frames[best].cell {
            (best, fewest) = (i, candidates);
        }
    }
    frames.swap(at, best);
}

/// The digits that each house has used: the array in "state array".
trait Used {
    /// The candidates of a cell: what the puzzle allows and no house of it has used.
    fn free(&self, frame: &Frame) -> u64;

    /// Marks the digit of a frame as used, or takes the mark back.
    fn toggle(&mut self, frame: &Frame);
}

/// Every cell has exactly three houses. The array is as long as an index can reach, so no access needs a check.
struct ThreeHouses(Box<[u64; 256]>);

impl ThreeHouses {
    fn new(puzzle: &Puzzle) -> ThreeHouses {
        let mut used = Box::new([0; 256]);
        for (cell, digit) in puzzle.board().givens() {
            for house in puzzle.rules().houses_of(cell) {
                used[house.index()] |= DigitSet::of(digit).bits();
            }
        }
        ThreeHouses(used)
    }
}

impl Used for ThreeHouses {
    #[inline(always)]
    fn free(&self, frame: &Frame) -> u64 {
        let [a, b, c] = frame.houses.map(|house| self.0[usize::from(house)]);
        frame.allowed & !(a | b | c)
    }

    #[inline(always)]
    fn toggle(&mut self, frame: &Frame) {
        for house in frame.houses {
            self.0[usize::from(house)] ^= frame.bit;
        }
    }
}

/// Any rules: the houses of a cell are looked up.
struct AnyHouses<'a> {
    rules: &'a Rules,
    used: Vec<u64>,
}

impl<'a> AnyHouses<'a> {
    fn new(puzzle: &'a Puzzle) -> AnyHouses<'a> {
        let rules = puzzle.rules();
        let mut used = vec![0; rules.houses().len()];
        for (cell, digit) in puzzle.board().givens() {
            for house in rules.houses_of(cell) {
                used[house.index()] |= DigitSet::of(digit).bits();
            }
        }
        AnyHouses { rules, used }
    }
}

impl Used for AnyHouses<'_> {
    fn free(&self, frame: &Frame) -> u64 {
        self.rules.houses_of(frame.cell).iter().fold(frame.allowed, |free, house| free & !self.used[house.index()])
    }

    fn toggle(&mut self, frame: &Frame) {
        for house in self.rules.houses_of(frame.cell) {
            self.used[house.index()] ^= frame.bit;
        }
    }
}
