//! What is inferred, for all lanes at once and without a branch.
//!
//! A *minirow* is the three cells that a row and a block share; a band is nine of them, three rows of three blocks. Over a
//! band a digit takes three minirows, one a row and one a block: six *arrangements*, the permutations of three. The three
//! stacks go through the same code with rows and columns exchanged.

use super::lanes::Lanes;

/// Every digit.
pub(super) const ALL: u16 = 511;
/// What the candidate sets of a full board add up to: nine rows with each digit once. A board in which every row has a
/// candidate of each digit never adds up to less.
pub(super) const FULL_SUM: u16 = 9 * ALL;

/// The minirows of the six arrangements, each as three numbers `3 * row + block`.
pub(super) const ARRANGEMENTS: [[u8; 3]; 6] = [[0, 4, 8], [1, 5, 6], [2, 3, 7], [0, 5, 7], [1, 3, 8], [2, 4, 6]];

/// The cells of minirow `q` of band `b` (0 to 2 the bands, 3 to 5 the stacks).
pub(super) const CELLS: [[[u8; 3]; 9]; 6] = {
    let mut all = [[[0; 3]; 9]; 6];
    let mut b = 0;
    while b < 6 {
        let mut q = 0;
        while q < 9 {
            let mut k = 0;
            while k < 3 {
                let (across, along) = (b % 3 * 3 + q / 3, q % 3 * 3 + k);
                all[b][q][k] = (if b < 3 { 9 * across + along } else { 9 * along + across }) as u8;
                k += 1;
            }
            q += 1;
        }
        b += 1;
    }
    all
};

/// What a half sweep says about each lane.
#[derive(Clone, Copy)]
pub(super) struct Seen<V> {
    /// The digits that have an arrangement in every band: less than [`ALL`] is a contradiction.
    pub(super) alive: V,
    /// The smallest candidate set: zero is a contradiction.
    pub(super) least: V,
    /// The sum of the candidate sets. It shrinks with every candidate, and cannot overflow (81 × 511).
    pub(super) sum: V,
}

/// One half sweep: the three bands (`STACKS` false) or the three stacks. Of each, the arrangements that are left go to
/// `kept`.
#[inline(always)]
pub(super) fn half_sweep<L: Lanes, const STACKS: bool>(l: L, cells: &mut [L::V; 81], kept: &mut [[L::V; 6]; 6]) -> Seen<L::V> {
    let mut seen = Seen { alive: l.splat(ALL), least: l.splat(u16::MAX), sum: l.splat(0) };
    for b in 0..3 {
        if STACKS {
            let part: &mut [L::V; 75] = (&mut cells[3 * b..3 * b + 75]).try_into().expect("75 cells");
            band::<L, 75, true>(l, part, &mut kept[3 + b], &mut seen);
        } else {
            let part: &mut [L::V; 27] = (&mut cells[27 * b..27 * b + 27]).try_into().expect("27 cells");
            band::<L, 27, false>(l, part, &mut kept[b], &mut seen);
        }
    }
    seen
}

/// Where cell `k` (along the band) of its row `r` is.
const fn at(stacks: bool, r: usize, k: usize) -> usize {
    if stacks { 9 * k + r } else { 9 * r + k }
}

