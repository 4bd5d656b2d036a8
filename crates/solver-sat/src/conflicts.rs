//! Counts the conflicts in a proof while it is written.

/// What the next number of the proof means.
#[derive(Clone, Copy, Debug)]
enum Expect {
    /// The code of the next step.
    Step,
    /// So many numbers that do not matter.
    Skip(u64),
    /// The length of a list of so many numbers an entry, and the step ends with it.
    LastList { width: u64 },
    /// The length of a derived clause.
    ClauseLength,
    /// So many literals of a derived clause; its hashes follow.
    Literals { left: u64, empty: bool },
    /// The count of hashes of a derived clause.
    HashCount { empty: bool },
}

/// Reads a proof in varisat's own format, in pieces as they come, and counts the clauses that were learned from conflicts.
///
/// A proof is a sequence of numbers. A number of k bytes has k−1 zero bits and then a one as its lowest bits; the value
/// follows, lowest bit first. Of each step only its code and its lengths matter here:
///
/// ```text
/// 0, 2        two numbers          names of variables
/// 1, 3..=6    one number           names of variables
/// 7, 8        clause, hashes       a derived clause: this one may be a conflict
/// 9           pairs                unit clauses found by propagation
/// 10..=12     clause               a clause deleted
/// 13          one number           width of the hashes
/// 14..=16     clause               a model, a clause added, assumptions
/// 17          clause, hashes       assumptions that failed
/// other       nothing              the end
/// ```
///
/// Lists (clauses, hashes, pairs) begin with their length. A derived clause is learned from a conflict if it names more than one
/// clause that it follows from; one name means an older clause made shorter by the units found meanwhile. The empty clause is
/// the last conflict, on level zero, and names one.
#[derive(Debug)]
pub(crate) struct ConflictCounter {
    expect: Expect,
    /// The number being read: its first bytes, how many there are, and how many it has in all.
    bytes: [u8; 16],
    filled: usize,
    length: usize,
}

impl ConflictCounter {
    pub(crate) fn new() -> ConflictCounter {
        ConflictCounter { expect: Expect::Step, bytes: [0; 16], filled: 0, length: 0 }
    }

    /// Reads on, and gives the count of conflicts that these bytes completed.
    pub(crate) fn read(&mut self, mut bytes: &[u8]) -> u64 {
        let mut conflicts = 0;
        loop {
            // The numbers that do not matter are most of the proof: only their lengths are looked at.
            if self.filled == 0
                && let Some((&first, _)) = bytes.split_first()
                && first != 0
            {
                let length = first.trailing_zeros() as usize + 1;
                if length <= bytes.len() && (length == 1 || matches!(self.expect, Expect::Skip(_) | Expect::Literals { .. })) {
                    bytes = &bytes[length..];
                    conflicts += self.number(u64::from(first >> 1));
                    continue;
                }
            }
            let Some((&byte, rest)) = bytes.split_first() else { break };
            bytes = rest;
            self.bytes[self.filled] = byte;
            self.filled += 1;
            // The length is in the lowest one of the first two bytes.
            if self.filled == 1 {
                self.length = if byte == 0 { 0 } else { byte.trailing_zeros() as usize + 1 };
            } else if self.filled == 2 && self.length == 0 {
                self.length = (byte | 2).trailing_zeros() as usize + 9;
            }
            if self.filled == self.length {
                let value = (u128::from_le_bytes(self.bytes) >> self.length) as u64;
                self.bytes = [0; 16];
                self.filled = 0;
                conflicts += self.number(value);
            }
        }
        conflicts
    }

