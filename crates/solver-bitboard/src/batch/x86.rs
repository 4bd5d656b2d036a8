//! The kernel's vector operations in the instructions of x86-64.

use super::lanes::{Lanes, put_in, take_out};
use std::arch::x86_64::*;

/// Sixteen lanes in 256-bit registers. A value exists only where the processor has AVX2 and BMI.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        let there = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        there.then_some(Self(()))
    }
}

/// Thirty-two lanes in 512-bit registers. A value exists only where the processor has AVX-512 F and BW, and what
/// [`Avx2`] needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512(());

impl Avx512 {
    pub(super) fn detect() -> Option<Self> {
        let there = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        (there && Avx2::detect().is_some()).then_some(Self(()))
    }
}

impl Lanes for Avx2 {
    type V = __m256i;
    const N: usize = 16;

    #[inline(always)]
    fn splat(self, x: u16) -> __m256i {
        // SAFETY: AVX2 is there, `self` proves it.
        unsafe { _mm256_set1_epi16(x.cast_signed()) }
    }
    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: AVX2 is there, `self` proves it.
        unsafe { _mm256_and_si256(a, b) }
    }
    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: AVX2 is there, `self` proves it.
        unsafe { _mm256_or_si256(a, b) }
    }
    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: AVX2 is there, `self` proves it.
        unsafe { _mm256_xor_si256(a, b) }
    }
    #[inline(always)]
    fn and_not(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: AVX2 is there, `self` proves it.
        unsafe { _mm256_andnot_si256(b, a) }
    }
    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: AVX2 is there, `self` proves it.
        unsafe { _mm256_add_epi16(a, b) }
    }
    #[inline(always)]
    fn min(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: AVX2 is there, `self` proves it.
        unsafe { _mm256_min_epu16(a, b) }
    }
    #[inline(always)]
    fn count9(self, a: __m256i) -> __m256i {
        // SAFETY: AVX2 is there, `self` proves it.
        unsafe {
            let ones =
                _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
            let nibble = _mm256_set1_epi8(15);
            let low = _mm256_shuffle_epi8(ones, _mm256_and_si256(a, nibble));
            let high = _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16::<4>(a), nibble));
            let bytes = _mm256_add_epi8(low, high);
            _mm256_and_si256(_mm256_add_epi16(bytes, _mm256_srli_epi16::<8>(bytes)), _mm256_set1_epi16(15))
        }
    }
    #[inline(always)]
    fn if_eq(self, a: __m256i, b: __m256i, x: __m256i, y: __m256i) -> __m256i {
        // SAFETY: AVX2 is there, `self` proves it.
        unsafe { _mm256_blendv_epi8(y, x, _mm256_cmpeq_epi16(a, b)) }
    }
    #[inline(always)]
    fn eq(self, a: __m256i, b: __m256i) -> u32 {
        // SAFETY: AVX2 is there, `self` proves it.
        unsafe {
            let e = _mm256_cmpeq_epi16(a, b);
            let bytes = _mm_packs_epi16(_mm256_castsi256_si128(e), _mm256_extracti128_si256::<1>(e));
            _mm_movemask_epi8(bytes).cast_unsigned()
        }
    }
    #[inline(always)]
    fn flat(self, v: &[__m256i]) -> &[u16] {
        // SAFETY: a `__m256i` is sixteen `u16` without padding, so `v` is `16 * len` of them.
        unsafe { std::slice::from_raw_parts(v.as_ptr().cast(), v.len() * 16) }
    }
    #[inline(always)]
    fn flat_mut(self, v: &mut [__m256i]) -> &mut [u16] {
        // SAFETY: as in `flat`; the borrow is exclusive and every bit pattern is valid on both sides.
        unsafe { std::slice::from_raw_parts_mut(v.as_mut_ptr().cast(), v.len() * 16) }
    }
}

impl Lanes for Avx512 {
    type V = __m512i;
    const N: usize = 32;

