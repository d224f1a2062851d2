//! Games between players that look differently far ahead.

use super::balance::{DepthMatch, DepthMatchResult, Results, winner};
use super::games::PlayedGame;
use crate::play::{SearchOptions, Spec, scores};

/// Which games of players are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
        }
    }

    /// The games of one round.
    pub(super) fn round(&self) -> Vec<Pairing> {
        let equal = self.equal.iter().map(|(number, _)| Pairing::Equal(*number));
        let against = self.against.iter();
        let against = against.map(|(weaker, stronger, _)| Pairing::Against(*weaker, *stronger));
        against.chain(equal).collect()
    }

    /// Who plays each of `roles` roles: the stronger player takes another role in every round.
    pub(super) fn assign(&self, pairing: Pairing, round: usize, roles: usize) -> Vec<Spec> {
        let (lower, role_of_stronger) = match pairing {
            Pairing::Equal(number) => (number, None),
            Pairing::Against(weaker, stronger) => {
                (weaker, Some((self.stronger_role(round), stronger)))
            }
        };
        let mut specs = vec![self.specs[lower].clone(); roles];
        if let Some((role, stronger)) = role_of_stronger {
            specs[role] = self.specs[stronger].clone();
        }
        specs
    }

    fn stronger_role(&self, round: usize) -> usize {
        self.players[round % self.players.len()]
    }

    /// Counts a game.
    pub(super) fn note(
        &mut self,
        pairing: Pairing,
        round: usize,
        roles: &[String],
        game: &PlayedGame,
    ) {
        let role_of_stronger = self.stronger_role(round);
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
                let goal = scores.iter().find(|(role, _)| *role == role_of_stronger);
                let won = winner(&scores).map(|role| role == role_of_stronger);
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
