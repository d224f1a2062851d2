//! One match: what was played, what may be done, and by whom.
//!
//! Every change is an event. It is on the disk before anything of it is shown, and a match that is read again goes through
//! the same events.

mod actions;
mod clock;
mod drawn;
mod ending;
mod events;

use self::clock::MatchClock;
use self::drawn::DrawnPosition;
use self::ending::TimeUp;
use super::ServeRefusal;
use super::journal::{JournalEvent, MatchHeader, MatchJournal};
use super::match_player::MatchPlayerKind;
use super::screens::GameScreens;
use super::variations::VariationTree;
use crate::drawing::Screen;
use crate::play::End;
use crate::session::{Game, Session};

pub(super) use self::drawn::{STYLE, picture_of};
pub(super) use self::ending::{EndedBy, MatchEnd};

/// A match has at most so many joint moves, in all lines together.
pub(super) const MOST_MOVES: usize = 5_000;

/// A match that is played.
pub(super) struct ServedMatch {
    pub(super) header: MatchHeader,
    journal: MatchJournal,
    /// The position shown, and how it was reached.
    session: Session,
    played: VariationTree,
    screen: Screen,
    drawn: DrawnPosition,
    /// The moves that roles have chosen in the position shown, while others have not.
    chosen: Vec<Option<String>>,
    is_paused: bool,
    resigned: Option<usize>,
    /// Counts where the match has a time limit.
    clock: Option<MatchClock>,
    time_up: Option<TimeUp>,
    /// What went wrong with a machine or on the disk.
    fault: Option<String>,
    /// Grows with each change.
    version: u64,
    /// Grows when another position is shown.
    epoch: u64,
    restarts: u64,
    changed: u64,
}

/// What a caller may do in a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchAccess {
    /// Whoever made it.
    Owner,
    /// Whoever has the link to this role.
    Role(usize),
    /// Everybody else.
    Spectator,
}

/// What comes next without a person.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NextTask {
    /// Nothing.
    Wait,
    /// These machines are to choose.
    Ask(Vec<usize>),
    /// Everybody has chosen.
    Play,
}

impl ServedMatch {
    /// A match that begins, kept by `journal`.
    pub(super) fn new(
        header: MatchHeader,
        journal: MatchJournal,
        (game, screens): (&Game, &GameScreens),
    ) -> Result<Self, ServeRefusal> {
        let start = match &header.start {
            None => game.initial(),
            Some(facts) => {
                let position = game.position(facts);
                position.map_err(|fault| ServeRefusal::request(fault.to_string()))?
            }
        };
        let session = Session::from(start);
        let screen = screens.of(&header, &session);
        let mut new = Self {
            chosen: vec![None; session.roles().len()],
            changed: header.begun,
            clock: header.limit.map(MatchClock::new),
            time_up: None,
            header,
            journal,
            session,
            played: VariationTree::new(),
            screen,
            drawn: DrawnPosition::default(),
            is_paused: false,
            resigned: None,
            fault: None,
            version: 1,
            epoch: 1,
            restarts: 0,
        };
        new.draw();
        new.keep_time();
        Ok(new)
    }

    /// Goes through events that are on the disk.
    pub(super) fn replay(&mut self, events: &[JournalEvent]) -> Result<(), ServeRefusal> {
        for event in events {
            self.apply(event)?;
        }
        self.draw();
        self.keep_time();
        Ok(())
    }

    /// What a caller with this key may do; `None` if the key opens nothing here.
    pub(super) fn access(&self, key: Option<&str>) -> Option<MatchAccess> {
        let Some(key) = key else {
            return Some(MatchAccess::Spectator);
        };
        if self.header.key.is(key) {
            return Some(MatchAccess::Owner);
        }
        let mut match_players = self.header.match_players.iter();
        let place = match_players
            .position(|match_player| match_player.key.as_ref().is_some_and(|own| own.is(key)));
        place.map(MatchAccess::Role)
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    pub(super) fn played(&self) -> &VariationTree {
        &self.played
    }

    pub(super) fn drawn(&self) -> &DrawnPosition {
        &self.drawn
    }

    pub(super) fn is_paused(&self) -> bool {
        self.is_paused
    }

    pub(super) fn changed(&self) -> u64 {
        self.changed
    }

    /// The seed of the game that is played now.
    pub(super) fn seed(&self) -> u64 {
        self.header.seed.wrapping_add(self.restarts)
    }

    /// Whether nothing more may be played from the position shown.
    pub(super) fn is_over(&self) -> bool {
        self.time_up.is_some()
            || self.resigned.is_some()
            || self.session.is_terminal()
            || !self.stuck().is_empty()
    }

    /// The roles that have no legal move though the game is not over.
    fn stuck(&self) -> Vec<String> {
        if self.session.is_terminal() {
            return Vec::new();
        }
        let roles = self.session.roles().iter().enumerate();
        let stuck = roles.filter(|(role, _)| self.session.legal_of(*role).is_empty());
        stuck.map(|(_, name)| name.clone()).collect()
    }

    /// What went wrong, for people.
    pub(super) fn problem(&self) -> Option<String> {
        if let Some(fault) = self.session.fault() {
            return Some(fault.to_string());
        }
        let stuck = self.stuck();
        match stuck.is_empty() {
            true => self.fault.clone(),
            false => Some(End::Stuck(stuck).to_string()),
        }
    }

    /// Whether this role is played by whoever has this access.
    pub(super) fn is_mine(&self, access: MatchAccess, role: usize) -> bool {
        match access {
            MatchAccess::Owner => self.header.match_players[role].kind == MatchPlayerKind::Human,
            MatchAccess::Role(own) => own == role,
            MatchAccess::Spectator => false,
        }
    }

    /// The roles that are to choose in the position shown, and have not.
    pub(super) fn choosing(&self) -> Vec<usize> {
        if self.is_over() {
            return Vec::new();
        }
        let is_open =
            |role: &usize| self.chosen[*role].is_none() && self.session.legal_of(*role).len() > 1;
        (0..self.chosen.len()).filter(is_open).collect()
    }

    pub(super) fn has_chosen(&self, role: usize) -> bool {
        self.chosen[role].is_some()
    }

    /// What comes next without a person. Machines answer at the end of a line, and where a person has gone on from another
    /// position; elsewhere they let a person look round.
    pub(super) fn next_task(&self) -> NextTask {
        let is_end = self.played.ply() == self.played.moves().len();
        let is_begun = self.chosen.iter().any(Option::is_some);
        if self.is_over() || self.is_paused || self.has_no_time() || !(is_end || is_begun) {
            return NextTask::Wait;
        }
        let choosing = self.choosing();
        if choosing.is_empty() {
            return NextTask::Play;
        }
        let machines = choosing.into_iter();
        let machines: Vec<usize> = machines
            .filter(|&role| self.header.match_players[role].is_machine())
            .collect();
        match machines.is_empty() {
            true => NextTask::Wait,
            false => NextTask::Ask(machines),
        }
    }

    /// The number of a role that the caller plays.
    pub(super) fn role_of(&self, access: MatchAccess, role: &str) -> Result<usize, ServeRefusal> {
        let number = self.session.game().role(role);
        let number = number.map_err(|fault| ServeRefusal::request(fault.to_string()))?;
        match self.is_mine(access, number) {
            true => Ok(number),
            false => Err(ServeRefusal::forbidden(format!("you do not play {role}"))),
        }
    }
}
