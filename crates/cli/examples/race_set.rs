//! Makes the sets that `ninefold race` runs on: `cargo run --release -p ninefold-cli --example race_set -- crates/cli/data/race`
//!
//! Some are known by name, with their author; the others are made here from a fixed seed. Nothing depends on which strategy
//! answers: grids are filled at random by the loop below, and a strategy is only asked how many solutions a puzzle has.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use ninefold::{Board, Cell, Digit, DigitSet, Limits, Puzzle, Rules};
use ninefold_formats::{Count, Format, Record, Writer};

const SEED: u64 = 9;

/// Name, comment, puzzle: published puzzles that solvers are measured with.
const NAMED: &[(&str, &str, &str)] = &[
    (
        "Wikipedia's example",
        "the puzzle that the article Sudoku shows",
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    ),
    (
        "against brute force",
        "from Wikipedia's article on solving algorithms: made to keep row by row backtracking busy",
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    ),
    ("AI Escargot", "Arto Inkala, 2006", "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."),
    ("Inkala 2012", "Arto Inkala, 2012", "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."),
    ("Golden Nugget", "tarek, 2007", ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7....."),
    ("Easter Monster", "champagne, 2007", "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"),
    (
        "Norvig's impossible",
        "Peter Norvig, Solving Every Sudoku Puzzle: no solution, which took his program 24 minutes",
        ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",
    ),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).ok_or("name the folder to write to")?;
    let folder = Path::new(&folder);
    let mut random = Random(SEED);
    let classic = Rules::classic();

    let mut set = Set::new(folder, "famous")?;
    for (name, comment, text) in NAMED {
        set.write(name, comment, &text.parse()?)?;
    }
    set.finish()?;

    let mut set = Set::new(folder, "easy")?;
    for (givens, count) in [(36, 10), (28, 10)] {
        for i in 1..=count {
            let grid = random.grid(classic);
            let board = random.dig(&grid, givens);
            set.write(&format!("{givens} givens, {i}"), "dug from a random grid", &board)?;
        }
    }
    set.finish()?;

    let mut set = Set::new(folder, "minimal")?;
    for i in 1..=18 {
        let grid = random.grid(classic);
        let board = random.dig(&grid, 0);
        set.write(&format!("minimal {i}"), "no given can go", &board)?;
    }
    for i in 1..=2 {
        let sparse = (0..300).map(|_| {
            let grid = random.grid(classic);
            random.dig(&grid, 0)
        });
        let Some(board) = sparse.min_by_key(Board::given_count) else { continue };
        set.write(&format!("sparse {i}"), "the fewest givens of 300 minimal puzzles", &board)?;
    }
    set.finish()?;

    let mut set = Set::new(folder, "special")?;
    let two = random.changed(|random, board| {
        let cell = random.given(board);
        board.set(cell, None);
        count(board, 3) == Some(2)
    });
    set.write("two solutions", "a minimal puzzle without one of its givens", &two)?;
    for i in 1..=2 {
        let none = random.changed(|random, board| {
            let cell = random.given(board);
            board.set(cell, Digit::new(1 + random.below(9) as u8));
            count(board, 1) == Some(0)
        });
        set.write(&format!("unsolvable {i}"), "a minimal puzzle with one given changed", &none)?;
    }
    set.write("empty", "no givens", &Board::empty(classic))?;
    let full = random.grid(classic);
    set.write("full", "no blanks", &full)?;
    set.finish()?;

    let mut set = Set::new(folder, "sizes")?;
    for (shape, givens) in [("2x2", 0), ("2x3", 0), ("3x2", 0), ("2x4", 0), ("3x4", 60), ("4x4", 130), ("4x4", 105)] {
        let rules = Rules::blocks(shape.parse()?);
        let grid = random.grid(&rules);
        let board = random.dig(&grid, givens);
        let side = rules.side();
        set.write(&format!("{side}×{side}, {} givens", board.given_count()), &format!("blocks of {shape}"), &board)?;
    }
    set.finish()
}

struct Set(Writer<BufWriter<File>>);

