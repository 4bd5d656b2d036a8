//! Sets that anyone can make again from a seed.

use std::io::{self, Write};

use clap::ValueEnum;
use ninefold_solver_bitboard::Engine;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// 33 givens where possible, solvable by naked and hidden singles alone
    Easy,
    /// One solution, and no given can go
    Minimal,
    /// Minimal puzzles with one more given that does not clash but leaves no solution
    NoSolution,
}

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    fn order(&mut self) -> [usize; 81] {
        let mut order = std::array::from_fn(|i| i);
        self.shuffle(&mut order);
        order
    }
}

/// Writes `count` puzzles.
pub fn write(kind: Kind, count: usize, seed: u64, out: &mut impl Write) -> io::Result<()> {
    let mut random = Random(seed);
    let mut engine = Engine::new();
    let mut out = io::BufWriter::new(out);
    for _ in 0..count {
        let grid = full_grid(&mut random, &mut engine);
        let puzzle = match kind {
            Kind::Easy => easy(&grid, &mut random),
            Kind::Minimal => minimal(&grid, &mut random, &mut engine),
            Kind::NoSolution => unsolvable(&grid, &mut random, &mut engine),
        };
        let line: String = puzzle.iter().map(|&d| if d == 0 { '.' } else { char::from(b'0' + d) }).collect();
        writeln!(out, "{line}")?;
    }
    out.flush()
}

/// A random full grid: three random diagonal blocks, then cell by cell in random order a random digit that leaves a solution.
fn full_grid(random: &mut Random, engine: &mut Engine) -> [u8; 81] {
    let mut givens = [0u8; 81];
    for block in 0..3 {
        let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        random.shuffle(&mut digits);
        for (i, digit) in digits.into_iter().enumerate() {
            givens[30 * block + 9 * (i / 3) + i % 3] = digit;
        }
    }
    for cell in random.order() {
        if givens[cell] == 0 {
            let mut fitting: Vec<u8> = (1..=9).filter(|&digit| fits(&givens, cell, digit)).collect();
            random.shuffle(&mut fitting);
            for digit in fitting {
                givens[cell] = digit;
                if engine.count(&givens, 1) == 1 {
                    break;
                }
            }
        }
    }
    givens
}

fn peers(cell: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / 9, cell % 9);
    (0..81).filter(move |&other| {
        let (r, c) = (other / 9, other % 9);
        other != cell && (r == row || c == column || (r / 3 == row / 3 && c / 3 == column / 3))
    })
}

fn fits(givens: &[u8; 81], cell: usize, digit: u8) -> bool {
    peers(cell).all(|peer| givens[peer] != digit)
}

fn easy(grid: &[u8; 81], random: &mut Random) -> [u8; 81] {
    let mut puzzle = *grid;
    let mut left = 81;
    for cell in random.order() {
        if left == 33 {
            break;
        }
        let digit = std::mem::take(&mut puzzle[cell]);
        if singles_solve(&puzzle) {
            left -= 1;
        } else {
            puzzle[cell] = digit;
        }
    }
    puzzle
}

fn minimal(grid: &[u8; 81], random: &mut Random, engine: &mut Engine) -> [u8; 81] {
    let mut puzzle = *grid;
    for cell in random.order() {
        let digit = std::mem::take(&mut puzzle[cell]);
        if engine.count(&puzzle, 2) != 1 {
            puzzle[cell] = digit;
        }
    }
    puzzle
}

fn unsolvable(grid: &[u8; 81], random: &mut Random, engine: &mut Engine) -> [u8; 81] {
    let mut puzzle = minimal(grid, random, engine);
    for cell in random.order() {
        if puzzle[cell] == 0 {
            let wrong: Vec<u8> = (1..=9).filter(|&digit| digit != grid[cell] && fits(&puzzle, cell, digit)).collect();
            if !wrong.is_empty() {
                puzzle[cell] = wrong[random.below(wrong.len())];
                return puzzle;
            }
        }
    }
    unreachable!("a minimal puzzle has a cell with two candidates: its givens alone do not rule out every other digit")
}

/// Do naked and hidden singles alone solve the puzzle?
fn singles_solve(puzzle: &[u8; 81]) -> bool {
    let mut grid = [0u8; 81];
    let mut used = [0u16; 27];
    for (cell, &digit) in puzzle.iter().enumerate().filter(|(_, digit)| **digit != 0) {
        place(&mut grid, &mut used, cell, digit);
    }
    loop {
        let mut placed = false;
        for house in 0..27 {
            let cells: [usize; 9] = std::array::from_fn(|i| match house / 9 {
                0 => 9 * house + i,
                1 => 9 * i + house - 9,
                _ => 27 * ((house - 18) / 3) + 3 * ((house - 18) % 3) + 9 * (i / 3) + i % 3,
            });
            let free = |used: &[u16; 27], grid: &[u8; 81], cell: usize| {
                if grid[cell] == 0 { 0x3FE & !houses(cell).iter().fold(0, |mask, &house| mask | used[house]) } else { 0 }
            };
            let (mut once, mut twice) = (0, 0);
            for &cell in &cells {
                let mask = free(&used, &grid, cell);
                twice |= once & mask;
                once |= mask;
            }
            for &cell in &cells {
                let mask = free(&used, &grid, cell);
                let hidden = mask & once & !twice;
                for single in [hidden, mask] {
                    if single.is_power_of_two() && grid[cell] == 0 {
                        place(&mut grid, &mut used, cell, single.trailing_zeros() as u8);
                        placed = true;
                    }
                }
            }
        }
        if !placed {
            return grid.iter().all(|&digit| digit != 0);
        }
    }
}

fn houses(cell: usize) -> [usize; 3] {
    let (row, column) = (cell / 9, cell % 9);
    [row, 9 + column, 18 + row / 3 * 3 + column / 3]
}

fn place(grid: &mut [u8; 81], used: &mut [u16; 27], cell: usize, digit: u8) {
    grid[cell] = digit;
    for house in houses(cell) {
        used[house] |= 1 << digit;
    }
}
