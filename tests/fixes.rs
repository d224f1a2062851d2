//! Fixes: each makes its finding go away and brings no error, on small mistakes and on the collected rule files.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use kolibri::gdl;
use kolibri::kif::{self, Diagnostic, Fix};

use crate::corpus::{self, stem};

fn text_of(path: &Path) -> String {
    kif::decode(&fs::read(path).unwrap()).text.into_owned()
}

/// How many findings have the code and the message of this one, whatever their places: a fix may move them.
fn count(findings: &[Diagnostic], like: &Diagnostic) -> usize {
    let same = |one: &&Diagnostic| one.code == like.code && one.message == like.message;
    findings.iter().filter(same).count()
}

/// How many errors there are of each kind.
fn errors(findings: &[Diagnostic]) -> HashMap<&'static str, usize> {
    let mut errors = HashMap::new();
    for one in findings.iter().filter(|one| one.is_error()) {
        *errors.entry(one.code).or_default() += 1;
    }
    errors
}

/// What is wrong with a text after a fix; nothing if the finding is gone and no error has come.
fn objection(text: &str, before: &[Diagnostic], finding: &Diagnostic, fix: &Fix) -> Option<String> {
    let Some(mended) = kif::apply(text, &fix.edits) else {
        return Some("its edits overlap".to_owned());
    };
    let after = gdl::load(&mended).diagnostics;
    if count(&after, finding) >= count(before, finding) {
        return Some(format!("the finding stays in\n{mended}"));
    }
    let (old, new) = (errors(before), errors(&after));
    let mut come = new
        .iter()
        .filter(|(code, count)| old.get(*code).unwrap_or(&0) < *count);
    come.next().map(|(code, _)| format!("brings {code}"))
}

/// The last columns of the rows in the manual: which kinds of fixes each finding may have.
fn kinds_in_manual() -> HashMap<String, String> {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/diagnostics.md");
    let manual = fs::read_to_string(manual).unwrap();
    let rows = manual.lines().filter_map(|line| line.strip_prefix("| `"));
    let row = |row: &str| {
        let kinds = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        (row.split('`').next().unwrap().to_owned(), kinds.to_owned())
    };
    rows.map(row).collect()
}

#[test]
fn the_manual_says_which_fixes_there_are() {
    let manual = kinds_in_manual();
    for path in rule_files() {
        for finding in gdl::load(&text_of(&path)).diagnostics {
            for fix in &finding.fixes {
                let kind = if fix.safe { "safe" } else { "guess" };
                let said = &manual[finding.code];
                assert!(said.contains(kind), "{}: {kind}, not {said}", finding.code);
            }
        }
    }
}

/// Every fix of every finding about the text of a file: how many there are, and those that do harm.
fn check_fixes(path: &Path, objections: &mut Vec<String>) -> usize {
    let text = text_of(path);
    let before = gdl::load(&text).diagnostics;
    let mut count = 0;
    for finding in &before {
        for fix in &finding.fixes {
            count += 1;
            if let Some(why) = objection(&text, &before, finding, fix) {
                let (file, code, title) = (stem(path), finding.code, &fix.title);
                let kind = if fix.safe { "safe" } else { "unsafe" };
                objections.push(format!(
                    "{file}: {code} at {}: {kind} fix `{title}`: {why}",
                    finding.span.start
                ));
            }
        }
    }
    count
}

fn rule_files() -> Vec<PathBuf> {
    let mistakes = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let mut files = corpus::files_in(&mistakes);
    files.extend(corpus::rule_files());
    files
}

#[test]
fn every_fix_makes_its_finding_go_away() {
    let mut objections = Vec::new();
    let counts = rule_files()
        .into_iter()
        .map(|path| check_fixes(&path, &mut objections));
    let count: usize = counts.sum();
    assert!(
        objections.is_empty(),
        "of {count} fixes:\n{}",
        objections.join("\n")
    );
    assert!(count > 40, "{count}");
}
