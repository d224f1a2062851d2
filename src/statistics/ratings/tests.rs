use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::statistics::{EloDifference, ResultCounts, score_of_elo};

fn result(first: usize, second: usize, score: f64, unit: u64) -> PairResult {
    PairResult {
        players: [first, second],
        score,
        unit,
    }
}

/// Wins of the teams of a baseball league in 1987 against each other (Agresti, *Categorical Data Analysis*, 2002, section 10.6).
const WINS: [[u32; 7]; 7] = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
];

/// The published strengths, and the standard errors of the differences to the last team (Firth, *Bradley-Terry models in R*,
/// 2005), which judge by what is expected and not by what was seen.
#[test]
fn published_strengths_come_out() {
    let strengths = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0];
    let errors = [0.3433, 0.3396, 0.3367, 0.3359, 0.3390, 0.3319];
    let mut results = Vec::new();
    for (first, row) in WINS.iter().enumerate() {
        for (second, wins) in row.iter().enumerate() {
            for _ in 0..*wins {
                results.push(result(first, second, 1.0, results.len() as u64));
            }
        }
    }
    let found = Ratings::of(7, &results);
    let mean = strengths.iter().sum::<f64>() / 7.0;
    for (team, strength) in strengths.into_iter().enumerate() {
        let elo = (strength - mean) * ELO_PER_LOGIT;
        assert!((found.elo(team).unwrap() - elo).abs() < 0.02, "{found:?}");
    }
    let covariance = found.covariance.unwrap();
    for (team, error) in errors.into_iter().enumerate() {
        let own = covariance[team][team] + covariance[6][6] - 2.0 * covariance[team][6];
        assert!(
            (own.sqrt() / error - 1.0).abs() < 0.1,
            "{team}: {}",
            own.sqrt()
        );
    }
}

/// Elo points of four players, as they are and as they play.
const ELO: [f64; 4] = [90.0, 40.0, -30.0, -100.0];

/// A round robin: every two players play so many pairs of games. In half of the pairs the second game ends like the first one,
/// so that the games of a pair depend on each other, each with the probabilities that the model states.
fn simulated(pairs: u64, rng: &mut impl Rng) -> Vec<PairResult> {
    let mut results = Vec::new();
    for (first, elo) in ELO.iter().enumerate() {
        for (second, others) in ELO.iter().enumerate().skip(first + 1) {
            let expected = score_of_elo(elo - others);
            for _ in 0..pairs {
                let unit = results.len() as u64;
                let score = drawn(expected, rng);
                let again = rng.random_bool(0.5);
                let next = if again { score } else { drawn(expected, rng) };
                results.push(result(first, second, score, unit));
                results.push(result(second, first, 1.0 - next, unit));
            }
        }
    }
    results
}

/// A win, a draw or a loss with this mean.
fn drawn(expected: f64, rng: &mut impl Rng) -> f64 {
    let draws = 0.6 * expected.min(1.0 - expected);
    match rng.random::<f64>() {
        chance if chance < draws => 0.5,
        chance if chance < expected + draws / 2.0 => 1.0,
        _ => 0.0,
    }
}

fn log_likelihood(strengths: &[f64], results: &[PairResult]) -> f64 {
    let terms = results.iter().map(|one| {
        let [first, second] = one.players;
        let expected = score_of_elo(strengths[first] - strengths[second]);
        one.score * expected.ln() + (1.0 - one.score) * (1.0 - expected).ln()
    });
    terms.sum()
}

#[test]
fn no_other_strengths_make_the_results_more_probable() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let results = simulated(15, &mut rng);
    let found = Ratings::of(4, &results);
    let found: Vec<f64> = (0..4).map(|player| found.elo(player).unwrap()).collect();
    // Climbs from where everybody is equal, one player and ever smaller steps at a time.
    let mut climbed = vec![0.0; 4];
    let mut likelihood = log_likelihood(&climbed, &results);
    let mut step = 64.0;
    while step > 1e-5 {
        let mut rose = false;
        for player in 0..4 {
            for change in [step, -step] {
                let mut moved = climbed.clone();
                moved[player] += change;
                let better = log_likelihood(&moved, &results);
                if better > likelihood {
                    (climbed, likelihood, rose) = (moved, better, true);
                }
            }
        }
        if !rose {
            step /= 2.0;
        }
    }
    let mean = climbed.iter().sum::<f64>() / 4.0;
    for (player, elo) in climbed.into_iter().enumerate() {
        assert!((elo - mean - found[player]).abs() < 0.01, "{found:?}");
    }
    assert!(found.iter().sum::<f64>().abs() < 1e-6);
}

