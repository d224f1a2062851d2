//! The recursion restriction: within one state only finitely many sentences can be derived.
//!
//! Rules that depend on each other pass, as a group, one of two tests, both of which leave finitely many values for
//! every argument.
//!
//! - *Bounded nesting*: each argument of the group's relations can be given a greatest depth of nesting such that no
//!   rule exceeds it (argument-restricted programs, Lierler and Lifschitz 2009). A variable that also occurs in a
//!   condition outside of the group has finitely many values anyway.
//! - *Kept arguments*: every argument of a recursive condition recurs in the head, or has its variables in conditions
//!   outside of the group (the restriction of the GDL specification, Love et al. 2006). Arguments are then only ever
//!   added, and a head has a fixed number of places for them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::description::{Expr, Signature, Statement};
use crate::gdl::expand::{Alternative, ExprLiteral};
use crate::gdl::graph::Dependencies;
use crate::kif::{Diagnostic, Span};

/// Rounds after which growth counts as endless. The fixpoint takes as many rounds as there are arguments that depend on
/// each other, a handful in real games.
const MOST_ROUNDS: usize = 256;

/// How many conditions may be examined until the fixpoint.
const MOST_WORK: usize = 5_000_000;

/// One alternative of a recursive rule.
struct Recursive<'d> {
    statement: &'d Statement,
    /// Positive conditions whose relation depends on the head's.
    inside: Vec<&'d Expr>,
    /// Variables of the positive conditions outside of the group.
    outside: FxHashSet<&'d str>,
}

/// An argument of a relation.
type ArgumentDepthKey<'d> = (Signature<'d>, usize);

/// Reports one recursive rule of each group whose terms may grow for ever.
pub(super) fn check<'d>(
    rules: impl Iterator<Item = (&'d Statement, &'d [Alternative<'d>])>,
    dependencies: &Dependencies<'d>,
    findings: &mut Vec<Diagnostic>,
) {
    for group in groups(rules, dependencies) {
        if let Some((rule, span)) = endless(&group)
            && let Some(unkept) = group.iter().find(|rule| !keeps_arguments(rule))
        {
            findings.push(report(rule, span, unkept));
        }
    }
}

/// The recursive rules, by strongly connected component.
fn groups<'d>(
    rules: impl Iterator<Item = (&'d Statement, &'d [Alternative<'d>])>,
    dependencies: &Dependencies<'d>,
) -> Vec<Vec<Recursive<'d>>> {
    let mut numbers = FxHashMap::default();
    let mut groups: Vec<Vec<_>> = Vec::new();
    for (statement, alternatives) in rules {
        let Some(component) = dependencies.component(&statement.head) else {
            continue;
        };
        for alternative in alternatives {
            let rule = recursive(statement, alternative, dependencies);
            if !rule.inside.is_empty() {
                let number = *numbers.entry(component).or_insert(groups.len());
                groups.resize_with(groups.len().max(number + 1), Vec::new);
                groups[number].push(rule);
            }
        }
    }
    groups
}

fn recursive<'d>(
    statement: &'d Statement,
    alternative: &[ExprLiteral<'d>],
    dependencies: &Dependencies<'d>,
) -> Recursive<'d> {
    let mut inside = Vec::new();
    let mut outside = FxHashSet::default();
    for literal in alternative {
        let ExprLiteral::Holds(sentence) = *literal else {
            continue;
        };
        if dependencies.in_one_component(&statement.head, sentence) {
            inside.push(sentence);
        } else {
            sentence.each_variable(&mut |name, _, _| {
                outside.insert(name);
            });
        }
    }
    Recursive {
        statement,
        inside,
        outside,
    }
}

/// A rule and the variable in its head through which nesting still grows after the last round.
fn endless<'r, 'd>(group: &'r [Recursive<'d>]) -> Option<(&'r Recursive<'d>, Span)> {
    if !group.iter().any(builds_terms) {
        return None;
    }
    let mut depths = FxHashMap::default();
    let mut grown = None;
    for _ in 0..rounds(group) {
        grown = None;
        for rule in group {
            grown = raise(rule, &mut depths).map(|span| (rule, span)).or(grown);
        }
        grown?;
    }
    grown
}

