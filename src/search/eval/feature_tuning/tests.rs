use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::game::fixture::Subtraction;

fn tuned(method: TuningMethod, rounds: u64, stop_after: u64) -> TunedFeatures {
    let stop = StopFlag::default();
    let told = AtomicU64::new(0);
    let report = |round| {
        told.store(round, Ordering::Relaxed);
        if round == stop_after {
            stop.raise();
        }
    };
    let tuning = FeatureTuning {
        role: 0,
        method,
        heuristics: "mobility".parse().unwrap(),
        states: Some(20_000),
        rounds,
        games: 16,
        seed: 1,
        subject: ("game".to_owned(), "rules".to_owned()),
        stop: &stop,
        report: &report,
    };
    let game = Subtraction::new(12, 3);
    let found = LearnedWeights::default().tune(&game, &tuning).unwrap();
    assert_eq!(found.rounds, told.into_inner());
    found
}

fn features(found: &TunedFeatures) -> Vec<f32> {
    let weights = &found.weights.model().weights;
    weights.iter().flat_map(|of| of.features.clone()).collect()
}

#[test]
fn each_method_finds_the_same_weights_again() {
    let norm = |weights: &[f32]| weights.iter().map(|weight| weight * weight).sum::<f32>();
    let regression = tuned(TuningMethod::Regression, 0, 0);
    assert_eq!((regression.rounds, regression.score), (0, None));
    assert!(regression.weights.training().states > 0);
    assert_eq!(regression.features.len(), 2, "own and other moves");
    for method in [TuningMethod::Spsa, TuningMethod::Annealing] {
        let found = tuned(method, 5, u64::MAX);
        assert_eq!(found.rounds, 5);
        assert!(
            found
                .score
                .is_some_and(|score| (0.0..=100.0).contains(&score))
        );
        let weights = features(&found);
        assert_eq!(weights, features(&tuned(method, 5, u64::MAX)));
        let share = norm(&weights) / norm(&features(&regression));
        assert!(
            (share - 1.0).abs() < 1e-3,
            "as much as regression, not {share}"
        );
    }
}

#[test]
fn a_stop_keeps_what_was_found() {
    for method in [TuningMethod::Spsa, TuningMethod::Annealing] {
        let found = tuned(method, 1_000_000, 3);
        assert_eq!((found.rounds, found.score), (3, None));
        assert!(features(&found).iter().any(|weight| *weight != 0.0));
    }
}
