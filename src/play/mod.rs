//! Playing: from here upward everything is text.
//!
//! A [`Table`] is a game in progress behind an object-safe interface; [`Seat`] makes one of any game. A [`Referee`] asks
//! [`Player`]s for moves and keeps the match going whatever they do; a [`Record`] is the match as JSON, in the form the
//! General Game Playing community exchanges.

mod compare;
mod matches;
mod opening;
mod player;
mod ponder;
mod record;
mod referee;
mod scores;
mod seat;
mod seconds;
mod series;
mod spec;
mod table;

pub use crate::search::{Limits, Searcher, Settings};
pub use crate::session::natural_order;
pub use crate::session::{IllegalMove, SearchOptions};
pub use compare::{
    AgreedStates, ComparedEngine, Comparison, ComparisonReport, DepthCounts, EngineDifference,
    EngineLeftOut, EngineScore, EngineSpeed, OnProgress, OneEngine, OpenEngine, SearchedDepth,
    with_all,
};
pub use matches::{Match, MatchError, MatchResult};
pub use opening::opening;
pub use player::{Choice, Listener, Player, PlayerFault, player_for, seed_of_role};
pub use ponder::while_others_ponder;
pub use record::{Record, RecordError, milliseconds};
pub use referee::{End, Progress, Referee, Step};
pub use scores::scores;
pub use seat::Seat;
pub use seconds::{LEAST_TIME, read_seconds};
pub use series::{
    PlayedMatch, PlayerTotals, Seating, Series, SeriesError, SeriesObserver, SeriesTotals,
    half_width_95,
};
pub use spec::{Assignment, Spec, SpecError, no_evaluation, role_number};
pub use table::{Advice, Table};
