//! What is written reads back as what it was, in every format that can express it.

use std::fmt::Write as _;

use ninefold_core::{BlockShape, Board, Cell, Digit, DigitSet, HouseKind, MAX_SIDE, Puzzle, Rules};
use ninefold_formats::{Count, Entry, Format, Options, Record, Symbols, read, write};
use proptest::prelude::*;

/// A puzzle with all that a format may keep.
#[derive(Clone, Debug)]
struct Owned {
    board: Board,
    restrictions: Option<Vec<DigitSet>>,
    solution: Option<Board>,
    state: Option<Board>,
    count: Option<Count>,
    rating: Option<String>,
    name: Option<String>,
    comment: Option<String>,
}

impl Owned {
    fn record(&self) -> Record<'_> {
        Record {
            restrictions: self.restrictions.as_deref(),
            solution: self.solution.as_ref(),
            state: self.state.as_ref(),
            count: self.count,
            rating: self.rating.as_deref(),
            name: self.name.as_deref(),
            comment: self.comment.as_deref(),
            ..Record::new(&self.board)
        }
    }
}

/// Every kind of rules: blocks of every shape, jigsaws, blocks with diagonals.
fn any_rules(max_side: usize) -> impl Strategy<Value = Rules> {
    let blocks = (1..=max_side).prop_flat_map(|side| {
        let shapes: Vec<BlockShape> = BlockShape::all_for(side).collect();
        prop::sample::select(shapes).prop_map(Rules::blocks)
    });
    // The cells in the order in which a snake walks over the board, cut into regions anywhere.
    let jigsaw = (2..=max_side, 0..max_side).prop_map(|(side, shift)| {
        let snake = |row: usize, column: usize| row * side + if row.is_multiple_of(2) { column } else { side - 1 - column };
        let map: Vec<usize> = (0..side * side).map(|i| (snake(i / side, i % side) + shift) / side % side).collect();
        Rules::jigsaw(&map).unwrap()
    });
    let diagonal = (2..=max_side.min(8)).prop_map(|root| {
        let side = root;
        let cells = (0..side).filter_map(move |i| Cell::new(i * (side + 1)));
        Rules::builder(side)
            .rows_and_columns()
            .block_houses(BlockShape::new(1, side).unwrap())
            .house(HouseKind::Extra("main diagonal".into()), cells)
            .build()
            .unwrap()
    });
    // Boards with what can be added to them.
    let board = prop_oneof![
        (1..=max_side).prop_map(|side| format!("latin:{side}")),
        Just("jigsaw:1112132233243444".to_owned()),
        prop::sample::select(vec!["2x2", "2x3", "3x3"]).prop_map(str::to_owned),
    ];
    let parts = vec!["diagonals", "windows", "disjoint-groups", "anti-knight", "anti-king", "house:r1c1", "house a b:r1c1"];
    let named = (board, prop::sample::subsequence(parts, 1..4)).prop_map(|(board, parts)| {
        let name = [vec![board.as_str()], parts].concat().join("+");
        name.parse().unwrap_or_else(|_| board.parse().unwrap())
    });
    prop_oneof![4 => blocks, 2 => jigsaw, 1 => diagonal, 4 => named, 4 => Just(Rules::classic().clone())]
}

fn any_board(rules: &Rules) -> impl Strategy<Value = Board> + use<> {
    let rules = rules.clone();
    let side = rules.side() as u8;
    // From empty to full.
    (0..=100u8).prop_flat_map(move |fullness| {
        let rules = rules.clone();
        let cell = (0..100u8, 1..=side).prop_map(move |(dice, digit)| if dice < fullness { digit } else { 0 });
        prop::collection::vec(cell, rules.cell_count()).prop_map(move |bytes| Board::from_bytes(&rules, &bytes).unwrap())
    })
}

fn full_board(rules: &Rules) -> impl Strategy<Value = Board> + use<> {
    let rules = rules.clone();
    let side = rules.side() as u8;
    prop::collection::vec(1..=side, rules.cell_count()).prop_map(move |bytes| Board::from_bytes(&rules, &bytes).unwrap())
}

