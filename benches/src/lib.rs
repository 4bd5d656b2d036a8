//! Nothing to use: the benches are in `benches/`.
//!
//! ```text
//! cargo bench -p ninefold-benches                                # all of it, some minutes
//! cargo bench -p ninefold-benches --bench race -- count/.*/easy  # one question, one set, all strategies
//! cargo bench -p ninefold-benches -- --save-baseline before      # then change something …
//! cargo bench -p ninefold-benches -- --baseline before           # … and compare
//! ```
//!
//! An id is `<question>/<strategy>/<set>`. Throughput is in puzzles.
