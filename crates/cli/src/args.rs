//! What can be asked on the command line.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ArgGroup, Parser, Subcommand, ValueEnum};
use ninefold::{Limits, Rules};
use ninefold_formats::{Format, Options, Symbols};

use crate::race::RaceArgs;
use crate::status::{Done, Status};

pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    every puzzle has exactly one solution (solve), every board is valid (check), all agree (race, crosscheck)
  1    the opposite
  2    input or usage error
  3    gave up at a limit
  130  interrupted
Of several puzzles the worst of 2, 1, 3 (in that order) counts, and all are answered.";

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Solves Sudokus of any size by several strategies, checks boards, and races the strategies against each other
#[derive(Debug, Parser)]
#[command(name = "ninefold", version, max_term_width = 110, after_help = EXIT_CODES, disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Solve(SolveArgs),
    Check(CheckArgs),
    Race(RaceArgs),
    Crosscheck(crate::crosscheck::CrosscheckArgs),
    Explain(crate::explain::ExplainArgs),
    Trace(crate::trace::TraceArgs),
    Generate(crate::generate::GenerateArgs),
    Certify(crate::certify::CertifyArgs),
    Verify(crate::verify::VerifyArgs),
    Strategies(StrategiesArgs),
    Rules(crate::rules::RulesArgs),
    Completions(CompletionsArgs),
}

/// Solve puzzles and tell whether each has no solution, exactly one, or more
///
/// Answers go to standard output in the order of the input, everything else to standard error. Input of any size streams through in
/// flat memory, on all cores.
#[derive(Debug, ArgGroup)]
#[command(after_long_help = EXIT_CODES)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// The strategy, or a variant of one: see `ninefold strategies --all`. `auto` takes the best for the rules
    #[arg(short, long, value_name = "NAME[:VARIANT]", default_value = "auto", hide_possible_values = true, value_parser = strategy_names())]
    pub(crate) strategy: String,

    /// Look for this many solutions. 1 does not ask whether there are more, and exits with 0 when it finds one
    #[arg(short, long, value_name = "N", default_value_t = 2, default_value_if("all", "true", "18446744073709551615"), hide_default_value = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: u64,

    /// List every solution (up to --count, if given), as it is found. Works on one thread
    #[arg(short, long)]
    pub(crate) all: bool,

    /// Give up on a puzzle after this many nodes (conflicts, for a strategy that has no nodes)
    #[arg(long, value_name = "N")]
    pub(crate) limit_nodes: Option<u64>,

    /// Give up on a puzzle after this time: 2, 0.5, 500ms, 2s, 1m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,

    /// Give up on all that is not answered after this time
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) total_timeout: Option<Duration>,

    /// How to write the answers
    #[arg(short, long, value_name = "FORMAT", default_value = "grid")]
    pub(crate) format: AnswerFormat,

    /// Threads that solve [default: one a core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Show the counters and times of each puzzle, and their sums at the end. Puzzles are timed one by one, which is slower
    #[arg(long)]
    pub(crate) stats: bool,

    /// No summary and no progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Check boards: is a digit twice in a row, a column or a block?
///
/// Prints `true` or `false` for each board, and every clash. A valid board need not be solvable: `ninefold solve` tells.
#[derive(Debug, ArgGroup)]
#[command(after_long_help = EXIT_CODES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Also check that this full board (a text, a file or -) solves each puzzle; the first mismatch is told
    #[arg(long, value_name = "FILE|-|BOARD")]
    pub(crate) solution: Option<OsString>,

    /// How to write the answers
    #[arg(short, long, value_name = "FORMAT", default_value = "grid", value_parser = table_format())]
    pub(crate) format: AnswerFormat,

    /// No summary and no progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// List the strategies: what each is, which rules it takes, what it counts
#[derive(Debug, ArgGroup)]
pub(crate) struct StrategiesArgs {
    /// The variants too: one change from the default each
    #[arg(short, long)]
    pub(crate) all: bool,

    /// How to write the list
    #[arg(short, long, value_name = "FORMAT", default_value = "grid", value_parser = table_format())]
    pub(crate) format: AnswerFormat,
}

/// Write the completions of a shell to standard output
#[derive(Debug, ArgGroup)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// Where puzzles come from and how they are read.
#[derive(Clone, Debug, ArgGroup)]
pub(crate) struct InputArgs {
    /// Files, directories, `-` for standard input, or puzzles as text. Standard input if none is given
    #[arg(value_name = "FILE|-|PUZZLE")]
    pub(crate) inputs: Vec<OsString>,

    /// The rules of every board: 3x3, 2x3+diagonals, latin:7, jigsaw:MAP, or @FILE. Otherwise told from the content. `ninefold rules`
    /// lists the names
    #[arg(short, long, value_name = "RULES", value_parser = rules)]
    pub(crate) rules: Option<Rules>,

    /// The format of the input, rather than the one that the content shows
    #[arg(long, value_name = "FORMAT", value_parser = input_format())]
    pub(crate) input_format: Option<Format>,

    /// The digits of the input, where they are not clear: from 1 (0 is a blank), from 0, or letters from A
    #[arg(long, value_name = "SYMBOLS")]
    pub(crate) symbols: Option<SymbolChoice>,

