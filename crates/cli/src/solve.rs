//! `ninefold solve`.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ninefold::{
    Board, Budget, CancelToken, Clash, Counter, End, Limits, Outcome, Puzzle, PuzzleError, Rules, Search, Solution, Solver,
    Strategy,
};
use ninefold_formats::{Entries, ReadError, write_line};

use crate::args::{AnswerFormat, SolveArgs, limits};
use crate::batch::{self, Job, Work};
use crate::input;
use crate::output::{Answer, ErrorObject, Look, Place, Verdict, colour_wanted};
use crate::progress::{grouped, time};
use crate::report;
use crate::status::{Done, Status, Stop};

/// Reports beyond these say nothing new; the summary counts the others.
const MOST_REPORTS: u64 = 20;

/// Solutions that are listed are written whenever this many bytes of them have gathered.
const PART: usize = 1 << 16;

/// Puzzles are searched in lists of this length, which the second-level cache holds together with their outcomes. Engines that work on
/// many puzzles at once want some hundreds.
const AT_ONCE: usize = 1024;

/// What is asked of every puzzle.
struct Question {
    /// `None` for the best strategy for the rules.
    strategy: Option<&'static Strategy>,
    cap: u64,
    list: bool,
    each: Limits,
    whole: Limits,
    look: Look,
    cancel: CancelToken,
    reports: AtomicU64,
}

