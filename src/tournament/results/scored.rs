//! A finished game with what it counts.

use std::cmp::Ordering;

use crate::play::{RoleOutcome, outcomes, scores};
use crate::statistics::PairResult;
use crate::tournament::{EndlessResult, FinishedGame, LogFault, TournamentGame, TournamentHeader};

/// What every role scores in a draw.
const HALF: u8 = 50;

/// A finished game with what it counts.
pub(in crate::tournament) struct ScoredGame<'l> {
    pub(in crate::tournament) game: &'l FinishedGame,
    pub(in crate::tournament) rules: &'l TournamentGame,
    /// The number of the player of each role; `None` for chance.
    pub(in crate::tournament) players: Vec<Option<usize>>,
    /// The goal of every role that has a player, with the number of the role; empty where the game has no result.
    pub(in crate::tournament) scores: Vec<(usize, u8)>,
    /// Whether it has no end of its own, and counts as a draw.
    is_endless_draw: bool,
}

impl<'l> ScoredGame<'l> {
    pub(in crate::tournament) fn of(
        header: &'l TournamentHeader,
        game: &'l FinishedGame,
    ) -> Result<Self, LogFault> {
        if let Some(fault) = header.fault_of(game) {
            return Err(fault);
        }
        let unknown = || LogFault::UnknownGame(game.game.clone());
        let rules = header.game(&game.game).ok_or_else(unknown)?;
        let names = game.players.iter();
        let players = names
            .map(|name| name.as_deref().and_then(|name| header.player(name)))
            .collect();
        Ok(Self {
            game,
            rules,
            players,
            scores: scores_of(header, game, rules),
            is_endless_draw: is_endless_draw(header, game),
        })
    }

    /// What the game was for each role that scored.
    pub(in crate::tournament) fn outcomes(&self) -> Vec<RoleOutcome> {
        match self.is_endless_draw {
            // Also of a role that plays alone, which would have won by any goal.
            true => vec![RoleOutcome::Drawn; self.scores.len()],
            false => outcomes(&self.scores),
        }
    }

    /// The player of each role that scored, the role and the goal.
    pub(in crate::tournament) fn scorers(&self) -> impl Iterator<Item = (usize, usize, u8)> {
        let scores = self.scores.iter();
        scores.filter_map(|(role, goal)| Some((self.players[*role]?, *role, *goal)))
    }

    /// What every two different players scored against each other: the higher goal wins.
    pub(in crate::tournament) fn pair_results(&self) -> Vec<PairResult> {
        let scorers: Vec<(usize, usize, u8)> = self.scorers().collect();
        let mut results = Vec::new();
        for (place, (player, _, goal)) in scorers.iter().enumerate() {
            for (other, _, others_goal) in &scorers[place + 1..] {
                if player != other {
                    results.push(PairResult {
                        players: [*player, *other],
                        score: score(*goal, *others_goal),
                        unit: self.game.pair,
                    });
                }
            }
        }
        results
    }
}

/// What the first of two goals scores.
fn score(goal: u8, other: u8) -> f64 {
    match goal.cmp(&other) {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.0,
    }
}

fn is_endless_draw(header: &TournamentHeader, game: &FinishedGame) -> bool {
    game.end.is_endless() && header.endless == EndlessResult::Draw
}

fn scores_of(
    header: &TournamentHeader,
    game: &FinishedGame,
    rules: &TournamentGame,
) -> Vec<(usize, u8)> {
    let goals = match is_endless_draw(header, game) {
        true => vec![Some(HALF); rules.roles.len()],
        false => game.goals.clone(),
    };
    scores(&rules.roles, &goals).unwrap_or_default()
}
