//! Where records go, and how they are written.

use std::io;
use std::path::{Path, PathBuf};

use crate::cli::failure::Failure;
use crate::files::prepare_folder;
use crate::play::RecordFormat;
use crate::util::system_said;

/// Options about records.
#[derive(Debug, clap::Args)]
pub(super) struct RecordArgs {
    /// Write each game as a match record to the folder DIR; records that are there already are kept
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// How records are written: compressed with gzip, or as plain text, which takes twenty times the room
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value_t,
        requires = "record"
    )]
    record_format: RecordEnding,
}

impl RecordArgs {
    /// The folder for records, which is made if it is not there, and how they are written; `None` where none are wanted.
    pub(super) fn prepare(&self) -> Result<Option<(&Path, RecordFormat)>, Failure> {
        let Some(folder) = &self.record else {
            return Ok(None);
        };
        prepare_record_folder(folder)?;
        Ok(Some((folder, self.record_format.into())))
    }
}

/// Makes the folder if it is not there, and sees to it that records can be written to it.
pub(super) fn prepare_record_folder(folder: &Path) -> Result<(), Failure> {
    prepare_folder(folder).map_err(|why| unwritable(folder, &why))
}

/// The formats of records, by the ends of their names.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum RecordEnding {
    /// JSON as plain text
    #[value(name = "json")]
    Json,
    /// JSON compressed with gzip
    #[default]
    #[value(name = "json.gz")]
    CompressedJson,
}

impl From<RecordEnding> for RecordFormat {
    fn from(ending: RecordEnding) -> Self {
        match ending {
            RecordEnding::Json => Self::Json,
            RecordEnding::CompressedJson => Self::CompressedJson,
        }
    }
}

fn unwritable(folder: &Path, why: &io::Error) -> Failure {
    let why = match why.kind() {
        io::ErrorKind::AlreadyExists => "it is a file, not a folder".to_owned(),
        _ => system_said(why),
    };
    Failure::usage(format!(
        "cannot write records to {}: {why}",
        folder.display()
    ))
    .with_help("name a folder that you may write to")
}
