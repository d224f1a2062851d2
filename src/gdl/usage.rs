//! Keyword relations: how many arguments they take, and which may stand in a head or a body.

use crate::gdl::description::{Description, Expr, ExprKind, Statement};
use crate::gdl::keyword::Keyword;
use crate::kif::Diagnostic;

/// Reports keyword relations used with the wrong number of arguments or in the wrong place.
pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    for statement in &description.statements {
        check_head(statement, findings);
        statement.each_sentence(|_, sentence| check_condition(sentence, findings));
        statement.each_expr(|expr| {
            expr.args().iter().for_each(|arg| check_term(arg, findings));
        });
    }
}

fn check_head(statement: &Statement, findings: &mut Vec<Diagnostic>) {
    let head = &statement.head;
    if let ExprKind::Variable(_) = head.kind {
        return;
    }
    let Some(keyword) = head.name().and_then(Keyword::named) else {
        return;
    };
    check_arity(head, keyword, findings);
    let (code, message, help) = match keyword {
        Keyword::True => (
            "keyword-in-head",
            "`true` cannot be derived: what holds is decided by `init` and `next`",
            "write `(init …)` for the start of the game, or `(next …)` for the state that follows",
        ),
        Keyword::Does => (
            "keyword-in-head",
            "`does` cannot be derived: the players choose their moves",
            "write `(legal <player> <move>)` to offer a move",
        ),
        Keyword::Role if statement.arrow => (
            "role-rule",
            "a rule cannot create a player",
            "write `(role <player>)` on its own, without `<=`, for each player",
        ),
        _ => return,
    };
    findings.push(Diagnostic::error(code, head.span, message).help(help));
}

fn check_condition(sentence: &Expr, findings: &mut Vec<Diagnostic>) {
    let Some(keyword) = sentence.name().and_then(Keyword::named) else {
        return;
    };
    check_arity(sentence, keyword, findings);
    let name = keyword.name();
    match keyword {
        Keyword::Init | Keyword::Next => {
            let message = format!("`{name}` cannot be used in a condition");
            let help = "write `(true …)` to test what holds in the current state";
            findings.push(Diagnostic::error("keyword-in-body", sentence.span, message).help(help));
        }
        Keyword::Base | Keyword::Input => {
            let message = format!("a rule depends on `{name}`, which many programs ignore");
            let help =
                format!("list these values in a relation of your own and derive `{name}` from it");
            findings.push(Diagnostic::warning("base-in-body", sentence.span, message).help(help));
        }
        _ => {}
    }
}

fn check_arity(sentence: &Expr, keyword: Keyword, findings: &mut Vec<Diagnostic>) {
    let arity = sentence.signature().and_then(|signature| signature.arity);
    if arity == keyword.arity() {
        return;
    }
    let finding = match (keyword, arity) {
        (Keyword::Terminal, Some(0)) => Diagnostic::error(
            "terminal-parentheses",
            sentence.span,
            "`(terminal)` in parentheses never ends a game",
        )
        .help("write `terminal` without parentheses"),
        _ => wrong_arity(sentence, keyword, arity),
    };
    findings.push(finding);
}

fn wrong_arity(sentence: &Expr, keyword: Keyword, arity: Option<usize>) -> Diagnostic {
    let name = keyword.name();
    let message = match (keyword.arity(), arity) {
        (None, _) => format!("`{name}` takes no arguments"),
        (Some(_), None) => format!("`{name}` stands alone, without arguments"),
        (Some(1), Some(found)) => format!("`{name}` takes 1 argument, not {found}"),
        (Some(takes), Some(found)) => format!("`{name}` takes {takes} arguments, not {found}"),
    };
    let help = format!("write `{}`", keyword.form());
    Diagnostic::error("wrong-arity", sentence.span, message).help(help)
}

/// Inside a term the name of a keyword relation is an ordinary function, which its author hardly meant.
fn check_term(term: &Expr, findings: &mut Vec<Diagnostic>) {
    if let ExprKind::Compound(name, args) = &term.kind {
        if &**name == "<=" || Keyword::named(name).is_some() {
            let message = format!("`{name}` inside a term is an ordinary name and has no meaning");
            let help = "check the parentheses, or choose another name";
            findings.push(Diagnostic::warning("keyword-in-term", term.span, message).help(help));
        }
        args.iter().for_each(|arg| check_term(arg, findings));
    }
}
