//! The search: which puzzle is in which lane, what is open, and what is done with a lane at its fixpoint.

use super::lanes::{Lanes, Portable};
use super::sweep::{ALL, ARRANGEMENTS, CELLS, FULL_SUM, NO_BAND, best_band, complete, half_sweep};
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512};

/// How the search of one puzzle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Every solution was found.
    Exhausted,
    /// The cap on solutions was reached.
    Capped,
    /// The limit on nodes was reached.
    Nodes,
    /// The time was up.
    Time,
    /// The caller cancelled.
    Cancelled,
}

/// What was counted in the search of one puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) nodes: u64,
    pub(crate) guesses: u64,
    pub(crate) dead_ends: u64,
    pub(crate) max_depth: u32,
}

/// What the caller says when it is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Poll {
    /// Ends the whole batch.
    pub(crate) stop: Option<Ending>,
    /// Ends the puzzles begun before this tick, with [`Ending::Time`].
    pub(crate) overdue: u64,
}

/// The puzzles of a batch, by their numbers, and what takes their answers.
pub(crate) trait Work {
    /// How many puzzles there are.
    fn len(&self) -> usize;
    /// The cells of a puzzle in row-major order: 0 for a blank, 1 to 9 for a given. They may clash.
    fn givens(&self, puzzle: usize) -> &[u8; 81];
    /// The digits that each cell is restricted to (bit `d - 1`), if the puzzle restricts any.
    fn restrictions(&self, puzzle: usize) -> Option<[u16; 81]>;
    /// Takes a solution. Each is given once.
    fn solution(&mut self, puzzle: usize, digits: &[u8; 81]);
    /// Forgets the solutions of a puzzle: it is searched again.
    fn again(&mut self, puzzle: usize);
    /// Takes the end of a puzzle: one for each, after all its solutions.
    fn end(&mut self, puzzle: usize, ending: Ending, counts: Counts);
    /// Asked first at tick 0 and then with every tick, less than half a millisecond apart.
    fn poll(&mut self, tick: u64) -> Poll;
}

/// What ends a search early; `u64::MAX` is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Solutions of each puzzle.
    pub(crate) solutions: u64,
    /// Nodes of each puzzle.
    pub(crate) nodes: u64,
    /// Nodes of the whole batch.
    pub(crate) total_nodes: u64,
}

/// The instructions to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Path {
    /// Sixteen lanes, plain Rust.
    Portable,
    /// Sixteen lanes.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Thirty-two lanes.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

#[cfg(test)]
impl Path {
    /// All that this processor has, the plain one first.
    pub(crate) fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            let (avx2, avx512) = (Avx2::detect().map(|_| Self::Avx2), Avx512::detect().map(|_| Self::Avx512));
            [Some(Self::Portable), avx2, avx512].into_iter().flatten().collect()
        }
        #[cfg(not(target_arch = "x86_64"))]
        vec![Self::Portable]
    }
}

impl Path {
    /// The fastest path of this processor. Sixteen lanes of AVX2 beat thirty-two of AVX-512 by 5 to 18 % on every set but the unsolvable one
    /// (AMD Zen 4, `benches/peers`): half the lanes wait half as long for the slowest.
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if Avx2::detect().is_some() {
            return Self::Avx2;
        }
        Self::Portable
    }

    /// The path of this name; for any other, the plain one.
    pub(crate) fn named(name: &str) -> Self {
        match name {
            #[cfg(target_arch = "x86_64")]
            "avx2" => Self::Avx2,
            #[cfg(target_arch = "x86_64")]
            "avx512" => Self::Avx512,
            _ => Self::Portable,
        }
    }
}

