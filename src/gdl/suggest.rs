//! "Did you mean …?": the nearest name by edit distance.

use crate::kif::{Fix, Span};
use crate::util::spelling_distance;

/// How many names of one text are compared with all others.
const MOST_NAMES: usize = 50;

/// With how many others a name is compared.
const MOST_CANDIDATES: usize = 2_000;

/// Suggestions for the names of one text, limited in number because comparing takes long.
pub(super) struct Suggestions {
    left: usize,
}

impl Suggestions {
    pub(super) fn new() -> Self {
        Self { left: MOST_NAMES }
    }

    /// As [`nearest`], as long as there are suggestions left.
    pub(super) fn nearest<'c>(
        &mut self,
        name: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Option<&'c str> {
        self.left = self.left.checked_sub(1)?;
        nearest(name, candidates.into_iter().take(MOST_CANDIDATES))
    }
}

/// Writes another name at each of these places.
pub(super) fn rename(name: &str, new: &str, places: impl IntoIterator<Item = Span>) -> Fix {
    Fix::guess(format!("replace `{name}` with `{new}`")).replace_each(places, new)
}

/// Whether one name is likely to be a misspelling of the other.
pub(super) fn similar(one: &str, other: &str) -> bool {
    spelling_distance(one, other).is_some()
}

/// The candidate nearest to `name`, if any is near enough; the first of several that are equally near.
pub(super) fn nearest<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let scored = candidates
        .into_iter()
        .filter_map(|other| Some((spelling_distance(name, other)?, other)));
    scored
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, other)| other)
}
