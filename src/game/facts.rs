//! What is known of a game before it is played: its fluents, mutex groups, successor orders and goal values.

use serde::{Deserialize, Serialize};

use super::Role;

/// The facts that can ever hold in a game, and how they belong together. Facts go by their number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameFacts {
    /// The facts as KIF terms, in the order of [`str`].
    pub facts: Vec<String>,
    /// The facts of the initial state.
    pub initial: Vec<u32>,
    /// Sets of facts of which at most one holds in every state that can be reached.
    pub mutex_groups: Vec<Vec<u32>>,
    /// The numbers of those sets of which one fact holds in every state that can be reached, as far as that is proved.
    pub exactly_one: Vec<usize>,
    /// Terms in an order that the rules give them, by a relation such as `succ`.
    pub successor_orders: Vec<Vec<String>>,
    /// Per role, the goals that it can have, in increasing order.
    pub goals: Vec<Vec<GoalValue>>,
    /// Per role, those goals that the only other player can have alone at an end that gives the role none or several. Nothing where that is not known.
    pub goals_without_own: Vec<Vec<u8>>,
    /// Persistent facts, which hold until the game is over once they hold: at least those of them that can block an
    /// implicant of some goal.
    pub persistent: Vec<u32>,
}

/// What a role needs to have some goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalValue {
    /// The goal, from 0 to 100.
    pub goal: u8,
    /// The role has the goal only if one of these holds: a single one without facts where nothing is known of it.
    pub implicants: Vec<Implicant>,
}

/// What must hold together, and what must not, for a goal to come about.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Implicant {
    /// Facts that must all hold, in increasing order.
    pub needs: Vec<u32>,
    /// Sets of persistent facts; of none of them may all hold.
    pub unless: Vec<Vec<u32>>,
}

impl GameFacts {
    /// How many words of 64 bits have room for all facts.
    pub fn words(&self) -> usize {
        self.facts.len().div_ceil(64)
    }

    /// The goals of the only other one of two roles that can hold alone at an end that gives `role` none or several; all of them where that is not known.
    pub(crate) fn goals_left_by_other(&self, role: Role) -> impl Iterator<Item = &GoalValue> {
        let others: &[GoalValue] = match &self.goals[..] {
            goals @ [_, _] => &goals[1 - role.0],
            _ => &[],
        };
        let known = self.goals_without_own.get(role.0);
        let counts = move |of: &&GoalValue| known.is_none_or(|known| known.contains(&of.goal));
        others.iter().filter(counts)
    }

    /// The number of a fact.
    pub fn number(&self, fact: &str) -> Option<usize> {
        self.facts
            .binary_search_by(|known| known.as_str().cmp(fact))
            .ok()
    }
}

/// The numbers of the facts of a marked set, in order.
pub(crate) fn held_facts(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                at * 64 + bit
            })
        })
    })
}
