//! What the TOML reader says, in words for people.

use crate::catalog::most_similar;
use crate::tournament::plan::error::PlanFault;

/// What is wrong with a text that is no plan, and which word was meant.
pub(in crate::tournament::plan) fn unread(text: &str, fault: &toml::de::Error) -> PlanFault {
    let message = in_plain_words(fault.message());
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let help = match &quoted[..] {
        [wrong, known @ ..] if !known.is_empty() && message.starts_with("unknown") => {
            match most_similar(wrong, known.iter().copied()) {
                Some(similar) => format!("did you mean `{similar}`?"),
                None => format!("it can be one of {}", known.join(", ")),
            }
        }
        _ => "`kolibri tournament --help` shows a plan".to_owned(),
    };
    PlanFault::new(
        fault.span().unwrap_or(text.len()..text.len()),
        message,
        help,
    )
}

/// The message of the reader without the names of its types.
fn in_plain_words(message: &str) -> String {
    let kinds = [
        ("expected i64", "expected a whole number"),
        ("expected f64", "expected a number"),
        ("expected a sequence", "expected a list"),
        ("expected a boolean", "expected true or false"),
        (" as i128", ""),
        ("invalid type: ", "wrong kind of value: "),
    ];
    let replaced = |message: String, (from, to): (&str, &str)| message.replace(from, to);
    kinds.into_iter().fold(message.to_owned(), replaced)
}
