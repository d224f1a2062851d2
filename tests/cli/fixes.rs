//! `check --fix`, `check --diff`, `fmt --fix`: what is changed, what is said of it, and what is left alone.

use std::fs;

use crate::cli::{COIN, Folder};

/// A game with a repeated fact, a rule that is a fact, and a misspelt keyword.
fn faulty() -> String {
    let misspelt = COIN.replace("(true start) (does", "(treu start) (does");
    format!("{misspelt}(init start)\n(<= (init never))\n(<= (next seen) not (true never))\n")
}

fn text(folder: &Folder) -> String {
    fs::read_to_string(folder.path().join("faulty.kif")).unwrap()
}

#[test]
fn fix_applies_what_is_safe_and_says_so() {
    let folder = Folder::new().with("faulty.kif", faulty());
    let ended = folder.run(&["check", "faulty.kif", "--fix"]);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    for said in [
        "faulty.kif:12:1: fixed[duplicate-rule]: remove the repetition\n",
        "faulty.kif:13:1: fixed[empty-body]: write it as a fact\n",
        "faulty.kif:14:17: fixed[lone-connective]: put `not`",
        "warning[undefined-relation]",
        "3 warnings, 3 fixed\n",
    ] {
        assert!(ended.out.contains(said), "{said}: {}", ended.shown());
    }
    let (kept, changed) = (faulty(), text(&folder));
    let kept = kept
        .split("(init start)\n(<= (init never))")
        .next()
        .unwrap();
    assert_eq!(
        changed,
        format!("{kept}(init never)\n(<= (next seen) (not (true never)))\n")
    );
    let again = folder.run(&["check", "faulty.kif", "--fix"]);
    assert!(!again.out.contains("fixed"), "{}", again.shown());
    assert_eq!(text(&folder), changed);
}

#[test]
fn unsafe_fixes_are_applied_only_when_asked_for() {
    let folder = Folder::new().with("faulty.kif", faulty());
    let ended = folder.run(&["check", "faulty.kif", "--fix", "--unsafe-fixes"]);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert!(
        ended.out.contains("replace `treu` with `true`"),
        "{}",
        ended.shown()
    );
    assert!(text(&folder).contains("(true start) (does"));
    let alone = folder.run(&["check", "faulty.kif", "--unsafe-fixes"]);
    assert_eq!(alone.status, 2, "{}", alone.shown());
}

#[test]
fn diff_changes_nothing() {
    let folder = Folder::new().with("faulty.kif", faulty());
    let ended = folder.run(&["check", "faulty.kif", "--diff"]);
    assert_eq!(ended.status, 1, "{}", ended.shown());
    assert!(
        ended.out.starts_with("--- faulty.kif\n+++ faulty.kif\n@@ "),
        "{}",
        ended.out
    );
    assert!(ended.out.contains("\n-(init start)\n"), "{}", ended.out);
    assert!(ended.out.contains("\n+(init never)\n"), "{}", ended.out);
    assert_eq!(text(&folder), faulty());
    let fine = Folder::new().with("coin.kif", COIN);
    let ended = fine.run(&["check", "coin.kif", "--diff"]);
    assert_eq!(
        (ended.status, ended.out.as_str()),
        (0, ""),
        "{}",
        ended.shown()
    );
}

#[test]
fn json_tells_fixes_with_their_edits() {
    let folder = Folder::new().with("faulty.kif", faulty());
    let ended = folder.run(&["check", "faulty.kif", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    let findings = report["diagnostics"].as_array().unwrap();
    let repeated = findings.iter().find(|one| one["code"] == "duplicate-rule");
    let expected = serde_json::json!([{
        "title": "remove the repetition",
        "safe": true,
        "edits": [{ "line": 12, "column": 1, "end_line": 13, "end_column": 1, "text": "" }],
    }]);
    assert_eq!(repeated.unwrap()["fixes"], expected);
    assert_eq!(report["fixed"], serde_json::json!([]));
    let ended = folder.run(&["check", "faulty.kif", "--fix", "--json"]);
    let fixed = &ended.json()["fixed"];
    let first = serde_json::json!({
        "code": "duplicate-rule", "title": "remove the repetition", "line": 12, "column": 1,
    });
    assert_eq!((fixed.as_array().unwrap().len(), &fixed[0]), (3, &first));
}

#[test]
fn what_is_no_file_is_not_changed() {
    let folder = Folder::new();
    let ended = folder.run(&["check", "nim", "--fix"]);
    assert_eq!(ended.status, 0, "nothing to mend: {}", ended.shown());
    let ended = folder.run_with_input(&["check", "-", "--fix"], faulty().as_bytes());
    assert_eq!(ended.status, 2, "{}", ended.shown());
    assert!(
        ended.err.contains("standard input is not a file"),
        "{}",
        ended.err
    );
    let ended = folder.run_with_input(&["check", "-", "--diff"], faulty().as_bytes());
    assert!(ended.out.contains("\n-(init start)\n"), "{}", ended.shown());
}

#[test]
fn malformed_bytes_in_comments_are_kept() {
    let mut bytes = faulty().into_bytes();
    bytes.extend(b"; wei\xdf\n");
    let folder = Folder::new().with("faulty.kif", &bytes);
    folder.run(&["check", "faulty.kif", "--fix"]);
    assert_eq!(fs::read(folder.path().join("faulty.kif")).unwrap(), bytes);
}

#[test]
fn fmt_fixes_before_it_formats() {
    let folder = Folder::new().with("faulty.kif", faulty());
    let shown = folder.run(&["fmt", "faulty.kif", "--fix", "--diff"]);
    assert_eq!(shown.status, 1, "{}", shown.shown());
    assert!(shown.out.contains("\n+(init never)\n"), "{}", shown.out);
    let ended = folder.run(&["fmt", "faulty.kif", "--fix", "--write"]);
    assert_eq!(
        (ended.status, ended.out.as_str()),
        (0, ""),
        "{}",
        ended.shown()
    );
    assert!(
        ended.err.contains("12:1: fixed[duplicate-rule]"),
        "{}",
        ended.err
    );
    assert_eq!(folder.run(&["fmt", "faulty.kif", "--check"]).status, 0);
    assert_eq!(folder.run(&["check", "faulty.kif", "--diff"]).out, "");
}

#[test]
fn fmt_check_counts_the_lines_that_differ() {
    let folder = Folder::new().with("a.kif", "(role a)\n( role b )\n(role  c)\n");
    let ended = folder.run(&["fmt", "a.kif", "--check"]);
    assert_eq!(
        (ended.status, ended.out.as_str()),
        (1, "a.kif: 2 lines differ\n")
    );
    let ended = folder.run(&["fmt", "a.kif", "--diff"]);
    assert!(ended.out.contains("-( role b )\n"), "{}", ended.shown());
}
