//! How long strategies take on large boards: those of files, a puzzle a line, or boards made here.
//!
//! ```sh
//! cargo run --release -p ninefold --example large_boards -- [STRATEGY,…] [SECONDS] [FILE]…
//! ```
//!
//! Without files: boards of side 16 to 64 with 90 to 60 % of the cells given, three of each, and empty ones. A full board is a pattern whose bands,
//! stacks, rows, columns and digits are shuffled; cells are cleared at random, so most of these have many solutions. Each is
//! counted up to 2, and given up after so many seconds (10).

use std::time::{Duration, Instant};

use ninefold::{BlockShape, Board, Limits, Puzzle, Rules};

/// A linear congruential generator (D. E. Knuth's MMIX), the same boards everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0) * bound as u128) >> 64) as usize
    }

    fn shuffled(&mut self, count: usize) -> Vec<usize> {
        let mut list: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            list.swap(i, self.below(i + 1));
        }
        list
    }

    /// The lines of a board in an order that keeps every band together.
    fn lines(&mut self, root: usize) -> Vec<usize> {
        let mut lines = Vec::new();
        for band in self.shuffled(root) {
            lines.extend(self.shuffled(root).into_iter().map(|line| band * root + line));
        }
        lines
    }
}

fn board(root: usize, percent: usize, seed: u64) -> Board {
    let side = root * root;
    let mut random = Random(seed);
    let (rows, columns, digits) = (random.lines(root), random.lines(root), random.shuffled(side));
    let mut bytes = Vec::new();
    for row in rows {
        bytes.extend(columns.iter().map(|column| digits[(row % root * root + row / root + column) % side] as u8 + 1));
    }
    for cell in &random.shuffled(side * side)[side * side * percent / 100..] {
        bytes[*cell] = 0;
    }
    let shape = BlockShape::square(side).expect("the side is a square");
    Board::from_bytes(&Rules::blocks(shape), &bytes).expect("a byte a cell")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let names = arguments.next().unwrap_or_else(|| "propagation,propagation:learning,dlx,sat".to_owned());
    let seconds = arguments.next().map_or(Ok(10.0), |text| text.parse())?;
    let mut sets = Vec::new();
    for file in arguments {
        let text = std::fs::read_to_string(&file)?;
        // Whatever stands behind a colon is an answer.
        let lines = text.lines().filter_map(|line| line.split(':').next()).filter(|line| !line.trim().is_empty());
        let boards: Result<Vec<Board>, _> = lines.map(str::parse).collect();
        sets.push((file, boards?));
    }
    if sets.is_empty() {
        for root in 4..=8 {
            for percent in [90, 80, 70, 60] {
                let boards = (0..3).map(|seed| board(root, percent, seed)).collect();
                sets.push((format!("{0}x{0}, {percent} % given", root * root), boards));
            }
            sets.push((format!("{0}x{0}, empty", root * root), vec![board(root, 0, 0)]));
        }
    }
    println!("| set | strategy | answered | sum ms | mean ms | longest ms |\n|---|---|---|---|---|---|");
    for (set, boards) in sets {
        for name in names.split(',') {
            let strategy = ninefold::by_name(name).ok_or_else(|| format!("no strategy `{name}` is enabled"))?;
            let mut solver = (strategy.build)();
            let (mut answered, mut sum, mut longest) = (0, 0.0, 0.0f64);
            for board in &boards {
                let puzzle = Puzzle::new(board.clone())?;
                let begun = Instant::now();
                let verdict = solver.classify(&puzzle, &Limits::none().with_time(Duration::try_from_secs_f64(seconds)?));
                let took = begun.elapsed().as_secs_f64() * 1e3;
                answered += usize::from(!matches!(verdict, ninefold::Verdict::Unknown(_)));
                sum += took;
                longest = longest.max(took);
            }
            let count = boards.len();
            println!("| {set} | {name} | {answered}/{count} | {sum:.1} | {:.2} | {longest:.1} |", sum / count as f64);
        }
    }
    Ok(())
}
