//! Any text, its format told from its content.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    ninefold_formats_fuzz::check_formats(data, &[]);
});
