//! Makes a disagreement as small as possible while it lasts.

use super::draft::{Draft, parts_of, rules_from};
use super::minimize::minimize;
use super::{Change, Changes, Comparison, Crosscheck, Finding, Repeats, Signature, signature};
use crate::clock::{self, Moment};
use crate::{BlockShape, Board, DigitSet, HouseKind, Puzzle, Rules, Variant};

/// A puzzle with fewer givens than this is small enough; with more it may be smaller with few blanks.
const FEW: usize = 10;

/// The largest board that is tried in place of a larger one.
const SMALL_SIDE: usize = 9;

pub(super) fn examine(check: &mut Crosscheck, puzzle: &Puzzle, first: Comparison) -> Finding {
    // The last one is the puzzle itself.
    let mut history: Vec<(Puzzle, Option<u64>)> = check.history.drain(..).collect();
    history.pop();
    let questions = check.effort.questions;
    let changes = check.seed.map(|seed| (seed, Change::ALL.to_vec()));
    let mut shrinking = Shrinking {
        wanted: signature(&first),
        before: Vec::new(),
        changes,
        restart: true,
        left: questions,
        until: check.effort.time.map(|time| clock::now().plus(time)),
        last: first.clone(),
        check,
    };
    let start = Draft::of(puzzle);
    let mut repeats = Repeats::Alone;
    let mut draft = start.clone();
    if !shrinking.lasts(&start) {
        repeats = shrinking.find_state(&start, &history);
    }
    match repeats {
        Repeats::Alone => {
            // Starting anew takes long for some participants, and is rarely needed.
            shrinking.restart = false;
            draft = shrinking.shrink(&start);
            shrinking.restart = true;
            let found = shrinking.last.clone();
            shrinking.left += 1;
            if !shrinking.lasts(&draft) {
                draft = shrinking.shrink(&start);
            } else if !shrinking.last.is_disagreement() {
                shrinking.last = found;
            }
        }
        Repeats::After => {
            draft = shrinking.shrink(&start);
            shrinking.shrink_before(&draft);
        }
        Repeats::Not => {}
    }
    let Shrinking { check, last, before, changes, left, .. } = shrinking;
    check.restart();
    Finding {
        original: puzzle.clone(),
        first: first.clone(),
        smallest: draft.puzzle().unwrap_or_else(|| puzzle.clone()),
        before: before.into_iter().map(|(puzzle, _)| puzzle).collect(),
        comparison: if repeats == Repeats::Not { first } else { last },
        repeats,
        changes,
        questions: questions.saturating_sub(left),
    }
}

/// The work on one disagreement.
struct Shrinking<'a> {
    check: &'a mut Crosscheck,
    /// What has to last: something of this.
    wanted: Signature,
    /// What is asked before, with the seed of its changes.
    before: Vec<(Puzzle, Option<u64>)>,
    changes: Option<(u64, Vec<Change>)>,
    /// Whether participants start anew for each question.
    restart: bool,
    left: u64,
    until: Option<Moment>,
    /// The answers to the last question on which it lasted.
    last: Comparison,
}

