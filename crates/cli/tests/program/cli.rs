//! The program as its users meet it: what it prints, where, and with which exit code.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Output, Stdio};

use insta::assert_snapshot;

use crate::run::{code, program, run, run_with, stderr, stdout};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// Two solutions.
const TWO: &str = "123434122.4.4.2.";
const MANY: &str = "12..............";
const NONE: &str = "1...23...4......";
/// What no plain backtracker answers in a thousand nodes.
const LONG: &str = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";

/// Everything that a run says, without its times.
fn transcript(args: &[&str], output: &Output) -> String {
    let mut text = format!("$ ninefold {}\n{}", args.join(" "), stdout(output));
    let errors = stderr(output);
    if !errors.is_empty() {
        write!(text, "--- stderr\n{}", timeless(&errors)).unwrap();
    }
    write!(text, "--- exit code {}", code(output)).unwrap();
    text
}

/// The summary ends with `; TIME, N puzzles/s`.
fn timeless(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = match line.split_once("; ") {
            Some((before, _)) if line.contains("puzzle") || line.contains("boards") => format!("{before}; TIME"),
            _ => line.to_string(),
        };
        out.push_str(&line);
        out.push('\n');
    }
    out
}

fn session(args: &[&str]) -> String {
    transcript(args, &run(args))
}

/// A directory of this test alone.
fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn write_file(directory: &std::path::Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = directory.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

#[test]
fn help_without_arguments_shows_commands_that_work() {
    let help = stdout(&run(&[]));
    let examples: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  ninefold ")).collect();
    assert_eq!(examples.len(), 2);
    let args: Vec<&str> = examples[0].split(' ').collect();
    let output = run(&args);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("unique"));
    assert_eq!(examples[1], "race");
    assert_snapshot!(session(&[]));
}

#[test]
fn the_options_are_documented() {
    let all: Vec<String> =
        [&["--help"][..], &["solve", "--help"], &["check", "--help"], &["race", "--help"], &["strategies", "--help"]]
            .map(session)
            .to_vec();
    assert_snapshot!(all.join("\n\n"));
}

#[test]
fn every_verdict_is_told_for_people() {
    let clash = PUZZLE.replacen('5', "8", 1);
    let cases: [&[&str]; 8] = [
        &["solve", PUZZLE],
        &["solve", TWO],
        &["solve", MANY],
        &["solve", NONE],
        &["solve", &clash],
        &["solve", MANY, "--count", "1"],
        &["solve", MANY, "--count", "1000000"],
        &["solve", LONG, "--strategy", "backtracking", "--limit-nodes", "1000"],
    ];
    // Which of several solutions comes first is the strategy's business.
    let all: Vec<String> = cases
        .map(|args| {
            let text = session(args);
            if args.contains(&MANY) || args.contains(&TWO) {
                text.lines().filter(|line| !line.contains('|') && !line.contains("+--")).collect::<Vec<_>>().join("\n")
            } else {
                text
            }
        })
        .to_vec();
    assert_snapshot!(all.join("\n\n"));
}

#[test]
fn every_verdict_has_its_exit_code() {
    let clash = PUZZLE.replacen('5', "8", 1);
    let gives_up: [&str; 5] = ["solve", LONG, "--strategy=backtracking", "--limit-nodes", "10"];
    assert_eq!(code(&run(&["solve", PUZZLE])), 0);
    assert_eq!(code(&run(&["solve", TWO])), 1);
    assert_eq!(code(&run(&["solve", NONE])), 1);
    assert_eq!(code(&run(&["solve", &clash])), 1);
    assert_eq!(code(&run(&["solve", &PUZZLE[1..]])), 2);
    assert_eq!(code(&run(&gives_up)), 3);
    // Of several the worst counts: 2, then 1, then 3.
    assert_eq!(code(&run(&[&gives_up[..], &[PUZZLE]].concat())), 3);
    assert_eq!(code(&run(&[&gives_up[..], &[&clash]].concat())), 1);
    assert_eq!(code(&run(&[&gives_up[..], &[&clash, &PUZZLE[1..]]].concat())), 2);
    assert_eq!(code(&run(&["check", PUZZLE])), 0);
    assert_eq!(code(&run(&["check", &clash])), 1);
    assert_eq!(code(&run(&["check", &PUZZLE[1..]])), 2);
}

