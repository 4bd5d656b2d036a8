//! Certificates of every strategy are accepted, and none that was tampered with is, unless it is still right.

use ninefold::certify::{self, CertifyError, ProofFormat};
use ninefold::{Board, Budget, CancelToken, Cell, Claim, Digit, DigitSet, HouseKind, Limits, Puzzle, Rules};
use ninefold_testkit::Random;
use ninefold_tests::certificates::{Fate, Silent, TAMPERINGS, fate, tamper};
use ninefold_tests::{lrat, named, set};
use ninefold_verify::verify;

const HARD: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
const NONE: &str = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";

fn puzzle(text: &str) -> Puzzle {
    Puzzle::new(text.parse().unwrap()).unwrap()
}

fn own_tree(puzzle: &Puzzle, claim: Claim) -> Result<String, CertifyError> {
    let mut text = Vec::new();
    let tree = certify::tree(&mut Silent, puzzle, claim, &Limits::none(), &mut text)?;
    assert_eq!((tree.bytes, tree.own_splits, tree.leaves), (text.len() as u64, tree.splits, tree.splits + 1));
    Ok(String::from_utf8(text).unwrap())
}

/// Boards of all kinds of rules, with one solution, several or none.
fn boards() -> Vec<(String, Puzzle, u64)> {
    let mut boards: Vec<(String, Puzzle, u64)> = ["minimal", "multiple", "none", "6x6", "8x8", "12x12", "jigsaw"]
        .iter()
        .flat_map(|name| set(name).into_iter().take(4))
        .chain(named())
        .filter(|entry| entry.exact && entry.count <= 200 && entry.puzzle.rules().side() <= 12)
        .map(|entry| (entry.name, entry.puzzle, entry.count))
        .collect();
    // Houses that are smaller than the side, and cells that are restricted.
    let diagonal = |step: usize, first: usize| (0..4).map(move |i| Cell::new(first + step * i).unwrap());
    let rules = Rules::builder(4)
        .rows_and_columns()
        .house(HouseKind::Extra("diagonal".into()), diagonal(5, 0))
        .house(HouseKind::Extra("pair".into()), [Cell::new(1).unwrap(), Cell::new(7).unwrap()])
        .build()
        .unwrap();
    let mut sets = vec![DigitSet::all(4); 16];
    sets[15] = DigitSet::from_bits(0b0110);
    for digit in 1..=4 {
        let mut board = Board::empty(&rules);
        board.set(Cell::new(0).unwrap(), Digit::new(1));
        board.set(Cell::new(6).unwrap(), Digit::new(digit));
        if let Ok(puzzle) = Puzzle::with_candidates(board, &sets) {
            let count = brute_force(&puzzle);
            boards.push((format!("latin with houses and restrictions {digit}"), puzzle, count));
        }
    }
    sets[5] = DigitSet::EMPTY;
    let empty = Puzzle::with_candidates(Board::empty(&rules), &sets).unwrap();
    boards.push(("a cell that may hold nothing".into(), empty, 0));
    boards
}

/// Counts solutions by trying every digit in every cell.
fn brute_force(puzzle: &Puzzle) -> u64 {
    fn fill(puzzle: &Puzzle, board: &mut Board, from: usize) -> u64 {
        let Some(cell) = Cell::new(from).filter(|_| from < puzzle.rules().cell_count()) else { return 1 };
        let mut count = 0;
        for digit in puzzle.allowed(cell) {
            if puzzle.rules().peers(cell).iter().all(|peer| board.get(*peer) != Some(digit)) {
                let before = board.get(cell);
                board.set(cell, Some(digit));
                count += fill(puzzle, board, from + 1);
                board.set(cell, before);
            }
        }
        count
    }
    fill(puzzle, &mut puzzle.board().clone(), 0)
}

#[test]
fn trees_of_every_strategy_are_accepted_on_boards_of_every_kind() {
    for (name, puzzle, count) in boards() {
        let claim = Claim::of(count);
        let own = own_tree(&puzzle, claim).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(verify(own.as_bytes(), Some(&puzzle)).unwrap().claim, claim, "{name}");
        for strategy in ninefold::strategies().into_iter().filter(|strategy| strategy.caps.takes(puzzle.rules())) {
            // The plain backtrackers take long where the givens come late.
            let limits = Limits::none().with_nodes(50_000);
            let mut text = Vec::new();
            match certify::tree(&mut *(strategy.build)(), &puzzle, claim, &limits, &mut text) {
                Ok(tree) => {
                    let verified = verify(&text[..], Some(&puzzle)).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
                    assert_eq!((verified.claim, verified.splits), (claim, tree.splits), "{name} by {}", strategy.name);
                    assert_eq!((verified.leaves, verified.steps), (tree.leaves, tree.steps), "{name} by {}", strategy.name);
                }
                Err(CertifyError::GaveUp(Budget::Nodes)) => {}
                Err(error) => panic!("{name} by {}: {error}", strategy.name),
            }
        }
    }
}

