//! The experiments: strategies and variants side by side on the shared sets.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use ninefold::{Board, Cell, Counter, End, Limits, Puzzle, RuleSupport, Rules, Search};
use ninefold_cnf::{AtMostOne, Encoding, Form, Literal, Preparation, Problem};
use ninefold_tests::{named, set};

use crate::blocks::{Image, Made, strategy};
use crate::chart;
use crate::pictures;
use crate::table::{Table, figure, mean, micros, rate};

/// The first puzzles of a set.
fn puzzles(name: &str, most: usize) -> Vec<Puzzle> {
    set(name).into_iter().take(most).map(|entry| entry.puzzle).collect()
}

/// What came of a strategy on some puzzles.
struct Sum {
    puzzles: usize,
    answered: usize,
    counters: [Option<u64>; Counter::ALL.len()],
    /// The mean time of a puzzle, if it was measured.
    time: Option<Duration>,
}

impl Sum {
    fn get(&self, counter: Counter) -> Option<u64> {
        self.counters[counter as usize]
    }

    /// The mean of a counter.
    fn mean(&self, counter: Counter) -> String {
        self.get(counter).map_or_else(|| "–".into(), |sum| mean(sum, self.puzzles))
    }

    fn answers(&self) -> String {
        format!("{}/{}", self.answered, self.puzzles)
    }
}

/// Asks one question of every puzzle: up to two solutions, within a limit on nodes. Times are the best of some passes, since noise only adds.
fn ask(name: &str, puzzles: &[Puzzle], nodes: u64, times: bool) -> Sum {
    let mut solver = (strategy(name).build)();
    let limits = Limits::none().with_nodes(nodes);
    let mut sum = Sum { puzzles: puzzles.len(), answered: 0, counters: [Some(0); Counter::ALL.len()], time: None };
    for puzzle in puzzles {
        let outcome = solver.count(puzzle, 2, &limits);
        sum.answered += usize::from(matches!(outcome.end(), End::Exhausted | End::Stopped));
        for (sum, counter) in sum.counters.iter_mut().zip(Counter::ALL) {
            *sum = sum.zip(outcome.counters().get(counter)).map(|(sum, more)| sum + more);
        }
    }
    if times {
        let begun = Instant::now();
        let mut best = Duration::MAX;
        while best == Duration::MAX || begun.elapsed() < Duration::from_millis(300) {
            let start = Instant::now();
            for puzzle in puzzles {
                let _ = std::hint::black_box(solver.count(puzzle, 2, &limits));
            }
            best = best.min(start.elapsed());
        }
        sum.time = Some(best / puzzles.len() as u32);
    }
    sum
}

