//! What reading and writing cost: `cargo run --release -p ninefold-formats --example throughput -- FILE`.
//!
//! Reads the file into memory, then several times over reads every puzzle from there and writes it as a line. The best round is
//! printed, in nanoseconds a puzzle: reading alone, then reading and writing.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use ninefold_formats::{Options, Reader, write_line};

const ROUNDS: usize = 30;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: throughput FILE");
        return ExitCode::from(2);
    };
    let text = match std::fs::read(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("cannot read {path}: {error}");
            return ExitCode::from(2);
        }
    };
    let mut out = Vec::with_capacity(1 << 16);
    for (what, writes) in [("read", false), ("read and write", true)] {
        let mut best = f64::INFINITY;
        let mut puzzles = 0u32;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            puzzles = 0;
            for entry in Reader::new(&text[..], Options::new()).flatten() {
                puzzles += 1;
                if writes {
                    if out.len() > 1 << 15 {
                        black_box(&out);
                        out.clear();
                    }
                    write_line(&mut out, entry.board());
                } else {
                    black_box(entry.board());
                }
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{what}: {puzzles} puzzles, {:.1} ns a puzzle", best * 1e9 / f64::from(puzzles.max(1)));
    }
    ExitCode::SUCCESS
}
