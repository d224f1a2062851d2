//! Leaving a game, with a question first.

use std::io;

use crate::files::file_stem;
use crate::terminal::interactive::{AfterLine, Dialogue, Ended};
use crate::terminal::request::Request;
use crate::terminal::words::quoted;

impl Dialogue<'_> {
    /// Leaves, after asking whether to save a game that goes on.
    pub(super) fn leave(&mut self, ended: Ended) -> io::Result<AfterLine> {
        Ok(match self.may_leave_game()? {
            true => AfterLine::Leave(ended),
            false => AfterLine::Again,
        })
    }

    /// Whether this game may be left: a person is asked whether to save one that goes on and is not saved.
    pub(super) fn may_leave_game(&mut self) -> io::Result<bool> {
        const QUESTION: &str = "save the game first? (y, Enter for no, `back` to play on)>";
        if !self.lines.is_terminal() || self.is_saved() || self.end().is_some() {
            return Ok(true);
        }
        loop {
            let Ok(answer) = self.read_line(QUESTION, &[])? else {
                return Ok(true);
            };
            match (answer.to_lowercase().as_str(), Request::of(&answer)) {
                ("" | "n" | "no", _) | (_, Request::Quit) => return Ok(true),
                ("back", _) => return Ok(false),
                ("y" | "yes", _) => self.save_somewhere()?,
                (_, Request::Save(name)) => self.save(&name)?,
                _ => writeln!(
                    self.output,
                    "answer `y`, `n` or `back`, or type `save FILE`"
                )?,
            }
            if self.is_saved() {
                return Ok(true);
            }
        }
    }

    /// Saves the game to a file that the person names.
    fn save_somewhere(&mut self) -> io::Result<()> {
        let usual = format!("{}.json.gz", file_stem(&self.record.match_id));
        let question = format!("to which file? (Enter for {usual})>");
        let Ok(answer) = self.ask(&question, &[])? else {
            return Ok(());
        };
        match Request::of(&answer) {
            Request::Nothing if answer.is_empty() => self.save(&usual),
            Request::Save(name) => self.save(&name),
            Request::Move(_) if answer != "back" => self.save(&answer),
            _ => writeln!(
                self.output,
                "not saved: {} is a command; `save ./NAME` saves to any name",
                quoted(&answer)
            ),
        }
    }

    /// Whether there is nothing that a file does not hold.
    fn is_saved(&self) -> bool {
        let history = self.session.history();
        history.is_empty() || self.saved.as_ref() == Some(&self.so_far())
    }
}
