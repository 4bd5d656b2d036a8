//! Rules: a list of houses.

use std::fmt::{self, Write as _};
use std::ops::Range;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use crate::{Cell, Digit, MAX_SIDE, Variant};

/// The most houses one rule set may have. Far above any real variant (anti-knight and anti-king together on a 64×64 board
/// make some 24,000 pairs), low enough that hostile rules cannot exhaust the memory.
const MAX_HOUSES: usize = 100_000;

/// The most cells that all houses of one rule set may have together, so that building them takes some 50 ms at worst, and so that no
/// strategy's tables for them are larger than it can fill. A 64×64 board with every variant has 70,000.
const MAX_HOUSE_CELLS: usize = 1 << 18;

/// The shape of a block, in cells: `rows × columns` is the side of the board.
///
/// It reads and shows as `RxC`: `2x3` is two rows high and three columns wide, on a 6×6 board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BlockShape {
    rows: u8,
    columns: u8,
}

impl BlockShape {
    /// A shape of 1 to 64 cells.
    ///
    /// # Errors
    /// [`RulesErrorKind::BlockShape`] where a count is 0 or the product is over 64.
    pub fn new(rows: usize, columns: usize) -> Result<BlockShape, RulesError> {
        match rows.checked_mul(columns) {
            Some(side) if (1..=MAX_SIDE).contains(&side) => Ok(BlockShape { rows: rows as u8, columns: columns as u8 }),
            _ => Err(RulesError::new(
                RulesErrorKind::BlockShape,
                format!("a block of {rows} by {columns} cells is not possible: a block has 1 to {MAX_SIDE} cells"),
            )),
        }
    }

    /// The square shape for a side that is a square: 3×3 for 9. `None` for other sides.
    pub fn square(side: usize) -> Option<BlockShape> {
        let root = side.isqrt();
        if root * root == side { BlockShape::new(root, root).ok() } else { None }
    }

    /// Every shape that a board of this side may have, from flat (`1xN`) to tall (`Nx1`).
    pub fn all_for(side: usize) -> impl Iterator<Item = BlockShape> {
        (1..=side).filter(move |rows| side.is_multiple_of(*rows)).filter_map(move |rows| BlockShape::new(rows, side / rows).ok())
    }

    /// Rows of one block.
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// Columns of one block.
    pub const fn columns(self) -> usize {
        self.columns as usize
    }

    /// The side of the board: the cells of one block.
    pub const fn side(self) -> usize {
        self.rows as usize * self.columns as usize
    }

    /// The block that holds the cell at this row and column, counted from 0 in row-major order of blocks.
    pub const fn block_of(self, row: usize, column: usize) -> usize {
        row / self.rows() * (self.side() / self.columns()) + column / self.columns()
    }
}

impl fmt::Display for BlockShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

impl FromStr for BlockShape {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<BlockShape, RulesError> {
        let bad = || {
            RulesError::new(
                RulesErrorKind::Syntax,
                format!("`{text}` is not a block shape such as `3x3` or `2x3` (rows x columns)"),
            )
        };
        let (rows, columns) = text.split_once(['x', 'X', '×']).ok_or_else(bad)?;
        let rows = rows.trim().parse().map_err(|_| bad())?;
        let columns = columns.trim().parse().map_err(|_| bad())?;
        BlockShape::new(rows, columns)
    }
}

/// What to call a house.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HouseKind {
    /// A row, counted from 0.
    Row(usize),
    /// A column, counted from 0.
    Column(usize),
    /// A block, counted from 0 in row-major order of blocks.
    Block(usize),
    /// A jigsaw region, counted from 0.
    Region(usize),
    /// Any other house, by its name: `main diagonal`, `window 2`.
    Extra(String),
}

impl fmt::Display for HouseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HouseKind::Row(i) => write!(f, "row {}", i + 1),
            HouseKind::Column(i) => write!(f, "column {}", i + 1),
            HouseKind::Block(i) => write!(f, "block {}", i + 1),
            HouseKind::Region(i) => write!(f, "region {}", i + 1),
            HouseKind::Extra(name) => f.write_str(name),
        }
    }
}

/// A house by its place in [`Rules::houses`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HouseId(u32);

