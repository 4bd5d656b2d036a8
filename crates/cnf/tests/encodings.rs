//! The formulas, checked without a SAT solver: by enumeration and by plain unit propagation.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use ninefold_cnf::{AtMostOne, Encoding, Form, Literal, Preparation, Problem};
use ninefold_core::{Board, Budget, CancelToken, Cell, Digit, End, HouseKind, Limits, Puzzle, Rules, Search};

const SCHEMES: [AtMostOne; 5] =
    [AtMostOne::Pairwise, AtMostOne::Sequential, AtMostOne::Commander, AtMostOne::Product, AtMostOne::Bimander];

const PREPARATIONS: [Preparation; 4] =
    [Preparation::Raw, Preparation::Givens, Preparation::Singles, Preparation::LockedCandidates];

fn encodings() -> impl Iterator<Item = Encoding> {
    let forms = [Form::Minimal, Form::Extended];
    forms.into_iter().flat_map(|form| SCHEMES.map(|at_most_one| Encoding { form, at_most_one }))
}

/// Clauses collected.
#[derive(Default)]
struct Formula {
    clauses: Vec<Vec<Literal>>,
    variables: u32,
}

impl Formula {
    fn at_most_one(scheme: AtMostOne, count: u32) -> Formula {
        let literals: Vec<Literal> = (0..count).map(Literal::positive).collect();
        let mut formula = Formula { variables: count, ..Formula::default() };
        let mut sink = |clause: &[Literal]| {
            formula.clauses.push(clause.to_vec());
            ControlFlow::Continue(())
        };
        assert!(scheme.write(&literals, &mut formula.variables, &mut sink).is_continue());
        formula
    }

    fn of(problem: &Problem<'_>, encoding: Encoding) -> Formula {
        let mut clauses = Vec::new();
        let mut sink = |clause: &[Literal]| {
            clauses.push(clause.to_vec());
            ControlFlow::Continue(())
        };
        let variables = problem.encode(encoding, &mut sink).continue_value().expect("this sink never breaks");
        Formula { clauses, variables }
    }

    /// Unit propagation from the values given; `None` on a conflict.
    fn propagate(&self, values: &[Option<bool>]) -> Option<Vec<Option<bool>>> {
        let mut values = values.to_vec();
        loop {
            let mut changed = false;
            for clause in &self.clauses {
                let mut open = None;
                let mut count = 0;
                let mut satisfied = false;
                for literal in clause {
                    match values[literal.variable() as usize] {
                        Some(value) => satisfied |= value != literal.is_negative(),
                        None => {
                            open = Some(*literal);
                            count += 1;
                        }
                    }
                }
                if satisfied || count > 1 {
                    continue;
                }
                let literal = open?;
                values[literal.variable() as usize] = Some(!literal.is_negative());
                changed = true;
            }
            if !changed {
                return Some(values);
            }
        }
    }

    /// The models' values of the first `count` variables, each once: a plain search with unit propagation.
    fn models(&self, count: usize) -> BTreeSet<Vec<bool>> {
        let mut found = BTreeSet::new();
        let mut open = vec![vec![None; self.variables as usize]];
        while let Some(values) = open.pop() {
            let Some(values) = self.propagate(&values) else { continue };
            match values.iter().position(Option::is_none) {
                None => {
                    found.insert(values[..count].iter().map(|value| *value == Some(true)).collect());
                }
                Some(variable) => {
                    for value in [false, true] {
                        let mut next = values.clone();
                        next[variable] = Some(value);
                        open.push(next);
                    }
                }
            }
        }
        found
    }
}

#[test]
fn at_most_one_allows_exactly_the_assignments_with_at_most_one_true() {
    for scheme in SCHEMES {
        for count in 0..=10 {
            let expected: BTreeSet<Vec<bool>> = (0u32..1 << count)
                .filter(|bits| bits.count_ones() <= 1)
                .map(|bits| (0..count).map(|i| bits >> i & 1 == 1).collect())
                .collect();
            let formula = Formula::at_most_one(scheme, count);
            assert_eq!(formula.models(count as usize), expected, "{scheme:?} of {count}");
        }
    }
}

#[test]
fn at_most_one_is_arc_consistent_and_never_conflicts_by_itself_for_every_length() {
    for scheme in SCHEMES {
        for count in 1..=64 {
            let formula = Formula::at_most_one(scheme, count);
            for on in 0..count as usize {
                let mut values = vec![None; formula.variables as usize];
                values[on] = Some(true);
                let values = formula.propagate(&values).unwrap_or_else(|| panic!("{scheme:?}: {on} of {count} alone conflicts"));
                for (other, value) in values[..count as usize].iter().enumerate() {
                    assert_eq!(*value, Some(other == on), "{scheme:?} of {count}: {on} on, {other}");
                }
            }
            let mut values = vec![Some(false); count as usize];
            values.resize(formula.variables as usize, None);
            assert!(formula.propagate(&values).is_some(), "{scheme:?}: none of {count} conflicts");
        }
    }
}

