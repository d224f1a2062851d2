//! The way from a text to its rules.

use crate::gdl::check::{Checked, check, sort};
use crate::gdl::comments;
use crate::gdl::description::Description;
use crate::gdl::infix;
use crate::gdl::lint;
use crate::gdl::rules::Rule;
use crate::kif::{self, Diagnostic, LineIndex};
use crate::util::{Deadline, Expired};

/// Parses, reads and checks a rule file, and reports what each of these finds. Of a text that is not read to its end
/// nothing else is said: what seems to be missing may stand there.
///
/// There are rules if and only if none of the findings is an error.
pub fn load(text: &str) -> Checked {
    match load_until(text, &Deadline::default()) {
        Ok(checked) => checked,
        Err(expired) => unreachable!("{expired}, without a deadline"),
    }
}

/// What [`load`] says, for callers that may have to give up.
///
/// # Errors
/// If `deadline` is due before everything is checked.
pub fn load_until(text: &str, deadline: &Deadline) -> Result<Checked, Expired> {
    deadline.check()?;
    let mut parsed = kif::parse(text);
    if !parsed.is_complete {
        return Ok(Checked {
            rules: None,
            diagnostics: parsed.diagnostics,
        });
    }
    if let Some(infix) = infix::find(&parsed.sexprs) {
        return Ok(Checked {
            rules: None,
            diagnostics: vec![infix],
        });
    }
    let comments = comments::take(&mut parsed.sexprs, text);
    let (description, unreadable) = Description::read(&parsed.sexprs);
    let mut checked = check(&description, deadline)?;
    checked.diagnostics.extend(comments);
    checked.diagnostics.extend(unreadable);
    sort(&mut checked.diagnostics);
    if !parsed.diagnostics.is_empty() {
        // What stands where is not known before the parentheses are right.
        checked
            .diagnostics
            .iter_mut()
            .for_each(|finding| finding.fixes.clear());
    }
    // First what a wrong parenthesis is, then what it makes missing.
    checked.diagnostics.splice(0..0, parsed.diagnostics);
    tidy(&mut checked.diagnostics, text);
    if checked.diagnostics.iter().any(Diagnostic::is_error) {
        checked.rules = None;
    }
    if let Some(rules) = &mut checked.rules {
        let lines = LineIndex::new(text);
        let line = |rule: &Rule| lines.position(rule.span.start).line;
        rules.lines = rules.rules.iter().map(line).collect();
    }
    Ok(checked)
}

/// Every variable that occurs once in its rule. [`load`] warns only of those that look like a slip, since published
/// rules say "anything" that way; a name that begins with `?_` says that it is meant.
pub fn used_once(text: &str) -> Vec<Diagnostic> {
    let (description, _) = Description::read(&kif::parse(text).sexprs);
    let mut lone = lint::used_once(&description);
    tidy(&mut lone, text);
    lone
}

fn tidy(diagnostics: &mut [Diagnostic], text: &str) {
    for fix in diagnostics
        .iter_mut()
        .flat_map(|finding| &mut finding.fixes)
    {
        fix.tidy(text);
    }
}