#[test]
fn variants_of_the_strategies_give_trees_too() {
    let puzzle = puzzle(HARD);
    for strategy in ninefold::all_variants().filter(|strategy| strategy.caps.takes(puzzle.rules())) {
        // Some variants of the plain backtrackers take long.
        let (limits, mut text) = (Limits::none().with_nodes(50_000), Vec::new());
        match certify::tree(&mut *(strategy.build)(), &puzzle, Claim::Unique, &limits, &mut text) {
            Ok(_) => assert!(verify(&text[..], Some(&puzzle)).is_ok(), "{}", strategy.name),
            Err(CertifyError::GaveUp(Budget::Nodes)) => {}
            Err(error) => panic!("{}: {error}", strategy.name),
        }
    }
}

#[test]
fn the_branching_is_that_of_the_strategy() {
    let puzzle = puzzle(HARD);
    let own = |name: &str| {
        let strategy = ninefold::by_name(name)?;
        let mut sink = Vec::new();
        let tree = certify::tree(&mut *(strategy.build)(), &puzzle, Claim::Unique, &Limits::none(), &mut sink).unwrap();
        Some((tree.splits, tree.own_splits))
    };
    // Singles are all that these strategies know, or less than that.
    for name in ["propagation", "propagation:cells", "dlx", "backtracking", "state-array"] {
        if let Some((splits, own)) = own(name) {
            assert!(splits > 0 && own == 0, "{name}: {own} of {splits}");
        }
    }
    // This one reasons with whole bands, so some gaps are closed by the writer.
    if let Some((splits, own)) = own("bitboard") {
        assert!(splits > own, "{own} of {splits}");
    }
}

#[test]
fn false_claims_get_no_certificate() {
    let too_many = |error| matches!(error, Err(CertifyError::TooMany(_)));
    assert!(too_many(own_tree(&puzzle(HARD), Claim::Unsolvable)));
    assert!(too_many(own_tree(&puzzle("12.. .... .... ...."), Claim::Unique)));
    assert!(matches!(own_tree(&puzzle(NONE), Claim::Unique), Err(CertifyError::TooFew(0))));
    assert!(matches!(own_tree(&puzzle(HARD), Claim::Count(2)), Err(CertifyError::TooFew(1))));
    assert_eq!(verify(own_tree(&puzzle("123. 34.2 2... .32."), Claim::Count(1)).unwrap().as_bytes(), None).unwrap().leaves, 1);
}

#[test]
fn proofs_of_the_strategy_sat_are_accepted_and_broken_ones_refused() {
    for (name, puzzle, count) in boards().into_iter().filter(|(_, puzzle, _)| puzzle.rules().side() <= 9) {
        let Some(strategy) = ninefold::by_name("sat") else { return };
        let (known, _) = (strategy.build)().solutions(&puzzle, count + 1, &Limits::none());
        let (mut cnf, mut proof) = (Vec::new(), Vec::new());
        certify::formula(&puzzle, &known, ProofFormat::Lrat, &Limits::none(), &mut cnf, &mut proof).unwrap();
        let (cnf, proof) = (String::from_utf8(cnf).unwrap(), String::from_utf8(proof).unwrap());
        lrat::check(&cnf, &proof).unwrap_or_else(|line| panic!("{name}: {line}"));
        let mut lines: Vec<&str> = proof.lines().collect();
        lines.pop();
        assert!(lrat::check(&cnf, &lines.join("\n")).is_err(), "{name}: without the empty clause");
        // Without the clause that forbids a solution, the last one in the file, the proof would be of something false.
        if count > 0 && proof.len() > 1000 {
            let cut = cnf.trim_end().rsplit_once('\n').unwrap().0;
            assert!(lrat::check(cut, &proof).is_err(), "{name}: without a known solution");
        }
    }
}

#[test]
fn limits_end_the_writer() {
    let token = CancelToken::new();
    token.cancel();
    for (limits, budget) in
        [(Limits::none().with_nodes(3), Budget::Nodes), (Limits::none().with_cancel(token), Budget::Cancelled)]
    {
        let mut out = Vec::new();
        let result = certify::tree(&mut Silent, &puzzle(HARD), Claim::Unique, &limits, &mut out);
        match result {
            Err(CertifyError::GaveUp(found)) => assert_eq!(found, budget),
            other => panic!("{other:?}"),
        }
        assert!(verify(&out[..], None).is_err());
    }
}

#[test]
fn certificates_of_other_puzzles_and_rules_are_refused() {
    let text = own_tree(&puzzle(HARD), Claim::Unique).unwrap();
    let diagonal = Rules::builder(9)
        .rows_and_columns()
        .block_houses("3x3".parse().unwrap())
        .house(HouseKind::Extra("diagonal".into()), (0..9).map(|i| Cell::new(10 * i).unwrap()))
        .build()
        .unwrap();
    let other_rules = Puzzle::new(Board::from_bytes(&diagonal, puzzle(HARD).board().as_bytes()).unwrap()).unwrap();
    let mut sets = vec![DigitSet::all(9); 81];
    sets[1].remove(Digit::new(1).unwrap());
    let restricted = Puzzle::with_candidates(puzzle(HARD).board().clone(), &sets).unwrap();
    for other in [puzzle(NONE), puzzle("1... .... ...2 ...."), other_rules, restricted] {
        let refusal = verify(text.as_bytes(), Some(&other)).unwrap_err();
        assert_eq!(refusal.message, "the certificate is about another puzzle, or other rules");
    }
    assert!(verify(text.as_bytes(), Some(&puzzle(HARD))).is_ok());
}

