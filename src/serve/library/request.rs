//! How a match is asked for, and what comes of it.

use serde::Deserialize;

use crate::catalog::{GameSource, Origin};
use crate::info::board::BoardFile;
use crate::play::{Record, milliseconds};
use crate::serve::games::{GameLoader, check_length};
use crate::serve::hosted::MOST_MOVES;
use crate::serve::journal::{JournalEvent, MatchHeader};
use crate::serve::key::random_id;
use crate::serve::match_player::{self, MatchPlayerRequest};
use crate::serve::requests::read_body;
use crate::serve::{RefusalKind, SecretKey, ServeRefusal};
use crate::session::{Game, Session};
use crate::util::{Deadline, StopFlag};

/// Seconds between moves of machines, where nothing is said, and at most.
const DELAYS: (f64, f64) = (0.5, 60.0);
/// The seconds that a match may last at most.
const LONGEST_LIMIT: u64 = 86_400;

/// How a caller asks for a match.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchRequest {
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    rules: Option<String>,
    #[serde(default)]
    record: Option<serde_json::Value>,
    /// Joint moves that were played already, in the order of the roles.
    #[serde(default)]
    moves: Vec<Vec<String>>,
    #[serde(default)]
    players: Vec<MatchPlayerRequest>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    delay: Option<f64>,
    #[serde(default)]
    limit: Option<u64>,
}

impl MatchRequest {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn read(body: &[u8]) -> Result<Self, ServeRefusal> {
        read_body(body)
    }

    /// The record that is to be gone on with, if that is asked for.
    ///
    /// # Errors
    /// Where it is no match record, or too long.
    pub fn recorded(&self) -> Result<Option<Record>, ServeRefusal> {
        let read = |record: &serde_json::Value| Record::read(&record.to_string());
        let record = self.record.as_ref().map(read).transpose();
        let record = record.map_err(|fault| ServeRefusal::request(fault.to_string()))?;
        let of_record = record.as_ref().map_or(0, |record| record.moves.len());
        match of_record + self.moves.len() > MOST_MOVES {
            true => Err(ServeRefusal::new(
                RefusalKind::TooMuch,
                format!("the match has more than {MOST_MOVES} moves"),
            )),
            false => Ok(record),
        }
    }

    /// The rules that are asked for: those of an offered game, a text, or those of a record. No file is read.
    pub(super) fn source(
        &self,
        games: &GameLoader,
        record: Option<&Record>,
    ) -> Result<(GameSource, String), ServeRefusal> {
        let named = |name: &str| {
            let game = games.find(name)?;
            Ok((game.source.clone(), game.title.clone()))
        };
        let of_text = |name: &str, text: &str| {
            check_length(text)?;
            let mut offered = games.offered().iter();
            if let Some(known) = offered.find(|game| game.source.text == text) {
                return named(&known.source.name);
            }
            let name: String = name.chars().take(80).collect();
            Ok((GameSource::from_text(&name, text), name))
        };
        let name = self.name.as_deref().filter(|name| !name.trim().is_empty());
        match (&self.game, &self.rules, record) {
            (Some(game), None, None) => named(game),
            (None, Some(rules), None) => of_text(name.unwrap_or("game"), rules),
            (game, rules, Some(record)) => {
                let recorded = record.game_name.as_deref();
                let text = rules.as_ref().or(record.rulesheet.as_ref());
                match text {
                    Some(text) if text.contains('(') => {
                        of_text(name.or(recorded).unwrap_or("game"), text)
                    }
                    other => {
                        let known = game.as_ref().or(other).map(String::as_str).or(recorded);
                        let unnamed = || {
                            ServeRefusal::request("the record does not name its rules")
                                .help("send them as `rules`")
                        };
                        named(known.ok_or_else(unnamed)?)
                    }
                }
            }
            _ => Err(ServeRefusal::request(
                "a match is made of one of `game`, `rules` and `record`",
            )),
        }
    }

    fn play_moves(&self, session: &mut Session, stop: &StopFlag) -> Result<(), ServeRefusal> {
        for (place, joint) in self.moves.iter().enumerate() {
            if stop.is_raised() {
                return Err(ServeRefusal::busy("the moves take too long to be played"));
            }
            session.play_joint(joint).map_err(|fault| {
                ServeRefusal::request(format!("joint move {}: {fault}", place + 1))
            })?;
        }
        Ok(())
    }

    /// The seconds between moves of machines, and those that the match lasts at most.
    fn times(&self) -> Result<(f64, Option<u64>), ServeRefusal> {
        let delay = self.delay.unwrap_or(DELAYS.0);
        if !(0.0..=DELAYS.1).contains(&delay) {
            let message = format!("`delay`: give seconds from 0 to {}", DELAYS.1);
            return Err(ServeRefusal::request(message));
        }
        let limits = 1..=LONGEST_LIMIT;
        match self.limit.filter(|limit| !limits.contains(limit)) {
            Some(_) => Err(ServeRefusal::request(format!(
                "`limit`: give seconds from 1 to {LONGEST_LIMIT}"
            ))),
            None => Ok((delay, self.limit)),
        }
    }

    /// What the new match is, and what has happened in it already.
    pub(super) fn begin(
        &self,
        (game, title): (&Game, String),
        record: Option<&Record>,
        stop: &StopFlag,
    ) -> Result<(MatchHeader, Vec<JournalEvent>), ServeRefusal> {
        let (delay, limit) = self.times()?;
        let mut session = Session::new(game);
        if let Some(record) = record {
            let set_up = record.set_up_until(&mut session, &Deadline::new(None, stop));
            set_up.map_err(|fault| ServeRefusal::request(fault.to_string()))?;
        }
        self.play_moves(&mut session, stop)?;
        let now = milliseconds();
        let positions: Vec<_> = session.past().chain([session.position()]).collect();
        let moves = session
            .history()
            .into_iter()
            .zip(&positions)
            .zip(&positions[1..]);
        let events = moves.map(|((joint, before), after)| JournalEvent::Played {
            joint: joint.to_vec(),
            by: match before.choosing()[..] {
                [role] => Some(role),
                _ => None,
            },
            at: now,
            is_over: after.is_terminal(),
        });
        let start = record.is_some() && *positions[0] != game.initial();
        let recorded = record.and_then(|record| record.seed);
        let header = MatchHeader {
            form: MatchHeader::FORM,
            id: random_id()?,
            key: SecretKey::random()?,
            game: game.name().to_owned(),
            title,
            rules: game.source().text.clone(),
            roles: game.roles().to_vec(),
            match_players: match_player::match_players(game.roles(), &self.players)?,
            seed: self.seed.or(recorded).unwrap_or(now % 1_000_000),
            delay,
            limit,
            board: board_file(game.source()),
            start: start.then(|| positions[0].facts()),
            is_over_at_start: positions[0].is_terminal(),
            begun: now,
        };
        Ok((header, events.collect()))
    }
}

/// The board file beside the rules of a game that was started with the server: it is to draw its matches for as long as there
/// are any.
fn board_file(source: &GameSource) -> Option<String> {
    match &source.origin {
        // One that cannot be read counts as none, as it does where boards are drawn.
        Origin::File(rules) => BoardFile::text_beside(rules).ok().flatten(),
        _ => None,
    }
}
