//! Tournaments: games between several players, one line of a log each, and what they say of the players.
//!
//! A [`TournamentLog`] holds [`FinishedGame`]s in any order, below a [`TournamentHeader`].

mod finished;
#[cfg(test)]
mod fixture;
mod log;
mod results;
mod verify;

pub use finished::{
    EndlessResult, FinishedGame, GameEnd, TournamentGame, TournamentHeader, TournamentPlayer,
    hash_of_moves,
};
pub use log::{LogError, LogFault, TornLine, TournamentLog};
pub use results::{
    GameTable, PairStanding, PlayerStanding, RatingStatus, ResultTable, RoleStanding, SprtProgress,
    SprtState, Standings,
};
pub use verify::verify_log;
