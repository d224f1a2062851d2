//! Ends that the rules do not know: a draw, a resignation, and leaving.

use std::io;

use crate::game::is_chance;
use crate::terminal::interactive::{Ended, Table, Turn};

/// The goal that is worth as much as a draw.
const EVEN: f64 = 50.0;

impl Table<'_> {
    /// The person who plays `role` gives the game up.
    pub(super) fn resign(&mut self, role: Option<usize>) -> io::Result<Turn> {
        let Some(role) = role else {
            return self.stay("the game is over already");
        };
        let resigns = &self.session.roles()[role];
        let others = self.others(role);
        let others: Vec<&str> = others.iter().map(|(_, name)| name.as_str()).collect();
        self.given_up = Some(match others[..] {
            [winner] => format!("{winner} wins, since {resigns} resigns"),
            _ => format!("{resigns} resigns"),
        });
        Ok(Turn::Changed)
    }

    /// The person who plays `role` offers a draw. A machine takes it unless it expects to score more than half of the points.
    pub(super) fn offer_draw(&mut self, role: Option<usize>) -> io::Result<Turn> {
        let Some(role) = role else {
            return self.stay("the game is over already");
        };
        let others = self.others(role);
        if others.is_empty() {
            return self.stay("there is nobody to agree with");
        }
        for (other, name) in others {
            let agrees = match self.players.is_person(other) {
                true => match self.ask(&format!("{name}, a draw? (y or n)>"), &[])? {
                    Ok(answer) => is_yes(&answer),
                    Err(ended) => return self.leave(ended),
                },
                false => self.machine_agrees(other, &name)?,
            };
            if !agrees {
                return self.stay(&format!("{name} declines the draw"));
            }
        }
        self.given_up = Some("a draw by agreement".to_owned());
        Ok(Turn::Changed)
    }

    fn machine_agrees(&mut self, role: usize, name: &str) -> io::Result<bool> {
        let expected = self.while_busy(&format!("{name} thinks"), |table| {
            table.players.expects(table.session, role)
        })?;
        match expected {
            None => {
                writeln!(self.output, "{name} does not judge positions")?;
                Ok(false)
            }
            Some(points) => {
                writeln!(self.output, "{name} expects {points:.0} of 100 points")?;
                Ok(points <= EVEN)
            }
        }
    }

    /// The other roles with their names, without chance.
    fn others(&self, role: usize) -> Vec<(usize, String)> {
        let roles = self.session.roles().iter().cloned().enumerate();
        roles
            .filter(|(other, name)| *other != role && !is_chance(name))
            .collect()
    }

    /// Leaves, after asking whether to save a game that goes on.
    pub(super) fn leave(&mut self, ended: Ended) -> io::Result<Turn> {
        const QUESTION: &str =
            "save the game first? (a file name, Enter for no, `back` to play on)>";
        let played = self.session.history().len();
        let is_saved = played == 0 || self.saved_at == Some(played);
        if !self.lines.is_terminal() || is_saved || self.end().is_some() {
            return Ok(Turn::Leave(ended));
        }
        loop {
            let Ok(name) = self.ask(QUESTION, &[])? else {
                return Ok(Turn::Leave(ended));
            };
            match name.as_str() {
                "" | "n" | "no" => return Ok(Turn::Leave(ended)),
                "back" => return Ok(Turn::Again),
                "y" | "yes" => writeln!(self.output, "to which file?")?,
                name => {
                    self.save(name)?;
                    if self.saved_at == Some(played) {
                        return Ok(Turn::Leave(ended));
                    }
                }
            }
        }
    }
}

pub(super) fn is_yes(answer: &str) -> bool {
    matches!(answer.to_lowercase().as_str(), "y" | "yes")
}
