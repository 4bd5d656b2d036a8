//! The exact-cover matrix of a rule set, as the linked nodes of the crate `dlx`.

use std::ops::{ControlFlow, Range};

use dlx::x::{INodes, ONodes};
use dlx::{Int, Opts, Uint};
use ninefold_core::{Budget, Cell, Digit, End, HouseId, Rules, Search};

/// The most bytes that the nodes of one matrix may take. A plain 64×64 board takes 31 MiB, one with anti-knight and anti-king
/// pairs besides (23,562 small houses) 157 MiB. The nodes lie in arrays that double as they grow, so up to twice as much
/// may be reserved.
///
/// It bounds time too: what one node of the search may touch is at most the whole matrix.
pub(crate) const MAX_BYTES: usize = 192 << 20;

/// Nodes appended between two looks at the limits: well under a millisecond.
const NODES_PER_POLL: usize = 1 << 13;

/// The matrix with all options of a rule set, the same for every puzzle of these rules.
///
/// Items are numbered from 1 as the crate does inside: first the cells, then the pairs of a full house and a digit (these are
/// the primary items, which have to be covered), then the pairs of a smaller house and a digit (secondary: covered at most once).
/// Options are numbered from 0: `cell · side + digit index`. The nodes of an option lie side by side, cell first, houses in the
/// order of [`Rules::houses_of`], and a spacer follows:
///
/// ```text
/// 0 | headers, 1 to items | spacer | option 0 | spacer | option 1 | spacer ...
/// ```
pub(crate) struct Matrix {
    rules: Rules,
    pub(crate) items: INodes,
    pub(crate) opts: ONodes,
    /// The first node of the first option of each cell, and the nodes from there to the next option.
    options_of: Box<[(Uint, Uint)]>,
    /// The full houses, in the order of their items.
    full_houses: Box<[HouseId]>,
    /// All nodes of options and spacers.
    node_count: usize,
    /// Whether nothing is covered between two searches. A matrix that is not whole is of no use any more.
    pub(crate) is_whole: bool,
}

/// What an item stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Cell(Cell),
    Place(HouseId, Digit),
}

/// Whether a house has items: a small house of one cell forbids nothing.
fn has_items(full: bool, cells: usize) -> bool {
    full || cells > 1
}

impl Matrix {
    /// Builds the matrix.
    ///
    /// # Errors
    /// Breaks where a limit runs out meanwhile, and with [`Budget::Memory`] where it would take more than [`MAX_BYTES`].
    pub(crate) fn build(rules: &Rules, search: &mut Search<'_>) -> ControlFlow<End, Matrix> {
        let (side, cells) = (rules.side(), rules.cell_count());
        // The first item of each house, where it has any.
        let mut first_item = vec![None; rules.houses().len()];
        let mut full_houses = Vec::new();
        let mut item_count = cells;
        let mut primary = 0;
        for full in [true, false] {
            for (i, house) in rules.houses().iter().enumerate() {
                if house.is_full() == full && has_items(full, house.cells().len()) {
                    first_item[i] = Some(item_count);
                    item_count += side;
                    if full {
                        let ids = rules.houses_of(house.cells()[0]);
                        let place = ids.binary_search_by_key(&i, |id| id.index());
                        full_houses.push(ids[place.expect("a house is among the houses of its cells")]);
                    }
                }
            }
            if full {
                primary = item_count;
            }
        }
        let of_cell = |cell| rules.houses_of(cell).iter().filter_map(|id| first_item[id.index()]);
        // One spacer ahead of all options and one behind each. At most 64 · (2^18 + 2 · 4096) + 1: no overflow.
        let node_count = 1 + rules.cells().map(|cell| side * (of_cell(cell).count() + 2)).sum::<usize>();
        // A header is a link node of two words and an option node of three.
        let words = 5 * (item_count as u64 + 2) + 3 * node_count as u64;
        if words * size_of::<Uint>() as u64 > MAX_BYTES as u64 {
            return ControlFlow::Break(End::OutOfBudget(Budget::Memory));
        }
        search.poll()?;
        let items = INodes::new(Uint(primary), Uint(item_count - primary));
        let mut writer = Writer::new(item_count, search)?;
        let mut options_of = Vec::with_capacity(cells);
        let mut option = Vec::new();
        let mut since_poll = 0;
        for cell in rules.cells() {
            options_of.push((writer.spacer + 1, Uint(of_cell(cell).count() + 2)));
            for digit in 0..side {
                option.clear();
                option.push(Uint(cell.index() + 1));
                option.extend(of_cell(cell).map(|first| Uint(first + digit + 1)));
                writer.push(&option);
                since_poll += option.len() + 1;
                if since_poll >= NODES_PER_POLL {
                    since_poll = 0;
                    search.poll()?;
                }
            }
        }
        ControlFlow::Continue(Matrix {
            rules: rules.clone(),
            items,
            opts: writer.opts,
            options_of: options_of.into(),
            full_houses: full_houses.into(),
            node_count,
            is_whole: true,
        })
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) fn node_count(&self) -> usize {
        self.node_count
    }

