//! The Min-Max player where the truth is known, on rule files.

use kolibri::catalog::{
    BreakthroughSize, ConnectFourSize, GameSource, KolibratSize, NimSize, Size,
};
use kolibri::datalog;
use kolibri::game::{Engine, Game, Role, legal_of_all, random_joint_move};
use kolibri::gdl;
use kolibri::machine::{Propnet, Reasoner};
use kolibri::search::{Heuristics, Limits, MAX_DEPTH, Memory, Outcome, Settings, Value, best_move};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn propnet(text: &str) -> Propnet {
    let rules = gdl::load(text).rules.unwrap();
    Propnet::new(&rules, &datalog::Limits::default()).unwrap()
}

fn of_size(size: &impl Size) -> Propnet {
    propnet(&size.rule_file().unwrap())
}

fn shipped(name: &str) -> Propnet {
    propnet(&GameSource::find(name).unwrap().text)
}

fn memory() -> Memory {
    Memory::new(Settings {
        heuristics: Heuristics::NONE,
        ..Settings::default()
    })
}

/// What is known once nothing is left to look at.
fn solve(
    game: &Propnet,
    state: &<Propnet as Game>::State,
    role: usize,
    memory: &mut Memory,
) -> Outcome<u32> {
    let limits = Limits::to_depth(MAX_DEPTH);
    let found = best_move(game, state, Role(role), &limits, memory).unwrap();
    assert!(found.exact, "{found:?}");
    found
}

/// What the first role gets in the end, and after how many plies if that matters to anybody.
fn truth(size: &impl Size) -> (u8, Option<u32>) {
    let game = of_size(size);
    let found = solve(&game, &game.initial(), 0, &mut memory());
    (found.value.goal(), found.value.steps())
}

#[test]
fn small_boards_of_connect_four_are_draws() {
    for width in [4, 5] {
        let (goal, _) = truth(&ConnectFourSize { width, height: 4 });
        assert_eq!(goal, 50, "{width} x 4");
    }
}

#[test]
fn connect_four_on_six_by_four_is_won_by_the_second_player() {
    let size = ConnectFourSize {
        width: 6,
        height: 4,
    };
    // John Tromp's table of small boards; with a smaller table it takes more than fifteen million positions.
    let mut memory = Memory::new(Settings {
        hash: 256,
        heuristics: Heuristics::NONE,
        ..Settings::default()
    });
    let game = of_size(&size);
    let found = solve(&game, &game.initial(), 0, &mut memory);
    assert_eq!(found.value.goal(), 0);
}

#[test]
fn small_boards_of_kolibrat_are_won_as_published() {
    // Width, height, pieces; the winner with a single point, and in how many plies.
    for (width, height, pieces, goal, plies) in [
        (2, 2, 1, 100, 5),
        (2, 2, 2, 0, 6),
        (2, 3, 1, 0, 3),
        (2, 3, 2, 100, 9),
        (2, 3, 3, 0, 10),
        (3, 2, 2, 100, 5),
        (3, 3, 1, 100, 7),
        (3, 3, 2, 100, 9),
        (3, 3, 3, 100, 9),
        (3, 3, 4, 100, 9),
    ] {
        let size = KolibratSize {
            width,
            height,
            pieces,
            goals: 1,
        };
        assert_eq!(
            truth(&size),
            (goal, Some(plies)),
            "{width} x {height}, {pieces} pieces"
        );
    }
}

#[test]
fn small_boards_of_kolibrat_are_won_with_more_points_to_score_too() {
    // Side, pieces; the winner; to how many points.
    for (side, pieces, goal, points) in [
        (2, 1, 100, 2..=5),
        (2, 2, 0, 2..=5),
        (3, 1, 100, 2..=5),
        (3, 2, 100, 2..=4),
        (3, 3, 100, 2..=3),
        (3, 4, 100, 2..=2),
    ] {
        for goals in points {
            let size = KolibratSize {
                width: side,
                height: side,
                pieces,
                goals,
            };
            assert_eq!(truth(&size).0, goal, "{side}, {pieces} pieces, {goals}");
        }
    }
}

#[test]
fn breakthrough_on_a_narrow_board_is_decided() {
    let (goal, plies) = truth(&BreakthroughSize {
        width: 3,
        height: 5,
    });
    assert!(goal == 0 || goal == 100, "there are no draws");
    assert_eq!(
        plies.unwrap() % 2,
        u32::from(goal == 100),
        "the winner makes the last move"
    );
}

