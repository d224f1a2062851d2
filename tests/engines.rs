//! The same player thinks the same on every engine.

use std::time::Duration;

use kolibri::catalog::GameSource;
use kolibri::datalog;
use kolibri::engine::{Propnet, Reasoner};
use kolibri::game::{Engine, Role};
use kolibri::gdl;
use kolibri::search::{
    Heuristics, LearnedWeights, MinimaxSettings, SearchLimits, Searcher, Value, prepare, think,
};
use kolibri::util::StopFlag;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn on_gates(text: &str) -> Propnet {
    let rules = gdl::load(text).rules.unwrap();
    Propnet::new(&rules, &datalog::EvaluationLimits::default()).unwrap()
}

fn by_rules(text: &str) -> Reasoner {
    Reasoner::new(&gdl::load(text).rules.unwrap()).unwrap()
}

/// Who thinks, and with how much memory and help.
#[derive(Debug, Clone, Copy)]
struct Thinker {
    role: Role,
    hash: usize,
    threads: usize,
    heuristics: Heuristics,
}

impl Thinker {
    const PLAIN: Self = Self {
        role: Role(0),
        hash: 1,
        threads: 1,
        heuristics: Heuristics::NONE,
    };

    /// A searcher that has only what was learned of the game.
    fn searcher<G: Engine>(self, game: &G, learned: &mut LearnedWeights) -> Searcher {
        let mut searcher = Searcher::minimax(MinimaxSettings {
            hash: self.hash,
            heuristics: self.heuristics,
            has_clock: false,
            ..MinimaxSettings::default()
        });
        // So much time that the clock cuts no training short.
        let budget = (Duration::from_secs(600), &StopFlag::default());
        prepare(game, self.role, &mut searcher, learned, budget);
        searcher
    }

    /// The value, the depth and the move that it finds.
    fn thought<G: Engine>(
        self,
        game: &G,
        depth: u32,
        learned: &mut LearnedWeights,
    ) -> (Value, u32, String) {
        let limits = SearchLimits {
            threads: self.threads,
            ..SearchLimits::to_depth(depth)
        };
        let mut searcher = self.searcher(game, learned);
        let found = think(game, &game.initial(), self.role, &limits, &mut searcher).unwrap();
        (found.value, found.depth, game.move_text(found.best))
    }
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
        let text = GameSource::find(name).unwrap().text;
        let thought = |learned: &mut LearnedWeights| {
            let one = Thinker::PLAIN.thought(&on_gates(&text), depth, learned);
            (
                one,
                Thinker::PLAIN.thought(&by_rules(&text), depth, learned),
            )
        };
        let (one, other) = thought(&mut LearnedWeights::default());
        assert_eq!(one, other, "{name}");
    }
}

/// The rules of a walk over six places, of so many steps at most, by ways that are drawn; somebody may be led to move
/// twice in a row. The names of places stand in no order.
fn random_walk(seed: u64, steps: u32) -> String {
    const PLACES: [&str; 6] = ["start", "mill", "well", "ford", "oak", "end"];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut text = "(role a) (role b) (init (at start)) (init (turn a)) (init (step 0))
        (<= (legal ?r (go ?y)) (true (turn ?r)) (true (at ?x)) (way ?r ?x ?y ?s))
        (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
        (<= (next (at ?y)) (does ?r (go ?y)))
        (<= (next (turn ?s)) (does ?r (go ?y)) (true (at ?x)) (way ?r ?x ?y ?s))
        (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
        (<= terminal (true (at end)))
        (<= (goal ?r ?v) (true (at ?x)) (worth ?r ?x ?v))\n"
        .to_owned();
    text += &format!("(<= terminal (true (step {steps})))\n");
    for step in 0..steps {
        text += &format!("(after {step} {})", step + 1);
    }
    for (role, place) in ["a", "b"]
        .into_iter()
        .flat_map(|role| PLACES.map(|place| (role, place)))
    {
        let worth = rng.random_range(0..5) * 25;
        text += &format!("(worth {role} {place} {worth})");
        let first = rng.random_range(0..6);
        for next in 0..rng.random_range(1..5) {
            let whose = ["a", "b"][rng.random_range(0..2)];
            let to = PLACES[(first + next) % 6];
            text += &format!("(way {role} {place} {to} {whose})");
        }
    }
    text
}

/// Whatever it thinks with, it comes to the same value: by rules alone and without a table, or on gates with a table and
/// threads. What is learned of a game is learned once, on gates.
fn assert_same_values(text: &str, thinkers: impl Fn(u64) -> Thinker, depths: u32) -> usize {
    let (by_rules, on_gates) = (by_rules(text), on_gates(text));
    let (mut learned, mut values) = (LearnedWeights::default(), Vec::new());
    for depth in 1..=depths {
        let thinker = thinkers(u64::from(depth));
        let value = thinker.thought(&on_gates, depth, &mut learned).0;
        let other = thinkers(u64::from(depth) + 1);
        let (hash, threads) = (other.hash, other.threads);
        let other = Thinker {
            hash,
            threads,
            ..thinker
        };
        let said = format!("{thinker:?} {other:?} depth {depth} {text}");
        assert_eq!(
            other.thought(&by_rules, depth, &mut learned).0,
            value,
            "{said}"
        );
        for threads in [1, 2] {
            let other = Thinker { threads, ..other };
            assert_eq!(
                other.thought(&on_gates, depth, &mut learned).0,
                value,
                "{said}"
            );
        }
        values.push(value);
    }
    values.dedup();
    values.len()
}

#[test]
fn engines_think_the_same_of_random_games() {
    for seed in 0..40 {
        let thinkers = |number: u64| Thinker {
            role: Role(seed as usize % 2),
            hash: [0, 1, 2][number as usize % 3],
            threads: 1 + number as usize % 2,
            ..Thinker::PLAIN
        };
        assert_same_values(&random_walk(seed, 7), thinkers, 8);
    }
}

#[test]
fn engines_think_the_same_of_random_games_with_heuristics() {
    let mut differing = 0;
    for (seed, names) in ["all", "mobility+progress", "pieces+progress", "all-goals"]
        .into_iter()
        .enumerate()
    {
        let thinkers = |number: u64| Thinker {
            role: Role(seed % 2),
            hash: [0, 1, 2][number as usize % 3],
            threads: 1 + number as usize % 2,
            heuristics: names.parse().unwrap(),
        };
        differing += assert_same_values(&random_walk(seed as u64, 7), thinkers, 6);
    }
    assert!(
        differing > 8,
        "values by heuristics differ from depth to depth"
    );
}

/// Games of self-play are the same on all engines, and so is what they teach.
#[test]
fn engines_learn_the_same() {
    let thinker = Thinker {
        heuristics: Heuristics::ALL,
        ..Thinker::PLAIN
    };
    let teaches = |seed| {
        let text = random_walk(seed, 4);
        let searcher = thinker.searcher(&on_gates(&text), &mut LearnedWeights::default());
        let weights = searcher.weights(&[]);
        let nonzero = weights.iter().filter(|(.., weight)| *weight != 0.0).count();
        (nonzero > 3).then_some((text, weights))
    };
    let (text, weights) = (0..10).find_map(teaches).unwrap();
    let searcher = thinker.searcher(&by_rules(&text), &mut LearnedWeights::default());
    assert_eq!(searcher.weights(&[]), weights, "{text}");
}
