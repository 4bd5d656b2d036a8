//! What can be asked of a race.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use crate::args::{AnswerFormat, InputArgs, duration, table_format};

/// Run every strategy on the same puzzles and compare answers, time and counters
///
/// Without a file it runs on some embedded sets of all kinds; every file is a set of its own. Each answer is checked by the rules and compared with
/// the others and with what the file says (`puzzle:count:solution`). The order of puzzles and strategies is shuffled; the best of several times counts.
/// A strategy that takes too long for a puzzle gives up on it, which is no disagreement and never counts as fast.
#[derive(Debug, Args)]
#[command(after_long_help = crate::args::EXIT_CODES)]
pub(crate) struct RaceArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// The strategies, separated by commas; `all` stands for all but their variants, `variants` for these too
    #[arg(short, long, value_name = "NAMES", value_delimiter = ',', default_value = "all", hide_possible_values = true, value_parser = racer_names())]
    pub(crate) strategies: Vec<String>,

    /// What is asked about every puzzle
    #[arg(long, value_name = "QUESTION", default_value = "count")]
    pub(crate) question: Question,

    /// Give up on a puzzle after this time: 2, 0.5, 500ms, 2s, 1m
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "500ms")]
    pub(crate) time_per_puzzle: Duration,

    /// Give up on a puzzle after this many nodes (conflicts, for a strategy that has no nodes)
    #[arg(long, value_name = "N")]
    pub(crate) limit_nodes: Option<u64>,

    /// End the race after this time. What it has seen by then is a random sample of every set
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub(crate) total_timeout: Duration,

    /// Time what was answered this many times again; the best counts
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) repeat: u32,

    /// Threads that race. More than one end sooner and slow each other down
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,

    /// The seed of every order
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// A row for each strategy and puzzle rather than for each strategy and set
    #[arg(long)]
    pub(crate) puzzles: bool,

    /// The columns of the table; CSV and JSON have all of them
    #[arg(long, value_name = "COLUMNS", default_value = "main")]
    pub(crate) columns: Columns,

    /// Also write all of it to this file as one page for a browser, with plots and the hardest puzzles
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// How to write the results
    #[arg(short, long, value_name = "FORMAT", default_value = "grid", value_parser = table_format())]
    pub(crate) format: AnswerFormat,

    /// No summary and no progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Question {
    /// The first solution
    Solve,
    /// No solution, exactly one, or more
    Count,
    /// All solutions, up to 1000
    Enumerate,
}

impl From<Question> for ninefold_race::Question {
    fn from(question: Question) -> ninefold_race::Question {
        match question {
            Question::Solve => ninefold_race::Question::Solve,
            Question::Count => ninefold_race::Question::Count,
            Question::Enumerate => ninefold_race::Question::Enumerate,
        }
    }
}

/// How many columns a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Columns {
    /// Those that matter most, as far as the terminal is wide enough
    Main,
    /// All, in three tables a set
    All,
}

fn racer_names() -> PossibleValuesParser {
    PossibleValuesParser::new(["all", "variants"].into_iter().chain(ninefold::all_variants().map(|strategy| strategy.name)))
}
