//! Runs the program.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The program, with nothing on standard input, and on a terminal of 100 columns that wants nothing.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM"] {
        command.env_remove(name);
    }
    command.env("COLUMNS", "100").stdin(Stdio::null());
    command
}

pub(crate) fn run(args: &[&str]) -> Output {
    program().args(args).output().unwrap()
}

/// The same with this on standard input.
pub(crate) fn run_with(args: &[&str], input: &[u8]) -> Output {
    let mut child = program().args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The program may end before it has read all.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}
