//! `kolibri check`: what is wrong with a rule file.

use std::collections::HashSet;
use std::io::Write;

use serde::Serialize;

use crate::catalog::{GameSource, SourceError};
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::style;
use crate::engine::check;
use crate::gdl::{Checked, used_once};
use crate::kif::{Diagnostic, LineIndex, Severity, render};

const EXAMPLES: &str = "\
Examples:
  kolibri check mygame.kif
  kolibri check games/*.kif --json
  kolibri check mygame.kif --strict
  kolibri check - < mygame.kif";

/// Find the mistakes in rule files
///
/// Errors make rules unusable; warnings are likely mistakes in rules that can be played. The exit status is 1 where a
/// file has an error.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct CheckArgs {
    /// Rule files, names of shipped games, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Warn of every variable that occurs once, too, unless its name begins with ?_
    #[arg(long)]
    strict: bool,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &CheckArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let mut all_valid = true;
    let mut unread = None;
    for asked in &args.files {
        match GameSource::find(asked) {
            Ok(source) => all_valid &= check_one(&source, args, console)?,
            Err(fault) => {
                all_valid = false;
                report_unread(asked, &fault, args.json, console)?;
                unread = unread.or((!fault.is_about_contents()).then_some(()));
            }
        }
    }
    match unread {
        Some(()) => Ok(Outcome::WrongUsage),
        None => Ok(Outcome::passed(all_valid)),
    }
}

/// What is said about one file.
#[derive(Serialize)]
struct FileReport<'r> {
    file: &'r str,
    valid: bool,
    roles: Vec<String>,
    diagnostics: Vec<DiagnosticReport<'r>>,
}

/// What is said about one place; line and column count from 1, and are absent where the whole file is meant.
#[derive(Serialize)]
struct DiagnosticReport<'r> {
    severity: &'static str,
    code: &'r str,
    message: String,
    line: Option<usize>,
    column: Option<usize>,
    help: Option<String>,
}

fn check_one(
    source: &GameSource,
    args: &CheckArgs,
    console: &mut Console<'_>,
) -> Result<bool, Failure> {
    let Checked {
        rules,
        mut diagnostics,
    } = check(source);
    if args.strict {
        add_lone_variables(&mut diagnostics, &source.text);
    }
    let valid = rules.is_some();
    let roles = rules.iter().flat_map(|rules| rules.roles());
    let roles: Vec<String> = roles.map(ToString::to_string).collect();
    if args.json {
        let lines = LineIndex::new(&source.text);
        let findings = diagnostics.iter().map(|one| finding(one, &lines));
        console.json(&FileReport {
            file: &source.shown(),
            valid,
            roles,
            diagnostics: findings.collect(),
        })?;
    } else {
        let drawn = render(&diagnostics, &source.shown(), &source.text, true);
        write!(console.out, "{drawn}")?;
        summary(&source.shown(), valid, &roles, &diagnostics, console)?;
    }
    Ok(valid)
}

/// Adds the variables that occur once and were not found doubtful anyway.
fn add_lone_variables(diagnostics: &mut Vec<Diagnostic>, text: &str) {
    let lone = used_once(text);
    let codes: HashSet<&str> = lone.iter().map(|one| one.code).collect();
    let known = diagnostics.iter().filter(|one| codes.contains(one.code));
    let known: HashSet<usize> = known.map(|one| one.span.start).collect();
    diagnostics.extend(
        lone.into_iter()
            .filter(|one| !known.contains(&one.span.start)),
    );
    diagnostics.sort_by_key(|one| one.span.start);
}

fn finding<'r>(diagnostic: &'r Diagnostic, lines: &LineIndex<'_>) -> DiagnosticReport<'r> {
    let place = lines.position(diagnostic.span.start);
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
    }
}

fn summary(
    file: &str,
    valid: bool,
    roles: &[String],
    diagnostics: &[Diagnostic],
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let errors = diagnostics.iter().filter(|one| one.is_error()).count();
    let warnings = diagnostics.len() - errors;
    let mut counts = Vec::new();
    if valid {
        counts.push(format!("roles {}", roles.join(" ")));
    } else {
        counts.push(counted(errors, "error"));
    }
    if warnings > 0 {
        counts.push(counted(warnings, "warning"));
    }
    let (word, paint) = match (valid, warnings) {
        (true, 0) => ("valid", style::GOOD),
        (true, _) => ("valid", style::WARNING),
        (false, _) => ("invalid", style::ERROR),
    };
    let counts = counts.join(", ");
    writeln!(console.out, "{file}: {paint}{word}{paint:#}, {counts}")?;
    Ok(())
}

fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        many => format!("{many} {noun}s"),
    }
}

/// A file that gave no text to check.
fn report_unread(
    asked: &str,
    fault: &SourceError,
    json: bool,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    if !json {
        console.error(&fault.to_string(), Some(&fault.help()))?;
        return Ok(());
    }
    console.json(&FileReport {
        file: asked,
        valid: false,
        roles: Vec::new(),
        diagnostics: vec![DiagnosticReport {
            severity: "error",
            code: fault.code(),
            message: fault.to_string(),
            line: None,
            column: None,
            help: Some(fault.help()),
        }],
    })
}
