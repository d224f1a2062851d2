//! The whole screen of the terminal, which is left as it was however the program ends.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::panic;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use terminal_size::{Height, Width, terminal_size_of};

use crate::terminal::{Events, Interrupts, LEAST_SCREEN};

/// The whole screen, while the program has it. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(super) struct WholeScreen {
    /// Standard output: the one of the library is locked by the thread that runs the command, and others draw, too.
    output: Arc<Mutex<Option<File>>>,
}

/// Time enough to end the program after the screen was given back.
const ENDING: Duration = Duration::from_secs(2);

/// Whether a terminal is there that can show a game on its whole screen.
pub(super) fn is_possible() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    let size = terminal_size_of(io::stdout());
    let is_large = size.is_some_and(|(Width(width), Height(height))| {
        width >= LEAST_SCREEN.0 && height >= LEAST_SCREEN.1
    });
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb && is_large
}

impl WholeScreen {
    /// Takes the screen, until what is returned is dropped, or the program ends.
    pub(super) fn open(&self) -> io::Result<OpenScreen> {
        let mut output = standard_output()?;
        *self.lock() = Some(output.try_clone()?);
        let opened = OpenScreen(self.clone());
        let screen = self.clone();
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |fault| {
            // The message would be gone with the screen.
            screen.close();
            usual(fault);
        }));
        enable_raw_mode()?;
        execute!(output, EnterAlternateScreen, EnableMouseCapture)?;
        Ok(opened)
    }

    /// Gives the screen back, if it was taken.
    pub(super) fn close(&self) {
        if let Some(mut output) = self.lock().take() {
            // There is nobody left to be told.
            let _ = execute!(output, DisableMouseCapture, LeaveAlternateScreen, Show);
            let _ = disable_raw_mode();
        }
    }

    fn is_open(&self) -> bool {
        self.lock().is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Option<File>> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(unix)]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    io::stdout()
        .as_handle()
        .try_clone_to_owned()
        .map(File::from)
}

/// The screen, taken until this is dropped.
pub(super) struct OpenScreen(WholeScreen);

impl OpenScreen {
    /// What is drawn on.
    pub(super) fn terminal(&self) -> io::Result<Terminal<CrosstermBackend<ScreenOutput>>> {
        Terminal::new(CrosstermBackend::new(ScreenOutput {
            screen: self.0.clone(),
            waiting: Vec::new(),
        }))
    }

    /// What happens there.
    pub(super) fn events(&self, interrupts: &Interrupts) -> ScreenEvents {
        ScreenEvents {
            screen: self.0.clone(),
            interrupts: interrupts.clone(),
        }
    }
}

impl Drop for OpenScreen {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Standard output, as long as the screen is taken: what is drawn too late would stand among the lines of the shell.
pub(super) struct ScreenOutput {
    screen: WholeScreen,
    waiting: Vec<u8>,
}

impl Write for ScreenOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(output) = &mut *self.screen.lock() {
            output.write_all(&self.waiting)?;
        }
        self.waiting.clear();
        Ok(())
    }
}

/// Keys, mouse and changes of the window.
pub(super) struct ScreenEvents {
    screen: WholeScreen,
    interrupts: Interrupts,
}

impl Events for ScreenEvents {
    fn next(&mut self, timeout: Duration) -> io::Result<Option<Event>> {
        if !self.screen.is_open() {
            // A signal ends the program now, and says so itself.
            std::thread::sleep(ENDING);
            return Err(io::Error::other("the screen was given back"));
        }
        match event::poll(timeout)? {
            true => event::read().map(Some),
            false => Ok(None),
        }
    }

    fn move_now(&mut self) {
        self.interrupts.hurry();
    }

    fn interrupt(&mut self) {
        // The terminal makes a key of it; as a signal, it means what it means elsewhere.
        #[cfg(unix)]
        let is_sent = signal_hook::low_level::raise(signal_hook::consts::SIGINT).is_ok();
        #[cfg(not(unix))]
        let is_sent = false;
        if !is_sent {
            self.interrupts.press();
        }
    }
}
