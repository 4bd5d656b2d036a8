//! The race: who is asked what, in which order, and how it is timed.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use ninefold::clock::{self, Moment};
use ninefold::{CancelToken, Counters, Limits, Outcome, Puzzle, Search, Solution, Solver, Strategy, Times};

use crate::answer::{Voice, compare};
use crate::random::Random;
use crate::{Answer, Disagreement, Entry, Question, Report, Set, SetReport};

/// Puzzles of a block. Long enough for the clock, short enough that all strategies meet the same state of the machine.
const BLOCK: usize = 64;

/// A block whose puzzles take less than this in the mean is timed as a whole: four readings of the clock a puzzle are 0.3 % of it.
const FAST: Duration = Duration::from_micros(30);

/// A block is timed over as many passes as last this long: two readings of the clock are 0.1 % of it.
const SPAN: Duration = Duration::from_micros(50);

/// What the readings of the clock and the limits may add to the time of a single puzzle.
const CLOCKS: Duration = Duration::from_nanos(300);

/// The single puzzles of a fast block are timed again so often, where the machine was held up meanwhile.
const TRIES: u32 = 5;

/// A search of more than this needs no other before it, by which what a solver keeps for the rules is built.
const WARM: Duration = Duration::from_millis(10);

/// Puzzles of a set whose memory is measured: those that took the strategy longest.
const PEAK_PUZZLES: usize = 3;

/// Runs the work and tells the most bytes that were allocated at once meanwhile.
pub type Peak = fn(&mut dyn FnMut()) -> u64;

/// A race that can be run: set its fields, then [`Race::run`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Race {
    /// Who takes part.
    pub strategies: Vec<&'static Strategy>,
    /// What is asked. [`Question::Count`] by default.
    pub question: Question,
    /// A strategy gives up on a puzzle after this time. 500 ms by default.
    pub time_per_puzzle: Duration,
    /// A strategy gives up on a puzzle after this many nodes (conflicts, where it has no nodes).
    pub nodes_per_puzzle: Option<u64>,
    /// The race ends after this time, give or take a puzzle, with what it has by then: half for the answers, the rest for the times.
    /// A minute by default.
    pub total_time: Duration,
    /// Rounds of timing after the answers. 5 by default.
    pub repeat: u32,
    /// Threads. 1 by default; more is for answers in a hurry, since threads slow each other down.
    pub threads: usize,
    /// Decides every order. 0 by default.
    pub seed: u64,
    /// Ends the race with what it has by then.
    pub cancel: CancelToken,
    /// Measures memory, where the program can.
    pub peak: Option<Peak>,
}

/// How far a race is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// So many puzzles of all have their answers.
    Answers {
        /// Puzzles that all strategies have been asked.
        done: usize,
        /// Puzzles there are.
        all: usize,
    },
    /// So many blocks of all are timed in this round.
    Times {
        /// The round, from 1.
        round: u32,
        /// Rounds there are.
        rounds: u32,
        /// Blocks that are timed.
        done: usize,
        /// Blocks of a round.
        all: usize,
    },
}

/// What one strategy did with one puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// What it said.
    pub answer: Answer,
    /// Solutions found.
    pub count: u64,
    /// What it counted.
    pub counters: Counters,
    /// The best time, set-up included. Of a give-up the time until then.
    pub time: Duration,
    /// Where that time went. The sum is a little less than [`Run::time`], which includes the call.
    pub parts: Times,
}

/// One solver of each strategy.
struct Team {
    solvers: Vec<Box<dyn Solver>>,
}

/// What a block came to, for each strategy: the time of each puzzle, and of all together where they are fast.
struct Timed {
    singles: Vec<Option<(Duration, Times)>>,
    whole: Option<Duration>,
}

