//! Searches of small games, compared with a reference minimax that prunes nothing.

pub(super) mod random_tree;
mod reference;

use std::cell::{LazyCell, RefCell};
use std::time::Duration;

use proptest::sample::select;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use self::random_tree::RandomTree;
use self::reference::ReferenceMinimax;
use super::alphabeta::call_width::CallWidth;
use super::*;
use crate::game::fixture::{Hands, Subtraction};
use crate::game::{Engine, Role, StateMachine, legal_of_all, random_joint_move};
use crate::util::StopFlag;

fn fresh() -> MinimaxSearcher {
    MinimaxSearcher::new(MinimaxSettings {
        hash: 1,
        ..MinimaxSettings::default()
    })
}

fn search<G: Engine>(game: &G, role: usize, limits: &SearchLimits<'_>) -> SearchOutcome<G::Move> {
    best_move(game, &game.initial(), Role(role), limits, &mut fresh()).unwrap()
}

#[test]
fn finds_the_winning_take() {
    let found = search(&Subtraction::new(10, 3), 0, &SearchLimits::to_depth(12));
    assert_eq!(
        (found.best, found.value.goal(), found.exact),
        (2, 100, true)
    );
    assert_eq!(found.line[0], vec![2, 0]);
    assert_eq!(found.line.len(), 5, "three takes of our own, two replies");
}

#[test]
fn prefers_the_sooner_win() {
    let found = search(&Subtraction::new(3, 3), 0, &SearchLimits::to_depth(9));
    assert_eq!((found.best, found.depth), (3, 1));
}

#[test]
fn a_lost_game_is_prolonged() {
    let found = search(&Subtraction::new(8, 3), 0, &SearchLimits::to_depth(20));
    assert_eq!((found.value.goal(), found.exact), (0, true));
    assert_eq!(
        found.line.len(),
        4,
        "1 of 8, 3 of 7, 1 of 4, 3 of 3: {:?}",
        found.line
    );
}

#[test]
fn simultaneous_moves_are_valued_by_the_paranoid_bound() {
    let found = search(&Hands::new(1), 1, &SearchLimits::to_depth(3));
    assert_eq!((found.value.goal(), found.exact), (0, true));
}

#[test]
fn without_a_legal_move_there_is_no_outcome() {
    let game = Hands::new(0);
    let found = best_move(
        &game,
        &game.initial(),
        Role(0),
        &SearchLimits::to_depth(3),
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
                let limits = SearchLimits {
                    threads,
                    seed,
                    ..SearchLimits::to_depth(depth)
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
    let limits = SearchLimits {
        time,
        threads: 2,
        ..SearchLimits::to_depth(MAX_DEPTH)
    };
    assert!(search(&game, 0, &limits).depth >= 1);
    let stop = StopFlag::default();
    stop.raise();
    let limits = SearchLimits {
        stop: Some(&stop),
        ..SearchLimits::to_depth(MAX_DEPTH)
    };
    let stopped = search(&game, 0, &limits);
    assert!(stopped.depth <= 1 && !stopped.exact);
}

#[test]
fn several_lines_are_all_searched_to_their_ends() {
    let game = Subtraction::new(7, 7);
    let limits = SearchLimits {
        lines: 7,
        ..SearchLimits::to_depth(MAX_DEPTH)
    };
    let found = search(&game, 0, &limits);
    assert!(found.exact && found.value.is_decided());
    assert!(found.moves.iter().all(|of| of.value.is_decided()));
}

#[test]
fn progress_tells_of_as_many_lines_as_are_wanted() {
    let game = Subtraction::new(90, 9);
    let told = RefCell::new(Vec::new());
    let report = |progress: &SearchProgress| told.borrow_mut().push(progress.clone());
    let limits = SearchLimits {
        lines: 3,
        report: Some(&report),
        ..SearchLimits::to_depth(4)
    };
    let found = search(&game, 0, &limits);
    let told = told.into_inner();
    let last = told.last().unwrap();
    assert_eq!((told.len(), last.others.len()), (4, 2));
    let wanted: Vec<_> = found.moves[1..3].iter().map(|of| of.value).collect();
    let others: Vec<_> = last.others.iter().map(|other| other.value).collect();
    assert_eq!(others, wanted);
    assert!(last.others.iter().all(|other| !other.line.is_empty()));
}

#[test]
fn lines_that_are_told_are_as_long_as_the_depth() {
    let game = Subtraction::new(90, 9);
    let report = |progress: &SearchProgress| {
        assert_eq!(progress.line.len(), progress.depth as usize);
        for other in &progress.others {
            assert_eq!(other.line.len(), progress.depth as usize);
        }
    };
    let limits = SearchLimits {
        lines: 3,
        report: Some(&report),
        ..SearchLimits::to_depth(7)
    };
    search(&game, 0, &limits);
}

#[test]
fn several_lines_are_of_one_depth() {
    let mut compared = 0;
    for seed in 0..80 {
        let game = RandomTree::new(seed, 1 << 20, 2, false, false);
        let search = |limits: SearchLimits<'_>| {
            let mut memory = MinimaxSearcher::new(MinimaxSettings {
                hash: 1,
                evaluation: Some("drawn".into()),
                ..MinimaxSettings::default()
            });
            let limits = SearchLimits { lines: 3, ..limits };
            best_move(&game, &game.initial(), Role(0), &limits, &mut memory).unwrap()
        };
        let stop = StopFlag::default();
        let stopped = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(1 + seed % 8));
                stop.raise();
            });
            search(SearchLimits {
                stop: Some(&stop),
                ..SearchLimits::to_depth(MAX_DEPTH)
            })
        });
        if stopped.depth > 0 && !stopped.exact {
            let whole = search(SearchLimits::to_depth(stopped.depth));
            let values = |found: &SearchOutcome<u32>| -> Vec<(u32, Value)> {
                found.moves.iter().map(|of| (of.mv, of.value)).collect()
            };
            assert_eq!(values(&stopped), values(&whole), "{game:?}");
            compared += usize::from(stopped.moves.len() > 1);
        }
    }
    assert!(compared > 0);
}

