//! Does the log of a tournament agree with the rules?

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Instant;

use super::{
    FinishedGame, GameEnd, LogError, TornLine, TournamentHeader, TournamentLog, hash_of_moves,
};
use crate::engine::LoadOptions;
use crate::play::{Game, Mismatch, Record, Session, SetUpError, Verification, rules_of_record};
use crate::util::{StopFlag, system_said};

/// Why a log does not agree with the rules.
#[derive(Debug, thiserror::Error)]
enum LogMismatch {
    /// The system refuses to read it.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// It is no log, or its games do not fit its header.
    #[error("{0}")]
    Log(#[from] LogError),
    /// The rules of a game cannot be had.
    #[error("game `{game}`: {why}")]
    Rules {
        /// The game.
        game: String,
        /// Why not.
        why: String,
    },
    /// A game does not lead where the log says.
    #[error("game number {number}: {why}")]
    Game {
        /// The number of the game.
        number: u64,
        /// What differs.
        why: String,
    },
}

/// Plays the games of a log again that it holds the moves of, or a record: every move is legal, and they lead to the end and the
/// goals that the log states. The form of every line is checked, and that no number is there twice.
pub fn verify_log(path: &Path, options: &LoadOptions, stop: &StopFlag) -> Verification {
    let begin = Instant::now();
    let mut verification = Verification::of(path.display().to_string());
    match played_again(path, options, stop, &mut verification) {
        Ok(()) => verification.ok = Some(true),
        Err(fault) => verification.fail(Mismatch::whole(fault.to_string())),
    }
    verification.seconds = begin.elapsed().as_secs_f64();
    verification
}

fn played_again(
    path: &Path,
    options: &LoadOptions,
    stop: &StopFlag,
    verification: &mut Verification,
) -> Result<(), LogMismatch> {
    let file = File::open(path).map_err(|why| LogMismatch::Unreadable(system_said(&why)))?;
    let log = TournamentLog::read(BufReader::new(file))?;
    let mut opened: HashMap<&str, Session> = HashMap::new();
    let mut notes: Vec<String> = log.torn.iter().map(TornLine::to_string).collect();
    let has_moves = |game: &&FinishedGame| game.moves.is_some() || game.record.is_some();
    let with_moves: Vec<&FinishedGame> = log.games.iter().filter(has_moves).collect();
    let without = log.games.len() - with_moves.len();
    if without > 0 {
        notes.push(format!(
            "{without} of {} games have neither moves nor a record",
            log.games.len()
        ));
    }
    for (number, game) in with_moves.iter().enumerate() {
        if stop.is_raised() {
            notes.push(format!(
                "stopped after {number} of {} games",
                with_moves.len()
            ));
            break;
        }
        let session = match opened.entry(&game.game) {
            Entry::Occupied(opened) => opened.into_mut(),
            Entry::Vacant(vacant) => vacant.insert(open(&log.header, game, path, options)?),
        };
        replay(game, path, session).map_err(|why| LogMismatch::Game {
            number: game.number,
            why,
        })?;
        verification.states += game.plies + 1;
    }
    verification.note = (!notes.is_empty()).then(|| notes.join("; "));
    Ok(())
}

/// The rules of a game that the reader has found in the header.
fn open(
    header: &TournamentHeader,
    game: &FinishedGame,
    path: &Path,
    options: &LoadOptions,
) -> Result<Session, LogMismatch> {
    let failed = |why: String| LogMismatch::Rules {
        game: game.game.clone(),
        why,
    };
    let of = header.game(&game.game);
    let rules = of.map(|of| of.rules.as_str());
    let source = rules_of_record(rules, path).map_err(|why| failed(why.to_string()))?;
    let opened = Game::open(source, options).map_err(|why| failed(why.to_string()))?;
    match of.is_some_and(|of| of.roles == opened.roles()) {
        true => Ok(Session::new(&opened)),
        false => Err(failed(format!(
            "its roles are {}",
            opened.roles().join(", ")
        ))),
    }
}

/// Plays a game again, and says what differs.
fn replay(game: &FinishedGame, path: &Path, session: &mut Session) -> Result<(), String> {
    let played = match &game.record {
        Some(record) => {
            let record = path.with_file_name(record);
            let record = Record::load(&record).map_err(|why| why.to_string())?;
            record.set_up(session).map_err(|why| why.to_string())?;
            record.moves
        }
        None => {
            let moves = game.moves.clone().unwrap_or_default();
            *session = Session::new(session.game());
            if !game.start.is_empty() {
                let set_up = session.set_up(&game.start);
                set_up.map_err(|why| why.to_string())?;
            }
            for (number, joint) in (1..).zip(&moves) {
                let played = session.play_joint(joint);
                let at = |fault| SetUpError::Move { number, fault };
                played.map_err(|fault| at(fault).to_string())?;
            }
            moves
        }
    };
    if played.len() != game.plies {
        return Err(format!(
            "it has {} plies, and the log states {}",
            played.len(),
            game.plies
        ));
    }
    if hash_of_moves(&played) != game.hash {
        return Err(format!("its moves are not those of the hash {}", game.hash));
    }
    let is_over = session.is_terminal();
    if is_over != (game.end == GameEnd::Terminal) {
        let found = if is_over { "is over" } else { "is not over" };
        return Err(format!(
            "it {found} after its last move, and the log states otherwise"
        ));
    }
    match !is_over || session.goals() == game.goals {
        true => Ok(()),
        false => Err(format!(
            "its goals are {}, and the log states {}",
            goals(session.goals()),
            goals(&game.goals)
        )),
    }
}

fn goals(goals: &[Option<u8>]) -> String {
    let goals = goals
        .iter()
        .map(|goal| goal.map_or_else(|| "none".to_owned(), |goal| goal.to_string()));
    goals.collect::<Vec<_>>().join(", ")
}
