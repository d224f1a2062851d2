//! What a list of matches tells of each.

use std::path::Path;

use crate::serve::JournalError;
use crate::serve::hosted::ServedMatch;
use crate::serve::journal::{JournalEvent, MatchHeader, read_journal};
use crate::serve::variations::VariationTree;
use crate::serve::views::MatchSummary;

pub(super) fn summary_of(played: &ServedMatch) -> MatchSummary {
    MatchSummary {
        plies: played.played().moves().len(),
        is_over: played.is_over(),
        changed: played.changed(),
        ..summary(&played.header)
    }
}

fn summary(header: &MatchHeader) -> MatchSummary {
    MatchSummary {
        id: header.id.clone(),
        game: header.game.clone(),
        title: header.title.clone(),
        roles: header.roles.clone(),
        players: header
            .match_players
            .iter()
            .map(|match_player| match_player.name.clone())
            .collect(),
        plies: 0,
        is_over: header.is_over_at_start,
        changed: header.begun,
    }
}

/// What a file tells of its match, without its game.
pub(super) fn summary_on_disk(folder: &Path, id: &str) -> Result<MatchSummary, JournalError> {
    let (header, events) = read_journal(folder, id)?;
    let mut played = VariationTree::new();
    let (mut told, mut is_time_up) = (summary(&header), false);
    for event in &events {
        match event {
            JournalEvent::Played {
                joint,
                by,
                at,
                is_over,
            } => {
                played.play(joint, *by, *at, *is_over);
                (told.is_over, told.changed) = (*is_over, *at);
            }
            JournalEvent::Shown { line, ply } => {
                played.go_to(*line, *ply);
                told.is_over = is_time_up || played.is_over() || header.is_over_at_start;
            }
            JournalEvent::Restarted { at } => {
                played = VariationTree::new();
                is_time_up = false;
                (told.is_over, told.changed) = (header.is_over_at_start, *at);
            }
            JournalEvent::Resigned { at, .. } => (told.is_over, told.changed) = (true, *at),
            JournalEvent::TimeUp { at, .. } => {
                is_time_up = true;
                (told.is_over, told.changed) = (true, *at);
            }
            JournalEvent::Chosen { .. }
            | JournalEvent::Paused { .. }
            | JournalEvent::Clock { .. } => {}
        }
    }
    told.plies = played.moves().len();
    Ok(told)
}
