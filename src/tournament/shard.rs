//! Shards: parts of the games, each for one of several machines.

use std::fmt;
use std::str::FromStr;

/// Shard `index` of `count`: the games whose number leaves the remainder `index - 1` when it is divided by `count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

/// A text or numbers that name no shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write I/N, such as 1/8: shard I of N, I from 1 to N")]
pub struct InvalidShard;

impl Shard {
    /// All games.
    pub const ALL: Self = Self { index: 1, count: 1 };

    /// Shard `index`, from 1, of `count`.
    ///
    /// # Errors
    /// [`InvalidShard`].
    pub fn new(index: u64, count: u64) -> Result<Self, InvalidShard> {
        match (1..=count).contains(&index) {
            true => Ok(Self { index, count }),
            false => Err(InvalidShard),
        }
    }

    /// Whether it is all of the games.
    pub fn is_all(self) -> bool {
        self.count == 1
    }

    /// Whether the game of this number belongs to it.
    pub fn holds(self, number: u64) -> bool {
        number % self.count == self.index - 1
    }

    /// How many of the games with numbers below `games` belong to it.
    pub fn of(self, games: u64) -> u64 {
        (games + self.count - self.index) / self.count
    }

    /// Its number, from 1, and how many there are, as in the name of a file: `3-of-8`.
    pub fn file_part(self) -> String {
        format!("{}-of-{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = InvalidShard;

    fn from_str(text: &str) -> Result<Self, InvalidShard> {
        let (index, count) = text.split_once('/').ok_or(InvalidShard)?;
        let number = |text: &str| text.trim().parse().map_err(|_| InvalidShard);
        Self::new(number(index)?, number(count)?)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_make_the_whole() {
        for count in 1..9 {
            let shards: Vec<Shard> = (1..=count)
                .map(|index| Shard::new(index, count).unwrap())
                .collect();
            for games in 0..30 {
                let held = |shard: &&Shard| {
                    (0..games).filter(|number| shard.holds(*number)).count() as u64
                };
                assert!(shards.iter().all(|shard| shard.of(games) == held(&shard)));
                assert_eq!(
                    shards.iter().map(|shard| shard.of(games)).sum::<u64>(),
                    games
                );
            }
        }
    }

    #[test]
    fn shards_are_read_and_printed() {
        assert_eq!("3/8".parse::<Shard>().unwrap().to_string(), "3/8");
        for text in ["", "3", "0/8", "9/8", "1/0", "a/b", "-1/2"] {
            assert_eq!(text.parse::<Shard>(), Err(InvalidShard), "{text}");
        }
    }
}
