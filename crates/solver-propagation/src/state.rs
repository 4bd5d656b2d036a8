//! Candidates, counts of places, and the trail that undoes them.

use std::ops::ControlFlow;

use crate::Inference;
use crate::houses::OpenHouse;
use ninefold_core::{Cell, Contradiction, Digit, DigitSet, End, HouseId, Puzzle, Rules, Search, Why};

/// Work between two looks at the limits, in counts changed. A cascade on a 64×64 board with many extra houses changes millions.
const WORK_PER_LOOK: usize = 1 << 16;

/// Where propagation came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing more is forced.
    Done,
    /// There is no way on.
    Dead(Contradiction),
}

/// How far to undo.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    removals: usize,
    placements: usize,
}

/// What is known of the board at one node.
#[derive(Debug, Default)]
pub(crate) struct State {
    side: usize,
    /// Candidates of each cell; of a placed cell its digit alone.
    candidates: Vec<DigitSet>,
    /// The digit of each placed cell, 0 for the others.
    digits: Vec<u8>,
    /// Places of each digit in each full house, at `house · side + digit index`. Unused without hidden singles, and in
    /// small houses, where a digit may be absent.
    places: Vec<u8>,
    count_places: bool,
    blanks: usize,
    /// Candidates removed, in order.
    removals: Vec<(Cell, DigitSet)>,
    /// Cells placed, in order.
    placements: Vec<Cell>,
    /// Singles that were found and not yet placed: a ring is not needed, since it empties at every fixpoint.
    singles: Vec<(Cell, Digit, Why)>,
    next_single: usize,
    dead: Option<Contradiction>,
    work: usize,
    /// How many dead ends each cell, and thereafter each digit in each house, has shown; empty where nobody counts.
    weights: Vec<u32>,
    open_house: OpenHouse,
}

impl State {
    /// Loads a puzzle: what its givens leave of the candidates, and the singles among them.
    pub(crate) fn load(&mut self, puzzle: &Puzzle, count_places: bool, search: &mut Search<'_>) -> ControlFlow<End, Step> {
        let rules = puzzle.rules();
        self.side = rules.side();
        self.count_places = count_places;
        self.removals.clear();
        self.placements.clear();
        self.forget_singles();
        self.work = 0;
        self.digits.clear();
        self.digits.extend_from_slice(puzzle.board().as_bytes());
        self.blanks = self.digits.iter().filter(|&&digit| digit == 0).count();
        self.candidates.clear();
        self.candidates.extend(rules.cells().map(|cell| puzzle.allowed(cell)));
        for (cell, digit) in puzzle.board().givens() {
            for peer in rules.peers(cell) {
                // Givens do not clash, so no given loses its digit.
                self.candidates[peer.index()].remove(digit);
            }
        }
        for cell in rules.cells() {
            self.note_candidates(cell);
        }
        if count_places {
            self.places.clear();
            self.places.resize(rules.houses().len() * self.side, 0);
            for id in full_houses(rules) {
                self.work += self.side * self.side;
                self.look(search)?;
                for cell in rules.house(id).cells() {
                    for digit in self.candidates[cell.index()] {
                        self.places[id.index() * self.side + digit.index()] += 1;
                    }
                }
            }
            for id in full_houses(rules) {
                self.work += self.side;
                self.look(search)?;
                for digit in DigitSet::all(self.side) {
                    self.note_places(rules, id, digit);
                }
            }
        }
        ControlFlow::Continue(self.dead.map_or(Step::Done, Step::Dead))
    }

    /// Looks at the limits after so much work.
    fn look(&mut self, search: &mut Search<'_>) -> ControlFlow<End> {
        if self.work > WORK_PER_LOOK {
            self.work = 0;
            search.poll()?;
        }
        ControlFlow::Continue(())
    }

    /// Begins to count the dead ends of each item.
    pub(crate) fn weigh(&mut self, rules: &Rules) {
        self.weights.clear();
        self.weights.resize(rules.cell_count() + rules.houses().len() * self.side, 0);
    }

    /// An item has shown a dead end.
    pub(crate) fn add_weight(&mut self, rules: &Rules, why: Contradiction) {
        let item = match why {
            Contradiction::Cell(cell) => cell.index(),
            Contradiction::House(id, digit) => rules.cell_count() + id.index() * self.side + digit.index(),
            _ => return,
        };
        self.weights[item] += 1;
    }

