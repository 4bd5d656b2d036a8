//! `ninefold completions`.

use std::io::Write;

use clap::CommandFactory;

use crate::args::{Args, CompletionsArgs};
use crate::status::{Done, Status};

pub(crate) fn run(args: &CompletionsArgs) -> Done {
    // Into memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "ninefold", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(Status::Yes)
}