#[test]
fn two_players_have_the_difference_and_the_error_of_their_pairs() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut results = simulated(400, &mut rng);
    results.retain(|one| one.players.iter().all(|player| [0, 1].contains(player)));
    let halves = results
        .chunks(2)
        .map(|two| (2.0 * (two[0].score + 1.0 - two[1].score)) as usize);
    let of_pairs = EloDifference::of(&ResultCounts::of_pairs(halves)).unwrap();
    let found = Ratings::of(2, &results);
    let [first, second] = [0, 1].map(|player| found.elo(player).unwrap());
    assert!((first - second - of_pairs.elo.unwrap()).abs() < 1e-6);
    // The interval of the score, by the slope of Elo points in the score.
    let slope = ELO_PER_LOGIT / of_pairs.score / (1.0 - of_pairs.score);
    let error = of_pairs.score_error * slope / 2.0;
    assert!(
        (found.error(0).unwrap() / error - 1.0).abs() < 0.01,
        "{error} {found:?}"
    );
    assert!((found.superiority(0, 1).unwrap() - of_pairs.superiority).abs() < 0.01);
}

/// Of 95 % intervals, 95 % hold what is true, although games of a pair depend on each other.
#[test]
fn intervals_cover_what_is_true() {
    const TOURNAMENTS: u64 = 1_200;
    let [mut covered, mut superior] = [0_u32; 2];
    for seed in 0..TOURNAMENTS {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let found = Ratings::of(4, &simulated(40, &mut rng));
        let holds = |player: &usize| {
            let off = found.elo(*player).unwrap() - ELO[*player];
            off.abs() <= found.error(*player).unwrap()
        };
        covered += (0..4).filter(holds).count() as u32;
        superior += u32::from(found.superiority(0, 1).unwrap() > 0.5);
    }
    let share = f64::from(covered) / (4 * TOURNAMENTS) as f64;
    assert!((0.935..0.965).contains(&share), "{share}");
    assert!(f64::from(superior) > 0.8 * TOURNAMENTS as f64);
}

#[test]
fn players_without_a_likeliest_strength_have_none() {
    use RatingPlace::{Above, Apart, Below, Rated};
    let results = [
        result(0, 1, 1.0, 0),
        result(1, 2, 1.0, 1),
        result(2, 1, 0.5, 2),
        result(2, 3, 1.0, 3),
        result(4, 5, 1.0, 4),
    ];
    let found = Ratings::of(6, &results);
    let places = [0, 1, 2, 3, 4, 5].map(|player| found.place(player));
    assert_eq!(places, [Above, Rated(0), Rated(1), Below, Apart, Apart]);
    assert_eq!(found.elo(0), None);
    assert!(found.elo(1).unwrap() > 0.0 && found.elo(1) == found.elo(2).map(|elo| -elo));
    let one_sided = Ratings::of(2, &[result(0, 1, 1.0, 0)]);
    assert_eq!([0, 1].map(|player| one_sided.place(player)), [Apart, Apart]);
    let nobody = Ratings::of(0, &[]);
    assert!(nobody.places.is_empty());
}

#[test]
fn very_unequal_players_are_rated_too() {
    let mut results: Vec<PairResult> = (0..10_000).map(|unit| result(0, 1, 1.0, unit)).collect();
    results.push(result(0, 1, 0.5, 10_000));
    results.extend((0..5).map(|unit| result(1, 2, 1.0, 20_000 + unit)));
    results.push(result(2, 1, 1.0, 30_000));
    let found = Ratings::of(3, &results);
    let lead = found.elo(0).unwrap() - found.elo(1).unwrap();
    let score = 10_000.5 / 10_001.0;
    assert!(
        (lead - crate::statistics::elo_of_score(score).unwrap()).abs() < 1e-3,
        "{lead}"
    );
}
