//! What each player got out of several games.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;

use serde::Serialize;

use super::one_game::Played;
use super::seating::Seating;
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::style;
use crate::game::is_chance;
use crate::play::{End, Spec, scores};

/// Fewer rounds say too little of how far their mean may be off.
const LEAST_FOR_ERROR: usize = 10;

/// What each player got out of several games.
pub(super) struct Totals<'t> {
    roles: &'t [String],
    names: Vec<String>,
    scores: Vec<Score>,
    /// How many games came to an end.
    games: u64,
    /// How many of them have no result.
    without: u64,
    /// Who played what in the games that came to an end, as hashes: a long series has many moves.
    different: HashSet<u64>,
}

#[derive(Clone, Default)]
struct Score {
    games: u32,
    wins: u32,
    draws: u32,
    points: u64,
    rounds: Vec<Round>,
}

/// The games of one round: they begin alike and the players change roles, so that luck with either counts once.
#[derive(Clone)]
struct Round {
    number: u64,
    games: u32,
    points: u64,
}

/// What one player got, for scripts.
#[derive(Serialize)]
struct Line<'t> {
    player: &'t str,
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    /// The mean of the points of a game, and how far it may be off.
    points: Option<f64>,
    error: Option<f64>,
}

#[derive(Serialize)]
struct Lines<'t> {
    game: &'t str,
    totals: Vec<Line<'t>>,
    games: u64,
    without_result: u64,
    different: usize,
}

impl<'t> Totals<'t> {
    /// No games yet between these players, one for each role.
    pub(super) fn new(roles: &'t [String], specs: &[Spec]) -> Self {
        Self {
            roles,
            names: specs.iter().map(Spec::to_string).collect(),
            scores: vec![Score::default(); specs.len()],
            games: 0,
            without: 0,
            different: HashSet::new(),
        }
    }

    /// Counts a game, unless somebody stopped it.
    pub(super) fn add(&mut self, seating: &Seating, played: &Played) {
        if played.end == End::Stopped {
            return;
        }
        self.games += 1;
        let mut hasher = DefaultHasher::new();
        (&played.players, &played.moves).hash(&mut hasher);
        self.different.insert(hasher.finish());
        let Some(scores) = scores(self.roles, &played.goals) else {
            self.without += 1;
            return;
        };
        let best = scores.iter().map(|(_, goal)| *goal).max().unwrap_or(0);
        let winners = scores.iter().filter(|(_, goal)| *goal == best).count();
        let is_draw = winners == scores.len() && scores.len() > 1;
        for (role, goal) in scores {
            let score = &mut self.scores[seating.seats[role]];
            score.games += 1;
            score.draws += u32::from(is_draw);
            score.wins += u32::from(goal == best && !is_draw && goal > 0);
            score.points += u64::from(goal);
            score.round(seating.round).add(goal);
        }
    }

    /// Tells of every player who has a result, and of the games, of which so many were wanted.
    pub(super) fn tell(&self, wanted: u64, console: &mut Console<'_>) -> Result<(), Failure> {
        for (number, line) in self.lines().enumerate() {
            let Line {
                player,
                won,
                drawn,
                lost,
                points: Some(points),
                error,
                ..
            } = line
            else {
                continue;
            };
            let error = error.map_or(String::new(), |error| format!(" ± {error:.1}"));
            let strong = style::STRONG;
            writeln!(
                console.out,
                "{strong}player {}{strong:#} {player}: {won} won, {drawn} drawn, {lost} lost, {points:.1}{error} points a game",
                number + 1
            )?;
        }
        for remark in self.remarks(wanted) {
            writeln!(console.out, "{remark}")?;
        }
        Ok(())
    }

    /// What is to be known of the games beside their results.
    fn remarks(&self, wanted: u64) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.without > 0 {
            remarks.push(format!("{} without a result", counted(self.without)));
        }
        match (self.different.len() as u64, counted(self.games)) {
            (different, _) if different == self.games => {}
            (1, games) => remarks.push(format!("{games}, all of them the same")),
            (different, games) => remarks.push(format!("{games}, {different} of them different")),
        }
        if self.games < wanted {
            remarks.push(format!("stopped after {} of {wanted} games", self.games));
        }
        remarks
    }

    /// The same as one JSON object.
    pub(super) fn tell_json(&self, game: &str, console: &mut Console<'_>) -> Result<(), Failure> {
        console.json(&Lines {
            game,
            totals: self.lines().collect(),
            games: self.games,
            without_result: self.without,
            different: self.different.len(),
        })
    }

    /// A line for each player; chance is none.
    fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let players = self.roles.iter().zip(self.names.iter().zip(&self.scores));
        let players = players.filter(|(role, _)| !is_chance(role));
        players.map(|(_, (player, score))| Line {
            player,
            games: score.games,
            won: score.wins,
            drawn: score.draws,
            lost: score.games - score.wins - score.draws,
            points: score.mean(),
            error: score.error(),
        })
    }
}

