//! One sweep: every digit is made consistent with the six arrangements it has over each stack and each band, then single cells and
//! single digits are cleared.
//!
//! Arrangements need only nine bits of a band, so up to three registers share one ("packed", register k of the pack):
//!
//! ```text
//! minicolumns:   [ k = 2, bits 3j + s ] g [ k = 1, bits 3j + s ] g [ k = 0, bits 3j + s ]     field = register
//! minirows:      [ row 2: k = 2,1,0   ] g [ row 1: k = 2,1,0   ] g [ row 0: k = 2,1,0   ]     field = row, bit 3k + s
//! ```
//!
//! What lands in guard bits and above on the way is garbage, and is masked before it is used. Hidden and naked singles are both read
//! off the same state: a cell that becomes single by losing other digits has its row cleared already, since it was the only place there.

use super::board::{ALL, BAND, FIELD, FIELDS, GROUPS, State, fill_rows};
use super::search::{Step, Watch};
use crate::vector::Vector;

/// Bits 0 to 2 of each field: group 0.
pub(crate) const GROUP: u32 = 7 * FIELDS;
/// Bits 0 to 5 of each field, and bits 0 to 2.
const LOW_SIX: u32 = 0x3F * FIELDS;
const LOW_THREE: u32 = 7 * FIELDS;
/// Bits 0 and 1 of each group of three, and bit 0.
const LOW_TWO_OF_GROUP: u32 = 3 * GROUPS * FIELDS;
const LOW_OF_GROUP: u32 = GROUPS * FIELDS;

/// What the last sweep knew about bands and stacks, digits packed three registers to one.
#[derive(Clone, Copy)]
pub(crate) struct Packed<V> {
    /// Field r, bit 3·k + s: the digit of the k-th register of the pack has a candidate in the minirow of row r and stack s.
    pub(crate) rows: [V; 2],
    /// Field k, bit 3·j + s: the digit of the k-th register of the pack has a candidate in the minicolumn of this band and column.
    pub(crate) columns: [V; 2],
    /// Cells with two candidates or more, in both halves.
    pub(crate) open: V,
}

/// How a sweep, or a run of sweeps, ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sweep {
    /// A cell has no candidate, a digit has no place in a band, or a triad has four digits.
    Dead,
    /// Candidates went; there may be more.
    Changed,
    /// Nothing went.
    Fixpoint,
    /// Every cell has one candidate, or is the only place of one digit in its row.
    Solved,
}

/// Each group of three bits turned by one: bit s takes bit s + 1, and bit s + 2.
#[inline(always)]
pub(crate) fn turn_stacks<V: Vector>(bits: V) -> (V, V) {
    let by_one = V::splat(LOW_TWO_OF_GROUP).select(bits.shr::<1>(), bits.shl::<2>());
    let by_two = V::splat(LOW_OF_GROUP).select(bits.shr::<2>(), bits.shl::<1>());
    (by_one, by_two)
}

/// Each field turned by three and by six: column j takes column j + 1, and j + 2, of its stack.
#[inline(always)]
pub(crate) fn turn_columns<V: Vector>(bits: V) -> (V, V) {
    let by_one = V::splat(LOW_SIX).select(bits.shr::<3>(), bits.shl::<6>());
    let by_two = V::splat(LOW_THREE).select(bits.shr::<6>(), bits.shl::<3>());
    (by_one, by_two)
}

/// Masks for the three even (`step` 1) or odd (`step` 2) arrangements of a digit over a band: entry `set` allows the minirows of the
/// arrangements in `set`; arrangement s has row r in stack s + r·step.
const fn arrangement_masks(step: usize) -> [u32; 8] {
    let mut masks = [0u32; 8];
    let mut set = 0;
    while set < 8 {
        let mut s = 0;
        while s < 3 {
            if set >> s & 1 == 1 {
                let mut r = 0;
                while r < 3 {
                    masks[set] |= GROUPS << (10 * r + (s + r * step) % 3);
                    r += 1;
                }
            }
            s += 1;
        }
        set += 1;
    }
    masks
}
const EVEN: [u32; 8] = arrangement_masks(1);
const ODD: [u32; 8] = arrangement_masks(2);

#[inline(always)]
fn pack_columns<V: Vector>(x: &State<V>) -> [V; 2] {
    let (f0, f1) = (V::splat(FIELD), V::splat(FIELD << 10));
    let a = x[0].or3(x[0].shr::<10>(), x[0].shr::<20>());
    let b = x[1].or3(x[1].shl::<10>(), x[1].shr::<10>());
    let c = x[2].or3(x[2].shl::<10>(), x[2].shl::<20>());
    let d = x[3].or3(x[3].shr::<10>(), x[3].shr::<20>());
    let e = x[4].or3(x[4].shl::<10>(), x[4].shr::<10>());
    [f0.select(a, f1.select(b, c)), f0.select(d, e.and(f1))]
}

