//! Counting in triads, at a fixpoint.

use super::board::{FIELD, FIELDS, GROUPS, State};
use super::search::{Step, Watch};
use super::sweep::{GROUP, Packed, Sweep, turn_stacks};
use crate::vector::Vector;

/// Adds up five bits of this half and five of the other, position by position: ones, twos, and "four or more".
#[inline(always)]
pub(crate) fn count<V: Vector>(x: [V; 5]) -> (V, V, V) {
    let sum = x[0].xor3(x[1], x[2]);
    let carry = x[0].majority(x[1], x[2]);
    let ones = sum.xor3(x[3], x[4]);
    let carry_2 = sum.majority(x[3], x[4]);
    let twos = carry.xor(carry_2);
    let fours = carry.and(carry_2);
    let (ones_there, twos_there, fours_there) = (ones.swap_halves(), twos.swap_halves(), fours.swap_halves());
    let carry = ones.and(ones_there);
    (ones.xor(ones_there), twos.xor3(twos_there, carry), twos.majority(twos_there, carry).or3(fours, fours_there))
}

/// A minirow holds exactly three digits. If three digits have no other minirow of their row to go to, all others leave it. The same
/// for minicolumns. `packed` must describe `x`, as it does after a sweep that ended in a fixpoint.
#[inline(always)]
pub(crate) fn triads<V: Vector, W: Watch<V>>(x: &mut State<V>, packed: &Packed<V>, watch: &mut W) -> Sweep {
    let [rows, more_rows] = packed.rows;
    let (one, two) = turn_stacks(rows);
    let bound = rows.without_either(one, two);
    let (one, two) = turn_stacks(more_rows);
    let more_bound = more_rows.without_either(one, two);
    let (ones, twos, fours) = count([bound, bound.shr::<3>(), bound.shr::<6>(), more_bound, more_bound.shr::<3>()]);
    let group = V::splat(GROUP);
    let dead = fours.and(group);
    let full = ones.and3(twos, group).mul(V::splat(GROUPS));
    let out = full.and(rows).without(bound);
    let more_out = full.and(more_rows).without(more_bound);

    let [columns, more_columns] = packed.columns;
    let bound = columns.without_either(columns.next_band(), columns.previous_band());
    let more_bound = more_columns.without_either(more_columns.next_band(), more_columns.previous_band());
    let (ones, twos, fours) = count([bound, bound.shr::<10>(), bound.shr::<20>(), more_bound, more_bound.shr::<10>()]);
    let field = V::splat(FIELD);
    let dead = fours.and(field).or(dead);
    let full = ones.and3(twos, field).mul(V::splat(FIELDS));
    let out_columns = full.and(columns).without(bound);
    let more_out_columns = full.and(more_columns).without(more_bound);

    if !dead.is_zero() {
        return Sweep::Dead;
    }
    if out.or3(more_out, out_columns).or(more_out_columns).is_zero() {
        return Sweep::Fixpoint;
    }
    let start = *x;
    let groups = V::splat(GROUPS);
    let fields = V::splat(FIELDS);
    x[0] = x[0].without_either(out.and(group).mul(groups), out_columns.and(field).mul(fields));
    x[1] = x[1].without_either(out.shr::<3>().and(group).mul(groups), out_columns.shr::<10>().and(field).mul(fields));
    x[2] = x[2].without_either(out.shr::<6>().and(group).mul(groups), out_columns.shr::<20>().and(field).mul(fields));
    x[3] = x[3].without_either(more_out.and(group).mul(groups), more_out_columns.and(field).mul(fields));
    x[4] = x[4].without_either(more_out.shr::<3>().and(group).mul(groups), more_out_columns.shr::<10>().and(field).mul(fields));
    watch.step(Step::Triads, &start, x);
    Sweep::Changed
}
