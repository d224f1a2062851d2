//! Whose turn it is, read off the facts.

use super::features::holds;
use crate::game::GameFacts;
use crate::info::board::functor_and_arguments;

/// The facts that tell whose turn it is, such as `(control white)`: for each role one.
#[derive(Debug, Clone, Default)]
pub(super) struct TurnFacts {
    pub(super) of_roles: Vec<u32>,
}

impl TurnFacts {
    /// Those of a game: a mutex group with one fact per role, which it names. None where no group is like that.
    pub(super) fn new(game_facts: &GameFacts, roles: &[String]) -> Self {
        let of_group = |group: &Vec<u32>| -> Option<Vec<u32>> {
            let of_role = |role: &String| {
                let mut facts = group.iter().copied();
                facts.find(|&fact| {
                    let words = functor_and_arguments(&game_facts.facts[fact as usize]);
                    matches!(words[..], [_, only] if only == role)
                })
            };
            roles.iter().map(of_role).collect()
        };
        let is_whole = |group: &&Vec<u32>| group.len() == roles.len() && roles.len() > 1;
        let mut groups = game_facts.mutex_groups.iter().filter(is_whole);
        Self {
            of_roles: groups.find_map(of_group).unwrap_or_default(),
        }
    }

    /// How many turns are told apart.
    pub(super) fn count(&self) -> usize {
        self.of_roles.len().max(1)
    }

    /// The number of the role whose turn it is; 0 where nothing tells.
    pub(super) fn turn(&self, words: &[u64]) -> usize {
        let turn = self.of_roles.iter().position(|&fact| holds(words, fact));
        turn.unwrap_or(0)
    }
}