#[test]
fn the_schemes_have_the_sizes_of_their_papers() {
    let size = |scheme, count| {
        let formula = Formula::at_most_one(scheme, count);
        (formula.variables - count, formula.clauses.len())
    };
    assert_eq!(size(AtMostOne::Pairwise, 64), (0, 2016));
    assert_eq!(size(AtMostOne::Sequential, 64), (63, 188));
    // 3 groups of 3 (9 pairs, 9 implications), then the three commanders in pairs.
    assert_eq!(size(AtMostOne::Commander, 9), (3, 21));
    // A 3 x 3 square: 18 implications, and the three rows and three columns in pairs.
    assert_eq!(size(AtMostOne::Product, 9), (6, 24));
    // 3 groups of 3 (9 pairs), each literal with the two bits of its group's number.
    assert_eq!(size(AtMostOne::Bimander, 9), (2, 27));
}

/// Boards small enough to search their formulas without a solver: plain, restricted, with small houses, with none at all.
fn small_puzzles() -> Vec<Puzzle> {
    let cell = |i| Cell::new(i).unwrap();
    let digit = |value| Digit::new(value).unwrap();
    let board = |text: &str| text.parse::<Board>().unwrap();
    let mut puzzles = vec![
        Puzzle::new(board("12.. .... ...3 ....")).unwrap(),
        Puzzle::new(board("1... .2.. ..3. ...4")).unwrap(),
        Puzzle::new(board("12.. ..3. .... ....")).unwrap(),
        // Nothing fits r1c4.
        Puzzle::new(board("12.. ..34 .... ....")).unwrap(),
        Puzzle::new(board("1234 3412 2143 4321")).unwrap(),
        Puzzle::new(board("1")).unwrap(),
    ];
    let bare = Rules::builder(2).build().unwrap();
    puzzles.push(Puzzle::new(Board::empty(&bare)).unwrap());
    let pairs = Rules::builder(3)
        .house(HouseKind::Extra("pair".into()), [cell(0), cell(4)])
        .house(HouseKind::Extra("row".into()), [cell(0), cell(1), cell(2)])
        .build()
        .unwrap();
    let mut given = Board::empty(&pairs);
    given.set(cell(8), Some(digit(2)));
    let mut sets = vec![ninefold_core::DigitSet::all(3); 9];
    for index in [3, 5, 6] {
        sets[index] = ninefold_core::DigitSet::of(digit(1));
    }
    sets[7].remove(digit(3));
    puzzles.push(Puzzle::with_candidates(given, &sets).unwrap());
    puzzles
}

/// Every solution of a puzzle, by trying everything.
fn solutions(puzzle: &Puzzle) -> BTreeSet<Vec<u8>> {
    let mut found = BTreeSet::new();
    let mut open = vec![puzzle.board().clone()];
    while let Some(board) = open.pop() {
        let Some(cell) = board.rules().cells().find(|cell| board.get(*cell).is_none()) else {
            found.insert(board.as_bytes().to_vec());
            continue;
        };
        for digit in puzzle.allowed(cell) {
            let mut next = board.clone();
            next.set(cell, Some(digit));
            if next.is_valid() {
                open.push(next);
            }
        }
    }
    found
}

#[test]
fn the_models_of_every_formula_are_the_solutions() {
    for puzzle in small_puzzles() {
        let expected = solutions(&puzzle);
        for preparation in PREPARATIONS {
            let mut search = Search::new(&Limits::none());
            let problem = match Problem::prepare(&puzzle, preparation, &mut search).continue_value().unwrap() {
                Ok(problem) => problem,
                Err(_) => {
                    assert!(expected.is_empty(), "{preparation:?} {puzzle:?}");
                    continue;
                }
            };
            for encoding in encodings() {
                let formula = Formula::of(&problem, encoding);
                let models = formula.models(problem.variable_count() as usize);
                let boards: BTreeSet<Vec<u8>> =
                    models.iter().map(|model| problem.decode(|variable| model[variable as usize])).collect();
                assert_eq!(boards, expected, "{preparation:?} {encoding:?} {puzzle:?}");
                assert_eq!(models.len(), expected.len(), "a solution has one model: {preparation:?} {encoding:?} {puzzle:?}");
            }
        }
    }
}

