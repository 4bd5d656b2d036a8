//! stub
use ninefold_core::Strategy;
/// Rows.
pub const STRATEGIES: &[Strategy] = &[];
