//! Matches between the same players, one after the other, in which they may change roles.

mod role_assignment;
mod totals;

use crate::util::StopFlag;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use role_assignment::RoleAssignment;
pub use totals::{PlayerTotals, SeriesTotals};

use crate::catalog::GameSource;
use crate::play::{
    End, Listener, MatchTerms, MoveCounts, NoPlayerProgram, Player, Progress, Record, Referee,
    Session, Spec, Step, check_programs, milliseconds, opening, player_for, seed_of_role,
};
use crate::scramble::Scrambler;

/// What matches are to be played.
pub struct Series<'s> {
    /// The game, for the records.
    pub source: &'s GameSource,
    /// The player of each role in the first match.
    pub players: &'s [Spec],
    /// How many matches.
    pub games: u64,
    /// Whether the players change roles from match to match.
    pub swap: bool,
    /// The number of first plies that are drawn at random.
    pub opening: usize,
    /// The clocks of players on the network and of other programs; the name of the match is that of its record.
    pub terms: MatchTerms,
    /// Whether these players get the rules in other words, drawn from the seed of each match.
    pub scramble: bool,
    /// What chance of the first match is drawn from; each further match adds one.
    pub seed: u64,
    /// A longer match is given up.
    pub max_plies: usize,
    /// So is one in which a position occurs so often.
    pub occurrences: Option<usize>,
    /// Raised from outside to end the series.
    pub stop: &'s StopFlag,
    /// Is informed of the searches of the players.
    pub listener: Option<Arc<dyn Listener>>,
}

/// A match that was played.
#[derive(Debug, Clone)]
pub struct PlayedMatch {
    /// Which match of the series, and who played which role.
    pub assignment: RoleAssignment,
    /// The name of the player of each role.
    pub players: Vec<String>,
    /// The joint moves.
    pub moves: Vec<Vec<String>>,
    /// What each role scored, where the rules ended the match.
    pub goals: Vec<Option<u8>>,
    /// How long it took.
    pub time: Duration,
    /// What went wrong, in words.
    pub errors: Vec<String>,
    /// How many moves the player of each role was asked for, and what became of them.
    pub counts: Vec<MoveCounts>,
    /// How long it thought in all.
    pub time_used: Vec<Duration>,
    /// Why it ended.
    pub end: End,
}

/// Observes a series. An error ends it.
pub trait SeriesObserver {
    /// Why the observer wants no more.
    type Error: From<SeriesError>;

    /// The players get ready, which may take seconds.
    fn prepares(&mut self) {}

    /// A match begins; `session` shows its first state.
    ///
    /// # Errors
    /// The observer wants no more.
    fn begins(
        &mut self,
        session: &Session,
        players: &[String],
        assignment: &RoleAssignment,
    ) -> Result<(), Self::Error>;

    /// A joint move was played; `session` shows the state after it.
    ///
    /// # Errors
    /// The observer wants no more.
    fn plays(&mut self, session: &Session, step: &Step) -> Result<(), Self::Error>;

    /// The record of the match has begun, grown or been closed.
    ///
    /// # Errors
    /// The observer wants no more.
    fn records(&mut self, record: &Record) -> Result<(), Self::Error> {
        let _ = record;
        Ok(())
    }

    /// A match has ended; says whether another one is to be played.
    ///
    /// # Errors
    /// The observer wants no more, not even the totals.
    fn ends(
        &mut self,
        played: &PlayedMatch,
        record: &Record,
    ) -> Result<ControlFlow<()>, Self::Error>;
}

/// Why a series cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeriesError {
    /// A person was named.
    #[error("a person cannot play in a `match`")]
    Person,
    /// A player on the network would have to begin elsewhere than the rules say.
    #[error("a player on the network can only begin where the rules begin")]
    RemotePosition,
    /// A program is no player.
    #[error(transparent)]
    Program(#[from] NoPlayerProgram),
    /// Random openings of this length end the game.
    #[error("no opening of {0} plies was found after which the game goes on")]
    NoOpening(usize),
}