/// Searches every puzzle. A path that the processor lacks falls back to the plain one.
pub(crate) fn run(path: Path, bounds: Bounds, work: &mut dyn Work) {
    match path {
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 => {
            if let Some(l) = Avx512::detect() {
                // SAFETY: `detect` found all the features that the function enables.
                return unsafe { run_avx512(l, bounds, work) };
            }
        }
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 => {
            if let Some(l) = Avx2::detect() {
                // SAFETY: `detect` found all the features that the function enables.
                return unsafe { run_avx2(l, bounds, work) };
            }
        }
        Path::Portable => {}
    }
    Engine::new(Portable, bounds, work).run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx512(l: Avx512, bounds: Bounds, work: &mut dyn Work) {
    Engine::new(l, bounds, work).run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2(l: Avx2, bounds: Bounds, work: &mut dyn Work) {
    Engine::new(l, bounds, work).run();
}

/// The most lanes a path has: a set of lanes is a `u32`.
const MOST: usize = 32;
/// Half sweeps in a tick. One takes at most a few microseconds, and what follows it at most a few more.
const TICK: u32 = 64;
/// In place of a job's number.
const NONE: usize = usize::MAX;

/// A branch that waits: the candidates of each cell, and the guesses open.
#[repr(align(64))]
struct Branch {
    cells: [u16; 81],
    depth: u32,
}

/// What a lane works on.
struct Lane {
    /// Its number in the list of jobs; [`NONE`] for a lane at rest.
    job: usize,
    /// The guesses open.
    depth: u32,
    /// The branches not yet taken, the deepest last.
    stack: Vec<Branch>,
}

/// A puzzle that lanes work on: one, or several once idle lanes take over branches.
///
/// Which solutions a puzzle is said to have must not depend on the puzzles beside it. When all of a tree is searched, it does not matter
/// who searched which branch. When it ends at the second solution it does, so a puzzle that was shared and came to this end is searched
/// once more by one lane alone. What is counted may still depend on the others by a few nodes: how far a board without solution
/// comes before it is seen to be dead depends on whether its lane began with bands or with stacks.
#[derive(Clone, Copy, Default)]
struct Job {
    puzzle: usize,
    /// Whether other lanes took over branches.
    shared: bool,
    /// Whether they may not.
    alone: bool,
    /// How many lanes work on it.
    lanes: u32,
    /// The tick in which it was begun.
    begun: u64,
    found: u64,
    counts: Counts,
}

struct Engine<'a, L: Lanes> {
    l: L,
    bounds: Bounds,
    work: &'a mut dyn Work,
    /// The first puzzle not begun.
    next: usize,
    /// The puzzles to be searched again.
    again: Vec<usize>,
    cells: [L::V; 81],
    /// The arrangements left in each band and stack, as the last two half sweeps saw them.
    kept: [[L::V; 6]; 6],
    /// The lanes that have work.
    busy: u32,
    /// The lanes given another state since the last half sweep.
    fresh: u32,
    lanes: [Lane; MOST],
    /// Never more jobs than lanes, since each has one at least.
    jobs: [Job; MOST],
    /// The places without a job.
    free: u32,
    /// Nodes that the batch may still visit.
    spare_nodes: u64,
    tick: u64,
    /// Why the batch ends early.
    stop: Option<Ending>,
}

/// The numbers in a set, in ascending order.
#[inline(always)]
fn each(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then_some(set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        first
    })
}

impl<'a, L: Lanes> Engine<'a, L> {
    const LANES: u32 = u32::MAX >> (32 - L::N);

    #[inline(always)]
    fn new(l: L, bounds: Bounds, work: &'a mut dyn Work) -> Self {
        let zero = l.splat(0);
        Self {
            l,
            bounds,
            work,
            next: 0,
            again: Vec::new(),
            cells: [zero; 81],
            kept: [[zero; 6]; 6],
            busy: 0,
            fresh: 0,
            lanes: [const { Lane { job: NONE, depth: 0, stack: Vec::new() } }; MOST],
            jobs: [Job::default(); MOST],
            free: u32::MAX,
            spare_nodes: bounds.total_nodes,
            tick: 0,
            stop: None,
        }
    }

