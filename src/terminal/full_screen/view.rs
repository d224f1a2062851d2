//! What is on the screen, and what keys and the mouse do there.

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;
use tui_input::Input;
use tui_input::backend::crossterm::EventHandler;

use super::analysis::{Analysis, ThoughtsShown};
use super::board::{BoardPane, CursorStep};
use super::clicks::{SquareChoice, SquarePath};
use super::game::GameShown;
use super::list::Listing;
use super::messages::Messages;
use super::popup::{Popup, PopupAnswer};
use super::shortcuts::{SHORTCUTS, Shortcut, ShortcutDoes, help_text};
use super::theme::Theme;
use crate::terminal::completion::completions;
use crate::terminal::find_move::moves_like;
use crate::terminal::lines::{Scene, Typed};

/// All that is on the screen.
pub(super) struct ScreenView {
    pub(super) game: Option<GameShown>,
    pub(super) theme: Theme,
    pub(super) messages: Messages,
    pub(super) thoughts: ThoughtsShown,
    pub(super) analysis: Analysis,
    pub(super) board: BoardPane,
    /// Whether the board must be drawn anew.
    pub(super) is_board_stale: bool,
    pub(super) path: SquarePath,
    pub(super) input: Input,
    pub(super) focus: Focus,
    /// Where moves are chosen if they have squares.
    preferred: Focus,
    pub(super) moves: Listing,
    pub(super) history: Listing,
    pub(super) popup: Option<Popup>,
    /// So wide may a text be that is shown in front.
    pub(super) columns_of_text: usize,
    /// What is asked, while something is.
    pub(super) asked: Option<ScreenQuestion>,
    /// What takes time, while something does.
    pub(super) doing: Option<String>,
    /// Where the shortcuts stand on the screen.
    pub(super) buttons: Vec<(Rect, &'static Shortcut)>,
    /// The facts shown when a line was answered last.
    answered_at: Option<Vec<String>>,
}

/// A question to the person.
pub(super) struct ScreenQuestion {
    pub(super) prompt: String,
    /// The moves that may be played; none where something else is asked.
    pub(super) moves: Vec<String>,
}

/// What the arrow keys move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Focus {
    Board,
    Moves,
    History,
}

/// What comes of a key or a click.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InputOutcome {
    Nothing,
    /// The person answers so.
    Answer(Typed),
    /// A machine that thinks is to move at once.
    MoveNow,
    /// The person presses Ctrl-C.
    Interrupt,
}

impl ScreenView {
    pub(super) fn new(theme: Theme, messages: &Messages, thoughts: &ThoughtsShown) -> Self {
        Self {
            game: None,
            theme,
            messages: messages.clone(),
            thoughts: thoughts.clone(),
            analysis: Analysis::default(),
            board: BoardPane::default(),
            is_board_stale: true,
            path: SquarePath::default(),
            input: Input::default(),
            focus: Focus::Board,
            preferred: Focus::Board,
            moves: Listing::default(),
            history: Listing::default(),
            popup: None,
            columns_of_text: 0,
            asked: None,
            doing: None,
            buttons: Vec::new(),
            answered_at: None,
        }
    }

    pub(super) fn show_game(&mut self, scene: Scene<'_>) {
        let game = GameShown::of(scene);
        self.path = SquarePath::new(game.clicks());
        self.theme = Theme::of(game.style());
        self.game = Some(game);
        self.is_board_stale = true;
    }

    /// Asks the person; what was told since the last answer is shown in front where it is long.
    pub(super) fn ask(&mut self, prompt: &str, moves: &[String]) {
        let news = self.messages.news();
        let facts = self.game.as_ref().map(|game| game.session().facts());
        // What was played meanwhile is seen on the board.
        let is_answer = self.answered_at.is_some() && self.answered_at == facts;
        if is_answer && news.lines().count() > super::draw::MESSAGE_LINES {
            self.popup = Some(Popup::text("answer", self.theme.text(&news)));
        }
        self.doing = None;
        self.moves.select(None);
        self.asked = Some(ScreenQuestion {
            prompt: prompt.to_owned(),
            moves: moves.to_vec(),
        });
        if !moves.is_empty() {
            self.focus = match self.path.next().is_empty() {
                true => Focus::Moves,
                false => self.preferred,
            };
        }
    }

