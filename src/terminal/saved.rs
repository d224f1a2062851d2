//! Games saved to files and loaded from them.

use std::io;
use std::path::Path;

use crate::files::{Existing, WriteError};
use crate::play::{Record, Spec, Step};
use crate::session::Session;
use crate::terminal::giving_up::is_yes;
use crate::terminal::interactive::{Table, Turn};

impl Table<'_> {
    pub(super) fn save(&mut self, name: &str) -> io::Result<()> {
        if name.is_empty() {
            return writeln!(self.output, "which file? type `save FILE`");
        }
        let (name, is_forced) = match name.strip_prefix("--force ") {
            Some(name) => (name.trim(), true),
            None => (name, false),
        };
        let record = self.record_so_far();
        let path = Path::new(name);
        let earlier = |path: &Path| Record::load(path).is_ok_and(|old| old.is_same_match(&record));
        let existing = match is_forced {
            true => Existing::Replace,
            false => Existing::ReplaceIf(&earlier),
        };
        let mut saved = record.save(path, existing);
        if saved.as_ref().is_err_and(WriteError::is_existing_file) {
            if !self.may_replace(name)? {
                return Ok(());
            }
            saved = record.save(path, Existing::Replace);
        }
        let words = match saved {
            Ok(()) => {
                self.saved_at = Some(self.session.history().len());
                format!("saved to {name}; `load {name}` goes on with it")
            }
            Err(why) => format!("{why}; {}", why.help()),
        };
        writeln!(self.output, "{words}")
    }

    /// Asks whether a file that is not this game may be replaced; says how where nobody can be asked.
    fn may_replace(&mut self, name: &str) -> io::Result<bool> {
        if !self.lines.is_terminal() {
            writeln!(
                self.output,
                "{name} exists and is not this game: `save --force {name}` replaces it"
            )?;
            return Ok(false);
        }
        writeln!(self.output, "{name} exists and is not this game")?;
        let is_yes = self
            .ask("replace it? (y or n)>", &[])?
            .is_ok_and(|answer| is_yes(&answer));
        if !is_yes {
            writeln!(self.output, "not saved; {name} is as it was")?;
        }
        Ok(is_yes)
    }

    /// The moves played so far, and the states they led to.
    pub(super) fn record_so_far(&self) -> Record {
        let past: Vec<Session> = self
            .session
            .past()
            .chain([self.session.position()])
            .map(|position| Session::from(position.clone()))
            .collect();
        let mut record = self.record.restart(&past[0]);
        record.player_names_from_host = self.players.specs().iter().map(Spec::to_string).collect();
        for (joint, after) in self.session.history().into_iter().zip(&past[1..]) {
            record.add(&Step::replayed(joint.to_vec()), after, record.start_time);
        }
        record.end.clone_from(&self.given_up);
        record
    }

    pub(super) fn load(&mut self, name: &str) -> io::Result<Turn> {
        if name.is_empty() {
            return self.stay("which file? type `load FILE`");
        }
        let loaded = match Record::load(Path::new(name)) {
            Ok(loaded) => loaded,
            Err(why) => return self.stay(&why.to_string()),
        };
        let mut session = self.session.clone();
        if let Err(why) = loaded.set_up(&mut session) {
            return self.stay(&why.to_string());
        }
        // It is this match that goes on, so that it may be saved where it was.
        self.record.start_time = loaded.start_time;
        self.record.seed = loaded.seed;
        *self.session = session;
        self.given_up = None;
        let played = self.session.history().len();
        self.saved_at = Some(played);
        self.moved(&format!("loaded {name}: {played} moves played"))
    }
}
