//! The games that the report plays.

use super::player::PublishedAlgorithm::{self, AlphaBeta, MinimaxAb};
use super::player::PublishedPlayer;
use super::{PublishedEvaluation, PublishedGame};
use crate::util::StopFlag;

/// Two players of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PublishedPairing {
    /// Who plays red.
    pub red: PublishedPlayer,
    /// Who plays black, and begins.
    pub black: PublishedPlayer,
}

impl PublishedPairing {
    /// Their game; `None` where `stop` was raised before its end. Chance, where a player needs any, is drawn from `seed`.
    pub fn play(&self, seed: u64, stop: &StopFlag) -> Option<PublishedGame> {
        PublishedGame::play([&self.black, &self.red], seed, stop)
    }
}

/// The algorithms in the order of the report.
const ALGORITHMS: [PublishedAlgorithm; 2] = [AlphaBeta, MinimaxAb];

/// The games of the "full simulation" in its order: for each depth, both algorithms for red and for black, and three evaluations for
/// each. `usual` says what else holds for all players. With two depths, these are the 72 games of the report.
pub fn full_simulation(depths: &[u32], usual: &PublishedPlayer) -> Vec<PublishedPairing> {
    let mut games = Vec::new();
    for &depth in depths {
        for red in ALGORITHMS {
            for black in ALGORITHMS {
                for pairing in 0..9 {
                    let player = |algorithm, number| PublishedPlayer {
                        algorithm,
                        evaluation: PublishedEvaluation::numbered(number)
                            .unwrap_or(usual.evaluation),
                        depth,
                        ..*usual
                    };
                    games.push(PublishedPairing {
                        red: player(red, 1 + pairing / 3),
                        black: player(black, 1 + pairing % 3),
                    });
                }
            }
        }
    }
    games
}

/// The sample run of this number, 1 to 5. In the fifth a person plays black and makes the first turn of the list, as EF-4 does.
pub fn sample_run(number: u8) -> Option<PublishedPairing> {
    let player = |algorithm, evaluation, depth| PublishedPlayer {
        algorithm,
        evaluation,
        depth,
        ..PublishedPlayer::default()
    };
    let (one, three) = (PublishedEvaluation::One, PublishedEvaluation::Three);
    let alpha_beta = |depth| {
        [
            player(AlphaBeta, one, depth),
            player(AlphaBeta, three, depth),
        ]
    };
    let [red, black] = match number {
        1 => alpha_beta(2),
        2 => alpha_beta(4),
        4 => alpha_beta(8),
        3 => [player(MinimaxAb, three, 6), player(AlphaBeta, three, 6)],
        5 => [
            player(MinimaxAb, three, 4),
            player(AlphaBeta, PublishedEvaluation::Constant, 2),
        ],
        _ => return None,
    };
    Some(PublishedPairing { red, black })
}
