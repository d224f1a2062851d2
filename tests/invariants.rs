//! Mutex groups against the reasoner: in random games, no two facts of a group hold together.

use std::collections::BTreeSet;
use std::time::Duration;

use kolibri::catalog::{GameSource, SHIPPED};
use kolibri::datalog::EvaluationLimits;
use kolibri::engine::Reasoner;
use kolibri::game::{StateMachine, legal_of_all};
use kolibri::gdl;
use kolibri::ground::{Ground, ground};
use kolibri::invariants::mutex_groups;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::corpus;

fn limits() -> EvaluationLimits {
    EvaluationLimits {
        rows: 1_000_000,
        terms: 1_000_000,
        time: Duration::from_secs(20),
        ..EvaluationLimits::default()
    }
}

fn grounded(text: &str) -> (gdl::Rules, Ground) {
    let rules = gdl::load(text).rules.unwrap();
    let ground = ground(&rules, &limits()).unwrap();
    (rules, ground)
}

/// The facts of each group as text, and whether exactly one should hold.
fn groups(ground: &Ground) -> Vec<(BTreeSet<String>, bool)> {
    let text = |&fact: &_| ground.terms.text(fact);
    let groups = mutex_groups(ground);
    groups
        .into_iter()
        .map(|group| (group.facts.iter().map(text).collect(), group.exactly_one))
        .collect()
}

/// Plays random games and checks the groups in every state.
fn check(name: &str, text: &str, games: usize, plies: usize) {
    let (rules, ground) = grounded(text);
    let groups = groups(&ground);
    let game = Reasoner::new(&rules).unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut scratch, mut legal) = (game.scratch(), Vec::new());
    for _ in 0..games {
        let mut state = game.initial();
        for ply in 0..plies {
            let facts: BTreeSet<String> = game.state_text(&state).into_iter().collect();
            for (group, exactly_one) in &groups {
                let held: Vec<&String> = group.intersection(&facts).collect();
                let as_claimed = held.len() == 1 || held.is_empty() && !exactly_one;
                assert!(as_claimed, "{name}, ply {ply}: {held:?} of {group:?}");
            }
            legal_of_all(&game, &mut scratch, &state, &mut legal);
            if game.is_terminal(&mut scratch, &state) || legal.iter().any(Vec::is_empty) {
                break;
            }
            let joint: Vec<_> = legal
                .iter()
                .map(|moves| moves[random.random_range(0..moves.len())])
                .collect();
            state = game.next(&mut scratch, &state, &joint);
        }
    }
}

#[test]
fn groups_of_shipped_games_hold_in_random_games() {
    for shipped in SHIPPED {
        check(shipped.name, shipped.text, 3, 80);
    }
}

/// Collected games with markers, counters, serial and simultaneous play, and pieces that move several squares.
const COLLECTED: &[&str] = &[
    "ggp__2pffa",
    "ggp__4pttc",
    "ggp__asteroidsSerial",
    "ggp__atariGoVariant_7x7",
    "ggp__biddingTicTacToe_10coins",
    "ggp__blocksWorldSerial",
    "ggp__blockerParallel",
    "ggp__brain_teaser_extended",
    "ggp__cephalopodMicro",
    "ggp__checkersTiny",
    "ggp__chineseCheckers1",
    "ggp__coloredtrails",
    "ggp__englishDraughts",
    "ggp__ghostMaze2p",
    "ggp__hanoi_6_disks",
    "ggp__maze",
    "ggp__nineBoardTicTacToePie",
    "ggp__pentago",
    "libgdl__fire_sheep",
    "ggp__snake_2009_big",
];

#[test]
fn groups_of_rule_files_hold_in_random_games() {
    for (name, text) in corpus::texts(COLLECTED) {
        check(&name, &text, 2, 40);
    }
}

#[test]
fn squares_counters_and_turns_are_found() {
    // The facts of the initial state, and those of them that are in no group.
    let left_over = |name: &str| {
        let text = GameSource::find(name).unwrap().text;
        let (_, ground) = grounded(&text);
        let grouped: BTreeSet<String> = groups(&ground).into_iter().flat_map(|of| of.0).collect();
        let initial = ground.initial.iter().map(|&fact| ground.terms.text(fact));
        let initial: BTreeSet<String> = initial.collect();
        assert!(mutex_groups(&ground).len() >= initial.len(), "{name}");
        initial.difference(&grouped).cloned().collect::<Vec<_>>()
    };
    for shipped in SHIPPED {
        assert!(
            left_over(shipped.name).is_empty(),
            "{}: {:?}",
            shipped.name,
            left_over(shipped.name)
        );
    }
}
