//! What each cell may still hold, and the splits whose branches are not all settled.

use ninefold_core::{Board, Cell, Digit, DigitSet, House, Rules};

use crate::text;

/// What is open: something that must be settled in exactly one of several ways. A set of ways is a mask.
#[derive(Clone, Copy)]
enum Item<'r> {
    /// The candidates of a cell: bit `d - 1` for the digit `d`.
    Cell(Cell),
    /// The places of a digit in a full house: bit `i` for the cell `i` of the house.
    Place(&'r House, Digit),
}

/// A split one of whose branches is at hand.
struct Split<'r> {
    item: Item<'r>,
    /// The branches still to come, the next one last.
    rest: Vec<u64>,
    /// How much of the trail is older than its branches.
    mark: usize,
}

/// Every solution that is in the branch at hand has in each cell one of its candidates: that holds at the start, and no method here
/// breaks it.
pub(crate) struct State<'r> {
    rules: &'r Rules,
    candidates: Vec<DigitSet>,
    /// What was taken from which cell, so that it can be given back.
    trail: Vec<(Cell, DigitSet)>,
    splits: Vec<Split<'r>>,
}

impl<'r> State<'r> {
    pub(crate) fn new(rules: &'r Rules, board: &Board, allowed: &[DigitSet]) -> State<'r> {
        let mut state = State { rules, candidates: allowed.to_vec(), trail: Vec::new(), splits: Vec::new() };
        board.givens().for_each(|(cell, digit)| state.place(cell, digit));
        state
    }

    fn take(&mut self, cell: Cell, digits: DigitSet) {
        let gone = self.candidates[cell.index()].intersection(digits);
        if !gone.is_empty() {
            self.candidates[cell.index()] = self.candidates[cell.index()].difference(gone);
            self.trail.push((cell, gone));
        }
    }

    /// The cell holds the digit: no other one, and no peer holds it.
    fn place(&mut self, cell: Cell, digit: Digit) {
        self.take(cell, DigitSet::all(64).difference(DigitSet::of(digit)));
        for &peer in self.rules.peers(cell) {
            self.take(peer, DigitSet::of(digit));
        }
    }

    /// The item that a text such as `r1c2` or `h12=7` names.
    fn item(&self, text: &str) -> Result<Item<'r>, String> {
        let Some((name, symbol)) = text.split_once('=') else { return Ok(Item::Cell(text::cell(self.rules, text)?)) };
        let number = name.strip_prefix('h').and_then(|number| number.parse::<usize>().ok()?.checked_sub(1));
        // A smaller house need not hold every digit, so nothing follows from the places that it has.
        let house = number.and_then(|index| self.rules.houses().get(index)).filter(|house| house.is_full());
        let house = house.ok_or_else(|| format!("`{name}` is no house that holds every digit"))?;
        Ok(Item::Place(house, text::digit(self.rules, symbol)?))
    }

    /// The ways that are open.
    fn open(&self, item: Item<'_>) -> u64 {
        match item {
            Item::Cell(cell) => self.candidates[cell.index()].bits(),
            Item::Place(house, digit) => {
                let is_open = house.cells().iter().map(|cell| self.candidates[cell.index()].contains(digit));
                is_open.enumerate().fold(0, |set, (i, is_open)| set | u64::from(is_open) << i)
            }
        }
    }

    /// The ways that a text lists: digits, or the labels of cells with commas between.
    fn ways(&self, item: Item<'_>, text: &str) -> Result<u64, String> {
        let Item::Place(house, _) = item else { return Ok(text::digits(self.rules, text)?.bits()) };
        text.split(',').try_fold(0, |set, label| {
            let cell = text::cell(self.rules, label)?;
            let place = house.cells().iter().position(|other| *other == cell);
            Ok(set | 1 << place.ok_or_else(|| format!("{label} is not in that house"))?)
        })
    }

    /// The ways in words.
    fn shown(&self, item: Item<'_>, ways: u64) -> String {
        let name = |way: usize| match item {
            Item::Cell(_) => DigitSet::from_bits(1 << way).to_string(),
            Item::Place(house, _) => house.cells()[way].label(self.rules.side()),
        };
        let ways: Vec<String> = (0..64).filter(|way| ways >> way & 1 == 1).map(name).collect();
        if ways.is_empty() { "nothing".into() } else { ways.join(",") }
    }

