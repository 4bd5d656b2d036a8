//! What an observer of a search is told: one schema for all strategies.

use crate::{Cell, Digit, HouseId, Solution};

/// Why a digit was placed or a candidate removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The cell had no other candidate.
    NakedSingle,
    /// The house had no other place for the digit.
    HiddenSingle(HouseId),
    /// A digit placed in a peer.
    Peer(Cell),
    /// All places of the digit in one house lie in another, so the rest of that other house cannot hold it.
    LockedCandidates(HouseId),
    /// No way of filling this full house has it: some of its cells have only as many candidates as they are, or some of its digits only
    /// as many places.
    AllDifferent(HouseId),
    /// The choices of the digits over a whole band or stack leave no room.
    Arrangement,
    /// The other choices at this node were searched and refuted.
    Refuted,
    /// It follows from clauses a SAT solver has learned.
    Learned,
}

/// A choice that a guess takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choice<'a> {
    /// The cell holds the digit.
    Place {
        /// The cell.
        cell: Cell,
        /// The digit.
        digit: Digit,
    },
    /// One of these cells, all of one house, holds the digit; which one remains open.
    Confine {
        /// The house in which the digit is confined.
        house: HouseId,
        /// The digit.
        digit: Digit,
        /// The cells that may still hold it.
        cells: &'a [Cell],
    },
}

/// Why a node has no way on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Contradiction {
    /// The cell has no candidate left.
    Cell(Cell),
    /// The house has no place left for the digit.
    House(HouseId, Digit),
    /// The digits of a band or stack, or the candidates of some cells, cannot be arranged any more; no single cell or
    /// house shows it.
    Arrangement,
    /// The clauses of a SAT solver, those it was given and those it has learned, have no model, or none but those found.
    Clauses,
}

/// Something that happened in a search.
///
/// Events come in the order in which the engine acts. After [`Event::Back`] everything since the guess at that depth is
/// undone. The givens are not reported: the observer has the puzzle.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A digit was placed without a choice.
    Place {
        /// The cell.
        cell: Cell,
        /// The digit.
        digit: Digit,
        /// What forced it.
        why: Why,
    },
    /// A candidate was removed.
    Remove {
        /// The cell.
        cell: Cell,
        /// The digit that it cannot hold.
        digit: Digit,
        /// What excludes it.
        why: Why,
    },
    /// A choice was taken while others were open.
    Guess {
        /// The choice.
        choice: Choice<'a>,
        /// The guesses open now, this one included: 1 for the first.
        depth: usize,
    },
    /// The node has no way on.
    DeadEnd {
        /// What shows it.
        why: Contradiction,
    },
    /// The last guess is taken back, and everything that followed from it.
    Back {
        /// The guesses that stay open.
        depth: usize,
    },
    /// A solution was found.
    Solution {
        /// The solution, already checked.
        solution: &'a Solution,
    },
}

/// Watches a search. Any `FnMut(Event<'_>)` is one.
///
/// An observer costs a strategy a good part of its speed; without one nothing measurable.
pub trait Observer {
    /// Is told what happened.
    fn event(&mut self, event: Event<'_>);

    /// The same with the steps of the search so far: nodes, or conflicts for a strategy that cannot count nodes. This is what a search
    /// calls. A choice and what follows from it without another node are told with the count of the node at which they are made.
    fn event_at(&mut self, steps: u64, event: Event<'_>) {
        let _ = steps;
        self.event(event);
    }
}

impl<F: FnMut(Event<'_>)> Observer for F {
    fn event(&mut self, event: Event<'_>) {
        self(event);
    }
}
