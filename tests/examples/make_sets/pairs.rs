//! For each two strategies a puzzle that is hard for the one and easy for the other.

use std::error::Error;
use std::ops::ControlFlow;

use ninefold::{Counter, Limits, Puzzle, Rules, Strategy};
use ninefold_generator::hard::{Found, Hunt, Kind};

use crate::{Item, Items, strategy, traps};

/// Nodes (or conflicts) after which the hard strategy is stopped.
const NODES: u64 = 1_000_000;

/// A hunt for a pair is over when it has a puzzle with this ratio; the better ones that would follow show nothing more.
const ENOUGH: f64 = 10_000.0;

/// The same where `sat` is to take long, for which nothing better is found.
const ENOUGH_FOR_SAT: f64 = 1000.0;

/// Hunts for one pair before the best is taken.
const HUNTS: u64 = 12;

/// How a puzzle is come by.
enum Way {
    Hunt(Kind),
    Decoys,
    Dominoes,
    Pigeons,
}

/// Of each two strategies: hunting where that finds something, building where it does not.
fn way(hard: &str, easy: &str) -> Option<Way> {
    Some(match (hard, easy) {
        // The same tree to the last node.
        ("backtracking", "state-array") | ("state-array", "backtracking") => return None,
        // The same singles and the same item to branch on, of which only one counts what is forced: never more nodes.
        ("propagation", "dlx") => return None,
        ("backtracking" | "state-array", _) => Way::Hunt(Kind::Unique),
        ("propagation" | "dlx", "backtracking" | "state-array") | ("propagation", "sat") => Way::Decoys,
        ("dlx", "propagation") => Way::Dominoes,
        ("sat", "backtracking" | "state-array" | "propagation" | "dlx") => Way::Pigeons,
        _ => Way::Hunt(Kind::Unsolvable),
    })
}

/// The strategies that pairs are made of. `batsat` solves the formulas of `sat`, and comes with a feature of its own.
pub(crate) fn strategies() -> Vec<&'static Strategy> {
    ninefold::strategies().into_iter().filter(|strategy| strategy.name != "batsat").collect()
}

/// The puzzles of the set `hard-for-<strategy>`: one for each other strategy.
pub(crate) fn hard_for(hard: &'static Strategy) -> Items {
    let mut items = Vec::new();
    for easy in strategies().into_iter().filter(|easy| easy.name != hard.name) {
        let puzzle = match way(hard.name, easy.name) {
            None => continue,
            Some(Way::Hunt(kind)) => hunted(hard, easy, kind)?,
            Some(Way::Decoys) => traps::decoys("3x5", 1)?,
            Some(Way::Dominoes) => traps::dominoes("6x6", 1)?,
            Some(Way::Pigeons) => pigeons()?,
        };
        let comment = figures(hard.name, easy.name, &puzzle)?;
        eprintln!("  {comment}");
        items.push(Item { name: Some(format!("hard-for-{}-easy-for-{}", hard.name, easy.name)), puzzle, comment: Some(comment) });
    }
    Ok(items)
}

/// Pigeons that `sat` takes many conflicts for, and yet few enough for a test: whether it stays with them hangs by a thread.
fn pigeons() -> Result<Puzzle, Box<dyn Error>> {
    let mut solver = strategy("sat")?;
    for seed in 1.. {
        let puzzle = traps::pigeons("4x5", 10, seed)?;
        let outcome = solver.count(&puzzle, 1, &Limits::none().with_nodes(40_000));
        if outcome.is_exact() && outcome.counters().get(Counter::Conflicts) >= Some(15_000) {
            return Ok(puzzle);
        }
    }
    Err("no pigeons".into())
}

/// The ratio of the puzzle that is easy for this strategy, as its comment says it.
pub(crate) fn ratio(items: &[Item], easy: &str) -> String {
    let is_it = |item: &&Item| item.name.as_ref().is_some_and(|name| name.ends_with(&format!("-easy-for-{easy}")));
    let comment = items.iter().find(is_it).and_then(|item| item.comment.as_deref());
    comment.and_then(|comment| comment.rsplit_once("ratio ")).map_or("–".into(), |(_, ratio)| ratio.replace("at least", "over"))
}

fn hunted(hard: &'static Strategy, easy: &'static Strategy, kind: Kind) -> Result<Puzzle, Box<dyn Error>> {
    // The same tree as `backtracking`, several times as fast.
    let quick = |row: &'static Strategy| if row.name == "backtracking" { ninefold::by_name("state-array") } else { Some(row) };
    let (hard, easy) = quick(hard).zip(quick(easy)).ok_or("strategy `state-array` is off")?;
    let hunt = Hunt::new(Rules::classic(), 2, hard, easy).kind(kind).attempts(20_000).nodes(NODES);
    let goal = if hard.name == "sat" { ENOUGH_FOR_SAT } else { ENOUGH };
    let mut best: Option<Found> = None;
    for index in 0..HUNTS {
        let mut enough = |found: &Found| if found.ratio() < goal { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        let found = hunt.search(index, &Limits::none(), &mut enough)?;
        if best.as_ref().is_none_or(|best| found.ratio() > best.ratio()) {
            best = Some(found);
        }
        if best.as_ref().is_some_and(|best| best.ratio() >= goal) {
            break;
        }
    }
    Ok(best.ok_or("no hunt found a puzzle")?.puzzle().clone())
}

/// What both take, and the ratio.
fn figures(hard: &str, easy: &str, puzzle: &Puzzle) -> Result<String, Box<dyn Error>> {
    let mut texts = Vec::new();
    let mut steps = Vec::new();
    let mut least = "";
    for name in [hard, easy] {
        let outcome = strategy(name)?.count(puzzle, 2, &Limits::none().with_nodes(NODES));
        let counters = outcome.counters();
        let (count, what) = match counters.nodes() {
            Some(nodes) => (nodes, "nodes"),
            None => (counters.get(Counter::Conflicts).ok_or("neither nodes nor conflicts")?, "conflicts"),
        };
        let more = if outcome.is_exact() { "" } else { " or more" };
        if !outcome.is_exact() {
            least = "at least ";
        }
        texts.push(format!("{name} {count}{more} {what}"));
        steps.push(count.max(1));
    }
    Ok(format!("{}: ratio {least}{}", texts.join(", "), steps[0] / steps[1]))
}

/// The puzzles of the set `hard-for-all`, with what they take.
pub(crate) fn hard_for_all() -> Items {
    let hunt = Hunt::for_all(Rules::classic(), 1, ninefold::strategies()).attempts(10_000).nodes(3 * NODES);
    let mut items = Vec::new();
    for index in 0..4 {
        let found = hunt.search(index, &Limits::none(), &mut |_| ControlFlow::Continue(()))?;
        let figures: Vec<String> = found
            .hard()
            .iter()
            .map(|figure| format!("{} {} of usually {}", figure.strategy, figure.steps, figure.usual))
            .collect();
        let comment = format!("{}: least ratio {:.1}", figures.join(", "), found.ratio());
        eprintln!("  {comment}");
        items.push(Item { name: None, puzzle: found.puzzle().clone(), comment: Some(comment) });
    }
    Ok(items)
}
