//! What is raced on: sets of puzzles, with what is known about each.

use ninefold::{Board, Puzzle};

use crate::Answer;

/// Puzzles that belong together, such as those of one file. Results are told for each set.
#[derive(Clone, Debug)]
pub struct Set {
    /// What tables call it.
    pub name: String,
    /// Its puzzles, in the order of the file.
    pub entries: Vec<Entry>,
}

/// A puzzle of a set.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What reports call it.
    pub name: String,
    /// The puzzle.
    pub puzzle: Puzzle,
    /// What its source says about its solutions. Held against what the strategies say.
    pub known: Option<Known>,
}

/// What someone says about the solutions of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// [`Answer::Unique`], [`Answer::Multiple`] or [`Answer::Unsolvable`].
    pub answer: Answer,
    /// The solution, where there is only one and it is told.
    pub solution: Option<Board>,
}
