//! `ninefold trace` as its users meet it.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};

use insta::assert_snapshot;
use ninefold::{Counter, RuleSupport};
use serde_json::Value;

use crate::run::{self, stderr, stdout};

/// Two solutions.
const TWO: &str = "123434122.4.4.2.";
/// Without propagation a guess or two, and one solution.
const ONE: &str = "1.....3...4..2..";
const CLASSIC: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const HARD: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

fn program(args: &[&str]) -> Command {
    let mut command = run::program();
    command.arg("trace").args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn trace(args: &[&str]) -> Output {
    program(args).output().unwrap()
}

fn json(args: &[&str]) -> Vec<Value> {
    let output = trace(args);
    assert_eq!(stderr(&output), "", "{args:?}");
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

fn count(lines: &[Value], event: &str) -> u64 {
    lines.iter().filter(|line| line["event"] == event).count() as u64
}

#[test]
fn a_text_is_indented_by_guesses_and_gives_reasons() {
    let mut all = String::new();
    for strategy in ["state-array", "propagation", "dlx", "sat"] {
        for args in [&[TWO, "--count", "3"][..], &[ONE, "--count", "2"]] {
            let output = trace(&[args, &["--format", "text", "--strategy", strategy]].concat());
            assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
            all.push_str(&format!(
                "$ ninefold trace {} --format text --strategy {strategy}\n{}\n",
                args.join(" "),
                stdout(&output)
            ));
        }
    }
    assert_snapshot!(all);
}

#[test]
fn every_strategy_tells_its_tree_in_one_schema() {
    for strategy in ninefold::all_variants() {
        let classic = strategy.caps.rules == RuleSupport::Classic;
        for puzzle in if classic { vec![CLASSIC, HARD] } else { vec![CLASSIC, TWO, ONE] } {
            let lines = json(&[puzzle, "--strategy", strategy.name, "--limit-events", "all", "--count", "3"]);
            let (start, end) = (&lines[0], &lines[lines.len() - 1]);
            assert_eq!(
                (&start["event"], &start["puzzle"], &start["strategy"]),
                (&"start".into(), &puzzle.into(), &strategy.name.into())
            );
            assert_eq!((&end["event"], &end["exact"]), (&"end".into(), &true.into()), "{}", strategy.name);
            assert_eq!(end["events"], lines.len() as u64 - 2);
            assert_eq!(count(&lines, "solution"), end["count"].as_u64().unwrap());
            // The leaves of the tree, and each reason with what it names.
            assert_eq!(
                count(&lines, "dead_end") + count(&lines, "solution"),
                count(&lines, "guess") + 1,
                "{} on {puzzle}",
                strategy.name
            );
            for line in &lines[1..lines.len() - 1] {
                let has = |field: &str| line.get(field).is_some();
                assert_eq!(line["node"].is_null(), !strategy.caps.counters.contains(Counter::Nodes), "{line}");
                match (line["event"].as_str().unwrap(), line["why"].as_str()) {
                    ("guess", None) => assert!(has("digit") && (has("cell") || has("cells") && has("house")), "{line}"),
                    ("place" | "remove", Some("hidden_single")) => assert!(has("cell") && has("digit") && has("house"), "{line}"),
                    ("remove", Some("peer")) => assert!(has("cell") && has("digit") && has("by"), "{line}"),
                    ("place" | "remove", Some(_)) => assert!(has("cell") && has("digit"), "{line}"),
                    ("dead_end", Some("cell")) => assert!(has("cell"), "{line}"),
                    ("dead_end", Some("house")) => assert!(has("house") && has("digit"), "{line}"),
                    ("dead_end", Some("arrangement" | "clauses")) => {}
                    ("back", None) => assert!(has("depth"), "{line}"),
                    ("solution", None) => assert!(has("solution") && has("number"), "{line}"),
                    _ => panic!("{line}"),
                }
            }
        }
    }
}

#[test]
fn what_is_cut_is_counted_and_the_counters_stay_whole() {
    let args = [HARD, "--strategy", "propagation", "--count", "2"];
    let all = json(&[&args[..], &["--limit-events", "all"]].concat());
    let some = json(&[&args[..], &["--limit-events", "7"]].concat());
    assert_eq!(some[..8], all[..8]);
    let (cut, end) = (&some[8], &some[9]);
    assert_eq!((some.len(), &cut["event"]), (10, &"cut".into()));
    assert_eq!(end, &all[all.len() - 1]);
    assert_eq!(cut["events"].as_u64().unwrap() + 7, all.len() as u64 - 2);
    for kind in ["guess", "place", "remove", "dead_end", "back", "solution"] {
        assert_eq!(cut[kind].as_u64().unwrap() + count(&some, kind), count(&all, kind), "{kind}");
    }
    // The way to see more is told, and works.
    let more = cut["more"].as_str().unwrap().split(' ').collect::<Vec<_>>();
    assert_eq!(json(&[&args[..], &more].concat()), all);
    let output = trace(&[HARD, "--strategy", "dlx", "--format", "text", "--limit-events", "2"]);
    assert!(stdout(&output).contains("\n… cut here: "), "{output:?}");
}

#[test]
fn the_ending_is_the_exit_code() {
    for (args, code, message) in [
        (&[HARD, "--strategy", "backtracking", "--limit-nodes", "100"][..], 3, ""),
        (&[HARD, "--strategy", "sat", "--timeout", "0"], 3, ""),
        (&["1...23...4......", "--strategy", "dlx"], 0, ""),
        (&["11..............", "--strategy", "dlx"], 2, "the givens clash"),
        (&["12.", "--strategy", "dlx"], 2, "no such file"),
        (&[TWO, "--strategy", "bitboard"], 2, "does not take the rules"),
        (&[TWO, "--number", "2"], 2, "no number 2"),
        (&[TWO, "--limit-events", "few"], 2, "a number of events or `all`"),
    ] {
        let output = trace(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
        assert!(stderr(&output).contains(message), "{args:?}: {output:?}");
        assert_eq!(output.stderr.is_empty(), message.is_empty(), "{args:?}: {output:?}");
    }
}

#[test]
fn a_puzzle_of_several_is_picked_by_its_number() {
    let file = std::env::temp_dir().join(format!("ninefold-trace-{}", std::process::id()));
    std::fs::write(&file, format!("{TWO}\n{ONE}\n")).unwrap();
    let name = file.to_str().unwrap();
    let first = trace(&[name, "--strategy", "dlx"]);
    assert!(stderr(&first).contains("--number 2 takes the next"), "{first:?}");
    let second = json(&[name, "--strategy", "dlx", "--number", "2"]);
    assert_eq!(second[0]["puzzle"], ONE);
    std::fs::remove_file(&file).unwrap();
}

/// A search that would not end.
fn endless() -> String {
    ".".repeat(256)
}

#[test]
fn a_closed_pipe_ends_the_search_quietly() {
    let board = endless();
    let mut child =
        program(&[&board, "--strategy", "backtracking", "--limit-events", "all", "--count", "1000000000000"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    lines.read_line(&mut String::new()).unwrap();
    drop(lines);
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!((child.wait().unwrap().code(), errors.as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_search_and_tells_what_was_counted() {
    let board = endless();
    let mut child =
        program(&[&board, "--strategy", "state-array", "--limit-events", "3", "--count", "1000000000000"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // By the first event the handler is there.
    let first: Vec<String> = lines.by_ref().take(2).map(Result::unwrap).collect();
    assert!(first[0].contains("\"start\"") && first[1].contains("\"guess\""), "{first:?}");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let end: Value = serde_json::from_str(rest.last().unwrap()).unwrap();
    assert_eq!((&end["event"], &end["stopped_by"], &end["exact"]), (&"end".into(), &"cancelled".into(), &false.into()));
}
