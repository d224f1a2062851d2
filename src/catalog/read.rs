//! Reading rule text from wherever a person points.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::catalog::{SHIPPED, SourceError, most_similar};
use crate::kif::{Diagnostic, MAX_BYTES, decode};

/// Where a rule text comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Embedded in the program.
    Shipped,
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
    /// A text given by a program.
    Text,
}

/// A rule text with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSource {
    /// The name of a shipped game, the stem of a file, or `stdin`.
    pub name: String,
    /// The rules, as written.
    pub text: String,
    /// What was found while the bytes were read as text. The text is unusable where one of these is an error.
    pub diagnostics: Vec<Diagnostic>,
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
            return Self::from_input(None, io::stdin().lock());
        }
        match SHIPPED.iter().find(|game| game.name == asked) {
            Some(game) => Ok(Self {
                name: game.name.to_owned(),
                text: game.text.to_owned(),
                diagnostics: Vec::new(),
                origin: Origin::Shipped,
            }),
            None => Self::from_file(Path::new(asked)),
        }
    }

    /// The game with this rule text.
    pub fn from_text(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: text.to_owned(),
            diagnostics: Vec::new(),
            origin: Origin::Text,
        }
    }

    /// The game in the file at `path`.
    ///
    /// # Errors
    /// Says why there is no rule text to be had.
    pub fn from_file(path: &Path) -> Result<Self, SourceError> {
        Self::from_input(Some(path), open(path)?)
    }

    /// The game in `input`, which is the file at `path`, or standard input if there is none.
    ///
    /// # Errors
    /// Says why there is no rule text to be had.
    pub fn from_input(path: Option<&Path>, input: impl Read) -> Result<Self, SourceError> {
        let Some(path) = path else {
            let (text, diagnostics) = read_text(input, "<stdin>")?;
            return Ok(Self {
                name: "stdin".to_owned(),
                text,
                diagnostics,
                origin: Origin::Stdin,
            });
        };
        let (text, diagnostics) = read_text(input, &path.display().to_string())?;
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        Ok(Self {
            name: stem.to_string_lossy().into_owned(),
            text,
            diagnostics,
            origin: Origin::File(path.to_owned()),
        })
    }

    /// What stands before `:line:column` in messages about this text.
    pub fn shown(&self) -> String {
        match &self.origin {
            Origin::Shipped => format!("{}.kif", self.name),
            Origin::File(path) => path.display().to_string(),
            Origin::Stdin => "<stdin>".to_owned(),
            Origin::Text => self.name.clone(),
        }
    }
}

/// The file at `path`, which is to hold rules or the record of a match by them.
///
/// # Errors
/// Says why nothing can be read there.
pub fn open(path: &Path) -> Result<File, SourceError> {
    let metadata = fs::metadata(path).map_err(|cause| not_opened(path, cause))?;
    if metadata.is_dir() {
        return Err(SourceError::Directory {
            inside: first_rule_file(path),
            path: path.display().to_string(),
        });
    }
    File::open(path).map_err(|cause| not_opened(path, cause))
}

/// The bytes as text, and what [`kif::decode`](crate::kif::decode) finds on the way.
fn read_text(input: impl Read, shown: &str) -> Result<(String, Vec<Diagnostic>), SourceError> {
    let path = shown.to_owned();
    let mut bytes = Vec::new();
    if let Err(cause) = input.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes) {
        return Err(SourceError::Unreadable { path, cause });
    }
    if bytes.len() > MAX_BYTES {
        return Err(SourceError::TooLarge { path });
    }
    if bytes.trim_ascii().is_empty() {
        return Err(SourceError::Empty { path });
    }
    let decoded = decode(&bytes);
    Ok((decoded.text.into_owned(), decoded.diagnostics))
}

fn not_opened(path: &Path, cause: io::Error) -> SourceError {
    let shown = path.display().to_string();
    if cause.kind() != io::ErrorKind::NotFound {
        return SourceError::Unreadable { path: shown, cause };
    }
    if looks_like_a_name(&shown) {
        let names = SHIPPED.iter().map(|game| game.name);
        let similar = most_similar(&shown, names);
        let file = format!("{shown}.kif");
        return SourceError::UnknownName {
            similar,
            file: Path::new(&file).is_file().then_some(file),
            name: shown,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_words_is_empty() {
        let fault = read_text(&b" \r\n"[..], "x.kif").unwrap_err();
        assert_eq!(fault.code(), "empty");
    }

    #[test]
    fn a_flood_is_refused_before_it_is_kept() {
        let fault = read_text(std::io::repeat(b'('), "x.kif").unwrap_err();
        assert_eq!(fault.code(), "file-too-large");
    }
}