impl HouseId {
    /// The place in [`Rules::houses`], counted from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) const fn from_index(index: usize) -> HouseId {
        HouseId(index as u32)
    }
}

/// A set of cells that hold different digits.
///
/// A house of as many cells as the board has digits is *full*: it holds every digit once. A smaller one holds each digit at
/// most once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct House {
    kind: HouseKind,
    cells: Box<[Cell]>,
    full: bool,
}

impl House {
    /// What to call it.
    pub fn kind(&self) -> &HouseKind {
        &self.kind
    }

    /// Its cells, each once, in the order in which they were given.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Whether it holds every digit once, rather than each at most once.
    pub fn is_full(&self) -> bool {
        self.full
    }
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

/// A list of lists in two flat arrays: list `i` is `items[starts[i]..starts[i + 1]]`.
#[derive(Debug, PartialEq, Eq)]
struct Lists<T> {
    starts: Box<[u32]>,
    items: Box<[T]>,
}

impl<T> Lists<T> {
    fn from_lists(lists: impl Iterator<Item = Vec<T>>) -> Lists<T> {
        let mut starts = vec![0];
        let mut items = Vec::new();
        for list in lists {
            items.extend(list);
            starts.push(items.len() as u32);
        }
        Lists { starts: starts.into(), items: items.into() }
    }

    fn get(&self, i: usize) -> &[T] {
        &self.items[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}

/// Houses that were added together, by what a [rule set's name](Rules::name) says for them: `latin:9` for rows and columns,
/// `blocks:3x3`, `regions:` and a map, the name of a [`Variant`], `extra:` and a map, or a `house` with its cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseGroup {
    name: String,
    first: u32,
    count: u32,
}

impl HouseGroup {
    /// The part of the rules' name that stands for it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its houses, as places in [`Rules::houses`].
    pub fn range(&self) -> Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

#[derive(Debug)]
struct Inner {
    name: String,
    groups: Box<[HouseGroup]>,
    side: usize,
    block_shape: Option<BlockShape>,
    classic: bool,
    houses: Box<[House]>,
    houses_of: Lists<HouseId>,
    peers: Lists<Cell>,
}

/// The classic rules live for ever, so that a classic puzzle costs no reference count: with many threads on one count,
/// counting alone would take longer than an easy puzzle.
#[derive(Clone)]
enum Repr {
    Static(&'static Inner),
    Shared(Arc<Inner>),
}

/// The rules of a board: its side and its houses. Cheap to clone; clones share one table.
///
/// ```
/// use ninefold_core::Rules;
/// let flat = Rules::blocks("2x3".parse()?);
/// assert_eq!(flat.side(), 6);
/// assert_eq!(flat.houses().len(), 18);
/// assert_ne!(flat, Rules::blocks("3x2".parse()?));
/// # Ok::<(), ninefold_core::RulesError>(())
/// ```
#[derive(Clone)]
pub struct Rules(Repr);

impl Rules {
    /// The classic rules: 9×9 with rows, columns and 3×3 blocks.
    pub fn classic() -> &'static Rules {
        static INNER: LazyLock<Inner> = LazyLock::new(|| {
            let shape = BlockShape { rows: 3, columns: 3 };
            let mut inner =
                RulesBuilder::new(9).rows_and_columns().block_houses(shape).finish().expect("the classic rules are well formed");
            inner.classic = true;
            inner
        });
        static RULES: LazyLock<Rules> = LazyLock::new(|| Rules(Repr::Static(&INNER)));
        &RULES
    }

    /// Rows, columns and blocks of this shape. The side of the board is the cells of a block.
    pub fn blocks(shape: BlockShape) -> Rules {
        if shape == (BlockShape { rows: 3, columns: 3 }) {
            return Rules::classic().clone();
        }
        Rules::builder(shape.side()).rows_and_columns().block_houses(shape).build().expect("block rules are well formed")
    }

