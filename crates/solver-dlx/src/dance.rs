//! One search: the crate's dance with the search companion in it.

use std::ops::ControlFlow;

use dlx::choose::Choose;
use dlx::x::{self, INodes, ONodes};
use dlx::{Dance, Int, Solve, Solver, Uint};
use ninefold_core::{Cell, Choice, Contradiction, Counter, Digit, End, Puzzle, Search, Why};

use crate::ItemChoice;
use crate::matrix::{Item, Matrix, digit_at};

/// Nodes of the matrix that may be touched between two looks at the limits, about: a few milliseconds' worth.
const WORK_PER_POLL: usize = 1 << 20;

/// Up to so many nodes (a board of 36×36) a search that is stopped takes everything back. Beyond, that would take longer than a
/// caller may have to wait, so the matrix is given up as it is, and the next search builds a new one.
const MOST_NODES_TO_RESTORE: usize = 1 << 18;

/// Places with more options are not branched on where the choice is to stay near: guesses scattered over a board with few givens lead to
/// contradictions that no later one can mend.
const MOST_OPTIONS_OF_A_PLACE: Int = 2;

/// A matrix in the middle of a search.
///
/// It is what the crate calls a problem: the links are the crate's, and so are covering and uncovering. The crate's own
/// `x::Problem` could tell nobody what it does; this one tells the companion where an option is tried and where it is taken back.
///
/// To stop, it refuses: once `end` is set no option is tried any more, so the crate's solver goes back level by level, and the
/// matrix is whole again (or given up, if it is large).
pub(crate) struct Dancer<'r, 's> {
    matrix: Matrix,
    puzzle: &'r Puzzle,
    search: &'r mut Search<'s>,
    item_choice: ItemChoice,
    observed: bool,
    /// Why the search has ended, once it has.
    end: Option<End>,
    /// Guesses open now.
    depth: usize,
    /// The node tried at each level, for the solution.
    path: Vec<Uint>,
    updates: isize,
    /// Steps until the next look at the limits, and from one to the next.
    until_poll: usize,
    steps_per_poll: usize,
    /// Whether the matrix is given up where the search is stopped.
    is_large: bool,
    /// For each primary item, by its number, 1 and how often it led to a dead end in this search; empty where nobody asks.
    weights: Vec<u32>,
}

impl<'r, 's> Dancer<'r, 's> {
    pub(crate) fn new(matrix: Matrix, puzzle: &'r Puzzle, search: &'r mut Search<'s>, item_choice: ItemChoice) -> Self {
        // A step touches the whole matrix at worst, and a small part of it as a rule.
        let steps_per_poll = 1 + WORK_PER_POLL / matrix.node_count();
        let observed = search.is_observed();
        let is_large = matrix.node_count() > MOST_NODES_TO_RESTORE;
        let item_choice = item_choice.on(puzzle.rules());
        let weighed = if item_choice == ItemChoice::Weighted { matrix.primary_items() + 1 } else { 0 };
        Dancer {
            matrix,
            puzzle,
            search,
            item_choice,
            observed,
            end: None,
            depth: 0,
            path: Vec::with_capacity(puzzle.rules().cell_count()),
            updates: 0,
            until_poll: steps_per_poll,
            steps_per_poll,
            is_large,
            weights: vec![1; weighed],
        }
    }

    fn is_given_up(&self) -> bool {
        self.is_large && self.end.is_some()
    }

    /// Looks at the limits now and then. The companion does that too, but by the cost of the nodes before: on a big board
    /// the next one may cost ten thousand times as much.
    #[inline]
    fn poll(&mut self) -> ControlFlow<End> {
        self.until_poll -= 1;
        if self.until_poll != 0 {
            return ControlFlow::Continue(());
        }
        self.until_poll = self.steps_per_poll;
        self.hand_in_updates();
        self.search.poll()
    }

    /// Hands the link updates to the companion, long before a 32-bit count would overflow. The crate negates its count when
    /// it is done.
    fn hand_in_updates(&mut self) {
        self.search.add(Counter::LinkUpdates, self.updates.unsigned_abs() as u64);
        self.updates = 0;
    }

