//! Minimax-A-B after Rich and Knight, and Alpha-Beta-Search after Russell and Norvig.

use kolibri::native::checkers::published::PublishedEvaluation;
use kolibri::native::checkers::{CheckersState, CheckersTurn};
use kolibri::native::{Checkers, NativeRules};

/// The bounds that Minimax-A-B begins with: less than the largest numbers, because it negates them.
const LEAST: i32 = -8_000_000;
const MOST: i32 = 9_000_000;

/// The searches. With the same evaluation they choose the same turns and visit the same nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    /// Minimax-A-B: every player maximises, and values change their sign from ply to ply.
    MinimaxAb,
    /// Alpha-Beta-Search: one player maximises, the other one minimises.
    AlphaBeta,
}

/// The sign of leaf values where the opponent of the searching player is in control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// The opponent's value is taken for the searching player's. A turn that leaves the opponent without an answer then
    /// has the lowest value, and odd depths search for the worst position.
    AsPublished,
    /// The opponent's value is negated.
    Corrected,
}

/// A player of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PublishedPlayer {
    /// How it searches.
    pub(super) algorithm: Algorithm,
    /// Its values of leaves.
    pub(super) evaluation: PublishedEvaluation,
    /// The depth of the search in turns.
    pub(super) depth: u32,
    /// Whether the slip of the report is mended.
    pub(super) sign: Sign,
}

/// The size of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct NodeCounts {
    /// Positions valued.
    pub(super) leaf: u64,
    /// Turns made.
    pub(super) expanded: u64,
}

impl PublishedPlayer {
    /// The turn of the role in control, which has `made` that number of turns; `None` where it has none. Adds the nodes
    /// of the search to `nodes`.
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
            searcher: rules.in_control(position),
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
type ValuedTurn = (i32, Option<CheckersTurn>);

struct Search<'s> {
    player: &'s PublishedPlayer,
    rules: &'s Checkers,
    made: u32,
    searcher: usize,
    nodes: &'s mut NodeCounts,
}

impl Search<'_> {
    fn minimax_ab(
        &mut self,
        position: &CheckersState,
        depth: u32,
        most: i32,
        mut best: i32,
    ) -> ValuedTurn {
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
    ) -> ValuedTurn {
        let turns = self.turns(position, depth);
        if turns.is_empty() {
            return (self.leaf(position), None);
        }
        let maximises = self.rules.in_control(position) == self.searcher;
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

    /// The turns to search.
    fn turns(&self, position: &CheckersState, depth: u32) -> Vec<CheckersTurn> {
        match depth {
            0 => Vec::new(),
            _ => self.rules.turns(position),
        }
    }

    /// The value of a leaf: for the role in control in Minimax-A-B, for the searching one in Alpha-Beta-Search.
    fn leaf(&mut self, position: &CheckersState) -> i32 {
        self.nodes.leaf += 1;
        let player = self.player;
        let value = player.evaluation.value(self.rules, position, self.made);
        let is_opponent = self.rules.in_control(position) != self.searcher;
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
