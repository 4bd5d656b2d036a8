//! Every variant keeps the contract that all strategies share.

use std::thread;

use ninefold_solver_sat::STRATEGIES;

#[test]
fn every_variant_keeps_the_contract() {
    thread::scope(|scope| {
        for strategy in STRATEGIES {
            scope.spawn(|| ninefold_testkit::contract(strategy));
        }
    });
}
