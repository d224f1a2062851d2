//! The order in which people list names: `c9` before `c10`.

use std::cmp::Ordering;
use std::iter::zip;

use alphanumeric_sort::compare_str;

/// Compares two texts with digits by their numbers, as [`compare_str`] does. What both begin with is skipped at once: moves of
/// a large game begin alike, and thousands of them are sorted in each state that is shown.
pub fn natural_order(one: &str, other: &str) -> Ordering {
    let begin = first_that_counts(one.as_bytes(), other.as_bytes());
    compare_str(&one[begin..], &other[begin..])
}

/// Where the comparison may begin: behind the last byte before the first difference that is neither part of a number nor of a
/// character beyond ASCII.
fn first_that_counts(one: &[u8], other: &[u8]) -> usize {
    let same = zip(one, other).take_while(|(one, other)| one == other);
    let same = &one[..same.count()];
    let is_plain = |byte: &u8| byte.is_ascii() && !byte.is_ascii_digit();
    same.iter().rposition(is_plain).map_or(0, |plain| plain + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_both_begin_with_is_skipped() {
        assert_eq!(first_that_counts(b"(go a 12)", b"(go a 19)"), 6);
        assert_eq!(first_that_counts(b"12", b"13"), 0);
        assert_eq!(natural_order("(go a 9)", "(go a 10)"), Ordering::Less);
        assert_eq!(natural_order("é9", "é10"), Ordering::Less);
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_whole_texts(same in "[a(é中0-2 ]{0,6}", one in "[a(é中0-2 ]{0,4}", other in "[a(é中0-2 ]{0,4}") {
            let (one, other) = (format!("{same}{one}"), format!("{same}{other}"));
            prop_assert_eq!(natural_order(&one, &other), compare_str(&one, &other));
        }
    }
}
