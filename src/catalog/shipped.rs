//! The games that come with the program.

/// A game embedded in the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// What people type, and the stem of the file in `games/`.
    pub name: &'static str,
    /// One line for people who choose a game.
    pub title: &'static str,
    /// The rule file.
    pub text: &'static str,
}

/// Every shipped game, sorted by name: a new file in `games/` gets its line here.
pub const SHIPPED: &[Shipped] = &[];

#[cfg(test)]
mod tests {
    use super::SHIPPED;

    #[test]
    fn every_rule_file_is_shipped_under_its_own_name() {
        let mut files: Vec<String> = std::fs::read_dir("games")
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter_map(|file| file.strip_suffix(".kif").map(str::to_owned))
            .collect();
        files.sort();
        let names: Vec<&str> = SHIPPED.iter().map(|game| game.name).collect();
        assert_eq!(names, files, "`games/` and the catalog differ");
    }
}