    /// Takes away what these ways exclude. One way alone places its digit.
    fn enter(&mut self, item: Item<'_>, ways: u64) {
        match item {
            Item::Cell(cell) => match DigitSet::from_bits(ways).single() {
                Some(digit) => self.place(cell, digit),
                None => self.take(cell, DigitSet::all(64).difference(DigitSet::from_bits(ways))),
            },
            Item::Place(house, digit) if ways.is_power_of_two() => self.place(house.cells()[ways.ilog2() as usize], digit),
            Item::Place(house, digit) => {
                let others = house.cells().iter().enumerate().filter(|(i, _)| ways >> i & 1 == 0);
                others.for_each(|(_, &cell)| self.take(cell, DigitSet::of(digit)));
            }
        }
    }

    /// A step, the only way that is open: `r1c2=3`, or `r1c2=3/h12` where the house tells.
    pub(crate) fn step(&mut self, text: &str) -> Result<(), String> {
        let parts = text.split_once('=').ok_or_else(|| format!("`{text}` is no step, split, dead or solution"));
        let (label, forced) = parts?;
        let (item, way) = match forced.split_once('/') {
            Some((symbol, house)) => (self.item(&format!("{house}={symbol}"))?, label),
            None => (self.item(label)?, forced),
        };
        let (ways, open) = (self.ways(item, way)?, self.open(item));
        if ways != open || !ways.is_power_of_two() {
            return Err(format!("`{text}` is not forced: {} is open", self.shown(item, open)));
        }
        self.enter(item, ways);
        Ok(())
    }

    /// A split, `r1c2 3 456` or `h12=7 r1c2,r1c3 r2c2`: the branches divide what is open. The first one is entered.
    pub(crate) fn split(&mut self, text: &str) -> Result<(), String> {
        let mut words = text.split(' ');
        let item = self.item(words.next().unwrap_or_default())?;
        let branches: Result<Vec<u64>, String> = words.map(|word| self.ways(item, word)).collect();
        let (mut rest, open) = (branches?, self.open(item));
        let covered = rest.iter().fold(0, |covered, branch| covered | branch);
        let is_apart = rest.iter().map(|branch| branch.count_ones()).sum::<u32>() == covered.count_ones();
        if rest.len() < 2 || rest.contains(&0) || !is_apart || covered != open {
            return Err(format!("these are not two branches or more that divide {}", self.shown(item, open)));
        }
        rest.reverse();
        self.splits.push(Split { item, rest, mark: self.trail.len() });
        self.next_branch();
        Ok(())
    }

    /// Leaves the branch at hand and enters the next one. False where there is none: every branch of every split is settled.
    pub(crate) fn next_branch(&mut self) -> bool {
        while let Some(split) = self.splits.last_mut() {
            for (cell, digits) in self.trail.drain(split.mark..) {
                self.candidates[cell.index()] = self.candidates[cell.index()].union(digits);
            }
            if let Some(branch) = split.rest.pop() {
                let item = split.item;
                self.enter(item, branch);
                return true;
            }
            self.splits.pop();
        }
        false
    }

    /// A contradiction, an item that is open in no way: `r1c2`, or `h12=7`.
    pub(crate) fn check_dead(&self, text: &str) -> Result<(), String> {
        let item = self.item(text)?;
        match self.open(item) {
            0 => Ok(()),
            open => Err(format!("`{text}` is not dead: {} is open", self.shown(item, open))),
        }
    }

    /// A solution: the branch leaves each cell this digit alone, and the rules are kept. The puzzle is kept since the candidates at the
    /// start are its own.
    pub(crate) fn check_solution(&self, text: &str) -> Result<Board, String> {
        let board = text::board(self.rules, text)?;
        let settled = |cell: &Cell| board.get(*cell).map(DigitSet::of) == Some(self.candidates[cell.index()]);
        if let Some(cell) = self.rules.cells().find(|cell| !settled(cell)) {
            let (item, label) = (Item::Cell(cell), cell.label(self.rules.side()));
            return Err(format!("this does not settle {label}, where {} is open", self.shown(item, self.open(item))));
        }
        if board.is_valid() { Ok(board) } else { Err("a house of this board holds a digit twice".into()) }
    }
}
