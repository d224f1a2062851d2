//! Counts that are known from elsewhere, or from enumeration.

use super::super::tests::{propnet, space};
use super::*;
use crate::catalog::{GameSource, Origin};
use crate::engine::{LoadReport, check_rules};
use crate::generate::{BreakthroughSize, ConnectFourSize, KolibratSize, Size};
use crate::util::StopFlag;

const MIB: u64 = 1 << 20;

fn ground(text: &str) -> Ground {
    let source = GameSource {
        name: "game".to_owned(),
        text: text.to_owned(),
        diagnostics: Vec::new(),
        origin: Origin::Shipped,
    };
    let rules = check_rules(&source, &StopFlag::default(), &mut LoadReport::default());
    crate::ground::ground(&rules.unwrap(), &Default::default()).unwrap()
}

fn symbolic(
    text: &str,
    options: &SymbolicOptions<'_>,
) -> Result<SymbolicCounts, Box<UnfinishedCount>> {
    count_symbolically(&propnet("game", text), &ground(text), options)
}

fn counts(text: &str, threads: u32) -> SymbolicCounts {
    let options = SymbolicOptions {
        threads,
        deadline: &Deadline::default(),
        most_bytes: 64 * MIB,
        on_ply: &|_| {},
    };
    symbolic(text, &options).unwrap()
}

#[test]
fn tic_tac_toe_has_its_5478_positions() {
    let text = GameSource::find("tictactoe").unwrap().text;
    for threads in [1, 2] {
        let counts = counts(&text, threads);
        let by_ply = [1_u32, 9, 72, 252, 756, 1_260, 1_520, 1_140, 390, 78];
        assert_eq!(counts.by_ply, by_ply.map(BigUint::from));
        assert_eq!(counts.terminal, 958_u32.into());
        assert_eq!(counts.variables, 19);
    }
}

/// The number of legal positions by John Tromp.
#[test]
fn connect_four_has_the_positions_of_tromps_table() {
    let size = ConnectFourSize {
        width: 4,
        height: 4,
    };
    let counts = counts(&size.rule_file().unwrap(), 1);
    assert_eq!(counts.states(), 161_029_u32.into());
}

/// Cycles, moves that change much, pieces that are counted, several roles that choose at the same time.
#[test]
fn counts_are_those_of_enumeration() {
    let shipped = ["fakelogic", "nim", "rock-paper-scissors"];
    let shipped = shipped.map(|name| GameSource::find(name).unwrap().text);
    let kolibrat = KolibratSize {
        width: 2,
        height: 3,
        pieces: 2,
        goals: 2,
    };
    let breakthrough = BreakthroughSize {
        width: 3,
        height: 5,
    };
    let sized = [kolibrat.rule_file(), breakthrough.rule_file()];
    let sized = sized.map(Result::unwrap);
    for text in shipped.into_iter().chain(sized) {
        let enumerated = space(&propnet("game", &text), 1, false);
        let totals = enumerated.totals();
        let counts = counts(&text, 1);
        let by_ply: Vec<BigUint> = totals
            .by_ply
            .iter()
            .map(|states| (*states).into())
            .collect();
        assert_eq!(counts.by_ply, by_ply, "{text}");
        assert_eq!(counts.terminal, totals.terminal.into(), "{text}");
    }
}

#[test]
fn more_states_than_64_and_128_bits_count() {
    for fluents in [70, 130] {
        let manager = oxidd::bcdd::new_manager(1 << 12, 1 << 10, 1);
        let contents = (0..fluents).map(|fluent| vec![None, Some(fluent)]);
        let variables = StateVariables::new(manager, contents.collect(), fluents, |_| false);
        let variables = variables.unwrap();
        let states = layers::count_states(&variables.domain, variables.count());
        assert_eq!(states, BigUint::from(1_u32) << fluents);
        let held = layers::count_states(&variables.fluents[3], variables.count());
        assert_eq!(held, BigUint::from(1_u32) << (fluents - 1));
    }
}

#[test]
fn budgets_end_with_what_is_known() {
    let text = GameSource::find("connect-four").unwrap().text;
    let stop = StopFlag::default();
    let stops_at = |ply: usize| {
        let stop = stop.clone();
        move |counts: &SymbolicCounts| {
            if counts.by_ply.len() > ply {
                stop.raise();
            }
        }
    };
    let options = SymbolicOptions {
        threads: 1,
        deadline: &Deadline::new(None, &stop),
        most_bytes: 64 * MIB,
        on_ply: &stops_at(3),
    };
    let ended = symbolic(&text, &options).unwrap_err();
    assert_eq!(ended.why, SymbolicError::Expired(Expired::Interrupted));
    assert_eq!(ended.counts.by_ply, [1_u32, 7, 49, 238].map(BigUint::from));
    for most_bytes in [MIB / 16, 4 * MIB] {
        let options = SymbolicOptions {
            threads: 1,
            deadline: &Deadline::default(),
            most_bytes,
            on_ply: &|_| {},
        };
        let ended = symbolic(&text, &options).unwrap_err();
        assert_eq!(ended.why, SymbolicError::OutOfMemory(most_bytes));
    }
}

#[test]
fn a_recursion_that_depends_on_the_state_is_refused() {
    let text = "(role a) (init (edge 1 2)) (init (edge 2 3)) (init (edge 3 2)) \
                (init (edge 1 3)) (init (at 1)) \
                (<= (reach ?x) (true (at ?x))) \
                (<= (reach ?y) (reach ?x) (true (edge ?x ?y))) \
                (<= (legal a (cut ?x ?y)) (true (edge ?x ?y))) \
                (<= (next (edge ?x ?y)) (true (edge ?x ?y)) (not (does a (cut ?x ?y)))) \
                (<= (next (at ?x)) (true (at ?x))) \
                (<= terminal (not (reach 2))) (goal a 100)";
    let options = SymbolicOptions {
        threads: 1,
        deadline: &Deadline::default(),
        most_bytes: MIB,
        on_ply: &|_| {},
    };
    let refused = symbolic(text, &options).unwrap_err();
    assert_eq!(refused.why, SymbolicError::Recursion);
}

/// With fewer results than there are nodes, a count ends, to begin again with more.
#[test]
fn few_results_are_told_by_many_nodes() {
    let text = GameSource::find("tictactoe").unwrap().text;
    let (game, ground) = (propnet("game", &text), ground(&text));
    let options = SymbolicOptions {
        threads: 1,
        deadline: &Deadline::default(),
        most_bytes: 64 * MIB,
        on_ply: &|_| {},
    };
    let of = |results: usize, most_nodes| {
        let mut counts = SymbolicCounts::default();
        let end = count(&game, &ground, &options, (results, most_nodes), &mut counts);
        (end.unwrap(), counts.by_ply)
    };
    let (end, all) = of(1 << 10, usize::MAX);
    assert_eq!((end, all.len()), (CountEnd::Finished, 10));
    let (end, some) = of(1 << 10, 100);
    assert_eq!(end, CountEnd::TooFewResults);
    assert!(some.len() < all.len() && some[..] == all[..some.len()]);
}
