//! Where to branch.

use super::board::{ALL, FIELDS, GROUPS, LOW_HALF, State};
use super::sweep::{Packed, band_arrangements, turn_columns};
use super::triads::count;
use crate::vector::Vector;

/// The two sides of a binary decision. Each has lost candidates that the other keeps; no solution is on both sides and none is lost, so
/// the tree is finite and nothing is found twice.
pub(crate) struct Sides<V> {
    /// Searched first: the digit is confined to some cells.
    pub(crate) one: State<V>,
    /// Left for later: the digit is not in those cells.
    pub(crate) other: State<V>,
}

/// `x` without `rest`, and `x` without `taken`; both are bits of the lane with this number.
///
/// The lane is found by comparing numbers in registers: writing one word to memory and reading the register back would stall.
#[inline(always)]
fn split_lane<V: Vector>(x: &State<V>, lane: u32, taken: u32, rest: u32) -> Sides<V> {
    let mut sides = Sides { one: *x, other: *x };
    for i in 0..5 {
        let here = V::load(&LANES[i]).equal(V::splat(lane));
        sides.one[i] = x[i].without_and(here, V::splat(rest));
        sides.other[i] = x[i].without_and(here, V::splat(taken));
    }
    sides
}

/// Number of each lane, counted through the five registers.
const LANES: [[u32; 8]; 5] = {
    let mut lanes = [[0; 8]; 5];
    let mut i = 0;
    while i < 40 {
        lanes[i / 8][i % 8] = i as u32;
        i += 1;
    }
    lanes
};

/// Digit (0 to 8) of each lane.
const DIGITS: [[u32; 8]; 5] = {
    let mut digits = [[0; 8]; 5];
    let mut i = 0;
    while i < 40 {
        digits[i / 8][i % 8] = i as u32 / 4;
        i += 1;
    }
    digits
};

const BITS: [u32; 8] = [0, 1, 1, 2, 1, 2, 2, 3];
/// Lane s: the three columns of stack s.
const STACK: [u32; 8] = [GROUPS, GROUPS << 1, GROUPS << 2, 0, GROUPS, GROUPS << 1, GROUPS << 2, 0];

/// For three lines of three options each (bit 3·line + option): the line with the fewest options but more than one; bits 0 to 2 its
/// lowest option, 3 to 5 its other options, 6 and 7 the line.
static SPLIT: [u8; 512] = {
    let mut table = [0u8; 512];
    let mut set = 0;
    while set < 512 {
        let mut best = 9;
        let mut line = 0;
        while line < 3 {
            let options = (set >> (3 * line) & 7) as u8;
            let n = options.count_ones();
            if n > 1 && n < best {
                best = n;
                let lowest = options & options.wrapping_neg();
                table[set] = lowest | (options ^ lowest) << 3 | (line as u8) << 6;
            }
            line += 1;
        }
        set += 1;
    }
    table
};

/// Key of a digit with `n` arrangements: fewest first, then the lower digit; one or none is `NONE` after `min`.
#[inline(always)]
fn key<V: Vector>(n: V, digit: usize) -> V {
    n.shl::<4>().or(V::load(&DIGITS[digit])).sub(V::splat(32))
}
const NONE: u32 = 0x7F;

#[inline(always)]
fn best_digit<V: Vector>(n: [V; 5]) -> V {
    let mut best = key(n[0], 0).min(key(n[1], 1)).min(key(n[2], 2).min(key(n[3], 3))).min(key(n[4], 4));
    best = best.min(best.swap_halves()).min(V::splat(NONE));
    let mut total = n[0].add(n[1]).add(n[2].add(n[3])).add(n[4]);
    total = total.add(total.swap_halves());
    let none = best.equal(V::splat(NONE)).and(V::splat(0xFFFF));
    total.shl::<7>().or3(best, none)
}

