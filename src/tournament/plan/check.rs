//! A plan as it is written → a plan that can be played.

use std::collections::HashSet;
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::time::Duration;

use toml::Spanned;

use super::error::PlanFault;
use super::written::{
    Text, WrittenOpenings, WrittenPairing, WrittenPlan, WrittenPlayer, WrittenSchedule, WrittenTest,
};
use super::{OpeningsFile, PlannedOpenings, PlannedPlayer, Schedule, TournamentPlan};
use crate::catalog::{GameSource, SHIPPED, SourceError, most_similar};
use crate::play::{MatchTerms, Spec};
use crate::statistics::Hypotheses;

/// The most players.
const MOST_PLAYERS: usize = 1_000;
/// The most rounds.
const MOST_ROUNDS: i64 = 10_000_000;
/// The longest name of a player, in characters.
const LONGEST_NAME: usize = 60;
/// The longest clock in seconds: a day.
const LONGEST_CLOCK: i64 = 24 * 60 * 60;
/// The most games at once.
const MOST_AT_ONCE: i64 = 1_024;
/// A longer game is given up, where the plan does not say.
const USUAL_PLIES: usize = 2_000;
/// How often a test may err, where the plan does not say.
const USUAL_ERROR: f64 = 0.05;

type OrFault<T> = Result<T, PlanFault>;

/// What the TOML reader says, and which word was meant.
pub(super) fn unread(text: &str, fault: &toml::de::Error) -> PlanFault {
    let message = fault.message().to_owned();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let help = match &quoted[..] {
        [wrong, known @ ..] if !known.is_empty() && message.starts_with("unknown") => {
            match most_similar(wrong, known.iter().copied()) {
                Some(similar) => format!("did you mean `{similar}`?"),
                None => format!("it can be one of {}", known.join(", ")),
            }
        }
        _ => "`kolibri tournament --help` shows a plan".to_owned(),
    };
    PlanFault::new(
        fault.span().unwrap_or(text.len()..text.len()),
        message,
        help,
    )
}

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

fn players(written: Option<Spanned<Vec<WrittenPlayer>>>) -> OrFault<Vec<PlannedPlayer>> {
    const EXAMPLE: &str =
        "a table for each player:\n[[players]]\nname = \"A\"\nplayer = \"minimax:nodes=1000\"";
    let written = written.ok_or_else(|| missing("players", EXAMPLE))?;
    let span = written.span();
    let written = written.into_inner();
    if written.is_empty() {
        return Err(PlanFault::new(
            span,
            "there are no players",
            format!("write {EXAMPLE}"),
        ));
    }
    if written.len() > MOST_PLAYERS {
        let message = format!("there are {} players", written.len());
        return Err(PlanFault::new(
            span,
            message,
            format!("at most {MOST_PLAYERS} can play"),
        ));
    }
    let mut players: Vec<PlannedPlayer> = Vec::new();
    let mut names = HashSet::new();
    let mut addresses = HashSet::new();
    for written in written {
        let (player, named) = player(written)?;
        if !names.insert(player.name.clone()) {
            let message = format!("two players are called `{}`", player.name);
            let help = "give each of them a `name` of its own";
            return Err(PlanFault::new(named, message, help));
        }
        if let Spec::Remote(address) = &player.spec
            && !addresses.insert(address.to_string())
        {
            let message = format!("two players listen at {address}");
            let help = "a player on the network plays one match at a time: start two of them";
            return Err(PlanFault::new(named, message, help));
        }
        players.push(player);
    }
    Ok(players)
}

/// A player, and where its name is written, or its description if it has no name.
fn player(written: WrittenPlayer) -> OrFault<(PlannedPlayer, Range<usize>)> {
    let (span, text) = (written.player.span(), written.player.into_inner());
    let spec = text.parse::<Spec>();
    let spec = spec.map_err(|fault| PlanFault::new(span.clone(), fault.message, fault.help))?;
    if spec == Spec::Human {
        let help =
            "`kolibri play GAME` asks a person for moves; `kolibri players` lists the others";
        return Err(PlanFault::new(
            span,
            "a person cannot play in a tournament",
            help,
        ));
    }
    let (span, name) = match written.name {
        Some(name) => (name.span(), name.into_inner()),
        None => (span, spec.to_string()),
    };
    let is_plain = !name.trim().is_empty() && !name.chars().any(char::is_control);
    if !is_plain || name.chars().count() > LONGEST_NAME || name.trim() != name {
        let message = format!("{name:?} is no name for a player");
        let help = format!("write a `name` of 1 to {LONGEST_NAME} characters on one line");
        return Err(PlanFault::new(span, message, help));
    }
    Ok((PlannedPlayer { name, spec }, span))
}

fn number_of(name: &Text, players: &[PlannedPlayer]) -> OrFault<usize> {
    let asked = name.get_ref();
    let found = players.iter().position(|player| player.name == *asked);
    found.ok_or_else(|| {
        let names = players.iter().map(|player| player.name.as_str());
        let help = match most_similar(asked, names.clone()) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => format!("the players are {}", names.collect::<Vec<_>>().join(", ")),
        };
        PlanFault::new(name.span(), format!("there is no player `{asked}`"), help)
    })
}

