//! Puzzles of all kinds that nobody thought of.

use super::draft::Draft;
use super::random::Random;
use crate::{BlockShape, Board, Cell, Digit, DigitSet, HouseKind, Limits, Puzzle, PuzzleError, Rules, Variant};

/// Nodes that a full board may take before an emptier one has to do.
const FILL_NODES: usize = 4000;

/// Nodes that a question for a unique solution may take.
const UNIQUE_NODES: u64 = 300;

/// Boards from which unique puzzles are dug. Larger ones would take longer to make than to check.
const UNIQUE_SIDE: usize = 9;

/// An endless stream of puzzles, the same for the same seed: sides 1 to 16 with blocks of all shapes, jigsaw regions, further houses, restricted
/// candidates; with one solution, many, none; nearly complete ones, and boards that clash and must be refused.
///
/// Each case has a number and can be had by it alone.
///
/// ```
/// use ninefold::crosscheck::Fuzz;
/// let fuzz = Fuzz::new(1);
/// let case = fuzz.case(17);
/// assert_eq!(case.board(), Fuzz::new(1).case(17).board());
/// assert_eq!(case.puzzle().is_err(), case.clashes());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fuzz {
    seed: u64,
}

/// One puzzle of the stream, or a board that is none.
#[derive(Clone, Debug)]
pub struct FuzzCase {
    kind: &'static str,
    board: Board,
    sets: Option<Vec<DigitSet>>,
}

impl Fuzz {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Fuzz {
        Fuzz { seed }
    }

    /// The case with this number.
    pub fn case(&self, number: u64) -> FuzzCase {
        let mut random = Random::new(self.seed, number);
        let rules = rules(&mut random);
        let full = fill(&rules, &mut random);
        let mut draft = Draft { rules, digits: full, sets: None };
        let kind = match random.below(20) {
            0..=5 => dig_unique(&mut draft, &mut random),
            6..=8 => {
                let share = 20 + random.below(80);
                dig(&mut draft, share, &mut random);
                "dug"
            }
            9 | 10 => {
                let count = 1 + random.below(2 * draft.rules.side());
                (0..count).for_each(|_| draft.digits[random.below(draft.rules.cell_count())] = 0);
                "nearly complete"
            }
            11 => {
                two_digits_open(&mut draft, &mut random);
                "two digits open"
            }
            12 => {
                dig(&mut draft, 97, &mut random);
                "sparse"
            }
            13..=15 => {
                dig_unique(&mut draft, &mut random);
                mutate(&mut draft, &mut random);
                "changed"
            }
            16 => {
                dig_unique(&mut draft, &mut random);
                scatter(&mut draft, &mut random);
                "scattered"
            }
            17 | 18 => {
                let share = 40 + random.below(60);
                dig(&mut draft, share, &mut random);
                restrict(&mut draft, &mut random);
                "restricted"
            }
            _ => {
                let share = random.below(90);
                dig(&mut draft, share, &mut random);
                clash(&mut draft, &mut random);
                "clashing"
            }
        };
        let board = Board::from_bytes(&draft.rules, &draft.digits).expect("only digits of the board are written");
        FuzzCase { kind, board, sets: draft.sets }
    }
}

impl FuzzCase {
    /// What was meant, in a word or two: `unique`, `sparse`, `clashing` …
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The puzzle.
    ///
    /// # Errors
    /// Where core says that the board clashes: it has to, exactly where [`clashes`](FuzzCase::clashes) says so.
    pub fn puzzle(&self) -> Result<Puzzle, PuzzleError> {
        match &self.sets {
            Some(sets) => Puzzle::with_candidates(self.board.clone(), sets),
            None => Puzzle::new(self.board.clone()),
        }
    }

    /// Whether a house holds a digit twice, found out pair by pair.
    pub fn clashes(&self) -> bool {
        let bytes = self.board.as_bytes();
        let twice = |cells: &[Cell]| {
            cells.iter().enumerate().any(|(i, a)| {
                let digit = bytes[a.index()];
                digit != 0 && cells[..i].iter().any(|b| bytes[b.index()] == digit)
            })
        };
        self.board.rules().houses().iter().any(|house| twice(house.cells()))
    }
}

