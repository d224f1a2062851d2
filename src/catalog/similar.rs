//! Did you mean …? For what people type: the names of games, files, players and roles.

use crate::util::spelling_distance;

/// An abbreviation has at least so many letters.
const SHORTEST_ABBREVIATION: usize = 3;

/// The candidate that `wanted` is most likely a misspelling or an abbreviation of, if it is near enough to be meant; the
/// first of those in doubt. Case does not count.
///
/// ```
/// use kolibri::catalog::most_similar;
///
/// assert_eq!(most_similar("colibrat", ["checkers", "kolibrat"]), Some("kolibrat"));
/// assert_eq!(most_similar("chess", ["checkers", "kolibrat"]), None);
/// ```
pub fn most_similar<'c>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let wanted = wanted.to_lowercase();
    let scored = candidates.into_iter().filter_map(|candidate| {
        let lower = candidate.to_lowercase();
        Some((slips(&wanted, &lower)?, candidate))
    });
    let best = scored.min_by_key(|(slips, _)| *slips);
    best.map(|(_, candidate)| candidate)
}

/// How many slips lead from one name to the other; an abbreviation counts as one.
fn slips(wanted: &str, candidate: &str) -> Option<usize> {
    let is_short_for = wanted.len() >= SHORTEST_ABBREVIATION && candidate.starts_with(wanted);
    match wanted == candidate {
        true => Some(0),
        false if is_short_for => Some(1),
        false => spelling_distance(wanted, candidate),
    }
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
        assert_eq!(most_similar("chekers", names), Some("checkers"));
        for other in ["zzz", "chess", "chinese-checkers", "ni"] {
            assert_eq!(most_similar(other, names), None, "{other}");
        }
    }
}
