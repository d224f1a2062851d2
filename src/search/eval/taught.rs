//! Targets of solved states: what they are worth, in place of what self-play makes of them.

use crate::game::{GameFacts, Role, held_facts};

/// Tells the goal of the role with this number in the state in which exactly these facts hold; nothing where the state is not known.
pub type Teacher<'t> = dyn Fn(&[&str], usize) -> Option<f64> + Sync + 't;

/// A teacher for a role of a game.
#[derive(Clone, Copy)]
pub(super) struct TaughtTargets<'t> {
    teacher: &'t Teacher<'t>,
    game_facts: &'t GameFacts,
    role: Role,
}

impl<'t> TaughtTargets<'t> {
    pub(super) fn new(teacher: &'t Teacher<'t>, game_facts: &'t GameFacts, role: Role) -> Self {
        Self {
            teacher,
            game_facts,
            role,
        }
    }

    /// Whether it is told of the role at all, on an engine that knows its facts: every solution knows the initial state.
    pub(super) fn is_known(&self) -> bool {
        let GameFacts { facts, initial, .. } = self.game_facts;
        let held = initial.iter().filter_map(|&fact| facts.get(fact as usize));
        self.share(held.map(String::as_str).collect()).is_some()
    }

    /// The share of the points that the role has, from 0 to 1. Words may have more facts than the game: those are left out.
    pub(super) fn target(&self, words: &[u64]) -> Option<f32> {
        let names = &self.game_facts.facts;
        let held = held_facts(words).map_while(|fact| names.get(fact));
        self.share(held.map(String::as_str).collect())
    }

    fn share(&self, held: Vec<&str>) -> Option<f32> {
        let goal = (self.teacher)(&held, self.role.0)?;
        Some((goal / 100.0).clamp(0.0, 1.0) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_teacher_is_told_the_facts_of_the_game_alone() {
        let game_facts = GameFacts {
            facts: ["a", "b", "c"].map(str::to_owned).to_vec(),
            initial: vec![0, 2],
            ..GameFacts::default()
        };
        let teacher = |facts: &[&str], role: usize| match (facts, role) {
            (["a", "c"], 1) => Some(75.0),
            (["b"], 1) => Some(-20.0),
            _ => None,
        };
        let taught = TaughtTargets::new(&teacher, &game_facts, Role(1));
        assert_eq!(taught.target(&[0b1_0101]), Some(0.75));
        assert_eq!(taught.target(&[0b1_0011]), None);
        assert_eq!(taught.target(&[0b10]), Some(0.0), "a share is none below 0");
        assert!(taught.is_known());
        assert!(!TaughtTargets::new(&teacher, &game_facts, Role(0)).is_known());
    }
}
