//! Strategies and proofs of games whose values are known.

use rayon::ThreadPoolBuilder;

use super::*;
use crate::engine::{AnyEngine, EngineChoice, load};
use crate::game::Role;
use crate::generate::{KolibratSize, Size};
use crate::state_space::{GraphUse, SpaceOptions, StateSpace};
use crate::util::Deadline;

/// The game with its solution, on the engine that is chosen for it.
pub(crate) fn solved(game: &Game, role: usize) -> SolvedGame {
    let (engine, _) = load(game.source(), &EngineChoice::Propnet.into()).unwrap();
    let AnyEngine::Propnet(propnet) = engine else {
        unreachable!("a propnet was asked for")
    };
    let options = SpaceOptions {
        pool: &ThreadPoolBuilder::new().num_threads(2).build().unwrap(),
        deadline: &Deadline::default(),
        most_bytes: u64::MAX,
        most_states: u64::MAX,
        graph: GraphUse::Needed,
        one_chooses: false,
        symmetries: None,
        on_ply: &|_, _| {},
    };
    let space = StateSpace::enumerate(&propnet, &options).unwrap();
    let solution = space.solve(&propnet, Role(role), &Deadline::default());
    SolvedGame::new(game.clone(), solution.unwrap())
}

fn kolibrat(width: u8, height: u8, pieces: u8) -> Game {
    let size = KolibratSize {
        width,
        height,
        pieces,
        goals: 1,
    };
    Game::from_text("kolibrat", &size.rule_file().unwrap()).unwrap()
}

const MOST: usize = 100_000;

#[test]
fn the_winner_has_a_strategy_against_every_defence() {
    // Black wins the smallest board in six plies.
    let game = kolibrat(2, 2, 2);
    let solved = solved(&game, 0);
    let start = game.initial();
    assert_eq!(
        solved.value(&start),
        Some(SolvedValue::Goal { goal: 0, plies: 6 })
    );
    let strategy = solved
        .strategy(1, &start, MOST, &Deadline::default())
        .unwrap();
    for state in &strategy.states {
        match &state.goals {
            Some(goals) => assert_eq!(goals[..], [Some(0), Some(100)]),
            None => assert!(state.ply < 6, "{state:?}"),
        }
        assert!(state.mover != Some(1) || state.moves.len() == 1);
    }
    // The loser can do anything.
    let choices = strategy.states.iter().map(|state| state.moves.len()).max();
    assert!(choices > Some(1));
    let too_small = solved.strategy(1, &start, 3, &Deadline::default());
    assert_eq!(too_small, Err(StrategyError::TooLarge(3)));
}

#[test]
fn values_are_proved_and_wrong_ones_refuted() {
    for (game, role) in [
        (Game::load("tictactoe").unwrap(), 1),
        (kolibrat(2, 2, 2), 0),
        // Endless.
        (kolibrat(2, 2, 1), 0),
    ] {
        let solved = solved(&game, role);
        let reasoner = game.on(&EngineChoice::Reasoner.into()).unwrap();
        let start = reasoner.initial();
        let solved = solved.on(reasoner);
        let proofs = solved.prove(&start, MOST, &Deadline::default()).unwrap();
        assert_eq!(proofs.len(), 2);
        assert!(proofs.iter().all(|proof| proof.states > 5));
        for role in 0..2 {
            let right = solved
                .strategy(role, &start, MOST, &Deadline::default())
                .unwrap();
            assert_eq!(solved.check(&right), Ok(()));
            let mut wrong = right.clone();
            wrong.states[0].value = SolvedValue::Goal {
                goal: if role == solved.solution().role().0 {
                    100
                } else {
                    0
                },
                plies: 3,
            };
            if wrong != right {
                let refuted = solved.check(&wrong).unwrap_err();
                assert_eq!((refuted.state, refuted.ply), (1, 0), "{refuted}");
            }
        }
    }
}

#[test]
fn solutions_are_files_of_their_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.solution");
    let game = kolibrat(2, 2, 2);
    fs::write(&path, solved(&game, 0).to_bytes()).unwrap();
    let read = SolvedGame::read(game.clone(), &path).unwrap();
    assert_eq!(
        read.moves(&game.initial()),
        read.moves(&read.game().initial())
    );
    let other = SolvedGame::read(kolibrat(2, 2, 1), &path).unwrap_err();
    assert!(
        matches!(other.fault, SolutionFault::OtherRules(_)),
        "{other}"
    );
    fs::write(&path, "(role red)\n").unwrap();
    let foreign = SolvedGame::read(game.clone(), &path).unwrap_err();
    assert!(foreign.to_string().ends_with("it is not a solution"));
    let missing = SolvedGame::read(game, &folder.path().join("none")).unwrap_err();
    assert!(matches!(missing.fault, SolutionFault::System(_)));
}

#[test]
fn a_solution_for_one_role_says_nothing_of_the_other_where_both_may_win() {
    let rules = "(role a) (role b) (init (turn a)) (<= (legal a ?m) (true (turn a)) (choice ?m)) (<= (legal a noop) (true (turn b))) \
                 (<= (legal b ?m) (true (turn b)) (choice ?m)) (<= (legal b noop) (true (turn a))) (choice left) (choice right) \
                 (<= (next (turn b)) (true (turn a))) (<= (next (last ?m)) (does a ?m) (true (turn a))) \
                 (<= (next (over ?m ?n)) (true (last ?m)) (does b ?n)) (<= terminal (true (over ?m ?n))) \
                 (<= (goal a 100) (true (over left ?n))) (<= (goal a 20) (true (over right ?n))) \
                 (<= (goal b 100) (true (over ?m left))) (<= (goal b 0) (true (over ?m right)))";
    let game = Game::from_text("both", rules).unwrap();
    let solved = solved(&game, 0);
    assert!(solved.check_role(0).is_ok());
    let fault = solved.check_role(1).unwrap_err();
    assert!(matches!(fault, SolutionFault::OtherRole { .. }), "{fault}");
}
