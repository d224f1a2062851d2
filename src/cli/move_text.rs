//! Moves as arguments of the command line.

use crate::cli::failure::Failure;
use crate::kif::GroundTerm;
use crate::terminal::quoted;

/// How moves are written.
const ONE_EACH: &str = "each move is one argument, in quotes if it has parentheses";

/// A move with single spaces and no padding, as engines print terms. The outer parentheses may be left out, as in `play`.
pub(super) fn read_move(text: &str) -> Result<String, Failure> {
    let term = text.parse::<GroundTerm>();
    let term = term.or_else(|fault| format!("({text})").parse().map_err(|_| fault));
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

/// That a random move was played instead of a player's, and why: an error of a record, its code in words.
pub(super) fn random_instead(error: &str) -> String {
    let (code, detail) = error.split_once(' ').unwrap_or((error, ""));
    let words = match code {
        "TO" => "too late (TO)",
        "CE" => "no answer (CE)",
        "IL" => "no legal move (IL)",
        _ => return format!("a random move was played instead: {error}"),
    };
    let colon = if detail.is_empty() { "" } else { ": " };
    format!("a random move was played instead: {words}{colon}{detail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_errors_are_explained() {
        let said = |error| random_instead(error).replace("a random move was played instead: ", "");
        assert_eq!(said("TO"), "too late (TO)");
        assert_eq!(said("IL ( x )"), "no legal move (IL): ( x )");
        assert!(said("CE a:1: refused").ends_with("(CE): a:1: refused"));
        assert_eq!(said("something else"), "something else");
    }

    #[test]
    fn outer_parentheses_may_be_left_out() {
        for text in ["(mark 2 (row 1))", "mark 2 (row 1)", " mark  2 (row 1) "] {
            assert_eq!(read_move(text).unwrap(), "(mark 2 (row 1))");
        }
        assert_eq!(read_move("noop").unwrap(), "noop");
        for text in ["", "mark (2", "mark ?x"] {
            assert!(read_move(text).is_err(), "{text}");
        }
    }

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