    /// The items that are cells: 1 to this.
    #[inline]
    pub(crate) fn cell_items(&self) -> Uint {
        Uint(self.options_of.len())
    }

    /// The items that have to be covered: 1 to this, cells first.
    pub(crate) fn primary_items(&self) -> usize {
        self.options_of.len() + self.full_houses.len() * self.rules.side()
    }

    /// The nodes of an option, that of its cell first.
    #[inline]
    pub(crate) fn nodes_of(&self, cell: usize, digit_index: usize) -> Range<Uint> {
        let (first, stride) = self.options_of[cell];
        let start = first + stride * Uint(digit_index);
        start..start + stride - 1
    }

    /// The cell and the digit index of the option that a node belongs to.
    pub(crate) fn option_of(&mut self, mut node: Uint) -> (usize, usize) {
        // The spacer behind an option holds the option's number, counted from 1, negated.
        while *self.opts.top(node) > 0 {
            node += 1;
        }
        let option = -(*self.opts.top(node) + 1) as usize;
        (option / self.rules.side(), option % self.rules.side())
    }

    /// What a primary item stands for.
    pub(crate) fn item(&self, item: Uint) -> Item {
        let index = item as usize - 1;
        let cells = self.options_of.len();
        match Cell::new(index) {
            Some(cell) if index < cells => Item::Cell(cell),
            _ => {
                let (slot, digit) = ((index - cells) / self.rules.side(), (index - cells) % self.rules.side());
                Item::Place(self.full_houses[slot], digit_at(digit))
            }
        }
    }
}

/// The digit with this index, which has to be under 64.
pub(crate) fn digit_at(index: usize) -> Digit {
    Digit::new(index as u8 + 1).expect("a board has at most 64 digits")
}

/// Appends options to an [`ONodes`], link for link as [`ONodes::new`] does it. That one wants all options in memory as a list of
/// lists, and does not come back before it is done: on a board of 64×64 with many houses too late for a limit on time.
struct Writer {
    opts: ONodes,
    /// The last spacer so far.
    spacer: Uint,
    option_count: Int,
}

impl Writer {
    /// The headers and the first spacer.
    fn new(item_count: usize, search: &mut Search<'_>) -> ControlFlow<End, Writer> {
        let mut opts = ONodes::default();
        opts.set_data(0, 0);
        for index in 1..=item_count {
            if index % NODES_PER_POLL == 0 {
                search.poll()?;
            }
            let item = Uint(index);
            opts.set_data(item, 0);
            *opts.ulink(item) = item;
            *opts.dlink(item) = item;
        }
        let spacer = Uint(item_count + 1);
        opts.set_data(spacer, 0);
        ControlFlow::Continue(Writer { opts, spacer, option_count: 0 })
    }

