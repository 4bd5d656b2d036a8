//! Solvers that are broken on purpose, each in its own way, are caught by the crosscheck and shown on a small puzzle.

use std::ops::ControlFlow;

use ninefold::crosscheck::{AnswerKind, ConflictKind, Crosscheck, Finding, Repeats};
use ninefold::{Budget, Caps, Cell, Choice, Contradiction, Digit, DigitSet, End, Limits, Puzzle, Search, Solver};

/// Two solutions.
const TWO: &str = "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179";

const PUZZLES: [&str; 8] = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    TWO,
    ".12345678..................9.....................................................",
    "..1234567..................8...........................8.........................",
    "6..3.2....5.....1..........7.26............543.........8.15........4.2........7..",
    "1..............................2.................................................",
];

/// What is broken.
#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    None,
    /// The last house is not looked at. On a plain board that is no mistake: three rows and two of their blocks settle the third.
    HouseForgotten,
    /// The blocks are not looked at.
    BlocksForgotten,
    /// The last digit is never tried.
    DigitForgotten,
    /// The first solution is taken for the only one.
    SecondMissed,
    /// The first solution is shown twice.
    ShownTwice,
    /// When a limit has run out there is no solution.
    GaveUpForUnsolvable,
    /// The digit that was placed first in the puzzle before is not tried first.
    StateLeft,
    /// It panics where the puzzle has many blanks.
    Panics,
    /// The last solution of several is missed where there are few blanks.
    FewBlanks,
}

/// A plain search for the cell with the fewest digits left.
struct Broken {
    mistake: Mistake,
    last_first: Option<Digit>,
}

impl Broken {
    fn build(mistake: Mistake) -> Box<dyn Solver> {
        Box::new(Broken { mistake, last_first: None })
    }

    fn open(&self, puzzle: &Puzzle, digits: &[u8], cell: Cell) -> DigitSet {
        let rules = puzzle.rules();
        let mut open = puzzle.allowed(cell);
        for id in rules.houses_of(cell) {
            let known = match self.mistake {
                Mistake::HouseForgotten => rules.houses().len() - 1,
                Mistake::BlocksForgotten => 2 * rules.side(),
                _ => rules.houses().len(),
            };
            if id.index() >= known {
                continue;
            }
            for peer in rules.house(*id).cells() {
                if let Some(digit) = Digit::new(digits[peer.index()]) {
                    open.remove(digit);
                }
            }
        }
        if self.mistake == Mistake::DigitForgotten
            && let Some(last) = Digit::new(rules.side() as u8)
        {
            open.remove(last);
        }
        open
    }

    fn walk(&mut self, puzzle: &Puzzle, digits: &mut [u8], depth: usize, search: &mut Search<'_>) -> ControlFlow<End> {
        search.node()?;
        let blanks = puzzle.rules().cells().filter(|cell| digits[cell.index()] == 0);
        let open = blanks.map(|cell| (cell, self.open(puzzle, digits, cell))).min_by_key(|(_, open)| open.len());
        let Some((cell, mut open)) = open else {
            search.solution(puzzle, digits)?;
            match self.mistake {
                Mistake::SecondMissed => return ControlFlow::Break(End::Exhausted),
                Mistake::ShownTwice => search.solution(puzzle, digits)?,
                Mistake::FewBlanks if puzzle.rules().cell_count() - puzzle.board().given_count() < 7 => {
                    return ControlFlow::Break(End::Exhausted);
                }
                _ => {}
            }
            return ControlFlow::Continue(());
        };
        if self.mistake == Mistake::StateLeft && depth == 0 {
            if let Some(digit) = self.last_first {
                open.remove(digit);
            }
            self.last_first = open.first();
        }
        if open.is_empty() {
            search.dead_end(Contradiction::Cell(cell));
        }
        for digit in open {
            if open.len() > 1 {
                search.guess(Choice::Place { cell, digit }, depth + 1);
            }
            digits[cell.index()] = digit.get();
            self.walk(puzzle, digits, depth + 1, search)?;
            digits[cell.index()] = 0;
        }
        ControlFlow::Continue(())
    }
}

