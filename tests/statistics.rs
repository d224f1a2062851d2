//! Statistics against simulation: intervals hold the truth as often as they say, and tests err as rarely.

use kolibri::statistics::{
    EloDifference, Hypotheses, ResultCounts, StrengthScale, Verdict, elo_of_score, score_of_elo,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Pairs of games between two players, one of whom scores more.
struct SimulatedPairs {
    /// How probable 0, ½, 1, 1½ and 2 points are.
    probabilities: [f64; 5],
    random: Xoshiro256PlusPlus,
    counts: [u64; 5],
}

impl SimulatedPairs {
    /// Pairs with this mean score of a game, near one half.
    fn with_score(score: f64, seed: u64) -> Self {
        const EVEN: [f64; 5] = [0.05, 0.25, 0.4, 0.25, 0.05];
        // Moves weight from pairs with ½ point to those with 1½, which score half as much more.
        let moved = (score - 0.5) * 2.0;
        let mut probabilities = EVEN;
        probabilities[1] -= moved;
        probabilities[3] += moved;
        Self {
            probabilities,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            counts: [0; 5],
        }
    }

    fn play(&mut self, pairs: usize) -> ResultCounts {
        for _ in 0..pairs {
            let mut left: f64 = self.random.random();
            let points = self.probabilities.iter().position(|probability| {
                left -= probability;
                left < 0.0
            });
            self.counts[points.unwrap_or(4)] += 1;
        }
        ResultCounts::Pairs(self.counts)
    }
}

#[test]
fn intervals_hold_the_truth_in_95_of_100_cases() {
    const SERIES: u64 = 4_000;
    let score = score_of_elo(20.0);
    let truth = elo_of_score(score).unwrap();
    let (mut elo, mut normalised) = (0, 0);
    let exact = {
        let points = [0.0, 0.25, 0.5, 0.75, 1.0];
        let chances = SimulatedPairs::with_score(score, 0).probabilities;
        let squares = points.iter().zip(chances);
        let variance: f64 = squares
            .map(|(point, chance)| chance * (point - score) * (point - score))
            .sum();
        (score - 0.5) / (2.0 * variance).sqrt() * 800.0 / 10_f64.ln()
    };
    for seed in 0..SERIES {
        let results = SimulatedPairs::with_score(score, seed).play(500);
        let found = EloDifference::of(&results).unwrap();
        let [low, high] = found.elo_interval.map(Option::unwrap);
        elo += u64::from(low <= truth && truth <= high);
        let distance = (found.normalised_elo.unwrap() - exact).abs();
        normalised += u64::from(distance <= found.normalised_error.unwrap());
    }
    for held in [elo, normalised] {
        let share = held as f64 / SERIES as f64;
        assert!((share - 0.95).abs() < 0.01, "{share}");
    }
}

#[test]
fn sequential_tests_err_as_rarely_as_stated() {
    const SERIES: u64 = 600;
    const ERROR: f64 = 0.05;
    let hypotheses = Hypotheses {
        elo0: 0.0,
        elo1: 30.0,
        alpha: ERROR,
        beta: ERROR,
        scale: StrengthScale::Logistic,
    };
    for (elo, wrong) in [(0.0, Verdict::Elo1), (30.0, Verdict::Elo0)] {
        let mut errors = 0;
        for seed in 0..SERIES {
            let mut pairs = SimulatedPairs::with_score(score_of_elo(elo), seed);
            let verdict = loop {
                match hypotheses.test(&pairs.play(20)).verdict {
                    Verdict::Continue => {}
                    verdict => break verdict,
                }
            };
            errors += u64::from(verdict == wrong);
        }
        let share = errors as f64 / SERIES as f64;
        assert!(share < ERROR + 0.015, "{wrong:?}: {share}");
        assert!(
            share > 0.01,
            "a test that never errs plays too long: {share}"
        );
    }
}