impl Race {
    /// A race of these strategies, with everything else as it is by default.
    pub fn new(strategies: Vec<&'static Strategy>) -> Race {
        Race {
            strategies,
            question: Question::Count,
            time_per_puzzle: Duration::from_millis(500),
            nodes_per_puzzle: None,
            total_time: Duration::from_secs(60),
            repeat: 5,
            threads: 1,
            seed: 0,
            cancel: CancelToken::new(),
            peak: None,
        }
    }

    /// Runs the race. `progress` is called now and then, from this thread.
    ///
    /// # Panics
    /// Where a strategy reports a solution that is none.
    pub fn run(&self, sets: &[Set], progress: &mut dyn FnMut(Stage)) -> Report {
        let begun = clock::now();
        let mut report = Report::new(self, sets);
        let mut teams: Vec<Team> = (0..self.threads.max(1)).map(|_| Team::new(&self.strategies)).collect();
        self.answers(&mut teams, sets, &mut report, begun.plus(self.total_time / 2), progress);
        self.times(&mut teams, sets, &mut report, begun.plus(self.total_time), progress);
        if let Some(peak) = self.peak {
            self.memory(sets, &mut report, begun.plus(self.total_time), peak);
        }
        report.interrupted = self.cancel.is_cancelled();
        report.elapsed = clock::now().since(begun);
        report
    }

    /// Whether it is time to end.
    fn is_over(&self, deadline: Moment) -> bool {
        self.cancel.is_cancelled() || clock::now() >= deadline
    }

    /// Every strategy, every puzzle, once.
    fn answers(&self, teams: &mut [Team], sets: &[Set], report: &mut Report, deadline: Moment, progress: &mut dyn FnMut(Stage)) {
        let jobs = self.order_of_puzzles(sets);
        let mut limits = Limits::none().with_time(self.time_per_puzzle).with_cancel(self.cancel.clone());
        if let Some(nodes) = self.nodes_per_puzzle {
            limits = limits.with_nodes(nodes);
        }
        let mut done = 0;
        let work = |team: &mut Team, job: usize| {
            let (set, entry) = jobs[job];
            if self.is_over(deadline) {
                return None;
            }
            let order = Random::new(self.seed, 1 + job as u64).order(self.strategies.len());
            let answers = self.ask_all(team, &order, &sets[set].entries[entry], &sets[set].name, &limits);
            // This puzzle's answers may be cut short.
            Some(answers).filter(|_| !self.cancel.is_cancelled())
        };
        share(teams, jobs.len(), &work, &mut |job, (runs, disagreement)| {
            let (set, entry) = jobs[job];
            report.sets[set].add(entry, runs);
            report.disagreements.extend(disagreement);
            done += 1;
            progress(Stage::Answers { done, all: jobs.len() });
        });
        report.sets.iter_mut().for_each(SetReport::sort);
    }

    /// The puzzles of each set in random order, and the sets in turn.
    fn order_of_puzzles(&self, sets: &[Set]) -> Vec<(usize, usize)> {
        let orders: Vec<Vec<usize>> = sets
            .iter()
            .enumerate()
            .map(|(i, set)| Random::new(self.seed, u64::MAX - i as u64).order(set.entries.len()))
            .collect();
        let longest = orders.iter().map(Vec::len).max().unwrap_or(0);
        let turn = |k: usize| orders.iter().enumerate().filter_map(move |(set, order)| Some((set, *order.get(k)?)));
        (0..longest).flat_map(turn).collect()
    }

    fn ask_all(
        &self,
        team: &mut Team,
        order: &[usize],
        entry: &Entry,
        set: &str,
        limits: &Limits,
    ) -> (Vec<Run>, Option<Disagreement>) {
        let mut answers: Vec<Option<(Run, Option<Voice>)>> = order.iter().map(|_| None).collect();
        for &s in order {
            let start = clock::now();
            let (outcome, fingerprint) = ask_timed(&mut *team.solvers[s], &entry.puzzle, self.question, limits);
            let run = Run::new(&outcome, clock::now().since(start));
            let voice = Voice::of_outcome(self.strategies[s].name, &outcome, fingerprint);
            answers[s] = Some((run, voice));
        }
        let (runs, voices): (Vec<Run>, Vec<Option<Voice>>) = answers.into_iter().flatten().unzip();
        let voices: Vec<Voice> = entry.known.iter().map(Voice::of_known).chain(voices.into_iter().flatten()).collect();
        (runs, compare(set, entry, &voices))
    }

