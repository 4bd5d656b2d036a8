//! [`Vector`] in 256-bit registers: [`Avx2`], and [`Avx512`] with the three-input logic of AVX-512VL.
//!
//! # Why the blocks of this file are sound
//!
//! The intrinsics are plain register arithmetic; what can go wrong is a processor without them. Values of [`Avx2`] and [`Avx512`] are
//! made by `load` and `splat` alone, and both are called from the entry functions of `kernel::entry` alone, which carry the matching
//! `#[target_feature]` and are reached through `Path` values that exist after detection only. So whoever holds a value of these types
//! runs on a processor with the features. "Features held" below refers to this.

use std::arch::x86_64::*;

use super::Vector;

/// Lane order of `next_band`: 1, 2, 0, 3.
const NEXT: i32 = 0b11_00_10_01;
/// Lane order of `previous_band`: 2, 0, 1, 3.
const PREVIOUS: i32 = 0b11_01_00_10;

/// Eight lanes in an AVX2 register.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(__m256i);

/// Eight lanes in an AVX2 register of a processor with AVX-512 F, VL, BW and VPOPCNTDQ.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(__m256i);

/// The methods that are the same in both.
macro_rules! common {
    ($name:ident) => {
        #[inline(always)]
        fn load(lanes: &[u32; 8]) -> Self {
            // SAFETY: an unaligned load of the 32 bytes behind the reference. Features held: see the top of the file.
            unsafe { $name(_mm256_loadu_si256(lanes.as_ptr().cast())) }
        }
        #[inline(always)]
        fn store(self, lanes: &mut [u32; 8]) {
            // SAFETY: an unaligned store to the 32 bytes behind the reference. Features held.
            unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), self.0) }
        }
        #[inline(always)]
        fn splat(value: u32) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_set1_epi32(value.cast_signed())) }
        }
        #[inline(always)]
        fn and(self, other: Self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_and_si256(self.0, other.0)) }
        }
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_or_si256(self.0, other.0)) }
        }
        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_xor_si256(self.0, other.0)) }
        }
        #[inline(always)]
        fn without(self, other: Self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_andnot_si256(other.0, self.0)) }
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_add_epi32(self.0, other.0)) }
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_sub_epi32(self.0, other.0)) }
        }
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_mullo_epi32(self.0, other.0)) }
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_min_epu32(self.0, other.0)) }
        }
        #[inline(always)]
        fn equal(self, other: Self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_cmpeq_epi32(self.0, other.0)) }
        }
        #[inline(always)]
        fn shl<const N: i32>(self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_slli_epi32::<N>(self.0)) }
        }
        #[inline(always)]
        fn shr<const N: i32>(self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_srli_epi32::<N>(self.0)) }
        }
        #[inline(always)]
        fn next_band(self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_shuffle_epi32::<NEXT>(self.0)) }
        }
        #[inline(always)]
        fn previous_band(self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_shuffle_epi32::<PREVIOUS>(self.0)) }
        }
        #[inline(always)]
        fn swap_halves(self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_permute2x128_si256::<1>(self.0, self.0)) }
        }
        #[inline(always)]
        fn pick(self, table: Self) -> Self {
            // SAFETY: features held.
            unsafe { $name(_mm256_permutevar8x32_epi32(table.0, self.0)) }
        }
        #[inline(always)]
        fn given_boards(givens: &[u8; 81]) -> [Self; 5] {
            // SAFETY: features held.
            let boards = unsafe { given_boards(givens) };
            [$name(boards[0]), $name(boards[1]), $name(boards[2]), $name(boards[3]), $name(boards[4])]
        }
        #[inline(always)]
        fn cells(planes: &[[u32; 8]; 4]) -> [u8; 81] {
            // SAFETY: features held.
            unsafe { cells(planes) }
        }
        #[inline(always)]
        fn smallest(keys: Self) -> (usize, u32) {
            // SAFETY: features held.
            unsafe {
                // `phminposuw` finds the least of eight u16 and its place in one instruction.
                let low = _mm256_castsi256_si128(keys.0);
                let high = _mm256_extracti128_si256::<1>(keys.0);
                let found = _mm_cvtsi128_si32(_mm_minpos_epu16(_mm_packus_epi32(low, high))).cast_unsigned();
                ((found >> 16 & 7) as usize, found & 0xFFFF)
            }
        }
        #[inline(always)]
        fn ones_of_low_half(self) -> u32 {
            // SAFETY: features held.
            unsafe {
                let low = _mm256_castsi256_si128(self.0);
                let (a, b) = (_mm_cvtsi128_si64(low), _mm_extract_epi64::<1>(low));
                a.count_ones() + b.count_ones()
            }
        }
        #[inline(always)]
        fn is_zero(self) -> bool {
            // SAFETY: features held.
            unsafe { _mm256_testz_si256(self.0, self.0) != 0 }
        }
        #[inline(always)]
        fn contains(self, part: Self) -> bool {
            // SAFETY: features held.
            unsafe { _mm256_testc_si256(self.0, part.0) != 0 }
        }
    };
}

impl Vector for Avx2 {
    common!(Avx2);