pub(crate) fn run(args: &SolveArgs) -> Done {
    let options = args.input.options();
    let sources = input::sources(&args.input.inputs, &options).map_err(Stop::Failed)?;
    if ninefold::strategies().is_empty() {
        return Err(Stop::Failed("this program was built without any strategy".into()));
    }
    let cancel = batch::cancel_on_interrupt();
    let each = limits(args.limit_nodes, args.timeout);
    let mut whole = Limits::none().with_cancel(cancel.clone());
    if let Some(time) = args.total_timeout {
        whole = whole.with_deadline(ninefold::clock::now().plus(time));
    }
    let look = Look {
        format: args.format,
        colour: args.format == AnswerFormat::Grid && colour_wanted(),
        stats: args.stats,
        labels: !(sources.len() == 1 && sources[0].is_text()),
    };
    let question = Arc::new(Question {
        strategy: ninefold::by_name(&args.strategy),
        cap: args.count,
        list: args.all,
        each,
        whole,
        look,
        cancel: cancel.clone(),
        reports: AtomicU64::new(0),
    });
    // Solutions that are written as they are found come from one thread, or they would have to be kept for their turn.
    let threads = match args.threads {
        _ if args.all => 1,
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let workers: Vec<Worker> = (0..threads).map(|_| Worker::new(question.clone())).collect();
    let streamed = batch::stream(sources, options, workers, &cancel, args.quiet, &look.head())?;
    let tally = streamed.tally;
    if streamed.closed {
        return Ok(tally.status());
    }
    let mut stderr = anstream::stderr();
    if !args.quiet {
        let suppressed = question.reports.load(Ordering::Relaxed).saturating_sub(MOST_REPORTS);
        if suppressed > 0 {
            let _ = writeln!(stderr, "{} reports more are not shown", grouped(suppressed));
        }
        if tally.total() > 1 || args.stats && tally.total() > 0 || streamed.interrupted {
            let _ = writeln!(stderr, "{}", tally.summary(streamed.elapsed, args.stats, streamed.interrupted));
        }
    }
    if streamed.interrupted {
        return Ok(Status::Interrupted);
    }
    if tally.total() == 0 {
        return Err(Stop::Failed("there is no puzzle in the input".into()));
    }
    Ok(tally.status())
}

/// Verdicts and counters over all puzzles.
#[derive(Default)]
pub(crate) struct Tally {
    verdicts: [u64; Verdict::ALL.len()],
    status: Status,
    /// Sums, and the maximum of depths; `None` where no strategy knew.
    counters: [Option<u64>; Counter::ALL.len()],
    search: Duration,
}

impl Tally {
    fn verdict(&mut self, verdict: Verdict) {
        self.verdicts[verdict as usize] += 1;
        self.status = self.status.max(verdict.status());
    }

    fn outcome(&mut self, outcome: &Outcome) {
        for (sum, counter) in self.counters.iter_mut().zip(Counter::ALL) {
            merge(sum, outcome.counters().get(counter), counter);
        }
        if let Some(times) = outcome.times() {
            self.search += times.setup + times.search;
        }
    }

    fn total(&self) -> u64 {
        self.verdicts.iter().sum()
    }

    fn status(&self) -> Status {
        self.status
    }

    fn summary(&self, elapsed: Duration, stats: bool, interrupted: bool) -> String {
        let total = self.total();
        let mut text = String::new();
        if interrupted {
            text.push_str("interrupted: ");
        }
        text.push_str(&format!("{} puzzle{}", grouped(total), if total == 1 { "" } else { "s" }));
        if interrupted {
            text.push_str(" answered");
        }
        let mut separator = ": ";
        for verdict in Verdict::ALL {
            let count = self.verdicts[verdict as usize];
            if count > 0 {
                text.push_str(&format!("{separator}{} {}", grouped(count), verdict.summary_word()));
                separator = ", ";
            }
        }
        let rate = total as f64 / elapsed.as_secs_f64().max(1e-9);
        text.push_str(&format!("; {}, {} puzzles/s", time(elapsed), grouped(rate as u64)));
        if stats {
            let counters: Vec<String> = self
                .counters
                .iter()
                .zip(Counter::ALL)
                .filter_map(|(value, counter)| Some(format!("{} {}", counter.name().replace('_', " "), grouped((*value)?))))
                .collect();
            text.push_str(&format!("\n{}, search {}", counters.join(", "), time(self.search)));
        }
        text
    }
}

fn merge(sum: &mut Option<u64>, value: Option<u64>, counter: Counter) {
    if let Some(value) = value {
        let before = sum.unwrap_or(0);
        *sum = Some(if counter == Counter::MaxDepth { before.max(value) } else { before.saturating_add(value) });
    }
}

/// What became of an entry before any search. There is one for every puzzle, so what few have lives in a box.
struct Slot {
    line: u64,
    /// `None` for the next of the plain boards.
    other: Option<Box<Other>>,
}

enum Other {
    /// The next of the puzzles.
    Puzzle {
        name: Option<Box<str>>,
    },
    /// A board that is no puzzle.
    Clashing {
        name: Option<Box<str>>,
        error: PuzzleError,
    },
    Unreadable(ReadError),
}

impl Slot {
    fn name(&self) -> Option<&str> {
        match self.other.as_deref()? {
            Other::Puzzle { name } | Other::Clashing { name, .. } => name.as_deref(),
            Other::Unreadable(_) => None,
        }
    }
}

/// One thread's solvers and lists.
struct Worker {
    question: Arc<Question>,
    solvers: Vec<(&'static Strategy, Box<dyn Solver>)>,
    slots: Vec<Slot>,
    /// Boards of lines with nothing else in them, which nobody has checked for clashes: most are of these.
    boards: Vec<Board>,
    board_outcomes: Vec<Outcome>,
    /// The place of the solver of plain boards.
    board_solver: usize,
    /// What takes more: other rules, restrictions, a name, to be timed or listed.
    puzzles: Vec<Puzzle>,
    outcomes: Vec<Outcome>,
    /// The place of the solver that each of these comes from.
    places: Vec<usize>,
    /// The last rules and what is best for them, since files of mixed rules are rare.
    last: Option<(Rules, Option<usize>)>,
}

/// Stands for "no strategy takes these rules".
const NONE: usize = usize::MAX;

impl Worker {
    fn new(question: Arc<Question>) -> Worker {
        Worker {
            question,
            solvers: Vec::new(),
            slots: Vec::new(),
            boards: Vec::new(),
            board_outcomes: Vec::new(),
            board_solver: NONE,
            puzzles: Vec::new(),
            outcomes: Vec::new(),
            places: Vec::new(),
            last: None,
        }
    }

    /// The place of the solver for these rules.
    fn solver_for(&mut self, rules: &Rules) -> Option<usize> {
        if let Some((last, place)) = &self.last
            && last == rules
        {
            return *place;
        }
        let place = self.question.strategy.or_else(|| ninefold::auto(rules)).map(|strategy| {
            self.solvers.iter().position(|(known, _)| known.name == strategy.name).unwrap_or_else(|| {
                self.solvers.push((strategy, (strategy.build)()));
                self.solvers.len() - 1
            })
        });
        self.last = Some((rules.clone(), place));
        place
    }

    /// Takes in up to [`AT_ONCE`] entries.
    fn take(&mut self, entries: &mut Entries<'_>) {
        let plain = !self.question.list && !self.question.look.stats;
        for _ in 0..AT_ONCE {
            if plain && let Some((line, board)) = entries.next_plain() {
                self.boards.push(board);
                self.slots.push(Slot { line, other: None });
                continue;
            }
            let Some(entry) = entries.next() else { break };
            let (line, other) = match entry {
                Err(error) => (error.position().line(), Other::Unreadable(error)),
                Ok(entry) => {
                    let line = entry.position().line();
                    let name = entry.name().map(Box::from);
                    match entry.into_puzzle() {
                        Ok(puzzle) => {
                            self.puzzles.push(puzzle);
                            (line, Other::Puzzle { name })
                        }
                        Err(error) => (line, Other::Clashing { name, error }),
                    }
                }
            };
            self.slots.push(Slot { line, other: Some(Box::new(other)) });
        }
    }

    /// Searches all plain boards.
    fn search_boards(&mut self) {
        let question = self.question.clone();
        if self.boards.is_empty() {
            return;
        }
        match self.solver_for(Rules::classic()) {
            Some(place) => {
                let solver = &mut self.solvers[place].1;
                self.board_outcomes = solver.search_boards(&self.boards, question.cap, &question.each, &question.whole);
                self.board_solver = place;
            }
            None => {
                let outcome = Outcome::new(End::Unsupported, ninefold::Counters::default());
                self.board_outcomes = vec![outcome; self.boards.len()];
                self.board_solver = NONE;
            }
        }
    }

    /// Searches all puzzles of the list.
    fn search_puzzles(&mut self) {
        let question = self.question.clone();
        let mut from = 0;
        while from < self.puzzles.len() {
            let rules = self.puzzles[from].rules().clone();
            let place = self.solver_for(&rules);
            let same = self.puzzles[from..].iter().take_while(|puzzle| *puzzle.rules() == rules).count();
            let puzzles = &self.puzzles[from..from + same];
            from += same;
            let Some(place) = place else {
                let outcome = Outcome::new(End::Unsupported, ninefold::Counters::default());
                self.outcomes.extend(std::iter::repeat_n(outcome, same));
                self.places.extend(std::iter::repeat_n(NONE, same));
                continue;
            };
            self.places.extend(std::iter::repeat_n(place, same));
            let solver = &mut self.solvers[place].1;
            if question.look.stats {
                for puzzle in puzzles {
                    let limits = question.both_limits();
                    let mut search = Search::new(&limits).with_cap(question.cap).with_times();
                    let end = solver.search(puzzle, &mut search);
                    self.outcomes.push(search.finish(end));
                }
            } else {
                let outcomes = solver.search_batch(puzzles, question.cap, &question.each, &question.whole);
                // Mostly there is one batch, whose list need not be copied.
                if self.outcomes.is_empty() {
                    self.outcomes = outcomes;
                } else {
                    self.outcomes.extend(outcomes);
                }
            }
        }
    }

    /// Searches one puzzle and writes its solutions as they are found; how many, and the rest of the answer.
    fn list(&mut self, puzzle: &Puzzle, place: Place<'_>, out: &mut Vec<u8>, emit: &mut dyn FnMut(Vec<u8>)) -> (usize, Outcome) {
        let question = self.question.clone();
        let Some(solver_place) = self.solver_for(puzzle.rules()) else {
            return (NONE, Outcome::new(End::Unsupported, ninefold::Counters::default()));
        };
        let mut n = 0;
        let mut visitor = |solution: &Solution| {
            n += 1;
            question.look.write_listed(&place, puzzle.board(), solution, n, out);
            if out.len() >= PART {
                emit(std::mem::take(out));
            }
            ControlFlow::Continue(())
        };
        let limits = question.both_limits();
        let mut search = Search::new(&limits).with_cap(question.cap).with_visitor(&mut visitor);
        if question.look.stats {
            search = search.with_times();
        }
        let end = self.solvers[solver_place].1.search(puzzle, &mut search);
        (solver_place, search.finish(end))
    }
}

impl Question {
    /// The limits of one puzzle and of the whole, as one.
    fn both_limits(&self) -> Limits {
        let limits = self.each.clone().with_cancel(self.cancel.clone());
        match self.whole.deadline_from_now() {
            Some(deadline) => limits.with_deadline(deadline),
            None => limits,
        }
    }

    /// Whether a report more is shown.
    fn reports_more(&self) -> bool {
        self.look.format != AnswerFormat::Json && self.reports.fetch_add(1, Ordering::Relaxed) < MOST_REPORTS
    }

    /// Writes an answer that took no search.
    fn write_error(&self, answer: &Answer<'_>, tally: &mut Tally, out: &mut Vec<u8>) {
        tally.verdict(answer.verdict);
        self.look.write(answer, false, out);
    }
}

impl Question {
    /// Writes what came of a search.
    #[inline]
    fn write_outcome(
        &self,
        place: Place<'_>,
        strategy: &str,
        board: &Board,
        outcome: &Outcome,
        tally: &mut Tally,
        out: &mut Vec<u8>,
    ) {
        let verdict = Verdict::of(outcome);
        tally.verdict(verdict);
        if self.look.stats {
            tally.outcome(outcome);
        }
        // The way of most puzzles by far: a line in, a line out.
        if self.look.format == AnswerFormat::Line
            && !self.list
            && let Some(solution) = outcome.solution()
        {
            write_line(out, solution.board());
            return;
        }
        let answer = Answer { place, verdict, board: Some(board), strategy, outcome: Some(outcome), clashes: &[], error: None };
        match self.look.format {
            AnswerFormat::Json if self.list => self.look.write_json_after(&answer, outcome.count(), out),
            _ => self.look.write(&answer, self.list && outcome.count() > 0, out),
        }
    }

    /// Reports a board that is no puzzle.
    fn write_clash(&self, place: Place<'_>, error: &PuzzleError, tally: &mut Tally, notes: &mut Vec<u8>, out: &mut Vec<u8>) {
        let clashes = error.clash_list();
        if self.look.format != AnswerFormat::Grid && self.reports_more() {
            let labels: Vec<String> = clashes.iter().map(Clash::to_string).collect();
            let message = if clashes.is_empty() { error.to_string() } else { "the givens clash".into() };
            let _ = writeln!(notes, "{}", report::place_error(place.source, place.line, &message, &labels));
        }
        let object = clashes
            .is_empty()
            .then(|| ErrorObject { line: Some(place.line), ..ErrorObject::of_source(place.source, &error.to_string()) });
        let board = Some(error.board());
        let answer = Answer { place, verdict: Verdict::Clash, board, strategy: "", outcome: None, clashes, error: object };
        self.write_error(&answer, tally, out);
    }
}

impl Worker {
    /// Answers the entries that wait.
    fn answer(&mut self, job: &mut Job, tally: &mut Tally, emit: &mut dyn FnMut(Vec<u8>)) {
        let question = self.question.clone();
        let slots = std::mem::take(&mut self.slots);
        let listed = if question.list {
            std::mem::take(&mut self.puzzles)
        } else {
            self.search_boards();
            self.search_puzzles();
            Vec::new()
        };
        let (mut boards, mut puzzles) = (0..self.boards.len(), 0..);
        for slot in &slots {
            let place = Place { source: &job.source, line: slot.line, name: slot.name() };
            let one;
            let (solver, board, outcome) = match slot.other.as_deref() {
                None => {
                    let Some(next) = boards.next() else { break };
                    let (board, outcome) = (&self.boards[next], &self.board_outcomes[next]);
                    // That there is a solution says that the givens do not clash.
                    if outcome.count() == 0
                        && let Err(error) = Puzzle::new(board.clone())
                    {
                        question.write_clash(place, &error, tally, &mut job.notes, &mut job.out);
                        continue;
                    }
                    (self.board_solver, board, outcome)
                }
                Some(Other::Puzzle { .. }) => {
                    let Some(next) = puzzles.next() else { break };
                    if question.list {
                        one = self.list(&listed[next], place, &mut job.out, emit);
                        (one.0, listed[next].board(), &one.1)
                    } else {
                        (self.places[next], self.puzzles[next].board(), &self.outcomes[next])
                    }
                }
                Some(Other::Clashing { error, .. }) => {
                    question.write_clash(place, error, tally, &mut job.notes, &mut job.out);
                    continue;
                }
                Some(Other::Unreadable(error)) => {
                    if question.reports_more() {
                        let _ = writeln!(job.notes, "{}", report::read_error(&job.source, error));
                    }
                    let object = Some(ErrorObject::of_reading(&job.source, error));
                    let verdict = Verdict::Error;
                    let answer = Answer { place, verdict, board: None, strategy: "", outcome: None, clashes: &[], error: object };
                    question.write_error(&answer, tally, &mut job.out);
                    continue;
                }
            };
            if outcome.end() == End::OutOfBudget(Budget::Cancelled) {
                job.cut = true;
                break;
            }
            let strategy = self.solvers.get(solver).map_or("", |(strategy, _)| strategy.name);
            question.write_outcome(place, strategy, board, outcome, tally, &mut job.out);
        }
        self.slots = slots;
        self.slots.clear();
        self.boards.clear();
        self.puzzles.clear();
        // Given back before the next list is taken, so that it gets the same memory, which is in the cache.
        self.board_outcomes = Vec::new();
        self.outcomes = Vec::new();
        self.places.clear();
    }
}

impl Work for Worker {
    type Tally = Tally;

    fn work(&mut self, job: &mut Job, emit: &mut dyn FnMut(Vec<u8>)) -> Tally {
        let mut tally = Tally::default();
        if let Some(fault) = job.fault.take() {
            let question = &self.question;
            if question.reports_more() {
                let _ = writeln!(job.notes, "{}", report::source_error(&job.source, &fault));
            }
            let place = Place { source: &job.source, line: 0, name: None };
            let error = Some(ErrorObject::of_source(&job.source, &fault));
            let answer = Answer { place, verdict: Verdict::Error, board: None, strategy: "", outcome: None, clashes: &[], error };
            question.write_error(&answer, &mut tally, &mut job.out);
        }
        let mut chunk = std::mem::take(&mut job.chunk);
        let mut entries = chunk.entries();
        while !job.cut {
            self.take(&mut entries);
            if self.slots.is_empty() {
                break;
            }
            self.answer(job, &mut tally, emit);
        }
        drop(entries);
        job.chunk = chunk;
        tally
    }

    fn add(sum: &mut Tally, tally: Tally) {
        for (sum, count) in sum.verdicts.iter_mut().zip(tally.verdicts) {
            *sum += count;
        }
        sum.status = sum.status.max(tally.status);
        for ((sum, value), counter) in sum.counters.iter_mut().zip(tally.counters).zip(Counter::ALL) {
            merge(sum, value, counter);
        }
        sum.search += tally.search;
    }
}
