//! What the companion and the limits cost: the strategy `dlx` against the crate's own best use on the same puzzles.
//!
//! ```text
//! cargo run --release -p ninefold-solver-dlx --example overhead [FILE [LINES]]
//! ```
//!
//! FILE has one 9×9 puzzle a line; without it a few built-in ones are taken. The rows are timed in turns, so that a change of the
//! machine's speed meets all of them, and the best round of each counts.

use std::env;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use dlx::choose::Choose;
use dlx::x::{INodes, ONodes, Problem};
use dlx::{Dance, OptOrder, Uint};
use ninefold_core::{CancelToken, Limits, Puzzle, Solution, Solver};
use ninefold_solver_dlx::Dlx;

const ROUNDS: usize = 7;

const PUZZLES: &[&str] = &[
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
];

/// The crate as its user would run it: a template of the matrix, the givens covered in it, an own chooser that scans for the
/// fewest options and can end a search early. No limits, no counters, no check of the solution.
struct Bare {
    problem: Problem,
}

struct BareChooser {
    stop: bool,
}

impl Choose<Problem> for BareChooser {
    fn choose(&mut self, dance: &mut Problem) -> Uint {
        if self.stop {
            return 0;
        }
        let (mut best, mut least) = (0, dlx::Int::MAX);
        let mut item = *dance.rlink(0);
        while item != 0 {
            let len = *dance.len(item);
            if len < least {
                (best, least) = (item, len);
                if len <= 1 {
                    break;
                }
            }
            item = *dance.rlink(item);
        }
        best
    }
}

fn items(cell: usize, digit: usize) -> [usize; 4] {
    let (row, column) = (cell / 9, cell % 9);
    [cell, 81 + row * 9 + digit, 162 + column * 9 + digit, 243 + (row / 3 * 3 + column / 3) * 9 + digit]
}

impl Bare {
    fn new() -> Bare {
        let options: Vec<Vec<Uint>> = (0..729).map(|option| items(option / 9, option % 9).map(dlx::Uint).to_vec()).collect();
        let count = dlx::Uint(324usize);
        Bare { problem: Problem::new(INodes::new(count, 0), ONodes::new(count, count, &options, OptOrder::Seq)) }
    }

    /// The solutions up to `cap` (first in full).
    fn count(&mut self, digits: &[u8], cap: usize) -> (usize, [u8; 81]) {
        let givens = || digits.iter().enumerate().filter(|(_, digit)| **digit != 0);
        for (cell, digit) in givens() {
            for item in items(cell, usize::from(*digit) - 1) {
                self.problem.cover(dlx::Uint(item + 1));
            }
        }
        let mut chooser = BareChooser { stop: false };
        let mut solver = dlx::Solver::new(&mut self.problem);
        let mut found = 0;
        let mut grid = [0; 81];
        while solver.next_solution(&mut chooser) {
            if found == 0 {
                grid.copy_from_slice(digits);
                for option in solver.fmt_solution() {
                    grid[*option as usize / 9] = (*option % 9) as u8 + 1;
                }
            }
            found += 1;
            chooser.stop = found == cap;
        }
        for (cell, digit) in givens().collect::<Vec<_>>().into_iter().rev() {
            for item in items(cell, usize::from(*digit) - 1).into_iter().rev() {
                self.problem.uncover(dlx::Uint(item + 1));
            }
        }
        (found, grid)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let text = match args.next() {
        Some(file) => fs::read_to_string(file)?,
        None => PUZZLES.join("\n"),
    };
    let most = args.next().map_or(Ok(usize::MAX), |lines| lines.parse())?;
    let puzzles = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .take(most)
        .map(|line| Ok(Puzzle::new(line.parse()?)?))
        .collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    if puzzles.iter().any(|puzzle| !puzzle.rules().is_classic()) {
        return Err("only classic 9×9 puzzles can be compared".into());
    }

    let all = Limits::none().with_nodes(u64::MAX - 1).with_time(Duration::from_secs(3600)).with_cancel(CancelToken::new());
    let mut bare = Bare::new();
    let mut solver = Dlx::new();
    for cap in [1, 2] {
        for puzzle in &puzzles {
            let (found, grid) = bare.count(puzzle.board().as_bytes(), cap);
            let outcome = solver.count(puzzle, cap as u64, &all);
            assert_eq!(found as u64, outcome.count(), "{puzzle}");
            assert_eq!(outcome.solution().map(Solution::as_bytes), (found > 0).then_some(&grid[..]), "{puzzle}");
        }
        let mut best = [Duration::MAX; 3];
        let mut keep = |row: usize, from: Instant| best[row] = best[row].min(from.elapsed());
        for _ in 0..ROUNDS {
            let from = Instant::now();
            for puzzle in &puzzles {
                black_box(bare.count(puzzle.board().as_bytes(), cap));
            }
            keep(0, from);
            for (row, limits) in [(1, &Limits::none()), (2, &all)] {
                let from = Instant::now();
                for puzzle in &puzzles {
                    let _ = black_box(solver.count(puzzle, cap as u64, limits));
                }
                keep(row, from);
            }
        }
        println!("{} puzzles, up to {cap} solution(s), µs a puzzle", puzzles.len());
        for (name, time) in ["bare crate", "dlx, no limits", "dlx, all limits"].into_iter().zip(best) {
            let micros = time.as_secs_f64() * 1e6 / puzzles.len() as f64;
            println!("  {name:<16} {micros:>9.2}   {:.3} × bare", time.as_secs_f64() / best[0].as_secs_f64());
        }
    }
    Ok(())
}
