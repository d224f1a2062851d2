//! Files and folders → the records in them.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::util::system_said;

/// Flags of `manifest.tsv` that make a trace unusable.
const UNUSABLE: [&str; 5] = [
    "error",
    "dropped-literal",
    "arity",
    "exception",
    "hard-timeout",
];

/// One record to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordFile {
    /// The record.
    pub record: PathBuf,
    /// Where its rules are, if that is known without reading it: what people type for a game.
    pub rules: Option<String>,
    /// Why it is not to be compared.
    pub skip: Option<String>,
}

impl RecordFile {
    /// The name of the file without its ending.
    pub fn stem(&self) -> &str {
        stem(&self.record)
    }
}

/// The records at `paths`, in order; `rules` are those of records that do not name them.
///
/// # Errors
/// There is nothing at a path, or it cannot be read.
pub fn record_files(
    paths: &[PathBuf],
    rules: Option<&str>,
) -> Result<Vec<RecordFile>, UnreadablePath> {
    let mut jobs = Vec::new();
    for path in paths {
        jobs.extend(jobs_at(path, rules)?);
    }
    Ok(jobs)
}

fn jobs_at(path: &Path, rules: Option<&str>) -> Result<Vec<RecordFile>, UnreadablePath> {
    let metadata = fs::metadata(path);
    let metadata = metadata.map_err(|cause| unreadable(path, cause))?;
    if !metadata.is_dir() {
        return Ok(vec![RecordFile {
            rules: rules.map(str::to_owned).or_else(|| rules_beside(path)),
            record: path.to_owned(),
            skip: None,
        }]);
    }
    let traces = path.join("trace");
    if !traces.is_dir() {
        let records = records_in(path)?;
        let job = |record| RecordFile {
            record,
            rules: rules.map(str::to_owned),
            skip: None,
        };
        return Ok(records.into_iter().map(job).collect());
    }
    let unusable = unusable(&path.join("manifest.tsv"));
    let job = |record: PathBuf| RecordFile {
        rules: rules.map(str::to_owned).or_else(|| rules_beside(&record)),
        skip: unusable.get(stem(&record)).cloned(),
        record,
    };
    Ok(records_in(&traces)?.into_iter().map(job).collect())
}

/// `…/kif/X.kif` for `…/trace/X.json.gz`, if it is there.
fn rules_beside(record: &Path) -> Option<String> {
    let folder = record.parent().filter(|folder| folder.ends_with("trace"))?;
    let file = folder
        .with_file_name("kif")
        .join(format!("{}.kif", stem(record)));
    file.is_file().then(|| file.display().to_string())
}

/// The file's name without its ending.
fn stem(record: &Path) -> &str {
    let name = record.file_name().and_then(|name| name.to_str());
    let name = name.unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(name);
    name.strip_suffix(".json").unwrap_or(name)
}

/// The records in a folder, by name.
fn records_in(folder: &Path) -> Result<Vec<PathBuf>, UnreadablePath> {
    let entries = fs::read_dir(folder).map_err(|cause| unreadable(folder, cause))?;
    let mut records: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.to_string_lossy();
            name.ends_with(".json") || name.ends_with(".json.gz")
        })
        .collect();
    records.sort();
    Ok(records)
}

/// The reason to skip each unusable trace, by the stem of its file. Without a manifest there is none.
fn unusable(manifest: &Path) -> HashMap<String, String> {
    let text = fs::read_to_string(manifest).unwrap_or_default();
    let mut lines = text.lines().map(|line| line.split('\t'));
    let Some(head) = lines.next() else {
        return HashMap::new();
    };
    let head: Vec<&str> = head.collect();
    let column = |name| head.iter().position(|&title| title == name);
    let (Some(id), Some(flags)) = (column("id"), column("flags")) else {
        return HashMap::new();
    };
    let rows = lines.filter_map(|line| {
        let cells: Vec<&str> = line.collect();
        let flags = cells.get(flags)?;
        let is_unusable = flags.split(',').any(|flag| UNUSABLE.contains(&flag));
        let stem = cells.get(id)?.replace('/', "__");
        is_unusable.then(|| (stem, format!("marked {flags} in the manifest")))
    });
    rows.collect()
}

/// A path at which no records can be read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadablePath {
    /// There is no such file or folder.
    #[error("there is nothing at `{}`", .0.display())]
    Missing(PathBuf),
    /// The system refuses.
    #[error("cannot read `{}`: {}", .0.display(), system_said(.1))]
    Refused(PathBuf, io::Error),
}

fn unreadable(path: &Path, cause: io::Error) -> UnreadablePath {
    match cause.kind() {
        io::ErrorKind::NotFound => UnreadablePath::Missing(path.to_owned()),
        _ => UnreadablePath::Refused(path.to_owned(), cause),
    }
}
