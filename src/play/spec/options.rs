//! The players and their options, one table: text is read by it, written by it, and explained by it.

mod published;
mod search;

pub(super) use published::PublishedValues;
use std::path::PathBuf;

use self::search::{
    DEPTH, EVALUATION, HASH, HEURISTIC, MARGIN, NODES, PLAYOUTS, PONDER, SEED, SELECTIVE, SYMMETRY,
    TEMPERATURE, THREADS, TIES, TIME, TRAINING, TRAINING_SEED, WEIGHTS,
};
use super::{PlayerProgram, Spec, SpecError};
use crate::catalog::most_similar;
use crate::protocol::PlayerAddress;
use crate::search::Heuristics;
use crate::session::SearchOptions;

/// A kind of player.
#[derive(Debug)]
pub struct PlayerKind {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub meaning: &'static str,
    /// What stands behind the colon in place of options, in capitals, where such a thing is needed.
    pub argument: Option<PlayerArgument>,
    /// What can be chosen.
    pub options: &'static [&'static PlayerOption],
    /// The player with these values; `None` where the argument is missing.
    pub(super) make: fn(OptionValues) -> Option<Spec>,
}

/// What stands behind the colon of a player in place of options.
#[derive(Debug)]
pub struct PlayerArgument {
    /// What it stands for, in capitals.
    pub name: &'static str,
    /// An example.
    pub example: &'static str,
    /// Reads it; `None` where it cannot be read.
    read: fn(&mut OptionValues, &str) -> Option<()>,
}

/// An option of a player.
#[derive(Debug)]
pub struct PlayerOption {
    /// Its name.
    pub name: &'static str,
    /// What a value stands for, in capitals.
    pub value: &'static str,
    /// What it changes.
    pub meaning: &'static str,
    /// What holds without it.
    pub default: &'static str,
    /// Reads a value.
    read: fn(&mut OptionValues, &str) -> Result<(), Expected>,
    /// The value as it is read, unless it is the default.
    write: fn(&OptionValues) -> Option<String>,
}

/// What a value that cannot be read should have been.
#[derive(Debug)]
struct Expected(String);

impl<T: ToString> From<T> for Expected {
    fn from(what: T) -> Self {
        Self(what.to_string())
    }
}

/// The values of all options of a player.
#[derive(Debug, Clone, Default)]
pub(super) struct OptionValues {
    pub(super) file: Option<PathBuf>,
    pub(super) address: Option<PlayerAddress>,
    pub(super) program: Option<PlayerProgram>,
    pub(super) seed: Option<u64>,
    pub(super) search: SearchOptions,
    pub(super) published: PublishedValues,
}

/// All players.
pub const PLAYER_KINDS: &[PlayerKind] = &[
    PlayerKind {
        name: "human",
        meaning: "a person at the keyboard, in `play` only",
        argument: None,
        options: &[],
        make: |_| Some(Spec::Human),
    },
    PlayerKind {
        name: "random",
        meaning: "any legal move, with equal probability",
        argument: None,
        options: &[&SEED],
        make: |values| Some(Spec::Random { seed: values.seed }),
    },
    PlayerKind {
        name: "first",
        meaning: "the first legal move",
        argument: None,
        options: &[],
        make: |_| Some(Spec::First),
    },
    PlayerKind {
        name: "minimax",
        meaning: "Min-Max search",
        argument: None,
        options: &[
            &TIME,
            &DEPTH,
            &NODES,
            &THREADS,
            &HASH,
            &HEURISTIC,
            &EVALUATION,
            &TRAINING,
            &TRAINING_SEED,
            &SELECTIVE,
            &SYMMETRY,
            &WEIGHTS,
            &TIES,
            &TEMPERATURE,
            &MARGIN,
            &PONDER,
        ],
        make: |values| Some(Spec::Minimax(values.search)),
    },
    PlayerKind {
        name: "mcts",
        meaning: "Monte-Carlo tree search",
        argument: None,
        options: &[
            &TIME,
            &PLAYOUTS,
            &NODES,
            &THREADS,
            &HASH,
            &HEURISTIC,
            &TRAINING,
            &TRAINING_SEED,
            &WEIGHTS,
            &MARGIN,
            &PONDER,
        ],
        make: |values| Some(Spec::Mcts(values.search)),
    },
    PlayerKind {
        name: "plain",
        meaning: "Min-Max without pruning, table and evaluation: a baseline",
        argument: None,
        options: &[&TIME, &DEPTH, &NODES, &TIES, &TEMPERATURE, &MARGIN],
        make: |values| Some(Spec::Plain(values.search)),
    },
    PlayerKind {
        name: "auto",
        meaning: "minimax or mcts, chosen for the game",
        argument: None,
        options: &[
            &TIME,
            &THREADS,
            &HASH,
            &HEURISTIC,
            &TRAINING_SEED,
            &SELECTIVE,
            &SYMMETRY,
            &WEIGHTS,
            &MARGIN,
            &PONDER,
        ],
        make: |values| Some(Spec::Auto(values.search)),
    },
    published::PUBLISHED,
    PlayerKind {
        name: "solved",
        meaning: "perfect play by the file that `kolibri solve GAME --out F` wrote, written solved:file=F",
        argument: Some(PlayerArgument {
            name: "file=F",
            example: "file=kolibrat.solution",
            read: |values, text| {
                let file = text.strip_prefix("file=").map(str::trim);
                values.file = Some(file.filter(|file| !file.is_empty())?.into());
                Some(())
            },
        }),
        options: &[],
        make: |values| Some(Spec::Solved(values.file?)),
    },
    PlayerKind {
        name: "remote",
        meaning: "a player on the network, written remote:HOST:PORT, in `match` and `tournament` only",
        argument: Some(PlayerArgument {
            name: "HOST:PORT",
            example: "127.0.0.1:9147",
            read: |values, text| {
                values.address = Some(text.parse().ok()?);
                Some(())
            },
        }),
        options: &[],
        make: |values| Some(Spec::Remote(values.address?)),
    },
    PlayerKind {
        name: "exec",
        meaning: "a program on this machine, written exec:PROGRAM ARGS",
        argument: Some(PlayerArgument {
            name: "PROGRAM ARGS",
            example: "python3 player.py",
            read: |values, text| {
                values.program = Some(PlayerProgram::read(text)?);
                Some(())
            },
        }),
        options: &[],
        make: |values| Some(Spec::Exec(values.program?)),
    },
];

