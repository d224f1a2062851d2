//! The checker: one small rule file per kind of mistake with its message, and the verdicts on the collected rule files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use kolibri::gdl::{self, Checked};
use kolibri::kif;

use crate::corpus::{self, stem};

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn check_file(path: &Path) -> (String, Checked) {
    let text = kif::decode(&fs::read(path).unwrap()).text.into_owned();
    let checked = gdl::load(&text);
    (text, checked)
}

fn codes(checked: &Checked) -> BTreeSet<&'static str> {
    checked
        .diagnostics
        .iter()
        .map(|finding| finding.code)
        .collect()
}

fn errors(checked: &Checked) -> BTreeSet<&'static str> {
    let errors = checked
        .diagnostics
        .iter()
        .filter(|finding| finding.is_error());
    errors.map(|finding| finding.code).collect()
}

#[test]
fn every_mistake_gets_its_message() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/mistakes");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for path in corpus::files_in(&project("tests/mistakes")) {
        let code = stem(&path);
        let (text, checked) = check_file(&path);
        assert!(
            codes(&checked).contains(code.as_str()),
            "{code}: {:?}",
            checked.diagnostics
        );
        assert_eq!(
            checked.rules.is_none(),
            !errors(&checked).is_empty(),
            "{code}"
        );
        let message = kif::render(&checked.diagnostics, &format!("{code}.kif"), &text, false);
        settings.bind(|| insta::assert_snapshot!(code, message));
    }
}

/// Quoted words with a hyphen inside: no other string of these modules looks like a code.
fn codes_in_source(module: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(project(module)).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            codes_in_source(path.to_str().unwrap(), found);
        } else if stem(&path) != "tests" {
            codes_in_file(&path, found);
        }
    }
}

fn codes_in_file(path: &Path, found: &mut BTreeSet<String>) {
    let text = fs::read_to_string(path).unwrap();
    let program = text.split("#[cfg(test)]").next().unwrap();
    let words = program.split('"').filter(|word| is_code(word));
    found.extend(words.map(str::to_owned));
}

fn is_code(word: &str) -> bool {
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    word.contains('-')
        && word.chars().all(letter)
        && word.starts_with(|c: char| c.is_ascii_lowercase())
}

/// The codes in the tables of the manual, each with its severity: `error` or `warning`.
fn codes_in_manual() -> BTreeMap<String, String> {
    let manual = fs::read_to_string(project("docs/reference/diagnostics.md")).unwrap();
    let rows = manual.lines().filter_map(|line| {
        let (code, row) = line.strip_prefix("| `")?.split_once("` | ")?;
        Some((code.to_owned(), row.split(" |").next()?.to_owned()))
    });
    rows.filter(|(code, _)| is_code(code)).collect()
}

#[test]
fn the_manual_lists_every_code() {
    let mut source = BTreeSet::new();
    codes_in_source("src/gdl", &mut source);
    let mistakes = corpus::files_in(&project("tests/mistakes"));
    let shown: BTreeSet<String> = mistakes.iter().map(|path| stem(path)).collect();
    assert_eq!(
        shown, source,
        "one file in tests/mistakes per code of src/gdl"
    );
    codes_in_source("src/kif", &mut source);
    codes_in_file(&project("src/catalog/fault.rs"), &mut source);
    let listed: BTreeSet<String> = codes_in_manual().into_keys().collect();
    assert_eq!(listed, source, "the codes in the manual and in the source");
}

#[test]
fn shipped_games_have_no_findings() {
    for path in corpus::files_in(&project("games")) {
        let (text, checked) = check_file(&path);
        let message = kif::render(&checked.diagnostics, &stem(&path), &text, false);
        assert!(checked.diagnostics.is_empty(), "{message}");
    }
}

/// Files that are no valid games: `next` with two arguments, and rules damaged by `AND`.
const REJECTED_GAMES: [&str; 2] = ["bender__axioms2", "libgdl__kono"];

/// Our own rule files that use the language to its limits, and their warnings.
const DOUBTFUL_GAMES: [(&str, &[&str]); 3] = [
    ("declared", &["base-in-body"]),
    ("fading", &["empty-body", "needless-parentheses"]),
    ("signals", &["needless-condition"]),
];

