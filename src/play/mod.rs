//! Matches: players, the referee, records, comparisons.
//!
//! A [`Referee`] asks [`Player`]s for moves in a [`Session`] and keeps the match going whatever they do; a [`Record`] is the
//! match as JSON, in the form the General Game Playing community exchanges; a [`Match`] is all of it in one call.

mod asking;
mod compare;
mod matches;
mod opening;
mod outside;
mod player;
mod ponder;
mod program;
mod published;
mod record;
mod referee;
mod remote;
mod scores;
mod seconds;
mod series;
mod solved_player;
mod spec;
mod step;
mod terms;
mod verify;

pub use crate::search::{MinimaxSettings, SearchLimits, Searcher};
pub use crate::session::{Found, Game, IllegalMove, SearchOptions, Session};
pub use compare::{
    AgreedStates, ComparedEngine, Comparison, ComparisonReport, DepthCounts, EngineDifference,
    EngineLeftOut, EngineScore, EngineSpeed, OnProgress, OneEngine, SearchedDepth, open_engines,
};
pub use matches::{Match, MatchError, MatchResult};
pub use opening::opening;
pub use player::{Choice, Listener, Player, PlayerFault, choose_legal, player_for, seed_of_role};
pub use ponder::while_others_ponder;
pub use program::{NoPlayerProgram, check_programs, end_programs, say_hello};
pub use record::{
    AnswerTime, Record, RecordError, RecordFileError, RecordFormat, RecordRulesError, SetUpError,
    milliseconds, read_record_text, record_text, rules_of_record,
};
pub use referee::Referee;
pub use scores::{RoleOutcome, outcomes, scores};
pub use seconds::{InvalidSeconds, LEAST_TIME, read_seconds};
pub use series::{
    PlayedMatch, PlayerTotals, RoleAssignment, Series, SeriesError, SeriesObserver, SeriesTotals,
};
pub use spec::{
    Assignment, InstallError, InstalledPlayer, InstalledPlayers, LEVELS, LeftOutPlayer, Level,
    PLAYER_KINDS, PlayerArgument, PlayerKind, PlayerOption, PlayerProgram, Spec, SpecError,
    check_files, check_fit, no_evaluation, role_number, set_player_folders,
};
pub use step::{End, MoveCounts, Progress, Step};
pub use terms::MatchTerms;
pub use verify::{
    Mismatch, RecordFile, UnreadablePath, Verification, VerifyBudget, record_files, verify,
};
