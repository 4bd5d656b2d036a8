//! Every path against plain definitions, against a plain search, and against the other paths.

use ninefold_testkit::Random;

use super::engine::{Bounds, Counts, Ending, Path, Poll, Work, run};
use super::lanes::{Lanes, Portable};
use super::sweep::{ALL, Seen, best_band, complete, half_sweep};
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512};

/// Where cell `k` along row or column `r` is.
fn cell(stacks: bool, r: usize, k: usize) -> usize {
    if stacks { 9 * k + r } else { 9 * r + k }
}

const PERMUTATIONS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];

/// A half sweep of one puzzle, digit by digit and by definition. Gives the digits that have an arrangement in every band, and
/// each band's arrangements, which are in the order of [`PERMUTATIONS`] (the block of each row).
fn plain_half_sweep(stacks: bool, cells: &mut [u16; 81]) -> (u16, [[u16; 6]; 3]) {
    let mut alive = ALL;
    let mut kept = [[0; 6]; 3];
    for (band, kept) in kept.iter_mut().enumerate() {
        // The three cells of a minirow.
        let of = |r: usize, j: usize| [0, 1, 2].map(|k| cell(stacks, 3 * band + r, 3 * j + k));
        let mut allowed = [[0u16; 3]; 3];
        let before = *cells;
        for (r, row) in allowed.iter_mut().enumerate() {
            for (j, allowed) in row.iter_mut().enumerate() {
                for d in (0..9).map(|d| 1 << d) {
                    let here = of(r, j).iter().any(|&c| before[c] & d != 0);
                    let taken =
                        (0..3).any(|r2| (0..3).any(|j2| (r2 == r) != (j2 == j) && of(r2, j2).iter().any(|&c| before[c] == d)));
                    if here && !taken {
                        *allowed |= d;
                    }
                }
            }
        }
        let mut minirows = [[0u16; 3]; 3];
        for d in (0..9).map(|d| 1u16 << d) {
            let mut any = false;
            for (k, blocks) in PERMUTATIONS.iter().enumerate() {
                if (0..3).all(|r| allowed[r][blocks[r]] & d != 0) {
                    any = true;
                    kept[k] |= d;
                    for r in 0..3 {
                        minirows[r][blocks[r]] |= d;
                    }
                }
            }
            if !any {
                alive &= !d;
            }
        }
        for (r, row) in minirows.iter().enumerate() {
            for (j, &minirow) in row.iter().enumerate() {
                let mut m = minirow;
                let must = (0..3).filter(|&r2| r2 != r).fold(m, |must, r2| must & !minirows[r2][j]);
                if must.count_ones() >= 3 {
                    m = must;
                }
                // In the bands a single cell is left for the stacks to find.
                let must = if stacks { must } else { 0 };
                let single = (0..9).map(|d| 1 << d).filter(|d| must & d != 0);
                let single = single.filter(|d| of(r, j).iter().filter(|&&c| before[c] & d != 0).count() < 2);
                let single: u16 = single.sum();
                for c in of(r, j) {
                    cells[c] = if before[c] & single != 0 { before[c] & single } else { before[c] & m };
                }
            }
        }
    }
    (alive, kept)
}

/// Candidate sets with many and with few candidates, some consistent, most not.
fn random_state(random: &mut Random) -> [u16; 81] {
    let mut cells = [ALL; 81];
    match random.below(3) {
        0 => {
            let keep = random.below(4);
            cells = cells.map(|_| (0..=keep).fold(0, |set, _| set | random.next_u64() as u16 >> 3 & ALL));
        }
        1 => {
            for (cell, digit) in cells.iter_mut().zip(random.classic_solution()) {
                if random.below(3) > 0 {
                    *cell = 1 << (digit - 1) | if random.below(2) > 0 { random.next_u64() as u16 & ALL } else { 0 };
                }
            }
        }
        _ => {
            for (cell, digit) in cells.iter_mut().zip(random_puzzle(random, 30)) {
                if digit > 0 {
                    *cell = 1 << (digit - 1);
                }
            }
            for _ in 0..random.below(4) {
                plain_half_sweep(false, &mut cells);
                plain_half_sweep(true, &mut cells);
            }
        }
    }
    cells
}

