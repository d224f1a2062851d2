//! What a game is like, in figures.

use std::collections::{BTreeMap, HashSet};

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::balance::{DepthMatch, ResultBalance};
use super::games::PlayedStep;
use crate::game::is_chance;
use crate::statistics::{Bar, histogram};

/// What a game is like.
#[derive(Debug, Clone, Default, Serialize)]
pub struct GameStatistics {
    /// Whose turn it is.
    pub turns: Turns,
    /// How long random games take; `None` if none ended.
    pub lengths: Option<Lengths>,
    /// How many moves there are.
    pub branching: Branching,
    /// Who wins, by who plays: at random first, then players that look ahead.
    pub balance: Vec<ResultBalance>,
    /// Whether looking further ahead wins.
    pub depth_matches: Vec<DepthMatch>,
    /// How large the rules are.
    pub rules: RuleSizes,
    /// Joint moves made per second in the random games, everything that was looked at included.
    pub states_per_second: f64,
}

/// Whose turn it is.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Turns {
    /// In words.
    pub words: String,
    /// Plies in which several roles had a choice.
    pub shared: u64,
    /// Plies looked at.
    pub plies: u64,
    /// Games looked at.
    pub games: usize,
}

/// How long games take, in plies.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lengths {
    /// How many games ended.
    pub games: usize,
    /// The mean.
    pub mean: f64,
    /// The shortest game.
    pub least: usize,
    /// A quarter of the games is shorter or as long.
    pub lower_quartile: usize,
    /// Half of them.
    pub median: usize,
    /// Three quarters.
    pub upper_quartile: usize,
    /// The longest game.
    pub most: usize,
    /// How many games have which length.
    pub histogram: Vec<Bar>,
}

/// How many moves there are.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Branching {
    /// Positions looked at in which some role other than chance had a choice.
    pub positions: u64,
    /// The mean number of moves of a role that has a choice.
    pub mean: Option<f64>,
    /// The most moves of one role.
    pub most: usize,
    /// How often a role had a choice between so many moves.
    pub histogram: Vec<Bar>,
    /// Positions among those whose successors were compared.
    pub compared: u64,
    /// Moves in these that lead to the same position as another one.
    pub same: u64,
    /// All moves in these.
    pub moves: u64,
    /// Positions among them in which all moves lead to the same position.
    pub without_effect: u64,
}

/// How large the rules are.
#[derive(Debug, Clone, Default, Serialize)]
pub struct RuleSizes {
    /// Rules and facts.
    pub rules: usize,
    /// Facts at the start.
    pub initial_facts: usize,
    /// Different facts seen.
    pub facts_seen: usize,
    /// Facts that may hold, where the rules ground.
    pub facts_possible: Option<usize>,
    /// Different moves seen, over all roles.
    pub moves_seen: usize,
    /// Moves that may be legal, where the rules ground.
    pub moves_possible: Option<usize>,
}

impl Lengths {
    /// The lengths of games that ended.
    pub(super) fn of(mut lengths: Vec<usize>) -> Option<Self> {
        lengths.sort_unstable();
        let (&least, &most) = (lengths.first()?, lengths.last()?);
        let games = lengths.len();
        let mut counts = BTreeMap::new();
        lengths
            .iter()
            .for_each(|&length| *counts.entry(length).or_default() += 1);
        let at = |share: f64| lengths[((games - 1) as f64 * share).round() as usize];
        Some(Self {
            games,
            mean: lengths.iter().sum::<usize>() as f64 / games as f64,
            least,
            lower_quartile: at(0.25),
            median: at(0.5),
            upper_quartile: at(0.75),
            most,
            histogram: histogram(counts),
        })
    }
}

/// Counts moves, and compares where they lead.
#[derive(Debug, Default)]
pub(super) struct MoveWatch {
    branching: Branching,
    /// How often a role had a choice between so many moves.
    choices: BTreeMap<usize, usize>,
    /// Per role, the moves that were legal.
    pub(super) seen: Vec<FxHashSet<String>>,
    /// Positions whose moves were looked at.
    pub(super) positions: u64,
    /// Per role, whether it is played by chance, which has moves and no choice.
    is_chance: Vec<bool>,
}

/// Of positions with more moves the successors are not compared, nor of more positions.
const MOST_MOVES: usize = 60;
const MOST_POSITIONS: u64 = 150;

impl MoveWatch {
    /// For these roles.
    pub(super) fn new(roles: &[String]) -> Self {
        Self {
            seen: vec![FxHashSet::default(); roles.len()],
            is_chance: roles.iter().map(|role| is_chance(role)).collect(),
            ..Self::default()
        }
    }

    /// Notes which moves are legal.
    pub(super) fn note_legal(&mut self, step: &PlayedStep) {
        self.positions += 1;
        for (role, seen) in self.seen.iter_mut().enumerate() {
            for mv in step.before.legal_of(role) {
                if !seen.contains(mv) {
                    seen.insert(mv.clone());
                }
            }
        }
    }

    /// How many different moves were legal, over all roles.
    pub(super) fn moves_seen(&self) -> usize {
        self.seen.iter().map(FxHashSet::len).sum()
    }

    /// Looks at a step; compares the successors in a part of the positions.
    pub(super) fn see(&mut self, step: &PlayedStep) {
        self.note_legal(step);
        let mut choosing = step.before.choosing();
        choosing.retain(|&role| !self.is_chance[role]);
        for &role in &choosing {
            let moves = step.before.legal_of(role).len();
            *self.choices.entry(moves).or_default() += 1;
            self.branching.most = self.branching.most.max(moves);
        }
        if choosing.is_empty() {
            return;
        }
        self.branching.positions += 1;
        let is_drawn = self.branching.positions.is_power_of_two() || step.ply % 5 == 2;
        if let [role] = choosing[..]
            && is_drawn
            && self.branching.compared < MOST_POSITIONS
        {
            self.compare(step, role);
        }
    }

    fn compare(&mut self, step: &PlayedStep, role: usize) {
        let moves = step.before.legal_of(role);
        if moves.len() > MOST_MOVES {
            return;
        }
        let mut joint = step.joint.clone();
        let mut reached = HashSet::new();
        for mv in moves {
            joint[role].clone_from(mv);
            if let Ok(after) = step.before.after(&joint) {
                reached.insert(after);
            }
        }
        self.branching.compared += 1;
        self.branching.moves += moves.len() as u64;
        self.branching.same += (moves.len() - reached.len()) as u64;
        self.branching.without_effect += u64::from(reached.len() == 1);
    }

    pub(super) fn branching(&self) -> Branching {
        let choices: usize = self.choices.values().sum();
        let sum: usize = self
            .choices
            .iter()
            .map(|(moves, count)| moves * count)
            .sum();
        Branching {
            mean: (choices > 0).then(|| sum as f64 / choices as f64),
            histogram: histogram(self.choices.clone()),
            ..self.branching.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_and_histogram_tell_how_lengths_are_spread() {
        let lengths = Lengths::of(vec![9, 5, 6, 7, 8]).unwrap();
        let quartiles = [
            lengths.lower_quartile,
            lengths.median,
            lengths.upper_quartile,
        ];
        assert_eq!((lengths.least, quartiles, lengths.most), (5, [6, 7, 8], 9));
        assert_eq!(lengths.mean, 7.0);
        assert_eq!(lengths.histogram.len(), 5);
        let wide = Lengths::of((0..100).collect()).unwrap();
        let counted: usize = wide.histogram.iter().map(|bar| bar.count).sum();
        assert_eq!((counted, wide.histogram.len()), (100, 12));
        assert_eq!(Lengths::of(Vec::new()), None);
    }
}
