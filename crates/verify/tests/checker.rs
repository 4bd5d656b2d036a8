//! What the checker takes and what it refuses, on arguments written by hand.

use ninefold_core::{Claim, Puzzle};
use ninefold_verify::verify;

const HEAD: &str = "ninefold certificate 1\nside 4\nlines\nblocks 2x2\n";
const PUZZLE: &str = "123.34.22....32.";
const SOLUTION: &str = "1234341221434321";

/// The refusal of a text, with its line.
fn refusal(text: &str) -> String {
    match verify(text.as_bytes(), None) {
        Err(refusal) => refusal.to_string(),
        Ok(verified) => panic!("accepted as {} of {}", verified.claim, verified.board),
    }
}

/// The refusal of an argument about the puzzle, whose first line is line 8.
fn refusal_of(claim: &str, argument: &str) -> String {
    refusal(&format!("{HEAD}givens {PUZZLE}\nclaim {claim}\nproof\n{argument}"))
}

#[test]
fn the_rules_may_be_written_in_any_of_the_three_ways() {
    let argument = "r1c4=4 r2c3=1 r3c2=1 r3c3=4 r4c1=4 r4c4=1 r3c4=3\nsolution 1234341221434321\n";
    let houses: String = ninefold_core::Rules::blocks("2x2".parse().unwrap())
        .houses()
        .iter()
        .rev()
        .map(|house| format!("house {}\n", house.cells().iter().map(|cell| cell.label(4)).collect::<Vec<_>>().join(" ")))
        .collect();
    let puzzle = Puzzle::new(PUZZLE.parse().unwrap()).unwrap();
    for rules in ["lines\nblocks 2x2\n", "regions 1122112233443344\nlines\n", &houses] {
        let text =
            format!("# a remark\nninefold certificate 1\r\nside 4\n{rules}\ngivens {PUZZLE}\nclaim unique\nproof\n{argument}\n");
        let verified = verify(text.as_bytes(), Some(&puzzle)).unwrap_or_else(|refusal| panic!("{rules}: {refusal}"));
        assert_eq!((verified.claim, verified.steps, verified.leaves, verified.splits), (Claim::Unique, 7, 1, 0));
        assert_eq!(verified.solution.unwrap().to_string(), SOLUTION);
    }
}

#[test]
fn steps_have_to_be_forced() {
    assert_eq!(refusal_of("unique", "r3c4=3\n"), "line 8: `r3c4=3` is not forced: 1,3,4 is open");
    assert_eq!(refusal_of("unique", "r1c4=3\n"), "line 8: `r1c4=3` is not forced: 4 is open");
    assert_eq!(refusal_of("unique", "r3c3=4/h3\n"), "line 8: `r3c3=4/h3` is not forced: r3c3,r3c4 is open");
    assert_eq!(refusal_of("unique", "r1c1=1/h2\n"), "line 8: r1c1 is not in that house");
    assert_eq!(refusal_of("unique", "r1c1=1/h13\n"), "line 8: `h13` is no house that holds every digit");
    assert_eq!(refusal_of("unique", "r5c1=1\n"), "line 8: `r5c1` names no cell of a board of side 4");
    assert_eq!(refusal_of("unique", "r1c1=5\n"), "line 8: `5` is no digit of a board of side 4, or is twice");
    assert_eq!(refusal_of("unique", "because\n"), "line 8: `because` is no step, split, dead or solution");
}

#[test]
fn splits_have_to_divide_what_is_open() {
    let refused = "line 8: these are not two branches or more that divide 1,3,4";
    for branches in ["13", "1 3", "1 34 4", "134", "13 2 4", "1 3 4 2"] {
        assert_eq!(refusal_of("unique", &format!("split r3c4 {branches}\n")), refused, "{branches}");
    }
    assert_eq!(refusal_of("unique", "split r3c4 1 3 \n"), refused);
    assert_eq!(refusal_of("unique", "split r3c4 1 33 4\n"), "line 8: `3` is no digit of a board of side 4, or is twice");
    assert_eq!(refusal_of("unique", "split r1c4 4\n"), "line 8: these are not two branches or more that divide 4");
    assert_eq!(refusal_of("unique", "split r3c4 1 3 4\n"), "line 9: the text ends before every branch is settled");
}

