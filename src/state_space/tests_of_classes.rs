//! One state of each class, compared with all states.

use super::tests::{pool, propnet};
use super::{
    GameCount, GameCounts, GraphUse, LoopError, Solution, SolutionSubject, SolveError,
    SpaceOptions, StateSpace,
};
use crate::catalog::GameSource;
use crate::datalog::EvaluationLimits;
use crate::engine::{Bits, Propnet};
use crate::game::{Role, StateMachine};
use crate::gdl::load;
use crate::generate::{ConnectFourSize, KolibratSize, Size};
use crate::ground::{Ground, ground};
use crate::symmetry::SymmetryGroup;
use crate::util::Deadline;
use indexmap::IndexSet;

fn ground_of(text: &str) -> Ground {
    ground(&load(text).rules.unwrap(), &EvaluationLimits::default()).unwrap()
}

pub(super) fn group(text: &str, with_roles: bool) -> (Propnet, SymmetryGroup) {
    let game = propnet("game", text);
    let deadline = Deadline::default();
    let group = SymmetryGroup::of_game(&game, &ground_of(text), with_roles, &deadline);
    (game, group)
}

fn space(game: &Propnet, group: Option<&SymmetryGroup>) -> StateSpace {
    let options = SpaceOptions {
        pool: &pool(2),
        deadline: &Deadline::default(),
        most_bytes: u64::MAX,
        most_states: u64::MAX,
        graph: GraphUse::Needed,
        one_chooses: false,
        symmetries: group.cloned().map(std::sync::Arc::new),
        on_ply: &|_, _| {},
    };
    StateSpace::enumerate(game, &options).unwrap()
}

fn shipped(name: &str) -> String {
    GameSource::find(name).unwrap().text
}

pub(super) fn kolibrat_text(width: u8, height: u8, pieces: u8, goals: u8) -> String {
    let size = KolibratSize {
        width,
        height,
        pieces,
        goals,
    };
    size.rule_file().unwrap()
}

#[test]
fn tic_tac_toe_has_765_classes_that_stand_for_all_positions() {
    let (game, group) = group(&shipped("tictactoe"), false);
    assert_eq!((group.count(), group.used()), (8, 8));
    let (mut classes, mut all) = (space(&game, Some(&group)), space(&game, None));
    assert_eq!((classes.classes(), all.classes()), (765, 5_478));
    assert_eq!(classes.totals(), all.totals());
    let games = classes.count_games(&game, &Deadline::default()).unwrap();
    let finite = |games: u32| GameCount::Finite(games.into());
    let expected = GameCounts {
        all: finite(255_168),
        of_classes: finite(26_830),
    };
    assert_eq!(games, expected);
    let games = all.count_games(&game, &Deadline::default()).unwrap();
    assert_eq!(games.all, expected.all);
}

#[test]
fn connect_four_is_mirrored() {
    let size = ConnectFourSize {
        width: 4,
        height: 4,
    };
    let (game, group) = group(&size.rule_file().unwrap(), false);
    let classes = space(&game, Some(&group));
    assert_eq!((group.used(), classes.classes()), (2, 80_541));
    assert_eq!(classes.totals().states, 161_029);
}

#[test]
fn kolibrat_is_mirrored_though_its_rules_count_from_one_side() {
    for (width, height) in [(3, 3), (3, 2), (2, 2)] {
        let text = kolibrat_text(width, height, 2, 3);
        let (game, mirror) = group(&text, false);
        assert_eq!((mirror.used(), mirror.swaps_roles()), (2, false));
        let (classes, all) = (space(&game, Some(&mirror)), space(&game, None));
        assert_eq!(classes.totals(), all.totals());
        let halved = classes.classes() as f64 / all.classes() as f64;
        assert!((0.5..0.65).contains(&halved), "{halved}");
        // Red and black, each from its own side.
        let (_, with_roles) = group(&text, true);
        assert_eq!((with_roles.used(), with_roles.swaps_roles()), (4, true));
        let fewer = space(&game, Some(&with_roles));
        let orbits: IndexSet<Bits> = states(&all, &game)
            .iter()
            .map(|state| with_roles.canonical(state))
            .collect();
        assert_eq!(fewer.classes(), orbits.len() as u64);
        assert!(fewer.classes() < classes.classes());
        assert_eq!(fewer.totals().states, fewer.classes());
    }
}

