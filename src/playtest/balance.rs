//! Who wins, and whether looking further ahead does.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::game::is_chance;
use crate::play::scores;
use crate::statistics::{half_width_95, wilson};

/// Who wins in games of one kind.
#[derive(Debug, Clone, Serialize)]
pub struct ResultBalance {
    /// The player of every role: `random`, or `depth 4` for one that looks four plies ahead.
    pub players: String,
    /// Games with a result; of players that look ahead, only those that differ.
    pub games: u64,
    /// Games in which all scored the same.
    pub draws: u64,
    /// Games among these in which all scored 0, so that nobody won anything.
    pub nobody: u64,
    /// The role that moves first, if one does.
    pub first_mover: Option<String>,
    /// How each role fares; chance is left out.
    pub roles: Vec<RoleShare>,
}

/// How a role fares.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoleShare {
    /// The role.
    pub role: String,
    /// Games that it won: its goal is the highest, and no draw.
    pub wins: u64,
    /// Its share of the games, 0 to 1.
    pub share: f64,
    /// The 95 % interval of the share (Wilson).
    pub interval: [f64; 2],
    /// The mean of its goals.
    pub mean_goal: f64,
}

/// Games between a player and one that looks further ahead, who change roles.
#[derive(Debug, Clone, Serialize)]
pub struct DepthMatch {
    /// The one that looks less far.
    pub weaker: String,
    /// The one that looks further.
    pub stronger: String,
    /// Games with a result that differ.
    pub games: u64,
    /// What the stronger one scored on average.
    pub points: Option<f64>,
    /// Half the width of the 95 % interval of that, from ten games on.
    pub error: Option<f64>,
    /// Games that the stronger one won.
    pub won: u64,
    /// Games that it drew.
    pub drawn: u64,
}

/// An interval of the mean needs as many games.
const FEWEST_GAMES: u64 = 10;

/// What the stronger player scored in a game, and whether it won; `None` for a draw.
pub(super) type DepthMatchResult = (u8, Option<bool>);

/// Counts results.
#[derive(Debug, Clone, Default)]
pub(super) struct Results {
    games: u64,
    draws: u64,
    nobody: u64,
    wins: Vec<u64>,
    goals: Vec<u64>,
    /// Of draws, the goals that occurred.
    drawn: BTreeSet<u8>,
}

impl Results {
    /// Counts a game that ended with these goals. Of one role, the greatest goal is a win.
    pub(super) fn add(&mut self, roles: &[String], goals: &[Option<u8>]) {
        let Some(scores) = scores(roles, goals) else {
            return;
        };
        self.wins.resize(roles.len(), 0);
        self.goals.resize(roles.len(), 0);
        self.games += 1;
        let winner = winner(&scores);
        let is_draw = winner.is_none() && scores.len() > 1;
        self.draws += u64::from(is_draw);
        if is_draw {
            self.drawn.extend(scores.iter().map(|(_, goal)| *goal));
        }
        self.nobody += u64::from(is_draw && scores.iter().all(|(_, goal)| *goal == 0));
        if let Some(winner) = winner {
            self.wins[winner] += 1;
        }
        for (role, goal) in scores {
            self.goals[role] += u64::from(goal);
        }
    }

    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// The role that won every game.
    pub(super) fn always(&self) -> Option<usize> {
        self.wins
            .iter()
            .position(|&wins| wins == self.games && wins > 0)
    }

    /// The goal that every role got in every game.
    pub(super) fn always_drawn(&self) -> Option<u8> {
        let only = self.drawn.first().copied()?;
        (self.draws == self.games && self.drawn.len() == 1).then_some(only)
    }

    pub(super) fn balance(
        &self,
        players: &str,
        roles: &[String],
        first_mover: Option<usize>,
    ) -> ResultBalance {
        let of = roles.iter().zip(self.wins.iter().zip(&self.goals));
        let of = of.filter(|(role, _)| !is_chance(role));
        let share = |(role, (&wins, &goals)): (&String, (&u64, &u64))| RoleShare {
            role: role.clone(),
            wins,
            share: wins as f64 / self.games.max(1) as f64,
            interval: wilson(wins, self.games),
            mean_goal: goals as f64 / self.games.max(1) as f64,
        };
        ResultBalance {
            players: players.to_owned(),
            games: self.games,
            draws: self.draws,
            nobody: self.nobody,
            first_mover: first_mover.map(|role| roles[role].clone()),
            roles: of.map(share).collect(),
        }
    }
}

/// The role whose goal is highest, if it is the only one; a single role wins with 100 points.
pub(super) fn winner(scores: &[(usize, u8)]) -> Option<usize> {
    if let &[(role, goal)] = scores {
        return (goal == 100).then_some(role);
    }
    let best = scores.iter().map(|(_, goal)| *goal).max()?;
    let mut winners = scores.iter().filter(|(_, goal)| *goal == best);
    match (winners.next(), winners.next()) {
        (Some((role, _)), None) => Some(*role),
        _ => None,
    }
}

impl DepthMatch {
    /// What came of games between two players: what the stronger one scored, and whether it won or drew.
    pub(super) fn of(weaker: String, stronger: String, results: &[DepthMatchResult]) -> Self {
        let points: Vec<f64> = results.iter().map(|(goal, _)| f64::from(*goal)).collect();
        let games = results.len() as u64;
        let mean = points.iter().sum::<f64>() / points.len().max(1) as f64;
        let count = |wanted: Option<bool>| {
            let same = results.iter().filter(|(_, won)| *won == wanted);
            same.count() as u64
        };
        Self {
            weaker,
            stronger,
            games,
            points: (games > 0).then_some(mean),
            error: (games >= FEWEST_GAMES).then(|| half_width_95(&points)),
            won: count(Some(true)),
            drawn: count(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_and_draws_are_counted() {
        let roles = ["x", "o"].map(str::to_owned);
        let mut results = Results::default();
        results.add(&roles, &[Some(100), Some(0)]);
        assert_eq!(results.always(), Some(0));
        assert_eq!(results.always_drawn(), None);
        results.add(&roles, &[Some(50), Some(50)]);
        results.add(&roles, &[None, Some(50)]);
        assert_eq!(results.always(), None);
        let balance = results.balance("random", &roles, Some(0));
        assert_eq!((balance.games, balance.draws), (2, 1));
        assert_eq!(balance.roles[0].share, 0.5);
        assert_eq!(balance.roles[1].mean_goal, 25.0);
        results.add(&roles, &[Some(0), Some(0)]);
        let balance = results.balance("random", &roles, Some(0));
        assert_eq!((balance.draws, balance.nobody), (2, 1));
    }

    #[test]
    fn a_game_that_always_ends_alike_is_told() {
        let roles = ["x", "o"].map(str::to_owned);
        let mut results = Results::default();
        assert_eq!(results.always_drawn(), None);
        results.add(&roles, &[Some(100), Some(100)]);
        results.add(&roles, &[Some(100), Some(100)]);
        assert_eq!(results.always_drawn(), Some(100));
        results.add(&roles, &[Some(50), Some(50)]);
        assert_eq!(results.always_drawn(), None);
    }
}
