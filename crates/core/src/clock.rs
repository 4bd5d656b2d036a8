//! The one place that reads a clock.
//!
//! Where the platform has a clock, it is the standard library's monotonic one. `wasm32-unknown-unknown` has none (asking
//! for one panics there), so a page that embeds Ninefold hands one in with [`install`]; without it time stands still and
//! time limits never run out, while node limits and cancel tokens work as everywhere.

use std::time::Duration;

/// A moment of the monotonic clock: the time since some fixed point of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Duration);

impl Moment {
    /// The moment this much later; the end of time where that cannot be expressed.
    #[must_use]
    pub fn plus(self, time: Duration) -> Moment {
        Moment(self.0.saturating_add(time))
    }

    /// The time since an earlier moment; zero if it is not earlier.
    pub fn since(self, earlier: Moment) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod source {
    use std::sync::OnceLock;
    use std::time::{Duration, Instant};

    static START: OnceLock<Instant> = OnceLock::new();

    pub(super) fn read() -> Duration {
        START.get_or_init(Instant::now).elapsed()
    }

    pub(super) fn install(_: fn() -> Duration) {}
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod source {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    pub(super) fn read() -> Duration {
        CLOCK.get().map_or(Duration::ZERO, |clock| clock())
    }

    pub(super) fn install(clock: fn() -> Duration) {
        // A second clock would make moments incomparable, so the first one stays.
        let _ = CLOCK.set(clock);
    }
}

/// The present moment. A few tens of nanoseconds.
pub fn now() -> Moment {
    Moment(source::read())
}

/// Hands in a clock where the platform has none: a function that gives the time since a fixed point and never goes
/// back. The first clock stays; where the platform has a clock of its own, nothing happens.
pub fn install(clock: fn() -> Duration) {
    source::install(clock);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_do_not_overflow() {
        let end = now().plus(Duration::MAX);
        assert_eq!(end.plus(Duration::MAX), end);
        assert_eq!(now().since(end), Duration::ZERO);
    }
}