impl Solver for Broken {
    fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
        let blanks = puzzle.rules().cell_count() - puzzle.board().given_count();
        assert!(self.mistake != Mistake::Panics || blanks < 60, "too many blanks: {blanks}");
        let mut digits = puzzle.board().as_bytes().to_vec();
        if let ControlFlow::Break(end) = search.begin(puzzle, &Caps::ALL) {
            return end;
        }
        search.setup_done();
        match Search::end(self.walk(puzzle, &mut digits, 0, search)) {
            End::OutOfBudget(Budget::Nodes) if self.mistake == Mistake::GaveUpForUnsolvable => End::Exhausted,
            end => end,
        }
    }
}

/// With a partner that answers all of the puzzles within few nodes; `None` where none is enabled.
fn check(mistake: Mistake, nodes: u64) -> Option<Crosscheck> {
    let limits = Limits::none().with_nodes(nodes);
    let partner = ["bitboard", "propagation", "sat", "batsat"].into_iter().find_map(ninefold::by_name)?;
    Some(Crosscheck::new().solver("broken", move || Broken::build(mistake)).strategy(partner).cap(3).limits(limits))
}

/// The first disagreement over the puzzles; `None` where there is no partner.
fn finding(mistake: Mistake, nodes: u64) -> Option<Finding> {
    let mut check = check(mistake, nodes)?;
    let puzzles = PUZZLES.iter().map(|line| Puzzle::new(line.parse().unwrap()).unwrap());
    let finding = puzzles.map(|puzzle| check.puzzle(&puzzle)).find_map(Result::err);
    Some(*finding.expect("the mistake is found"))
}

/// Fewer than ten givens, or fewer than ten blanks.
fn is_small(finding: &Finding) -> bool {
    let givens = finding.smallest().board().given_count();
    givens < 10 || finding.smallest().rules().cell_count() - givens < 10
}

fn kinds(finding: &Finding) -> Vec<ConflictKind> {
    let conflicts = finding.comparison().conflicts();
    assert!(conflicts.iter().all(|conflict| finding.comparison().answers()[conflict.who()].name() == "broken"), "{finding}");
    conflicts.iter().map(ninefold::crosscheck::Conflict::kind).collect()
}

fn assert_found(mistake: Mistake, nodes: u64, kind: ConflictKind) {
    let Some(finding) = finding(mistake, nodes) else { return };
    assert_eq!(finding.repeats(), Repeats::Alone, "{finding}");
    assert!(is_small(&finding), "{finding}");
    assert!(kinds(&finding).contains(&kind), "{finding}");
    // What is found can be asked again.
    let again = check(mistake, nodes).unwrap().puzzle(finding.smallest()).unwrap_err();
    assert_eq!(again.first_comparison(), finding.comparison());
    assert_eq!((again.smallest(), again.repeats()), (finding.smallest(), Repeats::Alone));
}

#[test]
fn a_solver_without_mistake_is_left_in_peace() {
    let Some(mut check) = check(Mistake::None, 200_000) else { return };
    for (seed, line) in PUZZLES.iter().enumerate() {
        check.change(Some(seed as u64));
        let comparison = check.puzzle(&Puzzle::new(line.parse().unwrap()).unwrap()).map_err(|finding| finding.to_string());
        assert!(comparison.unwrap().claims() >= 2);
    }
    assert_eq!((check.summary().puzzles, check.summary().compared, check.summary().disagreements), (8, 8, 0));
}

#[test]
fn forgotten_blocks_are_found_by_the_wrong_solution() {
    assert_found(Mistake::BlocksForgotten, 2_000, ConflictKind::Fault);
}