fn any_puzzle(max_side: usize) -> impl Strategy<Value = Owned> {
    any_rules(max_side).prop_flat_map(|rules| {
        let count = rules.cell_count();
        let sets = prop::collection::vec(any::<u64>().prop_map(DigitSet::from_bits), count);
        let text = "[a-z]{3,8}( [a-z0-9,;'\"<>&]{1,8}){0,3}";
        (
            any_board(&rules),
            prop::option::of(sets),
            prop::option::of(full_board(&rules)),
            prop::option::of(full_board(&rules)),
            prop::option::of((any::<u64>(), any::<bool>()).prop_map(|(found, exact)| Count { found, exact })),
            prop::option::of("[0-9]{1,2}\\.[0-9]{1,2}|[1-9][0-9]{0,3}"),
            prop::option::of(text),
            prop::option::of(text),
        )
            .prop_map(|(board, sets, solution, state, count, rating, name, comment)| {
                let all = DigitSet::all(board.rules().side());
                // A state extends the givens.
                let state = state.map(|mut state| {
                    for (cell, digit) in board.givens() {
                        state.set(cell, Some(digit));
                    }
                    state
                });
                let restrictions = sets.map(|sets| {
                    sets.iter()
                        .zip(board.as_bytes())
                        .map(|(set, byte)| Digit::new(*byte).map_or(set.intersection(all), DigitSet::of))
                        .collect()
                });
                Owned { board, restrictions, solution, state, count, rating, name, comment }
            })
    })
}

/// The restrictions as a solver sees them: `None` where they restrict nothing.
fn restrictions(board: &Board, sets: Option<&[DigitSet]>) -> Option<Vec<DigitSet>> {
    let all = DigitSet::all(board.rules().side());
    let blanks: Vec<DigitSet> = sets?.iter().zip(board.as_bytes()).filter(|(_, byte)| **byte == 0).map(|(set, _)| *set).collect();
    blanks.iter().any(|set| *set != all).then_some(blanks)
}

/// The options under which a text of these rules reads back: the rules unless the text says them, and the symbols, since a board with
/// letters alone says nothing about where they count from.
fn options(format: Format, rules: &Rules, forced: bool) -> Options {
    use Format::{Csv, Jigsaw, JigsawLine, Json, JsonLines};
    let says_rules = matches!(format, Csv | Jigsaw | JigsawLine | Json | JsonLines) || rules.is_classic();
    let options = if says_rules { Options::new() } else { Options::new().rules(rules.clone()) };
    let options = options.symbols(Symbols::FromOne);
    if forced { options.format(format) } else { options }
}

fn read_back(format: Format, rules: &Rules, text: &[u8], forced: bool) -> Vec<Entry> {
    read(text, &options(format, rules, forced))
        .map(|entry| {
            entry.unwrap_or_else(|error| panic!("{format}: {error} at {}\n{}", error.position(), String::from_utf8_lossy(text)))
        })
        .collect()
}

/// What a format keeps beside the board.
fn check_notes(format: Format, owned: &Owned, entry: &Entry) {
    let keeps = |formats: &[Format]| formats.contains(&format);
    let mut lost = String::new();
    let mut check = |kept: bool, what: &str, same: bool| {
        if kept && !same {
            let _ = write!(lost, " {what}");
        }
    };
    use Format::{Counted, Csv, Hodoku, JigsawLine, Json, JsonLines, Line, OpenSudoku, Sdk};
    check(keeps(&[Counted, Csv, Json, JsonLines, JigsawLine]), "solution", entry.solution() == owned.solution.as_ref());
    check(keeps(&[Counted, Csv, Json, JsonLines]), "count", entry.count() == owned.count);
    check(keeps(&[Json, JsonLines, Sdk]), "state", entry.state() == owned.state.as_ref());
    check(keeps(&[Line, Counted, Csv, Json, JsonLines, JigsawLine, Sdk]), "rating", entry.rating() == owned.rating.as_deref());
    check(keeps(&[Csv, Json, JsonLines, Sdk, Hodoku]), "name", entry.name() == owned.name.as_deref());
    let comment = keeps(&[Line, Counted, Csv, Json, JsonLines, JigsawLine, Sdk, OpenSudoku, Hodoku]);
    check(comment, "comment", entry.comment() == owned.comment.as_deref());
    assert_eq!(lost, "", "{format} lost{lost} of {owned:?}: {entry:?}");
}

