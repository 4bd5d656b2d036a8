//! `ninefold crosscheck --fuzz`: puzzles that are made instead of read.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use ninefold::crosscheck::{Fuzz, FuzzCase};

use super::{Checker, CrosscheckArgs, Settings, Tally};
use crate::output::Place;
use crate::progress::{Progress, grouped};
use crate::status::{Done, Status};

/// What a thread hands over to be written, and in the end its tally.
enum Message {
    Found(Vec<u8>, Vec<u8>),
    Done(Tally),
}

/// Asks about made puzzles until the time is over, or enough is found.
pub(super) fn run(args: &CrosscheckArgs, settings: &Arc<Settings>, threads: usize, time: Duration) -> Done {
    if !args.quiet {
        let _ = writeln!(anstream::stderr(), "seed {}", settings.seed);
    }
    // In tenths of a second, so that a short time has some steps.
    let mut progress = Progress::new(args.quiet, Some((10.0 * time.as_secs_f64()) as u64));
    let asked = Arc::new(AtomicU64::new(0));
    let (sender, messages) = mpsc::channel();
    for _ in 0..threads {
        let (settings, asked, sender) = (settings.clone(), asked.clone(), sender.clone());
        let start = std::time::Instant::now();
        thread::spawn(move || {
            let mut checker = Checker::new(&settings);
            let mut tally = Tally::default();
            let enough = |settings: &Settings| settings.found.load(Ordering::Relaxed) >= settings.most.max(1);
            while start.elapsed() < time && !settings.cancel.is_cancelled() && !enough(&settings) {
                let number = asked.fetch_add(1, Ordering::Relaxed);
                let (mut out, mut notes) = (Vec::new(), Vec::new());
                one(&mut checker, &mut tally, number, &mut out, &mut notes);
                if !(out.is_empty() && notes.is_empty()) && sender.send(Message::Found(out, notes)).is_err() {
                    return;
                }
            }
            tally.summary = checker.check.summary().clone();
            let _ = sender.send(Message::Done(tally));
        });
    }
    drop(sender);
    let mut sum = Tally::default();
    let mut out = std::io::stdout();
    progress.write(&mut out, settings.shower.head())?;
    loop {
        let elapsed = progress.elapsed().as_secs_f64();
        progress.show((10.0 * elapsed) as u64, || {
            let asked = asked.load(Ordering::Relaxed);
            format!("{} puzzles, {}/s", grouped(asked), grouped((asked as f64 / elapsed.max(1e-9)) as u64))
        });
        match messages.recv_timeout(Duration::from_millis(100)) {
            Ok(Message::Found(answers, notes)) => {
                let _ = progress.write(&mut std::io::stderr(), &notes);
                progress.write(&mut out, &answers)?;
            }
            Ok(Message::Done(tally)) => sum.add(&tally),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    progress.clear();
    let interrupted = settings.cancel.is_cancelled();
    settings.shower.summary(&sum, progress.elapsed(), interrupted, Some(settings.seed))?;
    Ok(match sum.status() {
        _ if interrupted => Status::Interrupted,
        // Made puzzles are of all kinds; that some are too much for most, or for one alone to take, is no news.
        Status::GaveUp if sum.summary.compared > 0 => Status::Yes,
        status => status,
    })
}

/// Makes one puzzle and asks about it.
fn one(checker: &mut Checker, tally: &mut Tally, number: u64, out: &mut Vec<u8>, notes: &mut Vec<u8>) {
    let case = Fuzz::new(checker.settings.seed).case(number);
    match case.puzzle() {
        Ok(puzzle) if !case.clashes() => {
            let name = format!("{} {number}", case.kind());
            let place = Place { source: "fuzz", line: 0, name: Some(&name) };
            checker.ask(&puzzle, number, place, out, notes);
        }
        Err(_) if case.clashes() => tally.clashing += 1,
        refused => {
            let said = if refused.is_ok() { "is taken for a puzzle" } else { "is refused" };
            wrong_refusal(&case, said, tally, checker, notes);
        }
    }
}

/// Core and the plain check pair by pair disagree about a clash: that is a disagreement too.
fn wrong_refusal(case: &FuzzCase, said: &str, tally: &mut Tally, checker: &Checker, notes: &mut Vec<u8>) {
    checker.settings.found.fetch_add(1, Ordering::Relaxed);
    tally.summary.disagreements += 1;
    let clashes = if case.clashes() { "clashes" } else { "does not clash" };
    let _ = writeln!(notes, "error: a board {said}, but it {clashes}: {} ({})", case.board(), case.board().rules());
}
