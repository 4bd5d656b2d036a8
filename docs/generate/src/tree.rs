//! Search trees, recorded from the events of a search and drawn as SVG.

use std::fmt::Write;

use ninefold::{Choice, Contradiction, Event, Limits, Observer, Outcome, Puzzle, Rules, Search, Strategy, Why};

/// A branch: a choice, what followed from it, and how it ended or where it forked.
struct Branch {
    label: String,
    kind: Kind,
    /// Digits placed after the choice without another.
    placed: usize,
    forks: Vec<usize>,
    leaf: Option<Result<(), String>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Root,
    Guess,
    /// What is left when the guesses before are refuted.
    Rest,
}

/// Records a search. Forced digits are counted with the choice that they follow from, so a fork of the tree is a guess.
pub(crate) struct Tree<'p> {
    rules: &'p Rules,
    branches: Vec<Branch>,
    /// The branch that events belong to, for each count of open guesses.
    at: Vec<usize>,
    /// Whether a guess was just taken back.
    is_back: bool,
}

impl<'p> Tree<'p> {
    /// Searches up to two solutions, so that the tree shows the whole proof that there is one.
    pub(crate) fn of(strategy: &Strategy, puzzle: &'p Puzzle) -> (Tree<'p>, Outcome) {
        let root = Branch { label: "givens".into(), kind: Kind::Root, placed: 0, forks: Vec::new(), leaf: None };
        let mut tree = Tree { rules: puzzle.rules(), branches: vec![root], at: vec![0], is_back: false };
        let mut search = Search::new(&Limits::none()).with_cap(2).with_observer(&mut tree);
        let end = (strategy.build)().search(puzzle, &mut search);
        let outcome = search.finish(end);
        (tree, outcome)
    }

    fn fork(&mut self, label: String, kind: Kind, depth: usize) {
        let branch = self.branches.len();
        self.branches.push(Branch { label, kind, placed: 0, forks: Vec::new(), leaf: None });
        self.branches[self.at[depth]].forks.push(branch);
        self.at.truncate(depth + 1);
        if kind == Kind::Guess { self.at.push(branch) } else { self.at[depth] = branch }
    }

    /// The branch of an event that is no guess: after a way back, a new one.
    fn here(&mut self, label: impl FnOnce(&Tree<'_>) -> String) -> &mut Branch {
        if std::mem::take(&mut self.is_back) {
            let label = label(self);
            self.fork(label, Kind::Rest, self.at.len() - 1);
        }
        let branch = self.at[self.at.len() - 1];
        &mut self.branches[branch]
    }

    fn cell(&self, cell: ninefold::Cell) -> String {
        cell.label(self.rules.side())
    }

    fn choice(&self, choice: &Choice<'_>) -> String {
        match choice {
            Choice::Place { cell, digit } => format!("{} = {}", self.cell(*cell), digit.symbol()),
            Choice::Confine { digit, cells, .. } => {
                let cells: Vec<String> = cells.iter().map(|&cell| self.cell(cell)).collect();
                format!("{} in {}", digit.symbol(), cells.join(" "))
            }
            _ => "?".into(),
        }
    }

    fn contradiction(&self, why: Contradiction) -> String {
        match why {
            Contradiction::Cell(cell) => format!("nothing fits {}", self.cell(cell)),
            Contradiction::House(house, digit) => {
                format!("no {} in {}", digit.symbol(), self.rules.house(house).kind())
            }
            Contradiction::Clauses => "no other model".into(),
            _ => "cannot be arranged".into(),
        }
    }
}

impl Observer for Tree<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Guess { choice, depth } => {
                let label = self.choice(&choice);
                self.is_back = false;
                self.fork(label, Kind::Guess, depth - 1);
            }
            Event::Place { cell, digit, why } => {
                let label = |tree: &Tree<'_>| format!("{} = {}", tree.cell(cell), digit.symbol());
                if why == Why::Refuted {
                    let text = label(self);
                    let branch = self.here(|_| text.clone());
                    // Where a removal made the branch, the digit that is left says more.
                    branch.label = text;
                } else {
                    self.here(label).placed += 1;
                }
            }
            Event::Remove { cell, digit, why: Why::Refuted } => {
                self.here(|tree| format!("{} ≠ {}", tree.cell(cell), digit.symbol()));
            }
            Event::DeadEnd { why } => {
                let text = self.contradiction(why);
                self.here(|_| "otherwise".into()).leaf = Some(Err(text));
            }
            Event::Solution { .. } => self.here(|_| "otherwise".into()).leaf = Some(Ok(())),
            Event::Back { depth } => {
                self.at.truncate(depth + 1);
                self.is_back = true;
            }
            _ => {}
        }
    }
}

const ROW: f64 = 34.0;
const MARGIN: f64 = 14.0;
/// The width of a letter at the size of labels, somewhat more than fonts have.
const LETTER: f64 = 6.9;
const GAP: f64 = 22.0;

/// Where a branch is drawn.
#[derive(Clone, Copy, Default)]
struct Spot {
    column: usize,
    y: f64,
}

