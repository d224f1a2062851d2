//! Games in progress, kept on disk move by move.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::files::{Existing, WriteError};
use crate::play::{Record, RecordFormat};

/// The folder in which games in progress are kept: a file for each.
#[derive(Debug)]
pub struct Autosave(PathBuf);

impl Autosave {
    /// Games are kept in this folder, which is made with the first of them.
    pub fn in_folder(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// The game that was kept last, or the last one of this name.
    pub fn latest(&self, game: Option<&str>) -> Option<PathBuf> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let mut kept: Vec<(SystemTime, PathBuf)> = entries
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        kept.sort();
        let is_meant = |path: &PathBuf| {
            Record::load(path).is_ok_and(|record| {
                game.is_none_or(|game| record.game_name.as_deref() == Some(game))
            })
        };
        let mut paths = kept.into_iter().rev().map(|(_, path)| path);
        paths.find(is_meant)
    }

    /// Keeps a game as it stands now.
    pub(super) fn keep(&self, record: &Record) -> Result<(), WriteError> {
        // A folder that cannot be made is told of by the file that cannot be written there.
        let _ = fs::create_dir_all(&self.0);
        record.save(&self.path(record), Existing::Replace)
    }

    /// Forgets a game that is over.
    pub(super) fn forget(&self, record: &Record) {
        // A game that stays is no loss.
        let _ = fs::remove_file(self.path(record));
    }

    /// The name of a game may come from a file that somebody else wrote.
    fn path(&self, record: &Record) -> PathBuf {
        let plain = |c: char| {
            if c.is_alphanumeric() || c == '.' || c == '-' {
                c
            } else {
                '_'
            }
        };
        let name: String = record.match_id.chars().map(plain).collect();
        let ending = RecordFormat::CompressedJson.ending();
        self.0.join(format!("{name}{ending}"))
    }
}
