//! Whole numbers as people type them.

/// Reads a whole number from `least` to `most`, and says in plain words what else was expected.
pub(super) fn whole<T: TryFrom<u64>>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| match most {
            _ if is_large(text) => "the number is too large".to_owned(),
            u64::MAX => format!("give a whole number, {least} or more"),
            most => format!("give a whole number from {least} to {most}"),
        })
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
        let threads = whole::<u16>(1, 256);
        assert_eq!(
            threads("257").unwrap_err(),
            "give a whole number from 1 to 256"
        );
    }
}