fn compare_half_sweeps<L: Lanes>(l: L) {
    let mut random = Random::new(0x5eed);
    for round in 0..60 {
        let mut states: Vec<[u16; 81]> = (0..L::N).map(|_| random_state(&mut random)).collect();
        let mut cells = [l.splat(0); 81];
        for (i, all) in l.flat_mut(&mut cells).chunks_exact_mut(L::N).enumerate() {
            for (lane, state) in all.iter_mut().zip(&states) {
                *lane = state[i];
            }
        }
        let mut kept = [[l.splat(0); 6]; 6];
        for half in 0..6 {
            let stacks = half % 2 == 1;
            let Seen { alive, least, sum } = if stacks {
                half_sweep::<L, true>(l, &mut cells, &mut kept)
            } else {
                half_sweep::<L, false>(l, &mut cells, &mut kept)
            };
            let seen = [alive, least, sum];
            let seen = l.flat(&seen);
            for (lane, state) in states.iter_mut().enumerate() {
                let (alive, arrangements) = plain_half_sweep(stacks, state);
                let cells: Vec<u16> = l.flat(&cells).chunks_exact(L::N).map(|all| all[lane]).collect();
                assert_eq!(cells, *state, "round {round}, half {half}, lane {lane}");
                let expected = [alive, *state.iter().min().unwrap(), state.iter().sum()];
                assert_eq!([0, 1, 2].map(|i| seen[i * L::N + lane]), expected);
                for (band, expected) in arrangements.iter().enumerate() {
                    let kept = l.flat(&kept[band + if stacks { 3 } else { 0 }]);
                    assert_eq!([0, 1, 2, 3, 4, 5].map(|k| kept[k * L::N + lane]), *expected);
                }
            }
        }
    }
}

/// The band that [`best_band`] should choose, and whether there is one.
fn plain_best_band(kept: &[[u16; 6]; 6]) -> Option<u16> {
    let keys = kept.iter().zip(0..).filter_map(|(p, band)| {
        let counts: Vec<usize> = (0..9).map(|d| p.iter().filter(|x| *x >> d & 1 == 1).count()).collect();
        let total: usize = counts.iter().sum();
        (total != 9).then_some((!counts.contains(&2), total, band))
    });
    keys.min().map(|(_, _, band)| band)
}

fn compare_choices<L: Lanes>(l: L) {
    let mut random = Random::new(0xba5e);
    for _ in 0..200 {
        let mut kept = [[l.splat(0); 6]; 6];
        let full = random.below(6);
        for x in l.flat_mut(kept.as_flattened_mut()) {
            *x = ALL;
        }
        for band in &mut kept {
            for (k, v) in band.iter_mut().enumerate() {
                let all = l.flat_mut(std::slice::from_mut(v));
                for x in all {
                    *x = if random.below(6) < full { if k == 0 { ALL } else { 0 } } else { random.next_u64() as u16 & ALL };
                }
            }
        }
        let best = [best_band(l, &kept)];
        for lane in 0..L::N {
            let of = |band: usize| [0, 1, 2, 3, 4, 5].map(|k| l.flat(&kept[band])[k * L::N + lane]);
            let best = l.flat(&best)[lane];
            let expected = plain_best_band(&[0, 1, 2, 3, 4, 5].map(of));
            assert_eq!((best < super::sweep::NO_BAND).then_some(best & 7), expected);
        }
    }
}

fn compare_complete<L: Lanes>(l: L) {
    let mut random = Random::new(0xf011);
    for _ in 0..100 {
        let mut cells = [l.splat(0); 81];
        let mut expected = 0;
        for lane in 0..L::N {
            let mut grid = random.classic_solution();
            if random.below(2) > 0 {
                let (a, b) = (random.below(81), random.below(81));
                grid.swap(a, b);
            }
            expected |= u32::from(is_solution(&[0; 81], &grid)) << lane;
            for (all, digit) in l.flat_mut(&mut cells).chunks_exact_mut(L::N).zip(grid) {
                all[lane] = 1 << (digit - 1);
            }
        }
        assert_eq!(complete(l, &cells), expected);
    }
}

/// Calls a generic function for every path that the processor has.
macro_rules! on_every_path {
    ($f:ident) => {{
        $f(Portable);
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(l) = Avx2::detect() {
                $f(l);
            }
            if let Some(l) = Avx512::detect() {
                $f(l);
            }
        }
    }};
}

