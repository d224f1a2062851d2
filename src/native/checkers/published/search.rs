//! Minimax-A-B after Rich and Knight, and Alpha-Beta-Search after Russell and Norvig.

use super::Evaluation;
use crate::native::checkers::{Checkers, CheckersState, CheckersTurn};

/// The bounds that Minimax-A-B begins with: less than the largest numbers, because it negates them.
const LEAST: i32 = -8_000_000;
const MOST: i32 = 9_000_000;

/// The searches. With the same evaluation they choose the same turns and look at the same nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    /// Minimax-A-B: every player maximises, and values change their sign from ply to ply.
    MinimaxAb,
    /// Alpha-Beta-Search: one player maximises, the other one minimises.
    AlphaBeta,
}

/// How leaves are valued in which the opponent of the searching player is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// As worth to the searching player what they are worth to the opponent. A turn that leaves the opponent without an
    /// answer looks like a catastrophe, and odd depths look for the worst position.
    AsPublished,
    /// As worth to the searching player the opposite.
    Corrected,
}

/// A player of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PublishedPlayer {
    /// How it searches.
    pub(super) algorithm: Algorithm,
    /// What it takes leaves to be worth.
    pub(super) evaluation: Evaluation,
    /// How many turns it looks ahead.
    pub(super) depth: u32,
    /// Whether it does as published.
    pub(super) sign: Sign,
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct NodeCounts {
    /// Positions valued.
    pub(super) leaf: u64,
    /// Turns made.
    pub(super) expanded: u64,
}

impl PublishedPlayer {
    /// The turn that the player in control makes after it has `made` so many; `None` where it has none. Adds what it
    /// looks at to `nodes`.
    pub(super) fn choose(
        &self,
        rules: &Checkers,
        position: &CheckersState,
        made: u32,
        nodes: &mut NodeCounts,
    ) -> Option<CheckersTurn> {
        let mut search = Search {
            player: self,
            rules,
            made,
            searcher: position.control,
            nodes,
        };
        let (_, best) = match self.algorithm {
            Algorithm::MinimaxAb => search.minimax_ab(position, self.depth, MOST, LEAST),
            Algorithm::AlphaBeta => search.alpha_beta(position, self.depth, [i32::MIN, i32::MAX]),
        };
        best
    }
}

/// A value, and the turn that leads to it.
type Found = (i32, Option<CheckersTurn>);

struct Search<'s> {
    player: &'s PublishedPlayer,
    rules: &'s Checkers,
    made: u32,
    searcher: u8,
    nodes: &'s mut NodeCounts,
}

impl Search<'_> {
    fn minimax_ab(
        &mut self,
        position: &CheckersState,
        depth: u32,
        most: i32,
        mut best: i32,
    ) -> Found {
        let turns = self.turns(position, depth);
        if turns.is_empty() {
            return (self.leaf(position), None);
        }
        let mut chosen = None;
        for turn in turns {
            self.nodes.expanded += 1;
            let (value, _) = self.minimax_ab(&turn.after, depth - 1, -best, -most);
            if -value > best {
                best = -value;
                chosen = Some(turn);
            }
            if best >= most {
                break;
            }
        }
        (best, chosen)
    }

    fn alpha_beta(
        &mut self,
        position: &CheckersState,
        depth: u32,
        [alpha, beta]: [i32; 2],
    ) -> Found {
        let turns = self.turns(position, depth);
        if turns.is_empty() {
            return (self.leaf(position), None);
        }
        let maximises = position.control == self.searcher;
        let (mut window, mut chosen) = ([alpha, beta], None);
        let mut best = if maximises { i32::MIN } else { i32::MAX };
        for turn in turns {
            self.nodes.expanded += 1;
            let (value, _) = self.alpha_beta(&turn.after, depth - 1, window);
            if (maximises && value > best) || (!maximises && value < best) {
                best = value;
                chosen = Some(turn);
            }
            if (maximises && best >= beta) || (!maximises && best <= alpha) {
                break;
            }
            match maximises {
                true => window[0] = window[0].max(best),
                false => window[1] = window[1].min(best),
            }
        }
        (best, chosen)
    }

    /// The turns to look at.
    fn turns(&self, position: &CheckersState, depth: u32) -> Vec<CheckersTurn> {
        match depth {
            0 => Vec::new(),
            _ => self.rules.turns(position),
        }
    }

    /// What a leaf is worth: to the player in control in Minimax-A-B, to the searching one in Alpha-Beta-Search.
    fn leaf(&mut self, position: &CheckersState) -> i32 {
        self.nodes.leaf += 1;
        let player = self.player;
        let value = player.evaluation.value(self.rules, position, self.made);
        let is_opponent = position.control != self.searcher;
        let negates =
            match (player.algorithm, player.sign) {
                (Algorithm::MinimaxAb, Sign::AsPublished)
                | (Algorithm::AlphaBeta, Sign::Corrected) => is_opponent,
                (Algorithm::MinimaxAb, Sign::Corrected)
                | (Algorithm::AlphaBeta, Sign::AsPublished) => false,
            };
        if negates { -value } else { value }
    }
}