    #[inline(always)]
    fn run(mut self) {
        self.poll();
        if self.stop.is_none() {
            self.refill(Self::LANES);
        }
        let l = self.l;
        let (zero, all, full_sum) = (l.splat(0), l.splat(ALL), l.splat(FULL_SUM));
        let mut last_sum = zero;
        // The lanes in which the last half sweep changed nothing.
        let mut still = 0;
        let mut stacks = false;
        let mut until_tick = TICK;
        while self.busy != 0 && self.stop.is_none() {
            let seen = if stacks {
                half_sweep::<L, true>(l, &mut self.cells, &mut self.kept)
            } else {
                half_sweep::<L, false>(l, &mut self.cells, &mut self.kept)
            };
            stacks = !stacks;
            let dead = self.busy & (l.eq(seen.least, zero) | !l.eq(seen.alive, all));
            let full = self.busy & !dead & l.eq(seen.sum, full_sum);
            // A lane given another state since does not count: its last sum is that of the state before.
            let same = l.eq(seen.sum, last_sum) & !std::mem::take(&mut self.fresh);
            let fixed = self.busy & !dead & !full & same & still;
            last_sum = seen.sum;
            still = same;
            if dead | full | fixed != 0 {
                self.settle(dead, full, fixed);
            }
            until_tick -= 1;
            if until_tick == 0 {
                until_tick = TICK;
                self.tick += 1;
                let ended = self.poll();
                self.refill(ended);
            }
        }
        if let Some(ending) = self.stop {
            for job in each(!self.free) {
                self.close(job, ending);
            }
            for puzzle in std::mem::take(&mut self.again).into_iter().chain(self.next..self.work.len()) {
                self.work.end(puzzle, ending, Counts::default());
            }
        }
    }

    /// Asks the caller. Returns the lanes that ended by the answer.
    #[inline(never)]
    fn poll(&mut self) -> u32 {
        let Poll { stop, overdue } = self.work.poll(self.tick);
        self.stop = self.stop.or(stop);
        let mut ended = 0;
        for job in each(!self.free) {
            if self.jobs[job].begun < overdue {
                ended |= self.close(job, Ending::Time);
            }
        }
        ended
    }

    /// Deals with the lanes that propagation brings no further.
    #[inline(always)]
    fn settle(&mut self, mut dead: u32, full: u32, fixed: u32) {
        let mut idle = 0;
        if fixed != 0 {
            let best = [best_band(self.l, &self.kept)];
            for lane in each(fixed) {
                let band = self.l.flat(&best)[lane];
                debug_assert!(band < NO_BAND, "a board that is not full has something to branch on");
                idle |= self.guess(lane, usize::from(band & 7));
            }
        }
        if full != 0 {
            let proper = full & complete(self.l, &self.cells);
            dead |= full & !proper;
            for lane in each(proper) {
                idle |= self.solution(lane);
            }
        }
        for lane in each(dead & !idle) {
            self.jobs[self.lanes[lane].job].counts.dead_ends += 1;
        }
        self.refill(idle | dead | full);
    }

    /// Takes one arrangement of one digit in a lane and leaves the others for later. Returns the lanes that ended.
    #[inline(always)]
    fn guess(&mut self, lane: usize, band: usize) -> u32 {
        let index = self.lanes[lane].job;
        if index == NONE {
            return 0;
        }
        if !self.node(index) {
            return self.close(index, Ending::Nodes);
        }
        let Lane { depth, stack, .. } = &mut self.lanes[lane];
        let Counts { guesses, max_depth, .. } = &mut self.jobs[index].counts;
        *depth += 1;
        *guesses += 1;
        *max_depth = *depth.max(max_depth);
        self.fresh |= 1 << lane;

        let kept = self.l.flat(&self.kept[band]);
        let (digit, open) = open_arrangements([0, 1, 2, 3, 4, 5].map(|k| kept[k * L::N + lane]));
        let first = FIRST[usize::from(open & 63)];
        let (taken, left) = (minirows(first), minirows(open & !first));
        let cells = self.l.flat_mut(&mut self.cells);
        let mut branch = Branch { cells: [0; 81], depth: *depth };
        self.l.take_out(cells, lane, &mut branch.cells);
        for q in each(left & !taken) {
            for cell in CELLS[band][q] {
                cells[usize::from(cell) * L::N + lane] &= !digit;
            }
        }
        for q in each(taken & !left) {
            for cell in CELLS[band][q] {
                branch.cells[usize::from(cell)] &= !digit;
            }
        }
        stack.push(branch);
        0
    }

    /// Counts a node of a job, unless a limit forbids it.
    #[inline(always)]
    fn node(&mut self, index: usize) -> bool {
        let nodes = &mut self.jobs[index].counts.nodes;
        if self.spare_nodes == 0 {
            self.stop = self.stop.or(Some(Ending::Nodes));
            return false;
        }
        if *nodes >= self.bounds.nodes {
            return false;
        }
        *nodes += 1;
        self.spare_nodes -= 1;
        true
    }

