//! Streams puzzles through the threads: one reads, some work, one (the main thread) writes, in the order of the input.
//!
//! A fixed number of jobs goes round: the reader fills one, a worker answers it, the writer writes it and hands it back. So
//! memory is flat whatever the input's size, a slow reader of the answers holds everything up, and no list is allocated twice.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Read;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ninefold::CancelToken;
use ninefold_formats::{Chunk, Entry, Options, ReadError, Reader};

use crate::input::{self, Source, Watched};
use crate::progress::{Progress, grouped};
use crate::status::Stop;

/// The most puzzles of one job: to pass a job on costs as much as some puzzles.
const LARGEST_JOB: usize = 4096;
const FIRST_JOB: usize = 16;

/// A job should take about this long: long enough to be worth the passing on, short enough that a file of few hard puzzles
/// keeps all threads busy and answers come as they are found.
const SHORT: Duration = Duration::from_millis(2);
const LONG: Duration = Duration::from_millis(10);

/// Some entries of one source, and in the end their answers.
#[derive(Default)]
pub(crate) struct Job {
    number: u64,
    /// What messages call the source.
    pub(crate) source: Arc<str>,
    pub(crate) chunk: Chunk,
    /// How many entries it came with.
    count: usize,
    /// Why the source cannot be read at all.
    pub(crate) fault: Option<String>,
    /// Answers, for standard output.
    pub(crate) out: Vec<u8>,
    /// Everything else, for standard error.
    pub(crate) notes: Vec<u8>,
    /// Whether an interruption left entries without an answer.
    pub(crate) cut: bool,
}

/// What is done with a job.
pub(crate) trait Work: Send + 'static {
    /// What is summed up over all jobs.
    type Tally: Default + Send + 'static;

    /// Answers the entries. What is handed to `emit` is written at once, before the job's own answers; only for work that
    /// runs on one thread.
    fn work(&mut self, job: &mut Job, emit: &mut dyn FnMut(Vec<u8>)) -> Self::Tally;

    /// Adds the tally of a job that was written.
    fn add(sum: &mut Self::Tally, tally: Self::Tally);
}

enum Message<T> {
    Part(Vec<u8>),
    Done(Job, T),
}

/// How it came out.
pub(crate) struct Streamed<T> {
    pub(crate) tally: T,
    pub(crate) elapsed: Duration,
    pub(crate) interrupted: bool,
    /// Whether the reader of the answers went away.
    pub(crate) closed: bool,
}

/// Ends the process where a worker panics: the others would wait for its job for ever.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        if thread::panicking() {
            // The code of a Rust program that panics.
            std::process::exit(101);
        }
    }
}