#[test]
fn a_half_sweep_infers_what_its_definition_says() {
    on_every_path!(compare_half_sweeps);
}

#[test]
fn the_band_with_the_fewest_arrangements_is_chosen() {
    on_every_path!(compare_choices);
}

#[test]
fn only_boards_with_all_digits_in_all_houses_are_complete() {
    on_every_path!(compare_complete);
}

fn compare_operations<L: Lanes>(l: L) {
    let mut random = Random::new(0x0b5e);
    for _ in 0..50 {
        let mut v = [l.splat(0); 4];
        for x in l.flat_mut(&mut v) {
            *x = random.next_u64() as u16 & if random.below(4) == 0 { 1 } else { ALL };
        }
        let [a, b, c, d] = v;
        let results = [
            l.and(a, b),
            l.or(a, b),
            l.xor(a, b),
            l.and_not(a, b),
            l.add(a, b),
            l.min(a, b),
            l.count9(a),
            l.if_eq(a, b, c, d),
            l.and3(a, b, c),
            l.or3(a, b, c),
            l.xor3(a, b, c),
            l.two_of3(a, b, c),
            l.and_not2(a, b, c),
            l.drop_low(a),
        ];
        let equal = l.eq(a, b);
        for lane in 0..L::N {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| l.flat(&v)[i * L::N + lane]);
            let expected = [
                a & b,
                a | b,
                a ^ b,
                a & !b,
                a + b,
                a.min(b),
                a.count_ones() as u16,
                if a == b { c } else { d },
                a & b & c,
                a | b | c,
                a ^ b ^ c,
                a & b | a & c | b & c,
                a & !b & !c,
                a & a.wrapping_sub(1),
            ];
            for (i, expected) in expected.into_iter().enumerate() {
                assert_eq!(l.flat(&results)[i * L::N + lane], expected, "operation {i}");
            }
            assert_eq!(equal >> lane & 1 == 1, a == b);
        }
    }
}

#[test]
fn the_operations_of_every_path_are_those_of_plain_numbers() {
    on_every_path!(compare_operations);
}

/// A random grid with about so many givens left, and now and then a wrong one, but without clashes.
fn random_puzzle(random: &mut Random, givens: usize) -> [u8; 81] {
    let mut puzzle = random.classic_solution().map(|digit| if random.below(81) < givens { digit } else { 0 });
    if random.below(3) == 0 {
        let (at, digit) = (random.below(81), random.below(9) as u8 + 1);
        if puzzle[at] == 0 && !(0..81).any(|other| see(at, other) && puzzle[other] == digit) {
            puzzle[at] = digit;
        }
    }
    puzzle
}

fn see(a: usize, b: usize) -> bool {
    a != b && (a / 9 == b / 9 || a % 9 == b % 9 || (a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3))
}

fn is_solution(puzzle: &[u8; 81], digits: &[u8; 81]) -> bool {
    (0..81).all(|a| {
        (1..=9).contains(&digits[a])
            && (puzzle[a] == 0 || puzzle[a] == digits[a])
            && (0..81).all(|b| !see(a, b) || digits[a] != digits[b])
    })
}

/// The number of solutions up to a cap, by plain search.
fn plain_count(sets: &[u16; 81], cap: u64) -> u64 {
    fn search(sets: &[u16; 81], done: &[bool; 81], cap: u64) -> u64 {
        let Some(at) = (0..81).filter(|&i| !done[i]).min_by_key(|&i| sets[i].count_ones()) else { return 1 };
        let mut found = 0;
        for d in (0..9).map(|d| 1 << d).filter(|d| sets[at] & d != 0) {
            let (mut sets, mut done) = (*sets, *done);
            done[at] = true;
            for other in (0..81).filter(|&other| see(at, other)) {
                sets[other] &= !d;
            }
            sets[at] = d;
            found += search(&sets, &done, cap - found);
            if found >= cap {
                break;
            }
        }
        found
    }
    search(sets, &[false; 81], cap)
}

fn sets_of(puzzle: &[u8; 81], restrictions: Option<&[u16; 81]>) -> [u16; 81] {
    std::array::from_fn(|i| {
        let own = if puzzle[i] == 0 { ALL } else { 1 << (puzzle[i] - 1) };
        own & restrictions.map_or(ALL, |sets| sets[i])
    })
}

