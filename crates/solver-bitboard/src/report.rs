//! Watchers that report to the [`Search`] of `ninefold-core`: a fast one, and one that tells an observer every step.

use std::ops::ControlFlow;

use ninefold_core::{Cell, Choice, Contradiction, Digit, End, HouseId, HouseKind, Puzzle, Rules, Search, Tally, Why};

use crate::kernel::board::{self, State, cell_at};
use crate::kernel::choice::Sides;
use crate::kernel::search::{Step, Watch};
use crate::vector::Vector;
use crate::vector::portable::Portable;

/// Counts, keeps the limits, hands over solutions.
pub(crate) struct Reporter<'r, 's> {
    puzzle: &'r Puzzle,
    search: &'r mut Search<'s>,
    tally: Tally,
    flow: ControlFlow<End>,
}

impl<'r, 's> Reporter<'r, 's> {
    pub(crate) fn new(puzzle: &'r Puzzle, search: &'r mut Search<'s>) -> Reporter<'r, 's> {
        let tally = Tally::new(search);
        Reporter { puzzle, search, tally, flow: ControlFlow::Continue(()) }
    }

    /// How the search ended, once it has.
    pub(crate) fn finish(mut self) -> ControlFlow<End> {
        // The limits were looked at when they were met; what is left to report cannot break.
        let _ = self.tally.report(self.search);
        self.flow
    }
}

impl<V: Vector> Watch<V> for Reporter<'_, '_> {
    #[inline(always)]
    fn node(&mut self) -> bool {
        match self.tally.node(self.search) {
            ControlFlow::Continue(()) => true,
            flow => {
                self.flow = flow;
                false
            }
        }
    }
    #[inline(always)]
    fn guess(&mut self, _: &State<V>, _: &Sides<V>, _: usize) {
        self.tally.first_choice(true);
    }
    #[inline(always)]
    fn dead_end(&mut self, _: &State<V>) {
        self.tally.dead_end();
    }
    #[inline(always)]
    fn back(&mut self, _: usize) {
        self.tally.next_choice(false);
    }
    #[inline(always)]
    fn solution(&mut self, state: &State<V>) -> bool {
        let grid = board::grid(state);
        self.flow = self.search.solution(self.puzzle, &grid);
        self.flow.is_continue()
    }
}

/// Tells an observer every step, in words of cells and digits. Runs on the portable path alone: all paths walk the same tree.
pub(crate) struct Teller<'r, 's> {
    puzzle: &'r Puzzle,
    search: &'r mut Search<'s>,
    /// The digit placed in each cell, 0 for none; givens included.
    placed: [u8; 81],
    /// What each open guess needs when it is taken back.
    open: Vec<Open>,
    flow: ControlFlow<End>,
}

/// An open guess.
struct Open {
    placed: [u8; 81],
    digit: Digit,
    /// The cells that the guess confines the digit to, and that lose it when the guess is refuted.
    cells: Vec<Cell>,
    /// The digit that is left in the cell then, if the guess was between two digits of one cell.
    other: Option<Digit>,
}

fn cell(index: usize) -> Cell {
    Cell::new(index).expect("the index of a cell")
}

/// The lowest digit of a mask.
fn digit_of(mask: u16) -> Digit {
    Digit::new(mask.trailing_zeros() as u8 + 1).expect("the mask has one of nine digits")
}

/// The candidates of a state: bit `d - 1` of a cell for digit `d`.
fn candidates(state: &State<Portable>) -> [u16; 81] {
    let mut masks = [0u16; 81];
    for index in 0..9 {
        let mut lanes = [0; 8];
        state[index / 2].store(&mut lanes);
        for band in 0..3 {
            for cell in cells_of(band, lanes[index % 2 * 4 + band]) {
                masks[cell] |= 1 << index;
            }
        }
    }
    masks
}

/// The row-major cells of the bits of a band.
fn cells_of(band: usize, mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let bit = bits.trailing_zeros();
        bits &= bits - 1;
        Some(cell_at(band, bit))
    })
}

/// The houses of the classic board by kind.
fn house_of(rules: &Rules, at: Cell, wanted: fn(&HouseKind) -> bool) -> HouseId {
    let mut houses = rules.houses_of(at).iter().copied();
    houses.find(|&id| wanted(rules.house(id).kind())).expect("a classic cell has a row, a column and a block")
}

fn row_of(rules: &Rules, at: Cell) -> HouseId {
    house_of(rules, at, |kind| matches!(kind, HouseKind::Row(_)))
}

fn block_of(rules: &Rules, at: Cell) -> HouseId {
    house_of(rules, at, |kind| matches!(kind, HouseKind::Block(_)))
}

impl<'r, 's> Teller<'r, 's> {
    pub(crate) fn new(puzzle: &'r Puzzle, search: &'r mut Search<'s>, givens: &[u8; 81]) -> Teller<'r, 's> {
        Teller { puzzle, search, placed: *givens, open: Vec::new(), flow: ControlFlow::Continue(()) }
    }

