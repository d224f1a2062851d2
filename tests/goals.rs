//! The goal values of the game facts, against random games of the reasoner: implicants, persistent facts, and goals out
//! of reach for good.

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

fn is_excepted(implicant: &Implicant, facts: &BTreeSet<u32>) -> bool {
    let all_hold = |set: &Vec<u32>| set.iter().all(|fact| facts.contains(fact));
    implicant.unless.iter().any(all_hold)
}

/// Whether no persistent fact blocks some implicant of a goal.
fn is_in_reach(game_facts: &GameFacts, goal_value: &GoalValue, facts: &BTreeSet<u32>) -> bool {
    let excludes = |fact: &u32, other: &u32| {
        let mut groups = game_facts.mutex_groups.iter();
        fact != other && groups.any(|group| group.contains(fact) && group.contains(other))
    };
    let persists = |fact: &&u32| game_facts.persistent.contains(fact);
    let persistent: Vec<&u32> = facts.iter().filter(persists).collect();
    let is_open = |implicant: &Implicant| {
        let mut needs = implicant.needs.iter();
        needs.all(|fact| !persistent.iter().any(|other| excludes(fact, other)))
            && !is_excepted(implicant, facts)
    };
    goal_value.implicants.iter().any(is_open)
}

/// Checks the game facts in random games; returns in how many states some goal was out of reach.
fn check(name: &str, text: &str, games: u64, plies: usize) -> usize {
    let rules = gdl::load(text).rules.unwrap();
    let game_facts = game_facts_of(&rules).unwrap();
    let game = Reasoner::new(&rules).unwrap();
    let mut narrow = 0;
    for seed in 0..games {
        let (states, goals) = random_game(&game, &game_facts, seed, plies);
        for pair in states.windows(2) {
            let gone = pair[0].difference(&pair[1]);
            let gone: Vec<&u32> = gone
                .filter(|fact| game_facts.persistent.contains(fact))
                .collect();
            assert!(gone.is_empty(), "{name}: {gone:?} did not persist");
        }
        let Some(goals) = goals else { continue };
        if let [one, other] = goals[..] {
            for (role, own, others) in [(0, one, other), (1, other, one)] {
                let alone = others.filter(|_| own.is_none());
                let foreseen = &game_facts.goals_without_own[role];
                assert!(alone.is_none_or(|goal| foreseen.contains(&goal)), "{name}");
            }
        }
        for (goal_values, goal) in game_facts.goals.iter().zip(goals) {
            let Some(goal) = goal else { continue };
            let goal_value = goal_values
                .iter()
                .find(|goal_value| goal_value.goal == goal);
            let goal_value =
                goal_value.unwrap_or_else(|| panic!("{name}: {goal} is not among the goals"));
            let last = &states[states.len() - 1];
            let holds = |implicant: &Implicant| {
                let needs = implicant.needs.iter().all(|fact| last.contains(fact));
                needs && !is_excepted(implicant, last)
            };
            assert!(
                goal_value.implicants.iter().any(holds),
                "{name}: {goal} without an implicant"
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
        implicants: vec![Implicant::default()],
    };
    assert_eq!(game_facts.goals, [vec![goal_value]]);
}

#[test]
fn goals_beside_none_of_the_other_role_are_known() {
    let without_own = |goals: &str| {
        let text = format!(
            "(role x)(role o)(init (n 1))(legal x a)(legal x b)(legal o a)(legal o b)
            (<= (next (line x)) (does x a))(<= (next (line o)) (does o b))
            (<= terminal (not (true (n 1))))(<= decided (true (line ?r))){goals}"
        );
        let game_facts = game_facts_of(&gdl::load(&text).rules.unwrap()).unwrap();
        game_facts.goals_without_own
    };
    let both = "(<= (goal x 100) (true (line x)))(<= (goal o 100) (true (line o)))
        (<= (goal x 0) (true (line o)))(<= (goal o 0) (true (line x)))";
    let draws = "(<= (goal ?r 50) (role ?r) (not decided))";
    assert_eq!(without_own(&format!("{both}{draws}")), [[0_u8; 0], []]);
    let of_losers = "(<= (goal x 0) (true (line o)))(<= (goal o 0) (true (line x)))";
    // A draw beside a line counts, too, though there is none.
    assert_eq!(
        without_own(&format!("{of_losers}{draws}")),
        [[0, 50], [0, 50]]
    );
    let of_winners = "(<= (goal x 100) (true (line x)))(<= (goal o 100) (true (line o)))";
    assert_eq!(without_own(of_winners), [[100], [100]]);
    // Where o wins, it has two goals.
    let twice = "(<= (goal o 30) (true (line o)))";
    assert_eq!(
        without_own(&format!("{both}{twice}{draws}")),
        [vec![], vec![0]]
    );
    // x has 60 alone where nobody has a line, and 40 where o has one.
    let of_one = "(<= (goal x 60) (not decided))(<= (goal x 40) (true (line o)))";
    assert_eq!(without_own(of_one), [vec![], vec![40, 60]]);
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
    let implicant = |needs: &[u32], unless: &[u32]| Implicant {
        needs: needs.to_vec(),
        unless: unless.iter().map(|fact| vec![*fact]).collect(),
    };
    let implicants: Vec<&Implicant> = game_facts.goals[0]
        .iter()
        .map(|of| &of.implicants[0])
        .collect();
    // What is open need not stay so.
    assert_eq!(
        implicants,
        [
            &implicant(&[], &[0]),
            &implicant(&[], &[]),
            &implicant(&[0], &[])
        ]
    );
    assert_eq!(game_facts.persistent, [0]);
}

#[test]
fn ways_to_win_are_the_lines() {
    for (name, lines, squares) in [("tictactoe", 8, 9), ("connect-four", 69, 42)] {
        let text = GameSource::find(name).unwrap().text;
        let game_facts = game_facts_of(&gdl::load(&text).rules.unwrap()).unwrap();
        for goal_values in &game_facts.goals {
            let implicants: Vec<usize> = goal_values.iter().map(|of| of.implicants.len()).collect();
            let goals: Vec<u8> = goal_values.iter().map(|of| of.goal).collect();
            assert_eq!(
                (goals, implicants),
                (vec![0, 50, 100], vec![lines, 1, lines])
            );
        }
        assert_eq!(
            game_facts.persistent.len(),
            2 * squares,
            "two marks on each square"
        );
    }
}
