//! The facts and the expectations of the states of a ply.

use super::{EngineStack, PlyStates};
use crate::game::{Engine, PositionBatch};
use crate::search::alphabeta::stack::{Choices, SearchStack, StateInfo};
use crate::search::end_goal::goal_of_end;
use crate::search::eval::{Evaluator, expectation_of};

impl<G: Engine> EngineStack<'_, G> {
    /// From now on, states before this ply are looked at for their children alone: they have no expectation, and no marks until they have
    /// children that are evaluated.
    pub(in crate::search) fn evaluate_from(&mut self, ply: usize) {
        self.first_evaluated = ply;
    }

    /// What a learned evaluator expects of a state that is not terminal, in thousandths; evaluated now, wherever it is.
    pub(in crate::search) fn expectation(&mut self, ply: usize, index: usize) -> Option<i32> {
        let StateInfo {
            is_over, choices, ..
        } = self.info(ply, index);
        let Some(Evaluator::Learned(evaluator)) = &self.evaluator else {
            return None;
        };
        let state = self.plies[ply].batch.state(index);
        let mut marks = vec![0; self.marker.words];
        self.marked_parent = None;
        self.marker.mark(self.game, (&state, is_over), &mut marks);
        Some(evaluator.expectation(&marks, choices, &mut self.evaluated_parent))
    }

    /// Nothing is known of the states of a ply, which are new.
    pub(super) fn forget_info(&mut self, ply: usize) {
        let PlyStates {
            batch,
            info,
            words,
            class_keys,
            ..
        } = &mut self.plies[ply];
        info.clear();
        info.resize(batch.len(), None);
        words.resize(batch.len() * self.marker.words, 0);
        class_keys.clear();
        class_keys.resize(batch.len(), None);
        self.marked_parent = self.marked_parent.filter(|(marked, _)| *marked < ply);
    }

    /// The choices in a state of a batch.
    pub(super) fn count_choices(&self, batch: &G::Batch, index: usize) -> Choices {
        match batch.is_terminal(index) {
            true => NO_CHOICE,
            false => self.roles.choices(|role| batch.legal_count(index, role)),
        }
    }

    /// Marks and evaluates a state, and keeps what is known of it then.
    pub(super) fn find_info(&mut self, ply: usize, index: usize) -> StateInfo {
        let batch = &self.plies[ply].batch;
        let is_over = batch.is_terminal(index);
        let goal = match is_over {
            true => goal_of_end(self.roles.role, self.game.roles(), |role| {
                batch.goal(index, role)
            }),
            false => 50,
        };
        let mut info = StateInfo {
            is_over,
            goal,
            expectation: 50_000,
            choices: self.count_choices(batch, index),
        };
        let is_evaluated = self.marker.words > 0 || self.evaluator.is_some();
        if is_evaluated && ply >= self.first_evaluated {
            if ply > 0 {
                self.enter_parent(ply - 1, self.plies[ply].of[index] as usize);
            }
            self.evaluate(ply, index, &mut info);
        }
        self.plies[ply].info[index] = Some(info);
        info
    }

    /// Gets ready for the children of a state.
    fn enter_parent(&mut self, ply: usize, index: usize) {
        if self.marked_parent == Some((ply, index)) {
            return;
        }
        let is_evaluated = ply >= self.first_evaluated;
        if is_evaluated {
            // Marks it, if that was not done.
            self.info(ply, index);
        }
        let size = self.marker.words;
        let PlyStates { batch, words, .. } = &mut self.plies[ply];
        let marks = &mut words[index * size..][..size];
        match is_evaluated {
            true => self.marker.enter(marks),
            false => {
                marks.fill(0);
                let state = (&batch.state(index), batch.is_terminal(index));
                self.marker.mark(self.game, state, marks);
            }
        }
        if let Some(Evaluator::Learned(evaluator)) = &self.evaluator {
            evaluator.enter(marks, &mut self.evaluated_parent);
        }
        self.marked_parent = Some((ply, index));
    }

    /// Marks and evaluates a state: one of ply 0, or a child of the marked parent.
    fn evaluate(&mut self, ply: usize, index: usize, info: &mut StateInfo) {
        let size = self.marker.words;
        let (below, above) = self.plies.split_at_mut(ply);
        let PlyStates {
            batch, of, words, ..
        } = &mut above[0];
        let state = batch.state(index);
        let marks = &mut words[index * size..][..size];
        marks.fill(0);
        let parents = below.last();
        let before = parents.map(|ply| &ply.words[of[index] as usize * size..][..size]);
        let marked = (&state, info.is_over);
        match before {
            Some(before) => self.marker.mark_child(self.game, marked, before, marks),
            None => {
                self.marked_parent = None;
                self.marker.mark(self.game, marked, marks);
            }
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

/// The choices of a terminal state.
const NO_CHOICE: Choices = Choices {
    own: 0,
    replies: 0,
    chances: 0,
};
