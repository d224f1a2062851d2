//! A plan as it is written → a plan that can be played.

mod files;
mod players;
mod unread;

use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::time::Duration;

use toml::Spanned;

use self::files::{games, openings};
use self::players::{players, schedule};
pub(super) use self::unread::unread;
use super::error::PlanFault;
use super::written::{Text, WrittenPlan, WrittenTest};
use super::{Schedule, TournamentPlan};
use crate::play::MatchTerms;
use crate::statistics::Hypotheses;

/// The most rounds.
const MOST_ROUNDS: i64 = 10_000_000;
/// The longest clock in seconds: a day.
const LONGEST_CLOCK: i64 = 24 * 60 * 60;
/// The most games at once.
const MOST_AT_ONCE: i64 = 1_024;
/// A longer game is given up, where the plan does not say.
const USUAL_PLIES: usize = 2_000;
/// How often a test may err, where the plan does not say.
const USUAL_ERROR: f64 = 0.05;

type OrFault<T> = Result<T, PlanFault>;

/// Checks everything that can be told without the rules of the games.
pub(super) fn check(written: WrittenPlan, folder: &Path) -> OrFault<TournamentPlan> {
    let players = players(written.players)?;
    let schedule = schedule(
        written.schedule,
        written.gauntlet,
        written.pairings,
        &players,
    )?;
    let usual = MatchTerms::default();
    let clock = |given: Option<Spanned<i64>>, usual: Duration| {
        let seconds = whole(given, "seconds", 1..=LONGEST_CLOCK)?;
        Ok(seconds.map_or(usual, Duration::from_secs))
    };
    let max_plies = whole(written.max_plies, "plies", 1..=i64::MAX)?;
    let max_plies = max_plies.map_or(USUAL_PLIES, to_usize);
    Ok(TournamentPlan {
        games: games(written.games, folder)?,
        seatings: written.seatings.unwrap_or_default(),
        rounds: whole(written.rounds, "rounds", 1..=MOST_ROUNDS)?,
        openings: openings(written.openings, max_plies, folder)?,
        seed: whole(written.seed, "the seed", 0..=i64::MAX)?.unwrap_or(1),
        engine: written.engine.unwrap_or_default(),
        max_plies,
        occurrences: whole(written.occurrences, "occurrences", 2..=i64::MAX)?.map(to_usize),
        endless: written.endless.unwrap_or_default(),
        start_clock: clock(written.start_clock, usual.start_clock)?,
        play_clock: clock(written.play_clock, usual.play_clock)?,
        scramble: written.scramble.unwrap_or(false),
        keep_facts: relations(written.keep_facts)?,
        keep_moves: written.keep_moves.unwrap_or(false),
        sprt: test(written.sprt, players.len(), &schedule)?,
        concurrency: whole(written.concurrency, "games at once", 1..=MOST_AT_ONCE)?.map(to_usize),
        players,
        schedule,
    })
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// A whole number in a range.
fn whole(
    given: Option<Spanned<i64>>,
    what: &str,
    range: RangeInclusive<i64>,
) -> OrFault<Option<u64>> {
    let Some(given) = given else { return Ok(None) };
    let (span, number) = (given.span(), given.into_inner());
    if range.contains(&number) {
        return Ok(u64::try_from(number).ok());
    }
    let (least, most) = range.into_inner();
    let help = match most {
        i64::MAX => format!("write a whole number, {least} or more"),
        most => format!("write a whole number from {least} to {most}"),
    };
    Err(PlanFault::new(
        span,
        format!("{number} is out of range for {what}"),
        help,
    ))
}

fn missing(what: &str, example: &str) -> PlanFault {
    PlanFault::new(
        0..0,
        format!("the plan has no {what}"),
        format!("write {example}"),
    )
}

fn relations(written: Option<Spanned<Vec<Text>>>) -> OrFault<Vec<String>> {
    let names = written.map(Spanned::into_inner).unwrap_or_default();
    let is_word = |name: &str| {
        !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || "()\"`".contains(c))
    };
    let checked = names.into_iter().map(|name| match is_word(name.get_ref()) {
        true => Ok(name.into_inner()),
        false => Err(PlanFault::new(
            name.span(),
            format!("{:?} is no name of a relation", name.get_ref()),
            "write the first word of the facts to be kept, such as \"score\"",
        )),
    });
    checked.collect()
}

fn test(
    written: Option<Spanned<WrittenTest>>,
    players: usize,
    schedule: &Schedule,
) -> OrFault<Option<Hypotheses>> {
    let Some(written) = written else {
        return Ok(None);
    };
    let (span, written) = (written.span(), written.into_inner());
    let hypotheses = Hypotheses {
        elo0: written.elo0,
        elo1: written.elo1,
        alpha: written.alpha.unwrap_or(USUAL_ERROR),
        beta: written.beta.unwrap_or(USUAL_ERROR),
        scale: written.scale.unwrap_or_default(),
    };
    let help = "elo0 is the difference to refute, elo1 the greater one that is hoped for";
    let hypotheses = hypotheses.checked();
    let hypotheses =
        hypotheses.map_err(|fault| PlanFault::new(span.clone(), fault.to_string(), help))?;
    testable(span, players, schedule)?;
    Ok(Some(hypotheses))
}

/// Whether a sequential test makes sense; `span` is where it is asked for.
pub(super) fn testable(span: Range<usize>, players: usize, schedule: &Schedule) -> OrFault<()> {
    match players == 2 && *schedule != Schedule::Swiss {
        true => Ok(()),
        false => Err(PlanFault::new(
            span,
            "a sequential test compares two players, the first one with the second",
            "name two players, and no Swiss schedule; or leave the test out",
        )),
    }
}