    #[inline(always)]
    fn splat(self, x: u16) -> __m512i {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe { _mm512_set1_epi16(x.cast_signed()) }
    }
    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe { _mm512_and_si512(a, b) }
    }
    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe { _mm512_or_si512(a, b) }
    }
    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe { _mm512_xor_si512(a, b) }
    }
    #[inline(always)]
    fn and_not(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe { _mm512_andnot_si512(b, a) }
    }
    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe { _mm512_add_epi16(a, b) }
    }
    #[inline(always)]
    fn min(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe { _mm512_min_epu16(a, b) }
    }
    #[inline(always)]
    fn count9(self, a: __m512i) -> __m512i {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe {
            // Not VPOPCNTW: it belongs to an extension that the first AVX-512 processors lack.
            let ones = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
            let nibble = _mm512_set1_epi8(15);
            let low = _mm512_shuffle_epi8(ones, _mm512_and_si512(a, nibble));
            let high = _mm512_shuffle_epi8(ones, _mm512_and_si512(_mm512_srli_epi16::<4>(a), nibble));
            let bytes = _mm512_add_epi8(low, high);
            _mm512_and_si512(_mm512_add_epi16(bytes, _mm512_srli_epi16::<8>(bytes)), _mm512_set1_epi16(15))
        }
    }
    #[inline(always)]
    fn if_eq(self, a: __m512i, b: __m512i, x: __m512i, y: __m512i) -> __m512i {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe { _mm512_mask_blend_epi16(_mm512_cmpeq_epi16_mask(a, b), y, x) }
    }
    #[inline(always)]
    fn eq(self, a: __m512i, b: __m512i) -> u32 {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe { _mm512_cmpeq_epi16_mask(a, b) }
    }
    #[inline(always)]
    fn flat(self, v: &[__m512i]) -> &[u16] {
        // SAFETY: a `__m512i` is thirty-two `u16` without padding, so `v` is `32 * len` of them.
        unsafe { std::slice::from_raw_parts(v.as_ptr().cast(), v.len() * 32) }
    }
    #[inline(always)]
    fn flat_mut(self, v: &mut [__m512i]) -> &mut [u16] {
        // SAFETY: as in `flat`; the borrow is exclusive and every bit pattern is valid on both sides.
        unsafe { std::slice::from_raw_parts_mut(v.as_mut_ptr().cast(), v.len() * 32) }
    }

    // Out of line, and so compiled without AVX-512: with it these copies become gathers and scatters, and an easy puzzle takes a
    // tenth longer.
    #[inline(always)]
    fn take_out(self, cells: &[u16], lane: usize, to: &mut [u16; 81]) {
        #[inline(never)]
        fn plain(cells: &[u16], lane: usize, to: &mut [u16; 81]) {
            take_out(cells, 32, lane, to);
        }
        plain(cells, lane, to);
    }
    #[inline(always)]
    fn put_in(self, cells: &mut [u16], lane: usize, from: impl Iterator<Item = u16>) {
        #[inline(never)]
        fn plain(cells: &mut [u16], lane: usize, from: impl Iterator<Item = u16>) {
            put_in(cells, 32, lane, from);
        }
        plain(cells, lane, from);
    }

    // One VPTERNLOG each: the constant is the truth table, its bit 4a+2b+c the answer.
    #[inline(always)]
    fn and3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe { _mm512_ternarylogic_epi32::<0x80>(a, b, c) }
    }
    #[inline(always)]
    fn or3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe { _mm512_ternarylogic_epi32::<0xFE>(a, b, c) }
    }
    #[inline(always)]
    fn xor3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe { _mm512_ternarylogic_epi32::<0x96>(a, b, c) }
    }
    #[inline(always)]
    fn two_of3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe { _mm512_ternarylogic_epi32::<0xE8>(a, b, c) }
    }
    #[inline(always)]
    fn and_not2(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: AVX-512 is there, `self` proves it.
        unsafe { _mm512_ternarylogic_epi32::<0x10>(a, b, c) }
    }
}
