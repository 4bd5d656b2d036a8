//! The search: sweeps to a fixpoint, triads, a binary choice, and a stack of the states that were left for later.

use super::board::{self, FIELD, FIELDS, GUARDS, State};
use super::choice::{self, Sides};
use super::sweep::{Packed, Sweep, once_twice, sweep};
use super::triads::triads;
use crate::vector::Vector;

/// A state left for later, as plain words.
pub(crate) type Slot = [[u32; 8]; 5];

/// What the search does at a fixpoint.
///
/// Boards come in two kinds. Most have few solutions and need strong inference. Open ones have many solutions: nearly every guess leads
/// to one, and whatever is inferred beyond the singles is wasted. On them the cheap rule (first cell with two candidates, no triads)
/// is up to a quarter faster. An almost empty board needs triads whatever the rule: without them the first digits are laid out so that
/// no room is left for the last, and the search below takes ages to see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inference {
    /// With as many open cells as this, or more, count in triads before branching on arrangements.
    pub(crate) triads_from: u32,
    /// With fewer open cells than this, branch on a cell with two candidates where there is one.
    pub(crate) cheap_below: u32,
    /// Set `cheap_below` by what the board looks like.
    pub(crate) adapt: bool,
}

/// More than there are open cells.
pub(crate) const ALWAYS: u32 = 82;
/// So many open cells that no rule goes without triads.
pub(crate) const ALMOST_EMPTY: u32 = 58;
/// A puzzle with one solution and so many givens is hardly ever left open by propagation; one with many solutions is.
const MANY_GIVENS: u32 = 30;
/// `cheap_below` once a puzzle has shown two solutions. Between 36 and 42 makes no difference; at 30 and at 48 it costs a few percent.
const OPEN_PUZZLE: u32 = 36;

/// What a step of the search did to the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Minicolumns without an arrangement over their stack, or minirows without one over their band, were cleared.
    Arrangements,
    /// Cells that are the only place of a digit in its row were cleared of other digits, and rows with a digit in a cell without
    /// other candidates were cleared of that digit.
    Singles,
    /// Minirows and minicolumns that three digits need were cleared of others.
    Triads,
}

/// Is told what the search does. Every method is a no-op where it can be, and the search is compiled for each watcher anew.
pub(crate) trait Watch<V: Vector> {
    /// A node is visited. False ends the search.
    fn node(&mut self) -> bool;
    /// A binary choice is taken; `depth` states are left for later, its other side included.
    fn guess(&mut self, state: &State<V>, sides: &Sides<V>, depth: usize);
    /// The node has no way on.
    fn dead_end(&mut self, state: &State<V>);
    /// The other side of the last choice is taken up; `depth` states stay for later.
    fn back(&mut self, depth: usize);
    /// A solution. False ends the search.
    fn solution(&mut self, state: &State<V>) -> bool;
    /// A step inside a node.
    #[inline(always)]
    fn step(&mut self, _step: Step, _before: &State<V>, _after: &State<V>) {}
}

/// Does a state with one candidate a cell keep the rules? Asked of each state that looks solved: a sweep ends there without knowing
/// whether the last eliminations broke a house.
#[inline(always)]
fn keeps_the_rules<V: Vector>(x: &State<V>) -> bool {
    let (once, twice) = once_twice(x);
    let mut lacking = V::load(&board::ALL[0]).without(once).or(twice);
    for i in 0..5 {
        let all = V::load(&board::ALL[i]);
        let rows = x[i].add(all).and(V::splat(GUARDS));
        let down = x[i].or3(x[i].shr::<10>(), x[i].shr::<20>());
        let columns = down.or3(down.next_band(), down.previous_band());
        let blocks = down.or3(down.shr::<3>(), down.shr::<6>());
        lacking = lacking.or(all.and(V::splat(FIELDS)).shl::<9>().without(rows));
        lacking = lacking.or3(all.and(V::splat(FIELD)).without(columns), all.and(V::splat(7)).without(blocks));
    }
    lacking.is_zero()
}

#[inline(always)]
fn put<V: Vector>(x: &State<V>, slot: &mut Slot) {
    for i in 0..5 {
        x[i].store(&mut slot[i]);
    }
}

#[inline(always)]
fn get<V: Vector>(slot: &Slot) -> State<V> {
    [V::load(&slot[0]), V::load(&slot[1]), V::load(&slot[2]), V::load(&slot[3]), V::load(&slot[4])]
}

/// More room on the stack. Each push goes with the loss of a candidate by the state that goes on, and there are 729 to lose, so the
/// depth is bounded; the stack grows to what is needed (54 on an empty board) and is kept from puzzle to puzzle.
#[cold]
#[inline(never)]
fn grow(stack: &mut Vec<Slot>) {
    stack.resize(2 * stack.len() + 8, [[0; 8]; 5]);
}

/// Searches the tree below the givens, depth first.
///
/// `allowed` restricts the candidates further: 81 masks, bit `d - 1` for digit `d`. `stack` is memory to use; what is in it does not
/// matter.
#[inline(always)]
pub(crate) fn search<V: Vector, W: Watch<V>>(
    givens: &[u8; 81],
    allowed: Option<&[u16; 81]>,
    mut inference: Inference,
    stack: &mut Vec<Slot>,
    watch: &mut W,
) {
    let mut x = board::load::<V>(givens);
    if let Some(allowed) = allowed {
        board::restrict(&mut x, allowed);
    }
    let zero = V::splat(0);
    let mut packed = Packed { rows: [zero; 2], columns: [zero; 2], open: zero };
    let mut depth = 0;
    let mut found = 0u64;
    if inference.adapt && board::given_count(givens) >= MANY_GIVENS {
        inference.cheap_below = ALWAYS;
    }
    if !watch.node() {
        return;
    }
    loop {
        let mut end = sweep(&mut x, &mut packed, watch);
        while end == Sweep::Changed {
            end = sweep(&mut x, &mut packed, watch);
        }
        if end == Sweep::Fixpoint {
            let open = packed.open.ones_of_low_half();
            let bivalue = if open < inference.cheap_below { choice::by_bivalue(&x) } else { None };
            if bivalue.is_none() && open >= inference.triads_from {
                end = triads(&mut x, &packed, watch);
                if end == Sweep::Changed {
                    continue;
                }
            }
            if end == Sweep::Fixpoint {
                // No closure here: one that is not inlined is compiled without the features of this path, at a tenth of the speed.
                let choice = match bivalue {
                    Some(sides) => Some(sides),
                    None => choice::by_arrangements(&x, &packed),
                };
                if let Some(sides) = choice {
                    if depth == stack.len() {
                        grow(stack);
                    }
                    watch.guess(&x, &sides, depth + 1);
                    put(&sides.other, &mut stack[depth]);
                    depth += 1;
                    x = sides.one;
                    if !watch.node() {
                        return;
                    }
                    continue;
                }
                // Where every digit has one arrangement in every band and stack, every cell is decided, and the sweep said so.
                debug_assert!(false, "a fixpoint without a choice");
            }
        }
        if end == Sweep::Solved && keeps_the_rules(&x) {
            if !watch.solution(&x) {
                return;
            }
            found += 1;
            if inference.adapt && found == 2 {
                inference.cheap_below = inference.cheap_below.max(OPEN_PUZZLE);
            }
        } else {
            watch.dead_end(&x);
        }
        if depth == 0 {
            return;
        }
        depth -= 1;
        watch.back(depth);
        x = get(&stack[depth]);
        if !watch.node() {
            return;
        }
    }
}
