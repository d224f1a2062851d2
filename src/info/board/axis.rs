//! The order of an argument's values: numbers, letters, number words, or an order that the rules list.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::util::natural_order;

/// The longest side of a board.
const LONGEST: usize = 40;
/// Fewer values have no order that is worth a feature.
const FEWEST_ORDERED: usize = 3;

/// By what the values of an argument are ordered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum AxisKind {
    /// Whole numbers.
    Numbers,
    /// A successor order of the rules, see [`GameFacts::successor_orders`](crate::game::GameFacts::successor_orders).
    Successors,
    /// Single letters.
    Letters,
    /// Numbers behind the same letters, such as `c1`, `c2`; the letters.
    Prefixed(String),
    /// `one`, `two`, …
    NumberWords,
    /// Anything else: in the natural order, which may not be the author's.
    Names,
}

/// The values of an argument in ascending order: the labels along one side of a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// What orders them.
    pub kind: AxisKind,
    /// The values.
    pub labels: Vec<String>,
}

impl Axis {
    /// The coordinates of a board of which `values` were seen, names in one of `successor_orders`; the gaps between them
    /// are filled. Letters that are far apart are initials, as in `b` and `w`, and names. `None` if there are too few or too many.
    pub fn of_coordinates(
        values: &BTreeSet<&str>,
        successor_orders: &[Vec<String>],
    ) -> Option<Self> {
        let is_side = (2..=LONGEST).contains(&values.len());
        is_side.then(|| {
            let sorted = Self::sorted(values, &[]);
            let are_initials =
                sorted.kind == AxisKind::Letters && filled_letters(&sorted.labels).is_none();
            let axis = if are_initials { names(values) } else { sorted };
            let named = Some(values).filter(|_| !axis.is_ordered());
            let ordered = named.and_then(|values| successors(values, successor_orders));
            ordered.unwrap_or(axis).with_gaps_filled()
        })
    }

    /// The labels of panels, of which there may be any number.
    pub(super) fn of_panels(values: &BTreeSet<&str>) -> Self {
        Self::sorted(values, &[])
    }

    /// The names of points, in natural order.
    pub(super) fn of_points(values: &BTreeSet<&str>) -> Self {
        names(values)
    }

    /// The one row of a board that has no rows.
    pub(super) fn nameless() -> Self {
        Self {
            kind: AxisKind::Names,
            labels: vec![String::new()],
        }
    }

    /// All values of an argument, if they are numbers, single characters, or in one of `successor_orders`.
    pub fn of_argument(values: &BTreeSet<&str>, successor_orders: &[Vec<String>]) -> Option<Self> {
        if values.len() < FEWEST_ORDERED {
            return None;
        }
        let axis = Self::sorted(values, successor_orders);
        let is_ordered = match axis.kind {
            AxisKind::Numbers | AxisKind::Successors => true,
            _ => values.iter().all(|value| value.len() == 1),
        };
        is_ordered.then_some(axis)
    }

    fn sorted(values: &BTreeSet<&str>, successor_orders: &[Vec<String>]) -> Self {
        numbers(values)
            .or_else(|| successors(values, successor_orders))
            .or_else(|| letters(values))
            .or_else(|| prefixed(values))
            .or_else(|| number_words(values))
            .unwrap_or_else(|| names(values))
    }

    fn with_gaps_filled(self) -> Self {
        let filled = match &self.kind {
            AxisKind::Numbers => filled_numbers(&self.labels, ""),
            AxisKind::Prefixed(prefix) => filled_numbers(&self.labels, prefix),
            AxisKind::Letters => filled_letters(&self.labels),
            _ => None,
        };
        let labels = filled.unwrap_or(self.labels);
        Self { labels, ..self }
    }

    /// The place of a value, from 0.
    pub fn place(&self, value: &str) -> Option<usize> {
        self.labels.iter().position(|label| label == value)
    }

    /// From 0 for the first value, and for values that are not on the axis, to 1 for the last.
    pub fn height(&self, value: &str) -> f32 {
        let place = self.place(value).unwrap_or(0);
        place as f32 / (self.labels.len() - 1).max(1) as f32
    }

    /// Whether the order is the author's for sure.
    pub fn is_ordered(&self) -> bool {
        self.kind != AxisKind::Names
    }
}

fn numbers(values: &BTreeSet<&str>) -> Option<Axis> {
    let labels = by_number(values, "")?;
    let kind = AxisKind::Numbers;
    Some(Axis { kind, labels })
}

fn successors(values: &BTreeSet<&str>, orders: &[Vec<String>]) -> Option<Axis> {
    let place_in = |order: &[String], value: &str| order.iter().position(|term| term == value);
    let holds_all =
        |order: &&Vec<String>| values.iter().all(|value| place_in(order, value).is_some());
    let order = orders.iter().find(holds_all)?;
    let mut labels = owned(values);
    labels.sort_by_key(|value| place_in(order, value));
    let kind = AxisKind::Successors;
    Some(Axis { kind, labels })
}

fn letters(values: &BTreeSet<&str>) -> Option<Axis> {
    let is_letter =
        |value: &&str| value.len() == 1 && value.chars().all(|c| c.is_ascii_alphabetic());
    let kind = AxisKind::Letters;
    values.iter().all(is_letter).then(|| Axis {
        kind,
        labels: owned(values),
    })
}

fn prefixed(values: &BTreeSet<&str>) -> Option<Axis> {
    let first = values.first()?;
    let prefix = first.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_word = !prefix.is_empty() && prefix.chars().all(|c| c.is_alphabetic() || c == '_');
    let labels = by_number(values, prefix).filter(|_| is_word)?;
    let kind = AxisKind::Prefixed(prefix.to_owned());
    Some(Axis { kind, labels })
}

