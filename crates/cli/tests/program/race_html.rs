//! The page that `ninefold race --html` writes: complete in itself, safe whatever the puzzles are called, and without errors in a browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::program;

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn race(args: &[&str], page: &Path) -> String {
    let output = program().arg("race").args(args).arg("--html").arg(page).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(page).unwrap()
}

/// Two sets, one with a name that tries to break out.
fn two_sets(directory: &Path) -> [String; 2] {
    let hostile = r#"</script><script>alert(1)</script>\"'<img src=x onerror=alert(2)>"#;
    let lines = [
        format!(r#"{{"puzzle":"{PUZZLE}","name":"{hostile}"}}"#),
        r#"{"puzzle":"123434122.4.4.2.","name":"two & more"}"#.to_owned(),
        r#"{"puzzle":"1...23...4......","name":"none"}"#.to_owned(),
    ];
    [("<one>&.jsonl", &lines[..]), ("two.jsonl", &lines[1..])].map(|(name, lines)| {
        let path = directory.join(name);
        fs::write(&path, lines.join("\n")).unwrap();
        path.to_str().unwrap().to_owned()
    })
}

#[test]
fn the_page_is_complete_and_escapes_every_text() {
    let directory = directory("race_html_escape");
    let sets = two_sets(&directory);
    let page = race(&[&sets[0], &sets[1], "--repeat", "1"], &directory.join("page.html"));
    for id in ["tables", "cactus", "correlation", "hardest", "source"] {
        assert!(page.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
    assert!(!page.contains("<img") && !page.contains("alert(1)</script>") && !page.contains("<one>"), "a name broke out");
    assert_eq!(page.matches("</script>").count(), page.matches("<script").count());
    // Nothing is fetched: the only address is the name of the SVG standard.
    let addresses = page.split("http").skip(1).map(|rest| rest.split(['"', '\'', '<']).next().unwrap());
    for address in addresses.filter(|address| address.contains("://")) {
        assert_eq!(address, "://www.w3.org/2000/svg");
    }
    assert!(page.contains("default-src 'none'") && !page.contains("@import") && !page.contains("url("));
    // No colour of the plotting library is left: all go by names that dark pages and paper redefine.
    assert!(!page.contains("\"#00"), "a colour was not replaced");
    assert!(page.contains("class=\"l0\"") && page.contains("<title>"));
}

#[test]
fn a_page_that_cannot_be_written_is_told_before_the_race() {
    let directory = directory("race_html_nowhere");
    let page = directory.join("no/such/folder/page.html");
    let output = program().args(["race", PUZZLE, "--html"]).arg(page).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty() && String::from_utf8_lossy(&output.stderr).contains("cannot write"));
}

/// A browser that can run without a window.
fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let runs = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    names.into_iter().find(runs)
}

#[test]
fn a_browser_loads_the_page_without_errors() {
    let Some(browser) = browser() else {
        eprintln!("skipped: there is no Chromium here");
        return;
    };
    let directory = directory("race_html_browser");
    let sets = two_sets(&directory);
    let path = directory.join("page.html");
    race(&[&sets[0], &sets[1], "--repeat", "1"], &path);
    let load = |path: &Path| {
        let output = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr", "--v=0"])
            .args(["--virtual-time-budget=3000", "--dump-dom"])
            .arg(format!("--user-data-dir={}", directory.join("profile").display()))
            .arg(format!("file://{}", path.display()))
            .output()
            .unwrap();
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        let console: Vec<String> = log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
        (String::from_utf8_lossy(&output.stdout).into_owned(), console)
    };
    let (dom, console) = load(&path);
    assert!(console.is_empty(), "{console:?}");
    assert!(dom.contains("id=\"hardest\""), "the page did not load: {dom:.300}");
    if dom.contains("id=\"scatter\"") {
        // The script has drawn the marks anew: its coordinates are not rounded.
        let marks = dom.split("id=\"marks\"").nth(1).unwrap().split("</g>").next().unwrap();
        assert!(marks.matches("<circle").count() >= 1 && marks.contains("class=\"dot\""), "{marks:.300}");
    }
    // The check can fail: an error in a script is seen.
    let broken = directory.join("broken.html");
    fs::write(&broken, "<!doctype html><script>nothing.at.all()</script>").unwrap();
    assert_eq!(load(&broken).1.len(), 1);
}
