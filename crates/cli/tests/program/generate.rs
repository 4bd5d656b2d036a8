//! `ninefold generate` as its users meet it.

use std::process::Output;

use crate::run::{code, program, run_with, stderr, stdout};

fn generate(args: &[&str]) -> Output {
    program().arg("generate").args(args).output().unwrap()
}

/// What `ninefold solve` says about a text.
fn solve(text: &[u8], args: &[&str]) -> Output {
    run_with(&[&["solve"], args].concat(), text)
}

#[test]
fn the_same_seed_gives_the_same_text_on_any_number_of_threads() {
    let args = |threads| ["--count", "40", "--seed", "7", "--minimal", "--format", "csv", "--quiet", "--threads", threads];
    let one = generate(&args("1"));
    assert_eq!((code(&one), stderr(&one).as_str()), (0, ""));
    assert_eq!(stdout(&one).lines().count(), 41);
    assert_eq!(stdout(&one), stdout(&generate(&args("4"))));
    assert_ne!(stdout(&one), stdout(&generate(&["--count", "40", "--seed", "8", "--minimal", "--format", "csv", "-q"])));
}

#[test]
fn a_puzzle_can_be_made_by_its_number() {
    let all = stdout(&generate(&["--count", "5", "--seed", "3", "--format", "line"]));
    let fourth = stdout(&generate(&["--first", "4", "--seed", "3", "--format", "line"]));
    assert_eq!(all.lines().nth(3), fourth.lines().next());
}

#[test]
fn every_format_reads_back_as_puzzles_with_one_solution() {
    for rules in ["2x2", "2x3", "3x3", "4x4"] {
        for format in ["grid", "line", "csv", "json"] {
            let made = generate(&["--rules", rules, "--count", "3", "--seed", "1", "--format", format]);
            assert_eq!(code(&made), 0, "{}", stderr(&made));
            let solved = solve(&made.stdout, &["--rules", rules, "--format", "line"]);
            assert_eq!((code(&solved), stdout(&solved).lines().count()), (0, 3), "{rules} {format}: {}", stdout(&made));
        }
    }
}

#[test]
fn a_fresh_seed_is_told_and_gives_the_same_again() {
    let fresh = generate(&["--format", "line", "--quiet"]);
    let told = stderr(&fresh);
    let seed = told.trim().strip_prefix("seed ").unwrap();
    assert_eq!(stdout(&generate(&["--format", "line", "--seed", seed])), stdout(&fresh));
}

#[test]
fn what_cannot_be_is_a_usage_error_with_the_reason() {
    for (args, reason) in [
        (&["--givens", "12"][..], "one solution needs 17 or more"),
        (&["--givens", "99"], "99 givens where the board has 81 cells"),
        (&["--givens", "31", "--symmetry", "rotational-90", "--rules", "4x4"], "28 or 32 can have it"),
        (&["--hard-for", "dlx"], "--hard-for needs --easy-for"),
        (&["--hard-for", "all", "--easy-for", "dlx"], "easy for none"),
        (&["--hard-for", "bitboard", "--easy-for", "dlx", "--rules", "2x3"], "bitboard does not take the rules 2x3"),
    ] {
        let output = generate(args);
        assert_eq!((code(&output), stdout(&output).as_str()), (2, ""), "{args:?}");
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    }
}

#[test]
fn what_was_not_reached_says_how_close_it_came() {
    let output = generate(&["--givens", "17", "--attempts", "5", "--seed", "1", "--format", "line"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (3, ""));
    let text = stderr(&output);
    assert!(text.starts_with("puzzle 1: no puzzle as asked in 5 attempts: the closest has "), "{text}");
    let closest = text.lines().nth(1).unwrap().trim();
    assert_eq!(code(&solve(closest.as_bytes(), &[])), 0);
    assert!(text.contains("gave up on 1: raise --attempts"), "{text}");
}

#[test]
fn a_limit_on_time_ends_whatever_is_asked() {
    let output = generate(&["--rules", "8x8", "--minimal", "--seed", "1", "--timeout", "100ms"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("gave up (time limit)"), "{}", stderr(&output));
    let output = generate(&["--count", "1000000000", "--minimal", "--seed", "1", "--total-timeout", "100ms", "--format", "line"]);
    assert_eq!(code(&output), 3);
    assert!(stdout(&output).lines().count() < 1_000_000_000);
}

#[test]
fn minimal_and_symmetric_puzzles_say_what_they_are() {
    let comment = |args: &[&str]| {
        let output = generate(&[args, &["--seed", "5", "--format", "json"]].concat());
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((object["count"].as_u64(), object["solution"].as_str().map(str::len)), (Some(1), Some(81)));
        object["comment"].as_str().unwrap().to_owned()
    };
    assert!(comment(&["--minimal"]).ends_with(" givens, minimal"));
    assert_eq!(comment(&["--givens", "32"]), "32 givens, not minimal");
    assert!(comment(&["--minimal", "--symmetry", "full"]).contains(" givens, full, no orbit can go, "));
}

#[test]
fn uniqueness_can_be_left_open() {
    let output = generate(&["--any-solutions", "--givens", "10", "--seed", "1", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(object.get("count").is_none() && object.get("solution").is_none(), "{object}");
    assert_eq!(code(&solve(&output.stdout, &[])), 1);
}

#[test]
fn puzzles_that_are_hard_for_one_and_easy_for_another_tell_the_ratio() {
    let args =
        ["--hard-for", "state-array", "--easy-for", "propagation", "--attempts", "60", "--limit-nodes", "20000", "--seed", "1"];
    let output = generate(&[&args[..], &["--format", "json"]].concat());
    assert_eq!(code(&output), 0);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let comment = object["comment"].as_str().unwrap();
    assert!(
        comment.starts_with("state-array ") && comment.contains(", propagation ") && comment.contains(": ratio "),
        "{comment}"
    );
    assert!(stderr(&output).contains(comment));
    let none = generate(&[&args[..], &["--unsolvable", "--format", "line"]].concat());
    assert_eq!(code(&solve(&none.stdout, &["--format", "line"])), 1);
}
