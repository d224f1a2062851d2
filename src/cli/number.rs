//! Whole numbers as people type them, and numbers as they read them.

use crate::util::plural;

/// Reads a whole number from `least` to `most`, and says in plain words what else was expected.
pub(super) fn whole<T: TryFrom<u64>>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        let fits = number.and_then(|number| T::try_from(number).ok());
        fits.ok_or_else(|| match most {
            _ if number.is_some() || is_large(text) => "the number is too large".to_owned(),
            u64::MAX => format!("give a whole number, {least} or more"),
            most => format!("give a whole number from {least} to {most}"),
        })
    }
}

/// A count with its noun.
pub(super) fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        many => format!("{many} {}", plural(noun)),
    }
}

/// A measured number, rounded to the four digits that can mean something.
pub(super) fn rounded(number: f64) -> String {
    const DIGITS: i32 = 4;
    if number == 0.0 || !number.is_finite() {
        return format!("{number:.0}");
    }
    let digits_before = number.abs().log10().floor() as i32 + 1;
    match usize::try_from(DIGITS - digits_before) {
        Ok(decimals) => format!("{number:.decimals$}"),
        Err(_) => {
            let unit = 10f64.powi(digits_before - DIGITS);
            format!("{:.0}", (number / unit).round() * unit)
        }
    }
}

/// Whether these are the digits of a number too large to count with.
fn is_large(text: &str) -> bool {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number && text.parse::<u64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measured_numbers_have_four_digits() {
        for (number, expected) in [
            (16_139_314.6, "16140000"),
            (12_345.0, "12350"),
            (1234.5, "1234"),
            (99.996, "100.00"),
            (3.25, "3.250"),
            (0.012_345, "0.01235"),
            (0.0, "0"),
        ] {
            assert_eq!(rounded(number), expected);
        }
    }

    #[test]
    fn what_was_expected_is_said() {
        let games = whole::<u64>(1, u64::MAX);
        assert_eq!(games("12"), Ok(12));
        for text in ["0", "-3", "", "1.5", "many"] {
            assert_eq!(games(text).unwrap_err(), "give a whole number, 1 or more");
        }
        assert_eq!(
            games("99999999999999999999").unwrap_err(),
            "the number is too large"
        );
        let depth = whole::<u32>(1, u64::MAX);
        assert_eq!(depth("4294967296").unwrap_err(), "the number is too large");
        let threads = whole::<u16>(1, 256);
        assert_eq!(
            threads("257").unwrap_err(),
            "give a whole number from 1 to 256"
        );
    }
}
