//! The contract of every solver, for every row of this crate.

use ninefold_solver_bitboard::STRATEGIES;
use ninefold_testkit::contract;

#[test]
fn the_default_keeps_the_contract() {
    contract(&STRATEGIES[0]);
}

#[test]
fn every_variant_keeps_the_contract() {
    for strategy in &STRATEGIES[1..] {
        contract(strategy);
    }
}

#[test]
fn the_portable_path_walks_the_same_tree() {
    let portable = STRATEGIES.iter().find(|row| row.name == "bitboard:portable").unwrap();
    ninefold_testkit::two_strategies_walk_one_tree(&STRATEGIES[0], portable);
}
