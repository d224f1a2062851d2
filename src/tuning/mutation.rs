//! First weights, and those of the next generation.

use rand::{Rng, RngExt};

use super::{AnnealingPlan, AnnealingSetup};
use crate::native::kolibrat::PropertyWeights;

/// The greatest weight.
const SCALE: i32 = 1000;
/// What the program of the thesis starts near, and how near.
const PRESET: [i32; 11] = [600, 50, 730, 760, 500, 70, 1000, 50, 50, 50, 50];
const NEAR: i32 = 100;
/// The weight whose change the program of the thesis uses for all after it.
const LINKED: usize = 6;

/// Weights of the first generation.
pub(super) fn first(setup: AnnealingSetup, random: &mut impl Rng) -> PropertyWeights {
    PropertyWeights(match setup {
        AnnealingSetup::Prose => [(); 11].map(|()| random.random_range(0..=SCALE)),
        AnnealingSetup::Listing => PRESET.map(|weight| weight + random.random_range(-NEAR..NEAR)),
    })
}

/// Each weight from one of the two.
pub(super) fn crossed(
    one: &PropertyWeights,
    other: &PropertyWeights,
    random: &mut impl Rng,
) -> PropertyWeights {
    PropertyWeights(std::array::from_fn(|index| {
        if random.random() { one } else { other }.0[index]
    }))
}

/// The weights with random changes, the greater the higher the temperature.
pub(super) fn mutant(
    parent: &PropertyWeights,
    temperature: f32,
    plan: &AnnealingPlan,
    random: &mut impl Rng,
) -> PropertyWeights {
    let amplitude = plan.amplitude;
    let scaled = |change: i32| (change as f32 * temperature) as i32;
    let mut changes = [(); 11].map(|()| scaled(random.random_range(-amplitude..=amplitude)));
    if plan.setup == AnnealingSetup::Listing {
        let linked = scaled(changes[LINKED]);
        changes[LINKED + 1..].fill(linked);
    }
    let changed = std::array::from_fn(|index| parent.0[index] + changes[index]);
    normalised(changed)
}

/// From 0 to 1000: raised until none is negative, then scaled where one is too large.
fn normalised(weights: [i32; 11]) -> PropertyWeights {
    let least = weights.into_iter().fold(0, i32::min);
    let raised = weights.map(|weight| weight - least);
    let most = raised.into_iter().fold(SCALE, i32::max);
    PropertyWeights(
        raised.map(|weight| (i64::from(weight) * i64::from(SCALE) / i64::from(most)) as i32),
    )
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn weights_are_normalised() {
        let mut weights = [0; 11];
        (weights[0], weights[1], weights[2]) = (-500, 1500, 500);
        let mut expected = [250; 11];
        (expected[0], expected[1], expected[2]) = (0, 1000, 500);
        assert_eq!(normalised(weights).0, expected);
        let small = [7; 11];
        assert_eq!(normalised(small).0, small, "nothing is scaled up");
    }

    /// How changes of two weights go together, from -1 to 1.
    fn correlation(setup: AnnealingSetup, one: usize, other: usize) -> f64 {
        let plan = AnnealingPlan::published(setup);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let parent = PropertyWeights([500; 11]);
        let changes: Vec<[f64; 2]> = (0..2000)
            .map(|_| {
                let mutant = mutant(&parent, 0.5, &plan, &mut random);
                [one, other].map(|index| f64::from(mutant.0[index] - 500))
            })
            .collect();
        let mean = |of: &dyn Fn(&[f64; 2]) -> f64| changes.iter().map(of).sum::<f64>() / 2000.0;
        let variance = |side: usize| mean(&|change| change[side].powi(2)).sqrt();
        mean(&|change| change[0] * change[1]) / (variance(0) * variance(1))
    }

    #[test]
    fn weights_change_independently_but_for_the_slip_of_the_program() {
        for (setup, linked) in [
            (AnnealingSetup::Prose, false),
            (AnnealingSetup::Listing, true),
        ] {
            assert!(correlation(setup, 0, 5).abs() < 0.1);
            assert_eq!(correlation(setup, 7, 10) > 0.99, linked);
            assert_eq!(correlation(setup, 6, 8) > 0.99, linked);
        }
    }
}
