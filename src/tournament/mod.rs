//! Tournaments: games between several players, one line of a log each, and what they say of the players.
//!
//! A [`TournamentPlan`] says who plays what; a [`Tournament`] is a plan with its games opened, and is played into a [`LogWriter`].
//! What is in the file is a [`TournamentLog`]: it holds [`FinishedGame`]s in any order, below a [`TournamentHeader`]. Each game has
//! a seed of its own, which depends on the plan and on the number of the game alone. So it does not matter how many games are played
//! at once, where they are played, or how often the program was interrupted.

mod finished;
#[cfg(test)]
mod fixture;
mod game;
mod log;
mod log_file;
mod merge;
mod opened;
mod openings;
mod plan;
mod results;
mod run;
mod seeds;
mod sequential;
mod shard;
mod swiss;
mod timetable;
mod verify;

pub use finished::{
    EndlessResult, FinishedGame, GameEnd, TournamentGame, TournamentHeader, TournamentPlayer,
    hash_of_moves,
};
pub use log::{LogError, LogFault, TornLine, TournamentLog};
pub use log_file::{LogFileError, LogWriter, holder_of, read_log};
pub use merge::{MergeError, MergedLogs, NumberList};
pub use opened::{Tournament, TournamentError};
pub use openings::OpeningsError;
pub use plan::{
    OpeningsFile, PlanError, PlanPlace, PlannedOpenings, PlannedPlayer, Schedule, Seatings,
    TournamentPlan,
};
pub use results::{
    GameTable, PairStanding, PlayerStanding, RatingStatus, ResultTable, RoleStanding, SprtProgress,
    SprtState, Standings,
};
pub use run::{RunEnd, RunError, RunObserver, RunOptions};
pub use sequential::SequentialTest;
pub use shard::{InvalidShard, Shard};
pub use timetable::ScheduledGame;
pub use verify::verify_log;
