//! The kernel, written once over [`Vector`](crate::vector::Vector), and its entry points, one for each kind of processor.

#![expect(clippy::needless_range_loop, reason = "one index goes through several arrays of five registers")]

pub(crate) mod board;
pub(crate) mod choice;
pub(crate) mod entry;
pub(crate) mod search;
pub(crate) mod sweep;
#[cfg(test)]
mod tests;
pub(crate) mod triads;
