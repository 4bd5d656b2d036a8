//! Programs outside that take part. docs/CROSSCHECK.md has the protocol.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use ninefold::crosscheck::{Answer, Participant};
use ninefold::{BlockShape, Board, Budget, CancelToken, Limits, Puzzle, Rules};
use ninefold_formats::{Format, Record};

/// The longest line that is read. A 64×64 board and a word take less.
const LONGEST_LINE: u64 = 1 << 16;

/// What is kept of what a program writes to standard error, for the report.
const KEPT_ERRORS: usize = 2000;

/// How often a wait looks whether the user has had enough.
const LOOK: Duration = Duration::from_millis(20);

/// What stands for the puzzle where a program takes it as an argument.
const PLACE: &str = "{}";

/// Which puzzles a program outside is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Takes {
    /// 9×9 boards with the classic rules
    Classic,
    /// Boards of any size with square blocks
    Square,
    /// All puzzles; those that a plain line cannot say as a JSON object
    All,
}

/// A program by its name and the words of its command.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) name: String,
    words: Vec<String>,
    text: String,
}

impl Program {
    /// Reads `NAME=COMMAND`, or a command, which is its own name then.
    ///
    /// # Errors
    /// Where there is no command in it.
    pub(crate) fn parse(text: &str) -> Result<Program, String> {
        let named = text.split_once('=').filter(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+'))
        });
        let words = words(named.map_or(text, |(_, command)| command))?;
        let Some(first) = words.first() else { return Err("a command is expected, such as mine='python3 mine.py'".into()) };
        let file = || first.rsplit(['/', '\\']).next().unwrap_or(first).to_string();
        let name = named.map_or_else(file, |(name, _)| name.to_string());
        Ok(Program { name, words, text: text.into() })
    }

    /// As it was given.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// The words of a command: separated by spaces, quotes of either kind keep them together. No shell has a say.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let (mut word, mut begun, mut quote) = (String::new(), false, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => word.push(c),
            (None, '"' | '\'') => (quote, begun) = (Some(c), true),
            (None, _) if c.is_whitespace() => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            (None, _) => {
                word.push(c);
                begun = true;
            }
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".into());
    }
    if begun {
        words.push(word);
    }
    Ok(words)
}

/// A program as a participant. It starts with the first puzzle, and anew after every fault.
pub(crate) struct External {
    program: Program,
    takes: Takes,
    time: Duration,
    cancel: CancelToken,
    running: Option<Running>,
}

/// A program that runs.
struct Running {
    child: Child,
    /// Lines for its standard input. A thread writes them, since a program that does not read would hold up the writer.
    questions: Option<Sender<Vec<u8>>>,
    /// Lines from its standard output; the end of it ends the channel.
    answers: Receiver<Result<String, String>>,
    errors: Arc<Mutex<VecDeque<u8>>>,
    /// Ends when standard error does.
    errors_end: Receiver<()>,
    answered: u64,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What came of waiting for a line.
enum Heard {
    Line(String),
    /// Its output ended.
    End,
    Silence,
    Cancelled,
    Fault(String),
}

impl External {
    pub(crate) fn new(program: Program, takes: Takes, time: Duration, cancel: CancelToken) -> External {
        External { program, takes, time, cancel, running: None }
    }

