//! Programs that play, as they are asked for: `exec:PROGRAM ARGS…`.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

/// A program that plays, with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerProgram {
    /// The player, as it is asked for.
    written: String,
    file: PathBuf,
    arguments: Vec<String>,
    /// Where it runs, if not in the present folder.
    folder: Option<PathBuf>,
}

impl PlayerProgram {
    /// Reads `PROGRAM ARGS…` as a shell does: words are parted by blanks, and quotes hold a word together; `None` where there is
    /// no word, or a quote without its end.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut words = shlex::split(text)?.into_iter();
        let file = words.next().filter(|file| !file.is_empty())?;
        Some(Self {
            written: format!("exec:{}", text.trim()),
            file: file.into(),
            arguments: words.collect(),
            folder: None,
        })
    }

    /// The program of an installed player, by its name.
    pub(super) fn installed(
        name: &str,
        file: PathBuf,
        arguments: Vec<String>,
        folder: Option<PathBuf>,
    ) -> Self {
        Self {
            written: name.to_owned(),
            file,
            arguments,
            folder,
        }
    }

    /// The same program with more arguments, asked for as `written`; `None` where a quote has no end.
    pub(super) fn with_arguments(&self, written: &str, more: &str) -> Option<Self> {
        let more = shlex::split(more)?;
        Some(Self {
            written: written.trim().to_owned(),
            arguments: [self.arguments.clone(), more].concat(),
            ..self.clone()
        })
    }

    /// The file to start.
    pub(crate) fn file(&self) -> &OsStr {
        self.file.as_os_str()
    }

    /// The words behind it.
    pub(crate) fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// Where it runs, if not in the present folder.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }
}

/// As it is read.
impl fmt::Display for PlayerProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_read_as_a_shell_does() {
        let read = |text: &str| PlayerProgram::read(text);
        let program = read(" python3 'my player.py' --depth 3 a=b,c:d").unwrap();
        assert_eq!(program.file(), "python3");
        let expected = ["my player.py", "--depth", "3", "a=b,c:d"];
        assert_eq!(program.arguments(), expected);
        assert_eq!(
            program.to_string(),
            "exec:python3 'my player.py' --depth 3 a=b,c:d"
        );
        for text in ["", "  ", "'", "\"\" x", "player \"x"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
