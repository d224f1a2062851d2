//! What the games say of each player.

use serde::Serialize;

use super::scored::ScoredGame;
use crate::play::RoleOutcome;
use crate::statistics::{LEAST_GROUPS, MeanOfGroups, PairResult, RatingPlace, Ratings};
use crate::tournament::TournamentHeader;

/// What a player has reached.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerStanding {
    /// Its name.
    pub player: String,
    /// How many results it has: a game counts twice for a player who has two of its roles.
    pub games: u64,
    /// How many of them it won.
    pub won: u64,
    /// How many ended with the same goal for all.
    pub drawn: u64,
    /// How many it lost.
    pub lost: u64,
    /// The mean of its goals, 0 to 100.
    pub points: Option<f64>,
    /// Half the width of the 95 % interval of that.
    pub points_error: Option<f64>,
    /// Elo points; the mean of those who have some is 0.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of that.
    pub error: Option<f64>,
    /// Why there are Elo points or none.
    pub rating: RatingStatus,
    /// The probability that it is stronger than the player in the next place.
    pub superiority: Option<f64>,
    /// In how many plies it was asked and had a choice.
    pub decisions: u64,
    /// How many seconds it thought for each of these.
    pub seconds_per_move: Option<f64>,
    /// How many moves were drawn for it, because its own was missing, late or not legal.
    pub errors: u64,
    /// How many moves came late.
    pub late: u64,
}

/// Why a player has Elo points or none: they compare players who have scored against each other, be it by way of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RatingStatus {
    /// It scored against those who have some, and they scored nothing: it is stronger than can be told.
    Above,
    /// It has some.
    Rated,
    /// They scored against it, and it scored nothing: it is weaker than can be told.
    Below,
    /// Results do not connect it with them.
    Apart,
}

impl From<RatingPlace> for RatingStatus {
    fn from(place: RatingPlace) -> Self {
        match place {
            RatingPlace::Rated(_) => Self::Rated,
            RatingPlace::Above => Self::Above,
            RatingPlace::Below => Self::Below,
            RatingPlace::Apart => Self::Apart,
        }
    }
}

/// All players of the tournament who have played, the strongest first.
pub(super) fn player_standings(
    header: &TournamentHeader,
    games: &[&ScoredGame<'_>],
) -> Vec<PlayerStanding> {
    let results: Vec<PairResult> = games.iter().flat_map(|game| game.pair_results()).collect();
    let ratings = Ratings::of(header.players.len(), &results);
    let units = units_of_players(header.players.len(), &results);
    let mut numbered: Vec<(usize, PlayerStanding)> = (0..header.players.len())
        .map(|player| {
            let standing = standing(header, games, player);
            let has_enough = units[player] >= LEAST_GROUPS;
            let rated = PlayerStanding {
                elo: ratings.elo(player),
                error: ratings.error(player).filter(|_| has_enough),
                rating: ratings.place(player).into(),
                ..standing
            };
            (player, rated)
        })
        .filter(|(player, _)| games.iter().any(|one| one.players.contains(&Some(*player))))
        .collect();
    let rank = |of: &PlayerStanding| (of.elo.unwrap_or(0.0), of.points.unwrap_or(0.0));
    numbered.sort_by(|(number, one), (other_number, other)| {
        let ((elo, points), (others_elo, others_points)) = (rank(one), rank(other));
        let by_rating = one.rating.cmp(&other.rating);
        let by_elo = others_elo.total_cmp(&elo);
        let by_points = others_points.total_cmp(&points);
        by_rating
            .then(by_elo)
            .then(by_points)
            .then(number.cmp(other_number))
    });
    let order: Vec<usize> = numbered.iter().map(|(player, _)| *player).collect();
    let mut standings: Vec<PlayerStanding> = numbered.into_iter().map(|(_, one)| one).collect();
    for (place, two) in order.windows(2).enumerate() {
        let enough = units[two[0]].min(units[two[1]]) >= LEAST_GROUPS;
        standings[place].superiority = ratings.superiority(two[0], two[1]).filter(|_| enough);
    }
    standings
}

/// From how many units each player has results: few of them say little of how far a rating may be off.
fn units_of_players(players: usize, results: &[PairResult]) -> Vec<usize> {
    let mut units: Vec<Vec<u64>> = vec![Vec::new(); players];
    for result in results {
        for player in result.players {
            units[player].push(result.unit);
        }
    }
    let count = |mut units: Vec<u64>| {
        units.sort_unstable();
        units.dedup();
        units.len()
    };
    units.into_iter().map(count).collect()
}

/// What a player scored, how long it thought and what went wrong.
fn standing(header: &TournamentHeader, games: &[&ScoredGame<'_>], player: usize) -> PlayerStanding {
    let mut points: Vec<(u64, f64)> = Vec::new();
    let [mut won, mut drawn, mut lost] = [0; 3];
    let [mut decisions, mut errors, mut late] = [0; 3];
    let mut seconds = 0.0;
    for one in games {
        let game = one.game;
        let roles = one.players.iter().enumerate();
        for (role, _) in roles.filter(|(_, of)| **of == Some(player)) {
            decisions += u64::from(game.decisions[role]);
            errors += u64::from(game.errors[role]);
            late += u64::from(game.late[role]);
            seconds += game.seconds[role];
        }
        for ((role, goal), outcome) in one.scores.iter().zip(one.outcomes()) {
            if one.players[*role] != Some(player) {
                continue;
            }
            points.push((game.pair, f64::from(*goal)));
            match outcome {
                RoleOutcome::Won => won += 1,
                RoleOutcome::Drawn => drawn += 1,
                RoleOutcome::Lost => lost += 1,
            }
        }
    }
    let mean = MeanOfGroups::of(&points);
    PlayerStanding {
        player: header.players[player].name.clone(),
        games: points.len() as u64,
        won,
        drawn,
        lost,
        points: mean.map(|mean| mean.mean),
        points_error: mean.and_then(|mean| mean.error),
        elo: None,
        error: None,
        rating: RatingStatus::Apart,
        superiority: None,
        decisions,
        seconds_per_move: (decisions > 0).then(|| seconds / decisions as f64),
        errors,
        late,
    }
}
