//! Makes many puzzles of every symmetry and size and checks that each is as asked; some minutes.
//!
//! ```text
//! cargo run --release -p ninefold-generator --example check_many [-- SEEDS [SHAPE …]]
//! ```

use std::time::Instant;

use ninefold::{Limits, Rules, Verdict};
use ninefold_generator::{Generator, Symmetry};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seeds: u64 = arguments.next().map_or(Ok(200), |seeds| seeds.parse())?;
    let mut shapes: Vec<String> = arguments.collect();
    if shapes.is_empty() {
        shapes = ["2x2", "2x3", "3x3", "4x4"].map(String::from).to_vec();
    }
    for shape in shapes {
        let rules = Rules::blocks(shape.parse()?);
        // The checks of the generator come from these; whoever checks is another one.
        let mut checker = (ninefold::by_name("propagation").ok_or("strategy `propagation` is off")?.build)();
        let mut thorough = (ninefold::by_name("sat").ok_or("strategy `sat` is off")?.build)();
        for symmetry in Symmetry::ALL {
            // Minimal puzzles of side 16 and more take seconds each.
            for minimal in [false, true].into_iter().take(if rules.side() > 12 { 1 } else { 2 }) {
                let start = Instant::now();
                let mut givens = (usize::MAX, 0, 0);
                for seed in 0..seeds {
                    let generator = Generator::new(&rules, seed).symmetry(symmetry).minimal(minimal);
                    let made =
                        generator.generate(0, &Limits::none()).map_err(|error| format!("{shape} {symmetry} {seed}: {error}"))?;
                    let board = made.puzzle().board();
                    let quick = Limits::none().with_nodes(10_000);
                    let verdict = match checker.classify(made.puzzle(), &quick) {
                        Verdict::Unknown(_) => thorough.classify(made.puzzle(), &Limits::none()),
                        verdict => verdict,
                    };
                    assert!(
                        matches!(verdict, Verdict::Unique(only) if only == *made.solution()),
                        "{shape} {symmetry} {seed}: {board}"
                    );
                    assert!(symmetry.holds(board), "{shape} {symmetry} {seed}: {board}");
                    assert_eq!(made.is_orbit_minimal(), minimal, "{shape} {symmetry} {seed}: {board}");
                    if minimal && symmetry == Symmetry::None {
                        assert_eq!(made.is_minimal(&Limits::none()), Some(true), "{shape} {seed}: {board}");
                    }
                    let count = board.given_count();
                    givens = (givens.0.min(count), givens.1.max(count), givens.2 + count as u64);
                }
                let kind = if minimal { "minimal" } else { "usual" };
                println!(
                    "{shape} {symmetry} {kind}: {seeds} puzzles, givens {} to {}, {:.1} on average; {:.1} a second",
                    givens.0,
                    givens.1,
                    givens.2 as f64 / seeds as f64,
                    seeds as f64 / start.elapsed().as_secs_f64()
                );
            }
        }
    }
    Ok(())
}
