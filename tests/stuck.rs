//! Games that cannot go on: they are not over, but a role has no legal move.

use kolibri::analysis::{DepthCount, Perft, SampleOptions, sample};
use kolibri::datalog;
use kolibri::engine::{Propnet, Reasoner};
use kolibri::game::Engine;
use kolibri::gdl::{Rules, load};
use kolibri::util::Deadline;
use rayon::ThreadPoolBuilder;

/// A game of three plies or, where `a` chooses 2 in the middle, of two, in which `b` may do what `moves` say.
fn rules(moves: &str) -> Rules {
    let rules = format!(
        "(role a) (role b) (init begin) {moves}
        (number 1) (number 2) (<= (legal a (go ?n)) (number ?n) (true ?x))
        (<= (next middle) (true begin)) (<= (next left) (true middle) (does a (go 1)))
        (<= (next over) (true middle) (does a (go 2))) (<= (next over) (true left))
        (<= terminal (true over)) (goal a 100) (goal b 0)"
    );
    load(&rules).rules.unwrap()
}

/// Never stuck.
const ALWAYS: &str = "(<= (legal b wait) (true ?x))";
/// Stuck in one state each: the first, the second, and one of two that are third.
const NOT_AT_FIRST: &str = "(<= (legal b wait) (not (true begin)))";
const NOT_IN_THE_MIDDLE: &str = "(<= (legal b wait) (not (true middle)))";
const NOT_LEFT: &str = "(<= (legal b wait) (not (true left)))";

fn propnet(rules: &Rules) -> Propnet {
    Propnet::new(rules, &datalog::EvaluationLimits::default()).unwrap()
}

/// The counts up to the first depth without paths.
fn counts<G: Engine>(game: &G, turns: bool, threads: usize) -> Vec<DepthCount> {
    let deadline = &Deadline::default();
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let (pool, perft) = (pool.unwrap(), Perft { turns, deadline });
    let mut counts = Vec::new();
    for depth in 1.. {
        let count = perft.count(&pool, game, &game.initial(), depth).unwrap();
        counts.push(count);
        if count.paths == 0 {
            break;
        }
    }
    counts
}

#[test]
fn paths_that_end_before_the_game_are_reported() {
    let count = |moves: &str| {
        let rules = rules(moves);
        let (reasoner, propnet) = (Reasoner::new(&rules).unwrap(), propnet(&rules));
        let is_reported = |counts: &[DepthCount]| counts.iter().any(|count| count.stuck);
        let of = |turns, threads| {
            let one = counts(&reasoner, turns, threads);
            let other = counts(&propnet, turns, threads);
            let reported = is_reported(&one);
            assert_eq!(
                is_reported(&other),
                reported,
                "turns {turns}, {threads} threads"
            );
            let paths: Vec<u64> = one.iter().map(|count| count.paths).collect();
            assert!(paths.iter().eq(other.iter().map(|count| &count.paths)));
            (paths, reported)
        };
        let plies = of(false, 1);
        assert_eq!(of(false, 3), plies);
        assert_eq!([of(true, 1).1, of(true, 3).1], [plies.1; 2]);
        plies
    };
    assert_eq!(count(ALWAYS), (vec![2, 4, 4, 0], false));
    assert_eq!(count(NOT_AT_FIRST), (vec![0], true));
    assert_eq!(count(NOT_IN_THE_MIDDLE), (vec![2, 0], true));
    assert_eq!(count(NOT_LEFT), (vec![2, 4, 0], true));
}

#[test]
fn random_games_that_cannot_go_on_are_counted() {
    let sampled = |moves: &str| {
        let game = propnet(&rules(moves));
        let options = &mut SampleOptions {
            seed: 1,
            games: 40,
            max_plies: 100,
            deadline: Deadline::default(),
            on_end: &mut |_| {},
        };
        let seen = sample(&game, options).unwrap();
        assert_eq!(seen.ended + seen.stuck, 40);
        (seen.ended, seen.stuck)
    };
    assert_eq!(sampled(ALWAYS), (40, 0));
    assert_eq!(sampled(NOT_AT_FIRST), (0, 40));
    let (ended, stuck) = sampled(NOT_LEFT);
    assert!(ended > 0 && stuck > 0);
}