/// A batch that keeps everything it is told, and checks it.
#[derive(Default)]
struct Told {
    puzzles: Vec<[u8; 81]>,
    restrictions: Vec<Option<[u16; 81]>>,
    solutions: Vec<Vec<[u8; 81]>>,
    ends: Vec<Option<(Ending, Counts)>>,
    stop_at: Option<(u64, Ending)>,
    overdue_after: Option<u64>,
    ticks: u64,
    searched_again: usize,
}

impl Told {
    fn new(puzzles: Vec<[u8; 81]>) -> Self {
        let n = puzzles.len();
        Self { puzzles, restrictions: vec![None; n], solutions: vec![Vec::new(); n], ends: vec![None; n], ..Self::default() }
    }

    fn run(mut self, path: Path, solutions: u64, nodes: u64, total_nodes: u64) -> Self {
        run(path, Bounds { solutions, nodes, total_nodes }, &mut self);
        assert!(self.ends.iter().all(Option::is_some), "every puzzle ends");
        for (i, found) in self.solutions.iter().enumerate() {
            let sorted: std::collections::BTreeSet<_> = found.iter().collect();
            assert_eq!(sorted.len(), found.len(), "no solution twice");
            let (ending, counts) = self.ends[i].unwrap();
            assert!(found.len() as u64 <= solutions);
            assert_eq!(ending == Ending::Capped, found.len() as u64 == solutions);
            assert!(counts.nodes <= nodes);
            if ending == Ending::Exhausted {
                // Every node has two branches or none.
                assert_eq!(counts.nodes, 2 * counts.guesses + 1);
                assert_eq!(counts.guesses + 1, counts.dead_ends + found.len() as u64);
            }
        }
        self
    }

    fn counts(&self) -> Vec<u64> {
        self.solutions.iter().map(|found| found.len() as u64).collect()
    }
}

impl Work for Told {
    fn len(&self) -> usize {
        self.puzzles.len()
    }

    fn givens(&self, puzzle: usize) -> &[u8; 81] {
        &self.puzzles[puzzle]
    }

    fn restrictions(&self, puzzle: usize) -> Option<[u16; 81]> {
        self.restrictions[puzzle]
    }

    fn solution(&mut self, puzzle: usize, digits: &[u8; 81]) {
        assert!(is_solution(&self.puzzles[puzzle], digits), "a solution of its own puzzle");
        if let Some(sets) = &self.restrictions[puzzle] {
            assert!(digits.iter().zip(sets).all(|(digit, set)| set >> (digit - 1) & 1 == 1));
        }
        assert!(self.ends[puzzle].is_none(), "no solution after the end");
        self.solutions[puzzle].push(*digits);
    }

    fn again(&mut self, puzzle: usize) {
        assert!(self.ends[puzzle].is_none(), "no new search after the end");
        self.searched_again += 1;
        self.solutions[puzzle].clear();
    }

    fn end(&mut self, puzzle: usize, ending: Ending, counts: Counts) {
        assert!(self.ends[puzzle].is_none(), "one end");
        self.ends[puzzle] = Some((ending, counts));
    }

    fn poll(&mut self, tick: u64) -> Poll {
        assert_eq!(tick, self.ticks, "every tick in its turn");
        self.ticks += 1;
        Poll {
            stop: self.stop_at.filter(|(at, _)| *at == tick).map(|(_, ending)| ending),
            overdue: self.overdue_after.map_or(0, |after| tick.saturating_sub(after)),
        }
    }
}

const NO_LIMIT: u64 = u64::MAX;

fn mixed(random: &mut Random, n: usize) -> Vec<[u8; 81]> {
    (0..n)
        .map(|_| {
            let givens = 27 + random.below(15);
            random_puzzle(random, givens)
        })
        .collect()
}

