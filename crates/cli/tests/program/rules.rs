//! `ninefold rules`, and rules that other commands are told.

use std::path::{Path, PathBuf};

use crate::run::{run, stderr, stdout};

/// What the program says where all goes well.
fn output(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

fn refusal(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    stderr(&output)
}

/// A file of this test alone.
fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// The blocks of docs/RULES.md that begin with a command have what the command prints. `UPDATE_DOCS=1 cargo test -p ninefold-cli --test
/// program rules` writes them again.
#[test]
fn the_pictures_of_the_documentation_are_what_the_command_draws() {
    if ["propagation", "bitboard"].iter().any(|name| ninefold::by_name(name).is_none()) {
        // Which strategies take the rules is in them.
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/RULES.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut written = String::new();
    let mut pictures = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        written.extend([line, "\n"]);
        let Some(command) = line.strip_prefix("$ ninefold ") else { continue };
        pictures += 1;
        let args: Vec<&str> = command.split(' ').collect();
        written.push_str(&output(&args));
        for old in lines.by_ref() {
            if old == "```" {
                written.push_str("```\n");
                break;
            }
        }
    }
    assert!(pictures > 10);
    for variant in ninefold::Variant::all() {
        assert!(text.contains(&format!("`{}`", variant.name())), "{} is not described", variant.name());
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, written).unwrap();
    } else {
        assert!(
            written == text,
            "docs/RULES.md is not up to date: UPDATE_DOCS=1 cargo test -p ninefold-cli --test program rules"
        );
    }
}

#[test]
fn every_part_is_listed_in_every_format() {
    let json = output(&["rules", "--format", "json"]);
    let names: Vec<String> = json
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(output(&["rules", "--format", "line"]).lines().collect::<Vec<_>>(), names);
    for format in ["grid", "csv"] {
        let text = output(&["rules", "--format", format]);
        assert!(names.iter().all(|name| text.contains(name)), "{format}: {text}");
    }
    assert!(ninefold::Variant::all().iter().all(|variant| names.iter().any(|name| name == variant.name())));
}

#[test]
fn a_rule_set_is_listed_house_by_house() {
    let json: serde_json::Value = serde_json::from_str(&output(&["rules", "2x2+windows", "--format", "json"])).unwrap();
    assert_eq!(json["rules"], "2x2+windows");
    assert_eq!(json["houses"].as_array().unwrap().len(), 13);
    let last = &json["houses"][12];
    assert_eq!((last["name"].as_str(), last["part"].as_str()), (Some("window 1"), Some("windows")));
    assert_eq!(last["cells"], serde_json::json!(["r2c2", "r2c3", "r3c2", "r3c3"]));
    assert_eq!(
        output(&["rules", "2x2+x", "--format", "csv"]).lines().last(),
        Some("anti-diagonal,diagonals,true,r1c4 r2c3 r3c2 r4c1")
    );
    // The lines are a rules file of the same houses.
    let rules: ninefold::Rules = "2x2+windows+anti-king".parse().unwrap();
    let again: ninefold::Rules = output(&["rules", rules.name(), "--format", "line"]).parse().unwrap();
    let cells = |rules: &ninefold::Rules| rules.houses().iter().map(|house| house.cells().to_vec()).collect::<Vec<_>>();
    assert_eq!(cells(&again), cells(&rules));
}

#[test]
fn rules_of_any_size_are_drawn() {
    for name in
        ["1x1", "free:1", "latin:2+anti-knight", "8x8+anti-knight+anti-king", "free:64+house:r1c1", "latin:3+extra:a.b......"]
    {
        for format in ["grid", "line", "csv", "json"] {
            assert!(!output(&["rules", name, "--format", format]).is_empty());
        }
    }
    let many: String =
        (1..=64).map(|row| format!("house: r{row}c1 r{row}c64 r1c{row}\n").replace("r1c64 r1c1", "r1c64")).collect();
    let path = file("many.rules", &format!("side: 64\n{many}house: r1c1r64c64r3c3\n"));
    assert!(output(&["rules", &format!("@{}", path.display())]).contains("those of"));
}

#[test]
fn wrong_rules_are_refused_with_what_is_wrong() {
    let text = refusal(&["rules", "3x3+digonals"]);
    assert!(text.contains("no rules are called `digonals`; did you mean `diagonals`?"), "{text}");
    let path = file("wrong.rules", "side: 4\nregions:\n1122\n1122\n3344\n3444\n");
    let text = refusal(&["solve", "1...............", "--rules", &format!("@{}", path.display())]);
    assert!(text.contains("line 2, column 1: region 3 has 3 cells where 4 are needed: r3c1 r3c2 r4c1"), "{text}");
    let text = refusal(&["rules", &path.display().to_string()]);
    assert!(text.contains("a rules file is named with an at sign: @"), "{text}");
    let text = refusal(&["rules", "@no-such-file.rules"]);
    assert!(text.contains("cannot read this rules file: no such file"), "{text}");
    let path = file("bytes.rules", "");
    std::fs::write(&path, [0xff, 0xfe]).unwrap();
    assert!(refusal(&["rules", &format!("@{}", path.display())]).contains("no UTF-8 text"));
}

#[test]
fn named_rules_change_what_a_puzzle_means() {
    let puzzle = "1...............";
    let count = |rules: &str| {
        let answer = stdout_of_any(&["solve", puzzle, "--rules", rules, "--all", "--format", "count", "--quiet"]);
        answer.lines().last().unwrap_or_default().split(':').nth(1).unwrap_or_default().to_owned()
    };
    // A quarter of 288, of 576, and of the 48 grids of side 4 with both diagonals full.
    assert_eq!((count("2x2").as_str(), count("latin:4").as_str(), count("latin:4+diagonals").as_str()), ("72", "144", "12"));
    let path = file("diagonals.rules", "# A board of side 4\nside: 4\ndiagonals\n");
    assert_eq!(count(&format!("@{}", path.display())), "12");
}

fn stdout_of_any(args: &[&str]) -> String {
    String::from_utf8(run(args).stdout).unwrap()
}

#[test]
fn answers_name_rules_so_that_they_read_back() {
    let puzzle = "1...............";
    let first = stdout_of_any(&["solve", puzzle, "--rules", "latin:4+diagonals+house:r1c1r2c3", "--format", "json"]);
    let path = file("answer.json", &first);
    assert_eq!(stdout_of_any(&["solve", &path.display().to_string(), "--format", "json"]), first);
}