    /// Reports the full board of a lane. Returns the lanes that ended.
    #[inline(always)]
    fn solution(&mut self, lane: usize) -> u32 {
        let index = self.lanes[lane].job;
        if index == NONE {
            return 0;
        }
        let job = &mut self.jobs[index];
        let mut sets = [0; 81];
        self.l.take_out(self.l.flat(&self.cells), lane, &mut sets);
        let digits = sets.map(|set| set.trailing_zeros() as u8 + 1);
        self.work.solution(job.puzzle, &digits);
        job.found += 1;
        if job.found >= self.bounds.solutions { self.close(index, Ending::Capped) } else { 0 }
    }

    /// Ends a puzzle and takes all its lanes off it; returns those.
    #[inline(always)]
    fn close(&mut self, index: usize, ending: Ending) -> u32 {
        let job = &mut self.jobs[index];
        if job.shared && ending == Ending::Capped {
            self.work.again(job.puzzle);
            self.again.push(job.puzzle);
        } else {
            self.work.end(job.puzzle, ending, job.counts);
        }
        let mut ended = 0;
        if job.lanes != 0 {
            for (lane, at) in self.lanes.iter_mut().enumerate() {
                if at.job == index {
                    at.job = NONE;
                    at.stack.clear();
                    ended |= 1 << lane;
                }
            }
        }
        self.free |= 1 << index;
        ended
    }

    /// Gives each of these lanes its own next branch, a new puzzle, or a branch of another lane, as long as there are any.
    #[inline(always)]
    fn refill(&mut self, mut idle: u32) {
        while idle != 0 {
            let lane = idle.trailing_zeros() as usize;
            idle &= idle - 1;
            idle |= self.refill_lane(lane);
        }
        while self.busy != Self::LANES {
            for lane in each(Self::LANES & !self.busy) {
                if !self.begin(lane) {
                    self.take_over(lane);
                }
            }
            // A puzzle to be searched again may have come in on the way.
            if self.again.is_empty() || self.stop.is_some() {
                break;
            }
        }
    }

    /// Returns the other lanes that ended by it.
    #[inline(always)]
    fn refill_lane(&mut self, lane: usize) -> u32 {
        let mut ended = 0;
        let index = self.lanes[lane].job;
        if index != NONE {
            if let Some(branch) = self.lanes[lane].stack.pop() {
                if self.node(index) {
                    self.put(lane, &branch);
                    return 0;
                }
                ended = self.close(index, Ending::Nodes) & !(1 << lane);
            } else {
                self.lanes[lane].job = NONE;
                self.jobs[index].lanes -= 1;
                if self.jobs[index].lanes == 0 {
                    self.close(index, Ending::Exhausted);
                }
            }
        }
        self.busy &= !(1 << lane);
        self.begin(lane);
        ended
    }

    /// Gives a lane at rest a puzzle, if there is one left.
    #[inline(always)]
    fn begin(&mut self, lane: usize) -> bool {
        while self.stop.is_none() {
            let (puzzle, alone) = if self.next < self.work.len() {
                self.next += 1;
                (self.next - 1, false)
            } else {
                let Some(puzzle) = self.again.pop() else { return false };
                (puzzle, true)
            };
            // There is a free place: this lane has no job, and no job is without a lane.
            let index = self.free.trailing_zeros() as usize;
            self.jobs[index] = Job { puzzle, alone, begun: self.tick, ..Job::default() };
            if self.node(index) {
                self.jobs[index].lanes = 1;
                self.free &= !(1 << index);
                self.lanes[lane].job = index;
                self.busy |= 1 << lane;
                self.start(lane, puzzle);
                return true;
            }
            let ending = self.stop.unwrap_or(Ending::Nodes);
            self.close(index, ending);
        }
        false
    }

    /// Gives a lane at rest the branch nearest to a root, if any lane has one to spare. Only where it is asked whether there is one
    /// solution: where the first of them is enough, most shared puzzles would be searched again.
    #[inline(never)]
    fn take_over(&mut self, lane: usize) {
        if self.bounds.solutions != 2 {
            return;
        }
        let spare = self.lanes.iter().enumerate().filter_map(|(from, at)| {
            let first = at.stack.first()?;
            (!self.jobs[at.job].alone).then_some((first.depth, from))
        });
        let Some((_, from)) = spare.min() else { return };
        let index = self.lanes[from].job;
        if !self.node(index) {
            let ended = self.close(index, Ending::Nodes);
            self.busy &= !ended;
            return;
        }
        let branch = self.lanes[from].stack.remove(0);
        self.jobs[index].lanes += 1;
        self.jobs[index].shared = true;
        self.lanes[lane].job = index;
        self.busy |= 1 << lane;
        self.put(lane, &branch);
    }

