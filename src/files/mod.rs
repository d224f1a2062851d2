//! Files are written whole or not at all.
//!
//! [`write_file`] writes beside the target, forces the bytes to the disk, and renames. Whatever goes wrong, a full disk or
//! the end of the program included, the target holds either what it held or what was to be written. What a program that was
//! killed leaves behind is a file named `.kolibri-`, eight letters or digits, `.tmp`; the next write to that folder removes it.
//! With [`Existing::Remake`], bytes are not forced to the disk: after a loss of power, the target may hold a part of them.

mod attributes;
mod cache;
mod checksum;
mod entry;
mod error;
mod name;
mod target;
mod temporary;
#[cfg(test)]
mod tests;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use attributes::Attributes;
pub use cache::{CacheEntry, FileCache};
pub(crate) use checksum::{CHECKSUM, add_checksum, first_line, without_checksum};
pub use entry::game_of_entry;
pub(crate) use entry::{EntryKind, KeptEntry};
pub use error::{WriteError, WriteFault};
pub use name::{file_stem, in_home};
use target::Target;
use temporary::{Temporary, remove_leftovers};

/// What becomes of a file that is already there.
#[derive(Clone, Copy)]
pub enum Existing<'e> {
    /// It is replaced.
    Replace,
    /// It is replaced, without waiting for the disk: the contents can be made again, and tell whether they are whole.
    Remake,
    /// It stays, and nothing is written: [`WriteFault::Exists`].
    Keep,
    /// It is replaced if the function, which is given its path, says so; otherwise it stays.
    ReplaceIf(&'e dyn Fn(&Path) -> bool),
}

/// Makes `contents` what the file at `path` holds.
///
/// Symbolic links are followed; a replaced file keeps its permissions, its extended attributes and, where the system allows
/// it, its owner. Pipes, devices and open streams (`/dev/stdout`) have nothing to be replaced: the bytes are sent to them.
///
/// # Errors
/// Says why nothing was written. What was there is as it was.
pub fn write_file(path: &Path, contents: &[u8], existing: Existing<'_>) -> Result<(), WriteError> {
    let written = Target::of(path).and_then(|target| match target {
        Target::Stream(path) => {
            let sent = send(&path, contents).map_err(WriteFault::from);
            sent.map_err(|fault| fault.in_folder(folder_of(&path)))
        }
        Target::File(path) => {
            let folder = folder_of(&path);
            remove_leftovers(folder);
            put(&path, contents, existing).map_err(|fault| fault.in_folder(folder))
        }
    });
    written.map_err(|fault| WriteError::new(path, fault))
}

/// Makes sure that [`write_file`] could write to `path` now, before work is done whose result goes there.
///
/// # Errors
/// [`WriteError`], as [`write_file`] would say it.
pub fn check_target(path: &Path, existing: Existing<'_>) -> Result<(), WriteError> {
    let target = Target::of(path).and_then(|target| match target {
        Target::File(file) => {
            old_file(&file, existing)?;
            let folder = folder_of(&file);
            let temporary = Temporary::in_folder(folder, true).map_err(WriteFault::from);
            temporary.map(drop).map_err(|fault| fault.in_folder(folder))
        }
        Target::Stream(_) => Ok(()),
    });
    target.map_err(|fault| WriteError::new(path, fault))
}

/// Makes sure that there is such a folder, that files can be written to it, and that it holds no leftovers.
///
/// # Errors
/// What the system refuses.
pub fn prepare_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    remove_leftovers(folder);
    Temporary::in_folder(folder, false).map(drop)
}

/// Makes a new file in `folder` that holds `contents`, named `stem`, as
/// [`file_stem`] writes it, and `ending`, with a number between them if such files
/// are there already, and tells its path. Several programs may do so at once.
///
/// # Errors
/// Says why nothing was written.
pub fn write_new_file(
    folder: &Path,
    stem: &str,
    ending: &str,
    contents: &[u8],
) -> Result<PathBuf, WriteError> {
    let stem = file_stem(stem);
    let mut path = folder.join(format!("{stem}{ending}"));
    for number in 2u64.. {
        match put(&path, contents, Existing::Keep) {
            Ok(()) => break,
            Err(WriteFault::Exists) => path = folder.join(format!("{stem}-{number}{ending}")),
            Err(fault) => return Err(WriteError::new(&path, fault)),
        }
    }
    Ok(path)
}

/// Writes beside the file at `path`, which is no symbolic link, and renames.
fn put(path: &Path, contents: &[u8], existing: Existing<'_>) -> Result<(), WriteFault> {
    let folder = folder_of(path);
    let old = old_file(path, existing)?;
    let mut temporary = Temporary::in_folder(folder, old.is_some())?;
    let file = temporary.file();
    file.write_all(contents)?;
    if let Some(old) = &old {
        Attributes::of(old)?.give_to(file)?;
    }
    let waits = !matches!(existing, Existing::Remake);
    if waits {
        file.sync_all()?;
    }
    match existing {
        Existing::Replace | Existing::Remake => temporary.replace(path)?,
        Existing::ReplaceIf(may) if old.is_some() => match may(path) {
            true => temporary.replace(path)?,
            false => return Err(WriteFault::Exists),
        },
        Existing::Keep | Existing::ReplaceIf(_) => match temporary.become_new(path) {
            // Another program has written it meanwhile: whether that file may be replaced has not been asked.
            Err(WriteFault::Exists) if matches!(existing, Existing::ReplaceIf(_)) => {
                return put(path, contents, existing);
            }
            done => done?,
        },
    }
    if waits {
        sync_folder(folder);
    }
    Ok(())
}

/// The file that is to be replaced, if there is one.
fn old_file(path: &Path, existing: Existing<'_>) -> Result<Option<File>, WriteFault> {
    match fs::symlink_metadata(path) {
        Err(_) => return Ok(None),
        Ok(old) if old.is_dir() => return Err(WriteFault::Folder),
        Ok(_) if matches!(existing, Existing::Keep) => return Err(WriteFault::Exists),
        Ok(_) => {}
    }
    // A file that may not be changed is not replaced either.
    match OpenOptions::new().write(true).open(path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        opened => Ok(Some(opened?)),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The name outlives a loss of power, too, where the system can promise that.
fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// What a stream has been sent already stays before this.
fn send(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut stream = OpenOptions::new().append(true).open(path)?;
    stream.write_all(contents)
}
