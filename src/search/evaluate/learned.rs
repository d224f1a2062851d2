//! What was learned of a game, for all who play it.

use super::train::{Taught, train};
use crate::game::{Engine, Role};
use crate::search::Heuristics;
use crate::search::limits::SearchClock;

/// What was learned of one game.
#[derive(Debug, Default)]
pub struct LearnedWeights {
    learned: Vec<(Role, Heuristics, Taught)>,
}

impl LearnedWeights {
    /// What a role has to know, as far as these heuristics can tell; learned before the deadline if it is not known yet.
    pub(in crate::search) fn learn<G: Engine>(
        &mut self,
        game: &G,
        role: Role,
        heuristics: Heuristics,
        clock: &SearchClock,
    ) -> Taught {
        // Where to stop looking is no matter of weights.
        let heuristics = heuristics.that_count();
        let same = |(known, by, _): &&(Role, Heuristics, _)| *known == role && *by == heuristics;
        if let Some((.., taught)) = self.learned.iter().find(same) {
            return taught.clone();
        }
        let taught = train(game, role, heuristics, clock);
        self.learned.push((role, heuristics, taught.clone()));
        taught
    }
}