impl Shrinking<'_> {
    /// Asks, and says whether the disagreement lasts.
    fn lasts(&mut self, draft: &Draft) -> bool {
        if self.left == 0 || self.check.is_cancelled() || self.until.is_some_and(|until| clock::now() >= until) {
            return false;
        }
        let Some(puzzle) = draft.puzzle() else { return false };
        self.left -= 1;
        if self.restart {
            self.check.restart();
        }
        for (puzzle, seed) in self.before.clone() {
            let changes = seed.map(|seed| Changes::new(puzzle.rules(), &Change::ALL, seed));
            self.check.ask(&puzzle, changes.as_ref());
        }
        let changes = self.changes.as_ref().map(|(seed, kinds)| Changes::new(puzzle.rules(), kinds, *seed));
        let comparison = self.check.ask(&puzzle, changes.as_ref());
        let lasts = !signature(&comparison).is_disjoint(&self.wanted);
        if lasts {
            self.last = comparison;
        }
        lasts
    }

    /// A disagreement that does not come again alone: looks for the puzzles after which it does.
    fn find_state(&mut self, draft: &Draft, history: &[(Puzzle, Option<u64>)]) -> Repeats {
        let changes = self.changes.clone();
        let unchanged: Vec<_> = history.iter().map(|(puzzle, _)| (puzzle.clone(), None)).collect();
        // Without changes it is easier to repeat, and the puzzle before is the likeliest of all.
        for (history, changes) in [(unchanged.as_slice(), None), (history, changes)] {
            for count in [1, history.len()] {
                self.before = history[history.len() - count.min(history.len())..].to_vec();
                self.changes.clone_from(&changes);
                if !self.before.is_empty() && self.lasts(draft) {
                    let all = self.before.clone();
                    self.before = minimize(all, |before| {
                        self.before = before.to_vec();
                        !before.is_empty() && self.lasts(draft)
                    });
                    return Repeats::After;
                }
            }
        }
        self.before.clear();
        Repeats::Not
    }

    fn shrink(&mut self, start: &Draft) -> Draft {
        self.fewer_changes(start);
        let mut draft = self.smaller_board(start.clone());
        draft = self.simpler_rules(draft);
        draft = self.fewer_restrictions(draft);
        let fewer = self.fewer_givens(&draft);
        let givens = fewer.givens().len();
        if givens < FEW {
            draft = fewer;
        } else {
            // Asked again for the solutions that are known of it.
            self.lasts(&draft);
            let fuller = self.fewer_blanks(&draft);
            draft = match fuller {
                Some(fuller) if fuller.blanks().len() < givens => fuller,
                _ => fewer,
            };
        }
        draft = self.fewer_restrictions(draft);
        draft = self.in_order(draft);
        // So that the last answers are those to this puzzle.
        self.left += 1;
        self.lasts(&draft);
        draft
    }

    fn fewer_changes(&mut self, draft: &Draft) {
        let Some((seed, kinds)) = self.changes.take() else { return };
        if self.lasts(draft) {
            return;
        }
        let kinds = minimize(kinds, |kinds| {
            self.changes = Some((seed, kinds.to_vec()));
            !kinds.is_empty() && self.lasts(draft)
        });
        self.changes = Some((seed, kinds));
    }

    /// A board of a smaller side with something like the same on it.
    fn smaller_board(&mut self, draft: Draft) -> Draft {
        let side = draft.rules.side();
        if draft.rules.block_shape().is_none() {
            return draft;
        }
        let names = draft.rules.groups().iter().map(crate::HouseGroup::name);
        let variants: String = names.filter(|name| Variant::by_name(name).is_some()).map(|name| format!("+{name}")).collect();
        for small in 1..side.min(SMALL_SIDE + 1) {
            // Square blocks first, then the less long ones.
            let mut shapes: Vec<BlockShape> = BlockShape::all_for(small).collect();
            shapes.sort_by_key(|shape| shape.rows().abs_diff(shape.columns()));
            for shape in shapes {
                let plain = Rules::blocks(shape);
                let same = format!("{shape}{variants}").parse::<Rules>().ok().filter(|rules| *rules != plain);
                for rules in std::iter::once(plain).chain(same) {
                    for digits in
                        [vec![0; small * small], corner(&draft, small), pattern(shape, 2.min(small as u8)), pattern(shape, 0)]
                    {
                        let candidate = Draft { rules: rules.clone(), digits, sets: None };
                        if self.lasts(&candidate) {
                            return candidate;
                        }
                    }
                }
            }
        }
        draft
    }

    /// Fewer houses beside rows, columns and blocks or regions, and blocks in place of regions. Nothing is simpler than these.
    fn simpler_rules(&mut self, mut draft: Draft) -> Draft {
        let side = draft.rules.side();
        // Whole variants first, so that what stays keeps its name.
        let (base, groups): (Vec<_>, Vec<_>) = {
            let names = draft.rules.groups().iter().map(|group| group.name().to_owned());
            names.partition(|name| ["latin:", "blocks:", "regions:"].iter().any(|base| name.starts_with(base)))
        };
        if !groups.is_empty() {
            let with = |groups: &[String]| base.iter().chain(groups).cloned().collect::<Vec<_>>().join("+").parse::<Rules>();
            let kept = minimize(groups, |groups| with(groups).is_ok_and(|rules| self.lasts(&Draft { rules, ..draft.clone() })));
            if let Ok(rules) = with(&kept) {
                draft.rules = rules;
            }
        }
        let houses = parts_of(&draft.rules);
        let (extra, base): (Vec<_>, Vec<_>) = houses.into_iter().partition(|(kind, _)| matches!(kind, HouseKind::Extra(_)));
        if !extra.is_empty() {
            let with = |extra: &[_]| {
                let houses: Vec<_> = base.iter().chain(extra).cloned().collect();
                rules_from(side, &houses, &draft.rules)
            };
            let kept = minimize(extra, |extra| with(extra).is_some_and(|rules| self.lasts(&Draft { rules, ..draft.clone() })));
            if let Some(rules) = with(&kept) {
                draft.rules = rules;
            }
        }
        let shape = BlockShape::all_for(side).min_by_key(|shape| shape.rows().abs_diff(shape.columns()));
        if draft.rules.block_shape().is_none()
            && let Some(shape) = shape
        {
            let blocks = Draft { rules: Rules::blocks(shape), ..draft.clone() };
            if self.lasts(&blocks) {
                return blocks;
            }
        }
        draft
    }

    fn fewer_restrictions(&mut self, draft: Draft) -> Draft {
        let Some(sets) = &draft.sets else { return draft };
        let all = DigitSet::all(draft.rules.side());
        let with = |cells: &[usize]| {
            let mut kept = vec![all; sets.len()];
            cells.iter().for_each(|&cell| kept[cell] = sets[cell]);
            Draft { sets: (!cells.is_empty()).then_some(kept), ..draft.clone() }
        };
        let restricted = (0..sets.len()).filter(|&cell| sets[cell] != all).collect();
        let kept = minimize(restricted, |cells| self.lasts(&with(cells)));
        with(&kept)
    }

    fn fewer_givens(&mut self, draft: &Draft) -> Draft {
        let with = |cells: &[usize]| {
            let mut digits = vec![0; draft.digits.len()];
            cells.iter().for_each(|&cell| digits[cell] = draft.digits[cell]);
            Draft { digits, ..draft.clone() }
        };
        let kept = minimize(draft.givens(), |cells| self.lasts(&with(cells)));
        with(&kept)
    }

    /// Blanks filled from a solution, of the last answers; `None` where no solution is known.
    fn fewer_blanks(&mut self, draft: &Draft) -> Option<Draft> {
        let known = self.last.known();
        let mut solutions: Vec<Board> = known.first().into_iter().chain(known.last()).chain(known.get(1)).cloned().collect();
        solutions.retain(|solution| *solution.rules() == draft.rules);
        solutions.dedup();
        let mut best: Option<Draft> = None;
        for solution in solutions {
            let with = |blanks: &[usize]| {
                let mut digits = solution.as_bytes().to_vec();
                blanks.iter().for_each(|&cell| digits[cell] = 0);
                Draft { digits, ..draft.clone() }
            };
            let kept = with(&minimize(draft.blanks(), |blanks| self.lasts(&with(blanks))));
            if best.as_ref().is_none_or(|best| kept.blanks().len() < best.blanks().len()) {
                best = Some(kept);
            }
        }
        best
    }

    /// Digits in the order in which they first appear.
    fn in_order(&mut self, draft: Draft) -> Draft {
        let mut names = vec![0; draft.rules.side() + 1];
        let mut next = 1;
        let in_givens = draft.digits.iter().copied();
        let in_sets = draft.sets.iter().flatten().flat_map(|set| set.iter().map(crate::Digit::get));
        for byte in in_givens.chain(in_sets).chain(1..=draft.rules.side() as u8) {
            let name = &mut names[usize::from(byte)];
            if byte != 0 && *name == 0 {
                *name = next;
                next += 1;
            }
        }
        let ordered = Draft {
            rules: draft.rules.clone(),
            digits: draft.digits.iter().map(|&byte| names[usize::from(byte)]).collect(),
            sets: draft.sets.as_ref().map(|sets| {
                let renamed =
                    |set: &DigitSet| set.iter().filter_map(|digit| crate::Digit::new(names[digit.index() + 1])).collect();
                sets.iter().map(renamed).collect()
            }),
        };
        if ordered.digits != draft.digits && self.lasts(&ordered) { ordered } else { draft }
    }

    /// The puzzles before, with as few givens as will do.
    fn shrink_before(&mut self, draft: &Draft) {
        for i in 0..self.before.len() {
            let (puzzle, seed) = self.before[i].clone();
            let start = Draft::of(&puzzle);
            let with = |cells: &[usize]| {
                let mut digits = vec![0; start.digits.len()];
                cells.iter().for_each(|&cell| digits[cell] = start.digits[cell]);
                Draft { digits, ..start.clone() }
            };
            let kept = minimize(start.givens(), |cells| {
                let Some(puzzle) = with(cells).puzzle() else { return false };
                self.before[i] = (puzzle, seed);
                self.lasts(draft)
            });
            self.before[i] = (with(&kept).puzzle().unwrap_or(puzzle), seed);
        }
        self.left += 1;
        self.lasts(draft);
    }
}

/// The upper left of a board with its digits named anew; those that find no name are left out.
fn corner(draft: &Draft, side: usize) -> Vec<u8> {
    let mut names: Vec<u8> = Vec::new();
    let mut digits = Vec::with_capacity(side * side);
    for row in 0..side {
        for column in 0..side {
            let byte = draft.digits[row * draft.rules.side() + column];
            if byte != 0 && !names.contains(&byte) {
                names.push(byte);
            }
            let name = names.iter().position(|name| *name == byte).map_or(0, |name| name as u8 + 1);
            digits.push(if usize::from(name) <= side { name } else { 0 });
        }
    }
    digits
}

/// A full board whose digits up to `blank` are cleared: with two cleared it has two solutions or more.
fn pattern(shape: BlockShape, blank: u8) -> Vec<u8> {
    let side = shape.side();
    let digit = |index: usize| {
        let (row, column) = (index / side, index % side);
        // Each row of a band starts one block further, each band one cell further.
        ((shape.columns() * (row % shape.rows()) + row / shape.rows() + column) % side + 1) as u8
    };
    (0..side * side).map(digit).map(|digit| if digit <= blank { 0 } else { digit }).collect()
}
