//! Games saved to files and loaded from them.

use std::io;
use std::path::Path;

use crate::files::{Existing, WriteError};
use crate::play::{Record, Step};
use crate::terminal::interactive::{Interactive, Turn};

impl Interactive<'_> {
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
            Ok(()) => format!("saved to {name}; `load {name}` goes on with it"),
            Err(why) => format!("{why}; {}", why.help()),
        };
        writeln!(self.output, "{words}")
    }

    /// Asks whether a file that is not this game may be replaced; says how where nobody can be asked.
    fn may_replace(&mut self, name: &str) -> io::Result<bool> {
        if !self.is_person_present {
            writeln!(
                self.output,
                "{name} exists and is not this game: `save --force {name}` replaces it"
            )?;
            return Ok(false);
        }
        writeln!(self.output, "{name} exists and is not this game")?;
        let answer = self.ask("replace it? (y/n)")?.unwrap_or_default();
        let is_yes = matches!(answer.to_lowercase().as_str(), "y" | "yes");
        if !is_yes {
            writeln!(self.output, "not saved; {name} is as it was")?;
        }
        Ok(is_yes)
    }

    /// The moves played so far, replayed from the start.
    fn record_so_far(&mut self) -> Record {
        let moves: Vec<Vec<String>> = self
            .session
            .history()
            .iter()
            .map(|joint| joint.to_vec())
            .collect();
        while self.session.undo() {}
        let mut record = self.record.restart(self.session);
        for joint in moves {
            // These moves have been played before.
            if self.session.play(&joint).is_err() {
                break;
            }
            record.add(&Step::replayed(joint), self.session, record.start_time);
        }
        record
    }

    pub(super) fn load(&mut self, name: &str) -> io::Result<Turn> {
        if name.is_empty() {
            writeln!(self.output, "which file? type `load FILE`")?;
            return Ok(Turn::Again);
        }
        let before = self.record_so_far();
        let loaded = Record::load(Path::new(name)).map_err(|why| why.to_string());
        let loaded = loaded.and_then(|record| record.set_up(self.session));
        if let Err(why) = loaded {
            // What stood on the table can be set up again.
            let restored = before.set_up(self.session);
            writeln!(self.output, "{why}")?;
            return Ok(if restored.is_ok() {
                Turn::Again
            } else {
                Turn::Quit
            });
        }
        self.screen.forget();
        writeln!(
            self.output,
            "loaded {name}: {} moves played",
            self.session.history().len()
        )?;
        self.show_board()?;
        Ok(Turn::Changed)
    }
}
