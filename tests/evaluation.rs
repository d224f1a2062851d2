//! The learned evaluation on shipped games.

use std::time::Duration;

use kolibri::catalog::GameSource;
use kolibri::datalog::EvaluationLimits;
use kolibri::engine::{Propnet, Reasoner};
use kolibri::game::{Engine, Role, StateMachine, legal_of_all, random_joint_move};
use kolibri::gdl::{self, Rules};
use kolibri::search::{LearnedWeights, MinimaxSettings, Searcher, prepare};
use kolibri::util::StopFlag;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn rules(name: &str) -> Rules {
    gdl::load(&GameSource::find(name).unwrap().text)
        .rules
        .unwrap()
}

fn propnet(name: &str) -> Propnet {
    Propnet::new(&rules(name), &EvaluationLimits::default()).unwrap()
}

/// A searcher for a role with weights from few states of self-play.
fn searcher<G: Engine>(game: &G, role: Role, learned: &mut LearnedWeights) -> Searcher {
    let mut searcher = Searcher::minimax(MinimaxSettings {
        training_states: Some(60_000),
        ..MinimaxSettings::default()
    });
    let limits = (Duration::from_secs(600), &StopFlag::default());
    prepare(game, role, &mut searcher, learned, limits);
    searcher
}

/// States of a random game.
fn states<G: StateMachine>(game: &G, seed: u64) -> Vec<G::State> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut scratch, mut legal) = (game.scratch(), Vec::new());
    let mut states = vec![game.initial()];
    while !game.is_terminal(&mut scratch, states.last().unwrap()) {
        let state = states.last().unwrap();
        legal_of_all(game, &mut scratch, state, &mut legal);
        let joint = random_joint_move(&legal, &mut rng).unwrap();
        states.push(game.next(&mut scratch, state, &joint));
    }
    states
}

/// The static evaluation in logits.
fn sum<G: Engine>(searcher: &Searcher, game: &G, state: &G::State, role: usize) -> f64 {
    let parts = searcher.contributions(game, state, Role(role));
    parts.iter().map(|(_, part)| part).sum()
}

/// The static evaluation in points.
fn points<G: Engine>(searcher: &Searcher, game: &G, state: &G::State, role: usize) -> f64 {
    100.0 / (1.0 + (-sum(searcher, game, state, role)).exp())
}

#[test]
fn the_values_of_both_roles_add_up_to_100() {
    const STATES: usize = 170;
    let games = [
        "breakthrough",
        "tictactoe",
        "reversi",
        "kolibrat",
        "connect-four",
        "checkers",
    ];
    for name in games {
        let game = propnet(name);
        let mut learned = LearnedWeights::default();
        let searchers = [0, 1].map(|role| searcher(&game, Role(role), &mut learned));
        let sampled: Vec<_> = (0..)
            .flat_map(|seed| states(&game, seed))
            .take(STATES)
            .collect();
        let mut differs = false;
        for state in &sampled {
            let [one, other] = [0, 1].map(|role| points(&searchers[role], &game, state, role));
            assert!(
                (one + other - 100.0).abs() < 1.0,
                "{name}: {one} and {other}"
            );
            differs |= (one - 50.0).abs() > 2.0;
        }
        assert!(differs, "{name}: something was learned");
    }
}

#[test]
fn learning_gives_the_same_every_time_and_on_every_engine() {
    let rules = rules("tictactoe");
    let (reasoner, propnet) = (Reasoner::new(&rules).unwrap(), propnet("tictactoe"));
    let once = searcher(&propnet, Role(0), &mut LearnedWeights::default()).weights(&[]);
    let again = searcher(&propnet, Role(0), &mut LearnedWeights::default()).weights(&[]);
    let elsewhere = searcher(&reasoner, Role(0), &mut LearnedWeights::default()).weights(&[]);
    assert!(once.iter().any(|(.., weight)| *weight != 0.0));
    assert_eq!(once, again);
    assert_eq!(once, elsewhere);
}

#[test]
fn a_lead_is_worth_something_after_little_learning() {
    let game = propnet("reversi");
    let searcher = searcher(&game, Role(0), &mut LearnedWeights::default());
    let mut scratch = game.scratch();
    let (mut right, mut all) = (0, 0);
    for seed in 0..40 {
        let mut states = states(&game, seed);
        let end = states.pop().unwrap();
        let goal = game.goal(&mut scratch, &end, Role(0)).unwrap();
        let late = &states[states.len() - 4];
        if goal != 50 {
            all += 1;
            right += usize::from((sum(&searcher, &game, late, 0) > 0.0) == (goal > 50));
        }
    }
    assert!(
        4 * right > 3 * all,
        "{right} of {all} ends are foreseen four plies before"
    );
}