#[test]
fn nim_is_played_by_the_rule() {
    let game = of_size(&NimSize {
        piles: vec![7, 7, 7],
    });
    let mut memory = memory();
    for number in 1..512_u32 {
        let heaps = [number % 8, number / 8 % 8, number / 64];
        let facts = heaps
            .iter()
            .zip(["a", "b", "c"])
            .map(|(n, h)| format!("(heap {h} {n})"));
        let mut facts: Vec<String> = facts.collect();
        facts.push("(control first)".to_owned());
        let state = game.state_from_text(&facts).unwrap();
        let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
        // Whoever takes the last stick loses: with heaps of one alone, the parity is the other way round.
        let wins = match heaps.iter().all(|heap| *heap < 2) {
            true => sum == 0,
            false => sum != 0,
        };
        let found = solve(&game, &state, 0, &mut memory);
        assert_eq!(found.value.goal(), if wins { 100 } else { 0 }, "{heaps:?}");
    }
}

#[test]
fn tictactoe_is_a_draw_and_never_lost() {
    let game = shipped("tictactoe");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut scratch = game.scratch();
    for role in [0, 1] {
        let mut memory = memory();
        assert_eq!(
            solve(&game, &game.initial(), role, &mut memory)
                .value
                .goal(),
            50
        );
        let mut won = 0;
        for _ in 0..5000 {
            let mut state = game.initial();
            while !game.is_terminal(&mut scratch, &state) {
                let mut legal = Vec::new();
                legal_of_all(&game, &mut scratch, &state, &mut legal);
                let mut joint = random_joint_move(&legal, &mut rng).unwrap();
                if legal[role].len() > 1 {
                    joint[role] = solve(&game, &state, role, &mut memory).best;
                }
                state = game.next(&mut scratch, &state, &joint);
            }
            let goal = game.goal(&mut scratch, &state, Role(role)).unwrap();
            assert!(goal >= 50, "lost as role {role}");
            won += u32::from(goal == 100);
        }
        assert!(won > 2500, "random play loses often: {won}");
    }
}

/// The value, the depth and the move that a fresh player finds on `threads` threads.
fn thought<G: Engine>(game: &G, depth: u32, threads: usize) -> (Value, u32, String) {
    let limits = Limits {
        threads,
        ..Limits::to_depth(depth)
    };
    let mut memory = Memory::new(Settings {
        hash: 1,
        heuristics: Heuristics::NONE,
        ..Settings::default()
    });
    let found = best_move(game, &game.initial(), Role(0), &limits, &mut memory).unwrap();
    (found.value, found.depth, game.move_text(found.best))
}

/// The same value at the same depth, and the same move.
#[test]
fn engines_think_the_same() {
    for (name, depth) in [
        ("kolibrat", 7),
        ("connect-four", 5),
        ("checkers", 4),
        ("breakthrough", 3),
    ] {
        let rules = gdl::load(&GameSource::find(name).unwrap().text).rules;
        let by_rules = Reasoner::new(&rules.unwrap()).unwrap();
        let on_gates = thought(&shipped(name), depth, 1);
        assert_eq!(on_gates, thought(&by_rules, depth, 1), "{name}");
    }
}

/// The rules of a walk over six places, by ways that are drawn; somebody may be led to move twice in a row.
fn random_walk(seed: u64) -> String {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut text = "(role a) (role b) (init (at 0)) (init (turn a)) (init (step 0))
        (<= (legal ?r (go ?y)) (true (turn ?r)) (true (at ?x)) (way ?r ?x ?y ?s))
        (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
        (<= (next (at ?y)) (does ?r (go ?y)))
        (<= (next (turn ?s)) (does ?r (go ?y)) (true (at ?x)) (way ?r ?x ?y ?s))
        (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
        (<= terminal (true (step 7))) (<= terminal (true (at 5)))
        (<= (goal ?r ?v) (true (at ?x)) (worth ?r ?x ?v))\n"
        .to_owned();
    for step in 0..7 {
        text += &format!("(after {step} {})", step + 1);
    }
    for (role, place) in ["a", "b"]
        .into_iter()
        .flat_map(|role| (0..6).map(move |place| (role, place)))
    {
        let worth = rng.random_range(0..5) * 25;
        text += &format!("(worth {role} {place} {worth})");
        let first = rng.random_range(0..6);
        for next in 0..rng.random_range(1..5) {
            let whose = ["a", "b"][rng.random_range(0..2)];
            text += &format!("(way {role} {place} {} {whose})", (first + next) % 6);
        }
    }
    text
}

#[test]
fn engines_think_the_same_of_random_games() {
    for seed in 0..40 {
        let text = random_walk(seed);
        let by_rules = Reasoner::new(&gdl::load(&text).rules.unwrap()).unwrap();
        let on_gates = propnet(&text);
        for depth in 1..=8 {
            let value = thought(&by_rules, depth, 1).0;
            for threads in [1, 2] {
                assert_eq!(thought(&on_gates, depth, threads).0, value, "{text}");
            }
        }
    }
}
