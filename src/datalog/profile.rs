//! What the plans of an engine rest on, in a form that can be kept.

use serde::{Deserialize, Serialize};

use super::engine::DatalogEngine;
use super::error::DatalogError;
use super::limits::EvaluationLimits;
use super::program::{Pred, Program};
use super::statistics::RelationStatistics;
use super::terms::TermList;

/// What the plans of an engine rest on: which relations are derived at the start and which by key, and the sizes of relations. Other
/// engines of the same program are ready sooner with it. The terms that were stored first come with it, so that these have the same
/// ids and the same order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlanProfile {
    /// Per component, whether its rows were derived at the start.
    are_static: Vec<bool>,
    /// Per component.
    by_key: Vec<bool>,
    statistics: RelationStatistics,
    terms: TermList,
}

impl DatalogEngine {
    /// An engine with the plans of the one that gave this profile; `None` if that was of another program.
    ///
    /// # Errors
    /// As [`DatalogEngine::new`].
    pub(crate) fn with_profile(
        program: Program,
        queried: &[Pred],
        limits: EvaluationLimits,
        profile: PlanProfile,
    ) -> Result<Option<Self>, DatalogError> {
        let mut engine = Self::unplanned(program, queried, limits)?;
        let PlanProfile {
            are_static,
            by_key,
            statistics,
            terms,
        } = profile;
        let count = engine.component_count();
        let fits = [are_static.len(), by_key.len()] == [count; 2]
            && statistics.fit(&engine.template)
            && engine.terms.lock().extend(&terms);
        if !fits {
            return Ok(None);
        }
        engine.statistics = statistics;
        engine.replan();
        engine.derive_static(queried, engine.limits_at_start(), Some(&are_static))?;
        for (component, by_key) in by_key.into_iter().enumerate() {
            engine.derive_by_key(component, by_key);
        }
        engine.replan();
        Ok(Some(engine))
    }

    /// What the plans rest on, with the first so many terms.
    pub(crate) fn profile(&self, terms: usize) -> PlanProfile {
        let is_static = |component| {
            let mut preds = self.preds_of(component).iter();
            preds.all(|pred| self.static_relations[pred.index()].is_some())
        };
        PlanProfile {
            are_static: (0..self.component_count()).map(is_static).collect(),
            by_key: self
                .components
                .iter()
                .map(|planned| planned.by_key)
                .collect(),
            statistics: self.statistics.clone(),
            terms: self.terms.lock().list(terms),
        }
    }
}
