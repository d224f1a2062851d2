//! What each player got out of several games.

use std::io::Write;

use serde::Serialize;

use crate::cli::failure::Failure;
use crate::cli::session::{Session, style};
use crate::play::{End, Spec};

/// What each player got out of several games.
pub(super) struct Totals {
    names: Vec<String>,
    scores: Vec<Score>,
}

#[derive(Clone, Default)]
struct Score {
    games: u32,
    wins: u32,
    draws: u32,
    points: u64,
    /// The sum of the squares of the points of each game.
    squares: u64,
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
    points: f64,
    error: Option<f64>,
}

#[derive(Serialize)]
struct Lines<'t> {
    game: &'t str,
    totals: Vec<Line<'t>>,
}

impl Totals {
    pub(super) fn new(specs: &[Spec]) -> Self {
        Self {
            names: specs.iter().map(Spec::to_string).collect(),
            scores: vec![Score::default(); specs.len()],
        }
    }

    /// Counts a game that the rules ended and gave a result.
    pub(super) fn add(&mut self, seats: &[usize], goals: &[Option<u8>], end: &End) {
        let known: Option<Vec<u8>> = goals.iter().copied().collect();
        let Some(goals) = known.filter(|_| *end == End::Terminal) else {
            return;
        };
        let best = goals.iter().copied().max().unwrap_or(0);
        let winners = goals.iter().filter(|goal| **goal == best).count();
        let is_draw = winners == goals.len() && goals.len() > 1;
        for (&seat, &goal) in seats.iter().zip(&goals) {
            let score = &mut self.scores[seat];
            score.games += 1;
            score.draws += u32::from(is_draw);
            score.wins += u32::from(goal == best && !is_draw && goal > 0);
            score.points += u64::from(goal);
            score.squares += u64::from(goal) * u64::from(goal);
        }
    }

    /// Tells of every player.
    pub(super) fn tell(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        for (number, line) in self.lines().enumerate() {
            let Line {
                player,
                won,
                drawn,
                lost,
                points,
                error,
                ..
            } = line;
            let error = error.map_or(String::new(), |error| format!(" ± {error:.1}"));
            let strong = style::STRONG;
            writeln!(
                session.out,
                "{strong}player {}{strong:#} {player}: {won} won, {drawn} drawn, {lost} lost, {points:.1}{error} points a game",
                number + 1
            )?;
        }
        Ok(())
    }

    /// The same as one JSON object.
    pub(super) fn tell_json(&self, game: &str, session: &mut Session<'_>) -> Result<(), Failure> {
        let totals = self.lines().collect();
        session.json(&Lines { game, totals })
    }

    fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.names.iter().zip(&self.scores).map(|(player, score)| {
            let Score {
                games, wins, draws, ..
            } = *score;
            Line {
                player,
                games,
                won: wins,
                drawn: draws,
                lost: games - wins - draws,
                points: score.mean(),
                error: score.error(),
            }
        })
    }
}

impl Score {
    /// Points a game.
    fn mean(&self) -> f64 {
        self.points as f64 / f64::from(self.games.max(1))
    }

    /// How far the mean may be off: half the width of the interval in which the true one lies with 95 %, if results are
    /// spread normally. Unknown after one game.
    fn error(&self) -> Option<f64> {
        const TWO_SIDED_95: f64 = 1.96;
        let games = f64::from(self.games);
        let about_mean = self.squares as f64 - games * self.mean() * self.mean();
        let variance = about_mean.max(0.0) / (games - 1.0);
        (self.games > 1).then(|| TWO_SIDED_95 * (variance / games).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_an_error() {
        let mut totals = Totals::new(&[Spec::First, Spec::Random { seed: None }]);
        totals.add(&[0, 1], &[Some(100), Some(0)], &End::Terminal);
        assert_eq!(totals.scores[0].error(), None);
        totals.add(&[1, 0], &[Some(100), Some(0)], &End::Terminal);
        totals.add(&[0, 1], &[Some(50), Some(50)], &End::Terminal);
        totals.add(&[0, 1], &[None, Some(50)], &End::Terminal);
        let lines: Vec<Line<'_>> = totals.lines().collect();
        for line in lines {
            let counts = (line.games, line.won, line.drawn, line.lost);
            assert_eq!(counts, (3, 1, 1, 1));
            // A deviation of 50, over three games.
            let error = line.error.unwrap();
            assert!(line.points == 50.0 && (error - 1.96 * 50.0 / 3_f64.sqrt()).abs() < 1e-9);
        }
    }
}