impl PlayerKind {
    /// The kind of this name.
    pub(super) fn of(name: &str) -> Option<&'static Self> {
        PLAYER_KINDS.iter().find(|kind| kind.name == name)
    }

    /// Reads `NAME=VALUE,NAME=VALUE…`.
    pub(super) fn read(&self, text: &str) -> Result<OptionValues, SpecError> {
        let mut values = OptionValues::default();
        if let Some(argument) = &self.argument {
            let read = (argument.read)(&mut values, text.trim());
            return read.map(|()| values).ok_or_else(|| self.without_argument());
        }
        let mut seen: Vec<&str> = Vec::new();
        for option in text.split(',').map(str::trim) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let (name, value) = (name.trim(), value.trim());
            if option.is_empty() {
                continue;
            }
            let known = self.options.iter().find(|known| known.name == name);
            let known = known.ok_or_else(|| self.unknown(name))?;
            if seen.contains(&name) {
                let message = format!("`{name}` is given twice for `{}`", self.name);
                return Err(SpecError::new(message, "keep one of the two".to_owned()));
            }
            seen.push(name);
            (known.read)(&mut values, value).map_err(|Expected(what)| {
                let message = format!("`{value}` is no value of `{name}` for `{}`", self.name);
                SpecError::new(message, format!("write {name}={what}"))
            })?;
        }
        values.published.check()?;
        self.check_choice(&seen)?;
        self.check_weights(&seen, &values.search)?;
        Ok(values)
    }

    /// Which move is played is said by one option.
    fn check_choice(&self, seen: &[&str]) -> Result<(), SpecError> {
        if !["ties", "temperature"]
            .iter()
            .all(|name| seen.contains(name))
        {
            return Ok(());
        }
        let message = format!(
            "`ties` and `temperature` do not go together for `{}`",
            self.name
        );
        Err(SpecError::new(message, "keep one of the two".to_owned()))
    }

    /// A file of weights takes the place of what other options ask for.
    fn check_weights(&self, seen: &[&str], search: &SearchOptions) -> Result<(), SpecError> {
        let replaced = ["evaluation", "training", "training-seed", "playouts"];
        let replaced = replaced.into_iter().find(|name| seen.contains(name));
        let is_unused = search.heuristics == Heuristics::NONE;
        let replaced = replaced.or(is_unused.then_some("heuristic=none"));
        match replaced.filter(|_| search.weights.is_some()) {
            None => Ok(()),
            Some(other) => Err(SpecError::new(
                format!(
                    "`weights` and `{other}` do not go together for `{}`",
                    self.name
                ),
                "leave out one of the two: weights are an evaluation of their own".to_owned(),
            )),
        }
    }

    /// The player cannot be without what stands behind its colon.
    pub(super) fn without_argument(&self) -> SpecError {
        let (argument, example) = match &self.argument {
            Some(argument) => (argument.name, argument.example),
            None => ("", ""),
        };
        let name = self.name;
        SpecError::new(
            format!("the player `{name}` needs {argument} behind its colon"),
            format!("write {name}:{argument}, such as {name}:{example}"),
        )
    }

    /// The options that are not at their default, as they are read.
    pub(super) fn write(&self, values: &OptionValues) -> String {
        let options = self.options.iter().filter_map(|option| {
            let value = (option.write)(values)?;
            Some(format!("{}={value}", option.name))
        });
        options.collect::<Vec<_>>().join(",")
    }

    fn unknown(&self, name: &str) -> SpecError {
        let player = self.name;
        let known: Vec<&str> = self.options.iter().map(|option| option.name).collect();
        let all = format!("the options are {}", known.join(", "));
        let help = match most_similar(name, known.iter().copied()) {
            _ if known.is_empty() => format!("`{player}` takes no options"),
            Some(similar) => format!("did you mean `{similar}`? {all}"),
            None => all,
        };
        SpecError::new(
            format!("the player `{player}` has no option `{name}`"),
            help,
        )
    }
}
