//! The program `ninefold`: solves, checks and races Sudoku strategies.
//!
//! One file a command (`solve`, `check`, `race`, `crosscheck`, `explain`, `trace`, `generate`, `certify`, `verify`, `strategies`, `rules`, `completions`); `args` says what can be asked, `input` finds the
//! puzzles, `batch` streams them through the threads, `output` writes the answers and `report` the errors.

mod args;
mod batch;
mod certify;
mod check;
mod completions;
mod crosscheck;
mod explain;
mod generate;
mod input;
mod output;
mod progress;
mod race;
mod report;
mod rules;
mod solve;
mod status;
mod strategies;
mod trace;
mod verify;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use status::{Status, Stop};

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match args.command {
        None => args::newcomer_help(),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Race(args)) => race::run(&args),
        Some(Command::Trace(args)) => trace::run(&args),
        Some(Command::Generate(args)) => generate::run(&args),
        Some(Command::Certify(args)) => certify::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Crosscheck(args)) => crosscheck::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Strategies(args)) => strategies::run(&args),
        Some(Command::Rules(args)) => rules::run(&args),
        Some(Command::Completions(args)) => completions::run(&args),
    };
    match done {
        Ok(status) => status.into(),
        // Whoever reads the answers has enough: nothing to complain about.
        Err(Stop::Closed) => Status::Yes.into(),
        Err(Stop::Failed(message)) => {
            let _ = writeln!(anstream::stderr(), "{}", report::plain_error(&message));
            Status::Error.into()
        }
    }
}
