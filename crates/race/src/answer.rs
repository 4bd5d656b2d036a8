//! What a strategy is asked, what it says, and whether what several say can be true at once.

use ninefold::{Board, Budget, End, Outcome};

use crate::{Entry, Known};

/// What every strategy is asked about every puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The first solution, if there is one.
    Solve,
    /// No solution, exactly one, or more: counts up to two.
    Count,
    /// All solutions, up to [`Question::MOST`]; each is handed over.
    Enumerate,
}

impl Question {
    /// All questions.
    pub const ALL: [Question; 3] = [Question::Solve, Question::Count, Question::Enumerate];

    /// Enumerating ends at this many solutions.
    pub const MOST: u64 = 1000;

    /// The word that programs read: `solve`, `count` or `enumerate`.
    pub const fn name(self) -> &'static str {
        match self {
            Question::Solve => "solve",
            Question::Count => "count",
            Question::Enumerate => "enumerate",
        }
    }

    /// The search stops at this many solutions.
    pub const fn cap(self) -> u64 {
        match self {
            Question::Solve => 1,
            Question::Count => 2,
            Question::Enumerate => Question::MOST,
        }
    }
}

/// What a strategy says to the question of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A solution; whether there are more was not asked.
    Found,
    /// Exactly one solution.
    Unique,
    /// At least two solutions.
    Multiple,
    /// No solution.
    Unsolvable,
    /// A limit ran out before the question was settled.
    GaveUp(Budget),
    /// The strategy does not take these rules.
    Unsupported,
}

impl Answer {
    /// What an outcome says.
    pub fn of(outcome: &Outcome) -> Answer {
        match (outcome.end(), outcome.count()) {
            (End::Unsupported, _) => Answer::Unsupported,
            (End::OutOfBudget(budget), _) => Answer::GaveUp(budget),
            (_, 2..) => Answer::Multiple,
            (End::Stopped, _) => Answer::Found,
            (End::Exhausted, 1) => Answer::Unique,
            (End::Exhausted, _) => Answer::Unsolvable,
        }
    }

    /// The word that programs read: `found`, `unique`, `multiple`, `unsolvable`, `unknown` or `unsupported`.
    pub const fn name(self) -> &'static str {
        match self {
            Answer::Found => "found",
            Answer::Unique => "unique",
            Answer::Multiple => "multiple",
            Answer::Unsolvable => "unsolvable",
            Answer::GaveUp(_) => "unknown",
            Answer::Unsupported => "unsupported",
        }
    }

    /// Whether it settles the question.
    pub const fn is_settled(self) -> bool {
        !matches!(self, Answer::GaveUp(_) | Answer::Unsupported)
    }

    /// The limit that ran out.
    pub const fn stopped_by(self) -> Option<Budget> {
        if let Answer::GaveUp(budget) = self { Some(budget) } else { None }
    }
}

/// Answers to one puzzle that cannot all be true.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The name of the set.
    pub set: String,
    /// The name of the puzzle.
    pub name: String,
    /// The puzzle as one line.
    pub puzzle: String,
    /// Who says what: the name of a strategy, or `the input`, and its words.
    pub said: Vec<(String, String)>,
}