/// The table of the README: every strategy on the same puzzles.
pub(crate) fn strategies(times: bool) -> Made {
    const WORDS: &[(&str, &str, &str, &str)] = &[
        (
            "backtracking",
            "first blank cell, digits ascending, every trial scans the houses",
            "being understood",
            "nearly all the rest",
        ),
        (
            "state-array",
            "the same tree, used digits of each house in an array",
            "nodes per second",
            "puzzles that fix little in their first rows",
        ),
        (
            "propagation",
            "candidates, naked and hidden singles, fewest choices first",
            "small boards of any rules",
            "16×16 and more near the border of solvability",
        ),
        ("dlx", "exact cover, crate `dlx`", "enumerating solutions", "large boards near the border of solvability"),
        ("sat", "CNF, crate `varisat`", "large and hard boards", "many solutions, easy puzzles"),
        (
            "batsat",
            "the same CNF, crate `batsat` (a feature to ask for)",
            "large, hard and empty boards",
            "many solutions, easy puzzles",
        ),
        (
            "bitboard",
            "nine digit boards in vector registers, one puzzle or a batch at a time",
            "speed",
            "everything that is not 9×9",
        ),
    ];
    let puzzles = puzzles("minimal", 200);
    let mut rates = Vec::new();
    let mut table = Table::new(&["name", "how", "rules", "good at", "bad at", "guesses", "puzzles/s (time)"]);
    for strategy in ninefold::strategies() {
        // A strategy that is new has its summary until someone knows more about it.
        let words = WORDS.iter().find(|(name, ..)| *name == strategy.name);
        let (_, how, good, bad) = words.copied().unwrap_or((strategy.name, strategy.summary, "–", "–"));
        let rules = if strategy.caps.rules == RuleSupport::Any { "any" } else { "classic 9×9" };
        let sum = ask(strategy.name, &puzzles, 50_000_000, times);
        assert_eq!(sum.answered, sum.puzzles, "{} answers every puzzle of the set", strategy.name);
        rates.extend(sum.time.map(|time| (strategy.name, 1.0 / time.as_secs_f64())));
        table.row([
            format!("[`{0}`](docs/STUDY.md#{0})", strategy.name),
            how.into(),
            rules.into(),
            good.into(),
            bad.into(),
            sum.mean(Counter::Guesses),
            rate(sum.time),
        ]);
    }
    let title = format!("{} minimal puzzles, each proved to have one solution", puzzles.len());
    let name = "puzzles-per-second.svg".to_owned();
    let text = format!(
        "{}\nGuesses (the mean) and puzzles a second, on one core: {title} (`tests/data/sets/minimal.jsonl`).\n\n\
         ![Puzzles a second of each strategy, on a logarithmic scale](docs/images/{name})",
        table.text()
    );
    let svg = times.then(|| chart::bars(&title, "puzzles a second, on one core", &rates));
    Made { text, images: vec![Image { name, svg }] }
}

/// All strategies on the small puzzle of the guide.
pub(crate) fn small_counters() -> String {
    let mut table = Table::new(&[
        "strategy",
        "nodes",
        "guesses",
        "dead ends",
        "forced digits",
        "depth",
        "conflicts",
        "decisions",
        "link updates",
    ]);
    for strategy in ninefold::all_variants() {
        let puzzle = pictures::small();
        if strategy.caps.takes(puzzle.rules())
            && (strategy.variant().is_none() || strategy.caps.counters.contains(Counter::Nodes))
        {
            let sum = ask(strategy.name, &[puzzle], u64::MAX, false);
            let get = |counter| figure(sum.get(counter));
            table.row([
                format!("`{}`", strategy.name),
                get(Counter::Nodes),
                get(Counter::Guesses),
                get(Counter::DeadEnds),
                get(Counter::Propagations),
                get(Counter::MaxDepth),
                get(Counter::Conflicts),
                get(Counter::Decisions),
                get(Counter::LinkUpdates),
            ]);
        }
    }
    table.text()
}

/// Variants on sets, with the counters of a tree.
fn trees(sets: &[(&str, usize, u64)], names: &[&str], times: bool) -> Made {
    let mut table = Table::new(&["set · strategy", "answered", "nodes", "guesses", "dead ends", "forced digits", "time, µs"]);
    for (set, most, nodes) in sets {
        let puzzles = puzzles(set, *most);
        for name in names {
            let sum = ask(name, &puzzles, *nodes, times);
            table.row([
                format!("{set} · `{name}`"),
                sum.answers(),
                sum.mean(Counter::Nodes),
                sum.mean(Counter::Guesses),
                sum.mean(Counter::DeadEnds),
                sum.mean(Counter::Propagations),
                micros(sum.time),
            ]);
        }
    }
    let limits: Vec<String> = sets.iter().map(|(set, _, nodes)| format!("{set} {}", figure(Some(*nodes)))).collect();
    format!("{}\nMeans a puzzle, those given up included. Nodes at most: {}.", table.text(), limits.join(", ")).into()
}

/// In which order cells are filled.
pub(crate) fn cell_order(times: bool) -> Made {
    trees(
        &[("easy", 50, 1_000_000), ("minimal", 50, 1_000_000), ("sparse", 40, 1_000_000)],
        &["state-array", "state-array:column-major", "state-array:fewest"],
        times,
    )
}

