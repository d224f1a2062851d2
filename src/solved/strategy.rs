//! Strategies: what a role does, whatever the others do.

use std::collections::HashMap;

use super::{RankedMove, SolvedGame};
use crate::session::Position;
use crate::state_space::SolvedValue;
use crate::util::{Deadline, Expired};

/// What a role does in every position that can come up when it keeps to this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strategy {
    /// The role.
    pub role: usize,
    /// The positions that can come up, in the order of the plies to reach them. The first is the one that the strategy is for.
    pub states: Vec<StrategyState>,
}

/// A position of a strategy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrategyState {
    /// Plies from the first position, by the shortest way.
    pub ply: u32,
    /// What it is worth to the role of the solution.
    pub value: SolvedValue,
    /// The role that chooses, or whose turn it is; nothing where the game is over.
    pub mover: Option<usize>,
    /// Its moves, and the places among the states to which they lead: a single one where the strategy chooses.
    pub moves: Vec<(String, usize)>,
    /// What each role gets, where the game is over.
    pub goals: Option<Vec<Option<u8>>>,
}

/// Why there is no strategy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// The deadline is due, or the flag was raised.
    #[error(transparent)]
    Expired(#[from] Expired),
    /// More positions can come up than were asked for.
    #[error("more than {0} positions can come up")]
    TooLarge(usize),
    /// The engine ran out of a budget, or makes moves or positions that the solution does not know.
    #[error("{0}")]
    Position(String),
}

/// A strategy as it grows.
struct GrowingStrategy {
    places: HashMap<Position, usize>,
    /// Those whose moves are not known yet are at the end.
    positions: Vec<Position>,
    states: Vec<StrategyState>,
}

impl SolvedGame {
    /// What `role` does from a position on to get the best that it can: the first of the best moves each time. At most `most` positions.
    ///
    /// # Errors
    /// [`StrategyError`].
    pub fn strategy(
        &self,
        role: usize,
        start: &Position,
        most: usize,
        deadline: &Deadline,
    ) -> Result<Strategy, StrategyError> {
        let mut growth = GrowingStrategy {
            places: HashMap::new(),
            positions: Vec::new(),
            states: Vec::new(),
        };
        let value = self.value(start).ok_or_else(|| unknown(start))?;
        growth.place(start, value, 0);
        let mut next = 0;
        while next < growth.positions.len() {
            deadline.check()?;
            if growth.positions.len() > most {
                return Err(StrategyError::TooLarge(most));
            }
            self.grow(&mut growth, next, role)?;
            next += 1;
        }
        let states = growth.states;
        Ok(Strategy { role, states })
    }

    /// Adds what comes after a position.
    fn grow(
        &self,
        growth: &mut GrowingStrategy,
        at: usize,
        role: usize,
    ) -> Result<(), StrategyError> {
        let position = growth.positions[at].clone();
        if position.is_terminal() {
            growth.states[at].goals = Some(position.goals().to_vec());
            return Ok(());
        }
        let mut moves = self.moves(&position);
        let mover = position.role_to_move();
        let legal = mover.map_or(0, |mover| position.legal_of(mover).len());
        if let Some(fault) = position.fault() {
            return Err(StrategyError::Position(fault.to_string()));
        }
        if moves.len() < legal || moves.is_empty() {
            return Err(unknown(&position));
        }
        if mover == Some(role) {
            moves.truncate(1);
        }
        let ply = growth.states[at].ply + 1;
        let places = moves.into_iter().map(
            |RankedMove {
                 text, after, value, ..
             }| { (text, growth.place(&after, value, ply)) },
        );
        let places = places.collect();
        growth.states[at].mover = mover;
        growth.states[at].moves = places;
        Ok(())
    }
}

impl GrowingStrategy {
    /// The place of a position, which joins the others if it is new.
    fn place(&mut self, position: &Position, value: SolvedValue, ply: u32) -> usize {
        let next = self.positions.len();
        let place = *self.places.entry(position.clone()).or_insert(next);
        if place == next {
            self.positions.push(position.clone());
            self.states.push(StrategyState {
                ply,
                value,
                mover: None,
                moves: Vec::new(),
                goals: None,
            });
        }
        place
    }
}

fn unknown(position: &Position) -> StrategyError {
    let facts = position.facts().join(" ");
    StrategyError::Position(format!(
        "the solution does not know a position that comes up, or what comes after it: {facts}"
    ))
}
