//! Games of which one state takes long to look at: who is short of time cuts it short.

use std::fmt::Write;
use std::time::{Duration, Instant};

use kolibri::datalog;
use kolibri::engine::{Propnet, Reasoner};
use kolibri::game::{Role, StateMachine};
use kolibri::gdl;
use kolibri::search::{
    Heuristics, MAX_DEPTH, MctsSettings, MinimaxSettings, SearchLimits, Searcher, think,
};
use kolibri::util::{Deadline, StopFlag};

/// A game whose number of moves is given; their derivation takes the cube of that many rows.
fn slow(moves: usize) -> Reasoner {
    let mut text = "(role x) (init (step 0)) (after 0 1) (after 1 2)\n\
        (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))\n\
        (<= (all ?a ?b ?c) (true (step ?n)) (num ?a) (num ?b) (num ?c))\n\
        (<= (odd ?a ?b ?c) (true (step ?n)) (num ?a) (num ?b) (num ?c) (not (last ?b ?c)))\n\
        (<= (legal x (go ?a)) (all ?a ?b ?c) (not (odd ?a ?b ?c)))\n\
        (<= terminal (true (step 2))) (<= (goal x 100) (true (step 2)))\n"
        .to_owned();
    for number in 0..moves {
        writeln!(text, "(num {number})").unwrap();
    }
    writeln!(text, "(last {0} {0})", moves - 1).unwrap();
    Reasoner::new(&gdl::load(&text).rules.unwrap()).unwrap()
}

#[test]
fn a_state_is_cut_short_and_can_be_asked_about_again() {
    let game = slow(42);
    let late = Deadline {
        at: Some(Instant::now()),
        stop: None,
    };
    let stop = StopFlag::default();
    stop.raise();
    let stopped = Deadline::new(None, &stop);
    let mut moves = Vec::new();
    for halt in [late, stopped] {
        let mut scratch = game.scratch();
        game.set_deadline(&mut scratch, Some(&halt));
        game.legal(&mut scratch, &game.initial(), Role(0), &mut moves);
        assert!(game.is_cut_short(&scratch) && moves.len() < 42);
        assert_eq!(game.fault(&scratch), None);
    }
    let mut scratch = game.scratch();
    game.set_deadline(&mut scratch, None);
    game.legal(&mut scratch, &game.initial(), Role(0), &mut moves);
    assert!(!game.is_cut_short(&scratch) && moves.len() == 42);
}

#[test]
fn who_is_cut_short_still_plays_a_legal_move() {
    let game = slow(42);
    let minimax = MinimaxSettings {
        heuristics: Heuristics::NONE,
        ..MinimaxSettings::default()
    };
    let searchers = [
        Searcher::minimax(minimax),
        Searcher::mcts(MctsSettings::default()),
    ];
    for mut searcher in searchers {
        let limits = SearchLimits {
            time: Some(Duration::from_millis(60)),
            threads: 2,
            ..SearchLimits::to_depth(MAX_DEPTH)
        };
        let (state, role) = (game.initial(), Role(0));
        let hurried = think(&game, &state, role, &limits, &mut searcher).unwrap();
        assert_eq!(hurried.moves.len(), 42);
        assert_eq!((hurried.fault, hurried.exact), (None, false));
        // What was cut short is not remembered.
        let patient = SearchLimits {
            time: Some(Duration::from_secs(60)),
            ..limits
        };
        let found = think(&game, &state, role, &patient, &mut searcher).unwrap();
        assert!(found.exact && found.value.goal() == 100);
    }
}

#[test]
fn a_game_without_fluents_is_looked_at() {
    let text = "(role x) (legal x a) (legal x b) (goal x 50) (<= terminal (true over))";
    let rules = gdl::load(text).rules.unwrap();
    let game = Propnet::new(&rules, &datalog::EvaluationLimits::default()).unwrap();
    let limits = SearchLimits::to_depth(3);
    let mut searcher = Searcher::minimax(MinimaxSettings::default());
    let found = think(&game, &game.initial(), Role(0), &limits, &mut searcher).unwrap();
    assert_eq!((found.moves.len(), found.value.goal()), (2, 50));
}
