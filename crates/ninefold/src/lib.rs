//! Sudoku by several strategies behind one trait.
//!
//! Pick a strategy by Cargo feature, so that only its crates are built:
//!
//! ```toml
//! [dependencies]
//! ninefold = { version = "0.1", default-features = false, features = ["bitboard"] }
//! ```
//!
//! or at run time, by name:
//!
//! ```
//! use ninefold::{Limits, Puzzle, Verdict};
//!
//! let puzzle = Puzzle::new("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?)?;
//! # if ninefold::auto(puzzle.rules()).is_none() { return Ok(()) }
//! let strategy = ninefold::by_name("dlx").or(ninefold::auto(puzzle.rules())).expect("a strategy is enabled");
//! let mut solver = (strategy.build)();
//! match solver.classify(&puzzle, &Limits::none()) {
//!     Verdict::Unique(solution) => println!("{solution:#}"),
//!     other => println!("{}", other.name()),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! or leave the choice to [`solve`] and [`classify`]:
//!
//! ```
//! let puzzle = ninefold::Puzzle::new("1... .... ...2 ....".parse()?)?;
//! let outcome = ninefold::solve(&puzzle);
//! # if ninefold::auto(puzzle.rules()).is_none() { return Ok(()) }
//! assert_eq!(outcome.count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything else, from boards to the [`Solver`] trait, is re-exported from `ninefold-core`.

pub mod certify;
pub mod crosscheck;
pub mod explain;

pub use ninefold_core::*;

/// The examples of the README, compiled and run with the documentation tests.
#[cfg(all(doctest, feature = "dlx"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The rows of one strategy, where its feature is on.
macro_rules! rows {
    ($feature:literal, $krate:ident) => {{
        #[cfg(feature = $feature)]
        let rows = $krate::STRATEGIES;
        #[cfg(not(feature = $feature))]
        let rows: &[Strategy] = &[];
        rows
    }};
}

/// The registry: every strategy crate, in the order in which tables show them, from the plainest to the fastest.
const REGISTRY: &[&[Strategy]] = &[
    rows!("backtracking", ninefold_solver_backtracking),
    rows!("state-array", ninefold_solver_state_array),
    rows!("propagation", ninefold_solver_propagation),
    rows!("dlx", ninefold_solver_dlx),
    rows!("sat", ninefold_solver_sat),
    rows!("batsat", ninefold_solver_batsat),
    rows!("bitboard", ninefold_solver_bitboard),
];

/// The enabled strategies without their variants, one row each.
pub fn strategies() -> Vec<&'static Strategy> {
    all_variants().filter(|strategy| strategy.variant().is_none()).collect()
}

/// Every row of the registry: the strategies, each followed by its variants.
pub fn all_variants() -> impl Iterator<Item = &'static Strategy> {
    REGISTRY.iter().copied().flatten()
}

/// The strategy or variant with this name: `dlx`, `state-array:fewest`. `None` where there is none, or its feature is off.
pub fn by_name(name: &str) -> Option<&'static Strategy> {
    all_variants().find(|strategy| strategy.name == name)
}

/// The best enabled strategy for these rules: the first of `bitboard`, `propagation`, `sat`, `batsat`, `dlx`, `state-array`, `backtracking`
/// that takes them. From side 16 on `propagation:learning` comes first and the SAT strategies next: where singles alone do not settle a
/// board of that size, learning from conflicts is what does. `None` where no enabled strategy takes the rules.
///
/// docs/STRATEGIES.md has the measurements behind this.
pub fn auto(rules: &Rules) -> Option<&'static Strategy> {
    const SMALL: [&str; 7] = ["bitboard", "propagation", "sat", "batsat", "dlx", "state-array", "backtracking"];
    const LARGE: [&str; 7] = ["propagation:learning", "batsat", "sat", "dlx", "state-array", "backtracking", "bitboard"];
    let order = if rules.side() < 16 { SMALL } else { LARGE };
    order.iter().filter_map(|name| by_name(name)).find(|strategy| strategy.caps.takes(rules))
}

/// The first solution, by the strategy that [`auto`] picks, without limits: [`Outcome::solution`] has it.
///
/// Whether it is the only one is not asked; [`classify`] does. With no strategy enabled the outcome ends as [`End::Unsupported`].
pub fn solve(puzzle: &Puzzle) -> Outcome {
    match auto(puzzle.rules()) {
        Some(strategy) => (strategy.build)().solve(puzzle, &Limits::none()),
        None => Outcome::new(End::Unsupported, Counters::default()),
    }
}

/// Whether the puzzle has no solution, exactly one, or more, by the strategy that [`auto`] picks, without limits.
///
/// ```
/// let puzzle = ninefold::Puzzle::new("12.. .... .... ....".parse()?)?;
/// # if ninefold::auto(puzzle.rules()).is_none() { return Ok(()) }
/// assert_eq!(ninefold::classify(&puzzle).name(), "multiple");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn classify(puzzle: &Puzzle) -> Verdict {
    match auto(puzzle.rules()) {
        Some(strategy) => (strategy.build)().classify(puzzle, &Limits::none()),
        None => Verdict::Unsupported,
    }
}