    /// Appends an option, given by its items counted from 1, and the spacer behind it.
    fn push(&mut self, items: &[Uint]) {
        let opts = &mut self.opts;
        let mut node = self.spacer;
        for &item in items {
            node += 1;
            opts.set_data(node, item - 1);
            *opts.len(item) += 1;
            let last = *opts.ulink(item);
            *opts.ulink(node) = last;
            *opts.dlink(node) = item;
            *opts.dlink(last) = node;
            *opts.ulink(item) = node;
            *opts.top(node) = dlx::Int(item);
        }
        *opts.dlink(self.spacer) = node;
        self.option_count += 1;
        let first = self.spacer + 1;
        self.spacer = node + 1;
        opts.set_data(self.spacer, 0);
        *opts.top(self.spacer) = -self.option_count;
        *opts.ulink(self.spacer) = first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dlx::OptOrder;
    use ninefold_core::{BlockShape, CancelToken, HouseKind, Limits};

    fn build(rules: &Rules) -> Matrix {
        match Matrix::build(rules, &mut Search::new(&Limits::none())) {
            ControlFlow::Continue(matrix) => matrix,
            ControlFlow::Break(end) => panic!("{end:?}"),
        }
    }

    fn rules(side: usize) -> Rules {
        let cells = |list: &[usize]| list.iter().filter_map(|index| Cell::new(*index)).collect::<Vec<_>>();
        Rules::builder(side)
            .house(HouseKind::Extra("pair".into()), cells(&[0, 3]))
            .rows_and_columns()
            .house(HouseKind::Extra("alone".into()), cells(&[1]))
            .house(HouseKind::Extra("another pair".into()), cells(&[2, 3]))
            .build()
            .expect("well formed")
    }

    #[test]
    fn the_links_are_those_that_the_crate_makes() {
        for side in [2, 3, 5] {
            let rules = rules(side);
            let cells = side * side;
            // Rows and columns first, then the two pairs; the house of one cell has no items, unless the board has but one.
            let base = |id: usize| match id {
                0 => Some(cells + 2 * side * side),
                id if id <= 2 * side => Some(cells + (id - 1) * side),
                id if id == 2 * side + 2 => Some(cells + 2 * side * side + side),
                _ => None,
            };
            // On a 2×2 board a pair is as large as a row, and a full house.
            if side == 2 {
                assert_eq!(build(&rules).full_houses.len(), 6);
                continue;
            }
            let mut options = Vec::new();
            for cell in rules.cells() {
                for digit in 0..side {
                    let houses = rules.houses_of(cell).iter().filter_map(|id| base(id.index()));
                    let items = [cell.index()].into_iter().chain(houses.map(|base| base + digit));
                    options.push(items.map(Uint).collect::<Vec<_>>());
                }
            }
            let (primary, all) = (Uint(cells + 2 * side * side), Uint(cells + 2 * side * side + 2 * side));
            let matrix = build(&rules);
            assert_eq!(matrix.opts, ONodes::new(all, primary, &options, OptOrder::Seq));
            assert_eq!(matrix.items, INodes::new(primary, all - primary));
            let nodes: usize = options.iter().map(|option| option.len() + 1).sum();
            assert_eq!(matrix.node_count(), nodes + 1);
        }
    }

    #[test]
    fn nodes_and_items_lead_back_to_what_they_stand_for() {
        let rules = rules(5);
        let mut matrix = build(&rules);
        for cell in rules.cells() {
            for digit in 0..5 {
                let nodes = matrix.nodes_of(cell.index(), digit);
                let first = *matrix.opts.top(nodes.start) as Uint;
                assert_eq!(matrix.item(first), Item::Cell(cell));
                for node in nodes {
                    assert_eq!(matrix.option_of(node), (cell.index(), digit));
                }
            }
        }
        let place = matrix.item(matrix.cell_items() + 5 + 3);
        let Item::Place(house, digit) = place else { panic!("{place:?}") };
        assert_eq!((rules.house(house).to_string(), digit.get()), ("row 2".to_string(), 3));
    }

    #[test]
    fn too_large_a_matrix_is_refused_and_the_largest_plain_board_is_not() {
        let shape = BlockShape::new(8, 8).expect("64 cells");
        assert_eq!(build(&Rules::blocks(shape)).node_count(), 1 + 64 * 64 * 64 * 5);
        let mut builder = Rules::builder(64).rows_and_columns();
        for i in 0..90_000 {
            let cells = [i % 4096, (i + 1 + i / 4096) % 4096];
            builder = builder.house(HouseKind::Extra(format!("pair {i}")), cells.into_iter().filter_map(Cell::new));
        }
        let rules = builder.build().expect("well formed");
        let flow = Matrix::build(&rules, &mut Search::new(&Limits::none()));
        assert!(matches!(flow, ControlFlow::Break(End::OutOfBudget(Budget::Memory))));
    }

    #[test]
    fn building_stops_at_a_limit() {
        let token = CancelToken::new();
        token.cancel();
        let limits = Limits::none().with_cancel(token);
        let shape = BlockShape::new(4, 4).expect("16 cells");
        let flow = Matrix::build(&Rules::blocks(shape), &mut Search::new(&limits));
        assert!(matches!(flow, ControlFlow::Break(End::OutOfBudget(Budget::Cancelled))));
    }
}
