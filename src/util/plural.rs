//! Words for several things.

/// The plural of an English noun that follows the rules: `ply` becomes `plies`, and `day` becomes `days`.
pub fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_have_their_plurals() {
        assert_eq!(
            ["game", "ply", "day"].map(plural),
            ["games", "plies", "days"]
        );
    }
}
