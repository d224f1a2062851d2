//! What a path leads to.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf, is_separator};

use super::{WriteFault, folder_of};

/// What is to be written to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A file, or the place of a file to be; no symbolic link.
    File(PathBuf),
    /// A pipe, a device, or a stream that a program holds open.
    Stream(PathBuf),
}

impl Target {
    /// Where `path` leads, symbolic links followed to the end.
    pub(super) fn of(path: &Path) -> Result<Self, WriteFault> {
        // As many as Linux follows.
        const LINKS: usize = 40;
        if path.to_string_lossy().ends_with(is_separator) {
            fs::metadata(path)?;
            return Err(WriteFault::Folder);
        }
        let mut path = path.to_owned();
        for _ in 0..LINKS {
            if path.file_name().is_none() {
                return Err(WriteFault::Folder);
            }
            if is_open_stream(&path) {
                return Ok(Self::Stream(path));
            }
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_symlink() => {
                    path = folder_of(&path).join(fs::read_link(&path)?);
                }
                Ok(found) if found.is_file() || found.is_dir() => return Ok(Self::File(path)),
                Ok(found) if is_socket(&found) => return Err(WriteFault::Socket),
                Ok(_) => return Ok(Self::Stream(path)),
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                    return Ok(Self::File(path));
                }
                Err(cause) => return Err(cause.into()),
            }
        }
        Err(WriteFault::System(io::Error::other(
            "too many symbolic links",
        )))
    }
}

#[cfg(unix)]
fn is_socket(found: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    found.file_type().is_socket()
}

#[cfg(not(unix))]
fn is_socket(_: &Metadata) -> bool {
    false
}

/// Whether it is a name for what a program has opened, such as `/dev/stdout`: the file behind it belongs to the process that opened it.
fn is_open_stream(path: &Path) -> bool {
    let Ok(folder) = fs::canonicalize(folder_of(path)) else {
        return false;
    };
    cfg!(unix)
        && (folder.starts_with("/proc")
            || [Path::new("/dev"), Path::new("/dev/fd")].contains(&&*folder))
}
