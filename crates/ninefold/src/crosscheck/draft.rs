//! Puzzles in parts that can be changed, and rules from a list of houses.

use std::collections::BTreeSet;

use crate::{BlockShape, Board, Cell, DigitSet, HouseKind, Puzzle, Rules, RulesBuilder};

/// The cells of each house as a set.
type CellSets = BTreeSet<Vec<Cell>>;

/// A puzzle on the way to another.
#[derive(Clone)]
pub(crate) struct Draft {
    pub(crate) rules: Rules,
    /// One byte a cell, 0 for a blank.
    pub(crate) digits: Vec<u8>,
    /// What each cell may hold, where that is restricted.
    pub(crate) sets: Option<Vec<DigitSet>>,
}

impl Draft {
    pub(crate) fn of(puzzle: &Puzzle) -> Draft {
        let all = DigitSet::all(puzzle.rules().side());
        let digits = puzzle.board().as_bytes().to_vec();
        // What a given is restricted to says nothing, and would stay behind where the given goes.
        let own = |sets: &[DigitSet]| sets.iter().zip(&digits).map(|(set, byte)| if *byte == 0 { *set } else { all }).collect();
        Draft { rules: puzzle.rules().clone(), sets: puzzle.restrictions().map(own), digits }
    }

    /// `None` where the givens clash or a given is not among its own candidates.
    pub(crate) fn puzzle(&self) -> Option<Puzzle> {
        let board = Board::from_bytes(&self.rules, &self.digits).ok()?;
        match &self.sets {
            Some(sets) => Puzzle::with_candidates(board, sets).ok(),
            None => Puzzle::new(board).ok(),
        }
    }

    pub(crate) fn givens(&self) -> Vec<usize> {
        (0..self.digits.len()).filter(|&i| self.digits[i] != 0).collect()
    }

    pub(crate) fn blanks(&self) -> Vec<usize> {
        (0..self.digits.len()).filter(|&i| self.digits[i] == 0).collect()
    }
}

/// A house in parts.
pub(crate) type Parts = (HouseKind, Vec<Cell>);

/// The houses of rules in parts.
pub(crate) fn parts_of(rules: &Rules) -> Vec<Parts> {
    rules.houses().iter().map(|house| (house.kind().clone(), house.cells().to_vec())).collect()
}

/// The rules with these houses: the well-known ones where they are these, since some solvers take no others.
///
/// `None` where they are no rules.
pub(crate) fn rules_from(side: usize, houses: &[Parts], likely: &Rules) -> Option<Rules> {
    let wanted = cell_sets(houses.iter().map(|(_, cells)| cells.as_slice()));
    let is = |rules: &Rules| {
        rules.houses().len() == houses.len() && cell_sets(rules.houses().iter().map(crate::House::cells)) == wanted
    };
    if likely.side() == side && is(likely) {
        return Some(likely.clone());
    }
    if houses.len() == 3 * side
        && let Some(rules) = BlockShape::all_for(side).map(Rules::blocks).find(is)
    {
        return Some(rules);
    }
    let lines = Rules::builder(side).rows_and_columns().build().ok()?;
    let lines = cell_sets(lines.houses().iter().map(crate::House::cells));
    if !lines.is_subset(&wanted) {
        return with_houses(Rules::builder(side), houses.iter());
    }
    let builder = Rules::builder(side).rows_and_columns();
    let others = houses.iter().filter(|(_, cells)| !lines.contains(&sorted(cells)));
    let (base, extra): (Vec<&Parts>, Vec<&Parts>) =
        others.partition(|(kind, _)| matches!(kind, HouseKind::Block(_) | HouseKind::Region(_)));
    let blocks = cell_sets(base.iter().map(|(_, cells)| cells.as_slice()));
    let has_blocks = |shape: &BlockShape| {
        let rules = Rules::builder(side).block_houses(*shape).build();
        rules.is_ok_and(|rules| cell_sets(rules.houses().iter().map(crate::House::cells)) == blocks)
    };
    if base.len() == side
        && let Some(shape) = BlockShape::all_for(side).find(has_blocks)
    {
        return with_houses(builder.block_houses(shape), extra.into_iter());
    }
    match region_map(side, &base) {
        Some(map) => with_houses(builder.regions(&map), extra.into_iter()),
        None => with_houses(builder, base.into_iter().chain(extra)),
    }
}

fn with_houses<'a>(mut builder: RulesBuilder, houses: impl Iterator<Item = &'a Parts>) -> Option<Rules> {
    for (kind, cells) in houses {
        builder = builder.house(kind.clone(), cells.iter().copied());
    }
    builder.build().ok()
}

fn sorted(cells: &[Cell]) -> Vec<Cell> {
    let mut cells = cells.to_vec();
    cells.sort_unstable();
    cells
}

fn cell_sets<'a>(houses: impl Iterator<Item = &'a [Cell]>) -> CellSets {
    houses.map(sorted).collect()
}

/// The region of each cell, where these houses are regions of a jigsaw.
fn region_map(side: usize, houses: &[&Parts]) -> Option<Vec<usize>> {
    if houses.len() != side || houses.iter().any(|(_, cells)| cells.len() != side) {
        return None;
    }
    let mut map = vec![usize::MAX; side * side];
    for (i, (_, cells)) in houses.iter().enumerate() {
        cells.iter().for_each(|cell| map[cell.index()] = i);
    }
    // As many cells as there are, so that none is missing where none is there twice.
    map.iter().all(|region| *region != usize::MAX).then_some(map)
}