    /// Rows, columns and jigsaw regions. `regions` names the region of each cell in row-major order; regions are
    /// numbered in the order in which they first appear, whatever the names are.
    ///
    /// # Errors
    /// Where the count of cells is no square of 1 to 64, or a region does not have as many cells as the board has digits.
    pub fn jigsaw<T: PartialEq>(regions: &[T]) -> Result<Rules, RulesError> {
        let side = regions.len().isqrt();
        if side * side != regions.len() {
            return Err(RulesError::new(
                RulesErrorKind::CellCount,
                format!("a region map of {} cells is not square", regions.len()),
            ));
        }
        Rules::builder(side).rows_and_columns().regions(regions).build()
    }

    /// Starts a rule set from nothing but the side of the board, 1 to 64.
    pub fn builder(side: usize) -> RulesBuilder {
        RulesBuilder::new(side)
    }

    fn inner(&self) -> &Inner {
        match &self.0 {
            Repr::Static(inner) => inner,
            Repr::Shared(inner) => inner,
        }
    }

    /// The side of the board in cells, and the number of digits: 1 to 64.
    pub fn side(&self) -> usize {
        self.inner().side
    }

    /// The cells of the board: side × side.
    pub fn cell_count(&self) -> usize {
        self.side() * self.side()
    }

    /// Every cell, in row-major order.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Cell> + use<> {
        (0..self.cell_count()).map(Cell::from_index)
    }

    /// The cell at this row and column, counted from 0; `None` outside the board.
    pub fn cell(&self, row: usize, column: usize) -> Option<Cell> {
        let side = self.side();
        if row < side && column < side { Some(Cell::from_index(row * side + column)) } else { None }
    }

    /// The shape of the blocks; `None` where the rules have none.
    pub fn block_shape(&self) -> Option<BlockShape> {
        self.inner().block_shape
    }

    /// The houses, in the order in which they were added: rows, columns, blocks or regions, then the others.
    pub fn houses(&self) -> &[House] {
        &self.inner().houses
    }

    /// The ids of the houses, in the order of [`Rules::houses`].
    pub fn house_ids(&self) -> impl ExactSizeIterator<Item = HouseId> + use<> {
        (0..self.houses().len()).map(HouseId::from_index)
    }

    /// The house with this id.
    ///
    /// # Panics
    /// Where the id belongs to other rules that have more houses.
    pub fn house(&self, id: HouseId) -> &House {
        &self.houses()[id.index()]
    }

    /// The houses that hold a cell, ascending.
    ///
    /// # Panics
    /// Where the cell is not on the board.
    pub fn houses_of(&self, cell: Cell) -> &[HouseId] {
        self.inner().houses_of.get(cell.index())
    }

    /// The first house that holds both of two cells. `None` where they may hold the same digit.
    ///
    /// # Panics
    /// Where a cell is not on the board.
    pub fn house_of_both(&self, a: Cell, b: Cell) -> Option<HouseId> {
        first_shared(self.houses_of(a), self.houses_of(b))
    }

    /// The cells that share a house with this one, ascending, each once, without the cell itself.
    ///
    /// # Panics
    /// Where the cell is not on the board.
    pub fn peers(&self, cell: Cell) -> &[Cell] {
        self.inner().peers.get(cell.index())
    }

    /// Whether these are the classic rules, 9×9 with 3×3 blocks and nothing else.
    pub fn is_classic(&self) -> bool {
        self.inner().classic
    }

    /// The name, which says all: read as a [`Rules`] it makes these rules again. `3x3` for rows, columns and 3×3 blocks,
    /// `jigsaw:` and a region map, `3x3+diagonals`, and so on; the longest have every cell of their houses in it.
    pub fn name(&self) -> &str {
        &self.inner().name
    }

    /// The houses in the groups in which they were added.
    pub fn groups(&self) -> &[HouseGroup] {
        &self.inner().groups
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        let (a, b) = (self.inner(), other.inner());
        std::ptr::eq(a, b) || (a.side == b.side && a.block_shape == b.block_shape && a.houses == b.houses)
    }
}

impl Eq for Rules {}

/// The [name](Rules::name); a precision cuts it: `{:.40}`.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").field("name", &self.name()).field("houses", &self.houses().len()).finish_non_exhaustive()
    }
}