impl Tree<'_> {
    /// The tree from left to right, on a light card that is readable on any background.
    pub(crate) fn svg(&self, title: &str) -> String {
        let mut spots = vec![Spot::default(); self.branches.len()];
        let mut rows = 0;
        self.place(0, 0, &mut rows, &mut spots);
        let columns = spots.iter().map(|spot| spot.column).max().unwrap_or(0) + 1;
        let letters = |branch: &Branch| branch.label.chars().count().max(9) as f64;
        let mut widths = vec![0f64; columns];
        for (branch, spot) in self.branches.iter().zip(&spots) {
            widths[spot.column] = widths[spot.column].max(letters(branch) * LETTER + 12.0);
        }
        let left: Vec<f64> = (0..columns).map(|i| MARGIN + widths[..i].iter().map(|width| width + GAP).sum::<f64>()).collect();
        let reach = |(branch, spot): (&Branch, &Spot)| {
            let words = branch.leaf.as_ref().map_or(0, |leaf| leaf.as_ref().err().map_or(10, |text| text.chars().count() + 3));
            left[spot.column] + widths[spot.column] + words as f64 * LETTER
        };
        let width = self.branches.iter().zip(&spots).map(reach).fold(0.0, f64::max) + 2.0 * MARGIN;
        let height = rows as f64 * ROW + 2.0 * MARGIN + 22.0;
        let mut svg = head(width, height, title);
        let _ = writeln!(svg, r#"<text x="{MARGIN}" y="26" font-weight="600">{}</text>"#, escaped(title));
        for (branch, spot) in self.branches.iter().zip(&spots) {
            let from = left[spot.column] + widths[spot.column];
            for &fork in &branch.forks {
                let (to, y) = (left[spots[fork].column], spots[fork].y);
                let middle = to - GAP / 2.0;
                let _ = writeln!(
                    svg,
                    r##"<path d="M{from:.0} {:.0} H{middle:.0} V{y:.0} H{to:.0}" fill="none" stroke="#8c959f"/>"##,
                    spot.y
                );
            }
        }
        for (branch, spot) in self.branches.iter().zip(&spots) {
            let (x, width) = (left[spot.column], widths[spot.column]);
            let (fill, stroke) = match branch.kind {
                Kind::Root => ("#eaeef2", "#8c959f"),
                Kind::Guess => ("#fff8c5", "#bf8700"),
                Kind::Rest => ("#ddf4ff", "#218bff"),
            };
            let _ = writeln!(
                svg,
                r#"<rect x="{x:.0}" y="{:.0}" width="{width:.0}" height="28" rx="5" fill="{fill}" stroke="{stroke}"/>"#,
                spot.y - 14.0
            );
            let middle = x + width / 2.0;
            let _ = writeln!(
                svg,
                r#"<text x="{middle:.0}" y="{:.0}" text-anchor="middle">{}</text>"#,
                spot.y - 1.0,
                escaped(&branch.label)
            );
            let placed = format!("+ {}", branch.placed);
            let _ = writeln!(
                svg,
                r##"<text x="{middle:.0}" y="{:.0}" text-anchor="middle" font-size="9.5" fill="#59636e">{placed}</text>"##,
                spot.y + 10.0
            );
            let (colour, text) = match &branch.leaf {
                Some(Ok(())) => ("#1a7f37", "✓ solution".to_owned()),
                Some(Err(why)) => ("#cf222e", format!("✗ {why}")),
                None => continue,
            };
            let _ = writeln!(
                svg,
                r#"<text x="{:.0}" y="{:.0}" fill="{colour}">{}</text>"#,
                x + width + 8.0,
                spot.y + 4.0,
                escaped(&text)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Leaves stand under each other, a fork in the middle of its branches.
    fn place(&self, branch: usize, column: usize, rows: &mut usize, spots: &mut [Spot]) {
        let forks = &self.branches[branch].forks;
        for &fork in forks {
            self.place(fork, column + 1, rows, spots);
        }
        let y = match (forks.first(), forks.last()) {
            (Some(&first), Some(&last)) => f64::midpoint(spots[first].y, spots[last].y),
            _ => {
                *rows += 1;
                22.0 + MARGIN + (*rows as f64 - 0.5) * ROW
            }
        };
        spots[branch] = Spot { column, y };
    }
}

/// The start of a picture: a light card, so that dark letters are readable wherever it stands.
pub(crate) fn head(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         role=\"img\" font-family=\"ui-sans-serif, system-ui, Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#1f2328\">\n\
         <title>{}</title>\n<rect x=\"0.5\" y=\"0.5\" width=\"{:.0}\" height=\"{:.0}\" rx=\"8\" fill=\"#ffffff\" stroke=\"#d1d9e0\"/>\n",
        escaped(title),
        width - 1.0,
        height - 1.0
    )
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_a_box_for_each_guess_and_a_leaf_for_each_ending() {
        for strategy in ninefold::all_variants() {
            let small = crate::pictures::small();
            if !strategy.caps.takes(small.rules()) {
                continue;
            }
            let (tree, outcome) = Tree::of(strategy, &small);
            let counters = outcome.counters();
            let guesses = tree.branches.iter().filter(|branch| branch.kind == Kind::Guess).count();
            let leaves = tree.branches.iter().filter(|branch| branch.leaf.is_some()).count();
            let svg = tree.svg(strategy.name);
            assert_eq!(svg.matches("<rect").count(), tree.branches.len() + 1, "{}", strategy.name);
            assert_eq!(svg.matches('✓').count(), 1, "{}", strategy.name);
            assert_eq!(leaves, guesses + 1, "{}", strategy.name);
            if let (Some(counted), Some(dead)) = (counters.guesses(), counters.dead_ends()) {
                assert_eq!((guesses as u64, leaves as u64), (counted, dead + 1), "{}", strategy.name);
            }
        }
    }
}
