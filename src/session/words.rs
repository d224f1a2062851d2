//! Lines of moves as people write them: only the moves of roles that have a choice.

use std::time::{Duration, Instant};

use crate::game::{StateMachine, legal_of_all};
use crate::util::Deadline;

/// The move of a role that merely waits, by custom.
const NOOP: &str = "noop";

/// Formats lines that begin in one state, as long as there is time.
pub(super) struct LineFormatter<'g, G: StateMachine> {
    game: &'g G,
    scratch: G::Scratch,
    state: &'g G::State,
    /// What every role may do there.
    legal: Vec<Vec<G::Move>>,
    until: Instant,
}

impl<'g, G: StateMachine> LineFormatter<'g, G> {
    pub(super) fn new(
        game: &'g G,
        state: &'g G::State,
        legal: Vec<Vec<G::Move>>,
        time: Duration,
    ) -> Self {
        let mut scratch = game.scratch();
        let until = Instant::now() + time;
        let deadline = Deadline {
            at: Some(until),
            stop: None,
        };
        game.set_deadline(&mut scratch, Some(&deadline));
        Self {
            game,
            scratch,
            state,
            legal,
            until,
        }
    }

    /// The joint moves of a line, of those who have a choice; its first at least.
    pub(super) fn format(&mut self, line: &[Vec<G::Move>]) -> Vec<String> {
        let Some((first, rest)) = line.split_first() else {
            return Vec::new();
        };
        let mut words = vec![self.word(first, &self.legal)];
        let (mut state, mut before) = (self.state.clone(), first);
        let mut legal = Vec::new();
        for joint in rest {
            if Instant::now() >= self.until {
                break;
            }
            state = self.game.next(&mut self.scratch, &state, before);
            legal_of_all(self.game, &mut self.scratch, &state, &mut legal);
            if self.game.is_cut_short(&self.scratch) {
                break;
            }
            words.push(self.word(joint, &legal));
            before = joint;
        }
        words
    }

    /// The moves of the roles that have a choice; where none has, the moves other than [`NOOP`].
    fn word(&self, joint: &[G::Move], legal: &[Vec<G::Move>]) -> String {
        let text = |mv: &G::Move| self.game.move_text(*mv);
        let chosen = joint.iter().zip(legal);
        let chosen = chosen.filter(|(_, legal)| legal.len() > 1);
        let mut texts: Vec<String> = chosen.map(|(mv, _)| text(mv)).collect();
        if texts.is_empty() {
            texts = joint.iter().map(text).collect();
            if texts.iter().any(|text| text != NOOP) {
                texts.retain(|text| text != NOOP);
            }
        }
        texts.join(" ")
    }
}
