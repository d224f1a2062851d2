//! What the moves of a player amount to.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{JudgedAnswer, Quality};
use crate::statistics::wilson;

/// In how many positions the value was kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct KeptCount {
    /// All positions.
    pub positions: u64,
    /// Those in which it was.
    pub kept: u64,
}

impl KeptCount {
    /// Counts answers.
    pub fn of<'a>(answers: impl IntoIterator<Item = &'a JudgedAnswer>) -> Self {
        let mut count = Self::default();
        for answer in answers {
            count.positions += 1;
            count.kept += u64::from(answer.keeps());
        }
        count
    }

    /// The share, if there are positions.
    pub fn share(self) -> Option<f64> {
        (self.positions > 0).then(|| self.kept as f64 / self.positions as f64)
    }

    /// The 95 % interval of the share.
    pub fn interval(self) -> [f64; 2] {
        wilson(self.kept, self.positions)
    }
}

impl JudgedAnswer {
    /// Whether the move keeps what the position is worth.
    pub fn keeps(&self) -> bool {
        self.cost() == Some(0)
    }

    /// The points that the move loses; nothing where there was no move.
    pub fn cost(&self) -> Option<i64> {
        let (_, points) = self.played.as_ref().ok()?;
        Some(self.best_points - points)
    }
}

impl Quality {
    /// How often the value was kept.
    pub fn kept(&self) -> KeptCount {
        KeptCount::of(&self.answers)
    }

    /// The same for the positions in which a role chooses.
    pub fn kept_by(&self, role: usize) -> KeptCount {
        KeptCount::of(self.answers.iter().filter(|answer| answer.role == role))
    }

    /// The same by the ply of the position.
    pub fn by_ply(&self) -> BTreeMap<usize, KeptCount> {
        let mut plies: BTreeMap<usize, Vec<&JudgedAnswer>> = BTreeMap::new();
        for answer in &self.answers {
            plies.entry(answer.ply).or_default().push(answer);
        }
        let counts = plies.into_iter();
        counts
            .map(|(ply, answers)| (ply, KeptCount::of(answers)))
            .collect()
    }

    /// The share of these positions in which a move drawn at random keeps the value.
    pub fn share_by_chance(&self) -> Option<f64> {
        let shares = self.answers.iter();
        mean(shares.map(|answer| answer.best.len() as f64 / answer.legal as f64))
    }

    /// The points that a move loses on average.
    pub fn mean_cost(&self) -> Option<f64> {
        let costs = self.answers.iter().filter_map(JudgedAnswer::cost);
        mean(costs.map(|cost| cost as f64))
    }

    /// How often the player gave no legal move.
    pub fn without_move(&self) -> usize {
        let answers = self.answers.iter();
        answers.filter(|answer| answer.played.is_err()).count()
    }

    /// The moves that lose something, the most first; of those that lose the same, the earliest.
    pub fn worst(&self, most: usize) -> Vec<&JudgedAnswer> {
        let answers = self.answers.iter();
        let mut worst: Vec<&JudgedAnswer> =
            answers.filter(|answer| answer.cost() > Some(0)).collect();
        worst.sort_by_key(|answer| (answer.cost().map(|cost| -cost), answer.ply));
        worst.truncate(most);
        worst
    }
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for number in numbers {
        sum += number;
        count += 1;
    }
    (count > 0).then(|| sum / f64::from(count))
}
