//! Searches of small games with known values.

use std::cell::RefCell;
use std::collections::HashSet;
use std::time::Duration;

use super::node::Arm;
use super::state_tree::StateTree;
use super::*;
use crate::game::fixture::{Hands, HandsState, Subtraction};
use crate::game::{Engine, InvalidFacts, JointMoves, Role, Scalar, StateMachine, legal_of_all};
use crate::search::tests::random_tree::RandomTree;
use crate::search::{SearchLimits, SearchOutcome, SearchProgress};
use crate::util::StopFlag;

fn memory(playouts: u64) -> MctsSearcher {
    MctsSearcher::new(MctsSettings {
        hash: 8,
        playouts: Some(playouts),
        ..MctsSettings::default()
    })
}

fn limits(seed: u64) -> SearchLimits<'static> {
    SearchLimits {
        seed: Some(seed),
        ..SearchLimits::to_depth(1)
    }
}

fn search<G: Engine>(game: &G, role: usize, playouts: u64) -> SearchOutcome<G::Move> {
    let memory = &mut memory(playouts);
    best_move(game, &game.initial(), Role(role), &limits(1), memory).unwrap()
}

#[test]
fn small_games_are_proved() {
    for heap in 1..=20 {
        let found = search(&Subtraction::new(heap, 3), 0, 20_000);
        let won = heap % 4 != 0;
        assert!(found.exact, "{heap}");
        assert_eq!(found.value.goal(), if won { 100 } else { 0 });
        if won {
            assert_eq!(found.best, heap % 4);
            let taken: u32 = found.line.iter().flatten().sum();
            assert_eq!(taken, heap, "{:?}", found.line);
        }
    }
}

#[test]
fn the_shorter_win_is_preferred() {
    assert_eq!(search(&Subtraction::new(3, 3), 0, 20_000).best, 3);
}

#[test]
fn several_threads_prove_the_same_value_and_leave_no_virtual_loss() {
    let game = Subtraction::new(18, 3);
    let mut memory = memory(200_000);
    let limits = SearchLimits {
        threads: 3,
        ..limits(1)
    };
    let found = best_move(&game, &game.initial(), Role(0), &limits, &mut memory).unwrap();
    assert_eq!(
        (found.best, found.value.goal(), found.exact),
        (2, 100, true)
    );
    let state_tree = kept_tree::<<Subtraction as StateMachine>::State>(&mut memory);
    assert!(state_tree.states.count() > 10);
    assert_all_is_counted(&state_tree);
}

#[test]
fn several_threads_lose_no_evaluation() {
    for seed in 0..12 {
        let (together, chance) = (seed % 2 == 0, seed % 3 == 0);
        let game = RandomTree::new(seed, 5000, 2 + seed as usize % 3, together, chance);
        let mut memory = memory(20_000);
        let limits = SearchLimits {
            threads: 4,
            ..limits(seed)
        };
        let found = best_move(&game, &game.initial(), Role(0), &limits, &mut memory).unwrap();
        let state_tree = kept_tree::<u32>(&mut memory);
        assert_all_is_counted(&state_tree);
        let (tree, root) = (&state_tree.tree, state_tree.tree.root);
        for role in tree.roles_with_arms(root) {
            let arms = tree.arms(root, role).iter();
            let visits: u64 = arms.map(|arm| u64::from(Arm(arm).visits().done())).sum();
            assert!(visits >= found.nodes, "seed {seed}");
        }
    }
}

/// The tree that a search has left.
fn kept_tree<S: 'static>(memory: &mut MctsSearcher) -> Box<StateTree<S>> {
    memory.state_tree.take().unwrap().downcast().unwrap()
}

/// No evaluation is under way any more, and no move has more of them than its node.
fn assert_all_is_counted<S>(state_tree: &StateTree<S>) {
    let tree = &state_tree.tree;
    for node in (0..state_tree.states.count() as u32).filter(|&node| tree.is_expanded(node)) {
        let visits = tree.node(node).visits();
        assert_eq!(visits.under_way(), 0);
        for role in tree.roles_with_arms(node) {
            let arms = tree.arms(node, role).iter().map(|arm| Arm(arm).visits());
            assert!(arms.clone().all(|arm| arm.under_way() == 0));
            assert!(arms.map(|arm| arm.done()).sum::<u32>() <= visits.done());
        }
    }
}

