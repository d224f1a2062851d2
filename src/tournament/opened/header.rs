//! The first line of the log of a tournament: all on which its results depend.

use std::collections::BTreeMap;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::PlannedGame;
use crate::catalog::Origin;
use crate::session::Session;
use crate::tournament::plan::{PlannedOpenings, Schedule, Seatings, TournamentPlan};
use crate::tournament::timetable::Timetable;
use crate::tournament::{TournamentGame, TournamentHeader, TournamentPlayer};

/// The first line of the log.
pub(super) fn header(
    plan: &TournamentPlan,
    games: &[PlannedGame],
    timetable: &Timetable,
) -> TournamentHeader {
    let players = plan.players.iter().map(|player| TournamentPlayer {
        name: player.name.clone(),
        spec: player.spec.to_string(),
    });
    let described = games.iter().map(|opened| {
        let source = opened.game.source();
        let rules = match source.origin {
            Origin::Shipped => &source.name,
            _ => &source.text,
        };
        TournamentGame::new(&source.name, &Session::new(&opened.game), rules)
    });
    let header = TournamentHeader {
        format: TournamentHeader::FORMAT,
        plan: String::new(),
        seed: plan.seed,
        planned: Some(timetable.len()),
        players: players.collect(),
        games: described.collect(),
        settings: settings(plan, games, timetable),
        endless: plan.endless,
        sprt: plan.sprt,
    };
    TournamentHeader {
        plan: hash_of(&header.to_line()),
        ..header
    }
}

/// Everything else on which results depend, by the keys of the plan.
fn settings(
    plan: &TournamentPlan,
    games: &[PlannedGame],
    timetable: &Timetable,
) -> BTreeMap<String, String> {
    let schedule = match &plan.schedule {
        Schedule::RoundRobin => "round-robin".to_owned(),
        Schedule::Gauntlet(one) => format!("gauntlet of {}", plan.players[*one].name),
        Schedule::Swiss => "swiss".to_owned(),
        Schedule::Listed(pairings) => format!("listed {}", hash_of(&json(pairings))),
    };
    let openings = match &plan.openings {
        PlannedOpenings::Drawn(plies) => format!("{plies} plies drawn"),
        PlannedOpenings::Written(_) => {
            let all: Vec<_> = games.iter().map(|opened| &opened.openings).collect();
            format!("written {}", hash_of(&json(&all)))
        }
    };
    let occurrences = plan.occurrences.map(|most| most.to_string());
    let settings = [
        ("schedule", schedule),
        (TournamentHeader::SEATINGS, word(&plan.seatings)),
        ("rounds", timetable.rounds.to_string()),
        ("openings", openings),
        ("engine", word(&plan.engine)),
        ("max_plies", plan.max_plies.to_string()),
        ("occurrences", occurrences.unwrap_or("any".to_owned())),
        ("start_clock", plan.start_clock.as_secs().to_string()),
        ("play_clock", plan.play_clock.as_secs().to_string()),
        ("scramble", plan.scramble.to_string()),
        ("keep_facts", plan.keep_facts.join(" ")),
        ("keep_moves", plan.keep_moves.to_string()),
    ];
    settings.map(|(key, value)| (key.to_owned(), value)).into()
}

impl TournamentHeader {
    const SEATINGS: &str = "seatings";

    /// Who plays which role.
    pub(in crate::tournament) fn seatings(&self) -> Seatings {
        let written = self.settings.get(Self::SEATINGS);
        let read = written.and_then(|word| serde_json::from_value(word.as_str().into()).ok());
        read.unwrap_or_default()
    }
}

/// As the plan would have it.
fn json(value: &impl Serialize) -> String {
    // Serialising words and numbers into memory has no way to fail.
    serde_json::to_string(value).unwrap_or_default()
}

/// A value that the plan writes as a word.
fn word(value: &impl Serialize) -> String {
    json(value).trim_matches('"').to_owned()
}

fn hash_of(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
