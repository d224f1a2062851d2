//! Keyword relations: how many arguments they take, and which may stand in a head or a body.

use crate::gdl::description::{Description, Expr, ExprKind, Statement};
use crate::gdl::keyword::Keyword;
use crate::gdl::lint::without_arrow;
use crate::gdl::suggest::rename;
use crate::kif::{Diagnostic, Fix};

/// Reports keyword relations used with the wrong number of arguments or in the wrong place.
pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    for statement in &description.statements {
        check_head(statement, findings);
        statement.each_sentence(|_, sentence| check_condition(statement, sentence, findings));
        statement.each_expr(|expr| check_args(expr, true, findings));
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
    let finding = Diagnostic::error(code, head.span, message).help(help);
    findings.push(finding.fix(other_head(statement, keyword)));
}

/// What can be derived in place of the keyword in the head.
fn other_head(statement: &Statement, keyword: Keyword) -> Option<Fix> {
    let name = match keyword {
        Keyword::True if statement.arrow => Keyword::Next.name(),
        Keyword::True => Keyword::Init.name(),
        Keyword::Does if !asks_for(statement, Keyword::Does) => Keyword::Legal.name(),
        Keyword::Role if statement.head.is_open() => return None,
        Keyword::Role if statement.body.is_empty() => {
            return Some(without_arrow(statement, Fix::safe));
        }
        Keyword::Role => return Some(without_arrow(statement, Fix::guess)),
        _ => return None,
    };
    Some(renamed(&statement.head, keyword, name))
}

fn asks_for(statement: &Statement, keyword: Keyword) -> bool {
    let mut asks = false;
    statement.each_sentence(|_, sentence| asks |= sentence.name() == Some(keyword.name()));
    asks
}

fn renamed(sentence: &Expr, keyword: Keyword, name: &str) -> Fix {
    rename(keyword.name(), name, [sentence.name_span])
}

fn check_condition(statement: &Statement, sentence: &Expr, findings: &mut Vec<Diagnostic>) {
    let Some(keyword) = sentence.name().and_then(Keyword::named) else {
        return;
    };
    check_arity(sentence, keyword, findings);
    let name = keyword.name();
    match keyword {
        Keyword::Init | Keyword::Next => {
            let message = format!("`{name}` cannot be used in a condition");
            let help = "write `(true …)` to test what holds in the current state";
            let finding = Diagnostic::error("keyword-in-body", sentence.span, message).help(help);
            let depends_on_state = !comes_before_the_game(statement) && sentence.args().len() == 1;
            let now = || renamed(sentence, keyword, Keyword::True.name());
            findings.push(finding.fix(depends_on_state.then(now)));
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

fn comes_before_the_game(statement: &Statement) -> bool {
    let keyword = statement.head.name().and_then(Keyword::named);
    matches!(
        keyword,
        Some(Keyword::Init | Keyword::Base | Keyword::Input | Keyword::Role)
    )
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
        .help("write `terminal` without parentheses")
        .fix(Fix::safe("write `terminal`").unwrap(sentence.span)),
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
    let fix = grouped(sentence, keyword);
    let form = keyword.form();
    let help = match fix {
        Some(_) => format!("write `{form}`"),
        None => format!("write `{form}`; a relation of your own needs a name that is no keyword"),
    };
    Diagnostic::error("wrong-arity", sentence.span, message)
        .help(help)
        .fix(fix)
}

/// `(init cell 1 b)` → `(init (cell 1 b))`, `(does ?p mark 1)` → `(does ?p (mark 1))`.
fn grouped(sentence: &Expr, keyword: Keyword) -> Option<Fix> {
    let place = match keyword {
        Keyword::Init | Keyword::True | Keyword::Next | Keyword::Base => 0,
        Keyword::Legal | Keyword::Does | Keyword::Input => 1,
        Keyword::Role | Keyword::Goal | Keyword::Terminal => return None,
    };
    let [first, .., last] = sentence.args().get(place..)? else {
        return None;
    };
    let is_word = match &first.kind {
        ExprKind::Constant(name) => !name.starts_with(|c: char| c.is_ascii_digit()),
        _ => false,
    };
    let fix = || {
        Fix::guess("put the arguments that belong together in parentheses")
            .insert(first.span.start, "(")
            .insert(last.span.end, ")")
    };
    is_word.then(fix)
}

/// Inside a term the name of a keyword relation is an ordinary function, which its author hardly meant.
fn check_args(outer: &Expr, is_sentence: bool, findings: &mut Vec<Diagnostic>) {
    for term in outer.args() {
        if let ExprKind::Compound(name, _) = &term.kind
            && (&**name == "<=" || Keyword::named(name).is_some())
        {
            let message = format!("`{name}` inside a term is an ordinary name and has no meaning");
            findings.push(
                Diagnostic::warning("keyword-in-term", term.span, message)
                    .help("check the parentheses, or choose another name")
                    .fix(is_sentence.then(|| said_once(outer, term)).flatten()),
            );
        }
        check_args(term, false, findings);
    }
}

/// `(true (true a))` → `(true a)`.
fn said_once(outer: &Expr, inner: &Expr) -> Option<Fix> {
    let wraps_a_fact = |expr: &Expr| {
        let keyword = expr.name().and_then(Keyword::named);
        let of_facts = matches!(keyword, Some(Keyword::Init | Keyword::True | Keyword::Next));
        of_facts && expr.args().len() == 1
    };
    let name = inner.name()?;
    let fix = || {
        Fix::guess(format!("remove the inner `{name}`"))
            .unwrap(inner.span)
            .delete(inner.name_span)
    };
    (wraps_a_fact(outer) && wraps_a_fact(inner)).then(fix)
}
