//! What a person asks for besides playing a move.

use std::io;

use crate::drawing::bare;
use crate::session::Session;
use crate::terminal::find_move::{NotFound, find_by_digits, find_move, moves_like};
use crate::terminal::interactive::{AfterLine, Dialogue, Ended, FAINT};
use crate::terminal::request::{Request, help, meant};
use crate::terminal::words::quoted;

impl Dialogue<'_> {
    /// Does what is asked, if it is not a move. `role` is the one to move, while the game goes on.
    pub(super) fn answer(
        &mut self,
        request: Request,
        role: Option<usize>,
    ) -> io::Result<AfterLine> {
        match request {
            Request::Move(text) => return self.chosen(&text, role),
            Request::Unclear(line) => return self.moved_or_unclear(&line, role),
            Request::Undo(times) => return self.undo(times),
            Request::Redo(times) => return self.redo(times),
            Request::Restart => return self.restart(),
            Request::Ply(plies) => return self.go_to_ply(plies),
            Request::Variations(Some(number)) => return self.go_to_variation(number),
            Request::Variations(None) => self.list_variations()?,
            Request::New(role) => return self.new_game(&role),
            Request::Draw => return self.offer_draw(role),
            Request::Resign => return self.resign(role),
            Request::Load(name) => return self.load(&name),
            Request::Quit => return self.leave(Ended::Quit),
            Request::Save(name) => self.save(&name)?,
            Request::Help => write!(self.output, "{}", help(self.screen.width()))?,
            Request::Board => self.show_board_afresh()?,
            Request::Flip => {
                self.screen.flip();
                self.show_board_afresh()?;
            }
            Request::Facts => writeln!(self.output, "{}", self.session.facts().join("\n"))?,
            Request::Moves(start) => match role {
                Some(role) => self.list_moves(role, &start)?,
                None => writeln!(self.output, "there are no more moves")?,
            },
            Request::Hint => return self.hint(role),
            Request::Eval => return self.eval(),
            Request::Why => return self.why(),
            Request::Level(name) => self.level(&name)?,
            Request::Thinking => {
                let shown = self.players.toggle_thoughts();
                let now = if shown { "shown" } else { "hidden" };
                writeln!(self.output, "what the computer thinks is {now} from now on")?;
            }
            Request::Nothing => {}
        }
        Ok(AfterLine::Again)
    }

    fn show_board_afresh(&mut self) -> io::Result<()> {
        self.screen.forget();
        self.show_board()
    }

    /// The legal moves that begin so, or else contain this, with their numbers.
    pub(super) fn list_moves(&mut self, role: usize, start: &str) -> io::Result<()> {
        let legal = self.session.legal_of(role);
        self.menu.learn(legal);
        let places = moves_like(start, legal);
        if places.is_empty() {
            return writeln!(self.output, "no legal move contains {}", quoted(start));
        }
        let moves: Vec<&str> = places.iter().map(|&place| legal[place].as_str()).collect();
        write!(
            self.output,
            "{}",
            self.menu.list(&moves, self.screen.width())
        )
    }

    /// The move with exactly this text, whatever the case.
    pub(super) fn find_exact(&self, line: &str, legal: &[String]) -> Option<String> {
        let wanted = bare(line).to_lowercase();
        let is_meant = |mv: &&String| bare(mv).to_lowercase() == wanted;
        legal.iter().find(is_meant).cloned()
    }

    /// Gives the moves of the game so far the numbers that they had while it was played.
    pub(super) fn learn_numbers(&mut self) {
        let people = self.players.people();
        for position in self.session.past() {
            let position = Session::from(position.clone());
            let choices = people.iter().map(|&role| position.legal_of(role));
            for legal in choices.filter(|legal| legal.len() > 1) {
                self.menu.learn(legal);
            }
        }
    }

    fn chosen(&mut self, text: &str, role: Option<usize>) -> io::Result<AfterLine> {
        let Some(role) = role else {
            return Ok(AfterLine::Move(text.to_owned()));
        };
        let legal = self.session.legal_of(role);
        if !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()) {
            return self.numbered(text, role);
        }
        match find_move(text, legal) {
            Ok(place) => return Ok(AfterLine::Move(legal[place].clone())),
            Err(NotFound::Several(places)) => {
                let moves: Vec<&str> = places.iter().map(|&place| legal[place].as_str()).collect();
                let list = self.menu.list(&moves, self.screen.width());
                let text = quoted(text);
                write!(self.output, "{text} may mean one of these moves:\n{list}")?;
            }
            Err(NotFound::Nothing) if !moves_like(text, legal).is_empty() => {
                writeln!(
                    self.output,
                    "no legal move is {}; like it are:",
                    quoted(text)
                )?;
                self.list_moves(role, text)?;
            }
            Err(NotFound::Nothing) => {
                let advice = match meant(text, legal) {
                    Some(word) => format!("did you mean `{word}`? "),
                    None => String::new(),
                };
                self.refuse(&format!("{} is no legal move now", quoted(text)), &advice)?;
            }
        }
        Ok(AfterLine::Again)
    }

    /// A move that begins like a command is meant, or a command that takes a number.
    fn moved_or_unclear(&mut self, line: &str, role: Option<usize>) -> io::Result<AfterLine> {
        let legal = role.map_or(&[][..], |role| self.session.legal_of(role));
        if let Ok(place) = find_move(line, legal) {
            return Ok(AfterLine::Move(legal[place].clone()));
        }
        let command = line.split_whitespace().next().unwrap_or_default();
        self.stay(&format!(
            "`{command}` takes a number from 1, such as `{command} 2`"
        ))
    }

    /// The move that has this number, or has these digits for its words where there is no such number.
    fn numbered(&mut self, text: &str, role: usize) -> io::Result<AfterLine> {
        let known = text
            .parse()
            .ok()
            .and_then(|number| self.menu.with_number(number));
        let legal = self.session.legal_of(role);
        let why = match known {
            Some(mv) if legal.iter().any(|one| one == mv) => {
                return Ok(AfterLine::Move(mv.to_owned()));
            }
            Some(mv) => format!("number {text}, {mv}, is no legal move now"),
            None => match find_by_digits(text, legal) {
                Some(place) => return Ok(AfterLine::Move(legal[place].clone())),
                None => format!("there is no move number {}", quoted(text)),
            },
        };
        self.refuse(&why, "")?;
        Ok(AfterLine::Again)
    }

    fn refuse(&mut self, why: &str, advice: &str) -> io::Result<()> {
        writeln!(
            self.output,
            "{why} {FAINT}({advice}`moves` lists them, `help` tells more){FAINT:#}"
        )
    }
}
