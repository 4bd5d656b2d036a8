//! Strategy `backtracking`: the textbook program, with nothing kept but the board itself.
//!
//! 1. Take the first blank cell in row-major order.
//! 2. Try the digits in ascending order; for each trial scan the houses of the cell for the same digit.
//! 3. Write the first digit that fits, go on with the next blank cell.
//! 4. With no digit that fits, clear the last cell and try its next digit.
//! 5. With no blank cell left, the board is a solution.
//!
//! This is depth-first search with backtracking as S. W. Golomb and L. D. Baumert described it ("Backtrack Programming", Journal of
//! the ACM 12, 1965), the program that most people write first. Its search tree is the yardstick of the other strategies.
//!
//! It is bad at almost everything but small and easy boards: each trial costs a scan, and the order of the cells ignores what the
//! givens say. It is here because everyone understands it, so that everything else can be checked against it.
//!
//! ```
//! use ninefold_core::{Limits, Puzzle, Solver, Verdict};
//! use ninefold_solver_backtracking::Backtracking;
//!
//! let puzzle = Puzzle::new("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?)?;
//! assert!(matches!(Backtracking::new().classify(&puzzle, &Limits::none()), Verdict::Unique(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ops::ControlFlow;

use ninefold_core::{
    Caps, Cell, Choice, Contradiction, Digit, DigitSet, End, Event, Puzzle, Rules, Search, Solver, Strategy, Tally, Why,
};

/// The strategy and its variants, the default first.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "backtracking",
        summary: "plain backtracking, cells row by row, each trial scans the houses",
        caps: Caps::ALL,
        build: || Box::new(Backtracking::new()),
    },
    Strategy {
        name: "backtracking:column-major",
        summary: "the same, cells column by column",
        caps: Caps::ALL,
        build: || Box::new(Backtracking::new().with_order(CellOrder::ColumnMajor)),
    },
    Strategy {
        name: "backtracking:fewest",
        summary: "the same, the cell with the fewest fitting digits first",
        caps: Caps::ALL,
        build: || Box::new(Backtracking::new().with_order(CellOrder::Fewest)),
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
    /// The cell that the fewest digits fit; of several, the first in row-major order.
    Fewest,
}

/// The solver. It keeps its memory from puzzle to puzzle.
#[derive(Debug)]
pub struct Backtracking {
    order: CellOrder,
    digits: Box<[u8; MAX_CELLS]>,
    around: Vec<[u8; RUN]>,
    frames: Vec<Frame>,
}

impl Default for Backtracking {
    fn default() -> Backtracking {
        Backtracking { order: CellOrder::default(), digits: Box::new([0; MAX_CELLS]), around: Vec::new(), frames: Vec::new() }
    }
}

impl Backtracking {
    /// The textbook order.
    pub fn new() -> Backtracking {
        Backtracking::default()
    }

    /// The same solver with another order of cells.
    #[must_use]
    pub fn with_order(mut self, order: CellOrder) -> Backtracking {
        self.order = order;
        self
    }

    fn run(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> ControlFlow<End> {
        search.begin(puzzle, &self.caps())?;
        let rules = puzzle.rules();
        self.digits[..rules.cell_count()].copy_from_slice(puzzle.board().as_bytes());
        self.frames.clear();
        let side = rules.side();
        for i in 0..rules.cell_count() {
            let index = if self.order == CellOrder::ColumnMajor { i % side * side + i / side } else { i };
            let cell = Cell::new(index).expect("the board is no larger than 64×64");
            if puzzle.board().get(cell).is_none() {
                self.frames.push(Frame { cell, allowed: puzzle.allowed(cell), digit: None, next: None });
            }
        }
        search.setup_done();
        let grid = Grid { rules, digits: &mut self.digits, around: &mut self.around };
        let frames = &mut self.frames;
        match (self.order == CellOrder::Fewest, search.is_observed()) {
            (false, false) => walk::<false, false>(puzzle, search, grid, frames),
            (false, true) => walk::<false, true>(puzzle, search, grid, frames),
            (true, false) => walk::<true, false>(puzzle, search, grid, frames),
            (true, true) => walk::<true, true>(puzzle, search, grid, frames),
        }
    }
}

impl Solver for Backtracking {
    fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
        Search::end(self.run(puzzle, search))
    }
}

/// One blank cell and what was tried there.
#[derive(Debug)]
struct Frame {
    cell: Cell,
    /// The digits that the puzzle allows here, before any house is looked at.
    allowed: DigitSet,
    /// The digit in the cell.
    digit: Option<Digit>,
    /// The next digit that fits. It is looked for before the search goes deeper rather than after it came back: the trials are the same, and
    /// whether the present digit is a guess is known when it is taken.
    next: Option<Digit>,
}

impl Frame {
    fn placement(&self, guess: bool, why: Why, depth: usize) -> Event<'static> {
        let (cell, digit) = (self.cell, self.digit.expect("a digit was taken"));
        if guess { Event::Guess { choice: Choice::Place { cell, digit }, depth } } else { Event::Place { cell, digit, why } }
    }
}

