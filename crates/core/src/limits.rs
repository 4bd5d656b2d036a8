//! Limits of one call: nodes, time, and a token by which another thread ends the search.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::clock::{self, Moment};

/// What a search ran out of, or what kept it from going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Budget {
    /// The limit on nodes (on conflicts for a strategy that cannot count nodes).
    Nodes,
    /// The limit on time.
    Time,
    /// The cancel token was used.
    Cancelled,
    /// The limit on memory: the strategy would need more than it may use, and said so before it took it.
    Memory,
    /// The visitor, or the cap on solutions, ended the search before it could settle the question. Only a
    /// [`Verdict`](crate::Verdict) says this; a search itself ends as [`End::Stopped`](crate::End::Stopped).
    Solutions,
}

impl Budget {
    /// The word that programs read: `nodes`, `time`, `cancelled`, `memory` or `solutions`.
    pub const fn name(self) -> &'static str {
        match self {
            Budget::Nodes => "nodes",
            Budget::Time => "time",
            Budget::Cancelled => "cancelled",
            Budget::Memory => "memory",
            Budget::Solutions => "solutions",
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Budget::Nodes => "node limit",
            Budget::Time => "time limit",
            Budget::Cancelled => "cancelled",
            Budget::Memory => "memory limit",
            Budget::Solutions => "solution limit",
        })
    }
}

/// Ends a search from another thread or a signal handler. Clones are the same token.
///
/// ```
/// use ninefold_core::CancelToken;
/// let token = CancelToken::new();
/// let other = token.clone();
/// other.cancel();
/// assert!(token.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that is not yet used.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Asks every search that holds this token to end. There is no way back.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](CancelToken::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The limits of one call. The default has none.
///
/// ```
/// use std::time::Duration;
/// use ninefold_core::Limits;
/// let limits = Limits::none().with_nodes(1_000_000).with_time(Duration::from_secs(2));
/// assert_eq!(limits.nodes(), Some(1_000_000));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    nodes: Option<u64>,
    time: Option<Duration>,
    deadline: Option<Moment>,
    cancels: Vec<CancelToken>,
}

impl Limits {
    /// No limits: the search ends when it is done.
    pub const fn none() -> Limits {
        Limits { nodes: None, time: None, deadline: None, cancels: Vec::new() }
    }

    /// At most this many nodes are visited (conflicts, for a strategy that cannot count nodes).
    #[must_use]
    pub fn with_nodes(mut self, nodes: u64) -> Limits {
        self.nodes = Some(nodes);
        self
    }

    /// The search gives up this long after it began, give or take its first few nodes.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Limits {
        self.time = Some(time);
        self
    }

    /// The search gives up at this moment, however late it began; of several deadlines the first counts.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Moment) -> Limits {
        self.deadline = Some(self.deadline.map_or(deadline, |own| own.min(deadline)));
        self
    }

    /// The search gives up when this token is used; of several tokens, any.
    #[must_use]
    pub fn with_cancel(mut self, token: CancelToken) -> Limits {
        self.cancels.push(token);
        self
    }

    /// The limit on nodes.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// The limit on time, counted from the start of the search.
    pub fn time(&self) -> Option<Duration> {
        self.time
    }

    /// The moment at which the search has to give up, however late it began.
    pub fn deadline(&self) -> Option<Moment> {
        self.deadline
    }

    /// The tokens that end the search.
    pub fn cancels(&self) -> &[CancelToken] {
        &self.cancels
    }

    /// The moment at which a search that begins now has to give up. The clock is read only where a limit on time asks.
    pub fn deadline_from_now(&self) -> Option<Moment> {
        let own = self.time.map(|time| clock::now().plus(time));
        match (own, self.deadline) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}
