//! The games that come with the program.

/// A game embedded in the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// What people type, and the stem of the file in `games/`.
    pub name: &'static str,
    /// The rule file.
    pub text: &'static str,
}

impl Shipped {
    /// What the game is, in one line: the first comment of the rule file.
    pub fn title(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.trim_start_matches([';', ' ']).trim_end_matches('.')
    }
}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(Shipped { name: $name, text: include_str!(concat!("../../games/", $name, ".kif")) }),*]
    };
}

/// Every shipped game, sorted by name: a new file in `games/` gets its word here.
pub const SHIPPED: &[Shipped] = shipped![
    "breakthrough",
    "checkers",
    "connect-four",
    "eight-puzzle",
    "fakelogic",
    "kolibrat",
    "kolibrat-berger",
    "lines-of-action",
    "nim",
    "reversi",
    "rock-paper-scissors",
    "tictactoe",
];

#[cfg(test)]
mod tests {
    use super::SHIPPED;

    #[test]
    fn every_rule_file_is_shipped_under_its_own_name() {
        let mut files: Vec<String> = std::fs::read_dir("games")
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter_map(|file| file.strip_suffix(".kif").map(str::to_owned))
            .collect();
        files.sort();
        let names: Vec<&str> = SHIPPED.iter().map(|game| game.name).collect();
        assert_eq!(names, files, "`games/` and the catalog differ");
    }

    #[test]
    fn every_rule_file_begins_with_its_title() {
        for game in SHIPPED {
            assert!(game.text.starts_with("; "), "{} has no title", game.name);
            assert!(game.title().len() < 80, "{} has a long title", game.name);
        }
    }
}