/// Puts a rule set together. Errors are kept until [`build`](RulesBuilder::build).
///
/// ```
/// use ninefold_core::{BlockShape, Cell, HouseKind, Rules};
/// let diagonal: Vec<Cell> = (0..9).filter_map(|i| Cell::new(10 * i)).collect();
/// let rules = Rules::builder(9)
///     .rows_and_columns()
///     .block_houses(BlockShape::new(3, 3)?)
///     .house(HouseKind::Extra("my line".into()), diagonal)
///     .build()?;
/// assert_eq!(rules.houses().len(), 28);
/// assert_eq!(rules.name(), "3x3+house my line:r1c1r2c2r3c3r4c4r5c5r6c6r7c7r8c8r9c9");
/// assert_eq!(rules.name().parse::<Rules>()?, rules);
/// # Ok::<(), ninefold_core::RulesError>(())
/// ```
#[derive(Debug)]
pub struct RulesBuilder {
    side: usize,
    block_shape: Option<BlockShape>,
    houses: Vec<House>,
    groups: Vec<HouseGroup>,
    /// The free houses and extra regions so far, which are numbered through.
    free_houses: usize,
    extra_regions: usize,
    cells: usize,
    error: Option<RulesError>,
}

impl RulesBuilder {
    fn new(side: usize) -> RulesBuilder {
        let error = if (1..=MAX_SIDE).contains(&side) {
            None
        } else {
            Some(RulesError::new(
                RulesErrorKind::Side,
                format!("a board of side {side} is not possible: the side is 1 to {MAX_SIDE}"),
            ))
        };
        RulesBuilder {
            side,
            block_shape: None,
            houses: Vec::new(),
            groups: Vec::new(),
            free_houses: 0,
            extra_regions: 0,
            cells: 0,
            error,
        }
    }

    fn fail(&mut self, kind: RulesErrorKind, message: String) {
        self.error.get_or_insert(RulesError::new(kind, message));
    }

    pub(crate) fn error(&self) -> Option<&RulesError> {
        self.error.as_ref()
    }

    /// Refuses a second group of a kind of which a board has one.
    fn once(&mut self, prefix: &str, what: &str) {
        if self.groups.iter().any(|group| group.name.starts_with(prefix)) {
            self.fail(RulesErrorKind::Twice, format!("{what} twice: a rule set has them once"));
        }
    }

    /// Ends a group: the houses from `first` on.
    fn end_group(&mut self, name: String, first: usize) {
        self.groups.push(HouseGroup { name, first: first as u32, count: (self.houses.len() - first) as u32 });
    }

    /// Every row, then every column.
    #[must_use]
    pub fn rows_and_columns(mut self) -> RulesBuilder {
        self.once("latin:", "rows and columns");
        if self.error.is_some() {
            return self;
        }
        let (side, first) = (self.side, self.houses.len());
        for row in 0..side {
            self.add(HouseKind::Row(row), (0..side).map(|column| Cell::from_index(row * side + column)));
        }
        for column in 0..side {
            self.add(HouseKind::Column(column), (0..side).map(|row| Cell::from_index(row * side + column)));
        }
        self.end_group(format!("latin:{side}"), first);
        self
    }

    /// Every block of this shape, in row-major order of blocks.
    #[must_use]
    pub fn block_houses(mut self, shape: BlockShape) -> RulesBuilder {
        self.once("blocks:", "blocks");
        if self.error.is_some() {
            return self;
        }
        if shape.side() != self.side {
            let message = format!("blocks of {shape} make a board of side {}, not {}", shape.side(), self.side);
            self.fail(RulesErrorKind::BlockShape, message);
            return self;
        }
        self.block_shape = Some(shape);
        let side = self.side;
        let mut blocks = vec![Vec::with_capacity(side); side];
        for index in 0..side * side {
            blocks[shape.block_of(index / side, index % side)].push(Cell::from_index(index));
        }
        let first = self.houses.len();
        for (i, cells) in blocks.into_iter().enumerate() {
            self.add(HouseKind::Block(i), cells);
        }
        self.end_group(format!("blocks:{shape}"), first);
        self
    }

