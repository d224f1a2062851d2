//! A recorded game, at one of its plies.

use std::io::Write;

use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::move_text::random_instead;
use crate::cli::style;
use crate::drawing::Screen;
use crate::play::{Record, Step};
use crate::session::Session;
use crate::terminal::{move_line, verdict};

/// A recorded game, at one of its plies.
pub(super) struct ReplayedGame<'r> {
    session: Session,
    record: &'r Record,
    screen: Screen,
}

/// What a person wants.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReplayRequest {
    /// The position after so many plies.
    GoTo(usize),
    /// Nothing that can be done: a word about it.
    Stay(&'static str),
    /// The end.
    Quit,
}

const HELP: &str = "\
Enter, next: one ply on; back: one ply back; N, go N: after N plies; start, end: the first and the last position; quit";

impl ReplayRequest {
    /// Reads a line at this ply of a game that has so many.
    pub(super) fn read(line: &str, ply: usize, last: usize) -> Self {
        let mut words = line.split_whitespace();
        let (word, rest) = (words.next().unwrap_or("next"), words.next());
        if let Some(number) = numbered(word, rest) {
            return Self::GoTo(number);
        }
        let is = |command: &str| rest.is_none() && command.starts_with(&word.to_lowercase());
        match () {
            () if is("next") && ply == last => {
                Self::Stay("this is the last position; `back` goes back")
            }
            () if is("next") => Self::GoTo(ply + 1),
            () if is("back") && ply == 0 => Self::Stay("this is the first position"),
            () if is("back") => Self::GoTo(ply - 1),
            () if is("start") => Self::GoTo(0),
            () if is("end") => Self::GoTo(last),
            () if is("quit") || is("exit") => Self::Quit,
            () => Self::Stay(HELP),
        }
    }
}

/// The number of `12`, `go 12` and `g 12`.
fn numbered(word: &str, rest: Option<&str>) -> Option<usize> {
    match rest {
        None => word.parse().ok(),
        Some(rest) if "go".starts_with(&word.to_lowercase()) => rest.parse().ok(),
        Some(_) => None,
    }
}

impl<'r> ReplayedGame<'r> {
    /// The game that was played on `session`, at one of its positions; the moves behind it can be played again.
    pub(super) fn new(session: Session, record: &'r Record, screen: Screen) -> Self {
        Self {
            session,
            record,
            screen,
        }
    }

    /// The number of plies before the position.
    pub(super) fn ply(&self) -> usize {
        self.session.past().count()
    }

    /// The number of plies of the game.
    pub(super) fn last(&self) -> usize {
        self.record.moves.len()
    }

    /// Goes to the position after so many plies, at most as many as the game has.
    pub(super) fn go_to(&mut self, ply: usize) {
        let is_next = ply == self.ply() + 1;
        while self.ply() > ply && self.session.undo() {}
        while self.ply() < ply && self.session.redo() {}
        // What a ply changed is marked; a jump changes too much.
        if !is_next {
            self.screen.forget();
        }
    }

    /// The game and its players.
    pub(super) fn greet(&self, console: &mut Console<'_>) -> Result<(), Failure> {
        let (strong, faint) = (style::STRONG, style::FAINT);
        let game = self.session.game().name();
        let pairs = self
            .session
            .roles()
            .iter()
            .zip(&self.record.player_names_from_host);
        let pairs: Vec<String> = pairs.map(|(role, name)| format!("{role} {name}")).collect();
        let colon = if pairs.is_empty() { "" } else { ": " };
        writeln!(
            console.out,
            "{strong}{game}{strong:#}{colon}{}",
            pairs.join(", ")
        )?;
        let legend = self.screen.legend();
        if !legend.is_empty() {
            writeln!(console.out, "{faint}{legend}{faint:#}")?;
        }
        Ok(())
    }

    /// The position, with the ply that led to it.
    pub(super) fn show(&mut self, console: &mut Console<'_>) -> Result<(), Failure> {
        let (strong, faint) = (style::STRONG, style::FAINT);
        let ply = self.ply();
        let out = &mut console.out;
        writeln!(out)?;
        match ply.checked_sub(1) {
            None => writeln!(out, "{faint}the first position{faint:#}")?,
            Some(before) => {
                let joint = self.record.moves[before].clone();
                let line = move_line(self.session.roles(), &self.step_to_here(joint));
                writeln!(out, "{faint}{ply}.{faint:#} {strong}{line}{strong:#}")?;
                let errors = self.record.errors.get(ply).into_iter().flatten();
                for error in errors.filter(|error| !error.is_empty()) {
                    let why = random_instead(error);
                    writeln!(out, "{faint}{why}{faint:#}")?;
                }
            }
        }
        writeln!(out, "{}", self.screen.show(&self.session.facts()))?;
        if self.session.is_terminal() {
            let words = verdict(self.session.roles(), self.session.goals());
            writeln!(out, "{strong}{words}{strong:#}")?;
        } else if ply == self.last()
            && let Some(end) = &self.record.end
        {
            writeln!(out, "{strong}{end}{strong:#}")?;
        }
        Ok(out.flush()?)
    }

    /// The ply that led to the position: how many moves each role had to choose from says whose move it was.
    fn step_to_here(&self, joint: Vec<String>) -> Step {
        let before = self.session.past().last();
        let roles = 0..joint.len();
        let choices = roles.map(|role| before.map_or(0, |before| before.legal_of(role).len()));
        Step {
            choices: choices.collect(),
            ..Step::replayed(joint)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ReplayRequest::{GoTo, Quit, Stay};
    use super::*;

    #[test]
    fn words_their_beginnings_and_numbers_are_understood() {
        let at = |line| ReplayRequest::read(line, 3, 9);
        for (line, expected) in [
            ("", GoTo(4)),
            ("n", GoTo(4)),
            ("NEXT", GoTo(4)),
            ("b", GoTo(2)),
            ("7", GoTo(7)),
            ("go 7", GoTo(7)),
            ("g 700", GoTo(700)),
            ("start", GoTo(0)),
            ("e", GoTo(9)),
            ("q", Quit),
            ("exit", Quit),
        ] {
            assert_eq!(at(line), expected, "{line}");
        }
        for line in ["help", "go", "go home", "-1", "next 2", "x"] {
            assert_eq!(at(line), Stay(HELP), "{line}");
        }
        assert!(matches!(ReplayRequest::read("", 9, 9), Stay(why) if why.contains("last")));
        assert!(matches!(ReplayRequest::read("back", 0, 9), Stay(why) if why.contains("first")));
    }
}
