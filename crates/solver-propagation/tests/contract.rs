//! The contract of every solver, for each row of this crate.

#[test]
fn every_variant_keeps_the_contract() {
    for strategy in ninefold_solver_propagation::STRATEGIES {
        ninefold_testkit::contract(strategy);
    }
}