#[test]
fn few_steps_before_a_contradiction_could_be_left_out() {
    let text = own_tree(&puzzle(HARD), Claim::Unique).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (mut needed, mut spare) = (0, 0);
    for (i, line) in lines.iter().enumerate().filter(|(i, _)| lines.get(i + 1).is_some_and(|next| next.starts_with("dead"))) {
        if !line.starts_with('r') {
            continue;
        }
        for word in 0..line.split(' ').count() {
            let rest: Vec<&str> = line.split(' ').enumerate().filter(|(j, _)| *j != word).map(|(_, word)| word).collect();
            let rest = rest.join(" ");
            let mut lines = lines.clone();
            lines[i] = &rest;
            match verify(lines.join("\n").as_bytes(), None) {
                Err(_) => needed += 1,
                // What the step removed, a later one removes too.
                Ok(_) => spare += 1,
            }
        }
    }
    assert!(needed > 50 && needed > 10 * spare, "{needed} needed, {spare} not");
}

#[test]
fn what_was_tampered_with_is_refused_or_still_right() {
    let mut random = Random::new(6);
    let small =
        ["12.. .... .... ....", "12.. 34.. 21.. 43..", "1... ...2 3... ...."].map(|text| (text, brute_force(&puzzle(text))));
    let texts: Vec<String> = [(HARD, 1), (NONE, 0)]
        .into_iter()
        .chain(small)
        .map(|(text, count)| own_tree(&puzzle(text), Claim::of(count)).unwrap())
        .collect();
    let (mut refused, mut right) = (0, 0);
    for i in 0..1600 {
        let way = i % TAMPERINGS.len();
        let text = &texts[random.below(texts.len())];
        let tampered = tamper(text, way, &mut random);
        match fate(&tampered) {
            Fate::Refused(_) => refused += 1,
            Fate::True(_) => right += 1,
            Fate::False(verified) => {
                panic!("`{}` made a certificate that {} is {}, which is false", TAMPERINGS[way], verified.board, verified.claim)
            }
        }
    }
    assert!(refused > 2 * right, "{refused} refused, {right} still right");
}

#[test]
fn any_bytes_end_in_an_answer() {
    let mut random = Random::new(7);
    let words = [
        "ninefold certificate 1",
        "side 9",
        "side 64",
        "side 65",
        "side -1",
        "lines",
        "blocks 3x3",
        "blocks 8x8",
        "regions 1",
        "house r1c1 r1c2",
        "house r1c1 r1c1",
        "givens .",
        "claim unique",
        "claim count=18446744073709551615",
        "proof",
        "split r1c1 1 2",
        "split h1=1 r1c1 r1c2",
        "dead r1c1",
        "dead h1=1",
        "solution 1",
        "r1c1=1",
        "r1c1=1/h1",
        "r0c0=0/h0",
        "r99999999999999999999c1=1",
        "split",
        "dead",
        "=",
        "/",
        "#",
        "\r",
        "\0",
        "é",
        "allow r1c1",
        "allow r1c1 12",
        " ",
    ];
    for _ in 0..2000 {
        let mut text = String::from("ninefold certificate 1\n");
        for _ in 0..random.below(20) {
            text += words[random.below(words.len())];
            text += ["\n", " ", ""][random.below(3)];
        }
        let _ = verify(text.as_bytes(), None);
        let noise: Vec<u8> = (0..random.below(200)).map(|_| random.below(256) as u8).collect();
        assert!(verify(&noise[..], None).is_err());
    }
    let endless = vec![b'x'; 1 << 20];
    assert!(verify(&endless[..], None).is_err());
    let mut long_line = b"ninefold certificate 1\nside 9\nhouse ".to_vec();
    long_line.extend(b"r1c1 ".repeat(1 << 18));
    assert!(verify(&long_line[..], None).unwrap_err().message.contains("bytes or more"));
}

#[test]
fn deep_trees_need_no_deep_stack() {
    // Every split takes one candidate away, as deep as a board of side 16 allows.
    let side = 16;
    let mut text = format!("ninefold certificate 1\nside {side}\ngivens {}\nclaim unsolvable\nproof\n", ".".repeat(side * side));
    let digits: String = DigitSet::all(side).iter().map(Digit::symbol).collect();
    for cell in 0..side * side {
        let label = Cell::new(cell).unwrap().label(side);
        for i in 1..side - 1 {
            text += &format!("split {label} {} {}\n", &digits[i..], &digits[i - 1..i]);
        }
    }
    let refusal = verify(text.as_bytes(), None).unwrap_err();
    assert_eq!(refusal.message, "the text ends before every branch is settled");
}