    #[inline(always)]
    fn count_ones(self) -> Self {
        // SAFETY: features held.
        unsafe {
            // The usual nibble table, then the three low bytes are added up by a multiplication.
            let table =
                _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
            let nibbles = _mm256_set1_epi8(0x0F);
            let low = _mm256_shuffle_epi8(table, _mm256_and_si256(self.0, nibbles));
            let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi32::<4>(self.0), nibbles));
            let bytes = _mm256_add_epi8(low, high);
            Avx2(_mm256_srli_epi32::<24>(_mm256_mullo_epi32(bytes, _mm256_set1_epi32(0x0101_0101))))
        }
    }
}

/// One `vpternlogd`: bit `a << 2 | b << 1 | c` of the table is the result for input bits `a`, `b`, `c`.
macro_rules! three_inputs {
    ($($method:ident: $table:literal),+ $(,)?) => {
        $(
            #[inline(always)]
            fn $method(self, b: Self, c: Self) -> Self {
                // SAFETY: features held.
                unsafe { Avx512(_mm256_ternarylogic_epi32::<$table>(self.0, b.0, c.0)) }
            }
        )+
    };
}

impl Vector for Avx512 {
    common!(Avx512);

    three_inputs! {
        or3: 0b1111_1110,
        and3: 0b1000_0000,
        xor3: 0b1001_0110,
        and_or: 0b1110_0000,
        or_and: 0b1111_1000,
        or_xor: 0b1111_0110,
        majority: 0b1110_1000,
        without_either: 0b0001_0000,
        without_xor: 0b1001_0000,
        without_unless: 0b1011_0000,
        without_and: 0b0111_0000,
        select: 0b1100_1010,
    }

    #[inline(always)]
    fn count_ones(self) -> Self {
        // SAFETY: features held.
        unsafe { Avx512(_mm256_popcnt_epi32(self.0)) }
    }
}

/// See [`Vector::given_boards`]. A band is 27 bytes; they are laid out as three fields of ten, columns permuted, and compared with
/// each digit in turn.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn given_boards(givens: &[u8; 81]) -> [__m256i; 5] {
    // SAFETY: AVX2 is there; both loads of a band stay inside its 27 bytes (0..16 and 11..27).
    unsafe {
        // Byte 10·row + 3·j + s takes byte 9·row + 3·s + j of the band; −1 gives 0, a blank.
        let from_start = _mm_setr_epi8(0, 3, 6, 1, 4, 7, 2, 5, 8, -1, 9, 12, 15, 10, 13, -1);
        let last_of_low = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 5);
        let from_11 = _mm_setr_epi8(0, 3, 6, -1, 7, 10, 13, 8, 11, 14, 9, 12, 15, -1, -1, -1);
        let mut boards = [[0u32; 4]; 10];
        let mut band = 0;
        while band < 3 {
            let bytes = givens.as_ptr().add(27 * band);
            let start = _mm_loadu_si128(bytes.cast());
            let end = _mm_loadu_si128(bytes.add(11).cast());
            let low = _mm_or_si128(_mm_shuffle_epi8(start, from_start), _mm_shuffle_epi8(end, last_of_low));
            let high = _mm_shuffle_epi8(end, from_11);
            let cells = _mm256_set_m128i(high, low);
            let mut digit = 0;
            while digit < 9 {
                let found = _mm256_cmpeq_epi8(cells, _mm256_set1_epi8(digit as i8 + 1));
                boards[digit][band] = _mm256_movemask_epi8(found).cast_unsigned();
                digit += 1;
            }
            band += 1;
        }
        let mut registers = [_mm256_setzero_si256(); 5];
        let mut i = 0;
        while i < 5 {
            registers[i] = _mm256_loadu_si256(boards[2 * i].as_ptr().cast());
            i += 1;
        }
        registers
    }
}

/// See [`Vector::cells`]. The 30 bits of a band become 30 bytes, plane by plane; then each row takes its nine.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn cells(planes: &[[u32; 8]; 4]) -> [u8; 81] {
    // SAFETY: AVX2 is there. Loads and stores stay inside `bands` (the last row loads bytes 20..36 of 48) and `rows` (the last row is
    // stored to bytes 72..88 of 96).
    unsafe {
        // Byte i looks at byte i / 8 of the word, bit i % 8.
        let byte =
            _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
        let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
        // Column 3·s + j of a row is at 3·j + s of its field, and the other way round.
        let columns = _mm_setr_epi8(0, 3, 6, 1, 4, 7, 2, 5, 8, -1, -1, -1, -1, -1, -1, -1);
        let mut rows = [0u8; 96];
        let mut band = 0;
        while band < 3 {
            let mut digits = _mm256_setzero_si256();
            let mut k = 0;
            while k < 4 {
                let word = _mm256_shuffle_epi8(_mm256_set1_epi32(planes[k][band].cast_signed()), byte);
                let set = _mm256_cmpeq_epi8(_mm256_and_si256(word, bit), bit);
                digits = _mm256_or_si256(digits, _mm256_and_si256(set, _mm256_set1_epi8(1 << k)));
                k += 1;
            }
            let mut bands = [0u8; 48];
            _mm256_storeu_si256(bands.as_mut_ptr().cast(), digits);
            let mut row = 0;
            while row < 3 {
                let field = _mm_loadu_si128(bands.as_ptr().add(10 * row).cast());
                let to = rows.as_mut_ptr().add(9 * (3 * band + row));
                _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(field, columns));
                row += 1;
            }
            band += 1;
        }
        let mut cells = [0u8; 81];
        cells.copy_from_slice(&rows[..81]);
        cells
    }
}