/// A board comes into its lane unchecked, so every clash there can be has to be found in the lane.
#[test]
fn every_clash_is_a_board_without_solution_on_every_path() {
    let mut random = Random::new(0xbad);
    let full = random.classic_solution();
    let mut boards = Vec::new();
    for first in 0..81 {
        for second in first + 1..81 {
            let block = |cell: usize| (cell / 27, cell % 9 / 3);
            if first / 9 != second / 9 && first % 9 != second % 9 && block(first) != block(second) {
                continue;
            }
            // Alone, among some other givens, and on a full board.
            let mut alone = [0; 81];
            alone[first] = 1 + random.below(9) as u8;
            alone[second] = alone[first];
            let mut some = full.map(|digit| if random.below(3) == 0 { digit } else { 0 });
            some[first] = full[first];
            some[second] = full[first];
            let mut whole = full;
            whole[second] = full[first];
            boards.extend([alone, some, whole]);
        }
    }
    assert_eq!(boards.len(), 3 * 810);
    for path in Path::available() {
        let told = Told::new(boards.clone()).run(path, NO_LIMIT, NO_LIMIT, NO_LIMIT);
        assert_eq!(told.counts(), vec![0; boards.len()], "{path:?}");
    }
}

#[test]
fn every_path_counts_as_a_plain_search_does() {
    let mut random = Random::new(0xc0de);
    let puzzles = mixed(&mut random, 300);
    for cap in [1, 2, 7] {
        let expected: Vec<u64> = puzzles.iter().map(|puzzle| plain_count(&sets_of(puzzle, None), cap)).collect();
        assert!((0..=cap).all(|n| expected.contains(&n)), "all cases occur");
        for path in Path::available() {
            assert_eq!(Told::new(puzzles.clone()).run(path, cap, NO_LIMIT, NO_LIMIT).counts(), expected, "{path:?}");
        }
    }
}

#[test]
fn restricted_candidates_are_kept_to() {
    let mut random = Random::new(0x7e57);
    let mut puzzles = mixed(&mut random, 200);
    let restrictions: Vec<Option<[u16; 81]>> = puzzles
        .iter_mut()
        .map(|puzzle| {
            let grid = random.classic_solution();
            *puzzle = grid.map(|digit| if random.below(81) < 15 { digit } else { 0 });
            (random.below(4) > 0).then(|| {
                let wrong = random.below(40);
                grid.map(|digit| {
                    (1 << (digit - 1) | random.next_u64() as u16 & ALL) & if random.below(80) < wrong { ALL / 2 } else { ALL }
                })
            })
        })
        .collect();
    let sets = puzzles.iter().zip(&restrictions).map(|(puzzle, sets)| sets_of(puzzle, sets.as_ref()));
    let expected: Vec<u64> = sets.map(|sets| plain_count(&sets, 2)).collect();
    assert!((0..=2).all(|n| expected.contains(&n)), "all cases occur");
    for path in Path::available() {
        let told = Told { restrictions: restrictions.clone(), ..Told::new(puzzles.clone()) };
        assert_eq!(told.run(path, 2, NO_LIMIT, NO_LIMIT).counts(), expected);
    }
}

#[test]
fn batches_of_every_size_keep_their_order() {
    let mut random = Random::new(0x0dd5);
    let puzzles = mixed(&mut random, 100);
    let expected: Vec<u64> = puzzles.iter().map(|puzzle| plain_count(&sets_of(puzzle, None), 2)).collect();
    for path in Path::available() {
        for n in 0..=100 {
            assert_eq!(Told::new(puzzles[..n].to_vec()).run(path, 2, NO_LIMIT, NO_LIMIT).counts(), expected[..n]);
        }
    }
}

#[test]
fn the_same_board_gets_the_same_counts_on_every_path_in_a_full_batch() {
    // With every puzzle alone in its lane the trees are the same, whatever the width.
    let mut random = Random::new(0x1a7e);
    let puzzles = mixed(&mut random, 400);
    let runs: Vec<_> =
        Path::available().into_iter().map(|path| Told::new(puzzles.clone()).run(path, 2, NO_LIMIT, NO_LIMIT)).collect();
    for told in &runs[1..] {
        for (a, b) in told.ends.iter().zip(&runs[0].ends) {
            let (a, b) = (a.unwrap(), b.unwrap());
            assert_eq!(a.0, b.0);
            if a.0 == Ending::Exhausted {
                assert_eq!((a.1.nodes, a.1.guesses, a.1.dead_ends), (b.1.nodes, b.1.guesses, b.1.dead_ends));
            }
        }
    }
}

