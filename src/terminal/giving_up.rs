//! Ends that the rules do not know: a draw and a resignation.

use std::io;

use crate::game::is_chance;
use crate::terminal::interactive::{AfterLine, Dialogue, Ended};

/// The goal that is worth as much as a draw.
const EVEN: f64 = 50.0;

/// An end that the rules do not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GivenUp {
    /// The person who plays this role gave the game up.
    Resigned(usize),
    /// All agreed.
    Draw,
}

impl GivenUp {
    /// The end in words, as records tell it.
    pub(super) fn words(self, roles: &[String]) -> String {
        let Self::Resigned(role) = self else {
            return "a draw by agreement".to_owned();
        };
        let resigns = &roles[role];
        match others(role, roles)[..] {
            [(_, winner)] => format!("{winner} wins, since {resigns} resigns"),
            _ => format!("{resigns} resigns"),
        }
    }

    /// The end that has these words.
    pub(super) fn of_words(words: &str, roles: &[String]) -> Option<Self> {
        let mut ends = (0..roles.len()).map(Self::Resigned).chain([Self::Draw]);
        ends.find(|end| end.words(roles) == words)
    }
}

/// The other roles with their names, without chance.
fn others(role: usize, roles: &[String]) -> Vec<(usize, &String)> {
    let roles = roles.iter().enumerate();
    roles
        .filter(|(other, name)| *other != role && !is_chance(name))
        .collect()
}

impl Dialogue<'_> {
    /// The person who plays `role` gives the game up.
    pub(super) fn resign(&mut self, role: Option<usize>) -> io::Result<AfterLine> {
        let Some(role) = role else {
            return self.stay("the game is over already");
        };
        self.give_up(GivenUp::Resigned(role))
    }

    fn give_up(&mut self, how: GivenUp) -> io::Result<AfterLine> {
        self.given_up = Some(how);
        self.keep()?;
        Ok(AfterLine::Changed)
    }

    /// The person who plays `role` offers a draw. A machine takes it unless it expects to score more than half of the points.
    pub(super) fn offer_draw(&mut self, role: Option<usize>) -> io::Result<AfterLine> {
        let Some(role) = role else {
            return self.stay("the game is over already");
        };
        let roles = self.session.roles().to_vec();
        let others = others(role, &roles);
        if others.is_empty() {
            return self.stay("there is nobody to agree with");
        }
        for (other, name) in others {
            let agrees = match self.players.is_person(other) {
                true => match self.ask(&format!("{name}, a draw? (y or n)>"), &[])? {
                    Ok(answer) => is_yes(&answer),
                    Err(ended) => return self.leave(ended),
                },
                false => self.machine_agrees(other, name)?,
            };
            if self.players.interrupts.takes_leave() {
                return self.leave(Ended::Interrupted);
            }
            if !agrees {
                return self.stay(&format!("{name} declines the draw"));
            }
        }
        self.give_up(GivenUp::Draw)
    }

    fn machine_agrees(&mut self, role: usize, name: &str) -> io::Result<bool> {
        let expected = self.while_busy(&format!("{name} thinks"), |dialogue| {
            dialogue.players.expects(dialogue.session, role)
        })?;
        match expected {
            // What it expects after a part of its time may be far from what it would find.
            _ if self.players.interrupts.was_cut_short() => {
                writeln!(self.output, "{name} could not think to the end")?;
                Ok(false)
            }
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
}

pub(super) fn is_yes(answer: &str) -> bool {
    matches!(answer.to_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_read_from_records() {
        let roles = ["red", "random", "black"].map(str::to_owned);
        for end in [GivenUp::Resigned(0), GivenUp::Resigned(2), GivenUp::Draw] {
            assert_eq!(GivenUp::of_words(&end.words(&roles), &roles), Some(end));
        }
        let words = GivenUp::Resigned(2).words(&roles);
        assert_eq!(words, "red wins, since black resigns");
        assert_eq!(GivenUp::of_words("given up after 2 plies", &roles), None);
    }
}
