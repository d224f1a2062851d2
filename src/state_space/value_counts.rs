//! How many states have each value.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::SolvedValue;
use crate::game::Role;

/// The states of one value; distances do not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueCount {
    /// The goal; none for endless games.
    pub goal: Option<u8>,
    /// How many states.
    pub states: u64,
    /// How many of them are over.
    pub terminal: u64,
    /// Per role, how many of them let it alone choose.
    pub by_mover: Vec<u64>,
    /// The most plies to the end.
    pub longest: u16,
}

/// Counts states by their values.
#[derive(Debug, Clone)]
pub struct ValueTally {
    roles: usize,
    counts: BTreeMap<i64, ValueCount>,
}

impl ValueTally {
    /// Counts states of a game of so many roles.
    pub fn new(roles: usize) -> Self {
        Self {
            roles,
            counts: BTreeMap::new(),
        }
    }

    /// Counts so many states of a value, in which the game is over or this role alone chooses.
    pub fn note(
        &mut self,
        value: SolvedValue,
        is_terminal: bool,
        mover: Option<Role>,
        states: u64,
    ) {
        let count = self.count_of(value.goal());
        count.states += states;
        if is_terminal {
            count.terminal += states;
        }
        if let Some(role) = mover {
            count.by_mover[role.0] += states;
        }
        if let SolvedValue::Goal { plies, .. } = value {
            count.longest = count.longest.max(plies);
        }
    }

    /// Counts states that were counted elsewhere.
    pub fn add(&mut self, other: &ValueCount) {
        let count = self.count_of(other.goal);
        count.states += other.states;
        count.terminal += other.terminal;
        for (count, other) in count.by_mover.iter_mut().zip(&other.by_mover) {
            *count += other;
        }
        count.longest = count.longest.max(other.longest);
    }

    fn count_of(&mut self, goal: Option<u8>) -> &mut ValueCount {
        // For several roles, endless games stand between what is better than 50 and what is not.
        let endless = if self.roles == 1 { -1 } else { 101 };
        let place = goal.map_or(endless, |goal| 2 * i64::from(goal));
        self.counts.entry(place).or_insert_with(|| ValueCount {
            goal,
            states: 0,
            terminal: 0,
            by_mover: vec![0; self.roles],
            longest: 0,
        })
    }

    /// What was counted, the greatest value first.
    pub fn into_counts(self) -> Vec<ValueCount> {
        self.counts.into_values().rev().collect()
    }
}
