//! Comments that begin as in other languages.

use crate::kif::{Diagnostic, Fix, Sexpr, Span};

/// What begins a comment elsewhere, and here a word.
const MARKS: [&str; 5] = ["//", "#", "--", "%", "/*"];

/// Takes out the lines that look like comments of other languages: a word alone that begins with a mark, and what follows it on
/// its line.
pub(super) fn take(sexprs: &mut Vec<Sexpr<'_>>, text: &str) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut end = 0;
    sexprs.retain(|sexpr| {
        if sexpr.span.start < end {
            return false;
        }
        if !begins_comment(sexpr) {
            return true;
        }
        let start = sexpr.span.start;
        let line = text[start..].lines().next().unwrap_or_default().trim_end();
        end = start + line.len();
        let fix = Fix::guess("make it a comment").insert(start, "; ");
        findings.push(
            Diagnostic::warning(
                "foreign-comment",
                Span::new(start, end),
                "this line is no comment",
            )
            .help("a comment begins with `;`")
            .fix(fix),
        );
        false
    });
    findings
}

fn begins_comment(sexpr: &Sexpr<'_>) -> bool {
    let word = sexpr.as_atom();
    word.is_some_and(|word| MARKS.iter().any(|mark| word.starts_with(mark)))
}
