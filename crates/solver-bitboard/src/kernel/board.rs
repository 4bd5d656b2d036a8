//! The board as nine digit boards of 96 bits in five 256-bit registers.
//!
//! ```text
//! registers     0        1        2        3        4          halves: lanes 0-3 | lanes 4-7
//! digits      1 | 2    3 | 4    5 | 6    7 | 8    9 | none     lanes of a half: band 0, band 1, band 2, unused (zero)
//!
//! lane = band, 32 bits:
//!   31 30  29  28 ... 20  19  18 ... 10   9   8 7 6 5 4 3 2 1 0
//!    unused g  [ row 2 ]   g  [ row 1 ]   g  [     row 0      ]     g = guard bit, zero between the steps
//!
//! field = row of a band, 9 bits, bit 3·j + s = column 3·s + j (column j of stack s):
//!   bit      8  7  6   5  4  3   2  1  0
//!   stack    2  1  0   2  1  0   2  1  0
//!   column   8  5  2   7  4  1   6  3  0
//! ```
//!
//! A set bit: the digit is a candidate of the cell. In this order "is the digit in this minirow?" (three cells of a row and a block)
//! is the or of the field with itself shifted by 3 and 6, one bit a stack; "is it in this minicolumn?" is the or of the three
//! fields, one bit a column. The guard bit lets an addition ask all three fields "is anything set?" without running into the next.

use crate::vector::Vector;

/// The candidates of all cells.
pub(crate) type State<V> = [V; 5];

/// The nine bits of field 0.
pub(crate) const FIELD: u32 = 0x1FF;
/// Bit 0 of each field. Multiplying by it copies field 0 to all three fields.
pub(crate) const FIELDS: u32 = 1 | 1 << 10 | 1 << 20;
/// All nine bits of all three fields.
pub(crate) const BAND: u32 = FIELD * FIELDS;
/// The guard bits.
pub(crate) const GUARDS: u32 = FIELDS << 9;
/// Bits 0, 3 and 6. Multiplying by it copies bits 0 to 2 of a field to its other two groups of three.
pub(crate) const GROUPS: u32 = 1 | 1 << 3 | 1 << 6;

/// All cells of all nine digits.
pub(crate) const ALL: [[u32; 8]; 5] = {
    let pair = [BAND, BAND, BAND, 0, BAND, BAND, BAND, 0];
    [pair, pair, pair, pair, [BAND, BAND, BAND, 0, 0, 0, 0, 0]]
};

/// Lane (band) and bit of a row-major cell.
pub(crate) const fn place_of(cell: usize) -> (usize, u32) {
    let (row, column) = (cell / 9, cell % 9);
    (row / 3, (10 * (row % 3) + 3 * (column % 3) + column / 3) as u32)
}

/// Row-major cell of a lane (band) and bit. The bit must not be a guard bit.
pub(crate) const fn cell_at(lane: usize, bit: u32) -> usize {
    let bit = bit as usize;
    let (row, place) = (3 * lane + bit / 10, bit % 10);
    9 * row + 3 * (place % 3) + place / 3
}

/// In each field, all nine bits if any is set, else none.
#[inline(always)]
pub(crate) fn fill_rows<V: Vector>(cells: V) -> V {
    // A field that is not empty carries into its guard bit; the guard bit less one is the whole field.
    let guards = cells.add(V::splat(BAND)).and(V::splat(GUARDS));
    guards.sub(guards.shr::<9>())
}

/// The state of a puzzle: every given is the only candidate of its cell and is gone from its peers.
#[inline(always)]
pub(crate) fn load<V: Vector>(givens: &[u8; 81]) -> State<V> {
    let own = V::given_boards(givens);
    let mut all = own[0].or3(own[1], own[2]).or3(own[3], own[4]);
    all = all.or(all.swap_halves());
    let mut state = own;
    for i in 0..5 {
        let given = own[i];
        let columns = given.or3(given.shr::<10>(), given.shr::<20>()).and(V::splat(FIELD));
        let blocks = columns.or3(columns.shr::<3>(), columns.shr::<6>()).and(V::splat(7)).mul(V::splat(GROUPS));
        let down = columns.or3(columns.next_band(), columns.previous_band());
        let taken = all.or3(fill_rows(given), blocks.or(down).mul(V::splat(FIELDS)));
        state[i] = V::load(&ALL[i]).without_unless(taken, given);
    }
    state
}

/// The number of givens.
#[inline(always)]
pub(crate) fn given_count(givens: &[u8; 81]) -> u32 {
    let mut count = 0u8;
    let mut cell = 0;
    while cell < 81 {
        count += (givens[cell] != 0) as u8;
        cell += 1;
    }
    u32::from(count)
}

/// Keeps the candidates that `allowed` has: 81 masks, bit `d - 1` for digit `d`.
#[inline(always)]
pub(crate) fn restrict<V: Vector>(state: &mut State<V>, allowed: &[u16; 81]) {
    let mut boards = [[0u32; 8]; 5];
    for (cell, &mask) in allowed.iter().enumerate() {
        let (lane, bit) = place_of(cell);
        for index in 0..9 {
            boards[index / 2][index % 2 * 4 + lane] |= u32::from(mask >> index & 1) << bit;
        }
    }
    for i in 0..5 {
        state[i] = state[i].and(V::load(&boards[i]));
    }
}

/// The grid of a state with one candidate a cell: digits 1 to 9, row by row.
#[inline(always)]
pub(crate) fn grid<V: Vector>(x: &State<V>) -> [u8; 81] {
    // The four bits of each cell's digit. Low halves hold 1, 3, 5, 7, 9, high halves 2, 4, 6, 8.
    let low = V::load(&LOW_HALF);
    let ones = x[0].or3(x[1], x[2]).or3(x[3], x[4]).and(low);
    let twos = x[0].or(x[2]).without(low).or(x[1].or(x[3]).and(low));
    let fours = x[2].or(x[1].without(low)).or(x[3].and(low));
    let eights = x[3].without(low).or(x[4].and(low));
    let mut planes = [[0; 8]; 4];
    for (plane, bits) in planes.iter_mut().zip([ones, twos, fours, eights]) {
        bits.or(bits.swap_halves()).store(plane);
    }
    V::cells(&planes)
}

/// All ones in lanes 0 to 3.
pub(crate) const LOW_HALF: [u32; 8] = [u32::MAX, u32::MAX, u32::MAX, u32::MAX, 0, 0, 0, 0];
