//! Random numbers that are the same everywhere.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random numbers: a seed has 2⁶⁴ of them, and each is the same on every platform.
///
/// The cipher ChaCha with eight rounds (D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008), whose streams have nothing to do with each
/// other. How a figure is drawn from it and how a list is shuffled is fixed here, since a library may change that with any version.
///
/// ```
/// use ninefold_generator::Random;
/// let mut random = Random::new(1, 0);
/// let first: Vec<usize> = (0..5).map(|_| random.below(100)).collect();
/// let mut again = Random::new(1, 0);
/// assert_eq!(first, (0..5).map(|_| again.below(100)).collect::<Vec<_>>());
/// ```
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The stream with this number of this seed.
    pub fn new(seed: u64, stream: u64) -> Random {
        let mut cipher = ChaCha8Rng::seed_from_u64(seed);
        cipher.set_stream(stream);
        Random(cipher)
    }

    /// A number from 0 up to and without `bound`, each with the same chance.
    ///
    /// # Panics
    /// Where `bound` is 0 or over 2³².
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below 0");
        let bound = u64::try_from(bound).ok().filter(|bound| *bound <= 1 << 32).expect("a bound of at most 2^32");
        // D. Lemire, "Fast random integer generation in an interval", 2019: the upper half of a product, without the few lower halves
        // that would favour some numbers.
        let unfair = (1u64 << 32) % bound;
        loop {
            let product = u64::from(self.0.next_u32()) * bound;
            if product & 0xFFFF_FFFF >= unfair {
                return (product >> 32) as usize;
            }
        }
    }

    /// Puts the items into random order, each order with the same chance.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// One of the items; `None` where there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_first_release() {
        // Whoever changes these changes every puzzle of every seed.
        let mut random = Random::new(42, 7);
        let drawn: Vec<usize> = [9, 9, 9, 1000, 1 << 32].map(|bound| random.below(bound)).to_vec();
        let mut items: Vec<usize> = (0..10).collect();
        random.shuffle(&mut items);
        assert_eq!(drawn, [1, 1, 3, 326, 3_468_641_280]);
        assert_eq!(items, [9, 7, 1, 0, 4, 2, 5, 8, 3, 6]);
    }

    #[test]
    fn streams_of_a_seed_differ_and_so_do_seeds() {
        let draw = |seed, stream| {
            let mut random = Random::new(seed, stream);
            (0..8).map(|_| random.below(1 << 32)).collect::<Vec<_>>()
        };
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(1, 0), draw(2, 0));
        assert_eq!(draw(1, u64::MAX), draw(1, u64::MAX));
    }

    #[test]
    fn every_number_below_a_bound_comes_up() {
        let mut random = Random::new(3, 0);
        let mut seen = [0; 7];
        for _ in 0..7000 {
            seen[random.below(7)] += 1;
        }
        assert!(seen.iter().all(|count| (800..1200).contains(count)), "{seen:?}");
        assert_eq!(random.below(1), 0);
    }
}