#[inline(always)]
fn band<L: Lanes, const LEN: usize, const STACKS: bool>(
    l: L,
    cells: &mut [L::V; LEN],
    kept: &mut [L::V; 6],
    seen: &mut Seen<L::V>,
) {
    let zero = l.splat(0);
    // The digits of each minirow (m) and those that already have a cell of their own in it (s).
    let mut m = [[zero; 3]; 3];
    let mut s = [[zero; 3]; 3];
    for r in 0..3 {
        for j in 0..3 {
            let [a, b, c] = [0, 1, 2].map(|k| cells[at(STACKS, r, 3 * j + k)]);
            m[r][j] = l.or3(a, b, c);
            let [a, b, c] = [a, b, c].map(|x| l.if_eq(l.drop_low(x), zero, x, zero));
            s[r][j] = l.or3(a, b, c);
        }
    }
    // Naked singles: gone from the other minirows of the row and of the block. The two other cells of the minirow itself
    // lose the digit in the other half sweep, where they are in other minirows of the block.
    for r in 0..3 {
        for j in 0..3 {
            let row = l.or3(s[r][(j + 1) % 3], s[r][(j + 2) % 3], s[(r + 1) % 3][j]);
            m[r][j] = l.and_not2(m[r][j], row, s[(r + 2) % 3][j]);
        }
    }
    // Hidden singles by row and block, and locked candidates: a digit stays where an arrangement puts it.
    let p = ARRANGEMENTS.map(|a| {
        let [x, y, z] = a.map(|q| m[usize::from(q) / 3][usize::from(q) % 3]);
        l.and3(x, y, z)
    });
    *kept = p;
    let union = l.or(l.or3(p[0], p[1], p[2]), l.or3(p[3], p[4], p[5]));
    seen.alive = l.and(seen.alive, union);
    m = [
        [l.or(p[0], p[3]), l.or(p[1], p[4]), l.or(p[2], p[5])],
        [l.or(p[2], p[4]), l.or(p[0], p[5]), l.or(p[1], p[3])],
        [l.or(p[1], p[5]), l.or(p[2], p[3]), l.or(p[0], p[4])],
    ];
    for j in 0..3 {
        let column = [m[0][j], m[1][j], m[2][j]];
        for r in 0..3 {
            // The digits that the minirow must hold: no other one of the block can.
            let must = l.and_not2(column[r], column[(r + 1) % 3], column[(r + 2) % 3]);
            // Three of them fill it.
            let m = l.if_eq(l.drop_low(l.drop_low(must)), zero, column[r], must);
            let at = [0, 1, 2].map(|k| at(STACKS, r, 3 * j + k));
            let [a, b, c] = at.map(|i| cells[i]);
            let [a, b, c] = if STACKS {
                // A digit with a single cell there takes it. The other half leaves that to this one, which finds the same cell:
                // the digit is in no other minirow of the block any more, so in one cell of it.
                let fix = l.and_not(must, l.two_of3(a, b, c));
                [take(l, a, m, fix), take(l, b, m, fix), take(l, c, m, fix)]
            } else {
                [l.and(a, m), l.and(b, m), l.and(c, m)]
            };
            seen.least = l.min(seen.least, l.min(a, l.min(b, c)));
            seen.sum = l.add(seen.sum, l.add(a, l.add(b, c)));
            cells[at[0]] = a;
            cells[at[1]] = b;
            cells[at[2]] = c;
        }
    }
}

/// A cell of a minirow with the digits `m`, where the digits `fix` have no other cell.
#[inline(always)]
fn take<L: Lanes>(l: L, cell: L::V, m: L::V, fix: L::V) -> L::V {
    let own = l.and(cell, fix);
    l.if_eq(own, l.splat(0), l.and(cell, m), own)
}

/// The lanes in which every house has all nine digits. Together with a sum of [`FULL_SUM`] and no empty cell this is a
/// full and valid board: the nine cells of a row then share out nine digits, one each.
#[inline(always)]
pub(super) fn complete<L: Lanes>(l: L, cells: &[L::V; 81]) -> u32 {
    let mut all = l.splat(ALL);
    for h in 0..9 {
        let row = union9(l, cells, 9 * h, [1, 3]);
        let column = union9(l, cells, h, [9, 27]);
        let block = union9(l, cells, 27 * (h / 3) + 3 * (h % 3), [1, 9]);
        all = l.and(all, l.and3(row, column, block));
    }
    l.eq(all, l.splat(ALL))
}

/// The digits in a house: three times three cells, with these steps between them.
#[inline(always)]
fn union9<L: Lanes>(l: L, cells: &[L::V; 81], first: usize, [step, leap]: [usize; 2]) -> L::V {
    let mut all = l.splat(0);
    for k in 0..3 {
        let i = first + leap * k;
        all = l.or(all, l.or3(cells[i], cells[i + step], cells[i + 2 * step]));
    }
    all
}

/// For each lane the band to branch on, in the low 3 bits: the one with the fewest arrangements, those with a digit that
/// has exactly two before the others. [`NO_BAND`] or more where every digit of every band has one.
#[inline(always)]
pub(super) fn best_band<L: Lanes>(l: L, kept: &[[L::V; 6]; 6]) -> L::V {
    let zero = l.splat(0);
    let mut best = l.splat(u16::MAX);
    for (b, p) in kept.iter().enumerate() {
        // How many arrangements each digit has, as a number of three bits.
        let (s0, k0) = (l.xor3(p[0], p[1], p[2]), l.two_of3(p[0], p[1], p[2]));
        let (s1, k1) = (l.xor3(p[3], p[4], p[5]), l.two_of3(p[3], p[4], p[5]));
        let (n0, k2) = (l.xor(s0, s1), l.and(s0, s1));
        let (n1, n2) = (l.xor3(k0, k1, k2), l.two_of3(k0, k1, k2));
        let two = l.and_not2(n1, n0, n2);
        let twice = |x| l.add(x, x);
        let total = l.add(l.count9(n0), twice(l.add(l.count9(n1), twice(l.count9(n2)))));
        let key = l.if_eq(two, zero, l.add(total, l.splat(64)), total);
        // Nine arrangements: nothing is open. (Fewer would be a contradiction.)
        let key = l.if_eq(total, l.splat(9), l.splat(NO_BAND >> 3), key);
        let key = l.add(twice(twice(twice(key))), l.splat(b as u16));
        best = l.min(best, key);
    }
    best
}

/// See [`best_band`].
pub(super) const NO_BAND: u16 = 1 << 12;
