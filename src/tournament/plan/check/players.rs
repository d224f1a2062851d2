//! The players of a plan, and who of them plays whom.

use std::collections::HashSet;
use std::ops::Range;

use toml::Spanned;

use super::{OrFault, missing};
use crate::catalog::most_similar;
use crate::play::Spec;
use crate::tournament::plan::error::PlanFault;
use crate::tournament::plan::written::{Text, WrittenPairing, WrittenPlayer, WrittenSchedule};
use crate::tournament::plan::{PlannedPlayer, Schedule};

/// The most players.
const MOST_PLAYERS: usize = 1_000;
/// The longest name of a player, in characters.
const LONGEST_NAME: usize = 60;

pub(super) fn players(written: Option<Spanned<Vec<WrittenPlayer>>>) -> OrFault<Vec<PlannedPlayer>> {
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

pub(super) fn schedule(
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
