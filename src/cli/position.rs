//! The position a command starts from: the initial one, or one from a file, and moves made from there.

use std::collections::VecDeque;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::catalog::{GameSource, SourceError};
use crate::cli::failure::Failure;
use crate::cli::move_text::{quotes_forgotten, read_move};
use crate::game::{Role, StateMachine, legal_of_all};
use crate::kif::{GroundTerm, LineColumn, LineIndex, read_facts};
use crate::terminal::quoted;

/// Options about the position.
#[derive(Debug, clap::Args)]
pub(super) struct StateArgs {
    /// Start from the position in FILE, a list of facts such as (cell 1 1 x) (control o)
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

/// Options about a position in a game.
#[derive(Debug, clap::Args)]
pub(super) struct PositionArgs {
    /// Moves from the start position, as in the rule file: one for each role that has a choice
    #[arg(value_name = "MOVE")]
    pub(super) moves: Vec<String>,
    #[command(flatten)]
    pub(super) start: StateArgs,
}

impl StateArgs {
    /// The facts of the position, if one was given.
    pub(super) fn facts(&self) -> Result<Option<Vec<String>>, Failure> {
        let Some(path) = &self.state else {
            return Ok(None);
        };
        let source = GameSource::from_file(path).map_err(|fault| unread(path, fault))?;
        let refused = |place: LineColumn, fault: &dyn Display| {
            let message = format!("{}:{place}: {fault}", source.shown());
            Failure::finding(message)
                .with_help("write each fact as in the rules, such as (cell 1 1 x)")
        };
        let mut found = source.diagnostics.iter();
        if let Some(error) = found.find(|diagnostic| diagnostic.is_error()) {
            let place = LineIndex::new(&source.text).position(error.span.start);
            return Err(refused(place, &error.message));
        }
        let facts = read_facts(&source.text).map_err(|error| refused(error.place, &error.fault))?;
        Ok(Some(facts.iter().map(GroundTerm::to_string).collect()))
    }
}

/// Why no position could be read: unlike a rule file, it has no name but its path, and needs no rules.
fn unread(path: &Path, fault: SourceError) -> Failure {
    let path = path.display();
    let (message, help) = match fault {
        SourceError::UnknownName { .. } => (
            format!("there is no file `{path}`"),
            "check the path; it counts from the folder you are in",
        ),
        SourceError::Empty { .. } => (
            format!("`{path}` is empty"),
            "write the facts of a position, such as (cell 1 1 x)",
        ),
        SourceError::Directory { .. } => (
            format!("`{path}` is a directory, not a file with a position"),
            "name a file that holds facts, such as (cell 1 1 x)",
        ),
        fault => return fault.into(),
    };
    Failure::usage(message).with_help(help)
}

/// The state with these facts, or the initial one.
pub(super) fn begin<G: StateMachine>(
    game: &G,
    facts: Option<&Vec<String>>,
) -> Result<G::State, Failure> {
    match facts {
        None => Ok(game.initial()),
        Some(facts) => game.state_from_text(facts).map_err(|fault| {
            Failure::finding(fault)
                .with_help("the file must hold all facts of a state and no others")
        }),
    }
}

/// A state, and the earlier ones of the game in order.
pub(super) struct Reached<S> {
    pub(super) past: Vec<S>,
    pub(super) state: S,
}

/// The state after `moves`: per joint move one text for each role that has a choice.
///
/// A forced move may be written as well, where it cannot be mistaken for another role's choice.
pub(super) fn advance<G: StateMachine>(
    game: &G,
    state: G::State,
    moves: &[String],
) -> Result<Reached<G::State>, Failure> {
    let mut walk = Walk {
        game,
        scratch: game.scratch(),
        past: Vec::new(),
        state,
        legal: Vec::new(),
    };
    let texts: Result<VecDeque<String>, Failure> =
        moves.iter().map(|text| read_move(text)).collect();
    let mut texts = texts?;
    while !texts.is_empty() {
        walk.step(&mut texts)?;
    }
    let Walk { past, state, .. } = walk;
    Ok(Reached { past, state })
}

struct Walk<'g, G: StateMachine> {
    game: &'g G,
    scratch: G::Scratch,
    past: Vec<G::State>,
    state: G::State,
    legal: Vec<Vec<G::Move>>,
}

