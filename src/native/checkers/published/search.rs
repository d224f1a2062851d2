//! Minimax-A-B, Alpha-Beta-Search, and a search that expects the opponent to think otherwise.

use super::PublishedEvaluation;
use super::cures::{homing, random_score, returned_after};
use super::player::{LeafSign, PublishedAlgorithm, PublishedPlayer};
use crate::native::checkers::{Checkers, CheckersState, CheckersTurn};
use crate::native::rules::NativeRules;
use crate::util::StopFlag;

/// The bounds that Minimax-A-B begins with: less than the largest numbers, because it negates them.
const LEAST: i32 = -8_000_000;
const MOST: i32 = 9_000_000;

/// The size of a search, as the report counts it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// Positions valued.
    pub leaf: u64,
    /// Turns made, those that lead to leaves included.
    pub expanded: u64,
    /// The most turns that were held in memory at once.
    pub held: usize,
}

impl SearchCounts {
    /// The report's total, in which leaves count twice.
    pub fn nodes(&self) -> u64 {
        self.leaf + self.expanded
    }

    /// The most memory that turns took, in bytes.
    pub fn bytes(&self) -> u64 {
        (self.held * size_of::<CheckersTurn>()) as u64
    }

    /// Of two searches, one after the other.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            leaf: self.leaf + other.leaf,
            expanded: self.expanded + other.expanded,
            held: self.held.max(other.held),
        }
    }
}

/// A value, and the turn that leads to it.
type ValuedTurn = (i32, Option<CheckersTurn>);

/// One search.
pub(super) struct Search<'s> {
    pub(super) player: &'s PublishedPlayer,
    pub(super) rules: &'s Checkers,
    /// Turns that the searching player has made.
    pub(super) made: u32,
    pub(super) searcher: usize,
    pub(super) stop: &'s StopFlag,
    pub(super) counts: &'s mut SearchCounts,
    /// The turns held now.
    pub(super) held: usize,
    /// What random scores are drawn from, where there are any.
    pub(super) luck: Option<u64>,
    /// The kings that have been home, where that counts.
    pub(super) returned: Option<u32>,
}

