//! Coordinates: which words may number the columns or rows of a board, and in which order.

use std::collections::BTreeSet;

use crate::play::natural_order;

/// The longest side of a board that is drawn.
const LONGEST: usize = 40;

/// What kind of words a scale is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Whole numbers.
    Numbers,
    /// Single letters.
    Letters,
    /// Numbers behind the same letters, such as `c1`, `c2`; the letters, in lower case.
    Prefixed(String),
    /// `one`, `two`, …
    Words,
    /// Anything else: in the order of [`natural_order`], which may not be the author's.
    Names,
}

/// The labels along one side of a board, in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scale {
    pub(super) kind: Kind,
    pub(super) labels: Vec<String>,
}

impl Scale {
    /// The scale on which all of `values` lie, gaps filled; `None` if they make none.
    pub(super) fn of(values: &BTreeSet<&str>) -> Option<Self> {
        if values.len() < 2 || values.len() > LONGEST {
            return None;
        }
        let scale = numbers(values)
            .or_else(|| letters(values))
            .or_else(|| prefixed(values))
            .or_else(|| words(values))
            .unwrap_or_else(|| names(values));
        Some(scale)
    }

    pub(super) fn place(&self, value: &str) -> Option<usize> {
        self.labels.iter().position(|label| label == value)
    }

    pub(super) fn is_ordered(&self) -> bool {
        self.kind != Kind::Names
    }
}

fn numbers(values: &BTreeSet<&str>) -> Option<Scale> {
    let labels = counted(values, "")?;
    let kind = Kind::Numbers;
    Some(Scale { kind, labels })
}

fn prefixed(values: &BTreeSet<&str>) -> Option<Scale> {
    let first = values.first()?;
    let prefix = first.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_word = !prefix.is_empty() && prefix.chars().all(|c| c.is_alphabetic() || c == '_');
    let labels = counted(values, prefix).filter(|_| is_word)?;
    let kind = Kind::Prefixed(prefix.to_lowercase());
    Some(Scale { kind, labels })
}

/// Whole numbers behind `prefix`, with those in between unless they are few or written with leading zeros.
fn counted(values: &BTreeSet<&str>, prefix: &str) -> Option<Vec<String>> {
    let number = |value: &&str| value.strip_prefix(prefix)?.parse::<i32>().ok();
    let mut found = BTreeSet::new();
    for value in values {
        found.insert(number(value)?);
    }
    let (first, last) = (*found.first()?, *found.last()?);
    let length = usize::try_from(i64::from(last) - i64::from(first) + 1).ok()?;
    let is_plain = values
        .iter()
        .all(|value| number(value).is_some_and(|number| format!("{prefix}{number}") == *value));
    if is_plain && length <= LONGEST && length <= 2 * found.len() + 2 {
        return Some(
            (first..=last)
                .map(|number| format!("{prefix}{number}"))
                .collect(),
        );
    }
    let mut labels = owned(values);
    labels.sort_by_key(|value| number(&value.as_str()));
    Some(labels)
}

fn letters(values: &BTreeSet<&str>) -> Option<Scale> {
    let mut found = BTreeSet::new();
    for value in values {
        let mut chars = value.chars();
        let letter = chars.next().filter(char::is_ascii_alphabetic)?;
        if chars.next().is_some() {
            return None;
        }
        found.insert(letter);
    }
    let (first, last) = (*found.first()?, *found.last()?);
    let is_filled = (last as usize - first as usize) < 2 * found.len()
        && last.is_lowercase() == first.is_lowercase();
    let labels = if is_filled {
        (first..=last).map(String::from).collect()
    } else {
        owned(values)
    };
    let kind = Kind::Letters;
    Some(Scale { kind, labels })
}

fn words(values: &BTreeSet<&str>) -> Option<Scale> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let place = |value: &str| {
        WORDS
            .iter()
            .position(|word| word.eq_ignore_ascii_case(value))
    };
    let mut labels = owned(values);
    if !labels.iter().all(|label| place(label).is_some()) {
        return None;
    }
    labels.sort_by_key(|label| place(label));
    let kind = Kind::Words;
    Some(Scale { kind, labels })
}

fn names(values: &BTreeSet<&str>) -> Scale {
    let mut labels = owned(values);
    labels.sort_by(|one, other| natural_order(one, other));
    let kind = Kind::Names;
    Scale { kind, labels }
}

fn owned(values: &BTreeSet<&str>) -> Vec<String> {
    values.iter().map(|value| (*value).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[&str]) -> (Kind, String) {
        let scale = Scale::of(&values.iter().copied().collect()).unwrap();
        (scale.kind, scale.labels.join(" "))
    }

    #[test]
    fn scales_are_recognised_and_filled() {
        assert_eq!(
            labels(&["10", "9", "7"]),
            (Kind::Numbers, "7 8 9 10".to_owned())
        );
        assert_eq!(labels(&["0", "100"]), (Kind::Numbers, "0 100".to_owned()));
        assert_eq!(
            labels(&["h", "e", "g"]),
            (Kind::Letters, "e f g h".to_owned())
        );
        let columns = Kind::Prefixed("c".to_owned());
        assert_eq!(
            labels(&["c1", "c10", "c9"]),
            (columns.clone(), "c1 c9 c10".to_owned())
        );
        assert_eq!(labels(&["c01", "c03"]), (columns, "c01 c03".to_owned()));
        assert_eq!(
            labels(&["three", "one", "two"]),
            (Kind::Words, "one two three".to_owned())
        );
        assert_eq!(
            labels(&["left", "right"]),
            (Kind::Names, "left right".to_owned())
        );
        assert_eq!(labels(&["1", "x"]).0, Kind::Names);
    }

    #[test]
    fn one_value_or_too_many_make_no_scale() {
        assert_eq!(Scale::of(&["1"].into()), None);
        let many: Vec<String> = (0..99).map(|n| n.to_string()).collect();
        assert_eq!(Scale::of(&many.iter().map(String::as_str).collect()), None);
    }
}
