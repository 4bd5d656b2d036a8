//! The contract of every solver, for each row of this crate.

#[test]
fn every_variant_keeps_the_contract() {
    for strategy in ninefold_solver_state_array::STRATEGIES {
        ninefold_testkit::contract(strategy);
    }
}