/// Rules of any kind, the classic ones most often.
fn rules(random: &mut Random) -> Rules {
    const SHAPES: [(usize, usize); 16] = [
        (1, 1),
        (1, 2),
        (2, 1),
        (1, 3),
        (2, 2),
        (1, 5),
        (2, 3),
        (3, 2),
        (1, 7),
        (2, 4),
        (4, 2),
        (2, 5),
        (3, 4),
        (4, 3),
        (7, 2),
        (4, 4),
    ];
    match random.below(20) {
        0..=9 => Rules::classic().clone(),
        10..=13 => {
            let (rows, columns) = *random.pick(&SHAPES);
            Rules::blocks(BlockShape::new(rows, columns).expect("the shapes are possible"))
        }
        14..=16 => {
            let side = 3 + random.below(7);
            jigsaw(side, random)
        }
        17 => {
            let side = 1 + random.below(9);
            Rules::builder(side).rows_and_columns().build().expect("rows and columns are rules")
        }
        18 => {
            let (rows, columns) = *random.pick(&[(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 3), (3, 3)]);
            let shape = BlockShape::new(rows, columns).expect("the shapes are possible");
            let mut builder = Rules::builder(shape.side()).rows_and_columns().block_houses(shape);
            for _ in 0..1 + random.below(2) {
                builder = builder.variant(random.pick(Variant::all()));
            }
            // Not every variant exists on every board.
            builder.build().unwrap_or_else(|_| Rules::blocks(shape))
        }
        _ => {
            let (rows, columns) = *random.pick(&[(2, 2), (2, 3), (2, 4), (3, 3), (3, 3)]);
            further_houses(BlockShape::new(rows, columns).expect("the shapes are possible"), random)
        }
    }
}

/// Blocks, and some houses of any cells; small ones mostly, since few boards have several full ones.
fn further_houses(shape: BlockShape, random: &mut Random) -> Rules {
    let side = shape.side();
    let mut builder = Rules::builder(side).rows_and_columns().block_houses(shape);
    for number in 1..=1 + random.below(4) {
        let count = if random.percent(15) { side } else { 1 + random.below(side.min(4)) };
        let cells = random.permutation(side * side);
        let cells = cells.into_iter().take(count).filter_map(Cell::new);
        builder = builder.house(HouseKind::Extra(format!("house {number}")), cells);
    }
    builder.build().expect("a few cells of the board make a house")
}

/// Connected regions: rows whose cells are swapped along the borders as long as all regions stay in one piece.
fn jigsaw(side: usize, random: &mut Random) -> Rules {
    let mut map: Vec<usize> = match BlockShape::all_for(side).find(|shape| shape.rows() > 1 && shape.columns() > 1) {
        Some(shape) => (0..side * side).map(|i| shape.block_of(i / side, i % side)).collect(),
        None => (0..side * side).map(|i| i / side).collect(),
    };
    let neighbours = |i: usize| {
        let (row, column) = (i / side, i % side);
        let up = (row > 0).then(|| i - side);
        let down = (row + 1 < side).then_some(i + side);
        let left = (column > 0).then(|| i - 1);
        let right = (column + 1 < side).then_some(i + 1);
        [up, down, left, right].into_iter().flatten()
    };
    let in_one_piece = |map: &[usize], region: usize| {
        let Some(first) = map.iter().position(|own| *own == region) else { return false };
        let mut seen = vec![false; map.len()];
        let mut open = vec![first];
        seen[first] = true;
        let mut count = 0;
        while let Some(cell) = open.pop() {
            count += 1;
            for next in neighbours(cell) {
                if map[next] == region && !seen[next] {
                    seen[next] = true;
                    open.push(next);
                }
            }
        }
        count == side
    };
    for _ in 0..3 * side * side {
        // Two cells of two regions that touch both change sides.
        let (a, b) = (random.below(side * side), random.below(side * side));
        let (from, to) = (map[a], map[b]);
        if from == to || !neighbours(a).any(|cell| map[cell] == to) || !neighbours(b).any(|cell| map[cell] == from) {
            continue;
        }
        map.swap(a, b);
        if !in_one_piece(&map, from) || !in_one_piece(&map, to) {
            map.swap(a, b);
        }
    }
    Rules::jigsaw(&map).expect("regions keep their size when cells are swapped")
}