/// What singles are worth.
pub(crate) fn propagation_on_off(times: bool) -> Made {
    trees(
        &[("easy", 50, 1_000_000), ("minimal", 100, 1_000_000), ("16x16", 10, 20_000)],
        &["state-array:fewest", "propagation:naked", "propagation:cells", "propagation"],
        times,
    )
}

/// A board turned a quarter to the right, `quarters` times.
fn turned(puzzle: &Puzzle, quarters: usize) -> Puzzle {
    let rules = puzzle.rules();
    let side = rules.side();
    let mut board = puzzle.board().clone();
    for _ in 0..quarters {
        let mut next = Board::empty(rules);
        for (cell, digit) in board.givens() {
            let place = rules.cell(cell.column(side), side - 1 - cell.row(side)).expect("the board is square");
            next.set(place, Some(digit));
        }
        board = next;
    }
    Puzzle::new(board).expect("turning makes no clash")
}

/// Puzzles that are made against one order of cells, and the same ones turned.
pub(crate) fn turning(times: bool) -> Made {
    let mut table = Table::new(&["puzzle", "turned", "nodes of `state-array`", "nodes of `:fewest`", "`state-array`, time, µs"]);
    for name in ["near-worst-case", "wide-gaps"] {
        let puzzle = named().into_iter().find(|entry| entry.name == name).expect("the puzzle is among the named ones").puzzle;
        for quarters in 0..4 {
            let puzzles = [turned(&puzzle, quarters)];
            let (rows, fewest) =
                (ask("state-array", &puzzles, u64::MAX, times), ask("state-array:fewest", &puzzles, u64::MAX, false));
            table.row([
                name.into(),
                format!("{}°", 90 * quarters),
                figure(rows.get(Counter::Nodes)),
                figure(fewest.get(Counter::Nodes)),
                micros(rows.time),
            ]);
        }
    }
    table.text().into()
}

/// Which item an exact-cover search branches on.
pub(crate) fn dlx_items(times: bool) -> Made {
    let mut table = Table::new(&["strategy", "answered", "nodes", "guesses", "dead ends", "link updates", "time, µs"]);
    let puzzles = puzzles("minimal", 25);
    for name in ["dlx", "dlx:weighted", "dlx:full-scan", "dlx:cells", "dlx:places", "dlx:first-item"] {
        let sum = ask(name, &puzzles, 200_000, times);
        table.row([
            format!("`{name}`"),
            sum.answers(),
            sum.mean(Counter::Nodes),
            sum.mean(Counter::Guesses),
            sum.mean(Counter::DeadEnds),
            sum.mean(Counter::LinkUpdates),
            micros(sum.time),
        ]);
    }
    format!("{}\nMeans over {} puzzles of the set minimal, at most 200,000 nodes each.", table.text(), puzzles.len()).into()
}

/// Variables, clauses and literals of the formulas of some puzzles.
fn sizes(puzzles: &[Puzzle], preparation: Preparation, encoding: Encoding) -> [u64; 3] {
    let mut sums = [0; 3];
    for puzzle in puzzles {
        let mut search = Search::new(&Limits::none());
        // Where singles solve the puzzle there is no formula.
        let Some(Ok(problem)) = Problem::prepare(puzzle, preparation, &mut search).continue_value() else { continue };
        if problem.variable_count() == 0 {
            continue;
        }
        let [mut clauses, mut literals] = [0; 2];
        let mut sink = |clause: &[Literal]| {
            clauses += 1;
            literals += clause.len() as u64;
            ControlFlow::Continue(())
        };
        let variables = problem.encode(encoding, &mut sink).continue_value().unwrap_or(0);
        for (sum, more) in sums.iter_mut().zip([u64::from(variables), clauses, literals]) {
            *sum += more;
        }
    }
    sums
}

