//! What each player scored in several matches.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;

use super::PlayedMatch;
use crate::game::is_chance;
use crate::play::{End, RoleOutcome, Spec, outcomes, scores};
use crate::statistics::{LEAST_GROUPS, half_width_95};

/// What each player scored in several matches.
#[derive(Debug)]
pub struct SeriesTotals {
    roles: Vec<String>,
    names: Vec<String>,
    scores: Vec<Score>,
    /// How many games came to an end.
    pub games: u64,
    /// How many of them have no result.
    pub without_result: u64,
    /// Who played what in the games that came to an end, as hashes: a long series has many moves.
    different: HashSet<u64>,
}

#[derive(Debug, Clone, Default)]
struct Score {
    games: u32,
    wins: u32,
    draws: u32,
    points: u64,
    errors: u32,
    rounds: Vec<Round>,
}

/// The games of one round: they begin alike and the players change roles, so that luck with either counts once.
#[derive(Debug, Clone)]
struct Round {
    number: u64,
    games: u32,
    points: u64,
}

/// What one player scored.
#[derive(Debug, Serialize)]
pub struct PlayerTotals<'t> {
    /// Its name.
    pub player: &'t str,
    /// How many matches it played to a result.
    pub games: u32,
    /// How many of them it won.
    pub won: u32,
    /// How many ended with the same goal for all.
    pub drawn: u32,
    /// How many it lost.
    pub lost: u32,
    /// The mean of the goals, once there is one.
    pub points: Option<f64>,
    /// Half the width of the mean's 95 % interval, once there are enough rounds that are not all alike.
    pub error: Option<f64>,
    /// How many of its moves were missing, late or not legal, so that others were drawn.
    pub errors: u32,
}

impl SeriesTotals {
    /// No games yet between these players, one for each role.
    pub fn new(roles: &[String], specs: &[Spec]) -> Self {
        Self {
            roles: roles.to_vec(),
            names: specs.iter().map(Spec::to_string).collect(),
            scores: vec![Score::default(); specs.len()],
            games: 0,
            without_result: 0,
            different: HashSet::new(),
        }
    }

    /// Counts a game, unless it was stopped.
    pub(super) fn add(&mut self, played: &PlayedMatch) {
        if played.end == End::Stopped {
            return;
        }
        self.games += 1;
        for (role, counts) in played.counts.iter().enumerate() {
            self.scores[played.assignment.players[role]].errors += counts.errors;
        }
        let mut hasher = DefaultHasher::new();
        (&played.players, &played.moves).hash(&mut hasher);
        self.different.insert(hasher.finish());
        let Some(scores) = scores(&self.roles, &played.goals) else {
            self.without_result += 1;
            return;
        };
        for ((role, goal), outcome) in scores.iter().copied().zip(outcomes(&scores)) {
            let score = &mut self.scores[played.assignment.players[role]];
            score.games += 1;
            score.draws += u32::from(outcome == RoleOutcome::Drawn);
            score.wins += u32::from(outcome == RoleOutcome::Won);
            score.points += u64::from(goal);
            score.round(played.assignment.round).add(goal);
        }
    }

    /// How many of the games differ from all others, in moves or players.
    pub fn different(&self) -> usize {
        self.different.len()
    }

    /// What each player scored; chance is no player.
    pub fn of_players(&self) -> impl Iterator<Item = PlayerTotals<'_>> {
        let players = self.roles.iter().zip(self.names.iter().zip(&self.scores));
        let players = players.filter(|(role, _)| !is_chance(role));
        players.map(|(_, (player, score))| PlayerTotals {
            player,
            games: score.games,
            won: score.wins,
            drawn: score.draws,
            lost: score.games - score.wins - score.draws,
            points: score.mean(),
            error: score.error(),
            errors: score.errors,
        })
    }
}

impl Score {
    /// Points a game, once there is one.
    fn mean(&self) -> Option<f64> {
        (self.games > 0).then(|| self.points as f64 / f64::from(self.games))
    }

    /// How far the mean may be off, judged by the means of rounds. Unknown after a few rounds, and where all are alike.
    fn error(&self) -> Option<f64> {
        let means = self.means_of_rounds();
        let differ = means.windows(2).any(|two| two[0] != two[1]);
        (differ && means.len() >= LEAST_GROUPS).then(|| half_width_95(&means))
    }

