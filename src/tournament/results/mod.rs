//! What the games of a tournament say of its players.

mod player;
mod scored;
mod table;
#[cfg(test)]
mod tests;
mod two_players;

use std::collections::HashSet;

use serde::Serialize;

pub(super) use self::scored::ScoredGame;
use super::{FinishedGame, LogFault, TournamentHeader};
use crate::statistics::Hypotheses;
pub use player::{PlayerStanding, RatingStatus};
pub use table::{ResultTable, RoleStanding};
pub use two_players::{PairStanding, SprtProgress, SprtState};

/// What the games of a tournament say of its players. The order of the games does not matter.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standings {
    /// All games together.
    #[serde(flatten)]
    pub all: ResultTable,
    /// How many games the plan has, where that is known.
    pub planned: Option<u64>,
    /// The test of two players, if one was asked for.
    pub sprt: Option<SprtProgress>,
    /// Each game alone, in the order of the plan; those that were not played yet are left out.
    pub by_game: Vec<GameTable>,
}

/// The games of one kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GameTable {
    /// The name of the game.
    pub game: String,
    /// What its games say.
    #[serde(flatten)]
    pub table: ResultTable,
}

impl Standings {
    /// Judges the games of a tournament.
    ///
    /// # Errors
    /// A game does not fit the header, or is there twice.
    pub fn of(header: &TournamentHeader, games: &[FinishedGame]) -> Result<Self, LogFault> {
        Self::tested(header, games, header.sprt.as_ref())
    }

    /// Judges the games of a tournament, and tests its two players for something else than the plan does. Nothing is tested where
    /// there are more players or fewer.
    ///
    /// # Errors
    /// A game does not fit the header, or is there twice.
    pub fn tested(
        header: &TournamentHeader,
        games: &[FinishedGame],
        hypotheses: Option<&Hypotheses>,
    ) -> Result<Self, LogFault> {
        let scored = scored(header, games)?;
        let all: Vec<&ScoredGame<'_>> = scored.iter().collect();
        let by_game = header.games.iter().filter_map(|of| {
            let own = all.iter().copied();
            let own: Vec<&ScoredGame<'_>> = own.filter(|one| one.game.game == of.name).collect();
            let is_played = !own.is_empty();
            is_played.then(|| GameTable {
                game: of.name.clone(),
                table: ResultTable::of(header, &own),
            })
        });
        let is_pair = header.players.len() == 2;
        let hypotheses = hypotheses.filter(|_| is_pair);
        Ok(Self {
            by_game: by_game.collect(),
            planned: header.planned,
            sprt: hypotheses.map(|hypotheses| SprtProgress::of(header, &all, hypotheses)),
            all: ResultTable::of(header, &all),
        })
    }
}

/// The games by their numbers.
fn scored<'l>(
    header: &'l TournamentHeader,
    games: &'l [FinishedGame],
) -> Result<Vec<ScoredGame<'l>>, LogFault> {
    let mut numbers = HashSet::new();
    let mut scored = Vec::with_capacity(games.len());
    for game in games {
        if !numbers.insert(game.number) {
            return Err(LogFault::Twice(game.number));
        }
        scored.push(ScoredGame::of(header, game)?);
    }
    scored.sort_by_key(|one| one.game.number);
    Ok(scored)
}