    /// The first choice of the item with the fewest choices for its weight: dom/wdeg, with the weight on the item that showed the dead
    /// end rather than on its constraints. Called as [`State::fewest_choices`] is.
    pub(crate) fn heaviest_item(&self, rules: &Rules) -> (Cell, Digit, Option<HouseId>) {
        // Choices against weight, compared by cross-multiplying: both are small.
        let is_better = |choices: u64, weight: u64, best: Option<(u64, u64)>| {
            best.is_none_or(|(best_choices, best_weight)| choices * best_weight < best_choices * weight)
        };
        let (mut best, mut found) = (None, None);
        for cell in rules.cells().filter(|cell| self.digits[cell.index()] == 0) {
            let candidates = self.candidates[cell.index()];
            let (choices, weight) = (candidates.len() as u64, 1 + u64::from(self.weights[cell.index()]));
            if is_better(choices, weight, best) {
                best = Some((choices, weight));
                found = candidates.first().map(|digit| (cell, digit, None));
            }
        }
        for id in full_houses(rules).filter(|_| self.count_places) {
            for digit in DigitSet::all(self.side).iter().filter(|&digit| self.has_two_places(id, digit)) {
                let item = id.index() * self.side + digit.index();
                let weight = 1 + u64::from(self.weights[rules.cell_count() + item]);
                if is_better(2, weight, best) {
                    let place = rules.house(id).cells().iter().find(|cell| self.candidates[cell.index()].contains(digit));
                    best = Some((2, weight));
                    found = place.map(|&cell| (cell, digit, Some(id)));
                }
            }
        }
        found.expect("a cell is blank")
    }

    pub(crate) fn is_full(&self) -> bool {
        self.blanks == 0
    }

    /// One byte a cell, 0 for a cell that is not placed.
    pub(crate) fn digits(&self) -> &[u8] {
        &self.digits
    }

    pub(crate) fn is_blank(&self, cell: Cell) -> bool {
        self.digits[cell.index()] == 0
    }

    pub(crate) fn candidates(&self, cell: Cell) -> DigitSet {
        self.candidates[cell.index()]
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { removals: self.removals.len(), placements: self.placements.len() }
    }

    /// Places singles until there are no more, or until one contradicts.
    pub(crate) fn propagate(&mut self, rules: &Rules, search: &mut Search<'_>) -> ControlFlow<End, Step> {
        while self.dead.is_none() {
            self.look(search)?;
            let Some(&(cell, digit, why)) = self.singles.get(self.next_single) else { break };
            self.next_single += 1;
            match Digit::new(self.digits[cell.index()]) {
                None if self.candidates[cell.index()].contains(digit) => {
                    search.propagated(cell, digit, why);
                    self.place(rules, search, cell, digit);
                }
                // The digit that was the only one here has gone since, or another was placed first.
                None => self.dead = Some(contradiction(cell, digit, why)),
                Some(placed) if placed != digit => self.dead = Some(contradiction(cell, digit, why)),
                // Found twice, as the single of its cell and of a house.
                Some(_) => {}
            }
        }
        let step = self.dead.map_or(Step::Done, Step::Dead);
        self.forget_singles();
        ControlFlow::Continue(step)
    }

    /// Draws what stronger conclusions there are from each full house and places what becomes single, until there is nothing of either.
    pub(crate) fn propagate_houses(
        &mut self,
        rules: &Rules,
        search: &mut Search<'_>,
        inference: Inference,
    ) -> ControlFlow<End, Step> {
        loop {
            let step = self.propagate(rules, search)?;
            if step != Step::Done || self.blanks == 0 || inference == Inference::Singles {
                return ControlFlow::Continue(step);
            }
            let before = self.removals.len();
            for id in full_houses(rules) {
                match inference {
                    Inference::Singles => {}
                    Inference::LockedCandidates if self.count_places => self.remove_locked(rules, search, id)?,
                    Inference::LockedCandidates => {}
                    Inference::Subsets | Inference::Matching => self.look_at_house(rules, search, id, inference),
                }
                if self.dead.is_some() {
                    break;
                }
                self.look(search)?;
            }
            if self.removals.len() == before && self.dead.is_none() {
                return ControlFlow::Continue(Step::Done);
            }
        }
    }

