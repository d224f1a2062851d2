//! What some of the games say: of the players, of each two of them, of the roles, and of themselves.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::player::{PlayerStanding, player_standings};
use super::scored::ScoredGame;
use super::two_players::{PairStanding, pair_standings};
use crate::game::is_chance;
use crate::statistics::{Bar, MeanOfGroups, histogram};
use crate::tournament::{FinishedGame, TournamentHeader};

/// What some of the games say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResultTable {
    /// How many games were finished.
    pub games: u64,
    /// How many of them have no result.
    pub without_result: u64,
    /// How many of them would not have ended.
    pub endless: u64,
    /// How many differ from all others, in players or moves.
    pub different: u64,
    /// How many moves were drawn, because a player's own was missing, late or not legal.
    pub errors: u64,
    /// How many moves came late.
    pub late: u64,
    /// The players, the strongest first.
    pub standings: Vec<PlayerStanding>,
    /// Every two players who have a result against each other, in the order of the standings.
    pub pairs: Vec<PairStanding>,
    /// The points of the role that moves first; `None` where all move at once.
    pub first_mover: Option<MeanOfGroups>,
    /// The points of each role, where all games have the same roles.
    pub roles: Vec<RoleStanding>,
    /// How many games had how many plies.
    pub lengths: Vec<Bar>,
}

/// What a role scored, whoever played it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoleStanding {
    /// The role.
    pub role: String,
    /// Whether it moves first.
    pub is_first: bool,
    /// Its mean goal.
    #[serde(flatten)]
    pub points: MeanOfGroups,
}

impl ResultTable {
    pub(super) fn of(header: &TournamentHeader, games: &[&ScoredGame<'_>]) -> Self {
        let standings = player_standings(header, games);
        let count = |is: &dyn Fn(&ScoredGame<'_>) -> bool| {
            games.iter().filter(|game| is(game)).count() as u64
        };
        let sum = |of: fn(&FinishedGame) -> &[u32]| {
            let all = games.iter().flat_map(|one| of(one.game));
            all.map(|count| u64::from(*count)).sum()
        };
        Self {
            games: games.len() as u64,
            without_result: count(&|game| game.scores.is_empty()),
            endless: count(&|game| game.game.end.is_endless()),
            different: different(games),
            errors: sum(|game| &game.errors),
            late: sum(|game| &game.late),
            pairs: pair_standings(header, games, &standings),
            standings,
            first_mover: first_mover(games),
            roles: roles(games),
            lengths: lengths(games),
        }
    }
}

fn different(games: &[&ScoredGame<'_>]) -> u64 {
    let played = games.iter().map(|one| {
        let game = one.game;
        (&game.game, &game.players, &game.hash)
    });
    played.collect::<HashSet<_>>().len() as u64
}

/// The points of the first mover. A pair of games begins alike, so that its games depend on each other.
fn first_mover(games: &[&ScoredGame<'_>]) -> Option<MeanOfGroups> {
    let points = games.iter().filter_map(|one| {
        let first = one.rules.first?;
        points_of(one, first)
    });
    MeanOfGroups::of(&points.collect::<Vec<_>>())
}

fn roles(games: &[&ScoredGame<'_>]) -> Vec<RoleStanding> {
    let Some(rules) = games.first().map(|one| one.rules) else {
        return Vec::new();
    };
    if games.iter().any(|one| one.rules.name != rules.name) {
        return Vec::new();
    }
    let roles = rules.roles.iter().enumerate();
    let players = roles.filter(|(_, role)| !is_chance(role));
    let standing = |(number, role): (usize, &String)| {
        let points: Vec<(u64, f64)> = games
            .iter()
            .filter_map(|one| points_of(one, number))
            .collect();
        Some(RoleStanding {
            role: role.clone(),
            is_first: rules.first == Some(number),
            points: MeanOfGroups::of(&points)?,
        })
    };
    players.filter_map(standing).collect()
}

/// What a role scored, with the number of the pair.
fn points_of(one: &ScoredGame<'_>, role: usize) -> Option<(u64, f64)> {
    let (_, goal) = one.scores.iter().find(|(of, _)| *of == role)?;
    Some((one.game.pair, f64::from(*goal)))
}

fn lengths(games: &[&ScoredGame<'_>]) -> Vec<Bar> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for one in games {
        *counts.entry(one.game.plies).or_default() += 1;
    }
    histogram(counts)
}
