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

/// How often each finding is made, whatever its place: a fix may move it.
fn counts<'d>(
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
) -> HashMap<(&'static str, String), usize> {
    let mut counts = HashMap::new();
    for one in diagnostics {
        *counts.entry((one.code, one.message.clone())).or_default() += 1;
    }
    counts
}

/// What is wrong with a text after a fix; nothing if the finding is gone and no error has come.
fn objection(text: &str, before: &[Diagnostic], finding: &Diagnostic, fix: &Fix) -> Option<String> {
    let Some(mended) = kif::apply(text, &fix.edits) else {
        return Some("its edits overlap".to_owned());
    };
    let after = gdl::load(&mended).diagnostics;
    let (was, is) = (counts(before), counts(&after));
    let key = (finding.code, finding.message.clone());
    if is.get(&key).copied().unwrap_or(0) >= was[&key] {
        return Some(format!("the finding stays in\n{mended}"));
    }
    let errors = |all: &[Diagnostic]| counts(all.iter().filter(|one| one.is_error()));
    let old = errors(before);
    let new = errors(&after);
    let come = new
        .iter()
        .find(|(key, count)| old.get(key).unwrap_or(&0) < count);
    come.map(|(key, _)| format!("brings {key:?}"))
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
