//! The files for editors keep up with the program.

use std::fs;
use std::path::Path;

use serde_json::Value;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn json(path: &str) -> Value {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn sorted<'w>(words: impl IntoIterator<Item = &'w str>) -> Vec<&'w str> {
    let mut words: Vec<&str> = words.into_iter().collect();
    words.sort_unstable();
    words
}

/// What stands between quotes in the list that begins with `opening`.
fn quoted_list<'t>(text: &'t str, opening: &str, quote: char) -> Vec<&'t str> {
    let (_, list) = text.split_once(opening).expect(opening);
    let (list, _) = list.split_once([')', ']', '}']).expect(opening);
    sorted(list.split(quote).skip(1).step_by(2))
}

/// The words of `(?:one|other)` in the pattern of a TextMate rule.
fn alternatives<'g>(grammar: &'g Value, rule: &str) -> Vec<&'g str> {
    let pattern = grammar["repository"][rule]["match"].as_str().expect(rule);
    let (_, list) = pattern.split_once("(?:").expect(rule);
    let (list, _) = list.split_once(')').expect(rule);
    sorted(list.split('|'))
}

#[test]
fn grammars_have_the_keywords_of_the_program() {
    let program = read("src/gdl/keyword.rs");
    let keywords = quoted_list(
        &program,
        "fn name(self) -> &'static str {\n        match self {",
        '"',
    );
    let connectives = quoted_list(&program, "CONNECTIVES: [&str; 4] = [", '"');
    assert_eq!((keywords.len(), connectives.len()), (10, 4));

    let tree_sitter = read("editors/tree-sitter-gdl/grammar.js");
    let found = quoted_list(&tree_sitter, "const KEYWORDS = [", '\'');
    assert_eq!(found, keywords);

    let text_mate = json("editors/vscode/syntaxes/gdl.tmLanguage.json");
    assert_eq!(alternatives(&text_mate, "keyword"), keywords);
    assert_eq!(alternatives(&text_mate, "connective"), connectives);

    let emacs = read("editors/emacs/gdl-mode.el");
    let found = quoted_list(&emacs, "(defconst gdl-keywords '(", '"');
    assert_eq!(found, keywords);
    let found = quoted_list(&emacs, "(defconst gdl-connectives '(", '"');
    assert_eq!(found, connectives);
}

#[test]
fn the_extension_names_files_that_exist() {
    let manifest = json("editors/vscode/package.json");
    let parts = &manifest["contributes"];
    let mut paths = vec![manifest["main"].as_str().unwrap()];
    for (part, key) in [
        ("languages", "configuration"),
        ("grammars", "path"),
        ("snippets", "path"),
    ] {
        let entries = parts[part].as_array().unwrap();
        paths.extend(entries.iter().map(|entry| entry[key].as_str().unwrap()));
    }
    for path in paths {
        let path = format!("editors/vscode/{path}");
        match path.ends_with(".json") {
            true => drop(json(&path)),
            false => drop(read(&path)),
        }
    }
}
