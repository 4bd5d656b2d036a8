//! What the strategies keep in memory, drawn for the puzzles of the guide.

use std::fmt::Write;
use std::ops::ControlFlow;

use ninefold::{Board, Cell, Counter, Digit, DigitSet, HouseId, Limits, Puzzle, Rules, Search, Verdict};
use ninefold_cnf::{Encoding, Literal, Preparation, Problem};

use crate::blocks::{Image, Made, strategy};
use crate::experiments::label;
use crate::tree::Tree;

/// The puzzle of all chapters but one: small enough to draw its trees, and singles alone do not solve it.
const SMALL: (&str, &str) = ("2x3", "1..6.2..3.......6..4.5.....4...1..5.");

/// The puzzle of the chapter on `bitboard`, which takes nothing but 9×9.
const CLASSIC: &str = "7...19....94..3...5..8............31.4..6...7...1..2..........6213....4.85...7.2.";

pub(crate) fn small() -> Puzzle {
    let rules = Rules::blocks(SMALL.0.parse().expect("a block shape"));
    Puzzle::new(Board::parse(&rules, SMALL.1).expect("a board")).expect("no clash")
}

fn classic() -> Puzzle {
    Puzzle::new(CLASSIC.parse().expect("a board")).expect("no clash")
}

fn fenced(text: &str) -> String {
    format!("```text\n{}\n```", text.trim_end())
}

/// A board without a frame around it, its rows labelled.
fn grid(board: &Board) -> Vec<String> {
    format!("{board:#}").lines().map(String::from).collect()
}

/// The small puzzle beside its solution, and the puzzle of the last chapter.
pub(crate) fn puzzle() -> String {
    let mut text = String::from("the small puzzle         its solution\n\n");
    let puzzle = small();
    let solution = solution(&puzzle);
    for (left, right) in grid(puzzle.board()).iter().zip(grid(&solution)) {
        let _ = writeln!(text, "{left:24} {right}");
    }
    let _ = write!(text, "\n{puzzle}   (blocks of {} rows and columns)", puzzle.rules().name());
    fenced(&text)
}

fn solution(puzzle: &Puzzle) -> Board {
    match (strategy("dlx").build)().classify(puzzle, &Limits::none()) {
        Verdict::Unique(solution) => solution.board().clone(),
        other => panic!("the puzzle of the guide is not proper: {}", other.name()),
    }
}

/// The tree of a strategy, as a picture with its counters below.
pub(crate) fn tree(name: &str) -> Made {
    let strategy = strategy(name);
    let puzzle = if strategy.caps.takes(small().rules()) { small() } else { classic() };
    let (tree, outcome) = Tree::of(strategy, &puzzle);
    let counters = outcome.counters();
    let words = [
        (Counter::Nodes, "nodes"),
        (Counter::Guesses, "guesses"),
        (Counter::DeadEnds, "dead ends"),
        (Counter::Propagations, "forced digits"),
        (Counter::Conflicts, "conflicts"),
    ];
    let known: Vec<String> =
        words.iter().filter_map(|(counter, word)| Some(format!("{} {word}", counters.get(*counter)?))).collect();
    let title = format!("{name}: {}", known.join(", "));
    let file = format!("tree-{name}.svg");
    let image = Image { name: file.clone(), svg: Some(tree.svg(&title)) };
    Made { text: format!("![Search tree of {title}](images/{file})"), images: vec![image] }
}

fn digits(set: DigitSet) -> String {
    set.iter().map(Digit::symbol).collect()
}

/// The digits that a house has used, by the givens.
fn used(puzzle: &Puzzle, house: HouseId) -> DigitSet {
    let mut used = DigitSet::EMPTY;
    for digit in puzzle.rules().house(house).cells().iter().filter_map(|&cell| puzzle.board().get(cell)) {
        used.insert(digit);
    }
    used
}

/// What the givens leave of the candidates of a cell; of a given, its digit.
fn left(puzzle: &Puzzle, cell: Cell) -> DigitSet {
    if let Some(digit) = puzzle.board().get(cell) {
        return DigitSet::of(digit);
    }
    let houses = puzzle.rules().houses_of(cell);
    houses.iter().fold(puzzle.allowed(cell), |left, &house| left.difference(used(puzzle, house)))
}

