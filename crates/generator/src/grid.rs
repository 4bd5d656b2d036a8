//! Full grids at random.

use ninefold::{BlockShape, Board, Budget, Cell, Digit, End, Limits, Outcome, Puzzle, Rules, Search, Verdict};

use crate::Random;
use crate::fill::Fill;
use crate::purse::Purse;
use crate::unavoidable::two_digit_chain;

/// Starts of the search in random order before another way is taken.
const STARTS: u32 = 12;

/// The longest side at which the search in random order is tried first: beyond it hardly a start comes to an end.
const LONGEST_FILL: usize = 25;

/// Nodes of an enabled strategy that completes a few random digits.
const COMPLETION_NODES: u64 = 200_000;

/// Why there is no full grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoGrid {
    /// The rules allow none.
    Impossible,
    /// A limit ran out.
    OutOfBudget(Budget),
    /// No enabled strategy takes the rules.
    Unsupported,
}

impl From<Budget> for NoGrid {
    fn from(budget: Budget) -> NoGrid {
        NoGrid::OutOfBudget(budget)
    }
}

/// A full grid of any rules: by a search in random order; where that does not end, from a pattern of the blocks; for rules without
/// blocks, completed by a strategy from a few random digits. The last two are then mixed by swapping chains of two digits.
///
/// Every grid that the first way finds can come up; none of them is promised the same chance.
pub(crate) fn full_grid(rules: &Rules, random: &mut Random, purse: &mut Purse) -> Result<Board, NoGrid> {
    let empty = Puzzle::new(Board::empty(rules)).expect("an empty board has no clash");
    if rules.side() <= LONGEST_FILL {
        let nodes = 2 * rules.cell_count() as u64;
        for _ in 0..STARTS {
            let outcome = filled(&empty, random, &purse.limits(nodes));
            purse.spend(&outcome)?;
            match (outcome.solution(), outcome.end()) {
                (Some(solution), _) => return Ok(solution.board().clone()),
                (None, End::Exhausted) => return Err(NoGrid::Impossible),
                _ => {}
            }
        }
    }
    let mut grid = match rules.block_shape() {
        Some(shape) if *rules == Rules::blocks(shape) => pattern(shape, random),
        _ => completed(rules, random, purse)?,
    };
    mix(&mut grid, random, purse)?;
    Ok(grid)
}

fn filled(empty: &Puzzle, random: &mut Random, limits: &Limits) -> Outcome {
    let mut search = Search::new(limits).with_cap(1);
    let end = Fill::new(random).search(empty, &mut search);
    search.finish(end)
}

/// A full grid of block rules: a pattern with its digits, rows inside bands, bands, columns inside stacks and stacks shuffled.
fn pattern(shape: BlockShape, random: &mut Random) -> Board {
    let side = shape.side();
    let digits = shuffled(side, random);
    let mut lines = |size: usize| -> Vec<usize> {
        let groups = shuffled(side / size, random);
        groups.into_iter().flat_map(|group| shuffled(size, random).into_iter().map(move |line| group * size + line)).collect()
    };
    let (rows, columns) = (lines(shape.rows()), lines(shape.columns()));
    let bytes: Vec<u8> = (0..side * side)
        .map(|index| {
            let (row, column) = (rows[index / side], columns[index % side]);
            let digit = (shape.columns() * (row % shape.rows()) + row / shape.rows() + column) % side;
            digits[digit] as u8 + 1
        })
        .collect();
    Board::from_bytes(&Rules::blocks(shape), &bytes).expect("the pattern fits the board")
}

pub(crate) fn shuffled(n: usize, random: &mut Random) -> Vec<usize> {
    let mut items: Vec<usize> = (0..n).collect();
    random.shuffle(&mut items);
    items
}

/// A full grid that a strategy makes of a few random digits, or of none where these cannot be completed.
fn completed(rules: &Rules, random: &mut Random, purse: &mut Purse) -> Result<Board, NoGrid> {
    let strategy = ninefold::auto(rules).ok_or(NoGrid::Unsupported)?;
    for seeds in [2 * rules.side(), rules.side() / 2, 0] {
        let mut board = Board::empty(rules);
        for _ in 0..seeds {
            let cell = Cell::new(random.below(rules.cell_count())).expect("a cell of the board");
            let digit = Digit::new(random.below(rules.side()) as u8 + 1).expect("a digit of the board");
            if board.get(cell).is_none() && rules.peers(cell).iter().all(|&peer| board.get(peer) != Some(digit)) {
                board.set(cell, Some(digit));
            }
        }
        let nodes = if seeds > 0 { COMPLETION_NODES } else { u64::MAX };
        let puzzle = Puzzle::new(board).expect("each digit was looked at");
        let outcome = (strategy.build)().solve(&puzzle, &purse.limits(nodes));
        purse.spend(&outcome)?;
        match (outcome.solution(), outcome.verdict()) {
            (Some(solution), _) => return Ok(relabelled(solution.board(), random)),
            (None, Verdict::Unsolvable) if seeds == 0 => return Err(NoGrid::Impossible),
            (None, Verdict::Unknown(budget)) if seeds == 0 => return Err(NoGrid::OutOfBudget(budget)),
            (None, Verdict::Unsupported) => return Err(NoGrid::Unsupported),
            _ => {}
        }
    }
    Err(NoGrid::OutOfBudget(Budget::Nodes))
}