impl Search<'_> {
    /// The best of these turns, the first of equal ones.
    pub(super) fn best(
        &mut self,
        position: &CheckersState,
        turns: Vec<CheckersTurn>,
    ) -> Option<CheckersTurn> {
        let depth = self.player.depth;
        self.counts.held = self.counts.held.max(self.held);
        match (self.player.opponent, self.player.algorithm) {
            (Some(opponent), _) => self.modelled(position, turns, depth, opponent).turn,
            (None, PublishedAlgorithm::MinimaxAb) => {
                self.minimax_ab(position, turns, depth, [LEAST, MOST]).1
            }
            (None, PublishedAlgorithm::AlphaBeta) => {
                self.alpha_beta(position, turns, depth, [i32::MIN, i32::MAX])
                    .1
            }
        }
    }

    fn minimax_ab(
        &mut self,
        position: &CheckersState,
        turns: Vec<CheckersTurn>,
        depth: u32,
        [least, most]: [i32; 2],
    ) -> ValuedTurn {
        if turns.is_empty() {
            return (self.leaf(position), None);
        }
        let (mut best, mut chosen) = (least, None);
        for turn in turns {
            let window = [-most, -best];
            let (value, _) = self.below(position, &turn, depth, |search, turns| {
                search.minimax_ab(&turn.after, turns, depth - 1, window)
            });
            if -value > best {
                best = -value;
                chosen = Some(turn);
            }
            if best >= most {
                break;
            }
            if chosen.is_some() && self.is_futile(best, most) {
                return (most, chosen);
            }
        }
        (best, chosen)
    }

    fn alpha_beta(
        &mut self,
        position: &CheckersState,
        turns: Vec<CheckersTurn>,
        depth: u32,
        [alpha, beta]: [i32; 2],
    ) -> ValuedTurn {
        if turns.is_empty() {
            return (self.leaf(position), None);
        }
        let maximises = self.rules.in_control(position) == self.searcher;
        let (mut window, mut chosen) = ([alpha, beta], None);
        let mut best = if maximises { i32::MIN } else { i32::MAX };
        for turn in turns {
            let (value, _) = self.below(position, &turn, depth, |search, turns| {
                search.alpha_beta(&turn.after, turns, depth - 1, window)
            });
            if (maximises && value > best) || (!maximises && value < best) {
                best = value;
                chosen = Some(turn);
            }
            if (maximises && best >= beta) || (!maximises && best <= alpha) {
                break;
            }
            let is_inside = alpha < best && best < beta;
            match maximises {
                true if is_inside && self.is_futile(best, beta) => return (beta, chosen),
                false if is_inside && self.is_futile(alpha, best) => return (alpha, chosen),
                true => window[0] = window[0].max(best),
                false => window[1] = window[1].min(best),
            }
        }
        (best, chosen)
    }

    /// Whether so little can still be gained that it is given up: Rich and Knight's futility cutoff. A node that is given up
    /// counts as no better than what the other player has elsewhere, so that it is not chosen for a value that it may lack.
    fn is_futile(&self, value: i32, other: i32) -> bool {
        let futility = self.player.futility;
        // The bounds at the beginning are nobody's values.
        let is_value = |bound: i32| bound.unsigned_abs() < LEAST.unsigned_abs();
        futility > 0 && is_value(value) && is_value(other) && value >= other - futility
    }

    /// All turns are searched: each side chooses what is best by its own evaluation.
    fn modelled(
        &mut self,
        position: &CheckersState,
        turns: Vec<CheckersTurn>,
        depth: u32,
        opponent: PublishedEvaluation,
    ) -> ModelledTurn {
        if turns.is_empty() {
            let own = self.leaf_by(position, self.player.evaluation);
            let for_searcher = self.leaf_by(position, opponent);
            return ModelledTurn {
                values: [own, -for_searcher],
                turn: None,
            };
        }
        let chooser = usize::from(self.rules.in_control(position) != self.searcher);
        let mut best: Option<ModelledTurn> = None;
        for turn in turns {
            let found = self.below(position, &turn, depth, |search, turns| {
                search.modelled(&turn.after, turns, depth - 1, opponent)
            });
            let known = best.as_ref().map(|best| best.values[chooser]);
            if known.is_none_or(|known| found.values[chooser] > known) {
                best = Some(ModelledTurn {
                    turn: Some(turn),
                    ..found
                });
            }
        }
        best.unwrap_or_default()
    }

    /// Makes a turn, and searches with the turns that follow it.
    fn below<T>(
        &mut self,
        position: &CheckersState,
        turn: &CheckersTurn,
        depth: u32,
        search: impl FnOnce(&mut Self, Vec<CheckersTurn>) -> T,
    ) -> T {
        self.counts.expanded += 1;
        let returned = self.returned;
        if self.rules.in_control(position) == self.searcher {
            let after = |returned| returned_after(self.rules, returned, position, &turn.after);
            self.returned = returned.map(after);
        }
        let turns = match depth {
            ..=1 => Vec::new(),
            _ if self.stop.is_raised() => Vec::new(),
            _ => self.rules.turns(&turn.after),
        };
        let held = turns.len();
        self.held += held;
        self.counts.held = self.counts.held.max(self.held);
        let found = search(self, turns);
        self.held -= held;
        self.returned = returned;
        found
    }

    /// The value of a leaf: for the role in control in Minimax-A-B, for the searching one in Alpha-Beta-Search.
    fn leaf(&mut self, position: &CheckersState) -> i32 {
        let value = self.leaf_by(position, self.player.evaluation);
        let is_opponent = self.rules.in_control(position) != self.searcher;
        match self.player.algorithm {
            PublishedAlgorithm::MinimaxAb if is_opponent => -value,
            _ => value,
        }
    }

    /// The value of a leaf for the searching player. Kept slip, unless it is mended: where the opponent is in control, it is the
    /// opponent's.
    fn leaf_by(&mut self, position: &CheckersState, evaluation: PublishedEvaluation) -> i32 {
        self.counts.leaf += 1;
        let value = evaluation.value(self.rules, position, self.made);
        let is_opponent = self.rules.in_control(position) != self.searcher;
        let value = match self.player.sign {
            LeafSign::Corrected if is_opponent => -value,
            _ => value,
        };
        value.saturating_add(self.cure(position, evaluation))
    }

    /// What cures of jitter add for the searching player.
    fn cure(&self, position: &CheckersState, evaluation: PublishedEvaluation) -> i32 {
        let luck = self.luck;
        let random = luck.map_or(0, |luck| random_score(evaluation, position, luck));
        let own = match self.rules.in_control(position) == self.searcher {
            true => position.own,
            false => position.enemy,
        };
        let (kings, is_red) = (own & position.kings, self.searcher == 1);
        let homing = self
            .returned
            .map_or(0, |returned| homing(evaluation, kings, returned, is_red));
        random + homing
    }
}

/// The values for the searching player and for the opponent as it is expected to be, and the turn that leads to them.
#[derive(Default)]
struct ModelledTurn {
    values: [i32; 2],
    turn: Option<CheckersTurn>,
}
