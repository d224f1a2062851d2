//! How far a tournament is, while it is played, and its table.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::cli::board::terminal_width;
use crate::cli::commands::standings::{standings_of, text};
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::move_text::random_instead;
use crate::cli::status_line::StatusLine;
use crate::tournament::{FinishedGame, RunObserver, TournamentLog};

/// Shows how far a tournament is.
pub(super) struct TournamentDisplay<'d, 's> {
    console: &'d mut Console<'s>,
    line: StatusLine,
    planned: u64,
    begin: Instant,
    /// How many games were in the log before.
    before: u64,
    /// Raised by a signal that asks for the standings.
    is_asked: Arc<AtomicBool>,
    /// When the leaders were found out last, and what they are.
    leaders: Option<(Instant, String)>,
}

/// How often the leaders are found out: that takes longer, the more games there are.
const PAUSE: Duration = Duration::from_secs(2);

impl<'d, 's> TournamentDisplay<'d, 's> {
    pub(super) fn new(console: &'d mut Console<'s>, planned: u64, log: &TournamentLog) -> Self {
        Self {
            line: StatusLine::new(console.quiet),
            console,
            planned,
            begin: Instant::now(),
            before: log.games.len() as u64,
            is_asked: asked_by_signal(),
            leaders: None,
        }
    }

    /// Nothing more is shown.
    pub(super) fn close(mut self) {
        self.line.clear();
    }

    /// How long it will take, if it goes on like this.
    fn time_left(&self, done: u64) -> Option<Duration> {
        let played = done.checked_sub(self.before).filter(|played| *played > 0)?;
        let left = self.planned.saturating_sub(done);
        Some(self.begin.elapsed().mul_f64(left as f64 / played as f64))
    }

    /// Prints the standings, without an end of the games.
    fn answer(&mut self, so_far: &str, log: &TournamentLog) -> Result<(), Failure> {
        writeln!(self.console.err, "{so_far}")?;
        let standings = standings_of(log)?;
        text::print(&standings, terminal_width(), &mut self.console.err)?;
        Ok(self.console.err.flush()?)
    }

    fn leaders(&mut self, log: &TournamentLog) -> String {
        if let Some((at, leaders)) = &self.leaders
            && at.elapsed() < PAUSE
        {
            return leaders.clone();
        }
        let leaders = leaders(log);
        self.leaders = Some((Instant::now(), leaders.clone()));
        leaders
    }
}

impl RunObserver for TournamentDisplay<'_, '_> {
    fn failed(&mut self, player: &str, game: u64, why: &str) {
        self.line.clear();
        let game = game + 1;
        // The results count errors, whether anybody reads this or not.
        let _ = self.console.hint(&format!(
            "the first failure of {player}, in game {game}; {}",
            random_instead(why)
        ));
    }

    fn finished(&mut self, _: &[FinishedGame], _: &TournamentLog) {}

    fn tick(&mut self, log: &TournamentLog) {
        let done = log.games.len() as u64;
        let left = self
            .time_left(done)
            .map_or_else(String::new, |left| format!(", {} left", in_words(left)));
        let so_far = format!("{done} of {} games{left}", self.planned);
        if self.is_asked.swap(false, Ordering::Relaxed) {
            self.line.clear();
            // Who asks can do without the answer if nobody reads it.
            let _ = self.answer(&so_far, log);
        }
        if self.line.is_shown() {
            let leaders = self.leaders(log);
            let share = done as f64 / self.planned.max(1) as f64;
            self.line.progress(share, &format!("{so_far}{leaders}"));
        }
    }
}

/// A flag that SIGUSR1 raises, where the system has such signals.
#[cfg(unix)]
fn asked_by_signal() -> Arc<AtomicBool> {
    use signal_hook::consts::SIGUSR1;
    let flag = Arc::new(AtomicBool::new(false));
    if let Err(fault) = signal_hook::flag::register(SIGUSR1, Arc::clone(&flag)) {
        tracing::debug!("SIGUSR1 cannot be handled: {fault}");
    }
    flag
}

#[cfg(not(unix))]
fn asked_by_signal() -> Arc<AtomicBool> {
    Arc::default()
}

/// A span of time as people say it.
fn in_words(time: Duration) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    match time.as_secs() {
        seconds if seconds < MINUTE => format!("{seconds} s"),
        seconds if seconds < HOUR => format!("{} min {} s", seconds / MINUTE, seconds % MINUTE),
        seconds => format!("{} h {} min", seconds / HOUR, seconds % HOUR / MINUTE),
    }
}

/// The first few players with their points, for a line.
fn leaders(log: &TournamentLog) -> String {
    const SHOWN: usize = 3;
    let Ok(standings) = standings_of(log) else {
        return String::new();
    };
    let players = standings.all.standings.iter().take(SHOWN);
    let shown = players.filter_map(|one| Some(format!(", {} {:.1}", one.player, one.points?)));
    shown.collect()
}
