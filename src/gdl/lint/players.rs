//! Roles, their moves and their goal values.

use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxHashSet;

use crate::gdl::description::{Description, Expr, ExprKind, Statement};
use crate::gdl::keyword::Keyword;
use crate::gdl::suggest::{Suggestions, rename};
use crate::kif::{Diagnostic, Fix, Span};

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let roles: IndexMap<String, Span> = description
        .roles()
        .map(|role| (role.to_string(), role.span))
        .collect();
    duplicates(description, findings);
    if roles.is_empty() {
        return;
    }
    let mut suggestions = Suggestions::new();
    let mut see = |sentence, findings: &mut Vec<_>| {
        findings.extend(unknown_role(sentence, &roles, &mut suggestions));
    };
    for statement in &description.statements {
        see(&statement.head, findings);
        statement.each_sentence(|_, sentence| see(sentence, findings));
        odd_score(statement, findings);
    }
    left_out(description, &roles, Keyword::Legal, findings);
    left_out(description, &roles, Keyword::Goal, findings);
}

fn duplicates(description: &Description, findings: &mut Vec<Diagnostic>) {
    let mut first: IndexMap<String, Span> = IndexMap::new();
    for statement in description
        .statements
        .iter()
        .filter(|statement| statement.is_role())
    {
        let Some(role) = statement.head.args().first() else {
            continue;
        };
        match first.entry(role.to_string()) {
            Entry::Vacant(entry) => {
                entry.insert(statement.span);
            }
            Entry::Occupied(entry) => {
                let message = format!("the role `{role}` is declared twice");
                let finding = Diagnostic::warning("duplicate-role", statement.span, message)
                    .label(*entry.get(), "first named here")
                    .help("remove one of the two, or give the second role another name")
                    .fix(Fix::safe("remove the repetition").delete(statement.span));
                findings.push(finding);
            }
        }
    }
}

fn unknown_role(
    sentence: &Expr,
    roles: &IndexMap<String, Span>,
    suggestions: &mut Suggestions,
) -> Option<Diagnostic> {
    let (Keyword::Legal | Keyword::Does | Keyword::Goal | Keyword::Input) =
        Keyword::named(sentence.name()?)?
    else {
        return None;
    };
    let player = sentence.args().first()?;
    let name = player.to_string();
    if player.is_open() || roles.contains_key(&name) {
        return None;
    }
    let names = || roles.keys().map(String::as_str);
    let message = format!("`{name}` is not a role of this game");
    let finding = Diagnostic::warning("unknown-role", player.span, message);
    Some(match suggestions.nearest(&name, names()) {
        Some(role) => {
            finding
                .help(format!("did you mean `{role}`?"))
                .fix(rename(&name, role, [player.span]))
        }
        None => finding.help(format!("the roles are {}", list(names()))),
    })
}

/// The first few names of many.
fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut quoted: Vec<String> = names.take(9).map(|name| format!("`{name}`")).collect();
    if quoted.len() == 9 {
        quoted[8] = "others".to_owned();
    }
    quoted.join(", ")
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
        let message = format!("`{value}` is not a goal value");
        let highest = || Fix::guess("write `100`").replace(value.span, "100");
        findings.push(
            Diagnostic::warning("odd-score", value.span, message)
                .help("write a whole number from 0 to 100")
                .fix(is_number(value).then(highest)),
        );
    }
}

fn is_number(term: &Expr) -> bool {
    term.name().is_some_and(|name| {
        term.args().is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Roles that occur in no rule for `keyword`.
fn left_out(
    description: &Description,
    roles: &IndexMap<String, Span>,
    keyword: Keyword,
    findings: &mut Vec<Diagnostic>,
) {
    let is_about = |rule: &&Statement| rule.head.name() == Some(keyword.name());
    let rules = || description.statements.iter().filter(is_about);
    let players: Vec<&Expr> = rules()
        .filter_map(|rule| rule.head.args().first())
        .collect();
    let end = rules().map(|rule| rule.span.end).max().unwrap_or_default();
    let unknown = players.is_empty() || description.mentioned.contains(keyword.name());
    if unknown || players.iter().any(|player| player.is_open()) {
        return; // no rule at all is an error of its own
    }
    let named: FxHashSet<String> = players.iter().map(ToString::to_string).collect();
    let left_out = roles.iter().filter(|(role, _)| !named.contains(*role));
    findings.extend(left_out.map(|(role, span)| without(keyword, role, *span, end)));
}

/// `end` is that of the last rule for `keyword`.
fn without(keyword: Keyword, role: &str, span: Span, end: usize) -> Diagnostic {
    let (code, message, help, fact) = match keyword {
        Keyword::Goal => (
            "no-goal",
            format!("no rule gives `{role}` a goal value"),
            format!("write `(<= (goal {role} <value>) condition …)` with a value from 0 to 100"),
            format!("(goal {role} 0)"),
        ),
        _ => (
            "no-legal",
            format!("`{role}` never has a legal move, so the game cannot continue"),
            format!("write `(legal {role} noop)` if this role only watches"),
            format!("(legal {role} noop)"),
        ),
    };
    let fix = Fix::guess(format!("add `{fact}`")).insert(end, format!("\n{fact}"));
    Diagnostic::warning(code, span, message).help(help).fix(fix)
}
