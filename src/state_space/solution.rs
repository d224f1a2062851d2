//! What is known of a game that is solved, in memory.

mod file;

use std::cmp::Ordering;
use std::sync::Arc;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

pub use file::{SolutionFileFault, SolutionSubject};

use super::kind::StateKind;
use super::{StateCodec, canonical};
use crate::engine::Bits;
use crate::game::Role;
use crate::symmetry::{OrbitScratch, SymmetryGroup};

/// Marks states that have no value yet, and in the end those without end.
pub(super) const UNSOLVED: u8 = u8::MAX;
/// What an endless game is worth to each of several roles.
pub(super) const ENDLESS: u8 = 50;

/// What a state is worth to the role that was solved for, when everyone plays as well as possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SolvedValue {
    /// The role gets this goal, and no more, after so many plies: whom the goal favours takes the shortest way, the others the longest.
    /// For 50, the fewest plies in which either side can force that end.
    Goal {
        /// From 0 to 100.
        goal: u8,
        /// Plies to the end; 65,535 stands for that many and more.
        plies: u16,
    },
    /// Nobody can force an end that is better than going on for ever.
    Endless,
}

/// A value as it is kept.
pub(super) fn value_of(value: u8, plies: u16) -> SolvedValue {
    match value {
        UNSOLVED => SolvedValue::Endless,
        goal => SolvedValue::Goal { goal, plies },
    }
}

impl Serialize for SolvedValue {
    /// As `value`, a goal or `endless`, and `distance`, the plies to the end, or `null` where there is none.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("SolvedValue", 2)?;
        match self {
            Self::Goal { goal, plies } => {
                object.serialize_field("value", goal)?;
                object.serialize_field("distance", &Some(plies))?;
            }
            Self::Endless => {
                object.serialize_field("value", "endless")?;
                object.serialize_field("distance", &None::<u16>)?;
            }
        }
        object.end()
    }
}

impl SolvedValue {
    /// The goal, unless nobody can force an end.
    pub fn goal(self) -> Option<u8> {
        match self {
            Self::Goal { goal, .. } => Some(goal),
            Self::Endless => None,
        }
    }
}

/// What every state of a game is worth to a role.
///
/// A state takes its code ([`StateCodec`]) and four bytes. Codes are in ascending order, so that a state is found by bisection.
#[derive(Debug)]
pub struct Solution {
    pub(super) roles: Vec<String>,
    pub(super) role: Role,
    /// How many states there are, and how many joint moves in all of them.
    pub(super) states: u64,
    pub(super) joint_moves: u64,
    /// Of states that these make of each other, one is in the solution.
    pub(super) symmetries: Option<Arc<SymmetryGroup>>,
    /// The goals with which the game ends.
    pub(super) ends: Vec<Vec<Option<u8>>>,
    pub(super) codec: StateCodec,
    pub(super) codes: Vec<u32>,
    pub(super) kinds: Vec<StateKind>,
    pub(super) values: Vec<u8>,
    pub(super) plies: Vec<u16>,
}

impl Solution {
    /// How many states there are.
    pub fn count(&self) -> u64 {
        self.states
    }

    /// How many of them are in the solution, each of which may stand for others by symmetry.
    pub fn classes(&self) -> u64 {
        self.values.len() as u64
    }

    /// How many joint moves there are in all states together.
    pub fn joint_moves(&self) -> u64 {
        self.joint_moves
    }

    /// How states are packed.
    pub fn codec(&self) -> &StateCodec {
        &self.codec
    }

    /// The roles of the game.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The role that values are for.
    pub fn role(&self) -> Role {
        self.role
    }

    /// What the goals of two roles add up to, if that is the same in every end, so that what is best for one is worst for the other.
    pub fn constant_sum(&self) -> Option<u32> {
        let sum = |goals: &[Option<u8>]| -> Option<u32> {
            goals.iter().map(|goal| goal.map(u32::from)).sum()
        };
        let mut sums = self.ends.iter().map(|goals| sum(goals));
        let first = sums.next().flatten()?;
        (self.roles.len() == 2 && sums.all(|sum| sum == Some(first))).then_some(first)
    }

    /// What the state is worth in which exactly these facts (KIF terms) hold; nothing if it cannot be reached.
    pub fn value<S: AsRef<str>>(&self, facts: &[S]) -> Option<SolvedValue> {
        let state = canonical(self.symmetries.as_deref(), &self.codec.state_of(facts)?);
        let code = self.codec.code_of(&state)?;
        Some(self.value_at(self.find(&code)?))
    }

    /// Greater is better for the role: a higher goal, then the way there that suits whom it favours. Endless games stand at 50, or
    /// below all others where there is one role only.
    pub fn rank(&self, value: SolvedValue) -> i64 {
        const PLIES: i64 = 1 << 16;
        let is_alone = self.roles.len() == 1;
        let SolvedValue::Goal { goal, plies } = value else {
            return if is_alone {
                -PLIES
            } else {
                i64::from(ENDLESS) * PLIES
            };
        };
        let nearness = match goal.cmp(&ENDLESS) {
            _ if is_alone => -i64::from(plies),
            Ordering::Greater => -i64::from(plies),
            Ordering::Equal => 0,
            Ordering::Less => i64::from(plies),
        };
        i64::from(goal) * PLIES + nearness
    }

    /// All states that can be reached, or one of each class.
    pub fn states(&self) -> impl Iterator<Item = SolvedState> {
        self.kinds
            .iter()
            .enumerate()
            .map(|(place, kind)| SolvedState {
                place,
                is_terminal: kind.end().is_some(),
                mover: kind.role().map(Role),
                value: self.value_at(place),
            })
    }

    /// The state itself.
    pub fn state(&self, state: &SolvedState) -> Bits {
        self.codec.decode(self.code(state.place))
    }

    /// For how many states it stands, itself included.
    pub fn stands_for(&self, state: &SolvedState) -> u64 {
        self.symmetries.as_ref().map_or(1, |group| {
            group.orbit(self.state(state).words(), &mut OrbitScratch::default())
        })
    }

    /// The states for which it stands, itself included.
    pub fn images(&self, state: &SolvedState) -> Vec<Bits> {
        let state = self.state(state);
        match &self.symmetries {
            Some(group) => group.images(&state),
            None => vec![state],
        }
    }

    fn value_at(&self, place: usize) -> SolvedValue {
        value_of(self.values[place], self.plies[place])
    }

    fn code(&self, place: usize) -> &[u32] {
        let words = self.codec.code_words();
        &self.codes[place * words..][..words]
    }

    /// The place of the state with this code.
    fn find(&self, code: &[u32]) -> Option<usize> {
        let (mut least, mut end) = (0, self.values.len());
        while least < end {
            let middle = usize::midpoint(least, end);
            match self.code(middle).cmp(code) {
                Ordering::Less => least = middle + 1,
                Ordering::Equal => return Some(middle),
                Ordering::Greater => end = middle,
            }
        }
        None
    }
}

/// A state with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolvedState {
    place: usize,
    /// Whether the game is over.
    pub is_terminal: bool,
    /// The role that has a choice, if one has.
    pub mover: Option<Role>,
    /// What the state is worth to the role of the solution.
    pub value: SolvedValue,
}
