use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::thread;
use std::time::Duration;

use super::*;
use crate::game::fixture::{Hands, Subtraction};
use crate::search::{Heuristics, MoveSelection};
use crate::util::StopFlag;

fn subtraction(heap: u32) -> Game {
    Game::from_engine("subtraction", Subtraction::new(heap, 3))
}

#[test]
fn handles_are_owned_and_can_be_sent() {
    fn assert_value<T: Clone + Send + Sync + 'static>() {}
    assert_value::<Game>();
    assert_value::<Position>();
    assert_value::<Session>();
}

#[test]
fn moves_are_played_and_taken_back() {
    let mut session = Session::new(&subtraction(5));
    assert_eq!(session.legal_of(0), ["(take 1)", "(take 2)", "(take 3)"]);
    assert_eq!(session.legal_of(1), ["noop"]);
    session.play_joint(&["( take  3 )", "noop"]).unwrap();
    assert_eq!(session.facts(), ["(control second)", "(heap 2)"]);
    assert_eq!(session.history(), [["(take 3)", "noop"].map(str::to_owned)]);
    assert!(session.undo() && !session.undo());
    assert_eq!(session.facts(), ["(control first)", "(heap 5)"]);
}

#[test]
fn illegal_moves_change_nothing() {
    let mut session = Session::new(&subtraction(5));
    let why = session.play_joint(&["(take 4)", "noop"]).unwrap_err();
    assert_eq!(why.to_string(), "first may not play (take 4)");
    let why = session.play_joint(&["noop"]).unwrap_err();
    let message = "1 moves are no joint move: 2 roles move at once";
    assert_eq!(why.to_string(), message);
    session.set_up(&["(heap 0)".to_owned()]).unwrap();
    assert_eq!(session.goals(), [Some(0), Some(100)]);
    assert_eq!(
        session.play_joint(&["noop", "noop"]),
        Err(IllegalMove::Over)
    );
    assert!(session.set_up(&[]).is_err());
    assert!(session.is_terminal());
}

#[test]
fn positions_are_values() {
    let game = subtraction(5);
    let (mut one, mut other) = (game.initial(), game.initial());
    assert_eq!(one, other);
    one.play("(take 1)").unwrap();
    assert_ne!(one, other);
    one.play("(take 2)").unwrap();
    other.play("(take 2)").unwrap();
    assert_ne!(one, other);
    other.play("(take 1)").unwrap();
    assert_eq!(one, other, "another order, the same facts");
    assert_eq!(game.position(&one.facts()).unwrap(), one);
    let all: HashSet<Position> = [one.clone(), other, game.initial()].into();
    assert_eq!(all.len(), 2);
    let facts = thread::spawn(move || one.facts()).join().unwrap();
    assert_eq!(facts, ["(control first)", "(heap 2)"]);
    assert_ne!(game.initial(), subtraction(5).initial(), "another game");
}

#[test]
fn a_single_move_is_for_the_role_with_a_choice() {
    let game = Game::from_engine("hands", Hands::new(2));
    let mut position = game.initial();
    let why = position.play("rock").unwrap_err();
    assert!(
        matches!(&why, IllegalMove::SeveralChoose { roles } if roles.len() == 2),
        "{why}"
    );
    position.play_joint(&["rock", "paper"]).unwrap();
    assert!(
        position
            .legal("nobody")
            .unwrap_err()
            .to_string()
            .contains("the roles are")
    );
}

#[test]
fn positions_that_come_back_are_counted() {
    let game = Game::from_engine("hands", Hands::new(9));
    let mut session = Session::new(&game);
    session.play_joint(&["rock", "rock"]).unwrap();
    assert_eq!(session.occurrences(), 1);
}

#[test]
fn a_search_keeps_what_it_learns_and_has_clocks_per_call() {
    let game = subtraction(13);
    let mut searcher = Minimax::new().for_role(&game, "first").unwrap();
    let mut session = Session::new(&game);
    searcher.prepare(&session, Duration::from_secs(1), &StopFlag::default());
    while !session.is_terminal() {
        let mv = match session.legal_of(0) {
            [forced] => {
                assert_eq!(forced, "noop");
                session.legal_of(1)[0].clone()
            }
            _ => {
                searcher
                    .search(&session, Some(Duration::from_millis(200)))
                    .unwrap()
                    .best
            }
        };
        session.play(&mv).unwrap();
    }
    assert_eq!(session.goals(), [Some(100), Some(0)]);
}

#[test]
fn what_cannot_be_searched_is_said() {
    let game = subtraction(5);
    let over = game.position(&["(heap 0)".to_owned()]).unwrap();
    let why = Minimax::new().depth(3).search(&over).unwrap_err();
    assert!(matches!(why, SearchError::NoMove { .. }), "{why}");
    let why = Minimax::new()
        .role("third")
        .search(&game.initial())
        .unwrap_err();
    assert!(matches!(why, SearchError::UnknownRole(_)), "{why}");
    let hands = Game::from_engine("hands", Hands::new(2)).initial();
    let why = Mcts::new().playouts(10).search(&hands).unwrap_err();
    assert!(matches!(why, SearchError::WhichRole { .. }), "{why}");
    let role = hands.roles()[1].clone();
    let found = Mcts::new().playouts(10).role(&role).search(&hands).unwrap();
    assert!(hands.legal(&role).unwrap().contains(&found.best));
}