/// A full board, or an emptier one where none is found soon.
fn fill(rules: &Rules, random: &mut Random) -> Vec<u8> {
    let side = rules.side();
    match rules.block_shape() {
        // The plain search would take too long on large boards, so that theirs are a pattern, shuffled.
        Some(shape) if side > 9 || side > 1 && random.percent(30) => {
            let shift = |row: usize| shape.columns() * (row % shape.rows()) + row / shape.rows();
            let names = random.permutation(side);
            let lines = |group: usize, random: &mut Random| {
                let groups = random.permutation(side / group);
                let lines = groups
                    .into_iter()
                    .flat_map(|place| random.permutation(group).into_iter().map(move |line| place * group + line));
                lines.collect::<Vec<usize>>()
            };
            let (rows, columns) = (lines(shape.rows(), random), lines(shape.columns(), random));
            let digits: Vec<u8> =
                (0..side * side).map(|i| names[(shift(rows[i / side]) + columns[i % side]) % side] as u8 + 1).collect();
            // Further houses may object.
            let board = Board::from_bytes(rules, &digits).expect("the pattern fits the board");
            if board.is_valid() { digits } else { search(rules, random) }
        }
        _ => search(rules, random),
    }
}

/// Fills a board by a search that takes the cell with the fewest digits left, and those in a random order. What it has after some time is cut
/// down to what it had placed.
fn search(rules: &Rules, random: &mut Random) -> Vec<u8> {
    fn step(rules: &Rules, digits: &mut [u8], best: &mut Vec<u8>, random: &mut Random, left: &mut usize) -> bool {
        let side = rules.side();
        let free = |digits: &[u8], cell: Cell| {
            let used: DigitSet = rules.peers(cell).iter().filter_map(|peer| Digit::new(digits[peer.index()])).collect();
            DigitSet::all(side).difference(used)
        };
        let placed = |digits: &[u8]| digits.iter().filter(|byte| **byte != 0).count();
        if placed(digits) > placed(best) {
            best.copy_from_slice(digits);
        }
        let blanks = rules.cells().filter(|cell| digits[cell.index()] == 0);
        let Some((cell, open)) = blanks.map(|cell| (cell, free(digits, cell))).min_by_key(|(_, open)| open.len()) else {
            return true;
        };
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let mut order: Vec<Digit> = open.iter().collect();
        random.shuffle(&mut order);
        for digit in order {
            digits[cell.index()] = digit.get();
            if step(rules, digits, best, random, left) {
                return true;
            }
            digits[cell.index()] = 0;
            if *left == 0 {
                return false;
            }
        }
        false
    }
    let mut digits = vec![0; rules.cell_count()];
    let mut best = digits.clone();
    // Deep on a board of few cells alone: large ones are a pattern.
    step(rules, &mut digits, &mut best, random, &mut { FILL_NODES });
    best
}

/// Clears about so many of a hundred cells.
fn dig(draft: &mut Draft, share: usize, random: &mut Random) {
    for byte in &mut draft.digits {
        if random.percent(share) {
            *byte = 0;
        }
    }
}

/// Clears cells as long as the solution stays the only one; not always down to the last.
fn dig_unique(draft: &mut Draft, random: &mut Random) -> &'static str {
    let Some(strategy) = crate::auto(&draft.rules).filter(|_| draft.rules.side() <= UNIQUE_SIDE) else {
        dig(draft, 50, random);
        return "dug";
    };
    let mut solver = (strategy.build)();
    let limits = Limits::none().with_nodes(UNIQUE_NODES);
    let mut is_unique = |draft: &Draft| {
        draft.puzzle().is_some_and(|puzzle| {
            let outcome = solver.count(&puzzle, 2, &limits);
            outcome.is_exact() && outcome.count() == 1
        })
    };
    if !is_unique(draft) {
        return "unfillable";
    }
    let most = if random.percent(70) { draft.digits.len() } else { random.below(draft.digits.len()) };
    for cell in random.permutation(draft.digits.len()).into_iter().take(most) {
        let digit = std::mem::take(&mut draft.digits[cell]);
        if !is_unique(draft) {
            draft.digits[cell] = digit;
        }
    }
    "unique"
}

