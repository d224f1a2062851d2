//! Records → text and files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::Record;
use crate::files::{Existing, WriteError, file_stem, write_file, write_new_file};

/// How a record is written. The states repeat most of each other, so that a compressed record takes a twentieth of the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RecordFormat {
    /// JSON: `.json`.
    Json,
    /// JSON compressed with gzip: `.json.gz`.
    #[default]
    CompressedJson,
}

impl RecordFormat {
    /// How the names of such files end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Json => ".json",
            Self::CompressedJson => ".json.gz",
        }
    }

    /// The format of the file at `path`: compressed where its name ends in `.gz`.
    fn of(path: &Path) -> Self {
        match path.extension() {
            Some(ending) if ending.eq_ignore_ascii_case("gz") => Self::CompressedJson,
            _ => Self::Json,
        }
    }
}

impl Record {
    /// The record as JSON on one line, ending in a line feed.
    pub fn to_json(&self) -> String {
        // Serialising strings and numbers into memory has no way to fail.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// Writes the record to a file, whole or not at all; compressed where its name ends in `.gz`.
    ///
    /// # Errors
    /// Says which file cannot be written, and why.
    pub fn save(&self, path: &Path, existing: Existing<'_>) -> Result<(), WriteError> {
        write_file(path, &self.bytes(RecordFormat::of(path)), existing)
    }

    /// The file in a folder that has the name of the match, as plain JSON: for [`Record::save`] after every step of a match that
    /// others watch.
    pub fn path_in(&self, folder: &Path) -> PathBuf {
        folder.join(file_stem(&self.match_id) + RecordFormat::Json.ending())
    }

    /// Writes the record to a new file in a folder, named after the match ([`file_stem`](crate::files::file_stem)), and tells its path.
    ///
    /// # Errors
    /// Says which file cannot be written, and why.
    pub fn save_new(&self, folder: &Path, format: RecordFormat) -> Result<PathBuf, WriteError> {
        write_new_file(folder, &self.match_id, format.ending(), &self.bytes(format))
    }

    fn bytes(&self, format: RecordFormat) -> Vec<u8> {
        let json = self.to_json().into_bytes();
        match format {
            RecordFormat::Json => json,
            // Memory has no way to fail; JSON is a record, too.
            RecordFormat::CompressedJson => compressed(&json).unwrap_or(json),
        }
    }
}

fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}