#[test]
fn games_are_accepted() {
    for path in corpus::files_in(&corpus::own().join("kif")) {
        let (name, (_, checked)) = (stem(&path), check_file(&path));
        assert!(checked.rules.is_some(), "{name}: {:?}", checked.diagnostics);
        let mut doubtful = DOUBTFUL_GAMES.iter();
        let expected = doubtful.find(|(doubtful, _)| *doubtful == name);
        let expected = expected.map_or(BTreeSet::new(), |of| of.1.iter().copied().collect());
        assert_eq!(codes(&checked), expected, "{name}");
    }
    if let Some(folder) = corpus::folder() {
        let files = corpus::files_in(&folder.join("kif"));
        let rejected = files
            .iter()
            .filter(|path| check_file(path).1.rules.is_none());
        let rejected: Vec<String> = rejected.map(|path| stem(path)).collect();
        assert_eq!(rejected, REJECTED_GAMES, "of {} games", files.len());
    }
}

/// Asserts which files of a part of the collection are rejected, and with which errors.
fn assert_verdicts(folder: &Path, part: &str, expected: &[(&str, &[&str])]) {
    let mut found = Vec::new();
    for path in corpus::files_in(&folder.join(part)) {
        let (_, checked) = check_file(&path);
        if checked.rules.is_none() {
            found.push((stem(&path), errors(&checked)));
        }
    }
    let expected: Vec<_> = expected
        .iter()
        .map(|(file, codes)| ((*file).to_owned(), codes.iter().copied().collect()))
        .collect();
    assert_eq!(found, expected, "in {part}");
}

const NO_GAME: &[&str] = &[
    "missing-role",
    "missing-legal",
    "missing-terminal",
    "missing-goal",
];
const NO_PLAY: &[&str] = &["missing-legal", "missing-terminal", "missing-goal"];

/// Our own mistakes are errors where the manual says so; the collected ones are listed here.
#[test]
fn mistakes_are_rejected() {
    let severity = codes_in_manual();
    for path in corpus::files_in(&project("tests/mistakes")) {
        let (code, (_, checked)) = (stem(&path), check_file(&path));
        let is_error = errors(&checked).contains(code.as_str());
        let said = severity[&code].as_str();
        assert_eq!(said, if is_error { "error" } else { "warning" }, "{code}");
    }
    if let Some(folder) = corpus::folder() {
        assert_collected_mistakes(&folder);
        assert_probes(&folder);
    }
}

fn assert_collected_mistakes(folder: &Path) {
    assert_verdicts(
        folder,
        "invalid/kif",
        &[
            (
                "ggpbase-test__test_case_3b",
                &["unsafe-head", "unsafe-distinct"],
            ),
            ("ggpbase-test__test_case_3e", &["unsafe-head"]),
            (
                "ggpbase-test__test_case_3f",
                &["unsafe-head", "unsafe-negation"],
            ),
            ("libgdl-flattener__recurse", NO_PLAY),
            ("libgdl-parser__base_depen", &["depends-on-state"]),
            ("libgdl-parser__ds_test", NO_GAME),
            ("libgdl-parser__headsafe", &["unsafe-head"]),
            ("libgdl-parser__init_depen", &["depends-on-state"]),
            ("libgdl-parser__input_depen", &["depends-on-state"]),
            ("libgdl-parser__legal_depen", &["legal-depends-on-does"]),
            ("libgdl-parser__mgu_check", NO_PLAY),
            ("libgdl-parser__ndef_goal", &["missing-goal"]),
            ("libgdl-parser__ndef_legal", &["missing-legal"]),
            ("libgdl-parser__ndef_role", &["missing-role"]),
            ("libgdl-parser__ndef_terminal", &["missing-terminal"]),
            ("libgdl-parser__notsafe", &["unsafe-negation"]),
            ("libgdl-parser__notunstrat", &["negative-circle"]),
            ("libgdl-parser__opt1", NO_GAME),
            ("libgdl-parser__orsafe", &["unsafe-head"]),
            ("libgdl-parser__recurseunstrat", &["endless-recursion"]),
            ("libgdl-parser__unstratrec", &["negative-circle"]),
            ("libgdl-parser__variable_parsing", NO_GAME),
        ],
    );
}

fn assert_probes(folder: &Path) {
    assert_verdicts(
        folder,
        "probes/kif",
        &[
            ("extra_close_paren", &["surplus-parenthesis"]),
            ("missing_close_paren", &["unclosed-parenthesis"]),
            ("nonground_fact", &["variable-in-fact"]),
            ("or_partial_binding", &["unsafe-head"]),
            ("role_by_rule", &["role-rule"]),
            ("terminal_paren", &["terminal-parentheses"]),
            (
                "unsafe_not_dropped",
                &["unsafe-head", "unsafe-negation", "unsafe-distinct"],
            ),
        ],
    );
}
