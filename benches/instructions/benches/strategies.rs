//! The instructions of every strategy on twenty easy and five minimal puzzles, each counted up to two solutions.
//!
//! A time is never the same twice; the instructions of the same build nearly are, so a change of one per cent shows. They say nothing about
//! caches that miss and branches that are mispredicted: use them to compare a strategy with itself, and the times of the race to
//! compare strategies. Valgrind knows no AVX-512, so `bitboard` runs on AVX2 here.

use std::hint::black_box;

use gungraun::prelude::*;
use ninefold::{Limits, Puzzle, Solver};

/// A solver that has solved before, as solvers that are used for many puzzles have, and what it is asked.
type Question = (Box<dyn Solver>, Vec<Puzzle>);

fn question(strategy: &str, set: &str, puzzles: usize) -> Question {
    let strategy = ninefold::by_name(strategy).expect("every strategy is enabled here");
    let puzzles: Vec<Puzzle> = ninefold_tests::set(set).into_iter().take(puzzles).map(|entry| entry.puzzle).collect();
    let mut solver = (strategy.build)();
    for puzzle in puzzles.iter().take(1) {
        let _ = solver.count(puzzle, 2, &Limits::none());
    }
    (solver, puzzles)
}

fn easy(strategy: &str) -> Question {
    question(strategy, "easy", 20)
}

fn minimal(strategy: &str) -> Question {
    question(strategy, "minimal", 5)
}

fn ask((mut solver, puzzles): Question) -> (u64, Question) {
    let count = puzzles.iter().map(|puzzle| solver.count(black_box(puzzle), 2, &Limits::none()).count()).sum();
    // Handed back, so that giving the memory back is not counted.
    (count, (solver, puzzles))
}

#[library_benchmark(setup = easy)]
#[bench::backtracking("backtracking")]
#[bench::state_array("state-array")]
#[bench::propagation("propagation")]
#[bench::dlx("dlx")]
#[bench::sat("sat")]
#[bench::bitboard("bitboard")]
fn count_easy(question: Question) -> (u64, Question) {
    ask(question)
}

#[library_benchmark(setup = minimal)]
#[bench::backtracking("backtracking")]
#[bench::state_array("state-array")]
#[bench::propagation("propagation")]
#[bench::dlx("dlx")]
#[bench::sat("sat")]
#[bench::bitboard("bitboard")]
fn count_minimal(question: Question) -> (u64, Question) {
    ask(question)
}

library_benchmark_group!(name = count, benchmarks = [count_easy, count_minimal]);
main!(library_benchmark_groups = count);
