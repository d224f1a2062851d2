//! Searches of small games, beside a Min-Max that prunes nothing.

pub(super) mod chaos;
mod plain;

use std::cell::LazyCell;
use std::time::Duration;

use proptest::sample::select;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use self::chaos::Chaos;
use self::plain::Plain;
use super::*;
use crate::game::fixture::{Hands, Subtraction};
use crate::game::{Engine, Role, StateMachine, legal_of_all, random_joint_move};
use crate::util::StopFlag;

fn fresh() -> Memory {
    Memory::new(Settings {
        hash: 1,
        ..Settings::default()
    })
}

fn search<G: Engine>(game: &G, role: usize, limits: &Limits<'_>) -> Outcome<G::Move> {
    best_move(game, &game.initial(), Role(role), limits, &mut fresh()).unwrap()
}

#[test]
fn finds_the_winning_take() {
    let found = search(&Subtraction::new(10, 3), 0, &Limits::to_depth(12));
    assert_eq!(
        (found.best, found.value.goal(), found.exact),
        (2, 100, true)
    );
    assert_eq!(found.line[0], vec![2, 0]);
    assert_eq!(found.line.len(), 5, "three takes of our own, two replies");
}

#[test]
fn prefers_the_sooner_win() {
    let found = search(&Subtraction::new(3, 3), 0, &Limits::to_depth(9));
    assert_eq!((found.best, found.depth), (3, 1));
}

#[test]
fn a_lost_game_is_held_as_long_as_possible() {
    let found = search(&Subtraction::new(8, 3), 0, &Limits::to_depth(20));
    assert_eq!((found.value.goal(), found.exact), (0, true));
    assert_eq!(
        found.line.len(),
        4,
        "1 of 8, 3 of 7, 1 of 4, 3 of 3: {:?}",
        found.line
    );
}

#[test]
fn simultaneous_moves_are_valued_by_what_is_sure() {
    let found = search(&Hands::new(1), 1, &Limits::to_depth(3));
    assert_eq!((found.value.goal(), found.exact), (0, true));
}

#[test]
fn no_move_no_outcome() {
    let game = Hands::new(0);
    let found = best_move(
        &game,
        &game.initial(),
        Role(0),
        &Limits::to_depth(3),
        &mut fresh(),
    );
    assert_eq!(found, None);
}

#[test]
fn threads_change_neither_value_nor_move() {
    let game = Subtraction::new(15, 4);
    for depth in 1..8 {
        for seed in [None, Some(5)] {
            let search = |threads| {
                let limits = Limits {
                    threads,
                    seed,
                    ..Limits::to_depth(depth)
                };
                search(&game, 0, &limits)
            };
            let one = search(1);
            for _ in 0..4 {
                let many = search(4);
                assert_eq!((one.best, one.value), (many.best, many.value));
            }
        }
    }
}

#[test]
fn time_and_stop_end_a_search() {
    let game = Subtraction::new(200, 9);
    let time = Some(Duration::from_millis(40));
    let limits = Limits {
        time,
        threads: 2,
        ..Limits::to_depth(MAX_DEPTH)
    };
    assert!(search(&game, 0, &limits).depth >= 1);
    let stop = StopFlag::default();
    stop.raise();
    let limits = Limits {
        stop: Some(&stop),
        ..Limits::to_depth(MAX_DEPTH)
    };
    let stopped = search(&game, 0, &limits);
    assert!(stopped.depth <= 1 && !stopped.exact);
}

#[test]
fn lines_that_are_compared_are_all_looked_at_to_their_ends() {
    let game = Subtraction::new(7, 7);
    let limits = Limits {
        lines: 7,
        ..Limits::to_depth(MAX_DEPTH)
    };
    let found = search(&game, 0, &limits);
    assert!(found.exact && found.value.is_decided());
    assert!(found.moves.iter().all(|of| of.value.is_decided()));
}

#[test]
fn lines_that_are_compared_are_of_one_depth() {
    let mut compared = 0;
    for seed in 0..80 {
        let game = Chaos::new(seed, 1 << 20, 2, false, false);
        let search = |limits: Limits<'_>| {
            let mut memory = Memory::new(Settings {
                hash: 1,
                evaluation: Some("drawn"),
                ..Settings::default()
            });
            let limits = Limits { lines: 3, ..limits };
            best_move(&game, &game.initial(), Role(0), &limits, &mut memory).unwrap()
        };
        let stop = StopFlag::default();
        let stopped = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(1 + seed % 8));
                stop.raise();
            });
            search(Limits {
                stop: Some(&stop),
                ..Limits::to_depth(MAX_DEPTH)
            })
        });
        if stopped.depth > 0 && !stopped.exact {
            let whole = search(Limits::to_depth(stopped.depth));
            let values = |found: &Outcome<u32>| -> Vec<(u32, Value)> {
                found.moves.iter().map(|of| (of.mv, of.value)).collect()
            };
            assert_eq!(values(&stopped), values(&whole), "{game:?}");
            compared += usize::from(stopped.moves.len() > 1);
        }
    }
    assert!(compared > 0);
}

/// Buckets of tables that remember nothing, a few states that push each other out, and all that a small game has.
const TABLES: [usize; 4] = [0, 1, 4, 1 << 10];