    /// How the search ended, once it has.
    pub(crate) fn finish(self) -> ControlFlow<End> {
        self.flow
    }

    fn rules(&self) -> &'r Rules {
        self.puzzle.rules()
    }

    /// A placed peer that holds the digit.
    fn peer_with(&self, at: usize, digit: Digit) -> Option<Cell> {
        self.rules().peers(cell(at)).iter().copied().find(|peer| self.placed[peer.index()] == digit.get())
    }

    /// Places what the singles of this state are, if it is not placed yet.
    fn place_singles(&mut self, before: &[u16; 81]) {
        for at in 0..81 {
            if self.placed[at] != 0 {
                continue;
            }
            let own = before[at];
            let row = at / 9 * 9..at / 9 * 9 + 9;
            let others = row.filter(|&other| other != at).fold(0, |mask, other| mask | before[other]);
            let hidden = own & !others;
            let (single, why) = if own.is_power_of_two() {
                (own, Why::NakedSingle)
            } else if hidden.is_power_of_two() {
                (hidden, Why::HiddenSingle(row_of(self.rules(), cell(at))))
            } else {
                continue;
            };
            let digit = digit_of(single);
            self.placed[at] = digit.get();
            self.search.event(ninefold_core::Event::Place { cell: cell(at), digit, why });
        }
    }

    /// What shows that the state has no way on.
    fn contradiction(&self, masks: &[u16; 81]) -> Contradiction {
        if let Some(at) = masks.iter().position(|mask| *mask == 0) {
            return Contradiction::Cell(cell(at));
        }
        for at in self.rules().cells() {
            for &id in self.rules().houses_of(at) {
                let cells = self.rules().house(id).cells();
                let possible = cells.iter().fold(0, |mask, at| mask | masks[at.index()]);
                let lacking = !possible & 0x1FF;
                if lacking != 0 {
                    let digit = digit_of(lacking);
                    return Contradiction::House(id, digit);
                }
            }
        }
        Contradiction::Arrangement
    }
}

impl Watch<Portable> for Teller<'_, '_> {
    fn node(&mut self) -> bool {
        self.flow = self.search.node();
        self.flow.is_continue()
    }

    fn guess(&mut self, state: &State<Portable>, sides: &Sides<Portable>, depth: usize) {
        let (all, kept, left) = (candidates(state), candidates(&sides.one), candidates(&sides.other));
        // What the other side loses is what this side confines the digit to.
        let cells: Vec<Cell> = (0..81).filter(|&at| all[at] != left[at]).map(cell).collect();
        let first = cells[0].index();
        let digit = digit_of(all[first] & !left[first]);
        let excluded: Vec<usize> = (0..81).filter(|&at| all[at] != kept[at]).collect();
        // Between two digits of one cell, or between some cells and others.
        let other = (excluded == [first]).then(|| digit_of(left[first]));
        let choice = if let [only] = cells[..] {
            Choice::Place { cell: only, digit }
        } else {
            // All of these cells share a row (a choice in a band) or a block (in a stack).
            let one_row = excluded.iter().chain([&cells[cells.len() - 1].index()]).all(|at| at / 9 == first / 9);
            let house = if one_row { row_of(self.rules(), cells[0]) } else { block_of(self.rules(), cells[0]) };
            Choice::Confine { house, digit, cells: &cells }
        };
        self.search.guess(choice, depth);
        let placed = self.placed;
        if let Choice::Place { cell, digit } = choice {
            // The guess has told it.
            self.placed[cell.index()] = digit.get();
        }
        self.open.push(Open { placed, digit, cells, other });
    }

    fn dead_end(&mut self, state: &State<Portable>) {
        let why = self.contradiction(&candidates(state));
        self.search.dead_end(why);
    }

    fn back(&mut self, depth: usize) {
        let open = self.open.pop().expect("a guess is open");
        self.placed = open.placed;
        self.search.back(depth);
        for &at in &open.cells {
            if let Some(other) = open.other {
                self.placed[at.index()] = other.get();
                self.search.last_choice(at, other);
            } else {
                self.search.removed(at, open.digit, Why::Refuted);
            }
        }
    }

    fn solution(&mut self, state: &State<Portable>) -> bool {
        self.flow = self.search.solution(self.puzzle, &board::grid(state));
        self.flow.is_continue()
    }

    fn step(&mut self, step: Step, before: &State<Portable>, after: &State<Portable>) {
        let (before, after) = (candidates(before), candidates(after));
        if step == Step::Singles {
            self.place_singles(&before);
        }
        for at in 0..81 {
            let mut gone = before[at] & !after[at];
            // The other digits of a cell go with the digit that is placed there, and are not told one by one.
            if let Some(own) = Digit::new(self.placed[at]) {
                gone &= 1 << own.index();
            }
            while gone != 0 {
                let digit = digit_of(gone);
                gone &= gone - 1;
                let why = self.peer_with(at, digit).map_or(Why::Arrangement, Why::Peer);
                self.search.removed(cell(at), digit, why);
            }
        }
    }
}
