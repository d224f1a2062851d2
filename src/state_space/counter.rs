//! Counts states by what they are.

use super::kind::StateKind;
use super::{SpaceError, SpaceTotals};
use crate::game::{PositionBatch, Role};
use crate::propnet::lanes::LaneBatch;

/// What is known of the states that were counted.
pub(super) struct StateCounter {
    totals: SpaceTotals,
    /// How many legal moves each role has in the last one.
    legal: Vec<u64>,
}

impl StateCounter {
    pub(super) fn new(roles: usize) -> Self {
        Self {
            totals: SpaceTotals::new(roles),
            legal: Vec::new(),
        }
    }

    /// Goes on from what is known.
    #[cfg(feature = "cluster")]
    pub(super) fn with(totals: SpaceTotals) -> Self {
        Self {
            totals,
            legal: Vec::new(),
        }
    }

    #[cfg(feature = "cluster")]
    pub(super) fn totals(&self) -> &SpaceTotals {
        &self.totals
    }

    /// How many legal moves each role has in the state counted last, if the game goes on there.
    pub(super) fn legal(&self) -> &[u64] {
        &self.legal
    }

    pub(super) fn into_totals(self) -> SpaceTotals {
        self.totals
    }

    /// Counts a state of a batch, which stands for so many. Tells what it is, and how many joint moves it has; `end` gives the number
    /// of its goals.
    pub(super) fn note(
        &mut self,
        times: u64,
        batch: &LaneBatch,
        state: usize,
        end: impl FnOnce(&[Option<u8>]) -> usize,
    ) -> Result<(StateKind, u64), SpaceError> {
        let kind = self.kind(batch, state, times, end)?;
        let totals = &mut self.totals;
        totals.states += times;
        let mut joint_moves = 0;
        if kind.end().is_some() {
            totals.terminal += times;
        } else if kind == StateKind::STUCK {
            totals.stuck += times;
        } else {
            let legal = self.legal.iter();
            joint_moves = legal.fold(1, |all: u64, of| all.saturating_mul(*of));
            let edges = joint_moves.saturating_mul(times);
            totals.edges = totals.edges.saturating_add(edges);
            totals.branching.note(joint_moves, times);
            *totals.by_branching.entry(joint_moves).or_default() += times;
        }
        match kind.role() {
            Some(role) => totals.choices[role].note(self.legal[role], times),
            None if kind == StateKind::FORCED => totals.forced += times,
            None if kind == StateKind::SEVERAL => totals.simultaneous += times,
            None => {}
        }
        Ok((kind, joint_moves))
    }

    fn kind(
        &mut self,
        batch: &LaneBatch,
        state: usize,
        times: u64,
        end: impl FnOnce(&[Option<u8>]) -> usize,
    ) -> Result<StateKind, SpaceError> {
        let roles = (0..self.totals.choices.len()).map(Role);
        if batch.is_terminal(state) {
            let goals: Vec<Option<u8>> = roles
                .map(|role| PositionBatch::goal(batch, state, role))
                .collect();
            self.totals.note_end(&goals, times);
            return StateKind::ended(end(&goals)).ok_or(SpaceError::TooManyEnds);
        }
        let count = |role| PositionBatch::legal_count(batch, state, role) as u64;
        self.legal.clear();
        self.legal.extend(roles.map(count));
        if self.legal.contains(&0) {
            return Ok(StateKind::STUCK);
        }
        let mut choosing = (0..self.legal.len()).filter(|role| self.legal[*role] > 1);
        Ok(match (choosing.next(), choosing.next()) {
            (None, _) => StateKind::FORCED,
            (Some(role), None) => StateKind::of_role(role).unwrap_or(StateKind::SEVERAL),
            (Some(_), Some(_)) => StateKind::SEVERAL,
        })
    }
}