    /// Hides the options that the puzzle excludes and covers the items of the givens. After a break the matrix is not whole.
    pub(crate) fn cover_puzzle(&mut self) -> ControlFlow<End> {
        let puzzle = self.puzzle;
        // Options are hidden first, while each is still in all its lists.
        for (cell, digit) in excluded(puzzle) {
            self.poll()?;
            for node in self.matrix.nodes_of(cell, digit) {
                self.unlink(node);
            }
        }
        for (cell, digit) in puzzle.board().givens() {
            self.poll()?;
            for node in self.matrix.nodes_of(cell.index(), digit.index()) {
                let item = *self.top(node);
                x::cover(Uint(item), self);
            }
            // Not counted: it is not the search that changes these.
            self.updates = 0;
        }
        ControlFlow::Continue(())
    }

    /// Takes back in reverse order what [`cover_puzzle`](Dancer::cover_puzzle) did, and returns the matrix.
    pub(crate) fn uncover_puzzle(mut self) -> Matrix {
        let puzzle = self.puzzle;
        if self.is_given_up() {
            self.matrix.is_whole = false;
            return self.matrix;
        }
        for (cell, byte) in puzzle.board().as_bytes().iter().enumerate().rev() {
            if *byte != 0 {
                for node in self.matrix.nodes_of(cell, usize::from(*byte) - 1).rev() {
                    let item = *self.top(node);
                    x::uncover(Uint(item), &mut self);
                }
            }
        }
        for (cell, digit) in excluded(puzzle).rev() {
            for node in self.matrix.nodes_of(cell, digit).rev() {
                self.relink(node);
            }
        }
        self.matrix
    }

    /// Takes one node out of the list of its item.
    fn unlink(&mut self, node: Uint) {
        let (item, up, down) = (*self.top(node), *self.ulink(node), *self.dlink(node));
        *self.dlink(up) = down;
        *self.ulink(down) = up;
        *self.len(Uint(item)) -= 1;
    }

    /// Puts a node back that [`unlink`](Dancer::unlink) took out.
    fn relink(&mut self, node: Uint) {
        let (item, up, down) = (*self.top(node), *self.ulink(node), *self.dlink(node));
        *self.dlink(up) = node;
        *self.ulink(down) = node;
        *self.len(Uint(item)) += 1;
    }

    /// Searches. Afterwards the matrix is as it was before, unless it is given up.
    pub(crate) fn walk(&mut self) -> ControlFlow<End> {
        self.search.setup_done();
        let flow = self.search.node();
        if !self.stop_on_break(flow) {
            if *self.rlink(0) == 0 {
                // The givens are the solution. The crate would find it too, but there is no option to report it with.
                let flow = self.search.solution(self.puzzle, self.puzzle.board().as_bytes());
                self.stop_on_break(flow);
            } else {
                let mut chooser = self.item_choice;
                let mut solver = Solver::new(self);
                // False comes when the solver is back at the root, after the last solution and after a stop alike; asked again,
                // it would start over.
                while solver.next_solution(&mut chooser) {}
                self.hand_in_updates();
            }
        }
        match self.end {
            Some(end) => ControlFlow::Break(end),
            None => ControlFlow::Continue(()),
        }
    }

    fn stop_on_break(&mut self, flow: ControlFlow<End>) -> bool {
        if let ControlFlow::Break(end) = flow {
            self.end = Some(end);
        }
        self.end.is_some()
    }

    fn cell_and_digit(&mut self, node: Uint) -> (Cell, Digit) {
        let (cell, digit) = self.matrix.option_of(node);
        (Cell::new(cell).expect("an option's cell is on the board"), digit_at(digit))
    }

    /// Counts the option that is being tried, and tells the observer.
    #[inline]
    fn count_try(&mut self, item: Uint, node: Uint) {
        let (more, first) = (*self.dlink(node) != item, *self.ulink(node) == item);
        self.depth += usize::from(more);
        if self.observed {
            self.tell_try(item, node);
        } else if more {
            self.search.add(Counter::Guesses, 1);
            self.search.raise(Counter::MaxDepth, self.depth as u64);
        } else if first {
            self.search.add(Counter::Propagations, 1);
        }
    }

    #[cold]
    fn tell_try(&mut self, item: Uint, node: Uint) {
        let (more, first) = (*self.dlink(node) != item, *self.ulink(node) == item);
        let (cell, digit) = self.cell_and_digit(node);
        if more {
            self.search.guess(Choice::Place { cell, digit }, self.depth);
        } else if first {
            let why = match self.matrix.item(item) {
                Item::Cell(_) => Why::NakedSingle,
                Item::Place(house, _) => Why::HiddenSingle(house),
            };
            self.search.propagated(cell, digit, why);
        } else {
            self.search.last_choice(cell, digit);
        }
    }