fn first_blank(puzzle: &Puzzle) -> Cell {
    puzzle.rules().cells().find(|&cell| puzzle.board().get(cell).is_none()).expect("a puzzle has a blank")
}

/// `state-array`: the array, and one test.
pub(crate) fn used_digits() -> String {
    let puzzle = small();
    let rules = puzzle.rules();
    let side = rules.side();
    let mut text = String::from("used          1 2 3 4 5 6\n");
    let bits = |set: DigitSet| -> String {
        DigitSet::all(side).iter().map(|digit| if set.contains(digit) { " 1" } else { " ." }).collect()
    };
    for house in rules.house_ids() {
        let name = rules.house(house).kind().to_string();
        let _ = writeln!(text, "{name:12} {}", bits(used(&puzzle, house)));
    }
    let cell = first_blank(&puzzle);
    let name = label(&puzzle, cell);
    let _ = writeln!(text, "\nwhat fits {name}?");
    let mut all = DigitSet::EMPTY;
    for &house in rules.houses_of(cell) {
        let set = used(&puzzle, house);
        all = all.union(set);
        let _ = writeln!(text, "{:12} {}", rules.house(house).kind().to_string(), bits(set));
    }
    let _ = writeln!(text, "{:12} {}", "OR", bits(all));
    let _ = writeln!(text, "{:12} {}   {name} can be {}", "NOT", bits(left(&puzzle, cell)), digits(left(&puzzle, cell)));
    fenced(&text)
}

/// `propagation`: candidates, and the places of one digit in each row.
pub(crate) fn candidates() -> String {
    let puzzle = small();
    let rules = puzzle.rules();
    let side = rules.side();
    let shape = rules.block_shape().expect("the small puzzle has blocks");
    let mut text = String::from("candidates after the givens, which stand in brackets\n\n");
    for row in 0..side {
        if row > 0 && row.is_multiple_of(shape.rows()) {
            text.push('\n');
        }
        for column in 0..side {
            let cell = rules.cell(row, column).expect("on the board");
            let set = digits(left(&puzzle, cell));
            let set = if puzzle.board().get(cell).is_some() { format!("[{set}]") } else { format!(" {set}") };
            let gap = if column > 0 && column.is_multiple_of(shape.columns()) { "   " } else { "" };
            let _ = write!(text, "{gap}{set:7}");
        }
        let trimmed = text.trim_end().len();
        text.truncate(trimmed);
        text.push('\n');
    }
    let mut singles = Vec::new();
    for cell in rules.cells().filter(|&cell| puzzle.board().get(cell).is_none()) {
        if let Some(digit) = left(&puzzle, cell).single() {
            singles.push(format!("naked single: {} = {}", label(&puzzle, cell), digit.symbol()));
        }
    }
    for house in rules.house_ids() {
        for digit in DigitSet::all(side) {
            let cells = rules.house(house).cells();
            let places: Vec<Cell> = cells.iter().copied().filter(|&cell| left(&puzzle, cell).contains(digit)).collect();
            if let [cell] = places[..]
                && puzzle.board().get(cell).is_none()
            {
                let kind = rules.house(house).kind();
                singles.push(format!("hidden single in {kind}: {} = {}", label(&puzzle, cell), digit.symbol()));
            }
        }
    }
    let _ = write!(text, "\n{}", if singles.is_empty() { "no single at all".into() } else { singles.join("\n") });
    fenced(&text)
}

/// `dlx`: the part of the matrix that belongs to one row of the board.
pub(crate) fn matrix() -> String {
    let puzzle = small();
    let rules = puzzle.rules();
    let row = rules.house_ids().next().expect("a board has rows");
    let cells: Vec<Cell> = rules.house(row).cells().iter().copied().filter(|&cell| puzzle.board().get(cell).is_none()).collect();
    let missing = DigitSet::all(rules.side()).difference(used(&puzzle, row));
    let mut heads: Vec<String> = cells.iter().map(|&cell| label(&puzzle, cell)).collect();
    heads.extend(missing.iter().map(|digit| format!("row1:{}", digit.symbol())));
    let mut text = format!("option    {}   and two more items\n", heads.join(" "));
    for &cell in &cells {
        for digit in left(&puzzle, cell) {
            let mut line = format!("{}={}   ", label(&puzzle, cell), digit.symbol());
            for (i, head) in heads.iter().enumerate() {
                let covered = if i < cells.len() { cells[i] == cell } else { missing.iter().nth(i - cells.len()) == Some(digit) };
                let _ = write!(line, "  {:^width$}", if covered { "1" } else { "." }, width = head.chars().count() - 1);
            }
            let others: Vec<String> = rules
                .houses_of(cell)
                .iter()
                .filter(|&&house| house != row)
                .map(|&house| format!("{}:{}", rules.house(house).kind(), digit.symbol()))
                .collect();
            let _ = writeln!(text, "{line}   {}", others.join(", "));
        }
    }
    fenced(&text)
}