/// The unfixed band or stack with the fewest arrangements over all digits; in it the digit with the fewest (but more than one); of
/// its three lines the one with the fewest options (but more than one): take the lowest option, or leave it.
#[inline(always)]
pub(crate) fn by_arrangements<V: Vector>(x: &State<V>, packed: &Packed<V>) -> Option<Sides<V>> {
    let bits = V::load(&BITS);
    let (e, o) = band_arrangements(packed.rows[0]);
    let (f, p) = band_arrangements(packed.rows[1]);
    let bands = best_digit([
        e.pick(bits).add(o.pick(bits)),
        e.shr::<3>().pick(bits).add(o.shr::<3>().pick(bits)),
        e.shr::<6>().pick(bits).add(o.shr::<6>().pick(bits)),
        f.pick(bits).add(p.pick(bits)),
        f.shr::<3>().pick(bits).add(p.shr::<3>().pick(bits)),
    ]);
    let stack = V::load(&STACK);
    let mut pairs = [packed.columns[0]; 5];
    for p in 0..2 {
        let u = packed.columns[p];
        let (one, two) = turn_columns(u);
        let even = u.and3(one.next_band(), two.previous_band());
        let odd = u.and3(two.next_band(), one.previous_band());
        pairs[3 * p] = even.and(stack).or(odd.and(stack).shl::<9>()).count_ones();
        pairs[3 * p + 1] = even.shr::<10>().and(stack).or(odd.shr::<10>().and(stack).shl::<9>()).count_ones();
        if p == 0 {
            pairs[2] = even.shr::<20>().and(stack).or(odd.shr::<20>().and(stack).shl::<9>()).count_ones();
        }
    }
    let stacks = best_digit(pairs);
    let (place, key) = V::smallest(V::load(&LOW_HALF).select(bands, stacks));
    if key == 0xFFFF {
        return None;
    }
    let digit = (((key & NONE) + 32) & 15) as usize;
    let mut words = [[0u32; 8]; 5];
    for i in 0..5 {
        x[i].store(&mut words[i]);
    }
    let first = digit % 2 * 4;
    let words = &words[digit / 2];
    let s = place & 3;
    if place < 4 {
        let word = words[first + s];
        let t = word | word >> 3 | word >> 6;
        let split = u32::from(SPLIT[(t & 7 | t >> 7 & 0x38 | t >> 14 & 0x1C0) as usize]);
        let shift = 10 * (split >> 6);
        let (one, rest) = (((split & 7) * GROUPS) << shift, ((split >> 3 & 7) * GROUPS) << shift);
        let lane = (4 * digit + s) as u32;
        Some(split_lane(x, lane, one, rest))
    } else {
        let mut set = 0;
        for b in 0..3 {
            let word = words[first + b];
            let f = (word | word >> 10 | word >> 20) >> s & GROUPS;
            set |= (f | f >> 2 | f >> 4 & 4) << (3 * b) & 7 << (3 * b);
        }
        let split = u32::from(SPLIT[set as usize]);
        let spread = |j: u32| ((j & 1 | (j & 2) << 2 | (j & 4) << 4) * FIELDS) << s;
        let lane = 4 * digit as u32 + (split >> 6);
        Some(split_lane(x, lane, spread(split & 7), spread(split >> 3 & 7)))
    }
}

/// A cell with two candidates, if there is one: the first of the first band that has any. The first side takes one digit, the
/// other side the other.
///
/// All in registers: the way to a cell number and back would cost more than all else here.
#[inline(always)]
pub(crate) fn by_bivalue<V: Vector>(x: &State<V>) -> Option<Sides<V>> {
    let (ones, twos, fours) = count(*x);
    let cells = twos.without_either(ones, fours).and(V::load(&ALL[0]));
    if cells.is_zero() {
        return None;
    }
    // The lowest bit of each band, then the first band that has one.
    let zero = V::splat(0);
    let lowest = cells.and(zero.sub(cells));
    let none = cells.equal(zero);
    let after_first = none.previous_band().or(V::load(&FIRST_BAND));
    let after_second = none.next_band().or(V::load(&FIRST_TWO_BANDS));
    let cell = lowest.and3(after_first, after_second);

    // Its two digits are two bits among nine boards; one is the first of them in the low halves, or else in the high halves.
    let hits = [x[0].and(cell), x[1].and(cell), x[2].and(cell), x[3].and(cell), x[4].and(cell)];
    let mut seen = zero;
    let mut first = hits;
    for i in 0..5 {
        first[i] = hits[i].without(seen);
        seen = seen.or(hits[i]);
    }
    let low_has_it = seen.swap_halves().without(V::load(&LOW_HALF));
    let mut sides = Sides { one: *x, other: *x };
    for i in 0..5 {
        let first = first[i].without(low_has_it);
        sides.one[i] = x[i].without_unless(cell, first);
        sides.other[i] = x[i].without(first);
    }
    Some(sides)
}

/// All ones in lane 0, and in lanes 0 and 1 (of each half).
const FIRST_BAND: [u32; 8] = [u32::MAX, 0, 0, 0, u32::MAX, 0, 0, 0];
const FIRST_TWO_BANDS: [u32; 8] = [u32::MAX, u32::MAX, 0, 0, u32::MAX, u32::MAX, 0, 0];
