//! Writes every table and picture of the documentation.
//!
//! ```text
//! cargo run --release -p ninefold-docs                     # writes all of them anew; measures times, so let nothing else run
//! cargo run --release -p ninefold-docs -- --keep-times     # the same, but times stay as they are
//! cargo run --release -p ninefold-docs -- --check          # fails where anything but a time would change
//! cargo run --release -p ninefold-docs -- cell-order       # prints one block, with times: an experiment, repeated
//! ```
//!
//! What stands between `<!-- generated: NAME -->` and `<!-- end -->` in a page is written by the block of that name; a block may also draw
//! pictures for `docs/images`. Counters do not depend on the machine and are compared to the last digit. Times do: a column whose head
//! speaks of time is left alone by the check, and so is a picture of times.

mod blocks;
mod chart;
mod experiments;
mod pictures;
mod table;
mod tree;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use blocks::{BLOCKS, Block, Made};

/// The pages with generated blocks, from the root of the project.
const PAGES: &[&str] = &["README.md", "docs/STUDY.md"];

const IMAGES: &str = "docs/images";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let done = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => update(true, false),
        ["--keep-times"] => update(false, false),
        ["--check"] => update(false, true),
        ["--help" | "-h"] => Err(usage()),
        ref names => print(names),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let names: Vec<&str> = BLOCKS.iter().map(|block| block.name).collect();
    format!("ninefold-docs [--keep-times | --check | BLOCK…]\nblocks: {}", names.join(" "))
}

/// Prints blocks, with times, and writes nothing.
fn print(names: &[&str]) -> Result<(), String> {
    for name in names {
        let block = BLOCKS.iter().find(|block| block.name == *name).ok_or_else(usage)?;
        println!("{}", (block.make)(true).text);
    }
    Ok(())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn update(times: bool, check: bool) -> Result<(), String> {
    let mut drifted = Vec::new();
    for page in PAGES {
        let path = root().join(page);
        let old = fs::read_to_string(&path).map_err(|error| format!("{page}: {error}"))?;
        let mut images = Vec::new();
        let new = rewrite(&old, |block| {
            eprintln!("{page}: {}", block.name);
            let made = (block.make)(times);
            images.extend(made.images.iter().cloned());
            made
        })
        .map_err(|message| format!("{page}: {message}"))?;
        if new != old {
            drifted.push((*page).to_owned());
            if !check {
                fs::write(&path, new).map_err(|error| format!("{page}: {error}"))?;
            }
        }
        for image in images {
            let path = root().join(IMAGES).join(&image.name);
            let old = fs::read_to_string(&path).ok();
            let Some(svg) = image.svg else {
                if old.is_none() {
                    return Err(format!("{IMAGES}/{} shows times and is missing: draw it without --keep-times", image.name));
                }
                continue;
            };
            if old.as_ref() != Some(&svg) {
                drifted.push(format!("{IMAGES}/{}", image.name));
                if !check {
                    fs::create_dir_all(root().join(IMAGES)).map_err(|error| format!("{IMAGES}: {error}"))?;
                    fs::write(&path, svg).map_err(|error| format!("{}: {error}", image.name))?;
                }
            }
        }
    }
    if check && !drifted.is_empty() {
        return Err(format!(
            "these have drifted: {}\n`cargo run --release -p ninefold-docs -- --keep-times` writes them anew; look at what changed",
            drifted.join(", ")
        ));
    }
    eprintln!("{}", if check { "nothing has drifted".into() } else { format!("written: {}", drifted.join(", ")) });
    Ok(())
}

/// The page with every block made anew; times that were not measured are taken from the old one.
fn rewrite(page: &str, mut make: impl FnMut(&Block) -> Made) -> Result<String, String> {
    const BEGIN: &str = "<!-- generated: ";
    const END: &str = "<!-- end -->";
    let mut out = String::new();
    let mut rest = page;
    while let Some(at) = rest.find(BEGIN) {
        let (before, from) = rest.split_at(at);
        let line = from.lines().next().unwrap_or_default();
        let name = line[BEGIN.len()..].trim_end_matches("-->").trim();
        let end = from.find(END).ok_or_else(|| format!("the block {name} has no end"))?;
        let block = BLOCKS.iter().find(|block| block.name == name).ok_or_else(|| format!("there is no block {name}"))?;
        let old = &from[line.len()..end];
        let new = table::keep_times(&make(block).text, old);
        out.push_str(&format!("{before}{line}\n\n{}\n\n{END}", new.trim()));
        rest = &from[end + END.len()..];
    }
    out.push_str(rest);
    Ok(out)
}