fn schedule(
    written: Option<Spanned<WrittenSchedule>>,
    gauntlet: Option<Text>,
    pairings: Option<Spanned<Vec<WrittenPairing>>>,
    players: &[PlannedPlayer],
) -> OrFault<Schedule> {
    let span = written.as_ref().map_or(0..0, Spanned::span);
    let usual = match (&gauntlet, &pairings) {
        (Some(_), _) => WrittenSchedule::Gauntlet,
        (None, Some(_)) => WrittenSchedule::Listed,
        (None, None) => WrittenSchedule::RoundRobin,
    };
    let kind = written.map_or(usual, Spanned::into_inner);
    if let Some(other) = gauntlet
        .as_ref()
        .filter(|_| kind != WrittenSchedule::Gauntlet)
    {
        let help = "write schedule = \"gauntlet\", or leave `gauntlet` out";
        return Err(PlanFault::new(
            other.span(),
            "the schedule is no gauntlet",
            help,
        ));
    }
    if let Some(other) = pairings
        .as_ref()
        .filter(|_| kind != WrittenSchedule::Listed)
    {
        let help = "write schedule = \"listed\", or leave `pairings` out";
        return Err(PlanFault::new(
            other.span(),
            "the schedule lists no pairings",
            help,
        ));
    }
    match kind {
        WrittenSchedule::RoundRobin => Ok(Schedule::RoundRobin),
        WrittenSchedule::Swiss => Ok(Schedule::Swiss),
        WrittenSchedule::Gauntlet => {
            let help = "write gauntlet = \"NAME\", the player whom all others play";
            let name = gauntlet
                .ok_or_else(|| PlanFault::new(span, "a gauntlet needs its player", help))?;
            Ok(Schedule::Gauntlet(number_of(&name, players)?))
        }
        WrittenSchedule::Listed => {
            let help = "write a table for each pairing:\n[[pairings]]\nplayers = [\"A\", \"B\"]";
            let listed = pairings.map(Spanned::into_inner).unwrap_or_default();
            if listed.is_empty() {
                return Err(PlanFault::new(span, "no pairings are listed", help));
            }
            let listed = listed.iter().map(|one| pairing(one, players));
            Ok(Schedule::Listed(listed.collect::<OrFault<_>>()?))
        }
    }
}

fn pairing(written: &WrittenPairing, players: &[PlannedPlayer]) -> OrFault<Vec<usize>> {
    let names = written.players.get_ref();
    let numbers = names.iter().map(|name| number_of(name, players));
    let numbers = numbers.collect::<OrFault<Vec<usize>>>()?;
    match numbers.is_empty() {
        true => Err(PlanFault::new(
            written.players.span(),
            "nobody plays here",
            "name the players in the order of the roles",
        )),
        false => Ok(numbers),
    }
}

fn games(written: Option<Spanned<Vec<Text>>>, folder: &Path) -> OrFault<Vec<GameSource>> {
    const EXAMPLE: &str = "games = [\"tictactoe\", \"my-game.kif\", \"folder-of-games\"]";
    let written = written.ok_or_else(|| missing("games", EXAMPLE))?;
    let span = written.span();
    let mut games: Vec<GameSource> = Vec::new();
    for asked in written.into_inner() {
        for game in games_at(&asked, folder)? {
            if games.iter().any(|other| other.name == game.name) {
                let message = format!("two games are called `{}`", game.name);
                let help = "name each game once; rename a file that is called like another game";
                return Err(PlanFault::new(asked.span(), message, help));
            }
            games.push(game);
        }
    }
    match games.is_empty() {
        true => Err(PlanFault::new(
            span,
            "there are no games",
            format!("write {EXAMPLE}"),
        )),
        false => Ok(games),
    }
}

/// The shipped game, the game of a file, or those of all rule files in a folder.
fn games_at(asked: &Text, folder: &Path) -> OrFault<Vec<GameSource>> {
    let name = asked.get_ref();
    let fault = |fault: SourceError| PlanFault::new(asked.span(), fault.to_string(), fault.help());
    if SHIPPED.iter().any(|game| game.name == *name) {
        return Ok(vec![GameSource::find(name).map_err(fault)?]);
    }
    let path = folder.join(name);
    if !path.is_dir() {
        let file = match path.exists() {
            true => GameSource::from_file(&path),
            // As it was typed, so that what is told of it is.
            false => GameSource::find(name),
        };
        return Ok(vec![file.map_err(fault)?]);
    }
    let unreadable = |cause| {
        let path = path.display().to_string();
        fault(SourceError::Unreadable { path, cause })
    };
    let mut files = Vec::new();
    for entry in path.read_dir().map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if file.extension().is_some_and(|ending| ending == "kif") {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        let message = format!("there is no rule file in `{name}`");
        let help = "name a folder that holds files with the ending .kif";
        return Err(PlanFault::new(asked.span(), message, help));
    }
    let read = files.iter().map(|file| GameSource::from_file(file));
    read.map(|read| read.map_err(fault)).collect()
}

fn openings(
    written: Option<WrittenOpenings>,
    max_plies: usize,
    folder: &Path,
) -> OrFault<PlannedOpenings> {
    let Some(WrittenOpenings { plies, file }) = written else {
        return Ok(PlannedOpenings::Drawn(0));
    };
    let span = plies.as_ref().map_or(0..0, Spanned::span);
    let plies = whole(plies, "plies", 0..=i64::MAX)?.map(to_usize);
    if let Some(plies) = plies.filter(|plies| *plies >= max_plies) {
        let message =
            format!("an opening of {plies} plies leaves nothing to be played of {max_plies}");
        return Err(PlanFault::new(
            span,
            message,
            "write fewer plies, or a greater `max_plies`",
        ));
    }
    let Some(file) = file else {
        return Ok(PlannedOpenings::Drawn(plies.unwrap_or(0)));
    };
    let path = folder.join(file.get_ref());
    if !path.exists() {
        let message = format!("there is no file `{}`", path.display());
        let help = "name a file with openings, a match record, or a folder of records";
        return Err(PlanFault::new(file.span(), message, help));
    }
    Ok(PlannedOpenings::Written(OpeningsFile { path, plies }))
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
