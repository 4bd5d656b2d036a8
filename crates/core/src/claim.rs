//! Claims about how many solutions a puzzle has.

use std::fmt;
use std::str::FromStr;

/// What a certificate claims about a puzzle. It reads and shows as `unsolvable`, `unique` or `count=N`.
///
/// ```
/// use ninefold_core::Claim;
/// assert_eq!("count=12".parse(), Ok(Claim::Count(12)));
/// assert_eq!(Claim::Unique.solutions(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// The puzzle has no solution.
    Unsolvable,
    /// The puzzle has exactly one solution.
    Unique,
    /// The puzzle has exactly so many solutions.
    Count(u64),
}

impl Claim {
    /// The first line of a certificate of a claim, as a refutation tree.
    pub const CERTIFICATE: &'static str = "ninefold certificate 1";

    /// How many solutions the puzzle has if the claim is true.
    pub const fn solutions(self) -> u64 {
        match self {
            Claim::Unsolvable => 0,
            Claim::Unique => 1,
            Claim::Count(count) => count,
        }
    }

    /// The claim that is true of a puzzle with so many solutions, by its name where it has one.
    pub const fn of(solutions: u64) -> Claim {
        match solutions {
            0 => Claim::Unsolvable,
            1 => Claim::Unique,
            more => Claim::Count(more),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Unsolvable => f.write_str("unsolvable"),
            Claim::Unique => f.write_str("unique"),
            Claim::Count(count) => write!(f, "count={count}"),
        }
    }
}

impl FromStr for Claim {
    type Err = String;

    fn from_str(text: &str) -> Result<Claim, String> {
        match (text, text.strip_prefix("count=").map(str::parse)) {
            ("unsolvable", _) => Ok(Claim::Unsolvable),
            ("unique", _) => Ok(Claim::Unique),
            (_, Some(Ok(count))) => Ok(Claim::Count(count)),
            _ => Err(format!("`{text}` is no claim: `unsolvable`, `unique` or `count=N`")),
        }
    }
}
