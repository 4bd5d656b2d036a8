//! Each step of the kernel against a slow plain version of its definition, on every path.

use ninefold_testkit::Random;

use super::board::{self, State, place_of};
use super::choice;
use super::entry::Path;
use super::search::{Inference, Slot, Watch};
use super::sweep::{Packed, Sweep, sweep};
use super::triads::triads;
use crate::engine::{Engine, Rule};
use crate::vector::Vector;
use crate::vector::portable::Portable;
#[cfg(target_arch = "x86_64")]
use crate::vector::x86::{Avx2, Avx512};

/// Candidates of each cell: bit `d - 1` for digit `d`.
type Masks = [u16; 81];

/// States as they occur in a search and worse: a solution's candidates and random others, some of them without a solution.
fn random_masks(random: &mut Random) -> Masks {
    let solution = random.classic_solution();
    let (density, fixed) = (random.below(101), random.below(60));
    let mut masks: Masks = std::array::from_fn(|cell| {
        let mut mask = 1 << (solution[cell] - 1);
        if random.below(100) >= fixed {
            for digit in 0..9 {
                mask |= u16::from(random.below(100) < density) << digit;
            }
        }
        mask
    });
    for _ in 0..random.below(4) {
        masks[random.below(81)] &= random.next_u64() as u16;
    }
    masks
}

fn words(masks: &Masks) -> Slot {
    let mut words = [[0; 8]; 5];
    for (cell, mask) in masks.iter().enumerate() {
        let (lane, bit) = place_of(cell);
        for index in 0..9 {
            words[index / 2][index % 2 * 4 + lane] |= u32::from(mask >> index & 1) << bit;
        }
    }
    words
}

fn masks(words: &Slot) -> Masks {
    std::array::from_fn(|cell| {
        let (lane, bit) = place_of(cell);
        (0..9).fold(0, |mask, index| mask | ((words[index / 2][index % 2 * 4 + lane] >> bit & 1) as u16) << index)
    })
}

struct Silent;

impl<V: Vector> Watch<V> for Silent {
    fn node(&mut self) -> bool {
        true
    }
    fn guess(&mut self, _: &State<V>, _: &choice::Sides<V>, _: usize) {}
    fn dead_end(&mut self, _: &State<V>) {}
    fn back(&mut self, _: usize) {}
    fn solution(&mut self, _: &State<V>) -> bool {
        true
    }
}

/// What the kernel makes of a state.
#[derive(Debug, PartialEq)]
struct Result {
    swept: (Sweep, Masks),
    /// After sweeps to the end, and then triads where that was a fixpoint.
    fixpoint: (Sweep, Masks),
    triads: Option<(Sweep, Masks)>,
    bivalue: Option<[Masks; 2]>,
    arrangements: Option<[Masks; 2]>,
}

#[inline(always)]
fn load<V: Vector>(words: &Slot) -> State<V> {
    [V::load(&words[0]), V::load(&words[1]), V::load(&words[2]), V::load(&words[3]), V::load(&words[4])]
}

#[inline(always)]
fn store<V: Vector>(x: &State<V>) -> Masks {
    let mut words = [[0; 8]; 5];
    for i in 0..5 {
        x[i].store(&mut words[i]);
    }
    assert_eq!([words[0][3], words[0][7], words[4][4]], [0, 0, 0], "unused lanes stay zero");
    masks(&words)
}

