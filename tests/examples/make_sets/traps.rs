//! Puzzles without a solution, or with one, that are built rather than found: what one kind of search walks into and another passes by.
//!
//! Candidates of their blanks are restricted, as pencil marks do.

use std::error::Error;

use ninefold::{Board, Cell, Digit, DigitSet, Limits, Puzzle, Rules};
use ninefold_generator::{Generator, Random};

fn digits(values: impl IntoIterator<Item = usize>) -> DigitSet {
    values.into_iter().filter_map(|value| Digit::new(value as u8)).collect()
}

/// The chains of two digits in these cells of a full grid: cells that have to change together.
fn chains(grid: &Board, cells: &[Cell], pair: DigitSet) -> Vec<Vec<Cell>> {
    let rules = grid.rules();
    let of_pair = |cell: &Cell| grid.get(*cell).is_some_and(|digit| pair.contains(digit));
    let mut left: Vec<Cell> = cells.iter().copied().filter(of_pair).collect();
    let mut chains = Vec::new();
    while let Some(start) = left.pop() {
        let mut chain = vec![start];
        let mut next = 0;
        while let Some(&cell) = chain.get(next) {
            next += 1;
            let (near, far) = left.into_iter().partition(|other| rules.peers(cell).contains(other));
            chain.extend::<Vec<Cell>>(near);
            left = far;
        }
        chains.push(chain);
    }
    chains
}

/// The digits from `first` on in pairs, so that these cells fall into many chains.
fn many_chains(grid: &Board, cells: &[Cell], first: usize, random: &mut Random) -> Vec<(DigitSet, Vec<Cell>)> {
    let side = grid.rules().side();
    let pairings = (0..300).map(|_| {
        let mut values: Vec<usize> = (first..=side).collect();
        random.shuffle(&mut values);
        let pairs = values.chunks_exact(2).map(|pair| digits(pair.iter().copied()));
        pairs.flat_map(|pair| chains(grid, cells, pair).into_iter().map(move |chain| (pair, chain))).collect::<Vec<_>>()
    });
    pairings.max_by_key(Vec::len).unwrap_or_default()
}

/// No solution: the first four cells of row 1 have three digits to share. Below the first band, many pairs of digits can be put
/// two ways, and all of these ways are right. Whoever goes where the fewest choices are tries all of them together first; whoever goes
/// row by row, or learns from conflicts, never gets there.
pub(crate) fn decoys(shape: &str, seed: u64) -> Result<Puzzle, Box<dyn Error>> {
    let rules = Rules::blocks(shape.parse()?);
    let side = rules.side();
    let band = rules.block_shape().ok_or("block rules")?.rows() * side;
    let grid = Generator::new(&rules, seed).full_grid(0, &Limits::none())?.board().clone();
    let below: Vec<Cell> = rules.cells().filter(|cell| cell.index() >= band).collect();
    let mut board = Board::empty(&rules);
    let mut candidates = vec![DigitSet::all(side); rules.cell_count()];
    let three = digits(1..=3);
    for (index, set) in candidates.iter_mut().enumerate() {
        if index < 4 {
            *set = three;
        }
    }
    for &cell in &below {
        if grid.get(cell).is_some_and(|digit| !three.contains(digit)) {
            board.set(cell, grid.get(cell));
        } else {
            candidates[cell.index()] = three;
        }
    }
    for (pair, chain) in many_chains(&grid, &below, 4, &mut Random::new(seed, 1)) {
        for cell in chain {
            board.set(cell, None);
            candidates[cell.index()] = pair;
        }
    }
    Ok(Puzzle::with_candidates(board, &candidates)?)
}

/// No solution, for two reasons: near the start of row 1 three cells have two digits to share, and in the last row `holes + 1` cells share
/// so many digits, and the other cells the rest. The second is what resolution needs many steps for (the pigeonhole formulas: A. Haken, "The
/// intractability of resolution", 1985). Whoever goes row by row, or where the fewest choices are, meets the first; SAT decides the first
/// variable, then the last ones, and what it learns there keeps it there. So the first cell is one that leads nowhere.
pub(crate) fn pigeons(shape: &str, holes: usize, seed: u64) -> Result<Puzzle, Box<dyn Error>> {
    let rules = Rules::blocks(shape.parse()?);
    let side = rules.side();
    let mut candidates = vec![DigitSet::all(side); rules.cell_count()];
    let mut random = Random::new(seed, 1);
    let mut values: Vec<usize> = (1..=side).collect();
    random.shuffle(&mut values);
    candidates[0] = digits(values[2..4].iter().copied());
    candidates[1..4].fill(digits(values[..2].iter().copied()));
    random.shuffle(&mut values);
    let (few, rest) = values.split_at(holes);
    let mut columns: Vec<usize> = (0..side).collect();
    random.shuffle(&mut columns);
    for (place, column) in columns.into_iter().enumerate() {
        let digits = digits(if place <= holes { few } else { rest }.iter().copied());
        candidates[rules.cell_count() - side + column] = digits;
    }
    Ok(Puzzle::with_candidates(Board::empty(&rules), &candidates)?)
}

/// One solution: every cell has two candidates, and one given in each chain tells all others of it, one after the other. Who
/// counts a forced digit as a node has more than a thousand of them; who propagates has one.
pub(crate) fn dominoes(shape: &str, seed: u64) -> Result<Puzzle, Box<dyn Error>> {
    let rules = Rules::blocks(shape.parse()?);
    let grid = Generator::new(&rules, seed).full_grid(0, &Limits::none())?.board().clone();
    let cells: Vec<Cell> = rules.cells().collect();
    let mut board = Board::empty(&rules);
    let mut candidates = vec![DigitSet::all(rules.side()); rules.cell_count()];
    let mut values: Vec<usize> = (1..=rules.side()).collect();
    Random::new(seed, 1).shuffle(&mut values);
    for pair in values.chunks(2).map(|pair| digits(pair.iter().copied())) {
        for chain in chains(&grid, &cells, pair) {
            chain.iter().for_each(|cell| candidates[cell.index()] = pair);
            board.set(chain[0], grid.get(chain[0]));
        }
    }
    Ok(Puzzle::with_candidates(board, &candidates)?)
}
