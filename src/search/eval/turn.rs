//! Whose turn it is, read off the facts, or from who has a choice.

use super::features::holds;
use crate::game::GameFacts;
use crate::info::board::functor_and_arguments;
use crate::search::alphabeta::stack::{Choices, Side, ToMove};

/// The facts that tell whose turn it is, such as `(control white)`: for each role one.
#[derive(Debug, Clone, Default)]
pub(super) struct TurnFacts {
    pub(super) of_roles: Vec<u32>,
    /// Whether no fact tells, and the turn is that of the one of two roles who has a choice.
    pub(super) are_choices: bool,
}

impl TurnFacts {
    /// Those of a game: a mutex group with one fact per role, which it names. In games for two, choices tell where no such group is known to
    /// have a fact always: one that says who places a piece is silent while pieces are turned.
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
        let is_sure = |number: &usize| game_facts.exactly_one.contains(number) || roles.len() > 2;
        let groups = game_facts.mutex_groups.iter().enumerate();
        let whole = groups.filter(|(_, group)| group.len() == roles.len() && roles.len() > 1);
        let mut sure = whole.filter(|(number, _)| is_sure(number));
        let of_roles = sure
            .find_map(|(_, group)| of_group(group))
            .unwrap_or_default();
        Self {
            are_choices: of_roles.is_empty() && roles.len() == 2,
            of_roles,
        }
    }

    /// How many turns are told apart.
    pub(super) fn count(&self) -> usize {
        match self.are_choices {
            true => 2,
            false => self.of_roles.len().max(1),
        }
    }

    /// The number of the turn: that of the role; of the choices of the role that was learned for, 0 are its own and 1 the other's. 0 where
    /// nothing tells.
    pub(super) fn turn(&self, words: &[u64], choices: Choices) -> usize {
        if self.are_choices {
            return usize::from(choices.turn() == ToMove::Of(Side::Others));
        }
        let turn = self.of_roles.iter().position(|&fact| holds(words, fact));
        turn.unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_that_may_be_missing_does_not_tell_the_turn() {
        let roles = ["x", "o"].map(str::to_owned);
        let mut game_facts = GameFacts {
            facts: vec!["(control o)".to_owned(), "(control x)".to_owned()],
            mutex_groups: vec![vec![0, 1]],
            ..GameFacts::default()
        };
        assert!(TurnFacts::new(&game_facts, &roles).are_choices);
        game_facts.exactly_one = vec![0];
        assert_eq!(TurnFacts::new(&game_facts, &roles).of_roles, [1, 0]);
    }

    #[test]
    fn choices_tell_the_turn_where_no_fact_does() {
        let roles = ["x", "o"].map(str::to_owned);
        let turns = TurnFacts::new(&GameFacts::default(), &roles);
        assert_eq!(turns.count(), 2);
        let choices = |own, replies| Choices {
            own,
            replies,
            chances: 1,
        };
        let turn = |own, replies| turns.turn(&[], choices(own, replies));
        assert_eq!([turn(3, 1), turn(1, 3), turn(1, 1)], [0, 1, 0]);
    }
}
