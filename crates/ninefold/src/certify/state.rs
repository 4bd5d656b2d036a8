//! Candidates under steps, with the reason for everything that is gone, so that a leaf lists only the steps that it needs.

use crate::{Cell, Digit, DigitSet, HouseId, Puzzle, Rules};

/// What is open: something that must be settled in exactly one of several ways. A set of ways is a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// The candidates of a cell: bit `d - 1` for the digit `d`.
    Cell(Cell),
    /// The places of a digit in a full house: bit `i` for the cell `i` of the house.
    Place(HouseId, Digit),
}

/// A forced digit; the house where a hidden single was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) cell: Cell,
    pub(super) digit: Digit,
    pub(super) house: Option<HouseId>,
    /// Where what it removed begins on the trail.
    start: usize,
}

/// Where singles lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reached {
    /// Nothing more is forced.
    Open,
    /// Every cell is placed.
    Full,
    /// This item is open in no way.
    Dead(Item),
}

/// The candidates of the branch at hand.
#[derive(Debug)]
pub(super) struct State {
    rules: Rules,
    candidates: Vec<DigitSet>,
    /// Whether the digit of a cell was taken from its peers.
    placed: Vec<bool>,
    blanks: usize,
    trail: Vec<(Cell, DigitSet)>,
    placements: Vec<Cell>,
    /// The steps since the last branch was entered.
    pub(super) steps: Vec<Step>,
    /// Cells with one candidate that are not placed.
    naked: Vec<Cell>,
    /// Full houses that lost a candidate since they were looked at.
    soiled: Vec<HouseId>,
    is_soiled: Vec<bool>,
    dead: Option<Item>,
}

/// How far to undo.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    trail: usize,
    placements: usize,
}

