//! "Did you mean …?": the nearest name by edit distance.

use strsim::damerau_levenshtein;

/// Names longer than this are not compared: the comparison takes time quadratic in their length.
const LONGEST: usize = 64;

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

/// Whether one name is likely to be a misspelling of the other.
pub(super) fn similar(one: &str, other: &str) -> bool {
    distance(one, other).is_some()
}

/// The candidate nearest to `name`, if any is near enough; the first of several that are equally near.
pub(super) fn nearest<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let scored = candidates
        .into_iter()
        .filter_map(|other| Some((distance(name, other)?, other)));
    scored
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, other)| other)
}

/// The edit distance of two different names, if it is small for their length.
fn distance(one: &str, other: &str) -> Option<usize> {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let slips = short.len() / 3;
    if one == other || long.len() > LONGEST || long.len() - short.len() > slips {
        return None;
    }
    let distance = damerau_levenshtein(&one.to_lowercase(), &other.to_lowercase());
    (distance <= slips).then_some(distance)
}
