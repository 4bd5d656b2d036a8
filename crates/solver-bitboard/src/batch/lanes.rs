//! The few vector operations that the kernel is written in, and their plain version.

/// A group of lanes of `u16`, one puzzle a lane. A value of the implementing type is the proof that the processor has
/// the instructions, so the methods are safe; all of them are inlined into an entry point that enables those.
pub(super) trait Lanes: Copy {
    /// One `u16` a lane.
    type V: Copy;
    /// Lanes in a vector, at most 32 (a set of lanes is a `u32`).
    const N: usize;

    fn splat(self, x: u16) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a & !b`
    fn and_not(self, a: Self::V, b: Self::V) -> Self::V;
    /// Wrapping sum.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// The number of ones in each lane's low 9 bits; the others must be zero.
    fn count9(self, a: Self::V) -> Self::V;
    /// `if a == b { x } else { y }`, lane by lane.
    fn if_eq(self, a: Self::V, b: Self::V, x: Self::V, y: Self::V) -> Self::V;
    /// The set of lanes in which `a == b`.
    fn eq(self, a: Self::V, b: Self::V) -> u32;
    /// The vectors as one slice of `N` numbers a vector.
    fn flat(self, v: &[Self::V]) -> &[u16];
    fn flat_mut(self, v: &mut [Self::V]) -> &mut [u16];

    /// Copies the numbers of a lane.
    #[inline(always)]
    fn take_out(self, cells: &[u16], lane: usize, to: &mut [u16; 81]) {
        take_out(cells, Self::N, lane, to);
    }
    /// Sets the numbers of a lane.
    #[inline(always)]
    fn put_in(self, cells: &mut [u16], lane: usize, from: impl Iterator<Item = u16>) {
        put_in(cells, Self::N, lane, from);
    }

    #[inline(always)]
    fn and3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.and(self.and(a, b), c)
    }
    #[inline(always)]
    fn or3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(self.or(a, b), c)
    }
    #[inline(always)]
    fn xor3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.xor(self.xor(a, b), c)
    }
    /// The bits set in at least two of the three.
    #[inline(always)]
    fn two_of3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(self.and(a, b), self.and(c, self.or(a, b)))
    }
    /// `a & !b & !c`
    #[inline(always)]
    fn and_not2(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.and_not(a, self.or(b, c))
    }
    /// The lowest bit of each lane taken away.
    #[inline(always)]
    fn drop_low(self, a: Self::V) -> Self::V {
        self.and(a, self.add(a, self.splat(u16::MAX)))
    }
}

#[inline(always)]
pub(super) fn take_out(cells: &[u16], lanes: usize, lane: usize, to: &mut [u16; 81]) {
    for (to, all) in to.iter_mut().zip(cells.chunks_exact(lanes)) {
        *to = all[lane];
    }
}

#[inline(always)]
pub(super) fn put_in(cells: &mut [u16], lanes: usize, lane: usize, from: impl Iterator<Item = u16>) {
    for (all, from) in cells.chunks_exact_mut(lanes).zip(from) {
        all[lane] = from;
    }
}

/// Sixteen lanes in plain Rust, for processors without the instructions of the others (and for every target).
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

/// Sixteen numbers; the alignment lets the compiler use aligned vector loads.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Plain([u16; 16]);

#[inline(always)]
fn map2(a: Plain, b: Plain, f: impl Fn(u16, u16) -> u16) -> Plain {
    let mut r = a;
    for i in 0..16 {
        r.0[i] = f(a.0[i], b.0[i]);
    }
    r
}

impl Lanes for Portable {
    type V = Plain;
    const N: usize = 16;

    #[inline(always)]
    fn splat(self, x: u16) -> Plain {
        Plain([x; 16])
    }
    #[inline(always)]
    fn and(self, a: Plain, b: Plain) -> Plain {
        map2(a, b, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, a: Plain, b: Plain) -> Plain {
        map2(a, b, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(self, a: Plain, b: Plain) -> Plain {
        map2(a, b, |a, b| a ^ b)
    }
    #[inline(always)]
    fn and_not(self, a: Plain, b: Plain) -> Plain {
        map2(a, b, |a, b| a & !b)
    }
    #[inline(always)]
    fn add(self, a: Plain, b: Plain) -> Plain {
        map2(a, b, u16::wrapping_add)
    }
    #[inline(always)]
    fn min(self, a: Plain, b: Plain) -> Plain {
        map2(a, b, u16::min)
    }
    #[inline(always)]
    fn count9(self, a: Plain) -> Plain {
        map2(a, a, |a, _| a.count_ones() as u16)
    }
    #[inline(always)]
    fn if_eq(self, a: Plain, b: Plain, x: Plain, y: Plain) -> Plain {
        let mask = map2(a, b, |a, b| if a == b { u16::MAX } else { 0 });
        self.or(self.and(mask, x), self.and_not(y, mask))
    }
    #[inline(always)]
    fn eq(self, a: Plain, b: Plain) -> u32 {
        let mut set = 0;
        for i in 0..16 {
            set |= u32::from(a.0[i] == b.0[i]) << i;
        }
        set
    }
    #[inline(always)]
    fn flat(self, v: &[Plain]) -> &[u16] {
        // SAFETY: `Plain` is sixteen `u16` without padding (32 bytes, aligned to 32), so `v` is `16 * len` of them.
        unsafe { std::slice::from_raw_parts(v.as_ptr().cast(), v.len() * 16) }
    }
    #[inline(always)]
    fn flat_mut(self, v: &mut [Plain]) -> &mut [u16] {
        // SAFETY: as in `flat`; the borrow is exclusive and every bit pattern is a `u16`.
        unsafe { std::slice::from_raw_parts_mut(v.as_mut_ptr().cast(), v.len() * 16) }
    }
}
