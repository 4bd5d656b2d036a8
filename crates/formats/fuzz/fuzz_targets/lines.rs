//! One puzzle a line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ninefold_formats::Format;

fuzz_target!(|data: &[u8]| {
    ninefold_formats_fuzz::check_formats(
        data,
        &[
            Format::Line,
            Format::Counted,
            Format::Csv,
            Format::Sdm,
            Format::Hodoku,
            Format::PencilLine,
            Format::Link,
            Format::JigsawLine,
            Format::Decimal,
        ],
    );
});