/// The cells of the largest board. The array is as long for every board, so that no access needs a check.
const MAX_CELLS: usize = ninefold_core::MAX_SIDE * ninefold_core::MAX_SIDE;

/// Digits that one vector instruction compares.
const RUN: usize = 16;

/// The board in work: one byte a cell, 0 for a blank.
struct Grid<'a> {
    rules: &'a Rules,
    digits: &'a mut [u8; MAX_CELLS],
    around: &'a mut Vec<[u8; RUN]>,
}

impl Grid<'_> {
    /// The digits of the cell's peers, that is of all other cells of its houses, side by side. A trial that looks each peer
    /// up on the board takes twice as long, and the digits of the peers are the same for all trials of a visit.
    #[inline(always)]
    fn look_around(&mut self, cell: Cell) {
        let peers = self.rules.peers(cell);
        self.around.resize(peers.len().div_ceil(RUN), [0; RUN]);
        for (run, peers) in self.around.iter_mut().zip(peers.chunks(RUN)) {
            // What the last run has to spare stays blank, and no digit is 0.
            *run = [0; RUN];
            for (digit, peer) in run.iter_mut().zip(peers) {
                *digit = self.digits[peer.index() % MAX_CELLS];
            }
        }
    }

    /// The trial: no house of the cell that was looked around last holds the digit. A run is compared at once.
    #[inline(always)]
    fn fits(&self, digit: Digit) -> bool {
        let clashes = |run: &[u8; RUN]| run.iter().fold(false, |clash, &peer| clash | (peer == digit.get()));
        !self.around.iter().fold(false, |clash, run| clash | clashes(run))
    }

    /// The smallest digit above `last` that the puzzle allows in the frame's cell and that fits there.
    #[inline(always)]
    fn next_fit(&self, frame: &Frame, last: Option<Digit>) -> Option<Digit> {
        let tried = last.map_or(0, Digit::get);
        // Shifting by 64 is what a plain shift cannot do, and the digit 64 asks for it.
        let above = u64::MAX.checked_shl(u32::from(tried)).unwrap_or(0);
        frame.allowed.intersection(DigitSet::from_bits(above)).iter().find(|&digit| self.fits(digit))
    }

    fn write(&mut self, cell: Cell, digit: Option<Digit>) {
        self.digits[cell.index() % MAX_CELLS] = digit.map_or(0, Digit::get);
    }
}

/// The search, with an explicit stack: a 64×64 board is 4096 cells deep. Who watches and how cells are ordered are parameters of the
/// function, so that the plain case pays for neither.
fn walk<const FEWEST: bool, const WATCHED: bool>(
    puzzle: &Puzzle,
    search: &mut Search<'_>,
    mut grid: Grid<'_>,
    frames: &mut [Frame],
) -> ControlFlow<End> {
    let mut tally = Tally::new(search);
    let mut at = 0;
    'node: loop {
        tally.node(search)?;
        if at == frames.len() {
            tally.report(search)?;
            search.solution(puzzle, &grid.digits[..grid.rules.cell_count()])?;
        } else {
            if FEWEST && let ControlFlow::Break(end) = bring_fewest_forward(frames, at, &mut grid, search) {
                tally.report(search)?;
                return ControlFlow::Break(end);
            }
            let frame = &mut frames[at];
            grid.look_around(frame.cell);
            frame.digit = grid.next_fit(frame, None);
            if frame.digit.is_some() {
                frame.next = grid.next_fit(frame, frame.digit);
                grid.write(frame.cell, frame.digit);
                let others_open = frame.next.is_some();
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
        // Back to the last cell that another digit fits.
        loop {
            if at == 0 {
                return tally.report(search);
            }
            at -= 1;
            let frame = &mut frames[at];
            grid.write(frame.cell, None);
            if frame.next.is_some() {
                frame.digit = frame.next;
                grid.look_around(frame.cell);
                frame.next = grid.next_fit(frame, frame.digit);
                grid.write(frame.cell, frame.digit);
                let others_open = frame.next.is_some();
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

/// Runs of peers looked at between two looks at the limits, well under a millisecond's worth. A cell may have all others as peers: to look for the
/// fewest on an empty 64×64 board with such rules takes half a second.
const RUNS_PER_POLL: usize = 1 << 10;

/// Moves the frame whose cell the fewest digits fit to `at`; of several, the first in row-major order. Breaks where a limit has run out.
fn bring_fewest_forward(frames: &mut [Frame], at: usize, grid: &mut Grid<'_>, search: &mut Search<'_>) -> ControlFlow<End> {
    let mut best = at;
    let mut fewest = usize::MAX;
    let mut runs = 0;
    for (i, frame) in frames.iter().enumerate().skip(at) {
        grid.look_around(frame.cell);
        let fitting = frame.allowed.iter().filter(|&digit| grid.fits(digit)).count();
        if fitting < fewest || fitting == fewest && frame.cell < frames[best].cell {
            (best, fewest) = (i, fitting);
        }
        runs += grid.around.len();
        if runs > RUNS_PER_POLL {
            runs = 0;
            search.poll()?;
        }
    }
    frames.swap(at, best);
    ControlFlow::Continue(())
}
