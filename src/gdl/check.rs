//! `Description → Rules`: all diagnostics in one run, and checked rules if none of them is an error.

use crate::gdl::dependence;
use crate::gdl::description::{Description, Expr, Statement};
use crate::gdl::expand::{self, Alternative, MOST_ALTERNATIVES};
use crate::gdl::graph::Dependencies;
use crate::gdl::lint;
use crate::gdl::recursion;
use crate::gdl::required;
use crate::gdl::rules::{Rule, RuleLiteral, Rules};
use crate::gdl::safety;
use crate::gdl::split::{self, Splits};
use crate::gdl::usage;
use crate::kif::Diagnostic;
use crate::util::{Deadline, Expired};

/// How many rules the rules with `or` may expand to, and how many bytes of text.
const MOST_RULES: usize = 200_000;
const MOST_TEXT: usize = 20_000_000;

/// The result of checking a rule file.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The rules, unless there is an error.
    pub rules: Option<Rules>,
    /// Errors and warnings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks everything, and builds the rules if no finding is an error, unless `deadline` is due before that.
///
/// A description that leaves out unreadable sentences never becomes rules; the findings about those are [`Description::read`]'s.
pub(super) fn check(description: &Description, deadline: &Deadline) -> Result<Checked, Expired> {
    let mut diagnostics = Vec::new();
    usage::check(description, &mut diagnostics);
    required::check(description, &mut diagnostics);
    deadline.check()?;
    let dependencies = Dependencies::of(description);
    dependencies.check_stratification(&mut diagnostics);
    deadline.check()?;
    dependence::check(description, &dependencies, &mut diagnostics);
    deadline.check()?;
    let expanded = expand(description, &mut diagnostics);
    for (statement, alternatives) in &expanded {
        deadline.check()?;
        safety::check(statement, alternatives, &mut diagnostics);
    }
    let rules = expanded
        .iter()
        .map(|(statement, alternatives)| (*statement, alternatives.as_slice()));
    recursion::check(rules, &dependencies, &mut diagnostics);
    lint::check(
        description,
        &expanded,
        &dependencies,
        deadline,
        &mut diagnostics,
    )?;
    sort(&mut diagnostics);
    let sound = description.complete && !diagnostics.iter().any(Diagnostic::is_error);
    let rules = sound.then(|| build(description, &expanded, dependencies.splits()));
    Ok(Checked { rules, diagnostics })
}

/// Puts findings in the order of their places.
pub(super) fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|finding| (finding.span.start, finding.severity, finding.span.end));
}

pub(super) type Expanded<'d> = Vec<(&'d Statement, Vec<Alternative<'d>>)>;

/// Every rule without `or`; a rule that expands to too many is reported and left out.
pub(super) fn expand<'d>(
    description: &'d Description,
    findings: &mut Vec<Diagnostic>,
) -> Expanded<'d> {
    let mut expanded = Vec::with_capacity(description.statements.len());
    let (mut rules, mut text) = (0, 0);
    for statement in &description.statements {
        let Ok(alternatives) = expand::alternatives(statement) else {
            findings.push(too_many(
                statement,
                &format!("more than {MOST_ALTERNATIVES} rules"),
            ));
            continue;
        };
        if alternatives.len() > 1 {
            rules += alternatives.len();
            text += alternatives.len() * (statement.span.end - statement.span.start);
        }
        if rules > MOST_RULES || text > MOST_TEXT {
            findings.push(too_many(
                statement,
                "too many rules, together with those above",
            ));
            break;
        }
        expanded.push((statement, alternatives));
    }
    expanded
}

fn too_many(statement: &Statement, what: &str) -> Diagnostic {
    let message = format!("the branches of `or` in this rule stand for {what}");
    Diagnostic::error("too-many-branches", statement.head.span, message).help(
        "give each `or` a relation of its own, with one rule for each branch, and use that relation here",
    )
}

fn build(description: &Description, expanded: &Expanded<'_>, splits: &Splits<'_>) -> Rules {
    let rules = expanded.iter().flat_map(|(statement, alternatives)| {
        alternatives.iter().map(|alternative| Rule {
            head: statement.head.to_term(),
            body: alternative
                .iter()
                .map(|literal| build_literal(*literal))
                .collect(),
            span: statement.span,
        })
    });
    let mut rules = rules.collect();
    split::rename(&mut rules, splits);
    let roles = description.roles().map(Expr::to_term).collect();
    Rules {
        roles,
        rules,
        lines: Vec::new(),
    }
}

fn build_literal(literal: expand::ExprLiteral<'_>) -> RuleLiteral {
    match literal {
        expand::ExprLiteral::Holds(sentence) => RuleLiteral::Holds(sentence.to_term()),
        expand::ExprLiteral::Fails(sentence) => RuleLiteral::Fails(sentence.to_term()),
        expand::ExprLiteral::Distinct(left, right) => {
            RuleLiteral::Distinct(left.to_term(), right.to_term())
        }
        expand::ExprLiteral::Same(left, right) => {
            RuleLiteral::Same(left.to_term(), right.to_term())
        }
    }
}
