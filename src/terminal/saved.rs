//! Games saved to files and loaded from them.

use std::io;
use std::path::Path;

use crate::files::{Existing, WriteError, in_home};
use crate::play::{Record, Spec};
use crate::terminal::giving_up::{GivenUp, is_yes};
use crate::terminal::interactive::{AfterLine, Dialogue, SavedGame};

impl Dialogue<'_> {
    pub(super) fn save(&mut self, name: &str) -> io::Result<()> {
        if name.is_empty() {
            return writeln!(self.output, "which file? type `save FILE`");
        }
        let (name, is_forced) = match name.strip_prefix("--force ") {
            Some(name) => (name.trim(), true),
            None => (name, false),
        };
        let record = self.record_so_far();
        let path = &in_home(name, self.home.as_deref());
        let earlier = |path: &Path| Record::load(path).is_ok_and(|old| old.is_same_match(&record));
        let existing = match is_forced {
            true => Existing::Replace,
            false => Existing::ReplaceIf(&earlier),
        };
        let interrupts = self.players.interrupts.clone();
        let mut saved = interrupts.while_writing(|| record.save(path, existing));
        if saved.as_ref().is_err_and(WriteError::is_existing_file) {
            if !self.may_replace(name)? {
                return Ok(());
            }
            saved = interrupts.while_writing(|| record.save(path, Existing::Replace));
        }
        let words = match saved {
            Ok(()) => {
                self.saved = Some(self.so_far());
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
        let mut record = self.record.so_far(self.session);
        record.player_names_from_host = self.players.specs().iter().map(Spec::to_string).collect();
        record.end = self.given_up.map(|how| how.words(self.session.roles()));
        record
    }

    /// What saving the game now would keep.
    pub(super) fn so_far(&self) -> SavedGame {
        let moves = self.session.history().into_iter().map(<[String]>::to_vec);
        (moves.collect(), self.given_up)
    }

    pub(super) fn load(&mut self, name: &str) -> io::Result<AfterLine> {
        if name.is_empty() {
            return self.stay("which file? type `load FILE`");
        }
        let path = in_home(name, self.home.as_deref());
        let loaded = match Record::load(&path) {
            Ok(loaded) => loaded,
            Err(why) => return self.stay(&why.to_string()),
        };
        let mut session = self.session.clone();
        if let Err(why) = loaded.set_up(&mut session) {
            return self.stay(&why.to_string());
        }
        if !self.is_kept() && !self.may_leave_game()? {
            return Ok(AfterLine::Again);
        }
        self.variations.clear();
        self.keep_another();
        // It is this match that goes on, so that it may be saved where it was.
        self.record.go_on_with(&loaded);
        *self.session = session;
        let end = loaded.end.as_deref();
        self.given_up = end.and_then(|end| GivenUp::of_words(end, self.session.roles()));
        self.saved = Some(self.so_far());
        self.learn_numbers();
        let played = self.session.history().len();
        self.moved(&format!("loaded {name}: {played} moves played"))
    }
}
