//! Games between players that look differently far ahead.

use rustc_hash::FxHashSet;

use super::balance::{DepthMatch, DepthMatchResult, Results, winner};
use super::games::PlayedGame;
use crate::play::{SearchOptions, Spec, scores};

/// Which games of players are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Pairing {
    /// All roles by the player of this number.
    Equal(usize),
    /// One role by the player of the higher number, the others by the lower one.
    Against(usize, usize),
}

/// Games between players, each of which looks further than the one before.
#[derive(Debug)]
pub(super) struct DepthMatches {
    specs: Vec<Spec>,
    /// The roles that are no chance.
    players: Vec<usize>,
    equal: Vec<(usize, Results)>,
    /// The weaker player, the stronger one, and what the stronger one scored.
    against: Vec<(usize, usize, Vec<DepthMatchResult>)>,
    /// The games so far: who played, and a hash of the moves.
    known: FxHashSet<(Pairing, Option<usize>, u64)>,
}

impl DepthMatches {
    pub(super) fn new(specs: Vec<Spec>, players: Vec<usize>) -> Self {
        let best = specs.len() - 1;
        let pairs = (1..specs.len()).map(|number| (number - 1, number, Vec::new()));
        Self {
            equal: vec![(0, Results::default()), (best, Results::default())],
            against: match players.len() {
                1 => Vec::new(),
                _ => pairs.collect(),
            },
            specs,
            players,
            known: FxHashSet::default(),
        }
    }

    /// The games of one round.
    pub(super) fn round(&self) -> Vec<Pairing> {
        let equal = self.equal.iter().map(|(number, _)| Pairing::Equal(*number));
        let against = self.against.iter();
        let against = against.map(|(weaker, stronger, _)| Pairing::Against(*weaker, *stronger));
        against.chain(equal).collect()
    }

    /// Who plays each of `roles` roles: the stronger player takes another role in every round, chance stays chance.
    pub(super) fn assign(&self, pairing: Pairing, round: usize, roles: usize) -> Vec<Spec> {
        let lower = match pairing {
            Pairing::Equal(number) | Pairing::Against(number, _) => number,
        };
        let mut specs = vec![Spec::Random { seed: None }; roles];
        for &role in &self.players {
            specs[role] = self.specs[lower].clone();
        }
        if let (Some(role), Pairing::Against(_, stronger)) =
            (self.stronger_role(pairing, round), pairing)
        {
            specs[role] = self.specs[stronger].clone();
        }
        specs
    }

    /// The role that the stronger player takes, if one is stronger.
    fn stronger_role(&self, pairing: Pairing, round: usize) -> Option<usize> {
        match pairing {
            Pairing::Equal(_) => None,
            Pairing::Against(..) => Some(self.players[round % self.players.len()]),
        }
    }

    /// Counts a game, unless the same players have played it before: players that look ahead seldom vary, and a game that is
    /// played again says nothing new.
    pub(super) fn note(
        &mut self,
        pairing: Pairing,
        round: usize,
        roles: &[String],
        game: &PlayedGame,
    ) {
        let role_of_stronger = self.stronger_role(pairing, round);
        if !self
            .known
            .insert((pairing, role_of_stronger, game.moves_hash))
        {
            return;
        }
        match pairing {
            Pairing::Equal(number) => {
                let of = self.equal.iter_mut().find(|(of, _)| *of == number);
                if let Some((_, results)) = of {
                    results.add(roles, &game.goals);
                }
            }
            Pairing::Against(weaker, stronger) => {
                let Some(scores) = scores(roles, &game.goals) else {
                    return;
                };
                let goal = scores
                    .iter()
                    .find(|(role, _)| Some(*role) == role_of_stronger);
                let won = winner(&scores).map(|role| Some(role) == role_of_stronger);
                let of = self.against.iter_mut();
                let mut of = of.filter(|(one, other, _)| (*one, *other) == (weaker, stronger));
                if let (Some((_, goal)), Some((.., results))) = (goal, of.next()) {
                    results.push((*goal, won));
                }
            }
        }
    }

    /// What came of the games between different players.
    pub(super) fn steps(&self) -> Vec<DepthMatch> {
        let played = self
            .against
            .iter()
            .filter(|(.., results)| !results.is_empty());
        let text = |number: usize| name(&self.specs[number]);
        played
            .map(|(weaker, stronger, results)| {
                DepthMatch::of(text(*weaker), text(*stronger), results)
            })
            .collect()
    }

    /// What came of the games between equal players.
    pub(super) fn equal(self) -> Vec<(String, Results)> {
        let played = self
            .equal
            .into_iter()
            .filter(|(_, results)| results.games() > 0);
        played
            .map(|(number, results)| (name(&self.specs[number]), results))
            .collect()
    }
}

/// A player by how far it looks ahead, which is all that tells one from another.
fn name(spec: &Spec) -> String {
    match spec {
        Spec::Minimax(SearchOptions {
            depth: Some(depth), ..
        }) => format!("depth {depth}"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::End;
    use crate::session::Game;

    #[test]
    fn a_game_that_is_played_again_counts_once() {
        let game = Game::load("tictactoe").unwrap();
        let specs: Vec<Spec> = vec!["minimax:depth=1".parse().unwrap(); 2];
        let mut matches = DepthMatches::new(specs.clone(), vec![0, 1]);
        let mut note = |pairing, round, moves_hash| {
            let played = PlayedGame {
                players: specs.clone().into(),
                seed: 1,
                end: End::Terminal,
                goals: vec![Some(100), Some(0)],
                plies: 5,
                moves_hash,
                last: game.initial(),
                joint: Vec::new(),
                before: None,
            };
            matches.note(pairing, round, game.roles(), &played);
        };
        for (round, moves_hash) in [(0, 7), (1, 7), (2, 7), (3, 8)] {
            note(Pairing::Equal(1), round, moves_hash);
            note(Pairing::Against(0, 1), round, moves_hash);
        }
        let [between] = &matches.steps()[..] else {
            panic!("one pair of players");
        };
        // The first and the third round are the same game by the same players.
        assert_eq!((between.games, between.won), (3, 1));
        assert_eq!(between.error, None);
        assert_eq!(matches.equal()[0].1.games(), 2);
    }
}
