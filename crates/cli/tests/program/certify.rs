//! `ninefold certify` and `ninefold verify` as their users meet them.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::run::{code, run, run_with, stderr, stdout};

/// Two solutions.
const TWO: &str = "123434122.4.4.2.";
const NONE: &str = "1...23...4......";
const HARD: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
const SOLUTION: &str = "812753649943682175675491283154237896369845721287169534521974368438526917796318452";

/// A directory of this test's own.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("certify-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn files(path: &PathBuf) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(path).unwrap().map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn what_is_true_is_found_out_certified_and_accepted() {
    let folder = folder("true");
    for (i, (puzzle, claim)) in [(HARD, "unique"), (NONE, "unsolvable"), (TWO, "count=2")].into_iter().enumerate() {
        let file = folder.join(format!("{i}.txt"));
        let file = file.to_str().unwrap();
        let output = run(&["certify", puzzle, "--out", file, "--format", "json"]);
        assert_eq!((code(&output), stderr(&output)), (0, String::new()), "{puzzle}");
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&object["claim"], &object["holds"], &object["proof"]), (&claim.into(), &true.into(), &"tree".into()));
        assert_eq!(object["bytes"], fs::metadata(file).unwrap().len());
        let output = run(&["verify", file, "--puzzle", puzzle, "--format", "json"]);
        assert_eq!((code(&output), stderr(&output)), (0, String::new()), "{puzzle}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&answer["verdict"], &answer["claim"], &answer["puzzle"]),
            (&"accepted".into(), &claim.into(), &puzzle.into())
        );
        assert_eq!((&answer["splits"], &answer["leaves"]), (&object["sizes"]["splits"], &object["sizes"]["leaves"]));
    }
    let all: Vec<String> = (0..3).map(|i| folder.join(format!("{i}.txt")).to_str().unwrap().to_owned()).collect();
    let output = run(&["verify", &all[0], &all[1], &all[2], "--format", "line"]);
    assert_eq!((code(&output), stdout(&output)), (0, "accepted\naccepted\naccepted\n".into()));
    assert_eq!(files(&folder), ["0.txt", "1.txt", "2.txt"]);
}

#[test]
fn a_certificate_goes_to_standard_output_and_is_read_from_standard_input() {
    let output = run(&["certify", HARD, "--claim", "unique", "--out", "-", "--quiet"]);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    assert!(stdout(&output).starts_with("ninefold certificate 1\nside 9\nlines\nblocks 3x3\ngivens 8"));
    let answer = run_with(&["verify", "-"], &output.stdout);
    assert_eq!(code(&answer), 0);
    assert!(stdout(&answer).starts_with("-: accepted: unique ("), "{}", stdout(&answer));
}

#[test]
fn a_false_claim_is_told_with_what_shows_it_and_nothing_is_written() {
    let folder = folder("false");
    let file = folder.join("proof.txt");
    let file = file.to_str().unwrap();
    let output = run(&["certify", HARD, "--claim", "unsolvable", "--out", file]);
    assert_eq!(code(&output), 1);
    assert_eq!(stdout(&output), format!("the claim unsolvable is false: the puzzle has at least 1 solution\n{SOLUTION}\n"));
    let output = run(&["certify", TWO, "--claim", "unique", "--out", "-"]);
    assert_eq!((code(&output), stdout(&output)), (1, String::new()));
    assert!(stderr(&output).contains("the puzzle has at least 2 solutions\n1234341221434321\n"), "{}", stderr(&output));
    let output = run(&["certify", NONE, "--claim", "count=3", "--out", file, "--format", "json"]);
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((code(&output), &object["holds"], &object["sizes"]["solutions"]), (1, &false.into(), &0.into()));
    assert!(files(&folder).is_empty());
}

#[test]
fn proofs_for_sat_checkers_come_as_two_files() {
    let folder = folder("sat");
    for ending in ["drat", "lrat"] {
        let file = folder.join(format!("{ending}.{ending}"));
        let output = run(&["certify", HARD, "--out", file.to_str().unwrap()]);
        assert_eq!((code(&output), stderr(&output)), (0, String::new()));
        let cnf = fs::read_to_string(folder.join(format!("{ending}.cnf"))).unwrap();
        assert!(cnf.contains(&format!("\nc givens {HARD}\nc known {SOLUTION}\np cnf 729 ")));
        let proof = fs::read_to_string(&file).unwrap();
        let last = proof.lines().last().unwrap();
        assert!(last == "0" || ending == "lrat" && last.split(' ').nth(1) == Some("0"), "{last}");
    }
    assert_eq!(files(&folder), ["drat.cnf", "drat.drat", "lrat.cnf", "lrat.lrat"]);
    let output = run(&["certify", HARD, "--proof", "drat", "--out", "-"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("two files"));
}

#[test]
fn limits_and_errors_have_their_codes() {
    let folder = folder("errors");
    let file = folder.join("proof.txt");
    let file = file.to_str().unwrap();
    assert_eq!(code(&run(&["certify", HARD, "--out", file, "--strategy", "backtracking", "--limit-nodes", "30"])), 3);
    assert_eq!(code(&run(&["certify", "11..............", "--out", file])), 2);
    assert_eq!(code(&run(&["certify", HARD, "--claim", "maybe", "--out", file])), 2);
    assert_eq!(code(&run(&["certify", "................", "--claim", "count=288", "--out", file])), 0);
    fs::remove_file(file).unwrap();
    let output = run(&["certify", HARD, "--out", folder.join("no/where.txt").to_str().unwrap()]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("cannot write"));
    assert_eq!(code(&run(&["verify", folder.join("nothing.txt").to_str().unwrap()])), 2);
    fs::write(file, "p cnf 1 1\n1 0\n").unwrap();
    assert_eq!(code(&run(&["verify", file])), 2);
    fs::write(file, [0xff, 0, 0xfe]).unwrap();
    assert_eq!(code(&run(&["verify", file])), 2);
}

#[test]
fn a_tampered_certificate_is_refused_with_its_line() {
    let folder = folder("tampered");
    let file = folder.join("proof.txt");
    let good = stdout(&run(&["certify", HARD, "--out", "-", "--quiet"]));
    fs::write(&file, good.replacen("claim unique", "claim unsolvable", 1)).unwrap();
    let output = run(&["verify", file.to_str().unwrap(), "--format", "json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((code(&output), &answer["verdict"]), (1, &"refused".into()));
    assert_eq!(answer["line"], good.lines().count() + 1);
    fs::write(&file, good.lines().take(12).collect::<Vec<_>>().join("\n")).unwrap();
    let output = run(&["verify", file.to_str().unwrap()]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).ends_with("refused: line 13: the text ends before every branch is settled\n"));
    fs::write(&file, good).unwrap();
    let output = run(&["verify", file.to_str().unwrap(), "--puzzle", SOLUTION]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("another puzzle"));
}