#[test]
fn places_of_a_digit_split_as_candidates_do() {
    // The digit 1 has three places in row 3. Where it is not in r3c2, that cell has no candidate left.
    let rest = "r1c4=4 r2c3=1 r3c3=4 r4c1=4 r4c4=1 r3c4=3\nsolution 1234341221434321\ndead r3c2\n";
    let text = format!("{HEAD}givens {PUZZLE}\nclaim unique\nproof\nsplit h3=1 r3c2 r3c3,r3c4\n{rest}");
    let verified = verify(text.as_bytes(), None).unwrap();
    assert_eq!((verified.splits, verified.leaves), (1, 2));
    let refused = "line 8: these are not two branches or more that divide r3c2,r3c3,r3c4";
    for branches in ["r3c2 r3c3", "r3c2,r3c3,r3c4", "r3c2,r3c3 r3c3,r3c4", "r3c1 r3c2 r3c3,r3c4"] {
        assert_eq!(refusal_of("unique", &format!("split h3=1 {branches}\n{rest}")), refused, "{branches}");
    }
}

#[test]
fn leaves_have_to_be_what_they_say() {
    assert_eq!(refusal_of("unique", "dead r3c4\n"), "line 8: `r3c4` is not dead: 1,3,4 is open");
    assert_eq!(refusal_of("unique", "dead h1=4\n"), "line 8: `h1=4` is not dead: r1c4 is open");
    let early = format!("solution {SOLUTION}\n");
    assert_eq!(refusal_of("unique", &early), "line 8: this does not settle r3c3, where 1,4 is open");
    assert_eq!(refusal_of("unique", "solution 1234\n"), "line 8: 4 characters where the board has 16 cells");
}

#[test]
fn the_count_of_solutions_has_to_be_the_claim() {
    let argument = format!("r1c4=4 r2c3=1 r3c2=1 r3c3=4 r4c1=4 r4c4=1 r3c4=3\nsolution {SOLUTION}\n");
    assert_eq!(refusal_of("unsolvable", &argument), "line 10: the tree has 1 solutions, and the claim is unsolvable");
    assert_eq!(refusal_of("count=2", &argument), "line 10: the tree has 1 solutions, and the claim is count=2");
    assert_eq!(refusal_of("two", &argument), "line 6: `two` is no claim: `unsolvable`, `unique` or `count=N`");
    let more = format!("{argument}dead r1c1\n");
    assert_eq!(refusal_of("unique", &more), "line 10: every branch is settled, and yet there is more");
}

#[test]
fn a_house_smaller_than_the_side_proves_nothing_by_its_places() {
    let text = "ninefold certificate 1\nside 2\nhouse r1c1\nhouse r1c1 r1c2\ngivens ....\nclaim unsolvable\nproof\n";
    assert_eq!(refusal(&format!("{text}split h1=1 r1c1\n")), "line 8: `h1` is no house that holds every digit");
    assert_eq!(refusal(&format!("{text}dead h1=1\n")), "line 8: `h1` is no house that holds every digit");
    assert_eq!(refusal(&format!("{text}dead h2=1\n")), "line 8: `h2=1` is not dead: r1c1,r1c2 is open");
}

#[test]
fn clashing_givens_are_dead_at_once() {
    let text = format!("{HEAD}givens 11..............\nclaim unsolvable\nproof\ndead r1c1\n");
    assert_eq!(verify(text.as_bytes(), None).unwrap().claim, Claim::Unsolvable);
}

#[test]
fn restrictions_are_part_of_the_puzzle() {
    let text = format!("{HEAD}givens {PUZZLE}\nallow r3c4 14\nclaim unsolvable\nproof\nr1c4=4 r3c2=1\ndead r3c4\n");
    assert_eq!(verify(text.as_bytes(), None).unwrap().claim, Claim::Unsolvable);
    let puzzle = Puzzle::new(PUZZLE.parse().unwrap()).unwrap();
    let refusal = verify(text.as_bytes(), Some(&puzzle)).unwrap_err();
    assert_eq!(refusal.message, "the certificate is about another puzzle, or other rules");
}

#[test]
fn what_is_no_certificate_is_told_apart_from_a_wrong_one() {
    for text in ["", "\n\n", "p cnf 1 1\n", "ninefold certificate 2\n", "\u{e9}\n"] {
        let refusal = verify(text.as_bytes(), None).unwrap_err();
        assert!(!refusal.is_certificate, "{text}");
        assert_eq!(refusal.message, "the first line of a certificate is `ninefold certificate 1`");
    }
    for head in ["side 0", "side 65", "sides 4", "side 4\nblocks 3x3\ngivens .", "side 4\nlines\ngivens 1", "side 4\nboxes 2x2"] {
        let text = format!("ninefold certificate 1\n{head}\n");
        assert!(verify(text.as_bytes(), None).unwrap_err().is_certificate, "{head}");
    }
}