    /// Removes what the cells of one full house, taken together, leave no room for.
    fn look_at_house(&mut self, rules: &Rules, search: &mut Search<'_>, id: HouseId, inference: Inference) {
        let mut open = std::mem::take(&mut self.open_house);
        let blanks = || rules.house(id).cells().iter().copied();
        open.clear();
        open.cells.extend(blanks().filter(|&cell| self.is_blank(cell)).map(|cell| self.candidates[cell.index()]));
        // About what the closure of a graph of so many cells takes.
        self.work += open.cells.len() * open.cells.len();
        let can_be_filled = match inference {
            Inference::Matching => open.matching(),
            _ => {
                open.subsets();
                true
            }
        };
        if can_be_filled {
            let cells: Vec<Cell> = blanks().filter(|&cell| self.is_blank(cell)).collect();
            for (cell, digits) in cells.into_iter().zip(&open.removals) {
                digits.iter().for_each(|digit| search.removed(cell, digit, Why::AllDifferent(id)));
                self.take(rules, cell, *digits);
            }
        } else {
            self.dead.get_or_insert(Contradiction::Arrangement);
        }
        self.open_house = open;
    }

    /// Removes the candidates that the places of each digit in one full house lock out of another. What that leaves single or impossible
    /// is noted for [`State::propagate`].
    fn remove_locked(&mut self, rules: &Rules, search: &mut Search<'_>, id: HouseId) -> ControlFlow<End> {
        for digit in DigitSet::all(self.side) {
            // One place is a single.
            if self.places[id.index() * self.side + digit.index()] < 2 {
                continue;
            }
            self.work += self.side;
            let has_digit = |cell: &&Cell| self.candidates[cell.index()].contains(digit);
            let places: Vec<Cell> = rules.house(id).cells().iter().filter(has_digit).copied().collect();
            // Removals for an earlier digit do not touch this one, but those of an earlier house may have.
            let Some((first, rest)) = places.split_first() else { continue };
            let all_in = |other: &HouseId| rest.iter().all(|place| rules.houses_of(*place).binary_search(other).is_ok());
            for &other in rules.houses_of(*first).iter().filter(|&&other| other != id) {
                // A cell may be in thousands of houses.
                self.work += places.len();
                self.look(search)?;
                if !all_in(&other) {
                    continue;
                }
                self.work += places.len() * rules.house(other).cells().len();
                for &cell in rules.house(other).cells().iter().filter(|cell| !places.contains(cell)) {
                    if self.candidates[cell.index()].contains(digit) {
                        search.removed(cell, digit, Why::LockedCandidates(id));
                        self.take(rules, cell, DigitSet::of(digit));
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Writes a digit into a blank cell that has it as a candidate, and removes it from the peers.
    pub(crate) fn place(&mut self, rules: &Rules, search: &mut Search<'_>, cell: Cell, digit: Digit) {
        self.digits[cell.index()] = digit.get();
        self.placements.push(cell);
        self.blanks -= 1;
        let others = self.candidates[cell.index()].difference(DigitSet::of(digit));
        self.take(rules, cell, others);
        for &peer in rules.peers(cell) {
            if self.candidates[peer.index()].contains(digit) {
                search.removed(peer, digit, Why::Peer(cell));
                self.take(rules, peer, DigitSet::of(digit));
            }
        }
    }

    /// Removes one candidate of a cell.
    pub(crate) fn remove(&mut self, rules: &Rules, cell: Cell, digit: Digit) {
        self.take(rules, cell, DigitSet::of(digit));
    }

    /// Takes candidates from a cell, keeps the counts right, and notes what becomes single or impossible. The counts are
    /// finished even when the cell is dead, so that undoing finds them whole.
    fn take(&mut self, rules: &Rules, cell: Cell, digits: DigitSet) {
        if digits.is_empty() {
            return;
        }
        self.candidates[cell.index()] = self.candidates[cell.index()].difference(digits);
        self.removals.push((cell, digits));
        self.note_candidates(cell);
        if self.count_places {
            let houses = rules.houses_of(cell);
            self.work += houses.len() * digits.len();
            for &id in houses.iter().filter(|&&id| rules.house(id).is_full()) {
                for digit in digits {
                    self.places[id.index() * self.side + digit.index()] -= 1;
                    self.note_places(rules, id, digit);
                }
            }
        } else {
            self.work += 1;
        }
    }

    fn note_candidates(&mut self, cell: Cell) {
        let candidates = self.candidates[cell.index()];
        if candidates.is_empty() {
            self.dead.get_or_insert(Contradiction::Cell(cell));
        } else if self.digits[cell.index()] == 0
            && let Some(digit) = candidates.single()
        {
            self.singles.push((cell, digit, Why::NakedSingle));
        }
    }

    fn note_places(&mut self, rules: &Rules, id: HouseId, digit: Digit) {
        match self.places[id.index() * self.side + digit.index()] {
            0 => {
                self.dead.get_or_insert(Contradiction::House(id, digit));
            }
            1 => {
                let place = rules.house(id).cells().iter().find(|cell| self.candidates[cell.index()].contains(digit));
                if let Some(&cell) = place
                    && self.digits[cell.index()] == 0
                {
                    self.singles.push((cell, digit, Why::HiddenSingle(id)));
                }
            }
            _ => {}
        }
    }

    fn forget_singles(&mut self) {
        self.singles.clear();
        self.next_single = 0;
        self.dead = None;
    }

    /// Takes back everything since the mark. Where a limit breaks it, the state is of no use until the next puzzle is loaded.
    pub(crate) fn undo(&mut self, rules: &Rules, search: &mut Search<'_>, mark: Mark) -> ControlFlow<End> {
        for cell in self.placements.drain(mark.placements..) {
            self.digits[cell.index()] = 0;
            self.blanks += 1;
        }
        while self.removals.len() > mark.removals
            && let Some((cell, digits)) = self.removals.pop()
        {
            self.candidates[cell.index()] = self.candidates[cell.index()].union(digits);
            if self.count_places {
                self.work += rules.houses_of(cell).len() * digits.len();
                self.look(search)?;
                for &id in rules.houses_of(cell).iter().filter(|&&id| rules.house(id).is_full()) {
                    for digit in digits {
                        self.places[id.index() * self.side + digit.index()] += 1;
                    }
                }
            }
        }
        self.forget_singles();
        ControlFlow::Continue(())
    }

    /// The first choice of the item with the fewest: a cell with its candidates or, if asked for, a digit of a house that has two places left for
    /// it. Called at a fixpoint with blanks left, where every item has two choices or more.
    pub(crate) fn fewest_choices(&self, rules: &Rules, in_houses: bool) -> (Cell, Digit, Option<HouseId>) {
        let mut best: Option<(usize, Cell)> = None;
        for cell in rules.cells().filter(|cell| self.digits[cell.index()] == 0) {
            let choices = self.candidates[cell.index()].len();
            if best.is_none_or(|(fewest, _)| choices < fewest) {
                best = Some((choices, cell));
                if choices == 2 {
                    break;
                }
            }
        }
        let (fewest, cell) = best.expect("a cell is blank");
        if in_houses && fewest > 2 {
            let found = full_houses(rules).find_map(|id| {
                let digit = DigitSet::all(self.side).iter().find(|&digit| self.has_two_places(id, digit))?;
                let place = rules.house(id).cells().iter().find(|cell| self.candidates[cell.index()].contains(digit));
                Some((*place.expect("the places were counted"), digit, Some(id)))
            });
            if let Some(found) = found {
                return found;
            }
        }
        (cell, self.candidates[cell.index()].first().expect("a blank cell has candidates"), None)
    }

    /// Whether a digit may be guessed in a house. Where more places are left, the guess would say little, and on a board with few givens the next
    /// would be made elsewhere: guesses scattered over an empty board lead to contradictions that no later one can mend. An empty 9×9 board with
    /// anti-knight pairs took millions of nodes so, and takes 105 with guesses in cells.
    fn has_two_places(&self, id: HouseId, digit: Digit) -> bool {
        self.places[id.index() * self.side + digit.index()] == 2
    }

    /// The choice that is left of an item after one of its choices was removed, if it is the only one and not dead.
    pub(crate) fn only_choice(
        &self,
        rules: &Rules,
        removed_from: Cell,
        digit: Digit,
        house: Option<HouseId>,
    ) -> Option<(Cell, Digit)> {
        if self.dead.is_some() {
            return None;
        }
        match house {
            None => self.candidates[removed_from.index()].single().map(|digit| (removed_from, digit)),
            Some(id) if self.places[id.index() * self.side + digit.index()] == 1 => {
                let cells = rules.house(id).cells();
                cells.iter().find(|cell| self.candidates[cell.index()].contains(digit)).map(|&cell| (cell, digit))
            }
            Some(_) => None,
        }
    }
}

fn full_houses(rules: &Rules) -> impl Iterator<Item = HouseId> + '_ {
    rules.house_ids().filter(|&id| rules.house(id).is_full())
}

fn contradiction(cell: Cell, digit: Digit, why: Why) -> Contradiction {
    match why {
        Why::HiddenSingle(house) => Contradiction::House(house, digit),
        _ => Contradiction::Cell(cell),
    }
}
