//! What happens in a match: on the disk first, then in memory.

use std::time::Duration;

use super::ending::TimeUp;
use super::{DrawnPosition, ServedMatch};
use crate::game::is_chance;
use crate::play::{End, Record, milliseconds};
use crate::serve::journal::JournalEvent;
use crate::serve::variations::VariationTree;
use crate::serve::{JournalError, ServeRefusal};

impl ServedMatch {
    /// Writes an event down, and lets it happen.
    pub(super) fn record(&mut self, event: &JournalEvent) -> Result<(), ServeRefusal> {
        let time = self.clock_event();
        self.journal.add(time.iter().chain([event]))?;
        self.apply(event)?;
        self.keep_time();
        self.changed = milliseconds();
        if self.drawn.epoch != self.epoch {
            self.draw();
        }
        Ok(())
    }

    pub(super) fn apply(&mut self, event: &JournalEvent) -> Result<(), ServeRefusal> {
        self.version += 1;
        match event {
            JournalEvent::Played {
                joint,
                by,
                at,
                is_over,
            } => {
                self.played.play(joint, *by, *at, *is_over);
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
                self.time_up = None;
                if let Some(clock) = &mut self.clock {
                    clock.set_used(Duration::ZERO);
                }
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
            JournalEvent::Clock { used } => {
                if let Some(clock) = &mut self.clock {
                    clock.set_used(Duration::from_millis(*used));
                }
            }
            JournalEvent::TimeUp {
                goals,
                winner,
                by_lot,
                at,
            } => {
                self.time_up = Some(TimeUp {
                    goals: goals.clone(),
                    winner: *winner,
                    by_lot: *by_lot,
                });
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

    pub(super) fn draw(&mut self) {
        self.drawn = DrawnPosition::of(&mut self.screen, &self.session, self.epoch);
    }

    /// The record of the line that is shown, as far as it is shown.
    pub(in crate::serve) fn record_so_far(&self) -> Record {
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
    pub(in crate::serve) fn remove(&self) -> Result<(), JournalError> {
        Ok(self.journal.remove()?)
    }
}
