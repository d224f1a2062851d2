//! The game in progress on disk.

use std::io;

use crate::terminal::interactive::{Dialogue, FAINT};

impl Dialogue<'_> {
    /// Keeps the game on disk as it stands now, and forgets it where there is nothing to go on with. What cannot be
    /// kept now may be after the next move.
    pub(super) fn keep(&mut self) -> io::Result<()> {
        let Some(mut autosave) = self.autosave.take() else {
            return Ok(());
        };
        let is_over = self.session.fault().is_none()
            && (self.session.is_terminal() || self.given_up.is_some());
        let interrupts = self.players.interrupts.clone();
        let kept = interrupts.while_writing(|| {
            if is_over || self.session.history().is_empty() {
                autosave.forget();
                return Ok(());
            }
            autosave.keep(&self.record_so_far())
        });
        self.autosave = Some(autosave);
        let before = self.unkept.take();
        self.unkept = kept.err().map(|why| why.to_string());
        match (before, &self.unkept) {
            (None, Some(why)) => writeln!(
                self.output,
                "{FAINT}the game is not kept on disk: {why}{FAINT:#}"
            ),
            (Some(_), None) => writeln!(
                self.output,
                "{FAINT}the game is kept on disk again{FAINT:#}"
            ),
            _ => Ok(()),
        }
    }

    /// Whether the game could be gone on with if it ended now.
    pub(super) fn is_kept(&self) -> bool {
        self.autosave.is_some() && self.unkept.is_none()
    }

    /// Another game begins; this one stays as it is kept.
    pub(super) fn keep_another(&mut self) {
        if let Some(autosave) = &mut self.autosave {
            autosave.begin_another();
        }
        self.unkept = None;
    }

    /// Forgets a game that is over, and says how to go on with another.
    pub(super) fn end_autosave(&mut self) -> io::Result<()> {
        let has_ended = self.end().is_some() && self.session.fault().is_none();
        let Some(autosave) = &mut self.autosave else {
            return Ok(());
        };
        if has_ended {
            autosave.forget();
        } else if let Some(why) = &self.unkept {
            writeln!(self.output, "the game is not kept on disk: {why}")?;
        } else if self.lines.is_terminal() && !self.session.history().is_empty() {
            writeln!(
                self.output,
                "`kolibri play --resume` goes on with this game"
            )?;
        }
        Ok(())
    }
}