    /// What was answered is answered again, and timed.
    fn times(&self, teams: &mut [Team], sets: &[Set], report: &mut Report, deadline: Moment, progress: &mut dyn FnMut(Stage)) {
        /// Some of the puzzles of a set, by their place in the report, with the best of each strategy.
        struct Block {
            set: usize,
            places: Vec<usize>,
            best: Vec<Timed>,
        }
        let mut blocks = Vec::new();
        for (set, reached) in report.sets.iter().enumerate() {
            let places: Vec<usize> = (0..reached.entries.len()).collect();
            blocks.extend(places.chunks(BLOCK).map(|places| {
                let singles = |_| Timed { singles: vec![None; places.len()], whole: None };
                Block { set, places: places.into(), best: self.strategies.iter().map(singles).collect() }
            }));
        }
        for round in 0..self.repeat {
            if self.is_over(deadline) {
                break;
            }
            let order = Random::new(self.seed, (u64::from(round) + 1) << 32).order(blocks.len());
            let mut done = 0;
            let mut results: Vec<(usize, Vec<Timed>)> = Vec::with_capacity(blocks.len());
            let work = |team: &mut Team, job: usize| {
                let block = &blocks[order[job]];
                let (set, reached) = (&sets[block.set], &report.sets[block.set]);
                let stream = (u64::from(round) + 1) << 32 | (1 + job as u64);
                let mut timed: Vec<Timed> = self.strategies.iter().map(|_| Timed { singles: Vec::new(), whole: None }).collect();
                for s in Random::new(self.seed, stream).order(self.strategies.len()) {
                    // Side by side, so that the search is timed and not the way to the puzzle.
                    let puzzles: Vec<Option<Puzzle>> = block
                        .places
                        .iter()
                        .map(|&k| {
                            Some(&reached.runs[s][k]).filter(|run| run.answer.is_settled())?;
                            Some(set.entries[reached.entries[k]].puzzle.clone())
                        })
                        .collect();
                    let first: Duration = block
                        .places
                        .iter()
                        .map(|&k| &reached.runs[s][k])
                        .filter(|run| run.answer.is_settled())
                        .map(|run| run.time)
                        .sum();
                    timed[s] = self.time_block(&mut *team.solvers[s], &puzzles, first, deadline)?;
                }
                Some(timed)
            };
            share(teams, blocks.len(), &work, &mut |job, timed| {
                results.push((order[job], timed));
                done += 1;
                progress(Stage::Times { round: round + 1, rounds: self.repeat, done, all: blocks.len() });
            });
            report.rounds += u32::from(done == blocks.len());
            for (block, timed) in results {
                blocks[block].best.iter_mut().zip(timed).for_each(|(best, timed)| best.improve(timed));
            }
        }
        for block in &blocks {
            for (best, runs) in block.best.iter().zip(&mut report.sets[block.set].runs) {
                best.settle(block.places.iter().copied(), runs);
            }
        }
    }