impl<G: StateMachine> Walk<'_, G> {
    fn step(&mut self, texts: &mut VecDeque<String>) -> Result<(), Failure> {
        if self.game.is_terminal(&mut self.scratch, &self.state) {
            return Err(self.over(&texts[0]));
        }
        legal_of_all(self.game, &mut self.scratch, &self.state, &mut self.legal);
        let roles = 0..self.legal.len();
        let joint: Result<Vec<_>, _> = roles.map(|role| self.choose(role, texts)).collect();
        let next = self.game.next(&mut self.scratch, &self.state, &joint?);
        self.past.push(std::mem::replace(&mut self.state, next));
        Ok(())
    }

    fn over(&self, text: &str) -> Failure {
        match self.game.fault(&self.scratch) {
            Some(fault) => Failure::finding(fault.to_string()),
            None => Failure::usage(format!(
                "{} cannot be played: the game is over {}",
                quoted(text),
                self.when()
            )),
        }
    }

    fn when(&self) -> String {
        match self.past.len() {
            0 => "at the start".to_owned(),
            1 => "after 1 ply".to_owned(),
            plies => format!("after {plies} plies"),
        }
    }

    fn choose(&self, role: usize, texts: &mut VecDeque<String>) -> Result<G::Move, Failure> {
        let name = &self.game.roles()[role];
        match self.legal[role].as_slice() {
            [] => Err(Failure::finding(format!(
                "{name} has no legal move {}",
                self.when()
            ))),
            [forced] => {
                let names_it = |text: &String| self.game.move_text(*forced) == *text;
                if texts.front().is_some_and(names_it) && !self.is_choice_of_later(role, texts) {
                    texts.pop_front();
                }
                Ok(*forced)
            }
            _ => self.chosen(role, texts.pop_front()),
        }
    }

    /// Whether the next text could be meant for a role that comes later and has a choice.
    fn is_choice_of_later(&self, role: usize, texts: &VecDeque<String>) -> bool {
        let later = &self.legal[role + 1..];
        let mut choices = later.iter().filter(|moves| moves.len() > 1);
        choices.any(|moves| {
            moves
                .iter()
                .any(|&mv| Some(&self.game.move_text(mv)) == texts.front())
        })
    }

    fn chosen(&self, role: usize, text: Option<String>) -> Result<G::Move, Failure> {
        let name = &self.game.roles()[role];
        let legal = &self.legal[role];
        let message = match &text {
            None => format!("{name} moves at the same time: name its move too"),
            Some(text) => {
                let played = legal.iter().find(|&&mv| self.game.move_text(mv) == *text);
                if let Some(&mv) = played {
                    return Ok(mv);
                }
                let when = self.when();
                format!("{} is not a legal move of {name} {when}", quoted(text))
            }
        };
        let texts: Vec<String> = legal.iter().map(|&mv| self.game.move_text(mv)).collect();
        let forgotten = text.and_then(|text| quotes_forgotten(&text, &texts));
        let advice = forgotten.map_or(String::new(), |advice| format!("{advice}; "));
        let help = format!("{advice}{name} may play {}", some_of(texts));
        Err(Failure::usage(message).with_help(help))
    }
}

/// The first few texts in order.
fn some_of(mut texts: Vec<String>) -> String {
    const SHOWN: usize = 20;
    texts.sort();
    let more = texts.len().saturating_sub(SHOWN);
    texts.truncate(SHOWN);
    let list = texts.join(" ");
    match more {
        0 => list,
        more => format!("{list} and {more} others"),
    }
}

/// The legal moves of one role, by name.
pub(super) fn legal_texts<G: StateMachine>(
    game: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
    role: Role,
) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal(scratch, state, role, &mut moves);
    let mut texts: Vec<String> = moves.iter().map(|&mv| game.move_text(mv)).collect();
    texts.sort();
    texts
}
