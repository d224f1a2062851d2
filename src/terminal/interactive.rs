//! A person plays.

use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use anstyle::Style as Paint;

use crate::play::{
    Choice, MinimaxSettings, Player, Record, SearchLimits, Searcher, Session, while_others_ponder,
};
use crate::session::START_CLOCK;
use crate::terminal::Screen;
use crate::terminal::ask::{Request, Typed, find_move, read_line};
use crate::terminal::words::{joint_line, verdict};
use crate::util::StopFlag;

/// A game at the terminal: a person, or several in turn, against players of any kind.
pub struct Interactive<'i> {
    /// The game in progress.
    pub session: &'i mut Session,
    /// Draws it.
    pub screen: Screen,
    /// Who plays each role: `None` for a person.
    pub players: Vec<Option<Box<dyn Player>>>,
    /// Where the person's lines come from.
    pub input: &'i mut dyn BufRead,
    /// Whether a person types them, who can be asked before a file is replaced.
    pub is_person_present: bool,
    /// Where the boards go.
    pub output: &'i mut dyn Write,
    /// A record to begin saved games with: the game's name and rules, and when it began.
    pub record: Record,
}

/// The states since somebody had a choice, as facts: one that comes again comes again for ever.
type Forced = HashSet<Vec<String>>;

/// What comes after a line was typed.
pub(super) enum Turn {
    /// Ask again.
    Again,
    /// The state has changed.
    Changed,
    /// The person has had enough.
    Quit,
    /// The person plays this.
    Move(String),
}

const STRONG: Paint = Paint::new().bold();
const FAINT: Paint = Paint::new().dimmed();

const HELP: &str = "\
  a number or a move   plays it: `3`, `(mark 2 2)`, `mark 2 2`, or as much of it as is needed
  moves (m)            lists the legal moves
  board (b), facts     shows the position again, drawn or as facts
  undo (u)             takes back your last move and all that followed
  hint                 asks the computer
  save FILE            writes the game so far to a file, a match record; asks before it replaces anything but
                       this game, and `save --force FILE` does not ask
  load FILE            goes on with a saved game
  quit (q)             ends
";

