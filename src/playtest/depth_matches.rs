//! Games between players that look differently far ahead.

use rustc_hash::FxHashSet;

use super::balance::{DepthMatch, DepthMatchResult, Results, winner};
use super::games::PlayedGame;
use crate::play::{SearchOptions, Spec, scores};

/// Who plays a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Pairing {
    /// All roles by the player of this number.
    Equal(usize),
    /// One role by a stronger player, the others by a weaker one.
    Against {
        weaker: usize,
        stronger: usize,
        /// The role of the stronger one.
        role: usize,
    },
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
    known: FxHashSet<(Pairing, u64)>,
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

    /// The games of one round: of each pair of players, the stronger one takes each role once.
    pub(super) fn round(&self) -> Vec<Pairing> {
        let equal = self.equal.iter().map(|(number, _)| Pairing::Equal(*number));
        let against = self.players.iter().flat_map(|&role| {
            let pairs = self.against.iter();
            pairs.map(move |&(weaker, stronger, _)| Pairing::Against {
                weaker,
                stronger,
                role,
            })
        });
        against.chain(equal).collect()
    }

    /// Who plays each of `roles` roles: chance stays chance.
    pub(super) fn assign(&self, pairing: Pairing, roles: usize) -> Vec<Spec> {
        let (Pairing::Equal(usual) | Pairing::Against { weaker: usual, .. }) = pairing;
        let mut specs = vec![Spec::Random { seed: None }; roles];
        for &role in &self.players {
            specs[role] = self.specs[usual].clone();
        }
        if let Pairing::Against { stronger, role, .. } = pairing {
            specs[role] = self.specs[stronger].clone();
        }
        specs
    }

    /// Counts a game, unless the same players have played it before: players that look ahead seldom vary, and a game that is
    /// played again says nothing new.
    pub(super) fn note(&mut self, pairing: Pairing, roles: &[String], game: &PlayedGame) {
        if !self.known.insert((pairing, game.moves_hash)) {
            return;
        }
        match pairing {
            Pairing::Equal(number) => {
                let of = self.equal.iter_mut().find(|(of, _)| *of == number);
                if let Some((_, results)) = of {
                    results.add(roles, &game.goals);
                }
            }
            Pairing::Against {
                weaker,
                stronger,
                role,
            } => {
                let Some(scores) = scores(roles, &game.goals) else {
                    return;
                };
                let goal = scores.iter().find(|(of, _)| *of == role);
                let won = winner(&scores).map(|winner| winner == role);
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
    use crate::playtest::games::GameSetup;
    use crate::session::Game;

    #[test]
    fn the_stronger_player_takes_each_role_of_a_round_once() {
        let specs: Vec<Spec> = ["minimax:depth=1", "minimax:depth=2"]
            .map(|text| text.parse().unwrap())
            .to_vec();
        let matches = DepthMatches::new(specs.clone(), vec![0, 2]);
        let dealt = matches.round().into_iter();
        let dealt: Vec<Vec<Spec>> = dealt.map(|pairing| matches.assign(pairing, 3)).collect();
        let [weak, strong] = &specs[..] else {
            panic!("two players");
        };
        let chance = Spec::Random { seed: None };
        let game = |first: &Spec, last: &Spec| vec![first.clone(), chance.clone(), last.clone()];
        let expected = [
            game(strong, weak),
            game(weak, strong),
            game(weak, weak),
            game(strong, strong),
        ];
        assert_eq!(dealt, expected);
    }

    #[test]
    fn a_game_that_is_played_again_counts_once() {
        let game = Game::load("tictactoe").unwrap();
        let specs: Vec<Spec> = vec!["minimax:depth=1".parse().unwrap(); 2];
        let mut matches = DepthMatches::new(specs.clone(), vec![0, 1]);
        let mut note = |pairing, moves_hash| {
            let played = PlayedGame {
                setup: GameSetup {
                    players: specs.clone().into(),
                    seed: 1,
                    opening: 0,
                },
                end: End::Terminal,
                goals: vec![Some(100), Some(0)],
                plies: 5,
                moves_hash,
                last: game.initial(),
                joint: Vec::new(),
                before: None,
            };
            matches.note(pairing, game.roles(), &played);
        };
        for (role, moves_hash) in [(0, 7), (1, 7), (0, 7), (1, 8)] {
            let (weaker, stronger) = (0, 1);
            note(Pairing::Equal(1), moves_hash);
            note(
                Pairing::Against {
                    weaker,
                    stronger,
                    role,
                },
                moves_hash,
            );
        }
        let [between] = &matches.steps()[..] else {
            panic!("one pair of players");
        };
        // The first and the third game are the same, by the same players.
        assert_eq!((between.games, between.won), (3, 1));
        assert_eq!(between.error, None);
        assert_eq!(matches.equal()[0].1.games(), 2);
    }
}