#[test]
fn a_running_search_can_be_watched_and_stopped() {
    let game = subtraction(90);
    let running = Minimax::new()
        .time(Duration::from_secs(60))
        .start(&game.initial())
        .unwrap();
    while running.progress().is_none() && !running.is_finished() {
        thread::yield_now();
    }
    running.stop();
    let found = running.wait().unwrap();
    assert!(game.initial().legal_of(0).contains(&found.best));
    assert!(found.time < Duration::from_secs(60));
}

#[test]
fn playouts_depend_on_the_seed_alone() {
    let position = subtraction(13).initial();
    let run = |threads| {
        position
            .playouts(500)
            .seed(7)
            .threads(threads)
            .run()
            .unwrap()
    };
    let (one, two) = (run(1), run(2));
    assert_eq!((one.states, &one.mean_goals), (two.states, &two.mean_goals));
    assert_eq!(one.playouts, 500);
    assert!(!one.is_cut_short && one.states_per_second() > 0.0);
}

#[test]
fn a_game_that_cannot_be_loaded_says_why() {
    let why = Game::load("colibrat").unwrap_err().to_string();
    assert!(why.contains("`kolibrat`"), "{why}");
    let why = Game::from_text("broken", "(role a) (legal a").unwrap_err();
    let GameError::Load(crate::engine::LoadError::Invalid(invalid)) = why else {
        panic!("{why}");
    };
    assert!(invalid.diagnostics.iter().any(|found| found.is_error()));
}

/// Tic-tac-toe after x took the middle: each corner keeps the draw, and each edge loses.
fn after_the_middle() -> Position {
    let mut position = Game::load("tictactoe").unwrap().initial();
    position.play("(mark 2 2)").unwrap();
    position
}

fn searched(position: &Position, selection: MoveSelection, seed: u64, lines: usize) -> Found {
    let options = SearchOptions {
        depth: Some(8),
        heuristics: Heuristics::NONE,
        selection,
        lines,
        ..SearchOptions::default()
    };
    let minimax = Minimax::new().options(options).seed(seed);
    minimax.search(position).unwrap()
}

const CORNERS: [&str; 4] = ["(mark 1 1)", "(mark 1 3)", "(mark 3 1)", "(mark 3 3)"];

#[test]
fn all_moves_with_the_value_of_the_best_are_equals() {
    let position = after_the_middle();
    let every = searched(&position, MoveSelection::Value, 1, 8);
    let equals = every.moves.iter().filter(|of| of.value == every.value);
    let equals: BTreeSet<&str> = equals.map(|of| of.mv.as_str()).collect();
    assert_eq!(equals, CORNERS.into());
    for seed in 0..10 {
        let first = searched(&position, MoveSelection::First, seed, 1);
        assert_eq!(first.best, CORNERS[0], "seed {seed}");
        assert_eq!((first.value, first.exact), (every.value, true));
        assert_eq!(first.pv[0][1], first.best, "the line begins with the move");
    }
}

#[test]
fn equal_moves_are_drawn_with_equal_probability() {
    let position = after_the_middle();
    let mut times = BTreeMap::new();
    for seed in 0..200 {
        let found = searched(&position, MoveSelection::Uniform, seed, 1);
        assert_eq!((found.value.goal(), found.exact), (50, true));
        *times.entry(found.best).or_insert(0) += 1;
    }
    let moves: Vec<&str> = times.keys().map(String::as_str).collect();
    assert_eq!(moves, CORNERS);
    // Of 200 draws, 50 are expected of each: with a standard deviation of 6, four of these are hardly ever exceeded.
    assert!(
        times.values().all(|times| (26..=74).contains(times)),
        "{times:?}"
    );
}

#[test]
fn softmax_draws_from_moves_that_are_worth_little_less() {
    let position = Game::load("tictactoe").unwrap().initial();
    let search = |selection, seed, lines| {
        let options = SearchOptions {
            depth: Some(2),
            training: Some(2_000),
            threads: 1 + (seed % 2) as usize,
            selection,
            lines,
            ..SearchOptions::default()
        };
        let minimax = Minimax::new().options(options).seed(seed);
        minimax.search(&position).unwrap()
    };
    let every = search(MoveSelection::Value, 0, 9).moves;
    let value_of = |mv: &str| every.iter().find(|of| of.mv == mv).unwrap().value;
    let least = every[0].value.points() - 40.0;
    let mut drawn = BTreeSet::new();
    for seed in 0..20 {
        let found = search(MoveSelection::Softmax { temperature: 8_000 }, seed, 1);
        assert_eq!(found.value, value_of(&found.best));
        assert!(found.value.points() >= least);
        let exact = found.moves.iter().filter(|of| of.is_exact);
        exact.for_each(|of| assert_eq!(of.value, value_of(&of.mv)));
        drawn.insert(found.best);
    }
    assert!(drawn.len() > 1, "{drawn:?}");
}

#[test]
fn a_seed_gives_the_same_move() {
    let position = after_the_middle();
    let moves = |selection| -> Vec<String> {
        let of_seed = |seed| searched(&position, selection, seed, 1).best;
        (0..12).map(of_seed).collect()
    };
    for selection in [MoveSelection::Seeded, MoveSelection::Uniform] {
        let drawn = moves(selection);
        assert_eq!(drawn, moves(selection), "{selection:?}");
        assert!(drawn.iter().any(|mv| *mv != drawn[0]), "{selection:?}");
    }
    for selection in [MoveSelection::Value, MoveSelection::First] {
        let fixed = moves(selection);
        assert!(fixed.iter().all(|mv| *mv == fixed[0]), "{selection:?}");
    }
}
