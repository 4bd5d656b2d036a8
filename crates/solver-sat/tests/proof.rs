//! Formulas say what they should, and proofs are accepted by a naive checker that knows nothing of Sudoku.
//! (varisat's own checker takes every step before it is written. LRAT proofs are checked beside the trees of the other strategies.)

use std::collections::BTreeSet;

use ninefold_core::{Board, Budget, CancelToken, Cell, DigitSet, HouseKind, Limits, Puzzle, Rules, Solution, Solver};
use ninefold_solver_sat::Sat;
use ninefold_solver_sat::proof::{Format, ProofError, prove, write_cnf};

type Clause = BTreeSet<i32>;

/// The clauses of a DIMACS file, and its count of variables.
fn parse_cnf(text: &str) -> (usize, Vec<Clause>) {
    let mut lines = text.lines().filter(|line| !line.starts_with('c'));
    let head: Vec<&str> = lines.next().unwrap().split(' ').collect();
    let clauses: Vec<Clause> = lines.map(clause_of).collect();
    assert_eq!((head[0], head[1]), ("p", "cnf"));
    assert_eq!(head[3].parse(), Ok(clauses.len()));
    (head[2].parse().unwrap(), clauses)
}

fn clause_of(line: &str) -> Clause {
    let mut literals: Vec<i32> = line.split_whitespace().map(|literal| literal.parse().unwrap()).collect();
    assert_eq!(literals.pop(), Some(0), "{line}");
    literals.into_iter().collect()
}

/// Whether unit propagation over these clauses contradicts the negation of one more.
fn follows(clauses: &[Clause], lemma: &Clause) -> bool {
    let mut truths: BTreeSet<i32> = lemma.iter().map(|literal| -literal).collect();
    loop {
        let before = truths.len();
        for clause in clauses {
            if clause.iter().any(|literal| truths.contains(literal)) {
                continue;
            }
            let mut open = clause.iter().filter(|literal| !truths.contains(&-**literal));
            match (open.next(), open.next()) {
                (None, _) => return true,
                (Some(unit), None) => drop(truths.insert(*unit)),
                _ => {}
            }
        }
        if truths.len() == before {
            return false;
        }
    }
}

/// Checks a DRUP proof step by step, strictly: deletions of unit clauses count, and what is deleted has to be there.
fn check_drat(cnf: &str, proof: &str) {
    let (_, mut clauses) = parse_cnf(cnf);
    for line in proof.lines() {
        if let Some(deleted) = line.strip_prefix("d ") {
            let deleted = clause_of(deleted);
            let at = clauses.iter().position(|clause| *clause == deleted);
            clauses.swap_remove(at.unwrap_or_else(|| panic!("{line}: there is no such clause")));
            continue;
        }
        let lemma = clause_of(line);
        assert!(follows(&clauses, &lemma), "{line}");
        if lemma.is_empty() {
            return;
        }
        clauses.push(lemma);
    }
    panic!("the empty clause is missing");
}

fn all_solutions(puzzle: &Puzzle) -> Vec<Solution> {
    let (solutions, outcome) = Sat::new().solutions(puzzle, 100, &Limits::none());
    assert!(outcome.is_exact());
    solutions
}

fn proof_of(puzzle: &Puzzle, known: &[Solution]) -> (String, String) {
    let (mut cnf, mut proof) = (Vec::new(), Vec::new());
    write_cnf(puzzle, known, &mut cnf).unwrap();
    prove(puzzle, known, Format::Drat, &Limits::none(), &mut proof).unwrap_or_else(|error| panic!("{error} on {puzzle}"));
    (String::from_utf8(cnf).unwrap(), String::from_utf8(proof).unwrap())
}

fn puzzle(text: &str) -> Puzzle {
    Puzzle::new(text.parse().unwrap()).unwrap()
}

fn puzzles() -> Vec<Puzzle> {
    let diagonal = Rules::builder(4)
        .rows_and_columns()
        .house(HouseKind::Extra("diagonal".into()), (0..4).map(|i| Cell::new(5 * i).unwrap()))
        .house(HouseKind::Extra("pair".into()), [Cell::new(1).unwrap(), Cell::new(7).unwrap()])
        .build()
        .unwrap();
    let mut board = Board::empty(&diagonal);
    board.set(Cell::new(0).unwrap(), ninefold_core::Digit::new(2));
    let mut sets = vec![DigitSet::all(4); 16];
    sets[15] = DigitSet::from_bits(0b0101);
    let restricted = Puzzle::with_candidates(board.clone(), &sets).unwrap();
    sets[6] = DigitSet::EMPTY;
    let empty = Puzzle::with_candidates(board, &sets).unwrap();
    vec![
        puzzle("1... ..3. .4.. ...2"),
        puzzle("1... ...2 3... ...."),
        puzzle("12.. .... .... ...."),
        puzzle("1...23...4......"),
        puzzle("."),
        puzzle("1"),
        restricted,
        empty,
    ]
}

#[test]
fn proofs_on_small_boards_are_accepted() {
    for puzzle in puzzles() {
        let known = all_solutions(&puzzle);
        let (cnf, proof) = proof_of(&puzzle, &known);
        check_drat(&cnf, &proof);
    }
}

#[test]
fn the_models_of_the_formula_are_the_solutions() {
    for puzzle in puzzles().into_iter().filter(|puzzle| puzzle.rules().side() == 4) {
        let mut cnf = Vec::new();
        write_cnf(&puzzle, &[], &mut cnf).unwrap();
        let (variables, clauses) = parse_cnf(std::str::from_utf8(&cnf).unwrap());
        assert_eq!(variables, 64);
        // Each solution is a model, by the mapping that the file documents; and forbidding all of them leaves none, as proofs show.
        for solution in all_solutions(&puzzle) {
            let is_true = |literal: i32| {
                let variable = literal.unsigned_abs() as usize - 1;
                let digit = solution.digit(Cell::new(variable / 4).unwrap());
                (digit.index() == variable % 4) == (literal > 0)
            };
            assert!(clauses.iter().all(|clause| clause.iter().any(|literal| is_true(*literal))));
        }
    }
}

#[test]
fn a_solution_that_is_not_known_ends_the_proof() {
    let puzzle = puzzle("1... ..3. .4.. ...2");
    match prove(&puzzle, &[], Format::Drat, &Limits::none(), &mut Vec::new()) {
        Err(ProofError::Solution(solution)) => assert!(all_solutions(&puzzle).contains(&solution)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn limits_end_a_proof() {
    let puzzle = puzzle("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..");
    let known = all_solutions(&puzzle);
    let token = CancelToken::new();
    token.cancel();
    let huge = Puzzle::new(Board::empty(&Rules::blocks("8x8".parse().unwrap()))).unwrap();
    let budget = |puzzle: &Puzzle, known: &[Solution], limits: Limits| match prove(
        puzzle,
        known,
        Format::Drat,
        &limits,
        &mut Vec::new(),
    ) {
        Err(ProofError::GaveUp(budget)) => budget,
        other => panic!("{other:?}"),
    };
    assert_eq!(budget(&puzzle, &known, Limits::none().with_nodes(3)), Budget::Nodes);
    assert_eq!(budget(&puzzle, &known, Limits::none().with_cancel(token)), Budget::Cancelled);
    assert_eq!(budget(&puzzle, &known, Limits::none().with_time(std::time::Duration::ZERO)), Budget::Time);
    assert_eq!(budget(&huge, &[], Limits::none()), Budget::Memory);
}
