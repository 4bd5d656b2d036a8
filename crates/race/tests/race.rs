//! What a race measures, with strategies that are honest and some that are not.

use std::ops::ControlFlow;
use std::time::Duration;

use ninefold::{CancelToken, Caps, Counter, CounterSet, End, Puzzle, RuleSupport, Search, Solver, Strategy};
use ninefold_race::{Answer, Entry, Known, Quantile, Question, Race, Set};

const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const OTHER: &str = "4.392.5.62783.5..95..14..238.15..94..24.9...89.74..6.......42.1...6.9.....5......";
const TWO: &str = "123434122.4.4.2.";

fn set(name: &str, puzzles: &[&str]) -> Set {
    let entry = |text: &&str| Entry { name: (*text).into(), puzzle: Puzzle::new(text.parse().unwrap()).unwrap(), known: None };
    Set { name: name.into(), entries: puzzles.iter().map(entry).collect() }
}

fn named(names: &[&str]) -> Vec<&'static Strategy> {
    names.iter().map(|name| ninefold::by_name(name).unwrap()).collect()
}

/// What a made-up strategy does after it has begun.
type Walk = fn(&Puzzle, &mut Search<'_>) -> ControlFlow<End>;

struct MadeUp(Walk);

impl Solver for MadeUp {
    fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
        let flow = search.begin(puzzle, &self.caps()).map_continue(|()| search.setup_done());
        Search::end(if flow.is_continue() { (self.0)(puzzle, search) } else { flow })
    }
}

/// Never ends by itself.
static ENDLESS: Strategy = Strategy {
    name: "endless",
    summary: "",
    caps: Caps::ALL,
    build: || {
        Box::new(MadeUp(|_, search| {
            loop {
                search.node()?;
            }
        }))
    },
};

/// Says that there is no solution.
static DENIER: Strategy =
    Strategy { name: "denier", summary: "", caps: Caps::ALL, build: || Box::new(MadeUp(|_, _| ControlFlow::Continue(()))) };

/// Reports the same solution of [`TWO`] twice.
static STUTTERER: Strategy = Strategy {
    name: "stutterer",
    summary: "",
    caps: Caps::ALL,
    build: || {
        Box::new(MadeUp(|puzzle, search| {
            let mut solver = (ninefold::by_name("dlx").unwrap().build)();
            let outcome = solver.solve(puzzle, &ninefold::Limits::none());
            let digits = outcome.solution().unwrap().as_bytes().to_vec();
            search.solution(puzzle, &digits)?;
            search.solution(puzzle, &digits)
        }))
    },
};

#[test]
fn the_same_order_costs_both_backtrackers_the_same_nodes() {
    let report = Race::new(named(&["backtracking", "state-array"])).run(&[set("one", &[EASY, OTHER])], &mut |_| ());
    let rows = report.rows(&report.sets[0]);
    for counter in [Counter::Nodes, Counter::Guesses, Counter::DeadEnds, Counter::Propagations, Counter::MaxDepth] {
        assert!(rows[0].counter(counter).unwrap() > 0);
        assert_eq!(rows[0].counter(counter), rows[1].counter(counter), "{}", counter.name());
    }
    assert_eq!((rows[0].answered, rows[0].gave_up, report.rounds), (2, 0, 5));
    assert_eq!((report.reached(), report.size()), (2, 2));
}

#[test]
fn what_was_given_up_is_never_fast() {
    let mut race = Race::new(vec![&ENDLESS, named(&["dlx"])[0]]);
    race.nodes_per_puzzle = Some(100_000);
    let report = race.run(&[set("one", &[EASY, OTHER])], &mut |_| ());
    assert!(report.disagreements.is_empty(), "giving up is no disagreement");
    let [endless, dlx] = &report.rows(&report.sets[0])[..] else { panic!() };
    assert_eq!((endless.answered, endless.gave_up, dlx.answered), (0, 2, 2));
    assert_eq!((endless.answers_per_second, endless.median, endless.without_guess), (None, Some(Quantile::Beyond), None));
    assert!(endless.time > Duration::ZERO && endless.relative.is_some());
    assert_eq!(dlx.relative, Some(1.0));
    assert!(matches!(dlx.max, Some(Quantile::Time(_))));
}

#[test]
fn rules_that_are_not_taken_are_in_no_sum() {
    let report = Race::new(named(&["bitboard", "dlx"])).run(&[set("mixed", &[EASY, TWO]), set("small", &[TWO])], &mut |_| ());
    let rows = report.rows(&report.sets[0]);
    assert_eq!((rows[0].puzzles, rows[0].answered, rows[0].unsupported, rows[0].gave_up), (2, 1, 1, 0));
    let small = &report.rows(&report.sets[1])[0];
    assert_eq!((small.unsupported, small.median, small.nodes(), small.relative), (1, None, None, None));
}