impl Set {
    fn new(folder: &Path, name: &str) -> std::io::Result<Set> {
        let file = File::create(folder.join(format!("{name}.jsonl")))?;
        Ok(Set(Writer::new(BufWriter::new(file), Format::JsonLines)))
    }

    fn finish(self) -> Result<(), Box<dyn std::error::Error>> {
        Ok(self.0.finish()?.flush()?)
    }

    /// Writes a puzzle with the count of its solutions, up to 2, and its only solution.
    fn write(&mut self, name: &str, comment: &str, board: &Board) -> Result<(), Box<dyn std::error::Error>> {
        let puzzle = Puzzle::new(board.clone())?;
        let strategy = ninefold::auto(puzzle.rules()).ok_or("no strategy is enabled")?;
        let outcome = (strategy.build)().count(&puzzle, 2, &Limits::none());
        let only = outcome.solution().filter(|_| outcome.is_exact());
        let mut record = Record::new(board);
        (record.name, record.comment) = (Some(name), Some(comment));
        record.count = Some(Count { found: outcome.count(), exact: outcome.is_exact() });
        record.solution = only.map(ninefold::Solution::board);
        self.0.write(&record)?;
        Ok(())
    }
}

/// How many solutions a board has, up to a cap; `None` where its givens clash.
fn count(board: &Board, cap: u64) -> Option<u64> {
    let puzzle = Puzzle::new(board.clone()).ok()?;
    let strategy = ninefold::auto(puzzle.rules())?;
    Some((strategy.build)().count(&puzzle, cap, &Limits::none()).count())
}

/// SplitMix64 (Steele, Lea and Flood 2014): a few lines, and the same figures everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// A full grid: the cell with the fewest candidates first, its digits in random order.
    fn grid(&mut self, rules: &Rules) -> Board {
        loop {
            let mut board = Board::empty(rules);
            // Now and then a large board goes astray; another start is cheaper than the search for a way back.
            let mut steps = 50 * rules.cell_count();
            if self.fill(&mut board, &mut steps) {
                return board;
            }
        }
    }

    fn fill(&mut self, board: &mut Board, steps: &mut usize) -> bool {
        let candidates = |cell: Cell| {
            let peers = board.rules().peers(cell).iter().filter_map(|&peer| board.get(peer));
            DigitSet::all(board.rules().side()).difference(peers.collect())
        };
        let blanks = board.rules().cells().filter(|&cell| board.get(cell).is_none());
        let Some((cell, set)) = blanks.map(|cell| (cell, candidates(cell))).min_by_key(|(_, set)| set.len()) else {
            return true;
        };
        let mut digits: Vec<Digit> = set.iter().collect();
        self.shuffle(&mut digits);
        for digit in digits {
            *steps = steps.saturating_sub(1);
            if *steps == 0 {
                return false;
            }
            board.set(cell, Some(digit));
            if self.fill(board, steps) {
                return true;
            }
        }
        board.set(cell, None);
        false
    }

    /// Takes givens away in random order as long as the solution stays the only one and more than `least` are left.
    fn dig(&mut self, grid: &Board, least: usize) -> Board {
        let mut board = grid.clone();
        let mut cells: Vec<Cell> = board.rules().cells().collect();
        self.shuffle(&mut cells);
        for cell in cells {
            if board.given_count() <= least {
                break;
            }
            let digit = board.get(cell);
            board.set(cell, None);
            if count(&board, 2) != Some(1) {
                board.set(cell, digit);
            }
        }
        board
    }

    fn given(&mut self, board: &Board) -> Cell {
        let givens: Vec<Cell> = board.givens().map(|(cell, _)| cell).collect();
        givens[self.below(givens.len())]
    }

    /// Changes minimal puzzles at random until one fits.
    fn changed(&mut self, change: impl Fn(&mut Random, &mut Board) -> bool) -> Board {
        loop {
            let grid = self.grid(Rules::classic());
            let mut board = self.dig(&grid, 0);
            if change(self, &mut board) {
                return board;
            }
        }
    }
}
