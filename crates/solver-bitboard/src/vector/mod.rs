//! Eight 32-bit lanes, on whatever the processor has.
//!
//! The kernel is written once, over the trait [`Vector`]. Three types implement it: [`portable::Portable`] (safe code, any
//! processor), `Avx2` and `Avx512` (the same 256-bit registers with three-input logic). Every method is `#[inline(always)]`, so that
//! it is compiled with the features of the entry function that it ends up in (see `kernel::entry`).
//!
//! A lane is a band of one digit; what its bits mean is drawn in `kernel::board`. Lanes 0 to 3 belong to one digit, lanes 4 to 7 to
//! another, and lanes 3 and 7 are always zero.

pub(crate) mod portable;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

/// Eight `u32` lanes. All methods work lane by lane unless they say otherwise.
///
/// The three-input methods have two-step bodies here; AVX-512 does each in one instruction.
pub(crate) trait Vector: Copy {
    /// The lanes of an array.
    fn load(lanes: &[u32; 8]) -> Self;
    /// Writes the lanes to an array.
    fn store(self, lanes: &mut [u32; 8]);
    /// The same value in every lane.
    fn splat(value: u32) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `self & !other`
    fn without(self, other: Self) -> Self;
    /// Wrapping sum.
    fn add(self, other: Self) -> Self;
    /// Wrapping difference.
    fn sub(self, other: Self) -> Self;
    /// Low half of the product.
    fn mul(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    /// All ones where the lanes are equal, else zero.
    fn equal(self, other: Self) -> Self;
    fn shl<const N: i32>(self) -> Self;
    fn shr<const N: i32>(self) -> Self;
    /// Number of bits set.
    fn count_ones(self) -> Self;
    /// Lanes 0, 1, 2 of each half take the value of lanes 1, 2, 0.
    fn next_band(self) -> Self;
    /// Lanes 0, 1, 2 of each half take the value of lanes 2, 0, 1.
    fn previous_band(self) -> Self;
    /// Lanes 0 to 3 change places with lanes 4 to 7.
    fn swap_halves(self) -> Self;
    /// Each lane picks the lane of `table` that its lowest three bits name; its other bits do not matter.
    fn pick(self, table: Self) -> Self;
    /// The boards of the nine givens: bit set where the given is that digit. Bytes other than 1 to 9 are
    /// blanks.
    /// See `kernel::board` for the order of digits, lanes and bits.
    fn given_boards(givens: &[u8; 81]) -> [Self; 5];
    /// The digits of a full grid, row by row, from their four bits: `planes[k]` has bit k of each cell, laid out as a digit board in
    /// lanes 0 to 2.
    fn cells(planes: &[[u32; 8]; 4]) -> [u8; 81];
    /// Index of the smallest of the first seven lanes of `keys` (all below 2¹⁶), the lowest index if there are several, and its value.
    fn smallest(keys: Self) -> (usize, u32);
    /// Number of bits set in lanes 0 to 3 together.
    fn ones_of_low_half(self) -> u32;
    /// Are all bits of all lanes zero?
    fn is_zero(self) -> bool;
    /// Are all bits of `part` set in `self`?
    fn contains(self, part: Self) -> bool;

    /// `self | b | c`
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        self.or(b).or(c)
    }
    /// `self & b & c`
    #[inline(always)]
    fn and3(self, b: Self, c: Self) -> Self {
        self.and(b).and(c)
    }
    /// Bits set in two or three of the three.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        self.and(b).or(c.and(self.or(b)))
    }
    /// `self ^ b ^ c`
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }
    /// `self & (b | c)`
    #[inline(always)]
    fn and_or(self, b: Self, c: Self) -> Self {
        self.and(b.or(c))
    }
    /// `self | (b & c)`
    #[inline(always)]
    fn or_and(self, b: Self, c: Self) -> Self {
        self.or(b.and(c))
    }
    /// `self & !(b | c)`
    #[inline(always)]
    fn without_either(self, b: Self, c: Self) -> Self {
        self.without(b.or(c))
    }
    /// `self | (b ^ c)`
    #[inline(always)]
    fn or_xor(self, b: Self, c: Self) -> Self {
        self.or(b.xor(c))
    }
    /// `self & !(b ^ c)`
    #[inline(always)]
    fn without_xor(self, b: Self, c: Self) -> Self {
        self.without(b.xor(c))
    }
    /// `self & !(b & !c)`
    #[inline(always)]
    fn without_unless(self, b: Self, c: Self) -> Self {
        self.without(b.without(c))
    }
    /// `self & !(b & c)`
    #[inline(always)]
    fn without_and(self, b: Self, c: Self) -> Self {
        self.without(b.and(c))
    }
    /// Bits of `a` where `self` is set, bits of `b` elsewhere.
    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        self.and(a).or(b.without(self))
    }
}
