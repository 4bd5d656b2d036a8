//! How long strategies take on boards of all sizes, by the share of cells that are given: boards made here, or those of files, a puzzle a line.
//!
//! ```sh
//! cargo run --release -p ninefold --example large_boards -- [STRATEGY,…] [SECONDS] [SIDE | SIDE:PERCENT | FILE]…
//! ```
//!
//! Without sides and files: sides 9 to 64 with 80, 60, 45, 30 and 0 % of the cells given, five boards of each. A full board is a pattern whose
//! bands, stacks, rows, columns and digits are shuffled; cells are cleared at random, so most of these have many solutions. Each is
//! counted up to 2, and given up after so many seconds (10). Shown are the mean and the longest time in milliseconds, give-ups included, and
//! how many were answered, unless all were.

use std::time::{Duration, Instant};

use ninefold::{BlockShape, Board, Limits, Puzzle, Rules};

const SIDES: [usize; 7] = [9, 12, 16, 25, 36, 49, 64];
const PERCENTS: [usize; 5] = [80, 60, 45, 30, 0];
const BOARDS: u64 = 5;

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

    /// So many groups of so many lines in an order that keeps every group together: bands of rows or stacks of columns.
    fn lines(&mut self, groups: usize, lines: usize) -> Vec<usize> {
        let mut list = Vec::new();
        for group in self.shuffled(groups) {
            list.extend(self.shuffled(lines).into_iter().map(|line| group * lines + line));
        }
        list
    }
}

/// A board with blocks as square as they can be, the wider the better.
fn board(side: usize, percent: usize, seed: u64) -> Result<Board, Box<dyn std::error::Error>> {
    let shape = BlockShape::all_for(side).filter(|shape| shape.rows() <= shape.columns()).last();
    let shape = shape.ok_or("a side is 1 to 64")?;
    let mut random = Random(seed);
    let rows = random.lines(shape.columns(), shape.rows());
    let columns = random.lines(shape.rows(), shape.columns());
    let digits = random.shuffled(side);
    let mut bytes = Vec::new();
    for row in rows {
        let first = row % shape.rows() * shape.columns() + row / shape.rows();
        bytes.extend(columns.iter().map(|column| digits[(first + column) % side] as u8 + 1));
    }
    for cell in &random.shuffled(side * side)[side * side * percent / 100..] {
        bytes[*cell] = 0;
    }
    Ok(Board::from_bytes(&Rules::blocks(shape), &bytes)?)
}

/// Boards of one side and share of givens.
fn made(side: usize, percent: usize) -> Result<(String, Vec<Board>), Box<dyn std::error::Error>> {
    // Of the empty board there is one.
    let count = if percent == 0 { 1 } else { BOARDS };
    let boards: Result<Vec<Board>, _> = (0..count).map(|seed| board(side, percent, seed)).collect();
    Ok((format!("{side}, {percent} %"), boards?))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let names = arguments.next().unwrap_or_else(|| "propagation,propagation:learning,dlx,sat".to_owned());
    let seconds = arguments.next().map_or(Ok(10.0), |text| text.parse())?;
    let mut sets = Vec::new();
    for argument in arguments {
        if let Ok(side) = argument.parse() {
            for percent in PERCENTS {
                sets.push(made(side, percent)?);
            }
        } else if let Some((Ok(side), Ok(percent))) = argument.split_once(':').map(|(a, b)| (a.parse(), b.parse())) {
            sets.push(made(side, percent)?);
        } else {
            let text = std::fs::read_to_string(&argument)?;
            // Whatever stands behind a colon is an answer.
            let lines = text.lines().filter_map(|line| line.split(':').next()).filter(|line| !line.trim().is_empty());
            let boards: Result<Vec<Board>, _> = lines.map(str::parse).collect();
            sets.push((argument, boards?));
        }
    }
    if sets.is_empty() {
        for side in SIDES {
            for percent in PERCENTS {
                sets.push(made(side, percent)?);
            }
        }
    }
    let mut strategies = Vec::new();
    for name in names.split(',') {
        strategies.push(ninefold::by_name(name).ok_or_else(|| format!("no strategy `{name}` is enabled"))?);
    }
    print!("| boards | ");
    strategies.iter().for_each(|strategy| print!("`{}` | ", strategy.name));
    println!("\n|---|{}", "---|".repeat(strategies.len()));
    for (set, boards) in sets {
        print!("| {set} |");
        for strategy in &strategies {
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
            let given_up = if answered < count { format!(", {answered} of {count}") } else { String::new() };
            print!(" {:.2} ({longest:.1}){given_up} |", sum / count.max(1) as f64);
        }
        println!();
    }
    Ok(())
}
