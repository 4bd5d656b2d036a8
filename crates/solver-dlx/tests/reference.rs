//! Every variant against a slow solver written from the definitions alone: no links, nothing taken back, every list made anew.
//! Counters, events and solutions have to be the same, wherever the search is stopped.

use std::ops::ControlFlow;

use ninefold_core::{
    BlockShape, Board, Budget, Cell, Choice, Contradiction, Counter, Digit, DigitSet, End, Event, HouseId, HouseKind, Limits,
    Puzzle, Rules, Search, Solution, Solver, Why,
};
use ninefold_solver_dlx::{Dlx, ItemChoice};
use ninefold_testkit::Random;

const CHOICES: [ItemChoice; 8] = [
    ItemChoice::BySide,
    ItemChoice::Fewest,
    ItemChoice::FewestNear,
    ItemChoice::Weighted,
    ItemChoice::FewestOfAll,
    ItemChoice::FewestCells,
    ItemChoice::FewestPlaces,
    ItemChoice::First,
];

#[derive(Clone, Copy, PartialEq)]
enum Item {
    Cell(Cell),
    Place(HouseId, Digit),
}

/// What is left at a node.
#[derive(Clone)]
struct State {
    items: Vec<bool>,
    options: Vec<bool>,
    digits: Vec<u8>,
}

struct Reference<'a> {
    puzzle: &'a Puzzle,
    choice: ItemChoice,
    most_nodes: u64,
    cap: u64,
    items: Vec<Item>,
    primary: usize,
    options: Vec<(Cell, Digit)>,
    items_of: Vec<Vec<usize>>,
    options_of: Vec<Vec<usize>>,
    depth: usize,
    /// 1 and the dead ends that each primary item led to.
    weights: Vec<u64>,
    /// The items chosen on the way to this node, each with its options then.
    path: Vec<(usize, usize)>,
    counts: [u64; 7],
    events: Vec<String>,
}

const COUNTED: [Counter; 7] = [
    Counter::Nodes,
    Counter::Guesses,
    Counter::DeadEnds,
    Counter::Propagations,
    Counter::MaxDepth,
    Counter::Solutions,
    Counter::LinkUpdates,
];

