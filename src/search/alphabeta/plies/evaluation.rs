//! The facts and the expectations of the states of a ply.

use super::{EngineStack, PlyStates};
use crate::game::{Engine, PositionBatch};
use crate::search::eval::{Evaluator, expectation_of};

impl<G: Engine> EngineStack<'_, G> {
    /// From now on, states before this ply are looked at for their children alone: they have no expectation, and no marks until they have
    /// children that are evaluated.
    pub(in crate::search) fn evaluate_from(&mut self, ply: usize) {
        self.first_evaluated = ply;
    }

    /// What a learned evaluator expects of a state that is not terminal, in thousandths; evaluated now, wherever it is.
    pub(in crate::search) fn expectation(&mut self, ply: usize, index: usize) -> Option<i32> {
        let Some(Evaluator::Learned(evaluator)) = &self.evaluator else {
            return None;
        };
        let PlyStates { batch, info, .. } = &self.plies[ply];
        let state = (&batch.state(index), info[index].is_over);
        let mut marks = vec![0; self.marker.words];
        self.marker.mark(self.game, state, &mut marks);
        let parent = &mut self.evaluated_parent;
        Some(evaluator.expectation(&marks, info[index].choices, parent))
    }

    /// Marks and evaluates the states of a ply.
    pub(super) fn evaluate(&mut self, ply: usize) {
        let size = self.marker.words;
        let PlyStates { info, words, .. } = &mut self.plies[ply];
        words.clear();
        words.resize(info.len() * size, 0);
        if ply < self.first_evaluated {
            return;
        }
        let mut entered = None;
        for index in 0..self.plies[ply].info.len() {
            let parent = (ply > 0).then(|| self.of[index] as usize);
            if let Some(new) = parent.filter(|_| parent != entered) {
                self.enter_parent(ply - 1, new);
                entered = parent;
            }
            self.evaluate_state(ply, index);
        }
    }

    /// Gets ready for the children of a state.
    fn enter_parent(&mut self, ply: usize, index: usize) {
        let size = self.marker.words;
        let PlyStates {
            batch, info, words, ..
        } = &mut self.plies[ply];
        let marks = &mut words[index * size..][..size];
        match ply < self.first_evaluated {
            true => {
                let state = (&batch.state(index), info[index].is_over);
                self.marker.mark(self.game, state, marks);
            }
            false => self.marker.enter(marks),
        }
        if let Some(Evaluator::Learned(evaluator)) = &self.evaluator {
            evaluator.enter(marks, &mut self.evaluated_parent);
        }
    }

    /// Marks and evaluates a state: one of ply 0, or a child of the state that was entered.
    fn evaluate_state(&mut self, ply: usize, index: usize) {
        let size = self.marker.words;
        let (below, above) = self.plies.split_at_mut(ply);
        let PlyStates {
            batch, info, words, ..
        } = &mut above[0];
        let (state, info) = (batch.state(index), &mut info[index]);
        let marks = &mut words[index * size..][..size];
        let parents = below.last();
        let before = parents.map(|ply| &ply.words[self.of[index] as usize * size..][..size]);
        let marked = (&state, info.is_over);
        match before {
            Some(before) => self.marker.mark_child(self.game, marked, before, marks),
            None => self.marker.mark(self.game, marked, marks),
        }
        if info.is_over {
            return;
        }
        match &self.evaluator {
            None => {}
            Some(Evaluator::Learned(evaluator)) => {
                let (choices, parent) = (info.choices, &mut self.evaluated_parent);
                info.expectation = match before {
                    Some(before) => evaluator.expectation_after(before, marks, choices, parent),
                    None => evaluator.expectation(marks, choices, parent),
                };
            }
            Some(Evaluator::HandWritten(evaluation)) => {
                info.expectation = expectation_of(evaluation(&state, self.roles.role));
            }
        }
    }
}