#[test]
fn empty_full_and_dead_boards_are_answered() {
    let mut random = Random::new(0xe111);
    let full = random.classic_solution();
    // r1c1 can hold nothing: eight digits in its row and the ninth in its column.
    let mut dead = [0; 81];
    for (i, digit) in (1..9).zip(1..9) {
        dead[i] = digit;
    }
    dead[36] = 9;
    for path in Path::available() {
        for cap in [1, 2, 1000] {
            let told = Told::new(vec![[0; 81], full, dead, [0; 81]]).run(path, cap, NO_LIMIT, NO_LIMIT);
            assert_eq!(told.counts(), [cap, 1, 0, cap]);
        }
        let told = Told::new(vec![[0; 81]]).run(path, 20_000, NO_LIMIT, NO_LIMIT);
        assert_eq!((told.counts(), told.ends[0].unwrap().0), (vec![20_000], Ending::Capped));
    }
}

#[test]
fn what_comes_of_a_puzzle_does_not_depend_on_the_puzzles_beside_it() {
    let mut random = Random::new(0x5a7e);
    let mut puzzles: Vec<[u8; 81]> = (0..60)
        .map(|_| {
            let (grid, givens) = (random.classic_solution(), 20 + random.below(8));
            grid.map(|digit| if random.below(81) < givens { digit } else { 0 })
        })
        .collect();
    puzzles.extend(mixed(&mut random, 60));
    for path in Path::available() {
        let mut again = 0;
        for cap in [1, 2, 7] {
            let together = Told::new(puzzles.clone()).run(path, cap, NO_LIMIT, NO_LIMIT);
            for (i, puzzle) in puzzles.iter().enumerate() {
                let alone = Told::new(vec![*puzzle]).run(path, cap, NO_LIMIT, NO_LIMIT);
                assert_eq!(alone.solutions[0], together.solutions[i], "{path:?} {cap}");
                assert_eq!(alone.ends[0].unwrap().0, together.ends[i].unwrap().0, "{path:?} {cap}");
                again += alone.searched_again;
            }
        }
        assert!(again > 20, "{again} were shared to such an end that they were searched again");
    }
}

#[test]
fn a_node_limit_is_exact_and_keeps_what_was_found() {
    let mut random = Random::new(0x11e7);
    let puzzles = mixed(&mut random, 150);
    for path in Path::available() {
        let whole = Told::new(puzzles.clone()).run(path, 50, NO_LIMIT, NO_LIMIT);
        for limit in [0, 1, 2, 3, 10, 40] {
            let told = Told::new(puzzles.clone()).run(path, 50, limit, NO_LIMIT);
            for (i, end) in told.ends.iter().enumerate() {
                let (ending, counts) = end.unwrap();
                match ending {
                    Ending::Exhausted => assert_eq!(told.solutions[i].len(), whole.solutions[i].len()),
                    Ending::Nodes => assert_eq!(counts.nodes, limit),
                    Ending::Capped => {}
                    other => panic!("{other:?}"),
                }
                let (ending, counts) = whole.ends[i].unwrap();
                if ending == Ending::Exhausted && counts.nodes <= limit {
                    assert_eq!(end.unwrap().0, Ending::Exhausted, "the limit was enough");
                }
            }
        }
    }
}

#[test]
fn a_batch_shares_its_node_limit() {
    let mut random = Random::new(0xba7c);
    let puzzles = mixed(&mut random, 150);
    for path in Path::available() {
        for total in [0, 1, 50, 300] {
            let told = Told::new(puzzles.clone()).run(path, 50, 20, total);
            let nodes: u64 = told.ends.iter().map(|end| end.unwrap().1.nodes).sum();
            assert_eq!(nodes, total);
            assert_eq!(told.ends[149].unwrap(), (Ending::Nodes, Counts::default()), "the last was not begun");
        }
    }
}