#[test]
fn the_tree_is_kept_between_moves() {
    let game = Subtraction::new(19, 3);
    let mut memory = memory(100_000);
    let think = |state: &_, role, memory: &mut MctsSearcher| {
        best_move(&game, state, Role(role), &limits(1), memory).unwrap()
    };
    let mut state = game.initial();
    let first = think(&state, 0, &mut memory);
    assert!(first.exact && first.nodes > 0);
    for joint in &first.line[..2] {
        state = game.next(&mut (), &state, joint);
    }
    let second = think(&state, 0, &mut memory);
    assert_eq!(
        (second.exact, second.value.goal(), second.nodes),
        (true, 100, 0)
    );
}

#[test]
fn a_simultaneous_game_is_played_by_a_mixed_strategy() {
    let game = Hands::new(1);
    let mut shown = [0; 3];
    for seed in 0..60 {
        let state = game.initial();
        let found = best_move(&game, &state, Role(1), &limits(seed), &mut memory(3000)).unwrap();
        assert!(
            !found.exact && (40..=60).contains(&found.value.goal()),
            "{found:?}"
        );
        shown[found.best] += 1;
    }
    assert!(shown.iter().all(|&times| times >= 8), "{shown:?}");
}

/// A player takes one of three tickets, and chance draws its prize.
struct Lottery([String; 2]);

const PRIZES: [[u8; 2]; 3] = [[0, 80], [65, 75], [100, 10]];

impl Scalar for Lottery {}

impl StateMachine for Lottery {
    type State = (usize, usize);
    type Move = usize;
    type Scratch = ();

    fn roles(&self) -> &[String] {
        &self.0
    }
    fn initial(&self) -> Self::State {
        (0, 0)
    }
    fn scratch(&self) {}
    fn is_terminal(&self, (): &mut (), state: &Self::State) -> bool {
        state.1 > 0
    }
    fn legal(&self, (): &mut (), state: &Self::State, role: Role, moves: &mut Vec<usize>) {
        moves.clear();
        match (state.0, role.0) {
            (0, 0) => moves.extend(1..=3),
            (1.., 1) => moves.extend(1..=2),
            _ => moves.push(0),
        }
    }
    fn next(&self, (): &mut (), state: &Self::State, joint: &[usize]) -> Self::State {
        (state.0 + joint[0], joint[1])
    }
    fn goal(&self, (): &mut (), state: &Self::State, role: Role) -> Option<u8> {
        (role.0 == 0).then(|| PRIZES[state.0 - 1][state.1 - 1])
    }
    fn move_text(&self, mv: usize) -> String {
        mv.to_string()
    }
    fn state_text(&self, _: &Self::State) -> Vec<String> {
        Vec::new()
    }
    fn state_from_text(&self, _: &[String]) -> Result<Self::State, InvalidFacts> {
        Err(InvalidFacts("unknown".to_owned()))
    }
}

#[test]
fn chance_nodes_are_valued_by_the_mean() {
    let game = Lottery(["player", "random"].map(str::to_owned));
    let found = search(&game, 0, 5000);
    assert_eq!((found.best, found.exact, found.value.goal()), (2, true, 70));
}

