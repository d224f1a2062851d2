//! What is counted while states are enumerated.

use std::collections::BTreeMap;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What is known of all states that can be reached.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SpaceTotals {
    /// How many states there are.
    pub states: u64,
    /// In how many the game is over.
    pub terminal: u64,
    /// In how many the game goes on, but a role has no legal move.
    pub stuck: u64,
    /// How many joint moves there are in all states together.
    pub edges: u64,
    /// By plies: how many states need so many joint moves to be reached, and no fewer.
    pub by_ply: Vec<u64>,
    /// Joint moves of the states in which the game goes on.
    pub branching: BranchingCounts,
    /// Per number of joint moves, how many states have so many.
    #[serde(serialize_with = "listed", deserialize_with = "of_list")]
    pub by_branching: BTreeMap<u64, u64>,
    /// How many states have a single joint move.
    pub forced: u64,
    /// In how many states several roles have a choice.
    pub simultaneous: u64,
    /// Per role, the states in which it alone has a choice, and its legal moves there.
    pub choices: Vec<BranchingCounts>,
    /// The goals with which the game ends, one per role, and in how many states, the most frequent first.
    #[serde(rename = "goals")]
    pub ends: Vec<EndCount>,
}

/// How many moves there are in some states.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub struct BranchingCounts {
    /// How many states.
    pub states: u64,
    /// All of their moves.
    pub moves: u64,
    /// The fewest in a state.
    #[serde(rename = "min")]
    pub least: u64,
    /// The most in a state.
    #[serde(rename = "max")]
    pub most: u64,
}

/// In how many states the game is over with the same goals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndCount {
    /// Per role, its goal; `None` where the rules give no single value.
    pub goals: Vec<Option<u8>>,
    /// How many states.
    #[serde(rename = "count")]
    pub states: u64,
}

impl Serialize for BranchingCounts {
    /// With their mean, `null` where there are no states.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("BranchingCounts", 5)?;
        object.serialize_field("min", &self.least)?;
        object.serialize_field("mean", &self.mean())?;
        object.serialize_field("max", &self.most)?;
        object.serialize_field("states", &self.states)?;
        object.serialize_field("moves", &self.moves)?;
        object.end()
    }
}

#[derive(Serialize, Deserialize)]
struct StatesOfBranching {
    joint_moves: u64,
    states: u64,
}

/// Reads what [`listed`] writes.
fn of_list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<u64, u64>, D::Error> {
    let counts = Vec::<StatesOfBranching>::deserialize(deserializer)?.into_iter();
    Ok(counts.map(|of| (of.joint_moves, of.states)).collect())
}

/// As objects that name what they count.
fn listed<S: Serializer>(counts: &BTreeMap<u64, u64>, serializer: S) -> Result<S::Ok, S::Error> {
    let counts = counts.iter();
    serializer.collect_seq(counts.map(|(joint_moves, states)| StatesOfBranching {
        joint_moves: *joint_moves,
        states: *states,
    }))
}

impl BranchingCounts {
    /// The mean of the moves, unless there are no states.
    pub fn mean(&self) -> Option<f64> {
        (self.states > 0).then(|| self.moves as f64 / self.states as f64)
    }

    /// Counts so many moves in each of some states.
    pub(super) fn note(&mut self, moves: u64, states: u64) {
        self.merge(&Self {
            states,
            moves: moves.saturating_mul(states),
            least: moves,
            most: moves,
        });
    }

    fn merge(&mut self, other: &Self) {
        if other.states == 0 {
            return;
        }
        self.least = match self.states {
            0 => other.least,
            _ => self.least.min(other.least),
        };
        self.most = self.most.max(other.most);
        self.states += other.states;
        self.moves = self.moves.saturating_add(other.moves);
    }
}

impl SpaceTotals {
    pub(super) fn new(roles: usize) -> Self {
        Self {
            choices: vec![BranchingCounts::default(); roles],
            ..Self::default()
        }
    }

    /// The same of more states; plies are left as they are.
    pub(super) fn merge(&mut self, other: &Self) {
        self.states += other.states;
        self.terminal += other.terminal;
        self.stuck += other.stuck;
        self.edges = self.edges.saturating_add(other.edges);
        self.forced += other.forced;
        self.simultaneous += other.simultaneous;
        self.branching.merge(&other.branching);
        for (moves, states) in &other.by_branching {
            *self.by_branching.entry(*moves).or_default() += states;
        }
        for (choices, more) in self.choices.iter_mut().zip(&other.choices) {
            choices.merge(more);
        }
        for end in &other.ends {
            self.note_end(&end.goals, end.states);
        }
    }

    /// Counts states that end with these goals.
    pub(super) fn note_end(&mut self, goals: &[Option<u8>], states: u64) {
        match self.ends.iter_mut().find(|end| end.goals == goals) {
            Some(end) => end.states += states,
            None => self.ends.push(EndCount {
                goals: goals.to_vec(),
                states,
            }),
        }
    }

    /// Puts the most frequent ends first.
    pub(super) fn sort(&mut self) {
        self.ends
            .sort_by(|one, other| (other.states, &one.goals).cmp(&(one.states, &other.goals)));
    }
}