#[test]
fn a_stop_ends_every_puzzle_once_and_keeps_what_was_found() {
    let mut random = Random::new(0x5707);
    let mut puzzles = mixed(&mut random, 2000);
    puzzles[0] = [0; 81];
    let whole = Told::new(puzzles[1..].to_vec()).run(Path::Portable, 2, NO_LIMIT, NO_LIMIT).counts();
    for path in Path::available() {
        for ending in [Ending::Time, Ending::Cancelled] {
            for tick in [0, 1, 2, 5] {
                let told = Told { stop_at: Some((tick, ending)), ..Told::new(puzzles.clone()) };
                let told = told.run(path, NO_LIMIT, NO_LIMIT, NO_LIMIT);
                assert_eq!(told.ticks, tick + 1);
                assert_eq!(told.ends[0].unwrap().0, ending, "the empty board is never through");
                assert!(if tick == 0 { told.solutions[0].is_empty() } else { tick < 5 || !told.solutions[0].is_empty() });
                for (i, expected) in (1..).zip(&whole) {
                    let (found, end) = (told.solutions[i].len() as u64, told.ends[i].unwrap());
                    match end.0 {
                        Ending::Exhausted => assert_eq!(found.min(2), *expected),
                        other => assert_eq!(other, ending),
                    }
                    assert!(tick > 0 || end.1 == Counts::default());
                }
            }
        }
    }
}

#[test]
fn an_overdue_puzzle_ends_and_the_others_go_on() {
    let mut random = Random::new(0x0e4d);
    let mut puzzles = mixed(&mut random, 300);
    puzzles[7] = [0; 81];
    puzzles[8] = [0; 81];
    for path in Path::available() {
        let told = Told { overdue_after: Some(20), ..Told::new(puzzles.clone()) };
        let told = told.run(path, NO_LIMIT, NO_LIMIT, NO_LIMIT);
        let ended = |i: usize| told.ends[i].unwrap().0;
        assert_eq!((ended(7), ended(8)), (Ending::Time, Ending::Time));
        assert!(!told.solutions[7].is_empty());
        let exhausted = (0..300).filter(|&i| ended(i) == Ending::Exhausted).count();
        assert!(exhausted > 150, "only {exhausted} of 300 are through");
    }
}

#[test]
fn limits_of_core_reach_the_lanes() {
    use ninefold_core::{Board, Budget, Caps, End, Limits, Outcome, Puzzle, RuleSupport};
    use std::time::Duration;

    let caps = Caps { rules: RuleSupport::Classic, ..Caps::ALL };
    let mut random = Random::new(0xc01e);
    let small: Board = "1234 3412 2143 4321".parse().expect("a board");
    let mut boards = vec![Board::empty(ninefold_core::Rules::classic()), small];
    for _ in 0..40 {
        let line = random.classic_solution().map(|digit| if random.below(81) < 40 { b'0' + digit } else { b'.' });
        boards.push(Board::from_classic_line(&line).expect("a board"));
    }
    let puzzles: Vec<Puzzle> = boards.into_iter().map(|board| Puzzle::new(board).expect("no clash")).collect();
    for path in Path::available() {
        let ends = |each: &Limits, whole: &Limits| {
            let outcomes = super::search(path, &puzzles, &caps, u64::MAX, each, whole);
            assert_eq!(outcomes[1].end(), End::Unsupported);
            assert!(
                outcomes.iter().all(|outcome| outcome.counters().get(ninefold_core::Counter::Solutions) == Some(outcome.count()))
            );
            outcomes
        };
        let is_time = |outcome: &Outcome| outcome.end() == End::OutOfBudget(Budget::Time);
        let classic = |outcomes: &[Outcome]| {
            outcomes.iter().enumerate().filter(|(i, _)| *i != 1).map(|(_, o)| o.clone()).collect::<Vec<_>>()
        };
        let none = Limits::none();
        // No time at all: nothing is begun, whether the limit is a puzzle's own or the batch's.
        let zero = Limits::none().with_time(Duration::ZERO);
        for (each, whole) in [(&zero, &none), (&none, &zero)] {
            let outcomes = classic(&ends(each, whole));
            assert!(outcomes.iter().all(|outcome| is_time(outcome) && outcome.counters().nodes() == Some(0)));
        }
        // A puzzle's own time ends the empty board alone.
        let outcomes = classic(&ends(&Limits::none().with_time(Duration::from_millis(200)), &none));
        assert!(is_time(&outcomes[0]) && outcomes[0].count() > 0);
        assert!(outcomes[1..].iter().all(|outcome| outcome.is_exact() && outcome.count() > 0));
        // A limit on nodes is met to the node.
        let outcomes = classic(&ends(&Limits::none().with_nodes(3), &none));
        assert_eq!((outcomes[0].end(), outcomes[0].counters().nodes()), (End::OutOfBudget(Budget::Nodes), Some(3)));
    }
}
