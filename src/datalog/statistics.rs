//! Statistics of relations for the join planner: sizes, and distinct values per column.

use serde::{Deserialize, Serialize};

use super::program::Pred;
use super::relation::Relation;

/// Statistics collected so far: exact for static relations, the mean of the observations for the others.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct RelationStatistics {
    pub(super) size: Vec<f64>,
    pub(super) distinct: Vec<Vec<f64>>,
    samples: Vec<u32>,
}

impl RelationStatistics {
    /// The number of distinct terms assumed for a column of a relation that was never observed.
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

    /// Whether they are of such relations.
    pub(super) fn fit(&self, relations: &[Relation]) -> bool {
        let columns = self.distinct.iter().map(Vec::len);
        self.size.len() == relations.len()
            && self.samples.len() == relations.len()
            && columns.eq(relations.iter().map(Relation::arity))
    }

    pub(super) fn set_exact(&mut self, pred: Pred, relation: &Relation) {
        self.size[pred.index()] = relation.len() as f64;
        self.distinct[pred.index()] = relation
            .distinct_counts()
            .into_iter()
            .map(|count| count as f64)
            .collect();
    }

    pub(super) fn record(&mut self, pred: Pred, relation: &Relation) {
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
