//! The registry is whole: every strategy crate is a feature, a default and a row.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Strategies that a user of the facade has to ask for. The program has them all.
const NOT_DEFAULT: [&str; 1] = ["batsat"];

/// The strategy crates that exist, by their folders.
fn folders() -> BTreeSet<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let entries = fs::read_dir(&crates).expect("the folder of the crates");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"));
    names.filter_map(|name| name.strip_prefix("solver-").map(str::to_owned)).collect()
}

fn manifest(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_strategy_crate_is_a_feature_and_a_default_of_the_facade_or_of_the_program() {
    let facade = manifest("../crates/ninefold/Cargo.toml");
    let program = manifest("../crates/cli/Cargo.toml");
    let default = facade.lines().find(|line| line.starts_with("default = ")).expect("a line `default = [...]`");
    assert!(!folders().is_empty());
    for name in folders() {
        let feature = format!("{name} = [\"dep:ninefold-solver-{name}\"]");
        assert!(facade.contains(&feature), "crates/ninefold/Cargo.toml lacks the line `{feature}`");
        let dependency = format!("ninefold-solver-{name} = {{ workspace = true, optional = true }}");
        assert!(facade.contains(&dependency), "crates/ninefold/Cargo.toml lacks the line `{dependency}`");
        if NOT_DEFAULT.contains(&name.as_str()) {
            let feature = format!("\"ninefold/{name}\"");
            assert!(program.contains(&feature), "`all` in crates/cli/Cargo.toml lacks {feature}");
        } else {
            assert!(default.contains(&format!("\"{name}\"")), "`default` in crates/ninefold/Cargo.toml lacks \"{name}\"");
        }
    }
}

#[test]
fn every_row_belongs_to_a_crate_and_names_are_unique() {
    let mut names = BTreeSet::new();
    for strategy in ninefold::all_variants() {
        assert!(folders().contains(strategy.base()), "{} has no crate", strategy.name);
        assert!(names.insert(strategy.name), "two rows are called {}", strategy.name);
        assert!(!strategy.summary.is_empty(), "{} has no summary", strategy.name);
        assert_eq!(ninefold::by_name(strategy.name).map(|found| found.name), Some(strategy.name));
    }
    for strategy in ninefold::all_variants().filter(|strategy| strategy.variant().is_some()) {
        assert!(ninefold::by_name(strategy.base()).is_some(), "{} is a variant of nothing", strategy.name);
    }
}

#[cfg(feature = "all")]
#[test]
fn every_strategy_crate_has_its_row() {
    for name in folders() {
        assert!(ninefold::by_name(&name).is_some(), "the registry in crates/ninefold/src/lib.rs lacks a row for {name}");
    }
}

#[test]
fn auto_picks_an_enabled_strategy_that_takes_the_rules() {
    for shape in ["1x1", "2x2", "3x3", "2x5", "4x4", "5x5"] {
        let rules = ninefold::Rules::blocks(shape.parse().unwrap());
        let any = ninefold::strategies().iter().any(|strategy| strategy.caps.takes(&rules));
        assert_eq!(ninefold::auto(&rules).is_some(), any, "{shape}");
        assert!(ninefold::auto(&rules).is_none_or(|strategy| strategy.caps.takes(&rules)));
    }
}
