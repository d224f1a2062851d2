//! The players: how they search, and by what they value leaves.

use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::PublishedEvaluation;
use super::cures::{JitterCure, is_shuttling, returned_kings, without_repetitions};
use super::search::{Search, SearchCounts};
use crate::native::checkers::{Checkers, CheckersState, CheckersTurn};
use crate::native::rules::NativeRules;
use crate::util::StopFlag;

/// The searches. With the same evaluation they choose the same turns and visit the same nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PublishedAlgorithm {
    /// Minimax-A-B, after Rich and Knight: every player maximises, and values change their sign from turn to turn.
    MinimaxAb,
    /// Alpha-Beta-Search, after Russell and Norvig: one player maximises, the other one minimises.
    AlphaBeta,
}

impl PublishedAlgorithm {
    /// As the log files of the report are named.
    pub fn name(self) -> &'static str {
        match self {
            Self::MinimaxAb => "min",
            Self::AlphaBeta => "abs",
        }
    }

    /// As the tables of the report have it.
    pub fn abbreviation(self) -> &'static str {
        match self {
            Self::MinimaxAb => "MAB",
            Self::AlphaBeta => "ABS",
        }
    }

    /// As the program of the report prints it.
    pub fn title(self) -> &'static str {
        match self {
            Self::MinimaxAb => "Minimax-Alpha-Beta",
            Self::AlphaBeta => "Alpha-Beta-Search",
        }
    }
}

/// The sign of leaf values where the opponent of the searching player is in control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LeafSign {
    /// The opponent's value is taken for the searching player's. A turn that leaves the opponent without an answer then
    /// has the lowest value, and odd depths search for the worst position.
    AsPublished,
    /// The opponent's value is negated.
    Corrected,
}

/// A player of the report, and what can be changed about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PublishedPlayer {
    /// How it searches.
    pub algorithm: PublishedAlgorithm,
    /// Its values of leaves.
    pub evaluation: PublishedEvaluation,
    /// The depth of the search in turns.
    pub depth: u32,
    /// Whether the slip of both searches is mended.
    pub sign: LeafSign,
    /// The futility cutoff, which the report quotes and does not build: what is better by at most this much is not searched.
    /// 0 is none.
    pub futility: i32,
    /// The evaluation by which the opponent is expected to choose, if not the player's own. Such a search cuts nothing off, and both
    /// algorithms are the same.
    pub opponent: Option<PublishedEvaluation>,
    /// What is done against pieces that shuttle to and fro.
    pub cure: JitterCure,
}

/// A player of the report as it was, with EF-3 at depth 4.
impl Default for PublishedPlayer {
    fn default() -> Self {
        Self {
            algorithm: PublishedAlgorithm::MinimaxAb,
            evaluation: PublishedEvaluation::Three,
            depth: 4,
            sign: LeafSign::AsPublished,
            futility: 0,
            opponent: None,
            cure: JitterCure::None,
        }
    }
}

/// What a player is asked.
#[derive(Debug, Clone, Copy)]
pub struct SearchTask<'t> {
    /// The rules of the usual board.
    pub rules: &'t Checkers,
    /// The position, in which the player is in control.
    pub position: &'t CheckersState,
    /// The positions before it, the first one first.
    pub past: &'t [CheckersState],
    /// What chance is drawn from, where a cure needs any.
    pub seed: u64,
    /// Ends the search when it is raised.
    pub stop: &'t StopFlag,
}

impl SearchTask<'_> {
    /// The number of turns that the player has made.
    fn made(&self) -> u32 {
        u32::from(self.position.turn - 1)
    }

    /// Whether the player's last turns moved one piece to and fro.
    pub fn is_jittering(&self) -> bool {
        is_shuttling(self.past, self.position)
    }
}

impl PublishedPlayer {
    /// The depths that the program of the report takes.
    pub const DEPTHS: RangeInclusive<u32> = 2..=15;

    /// The turn that the player makes; `None` where it has none, or was stopped. Adds the size of the search to `counts`.
    pub fn choose(&self, task: &SearchTask<'_>, counts: &mut SearchCounts) -> Option<CheckersTurn> {
        let turns = self.turns(task);
        let first = turns.first().cloned();
        let mut search = Search {
            player: self,
            rules: task.rules,
            made: task.made(),
            searcher: task.rules.in_control(task.position),
            stop: task.stop,
            counts,
            held: turns.len(),
            luck: self
                .is_cured_by(JitterCure::Score, task)
                .then(|| luck(task)),
            returned: (self.cure == JitterCure::Home).then(|| returned_kings(task)),
        };
        // Values below the bounds of the search leave it without a turn.
        let chosen = search.best(task.position, turns).or(first);
        chosen.filter(|_| !task.stop.is_raised())
    }

    /// The turns to choose from.
    fn turns(&self, task: &SearchTask<'_>) -> Vec<CheckersTurn> {
        let mut turns = task.rules.turns(task.position);
        if self.is_cured_by(JitterCure::Turn, task) && !turns.is_empty() {
            let drawn = Xoshiro256PlusPlus::seed_from_u64(luck(task)).random_range(0..turns.len());
            return vec![turns.swap_remove(drawn)];
        }
        match self.cure {
            JitterCure::Repetition => without_repetitions(turns, task.past),
            _ => turns,
        }
    }

    /// Whether the player jitters, and this is done against it.
    fn is_cured_by(&self, cure: JitterCure, task: &SearchTask<'_>) -> bool {
        self.cure == cure && task.is_jittering()
    }
}

/// What the chance of one turn is drawn from.
fn luck(task: &SearchTask<'_>) -> u64 {
    const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;
    let turn = 2 * u64::from(task.position.turn) + u64::from(task.position.control);
    task.seed.wrapping_mul(STRIDE).wrapping_add(turn)
}

/// As the tables of the report have it, such as `MAB 3`.
impl std::fmt::Display for PublishedPlayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.algorithm.abbreviation(), self.evaluation)
    }
}
