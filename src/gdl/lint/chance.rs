//! Moves that a rule for all roles gives to `random`, too, beside those that it gets by name.

use rustc_hash::FxHashSet;

use crate::gdl::dependence::signature;
use crate::gdl::description::{Condition, ConditionKind, Description, Expr, ExprKind, Statement};
use crate::gdl::graph::{Dependencies, DependencyPaths};
use crate::gdl::keyword::{Keyword, canonical};
use crate::kif::{Diagnostic, Fix};

pub(super) fn check<'d>(
    description: &'d Description,
    dependencies: &Dependencies<'d>,
    findings: &mut Vec<Diagnostic>,
) {
    let mut roles = description.roles().filter_map(Expr::name);
    let Some(chance) = roles.find(|role| canonical(role) == Some("random")) else {
        return;
    };
    let is_legal = |rule: &&Statement| rule.head.name() == Some(Keyword::Legal.name());
    let rules = || description.statements.iter().filter(is_legal);
    let is_own = |rule: &&Statement| player(rule).is_some_and(|who| who.name() == Some(chance));
    let own: Vec<&Statement> = rules().filter(is_own).collect();
    let to_state = dependencies.paths_to(signature(Keyword::True));
    for rule in rules() {
        let at_once = |own: &&&Statement| may_apply_together(rule, own, &to_state);
        if let Some(everybody) = everybody(rule)
            && let Some(own) = own.iter().find(at_once)
        {
            findings.push(moves_of_chance(rule, own, everybody, chance));
        }
    }
}

fn player(rule: &Statement) -> Option<&Expr> {
    rule.head.args().first()
}

/// The variable of a rule that stands for every role, whatever else holds.
fn everybody(rule: &Statement) -> Option<&str> {
    let ExprKind::Variable(name) = &player(rule)?.kind else {
        return None;
    };
    let names = |condition: &&Condition| {
        let mut found = false;
        condition.each_expr(&mut |expr| {
            expr.each_variable(&mut |variable, _, _| found |= variable == &**name);
        });
        found
    };
    let mut naming = rule.body.iter().filter(names);
    let is_role = |condition: &Condition| match &condition.kind {
        ConditionKind::Holds(sentence) => sentence.name() == Some(Keyword::Role.name()),
        _ => false,
    };
    (naming.all(is_role)).then_some(name)
}

/// Whether one of two rules holds in every state in which the other does, as far as their conditions say.
fn may_apply_together<'d>(
    one: &'d Statement,
    other: &'d Statement,
    to_state: &DependencyPaths<'_, 'd>,
) -> bool {
    let of_state = |rule: &'d Statement| -> FxHashSet<String> {
        let depends = |condition: &&'d Condition| {
            let mut found = false;
            condition.each_sentence(&mut |_, sentence| found |= to_state.from(sentence).is_some());
            found
        };
        let conditions = rule.body.iter().filter(depends);
        conditions.map(ToString::to_string).collect()
    };
    let (one, other) = (of_state(one), of_state(other));
    one.is_subset(&other) || other.is_subset(&one)
}

fn moves_of_chance(rule: &Statement, own: &Statement, everybody: &str, chance: &str) -> Diagnostic {
    let mv = rule.head.args().last().unwrap_or(&rule.head);
    let message = format!("this rule gives `{chance}` the move `{mv}`, too");
    let condition = format!("(distinct ?{everybody} {chance})");
    let end = rule.body.last().map(|last| last.span.end);
    let fix =
        |end| Fix::guess(format!("add `{condition}`")).insert(end, format!("\n    {condition}"));
    Diagnostic::warning("chance-moves", rule.head.span, message)
        .label(
            own.head.span,
            format!("`{chance}` gets moves here, and makes one of all at random"),
        )
        .help(format!(
            "if only the players may make it, add the condition `{condition}`"
        ))
        .fix(end.map(fix))
}