    /// Jigsaw regions: `regions` names the region of each cell in row-major order. Every region must have as many cells
    /// as the board has digits.
    #[must_use]
    pub fn regions<T: PartialEq>(mut self, regions: &[T]) -> RulesBuilder {
        self.once("regions:", "regions");
        if self.error.is_some() {
            return self;
        }
        if regions.len() != self.side * self.side {
            let message =
                format!("a region map of {} cells does not fit a board of {} cells", regions.len(), self.side * self.side);
            self.fail(RulesErrorKind::CellCount, message);
            return self;
        }
        let mut lists: Vec<(&T, Vec<Cell>)> = Vec::new();
        for (index, region) in regions.iter().enumerate() {
            let cell = Cell::from_index(index);
            match lists.iter().position(|(name, _)| *name == region) {
                Some(i) => lists[i].1.push(cell),
                // One more region than digits is already wrong; more need not be told apart.
                None if lists.len() > self.side => break,
                None => lists.push((region, vec![cell])),
            }
        }
        if let Some((i, (_, cells))) = lists.iter().enumerate().find(|(_, (_, cells))| cells.len() != self.side) {
            let message = format!(
                "region {} has {} cells where {} are needed: {}",
                i + 1,
                cells.len(),
                self.side,
                cell_list(cells, self.side)
            );
            self.fail(RulesErrorKind::RegionSize, message);
            return self;
        }
        let first = self.houses.len();
        let mut map = vec!['.'; regions.len()];
        for (i, (_, cells)) in lists.into_iter().enumerate() {
            cells.iter().for_each(|cell| map[cell.index()] = region_symbol(i));
            self.add(HouseKind::Region(i), cells);
        }
        self.end_group(format!("regions:{}", String::from_iter(map)), first);
        self
    }

    /// Extra regions: `map` names the region of each cell in row-major order, `None` where it is in none. A region may have any
    /// number of cells up to the side. Regions are numbered in the order in which they first appear.
    #[must_use]
    pub fn extra_regions<T: PartialEq>(mut self, map: &[Option<T>]) -> RulesBuilder {
        if self.error.is_some() {
            return self;
        }
        if map.len() != self.side * self.side {
            let message = format!("a map of {} cells does not fit a board of {} cells", map.len(), self.side * self.side);
            self.fail(RulesErrorKind::CellCount, message);
            return self;
        }
        let mut lists: Vec<(&T, Vec<Cell>)> = Vec::new();
        for (index, region) in map.iter().enumerate() {
            let (cell, Some(region)) = (Cell::from_index(index), region) else { continue };
            match lists.iter().position(|(name, _)| *name == region) {
                Some(i) => lists[i].1.push(cell),
                None if lists.len() == MAX_SIDE => {
                    let message = format!("more than {MAX_SIDE} extra regions in one map: use several");
                    self.fail(RulesErrorKind::TooManyHouses, message);
                    return self;
                }
                None => lists.push((region, vec![cell])),
            }
        }
        let first = self.houses.len();
        let mut symbols = vec!['.'; map.len()];
        for (i, (_, cells)) in lists.into_iter().enumerate() {
            cells.iter().for_each(|cell| symbols[cell.index()] = region_symbol(i));
            self.extra_regions += 1;
            self.add(HouseKind::Extra(format!("extra region {}", self.extra_regions)), cells);
        }
        self.end_group(format!("extra:{}", String::from_iter(symbols)), first);
        self
    }

    /// The houses of a variant. Those of its pairs that are in a house together anyway are left out, so pairs come last.
    #[must_use]
    pub fn variant(mut self, variant: &Variant) -> RulesBuilder {
        self.once(variant.name(), variant.name());
        if self.error.is_some() {
            return self;
        }
        let houses = match variant.houses(self.side, self.block_shape) {
            Ok(houses) => houses,
            Err(error) => {
                self.error = Some(error);
                return self;
            }
        };
        let houses_of = if variant.is_pairs() { houses_of(self.side, &self.houses) } else { Vec::new() };
        let implied = |cells: &[Cell]| match (variant.is_pairs(), cells) {
            (true, &[a, b]) => first_shared(&houses_of[a.index()], &houses_of[b.index()]).is_some(),
            _ => false,
        };
        let first = self.houses.len();
        for (name, cells) in houses {
            if !implied(&cells) {
                self.add(HouseKind::Extra(name), cells);
            }
        }
        self.end_group(variant.name().to_owned(), first);
        self
    }

