//! What callers and machines may do in a match, each change an event.

use super::{MOST_MOVES, MatchAccess, ServedMatch};
use crate::play::milliseconds;
use crate::serve::ServeRefusal;
use crate::serve::journal::JournalEvent;
use crate::session::Position;

impl ServedMatch {
    /// A person plays a move in the position after `ply` joint moves.
    pub(in crate::serve) fn play(
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
        self.check_limits()?;
        let mv = mv.to_owned();
        let is_last = self.choosing().iter().all(|&other| other == role);
        if is_last {
            self.chosen[role] = Some(mv);
            return self.play_chosen().inspect_err(|_| self.chosen[role] = None);
        }
        self.record(&JournalEvent::Chosen { role, mv })
    }

    /// A machine has chosen a move.
    pub(in crate::serve) fn choose(&mut self, role: usize, mv: String) {
        match self.session.legal_of(role).contains(&mv) {
            true => {
                self.chosen[role] = Some(mv);
                self.version += 1;
            }
            false => self.fail(format!("a machine chose {mv}, which is not legal")),
        }
    }

    /// Plays the joint move that everybody has chosen; roles with a single move are filled in.
    pub(in crate::serve) fn play_chosen(&mut self) -> Result<(), ServeRefusal> {
        self.check_limits()?;
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

    /// Whether there is time and room for another move.
    fn check_limits(&self) -> Result<(), ServeRefusal> {
        if self.has_no_time() {
            return Err(ServeRefusal::conflict("the time is up"));
        }
        match self.played.len() < MOST_MOVES {
            true => Ok(()),
            false => Err(ServeRefusal::conflict(format!(
                "the match has {MOST_MOVES} moves, the limit"
            ))),
        }
    }

    /// Takes back joint moves: so many, or to the last position in which the caller had a choice.
    pub(in crate::serve) fn undo(
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
    pub(in crate::serve) fn redo(&mut self, access: MatchAccess) -> Result<(), ServeRefusal> {
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
    pub(in crate::serve) fn go_to(
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
    pub(in crate::serve) fn restart(&mut self, access: MatchAccess) -> Result<(), ServeRefusal> {
        check_owner(access)?;
        self.record(&JournalEvent::Restarted { at: milliseconds() })
    }

    /// Lets machines wait, or go on.
    pub(in crate::serve) fn pause(
        &mut self,
        access: MatchAccess,
        on: bool,
    ) -> Result<(), ServeRefusal> {
        check_owner(access)?;
        if on != self.is_paused {
            self.record(&JournalEvent::Paused { on })?;
        }
        Ok(())
    }

    /// A role gives up.
    pub(in crate::serve) fn resign(
        &mut self,
        access: MatchAccess,
        role: &str,
    ) -> Result<(), ServeRefusal> {
        let role = self.role_of(access, role)?;
        if self.is_over() {
            return Err(ServeRefusal::conflict("the game is over"));
        }
        let at = milliseconds();
        self.record(&JournalEvent::Resigned { role, at })
    }

    /// A machine or the disk failed: machines wait.
    pub(in crate::serve) fn fail(&mut self, why: String) {
        self.fault = Some(why);
        self.is_paused = true;
        self.version += 1;
        self.keep_time();
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