/// The same board with the digits exchanged.
pub(crate) fn relabelled(board: &Board, random: &mut Random) -> Board {
    let digits = shuffled(board.rules().side(), random);
    let mut other = Board::empty(board.rules());
    for (cell, digit) in board.givens() {
        other.set(cell, Digit::new(digits[digit.index()] as u8 + 1));
    }
    other
}

/// Swaps chains of two digits, one for each cell of the board.
fn mix(grid: &mut Board, random: &mut Random, purse: &mut Purse) -> Result<(), Budget> {
    let rules = grid.rules().clone();
    let cells: Vec<Cell> = rules.cells().collect();
    let mut bytes = grid.as_bytes().to_vec();
    let mut seen = vec![false; bytes.len()];
    for _ in 0..cells.len() {
        purse.poll()?;
        let (Some(&a), Some(&b)) = (random.pick(&cells), random.pick(&cells)) else { break };
        let digits = [bytes[a.index()], bytes[b.index()]];
        for cell in two_digit_chain(&rules, &bytes, a, b, &mut seen) {
            seen[cell.index()] = false;
            bytes[cell.index()] = digits[usize::from(bytes[cell.index()] == digits[0])];
        }
    }
    *grid = Board::from_bytes(&rules, &bytes).expect("the digits of the board");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rules: &Rules, stream: u64) -> Result<Board, NoGrid> {
        let grid = full_grid(rules, &mut Random::new(5, stream), &mut Purse::new(&Limits::none()));
        if let Ok(grid) = &grid {
            assert!(grid.is_full() && grid.is_valid(), "{grid}");
        }
        grid
    }

    #[test]
    fn every_side_has_full_grids() {
        for side in (1..=25).chain([27, 36, 49, 64]) {
            let shape = BlockShape::all_for(side).nth(BlockShape::all_for(side).count() / 2).unwrap();
            grid(&Rules::blocks(shape), 0).unwrap();
        }
    }

    #[test]
    fn rules_that_allow_no_grid_are_impossible() {
        // Both diagonals of a 2×2 board besides rows and columns: all four cells differ.
        let house = |cells: [usize; 2]| cells.map(|index| Cell::new(index).unwrap());
        let rules = Rules::builder(2)
            .rows_and_columns()
            .house(ninefold::HouseKind::Extra("falling".into()), house([0, 3]))
            .house(ninefold::HouseKind::Extra("rising".into()), house([1, 2]))
            .build()
            .unwrap();
        assert_eq!(grid(&rules, 0), Err(NoGrid::Impossible));
    }

    #[test]
    fn streams_give_different_grids_and_the_same_stream_the_same() {
        for rules in [Rules::classic().clone(), Rules::blocks("6x6".parse().unwrap())] {
            assert_ne!(grid(&rules, 1), grid(&rules, 2));
            assert_eq!(grid(&rules, 1), grid(&rules, 1));
        }
    }

    #[test]
    fn completion_by_a_strategy_gives_grids_too() {
        for map in ["1122211322413554435544335", "333224333224111224155664155644155666"] {
            let rules = Rules::jigsaw(map.as_bytes()).unwrap();
            let mut purse = Purse::new(&Limits::none());
            let mut grid = completed(&rules, &mut Random::new(6, 0), &mut purse).unwrap();
            let before = grid.clone();
            mix(&mut grid, &mut Random::new(6, 1), &mut purse).unwrap();
            assert!(grid.is_full() && grid.is_valid() && grid.as_bytes() != before.as_bytes());
        }
    }

    #[test]
    fn limits_end_the_making_of_a_grid() {
        let token = ninefold::CancelToken::new();
        token.cancel();
        let rules = Rules::blocks("8x8".parse().unwrap());
        let mut purse = Purse::new(&Limits::none().with_cancel(token));
        assert_eq!(full_grid(&rules, &mut Random::new(1, 0), &mut purse), Err(NoGrid::OutOfBudget(Budget::Cancelled)));
    }
}
