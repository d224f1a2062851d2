//! Numbers that rules add up and compare by successors: guess two thirds of the mean.

use kolibri::engine::{Propnet, Reasoner};
use kolibri::game::{Engine, JointMoves, Role, legal_of_all, random_joint_move};
use kolibri::{datalog, gdl};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use rules::two_thirds;

#[path = "../examples/two_thirds.rs"]
#[expect(dead_code, reason = "the example prints the rules")]
mod rules;

/// The goals of those who named these numbers.
fn goals_of(named: &[usize]) -> Vec<Option<u8>> {
    let total: usize = named.iter().sum();
    let miss = |number: &usize| (3 * named.len() / 2 * number).abs_diff(total);
    let nearest = named.iter().map(miss).min();
    let goal = |number| {
        if Some(miss(number)) == nearest {
            100
        } else {
            0
        }
    };
    named.iter().map(|number| Some(goal(number))).collect()
}

/// The numbers of a joint move of which these are the texts.
fn numbers(texts: &[String]) -> Vec<usize> {
    let number = |text: &String| text.trim_end_matches(')').rsplit(' ').next()?.parse().ok();
    texts.iter().map(|text| number(text).unwrap()).collect()
}

/// Compares the goals after a joint move with those computed here.
fn assert_goals<G: Engine>(game: &G, joint: &[G::Move]) {
    let scratch = &mut game.scratch();
    let texts: Vec<String> = joint.iter().map(|&mv| game.move_text(mv)).collect();
    let end = game.next(scratch, &game.initial(), joint);
    assert!(game.is_terminal(scratch, &end));
    let roles = (0..joint.len()).map(Role);
    let goals: Vec<Option<u8>> = roles.map(|role| game.goal(scratch, &end, role)).collect();
    assert_eq!(goals, goals_of(&numbers(&texts)), "{texts:?}");
}

/// The moves at the start.
fn legal<G: Engine>(game: &G) -> Vec<Vec<G::Move>> {
    let mut legal = Vec::new();
    legal_of_all(game, &mut game.scratch(), &game.initial(), &mut legal);
    legal
}

fn random_joint_moves_are_added_up<G: Engine>(game: &G, count: usize) {
    let legal = legal(game);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for _ in 0..count {
        assert_goals(game, &random_joint_move(&legal, &mut rng).unwrap());
    }
}

fn network(players: usize, most: usize) -> Propnet {
    let rules = gdl::load(&two_thirds(players, most)).rules.unwrap();
    Propnet::new(&rules, &datalog::EvaluationLimits::default()).unwrap()
}

#[test]
fn the_reasoner_adds_up_what_many_players_name() {
    for players in [4, 6] {
        let rules = gdl::load(&two_thirds(players, 100)).rules.unwrap();
        random_joint_moves_are_added_up(&Reasoner::new(&rules).unwrap(), 20);
    }
}

#[test]
fn networks_add_up_what_many_players_name() {
    random_joint_moves_are_added_up(&network(4, 20), 200);
    random_joint_moves_are_added_up(&network(6, 10), 200);
}

#[test]
fn every_joint_move_of_a_small_game_is_added_up() {
    let game = network(4, 3);
    let legal = legal(&game);
    let (mut joints, mut count) = (JointMoves::new(&legal), 0);
    while let Some(joint) = joints.advance() {
        assert_goals(&game, joint);
        count += 1;
    }
    assert_eq!(count, 4 * 4 * 4 * 4);
}
