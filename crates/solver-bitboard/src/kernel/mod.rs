//! The kernel, written once over [`Vector`](crate::vector::Vector), and its entry points, one for each kind of processor.

pub(crate) mod board;
pub(crate) mod choice;
pub(crate) mod entry;
pub(crate) mod search;
pub(crate) mod sweep;
pub(crate) mod triads;
