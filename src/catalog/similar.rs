//! Did you mean …? For what people type: the names of games, files, players and roles.

/// Names less alike than this (Jaro–Winkler, from 0 to 1) are not taken for slips.
const NEAR: f64 = 0.8;

/// The candidate spelt most like `wanted`, if it is near enough to be meant; the first of those in doubt. Case does not
/// count, and a common beginning counts for more than a common end.
///
/// ```
/// use kolibri::catalog::most_similar;
///
/// assert_eq!(most_similar("colibrat", ["checkers", "kolibrat"]), Some("kolibrat"));
/// assert_eq!(most_similar("go", ["checkers", "kolibrat"]), None);
/// ```
pub fn most_similar<'c>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let wanted = wanted.to_lowercase();
    let mut best: Option<(f64, &'c str)> = None;
    for candidate in candidates {
        let score = strsim::jaro_winkler(&wanted, &candidate.to_lowercase());
        if score > best.map_or(NEAR, |(score, _)| score) {
            best = Some((score, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::most_similar;

    #[test]
    fn slips_of_spelling_are_guessed() {
        let names = ["kolibrat", "checkers", "nim"];
        assert_eq!(most_similar("colibrat", names), Some("kolibrat"));
        assert_eq!(most_similar("Checker", names), Some("checkers"));
        assert_eq!(most_similar("kolib", names), Some("kolibrat"));
        assert_eq!(most_similar("zzz", names), None);
    }
}
