//! Random numbers for tests, the same everywhere.

/// SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Any number of 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number from 0 to `below - 1`.
    ///
    /// # Panics
    /// Where `below` is 0.
    pub fn below(&mut self, below: usize) -> usize {
        (self.next_u64() % below as u64) as usize
    }

    /// The numbers from 0 to `n - 1` in any order.
    pub fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut items: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            items.swap(i, self.below(i + 1));
        }
        items
    }

    /// A classic solution: one full grid with its digits, rows, columns, bands and stacks exchanged.
    pub fn classic_solution(&mut self) -> [u8; 81] {
        let digits = self.shuffled(9);
        let mut lines = || -> Vec<usize> {
            let bands = self.shuffled(3);
            bands.into_iter().flat_map(|band| self.shuffled(3).into_iter().map(move |line| 3 * band + line)).collect()
        };
        let (rows, columns) = (lines(), lines());
        std::array::from_fn(|cell| {
            let (row, column) = (rows[cell / 9], columns[cell % 9]);
            digits[(3 * (row % 3) + row / 3 + column) % 9] as u8 + 1
        })
    }
}
