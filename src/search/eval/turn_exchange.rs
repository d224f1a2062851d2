//! Weights of the second turn that follow from those of the first one.
//!
//! Where a symmetry of the rules exchanges the two roles and their turns, a state of the second turn is worth to one role what its image, a state
//! of the first turn, is worth to the other one. So the weights of the second turn are those of the first one for the images of what they weigh,
//! with the sign exchanged, and values are antisymmetric but for rounding.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::cells::Cell;
use super::features::{Feature, FeatureMeasure};
use super::model::{EvaluationModel, TurnWeights};
use super::tuples::Tuples;
use super::turn::TurnFacts;
use crate::search::alphabeta::stack::Choices;
use crate::symmetry::FactSymmetry;

/// A symmetry that exchanges two roles and their turns, and the images of all that is weighed.
#[derive(Debug)]
pub(super) struct TurnExchange {
    symmetry: FactSymmetry,
    /// For each feature, the one that counts the same in the image of a state, and its sign there.
    features: Vec<(usize, f32)>,
    /// For each weight of a tuple, the place of the weight that counts in the image of a state.
    places: Vec<u32>,
}

impl TurnExchange {
    /// The first of some symmetries that exchanges the turns, is undone by itself, and gives all that `model` weighs an image.
    pub(super) fn new(model: &EvaluationModel, symmetries: &[FactSymmetry]) -> Option<Self> {
        let exchanging = symmetries.iter().filter(|symmetry| {
            symmetry.swaps_roles
                && symmetry.is_involution()
                && exchanges_turns(&model.turns, symmetry)
        });
        let images = |symmetry: &FactSymmetry| {
            Some(Self {
                features: feature_images(&model.features, symmetry)?,
                places: place_images(&model.tuples, symmetry)?,
                symmetry: symmetry.clone(),
            })
        };
        exchanging.filter_map(images).next()
    }

    /// The image of a state.
    pub(super) fn image(&self, (words, choices): (&[u64], Choices)) -> (Vec<u64>, Choices) {
        (self.symmetry.apply(words), choices.swapped())
    }

    /// Replaces the weights of the second turn by those that follow from the first one.
    pub(super) fn derive(&self, first: &TurnWeights, second: &mut TurnWeights) {
        // What weighs nothing is shown as 0, not as -0.
        second.constant = 0.0 - first.constant;
        let features = second.features.iter_mut().zip(&mut second.scales);
        for ((weight, scale), &(image, sign)) in features.zip(&self.features) {
            let (mean, unit) = first.scales[image];
            *weight = 0.0 - sign * first.features[image];
            *scale = (sign * mean, unit);
        }
        for (weight, &image) in second.facts.iter_mut().zip(&self.symmetry.image) {
            *weight = 0.0 - first.facts[image as usize];
        }
        for (weight, &image) in second.tuples.iter_mut().zip(&self.places) {
            *weight = 0.0 - first.tuples[image as usize];
        }
        second.hidden = first.hidden.negated(&self.symmetry.image);
    }
}

/// Whether each turn becomes the other one. Where choices tell the turn, it is unclear in states in which both roles have some, or none has.
fn exchanges_turns(turns: &TurnFacts, symmetry: &FactSymmetry) -> bool {
    let becomes = |fact: u32| symmetry.image[fact as usize];
    matches!(turns.of_roles[..], [one, other] if becomes(one) == other && becomes(other) == one)
}

/// For each feature, one that counts the same in the image of a state, and its sign there; nothing if a feature has none.
fn feature_images(features: &[Feature], symmetry: &FactSymmetry) -> Option<Vec<(usize, f32)>> {
    let mut is_free = vec![true; features.len()];
    let image = |feature: &Feature| {
        let numbers = 0..features.len();
        let sign = |number: &usize| sign_of_image(feature, &features[*number], symmetry);
        let mut free = numbers.filter(|number| is_free[*number]);
        let found = free.find_map(|number| Some((number, sign(&number)?)))?;
        is_free[found.0] = false;
        Some(found)
    };
    features.iter().map(image).collect()
}

/// The sign with which `other` counts in the image of a state what `feature` counts in the state itself; nothing if it counts something else.
fn sign_of_image(feature: &Feature, other: &Feature, symmetry: &FactSymmetry) -> Option<f32> {
    match (&feature.measure, &other.measure) {
        (FeatureMeasure::Choices(side), FeatureMeasure::Choices(other)) => {
            (side != other).then_some(1.0)
        }
        (FeatureMeasure::Facts(shares), FeatureMeasure::Facts(others)) => {
            let others: FxHashMap<u32, f32> = others.iter().copied().collect();
            let agree = |sign: f32| {
                let mut shares = shares.iter();
                shares.all(|(fact, share)| {
                    let other = others.get(&symmetry.image[*fact as usize]);
                    other.is_some_and(|other| (share - sign * other).abs() < 1e-6)
                })
            };
            let alike = shares.len() == others.len();
            let mut signs = [1.0, -1.0].into_iter();
            signs.find(|&sign| alike && agree(sign))
        }
        _ => None,
    }
}

/// For each weight of a tuple, the place of the one that counts in the image of a state; nothing if a tuple has no image.
fn place_images(tuples: &Tuples, symmetry: &FactSymmetry) -> Option<Vec<u32>> {
    let facts_of = |cell: &Cell| {
        let mut facts = cell.facts.clone();
        facts.sort_unstable();
        facts
    };
    let key = |cells: &[Cell]| {
        let mut key: Vec<Vec<u32>> = cells.iter().map(facts_of).collect();
        key.sort_unstable();
        key
    };
    let mut numbers: IndexMap<Vec<Vec<u32>>, Vec<usize>> = IndexMap::new();
    for (number, cells) in tuples.cells.iter().enumerate() {
        numbers.entry(key(cells)).or_default().push(number);
    }
    let mut images = Vec::with_capacity(tuples.weights);
    for cells in &tuples.cells {
        let of_cells: Vec<Cell> = cells.iter().map(|cell| image_of(cell, symmetry)).collect();
        let image = numbers.get_mut(&key(&of_cells))?.pop()?;
        images.extend(places_of(
            &of_cells,
            &tuples.cells[image],
            tuples.base(image),
        )?);
    }
    Some(images)
}

/// A cell that holds the images of what a cell holds, in the same order.
fn image_of(cell: &Cell, symmetry: &FactSymmetry) -> Cell {
    let facts = cell.facts.iter();
    Cell {
        facts: facts.map(|&fact| symmetry.image[fact as usize]).collect(),
        place: None,
    }
}

/// The places of the weights of a tuple at `base`, in the order that they would have if its cells were `listed` in this way.
fn places_of(listed: &[Cell], cells: &[Cell], base: u32) -> Option<Vec<u32>> {
    let mut places = vec![base];
    for cell in listed {
        let stride = |at: usize| cells[..at].iter().map(Cell::contents).product::<usize>() as u32;
        let steps = cell.facts.iter().map(|fact| {
            let mut found = cells.iter().enumerate();
            found.find_map(|(at, cell)| {
                let digit = cell.facts.iter().position(|known| known == fact)?;
                Some((digit as u32 + 1) * stride(at))
            })
        });
        let steps: Vec<u32> = std::iter::once(Some(0))
            .chain(steps)
            .collect::<Option<_>>()?;
        let moved = steps
            .iter()
            .flat_map(|step| places.iter().map(move |place| place + step));
        places = moved.collect();
    }
    Some(places)
}

#[cfg(test)]
mod tests;
