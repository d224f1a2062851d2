//! The players and their options, one table: text is read by it, written by it, and explained by it.

mod published;

pub(super) use published::PublishedValues;
use std::path::PathBuf;

use super::{PlayerProgram, Spec, SpecError};
use crate::catalog::most_similar;
use crate::native::check_evaluation;
use crate::play::{LEAST_TIME, read_seconds};
use crate::protocol::PlayerAddress;
use crate::search::{Heuristics, MAX_DEPTH, MinimaxSettings, SearchLimits, UnknownHeuristic};
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
            &SELECTIVE,
            &WEIGHTS,
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
            &TIME, &PLAYOUTS, &NODES, &THREADS, &HASH, &HEURISTIC, &TRAINING, &WEIGHTS, &MARGIN,
            &PONDER,
        ],
        make: |values| Some(Spec::Mcts(values.search)),
    },
    PlayerKind {
        name: "plain",
        meaning: "Min-Max without pruning, table and evaluation: a baseline",
        argument: None,
        options: &[&TIME, &DEPTH, &NODES, &MARGIN],
        make: |values| Some(Spec::Plain(values.search)),
    },
    PlayerKind {
        name: "auto",
        meaning: "minimax or mcts, chosen for the game",
        argument: None,
        options: &[
            &TIME, &THREADS, &HASH, &HEURISTIC, &SELECTIVE, &WEIGHTS, &MARGIN, &PONDER,
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

const SEED: PlayerOption = PlayerOption {
    name: "seed",
    value: "N",
    meaning: "seed of its random numbers",
    default: "drawn from the seed of the game",
    read: |values, text| {
        values.seed = Some(text.parse().map_err(|_| "a whole number")?);
        Ok(())
    },
    write: |values| Some(values.seed?.to_string()),
};

const TIME: PlayerOption = PlayerOption {
    name: "time",
    value: "SECONDS",
    meaning: "time per move",
    default: "1, where nothing else limits the search",
    read: |values, text| {
        values.search.time = Some(read_seconds(text, LEAST_TIME)?);
        Ok(())
    },
    write: |values| Some(values.search.time?.as_secs_f64().to_string()),
};

const DEPTH: PlayerOption = PlayerOption {
    name: "depth",
    value: "PLIES",
    meaning: "greatest depth",
    default: "none",
    read: |values, text| {
        values.search.depth = Some(whole(text, 1, MAX_DEPTH, "plies")?);
        Ok(())
    },
    write: |values| Some(values.search.depth?.to_string()),
};

const NODES: PlayerOption = PlayerOption {
    name: "nodes",
    value: "N",
    meaning: "states searched per move, at most",
    default: "none",
    read: |values, text| {
        values.search.nodes = Some(whole(text, 1, u64::MAX, "states")?);
        Ok(())
    },
    write: |values| Some(values.search.nodes?.to_string()),
};

const PLAYOUTS: PlayerOption = PlayerOption {
    name: "playouts",
    value: "N",
    meaning: "playouts per move, at most",
    default: "none",
    read: |values, text| {
        values.search.playouts = Some(whole(text, 1, u64::MAX, "random games")?);
        Ok(())
    },
    write: |values| Some(values.search.playouts?.to_string()),
};

const THREADS: PlayerOption = PlayerOption {
    name: "threads",
    value: "N",
    meaning: "number of threads",
    default: "1",
    read: |values, text| {
        values.search.threads = whole(text, 1, 256, "threads")?;
        Ok(())
    },
    write: |values| unless_default(values.search.threads, 1),
};

const HASH: PlayerOption = PlayerOption {
    name: "hash",
    value: "MIB",
    meaning: "memory for positions, in MiB",
    default: "what is usual for the search",
    read: |values, text| {
        values.search.hash = Some(whole(text, 1, MinimaxSettings::MOST_HASH, "MiB")?);
        Ok(())
    },
    write: |values| Some(values.search.hash?.to_string()),
};

const HEURISTIC: PlayerOption = PlayerOption {
    name: "heuristic",
    value: "NAMES",
    meaning: "heuristics of the evaluation, joined by +",
    default: "all",
    read: |values, text| {
        values.search.heuristics = heuristics(text)?;
        Ok(())
    },
    write: |values| unless_default(values.search.heuristics, Heuristics::ALL),
};

const EVALUATION: PlayerOption = PlayerOption {
    name: "evaluation",
    value: "NAME",
    meaning: "a published evaluation of the native engine instead, or its formula with weights W1/…/W11",
    default: "none",
    read: |values, text| {
        check_evaluation(text)?;
        values.search.evaluation = Some(text.into());
        Ok(())
    },
    write: |values| Some(values.search.evaluation.as_ref()?.to_string()),
};

const TRAINING: PlayerOption = PlayerOption {
    name: "training",
    value: "N",
    meaning: "states of self-play that weights are learned from, at most",
    default: "what five seconds are enough for, at most 4,000,000",
    read: |values, text| {
        values.search.training = Some(whole(text, 1, u64::MAX, "states")?);
        Ok(())
    },
    write: |values| Some(values.search.training?.to_string()),
};

const SELECTIVE: PlayerOption = PlayerOption {
    name: "selective",
    value: "BOOL",
    meaning: "whether Min-Max leaves out what will hardly matter",
    default: "true, with depth or evaluation false",
    read: |values, text| {
        values.search.selective = Some(text.parse().map_err(|_| "true or false")?);
        Ok(())
    },
    write: |values| Some(values.search.selective?.to_string()),
};

const WEIGHTS: PlayerOption = PlayerOption {
    name: "weights",
    value: "FILE",
    meaning: "weights that `kolibri train` wrote, in place of learning any",
    default: "none",
    read: |values, text| {
        let file = Some(text).filter(|file| !file.is_empty());
        values.search.weights = Some(file.ok_or("FILE, a path without a comma")?.into());
        Ok(())
    },
    write: |values| Some(values.search.weights.as_ref()?.display().to_string()),
};

const MARGIN: PlayerOption = PlayerOption {
    name: "margin",
    value: "SECONDS",
    meaning: "how much of the time is kept back",
    default: "0.015",
    read: |values, text| {
        values.search.margin = read_seconds(text, 0.0)?;
        Ok(())
    },
    write: |values| {
        let (margin, usual) = (values.search.margin, SearchLimits::MARGIN);
        unless_default(margin.as_secs_f64(), usual.as_secs_f64())
    },
};

const PONDER: PlayerOption = PlayerOption {
    name: "ponder",
    value: "true",
    meaning: "whether to search while the others think",
    default: "false",
    read: |values, text| {
        values.search.ponder = text.parse().map_err(|_| "true or false")?;
        Ok(())
    },
    write: |values| unless_default(values.search.ponder, false),
};

fn unless_default<T: PartialEq + ToString>(value: T, default: T) -> Option<String> {
    (value != default).then(|| value.to_string())
}

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
                let message = format!("`{value}` is no {name} for `{}`", self.name);
                SpecError::new(message, format!("write {name}={what}"))
            })?;
        }
        values.published.check()?;
        Ok(values)
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

fn whole<T>(text: &str, least: T, most: T, what: &str) -> Result<T, Expected>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let number = text.parse().ok();
    let in_range = number.filter(|number| (&least..=&most).contains(&number));
    in_range.ok_or_else(|| format!("{least} to {most} {what}").into())
}

fn heuristics(text: &str) -> Result<Heuristics, Expected> {
    let names = Heuristics::names();
    let parsed = text.parse();
    parsed.map_err(|_: UnknownHeuristic| {
        let names = names.join(", ");
        format!("all, none, names joined by +, or all-NAME; the names are {names}").into()
    })
}
