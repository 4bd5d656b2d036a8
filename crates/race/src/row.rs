//! Results: what was measured, and its sums.

use std::time::Duration;

use ninefold::{Counter, Strategy};

use crate::{Disagreement, Question, Race, Run, Set, quantile, spearman};

/// What a race came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Who took part.
    pub strategies: Vec<&'static Strategy>,
    /// What was asked.
    pub question: Question,
    /// The limit on time for each puzzle.
    pub time_per_puzzle: Duration,
    /// The results of each set, in the order of the sets.
    pub sets: Vec<SetReport>,
    /// Puzzles whose answers cannot all be true.
    pub disagreements: Vec<Disagreement>,
    /// Rounds of timing that went over all puzzles.
    pub rounds: u32,
    /// Whether the token ended the race.
    pub interrupted: bool,
    /// How long all of it took.
    pub elapsed: Duration,
}

/// The results of one set.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SetReport {
    /// The name of the set.
    pub name: String,
    /// Puzzles in the set.
    pub size: usize,
    /// The puzzles that the race has reached, by their place in the set.
    pub entries: Vec<usize>,
    /// For each strategy, a run for each of [`SetReport::entries`].
    pub runs: Vec<Vec<Run>>,
    /// For each strategy, the most bytes on the heap at once, where they were measured: a fresh solver on the three puzzles of the set that took
    /// it longest of those that it answered. The stack is not counted.
    pub peak_bytes: Vec<Option<u64>>,
}

/// A time of which a share of the puzzles was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantile {
    /// This time.
    Time(Duration),
    /// Not known: the share includes puzzles that the strategy gave up on.
    Beyond,
}

/// One strategy on one set. Puzzles whose rules it does not take are left out of every sum.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The strategy.
    pub strategy: &'static str,
    /// Puzzles that were put to it.
    pub puzzles: usize,
    /// Puzzles whose question it settled.
    pub answered: usize,
    /// Puzzles that it gave up on.
    pub gave_up: usize,
    /// Puzzles whose rules it does not take.
    pub unsupported: usize,
    /// The time of all runs, give-ups included.
    pub time: Duration,
    /// Answers in each second of that time. `None` without answers.
    pub answers_per_second: Option<f64>,
    /// Its time against that of the best strategy of the set, on the puzzles that both take; at least that, where it gave up on some. The best is
    /// the one with the most answers, of several the one with the least time.
    pub relative: Option<f64>,
    /// Half of the puzzles take no longer.
    pub median: Option<Quantile>,
    /// Nine in ten take no longer.
    pub p90: Option<Quantile>,
    /// Ninety-nine in a hundred take no longer.
    pub p99: Option<Quantile>,
    /// None takes longer.
    pub max: Option<Quantile>,
    /// Sums of all counters, and the highest [`Counter::MaxDepth`], give-ups included. `None` where the strategy cannot know.
    pub counters: [Option<u64>; Counter::ALL.len()],
    /// Puzzles answered without a guess. `None` where guesses are not counted.
    pub without_guess: Option<usize>,
    /// Time before the search: building the matrix, the formula, the candidates.
    pub setup: Duration,
    /// Time of the search itself.
    pub search: Duration,
    /// See [`SetReport::peak_bytes`].
    pub peak_bytes: Option<u64>,
}

impl Report {
    pub(crate) fn new(race: &Race, sets: &[Set]) -> Report {
        let count = race.strategies.len();
        let empty = |set: &Set| SetReport {
            name: set.name.clone(),
            size: set.entries.len(),
            entries: Vec::new(),
            runs: vec![Vec::new(); count],
            peak_bytes: vec![None; count],
        };
        Report {
            strategies: race.strategies.clone(),
            question: race.question,
            time_per_puzzle: race.time_per_puzzle,
            sets: sets.iter().map(empty).collect(),
            disagreements: Vec::new(),
            rounds: 0,
            interrupted: false,
            elapsed: Duration::ZERO,
        }
    }

    /// Puzzles that all strategies have been asked.
    pub fn reached(&self) -> usize {
        self.sets.iter().map(|set| set.entries.len()).sum()
    }

    /// Puzzles of all sets.
    pub fn size(&self) -> usize {
        self.sets.iter().map(|set| set.size).sum()
    }

    /// A row for each strategy, in their order.
    pub fn rows(&self, set: &SetReport) -> Vec<Row> {
        let mut rows: Vec<Row> = self.strategies.iter().enumerate().map(|(s, strategy)| set.row(s, strategy.name)).collect();
        if let Some(best) = set.best(&rows) {
            for (s, row) in rows.iter_mut().enumerate() {
                row.relative = set.relative(s, best);
            }
        }
        rows
    }