/// Clears all cells of two digits, which can then change places at least as a whole.
fn two_digits_open(draft: &mut Draft, random: &mut Random) {
    let side = draft.rules.side();
    let (a, b) = (1 + random.below(side) as u8, 1 + random.below(side) as u8);
    for byte in &mut draft.digits {
        if *byte == a || *byte == b {
            *byte = 0;
        }
    }
}

/// The digits that no peer of a cell holds.
fn open_digits(draft: &Draft, cell: Cell) -> Vec<u8> {
    let used = |digit: u8| draft.rules.peers(cell).iter().any(|peer| draft.digits[peer.index()] == digit);
    (1..=draft.rules.side() as u8).filter(|digit| !used(*digit)).collect()
}

/// Writes a digit or two that no peer holds where another was, or nothing: often there is no solution then.
fn mutate(draft: &mut Draft, random: &mut Random) {
    for _ in 0..=random.below(2) {
        let cell = Cell::new(random.below(draft.digits.len())).expect("the cell is on the board");
        let open = open_digits(draft, cell);
        if !open.is_empty() {
            draft.digits[cell.index()] = *random.pick(&open);
        }
    }
    if random.percent(50) {
        let cell = random.below(draft.digits.len());
        draft.digits[cell] = 0;
    }
}

/// The same number of givens at random, without a clash.
fn scatter(draft: &mut Draft, random: &mut Random) {
    let count = draft.givens().len().min(2 * draft.rules.side());
    draft.digits.fill(0);
    for _ in 0..count {
        let cell = Cell::new(random.below(draft.digits.len())).expect("the cell is on the board");
        let open = open_digits(draft, cell);
        if !open.is_empty() {
            draft.digits[cell.index()] = *random.pick(&open);
        }
    }
}

/// Leaves some candidates out of some cells, without regard to any solution.
fn restrict(draft: &mut Draft, random: &mut Random) {
    let side = draft.rules.side();
    let (cells, digits) = (random.below(60), 5 + random.below(60));
    let mut sets = vec![DigitSet::all(side); draft.digits.len()];
    for (set, byte) in sets.iter_mut().zip(&draft.digits) {
        if *byte == 0 && random.percent(cells) {
            *set = set.iter().filter(|_| !random.percent(digits)).collect();
        }
    }
    draft.sets = Some(sets);
}

/// Writes the digit of one cell into a cell that shares a house with it.
fn clash(draft: &mut Draft, random: &mut Random) {
    let givens = draft.givens();
    if givens.is_empty() {
        return;
    }
    let cell = *random.pick(&givens);
    let peers = draft.rules.peers(Cell::new(cell).expect("the cell is on the board"));
    if !peers.is_empty() {
        draft.digits[random.pick(peers).index()] = draft.digits[cell];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_seed_makes_the_same_cases_and_clashes_are_refused() {
        let mut kinds = BTreeMap::new();
        let (mut sides, mut clashing, mut jigsaws) = ([0; 17], 0, 0);
        for number in 0..300 {
            let case = Fuzz::new(5).case(number);
            let again = Fuzz::new(5).case(number);
            assert_eq!((case.board(), &case.sets), (again.board(), &again.sets));
            assert_eq!(case.puzzle().is_err(), case.clashes(), "{case:?}");
            *kinds.entry(case.kind()).or_insert(0) += 1;
            sides[case.board().rules().side()] += 1;
            clashing += usize::from(case.clashes());
            jigsaws += usize::from(case.board().rules().name().starts_with("jigsaw"));
        }
        // Whether a solution is the only one, a strategy has to say.
        if crate::by_name("propagation").is_some() {
            assert!(kinds.len() >= 9 && kinds["unique"] > 40, "{kinds:?}");
        }
        assert!(sides[9] > 125 && sides[1..=16].iter().filter(|count| **count > 0).count() >= 10, "{sides:?}");
        assert!(clashing > 7 && jigsaws > 20, "{clashing} clashing, {jigsaws} jigsaws");
        assert_ne!(Fuzz::new(5).case(0).board(), Fuzz::new(6).case(0).board());
    }
}