impl std::fmt::Display for Disagreement {
    /// One line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({}): ", self.name, self.puzzle)?;
        for (i, (who, what)) in self.said.iter().enumerate() {
            write!(f, "{}{who} says {what}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

/// What someone says about one puzzle, so that it can be compared.
pub(crate) struct Voice {
    pub(crate) who: String,
    word: &'static str,
    /// The least and the most solutions there are.
    least: u64,
    most: u64,
    solution: Option<Board>,
    /// Of all solutions, whatever their order.
    fingerprint: Option<u64>,
}

impl Voice {
    pub(crate) fn of_known(known: &Known) -> Voice {
        let (least, most) = match known.answer {
            Answer::Unsolvable => (0, 0),
            Answer::Unique => (1, 1),
            Answer::Multiple => (2, u64::MAX),
            Answer::Found => (1, u64::MAX),
            Answer::GaveUp(_) | Answer::Unsupported => (0, u64::MAX),
        };
        let (word, solution) = (known.answer.name(), known.solution.clone());
        Voice { who: "the input".into(), word, least, most, solution, fingerprint: None }
    }

    /// What an outcome says; a search that gave up still says what it found.
    pub(crate) fn of_outcome(who: &str, outcome: &Outcome, fingerprint: Option<u64>) -> Option<Voice> {
        let answer = Answer::of(outcome);
        let exact = outcome.is_exact();
        if answer == Answer::Unsupported || outcome.count() == 0 && !exact {
            return None;
        }
        Some(Voice {
            who: who.into(),
            word: answer.name(),
            least: outcome.count(),
            most: if exact { outcome.count() } else { u64::MAX },
            solution: outcome.solution().map(|solution| solution.board().clone()),
            fingerprint: fingerprint.filter(|_| exact),
        })
    }

    fn agrees_with(&self, other: &Voice) -> bool {
        let only = self.most.min(other.most) == 1;
        let same_only = match (&self.solution, &other.solution) {
            (Some(a), Some(b)) if only => a.as_bytes() == b.as_bytes(),
            _ => true,
        };
        let same_all = match (self.fingerprint, other.fingerprint) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        self.least <= other.most && other.least <= self.most && same_only && same_all
    }

    fn words(&self) -> String {
        match (&self.solution, self.least, self.most) {
            (_, 0, 0) => self.word.into(),
            (Some(solution), _, 1) => format!("{} {solution}", self.word),
            (_, least, most) if least == most && least > 1 => format!("{least} solutions"),
            (Some(solution), 1, _) => format!("a solution is {solution}"),
            (Some(_), least, _) => format!("at least {least} solutions"),
            (None, ..) => self.word.into(),
        }
    }
}

/// The disagreement, if there is one.
pub(crate) fn compare(set: &str, entry: &Entry, voices: &[Voice]) -> Option<Disagreement> {
    let agree = voices.iter().enumerate().all(|(i, a)| voices[..i].iter().all(|b| a.agrees_with(b)));
    if agree {
        return None;
    }
    Some(Disagreement {
        set: set.into(),
        name: entry.name.clone(),
        puzzle: entry.puzzle.to_string(),
        said: voices.iter().map(|voice| (voice.who.clone(), voice.words())).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn voice(least: u64, most: u64, solution: Option<&str>, fingerprint: Option<u64>) -> Voice {
        let solution = solution.map(|text| text.parse().unwrap());
        Voice { who: "x".into(), word: "y", least, most, solution, fingerprint }
    }

    #[test]
    fn voices_agree_where_both_can_be_true() {
        let (a, b) = (Some("1234341221434321"), Some("1243341221344321"));
        let any = u64::MAX;
        let agree = |x: &Voice, y: &Voice| {
            assert_eq!(x.agrees_with(y), y.agrees_with(x));
            x.agrees_with(y)
        };
        // No solution against at least one, which a strategy that gave up may have found too.
        assert!(!agree(&voice(0, 0, None, None), &voice(1, any, a, None)));
        assert!(agree(&voice(1, any, a, None), &voice(1, any, b, None)));
        assert!(!agree(&voice(1, 1, a, None), &voice(1, any, b, None)));
        assert!(!agree(&voice(1, 1, a, None), &voice(2, any, a, None)));
        assert!(agree(&voice(1, 1, a, None), &voice(1, 1, None, None)));
        assert!(agree(&voice(2, any, a, None), &voice(57, 57, b, Some(1))));
        assert!(!agree(&voice(57, 57, b, Some(1)), &voice(58, 58, b, Some(1))));
        assert!(!agree(&voice(57, 57, b, Some(1)), &voice(57, 57, b, Some(2))));
    }
}
