//! What is said of goals beforehand, against the reasoner: what they need, what stays, and what is out of reach for good.

use std::collections::BTreeSet;

use kolibri::catalog::{GameSource, SHIPPED};
use kolibri::engine::Reasoner;
use kolibri::game::{
    GameFacts, GoalValue, Implicant, Role, StateMachine, legal_of_all, random_joint_move,
};
use kolibri::gdl;
use kolibri::info::game_facts_of;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::corpus;

/// The facts of the states of a random game, and the goals it ended with, if it ended.
fn random_game(
    game: &Reasoner,
    game_facts: &GameFacts,
    seed: u64,
    plies: usize,
) -> (Vec<BTreeSet<u32>>, Option<Vec<Option<u8>>>) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut scratch, mut legal) = (game.scratch(), Vec::new());
    let (mut states, mut state) = (Vec::new(), game.initial());
    for _ in 0..plies {
        let facts = game.state_text(&state);
        let numbers = facts.iter().filter_map(|fact| game_facts.number(fact));
        states.push(numbers.map(|number| number as u32).collect());
        if game.is_terminal(&mut scratch, &state) {
            let roles = (0..game.roles().len()).map(Role);
            let goals = roles.map(|role| game.goal(&mut scratch, &state, role));
            return (states, Some(goals.collect()));
        }
        legal_of_all(game, &mut scratch, &state, &mut legal);
        let Some(joint) = random_joint_move(&legal, &mut random) else {
            break;
        };
        state = game.next(&mut scratch, &state, &joint);
    }
    (states, None)
}

fn is_excepted(way: &Implicant, facts: &BTreeSet<u32>) -> bool {
    let all_hold = |set: &Vec<u32>| set.iter().all(|fact| facts.contains(fact));
    way.unless.iter().any(all_hold)
}

/// Whether some way to a goal is not barred by what stays.
fn is_in_reach(game_facts: &GameFacts, goal_value: &GoalValue, facts: &BTreeSet<u32>) -> bool {
    let bars = |fact: &u32, other: &u32| {
        let mut groups = game_facts.groups.iter();
        fact != other && groups.any(|group| group.contains(fact) && group.contains(other))
    };
    let stays = |fact: &&u32| game_facts.stay.contains(fact);
    let staying: Vec<&u32> = facts.iter().filter(stays).collect();
    let is_open = |way: &Implicant| {
        let mut needs = way.needs.iter();
        needs.all(|fact| !staying.iter().any(|other| bars(fact, other))) && !is_excepted(way, facts)
    };
    goal_value.ways.iter().any(is_open)
}

/// Looks in random games whether all is as claimed; says in how many states some goal was out of reach.
fn check(name: &str, text: &str, games: u64, plies: usize) -> usize {
    let rules = gdl::load(text).rules.unwrap();
    let game_facts = game_facts_of(&rules).unwrap();
    let game = Reasoner::new(&rules).unwrap();
    let mut narrow = 0;
    for seed in 0..games {
        let (states, goals) = random_game(&game, &game_facts, seed, plies);
        for pair in states.windows(2) {
            let gone = pair[0].difference(&pair[1]);
            let gone: Vec<&u32> = gone.filter(|fact| game_facts.stay.contains(fact)).collect();
            assert!(gone.is_empty(), "{name}: {gone:?} did not stay");
        }
        let Some(goals) = goals else { continue };
        for (goal_values, goal) in game_facts.goals.iter().zip(goals) {
            let Some(goal) = goal else { continue };
            let goal_value = goal_values
                .iter()
                .find(|goal_value| goal_value.goal == goal);
            let goal_value = goal_value.unwrap_or_else(|| panic!("{name}: nobody foresaw {goal}"));
            let last = &states[states.len() - 1];
            let holds = |way: &Implicant| {
                let needs = way.needs.iter().all(|fact| last.contains(fact));
                needs && !is_excepted(way, last)
            };
            assert!(
                goal_value.ways.iter().any(holds),
                "{name}: {goal} without a way"
            );
            for facts in &states {
                assert!(
                    is_in_reach(&game_facts, goal_value, facts),
                    "{name}: {goal}"
                );
                let mut others = goal_values.iter();
                narrow += usize::from(others.any(|of| !is_in_reach(&game_facts, of, facts)));
            }
        }
    }
    narrow
}