fn formulas(sets: &[(&str, usize)], rows: &[(&str, Preparation, Form, AtMostOne)], times: bool) -> Made {
    let mut table = Table::new(&["set · strategy", "variables", "clauses", "literals", "conflicts", "time, µs"]);
    for (set, most) in sets {
        let puzzles = puzzles(set, *most);
        for (name, preparation, form, at_most_one) in rows {
            let size = sizes(&puzzles, *preparation, Encoding { form: *form, at_most_one: *at_most_one });
            let [variables, clauses, literals] = size.map(|sum| mean(sum, puzzles.len()));
            let sum = ask(name, &puzzles, u64::MAX, times);
            table.row([
                format!("{set} · `{name}`"),
                variables,
                clauses,
                literals,
                sum.mean(Counter::Conflicts),
                micros(sum.time),
            ]);
        }
    }
    format!("{}\nMeans a puzzle, each asked for up to two solutions.", table.text()).into()
}

/// How much is said, and done before, a formula.
pub(crate) fn sat_encodings(times: bool) -> Made {
    use AtMostOne::Pairwise;
    formulas(
        &[("minimal", 50), ("16x16", 10)],
        &[
            ("sat", Preparation::LockedCandidates, Form::Extended, Pairwise),
            ("sat:singles", Preparation::Singles, Form::Extended, Pairwise),
            ("sat:givens", Preparation::Givens, Form::Extended, Pairwise),
            ("sat:raw", Preparation::Raw, Form::Extended, Pairwise),
            ("sat:minimal", Preparation::LockedCandidates, Form::Minimal, Pairwise),
        ],
        times,
    )
}

/// How at-most-one is said.
pub(crate) fn at_most_one(times: bool) -> Made {
    use Preparation::LockedCandidates;
    formulas(
        &[("minimal", 50), ("25x25", 4)],
        &[
            ("sat", LockedCandidates, Form::Extended, AtMostOne::Pairwise),
            ("sat:sequential", LockedCandidates, Form::Extended, AtMostOne::Sequential),
            ("sat:commander", LockedCandidates, Form::Extended, AtMostOne::Commander),
            ("sat:product", LockedCandidates, Form::Extended, AtMostOne::Product),
            ("sat:bimander", LockedCandidates, Form::Extended, AtMostOne::Bimander),
        ],
        times,
    )
}

/// The columns that exact cover and SAT share with each other.
const AGAINST: [&str; 7] =
    ["`dlx` answered", "nodes", "dead ends", "`sat` answered", "conflicts", "`dlx`, time, µs", "`sat`, time, µs"];

/// Nodes or conflicts at most, where they are raced against each other.
const PATIENCE: u64 = 10_000;

/// The cells of these columns, and how many hundredths of the puzzles each of the two answered.
fn against(puzzles: &[Puzzle], times: bool) -> ([String; 7], [f64; 2]) {
    let (dlx, sat) = (ask("dlx", puzzles, PATIENCE, times), ask("sat", puzzles, PATIENCE, times));
    let cells = [
        dlx.answers(),
        dlx.mean(Counter::Nodes),
        dlx.mean(Counter::DeadEnds),
        sat.answers(),
        sat.mean(Counter::Conflicts),
        micros(dlx.time),
        micros(sat.time),
    ];
    (cells, [dlx, sat].map(|sum| 100.0 * sum.answered as f64 / sum.puzzles as f64))
}

fn patience() -> String {
    format!("Means a puzzle, those given up included. At most {} nodes, or conflicts, each.", figure(Some(PATIENCE)))
}

/// Exact cover against SAT as boards grow.
pub(crate) fn growing(times: bool) -> Made {
    let [a, b, c, d, e, f, g] = AGAINST;
    let mut table = Table::new(&["set", "cells", a, b, c, d, e, f, g]);
    for set in ["4x4", "6x6", "8x8", "minimal", "12x12", "16x16", "25x25"] {
        let puzzles = puzzles(set, 10);
        let cells = puzzles.first().map(|puzzle| Rules::cell_count(puzzle.rules()) as u64);
        let ([a, b, c, d, e, f, g], _) = against(&puzzles, times);
        table.row([set.into(), figure(cells), a, b, c, d, e, f, g]);
    }
    format!("{}\n{}", table.text(), patience()).into()
}

