//! The facts of states as sets of bits, with what threatens their cells.

use std::sync::Arc;

use crate::game::{Engine, GameFacts};
use crate::search::eval::{MissingFacts, Threats};

/// Marks facts, and threats where there are any: of a state by itself, or of one that follows another.
#[derive(Debug, Default)]
pub(super) struct FactMarker {
    /// Words that the facts of the game fill.
    of_facts: usize,
    /// Words of a state, threats included; 0 where facts are not marked.
    pub(super) words: usize,
    threats: Option<Arc<Threats>>,
    missing: MissingFacts,
}

impl FactMarker {
    /// For the facts of a game, and these threats of it.
    pub(super) fn new(game_facts: Option<&GameFacts>, threats: Option<Arc<Threats>>) -> Self {
        let of_facts = game_facts.map_or(0, GameFacts::words);
        let facts = threats.as_ref().map(|threats| threats.facts());
        Self {
            of_facts,
            words: facts.map_or(of_facts, |facts| facts.div_ceil(64)),
            threats,
            missing: MissingFacts::default(),
        }
    }

    /// Marks a state, and enters it. Terminal states have no threats.
    pub(super) fn mark<G: Engine>(
        &mut self,
        game: &G,
        (state, is_over): (&G::State, bool),
        marks: &mut [u64],
    ) {
        self.mark_facts(game, state, marks);
        if let Some(threats) = self.threats.as_ref().filter(|_| !is_over) {
            threats.mark(marks, &mut self.missing);
        }
    }

    /// Enters a state that is marked, for those that follow it.
    pub(super) fn enter(&mut self, marks: &[u64]) {
        if let Some(threats) = &self.threats {
            threats.enter(marks, &mut self.missing);
        }
    }

    /// Marks a state, in words that are zero, that follows the one that was entered, whose marks are `before`.
    pub(super) fn mark_child<G: Engine>(
        &mut self,
        game: &G,
        (state, is_over): (&G::State, bool),
        before: &[u64],
        marks: &mut [u64],
    ) {
        self.mark_facts(game, state, marks);
        if let Some(threats) = self.threats.as_ref().filter(|_| !is_over) {
            threats.mark_after(before, marks, &mut self.missing);
        }
    }

    fn mark_facts<G: Engine>(&self, game: &G, state: &G::State, marks: &mut [u64]) {
        if self.of_facts > 0 {
            game.mark_facts(state, &mut marks[..self.of_facts]);
        }
    }
}
