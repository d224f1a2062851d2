use super::*;

fn hypotheses(elo0: f64, elo1: f64, scale: StrengthScale) -> Hypotheses {
    let hypotheses = Hypotheses {
        elo0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
        scale,
    };
    hypotheses.checked().unwrap()
}

/// Tests of Stockfish, as its authors published them, and a reference value of a tournament program.
#[test]
fn published_tests_come_out() {
    use StrengthScale::{Logistic, Normalised};
    for (pairs, elo0, elo1, scale, llr) in [
        (
            [831, 31_795, 68_460, 32_448, 834],
            0.0,
            2.0,
            Normalised,
            2.93,
        ),
        (
            [307, 54_901, 140_959, 56_230, 281],
            0.5,
            2.5,
            Normalised,
            2.95,
        ),
        (
            [379, 10_170, 21_828, 10_640, 343],
            0.0,
            2.0,
            Normalised,
            2.946,
        ),
        (
            [253, 4_282, 17_604, 4_431, 286],
            -0.25,
            1.25,
            Logistic,
            2.94,
        ),
        ([58, 3_302, 33_130, 3_518, 84], 0.25, 1.25, Logistic, 2.97),
        ([17, 253, 1_042, 337, 39], -0.5, 1.5, Logistic, 2.96),
    ] {
        let found = hypotheses(elo0, elo1, scale).test(&ResultCounts::Pairs(pairs));
        assert!((found.llr - llr).abs() < 0.005, "{pairs:?}: {found:?}");
        assert!((found.upper - 2.944).abs() < 0.001 && found.lower == -found.upper);
    }
    for (games, elo0, elo1, llr) in [
        ([36_433, 68_692, 36_027], 0.0, 2.0, 0.92),
        ([10_871, 20_431, 10_650], -1.75, 0.25, 2.30),
    ] {
        let games = ResultCounts::from_counts(&games).unwrap();
        let found = hypotheses(elo0, elo1, Normalised).test(&games);
        assert!((found.llr - llr).abs() < 0.005, "{games}: {found:?}");
    }
}

#[test]
fn few_results_decide_nothing_and_many_do() {
    use Verdict::{Continue, Elo0, Elo1};
    for scale in [StrengthScale::Logistic, StrengthScale::Normalised] {
        let test = hypotheses(0.0, 10.0, scale);
        for (counts, verdict) in [
            ([0, 0, 0], Continue),
            ([1, 0, 0], Continue),
            ([0, 0, 3], Continue),
            ([0, 40, 0], Continue),
            ([5_300, 0, 4_700], Elo1),
            ([4_900, 0, 5_100], Elo0),
            ([10_000, 0, 0], Elo1),
            ([0, 0, 10_000], Elo0),
        ] {
            let found = test.test(&ResultCounts::from_counts(&counts).unwrap());
            assert_eq!(found.verdict, verdict, "{counts:?}: {found:?}");
        }
    }
}

#[test]
fn hypotheses_that_cannot_be_tested_are_told() {
    let usual = hypotheses(0.0, 10.0, StrengthScale::Logistic);
    for (wrong, words) in [
        (Hypotheses { elo1: 0.0, ..usual }, "must be greater"),
        (
            Hypotheses {
                elo0: f64::NAN,
                ..usual
            },
            "too large",
        ),
        (Hypotheses { elo1: 1e9, ..usual }, "at most 200"),
        (
            Hypotheses {
                alpha: 0.5,
                ..usual
            },
            "below 0.5",
        ),
        (Hypotheses { beta: 0.0, ..usual }, "above 0"),
    ] {
        let told = wrong.checked().unwrap_err().to_string();
        assert!(told.contains(words), "{told}");
    }
}
