//! The open candidates as numbers, and what they exclude.

use std::ops::{ControlFlow, Range};

use ninefold_core::{Budget, Cell, Digit, DigitSet, End, HouseId, Puzzle, Search};

use crate::state::State;

/// A candidate that is open when learning begins, counted from 0 by cell and digit.
pub(super) type Var = u32;

const NO_VAR: Var = u32::MAX;

/// Members of all groups together, at most: a quarter of a gigabyte. A plain 64×64 board has a million.
const MOST_MEMBERS: usize = 1 << 25;

/// Work between two looks at the limits while groups are set up: well under a millisecond.
const MEMBERS_PER_POLL: usize = 1 << 16;
pub(super) const GROUPS_PER_POLL: usize = MEMBERS_PER_POLL / 64;

/// What a group stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    /// The candidates of a cell.
    Cell(Cell),
    /// The places of a digit in a full house.
    Place(HouseId, Digit),
}

/// The rules, over the open candidates. Exactly one member of each group holds; a candidate also excludes its digit from the loose
/// peers of its cell, those that share none but small houses with it.
#[derive(Debug)]
pub(super) struct Groups {
    side: usize,
    /// The cell and the digit of each candidate.
    pub(super) cells: Vec<Cell>,
    pub(super) digits: Vec<Digit>,
    /// What each group stands for.
    pub(super) items: Vec<Item>,
    /// The candidate at `cell · side + digit index`.
    numbers: Vec<Var>,
    // Lists of lists: list `i` begins at `starts[i]` and ends before `starts[i + 1]`.
    starts: Vec<u32>,
    members: Vec<Var>,
    starts_of: Vec<u32>,
    groups_of: Vec<u32>,
    loose_starts: Vec<u32>,
    loose: Vec<Cell>,
}

impl Groups {
    /// Numbers what a fixpoint of singles has left.
    ///
    /// # Errors
    /// Breaks with [`Budget::Memory`] where the groups would take too much, and where a limit runs out: rules with thousands of houses on few
    /// cells take a good part of a second.
    pub(super) fn new(puzzle: &Puzzle, state: &State, search: &mut Search<'_>) -> ControlFlow<End, Groups> {
        let rules = puzzle.rules();
        let side = rules.side();
        let blanks = || rules.cells().filter(|&cell| state.is_blank(cell));
        let is_full = |id: &HouseId| rules.house(*id).is_full();
        let count: usize = blanks()
            .map(|cell| state.candidates(cell).len() * (1 + rules.houses_of(cell).iter().filter(|id| is_full(id)).count()))
            .sum();
        if count > MOST_MEMBERS {
            return ControlFlow::Break(End::OutOfBudget(Budget::Memory));
        }
        let mut groups = Groups {
            side,
            cells: Vec::new(),
            digits: Vec::new(),
            items: Vec::new(),
            numbers: vec![NO_VAR; rules.cell_count() * side],
            starts: vec![0],
            members: Vec::with_capacity(count),
            starts_of: Vec::new(),
            groups_of: vec![0; count],
            loose_starts: vec![0],
            loose: Vec::new(),
        };
        for cell in blanks() {
            for digit in state.candidates(cell) {
                let var = groups.cells.len() as Var;
                groups.numbers[cell.index() * side + digit.index()] = var;
                groups.members.push(var);
                groups.cells.push(cell);
                groups.digits.push(digit);
            }
            groups.close(Item::Cell(cell));
        }
        for id in rules.house_ids().filter(is_full) {
            search.poll()?;
            for digit in DigitSet::all(side) {
                let cells = rules.house(id).cells().iter();
                let open = cells.map(|cell| groups.numbers[cell.index() * side + digit.index()]).filter(|&var| var != NO_VAR);
                groups.members.extend(open);
                groups.close(Item::Place(id, digit));
            }
        }
        groups.turn_round(search)?;
        // The last cell of which this one is a peer through a full house.
        let mut covered = vec![None; rules.cell_count()];
        for cell in rules.cells() {
            if state.is_blank(cell) {
                search.poll()?;
                for id in rules.houses_of(cell).iter().filter(|id| is_full(id)) {
                    rules.house(*id).cells().iter().for_each(|peer| covered[peer.index()] = Some(cell));
                }
                let peers = rules.peers(cell).iter();
                groups.loose.extend(peers.filter(|peer| state.is_blank(**peer) && covered[peer.index()] != Some(cell)));
            }
            groups.loose_starts.push(groups.loose.len() as u32);
        }
        ControlFlow::Continue(groups)
    }

    fn close(&mut self, item: Item) {
        let from = *self.starts.last().expect("the first start is 0");
        if self.members.len() > from as usize {
            self.starts.push(self.members.len() as u32);
            self.items.push(item);
        }
    }

    /// Lists the groups of each candidate.
    fn turn_round(&mut self, search: &mut Search<'_>) -> ControlFlow<End> {
        let mut starts = vec![0; self.cells.len() + 1];
        for members in self.members.chunks(MEMBERS_PER_POLL) {
            search.poll()?;
            members.iter().for_each(|&var| starts[var as usize + 1] += 1);
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        for group in 0..self.items.len() {
            if group.is_multiple_of(GROUPS_PER_POLL) {
                search.poll()?;
            }
            for i in self.range(group as u32) {
                let next = &mut next[self.members[i] as usize];
                self.groups_of[*next as usize] = group as u32;
                *next += 1;
            }
        }
        self.starts_of = starts;
        ControlFlow::Continue(())
    }

    /// How many candidates there are.
    pub(super) fn count(&self) -> usize {
        self.cells.len()
    }

    // Lists are given as ranges, so that a caller can go through one while it changes what it knows.

    /// The places of a group's members.
    #[inline]
    pub(super) fn range(&self, group: u32) -> Range<usize> {
        self.starts[group as usize] as usize..self.starts[group as usize + 1] as usize
    }

    /// The member at a place.
    #[inline]
    pub(super) fn member(&self, at: usize) -> Var {
        self.members[at]
    }

    /// The members of a group.
    #[inline]
    pub(super) fn members(&self, group: u32) -> &[Var] {
        &self.members[self.range(group)]
    }

    /// The places of the groups of a candidate.
    #[inline]
    pub(super) fn range_of(&self, var: Var) -> Range<usize> {
        self.starts_of[var as usize] as usize..self.starts_of[var as usize + 1] as usize
    }

    /// The group at a place.
    #[inline]
    pub(super) fn group_at(&self, at: usize) -> u32 {
        self.groups_of[at]
    }

    /// The places of the loose peers of a candidate's cell.
    #[inline]
    pub(super) fn range_of_loose(&self, var: Var) -> Range<usize> {
        let cell = self.cells[var as usize].index();
        self.loose_starts[cell] as usize..self.loose_starts[cell + 1] as usize
    }

    /// The candidate of the same digit in the loose peer at a place, if there is one.
    #[inline]
    pub(super) fn loose_at(&self, at: usize, var: Var) -> Option<Var> {
        let number = self.numbers[self.loose[at].index() * self.side + self.digits[var as usize].index()];
        (number != NO_VAR).then_some(number)
    }

    /// Everything that a candidate excludes, some of it more than once, and itself.
    pub(super) fn excluded_by(&self, var: Var) -> impl Iterator<Item = Var> + '_ {
        let in_groups = self.range_of(var).flat_map(|at| self.members(self.group_at(at)).iter().copied());
        in_groups.chain(self.range_of_loose(var).filter_map(move |at| self.loose_at(at, var)))
    }
}
