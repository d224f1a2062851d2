//! What `kolibri check` says about a file, as JSON and in one line.

use std::io::Write;

use serde::Serialize;

use crate::catalog::{GameSource, SourceError};
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::number::counted;
use crate::cli::rule_file::Fixed;
use crate::cli::style;
use crate::gdl::Checked;
use crate::kif::{Diagnostic, Edit, Fix, LineIndex, Severity};

/// What is said about one file.
#[derive(Serialize)]
pub(super) struct FileReport {
    file: String,
    valid: bool,
    roles: Vec<String>,
    fixed: Vec<Fixed>,
    diagnostics: Vec<DiagnosticReport>,
}

/// What is said about one place; line and column count from 1, and are absent where the whole file is meant.
#[derive(Serialize)]
struct DiagnosticReport {
    severity: &'static str,
    code: &'static str,
    message: String,
    line: Option<usize>,
    column: Option<usize>,
    help: Option<String>,
    fixes: Vec<FixReport>,
}

#[derive(Serialize)]
struct FixReport {
    title: String,
    safe: bool,
    edits: Vec<EditReport>,
}

#[derive(Serialize)]
struct EditReport {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    text: String,
}

impl FileReport {
    /// What was found in `source`, which is what it became after these fixes.
    pub(super) fn new(source: &GameSource, checked: &Checked, fixed: Vec<Fixed>) -> Self {
        let lines = LineIndex::new(&source.text);
        let findings = checked.diagnostics.iter();
        Self {
            file: source.shown(),
            valid: checked.rules.is_some(),
            roles: roles(checked),
            fixed,
            diagnostics: findings.map(|one| finding(one, &lines)).collect(),
        }
    }

    /// A file that gave no text to check.
    pub(super) fn unread(asked: &str, fault: &SourceError) -> Self {
        Self {
            file: asked.to_owned(),
            valid: false,
            roles: Vec::new(),
            fixed: Vec::new(),
            diagnostics: vec![DiagnosticReport {
                severity: "error",
                code: fault.code(),
                message: fault.to_string(),
                line: None,
                column: None,
                help: Some(fault.help()),
                fixes: Vec::new(),
            }],
        }
    }
}

fn roles(checked: &Checked) -> Vec<String> {
    let roles = checked.rules.iter().flat_map(|rules| rules.roles());
    roles.map(ToString::to_string).collect()
}

fn finding(diagnostic: &Diagnostic, lines: &LineIndex<'_>) -> DiagnosticReport {
    let place = lines.position(diagnostic.span.start);
    let fixes = diagnostic.fixes.iter();
    DiagnosticReport {
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        code: diagnostic.code,
        message: diagnostic.message.clone(),
        line: Some(place.line),
        column: Some(place.column),
        help: diagnostic.help.clone(),
        fixes: fixes.map(|fix| fix_report(fix, lines)).collect(),
    }
}

fn fix_report(fix: &Fix, lines: &LineIndex<'_>) -> FixReport {
    let edit = |Edit { span, text }: &Edit| {
        let (start, end) = (lines.position(span.start), lines.position(span.end));
        EditReport {
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            text: text.clone(),
        }
    };
    FixReport {
        title: fix.title.clone(),
        safe: fix.safe,
        edits: fix.edits.iter().map(edit).collect(),
    }
}

/// One line: whether the file is valid, and how many findings there are.
pub(super) fn summary(
    source: &GameSource,
    checked: &Checked,
    fixed: usize,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let diagnostics = &checked.diagnostics;
    let errors = diagnostics.iter().filter(|one| one.is_error()).count();
    let warnings = diagnostics.len() - errors;
    let valid = checked.rules.is_some();
    let mut counts = vec![match valid {
        true => format!("roles {}", roles(checked).join(" ")),
        false => counted(errors as u64, "error"),
    }];
    if warnings > 0 {
        counts.push(counted(warnings as u64, "warning"));
    }
    if fixed > 0 {
        counts.push(format!("{fixed} fixed"));
    }
    let (word, paint) = match (valid, warnings) {
        (true, 0) => ("valid", style::GOOD),
        (true, _) => ("valid", style::WARNING),
        (false, _) => ("invalid", style::ERROR),
    };
    let (file, counts) = (source.shown(), counts.join(", "));
    writeln!(console.out, "{file}: {paint}{word}{paint:#}, {counts}")?;
    Ok(())
}
