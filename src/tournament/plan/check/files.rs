//! What a plan names on the disk: games and openings.

use std::path::Path;

use toml::Spanned;

use super::{OrFault, missing, to_usize, whole};
use crate::catalog::{GameSource, SHIPPED, SourceError};
use crate::tournament::plan::error::PlanFault;
use crate::tournament::plan::written::{Text, WrittenOpenings};
use crate::tournament::plan::{OpeningsFile, PlannedOpenings};

pub(super) fn games(
    written: Option<Spanned<Vec<Text>>>,
    folder: &Path,
) -> OrFault<Vec<GameSource>> {
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

pub(super) fn openings(
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
