//! What the players of a match are told before it begins.

use std::sync::Arc;
use std::time::Duration;

use crate::scramble::Scrambler;

/// What the players of a match are told before it begins. Clocks hold for players on the network, in whole seconds, and for
/// other programs: for each move, the players of this one take the time that their description says.
#[derive(Debug, Clone)]
pub struct MatchTerms {
    /// The name of the match.
    pub match_id: String,
    /// Time to get ready.
    pub start_clock: Duration,
    /// Whether the start clock holds for the players of this program, too: otherwise they learn for five seconds at most, or for thirty
    /// where they have no time for each move.
    pub start_clock_for_all: bool,
    /// Time for each move.
    pub play_clock: Duration,
    /// The words that these players get in place of those of the rules.
    pub words: Option<Arc<Scrambler>>,
}

impl Default for MatchTerms {
    /// Clocks that are usual on match servers.
    fn default() -> Self {
        Self {
            match_id: "match".to_owned(),
            start_clock: Duration::from_secs(30),
            start_clock_for_all: false,
            play_clock: Duration::from_secs(15),
            words: None,
        }
    }
}