    /// Times what was answered of a block, which took `first` when it was answered. `None` where the race is over.
    fn time_block(
        &self,
        solver: &mut dyn Solver,
        puzzles: &[Option<Puzzle>],
        first: Duration,
        deadline: Moment,
    ) -> Option<Timed> {
        let answered: Vec<&Puzzle> = puzzles.iter().flatten().collect();
        let Some(&warm) = answered.first() else { return Some(Timed { singles: vec![None; puzzles.len()], whole: None }) };
        let limits = Limits::none().with_cancel(self.cancel.clone()).with_deadline(deadline);
        if first < WARM {
            let _ = ask(solver, warm, self.question, &limits);
        }
        let few = FAST * answered.len() as u32;
        let sum = |singles: &[Option<(Duration, Times)>]| singles.iter().flatten().map(|(time, _)| *time).sum::<Duration>();
        let mut singles = self.time_singles(solver, puzzles, &limits)?;
        if sum(&singles) >= few && first < few {
            // It was fast before, so the machine did something else now.
            singles = self.time_singles(solver, puzzles, &limits)?;
        }
        if sum(&singles) >= few {
            return Some(Timed { singles, whole: None }).filter(|_| !self.is_over(deadline));
        }
        // What has just ended within microseconds needs no limit, and looking at one would show in its time.
        let passes = (SPAN.as_nanos() / sum(&singles).as_nanos().max(1) + 1) as u32;
        let begun = clock::now();
        for _ in 0..passes {
            for puzzle in &answered {
                let _ = black_box(ask(solver, black_box(puzzle), self.question, &Limits::none()));
            }
        }
        let whole = clock::now().since(begun) / passes;
        // Scaled to the whole, one puzzle during which the machine did something else would make all others look fast.
        let most = whole * 3 / 2 + CLOCKS * answered.len() as u32;
        for _ in 0..TRIES {
            if sum(&singles) <= most {
                break;
            }
            singles = self.time_singles(solver, puzzles, &limits)?;
        }
        if sum(&singles) > most {
            singles.fill(None);
        }
        Some(Timed { whole: singles.iter().any(Option::is_some).then_some(whole), singles }).filter(|_| !self.is_over(deadline))
    }

    /// Times each puzzle for itself. `None` where a limit ended a search.
    fn time_singles(
        &self,
        solver: &mut dyn Solver,
        puzzles: &[Option<Puzzle>],
        limits: &Limits,
    ) -> Option<Vec<Option<(Duration, Times)>>> {
        let mut singles = vec![None; puzzles.len()];
        let mut last = clock::now();
        for (single, puzzle) in singles.iter_mut().zip(puzzles) {
            let Some(puzzle) = puzzle else { continue };
            let (outcome, _) = ask_timed(solver, puzzle, self.question, limits);
            let now = clock::now();
            if !Answer::of(&outcome).is_settled() {
                return None;
            }
            *single = Some((now.since(last), outcome.times().unwrap_or_default()));
            last = now;
        }
        Some(singles)
    }

    /// The peak of a fresh solver on the puzzles of each set that took it longest.
    fn memory(&self, sets: &[Set], report: &mut Report, deadline: Moment, peak: Peak) {
        let limits = Limits::none().with_cancel(self.cancel.clone()).with_deadline(deadline);
        for (set, reached) in sets.iter().zip(&mut report.sets) {
            for (s, strategy) in self.strategies.iter().enumerate() {
                let runs = &reached.runs[s];
                let mut places: Vec<usize> = (0..runs.len()).filter(|&k| runs[k].answer.is_settled()).collect();
                places.sort_by_key(|&k| std::cmp::Reverse(runs[k].time));
                places.truncate(PEAK_PUZZLES);
                if places.is_empty() || self.is_over(deadline) {
                    continue;
                }
                let bytes = peak(&mut || {
                    let mut solver = (strategy.build)();
                    for &k in &places {
                        let _ = black_box(ask(&mut *solver, &set.entries[reached.entries[k]].puzzle, self.question, &limits));
                    }
                });
                if !self.is_over(deadline) {
                    reached.peak_bytes[s] = Some(bytes);
                }
            }
        }
    }
}