#[inline(always)]
fn pack_rows<V: Vector>(x: &State<V>) -> [V; 2] {
    let (g0, g1) = (V::splat(GROUP), V::splat(GROUP << 3));
    let a = x[0].or3(x[0].shr::<3>(), x[0].shr::<6>());
    let b = x[1].or3(x[1].shl::<3>(), x[1].shr::<3>());
    let c = x[2].or3(x[2].shl::<3>(), x[2].shl::<6>());
    let d = x[3].or3(x[3].shr::<3>(), x[3].shr::<6>());
    let e = x[4].or3(x[4].shl::<3>(), x[4].shr::<3>());
    [g0.select(a, g1.select(b, c)), g0.select(d, e.and(g1))]
}

/// Even and odd arrangements of packed minirows, in field 0: bit 3·k + s.
#[inline(always)]
pub(crate) fn band_arrangements<V: Vector>(rows: V) -> (V, V) {
    let (one, two) = turn_stacks(rows);
    (rows.and3(one.shr::<10>(), two.shr::<20>()), rows.and3(two.shr::<10>(), one.shr::<20>()))
}

/// One sweep over a state in which a lane is empty or has no empty row, or over any other state, of which the first two steps
/// make one like that. Ends as `Solved` where every cell seems decided; the caller checks that.
#[inline(always)]
pub(crate) fn sweep<V: Vector, W: Watch<V>>(x: &mut State<V>, packed: &mut Packed<V>, watch: &mut W) -> Sweep {
    let start = *x;
    // Stacks: minicolumn (band b, column j) stays if the other two bands have the other two columns, either way round.
    let f0 = V::splat(FIELD);
    let fields = V::splat(FIELDS);
    let mut columns = pack_columns(x);
    for p in 0..2 {
        let (one, two) = turn_columns(columns[p]);
        let allowed = one.next_band().and(two.previous_band()).or_and(two.next_band(), one.previous_band());
        columns[p] = columns[p].and(allowed);
    }
    x[0] = x[0].and(columns[0].and(f0).mul(fields));
    x[1] = x[1].and(columns[0].shr::<10>().and(f0).mul(fields));
    x[2] = x[2].and(columns[0].shr::<20>().and(f0).mul(fields));
    x[3] = x[3].and(columns[1].and(f0).mul(fields));
    x[4] = x[4].and(columns[1].shr::<10>().mul(fields));
    let before = *x;

    // Bands: likewise, with the arrangements by name.
    let rows = pack_rows(x);
    packed.rows = rows;
    packed.columns = columns;
    let (even, odd) = (V::load(&EVEN), V::load(&ODD));
    let (e, o) = band_arrangements(rows[0]);
    x[0] = x[0].and_or(e.pick(even), o.pick(odd));
    x[1] = x[1].and_or(e.shr::<3>().pick(even), o.shr::<3>().pick(odd));
    x[2] = x[2].and_or(e.shr::<6>().pick(even), o.shr::<6>().pick(odd));
    let (e, o) = band_arrangements(rows[1]);
    x[3] = x[3].and_or(e.pick(even), o.pick(odd));
    x[4] = x[4].and_or(e.shr::<3>().pick(even), o.shr::<3>().pick(odd));

    watch.step(Step::Arrangements, &start, x);
    let arranged = *x;

    // Cells that are the only place of a digit in its row.
    let mut single = *x;
    for i in 0..5 {
        let rest = x[i].and(x[i].sub(fields));
        single[i] = x[i].without(fill_rows(rest));
    }
    let mut taken = single[0].xor3(single[1], single[2]).xor3(single[3], single[4]);
    taken = taken.xor(taken.swap_halves());

    // Cells with two candidates or more.
    let (_, several) = once_twice(x);
    packed.open = several;

    let mut change = V::splat(0);
    for i in 0..5 {
        let fixed = x[i].without(several);
        let y = x[i].without_xor(taken, single[i]);
        x[i] = y.without_unless(fill_rows(fixed), fixed);
        change = change.or_xor(x[i], before[i]);
    }

    watch.step(Step::Singles, &arranged, x);

    let all = V::load(&ALL[0]);
    let mut some = x[0].or3(x[1], x[2]).or3(x[3], x[4]);
    some = some.or(some.swap_halves());
    let mut least = x[0].min(x[1]).min(x[2].min(x[3])).min(x[4].or(V::load(&NO_DIGIT)));
    least = least.min(least.swap_halves());
    some = some.without(least.equal(V::splat(0)));
    if !some.contains(all) {
        return Sweep::Dead;
    }
    if several.without(taken).is_zero() {
        return Sweep::Solved;
    }
    if change.is_zero() { Sweep::Fixpoint } else { Sweep::Changed }
}

/// Fills the unused half of register 4.
const NO_DIGIT: [u32; 8] = [0, 0, 0, 0, BAND, BAND, BAND, 0];

/// Cells with at least one candidate, and with at least two; both halves alike.
#[inline(always)]
pub(crate) fn once_twice<V: Vector>(x: &State<V>) -> (V, V) {
    let once = x[0].or3(x[1], x[2]).or3(x[3], x[4]);
    let twice = x[0].majority(x[1], x[2]).or(x[0].xor3(x[1], x[2]).majority(x[3], x[4]));
    let (once_there, twice_there) = (once.swap_halves(), twice.swap_halves());
    (once.or(once_there), twice.or(twice_there).or_and(once, once_there))
}
