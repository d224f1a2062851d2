//! Every change that the server offers for rule files leaves them at least as good as they were.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use kolibri::gdl;
use kolibri::kif::{Diagnostic, Lexeme, lexemes};
use serde_json::{Value, json};

use super::client::{Client, range_of};
use super::{edited, offset};
use crate::corpus;

/// How often each finding is made.
fn counts(findings: &[Diagnostic]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.code).or_default() += 1;
    }
    counts
}

/// A finding that is made more often than before.
fn come<'f>(before: &'f [Diagnostic], after: &'f [Diagnostic]) -> Option<&'f str> {
    let before = counts(before);
    let mut after = counts(after).into_iter();
    let more = after.find(|(code, count)| before.get(code).unwrap_or(&0) < count);
    more.map(|(code, _)| code)
}

/// Longer rule files take long in a program without optimisation.
const LONGEST: usize = 5_000;

/// The names and texts of short rule files.
fn texts(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = corpus::files_in(&folder).into_iter();
    let texts = files.map(|path| (corpus::stem(&path), super::text_of(&path)));
    texts.filter(|(_, text)| text.len() < LONGEST).collect()
}

/// A document of its own for each text.
fn open(client: &mut Client, name: &str, text: &str) -> String {
    let uri = format!("file:///rules/{}.kif", name.replace(' ', "%20"));
    client.open(&uri, text);
    uri
}

fn close(client: &mut Client, uri: &str) {
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": uri}}),
    );
}

/// Where each word begins, and where it stands as the protocol counts.
fn words(text: &str) -> Vec<(usize, Value)> {
    let words = lexemes(text).filter(|(lexeme, _)| matches!(lexeme, Lexeme::Word(_)));
    words
        .map(|(_, span)| (span.start, super::place(text, span.start)))
        .collect()
}

/// Renames the word at each place that no earlier rename has reached, and says how many were renamed.
fn rename_every_word(client: &mut Client, uri: &str, text: &str, name: &str) -> usize {
    let before = gdl::load(text).diagnostics;
    let mut reached = BTreeSet::new();
    let mut renamed = 0;
    for (start, place) in words(text) {
        if reached.contains(&start) {
            continue;
        }
        let mut params = json!({"textDocument": {"uri": uri}, "position": place});
        let prepared = client.respond("textDocument/prepareRename", params.clone());
        let Some(range) = prepared["result"].get("range") else {
            continue;
        };
        let is_variable = text[start..].starts_with('?');
        let new_name = if is_variable {
            "?other_name"
        } else {
            "other_name"
        };
        params["newName"] = json!(new_name);
        let answer = client.request("textDocument/rename", params);
        let edits = super::edits_of(&answer, uri);
        let places = edits.as_array().unwrap().iter();
        reached.extend(places.map(|edit| offset(text, &edit["range"]["start"])));
        let old = &text[offset(text, &range["start"])..offset(text, &range["end"])];
        let after = edited(text, edits);
        let findings = gdl::load(&after).diagnostics;
        assert_eq!(come(&before, &findings), None, "{name}: {old}\n{after}");
        assert_eq!(after.replace(new_name, old), text, "{name}: {old}");
        renamed += 1;
    }
    renamed
}

#[test]
fn every_word_that_can_be_renamed_brings_no_finding() {
    let mut client = Client::ready();
    let mut renamed = 0;
    for folder in ["games", "tests/playtest"] {
        for (name, text) in texts(folder) {
            let uri = open(&mut client, &name, &text);
            renamed += rename_every_word(&mut client, &uri, &text, &name);
            close(&mut client, &uri);
        }
    }
    assert!(renamed > 300, "{renamed}");
}

/// The changes that are offered anywhere in a text, each once: title, kind and edits.
fn offered(client: &mut Client, uri: &str, text: &str) -> BTreeSet<(String, String, String)> {
    let lines = text.split('\n').count() as u32;
    let mut ranges = vec![range_of([0, 0, lines, 0])];
    ranges.extend(
        words(text)
            .into_iter()
            .map(|(_, place)| json!({"start": place, "end": place})),
    );
    let mut offered = BTreeSet::new();
    for range in ranges {
        let params =
            json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []}});
        let actions = client.request("textDocument/codeAction", params);
        for action in actions.as_array().unwrap() {
            let field = |field: &str| action[field].as_str().unwrap().to_owned();
            let edits = super::edits_of(&action["edit"], uri).to_string();
            offered.insert((field("title"), field("kind"), edits));
        }
    }
    offered
}

/// Makes each change that is offered, and says how many there are of each kind.
fn make_every_change(
    client: &mut Client,
    name: &str,
    text: &str,
    made: &mut BTreeMap<String, usize>,
) {
    let before = gdl::load(text).diagnostics;
    let errors = |findings: &[Diagnostic]| {
        let errors = findings.iter().filter(|finding| finding.is_error());
        errors.count()
    };
    let uri = open(client, name, text);
    for (title, kind, edits) in offered(client, &uri, text) {
        let after = edited(text, &serde_json::from_str(&edits).unwrap());
        let found = gdl::load(&after).diagnostics;
        assert!(
            errors(&found) <= errors(&before),
            "{name}: {title}\n{after}\n{found:?}"
        );
        match kind.as_str() {
            "refactor" => assert_eq!(come(&before, &found), None, "{name}: {title}\n{after}"),
            _ => assert_ne!(counts(&found), counts(&before), "{name}: {title}\n{after}"),
        }
        *made.entry(kind).or_default() += 1;
    }
    close(client, &uri);
}

#[test]
fn every_change_that_is_offered_mends_something_and_breaks_nothing() {
    let mut client = Client::ready();
    let mut made = BTreeMap::new();
    for folder in ["games", "tests/playtest", "tests/mistakes"] {
        for (name, text) in texts(folder) {
            make_every_change(&mut client, &name, &text, &mut made);
        }
    }
    assert!(made["refactor"] > 30, "{made:?}");
    assert!(made["quickfix"] > 30, "{made:?}");
}
