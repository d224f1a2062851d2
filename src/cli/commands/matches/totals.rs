//! What each player got out of several games.

use std::io::Write;

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
    points: u32,
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
            score.points += u32::from(goal);
        }
    }

    /// Tells of every player.
    pub(super) fn tell(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        for (number, (name, score)) in self.names.iter().zip(&self.scores).enumerate() {
            let Score {
                games,
                wins,
                draws,
                points,
            } = score;
            let losses = games - wins - draws;
            let mean = f64::from(*points) / f64::from((*games).max(1));
            let strong = style::STRONG;
            writeln!(
                session.out,
                "{strong}player {}{strong:#} {name}: {wins} won, {draws} drawn, {losses} lost, {mean:.1} points a game",
                number + 1
            )?;
        }
        Ok(())
    }
}
