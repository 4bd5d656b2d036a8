//! Naked and hidden singles on candidate sets, for any rules.

use std::ops::ControlFlow;

use ninefold_core::{Cell, Contradiction, Digit, DigitSet, End, HouseId, Puzzle, Rules, Search, Why};

/// Cells looked at between two polls of the limits: some 100 µs of work.
const WORK_PER_POLL: usize = 1 << 15;

/// Candidates under placement.
#[derive(Clone, Debug)]
pub(crate) struct Propagation<'p> {
    rules: &'p Rules,
    /// The candidates of each cell; of a placed one, its digit.
    pub(crate) sets: Vec<DigitSet>,
    /// The digits placed, 0 for none.
    pub(crate) digits: Vec<u8>,
    /// Blanks with one candidate left, not yet placed. Never holds a cell twice: a set shrinks to one digit only once.
    naked: Vec<Cell>,
    /// Full houses that lost a candidate since they were last scanned for hidden singles.
    dirty: Vec<HouseId>,
    /// Whether each house is among them.
    is_dirty: Vec<bool>,
    work: usize,
}

/// A digit that a house has one place left for.
type Hidden = (Cell, Digit, HouseId);

/// What a step of propagation comes to: `Err` where the rules are broken.
type Step = Result<(), Contradiction>;

