//! The order in which a person expects moves to be listed.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::str::Chars;

/// Like the order of [`str`], but numbers inside the texts compare by value: `(mark 9 1)` before `(mark 10 1)`.
///
/// Texts that differ are never equal.
pub fn natural_order(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one.chars().peekable(), other.chars().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            (Some(a), Some(b)) if a.is_ascii_digit() && b.is_ascii_digit() => {
                by_value(&number(&mut left), &number(&mut right))
            }
            (None, None) => return one.cmp(other),
            _ => left.next().cmp(&right.next()),
        };
        if order.is_ne() {
            return order;
        }
    }
}

fn number(chars: &mut Peekable<Chars<'_>>) -> String {
    let mut digits = String::new();
    while let Some(digit) = chars.next_if(char::is_ascii_digit) {
        digits.push(digit);
    }
    digits
}

/// Compares numbers of any length.
fn by_value(one: &str, other: &str) -> Ordering {
    let (one, other) = (one.trim_start_matches('0'), other.trim_start_matches('0'));
    one.len().cmp(&other.len()).then_with(|| one.cmp(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_by_value() {
        let mut moves = [
            "(mark 10 1)",
            "(mark 9 12)",
            "noop",
            "(mark 9 2)",
            "(mark 09 2)",
        ];
        moves.sort_by(|a, b| natural_order(a, b));
        let expected = [
            "(mark 09 2)",
            "(mark 9 2)",
            "(mark 9 12)",
            "(mark 10 1)",
            "noop",
        ];
        assert_eq!(moves, expected);
    }

    #[test]
    fn huge_numbers_are_no_problem() {
        let (nines, one) = ("9".repeat(50), format!("1{}", "0".repeat(50)));
        assert_eq!(natural_order(&nines, &one), Ordering::Less);
    }
}
