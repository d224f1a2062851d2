//! How large relations are, as far as anybody has seen: what the planner goes by.

use super::program::Pred;
use super::relation::Relation;

/// Sizes seen so far: exact for relations that never change, the mean of what was observed for the others.
#[derive(Debug, Default)]
pub(super) struct Observed {
    pub(super) size: Vec<f64>,
    pub(super) distinct: Vec<Vec<f64>>,
    samples: Vec<u32>,
}

impl Observed {
    /// How many different terms a column of a relation that nobody has seen yet is thought to hold.
    const GUESS: f64 = 4.0;

    pub(super) fn unknown(relations: &[Relation]) -> Self {
        let columns = |relation: &Relation| vec![Self::GUESS; relation.arity()];
        let size = |relation: &Relation| Self::GUESS.powi(relation.arity().min(8) as i32);
        Self {
            size: relations.iter().map(size).collect(),
            distinct: relations.iter().map(columns).collect(),
            samples: vec![0; relations.len()],
        }
    }

    pub(super) fn settle(&mut self, pred: Pred, relation: &Relation) {
        self.size[pred.index()] = relation.len() as f64;
        self.distinct[pred.index()] = relation
            .distinct_counts()
            .into_iter()
            .map(|count| count as f64)
            .collect();
    }

    pub(super) fn note(&mut self, pred: Pred, relation: &Relation) {
        let at = pred.index();
        self.samples[at] += 1;
        let weight = 1.0 / f64::from(self.samples[at]);
        let blend = |old: &mut f64, new: usize| *old += (new as f64 - *old) * weight;
        blend(&mut self.size[at], relation.len());
        for (old, new) in self.distinct[at].iter_mut().zip(relation.distinct_counts()) {
            blend(old, new);
        }
    }
}