impl<'p> Propagation<'p> {
    /// What each cell may hold by itself; no house is looked at, and no given is placed.
    pub(crate) fn new(puzzle: &'p Puzzle) -> Propagation<'p> {
        let rules = puzzle.rules();
        let all = DigitSet::all(rules.side());
        let sets = match puzzle.restrictions() {
            Some(sets) => sets.to_vec(),
            None => vec![all; rules.cell_count()],
        };
        let is_dirty = vec![false; rules.houses().len()];
        Propagation { rules, sets, digits: vec![0; rules.cell_count()], naked: Vec::new(), dirty: Vec::new(), is_dirty, work: 0 }
    }

    /// Places the givens and takes them from their peers.
    pub(crate) fn place_givens(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> ControlFlow<End, Step> {
        // A restriction may leave a cell with one candidate, or none, before anything is placed.
        for cell in self.rules.cells() {
            let set = puzzle.allowed(cell);
            if set.is_empty() {
                return ControlFlow::Continue(Err(Contradiction::Cell(cell)));
            }
            if set.len() == 1 && puzzle.board().get(cell).is_none() {
                self.naked.push(cell);
            }
            // A house may have a hidden single, or none at all, before anything is placed.
            self.soil(cell);
        }
        for (cell, digit) in puzzle.board().givens() {
            if let Err(contradiction) = self.place(cell, digit) {
                return ControlFlow::Continue(Err(contradiction));
            }
            self.poll(search)?;
        }
        ControlFlow::Continue(Ok(()))
    }

    /// Places a digit that is a candidate of a blank, and takes it from the peers.
    pub(crate) fn place(&mut self, cell: Cell, digit: Digit) -> Step {
        let rules = self.rules;
        self.digits[cell.index()] = digit.get();
        if self.sets[cell.index()].len() > 1 {
            self.sets[cell.index()] = DigitSet::of(digit);
            self.soil(cell);
        }
        let peers = rules.peers(cell);
        self.work += peers.len();
        for &peer in peers {
            let set = &mut self.sets[peer.index()];
            if self.digits[peer.index()] != 0 || !set.contains(digit) {
                continue;
            }
            set.remove(digit);
            match set.len() {
                0 => return Err(Contradiction::Cell(peer)),
                1 => self.naked.push(peer),
                _ => {}
            }
            self.soil(peer);
        }
        Ok(())
    }

    fn soil(&mut self, cell: Cell) {
        for &id in self.rules.houses_of(cell) {
            let is_dirty = &mut self.is_dirty[id.index()];
            if !*is_dirty && self.rules.house(id).is_full() {
                *is_dirty = true;
                self.dirty.push(id);
            }
        }
    }

    /// Places naked and hidden singles until there are none left, and tells each if asked to.
    pub(crate) fn run(&mut self, report: bool, search: &mut Search<'_>) -> ControlFlow<End, Step> {
        loop {
            while let Some(cell) = self.naked.pop() {
                // A hidden single may have been placed here first.
                if self.digits[cell.index()] != 0 {
                    continue;
                }
                let digit = self.sets[cell.index()].single().expect("a set that lost its last digit ended the propagation");
                if report {
                    search.propagated(cell, digit, Why::NakedSingle);
                }
                if let Err(contradiction) = self.place(cell, digit) {
                    return ControlFlow::Continue(Err(contradiction));
                }
                self.poll(search)?;
            }
            match self.hidden_single(search)? {
                Err(contradiction) => return ControlFlow::Continue(Err(contradiction)),
                Ok(None) => return ControlFlow::Continue(Ok(())),
                Ok(Some((cell, digit, house))) => {
                    if report {
                        search.propagated(cell, digit, Why::HiddenSingle(house));
                    }
                    if let Err(contradiction) = self.place(cell, digit) {
                        return ControlFlow::Continue(Err(contradiction));
                    }
                    self.poll(search)?;
                }
            }
        }
    }

    /// Whether every cell is placed.
    pub(crate) fn is_full(&self) -> bool {
        !self.digits.contains(&0)
    }

    /// Removes locked candidates, house by house, and tells each: where all places of a digit in a full house lie in another house too, the rest of
    /// that one cannot hold it. `true` where something was removed; what that forces is left to [`Propagation::run`].
    pub(crate) fn remove_locked(&mut self, search: &mut Search<'_>) -> ControlFlow<End, Result<bool, Contradiction>> {
        let rules = self.rules;
        let mut removed = false;
        let (mut blanks, mut places): (Vec<Cell>, Vec<Cell>) = (Vec::new(), Vec::new());
        for id in rules.house_ids().filter(|&id| rules.house(id).is_full()) {
            blanks.clear();
            blanks.extend(rules.house(id).cells().iter().filter(|cell| self.digits[cell.index()] == 0));
            self.work += rules.side();
            self.poll(search)?;
            for digit in blanks.iter().fold(DigitSet::EMPTY, |digits, cell| digits.union(self.sets[cell.index()])) {
                self.work += blanks.len();
                self.poll(search)?;
                places.clear();
                places.extend(blanks.iter().filter(|cell| self.sets[cell.index()].contains(digit)));
                // At a fixpoint of singles there are two or more, but this pass may have left fewer.
                let [first, second, rest @ ..] = places.as_slice() else { continue };
                for &other in rules.houses_of(*first) {
                    // A cell may be in thousands of houses.
                    self.work += 2;
                    self.poll(search)?;
                    let is_in_other = |place: &Cell| rules.houses_of(*place).binary_search(&other).is_ok();
                    if other == id || !is_in_other(second) || !rest.iter().all(is_in_other) {
                        continue;
                    }
                    self.work += rules.house(other).cells().len();
                    for &cell in rules.house(other).cells() {
                        let set = &mut self.sets[cell.index()];
                        if !set.contains(digit) || rules.houses_of(cell).binary_search(&id).is_ok() {
                            continue;
                        }
                        set.remove(digit);
                        removed = true;
                        search.removed(cell, digit, Why::LockedCandidates(id));
                        match self.sets[cell.index()].len() {
                            0 => return ControlFlow::Continue(Err(Contradiction::Cell(cell))),
                            1 => self.naked.push(cell),
                            _ => {}
                        }
                        self.soil(cell);
                    }
                }
            }
        }
        ControlFlow::Continue(Ok(removed))
    }

    /// A hidden single, if there is one. A house stays dirty until it has none.
    fn hidden_single(&mut self, search: &mut Search<'_>) -> ControlFlow<End, Result<Option<Hidden>, Contradiction>> {
        let rules = self.rules;
        let all = DigitSet::all(rules.side());
        while let Some(&house) = self.dirty.last() {
            let cells = rules.house(house).cells();
            self.work += cells.len();
            self.poll(search)?;
            let (mut once, mut twice, mut placed) = (0u64, 0u64, 0u64);
            for cell in cells {
                let bits = self.sets[cell.index()].bits();
                twice |= once & bits;
                once |= bits;
                if self.digits[cell.index()] != 0 {
                    placed |= bits;
                }
            }
            if let Some(digit) = all.difference(DigitSet::from_bits(once)).first() {
                return ControlFlow::Continue(Err(Contradiction::House(house, digit)));
            }
            if let Some(digit) = DigitSet::from_bits(once & !twice & !placed).first() {
                let cell = cells.iter().copied().find(|cell| self.sets[cell.index()].contains(digit));
                return ControlFlow::Continue(Ok(cell.map(|cell| (cell, digit, house))));
            }
            self.dirty.pop();
            self.is_dirty[house.index()] = false;
        }
        ControlFlow::Continue(Ok(None))
    }

    fn poll(&mut self, search: &mut Search<'_>) -> ControlFlow<End> {
        if self.work >= WORK_PER_POLL {
            self.work = 0;
            search.poll()?;
        }
        ControlFlow::Continue(())
    }
}