fn number_words(values: &BTreeSet<&str>) -> Option<Axis> {
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
    let kind = AxisKind::NumberWords;
    Some(Axis { kind, labels })
}

fn names(values: &BTreeSet<&str>) -> Axis {
    let mut labels = owned(values);
    labels.sort_by(|one, other| natural_order(one, other));
    let kind = AxisKind::Names;
    Axis { kind, labels }
}

/// The values in the order of the numbers behind `prefix`, if all have one.
fn by_number(values: &BTreeSet<&str>, prefix: &str) -> Option<Vec<String>> {
    let number = |value: &str| number_behind(prefix, value);
    let mut labels = owned(values);
    labels.sort_by_cached_key(|value| number(value));
    let has_numbers = labels.first().is_none_or(|first| number(first).is_some());
    has_numbers.then_some(labels)
}

fn number_behind(prefix: &str, value: &str) -> Option<i64> {
    value.strip_prefix(prefix)?.parse().ok()
}

/// Consecutive numbers, unless most of them were not seen or numbers are written with leading zeros.
fn filled_numbers(labels: &[String], prefix: &str) -> Option<Vec<String>> {
    let number = |label: &String| number_behind(prefix, label);
    let (first, last) = (number(labels.first()?)?, number(labels.last()?)?);
    let length = usize::try_from(last.checked_sub(first)?)
        .ok()?
        .checked_add(1)?;
    let written = |number: i64| format!("{prefix}{number}");
    let is_plain = labels
        .iter()
        .all(|label| number(label).map(written).as_ref() == Some(label));
    let is_dense = length <= LONGEST && length <= 2 * labels.len() + 2;
    (is_plain && is_dense).then(|| (first..=last).map(written).collect())
}

/// Consecutive letters, unless half of them were not seen or the case changes.
fn filled_letters(labels: &[String]) -> Option<Vec<String>> {
    let letter = |label: &String| label.chars().next();
    let (first, last) = (letter(labels.first()?)?, letter(labels.last()?)?);
    let is_dense = (last as usize - first as usize) < 2 * labels.len();
    let is_one_case = last.is_lowercase() == first.is_lowercase();
    (is_dense && is_one_case).then(|| (first..=last).map(String::from).collect())
}

fn owned(values: &BTreeSet<&str>) -> Vec<String> {
    values.iter().map(|value| (*value).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[&str]) -> (AxisKind, String) {
        let axis = Axis::of_coordinates(&values.iter().copied().collect(), &[]).unwrap();
        (axis.kind, axis.labels.join(" "))
    }

    #[test]
    fn axes_are_recognised_and_filled() {
        assert_eq!(
            labels(&["10", "9", "7"]),
            (AxisKind::Numbers, "7 8 9 10".to_owned())
        );
        assert_eq!(
            labels(&["0", "100"]),
            (AxisKind::Numbers, "0 100".to_owned())
        );
        assert_eq!(
            labels(&["h", "e", "g"]),
            (AxisKind::Letters, "e f g h".to_owned())
        );
        let columns = AxisKind::Prefixed("c".to_owned());
        assert_eq!(
            labels(&["c1", "c10", "c9"]),
            (columns.clone(), "c1 c9 c10".to_owned())
        );
        assert_eq!(labels(&["c01", "c03"]), (columns, "c01 c03".to_owned()));
        assert_eq!(
            labels(&["three", "one", "two"]),
            (AxisKind::NumberWords, "one two three".to_owned())
        );
        assert_eq!(
            labels(&["left", "right"]),
            (AxisKind::Names, "left right".to_owned())
        );
        for names in [["1", "x"], ["b", "w"], ["o", "x"], ["A", "b"]] {
            assert_eq!(labels(&names), (AxisKind::Names, names.join(" ")));
        }
    }

    #[test]
    fn names_stand_in_the_order_of_the_rules() {
        let orders = [vec!["pel", "ama", "zor", "kip"], vec!["zor", "pel"]];
        let orders = orders.map(|order| order.into_iter().map(str::to_owned).collect());
        let axis = |values: &[&str]| {
            Axis::of_coordinates(&values.iter().copied().collect(), &orders).unwrap()
        };
        let ordered = axis(&["ama", "kip", "zor"]);
        assert_eq!(
            (ordered.kind, ordered.labels.join(" ")),
            (AxisKind::Successors, "ama zor kip".to_owned())
        );
        assert_eq!(axis(&["ama", "other"]).kind, AxisKind::Names);
    }

    #[test]
    fn one_value_or_too_many_make_no_axis() {
        assert_eq!(Axis::of_coordinates(&["1"].into(), &[]), None);
        let many: Vec<String> = (0..99).map(|n| n.to_string()).collect();
        assert_eq!(
            Axis::of_coordinates(&many.iter().map(String::as_str).collect(), &[]),
            None
        );
    }

    #[test]
    fn arguments_are_ordered_by_numbers_or_by_the_rules() {
        let order = |values: &[&str], orders: &[Vec<String>]| {
            Axis::of_argument(&values.iter().copied().collect(), orders)
        };
        assert!(order(&["up", "down", "left"], &[]).is_none());
        let rules = ["down", "left", "up"].map(str::to_owned).to_vec();
        let axis = order(&["up", "down", "left"], &[rules]).unwrap();
        assert_eq!([axis.height("down"), axis.height("up")], [0.0, 1.0]);
        let axis = order(&["10", "9", "8"], &[]).unwrap();
        assert_eq!([axis.height("8"), axis.height("10")], [0.0, 1.0]);
    }
}
