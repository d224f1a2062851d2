//! Moves that a rule for all roles gives to `random`, too, beside those that it gets by name.

use rustc_hash::FxHashSet;

use crate::gdl::dependence::signature;
use crate::gdl::description::{
    Condition, ConditionKind, Description, Expr, ExprKind, Signature, Statement,
};
use crate::gdl::graph::{Dependencies, DependencyPaths};
use crate::gdl::keyword::{Keyword, canonical};
use crate::gdl::lint::domains::{Domains, Tuple};
use crate::kif::{Diagnostic, Fix};

/// `domains` are known where all rules are.
pub(super) fn check<'d>(
    description: &'d Description,
    (dependencies, domains): (&Dependencies<'d>, Option<&Domains<'d>>),
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
        let Some(general) = GeneralRule::of(rule, chance, domains) else {
            continue;
        };
        let at_once = |own: &&&'d Statement| {
            let conditions = general.conditions.iter().copied();
            mv(own) != mv(rule) && may_apply_together(conditions, own.body.iter(), &to_state)
        };
        if let Some(own) = own.iter().find(at_once) {
            findings.push(moves_of_chance(rule, own, general.everybody, chance));
        }
    }
}

/// The move that a rule gives, as it is written.
fn mv(rule: &Statement) -> Option<String> {
    rule.head.args().last().map(ToString::to_string)
}

fn player(rule: &Statement) -> Option<&Expr> {
    rule.head.args().first()
}

/// A rule that holds for chance whenever it holds for some player.
struct GeneralRule<'d> {
    /// The variable that stands for every role.
    everybody: &'d str,
    /// The conditions that do not name it.
    conditions: Vec<&'d Condition>,
}

impl<'d> GeneralRule<'d> {
    /// Nothing where what the rule asks of the role may keep chance out.
    fn of(rule: &'d Statement, chance: &str, domains: Option<&Domains<'d>>) -> Option<Self> {
        let ExprKind::Variable(everybody) = &player(rule)?.kind else {
            return None;
        };
        let names = |condition: &&Condition| {
            let mut found = false;
            condition.each_expr(&mut |expr| {
                expr.each_variable(&mut |variable, _, _| found |= variable == &**everybody);
            });
            found
        };
        let (naming, conditions): (Vec<_>, Vec<_>) = rule.body.iter().partition(names);
        let lets_chance_in = |condition: &&'d Condition| match &condition.kind {
            ConditionKind::Holds(sentence) => sentence.name() == Some(Keyword::Role.name()),
            ConditionKind::Not(denied) => is_never_of(denied, (everybody, chance), domains),
            _ => false,
        };
        naming.iter().all(lets_chance_in).then_some(Self {
            everybody,
            conditions,
        })
    }
}

/// Whether a sentence holds for no value `word` of a variable, such as `(true (control ?p))` for chance, which is never in control.
fn is_never_of<'d>(
    condition: &'d Condition,
    (variable, word): (&str, &str),
    domains: Option<&Domains<'d>>,
) -> bool {
    let (ConditionKind::Holds(sentence), Some(domains)) = (&condition.kind, domains) else {
        return false;
    };
    let tuple = Tuple::asked(sentence);
    let mut args = tuple.term.args().iter().enumerate();
    args.any(|(index, arg)| {
        let words = domains.words(tuple, index);
        let never = |words: &FxHashSet<Signature<'_>>| !words.iter().any(|one| one.name == word);
        arg.is_variable_named(variable) && words.is_some_and(never)
    })
}

/// Whether conditions of one rule hold in every state in which those of the other do, as far as they say.
fn may_apply_together<'d>(
    one: impl Iterator<Item = &'d Condition>,
    other: impl Iterator<Item = &'d Condition>,
    to_state: &DependencyPaths<'_, 'd>,
) -> bool {
    let depends = |condition: &&'d Condition| {
        let mut found = false;
        condition.each_sentence(&mut |_, sentence| found |= to_state.from(sentence).is_some());
        found
    };
    let texts = |of: &'d Condition| of.to_string();
    let one: FxHashSet<String> = one.filter(depends).map(texts).collect();
    let other: FxHashSet<String> = other.filter(depends).map(texts).collect();
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