impl<'a> Reference<'a> {
    fn new(puzzle: &'a Puzzle, choice: ItemChoice, most_nodes: u64, cap: u64) -> Reference<'a> {
        let rules = puzzle.rules();
        let digits = || DigitSet::all(rules.side()).iter();
        let mut ids: Vec<HouseId> = rules.cells().flat_map(|cell| rules.houses_of(cell)).copied().collect();
        ids.sort();
        ids.dedup();
        let (full, small): (Vec<_>, Vec<_>) = ids.into_iter().partition(|id| rules.house(*id).is_full());
        let mut items: Vec<Item> = rules.cells().map(Item::Cell).collect();
        items.extend(full.into_iter().flat_map(|id| digits().map(move |digit| Item::Place(id, digit))));
        let primary = items.len();
        let small = small.into_iter().filter(|id| rules.house(*id).cells().len() > 1);
        items.extend(small.flat_map(|id| digits().map(move |digit| Item::Place(id, digit))));
        let options: Vec<(Cell, Digit)> = rules.cells().flat_map(|cell| digits().map(move |digit| (cell, digit))).collect();
        let covers = |item: &Item, (cell, digit): (Cell, Digit)| match item {
            Item::Cell(own) => *own == cell,
            Item::Place(house, own) => *own == digit && rules.houses_of(cell).contains(house),
        };
        let mut items_of = vec![Vec::new(); options.len()];
        let mut options_of = vec![Vec::new(); items.len()];
        for (i, item) in items.iter().enumerate() {
            for (o, option) in options.iter().enumerate() {
                if covers(item, *option) {
                    items_of[o].push(i);
                    options_of[i].push(o);
                }
            }
        }
        Reference {
            puzzle,
            choice,
            most_nodes,
            cap,
            items,
            primary,
            options,
            items_of,
            options_of,
            depth: 0,
            weights: vec![1; primary],
            path: Vec::new(),
            counts: [0; 7],
            events: Vec::new(),
        }
    }

    fn count(&mut self, counter: Counter) -> &mut u64 {
        &mut self.counts[COUNTED.iter().position(|known| *known == counter).unwrap()]
    }

    fn tell(&mut self, event: Event<'_>) {
        self.events.push(format!("{event:?}"));
    }

    fn run(&mut self) -> End {
        let board = self.puzzle.board();
        let mut state = State {
            items: vec![true; self.items.len()],
            options: self.options.iter().map(|(cell, digit)| self.puzzle.allowed(*cell).contains(*digit)).collect(),
            digits: board.as_bytes().to_vec(),
        };
        for (o, (cell, digit)) in self.options.clone().into_iter().enumerate() {
            if board.get(cell) == Some(digit) {
                for item in self.items_of[o].clone() {
                    self.cover(&mut state, item);
                }
            }
        }
        *self.count(Counter::LinkUpdates) = 0;
        let root = self.node();
        Search::end(if root.is_break() { root } else { self.visit(&state) })
    }

    fn node(&mut self) -> ControlFlow<End> {
        if *self.count(Counter::Nodes) == self.most_nodes {
            return ControlFlow::Break(End::OutOfBudget(Budget::Nodes));
        }
        *self.count(Counter::Nodes) += 1;
        ControlFlow::Continue(())
    }

    fn cover(&mut self, state: &mut State, item: usize) {
        state.items[item] = false;
        *self.count(Counter::LinkUpdates) += 1;
        for option in self.options_of[item].clone() {
            if state.options[option] {
                state.options[option] = false;
                *self.count(Counter::LinkUpdates) += self.items_of[option].len() as u64 - 1;
            }
        }
    }

    fn choose(&self, state: &State) -> usize {
        let left: Vec<usize> = (0..self.primary).filter(|item| state.items[*item]).collect();
        let is_cell = |item: &&usize| matches!(self.items[**item], Item::Cell(_));
        let (cells, places): (Vec<&usize>, Vec<&usize>) = left.iter().partition(is_cell);
        let degree = |item: &usize| self.options_of[*item].iter().filter(|option| state.options[**option]).count();
        let fewest = |items: &[&usize]| -> usize {
            let early = items.iter().find(|item| degree(item) <= 1);
            **early.unwrap_or_else(|| items.iter().min_by_key(|item| degree(item)).unwrap())
        };
        // Cells and places with two options, by options for the weight.
        let near = |weight: &dyn Fn(&usize) -> u64| -> usize {
            let share = |item: &usize| degree(item) as f64 / weight(item) as f64;
            let early = left.iter().find(|item| degree(item) <= 1);
            let items = left.iter().filter(|item| is_cell(item) || degree(item) == 2);
            *early.unwrap_or_else(|| items.min_by(|a, b| share(a).total_cmp(&share(b))).unwrap())
        };
        let weighted = || near(&|item| self.weights[*item]);
        match self.choice {
            ItemChoice::First => left[0],
            ItemChoice::BySide if self.puzzle.rules().side() >= 16 => weighted(),
            ItemChoice::Weighted => weighted(),
            ItemChoice::BySide | ItemChoice::FewestNear => near(&|_| 1),
            ItemChoice::Fewest => fewest(&left.iter().collect::<Vec<_>>()),
            ItemChoice::FewestOfAll => *left.iter().min_by_key(|item| degree(item)).unwrap(),
            ItemChoice::FewestCells => fewest(&cells),
            _ => fewest(if places.is_empty() { &cells } else { &places }),
        }
    }

    fn visit(&mut self, state: &State) -> ControlFlow<End> {
        if !state.items[..self.primary].contains(&true) {
            *self.count(Counter::Solutions) += 1;
            let board = Board::from_bytes(self.puzzle.rules(), &state.digits).unwrap();
            let solution = Solution::new(self.puzzle, board).unwrap();
            self.tell(Event::Solution { solution: &solution });
            let enough = *self.count(Counter::Solutions) == self.cap;
            return if enough { ControlFlow::Break(End::Stopped) } else { ControlFlow::Continue(()) };
        }
        let chosen = self.choose(state);
        let item = self.items[chosen];
        let open: Vec<usize> = self.options_of[chosen].iter().copied().filter(|option| state.options[*option]).collect();
        if open.is_empty() {
            self.weights[chosen] += 1;
            for (item, degree) in self.path.iter().rev() {
                self.weights[*item] += 1;
                if *degree > 1 {
                    break;
                }
            }
            *self.count(Counter::DeadEnds) += 1;
            let why = match item {
                Item::Cell(cell) => Contradiction::Cell(cell),
                Item::Place(house, digit) => Contradiction::House(house, digit),
            };
            self.tell(Event::DeadEnd { why });
            return ControlFlow::Continue(());
        }
        let mut state = state.clone();
        self.cover(&mut state, chosen);
        for (k, option) in open.iter().copied().enumerate() {
            let (cell, digit) = self.options[option];
            let is_guess = k + 1 < open.len();
            if is_guess {
                self.depth += 1;
                *self.count(Counter::Guesses) += 1;
                *self.count(Counter::MaxDepth) = self.depth.max(*self.count(Counter::MaxDepth) as usize) as u64;
                self.tell(Event::Guess { choice: Choice::Place { cell, digit }, depth: self.depth });
            } else {
                let why = match item {
                    _ if k > 0 => Why::Refuted,
                    Item::Cell(_) => Why::NakedSingle,
                    Item::Place(house, _) => Why::HiddenSingle(house),
                };
                *self.count(Counter::Propagations) += u64::from(k == 0);
                self.tell(Event::Place { cell, digit, why });
            }
            self.node()?;
            let mut next = state.clone();
            next.digits[cell.index()] = digit.get();
            for other in self.items_of[option].clone() {
                if other != chosen {
                    self.cover(&mut next, other);
                }
            }
            self.path.push((chosen, open.len()));
            self.visit(&next)?;
            self.path.pop();
            if is_guess {
                self.depth -= 1;
                self.tell(Event::Back { depth: self.depth });
            }
        }
        ControlFlow::Continue(())
    }
}

/// Compares one solver, used for the whole of a test, with the reference: observed and not.
fn compare(solver: &mut Dlx, puzzle: &Puzzle, most_nodes: u64, cap: u64) -> End {
    let mut reference = Reference::new(puzzle, solver.item_choice(), most_nodes, cap);
    let end = reference.run();
    let limits = Limits::none().with_nodes(most_nodes);
    let mut events = Vec::new();
    let mut observer = |event: Event<'_>| events.push(format!("{event:?}"));
    let mut search = Search::new(&limits).with_cap(cap).with_observer(&mut observer);
    let own_end = solver.search(puzzle, &mut search);
    let observed = search.finish(own_end);
    let plain = solver.count(puzzle, cap, &limits);
    let name = format!("{:?} {puzzle:?} nodes {most_nodes} cap {cap}", solver.item_choice());
    for outcome in [&observed, &plain] {
        assert_eq!(outcome.end(), end, "{name}");
        for (counter, count) in COUNTED.into_iter().zip(reference.counts) {
            assert_eq!(outcome.counters().get(counter), Some(count), "{} of {name}", counter.name());
        }
    }
    assert_eq!(events, reference.events, "{name}");
    end
}

/// A full grid for rows, columns and blocks of this shape.
fn pattern(shape: BlockShape) -> Vec<u8> {
    let (side, rows, columns) = (shape.side(), shape.rows(), shape.columns());
    (0..side * side)
        .map(|index| {
            let (row, column) = (index / side, index % side);
            ((column + row % rows * columns + row / rows) % side) as u8 + 1
        })
        .collect()
}

fn shape(text: &str) -> BlockShape {
    text.parse().unwrap()
}

fn puzzle(rules: &Rules, bytes: &[u8]) -> Puzzle {
    Puzzle::new(Board::from_bytes(rules, bytes).unwrap()).unwrap()
}

fn cell(index: usize) -> Cell {
    Cell::new(index).unwrap()
}

fn solvers() -> Vec<Dlx> {
    CHOICES.iter().map(|choice| Dlx::builder().item_choice(*choice).build()).collect()
}

#[test]
fn counters_and_events_are_those_of_the_definitions_on_every_side() {
    let mut random = Random::new(1);
    let mut ends = Vec::new();
    for (text, holes) in [
        ("1x1", 1),
        ("1x2", 4),
        ("2x1", 3),
        ("2x2", 10),
        ("2x3", 24),
        ("3x2", 20),
        ("2x4", 34),
        ("3x3", 54),
        ("3x4", 60),
        ("4x4", 90),
        ("5x5", 60),
    ] {
        let shape = shape(text);
        let rules = Rules::blocks(shape);
        let (rounds, most_nodes) = if shape.side() > 9 { (1, 70) } else { (4, 150) };
        for mut solver in solvers() {
            for _ in 0..rounds {
                let mut bytes = pattern(shape);
                for _ in 0..holes {
                    bytes[random.below(shape.side() * shape.side())] = 0;
                }
                for cap in [1, 2, 20] {
                    ends.push(compare(&mut solver, &puzzle(&rules, &bytes), most_nodes, cap));
                }
            }
            ends.push(compare(&mut solver, &puzzle(&rules, &pattern(shape)), most_nodes, 2));
        }
    }
    for end in [End::Exhausted, End::Stopped, End::OutOfBudget(Budget::Nodes)] {
        assert!(ends.contains(&end), "no search ended as {end:?}");
    }
}

#[test]
fn classic_puzzles_with_guesses_and_dead_ends_are_counted_alike() {
    for line in [
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
        // No place for the 1 in the middle block; a blank without candidates.
        "..............1....1..........1.........................1..........1.............",
        "12345678.........9...............................................................",
        ".................................................................................",
    ] {
        let puzzle = Puzzle::new(line.parse().unwrap()).unwrap();
        for mut solver in solvers() {
            let _ = compare(&mut solver, &puzzle, 700, 3);
        }
    }
}

#[test]
fn every_node_limit_stops_at_the_same_point() {
    let rules = Rules::blocks(shape("2x2"));
    let puzzle = puzzle(&rules, &[0, 0, 3, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    for mut solver in solvers() {
        for nodes in 0..140 {
            let _ = compare(&mut solver, &puzzle, nodes, 9);
        }
        assert_eq!(compare(&mut solver, &puzzle, 100_000, 100_000), End::Exhausted);
    }
}

#[test]
fn jigsaw_regions_and_houses_of_any_size_are_kept() {
    let regions = b"aaabacbbccdbcddd";
    let jigsaw = Rules::jigsaw(regions).unwrap();
    let diagonals = Rules::builder(4)
        .rows_and_columns()
        .block_houses(shape("2x2"))
        .house(HouseKind::Extra("main diagonal".into()), [0, 5, 10, 15].map(cell))
        .house(HouseKind::Extra("other diagonal".into()), [3, 6, 9, 12].map(cell))
        .build()
        .unwrap();
    let pairs = Rules::builder(4)
        .rows_and_columns()
        .house(HouseKind::Extra("pair".into()), [0, 5].map(cell))
        .house(HouseKind::Extra("three".into()), [1, 6, 11].map(cell))
        .house(HouseKind::Extra("one".into()), [7].map(cell))
        .house(HouseKind::Extra("row 2 again".into()), [7, 6, 5, 4].map(cell))
        .house(HouseKind::Extra("a pair within a row".into()), [13, 12].map(cell))
        .build()
        .unwrap();
    let only_pairs = Rules::builder(3)
        .house(HouseKind::Extra("a".into()), [0, 1].map(cell))
        .house(HouseKind::Extra("b".into()), [0, 3].map(cell))
        .house(HouseKind::Extra("c".into()), [8, 3].map(cell))
        .build()
        .unwrap();
    let no_houses = Rules::builder(2).build().unwrap();
    let mut random = Random::new(2);
    for rules in [jigsaw, diagonals, pairs, only_pairs, no_houses] {
        for mut solver in solvers() {
            let _ = compare(&mut solver, &Puzzle::new(Board::empty(&rules)).unwrap(), 1500, 100);
            for _ in 0..20 {
                let mut board = Board::empty(&rules);
                for _ in 0..3 {
                    let (at, digit) = (random.below(rules.cell_count()), random.below(rules.side()) as u8 + 1);
                    board.set(cell(at), Digit::new(digit));
                }
                if let Ok(puzzle) = Puzzle::new(board) {
                    let _ = compare(&mut solver, &puzzle, 400, 50);
                }
            }
        }
    }
}

#[test]
fn restrictions_exclude_their_options_and_leave_the_matrix_whole() {
    let mut random = Random::new(3);
    for text in ["1x1", "2x2", "2x3", "3x3"] {
        let shape = shape(text);
        let rules = Rules::blocks(shape);
        let count = rules.cell_count();
        for mut solver in solvers() {
            for round in 0..12 {
                let full = pattern(shape);
                let mut bytes = full.clone();
                for _ in 0..count {
                    bytes[random.below(count)] = 0;
                }
                // Most sets keep the digit of one full grid, so that most puzzles are solvable; the rest is up to chance.
                let sets: Vec<DigitSet> = full
                    .iter()
                    .zip(&bytes)
                    .map(|(digit, given)| {
                        let mut set = DigitSet::from_bits((random.below(1 << 16) | random.below(1 << 16)) as u64);
                        if *given != 0 || round != 0 {
                            set.insert(Digit::new(*digit).unwrap());
                        }
                        if round == 11 && *given == 0 { DigitSet::EMPTY } else { set }
                    })
                    .collect();
                let restricted = Puzzle::with_candidates(Board::from_bytes(&rules, &bytes).unwrap(), &sets).unwrap();
                let _ = compare(&mut solver, &restricted, 300, 5);
                let _ = compare(&mut solver, &puzzle(&rules, &bytes), 300, 5);
            }
        }
    }
}
