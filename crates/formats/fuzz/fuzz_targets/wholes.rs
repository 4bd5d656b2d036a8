//! Texts that are read as a whole.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ninefold_formats::Format;

fuzz_target!(|data: &[u8]| {
    ninefold_formats_fuzz::check_formats(data, &[Format::Array, Format::OpenSudoku]);
});