/// `sat`: some clauses, and how many of each length there are.
pub(crate) fn clauses() -> String {
    let puzzle = small();
    let mut search = Search::new(&Limits::none());
    let ControlFlow::Continue(Ok(problem)) = Problem::prepare(&puzzle, Preparation::Givens, &mut search) else {
        panic!("the small puzzle has a solution");
    };
    let name = |literal: &Literal| {
        let (cell, digit) = problem.place(literal.variable()).expect("pairs need no other variables");
        format!("{}{}={}", if literal.is_negative() { "not " } else { "" }, label(&puzzle, cell), digit.symbol())
    };
    let first = first_blank(&puzzle);
    let (mut long, mut pairs, mut shown) = (0, 0, Vec::new());
    let mut sink = |clause: &[Literal]| {
        let is_pair = clause.iter().all(|literal| literal.is_negative());
        *(if is_pair { &mut pairs } else { &mut long }) += 1;
        let first_cell = |literal: &Literal| problem.place(literal.variable()).is_some_and(|(cell, _)| cell == first);
        if clause.iter().any(first_cell) {
            shown.push(clause.iter().map(name).collect::<Vec<_>>().join(" or "));
        }
        ControlFlow::Continue(())
    };
    let _ = problem.encode(Encoding::default(), &mut sink);
    let mut text = format!(
        "after the givens: {} variables, {long} clauses \"at least one\", {pairs} clauses \"not both\"\n\nthose about {}:\n",
        problem.variable_count(),
        label(&puzzle, first)
    );
    for clause in &shown {
        let _ = writeln!(text, "  {clause}");
    }
    fenced(&text)
}

/// `bitboard`: the board of one digit and what its bands allow.
pub(crate) fn digit_board() -> String {
    let puzzle = classic();
    let rules = puzzle.rules();
    // The digit with the most givens that still has a choice tells the most.
    let givens = |digit: Digit| puzzle.board().givens().filter(|(_, given)| *given == digit).count();
    let digit = DigitSet::all(9).iter().max_by_key(|&digit| (givens(digit) < 7, givens(digit))).expect("nine digits");
    let may = |row: usize, column: usize| left(&puzzle, rules.cell(row, column).expect("on the board")).contains(digit);
    let mut text = format!("the puzzle              the board of digit {}      minirows\n\n", digit.symbol());
    let lines = grid(puzzle.board());
    let mut row = 0;
    for line in &lines {
        if line.contains('-') {
            let _ = writeln!(text, "{line}   {line}");
            continue;
        }
        let bits: Vec<String> = (0..3)
            .map(|block| (0..3).map(|i| if may(row, 3 * block + i) { "1" } else { "." }).collect::<Vec<_>>().join(" "))
            .collect();
        let minirows: Vec<&str> = (0..3).map(|block| if (0..3).any(|i| may(row, 3 * block + i)) { "1" } else { "." }).collect();
        let _ = writeln!(text, "{line}   {}    {}", bits.join(" | "), minirows.join(" "));
        row += 1;
    }
    let _ = writeln!(text);
    const ARRANGEMENTS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];
    for band in 0..3 {
        let possible: Vec<String> = ARRANGEMENTS
            .iter()
            .filter(|blocks| (0..3).all(|i| (0..3).any(|column| may(3 * band + i, 3 * blocks[i] + column))))
            .map(|blocks| blocks.map(|block| (block + 1).to_string()).join(""))
            .collect();
        let _ = writeln!(text, "band {}: {} of 6 arrangements: {}", band + 1, possible.len(), possible.join(" "));
    }
    fenced(&text)
}
