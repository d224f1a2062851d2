//! The options of a player, one after the other.

use super::{SearchOptions, SpecError};
use crate::catalog::most_similar;
use crate::native::{evaluation_named, evaluations};
use crate::play::{LEAST_TIME, read_seconds};
use crate::search::{Heuristics, MAX_DEPTH, Settings};

/// The options read so far.
#[derive(Default)]
pub(super) struct Options {
    pub(super) seed: Option<u64>,
    pub(super) thinking: SearchOptions,
    seen: Vec<String>,
}

impl Options {
    /// Reads `KEY=VALUE,KEY=VALUE…`, of which `player` knows these keys.
    pub(super) fn read(player: &str, known: &[&str], text: &str) -> Result<Self, SpecError> {
        let mut options = Self::default();
        for option in text.split(',').map(str::trim) {
            if !option.is_empty() {
                options.take(player, known, option)?;
            }
        }
        Ok(options)
    }

    /// Reads one option.
    fn take(&mut self, player: &str, known: &[&str], option: &str) -> Result<(), SpecError> {
        let (key, value) = option.split_once('=').unwrap_or((option, ""));
        let (key, value) = (key.trim(), value.trim());
        if !known.contains(&key) {
            return Err(unknown_option(player, known, key));
        }
        if self.seen.iter().any(|seen| seen == key) {
            return Err(SpecError::new(
                format!("`{key}` is given twice for `{player}`"),
                "keep one of the two".to_owned(),
            ));
        }
        self.seen.push(key.to_owned());
        self.set(key, value).map_err(|wanted| {
            let message = format!("`{value}` is no {key} for `{player}`");
            SpecError::new(message, format!("write {key}={wanted}"))
        })
    }

    /// Sets one option; otherwise says what is wanted.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let thinking = &mut self.thinking;
        match key {
            "seed" => self.seed = Some(value.parse().map_err(|_| "a whole number")?),
            "time" => thinking.time = Some(read_seconds(value, LEAST_TIME)?),
            "margin" => thinking.margin = read_seconds(value, 0.0)?,
            "depth" => thinking.depth = Some(whole(value, 1, MAX_DEPTH, "steps")?),
            "playouts" => thinking.playouts = Some(whole(value, 1, u64::MAX, "random games")?),
            "hash" => thinking.hash = Some(whole(value, 1, Settings::MOST_HASH, "MiB")?),
            "ponder" => thinking.ponder = value.parse().map_err(|_| "true or false")?,
            "evaluation" => thinking.evaluation = Some(evaluation(value)?),
            "heuristic" => thinking.heuristics = heuristics(value)?,
            "threads" => thinking.threads = whole(value, 1, 256, "threads")?,
            // Nobody knows an option that cannot be set.
            _ => return Err("nothing of the kind".to_owned()),
        }
        Ok(())
    }
}

fn whole<T>(text: &str, least: T, most: T, what: &str) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let number = text.parse().ok();
    let in_range = number.filter(|number| (&least..=&most).contains(&number));
    in_range.ok_or_else(|| format!("{least} to {most} {what}"))
}

fn evaluation(text: &str) -> Result<&'static str, String> {
    let names = || evaluations().collect::<Vec<_>>().join(", ");
    evaluation_named(text).ok_or_else(|| format!("one of {}", names()))
}

fn heuristics(text: &str) -> Result<Heuristics, String> {
    let names = Heuristics::names();
    let wanted = |_| {
        format!(
            "all, none, names joined by +, or all-NAME; the names are {}",
            names.join(", ")
        )
    };
    text.parse().map_err(wanted)
}

fn unknown_option(player: &str, known: &[&str], key: &str) -> SpecError {
    let help = match most_similar(key, known.iter().copied()) {
        _ if known.is_empty() => format!("`{player}` takes no options"),
        Some(similar) => format!(
            "did you mean `{similar}`? the options are {}",
            known.join(", ")
        ),
        None => format!("the options are {}", known.join(", ")),
    };
    SpecError::new(format!("the player `{player}` has no option `{key}`"), help)
}