#[test]
fn the_size_is_the_size_or_a_little_more() {
    for puzzle in small_puzzles() {
        for preparation in PREPARATIONS {
            let mut search = Search::new(&Limits::none());
            let Ok(problem) = Problem::prepare(&puzzle, preparation, &mut search).continue_value().unwrap() else { continue };
            for encoding in encodings() {
                let size = problem.size(encoding, &mut search).continue_value().unwrap();
                let formula = Formula::of(&problem, encoding);
                let clauses = formula.clauses.len() as u64;
                let literals: usize = formula.clauses.iter().map(Vec::len).sum();
                assert_eq!(size.variables, u64::from(formula.variables));
                assert_eq!(size.literals - literals as u64, 2 * (size.clauses - clauses), "only pairs may be left out");
            }
        }
    }
    let puzzle = Puzzle::new(Board::empty(Rules::classic())).unwrap();
    let mut search = Search::new(&Limits::none());
    let problem = Problem::prepare(&puzzle, Preparation::Raw, &mut search).continue_value().unwrap().unwrap();
    let minimal = Encoding { form: Form::Minimal, at_most_one: AtMostOne::Pairwise };
    // 81 cells, and 27 houses of 36 pairs for each digit: the 8829 clauses of the textbooks.
    assert_eq!(problem.size(minimal, &mut search).continue_value().unwrap().clauses, 8829);
    // Two cells of one row and one block are told once: 9 digits, 9 blocks, 18 pairs less each.
    assert_eq!(Formula::of(&problem, minimal).clauses.len(), 8829 - 9 * 9 * 18);
}

#[test]
fn variables_are_numbered_without_gaps_and_lead_back_to_their_places() {
    for puzzle in small_puzzles() {
        for preparation in PREPARATIONS {
            let mut search = Search::new(&Limits::none());
            let Ok(problem) = Problem::prepare(&puzzle, preparation, &mut search).continue_value().unwrap() else { continue };
            for variable in 0..problem.variable_count() {
                let (cell, digit) = problem.place(variable).unwrap();
                assert_eq!(problem.variable(cell, digit), Some(variable));
            }
            assert_eq!(problem.place(problem.variable_count()), None);
            let digits = || (1..=puzzle.rules().side() as u8).filter_map(Digit::new);
            let known = |cell| digits().filter(|digit| problem.variable(cell, *digit).is_some()).count();
            assert_eq!(puzzle.rules().cells().map(known).sum::<usize>(), problem.variable_count() as usize);
        }
    }
}

#[test]
fn a_blocking_clause_forbids_one_solution_alone() {
    for puzzle in small_puzzles() {
        let all = solutions(&puzzle);
        for preparation in PREPARATIONS {
            let mut search = Search::new(&Limits::none());
            let Ok(problem) = Problem::prepare(&puzzle, preparation, &mut search).continue_value().unwrap() else { continue };
            for solution in &all {
                let clause = problem.blocking(solution, &mut search).continue_value().unwrap();
                let forbids = |other: &Vec<u8>| {
                    clause.iter().all(|literal| {
                        let (cell, digit) = problem.place(literal.variable()).unwrap();
                        assert!(literal.is_negative());
                        other[cell.index()] == digit.get()
                    })
                };
                assert_eq!(all.iter().filter(|other| forbids(other)).collect::<Vec<_>>(), [solution], "{puzzle:?}");
            }
        }
    }
}

#[test]
fn limits_hold_during_preparation_and_encoding() {
    let token = CancelToken::new();
    let limits = Limits::none().with_cancel(token.clone());
    // Many houses that say the same: enough work for a look at the limits before any clause is written.
    let row = || (0..64).filter_map(Cell::new);
    let copies = (0..2000).fold(Rules::builder(64), |rules, i| rules.house(HouseKind::Extra(format!("row 1, copy {i}")), row()));
    let puzzle = Puzzle::new(Board::empty(&copies.build().unwrap())).unwrap();
    let mut search = Search::new(&limits);
    let problem = Problem::prepare(&puzzle, Preparation::Singles, &mut search).continue_value().unwrap().unwrap();
    token.cancel();
    let end = End::OutOfBudget(Budget::Cancelled);
    assert_eq!(problem.size(Encoding::default(), &mut search), ControlFlow::Break(end));
    assert!(matches!(Problem::prepare(&puzzle, Preparation::Singles, &mut search), ControlFlow::Break(e) if e == end));
    let mut clauses = 0;
    let mut sink = |_: &[Literal]| {
        clauses += 1;
        if clauses == 1000 { ControlFlow::Break(End::Stopped) } else { ControlFlow::Continue(()) }
    };
    assert_eq!(problem.encode(Encoding::default(), &mut sink), ControlFlow::Break(End::Stopped));
    assert_eq!(clauses, 1000);
}
