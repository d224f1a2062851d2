//! The relations that every game must define.

use crate::gdl::description::Description;
use crate::gdl::keyword::Keyword;
use crate::gdl::suggest;
use crate::kif::{Diagnostic, Severity, Span};

/// What there is to say if no sentence defines a relation: an error where there is no game without it.
const REQUIRED: [(Keyword, Severity, &str, &str); 6] = [
    (
        Keyword::Role,
        Severity::Error,
        "missing-role",
        "the game has no players",
    ),
    (
        Keyword::Legal,
        Severity::Error,
        "missing-legal",
        "no rule says which moves are legal",
    ),
    (
        Keyword::Terminal,
        Severity::Error,
        "missing-terminal",
        "no rule says when the game is over",
    ),
    (
        Keyword::Goal,
        Severity::Error,
        "missing-goal",
        "no rule says what the players score",
    ),
    (
        Keyword::Init,
        Severity::Warning,
        "missing-init",
        "the game starts in an empty state",
    ),
    (
        Keyword::Next,
        Severity::Warning,
        "missing-next",
        "the state is empty after every move",
    ),
];

/// Reports the keyword relations that no sentence defines.
pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    for (keyword, severity, code, message) in REQUIRED {
        if !is_defined(description, keyword) {
            let finding = Diagnostic {
                severity,
                ..Diagnostic::error(code, START, message)
            };
            findings.push(missing(description, keyword, finding));
        }
    }
}

/// What is missing has no place, so the diagnostic points to the start of the text.
const START: Span = Span { start: 0, end: 0 };

fn is_defined(description: &Description, keyword: Keyword) -> bool {
    let name = keyword.name();
    description.mentioned.contains(name)
        || description
            .statements
            .iter()
            .any(|statement| statement.head.name() == Some(name))
}

fn missing(description: &Description, keyword: Keyword, finding: Diagnostic) -> Diagnostic {
    let help = match keyword {
        Keyword::Role => "write `(role <player>)` for each player, such as `(role white)`",
        Keyword::Legal => {
            "write `(<= (legal <player> <move>) condition …)`, such as `(<= (legal ?p noop) (role ?p))`"
        }
        Keyword::Terminal => {
            "write `(<= terminal condition …)`, such as `(<= terminal (true (step 10)))`"
        }
        Keyword::Goal => {
            "write `(<= (goal <player> <value>) condition …)` with a value from 0 to 100, such as `(<= (goal white 100) (line x))`"
        }
        Keyword::Init => "write `(init <fact>)` for each fact that holds at the start",
        _ => "write `(<= (next <fact>) condition …)` for what holds after a move",
    };
    let heads = description
        .statements
        .iter()
        .map(|statement| &statement.head);
    let misspelt = heads
        .filter(|head| {
            head.name()
                .is_some_and(|name| Keyword::named(name).is_none())
        })
        .find(|head| {
            let arity = head.signature().and_then(|signature| signature.arity);
            let same_arity =
                arity == keyword.arity() || (arity, keyword.arity()) == (Some(0), None);
            same_arity && suggest::similar(head.name().unwrap_or_default(), keyword.name())
        });
    match misspelt {
        Some(head) => finding
            .label(
                head.span,
                format!("did you mean `{}` here?", keyword.name()),
            )
            .help(help),
        None => finding.help(help),
    }
}
