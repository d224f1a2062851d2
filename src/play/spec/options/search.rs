//! The options of the players that search, and the seed.

use super::{Expected, PlayerOption};
use crate::native::check_evaluation;
use crate::play::{LEAST_TIME, read_seconds};
use crate::search::{
    Heuristics, MAX_DEPTH, MinimaxSettings, MoveSelection, SearchLimits, UnknownHeuristic,
    UnknownMoveSelection,
};

pub(super) const SEED: PlayerOption = PlayerOption {
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

pub(super) const TIME: PlayerOption = PlayerOption {
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

pub(super) const DEPTH: PlayerOption = PlayerOption {
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

pub(super) const NODES: PlayerOption = PlayerOption {
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

pub(super) const PLAYOUTS: PlayerOption = PlayerOption {
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

pub(super) const THREADS: PlayerOption = PlayerOption {
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

pub(super) const HASH: PlayerOption = PlayerOption {
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

pub(super) const HEURISTIC: PlayerOption = PlayerOption {
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

pub(super) const EVALUATION: PlayerOption = PlayerOption {
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

pub(super) const TRAINING: PlayerOption = PlayerOption {
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

pub(super) const TRAINING_SEED: PlayerOption = PlayerOption {
    name: "training-seed",
    value: "N",
    meaning: "seed of the self-play that weights are learned from",
    default: "0",
    read: |values, text| {
        values.search.training_seed = text.parse().map_err(|_| "a whole number")?;
        Ok(())
    },
    write: |values| unless_default(values.search.training_seed, 0),
};

pub(super) const SELECTIVE: PlayerOption = PlayerOption {
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

pub(super) const SYMMETRY: PlayerOption = PlayerOption {
    name: "symmetry",
    value: "BOOL",
    meaning: "whether Min-Max looks for symmetries of the game, and keeps one entry for positions that are alike but for these",
    default: "false",
    read: |values, text| {
        values.search.symmetry = text.parse().map_err(|_| "true or false")?;
        Ok(())
    },
    write: |values| unless_default(values.search.symmetry, false),
};

pub(super) const WEIGHTS: PlayerOption = PlayerOption {
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

pub(super) const TIES: PlayerOption = PlayerOption {
    name: "ties",
    value: "CHOICE",
    meaning: "which of several equally good moves is played: first, uniform, value or seeded",
    default: "seeded",
    read: |values, text| {
        let read: Result<MoveSelection, UnknownMoveSelection> = text.parse();
        values.search.selection = read?;
        Ok(())
    },
    write: |values| {
        let selection = values.search.selection;
        let differs = selection != MoveSelection::default();
        differs
            .then(|| selection.name())
            .flatten()
            .map(str::to_owned)
    },
};

pub(super) const TEMPERATURE: PlayerOption = PlayerOption {
    name: "temperature",
    value: "POINTS",
    meaning: "draws the move by value, in place of ties: one that is worth so much less is drawn e times as rarely",
    default: "none",
    read: |values, text| {
        let points: Option<f64> = text.parse().ok();
        let points = points.filter(|points| (0.001..=100.0).contains(points));
        let points = points.ok_or("0.001 to 100 goal points")?;
        let temperature = (points * PARTS_OF_A_POINT).round() as u32;
        values.search.selection = MoveSelection::Softmax { temperature };
        Ok(())
    },
    write: |values| match values.search.selection {
        MoveSelection::Softmax { temperature } => {
            Some((f64::from(temperature) / PARTS_OF_A_POINT).to_string())
        }
        _ => None,
    },
};

/// Temperatures are counted in thousandths of a goal point.
const PARTS_OF_A_POINT: f64 = 1000.0;

pub(super) const MARGIN: PlayerOption = PlayerOption {
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

pub(super) const PONDER: PlayerOption = PlayerOption {
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

pub(super) fn unless_default<T: PartialEq + ToString>(value: T, default: T) -> Option<String> {
    (value != default).then(|| value.to_string())
}

pub(super) fn whole<T>(text: &str, least: T, most: T, what: &str) -> Result<T, Expected>
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