    /// One house more.
    #[must_use]
    pub fn house(mut self, kind: HouseKind, cells: impl IntoIterator<Item = Cell>) -> RulesBuilder {
        let first = self.houses.len();
        self.add(kind, cells);
        let Some(House { kind, cells, .. }) = self.houses.get(first) else { return self };
        self.free_houses += 1;
        let name: String = kind.to_string().chars().map(|c| if c.is_control() || ":+#".contains(c) { ' ' } else { c }).collect();
        let name = name.trim();
        // Houses without a name of their own are numbered when they are read.
        let number = name.strip_prefix("house ").and_then(|number| number.parse().ok());
        let space = if name.is_empty() || number == Some(self.free_houses) { String::new() } else { format!(" {name}") };
        let mut part = format!("house{space}:");
        for cell in cells {
            let _ = write!(part, "r{}c{}", cell.row(self.side) + 1, cell.column(self.side) + 1);
        }
        match self.groups.last_mut() {
            Some(last) if last.name.starts_with("house") => {
                last.name.push('+');
                last.name.push_str(&part);
                last.count += 1;
            }
            _ => self.end_group(part, first),
        }
        self
    }

    fn add(&mut self, kind: HouseKind, cells: impl IntoIterator<Item = Cell>) {
        if self.error.is_some() {
            return;
        }
        // One cell too many shows that there are too many; a longer list need not be read.
        let cells: Box<[Cell]> = cells.into_iter().take(self.side + 1).collect();
        self.cells += cells.len();
        if self.houses.len() == MAX_HOUSES || self.cells > MAX_HOUSE_CELLS {
            let message = format!("too many houses: at most {MAX_HOUSES} with {MAX_HOUSE_CELLS} cells in all");
            return self.fail(RulesErrorKind::TooManyHouses, message);
        }
        if cells.is_empty() {
            return self.fail(RulesErrorKind::HouseSize, format!("{kind} has no cells"));
        }
        let mut sorted = cells.to_vec();
        sorted.sort_unstable();
        if let Some(cell) = sorted.iter().find(|cell| cell.index() >= self.side * self.side) {
            let message =
                format!("{kind} has the cell {}, which is outside a board of {} cells", cell.index(), self.side * self.side);
            return self.fail(RulesErrorKind::CellOutside, message);
        }
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let message = format!("{kind} has the cell {} twice", pair[0].label(self.side));
            return self.fail(RulesErrorKind::CellTwice, message);
        }
        if cells.len() > self.side {
            let cells = cell_list(&cells, self.side);
            let message = format!("{kind} has over {} cells, more than the board has digits: {cells}", self.side);
            return self.fail(RulesErrorKind::HouseSize, message);
        }
        let full = cells.len() == self.side;
        self.houses.push(House { kind, cells, full });
    }

    /// The finished rules.
    ///
    /// # Errors
    /// The first thing that was wrong: see [`RulesErrorKind`].
    pub fn build(self) -> Result<Rules, RulesError> {
        let classic = Rules::classic();
        let inner = self.finish()?;
        if inner.side == 9 && inner.block_shape == classic.block_shape() && *inner.houses == *classic.houses() {
            return Ok(classic.clone());
        }
        Ok(Rules(Repr::Shared(Arc::new(inner))))
    }

    fn finish(self) -> Result<Inner, RulesError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let (side, count) = (self.side, self.side * self.side);
        let houses_of = houses_of(side, &self.houses);
        let peers = Lists::from_lists((0..count).map(|index| {
            // A bit for each cell: no sorting, and time in proportion to the houses' cells.
            let mut bits = [0u64; MAX_SIDE * MAX_SIDE / 64];
            for id in &houses_of[index] {
                self.houses[id.index()].cells.iter().for_each(|cell| bits[cell.index() / 64] |= 1 << (cell.index() % 64));
            }
            bits[index / 64] &= !(1 << (index % 64));
            let mut peers = Vec::with_capacity(bits.iter().map(|word| word.count_ones() as usize).sum());
            for (i, mut word) in bits.into_iter().enumerate() {
                while word != 0 {
                    peers.push(Cell::from_index(64 * i + word.trailing_zeros() as usize));
                    word &= word - 1;
                }
            }
            peers
        }));
        let name = name_of(side, &self.groups);
        Ok(Inner {
            name,
            groups: self.groups.into(),
            side,
            block_shape: self.block_shape,
            classic: false,
            houses: self.houses.into(),
            houses_of: Lists::from_lists(houses_of.into_iter()),
            peers,
        })
    }
}

