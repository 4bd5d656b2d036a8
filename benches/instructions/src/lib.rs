//! Nothing to use: `benches/strategies.rs` counts instructions.
//!
//! ```text
//! cargo install gungraun-runner --version 0.20.0 --locked   # once; valgrind comes from the system
//! cd benches/instructions
//! cargo bench                                                # each run is compared with the one before
//! cargo bench -- --save-baseline=before                      # then change something …
//! cargo bench -- --baseline=before                           # … and compare with that
//! ```