    /// Lets the analysis judge the position looked at while the person is asked, and end otherwise.
    pub(super) fn analyse(&mut self) {
        let game = self.game.as_ref().filter(|_| self.asked.is_some());
        match game.and_then(|game| Some((game, game.role_to_judge_for()?))) {
            Some((game, role)) => self.analysis.follow(game.position(), role),
            None => self.analysis.stop(),
        }
    }

    pub(super) fn answer(&mut self, line: &str) -> InputOutcome {
        if self.asked.is_none() {
            return InputOutcome::Nothing;
        }
        self.end_question();
        InputOutcome::Answer(Typed::from_line(line))
    }

    fn end_question(&mut self) {
        self.messages.answer();
        self.answered_at = self.game.as_ref().map(|game| game.session().facts());
        self.asked = None;
        self.input.reset();
        self.path.clear();
    }

    /// The moves that go on as it was typed.
    pub(super) fn filtered(&self) -> Vec<&String> {
        let moves = self.asked.as_ref().map_or(&[][..], |asked| &asked.moves);
        let typed = self.input.value().trim_start_matches('/');
        let places = moves_like(typed, moves).into_iter();
        places.map(|place| &moves[place]).collect()
    }

    pub(super) fn handle(&mut self, event: &Event) -> InputOutcome {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            Event::Resize(..) => {
                self.is_board_stale = true;
                InputOutcome::Nothing
            }
            _ => InputOutcome::Nothing,
        }
    }

    fn key(&mut self, key: KeyEvent) -> InputOutcome {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, control, self.asked.is_some()) {
            (KeyCode::Char('c'), true, false) => return InputOutcome::Interrupt,
            (KeyCode::Char('c'), true, true) => return self.leave(Typed::Interrupted),
            (KeyCode::Char('d'), true, true) if self.input.value().is_empty() => {
                return self.leave(Typed::End);
            }
            _ => {}
        }
        if let Some(popup) = &mut self.popup {
            let answer = popup.key(key.code);
            return self.after_popup(answer);
        }
        let shortcut = SHORTCUTS.iter().find(|shortcut| shortcut.has(key.code));
        if let Some(shortcut) = shortcut.filter(|_| !control && self.may_be_shortcut(key.code)) {
            return self.shortcut(shortcut);
        }
        match key.code {
            KeyCode::Enter => return self.enter(),
            KeyCode::Esc => return self.escape(),
            KeyCode::Tab => self.tab(),
            KeyCode::Left | KeyCode::Right if self.input.value().is_empty() => self.arrow(key.code),
            KeyCode::Up | KeyCode::Down => self.arrow(key.code),
            KeyCode::PageUp => self.look(-1),
            KeyCode::PageDown => self.look(1),
            _ if self.asked.is_some() => {
                self.input.handle_event(&Event::Key(key));
                self.moves.select(None);
            }
            _ => {}
        }
        InputOutcome::Nothing
    }

    fn leave(&mut self, how: Typed) -> InputOutcome {
        self.popup = None;
        self.end_question();
        InputOutcome::Answer(how)
    }

    /// Letters are typed where something was typed before.
    fn may_be_shortcut(&self, key: KeyCode) -> bool {
        !matches!(key, KeyCode::Char(_)) || self.input.value().is_empty()
    }

    pub(super) fn after_popup(&mut self, answer: PopupAnswer) -> InputOutcome {
        if answer != PopupAnswer::Stays {
            self.popup = None;
        }
        match answer {
            PopupAnswer::Move(mv) => self.answer(&mv),
            PopupAnswer::Stays | PopupAnswer::Closes => InputOutcome::Nothing,
        }
    }

    pub(super) fn shortcut(&mut self, shortcut: &Shortcut) -> InputOutcome {
        match shortcut.does {
            ShortcutDoes::Help => {
                let text = help_text(self.theme, self.columns_of_text);
                self.popup = Some(Popup::text("help", text.into()));
            }
            ShortcutDoes::Analyse => self.analysis.toggle(),
            ShortcutDoes::Command(line) => return self.answer(line),
        }
        InputOutcome::Nothing
    }

    /// Completes what was typed, or moves on to another part of the screen.
    fn tab(&mut self) {
        let typed = self.input.value();
        if typed.is_empty() {
            self.focus = match self.focus {
                Focus::Board => Focus::Moves,
                Focus::Moves => Focus::History,
                Focus::History if self.board.has_squares() => Focus::Board,
                Focus::History => Focus::Moves,
            };
            if self.focus != Focus::History {
                self.preferred = self.focus;
            }
            return;
        }
        let moves = self.asked.as_ref().map_or(&[][..], |asked| &asked.moves);
        let ways = completions(typed, moves);
        if let Some(common) = common_start(&ways).filter(|common| common.len() > typed.len()) {
            self.input = Input::new(common);
        }
    }

    fn escape(&mut self) -> InputOutcome {
        if self.asked.is_none() {
            return InputOutcome::MoveNow;
        }
        let had_path = self.path.clear();
        let looked = self.game.as_mut().is_some_and(GameShown::look_at_present);
        self.is_board_stale |= looked;
        if !had_path && !looked {
            self.input.reset();
        }
        self.moves.select(None);
        InputOutcome::Nothing
    }

    fn arrow(&mut self, key: KeyCode) {
        let by = if key == KeyCode::Up { -1 } else { 1 };
        let is_typing = !self.input.value().is_empty();
        match (self.focus, key) {
            (Focus::Moves, KeyCode::Up | KeyCode::Down) | (_, KeyCode::Up | KeyCode::Down)
                if is_typing || self.focus == Focus::Moves =>
            {
                let count = self.filtered().len();
                self.moves.step(by, count);
            }
            (Focus::Board, KeyCode::Left) => self.board.move_cursor(CursorStep::Left),
            (Focus::Board, KeyCode::Right) => self.board.move_cursor(CursorStep::Right),
            (Focus::Board, KeyCode::Up) => self.board.move_cursor(CursorStep::Up),
            (Focus::Board, KeyCode::Down) => self.board.move_cursor(CursorStep::Down),
            (Focus::History, KeyCode::Left | KeyCode::Up) => self.look(-1),
            (Focus::History, _) => self.look(1),
            _ => {}
        }
    }

    /// Looks at a position so many plies away.
    pub(super) fn look(&mut self, plies: isize) {
        if let Some(game) = &mut self.game {
            game.look_at(game.ply().saturating_add_signed(plies));
            self.is_board_stale = true;
        }
    }

    fn enter(&mut self) -> InputOutcome {
        let selected = self.moves.selected();
        let chosen = selected.and_then(|place| self.filtered().get(place).map(|mv| (*mv).clone()));
        if let Some(mv) = chosen {
            return self.answer(&mv);
        }
        let typed = self.input.value().to_owned();
        let is_move_asked = self
            .asked
            .as_ref()
            .is_some_and(|asked| !asked.moves.is_empty());
        let looked_at = self.game.as_ref().filter(|game| !game.is_present());
        match (looked_at, self.board.cursor()) {
            _ if !typed.is_empty() => self.answer(&typed),
            (Some(game), _) => self.answer(&format!("/ply {}", game.ply())),
            (None, Some(square)) if is_move_asked && self.focus == Focus::Board => {
                let square = square.to_owned();
                self.choose_square(&square)
            }
            (None, _) if is_move_asked => InputOutcome::Nothing,
            (None, _) => self.answer(""),
        }
    }

    pub(super) fn choose_square(&mut self, square: &str) -> InputOutcome {
        let is_move_asked = self
            .asked
            .as_ref()
            .is_some_and(|asked| !asked.moves.is_empty());
        let Some(game) = self
            .game
            .as_ref()
            .filter(|game| game.is_present() && is_move_asked)
        else {
            return InputOutcome::Nothing;
        };
        let legal = game.legal();
        let mv = |place: &usize| legal.get(*place).cloned().unwrap_or_default();
        match self.path.choose(square) {
            SquareChoice::Path => InputOutcome::Nothing,
            SquareChoice::Move(place) => {
                let mv = mv(&place);
                self.answer(&mv)
            }
            SquareChoice::Several(places) => {
                self.popup = Some(Popup::moves(places.iter().map(mv).collect()));
                InputOutcome::Nothing
            }
        }
    }
}

/// What all of these begin with.
fn common_start(texts: &[String]) -> Option<String> {
    let (first, others) = texts.split_first()?;
    let is_common = |length: &usize| {
        let start = first.get(..*length);
        start.is_some() && others.iter().all(|other| other.get(..*length) == start)
    };
    let longest = (0..=first.len()).rev().find(is_common)?;
    Some(first[..longest].to_owned())
}
