//! Matches as a program asks for them.

use super::{
    MatchTerms, PlayedMatch, Record, RoleAssignment, Series, SeriesError, SeriesObserver,
    SeriesTotals, Spec, Step,
};
use std::ops::ControlFlow;
use std::time::Duration;

use crate::session::{Game, Minimax, Session, UnknownRole};
use crate::util::StopFlag;

/// One match or several between players of a game. Roles without a player are played by Min-Max at depth 4.
#[derive(Debug, Clone)]
#[must_use = "nothing is played before `run`"]
pub struct Match {
    game: Game,
    players: Vec<(String, Spec)>,
    games: u64,
    swap: bool,
    opening: usize,
    seed: u64,
    max_plies: usize,
    occurrences: Option<usize>,
    terms: MatchTerms,
    scramble: bool,
    stop: StopFlag,
}

/// What was played.
#[derive(Debug)]
pub struct MatchResult {
    /// The games in order: moves, goals, why they ended, errors of players.
    pub games: Vec<PlayedMatch>,
    /// Their records, as they are exchanged.
    pub records: Vec<Record>,
    /// What each player scored in all of them.
    pub totals: SeriesTotals,
}

/// Why a match cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// A player was named for a role that the game does not have.
    #[error(transparent)]
    UnknownRole(#[from] UnknownRole),
    /// The players or the opening cannot be had.
    #[error(transparent)]
    Series(#[from] SeriesError),
}

impl Match {
    /// One match of this game.
    pub fn new(game: &Game) -> Self {
        Self {
            game: game.clone(),
            players: Vec::new(),
            games: 1,
            swap: false,
            opening: 0,
            seed: 1,
            max_plies: 2_000,
            occurrences: None,
            terms: MatchTerms::default(),
            scramble: false,
            stop: StopFlag::default(),
        }
    }

    /// Who plays `role`: a search, or a [`Spec`] read from text, such as `random`.
    pub fn player(mut self, role: &str, player: impl Into<Spec>) -> Self {
        self.players.push((role.to_owned(), player.into()));
        self
    }

    /// How many games. Otherwise one.
    pub fn games(self, games: u64) -> Self {
        Self { games, ..self }
    }

    /// Whether the players change roles from game to game.
    pub fn swap(self, swap: bool) -> Self {
        Self { swap, ..self }
    }

    /// How many of the first plies are drawn at random; with [`Match::swap`], the same for a round of games in which each
    /// player takes each role.
    pub fn opening(self, plies: usize) -> Self {
        let opening = plies;
        Self { opening, ..self }
    }

    /// What chance of the first game is drawn from; each further game adds one. Otherwise 1.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// A longer game is given up. Otherwise 2,000.
    pub fn max_plies(self, max_plies: usize) -> Self {
        Self { max_plies, ..self }
    }

    /// A game in which a position occurs so often is given up.
    pub fn occurrences(self, occurrences: usize) -> Self {
        let occurrences = Some(occurrences);
        Self {
            occurrences,
            ..self
        }
    }

    /// The time that all players have to get ready, and the time that players on the network and other programs have for each move; on the
    /// network, in whole seconds. Otherwise 30 and 15 seconds, and five seconds to get ready for players of this program with a time for each
    /// move.
    pub fn clocks(mut self, start: Duration, play: Duration) -> Self {
        self.terms.start_clock = start;
        self.terms.start_clock_for_all = true;
        self.terms.play_clock = play;
        self
    }

    /// Whether players on the network and other programs get the rules in other words.
    pub fn scramble(self, scramble: bool) -> Self {
        Self { scramble, ..self }
    }

    /// Ends soon after the flag is raised, with what was played until then.
    pub fn stop(self, stop: &StopFlag) -> Self {
        let stop = stop.clone();
        Self { stop, ..self }
    }

    /// Plays.
    ///
    /// # Errors
    /// [`MatchError`].
    pub fn run(self) -> Result<MatchResult, MatchError> {
        let usual = Spec::from(Minimax::new().depth(4));
        let mut players = vec![usual; self.game.roles().len()];
        for (role, player) in &self.players {
            players[self.game.role(role)?] = player.clone();
        }
        let series = Series {
            source: self.game.source(),
            players: &players,
            games: self.games,
            swap: self.swap,
            opening: self.opening,
            terms: self.terms,
            scramble: self.scramble,
            seed: self.seed,
            max_plies: self.max_plies,
            occurrences: self.occurrences,
            stop: &self.stop,
            listener: None,
        };
        let mut kept = Kept::default();
        let totals = series.run(&mut Session::new(&self.game), &mut kept)?;
        let Kept { games, records } = kept;
        Ok(MatchResult {
            games,
            records,
            totals,
        })
    }
}

/// Keeps what was played.
#[derive(Default)]
struct Kept {
    games: Vec<PlayedMatch>,
    records: Vec<Record>,
}

impl SeriesObserver for Kept {
    type Error = SeriesError;

    fn begins(&mut self, _: &Session, _: &[String], _: &RoleAssignment) -> Result<(), SeriesError> {
        Ok(())
    }

    fn plays(&mut self, _: &Session, _: &Step) -> Result<(), SeriesError> {
        Ok(())
    }

    fn ends(
        &mut self,
        played: &PlayedMatch,
        record: &Record,
    ) -> Result<ControlFlow<()>, SeriesError> {
        self.games.push(played.clone());
        self.records.push(record.clone());
        Ok(ControlFlow::Continue(()))
    }
}