/// So many games in words.
fn counted(games: u64) -> String {
    let noun = if games == 1 { "game" } else { "games" };
    format!("{games} {noun}")
}

impl Score {
    /// Points a game, once there is one.
    fn mean(&self) -> Option<f64> {
        (self.games > 0).then(|| self.points as f64 / f64::from(self.games))
    }

    /// How far the mean may be off: half the width of the interval in which the true one lies with 95 %, if the means of
    /// rounds are spread normally. Unknown after a few rounds.
    fn error(&self) -> Option<f64> {
        const TWO_SIDED_95: f64 = 1.96;
        let means = self.means_of_rounds();
        if means.len() < LEAST_FOR_ERROR {
            return None;
        }
        let rounds = means.len() as f64;
        let mean = means.iter().sum::<f64>() / rounds;
        let squares = means.iter().map(|of_round| (of_round - mean).powi(2));
        let variance = squares.sum::<f64>() / (rounds - 1.0);
        Some(TWO_SIDED_95 * (variance / rounds).sqrt())
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

    fn played(goals: [Option<u8>; 2], first: &str, end: End) -> Played {
        Played {
            number: 1,
            seed: 1,
            seed_of_opening: 1,
            players: vec!["first".to_owned(), "random".to_owned()],
            moves: vec![vec![first.to_owned(), "noop".to_owned()]],
            goals: goals.to_vec(),
            time: Duration::ZERO,
            errors: Vec::new(),
            end,
        }
    }

    fn won() -> Played {
        played([Some(100), Some(0)], "a", End::Terminal)
    }

    #[test]
    fn points_have_an_error_once_there_are_ten_rounds() {
        let roles = ["red", "blue"].map(str::to_owned);
        let mut totals = Totals::new(&roles, &[Spec::First, Spec::Random { seed: None }]);
        assert!(totals.lines().all(|line| line.points.is_none()));
        for game in 0..10 {
            assert_eq!(totals.scores[0].error(), None);
            let seats = if game % 2 == 0 { [0, 1] } else { [1, 0] };
            let alone = Seating {
                seats: seats.to_vec(),
                ..Seating::new(&roles, game, false, 1)
            };
            totals.add(&alone, &won());
        }
        for line in totals.lines() {
            let counts = (line.games, line.won, line.drawn, line.lost);
            assert_eq!(counts, (10, 5, 0, 5));
            // Ten deviations of 50 around the mean.
            let expected = 1.96 * (10.0 * 50.0_f64.powi(2) / 9.0 / 10.0).sqrt();
            assert_eq!(line.points, Some(50.0));
            assert!((line.error.unwrap() - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn luck_with_a_role_is_no_error() {
        let roles = ["red", "blue"].map(str::to_owned);
        let mut totals = Totals::new(&roles, &[Spec::First, Spec::Random { seed: None }]);
        for game in 0..20 {
            assert_eq!(totals.scores[0].error(), None);
            totals.add(&Seating::new(&roles, game, true, 1), &won());
        }
        for line in totals.lines() {
            assert_eq!((line.points, line.error), (Some(50.0), Some(0.0)));
        }
    }

    #[test]
    fn games_without_a_result_and_repeated_ones_are_told() {
        let roles = ["red", "blue"].map(str::to_owned);
        let mut totals = Totals::new(&roles, &[Spec::First, Spec::Random { seed: None }]);
        let none = [None, None];
        for game in [
            won(),
            played(none, "a", End::StepLimit(1)),
            played(none, "b", End::Terminal),
            played(none, "c", End::Stopped),
        ] {
            totals.add(&Seating::new(&roles, 0, false, 1), &game);
        }
        let remarks = [
            "2 games without a result",
            "3 games, 2 of them different",
            "stopped after 3 of 4 games",
        ];
        assert_eq!(totals.remarks(4), remarks);
        assert_eq!(totals.lines().map(|line| line.games).sum::<u32>(), 2);
    }
}
