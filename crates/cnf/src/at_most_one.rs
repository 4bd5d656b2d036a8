//! At-most-one constraints: five ways to say with clauses that of some literals at most one is true.

use std::ops::ControlFlow;

use ninefold_core::End;

use crate::{Literal, Sink};

/// How to say that of some literals at most one is true.
///
/// All five are *arc-consistent*: once one literal is true, unit propagation makes the others false. They differ in how many
/// clauses and how many auxiliary variables they need. Up to four literals every scheme is [`Pairwise`](AtMostOne::Pairwise),
/// which then has the fewest clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AtMostOne {
    /// A clause for each pair: n·(n−1)/2 clauses, no auxiliary variables. Folklore; also called binomial.
    Pairwise,
    /// A chain of n−1 auxiliary variables, the i-th of which says that one of the first i literals is true: 3n−4 clauses.
    /// C. Sinz, *Towards an optimal CNF encoding of Boolean cardinality constraints*, 2005.
    Sequential,
    /// Groups of three, pairwise inside; each group has a commander that is true if one of the group is, and of the
    /// commanders at most one is true, said the same way: about n/2 auxiliary variables and 5n/2 clauses.
    /// W. Klieber and G. Kwon, *Efficient CNF encoding for selecting 1 from N objects*, 2007. The clauses that make a
    /// commander false when its group is are left out: at-most-one does not need them.
    Commander,
    /// The literals are laid out in a rectangle; a literal implies the auxiliary variables of its row and its column, and at
    /// most one row and one column is on, said the same way: about 2√n auxiliary variables and 2n + 4√n clauses.
    /// J. Chen, *A new SAT encoding of the at-most-one constraint*, 2010.
    Product,
    /// ⌈√n⌉ groups, pairwise inside; a literal implies the number of its group in binary: log₂√n auxiliary variables.
    /// V.-H. Nguyen and S. T. Mai, *A new method to encode the at-most-one constraint into SAT*, 2015.
    Bimander,
}

/// Up to how many literals every scheme is pairwise.
const SMALL: usize = 4;

impl AtMostOne {
    /// Writes clauses that allow exactly those assignments of the literals in which at most one is true. Auxiliary variables
    /// are taken from `next` on, which is moved past them.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use ninefold_cnf::{AtMostOne, Literal};
    ///
    /// let literals: Vec<Literal> = (0..9).map(Literal::positive).collect();
    /// let (mut next, mut clauses) = (9, 0);
    /// let mut sink = |_: &[Literal]| { clauses += 1; ControlFlow::Continue(()) };
    /// assert!(AtMostOne::Sequential.write(&literals, &mut next, &mut sink).is_continue());
    /// assert_eq!((next - 9, clauses), (8, 23));
    /// ```
    ///
    /// # Errors
    /// Breaks where the sink does.
    pub fn write(self, literals: &[Literal], next: &mut u32, sink: &mut impl Sink) -> ControlFlow<End> {
        if literals.len() <= SMALL {
            return pairwise(literals, sink);
        }
        match self {
            AtMostOne::Pairwise => pairwise(literals, sink),
            AtMostOne::Sequential => sequential(literals, next, sink),
            AtMostOne::Commander => commander(literals, next, sink),
            AtMostOne::Product => product(literals, next, sink),
            AtMostOne::Bimander => bimander(literals, next, sink),
        }
    }

    /// Whether so many literals are said by pairs alone.
    pub(crate) fn is_pairwise(self, count: usize) -> bool {
        count <= SMALL || self == AtMostOne::Pairwise
    }

    /// How many auxiliary variables and clauses so many literals need. Every clause has two literals.
    pub(crate) fn cost(self, count: usize) -> (u64, u64) {
        if self.is_pairwise(count) {
            let count = count as u64;
            return (0, count * count.saturating_sub(1) / 2);
        }
        // Written down and counted, so that no second set of formulas can disagree with the first.
        let literals: Vec<Literal> = (0..count as u32).map(Literal::positive).collect();
        let (mut next, mut clauses) = (count as u32, 0);
        let mut counter = |_: &[Literal]| {
            clauses += 1;
            ControlFlow::Continue(())
        };
        // This sink never breaks.
        let _ = self.write(&literals, &mut next, &mut counter);
        (u64::from(next) - count as u64, clauses)
    }
}

fn fresh(next: &mut u32) -> Literal {
    let literal = Literal::positive(*next);
    *next += 1;
    literal
}

fn pairwise(literals: &[Literal], sink: &mut impl Sink) -> ControlFlow<End> {
    for (i, &a) in literals.iter().enumerate() {
        for &b in &literals[i + 1..] {
            sink.clause(&[!a, !b])?;
        }
    }
    ControlFlow::Continue(())
}

fn sequential(literals: &[Literal], next: &mut u32, sink: &mut impl Sink) -> ControlFlow<End> {
    let mut before: Option<Literal> = None;
    for (i, &literal) in literals.iter().enumerate() {
        if let Some(before) = before {
            sink.clause(&[!literal, !before])?;
        }
        if i + 1 == literals.len() {
            break;
        }
        let so_far = fresh(next);
        sink.clause(&[!literal, so_far])?;
        if let Some(before) = before {
            sink.clause(&[!before, so_far])?;
        }
        before = Some(so_far);
    }
    ControlFlow::Continue(())
}

fn commander(literals: &[Literal], next: &mut u32, sink: &mut impl Sink) -> ControlFlow<End> {
    let mut commanders = Vec::with_capacity(literals.len().div_ceil(3));
    for group in literals.chunks(3) {
        // A group of one is its own commander.
        if let [literal] = group {
            commanders.push(*literal);
            continue;
        }
        pairwise(group, sink)?;
        let commander = fresh(next);
        for &literal in group {
            sink.clause(&[!literal, commander])?;
        }
        commanders.push(commander);
    }
    AtMostOne::Commander.write(&commanders, next, sink)
}

fn product(literals: &[Literal], next: &mut u32, sink: &mut impl Sink) -> ControlFlow<End> {
    let rows = ceil_sqrt(literals.len());
    let columns = literals.len().div_ceil(rows);
    let row_on: Vec<Literal> = (0..rows).map(|_| fresh(next)).collect();
    let column_on: Vec<Literal> = (0..columns).map(|_| fresh(next)).collect();
    for (i, &literal) in literals.iter().enumerate() {
        sink.clause(&[!literal, row_on[i / columns]])?;
        sink.clause(&[!literal, column_on[i % columns]])?;
    }
    AtMostOne::Product.write(&row_on, next, sink)?;
    AtMostOne::Product.write(&column_on, next, sink)
}

fn bimander(literals: &[Literal], next: &mut u32, sink: &mut impl Sink) -> ControlFlow<End> {
    let groups = ceil_sqrt(literals.len());
    let size = literals.len().div_ceil(groups);
    let count = literals.len().div_ceil(size);
    let bits: Vec<Literal> = (0..count.next_power_of_two().trailing_zeros()).map(|_| fresh(next)).collect();
    for (number, group) in literals.chunks(size).enumerate() {
        pairwise(group, sink)?;
        for &literal in group {
            for (i, &bit) in bits.iter().enumerate() {
                sink.clause(&[!literal, if number >> i & 1 == 1 { bit } else { !bit }])?;
            }
        }
    }
    ControlFlow::Continue(())
}

fn ceil_sqrt(n: usize) -> usize {
    let root = n.isqrt();
    if root * root == n { root } else { root + 1 }
}