/// Numbers of buckets: no table, tables in which entries replace each other, and one large enough for a small game.
const TABLES: [usize; 4] = [0, 1, 4, 1 << 10];

/// With every combination of optimisations, the value is that of the reference minimax, which finds no better move.
fn all_agree(game: &RandomTree, role: usize, depth: u32, evaluation: Option<&'static str>) {
    let plain = ReferenceMinimax {
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
    let worst = Features {
        worst_first: true,
        ..Features::ALL
    };
    let every = [
        Features::ALL,
        Features::PLAIN,
        Features::NONE,
        narrow,
        worst,
    ];
    for (features, (buckets, threads)) in every
        .into_iter()
        .flat_map(|features| tables.clone().map(move |table| (features, table)))
    {
        let settings = MinimaxSettings {
            features,
            evaluation: evaluation.map(Into::into),
            ..MinimaxSettings::default()
        };
        let mut memory = MinimaxSearcher::of_buckets(settings, buckets);
        let limits = SearchLimits {
            threads,
            ..SearchLimits::to_depth(depth)
        };
        let found = best_move(game, &start, Role(role), &limits, &mut memory).unwrap();
        let said = format!(
            "{game:?} role {role} depth {depth} {features:?} buckets {buckets} threads {threads}"
        );
        // A search ends early when its value is certain.
        assert_eq!(found.value, *truth[found.depth as usize], "{said}");
        let of_best = plain.value_of_move(&start, found.best, found.depth);
        assert_eq!(of_best, found.value, "{said} best move");
        assert!(found.depth == depth || found.exact, "{said}");
        if found.exact {
            let deeper = *truth[found.depth as usize + 1];
            assert_eq!(found.value.goal(), deeper.goal(), "{said}");
        }
    }
}

/// Along a random game, a player with a table of few buckets finds the same values as one that knows only the past
/// states.
fn memory_changes_no_value(
    game: &RandomTree,
    (buckets, threads, depth): (usize, usize, u32),
    rng: &mut Xoshiro256PlusPlus,
) {
    let mut memory = MinimaxSearcher::of_buckets(MinimaxSettings::default(), buckets);
    let (mut past, mut state) = (Vec::new(), game.initial());
    let limits = SearchLimits {
        threads,
        ..SearchLimits::to_depth(depth)
    };
    for _ in 0..20 {
        let mut legal = Vec::new();
        legal_of_all(game, &mut (), &state, &mut legal);
        let search = |memory: &mut MinimaxSearcher, limits: &SearchLimits<'_>| {
            memory.set_past_states(past.iter());
            best_move(game, &state, Role(0), limits, memory)
        };
        let found = search(&mut memory, &limits);
        let anew = search(&mut fresh(), &SearchLimits::to_depth(depth));
        let value = |found: Option<SearchOutcome<u32>>| found.map(|found| found.value);
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

/// Otherwise the properties below would not test replacement.
#[test]
fn a_small_table_replaces_entries_and_saves_work() {
    let (mut forgets, mut saves) = (0, 0);
    for seed in 0..40 {
        let game = RandomTree::new(seed, 60, 2, false, false);
        let nodes = |buckets| {
            let mut memory = MinimaxSearcher::of_buckets(MinimaxSettings::default(), buckets);
            let limits = SearchLimits::to_depth(9);
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
fn where_only_proofs_count_evaluations_change_no_value() {
    let mut proved = 0;
    for (seed, threads) in (0..40).flat_map(|seed| [(seed, 1), (seed, 3)]) {
        let game = RandomTree::new(seed, 60, 2, false, false);
        let mut memory = MinimaxSearcher::new(MinimaxSettings {
            hash: 1,
            evaluation: Some("drawn".into()),
            only_proofs: true,
            selective: true,
            ..MinimaxSettings::default()
        });
        let limits = SearchLimits {
            threads,
            ..SearchLimits::to_depth(10)
        };
        let found = best_move(&game, &game.initial(), Role(0), &limits, &mut memory).unwrap();
        let reference = ReferenceMinimax {
            game: &game,
            role: Role(0),
            evaluation: None,
        };
        let value = reference.value_of_root(&game.initial(), found.depth);
        assert_eq!(found.value, value, "{game:?}");
        assert!(found.exact || found.depth == 10);
        proved += usize::from(found.value.is_decided());
    }
    assert!(proved > 10, "{proved}");
}

#[test]
fn what_a_selective_search_proves_is_so() {
    let (mut proved, mut fewer) = (0, 0);
    for seed in 0..60 {
        let game = RandomTree::new(seed, 60, 2, false, false);
        let searched = |selective, depth| {
            let mut memory = MinimaxSearcher::new(MinimaxSettings {
                hash: 1,
                evaluation: Some("drawn".into()),
                selective,
                ..MinimaxSettings::default()
            });
            let limits = SearchLimits::to_depth(depth);
            best_move(&game, &game.initial(), Role(0), &limits, &mut memory).unwrap()
        };
        let (pruned, full) = (searched(true, 7), searched(false, 7));
        fewer += usize::from(pruned.nodes < full.nodes);
        if pruned.exact {
            proved += 1;
            let whole = searched(false, 60);
            assert_eq!(pruned.value.goal(), whole.value.goal(), "game {seed}");
        }
    }
    assert!(
        proved > 5 && fewer > 20,
        "{proved} proved, {fewer} with fewer nodes"
    );
}

#[test]
fn without_an_evaluation_first_children_of_cut_nodes_are_made_alone() {
    let made = |features| {
        let game = Subtraction::new(1000, 30).eager();
        let mut memory = MinimaxSearcher::new(MinimaxSettings {
            features,
            hash: 1,
            ..MinimaxSettings::default()
        });
        let limits = SearchLimits::to_depth(4);
        let found = best_move(&game, &game.initial(), Role(0), &limits, &mut memory).unwrap();
        (found.nodes, game.steps())
    };
    let (nodes, steps) = made(Features::ALL);
    assert!(10 * steps < 11 * nodes, "{steps} for {nodes} nodes");
    // Without an order of choices, no first one is likely to do.
    let (nodes, steps) = made(Features {
        ordering: false,
        ..Features::ALL
    });
    assert!(steps > 3 * nodes, "{steps} for {nodes} nodes");
}

#[test]
fn a_search_hands_back_what_it_found_about_the_width_of_calls() {
    let game = RandomTree::new(4, 400, 2, false, false);
    let mut memory = MinimaxSearcher::new(MinimaxSettings::default());
    let limits = SearchLimits::to_depth(6);
    best_move(&game, &game.initial(), Role(0), &limits, &mut memory).unwrap();
    assert_ne!(memory.call_width(), &CallWidth::default());
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]
    #[test]
    fn table_entries_of_earlier_searches_change_no_value(
        seed: u64, states in 5_u32..40, depth in 1_u32..7, buckets in select(&TABLES[1..]), many: bool,
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let game = RandomTree::new(seed, states, 2, false, false);
        memory_changes_no_value(&game, (buckets, if many { 3 } else { 1 }, depth), &mut rng);
    }

    #[test]
    fn children_that_are_made_together_change_no_search(
        seed: u64, states in 5_u32..400, players in 2_usize..4, chance: bool, judged: bool, depth in 1_u32..9,
        choices in 3_u32..30, likely in 1_usize..70, width in 0_usize..4,
    ) {
        let game = RandomTree::new(seed, states, players, false, chance).with_choices(choices);
        let depth = if choices > 3 { depth.min(5) } else { depth };
        let search = |likely, width| {
            let game = game.with_likely_children(likely);
            let settings = MinimaxSettings {
                evaluation: judged.then(|| "drawn".into()),
                ..MinimaxSettings::default()
            };
            let mut memory = MinimaxSearcher::new(settings).with_call_width(CallWidth::in_trial(width));
            let limits = SearchLimits::to_depth(depth);
            best_move(&game, &game.initial(), Role(0), &limits, &mut memory).unwrap()
        };
        let told = |found: SearchOutcome<u32>| (found.value, found.nodes, found.line);
        proptest::prop_assert_eq!(told(search(0, 0)), told(search(likely, width)));
    }

    #[test]
    fn optimisations_change_no_value(
        seed: u64, states in 5_u32..60, players in 1_usize..4, together: bool, chance: bool, judged: bool,
        depth in 1_u32..8, choices in 3_u32..12,
    ) {
        let choices = if together { 3 } else { choices };
        let game = RandomTree::new(seed, states, players, together, chance).with_choices(choices);
        let depth = match () {
            () if together => depth.min(3),
            () if choices > 3 => depth.min(4),
            () => depth,
        };
        for role in 0..players {
            all_agree(&game, role, depth, judged.then_some("drawn"));
        }
    }
}