    fn start(&self, words: &[String]) -> Result<Running, String> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is ours to handle: a program that it killed would look as if it had crashed.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| format!("cannot be started: {error}"))?;
        let (questions, to_write) = mpsc::channel::<Vec<u8>>();
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                for line in to_write {
                    if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
                        return;
                    }
                }
            });
        }
        let (heard, answers) = mpsc::sync_channel(16);
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || {
                let mut stdout = BufReader::new(stdout);
                while let Some(line) = read_line(&mut stdout) {
                    let bad = line.is_err();
                    if heard.send(line).is_err() || bad {
                        return;
                    }
                }
            });
        }
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        let (at_end, errors_end) = mpsc::channel::<()>();
        if let Some(mut stderr) = child.stderr.take() {
            let errors = errors.clone();
            thread::spawn(move || {
                let _at_end = at_end;
                let mut buffer = [0; 1024];
                while let Ok(count @ 1..) = stderr.read(&mut buffer) {
                    let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
                    errors.extend(&buffer[..count]);
                    let over = errors.len().saturating_sub(KEPT_ERRORS);
                    errors.drain(..over);
                }
            });
        }
        Ok(Running { child, questions: Some(questions), answers, errors, errors_end, answered: 0 })
    }

    /// Waits for a line that is not empty.
    fn hear(&self, running: &Running, time: Duration) -> Heard {
        let start = Instant::now();
        loop {
            match running.answers.recv_timeout(LOOK.min(time)) {
                Ok(Ok(line)) if line.trim().is_empty() => {}
                Ok(Ok(line)) => return Heard::Line(line),
                Ok(Err(fault)) => return Heard::Fault(fault),
                Err(RecvTimeoutError::Disconnected) if self.cancel.is_cancelled() => return Heard::Cancelled,
                Err(RecvTimeoutError::Disconnected) => return Heard::End,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.cancel.is_cancelled() {
                return Heard::Cancelled;
            }
            if start.elapsed() >= time {
                return Heard::Silence;
            }
        }
    }

    /// Asks a program that answers puzzle after puzzle.
    fn converse(&mut self, line: &str, puzzle: &Puzzle, time: Duration) -> Answer {
        // One that ends after each answer is started for each puzzle; its end may come when the next question is on its way.
        for attempt in 0..2 {
            let mut running = match self.running.take() {
                Some(running) => running,
                None => match self.start(&self.program.words) {
                    Ok(running) => running,
                    Err(fault) => return Answer::fault(fault),
                },
            };
            match running.answers.try_recv() {
                Ok(Ok(line)) if !line.trim().is_empty() => {
                    return Answer::fault(format!("says more than one line to a puzzle: {}", shown(&line)));
                }
                Ok(Err(fault)) => return Answer::fault(fault),
                _ => {}
            }
            if let Some(questions) = &running.questions {
                // Where nobody reads any more, the end of the answers tells.
                let _ = questions.send(format!("{line}\n").into_bytes());
            }
            match self.hear(&running, time) {
                Heard::Line(text) => {
                    running.answered += 1;
                    self.running = Some(running);
                    return read_answer(&text, puzzle);
                }
                Heard::End => {
                    let status = ended(&mut running);
                    if attempt == 0 && running.answered > 0 && status.is_some_and(|status| status.success()) {
                        continue;
                    }
                    return Answer::fault(end_fault(&running, status));
                }
                Heard::Silence => return Answer::fault(silence_fault(&running, time)),
                Heard::Cancelled => return Answer::gave_up(Budget::Cancelled, Vec::new()),
                Heard::Fault(fault) => return Answer::fault(fault),
            }
        }
        Answer::fault("ends without an answer, again and again")
    }

    /// Asks a program that takes the puzzle as an argument.
    fn call(&mut self, line: &str, puzzle: &Puzzle, time: Duration) -> Answer {
        let words: Vec<String> = self.program.words.iter().map(|word| word.replace(PLACE, line)).collect();
        let mut running = match self.start(&words) {
            Ok(running) => running,
            Err(fault) => return Answer::fault(fault),
        };
        running.questions = None;
        match self.hear(&running, time) {
            Heard::Line(text) => read_answer(&text, puzzle),
            Heard::End => {
                let status = ended(&mut running);
                Answer::fault(end_fault(&running, status))
            }
            Heard::Silence => Answer::fault(silence_fault(&running, time)),
            Heard::Cancelled => Answer::gave_up(Budget::Cancelled, Vec::new()),
            Heard::Fault(fault) => Answer::fault(fault),
        }
    }
}

impl Participant for External {
    fn name(&self) -> &str {
        &self.program.name
    }

