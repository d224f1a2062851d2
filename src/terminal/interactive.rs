//! A person plays.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anstyle::Style as Paint;

use crate::drawing::Screen;
use crate::play::{Record, Searcher, Session, while_others_ponder};
use crate::solved::SolvedGame;
use crate::terminal::giving_up::GivenUp;
use crate::terminal::lines::{LineSource, Scene, Typed};
use crate::terminal::menu::Menu;
use crate::terminal::request::Request;
use crate::terminal::variations::Variation;
use crate::terminal::words::{joint_line, verdict};
use crate::terminal::{Autosave, Players};

/// A game at the terminal: a person, or several in turn, against players of any kind.
pub struct Interactive<'i> {
    /// The game in progress.
    pub session: &'i mut Session,
    /// Draws it.
    pub screen: Screen,
    /// Who plays.
    pub players: Players,
    /// Where the person's lines come from.
    pub lines: &'i mut dyn LineSource,
    /// Where the boards go.
    pub output: &'i mut dyn Write,
    /// The record of the match, which says all but its moves.
    pub record: Record,
    /// The least time between two moves of machines.
    pub delay: Duration,
    /// Where the game is kept after each move, if it is.
    pub autosave: Option<Autosave>,
    /// Where `~` leads in the names of files.
    pub home: Option<PathBuf>,
    /// The solution of the game, if one is at hand: it answers in place of a search.
    pub solution: Option<SolvedGame>,
}

/// How it ended that a person played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The person has had enough, or there were no more lines.
    Quit,
    /// By Ctrl-C.
    Interrupted,
}

/// What is said to and asked of the persons about a game in progress.
pub(super) struct Dialogue<'i> {
    pub(super) session: &'i mut Session,
    pub(super) screen: Screen,
    pub(super) players: Players,
    pub(super) lines: &'i mut dyn LineSource,
    pub(super) output: &'i mut dyn Write,
    pub(super) record: Record,
    pub(super) menu: Menu,
    /// The end that people have agreed on, or one has chosen, before the rules end the game.
    pub(super) given_up: Option<GivenUp>,
    /// What else was played in this game.
    pub(super) variations: Vec<Variation>,
    /// What gives advice, if a solution is at hand.
    pub(super) solution: Option<SolvedGame>,
    /// Whoever gives advice else, by role.
    pub(super) advisers: BTreeMap<usize, Searcher>,
    /// The states since somebody had a choice, as facts: one that comes again comes again for ever.
    forced: HashSet<Vec<String>>,
    /// The game as it was saved last, if it was.
    pub(super) saved: Option<SavedGame>,
    pub(super) autosave: Option<Autosave>,
    /// Why the game is not on disk as it stands, if that is so.
    pub(super) unkept: Option<String>,
    pub(super) home: Option<PathBuf>,
    pub(super) delay: Duration,
    /// When a machine moved last, or a person was asked.
    pub(super) last_move: Option<Instant>,
    /// Whether anything may have been typed while a machine thought.
    has_typed_ahead: bool,
}

/// The joint moves of a game, and how it was given up, if it was.
pub(super) type SavedGame = (Vec<Vec<String>>, Option<GivenUp>);

/// What comes after a line was typed.
pub(super) enum AfterLine {
    /// Ask again.
    Again,
    /// The state has changed, or the game has ended.
    Changed,
    /// The person has had enough.
    Leave(Ended),
    /// The person plays this.
    Move(String),
}

pub(super) const STRONG: Paint = Paint::new().bold();
pub(super) const FAINT: Paint = Paint::new().dimmed();

impl Interactive<'_> {
    /// Plays until the person leaves or the input ends.
    ///
    /// # Errors
    /// When input or output fail.
    pub fn run(self) -> io::Result<Ended> {
        let interrupts = self.players.interrupts.clone();
        let is_terminal = self.lines.is_terminal();
        let mut dialogue = self.dialogue();
        let ended = match is_terminal {
            true => interrupts.while_playing(|| dialogue.run())?,
            false => dialogue.run()?,
        };
        dialogue.end_autosave()?;
        dialogue.output.flush()?;
        Ok(ended)
    }
}

