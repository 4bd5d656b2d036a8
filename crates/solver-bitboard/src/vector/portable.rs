//! [`Vector`] as a plain array: safe code for any processor. On x86-64 the compiler turns most of it into SSE2.

use super::Vector;
use crate::kernel::board::place_of;

/// Eight lanes in an array.
#[derive(Clone, Copy)]
pub(crate) struct Portable([u32; 8]);

/// `Portable` with `$body` computed for each lane `$i`.
macro_rules! lanes {
    ($i:ident => $body:expr) => {{
        let mut lanes = [0u32; 8];
        let mut $i = 0;
        while $i < 8 {
            lanes[$i] = $body;
            $i += 1;
        }
        Portable(lanes)
    }};
}

impl Vector for Portable {
    #[inline(always)]
    fn load(lanes: &[u32; 8]) -> Self {
        Portable(*lanes)
    }
    #[inline(always)]
    fn store(self, lanes: &mut [u32; 8]) {
        *lanes = self.0;
    }
    #[inline(always)]
    fn splat(value: u32) -> Self {
        Portable([value; 8])
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        lanes!(i => self.0[i] & other.0[i])
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        lanes!(i => self.0[i] | other.0[i])
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        lanes!(i => self.0[i] ^ other.0[i])
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        lanes!(i => self.0[i] & !other.0[i])
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        lanes!(i => self.0[i].wrapping_add(other.0[i]))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        lanes!(i => self.0[i].wrapping_sub(other.0[i]))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        lanes!(i => self.0[i].wrapping_mul(other.0[i]))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        lanes!(i => if self.0[i] < other.0[i] { self.0[i] } else { other.0[i] })
    }
    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        lanes!(i => if self.0[i] == other.0[i] { u32::MAX } else { 0 })
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        lanes!(i => self.0[i] << N)
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        lanes!(i => self.0[i] >> N)
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        lanes!(i => self.0[i].count_ones())
    }
    #[inline(always)]
    fn next_band(self) -> Self {
        let v = self.0;
        Portable([v[1], v[2], v[0], v[3], v[5], v[6], v[4], v[7]])
    }
    #[inline(always)]
    fn previous_band(self) -> Self {
        let v = self.0;
        Portable([v[2], v[0], v[1], v[3], v[6], v[4], v[5], v[7]])
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        let v = self.0;
        Portable([v[4], v[5], v[6], v[7], v[0], v[1], v[2], v[3]])
    }
    #[inline(always)]
    fn pick(self, table: Self) -> Self {
        lanes!(i => table.0[self.0[i] as usize & 7])
    }
    #[inline(always)]
    fn given_boards(givens: &[u8; 81]) -> [Self; 5] {
        let mut boards = [[0u32; 8]; 5];
        for (cell, &digit) in givens.iter().enumerate() {
            if (1..=9).contains(&digit) {
                let index = usize::from(digit) - 1;
                let (lane, bit) = place_of(cell);
                boards[index / 2][index % 2 * 4 + lane] |= 1 << bit;
            }
        }
        boards.map(Portable)
    }
    #[inline(always)]
    fn cells(planes: &[[u32; 8]; 4]) -> [u8; 81] {
        let mut cells = [0; 81];
        for (cell, digit) in cells.iter_mut().enumerate() {
            let (lane, bit) = place_of(cell);
            for (k, plane) in planes.iter().enumerate() {
                *digit |= ((plane[lane] >> bit & 1) as u8) << k;
            }
        }
        cells
    }
    #[inline(always)]
    fn smallest(keys: Self) -> (usize, u32) {
        let mut best = (0, keys.0[0]);
        for i in 1..7 {
            if keys.0[i] < best.1 {
                best = (i, keys.0[i]);
            }
        }
        best
    }
    #[inline(always)]
    fn ones_of_low_half(self) -> u32 {
        let v = self.0;
        v[0].count_ones() + v[1].count_ones() + v[2].count_ones() + v[3].count_ones()
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        let v = self.0;
        v[0] | v[1] | v[2] | v[3] | v[4] | v[5] | v[6] | v[7] == 0
    }
    #[inline(always)]
    fn contains(self, part: Self) -> bool {
        part.without(self).is_zero()
    }
}