    fn answer(&mut self, puzzle: &Puzzle, _: u64, _: &Limits) -> Answer {
        if self.cancel.is_cancelled() {
            return Answer::gave_up(Budget::Cancelled, Vec::new());
        }
        let Some(line) = line_of(puzzle, self.takes) else { return Answer::unsupported() };
        if self.program.words.iter().any(|word| word.contains(PLACE)) {
            self.call(&line, puzzle, self.time)
        } else {
            self.converse(&line, puzzle, self.time)
        }
    }

    fn restart(&mut self) {
        self.running = None;
    }
}

/// A line, without its end; `None` at the end of the output.
fn read_line(from: &mut impl BufRead) -> Option<Result<String, String>> {
    let mut line = Vec::new();
    match from.take(LONGEST_LINE).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) if line.len() as u64 == LONGEST_LINE => Some(Err(format!("writes a line of more than {LONGEST_LINE} bytes"))),
        Ok(_) => Some(String::from_utf8(line).map_err(|_| "writes what is no text".into())),
    }
}

/// Waits a little for a program whose output has ended.
fn ended(running: &mut Running) -> Option<ExitStatus> {
    let start = Instant::now();
    loop {
        match running.child.try_wait() {
            Ok(Some(status)) => {
                // What it said last is still on its way. Others may hold its standard error open.
                let _ = running.errors_end.recv_timeout(Duration::from_millis(200));
                return Some(status);
            }
            Ok(None) if start.elapsed() < Duration::from_secs(1) => thread::sleep(Duration::from_millis(2)),
            _ => return None,
        }
    }
}

fn end_fault(running: &Running, status: Option<ExitStatus>) -> String {
    let said = match last_error(running) {
        Some(line) => format!(": {line}"),
        None => String::new(),
    };
    match status {
        Some(status) if status.success() => format!("ends without an answer{said}"),
        Some(status) => format!("crashes ({status}){said}"),
        None => format!("closes its output without an answer{said}"),
    }
}

fn silence_fault(running: &Running, time: Duration) -> String {
    let said = last_error(running).map(|line| format!("; it said: {line}")).unwrap_or_default();
    format!("says nothing within {} s (is each answer flushed?){said}", time.as_secs_f64())
}

/// The last line that it wrote to standard error.
fn last_error(running: &Running) -> Option<String> {
    let errors = running.errors.lock().unwrap_or_else(PoisonError::into_inner);
    let bytes: Vec<u8> = errors.iter().copied().collect();
    let text = String::from_utf8_lossy(&bytes);
    text.lines().rev().find(|line| !line.trim().is_empty()).map(shown)
}

/// A piece of somebody's text, safe to show.
fn shown(text: &str) -> String {
    const MOST: usize = 100;
    let text = text.trim();
    let mut piece: String = text.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().count() > MOST {
        piece.push('…');
    }
    piece
}

/// The puzzle as a program outside is given it; `None` where it is not asked.
fn line_of(puzzle: &Puzzle, takes: Takes) -> Option<String> {
    let side = puzzle.rules().side();
    let plain = puzzle.restrictions().is_none();
    let square = BlockShape::square(side).is_some_and(|shape| *puzzle.rules() == Rules::blocks(shape));
    match takes {
        Takes::Classic if puzzle.rules().is_classic() && plain => Some(puzzle.to_string()),
        Takes::Square | Takes::All if square && plain => Some(puzzle.to_string()),
        Takes::All => {
            let text = ninefold_formats::write(Format::JsonLines, [Record::from(puzzle)]).ok()?;
            Some(String::from_utf8(text).ok()?.trim_end().into())
        }
        _ => None,
    }
}