#[inline(always)]
fn kernel<V: Vector>(start: &Slot) -> Result {
    let zero = V::splat(0);
    let mut packed = Packed { rows: [zero; 2], columns: [zero; 2], open: zero };
    let mut x = load::<V>(start);
    let mut end = sweep(&mut x, &mut packed, &mut Silent);
    let swept = (end, store(&x));
    while end == Sweep::Changed {
        end = sweep(&mut x, &mut packed, &mut Silent);
    }
    let fixpoint = (end, store(&x));
    let (mut after, mut bivalue, mut arrangements) = (None, None, None);
    if end == Sweep::Fixpoint {
        bivalue = choice::by_bivalue(&x).map(|sides| [store(&sides.one), store(&sides.other)]);
        arrangements = choice::by_arrangements(&x, &packed).map(|sides| [store(&sides.one), store(&sides.other)]);
        let end = triads(&mut x, &packed, &mut Silent);
        after = Some((end, store(&x)));
    }
    Result { swept, fixpoint, triads: after, bivalue, arrangements }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn kernel_avx2(start: &Slot) -> Result {
    kernel::<Avx2>(start)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512bw,avx512vpopcntdq")]
fn kernel_avx512(start: &Slot) -> Result {
    kernel::<Avx512>(start)
}

fn on_all_paths(start: &Slot) -> Result {
    let result = kernel::<Portable>(start);
    #[cfg(target_arch = "x86_64")]
    {
        if Path::avx2().is_some() {
            // SAFETY: the processor has what `Path::avx2` looks for.
            assert_eq!(unsafe { kernel_avx2(start) }, result);
        }
        if Path::avx512().is_some() {
            // SAFETY: the processor has what `Path::avx512` looks for.
            assert_eq!(unsafe { kernel_avx512(start) }, result);
        }
    }
    result
}

// ---- the plain versions ----

fn row(cell: usize) -> usize {
    cell / 9
}
fn column(cell: usize) -> usize {
    cell % 9
}
fn has(masks: &Masks, cell: usize, digit: usize) -> bool {
    masks[cell] >> digit & 1 == 1
}
fn cells(test: impl Fn(usize) -> bool) -> Vec<usize> {
    (0..81).filter(|&cell| test(cell)).collect()
}

/// Cell k of line l of a band (`down`: of a stack).
fn at(down: bool, band: usize, line: usize, k: usize) -> usize {
    if down { 9 * k + 3 * band + line } else { 9 * (3 * band + line) + k }
}

/// Keeps the minirows (minicolumns) that are in one of the six arrangements of their digit.
fn plain_arrangements(masks: &Masks, down: bool) -> Masks {
    let mut kept = [0; 81];
    for digit in 0..9 {
        for band in 0..3 {
            let there = |line: usize, block: usize| (0..3).any(|k| has(masks, at(down, band, line, 3 * block + k), digit));
            for [a, b, c] in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
                if there(0, a) && there(1, b) && there(2, c) {
                    for (line, block) in [(0, a), (1, b), (2, c)] {
                        for k in 0..3 {
                            kept[at(down, band, line, 3 * block + k)] |= 1 << digit;
                        }
                    }
                }
            }
        }
    }
    std::array::from_fn(|cell| masks[cell] & kept[cell])
}

fn plain_sweep(start: &Masks) -> (Sweep, Masks) {
    let before = plain_arrangements(start, true);
    let arranged = plain_arrangements(&before, false);
    let count_in_row = |cell: usize, digit: usize| cells(|c| row(c) == row(cell) && has(&arranged, c, digit)).len();
    let mut after = arranged;
    let mut looks_solved = true;
    for cell in 0..81 {
        let claims = (0..9).filter(|&digit| has(&arranged, cell, digit) && count_in_row(cell, digit) == 1);
        let claims = claims.fold(0u16, |mask, digit| mask | 1 << digit);
        // One digit that has no other place in the row takes the cell; two that have none spoil it for both.
        if claims.count_ones() % 2 == 1 {
            after[cell] &= claims;
        } else {
            after[cell] &= !claims;
        }
        looks_solved &= arranged[cell].count_ones() < 2 || claims.count_ones() % 2 == 1;
    }
    for cell in 0..81 {
        let single = arranged[cell];
        if single.count_ones() == 1 {
            for other in cells(|c| row(c) == row(cell) && arranged[c] != single) {
                after[other] &= !single;
            }
        }
    }
    let lane_empty = (0..9).any(|digit| (0..3).any(|band| !(27 * band..27 * band + 27).any(|cell| has(&after, cell, digit))));
    let end = if lane_empty || after.contains(&0) {
        Sweep::Dead
    } else if looks_solved {
        Sweep::Solved
    } else if after == before {
        Sweep::Fixpoint
    } else {
        Sweep::Changed
    };
    (end, after)
}

fn plain_triads(start: &Masks) -> (Sweep, Masks) {
    let mut after = *start;
    let mut dead = false;
    for down in [false, true] {
        for band in 0..3 {
            for line in 0..3 {
                for block in 0..3 {
                    let inside: Vec<usize> = (0..3).map(|k| at(down, band, line, 3 * block + k)).collect();
                    let outside: Vec<usize> = (0..9).filter(|k| k / 3 != block).map(|k| at(down, band, line, k)).collect();
                    let here = inside.iter().fold(0, |mask, &cell| mask | start[cell]);
                    let elsewhere = outside.iter().fold(0, |mask, &cell| mask | start[cell]);
                    let bound = here & !elsewhere;
                    dead |= bound.count_ones() > 3;
                    if bound.count_ones() == 3 {
                        inside.iter().for_each(|&cell| after[cell] &= bound);
                    }
                }
            }
        }
    }
    if dead {
        (Sweep::Dead, *start)
    } else if after == *start {
        (Sweep::Fixpoint, after)
    } else {
        (Sweep::Changed, after)
    }
}

fn arrangements(masks: &Masks, digit: usize, down: bool, band: usize) -> usize {
    let there = |line: usize, block: usize| (0..3).any(|k| has(masks, at(down, band, line, 3 * block + k), digit));
    let orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    orders.iter().filter(|[a, b, c]| there(0, *a) && there(1, *b) && there(2, *c)).count()
}

/// The two sides of the choice on arrangements.
fn plain_choice(start: &Masks) -> Option<[Masks; 2]> {
    let mut best = None;
    for down in [false, true] {
        for band in 0..3 {
            let counts: Vec<usize> = (0..9).map(|digit| arrangements(start, digit, down, band)).collect();
            let total: usize = counts.iter().sum();
            if let Some((count, digit)) = counts.iter().enumerate().filter(|(_, n)| **n > 1).map(|(digit, n)| (*n, digit)).min() {
                let key = (total, count, digit, down, band);
                best = Some(best.map_or(key, |old: (usize, usize, usize, bool, usize)| old.min(key)));
            }
        }
    }
    let (_, _, digit, down, band) = best?;
    // Lines are rows of the band, options its blocks; for a stack, lines are its blocks and options their columns.
    let option = |line: usize, option: usize| -> Vec<usize> {
        let (line, block) = if down { (option, line) } else { (line, option) };
        (0..3).map(|k| at(down, band, line, 3 * block + k)).filter(|&cell| has(start, cell, digit)).collect()
    };
    let open = |line: usize| (0..3).filter(|&o| !option(line, o).is_empty()).count();
    let line =
        (0..3).filter(|&line| open(line) > 1).min_by_key(|&line| (open(line), line)).expect("a digit with two arrangements");
    let taken = (0..3).find(|&o| !option(line, o).is_empty()).expect("an option");
    let mut sides = [*start; 2];
    for o in 0..3 {
        for cell in option(line, o) {
            sides[usize::from(o == taken)][cell] &= !(1 << digit);
        }
    }
    Some(sides)
}

#[test]
fn every_step_does_what_its_definition_says_on_every_path() {
    let mut random = Random::new(0x1234_5678_9ABC_DEF1);
    let mut ends = [0; 4];
    let (mut eliminations, mut splits, mut pairs) = (0, 0, 0);
    for round in 0..8000 {
        let start = random_masks(&mut random);
        let result = on_all_paths(&words(&start));
        let plain = plain_sweep(&start);
        assert_eq!(result.swept, plain, "round {round}");
        ends[plain.0 as usize] += 1;
        let (end, fixpoint) = &result.fixpoint;
        if *end != Sweep::Fixpoint {
            continue;
        }
        let (triads_end, after) = result.triads.expect("triads run at a fixpoint");
        let plain = plain_triads(fixpoint);
        assert_eq!(triads_end, plain.0, "round {round}");
        if triads_end != Sweep::Dead {
            assert_eq!(after, plain.1, "round {round}");
        }
        eliminations += usize::from(triads_end == Sweep::Changed);
        assert_eq!(result.arrangements, plain_choice(fixpoint), "round {round}");
        splits += usize::from(result.arrangements.is_some());
        if let Some([one, other]) = result.bivalue {
            let cell = (0..81).find(|&cell| one[cell] != fixpoint[cell]).expect("a side loses something");
            assert_eq!((fixpoint[cell].count_ones(), one[cell].count_ones()), (2, 1));
            assert_eq!((one[cell] | other[cell], one[cell] & other[cell]), (fixpoint[cell], 0));
            assert!((0..81).all(|c| c == cell || (one[c] == fixpoint[c] && other[c] == fixpoint[c])));
            assert!((0..cell / 27 * 27).all(|c| fixpoint[c].count_ones() != 2), "the first band that has one");
            pairs += 1;
        } else {
            assert!(fixpoint.iter().all(|mask| mask.count_ones() != 2));
        }
    }
    assert!(ends.iter().all(|&n| n > 50), "every kind of end occurs: {ends:?}");
    assert!(eliminations > 50 && splits > 50 && pairs > 50, "{eliminations} {splits} {pairs}");
}

#[test]
fn the_board_layout_goes_there_and_back() {
    for cell in 0..81 {
        let (lane, bit) = place_of(cell);
        assert_eq!(board::cell_at(lane, bit), cell);
        assert!(bit % 10 != 9, "guard bits hold no cell");
        assert_eq!(lane, row(cell) / 3);
        assert_eq!((bit / 10) as usize, row(cell) % 3);
        assert_eq!((bit % 10) as usize, 3 * (column(cell) % 3) + column(cell) / 3);
    }
}

#[test]
fn loading_clears_the_peers_of_the_givens() {
    let mut random = Random::new(77);
    for _ in 0..300 {
        let solution = random.classic_solution();
        let n = random.below(82);
        let givens: [u8; 81] = std::array::from_fn(|cell| if random.below(81) < n { solution[cell] } else { 0 });
        let expected: Masks = std::array::from_fn(|cell| {
            if givens[cell] != 0 {
                return 1 << (givens[cell] - 1);
            }
            let sees = |peer: usize| {
                row(peer) == row(cell)
                    || column(peer) == column(cell)
                    || (row(peer) / 3 == row(cell) / 3 && column(peer) / 3 == column(cell) / 3)
            };
            let taken =
                cells(|peer| givens[peer] != 0 && sees(peer)).iter().fold(0, |mask, &peer| mask | 1 << (givens[peer] - 1));
            0x1FF & !taken
        });
        assert_eq!(store(&board::load::<Portable>(&givens)), expected);
        for path in Path::available() {
            let mut seen = Loaded(None);
            let nothing = Inference { triads_from: 99, cheap_below: 0, adapt: false };
            super::entry::run(path, &givens, None, nothing, &mut Vec::new(), &mut seen);
            assert_eq!(seen.0, Some(expected), "{path:?}");
        }
    }
}

/// Keeps the state that the first step of a search starts from.
struct Loaded(Option<Masks>);

impl<V: Vector> Watch<V> for Loaded {
    fn node(&mut self) -> bool {
        self.0.is_none()
    }
    fn guess(&mut self, _: &State<V>, _: &choice::Sides<V>, _: usize) {}
    fn dead_end(&mut self, _: &State<V>) {}
    fn back(&mut self, _: usize) {}
    fn solution(&mut self, _: &State<V>) -> bool {
        false
    }
    fn step(&mut self, step: super::search::Step, before: &State<V>, _: &State<V>) {
        if self.0.is_none() && step == super::search::Step::Arrangements {
            let mut words = [[0; 8]; 5];
            for i in 0..5 {
                before[i].store(&mut words[i]);
            }
            self.0 = Some(masks(&words));
        }
    }
}

/// Counts by trying digits cell by cell.
fn plain_count(grid: &mut [u8; 81], from: usize, limit: u64) -> u64 {
    let Some(cell) = (from..81).find(|&cell| grid[cell] == 0) else { return 1 };
    let mut found = 0;
    for digit in 1..=9 {
        let clash = (0..81).any(|peer| {
            grid[peer] == digit
                && (row(peer) == row(cell)
                    || column(peer) == column(cell)
                    || (row(peer) / 3 == row(cell) / 3 && column(peer) / 3 == column(cell) / 3))
        });
        if !clash && found < limit {
            grid[cell] = digit;
            found += plain_count(grid, cell + 1, limit - found);
            grid[cell] = 0;
        }
    }
    found
}

#[test]
fn every_path_and_rule_counts_right_and_paths_walk_one_tree() {
    let mut random = Random::new(4242);
    let mut engines: Vec<Engine> = Vec::new();
    for rule in Rule::ALL {
        engines.extend(Path::available().map(|path| Engine::new().with_path(path).with_rule(rule)));
    }
    let paths = Path::available().count();
    for round in 0..150 {
        let solution = random.classic_solution();
        let n = 24 + round % 30;
        let mut givens: [u8; 81] = std::array::from_fn(|cell| if random.below(81) < n { solution[cell] } else { 0 });
        if round % 5 == 0 {
            // Most of these have no solution.
            let blank = cells(|cell| givens[cell] == 0)[0];
            givens[blank] = 1 + random.below(9) as u8;
        }
        let limit = 40;
        let clash = (0..81).any(|cell| {
            let mut without = givens;
            let digit = std::mem::take(&mut without[cell]);
            digit != 0
                && (0..81).any(|peer| {
                    without[peer] == digit
                        && (row(peer) == row(cell)
                            || column(peer) == column(cell)
                            || (row(peer) / 3 == row(cell) / 3 && column(peer) / 3 == column(cell) / 3))
                })
        });
        let expected = if clash { 0 } else { plain_count(&mut givens.clone(), 0, limit) };
        for of_rule in engines.chunks_mut(paths) {
            let guesses: Vec<u64> = of_rule.iter_mut().map(|engine| engine.guesses(&givens, limit)).collect();
            assert!(guesses.iter().all(|&n| n == guesses[0]), "{guesses:?} for {:?}", of_rule[0].rule());
            for engine in of_rule {
                assert_eq!(engine.count(&givens, limit), expected, "round {round} with {engine:?}");
                let solved = engine.solve(&givens);
                assert_eq!(solved.is_some(), expected > 0, "round {round} with {engine:?}");
                if let Some(grid) = solved {
                    assert!((0..81).all(|cell| givens[cell] == 0 || givens[cell] == grid[cell]));
                    assert_eq!(plain_count(&mut grid.clone(), 0, 2), 1);
                    assert_eq!(engine.count(&grid, 2), 1, "a full grid solves itself");
                }
            }
        }
    }
}

#[test]
fn bytes_over_nine_are_blanks() {
    for path in Path::available() {
        let mut engine = Engine::new().with_path(path);
        for byte in [10, 31, 127, 128, 255] {
            let mut givens = [0u8; 81];
            givens[..9].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8, byte]);
            assert_eq!(engine.solve(&givens).map(|grid| grid[8]), Some(9), "{path:?}");
        }
        assert_eq!(engine.count(&[0; 81], 3), 3);
    }
}
