//! A file beside the target that becomes the target when it is complete.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::WriteFault;

const PREFIX: &str = ".kolibri-";
const SUFFIX: &str = ".tmp";
const RANDOM: usize = 8;

/// A file that is being written. It is locked, so that other programs see that it is no leftover; it vanishes unless it
/// takes its place.
pub(super) struct Temporary(NamedTempFile);

impl Temporary {
    /// An empty file in `folder`; one that replaces another is private until it is given the permissions of that one.
    pub(super) fn in_folder(folder: &Path, replaces: bool) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
        let usual = usual_permissions().filter(|_| !replaces);
        if let Some(usual) = usual {
            builder.permissions(usual);
        }
        loop {
            let temporary = builder.tempfile_in(folder)?;
            // Between its creation and the lock, another program may take it for a leftover.
            let is_taken = match temporary.as_file().try_lock() {
                Err(TryLockError::WouldBlock) => true,
                Ok(()) | Err(TryLockError::Error(_)) => !temporary.path().exists(),
            };
            if !is_taken {
                return Ok(Self(temporary));
            }
        }
    }

    pub(super) fn file(&mut self) -> &mut File {
        self.0.as_file_mut()
    }

    /// Takes the place of the file at `path`.
    pub(super) fn replace(self, path: &Path) -> io::Result<()> {
        self.0.persist(path).map(drop).map_err(|fault| fault.error)
    }

    /// Takes the place at `path`, if nothing is there.
    pub(super) fn become_new(self, path: &Path) -> Result<(), WriteFault> {
        let kept = self.0.persist_noclobber(path);
        Ok(kept.map(drop).map_err(|fault| fault.error)?)
    }
}

/// The permissions of new files, before the user's mask.
#[cfg(unix)]
fn usual_permissions() -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual_permissions() -> Option<fs::Permissions> {
    None
}

/// Removes the files that programs left in `folder` when they were killed while writing. Nothing is said of what cannot be
/// removed: it is harmless.
pub(super) fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_temporary_name(&entry.file_name().to_string_lossy()) {
            let _ = remove_leftover(&entry.path());
        }
    }
}

fn is_temporary_name(name: &str) -> bool {
    let middle = name.strip_prefix(PREFIX);
    let middle = middle.and_then(|rest| rest.strip_suffix(SUFFIX));
    middle.is_some_and(|middle| {
        middle.len() == RANDOM && middle.chars().all(|c| c.is_ascii_alphanumeric())
    })
}

/// A file without a lock is a leftover.
fn remove_leftover(path: &Path) -> io::Result<()> {
    let file = File::options().read(true).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}
