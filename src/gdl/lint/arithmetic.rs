//! Arithmetic as other languages have it: in GDL, `(+ ?n 1)` is a term and no number.

use indexmap::IndexMap;

use crate::gdl::description::{Description, Expr, ExprKind};
use crate::kif::Diagnostic;

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let mut operations: IndexMap<&str, &Expr> = IndexMap::new();
    for statement in &description.statements {
        statement.each_expr(|expr| {
            let args = expr.args().iter();
            args.for_each(|arg| collect(arg, &mut operations));
        });
    }
    findings.extend(operations.into_iter().filter_map(|(name, place)| {
        let message = format!("`{name}` computes nothing: this term stands for itself");
        let finding = Diagnostic::warning("no-arithmetic", place.span, message);
        Some(finding.help(help(name)?))
    }));
}

/// The first place of each operation inside a term.
fn collect<'d>(term: &'d Expr, operations: &mut IndexMap<&'d str, &'d Expr>) {
    let is_operand = |arg: &Expr| match &arg.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Constant(word) => word.parse::<u64>().is_ok(),
        ExprKind::Compound(..) => false,
    };
    if let Some(name) = term.name()
        && is_operation(name)
        && term.args().len() == 2
        && term.args().iter().any(is_operand)
    {
        operations.entry(name).or_insert(term);
    }
    let args = term.args().iter();
    args.for_each(|arg| collect(arg, operations));
}

fn is_operation(name: &str) -> bool {
    matches!(
        name.to_ascii_lowercase().as_str(),
        "+" | "-" | "*" | "/" | "%" | "plus" | "minus" | "times" | "mod"
    )
}

/// What to write instead of an arithmetic relation or function that other languages have built in.
pub(super) fn help(name: &str) -> Option<&'static str> {
    match name.to_ascii_lowercase().as_str() {
        "+" | "-" | "plus" | "minus" | "add" | "sub" | "subtract" | "++" | "--" => Some(
            "GDL has no arithmetic: count with facts such as `(succ 0 1)` and `(succ ?n ?m)`, or list the sums; `kolibri snippet counter 0..60` and `kolibri snippet sum 0..20` write these facts",
        ),
        "*" | "/" | "%" | "times" | "mod" => {
            Some("GDL has no arithmetic: list the results as facts, one for each pair of numbers")
        }
        "<" | ">" | "<=" | ">=" | "=<" | "less" | "greater" | "lt" | "gt" | "leq" | "geq" => Some(
            "GDL has no comparison of numbers: `kolibri snippet less 0..60` writes facts and rules for `(less ?a ?b)`; *at most* is `(not (less ?b ?a))`",
        ),
        "=" | "==" | "eq" | "equal" | "equals" => Some(
            "GDL has no equality: write the same variable or constant in both places, and `(distinct ?a ?b)` in place of `(not (= ?a ?b))`",
        ),
        "!=" | "/=" | "<>" | "neq" | "different" => {
            Some("write `(distinct ?a ?b)` for two terms that differ")
        }
        _ => None,
    }
}