    /// An item without options weighs more, and so do those that led to it: the forced ones before it, back to the last that had a choice.
    fn add_weights(&mut self, dead: Uint) {
        let weigh = |weight: &mut u32| *weight = weight.saturating_add(1);
        weigh(&mut self.weights[dead as usize]);
        for i in (0..self.path.len()).rev() {
            let item = *self.top(self.path[i]) as Uint;
            weigh(&mut self.weights[item as usize]);
            if *self.len(item) > 1 {
                break;
            }
        }
    }

    #[inline]
    fn count_dead_end(&mut self, item: Uint) {
        let why = match self.matrix.item(item) {
            Item::Cell(cell) => Contradiction::Cell(cell),
            Item::Place(house, digit) => Contradiction::House(house, digit),
        };
        self.search.dead_end(why);
    }

    /// Reports the options of the levels 0 to `level` as a solution.
    fn report_solution(&mut self, level: usize) {
        let mut digits = self.puzzle.board().as_bytes().to_vec();
        for tried in 0..=level {
            let (cell, digit) = self.matrix.option_of(self.path[tried]);
            digits[cell] = digit as u8 + 1;
        }
        let flow = self.search.solution(self.puzzle, &digits);
        self.stop_on_break(flow);
    }
}

/// The options that the puzzle excludes by itself, as cell and digit index, ascending. Those of a given's cell go with the given.
fn excluded(puzzle: &Puzzle) -> impl DoubleEndedIterator<Item = (usize, usize)> + '_ {
    let side = puzzle.rules().side();
    let sets = puzzle.restrictions().unwrap_or_default();
    let blanks = sets.iter().zip(puzzle.board().as_bytes()).enumerate().filter(|(_, (_, byte))| **byte == 0);
    blanks.flat_map(move |(cell, (set, _))| {
        (0..side).filter(|digit| !set.contains(digit_at(*digit))).map(move |digit| (cell, digit))
    })
}

impl Dance for Dancer<'_, '_> {
    type I = INodes;
    type O = ONodes;

    #[inline]
    fn items(&mut self) -> &mut INodes {
        &mut self.matrix.items
    }

    #[inline]
    fn opts(&mut self) -> &mut ONodes {
        &mut self.matrix.opts
    }

    #[inline]
    fn updates(&mut self) -> &mut isize {
        &mut self.updates
    }

    #[inline]
    fn cover(&mut self, i: Uint) {
        x::cover(i, self);
    }

    #[inline]
    fn commit(&mut self, p: Uint, j: Uint) {
        x::commit(p, j, self);
    }

    #[inline]
    fn uncover(&mut self, i: Uint) {
        x::uncover(i, self);
    }

    #[inline]
    fn uncommit(&mut self, p: Uint, j: Uint) {
        x::uncommit(p, j, self);
    }

    #[inline]
    fn hide(&mut self, p: Uint) {
        x::hide(p, self);
    }

    #[inline]
    fn unhide(&mut self, p: Uint) {
        x::unhide(p, self);
    }

    #[inline]
    fn branch_degree(&mut self, i: Uint) -> Int {
        x::branch_degree(i, self)
    }
}

impl Solve for Dancer<'_, '_> {
    fn enter_level(&mut self, _: Uint, _: Uint, _: Uint) {}

    #[inline]
    fn prepare_to_branch(&mut self, i: Uint, l: Uint, xl: Uint) {
        x::prepare_to_branch(self, i, l, xl);
    }

    /// Tries the option of node `xl` for the item `i` at level `l`, unless that was the last or the search is to end.
    #[inline]
    fn try_item(&mut self, i: Uint, l: Uint, xl: Uint) -> bool {
        if xl == i || self.end.is_some() {
            return false;
        }
        // Told before the node that it leads to, as other strategies do.
        self.count_try(i, xl);
        let flow = self.search.node();
        if self.stop_on_break(flow) {
            return false;
        }
        let level = l as usize;
        self.path.truncate(level);
        self.path.push(xl);
        x::try_item(self, i, xl);
        if *self.rlink(0) == 0 {
            self.report_solution(level);
        }
        true
    }

    /// Takes the option at `xl` back and tries the next.
    #[inline]
    fn try_again(&mut self, i: Uint, l: Uint, xl: &mut Uint) -> bool {
        if self.end.is_none() {
            // A guess is what was not the last option.
            if *self.dlink(*xl) != i {
                self.depth -= 1;
                self.search.back(self.depth);
            }
            // The way back from a forced line of thousands of levels passes no node.
            let flow = self.poll();
            self.stop_on_break(flow);
        }
        if self.is_given_up() {
            return false;
        }
        x::try_again(self, i, l, xl)
    }