/// Solved boards with so many hundredths of their cells made blank, drawn by lot from a seed.
fn with_blanks(set: &str, hundredths: usize, each: u64) -> Vec<Puzzle> {
    let mut puzzles = Vec::new();
    for (i, entry) in ninefold_tests::set(set).into_iter().enumerate() {
        let solution = entry.solution.expect("the puzzles of this set come with their solution");
        let full = Board::parse(entry.puzzle.rules(), &solution).expect("a board");
        for seed in 0..each {
            // Steele, Lea and Flood's SplitMix64 (2014).
            let mut state = (i as u64) << 32 | seed;
            let mut below = |n: usize| {
                state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
                ((z ^ (z >> 31)) % n as u64) as usize
            };
            let mut cells: Vec<Cell> = entry.puzzle.rules().cells().collect();
            let mut board = full.clone();
            for left in (cells.len() - cells.len() * hundredths / 100 + 1..=cells.len()).rev() {
                board.set(cells.swap_remove(below(left)), None);
            }
            puzzles.push(Puzzle::new(board).expect("a part of a solution has no clash"));
        }
    }
    puzzles
}

/// The same as boards get emptier.
pub(crate) fn emptier(times: bool) -> Made {
    let [a, b, c, d, e, f, g] = AGAINST;
    let mut table = Table::new(&["25×25, blank", a, b, c, d, e, f, g]);
    let mut points = Vec::new();
    for hundredths in [40, 45, 50, 55, 60, 70, 80] {
        let ([a, b, c, d, e, f, g], answered) = against(&with_blanks("25x25", hundredths, 2), times);
        table.row([format!("{hundredths} %"), a, b, c, d, e, f, g]);
        points.push((hundredths as f64, answered));
    }
    let title = format!("Boards answered within {} nodes, or conflicts", figure(Some(PATIENCE)));
    let svg = chart::shares(&title, ["blank cells of a 25×25 board, %", "answered, %"], ["dlx", "sat"], &points);
    let name = "emptier.svg".to_owned();
    Made {
        text: format!("{}\n{}\n\n![{title}](images/{name})", table.text(), patience()),
        images: vec![Image { name, svg: Some(svg) }],
    }
}

/// What every strategy makes of the puzzles that were hunted for because they are hard for one.
pub(crate) fn hard_for(_: bool) -> Made {
    const NODES: u64 = 100_000;
    let mut rows = Vec::new();
    for set in ninefold_tests::set_names().filter(|set| set.starts_with("hard-for-")) {
        let puzzles = puzzles(set, 5);
        let mut row = vec![set.to_owned()];
        for strategy in ninefold::strategies() {
            let takes_all = puzzles.iter().all(|puzzle| strategy.caps.takes(puzzle.rules()));
            row.push(if takes_all && !puzzles.is_empty() {
                let sum = ask(strategy.name, &puzzles, NODES, false);
                let steps = sum.get(Counter::Nodes).or(sum.get(Counter::Conflicts)).unwrap_or(0);
                let more = if sum.answered < sum.puzzles { "≥ " } else { "" };
                format!("{more}{}", mean(steps, sum.puzzles))
            } else {
                "–".into()
            });
        }
        rows.push(row);
    }
    let mut heads = vec!["set"];
    heads.extend(ninefold::strategies().into_iter().map(|strategy| strategy.name));
    let mut table = Table::new(&heads);
    rows.into_iter().for_each(|row| table.push(row));
    format!(
        "{}\nMean nodes a puzzle; conflicts for `sat` and `batsat`. The first five puzzles of each set, at most {} nodes each: ≥ where some were \
         given up.",
        table.text(),
        figure(Some(NODES))
    )
    .into()
}

/// The name of a cell.
pub(crate) fn label(puzzle: &Puzzle, cell: Cell) -> String {
    cell.label(puzzle.rules().side())
}
