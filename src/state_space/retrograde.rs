//! Values from the ends backwards, however the states are kept.

use std::sync::atomic::{AtomicU16, Ordering};

use super::kind::StateKind;
use super::solution::{ENDLESS, UNSOLVED};
use super::table::StateNumber;
use crate::game::Role;

/// Who forces an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ForcingSide {
    /// The role that is solved for.
    Role,
    /// The other one.
    Other,
}

/// States whose values are found.
pub(super) trait Forcing {
    /// Why they are not.
    type Error;

    /// What is known of them.
    fn values(&mut self) -> &mut StateValues;

    /// Gives `goal` to all states without a value from which a side can force an end with that goal, or one that is better for it, the
    /// nearest to the end first.
    fn force(
        &mut self,
        goal: u8,
        side: ForcingSide,
        goal_of: &dyn Fn(usize) -> u8,
    ) -> Result<(), Self::Error>;
}

/// Finds the values of all states for `role`, where games end with these goals.
pub(super) fn find_values<F: Forcing>(
    states: &mut F,
    ends: &[Vec<Option<u8>>],
    role: Role,
    is_alone: bool,
) -> Result<(), F::Error> {
    let goal_of = |end: usize| ends[end][role.0].unwrap_or(ENDLESS);
    let mut goals: Vec<u8> = ends.iter().filter_map(|goals| goals[role.0]).collect();
    goals.sort_unstable();
    goals.dedup();
    let least = if is_alone { 0 } else { ENDLESS + 1 };
    for goal in goals.iter().rev().filter(|goal| **goal >= least) {
        states.force(*goal, ForcingSide::Role, &goal_of)?;
    }
    for goal in goals.iter().filter(|goal| **goal < least.min(ENDLESS)) {
        states.force(*goal, ForcingSide::Other, &goal_of)?;
    }
    if !is_alone && goals.contains(&ENDLESS) {
        draw(states, &goal_of)?;
    }
    Ok(())
}

/// States that end with a goal of 50 because a side can force that it gets no less. Either may.
fn draw<F: Forcing>(states: &mut F, goal_of: &dyn Fn(usize) -> u8) -> Result<(), F::Error> {
    states.force(ENDLESS, ForcingSide::Role, goal_of)?;
    let of_role = states.values().take_draws();
    states.force(ENDLESS, ForcingSide::Other, goal_of)?;
    states.values().give_back(&of_role);
    Ok(())
}

/// What is known of a state whose predecessors are looked at, in one number, as each look takes a read of memory: flags, and how many
/// joint moves do not yet lead to what the side that waits wants to avoid.
type OpenMoves = AtomicU16;

/// The state has a value.
const VALUED: u16 = 1 << 15;
/// The role that is solved for chooses. Where nobody does, there is one joint move, and it is all the same.
const OF_ROLE: u16 = 1 << 14;
/// More joint moves of a state are not counted.
pub(super) const MOST_MOVES: u16 = OF_ROLE - 1;

/// A state has more joint moves than are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooManyMoves;

/// What each state is worth, as far as it is known, by the numbers of the states.
#[derive(Debug)]
pub(super) struct StateValues {
    open: Vec<OpenMoves>,
    pub(super) values: Vec<u8>,
    pub(super) plies: Vec<u16>,
}

impl StateValues {
    /// States with so many joint moves each, before any has a value for `role`.
    pub(super) fn new(
        degrees: Vec<u16>,
        kinds: &[StateKind],
        role: Role,
    ) -> Result<Self, TooManyMoves> {
        let open = degrees.into_iter().zip(kinds).map(|(degree, kind)| {
            let of_role = match kind.role() == Some(role.0) {
                true => OF_ROLE,
                false => 0,
            };
            match degree > MOST_MOVES {
                true => Err(TooManyMoves),
                false => Ok(OpenMoves::new(degree | of_role)),
            }
        });
        Ok(Self {
            open: open.collect::<Result<_, TooManyMoves>>()?,
            values: vec![UNSOLVED; kinds.len()],
            plies: vec![0; kinds.len()],
        })
    }

    /// Gives `goal` to the states that end with it, and lists them.
    pub(super) fn begin(
        &mut self,
        goal: u8,
        kinds: &[StateKind],
        goal_of: &dyn Fn(usize) -> u8,
    ) -> Vec<StateNumber> {
        let is_end = |kind: &StateKind| kind.end().is_some_and(|end| goal_of(end) == goal);
        let ends = kinds.iter().enumerate().filter(|(_, kind)| is_end(kind));
        let found: Vec<StateNumber> = ends.map(|(state, _)| state as StateNumber).collect();
        for state in &found {
            self.set(*state, goal, 0);
        }
        found
    }

    pub(super) fn set(&mut self, state: StateNumber, goal: u8, plies: u16) {
        self.values[state as usize] = goal;
        self.plies[state as usize] = plies;
    }

    /// Whether a state that leads to one that `side` can force is now known to be one itself; where several threads ask, it is true for one of them.
    pub(super) fn reaches(&self, state: StateNumber, side: ForcingSide, is_shared: bool) -> bool {
        let open = &self.open[state as usize];
        let known = open.load(Ordering::Relaxed);
        if known & VALUED != 0 {
            return false;
        }
        let chooses = (known & OF_ROLE != 0) == (side == ForcingSide::Role);
        // Who is alone needs no costly exchange.
        if chooses {
            return match is_shared {
                true => open.fetch_or(VALUED, Ordering::Relaxed) & VALUED == 0,
                false => {
                    open.store(known | VALUED, Ordering::Relaxed);
                    true
                }
            };
        }
        let left = match is_shared {
            true => open.fetch_sub(1, Ordering::Relaxed) - 1,
            false => known - 1,
        };
        let reaches = left & MOST_MOVES == 0;
        if !is_shared {
            open.store(left, Ordering::Relaxed);
        }
        if reaches {
            open.fetch_or(VALUED, Ordering::Relaxed);
        }
        reaches
    }

    /// Takes their values from the draws, and tells their plies.
    fn take_draws(&mut self) -> Vec<(StateNumber, u16)> {
        let values = self.values.iter().zip(&self.plies).zip(0..);
        let draws = values.filter(|((value, _), _)| **value == ENDLESS);
        let draws: Vec<_> = draws.map(|((_, plies), state)| (state, *plies)).collect();
        for (state, _) in &draws {
            self.values[*state as usize] = UNSOLVED;
            *self.open[*state as usize].get_mut() &= !VALUED;
        }
        draws
    }

    /// Gives states the value of a draw, after so many plies or fewer.
    fn give_back(&mut self, draws: &[(StateNumber, u16)]) {
        for (state, plies) in draws {
            let place = *state as usize;
            let is_new = self.values[place] == UNSOLVED;
            self.values[place] = ENDLESS;
            self.plies[place] = match is_new {
                true => *plies,
                false => self.plies[place].min(*plies),
            };
        }
    }
}