/// What an answer line says.
fn read_answer(text: &str, puzzle: &Puzzle) -> Answer {
    let nonsense = || Answer::fault(format!("gives an answer that is none: {}", shown(text)));
    let text = text.trim();
    let board = |text: &str| Board::parse(puzzle.rules(), text).ok();
    if let Some(board) = board(text) {
        return Answer::some(vec![board]);
    }
    // ASCII alone, so that the rest is as long as before.
    let lower = text.to_ascii_lowercase();
    let (word, rest) = lower.split_once([' ', '\t', ':', '=']).unwrap_or((&lower, ""));
    let rest = &text[text.len() - rest.len()..];
    let solutions = |answer: Answer| match rest.trim() {
        "" => Some(answer),
        rest => match board(rest) {
            Some(board) => Some(answer.with_solution(board)),
            None => rest.split_whitespace().try_fold(answer, |answer, part| Some(answer.with_solution(board(part)?))),
        },
    };
    let answer = match word {
        "unsolvable" | "impossible" | "none" | "no" | "invalid" => Some(Answer::claim(0, Some(0))),
        "unique" => solutions(Answer::claim(1, Some(1))),
        "multiple" | "many" => solutions(Answer::claim(2, None)),
        "solution" | "solved" if !rest.trim().is_empty() => solutions(Answer::claim(1, None)),
        "count" => count(rest),
        "unknown" | "gave" | "timeout" => Some(Answer::gave_up(Budget::Time, Vec::new())),
        "unsupported" => Some(Answer::unsupported()),
        // A row of figures that is nearly a board was meant as one.
        _ if text.len() > puzzle.rules().cell_count().div_ceil(2) => None,
        _ => count(text),
    };
    answer.unwrap_or_else(nonsense)
}

/// `3`, or `3+` for at least 3.
fn count(text: &str) -> Option<Answer> {
    let text = text.trim();
    let (figures, exact) = text.strip_suffix('+').map_or((text, true), |figures| (figures, false));
    if figures.is_empty() || !figures.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // A count that no register holds is still a large one.
    let count = figures.parse().unwrap_or(u64::MAX);
    Some(Answer::claim(count, exact.then_some(count)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_words_with_or_without_a_name() {
        let parsed = |text: &str| Program::parse(text).map(|program| (program.name, program.words));
        let of = |name: &str, words: &[&str]| Ok((name.to_string(), words.iter().map(ToString::to_string).collect::<Vec<_>>()));
        assert_eq!(parsed("mine=python3 'my solver.py' -x \"\""), of("mine", &["python3", "my solver.py", "-x", ""]));
        assert_eq!(parsed("/usr/bin/solver --mode=fast"), of("solver", &["/usr/bin/solver", "--mode=fast"]));
        assert!(parsed("mine=").is_err());
        assert!(parsed("").is_err());
        assert!(parsed("a 'b").is_err());
    }

    #[test]
    fn every_answer_of_the_protocol_is_read() {
        let puzzle = Puzzle::new("12..34..........".parse().unwrap()).unwrap();
        let solution = "1234341221434321";
        let said = |text: &str| read_answer(text, &puzzle).to_string();
        assert_eq!(said(solution), format!("at least 1 solution: {solution}"));
        assert_eq!(said("1234 3412 2143 4321"), format!("at least 1 solution: {solution}"));
        assert_eq!(said(&format!("unique {solution}")), format!("exactly 1 solution: {solution}"));
        assert_eq!(said("Unsolvable"), "no solution");
        assert_eq!(said("no solution"), "no solution");
        assert_eq!(said("0"), "no solution");
        assert_eq!(said("count 3"), "exactly 3 solutions");
        assert_eq!(said("count: 3"), "exactly 3 solutions");
        assert_eq!(said("3+"), "at least 3 solutions");
        assert_eq!(said("count 99999999999999999999999"), format!("exactly {} solutions", u64::MAX));
        assert_eq!(said("multiple"), "at least 2 solutions");
        assert_eq!(read_answer(&format!("multiple {solution} {solution}"), &puzzle).solutions().len(), 2);
        assert_eq!(said("unknown"), "gave up (time limit)");
        assert_eq!(said("unsupported"), "does not take it");
        for nonsense in
            ["", "hello", "count", "count many", "unique 12", "-1", "3.5", "12343412214343217", "solution", "ſ 5", "İ 5"]
        {
            assert!(said(nonsense).starts_with("gives an answer that is none"), "{nonsense}: {}", said(nonsense));
        }
    }
}
