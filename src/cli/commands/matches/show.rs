//! What is told of a match: boards as they come, and how each game ended.

use std::io::Write;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::Hall;
use super::one_game::Played;
use crate::cli::by_role::ByRole;
use crate::cli::failure::Failure;
use crate::cli::style;
use crate::play::{End, Step, Table};
use crate::terminal::{Screen, move_line, verdict};

#[derive(Serialize)]
struct Line<'l> {
    game: &'l str,
    players: ByRole<&'l String>,
    moves: &'l [Vec<String>],
    goals: ByRole<Option<u8>>,
    plies: usize,
    seconds: f64,
    errors: &'l [String],
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<Opening>,
    end: String,
}

/// How many of the first steps nobody chose, and what they were drawn from.
#[derive(Serialize)]
struct Opening {
    steps: usize,
    seed: u64,
}

impl Hall<'_, '_> {
    pub(super) fn announce(
        &mut self,
        seat: &dyn Table,
        screen: &mut Screen,
        names: &[String],
        seed: u64,
    ) -> Result<(), Failure> {
        screen.forget();
        if !self.is_watched() {
            return Ok(());
        }
        let (strong, faint) = (style::STRONG, style::FAINT);
        let pairs = seat.roles().iter().zip(names);
        let pairs: Vec<String> = pairs.map(|(role, name)| format!("{role} {name}")).collect();
        let out = &mut self.console.out;
        let game = &self.source.name;
        writeln!(
            out,
            "{strong}{game}{strong:#}: {} {faint}(seed {seed}){faint:#}",
            pairs.join(", ")
        )?;
        let legend = screen.legend();
        if !legend.is_empty() {
            writeln!(out, "{faint}{legend}{faint:#}")?;
        }
        writeln!(out, "\n{}", screen.show(&seat.facts()))?;
        Ok(())
    }

    pub(super) fn show(
        &mut self,
        seat: &dyn Table,
        screen: &mut Screen,
        step: &Step,
    ) -> Result<(), Failure> {
        if !self.is_watched() {
            return Ok(());
        }
        let (strong, faint) = (style::STRONG, style::FAINT);
        let line = move_line(seat.roles(), step);
        let thought = match step.number <= self.args.opening {
            true => "  opening".to_owned(),
            false => thought(seat.roles(), step),
        };
        let out = &mut self.console.out;
        writeln!(
            out,
            "{strong}{}. {line}{strong:#}{faint}{thought}{faint:#}",
            step.number
        )?;
        for error in step.errors.iter().filter(|error| !error.is_empty()) {
            writeln!(
                out,
                "{faint}a random move was played instead: {error}{faint:#}"
            )?;
        }
        writeln!(out, "{}", screen.show(&seat.facts()))?;
        out.flush()?;
        self.pause();
        Ok(())
    }

    /// Waits as long as was asked for, unless somebody wants to stop.
    fn pause(&self) {
        const SLICE: Duration = Duration::from_millis(50);
        let Some(delay) = self.args.delay else { return };
        let begin = Instant::now();
        while !self.stop.load(Ordering::Relaxed) {
            let left = delay.duration().saturating_sub(begin.elapsed());
            if left.is_zero() {
                return;
            }
            thread::sleep(left.min(SLICE));
        }
    }

    pub(super) fn report(&mut self, played: &Played, roles: &[String]) -> Result<(), Failure> {
        if self.args.json {
            return self.console.json(&Line {
                game: &self.source.name,
                players: ByRole::new(roles, &played.players),
                moves: &played.moves,
                goals: ByRole::new(roles, played.goals.iter().copied()),
                plies: played.moves.len(),
                seconds: played.time.as_secs_f64(),
                errors: &played.errors,
                seed: played.seed,
                opening: (self.args.opening > 0).then_some(Opening {
                    steps: self.args.opening,
                    seed: played.seed_of_opening,
                }),
                end: played.end.to_string(),
            });
        }
        let plies = played.moves.len();
        let moves = if plies == 1 { "move" } else { "moves" };
        let (words, after) = match &played.end {
            End::Terminal => (
                verdict(roles, &played.goals),
                format!(" after {plies} {moves}"),
            ),
            End::Stopped => (played.end.to_string(), format!(" after {plies} {moves}")),
            end => (end.to_string(), String::new()),
        };
        let game = if self.args.games > 1 {
            format!("game {}: ", played.number)
        } else {
            String::new()
        };
        let (strong, faint) = (style::STRONG, style::FAINT);
        let seconds = played.time.as_secs_f64();
        let out = &mut self.console.out;
        writeln!(
            out,
            "{game}{strong}{words}{strong:#}{faint}{after}, {seconds:.1} s, seed {}{faint:#}",
            played.seed
        )?;
        Ok(())
    }
}

/// How deep the players looked, and what they expect.
fn thought(roles: &[String], step: &Step) -> String {
    let thinkers = step.advice.iter().flatten().count();
    let told = roles.iter().zip(&step.advice).filter_map(|(role, advice)| {
        let advice = advice.as_ref()?;
        let who = if thinkers > 1 {
            format!("{role}: ")
        } else {
            String::new()
        };
        let value = if advice.exact { "exact value" } else { "value" };
        Some(format!(
            "  {who}depth {}, {value} {}",
            advice.depth, advice.goal
        ))
    });
    told.collect()
}
