//! Reading rule text from wherever a person points.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::catalog::{SHIPPED, SourceError};

/// The largest rule file read, in MiB. The largest known one has less than half a MiB.
const LIMIT: u64 = 32;

/// Where a rule text comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Embedded in the program.
    Shipped,
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

/// A rule text with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSource {
    /// The name of a shipped game, the stem of a file, or `stdin`.
    pub name: String,
    /// The rules, as written.
    pub text: String,
    /// Where they come from.
    pub origin: Origin,
}

impl GameSource {
    /// The game a person asks for: `-` for standard input, the name of a shipped game, or a path.
    ///
    /// # Errors
    /// Says why there is no rule text to be had.
    pub fn find(asked: &str) -> Result<Self, SourceError> {
        if asked == "-" {
            return Self::from_stdin();
        }
        match SHIPPED.iter().find(|game| game.name == asked) {
            Some(game) => Ok(Self {
                name: game.name.to_owned(),
                text: game.text.to_owned(),
                origin: Origin::Shipped,
            }),
            None => Self::from_file(Path::new(asked)),
        }
    }

    /// The game in the file at `path`.
    ///
    /// # Errors
    /// Says why there is no rule text to be had.
    pub fn from_file(path: &Path) -> Result<Self, SourceError> {
        let shown = path.display().to_string();
        let metadata = fs::metadata(path).map_err(|cause| not_opened(path, cause))?;
        if metadata.is_dir() {
            return Err(SourceError::Directory {
                inside: first_rule_file(path),
                path: shown,
            });
        }
        let file = File::open(path).map_err(|cause| not_opened(path, cause))?;
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        Ok(Self {
            name: stem.to_string_lossy().into_owned(),
            text: read_text(file, &shown)?,
            origin: Origin::File(path.to_owned()),
        })
    }

    fn from_stdin() -> Result<Self, SourceError> {
        Ok(Self {
            name: "stdin".to_owned(),
            text: read_text(io::stdin().lock(), "<stdin>")?,
            origin: Origin::Stdin,
        })
    }

    /// What stands before `:line:column` in messages about this text.
    pub fn shown(&self) -> String {
        match &self.origin {
            Origin::Shipped => format!("{}.kif", self.name),
            Origin::File(path) => path.display().to_string(),
            Origin::Stdin => "<stdin>".to_owned(),
        }
    }
}

fn read_text(input: impl Read, shown: &str) -> Result<String, SourceError> {
    let path = shown.to_owned();
    let mut bytes = Vec::new();
    if let Err(cause) = input.take((LIMIT << 20) + 1).read_to_end(&mut bytes) {
        return Err(SourceError::Unreadable { path, cause });
    }
    if bytes.len() as u64 > LIMIT << 20 {
        return Err(SourceError::TooLarge { path, limit: LIMIT });
    }
    if let Some(kind) = other_kind(&bytes) {
        return Err(SourceError::OtherKind { path, kind });
    }
    let text = String::from_utf8(bytes).map_err(|fault| {
        let at = fault.utf8_error().valid_up_to();
        let bytes = fault.as_bytes();
        SourceError::NotUtf8 {
            path: path.clone(),
            byte: bytes[at],
            line: 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count(),
        }
    })?;
    if text.trim().is_empty() {
        return Err(SourceError::Empty { path });
    }
    Ok(text)
}

/// Documents that people hand over by mistake, known by how they begin.
fn other_kind(bytes: &[u8]) -> Option<&'static str> {
    let start = bytes.trim_ascii_start();
    let head = start[..start.len().min(16)].to_ascii_lowercase();
    let begins = |mark: &[u8]| head.starts_with(mark);
    if begins(b"%pdf-") {
        Some("a PDF document")
    } else if begins(b"<!doctype") || begins(b"<html") {
        Some("an HTML page")
    } else if begins(b"<?xml") {
        Some("an XML document")
    } else if begins(b"\x1f\x8b") || begins(b"pk\x03\x04") {
        Some("a compressed archive")
    } else if begins(b"\x7felf") || begins(b"\x89png") {
        Some("a binary file")
    } else {
        None
    }
}

fn not_opened(path: &Path, cause: io::Error) -> SourceError {
    let shown = path.display().to_string();
    if cause.kind() != io::ErrorKind::NotFound {
        return SourceError::Unreadable { path: shown, cause };
    }
    if looks_like_a_name(&shown) {
        let names = SHIPPED.iter().map(|game| game.name);
        let similar = most_similar(&shown, names);
        return SourceError::UnknownName {
            name: shown,
            similar,
        };
    }
    SourceError::Missing {
        similar: similar_file(path),
        path: shown,
    }
}

fn looks_like_a_name(text: &str) -> bool {
    !text.contains(['/', '\\', '.'])
}

fn similar_file(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent()?;
    let names = file_names(folder);
    let best = most_similar(wanted, names.iter().map(String::as_str))?;
    Some(folder.join(best).display().to_string())
}

fn first_rule_file(folder: &Path) -> Option<String> {
    let names = file_names(folder);
    let first = names.iter().find(|name| name.ends_with(".kif"))?;
    Some(folder.join(first).display().to_string())
}

/// The names in `folder` in the order of [`str`], few enough to compare.
fn file_names(folder: &Path) -> Vec<String> {
    let here = Path::new(".");
    let folder = if folder.as_os_str().is_empty() {
        here
    } else {
        folder
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .take(10_000)
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

/// The candidate spelt most like `wanted`, if it is near enough to be a slip.
fn most_similar<'c>(wanted: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let wanted = wanted.to_lowercase();
    let mut best: Option<(f64, &'c str)> = None;
    for candidate in candidates {
        let score = strsim::jaro_winkler(&wanted, &candidate.to_lowercase());
        if score > best.map_or(0.8, |(score, _)| score) {
            best = Some((score, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(bytes: &[u8]) -> &'static str {
        read_text(bytes, "x.kif").unwrap_err().code()
    }

    #[test]
    fn documents_of_other_kinds_are_told_apart() {
        assert_eq!(fault(b"%PDF-1.7\n\xff\xff"), "not-a-rule-file");
        assert_eq!(fault(b"\n <!DOCTYPE html><html>"), "not-a-rule-file");
        assert_eq!(fault(b"PK\x03\x04rest"), "not-a-rule-file");
        assert_eq!(fault(b"(role x)\n\xe4"), "not-utf8");
        assert_eq!(fault(b" \r\n"), "empty");
    }

    #[test]
    fn a_fault_of_encoding_names_its_line() {
        let fault = read_text(&b"(role x)\n(role \xe4)"[..], "x.kif").unwrap_err();
        assert!(fault.to_string().contains("byte 0xe4 in line 2"), "{fault}");
    }

    #[test]
    fn slips_of_spelling_are_guessed() {
        let names = ["kolibrat", "checkers", "nim"];
        assert_eq!(
            most_similar("colibrat", names.into_iter()),
            Some("kolibrat")
        );
        assert_eq!(most_similar("Checker", names.into_iter()), Some("checkers"));
        assert_eq!(most_similar("zzz", names.into_iter()), None);
    }
}