/// Whether the head puts a variable into a term: nothing grows where no rule does.
fn builds_terms(rule: &Recursive<'_>) -> bool {
    let mut builds = false;
    for arg in rule.statement.head.args() {
        arg.each_variable(&mut |_, _, depth| builds |= depth > 0);
    }
    builds
}

/// As many rounds as the size of the group allows.
fn rounds(group: &[Recursive<'_>]) -> usize {
    let conditions: usize = group.iter().map(|rule| 1 + rule.inside.len()).sum();
    (MOST_WORK / conditions).clamp(8, MOST_ROUNDS)
}

/// Raises the depths of the head's arguments to what the rule demands; returns where one grew.
fn raise<'d>(
    rule: &Recursive<'d>,
    depths: &mut FxHashMap<ArgumentDepthKey<'d>, isize>,
) -> Option<Span> {
    let head = &rule.statement.head;
    let signature = head.signature()?;
    let offers = offers(rule, depths);
    let mut grown = None;
    for (index, arg) in head.args().iter().enumerate() {
        let mut demanded = 0;
        let mut place = arg.span;
        arg.each_variable(&mut |name, span, depth| {
            let demand = offers.get(name).map_or(0, |offer| offer + depth as isize);
            if demand > demanded {
                (demanded, place) = (demand, span);
            }
        });
        let settled = depths.entry((signature, index)).or_insert(0);
        if demanded > *settled {
            *settled = demanded;
            grown = Some(place);
        }
    }
    grown
}

/// How deep the values of each variable are nested at most, by the condition that bounds them best; variables that a
/// condition outside of the group bounds are left out.
fn offers<'d>(
    rule: &Recursive<'d>,
    depths: &FxHashMap<ArgumentDepthKey<'d>, isize>,
) -> FxHashMap<&'d str, isize> {
    let mut offers = FxHashMap::default();
    for sentence in &rule.inside {
        let Some(signature) = sentence.signature() else {
            continue;
        };
        for (index, arg) in sentence.args().iter().enumerate() {
            let bound = depths.get(&(signature, index)).copied().unwrap_or(0);
            arg.each_variable(&mut |name, _, depth| {
                if !rule.outside.contains(name) {
                    let offer = bound - depth as isize;
                    let least = offers.entry(name).or_insert(offer);
                    *least = offer.min(*least);
                }
            });
        }
    }
    offers
}

/// The restriction of the GDL specification for one rule.
fn keeps_arguments(rule: &Recursive<'_>) -> bool {
    let kept = rule.statement.head.args();
    rule.inside
        .iter()
        .flat_map(|sentence| sentence.args())
        .all(|arg| {
            let mut outside = true;
            arg.each_variable(&mut |name, _, _| outside &= rule.outside.contains(name));
            outside || kept.iter().any(|head| same(head, arg))
        })
}

/// Whether two terms are spelt alike, wherever they stand.
fn same(left: &Expr, right: &Expr) -> bool {
    use crate::gdl::description::ExprKind::{Compound, Constant, Variable};
    match (&left.kind, &right.kind) {
        (Variable(left), Variable(right)) | (Constant(left), Constant(right)) => left == right,
        (Compound(left, left_args), Compound(right, right_args)) => {
            left == right
                && left_args.len() == right_args.len()
                && left_args
                    .iter()
                    .zip(right_args)
                    .all(|(left, right)| same(left, right))
        }
        _ => false,
    }
}

fn report(rule: &Recursive<'_>, span: Span, unkept: &Recursive<'_>) -> Diagnostic {
    let head = &rule.statement.head;
    let message = "this recursion may build ever larger terms in one state";
    let finding = Diagnostic::error("endless-recursion", head.span, message)
        .label(span, "grows each time the rule is applied");
    let inside = unkept.inside.iter();
    inside
        .fold(finding, |finding, sentence| {
            finding.label(sentence.span, "depends on this head in turn")
        })
        .help("bound the growing variable by a condition that does not depend on this relation, or let the term grow over time with `next` and `true`")
}