    /// Pick puzzles out of text that is no puzzle file
    #[arg(long)]
    pub(crate) lenient: bool,

    /// Refuse compressed input that unfolds to more than this many bytes
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 32)]
    pub(crate) max_unpacked: u64,
}

impl InputArgs {
    /// The reader's options.
    pub(crate) fn options(&self) -> Options {
        let mut options = Options::new().lenient(self.lenient).max_decompressed(self.max_unpacked);
        if let Some(rules) = &self.rules {
            options = options.rules(rules.clone());
        }
        if let Some(format) = self.input_format {
            options = options.format(format);
        }
        if let Some(symbols) = self.symbols {
            options = options.symbols(match symbols {
                SymbolChoice::FromOne => Symbols::FromOne,
                SymbolChoice::FromZero => Symbols::FromZero,
                SymbolChoice::Letters => Symbols::Letters,
            });
        }
        options
    }
}

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// For people: what is known, and the solutions as grids
    Grid,
    /// One line a puzzle: the first solution, or the verdict's word in its place
    Line,
    /// Comma-separated columns with a header
    Csv,
    /// One JSON object a line
    Json,
    /// puzzle:count:solution, with `2+` for "at least 2"
    Count,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SymbolChoice {
    FromOne,
    FromZero,
    Letters,
}

/// Every format but `count`, which only counting commands have.
pub(crate) fn table_format() -> impl TypedValueParser<Value = AnswerFormat> {
    PossibleValuesParser::new(["grid", "line", "csv", "json"])
        .map(|name| AnswerFormat::from_str(&name, false).expect("these are names of formats"))
}

/// The names in the registry, so that a wrong one gets suggestions and shells complete them.
pub(crate) fn strategy_names() -> PossibleValuesParser {
    PossibleValuesParser::new(std::iter::once("auto").chain(ninefold::all_variants().map(|strategy| strategy.name)))
}

fn input_format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.iter().map(|format| format.name()))
        .map(|name| name.parse().expect("these are names of formats"))
}

/// Rules by their name, or `@` and a rules file.
pub(crate) fn rules(text: &str) -> Result<Rules, String> {
    if let Some(path) = text.strip_prefix('@') {
        return rules_file(path);
    }
    text.parse().map_err(|error: ninefold::RulesError| {
        let hint =
            if Path::new(text).is_file() { format!(" (a rules file is named with an at sign: @{text})") } else { String::new() };
        format!("{error}{hint}")
    })
}

fn rules_file(path: &str) -> Result<Rules, String> {
    // As many houses as rules may have, written out at length.
    const LONGEST: u64 = 1 << 24;
    let mut text = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut text));
    read.map_err(|error| format!("cannot read this rules file: {}", crate::input::reason(&error)))?;
    if text.len() as u64 > LONGEST {
        return Err(format!("this rules file is longer than {LONGEST} bytes"));
    }
    let text = String::from_utf8(text).map_err(|_| String::from("this rules file is no UTF-8 text"))?;
    text.parse().map_err(|error: ninefold::RulesError| match error.place() {
        Some((line, column)) => format!("line {line}, column {column}: {error}"),
        None => error.to_string(),
    })
}

/// The limits of one search.
pub(crate) fn limits(nodes: Option<u64>, time: Option<Duration>) -> Limits {
    let mut limits = Limits::none();
    if let Some(nodes) = nodes {
        limits = limits.with_nodes(nodes);
    }
    if let Some(time) = time {
        limits = limits.with_time(time);
    }
    limits
}

/// A time: seconds, or a figure with `ms`, `s`, `m` or `h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let (figure, unit) = match text.find(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E')) {
        Some(at) => (&text[..at], &text[at..]),
        None => (text, "s"),
    };
    let scale = match unit {
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("a time is expected, such as 2, 0.5, 500ms, 2s or 1m".into()),
    };
    let seconds: f64 = figure.trim().parse().map_err(|_| String::from("a time is expected, such as 2, 0.5, 500ms, 2s or 1m"))?;
    if seconds < 0.0 {
        return Err("a time cannot be negative".into());
    }
    Duration::try_from_secs_f64(seconds * scale).map_err(|_| "this time is too long".into())
}

/// What a first call without arguments shows.
pub(crate) fn newcomer_help() -> Done {
    let text = format!(
        "\
Ninefold solves Sudokus by several strategies, checks boards, and races the strategies.

Try:
  ninefold solve {PUZZLE}
  ninefold race

Commands:
  solve        solve puzzles and tell whether each has no solution, exactly one, or more
  check        is a digit twice in a row, a column or a block?
  race         run every strategy on the same puzzles and compare answers, time and counters
  crosscheck   hold the answers of strategies, and of your own solver, against each other
  explain      say which givens cannot stand together, or what would make a puzzle unique
  trace        show a search step by step
  generate     make puzzles
  certify      write a proof that there is no solution, exactly one, or so many
  verify       check such a proof with nothing but the rules
  strategies   list the strategies
  rules        list the rule sets, draw their houses
  completions  write the completions of a shell

Puzzles come from files, directories, standard input (-) or the command line, in any common format.
`ninefold COMMAND --help` tells the options and exit codes of a command.
"
    );
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(Status::Yes)
}
