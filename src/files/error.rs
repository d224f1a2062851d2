//! Why a file is not written, and how to mend it.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::util::system_said;

/// A file that was not written. What was there is as it was.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {fault}", path.display())]
pub struct WriteError {
    /// The file, as it was named.
    pub path: PathBuf,
    /// What went wrong.
    pub fault: WriteFault,
}

/// What went wrong while a file was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteFault {
    /// There is a file that may not be replaced.
    #[error("there is such a file already")]
    Exists,
    /// There is a folder.
    #[error("it is a folder")]
    Folder,
    /// There is a socket, which takes what a program sends to it and no file.
    #[error("it is a socket")]
    Socket,
    /// The folder that it is to be in is not there.
    #[error("its folder does not exist")]
    NoFolder,
    /// The folder that it is to be in is there, but takes no such file.
    #[error("its folder takes no new files")]
    NoNewFiles,
    /// The folder that it is to be in is a file.
    #[error("its folder is a file")]
    NotAFolder,
    /// The system refuses.
    #[error("{}", system_said(.0))]
    System(io::Error),
}

impl WriteError {
    pub(super) fn new(path: &Path, fault: WriteFault) -> Self {
        Self {
            path: path.to_owned(),
            fault,
        }
    }

    /// How to mend it.
    pub fn help(&self) -> &'static str {
        match &self.fault {
            WriteFault::Exists => "name a file that does not exist yet",
            WriteFault::Folder => "name a file in it",
            WriteFault::Socket => "name a file or a pipe",
            WriteFault::NoFolder => "create the folder, or check the path",
            WriteFault::NoNewFiles => "name a file in another folder",
            WriteFault::NotAFolder => "check the path",
            WriteFault::System(cause) => match cause.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                    "make room, or name a file on another disk; what was there before is unchanged"
                }
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                    "name a file that you may change, in a folder that you may write to"
                }
                _ => "name another file",
            },
        }
    }

    /// Whether there is a file that may not be replaced.
    pub fn is_existing_file(&self) -> bool {
        matches!(self.fault, WriteFault::Exists)
    }
}

impl WriteFault {
    /// The same fault of a file in this folder, which may be there.
    pub(super) fn in_folder(self, folder: &Path) -> Self {
        match self {
            Self::NoFolder if folder.is_dir() => Self::NoNewFiles,
            fault => fault,
        }
    }
}

impl From<io::Error> for WriteFault {
    fn from(cause: io::Error) -> Self {
        match cause.kind() {
            ErrorKind::AlreadyExists => Self::Exists,
            ErrorKind::NotFound => Self::NoFolder,
            ErrorKind::NotADirectory => Self::NotAFolder,
            ErrorKind::IsADirectory => Self::Folder,
            _ => Self::System(cause),
        }
    }
}
