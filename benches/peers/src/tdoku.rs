//! tdoku (T. Dillon), through its C function. Build tdoku's static library with its own build files, then
//! `TDOKU_LIB_DIR=<directory of libtdoku.a> cargo run --release --features tdoku -- race …`.

use std::ffi::c_char;

use crate::engines::Peer;

unsafe extern "C" {
    /// `input`: 81 characters (`.` for blanks); `solution`: room for 81 characters, the first solution; returns the number of
    /// solutions found, at most `limit`.
    fn TdokuSolverDpllTriadSimd(
        input: *const c_char,
        limit: usize,
        configuration: u32,
        solution: *mut c_char,
        guesses: *mut usize,
    ) -> usize;
}

pub struct Tdoku;

fn run(line: &[u8; 81], limit: usize, solution: &mut [u8; 81]) -> usize {
    let mut guesses = 0;
    // SAFETY: both buffers hold 81 bytes, which is what the function reads and writes; configuration 0 is its default.
    unsafe { TdokuSolverDpllTriadSimd(line.as_ptr().cast(), limit, 0, solution.as_mut_ptr().cast(), &mut guesses) }
}

impl Peer for Tdoku {
    type Input = [u8; 81];
    type Solution = [u8; 81];
    const NAME: &'static str = "tdoku";
    fn read(line: &str) -> [u8; 81] {
        line.as_bytes()[..81].try_into().expect("81 characters")
    }
    fn solve(input: &[u8; 81]) -> Option<[u8; 81]> {
        let mut solution = [b'.'; 81];
        (run(input, 1, &mut solution) > 0).then_some(solution)
    }
    fn grid(solution: &[u8; 81]) -> [u8; 81] {
        solution.map(|byte| byte.wrapping_sub(b'0'))
    }
    fn count(input: &[u8; 81], limit: u64) -> u64 {
        run(input, usize::try_from(limit).unwrap_or(usize::MAX), &mut [b'.'; 81]) as u64
    }
}
