//! Answers to one puzzle held against each other.

use std::fmt;

use super::{Answer, AnswerKind};
use crate::Board;

/// What is wrong with the answers of a [`Comparison`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ConflictKind {
    /// A participant did what none should do: see [`AnswerKind::Fault`].
    Fault,
    /// A participant says that there are fewer solutions than are known, each checked by the rules: it is wrong.
    Missed,
    /// One says that there are at most so many solutions, the other that there are more, without showing them: one of the two is wrong.
    Contradiction,
}

/// One reason why a puzzle is a disagreement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    pub(super) kind: ConflictKind,
    pub(super) who: usize,
    pub(super) other: Option<usize>,
    pub(super) text: String,
}

impl Conflict {
    /// What is wrong.
    pub fn kind(&self) -> ConflictKind {
        self.kind
    }

    /// Whose answer is wrong, or, of a contradiction, who says that there are fewer: an index of [`Comparison::answers`].
    pub fn who(&self) -> usize {
        self.who
    }

    /// Who shows the missed solution, or says that there are more.
    pub fn other(&self) -> Option<usize> {
        self.other
    }
}

/// A sentence without full stop, with the names.
impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What one participant said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub(super) name: String,
    /// The place of the participant in the crosscheck.
    pub(super) seat: usize,
    pub(super) answer: Answer,
}

impl Said {
    /// Who; of a changed puzzle with the change: `dlx (turned)`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The participant, counted from 0 in the order in which they were added.
    pub fn seat(&self) -> usize {
        self.seat
    }

    /// What.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }
}

/// All answers to one puzzle, and how they fit together.
///
/// The solutions that anyone shows are checked by the rules, so that each is a fact. Whoever says that there are fewer solutions than are known
/// is wrong; two who each show all solutions and do not show the same are caught by that too, since together they show more. An answer that
/// was given up, or not given, agrees with nothing, but what it found counts as known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    said: Vec<Said>,
    known: Vec<Board>,
    conflicts: Vec<Conflict>,
}

impl Comparison {
    /// Of checked answers.
    pub(super) fn new(said: Vec<Said>) -> Comparison {
        let mut known: Vec<Board> = said.iter().flat_map(|said| said.answer.solutions().iter().cloned()).collect();
        known.sort_unstable_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
        known.dedup();
        let mut conflicts = Vec::new();
        for (i, one) in said.iter().enumerate() {
            if let AnswerKind::Fault(what) = one.answer.kind() {
                let text = format!("{} {what}", one.name);
                conflicts.push(Conflict { kind: ConflictKind::Fault, who: i, other: None, text });
                continue;
            }
            let Some(most) = one.answer.at_most() else { continue };
            if most < known.len() as u64 {
                conflicts.push(missed(&said, i, known.len()));
                continue;
            }
            for (k, two) in said.iter().enumerate() {
                if two.answer.at_least() > most {
                    let text = format!("{} says {}, {} says {}", one.name, one.answer, two.name, two.answer);
                    conflicts.push(Conflict { kind: ConflictKind::Contradiction, who: i, other: Some(k), text });
                }
            }
        }
        Comparison { said, known, conflicts }
    }

    /// What everyone said, in the order of the participants.
    pub fn answers(&self) -> &[Said] {
        &self.said
    }

    /// Every solution that someone showed, checked by the rules, sorted by their digits.
    pub fn known(&self) -> &[Board] {
        &self.known
    }

    /// What is wrong; empty where all fits together.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// Whether something is wrong.
    pub fn is_disagreement(&self) -> bool {
        !self.conflicts.is_empty()
    }

    /// How many answers stand for something. Fewer than two are no agreement.
    pub fn claims(&self) -> usize {
        self.said.iter().filter(|said| said.answer.is_claim()).count()
    }
}

/// Who says what, a line each, and what does not fit.
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.said.iter().map(|said| said.name.chars().count()).max().unwrap_or(0);
        for said in &self.said {
            writeln!(f, "{:width$}  {}", said.name, said.answer)?;
        }
        self.conflicts.iter().try_for_each(|conflict| writeln!(f, "! {conflict}"))
    }
}

/// Someone knows of fewer solutions than there are.
fn missed(said: &[Said], who: usize, known: usize) -> Conflict {
    let own = &said[who];
    let shown = |said: &Said| said.answer.solutions().iter().find(|board| !own.answer.solutions().contains(board)).cloned();
    let witness = said.iter().enumerate().find_map(|(i, said)| Some((i, shown(said)?)));
    let mut text = format!("{} says {}", own.name, own.answer);
    match &witness {
        Some((i, board)) => text.push_str(&format!(", {} shows another: {board}", said[*i].name)),
        None => text.push_str(&format!(", but {known} are known")),
    }
    Conflict { kind: ConflictKind::Missed, who, other: witness.map(|(i, _)| i), text }
}
