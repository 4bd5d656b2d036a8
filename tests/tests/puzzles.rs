//! One test for every strategy and named puzzle, for every strategy and set, and for every variant and named puzzle.

use libtest_mimic::{Arguments, Failed, Trial};
use ninefold::{Budget, Counter, End, Limits, Strategy};
use ninefold_tests::{Entry, named, set, set_names};

/// Steps after which a strategy may give up. Counted, not timed, so that the tests do the same on every machine; the hardest puzzle that
/// has to be answered takes less.
const STEPS: u64 = 60_000;

/// The same for puzzles that are there because a strategy gives up on them.
const HARD_STEPS: u64 = 5_000;

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for strategy in ninefold::all_variants() {
        for entry in named() {
            trials.push(Trial::test(format!("{}::named::{}", strategy.name, entry.name), move || check(strategy, &entry, STEPS)));
        }
    }
    for strategy in ninefold::strategies() {
        for name in set_names() {
            let steps = if name.starts_with("hard-for-") { HARD_STEPS } else { STEPS };
            let run = move || set(name).iter().try_for_each(|entry| check(strategy, entry, steps));
            trials.push(Trial::test(format!("{}::set::{name}", strategy.name), run));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// The count is the known one, up to a cap; or the strategy says that it gave up, after all the steps that it had, with no more
/// solutions than there are.
fn check(strategy: &Strategy, entry: &Entry, most: u64) -> Result<(), Failed> {
    let cap = if entry.exact { entry.count + 1 } else { entry.count };
    let outcome = (strategy.build)().count(&entry.puzzle, cap, &Limits::none().with_nodes(most));
    let complaint = |what: String| Err(format!("{} on {}: {what}", strategy.name, entry.name).into());
    let steps = outcome.counters().nodes().or(outcome.counters().get(Counter::Conflicts));
    match outcome.end() {
        End::Unsupported if strategy.caps.takes(entry.puzzle.rules()) => {
            complaint("rules it says it takes are unsupported".into())
        }
        End::Unsupported => Ok(()),
        End::OutOfBudget(Budget::Nodes) if steps == Some(most) && outcome.count() <= entry.count => Ok(()),
        End::Exhausted if entry.exact && outcome.count() == entry.count => match (&entry.solution, outcome.solution()) {
            (Some(known), Some(found)) if *known != found.to_string() => complaint(format!("{found} where {known} is known")),
            _ => Ok(()),
        },
        End::Stopped if !entry.exact && outcome.count() == entry.count => Ok(()),
        end => complaint(format!("{} solutions, {end:?}, where {} are known", outcome.count(), entry.count)),
    }
}
