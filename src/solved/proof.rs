//! Proofs of values: strategies that keep what they promise, whatever the others do.

use super::{SolvedGame, Strategy, StrategyError, StrategyState};
use crate::session::Position;
use crate::state_space::SolvedValue;
use crate::util::Deadline;

/// What a strategy was found to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof {
    /// The role that plays by it.
    pub role: usize,
    /// The positions that can come up.
    pub states: usize,
    /// In how many of them the game is over.
    pub ends: usize,
}

/// A position in which a solution is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the solution is wrong: {why} in state {state} of the strategy of `{role}`, {ply} plies from its start"
)]
pub struct Refutation {
    /// What is wrong.
    pub why: String,
    /// The number of the position in the strategy.
    pub state: usize,
    /// The role that plays by it.
    pub role: String,
    /// Plies from the first position.
    pub ply: u32,
}

/// Why a value is not proved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    /// There is no strategy to look at.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The value is wrong.
    #[error(transparent)]
    Refuted(#[from] Refutation),
}

impl SolvedGame {
    /// Proves what a position is worth, by the moves of the engine of this game: for each role, its strategy from there is followed against
    /// every move of the others. By the first strategy, the role of the solution gets as much as its value says; by the other, it gets no
    /// more. Strategies of more than `most` positions are not followed.
    ///
    /// A strategy holds a value if no move leads to a worse one for its role, if every end is worth what is said of it, and if each move that
    /// keeps a value better than going on for ever comes nearer to the end.
    ///
    /// # Errors
    /// [`Unproved`].
    pub fn prove(
        &self,
        start: &Position,
        most: usize,
        deadline: &Deadline,
    ) -> Result<Vec<Proof>, Unproved> {
        let roles = 0..self.game.roles().len();
        roles
            .map(|role| {
                let strategy = self.strategy(role, start, most, deadline)?;
                self.check(&strategy)?;
                let is_end = |state: &&StrategyState| state.goals.is_some();
                Ok(Proof {
                    role,
                    states: strategy.states.len(),
                    ends: strategy.states.iter().filter(is_end).count(),
                })
            })
            .collect()
    }

    /// Looks at every position of a strategy.
    pub(super) fn check(&self, strategy: &Strategy) -> Result<(), Refutation> {
        let mut states = strategy.states.iter().enumerate();
        states.try_for_each(|(place, state)| {
            self.check_state(strategy, state).map_err(|why| Refutation {
                why,
                state: place + 1,
                role: self.game.roles()[strategy.role].clone(),
                ply: state.ply,
            })
        })
    }

    fn check_state(&self, strategy: &Strategy, state: &StrategyState) -> Result<(), String> {
        let solved = self.solution.role().0;
        if let Some(goals) = &state.goals {
            let is_right = matches!(state.value, SolvedValue::Goal { goal, plies: 0 } if goals[solved] == Some(goal));
            return match is_right {
                true => Ok(()),
                false => Err(format!("an end with other goals ({goals:?})")),
            };
        }
        let level = |value| self.level(value, strategy.role == solved);
        let own = level(state.value);
        let must_end = own > level(SolvedValue::Endless);
        for (text, after) in &state.moves {
            let after = strategy.states[*after].value;
            if level(after) < own {
                return Err(format!("{text} leads to a worse value"));
            }
            if must_end && level(after) == own && plies(after) >= plies(state.value) {
                return Err(format!("{text} comes no nearer to the end"));
            }
        }
        Ok(())
    }

    /// What a value is worth to the side that plays by a strategy: the goal of the role of the solution, or what the others leave it.
    fn level(&self, value: SolvedValue, is_own: bool) -> i64 {
        let endless = match self.game.roles().len() {
            1 => -1,
            _ => 50,
        };
        let level = value.goal().map_or(endless, i64::from);
        if is_own { level } else { -level }
    }
}

fn plies(value: SolvedValue) -> u16 {
    match value {
        SolvedValue::Goal { plies, .. } => plies,
        SolvedValue::Endless => u16::MAX,
    }
}