impl Interactive<'_> {
    /// Plays until the person quits or the input ends.
    ///
    /// # Errors
    /// When input or output fail.
    pub fn run(mut self) -> io::Result<()> {
        write!(
            self.output,
            "{FAINT}type `help` for help, `quit` to end{FAINT:#}\n\n"
        )?;
        self.show_board()?;
        for (role, player) in self.players.iter_mut().enumerate() {
            if let Some(player) = player {
                player.prepare(self.session, role);
            }
        }
        let mut forced = Forced::default();
        loop {
            let goes_on = if self.show_end(&forced)? {
                forced.clear();
                self.wait()?
            } else {
                self.step(&mut forced)?
            };
            if !goes_on {
                return self.output.flush();
            }
        }
    }

    pub(super) fn show_board(&mut self) -> io::Result<()> {
        let board = self.screen.show(&self.session.facts());
        writeln!(self.output, "{board}")
    }

    /// Says how the game ended, if it did.
    fn show_end(&mut self, forced: &Forced) -> io::Result<bool> {
        let roles = self.session.roles().iter().enumerate();
        let mut stuck = roles.filter(|(role, _)| self.session.legal(*role).is_empty());
        let words = if let Some(fault) = self.session.fault() {
            format!("the game cannot go on, since the engine failed: {fault}")
        } else if self.session.is_terminal() {
            format!(
                "game over: {}",
                verdict(self.session.roles(), self.session.goals())
            )
        } else if let Some((_, role)) = stuck.next() {
            format!("the game is stuck: {role} has no legal move, though the game is not over")
        } else if forced.contains(&self.session.facts()) {
            "the game stands still: no player can change anything".to_owned()
        } else {
            return Ok(false);
        };
        writeln!(self.output, "{STRONG}{words}{STRONG:#}")?;
        Ok(true)
    }

    /// Nothing can be played: other wishes remain. Says whether play goes on.
    fn wait(&mut self) -> io::Result<bool> {
        loop {
            let Some(line) = self.ask("over")? else {
                return Ok(false);
            };
            match self.answer(Request::of(&line), None)? {
                Turn::Quit => return Ok(false),
                Turn::Changed => return Ok(true),
                Turn::Again => {}
                Turn::Move(_) => {
                    writeln!(
                        self.output,
                        "the game is over: `undo` takes moves back, `quit` ends"
                    )?;
                }
            }
        }
    }

    /// One joint move. Says whether play goes on.
    fn step(&mut self, forced: &mut Forced) -> io::Result<bool> {
        let roles = self.session.roles().to_vec();
        let choices: Vec<usize> = (0..roles.len())
            .map(|role| self.session.legal(role).len())
            .collect();
        if choices.iter().all(|&choices| choices < 2) {
            forced.insert(self.session.facts());
        } else {
            forced.clear();
        }
        let mut people = Vec::new();
        for role in 0..roles.len() {
            people.push(match self.players[role] {
                Some(_) => None,
                None => match self.person(role, &choices)? {
                    Turn::Quit => return Ok(false),
                    Turn::Move(mv) => Some(mv),
                    Turn::Again | Turn::Changed => return Ok(true),
                },
            });
        }
        let moves = people.into_iter().enumerate();
        let joint: Vec<String> = moves
            .map(|(role, mv)| mv.unwrap_or_else(|| self.opponent(role)))
            .collect();
        if let Err(fault) = self.session.play(&joint) {
            writeln!(self.output, "{fault}")?;
            return Ok(true);
        }
        let number = self.session.history().len();
        let line = joint_line(&roles, &joint, &choices);
        writeln!(self.output, "{STRONG}{number}. {line}{STRONG:#}")?;
        self.show_board()?;
        Ok(true)
    }

    /// The move of a player who is no person; the first legal one where it fails to give any.
    fn opponent(&mut self, role: usize) -> String {
        let player = self.players[role].as_mut();
        let choice = player.and_then(|player| player.choose(self.session, role).ok());
        let first = || {
            self.session
                .legal(role)
                .first()
                .cloned()
                .unwrap_or_default()
        };
        choice.map_or_else(first, |Choice { mv, .. }| mv)
    }

    /// Asks the person who plays `role`, unless there is nothing to choose.
    fn person(&mut self, role: usize, choices: &[usize]) -> io::Result<Turn> {
        let name = self.session.roles()[role].clone();
        if let [only] = self.session.legal(role) {
            let only = only.clone();
            if choices.iter().all(|&choices| choices < 2) && self.players.len() == 1 {
                writeln!(self.output, "{FAINT}{name} can only play {only}{FAINT:#}")?;
            }
            return Ok(Turn::Move(only));
        }
        self.list_moves(role)?;
        loop {
            let Some(line) = self.ask(&name)? else {
                return Ok(Turn::Quit);
            };
            match self.answer(Request::of(&line), Some(role))? {
                Turn::Again => {}
                turn => return Ok(turn),
            }
        }
    }

    /// A line, or `None` at the end of the input.
    pub(super) fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        loop {
            write!(self.output, "{STRONG}{prompt}>{STRONG:#} ")?;
            self.output.flush()?;
            let players = self.players.iter_mut().enumerate();
            let players = players.filter_map(|(role, player)| Some((role, player.as_mut()?)));
            let input = &mut *self.input;
            let typed = while_others_ponder(players, self.session, || read_line(input));
            match typed? {
                Typed::Line(line) => return Ok(Some(line)),
                Typed::TooLong => writeln!(self.output, "that line is too long")?,
                Typed::End => {
                    writeln!(self.output)?;
                    return Ok(None);
                }
            }
        }
    }

    /// Does what is asked, if it is not a move.
    fn answer(&mut self, request: Request, role: Option<usize>) -> io::Result<Turn> {
        match request {
            Request::Quit => return Ok(Turn::Quit),
            Request::Move(text) => return self.chosen(&text, role),
            Request::Undo => return self.undo(),
            Request::Load(name) => return self.load(&name),
            Request::Save(name) => self.save(&name)?,
            Request::Help => write!(self.output, "{HELP}")?,
            Request::Board => {
                self.screen.forget();
                self.show_board()?;
            }
            Request::Facts => writeln!(self.output, "{}", self.session.facts().join("\n"))?,
            Request::Moves => match role {
                Some(role) => self.list_moves(role)?,
                None => writeln!(self.output, "there are no more moves")?,
            },
            Request::Hint => self.hint(role)?,
            Request::Nothing => {}
        }
        Ok(Turn::Again)
    }

    fn chosen(&mut self, text: &str, role: Option<usize>) -> io::Result<Turn> {
        let Some(role) = role else {
            return Ok(Turn::Move(text.to_owned()));
        };
        let legal = self.session.legal(role);
        match find_move(text, legal) {
            Ok(place) => Ok(Turn::Move(legal[place].clone())),
            Err(why) => {
                let faint = FAINT;
                writeln!(
                    self.output,
                    "{why} {faint}(`moves` lists them, `help` tells more){faint:#}"
                )?;
                Ok(Turn::Again)
            }
        }
    }

    /// The legal moves with their numbers, in columns.
    fn list_moves(&mut self, role: usize) -> io::Result<()> {
        const WIDTH: usize = 78;
        let legal = self.session.legal(role);
        let digits = legal.len().to_string().len();
        let widest = legal.iter().map(|mv| mv.chars().count()).max().unwrap_or(0);
        let columns = (WIDTH / (widest + digits + 4)).max(1);
        let rows = legal.len().div_ceil(columns);
        for row in 0..rows {
            let mut line = String::new();
            for place in (row..legal.len()).step_by(rows) {
                line += &format!("  {:>digits$} {:widest$}", place + 1, legal[place]);
            }
            writeln!(self.output, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// Takes back to the last position in which a person had a choice.
    fn undo(&mut self) -> io::Result<Turn> {
        if !self.session.undo() {
            writeln!(self.output, "there is nothing to take back")?;
            return Ok(Turn::Again);
        }
        while !self.person_may_choose() && self.session.undo() {}
        self.screen.forget();
        writeln!(self.output, "taken back")?;
        self.show_board()?;
        Ok(Turn::Changed)
    }

    fn person_may_choose(&self) -> bool {
        let people = self
            .players
            .iter()
            .enumerate()
            .filter(|(_, player)| player.is_none());
        people
            .into_iter()
            .any(|(role, _)| self.session.legal(role).len() > 1)
    }

    fn hint(&mut self, role: Option<usize>) -> io::Result<()> {
        const TIME: Duration = Duration::from_secs(1);
        const DEPTH: u32 = 12;
        let limits = SearchLimits {
            time: Some(TIME),
            ..SearchLimits::to_depth(DEPTH)
        };
        let mut searcher = Searcher::minimax(MinimaxSettings::default());
        if let Some(role) = role {
            self.session
                .prepare(role, &mut searcher, START_CLOCK, &StopFlag::default());
        }
        let found = role.and_then(|role| self.session.search(role, &limits, &mut searcher));
        match found {
            None => writeln!(self.output, "there is nothing to choose"),
            Some(found) => {
                let value = if found.exact { "exact value" } else { "value" };
                let (mv, goal) = (found.best, found.value.goal());
                writeln!(self.output, "try {STRONG}{mv}{STRONG:#} ({value} {goal})")
            }
        }
    }
}