#[test]
fn a_forgotten_diagonal_is_found_and_shown_on_a_small_board_with_diagonals() {
    let rules: ninefold::Rules = "3x3+diagonals".parse().unwrap();
    let Some(mut check) = check(Mistake::HouseForgotten, 2_000) else { return };
    let board = ninefold::Board::parse(&rules, &format!("..1...2{}", ".".repeat(74))).unwrap();
    let finding = check.puzzle(&Puzzle::new(board).unwrap()).unwrap_err();
    assert_eq!(kinds(&finding), [ConflictKind::Fault], "{finding}");
    assert!(finding.smallest().rules().side() <= 4 && is_small(&finding), "{finding}");
    assert!(finding.smallest().rules().name().contains("diagonal"), "{finding}");
}

#[test]
fn a_forgotten_digit_is_found_by_the_solutions_that_others_show() {
    assert_found(Mistake::DigitForgotten, 2_000, ConflictKind::Missed);
}

#[test]
fn a_missed_second_solution_is_found() {
    assert_found(Mistake::SecondMissed, 2_000, ConflictKind::Missed);
}

#[test]
fn a_missed_second_solution_that_takes_few_blanks_is_shrunk_by_filling() {
    assert_found(Mistake::FewBlanks, 2_000, ConflictKind::Missed);
}

#[test]
fn a_solution_shown_twice_is_found() {
    assert_found(Mistake::ShownTwice, 2_000, ConflictKind::Fault);
}

#[test]
fn giving_up_taken_for_no_solution_is_found() {
    assert_found(Mistake::GaveUpForUnsolvable, 40, ConflictKind::Missed);
}

#[test]
fn a_panic_is_an_answer_and_found() {
    let Some(finding) = finding(Mistake::Panics, 2_000) else { return };
    assert!(is_small(&finding) && kinds(&finding) == [ConflictKind::Fault], "{finding}");
    let AnswerKind::Fault(what) = finding.comparison().answers()[0].answer().kind() else { panic!("{finding}") };
    assert!(what.starts_with("panics: too many blanks"), "{what}");
}

#[test]
fn state_left_between_calls_is_found_with_the_puzzle_that_leaves_it() {
    let Some(finding) = finding(Mistake::StateLeft, 2_000) else { return };
    assert_eq!((finding.repeats(), finding.before().len()), (Repeats::After, 1), "{finding}");
    assert!(is_small(&finding) && finding.before()[0].board().given_count() < 10, "{finding}");
    // Asked in this order by participants that start anew, it comes again; without the first it does not.
    let mut again = check(Mistake::StateLeft, 2_000).unwrap();
    assert!(!again.compare(&finding.before()[0]).is_disagreement());
    assert!(again.compare(finding.smallest()).is_disagreement());
    assert!(!check(Mistake::StateLeft, 2_000).unwrap().compare(finding.smallest()).is_disagreement());
}

#[test]
fn whoever_gave_up_or_does_not_take_the_rules_agrees_with_nothing() {
    let limits = Limits::none().with_nodes(0);
    let mut check = Crosscheck::new().limits(limits);
    for name in ["one", "another"] {
        check = check.solver(name, || Broken::build(Mistake::None));
    }
    let comparison = check.compare(&Puzzle::new(PUZZLES[0].parse().unwrap()).unwrap());
    assert_eq!((comparison.claims(), comparison.is_disagreement()), (0, false));
    let summary = check.summary();
    assert_eq!((summary.compared, summary.not_compared, summary.participants[0].gave_up), (0, 1, 1));
}

#[test]
fn changed_puzzles_catch_a_mistake_that_no_partner_is_needed_for() {
    let mistake = Mistake::SecondMissed;
    let mut check = Crosscheck::new().solver("broken", move || Broken::build(mistake)).cap(3);
    let puzzle = Puzzle::new(TWO.parse().unwrap()).unwrap();
    assert!(!check.compare(&puzzle).is_disagreement());
    let found = (0..20).find_map(|seed| {
        check.change(Some(seed));
        check.puzzle(&puzzle).err()
    });
    let finding = found.expect("turned, it comes upon the other solution first");
    assert!(finding.changes().is_some(), "{finding}");
    assert_eq!(finding.changes().unwrap().1.len(), 1, "one change is enough: {finding}");
}
