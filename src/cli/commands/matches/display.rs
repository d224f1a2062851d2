//! What a series of matches prints: boards as they come, how each match ended, and the records it keeps.

use crate::util::StopFlag;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::cli::by_role::ByRole;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::move_text::random_instead;
use crate::cli::number::counted;
use crate::cli::status_line::StatusLine;
use crate::cli::style;
use crate::drawing::Screen;
use crate::files::Existing;
use crate::game::is_chance;
use crate::play::{
    End, PlayedMatch, Record, RecordFormat, RoleAssignment, SeriesError, SeriesObserver, Session,
    Step, scores,
};
use crate::terminal::{move_line, verdict};

/// One match as JSON.
#[derive(Serialize)]
struct MatchReport<'m> {
    game: &'m str,
    players: ByRole<&'m String>,
    moves: &'m [Vec<String>],
    goals: ByRole<Option<u8>>,
    plies: usize,
    seconds: f64,
    errors: &'m [String],
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningReport>,
    end: String,
}

/// The number of first plies that were drawn, and the seed.
#[derive(Serialize)]
struct OpeningReport {
    steps: usize,
    seed: u64,
}

/// Follows a series and prints it.
pub(super) struct MatchDisplay<'d, 's> {
    pub(super) console: &'d mut Console<'s>,
    pub(super) screen: Screen,
    pub(super) status: StatusLine,
    /// The name of the game.
    pub(super) game: &'d str,
    pub(super) roles: &'d [String],
    pub(super) json: bool,
    /// Whether boards are drawn.
    pub(super) is_watched: bool,
    /// Whether there are several matches, to be numbered.
    pub(super) is_numbered: bool,
    /// Whether players change roles from match to match.
    pub(super) swaps: bool,
    /// The number of first plies that are drawn at random.
    pub(super) opening: usize,
    /// How long to wait between moves.
    pub(super) delay: Option<Duration>,
    /// The folder for records, and how they are written.
    pub(super) records: Option<(&'d Path, RecordFormat)>,
    /// The folder in which others watch the match while it is played.
    pub(super) spectators: Option<&'d Path>,
    pub(super) stop: &'d StopFlag,
    /// How the series went so far.
    pub(super) outcome: Outcome,
    /// Why the last game is in no file; the series ends there.
    pub(super) unrecorded: Option<Failure>,
}

impl From<SeriesError> for Failure {
    fn from(fault: SeriesError) -> Self {
        let failure = Self::usage(fault.to_string());
        match fault {
            SeriesError::Person => failure,
            SeriesError::RemotePosition => {
                failure.with_help("leave the moves and the state out, or let other players play")
            }
            SeriesError::Program(fault) => fault.into(),
            SeriesError::NoOpening(_) => failure.with_help("draw fewer plies with --opening"),
        }
    }
}

impl SeriesObserver for MatchDisplay<'_, '_> {
    type Error = Failure;

    fn prepares(&mut self) {
        self.status.show("learning the weights of the evaluation");
    }

    fn begins(
        &mut self,
        session: &Session,
        players: &[String],
        assignment: &RoleAssignment,
    ) -> Result<(), Failure> {
        self.status.clear();
        self.screen.forget();
        if !self.is_watched {
            return Ok(());
        }
        let (strong, faint) = (style::STRONG, style::FAINT);
        let pairs = self.roles.iter().zip(players);
        let pairs: Vec<String> = pairs.map(|(role, name)| format!("{role} {name}")).collect();
        let out = &mut self.console.out;
        let (game, seed) = (self.game, assignment.seed);
        writeln!(
            out,
            "{strong}{game}{strong:#}: {} {faint}(seed {seed}){faint:#}",
            pairs.join(", ")
        )?;
        let legend = self.screen.legend();
        if !legend.is_empty() {
            writeln!(out, "{faint}{legend}{faint:#}")?;
        }
        writeln!(out, "\n{}", self.screen.show(&session.facts()))?;
        Ok(())
    }

    fn plays(&mut self, session: &Session, step: &Step) -> Result<(), Failure> {
        if !self.is_watched {
            return Ok(());
        }
        let (strong, faint) = (style::STRONG, style::FAINT);
        let line = move_line(self.roles, step);
        let found = match step.number <= self.opening {
            true => "  opening".to_owned(),
            false => found(self.roles, step),
        };
        let out = &mut self.console.out;
        writeln!(
            out,
            "{strong}{}. {line}{strong:#}{faint}{found}{faint:#}",
            step.number
        )?;
        for error in step.errors.iter().filter(|error| !error.is_empty()) {
            let why = random_instead(error);
            writeln!(out, "{faint}{why}{faint:#}")?;
        }
        writeln!(out, "{}", self.screen.show(&session.facts()))?;
        out.flush()?;
        self.pause();
        Ok(())
    }

    /// Whoever watches sees the match as far as it came; that nobody can must not end it.
    fn records(&mut self, record: &Record) -> Result<(), Failure> {
        if let Some(folder) = self.spectators
            && let Err(why) = record.save(&record.path_in(folder), Existing::Replace)
        {
            self.spectators = None;
            self.console
                .hint(&format!("spectators see no more of this: {why}"))?;
        }
        Ok(())
    }

