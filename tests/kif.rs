//! Parsing, printing and formatting all rule files at hand.

use std::fs;
use std::path::{Path, PathBuf};

use kolibri::kif;

use crate::corpus;

fn all_files() -> Vec<PathBuf> {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut files = corpus::files_in(&games);
    files.extend(corpus::rule_files());
    files
}

fn each_text(mut see: impl FnMut(&Path, &str)) {
    for path in all_files() {
        let bytes = fs::read(&path).unwrap();
        let decoded = kif::decode(&bytes);
        let mut diagnostics = decoded.diagnostics.iter();
        assert!(
            !diagnostics.any(kif::Diagnostic::is_error),
            "{}",
            path.display()
        );
        see(&path, &decoded.text);
    }
}

/// The words, parentheses and comments of a text, found without the grammar. Comments come without the
/// blanks at their end.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = vec![String::new()];
    for line in text.split(['\n', '\r']) {
        let (code, comment) = line.split_at(line.find(';').unwrap_or(line.len()));
        for piece in code
            .split_inclusive(['(', ')'])
            .flat_map(str::split_whitespace)
        {
            let parenthesis = piece.len() - usize::from(piece.ends_with(['(', ')']));
            tokens.extend([
                piece[..parenthesis].to_owned(),
                piece[parenthesis..].to_owned(),
            ]);
        }
        tokens.push(comment.trim_end().to_owned());
    }
    tokens.retain(|token| !token.is_empty());
    tokens
}

fn printed(text: &str) -> Vec<String> {
    let parsed = kif::parse(text);
    parsed.sexprs.iter().map(ToString::to_string).collect()
}

#[test]
fn every_file_is_printed_and_read_again() {
    each_text(|path, text| {
        let once = printed(text);
        assert!(!once.is_empty(), "{}", path.display());
        assert_eq!(printed(&once.join("\n")), once, "{}", path.display());
    });
}

#[test]
fn every_file_is_formatted_without_changing_a_token() {
    each_text(|path, text| match kif::format(text) {
        Ok(once) => {
            assert_eq!(tokens(&once), tokens(text), "{}", path.display());
            assert_eq!(kif::format(&once).unwrap(), once, "{}", path.display());
        }
        Err(_) => assert!(
            path.to_string_lossy().contains("_close_paren"),
            "{}",
            path.display()
        ),
    });
}
