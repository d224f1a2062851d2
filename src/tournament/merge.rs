//! The logs of several shards → one log.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::log_file::{LogFileError, differences, read_log};
use super::{FinishedGame, TournamentLog};

/// Logs of the same tournament, put together.
#[derive(Debug)]
pub struct MergedLogs {
    /// All games, each once, in the order of their numbers.
    pub log: TournamentLog,
    /// The numbers of games that are in several logs. Their results are the same; the first one counts.
    pub duplicates: Vec<u64>,
    /// The numbers of games that the plan has and no log.
    pub gaps: Vec<RangeInclusive<u64>>,
}

/// Why logs cannot be put together.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A log cannot be read.
    #[error(transparent)]
    Log(#[from] LogFileError),
    /// Two logs are of different tournaments.
    #[error("`{}` and `{}` are of different tournaments: {}", first.display(), other.display(), differences.join("; "))]
    OtherPlan {
        /// The first log.
        first: PathBuf,
        /// The other one.
        other: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
    /// A game ended in different ways.
    #[error("game {} has another result in `{}` than in `{}`", number + 1, other.display(), first.display())]
    Contradiction {
        /// The number of the game.
        number: u64,
        /// The log in which it stands first.
        first: PathBuf,
        /// The other log.
        other: PathBuf,
    },
}

impl MergeError {
    /// How to mend it.
    pub fn help(&self) -> String {
        match self {
            Self::Log(fault) => match fault {
                LogFileError::Log { .. } => "name logs that `kolibri tournament` has written".to_owned(),
                other => other.help(),
            },
            Self::OtherPlan { .. } => "merge logs of one plan; each plan has logs of its own".to_owned(),
            Self::Contradiction { .. } => {
                "players that are limited by time play differently each time: leave one of the two logs out".to_owned()
            }
        }
    }
}

impl MergedLogs {
    /// Reads logs and puts them together.
    ///
    /// # Errors
    /// [`MergeError`]: a log cannot be read, or does not fit the first one.
    pub fn read(first: &Path, others: &[PathBuf]) -> Result<Self, MergeError> {
        let mut log = read_log(first)?;
        let mut duplicates = Vec::new();
        let mut games: BTreeMap<u64, (FinishedGame, &Path)> = BTreeMap::new();
        let own = std::mem::take(&mut log.games).into_iter();
        games.extend(own.map(|game| (game.number, (game, first))));
        for path in others {
            let other = read_log(path)?;
            let differences = differences(&log.header, &other.header);
            if !differences.is_empty() {
                return Err(MergeError::OtherPlan {
                    first: first.to_owned(),
                    other: path.clone(),
                    differences,
                });
            }
            for game in other.games {
                match games.get(&game.number) {
                    None => drop(games.insert(game.number, (game, path))),
                    Some((earlier, _)) if is_same(earlier, &game) => duplicates.push(game.number),
                    Some((_, earlier)) => {
                        return Err(MergeError::Contradiction {
                            number: game.number,
                            first: earlier.to_path_buf(),
                            other: path.clone(),
                        });
                    }
                }
            }
        }
        duplicates.sort_unstable();
        duplicates.dedup();
        let gaps = gaps(games.keys().copied(), log.header.planned.unwrap_or(0));
        log.games = games.into_values().map(|(game, _)| game).collect();
        log.torn = None;
        Ok(Self {
            log,
            duplicates,
            gaps,
        })
    }
}

/// Whether a game was played twice in the same way, though it may have taken another time.
fn is_same(one: &FinishedGame, other: &FinishedGame) -> bool {
    let result = |game: &FinishedGame| {
        let FinishedGame {
            hash,
            end,
            goals,
            players,
            ..
        } = game;
        (hash.clone(), *end, goals.clone(), players.clone())
    };
    result(one) == result(other)
}

/// The numbers below `planned` that are not among these, which ascend.
fn gaps(numbers: impl Iterator<Item = u64>, planned: u64) -> Vec<RangeInclusive<u64>> {
    let mut gaps = Vec::new();
    let mut next = 0;
    for number in numbers.chain([planned]) {
        if number > next {
            gaps.push(next..=number - 1);
        }
        next = number + 1;
    }
    gaps
}

/// Numbers of games and ranges of them in words, such as `3, 5-9`: counted from 1, as tables show them.
pub struct NumberList<'n>(pub &'n [RangeInclusive<u64>]);

impl fmt::Display for NumberList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 20;
        for (place, range) in self.0.iter().take(SHOWN).enumerate() {
            let (first, last) = (range.start() + 1, range.end() + 1);
            let comma = if place > 0 { ", " } else { "" };
            match first == last {
                true => write!(f, "{comma}{first}")?,
                false => write!(f, "{comma}{first}-{last}")?,
            }
        }
        match self.0.len() > SHOWN {
            true => write!(f, " and more"),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_told_in_ranges() {
        let told = |numbers: &[u64]| NumberList(&gaps(numbers.iter().copied(), 10)).to_string();
        assert_eq!(told(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), "");
        assert_eq!(told(&[1, 2, 5, 8]), "1, 4-5, 7-8, 10");
        assert_eq!(told(&[]), "1-10");
    }
}