#[test]
fn a_strategy_that_denies_a_solution_is_found_out() {
    let report = Race::new(vec![&DENIER, named(&["dlx"])[0]]).run(&[set("one", &[EASY])], &mut |_| ());
    let [disagreement] = &report.disagreements[..] else { panic!() };
    assert_eq!((disagreement.set.as_str(), disagreement.puzzle.as_str()), ("one", EASY));
    assert!(disagreement.to_string().contains("denier says unsolvable"), "{disagreement}");
}

#[test]
fn a_solution_told_twice_is_found_out_where_all_are_asked_for() {
    let mut race = Race::new(vec![&STUTTERER, named(&["dlx"])[0]]);
    assert!(race.run(&[set("one", &[TWO])], &mut |_| ()).disagreements.is_empty());
    race.question = Question::Enumerate;
    assert_eq!(race.run(&[set("one", &[TWO])], &mut |_| ()).disagreements.len(), 1);
}

#[test]
fn what_the_source_says_is_held_against_the_answers() {
    let mut sets = [set("one", &[EASY])];
    let solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    for (answer, solution, agrees) in [
        (Answer::Unique, Some(solution.to_owned()), true),
        (Answer::Unique, Some(solution.replace('5', "x").replace('6', "5").replace('x', "6")), false),
        (Answer::Unique, None, true),
        (Answer::Multiple, None, false),
        (Answer::Unsolvable, None, false),
    ] {
        sets[0].entries[0].known = Some(Known { answer, solution: solution.map(|text| text.parse().unwrap()) });
        for question in Question::ALL {
            let mut race = Race::new(named(&["dlx"]));
            race.question = question;
            let found = race.run(&sets, &mut |_| ()).disagreements.len();
            // The first solution alone does not show that there are no more.
            let hidden = question == Question::Solve && answer == Answer::Multiple;
            assert_eq!(found == 0, agrees || hidden, "{answer:?} {question:?}");
        }
    }
}

#[test]
fn threads_and_seeds_change_times_alone() {
    let sets = [set("one", &[EASY, OTHER]), set("two", &[TWO, EASY])];
    let mut race = Race::new(named(&["state-array", "dlx", "bitboard"]));
    let counted = |race: &Race| {
        let report = race.run(&sets, &mut |_| ());
        assert!(report.disagreements.is_empty());
        let runs = report.sets.iter().flat_map(|set| set.runs.iter().flatten().map(|run| (run.answer, run.count, run.counters)));
        runs.collect::<Vec<_>>()
    };
    let first = counted(&race);
    race.threads = 3;
    race.seed = 7;
    assert_eq!(first, counted(&race));
    race.repeat = 0;
    assert_eq!(first, counted(&race));
}

#[test]
fn a_cancelled_race_reports_what_it_has() {
    let mut race = Race::new(named(&["dlx"]));
    race.cancel = CancelToken::new();
    let token = race.cancel.clone();
    let report = race.run(&[set("one", &[EASY, OTHER, EASY])], &mut |_| token.cancel());
    assert!(report.interrupted);
    assert_eq!((report.reached(), report.rounds), (1, 0));
    assert_eq!(report.rows(&report.sets[0])[0].answered, 1);
    race.cancel = CancelToken::new();
    race.total_time = Duration::ZERO;
    let report = race.run(&[set("one", &[EASY])], &mut |_| ());
    assert_eq!((report.interrupted, report.reached()), (false, 0));
}

#[test]
fn counters_that_are_not_kept_stay_unknown() {
    static SILENT: Strategy = Strategy {
        name: "silent",
        summary: "",
        caps: Caps { rules: RuleSupport::Any, counters: CounterSet::of(&[Counter::Conflicts]) },
        build: || Box::new(Silent),
    };
    struct Silent;
    impl Solver for Silent {
        fn caps(&self) -> Caps {
            SILENT.caps
        }

        fn search(&mut self, puzzle: &Puzzle, search: &mut Search<'_>) -> End {
            Search::end(search.begin(puzzle, &SILENT.caps))
        }
    }
    let report = Race::new(vec![&SILENT]).run(&[set("one", &["1...23...4......"])], &mut |_| ());
    let row = &report.rows(&report.sets[0])[0];
    assert_eq!((row.nodes(), row.without_guess, row.counter(Counter::Conflicts)), (None, None, Some(0)));
}

#[test]
fn hardness_is_compared_over_the_puzzles_that_both_take() {
    let race = Race::new(named(&["backtracking", "state-array", "bitboard"]));
    let report = race.run(&[set("one", &[EASY, TWO, OTHER])], &mut |_| ());
    assert!(report.correlation(0, 1).is_some());
    assert_eq!(report.correlation(0, 2), None, "two puzzles tell nothing");
}

#[test]
fn memory_is_told_where_the_program_can_measure_it() {
    let mut race = Race::new(named(&["dlx", "bitboard"]));
    assert_eq!(race.run(&[set("small", &[TWO])], &mut |_| ()).sets[0].peak_bytes, [None, None]);
    race.peak = Some(|work| {
        work();
        42
    });
    assert_eq!(
        race.run(&[set("small", &[TWO])], &mut |_| ()).sets[0].peak_bytes,
        [Some(42), None],
        "nothing was answered, nothing measured"
    );
}
