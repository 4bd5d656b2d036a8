//! Exit codes, and what ends a command early.

use std::io;
use std::process::ExitCode;

/// How a command went, from good to bad; of several puzzles the worst counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Code 0: as one hopes.
    #[default]
    Yes,
    /// Code 3: a limit ran out.
    GaveUp,
    /// Code 1: the opposite.
    No,
    /// Code 2: input or usage error.
    Error,
    /// Code 130: interrupted.
    Interrupted,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Yes => 0,
            Status::No => 1,
            Status::Error => 2,
            Status::GaveUp => 3,
            Status::Interrupted => 130,
        })
    }
}

/// What ends a command before it is done.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The reader of the answers went away.
    Closed,
    /// Something else, in one clause.
    Failed(String),
}

impl From<io::Error> for Stop {
    /// For errors of standard output.
    fn from(error: io::Error) -> Stop {
        if error.kind() == io::ErrorKind::BrokenPipe { Stop::Closed } else { Stop::Failed(format!("cannot write: {error}")) }
    }
}

/// What a command comes to.
pub(crate) type Done = Result<Status, Stop>;