impl State {
    /// The givens are placed, without steps.
    pub(super) fn new(puzzle: &Puzzle) -> State {
        let rules = puzzle.rules().clone();
        let mut state = State {
            candidates: rules.cells().map(|cell| puzzle.allowed(cell)).collect(),
            placed: vec![false; rules.cell_count()],
            blanks: rules.cell_count(),
            trail: Vec::new(),
            placements: Vec::new(),
            steps: Vec::new(),
            naked: Vec::new(),
            soiled: rules.house_ids().filter(|&id| rules.house(id).is_full()).collect(),
            is_soiled: vec![true; rules.houses().len()],
            dead: None,
            rules,
        };
        for (cell, digit) in puzzle.board().givens() {
            state.place(cell, digit);
        }
        for cell in state.rules.cells() {
            state.note(cell);
        }
        state
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(super) fn candidates(&self, cell: Cell) -> DigitSet {
        self.candidates[cell.index()]
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { trail: self.trail.len(), placements: self.placements.len() }
    }

    pub(super) fn undo(&mut self, mark: Mark) {
        for (cell, digits) in self.trail.drain(mark.trail..) {
            self.candidates[cell.index()] = self.candidates[cell.index()].union(digits);
        }
        for cell in self.placements.drain(mark.placements..) {
            self.placed[cell.index()] = false;
            self.blanks += 1;
        }
        self.forget();
    }

    fn forget(&mut self) {
        self.naked.clear();
        for id in self.soiled.drain(..) {
            self.is_soiled[id.index()] = false;
        }
        self.dead = None;
    }

    fn note(&mut self, cell: Cell) {
        let candidates = self.candidates[cell.index()];
        if candidates.is_empty() {
            self.dead.get_or_insert(Item::Cell(cell));
        } else if candidates.len() == 1 && !self.placed[cell.index()] {
            self.naked.push(cell);
        }
    }

    fn take(&mut self, cell: Cell, digits: DigitSet) {
        let gone = self.candidates[cell.index()].intersection(digits);
        if gone.is_empty() {
            return;
        }
        self.candidates[cell.index()] = self.candidates[cell.index()].difference(gone);
        self.trail.push((cell, gone));
        self.note(cell);
        for id in self.rules.houses_of(cell) {
            if !self.is_soiled[id.index()] && self.rules.house(*id).is_full() {
                self.is_soiled[id.index()] = true;
                self.soiled.push(*id);
            }
        }
    }

    fn place(&mut self, cell: Cell, digit: Digit) {
        self.placed[cell.index()] = true;
        self.placements.push(cell);
        self.blanks -= 1;
        self.take(cell, DigitSet::all(64).difference(DigitSet::of(digit)));
        let rules = self.rules.clone();
        for &peer in rules.peers(cell) {
            self.take(peer, DigitSet::of(digit));
        }
    }

    /// The ways that are open.
    pub(super) fn open(&self, item: Item) -> u64 {
        match item {
            Item::Cell(cell) => self.candidates[cell.index()].bits(),
            Item::Place(house, digit) => {
                let is_open = self.rules.house(house).cells().iter().map(|cell| self.candidates(*cell).contains(digit));
                is_open.enumerate().fold(0, |set, (i, is_open)| set | u64::from(is_open) << i)
            }
        }
    }

    /// Takes away what these ways exclude. One way alone places its digit.
    pub(super) fn enter(&mut self, item: Item, ways: u64) {
        match item {
            Item::Cell(cell) => match DigitSet::from_bits(ways).single() {
                Some(digit) => self.place(cell, digit),
                None => self.take(cell, DigitSet::all(64).difference(DigitSet::from_bits(ways))),
            },
            Item::Place(house, digit) => {
                let rules = self.rules.clone();
                let cells = rules.house(house).cells();
                if ways.is_power_of_two() {
                    return self.place(cells[ways.ilog2() as usize], digit);
                }
                for (_, &cell) in cells.iter().enumerate().filter(|(i, _)| ways >> i & 1 == 0) {
                    self.take(cell, DigitSet::of(digit));
                }
            }
        }
    }

    /// Takes steps until nothing is forced or there is a contradiction.
    pub(super) fn run(&mut self) -> Reached {
        loop {
            if let Some(item) = self.dead {
                self.forget();
                return Reached::Dead(item);
            }
            if let Some(cell) = self.naked.pop() {
                // A hidden single may have been placed here first.
                if !self.placed[cell.index()] {
                    let digit = self.candidates(cell).single().expect("a cell that lost its last candidate is dead");
                    self.step(cell, digit, None);
                }
            } else if let Some(&house) = self.soiled.last() {
                self.look_at(house);
            } else {
                return if self.blanks == 0 { Reached::Full } else { Reached::Open };
            }
        }
    }

    fn step(&mut self, cell: Cell, digit: Digit, house: Option<HouseId>) {
        self.steps.push(Step { cell, digit, house, start: self.trail.len() });
        self.place(cell, digit);
    }

    /// Places one hidden single of a house, or finds that there is none.
    fn look_at(&mut self, house: HouseId) {
        let (mut once, mut twice, mut placed) = (0, 0, 0);
        for cell in self.rules.house(house).cells() {
            let bits = self.candidates(*cell).bits();
            twice |= once & bits;
            once |= bits;
            placed |= if self.placed[cell.index()] { bits } else { 0 };
        }
        let lacking = DigitSet::all(self.rules.side()).difference(DigitSet::from_bits(once));
        if let Some(digit) = lacking.first() {
            self.dead = Some(Item::Place(house, digit));
        } else if let Some(digit) = DigitSet::from_bits(once & !twice & !placed).first() {
            let way = self.open(Item::Place(house, digit)).ilog2();
            self.step(self.rules.house(house).cells()[way as usize], digit, Some(house));
        } else {
            self.soiled.pop();
            self.is_soiled[house.index()] = false;
        }
    }

    /// Those of the steps that a contradiction needs, in their order. The steps are followed back from it: what has to be gone for
    /// the contradiction, which step removed it, and what had to be gone for that step.
    pub(super) fn needed(&self, dead: Item) -> Vec<Step> {
        let all = DigitSet::all(self.rules.side());
        let mut needed = vec![DigitSet::EMPTY; self.candidates.len()];
        match dead {
            Item::Cell(cell) => needed[cell.index()] = all,
            Item::Place(house, digit) => {
                self.rules.house(house).cells().iter().for_each(|cell| needed[cell.index()].insert(digit));
            }
        }
        let mut kept = Vec::new();
        let mut end = self.trail.len();
        for step in self.steps.iter().rev() {
            let removed = &self.trail[step.start..end];
            end = step.start;
            if removed.iter().all(|(cell, digits)| needed[cell.index()].intersection(*digits).is_empty()) {
                continue;
            }
            kept.push(*step);
            for (cell, digits) in removed {
                needed[cell.index()] = needed[cell.index()].difference(*digits);
            }
            match step.house {
                None => {
                    let others = all.difference(DigitSet::of(step.digit));
                    needed[step.cell.index()] = needed[step.cell.index()].union(others);
                }
                Some(house) => {
                    for cell in self.rules.house(house).cells().iter().filter(|cell| **cell != step.cell) {
                        needed[cell.index()].insert(step.digit);
                    }
                }
            }
        }
        kept.reverse();
        kept
    }

    /// The item that is open in the fewest ways, two or more: of a board where nothing is forced and a cell is blank.
    pub(super) fn fewest(&self) -> Item {
        let blanks = self.rules.cells().filter(|cell| !self.placed[cell.index()]);
        let cell = blanks.min_by_key(|cell| self.candidates(*cell).len()).expect("a cell is blank");
        let (mut best, mut fewest) = (Item::Cell(cell), self.candidates(cell).len());
        if fewest > 2 {
            for id in self.rules.house_ids().filter(|&id| self.rules.house(id).is_full()) {
                for digit in DigitSet::all(self.rules.side()) {
                    let item = Item::Place(id, digit);
                    let ways = self.open(item).count_ones() as usize;
                    if (2..fewest).contains(&ways) {
                        (best, fewest) = (item, ways);
                    }
                }
            }
        }
        best
    }

    /// The digits of a board whose cells are all placed.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.candidates.iter().map(|set| set.first().map_or(0, Digit::get)).collect()
    }
}