/// Hands out the jobs in their order, one thread a team, until one comes to nothing, and takes in what they come to on this thread.
fn share<T: Send>(
    teams: &mut [Team],
    jobs: usize,
    work: &(dyn Fn(&mut Team, usize) -> Option<T> + Sync),
    each: &mut dyn FnMut(usize, T),
) {
    if let [team] = teams {
        for job in 0..jobs {
            let Some(result) = work(team, job) else { return };
            each(job, result);
        }
        return;
    }
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for team in teams {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                loop {
                    let job = next.fetch_add(1, Ordering::Relaxed);
                    let Some(result) = (if job < jobs { work(team, job) } else { None }) else { return };
                    if send.send((job, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        receive.iter().for_each(|(job, result)| each(job, result));
    });
}

impl Team {
    fn new(strategies: &[&Strategy]) -> Team {
        Team { solvers: strategies.iter().map(|strategy| (strategy.build)()).collect() }
    }
}

impl Run {
    fn new(outcome: &Outcome, time: Duration) -> Run {
        Run {
            answer: Answer::of(outcome),
            count: outcome.count(),
            counters: *outcome.counters(),
            time,
            parts: outcome.times().unwrap_or_default(),
        }
    }
}

impl Timed {
    /// The best of both.
    fn improve(&mut self, other: Timed) {
        for (own, other) in self.singles.iter_mut().zip(other.singles) {
            *own = match (*own, other) {
                (Some(a), Some(b)) => Some(if b.0 < a.0 { b } else { a }),
                (a, b) => a.or(b),
            };
        }
        self.whole = match (self.whole, other.whole) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }

    /// Puts the times where they belong. Of a block that was timed as a whole the single times include the clock, so they are scaled to it.
    fn settle(&self, places: impl Iterator<Item = usize>, runs: &mut [Run]) {
        let sum: Duration = self.singles.iter().flatten().map(|(time, _)| *time).sum();
        let scale = match self.whole {
            Some(whole) if !sum.is_zero() => (whole.as_secs_f64() / sum.as_secs_f64()).min(1.0),
            _ => 1.0,
        };
        for (place, single) in places.zip(&self.singles) {
            let Some((time, parts)) = *single else { continue };
            let run = &mut runs[place];
            if self.whole.is_some() || time < run.time {
                run.time = time.mul_f64(scale);
                run.parts = Times { setup: parts.setup.mul_f64(scale), search: parts.search.mul_f64(scale) };
            }
        }
    }
}

/// Asks, and nothing else: this is what is timed.
#[inline]
fn ask(solver: &mut dyn Solver, puzzle: &Puzzle, question: Question, limits: &Limits) -> Outcome {
    match question {
        Question::Solve | Question::Count => solver.count(puzzle, question.cap(), limits),
        Question::Enumerate => {
            let mut visitor = |solution: &Solution| {
                black_box(solution);
                ControlFlow::Continue(())
            };
            let mut search = Search::new(limits).with_cap(question.cap()).with_visitor(&mut visitor);
            let end = solver.search(puzzle, &mut search);
            search.finish(end)
        }
    }
}

/// Asks, splits the time, and gives a fingerprint of all solutions where all are asked for.
fn ask_timed(solver: &mut dyn Solver, puzzle: &Puzzle, question: Question, limits: &Limits) -> (Outcome, Option<u64>) {
    let mut sum = 0_u64;
    let mut visitor = |solution: &Solution| {
        sum = sum.wrapping_add(fingerprint(solution.as_bytes()));
        ControlFlow::Continue(())
    };
    let mut search = Search::new(limits).with_cap(question.cap()).with_times();
    if question == Question::Enumerate {
        search = search.with_visitor(&mut visitor);
    }
    let end = solver.search(puzzle, &mut search);
    let outcome = search.finish(end);
    (outcome, Some(sum).filter(|_| question == Question::Enumerate))
}

/// FNV-1a (Fowler, Noll, Vo 1991) and a final mix, so that sums over solutions do not cancel.
fn fingerprint(bytes: &[u8]) -> u64 {
    let hash =
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ hash >> 32
}