impl<'i> Interactive<'i> {
    fn dialogue(self) -> Dialogue<'i> {
        let end = self.record.end.as_deref();
        let given_up = end.and_then(|end| GivenUp::of_words(end, self.session.roles()));
        Dialogue {
            session: self.session,
            screen: self.screen,
            players: self.players,
            lines: self.lines,
            output: self.output,
            record: self.record,
            menu: Menu::default(),
            given_up,
            variations: Vec::new(),
            solution: self.solution,
            advisers: BTreeMap::new(),
            forced: HashSet::new(),
            saved: None,
            autosave: self.autosave,
            unkept: None,
            home: self.home,
            delay: self.delay,
            last_move: None,
            has_typed_ahead: false,
        }
    }
}

impl Dialogue<'_> {
    fn run(&mut self) -> io::Result<Ended> {
        write!(
            self.output,
            "{FAINT}type `help` for help, `quit` to end{FAINT:#}\n\n"
        )?;
        self.show_board()?;
        self.prepare()?;
        self.learn_numbers();
        // A game that goes on is left without a question as long as nothing is changed.
        self.saved = Some(self.so_far());
        loop {
            if let Some(width) = self.lines.width() {
                self.screen.resize(width);
            }
            let after = match self.show_end()? {
                true => self.wait()?,
                false => self.step()?,
            };
            match after {
                AfterLine::Leave(ended) => return Ok(ended),
                AfterLine::Changed => self.forced.clear(),
                AfterLine::Again | AfterLine::Move(_) => {}
            }
        }
    }

    /// Lets the players get ready.
    pub(super) fn prepare(&mut self) -> io::Result<()> {
        if self.players.machines().next().is_none() {
            return Ok(());
        }
        self.while_busy("learning the weights of the evaluation", |dialogue| {
            dialogue.players.prepare(dialogue.session);
        })
    }

    /// Lets a machine do what may take time, and tells the person so. From before that is shown, Ctrl-C ends the work.
    pub(super) fn while_busy<R>(
        &mut self,
        doing: &str,
        work: impl FnOnce(&mut Self) -> R,
    ) -> io::Result<R> {
        self.output.flush()?;
        let interrupts = self.players.interrupts.clone();
        let done = interrupts.while_thinking(|| {
            // What the players tell takes its place, unless the whole game is shown.
            if !self.players.tell_thoughts() || self.show_game(None) {
                self.lines
                    .show_activity(&format!("{doing} (Ctrl-C ends it)"));
            }
            let done = work(self);
            self.lines.end_activity();
            done
        });
        self.has_typed_ahead = true;
        Ok(done)
    }

    /// Shows the game and the legal moves of `role` where lines come from a screen; `false` where they are to be written.
    fn show_game(&mut self, role: Option<usize>) -> bool {
        let end = self.end();
        let variations = self.left_lines();
        self.lines.show_game(Scene {
            session: self.session,
            screen: &self.screen,
            players: self.players.specs(),
            role,
            end: end.as_deref(),
            variations: &variations,
        })
    }

    pub(super) fn show_board(&mut self) -> io::Result<()> {
        if self.show_game(None) {
            return Ok(());
        }
        let board = self.screen.show(&self.session.facts());
        writeln!(self.output, "{board}")
    }

    /// Says how the game ended, if it did.
    fn show_end(&mut self) -> io::Result<bool> {
        let Some(words) = self.end() else {
            return Ok(false);
        };
        writeln!(self.output, "{STRONG}{words}{STRONG:#}")?;
        Ok(true)
    }

    /// How the game ended, if it did.
    pub(super) fn end(&self) -> Option<String> {
        let roles = self.session.roles().iter().enumerate();
        let mut stuck = roles.filter(|(role, _)| self.session.legal_of(*role).is_empty());
        if let Some(fault) = self.session.fault() {
            Some(format!(
                "the game cannot go on, since the engine failed: {fault}"
            ))
        } else if self.session.is_terminal() {
            let verdict = verdict(self.session.roles(), self.session.goals());
            Some(format!("game over: {verdict}"))
        } else if let Some(how) = self.given_up {
            let words = how.words(self.session.roles());
            Some(format!("game over: {words}"))
        } else if let Some((_, role)) = stuck.next() {
            Some(format!(
                "the game is stuck: {role} has no legal move, though the game is not over"
            ))
        } else {
            let stands_still = self.forced.contains(&self.session.facts());
            stands_still.then(|| "the game stands still: no player can change anything".to_owned())
        }
    }

    /// Nothing can be played: other wishes remain.
    fn wait(&mut self) -> io::Result<AfterLine> {
        loop {
            self.show_game(None);
            let line = match self.ask("over>", &[])? {
                Ok(line) => line,
                Err(ended) => return self.leave(ended),
            };
            match self.answer(Request::of(&line), None)? {
                AfterLine::Again => {}
                AfterLine::Move(_) => {
                    writeln!(
                        self.output,
                        "the game is over: `undo` takes moves back, `new` begins another one, `quit` ends"
                    )?;
                }
                after => return Ok(after),
            }
        }
    }

    /// One joint move.
    fn step(&mut self) -> io::Result<AfterLine> {
        let roles = self.session.roles().to_vec();
        let choices: Vec<usize> = (0..roles.len())
            .map(|role| self.session.legal_of(role).len())
            .collect();
        if choices.iter().all(|&choices| choices < 2) {
            self.forced.insert(self.session.facts());
        } else {
            self.forced.clear();
        }
        let mut joint = Vec::new();
        for role in self.players.people() {
            match self.person(role, &choices)? {
                AfterLine::Move(mv) => joint.push((role, mv)),
                after => return Ok(after),
            }
        }
        let Some(others) = self.opponents(&choices)? else {
            return self.leave(Ended::Interrupted);
        };
        joint.extend(others);
        joint.sort();
        let joint: Vec<String> = joint.into_iter().map(|(_, mv)| mv).collect();
        if let Err(fault) = self.play(&joint) {
            writeln!(self.output, "{fault}")?;
            return Ok(AfterLine::Again);
        }
        let number = self.session.history().len();
        let line = joint_line(&roles, &joint, &choices);
        writeln!(self.output, "{STRONG}{number}. {line}{STRONG:#}")?;
        self.keep()?;
        self.show_board()?;
        self.output.flush()?;
        Ok(AfterLine::Again)
    }

    /// Asks the person who plays `role`, unless there is nothing to choose.
    fn person(&mut self, role: usize, choices: &[usize]) -> io::Result<AfterLine> {
        let name = self.session.roles()[role].clone();
        let legal = self.session.legal_of(role).to_vec();
        if let [only] = &legal[..] {
            if choices.iter().all(|&choices| choices < 2) && choices.len() == 1 {
                writeln!(self.output, "{FAINT}{name} can only play {only}{FAINT:#}")?;
            }
            return Ok(AfterLine::Move(only.clone()));
        }
        if !self.show_game(Some(role)) {
            self.list_moves(role, "")?;
        }
        loop {
            self.show_game(Some(role));
            let line = match self.ask(&format!("{name}>"), &legal)? {
                Ok(line) => line,
                Err(ended) => return self.leave(ended),
            };
            // A move that is called like a command is meant first.
            let exact = self.find_exact(&line, &legal);
            let request = exact.map_or_else(|| Request::of(&line), Request::Move);
            match self.answer(request, Some(role))? {
                AfterLine::Again => {}
                after => return Ok(after),
            }
        }
    }

    /// A line, or how the dialogue ends instead: also by Ctrl-C before it is asked for.
    pub(super) fn ask(
        &mut self,
        prompt: &str,
        moves: &[String],
    ) -> io::Result<Result<String, Ended>> {
        match self.players.interrupts.takes_leave() {
            true => Ok(Err(Ended::Interrupted)),
            false => self.read_line(prompt, moves),
        }
    }

    /// A line, or how the dialogue ends instead.
    pub(super) fn read_line(
        &mut self,
        prompt: &str,
        moves: &[String],
    ) -> io::Result<Result<String, Ended>> {
        if std::mem::take(&mut self.has_typed_ahead) {
            self.lines.discard_typed_ahead()?;
        }
        self.last_move = Some(Instant::now());
        let interrupts = self.players.interrupts.clone();
        loop {
            let (lines, output) = (&mut *self.lines, &mut *self.output);
            let typed = while_others_ponder(self.players.machines(), self.session, || {
                interrupts.while_reading(|| lines.read(prompt, moves, output))
            });
            match typed? {
                Typed::Line(line) => return Ok(Ok(line)),
                Typed::TooLong => writeln!(self.output, "that line is too long")?,
                Typed::NoText => writeln!(self.output, "that line is no UTF-8 text")?,
                Typed::End => return Ok(Err(Ended::Quit)),
                Typed::Interrupted => return Ok(Err(Ended::Interrupted)),
            }
        }
    }
}