    /// Gives a lane the root of a puzzle's search.
    #[inline(always)]
    fn start(&mut self, lane: usize, puzzle: usize) {
        const CANDIDATES: [u16; 16] = [ALL, 1, 2, 4, 8, 16, 32, 64, 128, 256, 0, 0, 0, 0, 0, 0];
        self.lanes[lane].depth = 0;
        self.fresh |= 1 << lane;
        let candidates = self.work.givens(puzzle).iter().map(|digit| CANDIDATES[usize::from(digit & 15)]);
        self.l.put_in(self.l.flat_mut(&mut self.cells), lane, candidates);
        if let Some(allowed) = self.work.restrictions(puzzle) {
            let cells = self.l.flat_mut(&mut self.cells).chunks_exact_mut(L::N);
            for (all, allowed) in cells.zip(allowed) {
                all[lane] &= allowed;
            }
        }
    }

    /// Gives a lane the state of a branch.
    #[inline(always)]
    fn put(&mut self, lane: usize, branch: &Branch) {
        self.lanes[lane].depth = branch.depth;
        self.fresh |= 1 << lane;
        self.l.put_in(self.l.flat_mut(&mut self.cells), lane, branch.cells.iter().copied());
    }
}

/// The digit to branch on, in a band whose six arrangements are left to the digits `p`, and the set of its arrangements: a
/// digit with exactly two, else with three, and so on.
#[inline(always)]
fn open_arrangements(p: [u16; 6]) -> (u16, u8) {
    let (s0, k0) = (p[0] ^ p[1] ^ p[2], p[0] & p[1] | p[2] & (p[0] | p[1]));
    let (s1, k1) = (p[3] ^ p[4] ^ p[5], p[3] & p[4] | p[5] & (p[3] | p[4]));
    // How many each digit has, as a number of three bits.
    let (n0, k2) = (s0 ^ s1, s0 & s1);
    let (n1, n2) = (k0 ^ k1 ^ k2, k0 & k1 | k2 & (k0 | k1));
    let by_count = [!n2 & n1 & !n0, !n2 & n1 & n0, n2 & !n1 & !n0, n2 & !n1 & n0, n2 & n1];
    let digits = by_count.into_iter().find(|&digits| digits != 0).unwrap_or(0);
    let digit = digits & digits.wrapping_neg();
    let mut open = 0;
    for (k, x) in p.into_iter().enumerate() {
        open |= u8::from(x & digit != 0) << k;
    }
    (digit, open)
}

/// For a set of two or more arrangements, those to try first: the ones that take a certain minirow. The others do without it,
/// so that no arrangement is on both sides: what the minirows of either side allow is never in the other. (To take one
/// arrangement and leave the rest would not do: the minirows of the rest may still allow the one.) The minirow is the
/// one that the fewest take, at least one.
const FIRST: [u8; 64] = {
    let mut first = [0u8; 64];
    let mut open = 0;
    while open < 64 {
        let mut q = 0;
        while q < 9 {
            let mut with = 0u8;
            let mut k = 0;
            while k < 6 {
                let [a, b, c] = ARRANGEMENTS[k];
                if open >> k & 1 == 1 && (a == q || b == q || c == q) {
                    with |= 1 << k;
                }
                k += 1;
            }
            if with != 0 && (first[open] == 0 || with.count_ones() < first[open].count_ones()) {
                first[open] = with;
            }
            q += 1;
        }
        open += 1;
    }
    first
};

/// The minirows that a set of arrangements takes, as nine bits.
#[inline(always)]
fn minirows(arrangements: u8) -> u32 {
    const OF: [u16; 64] = {
        let mut of = [0; 64];
        let mut set = 0;
        while set < 64 {
            let mut k = 0;
            while k < 6 {
                if set >> k & 1 == 1 {
                    let [a, b, c] = ARRANGEMENTS[k];
                    of[set] |= 1 << a | 1 << b | 1 << c;
                }
                k += 1;
            }
            set += 1;
        }
        of
    };
    u32::from(OF[usize::from(arrangements & 63)])
}