impl Series<'_> {
    /// Plays the matches, each from the position of `session`, until all are played, `observer` has enough or `stop` is
    /// raised.
    ///
    /// # Errors
    /// [`SeriesError`], or `observer` wants no more.
    pub fn run<O: SeriesObserver>(
        &self,
        session: &mut Session,
        observer: &mut O,
    ) -> Result<SeriesTotals, O::Error> {
        // What was played before belongs to none of these matches.
        *session = Session::from(session.position().clone());
        let is_initial = *session.position() == session.game().initial();
        if self.has_remote() && !is_initial {
            return Err(SeriesError::RemotePosition.into());
        }
        check_programs(self.players, self.terms.start_clock, self.stop)
            .map_err(SeriesError::from)?;
        let mut totals = SeriesTotals::new(session.roles(), self.players);
        for number in 0..self.games {
            while session.undo() {}
            let assignment = RoleAssignment::new(session.roles(), number, self.swap, self.seed);
            let opening = self.opening(session, assignment.opening_seed)?;
            let (played, record) = self.play(assignment, opening, session, observer)?;
            totals.add(&played);
            if observer.ends(&played, &record)?.is_break() || played.end == End::Stopped {
                break;
            }
        }
        Ok(totals)
    }

    /// Plays a single match from the position of `session`: who plays what and its seed are as `assignment` says, and `opening`
    /// are its first joint moves.
    ///
    /// # Errors
    /// [`SeriesError`], or `observer` wants no more.
    pub fn play<O: SeriesObserver>(
        &self,
        assignment: RoleAssignment,
        opening: Vec<Vec<String>>,
        session: &mut Session,
        observer: &mut O,
    ) -> Result<(PlayedMatch, Record), O::Error> {
        let players = self.players(&assignment)?;
        let referee = Referee::new(players, self.max_plies, assignment.seed, self.stop);
        let referee = referee.with_occurrences(self.occurrences);
        let mut referee = referee.with_opening(opening);
        let names = referee.names();
        let mut record = self.record(session, assignment.seed, names.clone());
        referee.begin(&self.terms(&record, assignment.seed));
        observer.prepares();
        referee.prepare(session);
        let begin = Instant::now();
        observer.begins(session, &names, &assignment)?;
        observer.records(&record)?;
        let end = loop {
            match referee.step(session) {
                Progress::Over(end) => break end,
                Progress::Played(step) => {
                    record.add(&step, session, milliseconds());
                    observer.records(&record)?;
                    observer.plays(session, &step)?;
                }
            }
        };
        referee.finish(session, &end);
        record.close(&end, session.goals());
        observer.records(&record)?;
        let played = PlayedMatch {
            assignment,
            players: names,
            moves: record.moves.clone(),
            goals: match end {
                End::Terminal => session.goals().to_vec(),
                _ => vec![None; session.roles().len()],
            },
            time: begin.elapsed(),
            errors: referee.errors().to_vec(),
            counts: referee.counts().to_vec(),
            time_used: referee.time_used().to_vec(),
            end,
        };
        Ok((played, record))
    }

    fn players(&self, assignment: &RoleAssignment) -> Result<Vec<Box<dyn Player>>, SeriesError> {
        let player = |(role, &number): (usize, &usize)| {
            let seed = seed_of_role(assignment.seed, role);
            let player = player_for(
                &self.players[number],
                seed,
                self.stop,
                self.listener.as_ref(),
            );
            player.ok_or(SeriesError::Person)
        };
        assignment.players.iter().enumerate().map(player).collect()
    }

    /// The first plies, where they are drawn.
    fn opening(&self, session: &mut Session, seed: u64) -> Result<Vec<Vec<String>>, SeriesError> {
        let drawn = opening(session, self.opening, seed, self.stop);
        drawn.ok_or(SeriesError::NoOpening(self.opening))
    }

    fn has_remote(&self) -> bool {
        let mut players = self.players.iter();
        players.any(|player| matches!(player, Spec::Remote(_)))
    }

    /// The terms of the match that `record` is of.
    fn terms(&self, record: &Record, seed: u64) -> MatchTerms {
        let words = || Arc::new(Scrambler::new(&self.source.text, seed));
        MatchTerms {
            match_id: record.match_id.clone(),
            words: self.scramble.then(words),
            ..self.terms.clone()
        }
    }

    fn record(&self, session: &Session, seed: u64, names: Vec<String>) -> Record {
        let record = Record {
            player_names_from_host: names,
            rulesheet: Some(self.source.text.clone()),
            ..Record::begin(&self.source.name, session, seed, milliseconds())
        };
        let start_clock = self.terms.start_clock.as_secs();
        match self.players.iter().any(Spec::is_outside) {
            // Others take the time for each move that their description says.
            false if self.terms.start_clock_for_all => Record {
                start_clock,
                ..record
            },
            false => record,
            true => Record {
                start_clock,
                play_clock: self.terms.play_clock.as_secs(),
                scrambled: self.scramble,
                ..record
            },
        }
    }
}
