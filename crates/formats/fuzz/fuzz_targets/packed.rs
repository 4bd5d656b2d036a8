//! Compressed input and UTF-16: the input is what is packed, or the packed bytes themselves.
#![no_main]

use std::io::Read;

use libfuzzer_sys::fuzz_target;
use ninefold_formats::{Options, Reader};

/// Hands out one byte at a time, as a slow pipe does.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = buffer.len().min(1);
        self.0.read(&mut buffer[..length])
    }
}

fuzz_target!(|data: &[u8]| {
    let limits = Options::new().max_decompressed(1 << 20).max_line(1 << 16).max_text(1 << 16);
    let Some((kind, rest)) = data.split_first() else { return };
    let packed = match kind % 4 {
        0 => [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3], rest].concat(),
        1 => [&[0x28, 0xb5, 0x2f, 0xfd], rest].concat(),
        2 => [&[0xff, 0xfe], rest].concat(),
        _ => rest.to_vec(),
    };
    // Bytes that come one by one must read as those that come at once. How much of a broken stream is unfolded before the break
    // is seen is for its decoder to say.
    let whole: Vec<_> = Reader::new(&packed[..], limits.clone()).map(|entry| format!("{entry:?}")).collect();
    let slowly: Vec<_> = Reader::new(Slow(&packed), limits).map(|entry| format!("{entry:?}")).collect();
    assert!(whole == slowly || whole.last().is_some_and(|last| last.contains("kind: Compression")), "{whole:?} {slowly:?}");
});