    fn ends(&mut self, played: &PlayedMatch, record: &Record) -> Result<ControlFlow<()>, Failure> {
        self.unrecorded = self.keep(record).err();
        match self.json {
            true => self.report_json(played)?,
            false => self.report(played)?,
        }
        match played.end {
            End::Terminal if scores(self.roles, &played.goals).is_none() => {
                self.outcome = Outcome::Failed;
            }
            End::Terminal | End::PlyLimit(_) | End::Repetition(_) | End::Still => {}
            End::Stuck(_) | End::Fault(_) => self.outcome = Outcome::Failed,
            End::Stopped => self.outcome = Outcome::Interrupted,
        }
        Ok(match self.unrecorded {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        })
    }
}

impl MatchDisplay<'_, '_> {
    /// Waits for the delay, unless interrupted.
    fn pause(&self) {
        const SLICE: Duration = Duration::from_millis(50);
        let Some(delay) = self.delay else { return };
        let begin = Instant::now();
        while !self.stop.is_raised() {
            let left = delay.saturating_sub(begin.elapsed());
            if left.is_zero() {
                return;
            }
            thread::sleep(left.min(SLICE));
        }
    }

    /// Writes the record, if records are wanted.
    fn keep(&mut self, record: &Record) -> Result<(), Failure> {
        let Some((folder, format)) = self.records else {
            return Ok(());
        };
        let path = record.save_new(folder, format)?;
        // The record is there, whether anybody reads that or not.
        let _ = self
            .console
            .hint(&format!("recorded in {}", path.display()));
        Ok(())
    }

    fn report_json(&mut self, played: &PlayedMatch) -> Result<(), Failure> {
        self.console.json(&MatchReport {
            game: self.game,
            players: ByRole::new(self.roles, &played.players),
            moves: &played.moves,
            goals: ByRole::new(self.roles, played.goals.iter().copied()),
            plies: played.moves.len(),
            seconds: played.time.as_secs_f64(),
            errors: &played.errors,
            seed: played.assignment.seed,
            opening: (self.opening > 0).then_some(OpeningReport {
                steps: self.opening,
                seed: played.assignment.opening_seed,
            }),
            end: played.end.to_string(),
        })
    }

    /// How often a player failed, where the moves are not printed; of a single match, with the first reason.
    fn errors(&self, errors: &[String]) -> String {
        let Some(first) = errors.first().filter(|_| !self.is_watched) else {
            return String::new();
        };
        let count = counted(errors.len() as u64, "error");
        match self.is_numbered {
            true => format!(", {count}"),
            false => format!(", {count}; the first one: {first}"),
        }
    }

    /// Which player has which role, where that changes: the totals number the players.
    fn who_plays(&self, assignment: &RoleAssignment) -> String {
        if !self.swaps || !self.is_numbered {
            return String::new();
        }
        let pairs = self.roles.iter().zip(&assignment.players);
        let pairs = pairs.filter(|(role, _)| !is_chance(role));
        let pairs = pairs.map(|(role, player)| format!("; player {} is {role}", player + 1));
        pairs.collect()
    }

    fn report(&mut self, played: &PlayedMatch) -> Result<(), Failure> {
        let plies = played.moves.len();
        let unit = if plies == 1 { "ply" } else { "plies" };
        let (words, after) = match &played.end {
            End::Terminal => (
                verdict(self.roles, &played.goals),
                format!(" after {plies} {unit}"),
            ),
            End::Stopped => (played.end.to_string(), format!(" after {plies} {unit}")),
            end => (end.to_string(), String::new()),
        };
        let RoleAssignment { number, seed, .. } = played.assignment;
        let game = match self.is_numbered {
            true => format!("game {}: ", number + 1),
            false => String::new(),
        };
        let (strong, faint) = (style::STRONG, style::FAINT);
        let seconds = played.time.as_secs_f64();
        writeln!(
            self.console.out,
            "{game}{strong}{words}{strong:#}{faint}{after}, {seconds:.1} s, seed {seed}{}{faint:#}{}",
            self.who_plays(&played.assignment),
            self.errors(&played.errors)
        )?;
        Ok(())
    }
}

/// How deep the players searched, and the value they found.
fn found(roles: &[String], step: &Step) -> String {
    let searchers = step.found.iter().flatten().count();
    let words = roles.iter().zip(&step.found).filter_map(|(role, found)| {
        let found = found.as_ref()?;
        let who = match searchers > 1 {
            true => format!("{role}: "),
            false => String::new(),
        };
        let value = if found.exact { "exact value" } else { "value" };
        // Nothing was searched where the value was known before, or where time was up at once.
        let depth = match found.depth {
            0 => String::new(),
            depth => format!("depth {depth}, "),
        };
        Some(format!("  {who}{depth}{value} {}", found.value.goal()))
    });
    words.collect()
}
