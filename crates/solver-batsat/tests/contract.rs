//! Every variant keeps the contract that all strategies share.

use ninefold_solver_batsat::STRATEGIES;

#[test]
fn every_variant_keeps_the_contract() {
    // One after the other: side by side they would take each other's time, of which the contract allows only so much.
    for strategy in STRATEGIES {
        ninefold_testkit::contract(strategy);
    }
}
