//! `ninefold race` as its users meet it.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::run::{code, program, run, run_with, stderr, stdout};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// Two solutions.
const TWO: &str = "123434122.4.4.2.";
const NONE: &str = "1...23...4......";
/// What plain backtracking takes seconds for.
const LONG: &str = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";

fn rows(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn strategies() -> Vec<String> {
    stdout(&run(&["strategies", "-f", "line"])).lines().map(str::to_owned).collect()
}

#[test]
fn every_answer_is_compared() {
    let output = run(&["race", PUZZLE, TWO, NONE, "-f", "json", "--repeat", "1"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let rows = rows(&output);
    assert_eq!(rows.len(), strategies().len());
    for row in &rows {
        assert_eq!(row["peak_bytes"].is_null(), !cfg!(feature = "memory"));
        assert_eq!((row["set"].as_str().unwrap(), &row["puzzles"]), ("command line", &Value::from(3)));
        assert_eq!(row["answered"].as_u64().unwrap() + row["unsupported"].as_u64().unwrap(), 3);
    }
    // A file that says something else disagrees.
    let output = run_with(&["race", "-", "--strategies", "dlx,sat", "-q"], format!("{PUZZLE}:2").as_bytes());
    assert_eq!(code(&output), 1);
    let message = stderr(&output);
    assert!(
        message.contains("the input says multiple") && message.contains(PUZZLE) && message.contains("dlx says unique"),
        "{message}"
    );
    let output = run(&["race", PUZZLE, &PUZZLE[1..], "--strategies", "dlx"]);
    assert_eq!(code(&output), 2);
}

#[test]
fn the_embedded_sets_are_read_and_agreed_on() {
    let output = run(&["race", "-f", "json", "--puzzles", "--repeat", "0", "--time-per-puzzle", "100ms"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let rows = rows(&output);
    let puzzles: std::collections::BTreeSet<&str> = rows.iter().map(|row| row["puzzle"].as_str().unwrap()).collect();
    assert!(puzzles.len() >= 40);
    assert_eq!(rows.len(), puzzles.len() * strategies().len());
    for word in ["unsolvable", "multiple", "unique"] {
        assert!(rows.iter().any(|row| row["answer"] == word), "{word}");
    }
    assert!(rows.iter().any(|row| row["rules"] == "4x4") && rows.iter().any(|row| row["rules"] == "2x3"));
    let sets: std::collections::BTreeSet<&str> = rows.iter().map(|row| row["set"].as_str().unwrap()).collect();
    assert!(sets.len() > 1);
}

#[test]
fn csv_and_json_tell_the_same() {
    for extra in [&[][..], &["--puzzles"][..]] {
        let args = [&["race", PUZZLE, TWO, "--repeat", "0"][..], extra].concat();
        let csv = stdout(&run(&[&args[..], &["-f", "csv"]].concat()));
        let json = rows(&run(&[&args[..], &["-f", "json"]].concat()));
        let mut lines = csv.lines();
        let heads: Vec<&str> = lines.next().unwrap().split(',').collect();
        assert_eq!(heads.len(), json[0].as_object().unwrap().len());
        assert!(heads.iter().all(|head| json[0].get(head).is_some()));
        let node = heads.iter().position(|head| *head == "nodes").unwrap();
        for (line, row) in lines.zip(&json) {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells.len(), heads.len(), "{line}");
            // What a strategy cannot know is nothing, not 0.
            assert_eq!(cells[node], row["nodes"].as_u64().map_or(String::new(), |nodes| nodes.to_string()));
        }
    }
}

#[test]
fn the_table_fits_a_narrow_terminal_and_says_who_wins() {
    let output = run(&["race", "--repeat", "0", "--time-per-puzzle", "50ms", "--strategies", "variants"]);
    let text = stdout(&output);
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(text.contains("\nAll in all: ") || strategies().len() == 1, "{text}");
    assert!(stderr(&output).contains("all answers agree"));
    let all = stdout(&run(&["race", PUZZLE, "--repeat", "0", "--columns", "all"]));
    for head in ["answers", "p99", "dead ends", "depth", "set-up", "heap"] {
        assert!(all.contains(head), "{head}");
    }
}

#[test]
fn a_strategy_that_gives_up_is_not_fast() {
    if !strategies().iter().any(|name| name == "backtracking") {
        return;
    }
    let output = run(&["race", LONG, "-f", "json", "--strategies", "backtracking,dlx", "--limit-nodes", "1000"]);
    let rows = rows(&output);
    let slow = &rows[0];
    assert_eq!((code(&output), &slow["gave_up"], &slow["answered"]), (0, &Value::from(1), &Value::from(0)));
    for key in ["answers_per_second", "median_ns", "max_ns"] {
        assert!(slow[key].is_null(), "{key}");
    }
}

#[test]
fn a_race_that_is_out_of_time_says_what_it_has_seen() {
    let output = run(&["race", "--total-timeout", "0"]);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("out of time: 0 of "), "{}", stderr(&output));
}

/// Whether a process has a handler for the interrupt, signal 2.
#[cfg(target_os = "linux")]
fn catches_interrupts(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 2 != 0)
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_race_tells_what_it_has() {
    if !strategies().iter().any(|name| name == "backtracking") {
        return;
    }
    let args = ["race", LONG, "--strategies", "backtracking", "--time-per-puzzle", "1h", "--total-timeout", "1h"];
    let mut child = program().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Before that the interrupt would end it like any other program.
    while !catches_interrupts(child.id()) {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 130, "{}", stderr(&output));
    assert!(stdout(&output).contains("backtracking") && stderr(&output).contains("interrupted: 0 of 1"), "{}", stderr(&output));
}

#[test]
fn every_question_and_any_number_of_threads_agree() {
    for question in ["solve", "count", "enumerate"] {
        for threads in ["1", "3"] {
            let args = ["race", PUZZLE, TWO, NONE, "--question", question, "--threads", threads, "--seed", threads, "-f", "line"];
            let output = run(&args);
            assert_eq!(code(&output), 0, "{}", stderr(&output));
            assert_eq!(stdout(&output).lines().count(), strategies().len());
        }
    }
}
