//! The blocks by name.

use ninefold::Strategy;

use crate::experiments;
use crate::pictures;

/// What stands between two markers, and the way to make it.
pub(crate) struct Block {
    pub(crate) name: &'static str,
    /// Makes it, with times or without.
    pub(crate) make: fn(bool) -> Made,
}

/// A block's text and the pictures that it shows.
pub(crate) struct Made {
    pub(crate) text: String,
    pub(crate) images: Vec<Image>,
}

/// A picture in `docs/images`.
#[derive(Clone)]
pub(crate) struct Image {
    pub(crate) name: String,
    /// `None` for a picture of times where none were measured.
    pub(crate) svg: Option<String>,
}

impl From<String> for Made {
    fn from(text: String) -> Made {
        Made { text, images: Vec::new() }
    }
}

/// Every block.
pub(crate) const BLOCKS: &[Block] = &[
    Block { name: "strategies", make: experiments::strategies },
    Block { name: "puzzle", make: |_| pictures::puzzle().into() },
    Block { name: "small-counters", make: |_| experiments::small_counters().into() },
    Block { name: "state-array-picture", make: |_| pictures::used_digits().into() },
    Block { name: "propagation-picture", make: |_| pictures::candidates().into() },
    Block { name: "dlx-picture", make: |_| pictures::matrix().into() },
    Block { name: "sat-picture", make: |_| pictures::clauses().into() },
    Block { name: "bitboard-picture", make: |_| pictures::digit_board().into() },
    Block { name: "backtracking-tree", make: |_| pictures::tree("backtracking") },
    Block { name: "propagation-tree", make: |_| pictures::tree("propagation") },
    Block { name: "dlx-tree", make: |_| pictures::tree("dlx") },
    Block { name: "sat-tree", make: |_| pictures::tree("sat") },
    Block { name: "bitboard-tree", make: |_| pictures::tree("bitboard") },
    Block { name: "cell-order", make: experiments::cell_order },
    Block { name: "turning", make: experiments::turning },
    Block { name: "propagation-on-off", make: experiments::propagation_on_off },
    Block { name: "dlx-items", make: experiments::dlx_items },
    Block { name: "sat-encodings", make: experiments::sat_encodings },
    Block { name: "at-most-one", make: experiments::at_most_one },
    Block { name: "growing", make: experiments::growing },
    Block { name: "emptier", make: experiments::emptier },
    Block { name: "hard-for", make: experiments::hard_for },
];

/// A row of the registry. All are enabled here.
pub(crate) fn strategy(name: &str) -> &'static Strategy {
    ninefold::by_name(name).unwrap_or_else(|| panic!("there is no strategy {name}"))
}
