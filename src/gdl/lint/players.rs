//! Players, their moves and their scores.

use crate::gdl::description::{Description, Expr, ExprKind, Statement};
use crate::gdl::keyword::Keyword;
use crate::gdl::suggest;
use crate::kif::{Diagnostic, Span};

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let roles: Vec<&Expr> = description.roles().collect();
    let names: Vec<String> = roles.iter().map(ToString::to_string).collect();
    duplicates(description, &names, findings);
    if roles.is_empty() {
        return;
    }
    for statement in &description.statements {
        unknown_role(&statement.head, &names, findings);
        statement.each_sentence(|_, sentence| unknown_role(sentence, &names, findings));
        odd_score(statement, findings);
    }
    for (role, name) in roles.iter().zip(&names) {
        findings.extend(left_out(description, role.span, name, Keyword::Legal));
        findings.extend(left_out(description, role.span, name, Keyword::Goal));
    }
}

fn duplicates(description: &Description, names: &[String], findings: &mut Vec<Diagnostic>) {
    let facts = description
        .statements
        .iter()
        .filter(|statement| statement.is_role());
    let mut first: Vec<Option<Span>> = vec![None; names.len()];
    for statement in facts {
        let name = statement.head.args().first().map(ToString::to_string);
        let Some(number) = names.iter().position(|role| Some(role) == name.as_ref()) else {
            continue;
        };
        match first[number] {
            None => first[number] = Some(statement.span),
            Some(first) => findings.push(
                Diagnostic::warning(
                    "duplicate-role",
                    statement.span,
                    format!(
                        "the player `{}` is named twice and counts once",
                        names[number]
                    ),
                )
                .label(first, "first named here")
                .help("remove one of the two, or give the second player another name"),
            ),
        }
    }
}

fn unknown_role(sentence: &Expr, roles: &[String], findings: &mut Vec<Diagnostic>) {
    let keyword = sentence.name().and_then(Keyword::named);
    let speaks_of_role = matches!(
        keyword,
        Some(Keyword::Legal | Keyword::Does | Keyword::Goal | Keyword::Input)
    );
    let Some(player) = sentence.args().first().filter(|_| speaks_of_role) else {
        return;
    };
    let name = player.to_string();
    if player.is_open() || roles.contains(&name) {
        return;
    }
    let meant = suggest::nearest(&name, roles.iter().map(String::as_str));
    let help = match meant {
        Some(role) => format!("did you mean `{role}`?"),
        None => format!("the players are {}", list(roles)),
    };
    let message = format!("`{name}` is not a player");
    findings.push(Diagnostic::warning("unknown-role", player.span, message).help(help));
}

fn list(roles: &[String]) -> String {
    let quoted: Vec<String> = roles
        .iter()
        .take(8)
        .map(|role| format!("`{role}`"))
        .collect();
    let more = if roles.len() > quoted.len() {
        " and more"
    } else {
        ""
    };
    format!("{}{more}", quoted.join(", "))
}

fn odd_score(statement: &Statement, findings: &mut Vec<Diagnostic>) {
    let [_, value] = statement.head.args() else {
        return;
    };
    if statement.head.name() != Some(Keyword::Goal.name()) || value.is_variable() {
        return;
    }
    let score = match &value.kind {
        ExprKind::Constant(word) => word.parse::<u8>().ok(),
        ExprKind::Variable(_) | ExprKind::Compound(..) => None,
    };
    if score.is_none_or(|score| score > 100) {
        let message = format!("`{value}` is no score, so that the player has none");
        findings.push(
            Diagnostic::warning("odd-score", value.span, message)
                .help("write a whole number from 0 to 100"),
        );
    }
}

/// A player whom no rule for `keyword` speaks of.
fn left_out(
    description: &Description,
    span: Span,
    role: &str,
    keyword: Keyword,
) -> Option<Diagnostic> {
    let mut heads = description
        .statements
        .iter()
        .map(|statement| &statement.head)
        .filter(|head| head.name() == Some(keyword.name()))
        .peekable();
    heads.peek()?; // no rule at all is an error of its own
    let speaks_of = |head: &Expr| {
        let player = head.args().first();
        player.is_some_and(|player| player.is_open() || player.to_string() == role)
    };
    if heads.any(speaks_of) || description.mentioned.contains(keyword.name()) {
        return None;
    }
    let (code, message, help) = match keyword {
        Keyword::Goal => (
            "no-goal",
            format!("no rule says what `{role}` scores"),
            format!("write `(<= (goal {role} <value>) condition …)` with a value from 0 to 100"),
        ),
        _ => (
            "no-legal",
            format!("`{role}` never has a legal move, so that the game cannot go on"),
            format!("write `(legal {role} noop)` if this player only watches"),
        ),
    };
    Some(Diagnostic::warning(code, span, message).help(help))
}