/// The greatest goal of a game for one player, by exhaustive search.
fn greatest_goal(game: &RandomTree) -> u8 {
    let (mut open, mut seen) = (vec![game.initial()], HashSet::from([game.initial()]));
    let (mut greatest, mut legal) = (0, Vec::new());
    while let Some(state) = open.pop() {
        if game.is_terminal(&mut (), &state) {
            greatest = greatest.max(game.goal(&mut (), &state, Role(0)).unwrap_or(50));
            continue;
        }
        legal_of_all(game, &mut (), &state, &mut legal);
        let mut joints = JointMoves::new(&legal);
        while let Some(joint) = joints.advance() {
            let next = game.next(&mut (), &state, joint);
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    greatest
}

#[test]
fn games_for_one_player_are_solved() {
    let mut solved = 0;
    for seed in 0..40 {
        let game = RandomTree::new(seed, 60, 1, false, false);
        let found = search(&game, 0, 3000);
        let greatest = greatest_goal(&game);
        if found.exact {
            assert_eq!(found.value.goal(), greatest, "seed {seed}");
            solved += 1;
        }
    }
    assert!(solved > 20, "{solved}");
}

#[test]
fn searches_of_random_games_depend_on_the_seed_only() {
    for seed in 0..20 {
        let (together, chance) = (seed % 2 == 0, seed % 3 == 0);
        let game = RandomTree::new(seed, 500, 1 + seed as usize % 4, together, chance);
        let found = search(&game, 0, 500);
        let mut legal = Vec::new();
        game.legal(&mut (), &game.initial(), Role(0), &mut legal);
        assert!(legal.contains(&found.best) && found.moves.len() == legal.len());
        assert_eq!(found, search(&game, 0, 500));
    }
}

#[test]
fn memory_is_bounded() {
    let game = Hands::new(60);
    let mut memory = MctsSearcher::new(MctsSettings {
        hash: 1,
        playouts: Some(20_000),
        ..MctsSettings::default()
    });
    best_move(&game, &game.initial(), Role(0), &limits(1), &mut memory).unwrap();
    let state_tree = kept_tree::<HandsState>(&mut memory);
    assert!(state_tree.tree.is_full() && state_tree.states.count() < 20_000);
    assert!(
        state_tree.tree.bytes() < 1 << 20,
        "{}",
        state_tree.tree.bytes()
    );
}

#[test]
fn unreachable_nodes_are_dropped() {
    let game = RandomTree::new(3, 1 << 30, 2, true, false);
    let mut memory = memory(20_000);
    let state = game.initial();
    let found = best_move(&game, &state, Role(0), &limits(1), &mut memory).unwrap();
    let mut state_tree = kept_tree::<u32>(&mut memory);
    let before = state_tree.states.count();
    let next = game.next(&mut (), &state, &found.line[0]);
    state_tree.tree.root = state_tree.find(&next).unwrap();
    let visits = state_tree.tree.node(state_tree.tree.root).visits().done();
    state_tree.drop_unreachable();
    assert!(state_tree.states.count() < before && *state_tree.root() == next);
    assert_eq!(
        state_tree.tree.node(state_tree.tree.root).visits().done(),
        visits
    );
    for (node, state) in &state_tree.states {
        assert_eq!(state_tree.find(state), Some(node as u32));
    }
    // The search can go on from there.
    memory.state_tree = Some(state_tree);
    assert!(best_move(&game, &next, Role(0), &limits(1), &mut memory).is_some());
}

#[test]
fn a_stop_flag_ends_a_search() {
    let game = RandomTree::new(3, 1 << 30, 2, false, false);
    let stop = StopFlag::default();
    std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            let endless = SearchLimits {
                stop: Some(&stop),
                ..limits(1)
            };
            let start = game.initial();
            best_move(&game, &start, Role(0), &endless, &mut memory(u64::MAX))
        });
        stop.raise();
        assert!(search.join().unwrap().is_some());
    });
}

#[test]
fn a_stopped_search_returns_a_legal_move() {
    let stop = StopFlag::default();
    stop.raise();
    let at_once = SearchLimits {
        stop: Some(&stop),
        ..limits(1)
    };
    let game = Hands::new(3);
    let found = best_move(&game, &game.initial(), Role(1), &at_once, &mut memory(10)).unwrap();
    assert!(found.best < 3 && found.nodes == 0 && !found.exact);
}

#[test]
fn without_legal_moves_there_is_no_outcome() {
    let game = Hands::new(0);
    let found = best_move(&game, &game.initial(), Role(0), &limits(1), &mut memory(10));
    assert_eq!(found, None);
}

#[test]
fn progress_is_reported() {
    let game = RandomTree::new(3, 1 << 30, 2, false, false);
    let reports = RefCell::new(Vec::new());
    let stop = StopFlag::default();
    let report = |progress: &SearchProgress| {
        reports.borrow_mut().push(progress.clone());
        stop.raise();
    };
    let limits = SearchLimits {
        // SearchLimits the test if nothing is reported.
        time: Some(Duration::from_secs(60)),
        stop: Some(&stop),
        threads: 2,
        lines: 2,
        report: Some(&report),
        ..limits(1)
    };
    let found = best_move(
        &game,
        &game.initial(),
        Role(0),
        &limits,
        &mut memory(u64::MAX),
    )
    .unwrap();
    let reports = reports.into_inner();
    assert!(!reports.is_empty());
    assert!(reports.is_sorted_by_key(|progress| (progress.time, progress.nodes)));
    for progress in reports {
        assert!(progress.nodes <= found.nodes && progress.depth <= found.depth);
        assert!(!progress.line.is_empty() && progress.counts == "playouts");
        assert_eq!(progress.others.len(), (found.moves.len() - 1).min(1));
        assert!(progress.others.iter().all(|other| !other.line.is_empty()));
    }
}