#[test]
fn goals_of_shipped_games_are_as_foreseen() {
    let narrow: Vec<&str> = SHIPPED
        .iter()
        .filter(|shipped| check(shipped.name, shipped.text, 6, 120) > 0)
        .map(|shipped| shipped.name)
        .collect();
    assert_eq!(narrow, ["breakthrough", "connect-four", "nim", "tictactoe"]);
}

/// Collected games with marks that stay, counters, several goals, more than two roles, and chance.
const COLLECTED: &[&str] = &[
    "ggp__2pffa",
    "ggp__4pttc",
    "ggp__biddingTicTacToe_10coins",
    "ggp__blocksWorldSerial",
    "ggp__cephalopodMicro",
    "ggp__connectFour",
    "ggp__connectFourSuicide",
    "ggp__ghostMaze2p",
    "ggp__hanoi_6_disks",
    "ggp__maze",
    "ggp__nineBoardTicTacToePie",
    "ggp__pentago",
    "ggp__ticTacToe",
    "ggp__ticTicToe",
    "ggp__ticTacToeLargeSuicide",
    "ggp__tictactoe_3d_small_2player",
    "ggp__tictactoe_3player",
    "ggp__chickentictactoe",
    "ggp__double_tictactoe_dengji",
];

#[test]
fn goals_of_rule_files_are_as_foreseen() {
    for (name, text) in corpus::texts(COLLECTED) {
        check(&name, &text, 3, 60);
    }
}

#[test]
fn goals_that_hold_from_the_start_are_foreseen() {
    let text = "(role r)(init (n 1))(legal r wait)(<= (next (n 2)) (true (n 1)))
        (<= terminal (true (n 2)))(goal r 30)";
    let game_facts = game_facts_of(&gdl::load(text).rules.unwrap()).unwrap();
    let goal_value = GoalValue {
        goal: 30,
        ways: vec![Implicant::default()],
    };
    assert_eq!(game_facts.goals, [vec![goal_value]]);
}

#[test]
fn what_stays_may_be_an_exception() {
    let text = "(role r)(init (open))(legal r mark)(legal r wait)
        (<= (next (a)) (does r mark))(<= (next (a)) (true (a)))
        (<= (next (open)) (true (open)) (does r wait))
        (<= terminal (not (true (open))))
        (<= (goal r 100) marked)(<= (goal r 0) (not marked))(<= (goal r 30) (not (true (open))))
        (<= marked (true (a)))";
    let game_facts = game_facts_of(&gdl::load(text).rules.unwrap()).unwrap();
    let way = |needs: &[u32], unless: &[u32]| Implicant {
        needs: needs.to_vec(),
        unless: unless.iter().map(|fact| vec![*fact]).collect(),
    };
    let ways: Vec<&Implicant> = game_facts.goals[0].iter().map(|of| &of.ways[0]).collect();
    // What is open need not stay so.
    assert_eq!(ways, [&way(&[], &[0]), &way(&[], &[]), &way(&[0], &[])]);
    assert_eq!(game_facts.stay, [0]);
}

#[test]
fn ways_to_win_are_the_lines() {
    for (name, lines, squares) in [("tictactoe", 8, 9), ("connect-four", 69, 42)] {
        let text = GameSource::find(name).unwrap().text;
        let game_facts = game_facts_of(&gdl::load(&text).rules.unwrap()).unwrap();
        for goal_values in &game_facts.goals {
            let ways: Vec<usize> = goal_values.iter().map(|of| of.ways.len()).collect();
            let goals: Vec<u8> = goal_values.iter().map(|of| of.goal).collect();
            assert_eq!((goals, ways), (vec![0, 50, 100], vec![lines, 1, lines]));
        }
        assert_eq!(
            game_facts.stay.len(),
            2 * squares,
            "two marks on each square"
        );
    }
}