/// Runs all sources through the workers.
///
/// # Errors
/// Where standard output cannot be written, other than because its reader went away.
pub(crate) fn stream<W: Work>(
    sources: Vec<Source>,
    options: Options,
    workers: Vec<W>,
    cancel: &CancelToken,
    quiet: bool,
    head: &[u8],
) -> Result<Streamed<W::Tally>, Stop> {
    let mut progress = Progress::new(quiet, input::total_length(&sources));
    // One is worked on and one waits, for every thread, and one is written. With more they would leave the cache on their way.
    let jobs = 2 * workers.len() + 1;
    let bytes = Arc::new(AtomicU64::new(0));
    let handed = Arc::new(AtomicU64::new(0));
    let size = Arc::new(AtomicUsize::new(FIRST_JOB));
    let (free, pool) = mpsc::channel();
    for _ in 0..jobs {
        let _ = free.send(Job::default());
    }
    let (fill, filled) = mpsc::channel();
    let filled = Arc::new(Mutex::new(filled));
    let (done, answered) = mpsc::sync_channel(4);

    // The reader may wait for its input for ever and is never joined: the process ends without it.
    let reading =
        Reading { pool, fill, handed: handed.clone(), bytes: bytes.clone(), size: size.clone(), cancel: cancel.clone() };
    thread::spawn(move || {
        let _guard = Guard;
        reading.run(sources, &options);
    });
    for worker in workers {
        let (filled, done, size) = (filled.clone(), done.clone(), size.clone());
        thread::spawn(move || {
            let _guard = Guard;
            work_on(worker, &filled, &done, &size);
        });
    }
    drop(done);

    let mut sum = W::Tally::default();
    let mut out = std::io::stdout();
    let mut streamed = |progress: &mut Progress| -> std::io::Result<bool> {
        progress.write(&mut out, head)?;
        let mut next = 0;
        let mut puzzles = 0;
        // Answered jobs that wait for one before them: at most as many as there are jobs.
        let mut waiting: VecDeque<Option<(Job, W::Tally)>> = VecDeque::new();
        loop {
            let elapsed = progress.elapsed().as_secs_f64();
            progress.show(bytes.load(Ordering::Relaxed), || {
                format!("{} puzzles, {}/s", grouped(puzzles), grouped((puzzles as f64 / elapsed.max(1e-9)) as u64))
            });
            match answered.recv_timeout(Duration::from_millis(100)) {
                Ok(Message::Part(part)) => progress.write(&mut out, &part)?,
                Ok(Message::Done(job, tally)) => {
                    let index = (job.number - next) as usize;
                    if waiting.len() <= index {
                        waiting.resize_with(index + 1, || None);
                    }
                    waiting[index] = Some((job, tally));
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(cancel.is_cancelled()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            while let Some(Some(_)) = waiting.front()
                && let Some((mut job, tally)) = waiting.pop_front().flatten()
            {
                next += 1;
                puzzles += job.count as u64;
                // Whatever was not taken out.
                drop(job.chunk.entries());
                // Answers go on where nobody hears of errors.
                let _ = progress.write(&mut std::io::stderr(), &job.notes);
                job.notes.clear();
                progress.write(&mut out, &job.out)?;
                job.out.clear();
                W::add(&mut sum, tally);
                if job.cut {
                    return Ok(true);
                }
                let _ = free.send(job);
            }
            if cancel.is_cancelled() && handed.load(Ordering::SeqCst) == next {
                return Ok(true);
            }
        }
    };
    let ended = streamed(&mut progress);
    progress.clear();
    let elapsed = progress.elapsed();
    match ended {
        Ok(interrupted) => Ok(Streamed { tally: sum, elapsed, interrupted, closed: false }),
        Err(error) => {
            cancel.cancel();
            match Stop::from(error) {
                Stop::Closed => Ok(Streamed { tally: sum, elapsed, interrupted: false, closed: true }),
                stop @ Stop::Failed(_) => Err(stop),
            }
        }
    }
}

/// The thread that reads.
struct Reading {
    pool: Receiver<Job>,
    fill: Sender<Job>,
    handed: Arc<AtomicU64>,
    bytes: Arc<AtomicU64>,
    size: Arc<AtomicUsize>,
    cancel: CancelToken,
}

impl Reading {
    fn run(self, sources: Vec<Source>, options: &Options) {
        let cancel = self.cancel.clone();
        let bytes = self.bytes.clone();
        let filling = Rc::new(RefCell::new(Filling { reading: self, job: None, number: 0 }));
        for source in sources {
            let name = source.name.clone();
            let (input, slow) = match source.open() {
                Ok(opened) => opened,
                Err(reason) => {
                    if filling.borrow_mut().fault(&name, reason).is_none() {
                        return;
                    }
                    continue;
                }
            };
            // Before a pipe is read, which may take for ever, what came before is handed on.
            let before = {
                let filling = filling.clone();
                move || {
                    if slow {
                        filling.borrow_mut().hand_on();
                    }
                }
            };
            let mut reader = Reader::new(Watched::new(input, bytes.clone(), before), options.clone());
            while !cancel.is_cancelled() {
                if filling.borrow_mut().take_lines(&name, &mut reader).is_none() {
                    return;
                }
                // Without a borrow: to read on may hand the job on.
                let Some(entry) = reader.next() else { break };
                if filling.borrow_mut().push(&name, entry).is_none() {
                    return;
                }
            }
            filling.borrow_mut().hand_on();
        }
    }
}

/// The job that is being filled.
struct Filling {
    reading: Reading,
    job: Option<Job>,
    number: u64,
}

impl Filling {
    /// Waits for a free job; `None` where nobody waits for more.
    fn job(&mut self, name: &Arc<str>) -> Option<&mut Job> {
        if self.job.is_none() {
            let mut job = self.reading.pool.recv().ok()?;
            job.number = self.number;
            job.fault = None;
            job.cut = false;
            self.number += 1;
            self.job = Some(job);
        }
        let job = self.job.as_mut()?;
        if job.chunk.is_empty() {
            job.source = name.clone();
        }
        Some(job)
    }

    /// Fills jobs with the lines that the reader holds, and hands on those that are full.
    fn take_lines<R: Read>(&mut self, name: &Arc<str>, reader: &mut Reader<R>) -> Option<()> {
        loop {
            let size = self.reading.size.load(Ordering::Relaxed);
            let chunk = &mut self.job(name)?.chunk;
            reader.take_lines(size, chunk);
            if chunk.len() < size && !chunk.is_heavy() {
                return Some(());
            }
            self.hand_on();
        }
    }

    fn push(&mut self, name: &Arc<str>, entry: Result<Entry, ReadError>) -> Option<()> {
        self.job(name)?.chunk.push(entry);
        Some(())
    }

    fn fault(&mut self, name: &Arc<str>, reason: String) -> Option<()> {
        self.job(name)?.fault = Some(reason);
        self.hand_on();
        Some(())
    }

    fn hand_on(&mut self) {
        if let Some(mut job) = self.job.take_if(|job| !job.chunk.is_empty() || job.fault.is_some()) {
            job.count = job.chunk.len();
            self.reading.handed.fetch_add(1, Ordering::SeqCst);
            // Nobody takes it where all has ended; the next wait for a free job finds that out.
            let _ = self.reading.fill.send(job);
        }
    }
}

/// A thread that works.
fn work_on<W: Work>(mut worker: W, filled: &Mutex<Receiver<Job>>, done: &SyncSender<Message<W::Tally>>, size: &AtomicUsize) {
    loop {
        let job = filled.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(mut job) = job else { return };
        let start = Instant::now();
        let tally = worker.work(&mut job, &mut |part| {
            // A failure ends the loop below.
            let _ = done.send(Message::Part(part));
        });
        let (count, elapsed) = (job.count, start.elapsed());
        let now = size.load(Ordering::Relaxed);
        if elapsed > LONG && count > 1 {
            size.store((count / 2).max(1), Ordering::Relaxed);
        } else if elapsed < SHORT && count >= now {
            size.store((2 * now).min(LARGEST_JOB), Ordering::Relaxed);
        }
        if done.send(Message::Done(job, tally)).is_err() {
            return;
        }
    }
}

/// A token that Ctrl-C uses. A second Ctrl-C ends the process at once.
pub(crate) fn cancel_on_interrupt() -> CancelToken {
    let token = CancelToken::new();
    let used = token.clone();
    // Without a handler Ctrl-C still ends the program, only without a summary.
    let _ = ctrlc::set_handler(move || {
        if used.is_cancelled() {
            std::process::exit(130);
        }
        used.cancel();
    });
    token
}