/// Every way to save work, and none, gives the value of a Min-Max that saves nothing.
fn all_agree(game: &Chaos, role: usize, depth: u32, evaluation: Option<&'static str>) {
    let plain = Plain {
        game,
        role: Role(role),
        evaluation,
    };
    let (plain, start) = (&plain, game.initial());
    let truth = |depth| LazyCell::new(move || plain.value_of_root(&start, depth));
    let truth: Vec<_> = (0..=depth + 1).map(truth).collect();
    let narrow = Features {
        null_windows: false,
        ..Features::ALL
    };
    let tables = TABLES
        .into_iter()
        .flat_map(|buckets| [(buckets, 1), (buckets, 3)]);
    for (features, (buckets, threads)) in [Features::ALL, Features::NONE, narrow]
        .into_iter()
        .flat_map(|features| tables.clone().map(move |table| (features, table)))
    {
        let settings = Settings {
            features,
            evaluation,
            ..Settings::default()
        };
        let mut memory = Memory::of_buckets(settings, buckets);
        let limits = Limits {
            threads,
            ..Limits::to_depth(depth)
        };
        let found = best_move(game, &start, Role(role), &limits, &mut memory).unwrap();
        let said = format!(
            "{game:?} role {role} depth {depth} {features:?} buckets {buckets} threads {threads}"
        );
        // A search that is sure does not look deeper.
        assert_eq!(found.value, *truth[found.depth as usize], "{said}");
        assert!(found.depth == depth || found.exact, "{said}");
        if found.exact {
            let deeper = *truth[found.depth as usize + 1];
            assert_eq!(found.value.goal(), deeper.goal(), "{said}");
        }
    }
}

/// Along a random game, a player who remembers its earlier searches in so many buckets finds what one finds who knows
/// nothing but which states stood on the table.
fn memory_changes_no_value(
    game: &Chaos,
    (buckets, threads, depth): (usize, usize, u32),
    rng: &mut Xoshiro256PlusPlus,
) {
    let mut memory = Memory::of_buckets(Settings::default(), buckets);
    let (mut past, mut state) = (Vec::new(), game.initial());
    let limits = Limits {
        threads,
        ..Limits::to_depth(depth)
    };
    for _ in 0..20 {
        let mut legal = Vec::new();
        legal_of_all(game, &mut (), &state, &mut legal);
        let search = |memory: &mut Memory, limits: &Limits<'_>| {
            memory.recall(past.iter());
            best_move(game, &state, Role(0), limits, memory)
        };
        let found = search(&mut memory, &limits);
        let anew = search(&mut fresh(), &Limits::to_depth(depth));
        let value = |found: Option<Outcome<u32>>| found.map(|found| found.value);
        let said = format!("{game:?} depth {depth} buckets {buckets} threads {threads} {past:?}");
        assert_eq!(value(found), value(anew), "{said}");
        let Some(joint) =
            random_joint_move(&legal, rng).filter(|_| !game.is_terminal(&mut (), &state))
        else {
            break;
        };
        past.push(state);
        state = game.next(&mut (), &state, &joint);
    }
}

/// Otherwise the properties below would say nothing about what is pushed out.
#[test]
fn a_crowded_table_forgets_some_states_and_saves_some_work() {
    let (mut forgets, mut saves) = (0, 0);
    for seed in 0..40 {
        let game = Chaos::new(seed, 60, 2, false, false);
        let nodes = |buckets| {
            let mut memory = Memory::of_buckets(Settings::default(), buckets);
            let limits = Limits::to_depth(9);
            let found = best_move(&game, &game.initial(), Role(0), &limits, &mut memory);
            found.unwrap().nodes
        };
        let [nothing, few, _, all] = TABLES.map(nodes);
        forgets += usize::from(few > all);
        saves += usize::from(few < nothing);
    }
    assert!(forgets > 10 && saves > 10, "{forgets} {saves}");
}

#[test]
fn noise_is_looked_into() {
    // Somewhere among so many games without sense, what is beyond the depth limit matters.
    let differs = |seed: &u64| {
        let game = Chaos::new(*seed, 40, 2, false, false);
        let value = |heuristics| {
            let mut memory = Memory::new(Settings {
                hash: 1,
                heuristics,
                evaluation: Some("drawn"),
                ..Settings::default()
            });
            let limits = Limits::to_depth(2);
            let found = best_move(&game, &game.initial(), Role(0), &limits, &mut memory);
            found.unwrap().value
        };
        value(Heuristics::ALL) != value(Heuristics::NONE)
    };
    assert!((0..40).filter(differs).count() > 5);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]
    #[test]
    fn what_is_remembered_changes_no_value(
        seed: u64, states in 5_u32..40, depth in 1_u32..7, buckets in select(&TABLES[1..]), many: bool,
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let game = Chaos::new(seed, states, 2, false, false);
        memory_changes_no_value(&game, (buckets, if many { 3 } else { 1 }, depth), &mut rng);
    }

    #[test]
    fn saving_work_changes_no_value(
        seed: u64, states in 5_u32..60, players in 1_usize..4, together: bool, chance: bool, judged: bool,
        depth in 1_u32..8,
    ) {
        let game = Chaos::new(seed, states, players, together, chance);
        let depth = if together { depth.min(3) } else { depth };
        for role in 0..players {
            all_agree(&game, role, depth, judged.then_some("drawn"));
        }
    }
}