/// The ids of the houses of each cell, ascending.
fn houses_of(side: usize, houses: &[House]) -> Vec<Vec<HouseId>> {
    let mut houses_of = vec![Vec::new(); side * side];
    for (i, house) in houses.iter().enumerate() {
        for cell in &house.cells {
            houses_of[cell.index()].push(HouseId::from_index(i));
        }
    }
    houses_of
}

/// The first item that two ascending lists have in common.
fn first_shared(mut a: &[HouseId], mut b: &[HouseId]) -> Option<HouseId> {
    while let (Some(x), Some(y)) = (a.first(), b.first()) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => a = &a[1..],
            std::cmp::Ordering::Greater => b = &b[1..],
            std::cmp::Ordering::Equal => return Some(*x),
        }
    }
    None
}

/// The name that makes the same rules when it is read.
fn name_of(side: usize, groups: &[HouseGroup]) -> String {
    let mut parts: Vec<&str> = groups.iter().map(HouseGroup::name).collect();
    let mut take = |prefix: &str| parts.iter().position(|part| part.starts_with(prefix)).map(|i| parts.remove(i));
    let board = match take("latin:") {
        None => format!("free:{side}"),
        Some(lines) => match take("blocks:") {
            Some(blocks) => blocks["blocks:".len()..].to_owned(),
            None => take("regions:").map_or(lines.to_owned(), |regions| regions.replacen("regions", "jigsaw", 1)),
        },
    };
    parts.insert(0, &board);
    parts.join("+")
}

/// What stands for a region in the maps of names: the symbols of the digits.
fn region_symbol(index: usize) -> char {
    Digit::new(index as u8 + 1).map_or('.', Digit::symbol)
}

/// Cells for a message, as many as are of use in one.
pub(crate) fn cell_list(cells: &[Cell], side: usize) -> String {
    const MOST: usize = 12;
    let list: Vec<String> = cells.iter().take(MOST).map(|cell| cell.label(side)).collect();
    let more = if cells.len() > MOST { format!(" and {} more", cells.len() - MOST) } else { String::new() };
    format!("{}{more}", list.join(" "))
}

/// What is wrong with a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RulesErrorKind {
    /// The text is no rule set.
    Syntax,
    /// The side is not 1 to 64.
    Side,
    /// The block shape is impossible or does not fit the side.
    BlockShape,
    /// A region map has the wrong number of cells.
    CellCount,
    /// A region has not as many cells as the board has digits.
    RegionSize,
    /// A house has no cells, or more than the board has digits.
    HouseSize,
    /// A house has a cell twice.
    CellTwice,
    /// A house has a cell that is not on the board.
    CellOutside,
    /// There are more houses than a rule set may have.
    TooManyHouses,
    /// What a rule set has once is there twice: rows and columns, blocks, regions, a variant.
    Twice,
    /// A cell is in two regions, or in none.
    RegionCover,
    /// A region that has to be in one piece is not.
    Disconnected,
    /// A name that no rules have.
    UnknownName,
    /// A variant that does not exist on this board.
    Variant,
}

/// Why a rule set was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    kind: RulesErrorKind,
    message: String,
    place: Option<(usize, usize)>,
}

impl RulesError {
    pub(crate) fn new(kind: RulesErrorKind, message: String) -> RulesError {
        RulesError { kind, message, place: None }
    }

    /// The same with a place, unless it has one.
    pub(crate) fn at(self, line: usize, column: usize) -> RulesError {
        RulesError { place: self.place.or(Some((line, column))), ..self }
    }

    /// What is wrong.
    pub fn kind(&self) -> RulesErrorKind {
        self.kind
    }

