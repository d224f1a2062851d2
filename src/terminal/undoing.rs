//! Taking moves back, playing them again, and beginning anew.

use std::io;

use crate::play::{Record, Spec, milliseconds, role_number};
use crate::terminal::interactive::{AfterLine, Dialogue, FAINT};

impl Dialogue<'_> {
    /// Takes back to the last position in which a person had a choice, so many times.
    pub(super) fn undo(&mut self, times: usize) -> io::Result<AfterLine> {
        let before = self.session.history().len();
        let mut done = usize::from(self.given_up.take().is_some());
        let gave_up = done > 0;
        while done < times && self.undo_to_choice() {
            done += 1;
        }
        let plies = before - self.session.history().len();
        match plies {
            0 if !gave_up => self.stay("there is nothing to take back"),
            0 => self.moved("the game goes on"),
            plies => self.moved(&format!("taken back {}", moves(plies))),
        }
    }

    /// Takes back to the last position in which a person had a choice, if there is one: before it, the machines would
    /// move at once, and there would be nothing to play again.
    fn undo_to_choice(&mut self) -> bool {
        let here = self.session.history().len();
        while self.session.undo() {
            if self.person_may_choose() {
                return true;
            }
        }
        while self.session.history().len() < here && self.session.redo() {}
        false
    }

    /// Plays again what was taken back, to the next position in which a person has a choice, so many times.
    pub(super) fn redo(&mut self, times: usize) -> io::Result<AfterLine> {
        let before = self.session.history().len();
        let mut done = 0;
        while done < times && self.session.redo() {
            while !self.person_may_choose() && self.session.redo() {}
            done += 1;
        }
        match self.session.history().len() - before {
            0 => self.stay("there is nothing to play again"),
            plies => self.moved(&format!("played {} again", moves(plies))),
        }
    }

    /// Goes back to the first position.
    pub(super) fn restart(&mut self) -> io::Result<AfterLine> {
        self.given_up = None;
        while self.session.undo() {}
        self.moved("back at the start; `redo` plays the moves again")
    }

    /// Begins another game with another seed; `role` is the one that the person plays then.
    pub(super) fn new_game(&mut self, role: &str) -> io::Result<AfterLine> {
        if !self.is_kept() && !self.may_leave_game()? {
            return Ok(AfterLine::Again);
        }
        if !role.is_empty()
            && let Err(why) = self.change_role(role)
        {
            return self.stay(&why);
        }
        let start = self.session.past().next();
        let start = start.unwrap_or(self.session.position()).clone();
        *self.session = start.into();
        self.given_up = None;
        self.players.begin(self.players.seed().wrapping_add(1));
        self.prepare()?;
        self.variations.clear();
        self.keep_another();
        // Two games that begin in one millisecond are two games all the same.
        let now = milliseconds().max(self.record.start_time + 1);
        let game = self.record.game_name.clone().unwrap_or_default();
        let another = Record::begin(&game, self.session, self.players.seed(), now);
        self.record.go_on_with(&another);
        self.saved = None;
        let roles = self.session.roles().iter().zip(self.players.specs());
        let names = roles.map(|(role, spec)| match spec {
            Spec::Human => format!("{role} you"),
            spec => format!("{role} {spec}"),
        });
        let (names, seed) = (names.collect::<Vec<_>>().join(", "), self.players.seed());
        self.moved(&format!(
            "a new game: {names} {FAINT}(seed {seed}){FAINT:#}"
        ))
    }

    /// Lets the person play this role, and its player the person's.
    fn change_role(&mut self, role: &str) -> Result<(), String> {
        let wanted = role_number(role, self.session.roles());
        let wanted = wanted.map_err(|why| format!("{why}: {}", why.help))?;
        let people = self.players.people();
        match people[..] {
            _ if people.contains(&wanted) => {}
            [person] => self.players.swap(person, wanted),
            _ => return Err("several people play: begin again with `--role`".to_owned()),
        }
        Ok(())
    }

    pub(super) fn stay(&mut self, words: &str) -> io::Result<AfterLine> {
        writeln!(self.output, "{words}")?;
        Ok(AfterLine::Again)
    }

    pub(super) fn moved(&mut self, words: &str) -> io::Result<AfterLine> {
        self.keep()?;
        self.screen.forget();
        writeln!(self.output, "{words}")?;
        self.show_board()?;
        Ok(AfterLine::Changed)
    }

    fn person_may_choose(&self) -> bool {
        let people = self.players.people().into_iter();
        people
            .into_iter()
            .any(|role| self.session.legal_of(role).len() > 1)
    }
}

fn moves(plies: usize) -> String {
    match plies {
        1 => "1 move".to_owned(),
        plies => format!("{plies} moves"),
    }
}