    #[inline]
    fn restore_item(&mut self, i: Uint, _: Uint, _: Uint) {
        if !self.is_given_up() {
            x::restore_item(self, i);
        }
    }
}

/// Chooses the item of a node. Runs once for each node that is not a solution.
impl Choose<Dancer<'_, '_>> for ItemChoice {
    fn choose(&mut self, dance: &mut Dancer<'_, '_>) -> Uint {
        // Item 0 is the head of the list and has no options, so the crate goes back from here.
        if dance.end.is_some() {
            return 0;
        }
        let flow = dance.poll();
        if dance.stop_on_break(flow) {
            return 0;
        }
        let first = *dance.rlink(0);
        let cells = dance.matrix.cell_items();
        let item = match self {
            ItemChoice::First => first,
            ItemChoice::Weighted => heaviest(dance, first),
            ItemChoice::BySide | ItemChoice::FewestNear => fewest_near(dance, first),
            ItemChoice::Fewest => fewest(dance, first, Uint::MAX, 1),
            ItemChoice::FewestOfAll => fewest(dance, first, Uint::MAX, Int::MIN),
            ItemChoice::FewestCells => fewest(dance, first, cells, 1),
            ItemChoice::FewestPlaces => {
                let mut place = first;
                while place != 0 && place <= cells {
                    place = *dance.rlink(place);
                }
                fewest(dance, if place == 0 { first } else { place }, Uint::MAX, 1)
            }
            ItemChoice::FewestInRow => {
                let item = fewest(dance, first, Uint::MAX, 1);
                if *dance.len(item) <= 1 || first > cells {
                    item
                } else {
                    // Cells are numbered from 1, row by row.
                    let side = Uint(dance.puzzle.rules().side());
                    fewest(dance, first, (first - 1) / side * side + side, 1)
                }
            }
        };
        if *dance.len(item) == 0 {
            if *self == ItemChoice::Weighted {
                dance.add_weights(item);
            }
            dance.count_dead_end(item);
        }
        item
    }
}

/// The item with the fewest options, of equals the first, from `first` on and up to `last`; the scan ends at an item with at most
/// `enough` options. An item that comes first is in any case among them.
#[inline]
fn fewest(dance: &mut Dancer<'_, '_>, first: Uint, last: Uint, enough: Int) -> Uint {
    let mut best = first;
    let mut least = *dance.len(first);
    let mut item = first;
    while least > enough {
        item = *dance.rlink(item);
        if item == 0 || item > last {
            break;
        }
        let len = *dance.len(item);
        if len < least {
            (best, least) = (item, len);
        }
    }
    best
}

/// The cell with the fewest options, or a place with two at most where no cell has as few; of equals the first. The scan ends at an
/// item with one option or none.
#[inline]
fn fewest_near(dance: &mut Dancer<'_, '_>, first: Uint) -> Uint {
    let cells = dance.matrix.cell_items();
    let mut best = first;
    let mut least = *dance.len(first);
    let mut item = first;
    while least > 1 {
        item = *dance.rlink(item);
        // Cells come before places.
        if item == 0 || item > cells {
            break;
        }
        let len = *dance.len(item);
        if len < least {
            (best, least) = (item, len);
        }
    }
    least = least.min(MOST_OPTIONS_OF_A_PLACE + 1);
    while least > 1 && item != 0 {
        let len = *dance.len(item);
        if len < least {
            (best, least) = (item, len);
        }
        item = *dance.rlink(item);
    }
    best
}

/// The same, by the options for the weight of an item.
fn heaviest(dance: &mut Dancer<'_, '_>, first: Uint) -> Uint {
    let cells = dance.matrix.cell_items();
    let (mut best, mut fewest, mut weight) = (first, u64::MAX, 0);
    let mut item = first;
    while item != 0 {
        let len = *dance.len(item);
        if len <= 1 {
            return item;
        }
        let (options, own) = (len.unsigned_abs(), u64::from(dance.weights[item as usize]));
        // Fractions, compared by cross-multiplying; the first is less than the one with nothing below its line.
        if (item <= cells || len <= MOST_OPTIONS_OF_A_PLACE) && options * weight < fewest.saturating_mul(own) {
            (best, fewest, weight) = (item, options, own);
        }
        item = *dance.rlink(item);
    }
    best
}
