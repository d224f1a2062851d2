//! Players by how strong they play, one table.

use super::{Spec, SpecError};

/// A player with a name that says how strong it plays.
#[derive(Debug)]
pub struct Level {
    /// Its name.
    pub name: &'static str,
    /// The player, as it is asked for.
    pub player: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// All levels, the weakest first.
pub const LEVELS: &[Level] = &[
    Level {
        name: "easy",
        player: "minimax:time=1,depth=1",
        meaning: "looks one ply ahead",
    },
    Level {
        name: "medium",
        player: "minimax:time=1,depth=3",
        meaning: "looks three plies ahead",
    },
    Level {
        name: "hard",
        player: "auto:time=1",
        meaning: "thinks for a second, with the search that suits the game",
    },
    Level {
        name: "full",
        player: "auto:time=10,ponder=true",
        meaning: "thinks for ten seconds, and while you think",
    },
];

impl Level {
    /// The level of this name, in upper or lower case.
    pub fn of(name: &str) -> Option<&'static Self> {
        LEVELS
            .iter()
            .find(|level| level.name.eq_ignore_ascii_case(name))
    }

    /// Its player.
    ///
    /// # Errors
    /// None for the levels of [`LEVELS`].
    pub fn spec(&self) -> Result<Spec, SpecError> {
        self.player.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_players() {
        for level in LEVELS {
            let spec = level.spec().unwrap();
            assert_eq!(spec.to_string(), level.player);
            assert_eq!(level.name.parse(), Ok(spec));
        }
        let fault = "easy:depth=3".parse::<Spec>().unwrap_err();
        assert_eq!(fault.message, "the level `easy` takes no options");
    }
}
