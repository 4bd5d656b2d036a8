//! The program as its users meet it: one file a command, and `cli` for what goes for all of them.

mod certify;
mod cli;
mod crosscheck;
mod explain;
mod generate;
mod race;
mod race_html;
mod rules;
mod run;
mod trace;
