//! Grids, sections and region maps.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ninefold_formats::Format;

fuzz_target!(|data: &[u8]| {
    ninefold_formats_fuzz::check_formats(
        data,
        &[Format::Grid, Format::SimpleSudoku, Format::PencilGrid, Format::Decimal, Format::Jigsaw, Format::Sdk],
    );
});
