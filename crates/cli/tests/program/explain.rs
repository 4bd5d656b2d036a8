//! `ninefold explain` as its users meet it.

use std::process::Output;

use crate::run::{code, program, stdout};

fn explain(args: &[&str]) -> Output {
    program().arg("explain").args(args).output().unwrap()
}

#[test]
fn givens_that_cannot_stand_together_are_marked() {
    let output = explain(&["1...23...4......"]);
    assert_eq!(code(&output), 1);
    let expected = "\
unsolvable: 3 givens cannot stand together
  1 at r1c1, 2 at r2c1, 4 at r3c2
  none of them can go: without any one of them the others have a solution
  checked

 1* . | .  .
 2* 3 | .  .
------+------
 .  4*| .  .
 .  . | .  .

";
    // Whoever is asked for the second opinion.
    let text = stdout(&output);
    let lines = text.lines().map(|line| if line.starts_with("  checked with ") { "  checked" } else { line });
    assert_eq!(lines.map(|line| format!("{line}\n")).collect::<String>(), expected);
}

#[test]
fn every_strategy_finds_a_set_that_it_takes_all_of() {
    // Norvig's impossible puzzle, too much for a plain backtracker.
    let puzzle = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";
    for strategy in ["bitboard", "propagation", "dlx", "sat"] {
        let output = explain(&[puzzle, "--strategy", strategy, "--format", "json"]);
        assert_eq!(code(&output), 1);
        let text = stdout(&output);
        assert!(text.contains("\"verdict\":\"unsolvable\"") && text.contains("\"settled\":true"), "{strategy}: {text}");
    }
}

#[test]
fn candidates_take_part_in_a_conflict() {
    let pencil = r#"{"puzzle":"................","candidates":["1","1","","","","","","","","","","","","","",""]}"#;
    let full = pencil.replace("\"\"", "\"1234\"");
    let output = explain(&[&full]);
    assert!(stdout(&output).starts_with("unsolvable: the candidates of 2 cells cannot stand together"), "{}", stdout(&output));
    let output = explain(&[pencil, "--format", "line"]);
    assert_eq!(stdout(&output), "unsolvable\tr4c4\n");
}

#[test]
fn two_solutions_are_compared_and_a_given_more_settles_it() {
    let output = explain(&["123434122.4.4.2.", "--format", "grid"]);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert!(text.starts_with("multiple: exactly 2 solutions; two of them differ in 4 cells\n"), "{text}");
    assert!(text.contains("one given more would leave one solution: "), "{text}");
    assert_eq!(text.matches('*').count(), 4, "{text}");
    let empty = explain(&["................", "--format", "line"]);
    let additions = stdout(&empty).trim_end().split('\t').nth(2).unwrap().split(' ').count();
    // No fewer than four givens make a 4×4 board unique.
    assert!((4..=6).contains(&additions), "{}", stdout(&empty));
}

#[test]
fn a_unique_puzzle_names_the_givens_that_it_does_not_need() {
    let minimal = "........5..97.3.8.5.3....469..1....2.....4....1.6284..7.....53....2.1..8.........";
    let output = explain(&[minimal]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("all 24 givens are needed"), "{}", stdout(&output));
    let spare = explain(&["1234341221434321", "--format", "line"]);
    assert!(stdout(&spare).starts_with("unique\tr1c1=1 r1c2=2"), "{}", stdout(&spare));
}

#[test]
fn clashes_are_the_explanation_where_there_are_any() {
    let output = explain(&["11..............", "--format", "json"]);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert!(text.contains("\"verdict\":\"clash\"") && text.contains("\"house\":\"row 1\""), "{text}");
}

#[test]
fn limits_end_it_and_are_told() {
    let puzzle = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";
    let output = explain(&[puzzle, "--strategy", "backtracking", "--limit-nodes", "100"]);
    assert_eq!(code(&output), 3);
    assert!(stdout(&output).contains("gave up (node limit)"), "{}", stdout(&output));
    assert_eq!(code(&explain(&["no puzzle at all"])), 2);
}
