//! Writes refutation trees.

use std::io::{self, Write};

use super::CertifyError;
use super::state::{Item, Mark, Reached, State, Step};
use crate::{
    Board, CancelToken, Cell, Choice, Claim, Digit, DigitSet, End, Event, HouseKind, Limits, Observer, Puzzle, Rules, Search,
    Solution, Solver,
};

/// How large a refutation tree is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tree {
    /// Splits of a cell or of a house's places.
    pub splits: u64,
    /// Leaves: contradictions and solutions. Every split has two branches, so there is one leaf more than there are splits.
    pub leaves: u64,
    /// Leaves that are solutions.
    pub solutions: u64,
    /// Forced digits that are written down.
    pub steps: u64,
    /// Splits among them that are the writer's own, where the strategy's reason goes beyond singles.
    pub own_splits: u64,
    /// Bytes of the text.
    pub bytes: u64,
}

/// Searches a puzzle with a solver and writes the refutation tree of what it does, as it does it, to `out`.
///
/// The limits hold for both: the search of the solver, and the tree, whose splits are counted against the limit on nodes. Nothing is kept but the branch
/// at hand. Whatever the solver does, the certificate is right or is not finished: what the solver leaves open is searched here. A solver
/// that tells no guesses, or only its solutions, as `sat` does, leaves it all.
///
/// # Errors
/// Where the claim is false, a limit runs out, the solver does not take the rules, or `out` cannot be written. What was written by then is no
/// certificate: `ninefold-verify` says that it ends too early.
pub fn tree(
    solver: &mut dyn Solver,
    puzzle: &Puzzle,
    claim: Claim,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<Tree, CertifyError> {
    // One moment for the solver and for what is searched here.
    let mut limits = limits.clone();
    if let Some(deadline) = limits.deadline_from_now() {
        limits = limits.with_deadline(deadline);
    }
    // An observer cannot end a search, but a token can.
    let stop = CancelToken::new();
    let mut out = Counted { out, bytes: 0 };
    write_head(&mut out, puzzle, claim)?;
    let writer = Writer {
        puzzle,
        claim,
        out,
        state: State::new(puzzle),
        frames: Vec::new(),
        is_closed: false,
        tree: Tree::default(),
        companion: Search::new(&limits),
    };
    let mut watcher = Watcher { writer, failed: None, stop: stop.clone() };
    if let Err(error) = watcher.writer.arrive() {
        watcher.failed = Some(error);
        stop.cancel();
    }
    let mut search = Search::new(&limits.clone().with_cancel(stop)).with_observer(&mut watcher);
    let end = solver.search(puzzle, &mut search);
    drop(search.finish(end));
    if let Some(error) = watcher.failed {
        return Err(error);
    }
    let writer = watcher.writer;
    match end {
        End::Exhausted => {}
        End::OutOfBudget(budget) => return Err(CertifyError::GaveUp(budget)),
        // Nobody asked the search to stop, so what is left is for the writer, as are rules that the solver does not take.
        End::Stopped => {}
        End::Unsupported => return Err(CertifyError::Unsupported),
    }
    writer.finish()
}

/// Counts the bytes that pass.
struct Counted<'a> {
    out: &'a mut dyn Write,
    bytes: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn symbols(set: impl IntoIterator<Item = Digit>) -> String {
    set.into_iter().map(Digit::symbol).collect()
}

fn row_of(board: &Board) -> String {
    board.rules().cells().map(|cell| board.get(cell).map_or('.', Digit::symbol)).collect()
}

/// The rules, the puzzle and the claim.
fn write_head(out: &mut dyn Write, puzzle: &Puzzle, claim: Claim) -> io::Result<()> {
    let rules = puzzle.rules();
    writeln!(out, "{}", Claim::CERTIFICATE)?;
    writeln!(out, "side {}", rules.side())?;
    write_houses(out, rules)?;
    writeln!(out, "givens {}", row_of(puzzle.board()))?;
    for cell in rules.cells().filter(|cell| puzzle.board().get(*cell).is_none()) {
        let allowed = puzzle.allowed(cell);
        if allowed != DigitSet::all(rules.side()) {
            writeln!(out, "allow {} {}", cell.label(rules.side()), symbols(allowed))?;
        }
    }
    writeln!(out, "claim {claim}")?;
    writeln!(out, "proof")
}

/// The houses in their order. Rows and columns, blocks, and regions are written in one line each where they come in their usual order.
fn write_houses(out: &mut dyn Write, rules: &Rules) -> io::Result<()> {
    let side = rules.side();
    let starts_with = |from: usize, other: &Rules| {
        let houses = rules.houses().get(from..from + other.houses().len());
        houses.is_some_and(|houses| houses.iter().zip(other.houses()).all(|(a, b)| a.cells() == b.cells()))
    };
    let mut next = 0;
    let lines = Rules::builder(side).rows_and_columns().build().expect("the side is that of rules");
    if starts_with(0, &lines) {
        writeln!(out, "lines")?;
        next = 2 * side;
    }
    if let Some(shape) = rules.block_shape() {
        let blocks = Rules::builder(side).block_houses(shape).build().expect("the shape is that of rules");
        if starts_with(next, &blocks) {
            writeln!(out, "blocks {shape}")?;
            next += side;
        }
    }
    if let Some(map) = region_map(rules, next) {
        writeln!(out, "regions {map}")?;
        next += side;
    }
    for house in &rules.houses()[next..] {
        let labels: Vec<String> = house.cells().iter().map(|cell| cell.label(side)).collect();
        writeln!(out, "house {}", labels.join(" "))?;
    }
    Ok(())
}

/// The region of each cell as a symbol, where the next houses are regions that share out the board.
fn region_map(rules: &Rules, from: usize) -> Option<String> {
    let side = rules.side();
    let houses = rules.houses().get(from..from + side)?;
    let mut map = vec![' '; rules.cell_count()];
    for (house, digit) in houses.iter().zip(DigitSet::all(side)) {
        if !matches!(house.kind(), HouseKind::Region(_)) || !house.is_full() {
            return None;
        }
        house.cells().iter().for_each(|cell| map[cell.index()] = digit.symbol());
    }
    // Whoever reads the map must find the same houses in the same order, which is that of their first cells.
    let read = Rules::builder(side).regions(&map).build().ok()?;
    let same = houses.iter().zip(read.houses()).all(|(a, b)| a.cells() == b.cells());
    same.then(|| map.into_iter().collect())
}

/// A choice of the strategy, or a split of the writer's own.
struct Frame {
    /// The guesses open in the strategy's search with this one. `usize::MAX` for a split of the writer's own.
    depth: usize,
    kind: Kind,
    /// Whether the first branch is settled and the rest is at hand.
    is_second: bool,
}

enum Kind {
    /// A split that was written: what is left for the second branch.
    Split { item: Item, rest: u64, mark: Mark },
    /// The choice is known to be wrong already: nothing is written, and the rest is the state as it was.
    Impossible,
    /// The choice is known to be right already: nothing is written, and nothing is left for the rest.
    Certain,
}

/// Follows a search and writes its tree.
struct Writer<'a, 's> {
    puzzle: &'a Puzzle,
    claim: Claim,
    out: Counted<'a>,
    state: State,
    frames: Vec<Frame>,
    /// Whether the branch at hand has its leaf, so that nothing is left to do in it.
    is_closed: bool,
    tree: Tree,
    /// For the limits of what is searched here.
    companion: Search<'s>,
}

type Done = Result<(), CertifyError>;

impl Writer<'_, '_> {
    /// Takes steps in a branch that was just entered, and writes its leaf if they end it.
    fn arrive(&mut self) -> Done {
        match self.state.run() {
            Reached::Open => self.is_closed = false,
            Reached::Dead(item) => {
                let steps = self.state.needed(item);
                self.write_steps(&steps)?;
                let shown = self.shown(item);
                writeln!(self.out, "dead {shown}")?;
                self.leaf();
            }
            Reached::Full => {
                let board = Board::from_bytes(self.puzzle.rules(), &self.state.bytes()).expect("the digits fit the board");
                if self.tree.solutions == self.claim.solutions() {
                    let solution = Solution::new(self.puzzle, board).expect("singles keep the rules");
                    return Err(CertifyError::TooMany(Box::new(solution)));
                }
                let steps = std::mem::take(&mut self.state.steps);
                self.write_steps(&steps)?;
                writeln!(self.out, "solution {}", row_of(&board))?;
                self.tree.solutions += 1;
                self.leaf();
            }
        }
        Ok(())
    }

    fn leaf(&mut self) {
        self.state.steps.clear();
        self.tree.leaves += 1;
        self.is_closed = true;
    }

    fn label(&self, cell: Cell) -> String {
        cell.label(self.state.rules().side())
    }

    fn shown(&self, item: Item) -> String {
        match item {
            Item::Cell(cell) => self.label(cell),
            Item::Place(house, digit) => format!("h{}={digit}", house.index() + 1),
        }
    }

    fn shown_ways(&self, item: Item, ways: u64) -> String {
        let Item::Place(house, _) = item else { return symbols(DigitSet::from_bits(ways)) };
        let cells = self.state.rules().house(house).cells().iter().enumerate();
        let labels: Vec<String> = cells.filter(|(i, _)| ways >> i & 1 == 1).map(|(_, cell)| self.label(*cell)).collect();
        labels.join(",")
    }

    fn write_steps(&mut self, steps: &[Step]) -> io::Result<()> {
        const LONGEST: usize = 100;
        let mut line = String::new();
        for step in steps {
            let house = step.house.map_or(String::new(), |house| format!("/h{}", house.index() + 1));
            let text = format!("{}={}{house}", self.label(step.cell), step.digit);
            if line.len() + text.len() > LONGEST {
                writeln!(self.out, "{line}")?;
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += &text;
        }
        self.tree.steps += steps.len() as u64;
        if line.is_empty() { Ok(()) } else { writeln!(self.out, "{line}") }
    }

    /// Splits an item of the branch at hand and enters the first branch.
    fn split(&mut self, depth: usize, item: Item, first: u64) -> Done {
        let flow = self.companion.node();
        if let End::OutOfBudget(budget) = Search::end(flow) {
            return Err(CertifyError::GaveUp(budget));
        }
        let steps = std::mem::take(&mut self.state.steps);
        self.write_steps(&steps)?;
        let rest = self.state.open(item) & !first;
        let (name, one, other) = (self.shown(item), self.shown_ways(item, first), self.shown_ways(item, rest));
        writeln!(self.out, "split {name} {one} {other}")?;
        self.tree.splits += 1;
        self.frames.push(Frame { depth, kind: Kind::Split { item, rest, mark: self.state.mark() }, is_second: false });
        self.state.enter(item, first);
        self.arrive()
    }

    /// The strategy takes a choice.
    fn guess(&mut self, choice: Choice<'_>, depth: usize) -> Done {
        if self.is_closed {
            return Ok(());
        }
        let (item, chosen) = match choice {
            Choice::Place { cell, digit } => (Item::Cell(cell), DigitSet::of(digit).bits()),
            Choice::Confine { house, digit, cells } if self.state.rules().house(house).is_full() => {
                let places = self.state.rules().house(house).cells().iter().enumerate();
                let chosen = places.filter(|(_, cell)| cells.contains(cell)).fold(0, |set, (i, _)| set | 1 << i);
                (Item::Place(house, digit), chosen)
            }
            // A choice that no split can say: all of it is left to the writer.
            _ => {
                self.frames.push(Frame { depth, kind: Kind::Certain, is_second: false });
                return Ok(());
            }
        };
        let open = self.state.open(item);
        let kind = match open & chosen {
            0 => Kind::Impossible,
            some if some == open => Kind::Certain,
            some => return self.split(depth, item, some),
        };
        self.is_closed = matches!(kind, Kind::Impossible);
        self.frames.push(Frame { depth, kind, is_second: false });
        Ok(())
    }

    /// The strategy takes back a guess, after which `depth` are open: what it has settled by then is closed.
    fn back(&mut self, depth: usize) -> Done {
        let last_first = self.frames.iter().rev().find(|frame| !frame.is_second);
        // A guess in a branch that is closed already, which was passed over.
        if last_first.is_none_or(|frame| frame.depth <= depth) {
            return Ok(());
        }
        while let Some(frame) = self.frames.last() {
            let (is_first, frame_depth) = (!frame.is_second, frame.depth);
            if frame_depth <= depth {
                break;
            }
            self.close()?;
            self.advance()?;
            if is_first && frame_depth == depth + 1 {
                break;
            }
        }
        Ok(())
    }

    /// Goes on from a closed branch: to the second branch of its split, or up where that was it.
    fn advance(&mut self) -> Done {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        if frame.is_second {
            self.frames.pop();
            return Ok(());
        }
        frame.is_second = true;
        match frame.kind {
            Kind::Certain => {}
            Kind::Impossible => self.is_closed = false,
            Kind::Split { item, rest, mark } => {
                self.state.undo(mark);
                self.state.enter(item, rest);
                return self.arrive();
            }
        }
        Ok(())
    }

    /// Closes the branch at hand with splits of the writer's own.
    fn close(&mut self) -> Done {
        let floor = self.frames.len();
        loop {
            if !self.is_closed {
                let item = self.state.fewest();
                let open = self.state.open(item);
                self.tree.own_splits += 1;
                self.split(usize::MAX, item, open & open.wrapping_neg())?;
            } else if self.frames.len() > floor {
                self.advance()?;
            } else {
                return Ok(());
            }
        }
    }

    /// Closes whatever the search has left open.
    fn finish(mut self) -> Result<Tree, CertifyError> {
        loop {
            self.close()?;
            if self.frames.is_empty() {
                break;
            }
            self.advance()?;
        }
        if self.tree.solutions != self.claim.solutions() {
            return Err(CertifyError::TooFew(self.tree.solutions));
        }
        self.out.flush()?;
        Ok(Tree { bytes: self.out.bytes, ..self.tree })
    }
}

/// Hands the events of a search to the writer, and stops the search when the writer fails.
struct Watcher<'a, 's> {
    writer: Writer<'a, 's>,
    failed: Option<CertifyError>,
    stop: CancelToken,
}

impl Observer for Watcher<'_, '_> {
    fn event(&mut self, event: Event<'_>) {
        if self.failed.is_some() {
            return;
        }
        let done = match event {
            Event::Guess { choice, depth } => self.writer.guess(choice, depth),
            Event::Back { depth } => self.writer.back(depth),
            _ => Ok(()),
        };
        if let Err(error) = done {
            self.failed = Some(error);
            self.stop.cancel();
        }
    }
}
