//! `ninefold crosscheck` as its users meet it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::run::{code, program, stderr, stdout};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const TWO: &str = "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179";
const NONE: &str = ".12345678..................9.....................................................";

/// A directory of its own, gone when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("ninefold-crosscheck-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn run(&self, args: &[&str]) -> Output {
        program().current_dir(&self.0).arg("crosscheck").args(args).output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples").join(name).canonicalize().unwrap().to_string_lossy().into()
}

/// The interpreter, where there is one.
fn python() -> Option<&'static str> {
    let found = ["python3", "python"].into_iter().find(|name| {
        let version = Command::new(name).args(["-c", "import sys; sys.exit(sys.version_info < (3, 6))"]).output();
        version.is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        eprintln!("skipped: there is no Python 3 here");
    }
    found
}

#[test]
fn agreement_is_one_line_with_figures() {
    let folder = Folder::new("agreement");
    folder.write("puzzles.txt", &format!("{PUZZLE}:1\n{TWO}:2\n{NONE}:0\n11{}\n", ".".repeat(79)));
    let output = folder.run(&["puzzles.txt", "--strategies", "propagation,dlx,sat"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let line = stdout(&output);
    let expected = "all answers agree: 3 puzzles, 3 compared, 1 refused since givens clash, 3 with stated answers; \
        propagation 3, dlx 3, sat 3; ";
    assert!(line.starts_with(expected) && line.lines().count() == 1, "{line}");
}

#[test]
fn who_gives_up_agrees_with_nothing() {
    let folder = Folder::new("limits");
    let output = folder.run(&[PUZZLE, "--strategies", "propagation,backtracking", "--limit-nodes", "0"]);
    assert_eq!(code(&output), 3);
    assert!(
        stdout(&output).starts_with("no answers could be compared: 1 puzzles, 0 compared, 1 not compared; "),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_wrong_statement_of_the_input_is_a_disagreement() {
    let folder = Folder::new("stated");
    folder.write("puzzles.txt", &format!("{PUZZLE}:2\n"));
    let output = folder.run(&["puzzles.txt", "--strategies", "propagation", "--format", "json"]);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert!(text.contains("\"type\":\"disagreement\"") && text.contains("the input says exactly 2 solutions"), "{text}");
    assert!(text.lines().last().unwrap().contains("\"disagreements\":1"), "{text}");
}

#[test]
fn other_programs_take_part_with_a_line_each_or_as_a_command_each() {
    let folder = Folder::new("external");
    folder.write("puzzles.txt", &format!("{PUZZLE}\n{TWO}\n{NONE}\n"));
    let program = env!("CARGO_BIN_EXE_ninefold");
    let line = format!("line='{program}' solve - --format line --quiet --threads 1");
    let call = format!("call='{program}' solve {{}} --format line --quiet");
    let output = folder.run(&["puzzles.txt", "-s", "dlx", "-e", &line, "-e", &call, "--threads", "1"]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("dlx 3, line 3, call 3; "), "{}", stdout(&output));
}

#[test]
fn what_other_programs_do_wrong_is_their_fault_and_shrunk() {
    let folder = Folder::new("faults");
    let program = env!("CARGO_BIN_EXE_ninefold");
    for (command, expected) in [
        ("no-such-program".to_string(), "x cannot be started: "),
        (format!("'{program}' check - --format line --quiet"), "x gives an answer that is none: true"),
        (format!("'{program}' solve --no-such-option"), "x crashes ("),
        (format!("'{program}' solve {{}} --format line --quiet --strategy nonsense"), "x crashes ("),
        (format!("'{program}' solve - --format count --quiet"), "x gives an answer that is none: "),
    ] {
        let external = format!("x={command}");
        let output = folder.run(&[PUZZLE, "-s", "dlx", "-e", &external, "--threads", "1", "--external-timeout", "5"]);
        assert_eq!(code(&output), 1, "{command}");
        assert!(stdout(&output).contains(expected), "{command}: {}", stdout(&output));
        assert!(stdout(&output).contains("0 givens"), "{command}: {}", stdout(&output));
    }
    assert!(folder.read("disagreement.jsonl").contains("cannot be started"));
    assert!(folder.read("disagreement-2.jsonl").contains("answer that is none"));
}

#[test]
fn the_solver_of_the_documentation_agrees() {
    let Some(python) = python() else { return };
    let folder = Folder::new("python");
    folder.write("puzzles.txt", &format!("{PUZZLE}\n{TWO}\n{NONE}\n"));
    let external = format!("mine={python} '{}'", example("solver.py"));
    let output = folder.run(&["puzzles.txt", "--strategies", "dlx", "--external", &external, "--external-timeout", "60"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).contains("dlx 3, mine 3; "), "{}", stdout(&output));
}

#[test]
fn the_wrong_solver_is_found_and_its_command_finds_it_again() {
    let Some(python) = python() else { return };
    let folder = Folder::new("wrong");
    let external = format!("mine={python} '{}'", example("wrong_solver.py"));
    let args = [TWO, "--strategies", "dlx", "--external", &external, "--external-timeout", "60"];
    let output = folder.run(&args);
    assert_eq!(code(&output), 1, "{}{}", stdout(&output), stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("disagreement") && text.contains("mine ") && text.contains("1 disagreement: 1 puzzles"), "{text}");
    let counts = text.lines().find(|line| line.starts_with("rules 3x3, ")).unwrap();
    let figure = |word: &str| {
        let before = &counts[..counts.find(word).unwrap()];
        before.split_whitespace().last().unwrap().parse::<u32>().unwrap()
    };
    assert!(figure(" givens").min(figure(" blanks")) < 10, "{text}");
    // The file holds the puzzle, and the command that is shown asks it again.
    let written = folder.read("disagreement.jsonl");
    assert!(written.contains("\"puzzle\":\""), "{written}");
    let again = folder.run(&["disagreement.jsonl", "--strategies", "dlx", "--external", &external, "--threads", "1"]);
    assert_eq!(code(&again), 1, "{}", stdout(&again));
    assert!(text.contains("ninefold crosscheck disagreement.jsonl --threads 1 --strategies dlx --count 10"), "{text}");
    assert!(written.contains("again with: ninefold crosscheck disagreement.jsonl"), "{written}");
}

#[test]
fn made_puzzles_and_changed_ones_find_nothing_and_tell_their_seed() {
    let folder = Folder::new("fuzz");
    let args = ["--fuzz", "1", "--metamorphic", "--seed", "5", "--threads", "1", "--strategies", "propagation,dlx,bitboard"];
    let output = folder.run(&args);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).starts_with("all answers agree: "), "{}", stdout(&output));
    assert!(stderr(&output).contains("seed 5"), "{}", stderr(&output));
}

#[test]
fn usage_errors_say_what_to_do() {
    let folder = Folder::new("usage");
    let none = folder.run(&[PUZZLE, "--strategies", "none"]);
    assert_eq!(code(&none), 2);
    assert!(stderr(&none).contains("name --strategies or --external"), "{}", stderr(&none));
    assert_eq!(code(&folder.run(&[PUZZLE, "--fuzz", "1"])), 2);
    assert_eq!(code(&folder.run(&[PUZZLE, "--external", "x='"])), 2);
    assert_eq!(code(&folder.run(&["no-such-file"])), 2);
}