fn check(owned: &Owned) {
    let rules = owned.board.rules();
    for &format in Format::ALL {
        let Ok(text) = write(format, [owned.record()]) else { continue };
        let entries = read_back(format, rules, &text, true);
        assert_eq!(entries.len(), 1, "{format}\n{}", String::from_utf8_lossy(&text));
        let entry = &entries[0];
        assert_eq!(entry.board(), &owned.board, "{format}\n{}", String::from_utf8_lossy(&text));
        assert_eq!(
            restrictions(entry.board(), entry.restrictions()),
            restrictions(&owned.board, owned.restrictions.as_deref()),
            "{format}"
        );
        check_notes(format, owned, entry);
        // Once more: what was read writes the same text.
        let again = write(format, [entry.record()]).expect("it was written before");
        assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&text), "{format}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn every_format_gives_back_what_it_was_given(owned in any_puzzle(12)) {
        check(&owned);
    }

    #[test]
    fn several_boards_of_one_kind_come_back_in_order(
        (rules, boards) in any_rules(9).prop_flat_map(|rules| {
            let boards = prop::collection::vec(any_board(&rules), 1..5);
            (Just(rules), boards)
        })
    ) {
        for &format in Format::ALL {
            let Ok(text) = write(format, boards.iter().map(Record::new)) else { continue };
            let entries = read_back(format, &rules, &text, true);
            let read: Vec<&Board> = entries.iter().map(Entry::board).collect();
            prop_assert_eq!(read, boards.iter().collect::<Vec<_>>(), "{}\n{}", format, String::from_utf8_lossy(&text));
        }
    }

    #[test]
    fn the_format_is_found_by_the_content(owned in any_puzzle(9)) {
        let rules = owned.board.rules();
        // A jigsaw whose rules must be named, or a board of side 1 to 3, says too little.
        if !rules.is_classic() {
            return Ok(());
        }
        for &format in Format::ALL {
            let Ok(text) = write(format, [Record::new(&owned.board)]) else { continue };
            // Nothing but candidates for all cells, or a row of them, has no mark of its own.
            let entries = read_back(format, rules, &text, false);
            prop_assert_eq!(entries.len(), 1, "{}\n{}", format, String::from_utf8_lossy(&text));
            prop_assert_eq!(entries[0].board(), &owned.board, "{}\n{}", format, String::from_utf8_lossy(&text));
        }
    }
}

#[test]
fn every_side_and_block_shape_comes_back() {
    for side in 1..=MAX_SIDE {
        for shape in BlockShape::all_for(side) {
            let rules = Rules::blocks(shape);
            let bytes: Vec<u8> = (0..side * side).map(|i| (i * 7 % (side + 1)) as u8).collect();
            let board = Board::from_bytes(&rules, &bytes).unwrap();
            for &format in Format::ALL {
                let Ok(text) = write(format, [Record::new(&board)]) else { continue };
                let entries = read_back(format, &rules, &text, true);
                assert_eq!(entries.len(), 1, "{format} {shape}");
                assert_eq!(entries[0].board(), &board, "{format} {shape}");
            }
        }
    }
}

#[test]
fn boards_with_square_blocks_need_no_options() {
    for root in 1..=8 {
        let side = root * root;
        let rules = Rules::blocks(BlockShape::new(root, root).unwrap());
        // Every digit occurs and no row looks like another.
        let bytes: Vec<u8> = (0..side * side).map(|i| ((i * 7 + i / side * 3) % (side + 1)) as u8).collect();
        let board = Board::from_bytes(&rules, &bytes).unwrap();
        for &format in Format::ALL {
            // A cube of characters is taken for pencil marks only where no line has so many cells.
            if format == Format::PencilLine && side != 9 || side == 1 {
                continue;
            }
            let Ok(text) = write(format, [Record::new(&board)]) else { continue };
            let entries: Vec<_> = read(&text, &Options::new()).collect();
            assert_eq!(entries.len(), 1, "{format} {side}: {entries:?}\n{}", String::from_utf8_lossy(&text));
            let entry = entries[0].as_ref().unwrap_or_else(|error| {
                panic!("{format} {side}: {error} at {}\n{}", error.position(), String::from_utf8_lossy(&text))
            });
            assert_eq!(entry.board(), &board, "{format} {side}");
        }
    }
}

#[test]
fn a_puzzle_with_pencil_marks_is_the_same_puzzle_again() {
    let board: Board = "12..34..........".parse().unwrap();
    let mut sets = vec![DigitSet::all(4); 16];
    sets[2].remove(Digit::new(3).unwrap());
    for (cell, digit) in board.givens() {
        sets[cell.index()] = DigitSet::of(digit);
    }
    sets[2].insert(Digit::new(1).unwrap());
    let puzzle = Puzzle::with_candidates(board, &sets).unwrap();
    let mut written = 0;
    for &format in Format::ALL {
        let Ok(text) = write(format, [Record::from(&puzzle)]) else { continue };
        written += 1;
        let entry = read(&text, &Options::new().format(format).rules(puzzle.rules().clone())).next().unwrap().unwrap();
        assert_eq!(entry.puzzle().unwrap(), puzzle, "{format}");
    }
    // JSON, JSON lines, and both kinds of pencil marks.
    assert_eq!(written, 4);
}
