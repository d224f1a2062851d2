//! Games saved to files and loaded from them.

use std::io;
use std::path::Path;

use crate::play::{Record, Step};
use crate::terminal::interactive::{Interactive, Turn};

impl Interactive<'_> {
    pub(super) fn save(&mut self, name: &str) -> io::Result<()> {
        if name.is_empty() {
            return writeln!(self.output, "which file? type `save FILE`");
        }
        let path = Path::new(name);
        let words = if path.is_file() && Record::load(path).is_err() {
            format!("{name} exists and is no saved game: choose another name")
        } else {
            match self.record_so_far().save(path) {
                Ok(()) => format!("saved to {name}; `load {name}` goes on with it"),
                Err(why) => why.to_string(),
            }
        };
        writeln!(self.output, "{words}")
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
