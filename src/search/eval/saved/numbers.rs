//! The numbers of a file of weights: little-endian, one after the other, compressed.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

use crate::search::eval::features::FeatureMeasure;
use crate::search::eval::learned::{weight_of_tuple, whole_of_tuple};
use crate::search::eval::model::{EvaluationModel, TurnWeights};

/// All numbers of a model.
pub(super) fn arrays(model: &EvaluationModel) -> Vec<u8> {
    let mut bytes = Vec::new();
    for feature in &model.features {
        if let FeatureMeasure::Facts(facts) = &feature.measure {
            bytes.extend(facts.iter().flat_map(|(_, share)| share.to_le_bytes()));
        }
    }
    for weights in &model.weights {
        bytes.extend(weights.constant.to_le_bytes());
        for (weight, (mean, scale)) in weights.features.iter().zip(&weights.scales) {
            bytes.extend(
                [weight, mean, scale]
                    .into_iter()
                    .flat_map(|of| of.to_le_bytes()),
            );
        }
        bytes.extend(weights.facts.iter().flat_map(|of| of.to_le_bytes()));
        let tuples = weights.tuples.iter().map(|&of| whole_of_tuple(of));
        bytes.extend(tuples.flat_map(i16::to_le_bytes));
        bytes.extend(weights.hidden.numbers().flat_map(f32::to_le_bytes));
    }
    bytes
}

pub(super) fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Memory takes what is written.
    let written = encoder.write_all(bytes);
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}

/// Numbers that are read one after the other; `None` once there are no more.
pub(super) struct WeightNumbers {
    bytes: Vec<u8>,
    at: usize,
}

impl WeightNumbers {
    /// Those of a compressed part that must have so many bytes.
    pub(super) fn decompressed(compressed: &[u8], expected: usize) -> Option<Self> {
        let mut bytes = Vec::new();
        // One more shows that there are too many. What cannot be read is missing.
        let limit = expected.saturating_add(1) as u64;
        let _ = GzDecoder::new(compressed)
            .take(limit)
            .read_to_end(&mut bytes);
        (bytes.len() == expected).then_some(Self { bytes, at: 0 })
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let taken = self.bytes.get(self.at..)?.first_chunk().copied()?;
        self.at += N;
        Some(taken)
    }

    /// A number that is one: weights have no other values.
    pub(super) fn float(&mut self) -> Option<f32> {
        let number = f32::from_le_bytes(self.take()?);
        number.is_finite().then_some(number)
    }

    pub(super) fn read_into(&mut self, weights: &mut TurnWeights) -> Option<()> {
        weights.constant = self.float()?;
        for (weight, scale) in weights.features.iter_mut().zip(&mut weights.scales) {
            *weight = self.float()?;
            *scale = (self.float()?, self.float()?);
        }
        for weight in &mut weights.facts {
            *weight = self.float()?;
        }
        for weight in &mut weights.tuples {
            *weight = weight_of_tuple(i16::from_le_bytes(self.take()?));
        }
        for weight in weights.hidden.numbers_mut() {
            *weight = self.float()?;
        }
        Some(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.at == self.bytes.len()
    }
}