    /// Points a game of every round that is complete: of others, a side may make the most.
    fn means_of_rounds(&self) -> Vec<f64> {
        let most = self.rounds.iter().map(|round| round.games).max();
        let complete = self.rounds.iter().filter(|round| Some(round.games) == most);
        complete.map(Round::mean).collect()
    }

    /// The round of this number, the last one or a new one.
    fn round(&mut self, number: u64) -> &mut Round {
        if self.rounds.last().is_none_or(|last| last.number != number) {
            self.rounds.push(Round {
                number,
                games: 0,
                points: 0,
            });
        }
        let last = self.rounds.len() - 1;
        &mut self.rounds[last]
    }
}

impl Round {
    fn add(&mut self, goal: u8) {
        self.games += 1;
        self.points += u64::from(goal);
    }

    /// Points a game.
    fn mean(&self) -> f64 {
        self.points as f64 / f64::from(self.games)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::play::{MoveCounts, RoleAssignment};

    fn roles() -> [String; 2] {
        ["red", "blue"].map(str::to_owned)
    }

    fn totals() -> SeriesTotals {
        SeriesTotals::new(&roles(), &[Spec::First, Spec::Random { seed: None }])
    }

    fn played(goals: [Option<u8>; 2], first: &str, end: End) -> PlayedMatch {
        PlayedMatch {
            assignment: RoleAssignment::new(&roles(), 0, false, 1),
            players: vec!["first".to_owned(), "random".to_owned()],
            moves: vec![vec![first.to_owned(), "noop".to_owned()]],
            goals: goals.to_vec(),
            time: Duration::ZERO,
            errors: Vec::new(),
            counts: [1, 0].map(with_errors).to_vec(),
            time_used: vec![Duration::ZERO; 2],
            end,
        }
    }

    fn with_errors(errors: u32) -> MoveCounts {
        MoveCounts {
            errors,
            ..MoveCounts::default()
        }
    }

    fn won() -> PlayedMatch {
        played([Some(100), Some(0)], "a", End::Terminal)
    }

    #[test]
    fn points_have_an_error_once_there_are_ten_rounds() {
        let mut totals = totals();
        assert!(totals.of_players().all(|line| line.points.is_none()));
        for game in 0..10 {
            assert_eq!(totals.scores[0].error(), None);
            let players = if game % 2 == 0 { [0, 1] } else { [1, 0] };
            let alone = RoleAssignment {
                players: players.to_vec(),
                ..RoleAssignment::new(&roles(), game, false, 1)
            };
            totals.add(&PlayedMatch {
                assignment: alone,
                ..won()
            });
        }
        for line in totals.of_players() {
            let counts = (line.games, line.won, line.drawn, line.lost);
            assert_eq!(counts, (10, 5, 0, 5));
            // Ten deviations of 50 around the mean.
            let expected = 1.959_963_984_540_054 * (10.0 * 50.0_f64.powi(2) / 9.0 / 10.0).sqrt();
            assert_eq!(line.points, Some(50.0));
            assert!((line.error.unwrap() - expected).abs() < 1e-3);
        }
    }

    #[test]
    fn luck_with_a_role_is_no_error() {
        let mut totals = totals();
        for game in 0..20 {
            assert_eq!(totals.scores[0].error(), None);
            totals.add(&PlayedMatch {
                assignment: RoleAssignment::new(&roles(), game, true, 1),
                ..won()
            });
        }
        for line in totals.of_players() {
            assert_eq!((line.points, line.error), (Some(50.0), None), "all alike");
        }
    }

    #[test]
    fn games_without_a_result_and_repeated_ones_are_counted() {
        let mut totals = totals();
        let none = [None, None];
        for game in [
            won(),
            played(none, "a", End::PlyLimit(1)),
            played(none, "b", End::Terminal),
            played(none, "c", End::Stopped),
        ] {
            totals.add(&game);
        }
        let counts = (totals.games, totals.without_result, totals.different());
        assert_eq!(counts, (3, 2, 2));
        assert_eq!(totals.of_players().map(|line| line.games).sum::<u32>(), 2);
        let errors: Vec<u32> = totals.of_players().map(|line| line.errors).collect();
        assert_eq!(errors, [3, 0]);
    }
}
