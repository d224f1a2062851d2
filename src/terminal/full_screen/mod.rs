//! A game on the whole screen of a terminal: another way to show what [`Interactive`](crate::terminal::Interactive) tells
//! and asks.
//!
//! Keys and the mouse become the lines that a person would type, so that all is decided in one place:
//!
//! ```text
//! Interactive ─show_game─▶ ScreenView ─draw─▶ screen
//!      ▲                       ▲
//!      └──── lines ────────────┴── keys, mouse
//! ```

mod analysis;
mod board;
mod clicks;
mod draw;
mod game;
mod list;
mod messages;
mod mouse;
mod popup;
mod shortcuts;
#[cfg(test)]
mod tests;
mod theme;
mod view;

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::crossterm::event::Event;

use self::theme::Theme;
use self::view::{InputOutcome, ScreenView};
use crate::drawing::Style;
use crate::terminal::lines::{LineSource, Scene, Typed};
use crate::util::StopFlag;

pub use analysis::ThoughtsShown;
pub use draw::LEAST_SCREEN;
pub use messages::Messages;

/// Keys, mouse and changes of the window, as they come in.
pub trait Events: Send + 'static {
    /// The next one, if one comes within this time.
    ///
    /// # Errors
    /// When the terminal fails, or there will be no more.
    fn next(&mut self, timeout: Duration) -> io::Result<Option<Event>>;

    /// The person presses Ctrl-C, or what stands for it, while a machine thinks.
    fn interrupt(&mut self);

    /// Lets a machine that thinks move at once.
    fn move_now(&mut self);
}

/// A game on the whole screen. It is drawn again whenever something happens, also while a machine thinks.
pub struct FullScreen<B: Backend, E> {
    shown: Arc<Mutex<ShownScreen<B, E>>>,
    activity: Option<Activity>,
}

struct ShownScreen<B: Backend, E> {
    terminal: Terminal<B>,
    events: E,
    view: ScreenView,
}

/// Draws while a machine thinks.
struct Activity {
    is_over: StopFlag,
    drawing: JoinHandle<()>,
}

/// How long nothing is drawn where nothing happens.
const TICK: Duration = Duration::from_millis(100);

impl<B, E> FullScreen<B, E>
where
    B: Backend + Send + 'static,
    B::Error: Send + Sync + 'static,
    E: Events,
{
    /// A screen on this terminal. `messages` is where [`Interactive`](crate::terminal::Interactive) writes, `thoughts`
    /// what its players tell.
    pub fn new(
        terminal: Terminal<B>,
        events: E,
        style: Style,
        (messages, thoughts): (&Messages, &ThoughtsShown),
    ) -> Self {
        let shown = ShownScreen {
            terminal,
            events,
            view: ScreenView::new(Theme::of(style), messages, thoughts),
        };
        Self {
            shown: Arc::new(Mutex::new(shown)),
            activity: None,
        }
    }

    /// What remains to be read once the screen is given back: the present position for so many columns, and how the game ended,
    /// if it did. Empty where no game was shown.
    pub fn on_leaving(&self, width: usize) -> String {
        let shown = self.shown();
        let game = shown.view.game.as_ref();
        game.map(|game| game.on_leaving(width)).unwrap_or_default()
    }

    fn shown(&self) -> MutexGuard<'_, ShownScreen<B, E>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<B, E> ShownScreen<B, E>
where
    B: Backend,
    B::Error: Send + Sync + 'static,
    E: Events,
{
    /// Draws, and takes all that happened until now; the answer of the person, if there is one.
    fn go_on(&mut self, timeout: Duration) -> io::Result<Option<Typed>> {
        self.view.analyse();
        self.terminal
            .draw(|frame| self.view.draw(frame))
            .map_err(io::Error::other)?;
        let mut event = self.events.next(timeout)?;
        while let Some(now) = event {
            match self.view.handle(&now) {
                InputOutcome::Nothing => {}
                InputOutcome::MoveNow => self.events.move_now(),
                InputOutcome::Interrupt => self.events.interrupt(),
                InputOutcome::Answer(typed) => return Ok(Some(typed)),
            }
            event = self.events.next(Duration::ZERO)?;
        }
        Ok(None)
    }
}

impl<B, E> LineSource for FullScreen<B, E>
where
    B: Backend + Send + 'static,
    B::Error: Send + Sync + 'static,
    E: Events,
{
    fn show_game(&mut self, scene: Scene<'_>) -> bool {
        self.shown().view.show_game(scene);
        true
    }

    fn read(&mut self, prompt: &str, moves: &[String], _: &mut dyn Write) -> io::Result<Typed> {
        let mut shown = self.shown();
        shown.view.ask(prompt, moves);
        loop {
            if let Some(typed) = shown.go_on(TICK)? {
                return Ok(typed);
            }
        }
    }

    fn discard_typed_ahead(&mut self) -> io::Result<()> {
        // Nothing is asked now, so that nothing is answered.
        self.shown().go_on(Duration::ZERO).map(|_| ())
    }

    fn is_terminal(&self) -> bool {
        true
    }

    fn show_activity(&mut self, doing: &str) {
        const OFTEN: Duration = Duration::from_millis(20);
        self.shown().view.doing = Some(doing.to_owned());
        if self.activity.is_some() {
            return;
        }
        let (is_over, shown) = (StopFlag::default(), Arc::clone(&self.shown));
        let ends = is_over.clone();
        let drawing = thread::spawn(move || {
            while !ends.is_raised() {
                let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
                // The next question meets the same failure, and tells it.
                if shown.go_on(OFTEN).is_err() {
                    return;
                }
            }
        });
        self.activity = Some(Activity { is_over, drawing });
    }

    fn end_activity(&mut self) {
        if let Some(activity) = self.activity.take() {
            activity.is_over.raise();
            // What it was about to draw is drawn by the next question.
            let _ = activity.drawing.join();
        }
        self.shown().view.doing = None;
    }

    fn width(&self) -> Option<usize> {
        const FRAME: usize = 8;
        let size = self.shown().terminal.size().ok()?;
        Some(usize::from(size.width).saturating_sub(FRAME).clamp(20, 100))
    }
}
