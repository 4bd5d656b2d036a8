//! What each variant of the strategy costs on a set of puzzles.
//!
//! ```sh
//! cargo run --release -p ninefold-solver-sat --example encodings -- [FILE [EVERY [MOST]]]
//! ```
//!
//! FILE has one puzzle a line, ended by white space, `:` or `,`; EVERY takes each so-manieth line and MOST limits their count. Without a
//! file a few puzzles of sides 9 and 16 are taken. Times are means a puzzle over one round after a warm-up of ten puzzles.

use std::time::Instant;

use ninefold_core::{Counter, End, Limits, Puzzle, Search};
use ninefold_solver_sat::STRATEGIES;
use ninefold_solver_sat::encode::{AtMostOne, Encoding, Form, Preparation, Problem};

const EMBEDDED: &str = include_str!("puzzles.txt");

fn main() {
    let mut args = std::env::args().skip(1);
    let text = match args.next() {
        Some(file) => std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}")),
        None => EMBEDDED.to_owned(),
    };
    let mut number = |otherwise: usize| args.next().map_or(otherwise, |arg| arg.parse().expect("EVERY and MOST are counts"));
    let (every, most) = (number(1).max(1), number(usize::MAX));
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let puzzles: Vec<Puzzle> = lines.step_by(every).take(most).map(puzzle).collect();
    println!("{} puzzles", puzzles.len());
    println!(
        "{:16} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "variant", "first µs", "count µs", "set-up µs", "conflicts", "solutions"
    );
    for strategy in STRATEGIES {
        let mut solver = (strategy.build)();
        for puzzle in puzzles.iter().take(10) {
            let _ = solver.solve(puzzle, &Limits::none());
        }
        let start = Instant::now();
        for puzzle in &puzzles {
            let outcome = solver.solve(puzzle, &Limits::none());
            assert!(matches!(outcome.end(), End::Exhausted | End::Stopped));
        }
        let first = start.elapsed();
        let (mut setup, mut conflicts, mut solutions) = (0, 0, 0);
        let start = Instant::now();
        for puzzle in &puzzles {
            let mut search = Search::new(&Limits::none()).with_cap(2).with_times();
            let end = solver.search(puzzle, &mut search);
            let outcome = search.finish(end);
            setup += outcome.times().map_or(0, |times| times.setup.as_nanos());
            conflicts += outcome.counters().get(Counter::Conflicts).unwrap_or(0);
            solutions += outcome.count();
        }
        let count = start.elapsed();
        let each = |total: f64| total / puzzles.len().max(1) as f64;
        println!(
            "{:16} {:10.1} {:10.1} {:10.1} {:10.2} {:10.3}",
            strategy.name,
            each(first.as_secs_f64() * 1e6),
            each(count.as_secs_f64() * 1e6),
            each(setup as f64 / 1e3),
            each(conflicts as f64),
            each(solutions as f64),
        );
    }
    println!("\n{:40} {:>10} {:>10} {:>10}", "formula, mean", "variables", "clauses", "literals");
    for preparation in [Preparation::Raw, Preparation::Givens, Preparation::Singles, Preparation::LockedCandidates] {
        for form in [Form::Minimal, Form::Extended] {
            for at_most_one in
                [AtMostOne::Pairwise, AtMostOne::Sequential, AtMostOne::Commander, AtMostOne::Product, AtMostOne::Bimander]
            {
                let (mut variables, mut clauses, mut literals) = (0, 0, 0);
                for puzzle in &puzzles {
                    let mut search = Search::new(&Limits::none());
                    // A puzzle without a solution may need no formula.
                    let Some(Ok(problem)) = Problem::prepare(puzzle, preparation, &mut search).continue_value() else { continue };
                    let mut sink = |clause: &[_]| {
                        clauses += 1;
                        literals += clause.len();
                        std::ops::ControlFlow::Continue(())
                    };
                    let all = problem.encode(Encoding { form, at_most_one }, &mut sink);
                    variables += all.continue_value().unwrap_or(0) as usize;
                }
                let each = |total: usize| total as f64 / puzzles.len().max(1) as f64;
                println!(
                    "{:40} {:10.1} {:10.1} {:10.1}",
                    format!("{preparation:?}, {form:?}, {at_most_one:?}"),
                    each(variables),
                    each(clauses),
                    each(literals)
                );
            }
        }
    }
}

fn puzzle(line: &str) -> Puzzle {
    let text = line.split([':', ',', ' ', '\t']).next().unwrap_or_default();
    let board = text.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
    Puzzle::new(board).unwrap_or_else(|error| panic!("{line}: {error}"))
}