#[test]
fn exchanged_roles_leave_out_what_values_and_endless_games_need() {
    let text = kolibrat_text(2, 2, 2, 2);
    let (game, with_roles) = group(&text, true);
    assert!(with_roles.swaps_roles());
    let space = || space(&game, Some(&with_roles));
    let deadline = Deadline::default();
    let why = space().loops(&game, &deadline).unwrap_err();
    assert_eq!(why, LoopError::RolesExchanged);
    let why = space().solve(&game, Role(0), &deadline).unwrap_err();
    assert_eq!(why, SolveError::Classes);
    let (_, mirror) = group(&text, false);
    let loops = self::space(&game, Some(&mirror)).loops(&game, &deadline);
    assert!(loops.is_ok(), "{loops:?}");
}

/// All states of a space that was enumerated without symmetries.
fn states(space: &StateSpace, game: &Propnet) -> Vec<Bits> {
    let solution = self::space(game, None);
    let solution = solution.solve(game, Role(0), &Deadline::default()).unwrap();
    let states: Vec<Bits> = solution.states().map(|one| solution.state(&one)).collect();
    assert_eq!(states.len() as u64, space.totals().states);
    states
}

#[test]
fn values_are_those_of_all_states() {
    for text in [
        shipped("tictactoe"),
        kolibrat_text(2, 3, 2, 2),
        kolibrat_text(3, 2, 2, 3),
    ] {
        let (game, group) = group(&text, false);
        assert!(group.used() > 1);
        for role in 0..2 {
            let solved = |group: Option<&SymmetryGroup>| -> Solution {
                let space = space(&game, group);
                space
                    .solve(&game, Role(role), &Deadline::default())
                    .unwrap()
            };
            let (all, classes) = (solved(None), solved(Some(&group)));
            let subject = SolutionSubject {
                game: "game".to_owned(),
                rules: "rules".to_owned(),
            };
            let bytes = classes.to_bytes(&subject);
            assert!(bytes.len() < all.to_bytes(&subject).len());
            let (_, read) = Solution::from_bytes(&bytes).unwrap();
            assert_eq!(read.to_bytes(&subject), bytes);
            for solution in [&classes, &read] {
                assert_eq!(solution.count(), all.count());
                for state in all.states() {
                    let facts = game.state_text(&all.state(&state));
                    assert_eq!(solution.value(&facts), Some(state.value), "{facts:?}");
                }
                let stands_for = solution.states().map(|state| solution.stands_for(&state));
                assert_eq!(stands_for.sum::<u64>(), all.count());
                let images = solution.states().map(|state| solution.images(&state).len());
                assert_eq!(images.sum::<usize>() as u64, all.count());
            }
        }
    }
}

#[test]
fn large_groups_are_used_in_part() {
    // Nine equal lamps are exchanged in 362,880 ways.
    let lamps: String = (1..=9).map(|lamp| format!("(lamp {lamp}) ")).collect();
    let text = format!(
        "(role a) {lamps} (<= (legal a (light ?l)) (lamp ?l)) (<= (next (on ?l)) (does a (light ?l))) \
         (<= (next (on ?l)) (true (on ?l))) (<= terminal (true (on 1)) (true (on 2)) (true (on 3)) (true (on 4)) (true (on 5)) \
         (true (on 6)) (true (on 7)) (true (on 8)) (true (on 9))) (goal a 50)"
    );
    let (game, group) = group(&text, false);
    assert_eq!(group.count(), 362_880);
    assert!((2..=1024).contains(&group.used()));
    let classes = space(&game, Some(&group));
    assert_eq!(classes.totals(), space(&game, None).totals());
    assert!(classes.classes() < 512);
}
