//! The checks of the classic board that run once for every puzzle and every solution, without a branch a cell.
//!
//! A house is counted in one word, four bits a digit: bits 0 to 3 for the ones, bits 4 to 7 for the twos, and so on to bit 35. A house has
//! nine cells, so a count never runs over.

/// What each byte adds to a count; what is no digit adds nothing.
static ONE: [u64; 256] = {
    let mut one = [0; 256];
    let mut digit = 1;
    while digit <= 9 {
        one[digit] = 1 << (4 * (digit - 1));
        digit += 1;
    }
    one
};

/// Every digit once.
const EACH_ONCE: u64 = 0x1_1111_1111;

/// The OR and the AND of the counts of all 27 houses.
///
/// Scalar on purpose: vector code would have to wait for the table's values to get through memory. Stack by stack, so that the counts at
/// hand fit into registers.
#[inline]
fn counts(bytes: &[u8; 81]) -> (u64, u64) {
    let (mut or, mut and) = (0, u64::MAX);
    let mut rows = [0; 9];
    for stack in 0..3 {
        let mut columns = [0; 3];
        for (band, rows) in rows.as_chunks_mut::<3>().0.iter_mut().enumerate() {
            let mut block = 0;
            for (place, row) in rows.iter_mut().enumerate() {
                let first = 27 * band + 9 * place + 3 * stack;
                let [a, b, c] = [0, 1, 2].map(|i| ONE[usize::from(bytes[first + i])]);
                let minirow = a + b + c;
                *row += minirow;
                block += minirow;
                columns[0] += a;
                columns[1] += b;
                columns[2] += c;
            }
            (or, and) = (or | block, and & block);
        }
        for column in columns {
            (or, and) = (or | column, and & column);
        }
    }
    for row in rows {
        (or, and) = (or | row, and & row);
    }
    (or, and)
}

/// Whether no house of a classic board holds a digit twice. Bytes over 9 count as blanks.
pub(crate) fn is_valid(bytes: &[u8; 81]) -> bool {
    let (or, _) = counts(bytes);
    or & !EACH_ONCE == 0
}

/// Whether a board is full, keeps the classic rules and has the givens. Bytes over 9 fit nowhere.
pub(crate) fn solves(givens: &[u8; 81], bytes: &[u8; 81]) -> bool {
    let mut differs = 0u8;
    for (given, byte) in givens.iter().zip(bytes) {
        // All ones where there is a given.
        let mask = 0u8.wrapping_sub(u8::from(*given != 0));
        differs |= mask & (given ^ byte);
    }
    differs == 0 && counts(bytes) == (EACH_ONCE, EACH_ONCE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn solution() -> [u8; 81] {
        *SOLUTION.parse::<Board>().unwrap().classic_bytes().unwrap()
    }

    #[test]
    fn only_the_solution_itself_solves() {
        let bytes = solution();
        let mut givens = bytes;
        for (i, given) in givens.iter_mut().enumerate() {
            *given = if i % 3 == 0 { *given } else { 0 };
        }
        assert!(solves(&givens, &bytes) && solves(&[0; 81], &bytes));
        for index in 0..81 {
            for byte in 0..=255 {
                let mut changed = bytes;
                changed[index] = byte;
                assert_eq!(solves(&[0; 81], &changed), changed == bytes, "{byte} at {index}");
                let mut given = givens;
                given[index] = byte;
                assert_eq!(solves(&given, &bytes), byte == 0 || byte == bytes[index], "given {byte} at {index}");
            }
        }
    }

    #[test]
    fn a_repeated_digit_is_seen_in_every_house_and_a_lone_one_in_none() {
        for first in 0..81 {
            for second in 0..81 {
                for digit in 1..=9 {
                    let mut bytes = [0; 81];
                    bytes[first] = digit;
                    bytes[second] = digit;
                    let (r, c, s, d) = (first / 9, first % 9, second / 9, second % 9);
                    let peers = first != second && (r == s || c == d || (r / 3 == s / 3 && c / 3 == d / 3));
                    assert_eq!(is_valid(&bytes), !peers, "{digit} at {first} and {second}");
                }
            }
        }
        assert!(is_valid(&solution()));
        assert!(!is_valid(&[9; 81]));
    }
}
