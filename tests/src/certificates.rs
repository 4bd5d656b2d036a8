//! Tampers with certificates, and finds out without them what is true.

use ninefold::{Claim, End, Limits, Puzzle, Search, Solver, certify};
use ninefold_verify::{Refusal, Verified, verify};

use ninefold_testkit::Random;

/// The certificate of a claim by a strategy of the registry, as text.
///
/// # Errors
/// Where there is none.
///
/// # Panics
/// Where there is no such strategy.
pub fn certificate(strategy: &str, puzzle: &Puzzle, claim: Claim) -> Result<String, certify::CertifyError> {
    let strategy = ninefold::by_name(strategy).unwrap_or_else(|| panic!("there is no strategy {strategy}"));
    let mut text = Vec::new();
    certify::tree(&mut *(strategy.build)(), puzzle, claim, &Limits::none(), &mut text)?;
    Ok(String::from_utf8(text).expect("a certificate is plain text"))
}

/// A strategy that tells nothing, so that the whole tree is the writer's.
#[derive(Debug)]
pub struct Silent;

impl Solver for Silent {
    fn search(&mut self, _: &Puzzle, _: &mut Search<'_>) -> End {
        End::Exhausted
    }
}

/// The ways to tamper with a text.
pub const TAMPERINGS: [&str; 16] = [
    "flip a bit",
    "change a character",
    "drop a character",
    "repeat a character",
    "drop a line",
    "repeat a line",
    "swap two lines",
    "swap neighbouring lines",
    "move a line",
    "truncate at a byte",
    "truncate at a line",
    "drop a word",
    "swap two words",
    "change a digit",
    "change a given",
    "change the claim",
];

/// The text with one thing changed, in the way of this number. It may come out unchanged.
pub fn tamper(text: &str, way: usize, random: &mut Random) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let mut lines: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
    let (at, other) = (random.below(bytes.len()), random.below(bytes.len()));
    let (line, other_line) = (random.below(lines.len()), random.below(lines.len()));
    match TAMPERINGS[way] {
        "flip a bit" => bytes[at] ^= 1 << random.below(8),
        "change a character" => bytes[at] = bytes[other],
        "drop a character" => drop(bytes.remove(at)),
        "repeat a character" => bytes.insert(at, bytes[at]),
        "truncate at a byte" => bytes.truncate(at),
        "change a digit" => {
            let digits: Vec<usize> = (0..bytes.len()).filter(|i| bytes[*i].is_ascii_digit()).collect();
            bytes[digits[random.below(digits.len())]] = b'1' + random.below(9) as u8;
        }
        name => {
            match name {
                "drop a line" => drop(lines.remove(line)),
                "repeat a line" => lines.insert(line, lines[line].clone()),
                "swap two lines" => lines.swap(line, other_line),
                "swap neighbouring lines" => lines.swap(line, (line + 1) % text.lines().count()),
                "move a line" => {
                    let moved = lines.remove(line);
                    lines.insert(other_line, moved);
                }
                "truncate at a line" => lines.truncate(line),
                "drop a word" | "swap two words" => {
                    let mut words: Vec<&[u8]> = lines[line].split(|byte| *byte == b' ').collect();
                    let (i, j) = (random.below(words.len()), random.below(words.len()));
                    if name == "drop a word" {
                        words.remove(i);
                    } else {
                        words.swap(i, j);
                    }
                    lines[line] = words.join(&b' ');
                }
                "change a given" => {
                    let givens =
                        lines.iter_mut().find(|line| line.starts_with(b"givens ")).expect("every certificate has givens");
                    let i = 7 + random.below(givens.len() - 7);
                    givens[i] = if random.below(3) == 0 { b'.' } else { b'1' + random.below(9) as u8 };
                }
                "change the claim" => {
                    let claim = lines.iter_mut().find(|line| line.starts_with(b"claim ")).expect("every certificate has a claim");
                    let claims: [&[u8]; 4] = [b"claim unique", b"claim unsolvable", b"claim count=1", b"claim count=2"];
                    *claim = claims[random.below(4)].to_vec();
                }
                _ => unreachable!("every way has its name"),
            }
            bytes = lines.join(&b'\n');
            bytes.push(b'\n');
        }
    }
    bytes
}

/// What became of a text that was tampered with.
#[derive(Clone, Debug)]
pub enum Fate {
    /// The checker refuses it.
    Refused(Refusal),
    /// The checker takes it, and what it claims of the puzzle that it states is true.
    True(Box<Verified>),
    /// The checker takes it, and it is false: the checker is wrong.
    False(Box<Verified>),
}

/// Checks a text, and whether what was accepted is true.
pub fn fate(text: &[u8]) -> Fate {
    match verify(text, None) {
        Err(refusal) => Fate::Refused(refusal),
        Ok(verified) if is_true(&verified) => Fate::True(Box::new(verified)),
        Ok(verified) => Fate::False(Box::new(verified)),
    }
}

/// Whether the puzzle has as many solutions as the claim says, counted by a strategy; where none is enabled that takes the rules, by the writer
/// of certificates.
fn is_true(verified: &Verified) -> bool {
    let wanted = verified.claim.solutions();
    // Givens that clash, or that their own cells exclude, have no solution.
    let Ok(puzzle) = Puzzle::with_candidates(verified.board.clone(), &verified.allowed) else { return wanted == 0 };
    let Some(strategy) = ninefold::auto(puzzle.rules()) else {
        return certify::tree(&mut Silent, &puzzle, verified.claim, &Limits::none(), &mut Vec::new()).is_ok();
    };
    let outcome = (strategy.build)().count(&puzzle, wanted.saturating_add(1), &Limits::none());
    outcome.is_exact() && outcome.count() == wanted
}