    /// How alike two strategies find puzzles hard: Spearman's rank correlation of their times over the puzzles of all sets that both take,
    /// all give-ups last. `None` where there are fewer than three.
    pub fn correlation(&self, a: usize, b: usize) -> Option<f64> {
        let both = self.sets.iter().flat_map(|set| set.runs[a].iter().zip(&set.runs[b]));
        let (a, b): (Vec<u64>, Vec<u64>) =
            both.filter(|(a, b)| a.is_taken() && b.is_taken()).map(|(a, b)| (a.rank_key(), b.rank_key())).unzip();
        spearman(&a, &b)
    }
}

impl SetReport {
    pub(crate) fn add(&mut self, entry: usize, runs: Vec<Run>) {
        self.entries.push(entry);
        self.runs.iter_mut().zip(runs).for_each(|(all, run)| all.push(run));
    }

    /// Back into the order of the set.
    pub(crate) fn sort(&mut self) {
        let mut places: Vec<usize> = (0..self.entries.len()).collect();
        places.sort_unstable_by_key(|&place| self.entries[place]);
        self.entries = places.iter().map(|&place| self.entries[place]).collect();
        for runs in &mut self.runs {
            *runs = places.iter().map(|&place| runs[place]).collect();
        }
    }

    fn row(&self, s: usize, strategy: &'static str) -> Row {
        let taken: Vec<&Run> = self.runs[s].iter().filter(|run| run.is_taken()).collect();
        let answered: Vec<&Run> = taken.iter().copied().filter(|run| run.answer.is_settled()).collect();
        let time: Duration = taken.iter().map(|run| run.time).sum();
        let mut times: Vec<Duration> = answered.iter().map(|run| run.time).collect();
        times.sort_unstable();
        let mut sorted: Vec<Quantile> = times.into_iter().map(Quantile::Time).collect();
        sorted.resize(taken.len(), Quantile::Beyond);
        let at = |share| quantile(&sorted, share).copied();
        Row {
            strategy,
            puzzles: self.runs[s].len(),
            answered: answered.len(),
            gave_up: taken.len() - answered.len(),
            unsupported: self.runs[s].len() - taken.len(),
            time,
            answers_per_second: Some(answered.len() as f64 / time.as_secs_f64().max(1e-9)).filter(|_| !answered.is_empty()),
            relative: None,
            median: at(0.5),
            p90: at(0.9),
            p99: at(0.99),
            max: at(1.0),
            counters: Counter::ALL.map(|counter| total(&taken, counter)),
            without_guess: guessless(&answered),
            setup: taken.iter().map(|run| run.parts.setup).sum(),
            search: taken.iter().map(|run| run.parts.search).sum(),
            peak_bytes: self.peak_bytes[s],
        }
    }

    /// The strategy with the most answers, of several the one with the least time.
    fn best(&self, rows: &[Row]) -> Option<usize> {
        let answering = (0..rows.len()).filter(|&s| rows[s].answered > 0);
        answering.min_by_key(|&s| (std::cmp::Reverse(rows[s].answered), rows[s].time))
    }

    fn relative(&self, s: usize, best: usize) -> Option<f64> {
        let both = self.runs[s].iter().zip(&self.runs[best]).filter(|(own, best)| own.is_taken() && best.is_taken());
        let (own, best): (Duration, Duration) =
            both.fold(Default::default(), |sum, (own, best)| (sum.0 + own.time, sum.1 + best.time));
        if best.is_zero() { None } else { Some(own.as_secs_f64() / best.as_secs_f64()) }
    }
}

impl Run {
    /// Whether the strategy takes the puzzle's rules.
    pub fn is_taken(&self) -> bool {
        self.answer != crate::Answer::Unsupported
    }

    /// How hard the puzzle was, for ranks: all give-ups alike, above everything else.
    fn rank_key(&self) -> u64 {
        if self.answer.is_settled() { u64::try_from(self.time.as_nanos()).unwrap_or(u64::MAX - 1) } else { u64::MAX }
    }
}

impl Row {
    /// The sum of a counter, or the maximum of [`Counter::MaxDepth`].
    pub fn counter(&self, counter: Counter) -> Option<u64> {
        self.counters[counter as usize]
    }

    /// Partial assignments visited on all puzzles.
    pub fn nodes(&self) -> Option<u64> {
        self.counter(Counter::Nodes)
    }
}

fn total(runs: &[&Run], counter: Counter) -> Option<u64> {
    if runs.is_empty() {
        return None;
    }
    runs.iter().try_fold(0_u64, |sum, run| {
        let value = run.counters.get(counter)?;
        Some(if counter == Counter::MaxDepth { sum.max(value) } else { sum.saturating_add(value) })
    })
}

fn guessless(answered: &[&Run]) -> Option<usize> {
    let guesses: Option<Vec<u64>> = answered.iter().map(|run| run.counters.guesses()).collect();
    guesses.filter(|guesses| !guesses.is_empty()).map(|guesses| guesses.iter().filter(|&&guesses| guesses == 0).count())
}