#[test]
fn every_format_answers_in_the_order_of_the_input() {
    let directory = directory("formats");
    let clash = PUZZLE.replacen('5', "8", 1);
    let text = format!("{PUZZLE}\n{clash}\n{}\n\n{PUZZLE} # again\n", &PUZZLE[1..]);
    write_file(&directory, "mixed.txt", text);
    let all: Vec<String> = ["grid", "line", "csv", "json", "count"]
        .map(|format| {
            let args = ["solve", "mixed.txt", "--strategy", "dlx", "--format", format];
            let output = program().current_dir(&directory).args(args).output().unwrap();
            transcript(&args, &output)
        })
        .to_vec();
    assert_snapshot!(all.join("\n\n"));
}

#[test]
fn answers_of_every_format_can_be_read_in_again() {
    for format in ["grid", "line", "csv", "json", "count"] {
        let first = run(&["solve", "--format", format, PUZZLE]);
        let again = run_with(&["solve", "--format", "line"], &first.stdout);
        assert_eq!((code(&again), stdout(&again)), (0, format!("{SOLUTION}\n")), "{format}");
    }
}

#[test]
fn statistics_name_every_counter_and_null_what_is_unknown() {
    for strategy in ["dlx", "sat"] {
        let output = run(&["solve", PUZZLE, "--strategy", strategy, "--format", "json", "--stats"]);
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let stats = answer["stats"].as_object().unwrap();
        for name in ["nodes", "guesses", "dead_ends", "propagations", "max_depth", "solutions", "conflicts", "decisions"] {
            assert!(stats.contains_key(name), "{name}");
        }
        assert_eq!(stats["nodes"].is_null(), strategy == "sat");
        assert!(stats["setup_ns"].is_u64() && stats["search_ns"].is_u64());
    }
    let untimed = run(&["solve", PUZZLE, "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_slice(&untimed.stdout).unwrap();
    assert!(answer["stats"]["search_ns"].is_null());
    assert_eq!(answer["exact"], true);
}

#[test]
fn all_solutions_are_listed_once() {
    for format in ["line", "csv", "grid", "json"] {
        let output = run(&["solve", MANY, "--all", "--format", format]);
        assert_eq!(code(&output), 1, "{format}");
        let text = stdout(&output);
        let mut found: Vec<String> = match format {
            "line" => text.lines().map(String::from).collect(),
            "csv" => text.lines().filter_map(|line| line.split(',').nth(6)).filter(|s| s.len() == 16).map(String::from).collect(),
            "json" => {
                let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
                assert_eq!((&answer["count"], &answer["exact"]), (&24.into(), &true.into()));
                answer["solutions"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_string()).collect()
            }
            _ => stdout(&run_with(&["solve", "--format", "line"], text.as_bytes())).lines().map(String::from).collect(),
        };
        assert_eq!(found.len(), 24, "{format}: {text}");
        found.sort();
        found.dedup();
        assert_eq!(found.len(), 24, "{format}");
    }
    let capped = run(&["solve", MANY, "--all", "--count", "5", "--format", "line"]);
    assert_eq!(stdout(&capped).lines().count(), 5);
    let none = run(&["solve", NONE, "--all", "--format", "line"]);
    assert_eq!(stdout(&none), "unsolvable\n");
}

#[test]
fn large_input_streams_in_order_on_any_number_of_threads() {
    let mut input = String::new();
    let mut expected = String::new();
    for i in 0..5000 {
        // Relabelled, so that every line differs from its neighbours.
        let shift = |line: &str| -> String {
            line.chars().map(|c| c.to_digit(10).map_or(c, |d| char::from_digit((d - 1 + i) % 9 + 1, 10).unwrap())).collect()
        };
        writeln!(input, "{}", shift(PUZZLE)).unwrap();
        writeln!(expected, "{}", shift(SOLUTION)).unwrap();
    }
    for threads in ["1", "2", "7"] {
        let output = run_with(&["solve", "-f", "line", "--threads", threads, "-"], input.as_bytes());
        assert!(stdout(&output) == expected, "{threads} threads");
        assert_eq!(code(&output), 0);
    }
}

#[test]
fn a_pipe_gets_its_first_answer_before_its_second_question() {
    let mut child =
        program().args(["solve", "-f", "line", "-q", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(stdin, "{PUZZLE}").unwrap();
        let mut answer = [0; 82];
        stdout.read_exact(&mut answer).unwrap();
        assert_eq!(answer[..81], *SOLUTION.as_bytes());
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let input = format!("{PUZZLE}\n").repeat(200_000);
    let mut child = program()
        .args(["solve", "-f", "line", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(input.as_bytes());
    });
    let mut first = [0; 82];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!((stderr(&output).as_str(), code(&output)), ("", 0));
}

#[test]
fn directories_are_read_in_name_order() {
    let directory = directory("ordered");
    write_file(&directory, "b.txt", PUZZLE.replacen('5', "8", 1));
    write_file(&directory, "a.txt", PUZZLE);
    write_file(&directory, ".hidden", "no puzzle");
    let output = run(&["solve", "-f", "line", directory.to_str().unwrap()]);
    assert_eq!(stdout(&output), format!("{SOLUTION}\nclash\n"));
}

#[test]
fn what_cannot_be_read_is_reported_with_its_place() {
    let directory = directory("broken");
    write_file(&directory, "bad.txt", format!("{PUZZLE}\n{}\n{}\n", PUZZLE.replacen('7', "~", 1), &PUZZLE[1..]));
    write_file(&directory, "bytes.bin", [0xff, 0xfe, 0x00, 0xd8, 0x00]);
    write_file(&directory, "empty.txt", "");
    let session = |args: &[&str]| transcript(args, &program().current_dir(&directory).args(args).output().unwrap());
    let all = [
        session(&["solve", "-f", "line", "bad.txt"]),
        session(&["solve", "-f", "line", "missing.txt"]),
        session(&["solve", "-f", "line", "empty.txt"]),
        session(&["check", "-f", "line", "bad.txt"]),
        session(&["solve", "bytes.bin", "-f", "line"]),
    ];
    assert_snapshot!(all.join("\n\n"));
}

#[test]
fn clashing_givens_are_reported_with_their_cells() {
    let clash = PUZZLE.replacen('5', "8", 1);
    let all = [
        session(&["check", &clash]),
        session(&["solve", "-f", "line", &clash]),
        session(&["solve", "-f", "json", &clash]),
        session(&["check", "-f", "json", &clash]),
        session(&["check", "-f", "csv", PUZZLE, &clash]),
        session(&["check", "-f", "line", PUZZLE, &clash]),
    ];
    assert_snapshot!(all.join("\n\n"));
}

#[test]
fn a_solution_is_checked_against_its_puzzle() {
    let other = "531276498647198532298345167124867953856934721379521846982753614763419285415682379";
    let swapped = SOLUTION.replacen("46", "64", 1);
    let all = [
        session(&["check", PUZZLE, "--solution", SOLUTION]),
        session(&["check", PUZZLE, "--solution", other]),
        session(&["check", PUZZLE, "--solution", &swapped]),
        session(&["check", PUZZLE, "--solution", PUZZLE]),
        session(&["check", PUZZLE, "--solution", "nonsense"]),
        session(&["check", PUZZLE, "--solution", MANY]),
    ];
    assert_snapshot!(all.join("\n\n"));
}

#[test]
fn rules_are_told_or_read() {
    let six = "1....................................";
    assert_eq!(six.len(), 37);
    let six = &six[..36];
    assert_eq!(code(&run(&["solve", six])), 2);
    let told = run(&["solve", "--rules", "2x3", "-f", "json", six]);
    let answer: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!((&answer["rules"], &answer["verdict"]), (&"2x3".into(), &"multiple".into()));
    // JSON names its rules, so that it reads back without the option.
    let again = run_with(&["solve", "-f", "line"], &told.stdout);
    assert_eq!(stdout(&again).trim_end().len(), 36);
    let wide = ".".repeat(256);
    let sixteen = run(&["solve", "-f", "json", &wide]);
    let answer: serde_json::Value = serde_json::from_slice(&sixteen.stdout).unwrap();
    assert_eq!((&answer["rules"], &answer["verdict"]), (&"4x4".into(), &"multiple".into()));
}

#[test]
fn limits_give_up_and_say_which() {
    let args = |limit: &'static str, value: &'static str| {
        run(&["solve", LONG, "--strategy", "backtracking", "-f", "json", limit, value])
    };
    for (output, reason) in [
        (args("--limit-nodes", "100"), "nodes"),
        (args("--limit-nodes", "0"), "nodes"),
        (args("--timeout", "10ms"), "time"),
        (args("--timeout", "0"), "time"),
        (args("--total-timeout", "0.01"), "time"),
    ] {
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&answer["verdict"], &answer["stopped_by"]), (&"unknown".into(), &reason.into()));
        assert_eq!((&answer["exact"], code(&output)), (&false.into(), 3));
    }
}

#[test]
fn wrong_options_are_refused_with_a_reason() {
    let cases: [&[&str]; 14] = [
        &["solve", PUZZLE, "--strategy", "backtrackin"],
        &["solve", PUZZLE, "--threads", "0"],
        &["solve", PUZZLE, "--threads", "99999999999999999999"],
        &["solve", PUZZLE, "--timeout", "NaN"],
        &["solve", PUZZLE, "--timeout=-1"],
        &["solve", PUZZLE, "--timeout", "1e300"],
        &["solve", PUZZLE, "--timeout", "soon"],
        &["solve", PUZZLE, "--count", "0"],
        &["solve", PUZZLE, "--limit-nodes=-3"],
        &["solve", PUZZLE, "--rules", "0x3"],
        &["solve", PUZZLE, "--rules", "65x65"],
        &["solve", PUZZLE, "--format", "yaml"],
        &["check", PUZZLE, "--format", "count"],
        &["nonsense"],
    ];
    let all = cases.map(|args| {
        let output = run(args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert_eq!(stdout(&output), "", "{args:?}");
        let text = stderr(&output);
        // The list of strategies is none of this test's business.
        let lines: Vec<&str> =
            text.lines().filter(|line| !(line.contains("possible values") && line.contains("backtracking"))).collect();
        format!("$ ninefold {}\n{}", args.join(" "), lines.join("\n"))
    });
    assert_snapshot!(all.join("\n\n"));
}

#[test]
fn no_input_is_an_error() {
    assert_eq!(code(&run(&["solve"])), 2);
    assert_eq!(code(&run(&["check", "-"])), 2);
    assert_eq!(stderr(&run(&["solve"])), "error: there is no puzzle in the input\n");
}

#[cfg(unix)]
#[test]
fn any_bytes_in_arguments_and_input_end_in_an_answer() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    for bytes in [&b"\xff\xfe\x01"[..], b"\x1b[31m", b"", b"....", b"[[[[[[[[", b"{\"puzzle\":", &[b'.'; 5000], &[b'1'; 81]] {
        let argument = OsStr::from_bytes(bytes);
        for command in ["solve", "check"] {
            let output = program().args([command]).arg(argument).output().unwrap();
            assert!([0, 1, 2].contains(&code(&output)), "{bytes:?}: {output:?}");
            assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{bytes:?}");
            let output = run_with(&[command, "-"], bytes);
            assert!([0, 1, 2].contains(&code(&output)), "{bytes:?}: {output:?}");
            assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{bytes:?}");
        }
        let output = program().args(["solve", PUZZLE, "--strategy"]).arg(argument).output().unwrap();
        assert_eq!(code(&output), 2);
    }
}

#[test]
fn no_colour_reaches_a_pipe() {
    for variable in ["NO_COLOR", "COLORTERM"] {
        let output = program().env(variable, "1").args(["solve", PUZZLE, &PUZZLE[1..]]).output().unwrap();
        assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b));
    }
}

