//! Moves as arguments of the command line.

use crate::cli::failure::Failure;
use crate::kif::GroundTerm;
use crate::terminal::quoted;

/// How moves are written.
const ONE_EACH: &str = "each move is one argument, in quotes if it has parentheses";

/// A move with single spaces and no padding, as engines print terms.
pub(super) fn read_move(text: &str) -> Result<String, Failure> {
    let term: Result<GroundTerm, _> = text.parse();
    term.map(|mv| mv.to_string()).map_err(|fault| {
        let message = format!("{} is not a move: {fault}", quoted(text));
        Failure::usage(message).with_help(format!("{ONE_EACH}, such as noop or '(move 1 2)'"))
    })
}

/// Advice for those who forget the quotes: where `text` is but the first word of a legal move.
pub(super) fn quotes_forgotten(text: &str, legal: &[String]) -> Option<String> {
    let begins = |mv: &&String| {
        let rest = mv.strip_prefix('(').and_then(|mv| mv.strip_prefix(text));
        rest.is_some_and(|rest| rest.starts_with(' '))
    };
    let example = legal.iter().filter(begins).min()?;
    Some(format!("{ONE_EACH}, such as '{example}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_first_word_wants_quotes() {
        let legal = ["(mark 1 1)", "(marker 3)", "(marker 2)"].map(str::to_owned);
        let advice = quotes_forgotten("marker", &legal).unwrap();
        assert!(advice.ends_with("such as '(marker 2)'"), "{advice}");
        for text in ["ma", "(mark 3 3)", "noop", ""] {
            assert_eq!(quotes_forgotten(text, &legal), None, "{text}");
        }
    }
}
