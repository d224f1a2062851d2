//! Games drawn from a seed.

use crate::game::{Evaluation, InvalidFacts, Role, Scalar, StateMachine};

/// A game whose moves, ends, goals and successors are drawn from a seed; it may contain cycles. With even seeds it
/// expands all children of a state at once.
#[derive(Debug, Clone)]
pub(in crate::search) struct RandomTree {
    roles: Vec<String>,
    seed: u64,
    states: u32,
    together: bool,
    most_choices: u32,
    likely_children: Option<usize>,
}

impl RandomTree {
    /// A game of `states` states. Roles choose in turn, or all `together`; a role called `random` takes part if `chance`.
    pub(in crate::search) fn new(
        seed: u64,
        states: u32,
        players: usize,
        together: bool,
        chance: bool,
    ) -> Self {
        let mut roles: Vec<String> = (0..players).map(|role| format!("p{role}")).collect();
        roles.extend(chance.then(|| "random".to_owned()));
        Self {
            roles,
            seed,
            states,
            together,
            most_choices: 3,
            likely_children: seed.is_multiple_of(2).then_some(64),
        }
    }

    /// The same game; it expands all children of a state at once, and up to so many that are likely to be needed.
    pub(in crate::search) fn with_likely_children(&self, count: usize) -> Self {
        Self {
            likely_children: Some(count),
            ..self.clone()
        }
    }

    /// The same game, with up to so many choices in a state.
    pub(in crate::search) fn with_choices(&self, count: u32) -> Self {
        Self {
            most_choices: count,
            ..self.clone()
        }
    }

    /// A hand-written evaluation, drawn from the seed.
    pub(in crate::search) fn worth(&self, state: u32, role: Role) -> i32 {
        (self.draw(state, 300 + role.0 as u64) % 4001) as i32 - 2000
    }

    fn draw(&self, state: u32, salt: u64) -> u32 {
        let mut mixed =
            self.seed ^ u64::from(state) << 32 ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for _ in 0..2 {
            mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed ^= mixed >> 27;
        }
        (mixed >> 33) as u32
    }
}

impl Scalar for RandomTree {
    fn likely_children(&self) -> Option<usize> {
        self.likely_children
    }

    fn wider_calls(&self) -> &[usize] {
        &[90, 200]
    }
}

impl StateMachine for RandomTree {
    type State = u32;
    type Move = u32;
    type Scratch = ();

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> u32 {
        0
    }

    fn scratch(&self) {}

    fn is_terminal(&self, (): &mut (), state: &u32) -> bool {
        *state != 0 && self.draw(*state, 1).is_multiple_of(6)
    }

    fn legal(&self, (): &mut (), state: &u32, role: Role, moves: &mut Vec<u32>) {
        let mover = self.draw(*state, 2) as usize % self.roles.len();
        let count = match self.together || mover == role.0 {
            true => 1 + self.draw(*state, 3 + role.0 as u64) % self.most_choices,
            false => 1,
        };
        moves.clear();
        moves.extend(0..count);
    }

    fn next(&self, (): &mut (), state: &u32, joint: &[u32]) -> u32 {
        let moves = u64::from(self.most_choices) + 1;
        let number = joint
            .iter()
            .fold(7, |number, mv| number * moves + u64::from(*mv));
        self.draw(*state, number << 8) % self.states
    }

    fn goal(&self, (): &mut (), state: &u32, role: Role) -> Option<u8> {
        match self.draw(*state, 100 + role.0 as u64) % 8 {
            0..3 => Some(0),
            3..5 => Some(100),
            5 => None,
            _ => Some((self.draw(*state, 200 + role.0 as u64) % 101) as u8),
        }
    }

    fn evaluations(&self) -> &'static [&'static str] {
        &["drawn"]
    }

    fn evaluation(&self, name: &str) -> Option<Evaluation<'_, u32>> {
        (name == "drawn").then(|| Box::new(|state: &u32, role| self.worth(*state, role)) as _)
    }

    fn move_text(&self, mv: u32) -> String {
        mv.to_string()
    }

    fn state_text(&self, state: &u32) -> Vec<String> {
        vec![format!("(at {state})")]
    }

    fn state_from_text(&self, facts: &[String]) -> Result<u32, InvalidFacts> {
        let inner = facts
            .first()
            .and_then(|fact| fact.strip_prefix("(at ")?.strip_suffix(')'));
        inner
            .and_then(|at| at.parse().ok())
            .ok_or_else(|| InvalidFacts("nowhere".to_owned()))
    }
}
