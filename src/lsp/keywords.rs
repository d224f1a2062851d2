//! What the keywords mean, for people.

use crate::gdl::{CONNECTIVES, Keyword};

/// A word of the language.
pub(super) struct KeywordHelp {
    /// As [`crate::gdl::canonical`] and [`crate::gdl::connective`] spell it.
    pub(super) name: &'static str,
    /// How it is written.
    pub(super) form: &'static str,
    /// As in `docs/reference/gdl.md`.
    pub(super) meaning: &'static str,
}

/// All words of the language.
pub(super) fn keywords() -> impl Iterator<Item = KeywordHelp> {
    let relations = Keyword::ALL.into_iter().map(|keyword| KeywordHelp {
        name: keyword.name(),
        form: keyword.form(),
        meaning: meaning(keyword),
    });
    relations.chain(CONNECTIVES.into_iter().map(connective_help))
}

pub(super) fn keyword_help(name: &str) -> Option<KeywordHelp> {
    keywords().find(|keyword| keyword.name == name)
}

fn meaning(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Role => "`p` is a role; the order of these facts is the order of the roles",
        Keyword::Init => "the fact (fluent) `f` holds in the initial state",
        Keyword::True => "condition: `f` holds in the current state",
        Keyword::Next => "`f` holds in the next state",
        Keyword::Legal => "role `p` may make the move `m`",
        Keyword::Does => "condition: role `p` makes the move `m` in this ply",
        Keyword::Goal => "role `p` gets `n`, a whole number from 0 to 100",
        Keyword::Terminal => "the game is over",
        Keyword::Base | Keyword::Input => "fluents and moves that may ever occur",
    }
}

fn connective_help(name: &'static str) -> KeywordHelp {
    let (form, meaning) = match name {
        "<=" => (
            "(<= <head> <condition> …)",
            "the head holds if all conditions hold",
        ),
        "not" => ("(not <condition>)", "the condition does not hold"),
        "or" => (
            "(or <condition> <condition> …)",
            "at least one of the conditions holds",
        ),
        _ => ("(distinct <term> <term>)", "the two terms differ"),
    };
    KeywordHelp {
        name,
        form,
        meaning,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_says_the_same() {
        let reference = include_str!("../../docs/reference/gdl.md");
        for keyword in Keyword::ALL {
            let meaning = meaning(keyword);
            assert!(reference.contains(&format!("| {meaning} |")), "{meaning}");
        }
    }

    #[test]
    fn every_connective_has_its_own_form() {
        for name in CONNECTIVES {
            assert!(connective_help(name).form.starts_with(&format!("({name} ")));
        }
    }
}