    /// A number is complete: 1 if it completes a conflict.
    fn number(&mut self, value: u64) -> u64 {
        let skip = |count| if count == 0 { Expect::Step } else { Expect::Skip(count) };
        let mut conflict = 0;
        self.expect = match self.expect {
            Expect::Step => match value {
                0 | 2 => Expect::Skip(2),
                1 | 3..=6 | 13 => Expect::Skip(1),
                7 | 8 => Expect::ClauseLength,
                9 => Expect::LastList { width: 2 },
                10..=12 | 14..=16 => Expect::LastList { width: 1 },
                _ => Expect::Step,
            },
            Expect::Skip(count) => skip(count - 1),
            Expect::LastList { width } => skip(value * width),
            Expect::ClauseLength if value == 0 => Expect::HashCount { empty: true },
            Expect::ClauseLength => Expect::Literals { left: value, empty: false },
            Expect::Literals { left: 1, empty } => Expect::HashCount { empty },
            Expect::Literals { left, empty } => Expect::Literals { left: left - 1, empty },
            Expect::HashCount { empty } => {
                conflict = u64::from(empty || value > 1);
                skip(value)
            }
        };
        conflict
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::io;
    use std::rc::Rc;

    use varisat::{ExtendFormula, Lit, ProofFormat, Solver};

    use super::*;

    /// A number as varisat writes it.
    fn write(bytes: &mut Vec<u8>, value: u64) {
        let length = (64 - value.leading_zeros()).max(1).div_ceil(7).min(10);
        let coded = (u128::from(value) << 1 | 1) << (length - 1);
        bytes.extend(&coded.to_le_bytes()[..length as usize]);
    }

    fn numbers(values: &[u64]) -> Vec<u8> {
        let mut bytes = Vec::new();
        values.iter().for_each(|value| write(&mut bytes, *value));
        bytes
    }

    fn count_in_pieces(bytes: &[u8], length: usize) -> u64 {
        let mut counter = ConflictCounter::new();
        bytes.chunks(length).map(|piece| counter.read(piece)).sum()
    }

    #[test]
    fn only_clauses_that_follow_from_several_others_are_conflicts() {
        let hash = 0xfedc_ba98_7654_3210;
        let steps: &[(&[u64], u64)] = &[
            (&[0, 7, 8], 0),
            (&[2, 300, 8], 0),
            (&[1, 7], 0),
            (&[7, 3, 5, 70_000, 8, 4, hash, 7, hash, 0], 1),
            (&[8, 2, 5, 8, 2, hash, 7], 1),
            // A clause made shorter, and the longer one deleted.
            (&[8, 2, 5, 8, 1, hash], 0),
            (&[11, 3, 5, 8, 7], 0),
            (&[9, 2, 5, hash, 7, 8], 0),
            (&[9, 0], 0),
            (&[13, 40], 0),
            (&[14, 4, 7, 7, 7, 7], 0),
            (&[15, 0], 0),
            // The last conflict.
            (&[8, 0, 1, hash], 1),
            (&[0x9ac3_391f_4294_c211], 0),
        ];
        let all: Vec<u64> = steps.iter().flat_map(|(values, _)| values.iter().copied()).collect();
        let bytes = numbers(&all);
        for length in 1..=bytes.len() {
            assert_eq!(count_in_pieces(&bytes, length), 3, "in pieces of {length} bytes");
        }
        let mut counter = ConflictCounter::new();
        for (values, conflicts) in steps {
            assert_eq!(counter.read(&numbers(values)), *conflicts, "{values:?}");
        }
    }

    #[test]
    fn numbers_of_every_length_are_read() {
        for bits in 0..64 {
            // A unit clause whose hash has so many bits, then a conflict.
            let bytes = numbers(&[9, 1, 5, u64::MAX >> bits, 8, 0, 1, u64::MAX >> bits]);
            for length in 1..=bytes.len() {
                assert_eq!(count_in_pieces(&bytes, length), 1, "{} bits in pieces of {length} bytes", 64 - bits);
            }
        }
    }

    #[derive(Clone, Default)]
    struct Shared(Rc<RefCell<Vec<u8>>>);

    impl io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_proof_by_varisat_has_as_many_conflicts_in_any_pieces() {
        let proof = Shared::default();
        let mut solver = Solver::new();
        solver.write_proof(proof.clone(), ProofFormat::Varisat);
        // Seven pigeons, six holes.
        let lit = |pigeon: usize, hole: usize, positive| Lit::from_index(6 * pigeon + hole, positive);
        for pigeon in 0..7 {
            solver.add_clause(&(0..6).map(|hole| lit(pigeon, hole, true)).collect::<Vec<_>>());
            for (other, hole) in (0..pigeon).flat_map(|other| (0..6).map(move |hole| (other, hole))) {
                solver.add_clause(&[lit(pigeon, hole, false), lit(other, hole, false)]);
            }
        }
        assert_eq!(solver.solve().ok(), Some(false));
        drop(solver);
        let bytes = proof.0.borrow();
        let whole = count_in_pieces(&bytes, bytes.len());
        assert!(whole > 20, "{whole} conflicts");
        for length in [1, 2, 3, 7, 64, 1000] {
            assert_eq!(count_in_pieces(&bytes, length), whole);
        }
        // The end comes as the last step, after the clause that ended it all.
        assert_eq!(count_in_pieces(&bytes[..bytes.len() - 10], 4096), whole);
    }
}
