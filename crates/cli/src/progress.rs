//! Progress on a terminal, for whatever takes longer than two seconds.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long a command may be silent.
const PATIENCE: Duration = Duration::from_secs(2);

/// A bar on standard error that shows up late, or never where that is no terminal.
pub(crate) struct Progress {
    start: Instant,
    wanted: bool,
    total: Option<u64>,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Of so many steps, if they are known.
    pub(crate) fn new(quiet: bool, total: Option<u64>) -> Progress {
        let wanted = !quiet && std::io::stderr().is_terminal();
        Progress { start: Instant::now(), wanted, total: total.filter(|total| *total > 0), bar: None }
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Shows how far it is.
    pub(crate) fn show(&mut self, done: u64, message: impl FnOnce() -> String) {
        if !self.wanted || self.start.elapsed() < PATIENCE {
            return;
        }
        let (total, elapsed) = (self.total, self.start.elapsed());
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(5)).with_elapsed(elapsed);
            let template = match total {
                Some(_) => "{bar:30} {percent}% {msg}, {eta} left",
                None => "{spinner} {elapsed} {msg}",
            };
            bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        bar.set_position(done);
        bar.set_message(message());
    }

    /// Writes while the bar is out of the way.
    pub(crate) fn write(&self, out: &mut impl Write, bytes: &[u8]) -> std::io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut write = || out.write_all(bytes).and_then(|()| out.flush());
        match &self.bar {
            Some(bar) if std::io::stdout().is_terminal() => bar.suspend(write),
            _ => write(),
        }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// A figure with its thousands set apart.
pub(crate) fn grouped(value: u64) -> String {
    let figures = value.to_string();
    let mut text = String::with_capacity(figures.len() + figures.len() / 3);
    for (i, figure) in figures.chars().enumerate() {
        if i > 0 && (figures.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(figure);
    }
    text
}

/// A time in the unit that suits it.
pub(crate) fn time(time: Duration) -> String {
    let nanos = time.as_nanos();
    let seconds = time.as_secs_f64();
    match nanos {
        0..1_000 => format!("{nanos} ns"),
        1_000..1_000_000 => format!("{:.1} µs", seconds * 1e6),
        1_000_000..1_000_000_000 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}
