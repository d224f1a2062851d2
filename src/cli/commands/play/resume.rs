//! Which of the games that are kept goes on.

use std::io::Write;
use std::time::{Duration, SystemTime};

use anstream::ColorChoice;

use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::game::NamedGame;
use crate::cli::line_editor::EditedLines;
use crate::play::Record;
use crate::terminal::{Autosave, KeptGame, LineSource, Typed};

/// The game that goes on: the latest one by the rules that were named, if any were; where there are several, a person at
/// a terminal chooses. With `claim`, it is kept where it was from now on.
pub(super) fn resume(
    named: Option<&str>,
    autosave: &mut Autosave,
    claim: bool,
    console: &mut Console<'_>,
) -> Result<NamedGame, Failure> {
    let mut games = autosave.games();
    if let Some(name) = named {
        games = games_of(name, games)?;
    }
    let (played, free): (Vec<KeptGame>, Vec<KeptGame>) =
        games.into_iter().partition(|game| game.is_played);
    let Some(latest) = free.first() else {
        return Err(none_left(&played));
    };
    if played.iter().any(|game| game.time > latest.time) {
        console.hint("the game that was kept last is being played by another program")?;
    }
    let chosen = match free.len() {
        1 => latest,
        _ => choose(&free, console)?,
    };
    if claim && !autosave.go_on_with(&chosen.path) {
        return Err(none_left(&free));
    }
    NamedGame::of_record(&chosen.path)
}

fn none_left(played: &[KeptGame]) -> Failure {
    match played.is_empty() {
        true => Failure::usage("there is no game to go on with")
            .with_help("`kolibri play GAME` begins one; it is kept after each move"),
        false => Failure::usage("the game is being played by another program")
            .with_help("end it there, or begin another one with `kolibri play GAME`"),
    }
}

/// The games by the rules that `name` stands for; by those of this name, if it stands for none.
fn games_of(name: &str, games: Vec<KeptGame>) -> Result<Vec<KeptGame>, Failure> {
    let rules = NamedGame::find(name).ok();
    let text = rules.as_ref().map(|rules| rules.source.text.as_str());
    let title = rules.as_ref().map_or(name, |rules| &rules.source.name);
    let has_title = |record: &Record| record.game_name.as_deref() == Some(title);
    let is_meant = |record: &Record| match text {
        Some(text) => record.rulesheet.as_deref() == Some(text),
        None => has_title(record),
    };
    let (meant, others): (Vec<KeptGame>, Vec<KeptGame>) =
        games.into_iter().partition(|game| is_meant(&game.record));
    if meant.is_empty() && others.iter().any(|game| has_title(&game.record)) {
        let message = format!("the kept games of {title} have other rules than `{name}` has now");
        return Err(Failure::usage(message)
            .with_help("`kolibri play --resume` goes on with the last one by its own rules"));
    }
    Ok(meant)
}

/// The game that the person chooses; the latest one where nobody can be asked.
fn choose<'g>(games: &'g [KeptGame], console: &mut Console<'_>) -> Result<&'g KeptGame, Failure> {
    let is_coloured = console.out.current_choice() != ColorChoice::Never;
    let Some(mut lines) = EditedLines::of_terminal(is_coloured, console.quiet) else {
        return Ok(&games[0]);
    };
    for (number, game) in (1..).zip(games) {
        writeln!(console.out, "{number:>2} {}", described(game))?;
    }
    loop {
        let line = match lines.read("which game? (Enter for 1)>", &[], &mut console.out)? {
            Typed::Line(line) => line,
            Typed::TooLong | Typed::NoText => continue,
            Typed::End | Typed::Interrupted => return Err(Failure::interrupted()),
        };
        let number = match line.as_str() {
            "" => Some(1),
            text => text.parse::<usize>().ok(),
        };
        match number.and_then(|number| games.get(number.checked_sub(1)?)) {
            Some(game) => return Ok(game),
            None => writeln!(console.out, "type a number from 1 to {}", games.len())?,
        }
    }
}

/// The game, who plays it, and how far it has come.
fn described(game: &KeptGame) -> String {
    let record = &game.record;
    let roles = record.game_role_names.iter();
    let players = roles.zip(&record.player_names_from_host);
    let players: Vec<String> = players
        .map(|(role, player)| match player.as_str() {
            "human" => format!("{role} you"),
            player => format!("{role} {player}"),
        })
        .collect();
    let plies = match record.moves.len() {
        1 => "1 ply".to_owned(),
        plies => format!("{plies} plies"),
    };
    let age = SystemTime::now().duration_since(game.time);
    let name = record.game_name.as_deref().unwrap_or("a game");
    let (players, age) = (players.join(", "), ago(age.unwrap_or_default()));
    format!("{name}: {players}; {plies}, {age}")
}

fn ago(age: Duration) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    let (count, unit) = match age.as_secs() {
        ..MINUTE => return "just now".to_owned(),
        seconds @ MINUTE..HOUR => (seconds / MINUTE, "minute"),
        seconds @ HOUR..DAY => (seconds / HOUR, "hour"),
        seconds => (seconds / DAY, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural} ago")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_told_in_words() {
        let told = [5, 60, 7300, 200_000].map(|seconds| ago(Duration::from_secs(seconds)));
        assert_eq!(
            told,
            ["just now", "1 minute ago", "2 hours ago", "2 days ago"]
        );
    }
}
