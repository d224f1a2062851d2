//! One match: what was played, what may be done, and by whom.
//!
//! Every change is an event. It is on the disk before anything of it is shown, and a match that is read again goes through
//! the same events.

use super::journal::{JournalEvent, MatchHeader, MatchJournal};
use super::match_player::MatchPlayerKind;
use super::variations::VariationTree;
use super::{JournalError, ServeRefusal};
use crate::drawing::{Screen, Style};
use crate::game::is_chance;
use crate::play::{End, Record, milliseconds};
use crate::session::{Game, Position, Session};

/// A match has at most so many joint moves, in all lines together.
const MOST_MOVES: usize = 5_000;

/// Pictures have no columns and no colours of a terminal.
pub(super) const STYLE: Style = Style {
    unicode: true,
    color: false,
    width: 80,
};

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
    /// What went wrong with a machine or on the disk.
    fault: Option<String>,
    /// Grows with each change.
    version: u64,
    /// Grows when another position is shown.
    epoch: u64,
    restarts: u64,
    changed: u64,
}

/// The position shown, as far as it is the same for all who look at it.
#[derive(Default)]
pub(super) struct DrawnPosition {
    pub(super) picture: String,
    /// Per role and legal move, the squares to be clicked.
    pub(super) clicks: Vec<Vec<Vec<String>>>,
    /// When it was drawn.
    epoch: u64,
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
        game: &Game,
    ) -> Result<Self, ServeRefusal> {
        let start = match &header.start {
            None => game.initial(),
            Some(facts) => {
                let position = game.position(facts);
                position.map_err(|fault| ServeRefusal::request(fault.to_string()))?
            }
        };
        let session = Session::from(start);
        let screen = Screen::survey_anyway(&session, STYLE);
        let mut new = Self {
            chosen: vec![None; session.roles().len()],
            changed: header.begun,
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
        Ok(new)
    }

    /// Goes through events that are on the disk.
    pub(super) fn replay(&mut self, events: &[JournalEvent]) -> Result<(), ServeRefusal> {
        for event in events {
            self.apply(event)?;
        }
        self.draw();
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

    pub(super) fn resigned(&self) -> Option<usize> {
        self.resigned
    }

    pub(super) fn changed(&self) -> u64 {
        self.changed
    }

    /// The seed of the game that is played now.
    pub(super) fn seed(&self) -> u64 {
        self.header.seed.wrapping_add(self.restarts)
    }

    /// Whether nothing more can be played from the position shown.
    pub(super) fn is_over(&self) -> bool {
        self.resigned.is_some() || self.session.is_terminal() || !self.stuck().is_empty()
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
        if self.is_over() || self.is_paused || !(is_end || is_begun) {
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

    /// A person plays a move in the position after `ply` joint moves.
    pub(super) fn play(
        &mut self,
        access: MatchAccess,
        (role, mv): (&str, &str),
        ply: usize,
    ) -> Result<(), ServeRefusal> {
        let role = self.role_of(access, role)?;
        if ply != self.played.ply() {
            let now = self.played.ply();
            return Err(ServeRefusal::conflict(format!(
                "the position after {ply} moves is not the present one, which is after {now}"
            )));
        }
        if self.is_over() {
            return Err(ServeRefusal::conflict("the game is over"));
        }
        if self.has_chosen(role) {
            return Err(ServeRefusal::conflict("the move is chosen already"));
        }
        let legal = self.session.legal_of(role);
        if !legal.iter().any(|known| known == mv) {
            let role = &self.session.roles()[role];
            return Err(ServeRefusal::conflict(format!("{role} may not play {mv}")));
        }
        self.check_room()?;
        let mv = mv.to_owned();
        let is_last = self.choosing().iter().all(|&other| other == role);
        if is_last {
            self.chosen[role] = Some(mv);
            return self.play_chosen().inspect_err(|_| self.chosen[role] = None);
        }
        self.record(&JournalEvent::Chosen { role, mv })
    }

    /// A machine has chosen a move.
    pub(super) fn choose(&mut self, role: usize, mv: String) {
        match self.session.legal_of(role).contains(&mv) {
            true => {
                self.chosen[role] = Some(mv);
                self.version += 1;
            }
            false => self.fail(format!("a machine chose {mv}, which is not legal")),
        }
    }

    /// Plays the joint move that everybody has chosen; roles with a single move are filled in.
    pub(super) fn play_chosen(&mut self) -> Result<(), ServeRefusal> {
        self.check_room()?;
        let roles = 0..self.chosen.len();
        let joint: Option<Vec<String>> = roles
            .map(|role| match &self.chosen[role] {
                Some(mv) => Some(mv.clone()),
                None => self.session.legal_of(role).first().cloned(),
            })
            .collect();
        let joint = joint.ok_or_else(|| ServeRefusal::conflict("a role has no legal move"))?;
        let after = self.session.position().after(&joint)?;
        let event = JournalEvent::Played {
            joint,
            by: match self.session.position().choosing()[..] {
                [role] => Some(role),
                _ => None,
            },
            at: milliseconds(),
            is_over: after.is_terminal(),
        };
        self.record(&event)
    }

    fn check_room(&self) -> Result<(), ServeRefusal> {
        match self.played.len() < MOST_MOVES {
            true => Ok(()),
            false => Err(ServeRefusal::conflict(format!(
                "the match has {MOST_MOVES} moves, the limit"
            ))),
        }
    }

    /// Takes back joint moves: so many, or to the last position in which the caller had a choice.
    pub(super) fn undo(
        &mut self,
        access: MatchAccess,
        plies: Option<usize>,
    ) -> Result<(), ServeRefusal> {
        check_owner(access)?;
        let ply = self.played.ply();
        if let Some(plies) = plies {
            let Some(wanted) = ply.checked_sub(plies.max(1)) else {
                return Err(ServeRefusal::conflict("there is no move to take back"));
            };
            return self.show(self.played.line(), wanted);
        }
        let past: Vec<&Position> = self.session.past().collect();
        let is_choice = |position: &&Position| {
            let mut choosing = position.choosing().into_iter();
            choosing.any(|role| self.is_mine(access, role))
        };
        let wanted = past.iter().rposition(is_choice);
        let wanted = wanted.or_else(|| ply.checked_sub(1));
        let wanted =
            wanted.ok_or_else(|| ServeRefusal::conflict("there is no move to take back"))?;
        self.show(self.played.line(), wanted)
    }

    /// Goes on again along the line: to the next position in which the caller has a choice, or to its end.
    pub(super) fn redo(&mut self, access: MatchAccess) -> Result<(), ServeRefusal> {
        check_owner(access)?;
        let moves = self.played.moves();
        let (now, end) = (self.played.ply(), moves.len());
        if now == end {
            return Err(ServeRefusal::conflict("there is no move to play again"));
        }
        let is_mine = |by: Option<usize>| by.is_none_or(|role| self.is_mine(access, role));
        let next = (now + 1..end).find(|&ply| is_mine(moves[ply].by));
        self.show(self.played.line(), next.unwrap_or(end))
    }

    /// Shows the position of a line after so many joint moves.
    pub(super) fn go_to(
        &mut self,
        access: MatchAccess,
        line: Option<usize>,
        ply: usize,
    ) -> Result<(), ServeRefusal> {
        check_owner(access)?;
        self.show(line.unwrap_or(self.played.line()), ply)
    }

    fn show(&mut self, line: usize, ply: usize) -> Result<(), ServeRefusal> {
        if !self.played.clone().go_to(line, ply) {
            return Err(ServeRefusal::conflict("there is no such position"));
        }
        self.record(&JournalEvent::Shown { line, ply })
    }

    /// Begins anew.
    pub(super) fn restart(&mut self, access: MatchAccess) -> Result<(), ServeRefusal> {
        check_owner(access)?;
        self.record(&JournalEvent::Restarted { at: milliseconds() })
    }

    /// Lets machines wait, or go on.
    pub(super) fn pause(&mut self, access: MatchAccess, on: bool) -> Result<(), ServeRefusal> {
        check_owner(access)?;
        if on != self.is_paused {
            self.record(&JournalEvent::Paused { on })?;
        }
        Ok(())
    }

    /// A role gives up.
    pub(super) fn resign(&mut self, access: MatchAccess, role: &str) -> Result<(), ServeRefusal> {
        let role = self.role_of(access, role)?;
        if self.is_over() {
            return Err(ServeRefusal::conflict("the game is over"));
        }
        let at = milliseconds();
        self.record(&JournalEvent::Resigned { role, at })
    }

    /// A machine or the disk failed: machines wait.
    pub(super) fn fail(&mut self, why: String) {
        self.fault = Some(why);
        self.is_paused = true;
        self.version += 1;
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

    /// Writes an event down, and lets it happen.
    fn record(&mut self, event: &JournalEvent) -> Result<(), ServeRefusal> {
        self.journal.add(event)?;
        self.apply(event)?;
        self.changed = milliseconds();
        if self.drawn.epoch != self.epoch {
            self.draw();
        }
        Ok(())
    }

    fn apply(&mut self, event: &JournalEvent) -> Result<(), ServeRefusal> {
        self.version += 1;
        match event {
            JournalEvent::Played { joint, by, at, .. } => {
                self.played.play(joint, *by, *at);
                self.changed = *at;
                self.follow()?;
            }
            JournalEvent::Chosen { role, mv } => {
                if let Some(chosen) = self.chosen.get_mut(*role) {
                    *chosen = Some(mv.clone());
                }
            }
            JournalEvent::Shown { line, ply } => {
                self.played.go_to(*line, *ply);
                self.follow()?;
            }
            JournalEvent::Restarted { at } => {
                self.played = VariationTree::new();
                self.restarts += 1;
                self.changed = *at;
                self.screen.forget();
                self.follow()?;
            }
            JournalEvent::Paused { on } => {
                self.is_paused = *on;
                self.fault = None;
            }
            JournalEvent::Resigned { role, at } => {
                self.resigned = Some(*role);
                self.changed = *at;
                self.epoch += 1;
            }
        }
        Ok(())
    }

    /// Puts the position shown on the session, and forgets what was chosen in the one before.
    fn follow(&mut self) -> Result<(), ServeRefusal> {
        let moves = self.played.moves();
        let wanted: Vec<&[String]> = moves[..self.played.ply()]
            .iter()
            .map(|mv| &mv.joint[..])
            .collect();
        let history = self.session.history();
        let pairs = history.iter().zip(&wanted);
        let same = pairs.take_while(|(one, other)| one == other).count();
        let back = history.len() - same;
        for _ in 0..back {
            self.session.undo();
        }
        for joint in &wanted[same..] {
            self.session.play_joint(joint)?;
        }
        self.chosen.fill(None);
        self.resigned = None;
        self.epoch += 1;
        Ok(())
    }

    fn draw(&mut self) {
        let picture = self.screen.show_svg(&self.session.facts());
        let roles = 0..self.chosen.len();
        let clicks = roles.map(|role| self.screen.clicks(&self.session, role));
        self.drawn = DrawnPosition {
            clicks: clicks.collect(),
            epoch: self.epoch,
            picture,
        };
    }

    /// The record of the line that is shown, as far as it is shown.
    pub(super) fn record_so_far(&self) -> Record {
        let roles = self.session.roles();
        let header = &self.header;
        let names = header
            .match_players
            .iter()
            .zip(roles)
            .map(|(match_player, role)| match &*match_player.name {
                "" if is_chance(role) => "random".to_owned(),
                "" => "human".to_owned(),
                name => name.to_owned(),
            });
        let begun = Record {
            rulesheet: Some(header.rules.clone()),
            ..Record::begin(&header.game, &self.session, self.seed(), header.begun)
        };
        let mut record = Record {
            player_names_from_host: names.collect(),
            ..begun.so_far(&self.session)
        };
        for (time, mv) in record
            .state_times
            .iter_mut()
            .skip(1)
            .zip(self.played.moves())
        {
            *time = mv.at;
        }
        if self.session.is_terminal() && self.session.fault().is_none() {
            record.close(&End::Terminal, self.session.goals());
        }
        record
    }

    /// Removes it from the disk.
    pub(super) fn remove(&self) -> Result<(), JournalError> {
        Ok(self.journal.remove()?)
    }
}

fn check_owner(access: MatchAccess) -> Result<(), ServeRefusal> {
    match access {
        MatchAccess::Owner => Ok(()),
        _ => Err(ServeRefusal::forbidden(
            "only whoever made the match may do this",
        )),
    }
}
