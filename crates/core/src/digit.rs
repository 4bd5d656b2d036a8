//! Digits and sets of digits.

use std::fmt;
use std::num::NonZeroU8;

/// The symbols of the digits 1 to 64, in order. Letters follow the figures as is usual for 16×16 and 25×25 boards; the
/// last three (62 to 64) have no common symbol, so these were chosen to be neither blanks, separators nor comment marks.
const SYMBOLS: &[u8; 64] = b"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@$&";

/// A digit, 1 to 64. A board of side `n` uses the digits 1 to `n`.
///
/// It is shown as `1`-`9`, `A`-`Z` (10 to 35), `a`-`z` (36 to 61), then `@`, `$` and `&` (62 to 64).
///
/// ```
/// use ninefold_core::Digit;
/// let ten = Digit::new(10).unwrap();
/// assert_eq!(ten.to_string(), "A");
/// assert_eq!(Digit::from_symbol('A'), Some(ten));
/// assert_eq!(Digit::new(0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digit(NonZeroU8);

impl Digit {
    /// The digit with this value; `None` outside 1 to 64.
    pub const fn new(value: u8) -> Option<Digit> {
        match NonZeroU8::new(value) {
            Some(value) if value.get() <= 64 => Some(Digit(value)),
            _ => None,
        }
    }

    /// The value, 1 to 64.
    pub const fn get(self) -> u8 {
        self.0.get()
    }

    /// The value less one, 0 to 63: an index into per-digit tables.
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The one character that stands for this digit.
    pub const fn symbol(self) -> char {
        SYMBOLS[self.index()] as char
    }

    /// The digit that this character stands for, if it stands for one.
    pub fn from_symbol(symbol: char) -> Option<Digit> {
        let byte = u8::try_from(symbol).ok()?;
        let value = match byte {
            b'1'..=b'9' => byte - b'0',
            b'A'..=b'Z' => byte - b'A' + 10,
            b'a'..=b'z' => byte - b'a' + 36,
            b'@' => 62,
            b'$' => 63,
            b'&' => 64,
            _ => return None,
        };
        Digit::new(value)
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.symbol())
    }
}

impl fmt::Debug for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.get())
    }
}

/// A set of digits: the candidates of a cell, the digits a house has used. Bit `i` stands for the digit `i + 1`.
///
/// ```
/// use ninefold_core::{Digit, DigitSet};
/// let mut set = DigitSet::all(9);
/// set.remove(Digit::new(5).unwrap());
/// assert_eq!(set.len(), 8);
/// assert_eq!(set.to_string(), "12346789");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DigitSet(u64);

impl DigitSet {
    /// The set without digits.
    pub const EMPTY: DigitSet = DigitSet(0);

    /// The digits 1 to `side`, for a side of 0 to 64.
    ///
    /// # Panics
    /// Where `side` is over 64.
    pub const fn all(side: usize) -> DigitSet {
        assert!(side <= 64, "a board has at most 64 digits");
        if side == 0 { DigitSet(0) } else { DigitSet(u64::MAX >> (64 - side)) }
    }

    /// The set with this one digit.
    pub const fn of(digit: Digit) -> DigitSet {
        DigitSet(1 << digit.index())
    }

    /// The set whose bit `i` says whether the digit `i + 1` is in it.
    pub const fn from_bits(bits: u64) -> DigitSet {
        DigitSet(bits)
    }

    /// The set as bits: bit `i` for the digit `i + 1`.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether the digit is in the set.
    pub const fn contains(self, digit: Digit) -> bool {
        self.0 & DigitSet::of(digit).0 != 0
    }

    /// Adds a digit.
    pub const fn insert(&mut self, digit: Digit) {
        self.0 |= DigitSet::of(digit).0;
    }

    /// Takes a digit out.
    pub const fn remove(&mut self, digit: Digit) {
        self.0 &= !DigitSet::of(digit).0;
    }

    /// How many digits are in the set, 0 to 64.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no digit is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The smallest digit of the set.
    pub const fn first(self) -> Option<Digit> {
        if self.0 == 0 { None } else { Digit::new(self.0.trailing_zeros() as u8 + 1) }
    }

    /// The digit of a set that holds exactly one.
    pub const fn single(self) -> Option<Digit> {
        if self.0.count_ones() == 1 { self.first() } else { None }
    }

    /// The digits in both sets.
    #[must_use]
    pub const fn intersection(self, other: DigitSet) -> DigitSet {
        DigitSet(self.0 & other.0)
    }

    /// The digits in either set.
    #[must_use]
    pub const fn union(self, other: DigitSet) -> DigitSet {
        DigitSet(self.0 | other.0)
    }

    /// The digits of this set that are not in the other.
    #[must_use]
    pub const fn difference(self, other: DigitSet) -> DigitSet {
        DigitSet(self.0 & !other.0)
    }

    /// The digits, ascending.
    pub const fn iter(self) -> Digits {
        Digits(self)
    }
}

impl IntoIterator for DigitSet {
    type Item = Digit;
    type IntoIter = Digits;

    fn into_iter(self) -> Digits {
        self.iter()
    }
}

impl FromIterator<Digit> for DigitSet {
    fn from_iter<I: IntoIterator<Item = Digit>>(digits: I) -> DigitSet {
        let mut set = DigitSet::EMPTY;
        for digit in digits {
            set.insert(digit);
        }
        set
    }
}

impl fmt::Display for DigitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|digit| write!(f, "{digit}"))
    }
}

impl fmt::Debug for DigitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The digits of a [`DigitSet`], ascending.
#[derive(Clone, Debug)]
pub struct Digits(DigitSet);

impl Iterator for Digits {
    type Item = Digit;

    fn next(&mut self) -> Option<Digit> {
        let first = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Digits {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_has_its_own_symbol_and_comes_back_from_it() {
        for value in 1..=64 {
            let digit = Digit::new(value).unwrap();
            assert_eq!(Digit::from_symbol(digit.symbol()), Some(digit));
        }
        for blank in ['.', '0', '_', '*', '?', '|', '-', '+', '#', ' '] {
            assert_eq!(Digit::from_symbol(blank), None, "{blank:?}");
        }
    }

    #[test]
    fn the_range_of_digits_is_1_to_64() {
        assert_eq!(Digit::new(0), None);
        assert_eq!(Digit::new(64).map(Digit::get), Some(64));
        assert_eq!(Digit::new(65), None);
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        assert!(DigitSet::all(0).is_empty());
        assert_eq!(DigitSet::all(64).len(), 64);
        let set: DigitSet = [3, 1, 64].into_iter().filter_map(Digit::new).collect();
        assert_eq!(set.iter().map(Digit::get).collect::<Vec<_>>(), [1, 3, 64]);
        assert_eq!(set.single(), None);
        assert_eq!(set.first().map(Digit::get), Some(1));
    }
}