    /// The line and the column in characters, both counted from 1, of the part of a text that is wrong; `None` where the rules were
    /// not read from a text.
    pub fn place(&self) -> Option<(usize, usize)> {
        self.place
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RulesError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> BlockShape {
        text.parse().unwrap()
    }

    #[test]
    fn classic_rules_have_27_full_houses_and_20_peers_a_cell() {
        let rules = Rules::classic();
        assert_eq!(rules.houses().len(), 27);
        assert!(rules.houses().iter().all(House::is_full));
        assert!(rules.cells().all(|cell| rules.peers(cell).len() == 20 && rules.houses_of(cell).len() == 3));
        assert!(rules.is_classic());
        assert!(Rules::blocks(shape("3x3")).is_classic());
        assert_eq!(Rules::blocks(shape("3x3")), *rules);
    }

    #[test]
    fn classic_rules_built_by_hand_are_the_classic_rules() {
        let built = Rules::builder(9).rows_and_columns().block_houses(shape("3x3")).build().unwrap();
        assert!(built.is_classic());
        let regions: Vec<usize> = (0..81).map(|i| shape("3x3").block_of(i / 9, i % 9)).collect();
        assert!(!Rules::jigsaw(&regions).unwrap().is_classic());
    }

    #[test]
    fn block_index_follows_the_shape_of_the_block() {
        // 2 rows by 3 columns: two blocks side by side, three on top of each other.
        assert_eq!(shape("2x3").block_of(0, 3), 1);
        assert_eq!(shape("2x3").block_of(2, 0), 2);
        assert_eq!(shape("3x2").block_of(0, 2), 1);
        assert_eq!(shape("3x2").block_of(3, 5), 5);
    }

    #[test]
    fn every_shape_of_every_side_builds() {
        for side in 1..=24 {
            for shape in BlockShape::all_for(side) {
                let rules = Rules::blocks(shape);
                assert_eq!(rules.houses().len(), 3 * side);
                assert!(rules.houses().iter().all(House::is_full));
            }
        }
        assert_eq!(Rules::blocks(shape("8x8")).cell_count(), 4096);
    }

    #[test]
    fn wrong_rules_are_refused_with_the_reason() {
        let kind = |builder: RulesBuilder| builder.build().unwrap_err().kind();
        let cell = |i| Cell::new(i).unwrap();
        let extra = || HouseKind::Extra("extra".into());
        assert_eq!(kind(Rules::builder(0)), RulesErrorKind::Side);
        assert_eq!(kind(Rules::builder(65)), RulesErrorKind::Side);
        assert_eq!(kind(Rules::builder(6).block_houses(shape("3x3"))), RulesErrorKind::BlockShape);
        assert_eq!(kind(Rules::builder(4).house(extra(), [cell(0), cell(0)])), RulesErrorKind::CellTwice);
        assert_eq!(kind(Rules::builder(4).house(extra(), [cell(16)])), RulesErrorKind::CellOutside);
        assert_eq!(kind(Rules::builder(2).house(extra(), (0..3).map(cell))), RulesErrorKind::HouseSize);
        assert_eq!(
            Rules::jigsaw(&[0, 0, 0, 1]).unwrap_err().to_string(),
            "region 1 has 3 cells where 2 are needed: r1c1 r1c2 r2c1"
        );
        assert_eq!(Rules::jigsaw(&[0, 1, 2]).unwrap_err().kind(), RulesErrorKind::CellCount);
        for text in ["", "3", "x", "0x3", "9x9", "3x-3", "99999999999999999999x1", "3x3x3"] {
            assert!(text.parse::<BlockShape>().is_err(), "{text}");
        }
    }

    #[test]
    fn thousands_of_small_houses_are_accepted_and_too_many_refused() {
        let pair = |i: usize| [Cell::new(i % 4095).unwrap(), Cell::new(i % 4095 + 1).unwrap()];
        let mut builder = Rules::builder(64);
        for i in 0..MAX_HOUSES {
            builder = builder.house(HouseKind::Extra(String::new()), pair(i));
        }
        assert_eq!(
            builder.house(HouseKind::Extra(String::new()), pair(0)).build().unwrap_err().kind(),
            RulesErrorKind::TooManyHouses
        );
    }
}