#[test]
fn completions_are_written_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(&["completions", shell]);
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).contains("ninefold") && stdout(&output).contains("total-timeout"), "{shell}");
    }
    assert_eq!(code(&run(&["completions", "dos"])), 2);
}

#[test]
fn strategies_are_listed_with_what_they_take_and_count() {
    let names = stdout(&run(&["strategies", "-f", "line"]));
    assert!(names.lines().any(|name| name == "dlx"));
    assert!(!names.contains(':'));
    let all = stdout(&run(&["strategies", "-f", "line", "--all"]));
    assert!(all.lines().count() > names.lines().count());
    for line in stdout(&run(&["strategies", "-f", "json", "--all"])).lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(all.lines().any(|name| row["name"] == name));
        assert!(row["counters"].as_array().unwrap().contains(&"solutions".into()));
    }
    let table = stdout(&run(&["strategies"]));
    assert!(names.lines().all(|name| table.contains(name)));
}

#[test]
fn every_strategy_can_be_picked_and_answers_alike() {
    for name in stdout(&run(&["strategies", "-f", "line", "--all"])).lines() {
        let output = run(&["solve", PUZZLE, "--strategy", name, "-f", "count"]);
        assert_eq!(stdout(&output), format!("{PUZZLE}:1:{SOLUTION}\n"), "{name}");
    }
}

#[test]
fn rules_that_a_strategy_does_not_take_are_no_answer() {
    // Only where a strategy of classic boards alone is enabled is there something to see.
    for line in stdout(&run(&["strategies", "-f", "json"])).lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let output = run(&["solve", MANY, "-f", "json", "--strategy", row["name"].as_str().unwrap()]);
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let expected = if row["rules"] == "9x9" { ("unsupported", 2) } else { ("multiple", 1) };
        assert_eq!((answer["verdict"].as_str().unwrap(), code(&output)), expected);
    }
}
