//! Enumerations on the disk, from which they go on.
//!
//! ```text
//! kolibri checkpoint 1\n
//! a line of JSON: game, digest of its rules, what becomes of the joint moves, packing; with symmetries, a digest of them
//! for each ply whose states are expanded:
//!   the length of what follows, u64, and the first 8 bytes of its SHA-256
//!   what the ply brought (`PlyRecord`)
//!   SHA-256 of that
//! ```
//!
//! Numbers are little-endian. A ply is added when all of it is known. What a program that was killed has written of another one is cut
//! off at the end of the file; that ply is expanded once more.

mod record;

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Take, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub(super) use self::record::PlyRecord;
use super::codec::CodecRecord;
use super::{GraphUse, SolutionSubject, SpaceError, StateCodec};
use crate::symmetry::SymmetryGroup;
use crate::util::system_said;

/// The first line of every file is this and the version.
const MAGIC: &str = "kolibri checkpoint ";
const VERSION: u32 = 1;
/// What stands before a ply: its length, and the first bytes of the checksum of the length.
const FRAME: usize = 16;
const CHECKSUM: usize = 32;

/// A file that keeps an enumeration. It is locked as long as this lives.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    file: File,
    subject: SolutionSubject,
    /// On a cluster, whose states they are: the number of a worker, from 1, and how many there are.
    worker: Option<[usize; 2]>,
    /// Which symmetries leave states out, if any do.
    symmetries: Option<String>,
    /// Where the last whole ply ends.
    end: u64,
    /// How many plies were in it.
    plies: usize,
}

/// Why an enumeration is not kept, or does not go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} `{}`: {fault}", if matches!(fault, CheckpointFault::System(_)) { "cannot keep states in" } else { "cannot go on from" }, path.display())]
pub struct CheckpointError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: CheckpointFault,
}

/// What is wrong with a file that is to keep an enumeration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointFault {
    /// The system refuses.
    #[error("{0}")]
    System(String),
    /// Another process writes it.
    #[error("another program is writing it")]
    Locked,
    /// The first line is another one.
    #[error("it is not a checkpoint")]
    Foreign,
    /// Another version of the format, or another packing of states.
    #[error("it was made by another version of this program")]
    Version,
    /// The rules are others.
    #[error("it is of other rules, those of `{0}`")]
    OtherRules(String),
    /// The question was another one.
    #[error("it keeps {found}, and this question needs {asked}")]
    OtherGraph {
        /// What became of joint moves.
        found: GraphUse,
        /// What is to become of them.
        asked: GraphUse,
    },
    /// On a cluster, the file of another worker, or that of an enumeration in one process, or the other way round.
    #[error("it keeps the states of {}, and not those of {}", worker_in_words(*.found), worker_in_words(*.asked))]
    OtherWorker {
        /// The number of the worker and how many there are; none outside of clusters.
        found: Option<[usize; 2]>,
        /// The same of the one that is to go on.
        asked: Option<[usize; 2]>,
    },
    /// Other states are left out.
    #[error(
        "it was made with other symmetries, or with symmetries where this question has none, or the other way round"
    )]
    OtherSymmetries,
    /// The set of states is of another kind, which depends on how much memory there is.
    #[error("it was made with more or less `--memory`, by which states have other numbers")]
    OtherMemory,
    /// A checksum is wrong, or what is kept contradicts itself.
    #[error("it is damaged")]
    Damaged,
}

impl CheckpointError {
    /// How to mend it.
    pub fn help(&self) -> &'static str {
        match self.fault {
            CheckpointFault::System(_) => {
                "make room, or name a file on another disk, in a folder that you may write to; plies that are kept are not lost"
            }
            CheckpointFault::Locked => "wait until it has ended, or stop it",
            CheckpointFault::OtherGraph { .. } => {
                "name another file; this one is not changed. One file serves `solve`, `loops` and `quality`, another one `states`"
            }
            _ => "name another file; this one is not changed",
        }
    }
}

impl From<io::Error> for CheckpointFault {
    fn from(cause: io::Error) -> Self {
        Self::System(system_said(&cause))
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct CheckpointHeader {
    game: String,
    rules: String,
    graph: GraphUse,
    /// Whether states are kept in a table of codes.
    has_table: bool,
    packing: CodecRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    worker: Option<[usize; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    symmetries: Option<String>,
}

fn worker_in_words(worker: Option<[usize; 2]>) -> String {
    worker.map_or("all workers".to_owned(), |[number, all]| {
        format!("worker {number} of {all}")
    })
}

impl Checkpoint {
    /// Opens the file at `path`, or makes an empty one, for an enumeration of this game.
    ///
    /// # Errors
    /// [`CheckpointError`]: the system refuses, or another process writes it.
    pub fn open(path: &Path, subject: SolutionSubject) -> Result<Self, CheckpointError> {
        let opened = || {
            let mut options = OpenOptions::new();
            options.create(true).truncate(false).read(true).write(true);
            let file = options.open(path)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => Err(CheckpointFault::Locked),
                // Some file systems take no locks: then nobody can be told.
                Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
            }
        };
        let file = opened().map_err(|fault| CheckpointError {
            path: path.to_owned(),
            fault,
        })?;
        Ok(Self {
            path: path.to_owned(),
            file,
            subject,
            worker: None,
            symmetries: None,
            end: 0,
            plies: 0,
        })
    }

    /// The same for the states of one worker of a cluster: its number, from 1, and how many there are.
    #[cfg(feature = "cluster")]
    pub(super) fn of_worker(self, number: usize, all: usize) -> Self {
        Self {
            worker: Some([number, all]),
            ..self
        }
    }

    /// The states are those that stand for others by these symmetries.
    pub(super) fn set_symmetries(&mut self, symmetries: Option<&SymmetryGroup>) {
        self.symmetries = symmetries.and_then(SymmetryGroup::digest);
    }

    /// How many plies were kept when the enumeration began.
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// Makes an error of what went wrong.
    fn error(&self, fault: CheckpointFault) -> CheckpointError {
        CheckpointError {
            path: self.path.clone(),
            fault,
        }
    }

    /// Reads the plies that are kept, up to so many, and calls `with` for each, which says whether it fits to those before. What comes
    /// after them or is cut off at the end of the file goes.
    pub(super) fn restore(
        &mut self,
        codec: &StateCodec,
        has_table: bool,
        graph: GraphUse,
        most_plies: usize,
        mut with: impl FnMut(PlyRecord) -> Result<bool, SpaceError>,
    ) -> Result<(), SpaceError> {
        let header = CheckpointHeader {
            game: self.subject.game.clone(),
            rules: self.subject.rules.clone(),
            graph,
            has_table,
            packing: codec.to_record(),
            worker: self.worker,
            symmetries: self.symmetries.clone(),
        };
        let mut reader = self.reader().map_err(|fault| self.error(fault.into()))?;
        let begin = header
            .check(&mut reader)
            .map_err(|fault| self.error(fault))?;
        let Some(begin) = begin else {
            let begun = self.begin(&header.to_lines());
            return Ok(begun.map_err(|fault| self.error(fault.into()))?);
        };
        (self.end, self.plies) = (begin, 0);
        while self.plies < most_plies
            && let Some(bytes) = next_frame(&mut reader).map_err(|fault| self.error(fault))?
        {
            let record = PlyRecord::from_bytes(&bytes, codec.code_words());
            let fits = record.map_or(Ok(false), &mut with)?;
            if !fits {
                return Err(self.error(CheckpointFault::Damaged).into());
            }
            self.plies += 1;
            self.end += (FRAME + bytes.len() + CHECKSUM) as u64;
        }
        Ok(self.cut_off().map_err(|fault| self.error(fault.into()))?)
    }

    /// All that there is, from the beginning.
    fn reader(&mut self) -> io::Result<Take<BufReader<File>>> {
        let len = self.file.metadata()?.len();
        self.file.rewind()?;
        let file = self.file.try_clone()?;
        Ok(BufReader::with_capacity(1 << 20, file).take(len))
    }

    /// Keeps another ply. What the file held before stays, whatever happens.
    pub(super) fn add(&mut self, record: &PlyRecord) -> Result<(), CheckpointError> {
        self.write(record).map_err(|cause| {
            // Should this fail, too, the next program cuts off what is torn.
            let _ = self.cut_off();
            self.error(cause.into())
        })
    }

    fn write(&mut self, record: &PlyRecord) -> io::Result<()> {
        let (head, len) = record.head();
        let len_bytes = (len as u64).to_le_bytes();
        let mut writer = HashingWriter {
            inner: BufWriter::with_capacity(1 << 20, &self.file),
            hash: Sha256::new(),
        };
        writer.inner.write_all(&len_bytes)?;
        let check = Sha256::digest(len_bytes);
        writer.inner.write_all(&check[..FRAME - len_bytes.len()])?;
        record.write(&head, &mut writer)?;
        let HashingWriter { mut inner, hash } = writer;
        inner.write_all(&hash.finalize())?;
        inner.flush()?;
        drop(inner);
        self.file.sync_data()?;
        self.end += (FRAME + len + CHECKSUM) as u64;
        Ok(())
    }

    fn begin(&mut self, lines: &str) -> io::Result<()> {
        self.cut_off()?;
        self.file.write_all(lines.as_bytes())?;
        self.file.sync_data()?;
        self.end = lines.len() as u64;
        Ok(())
    }

    /// Removes what comes after the last whole ply.
    fn cut_off(&mut self) -> io::Result<()> {
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end)).map(drop)
    }
}

impl CheckpointHeader {
    fn to_lines(&self) -> String {
        // Serialising words and numbers into memory has no way to fail.
        let header = serde_json::to_string(self).unwrap_or_default();
        format!("{MAGIC}{VERSION}\n{header}\n")
    }

    /// Where the plies of a file begin; nothing if it ends before. Its header must be this one.
    fn check(&self, reader: &mut Take<impl Read>) -> Result<Option<u64>, CheckpointFault> {
        let lines = self.to_lines();
        let mut found = Vec::new();
        reader
            .by_ref()
            .take(lines.len() as u64)
            .read_to_end(&mut found)?;
        if lines.as_bytes().starts_with(&found) {
            return Ok((found.len() == lines.len()).then_some(lines.len() as u64));
        }
        // The header of another file may be longer.
        reader.take(MOST_HEADER).read_to_end(&mut found)?;
        Err(self.difference(&found))
    }

    /// What makes another file one that is of no use.
    fn difference(&self, bytes: &[u8]) -> CheckpointFault {
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let first = lines.next().and_then(|line| str::from_utf8(line).ok());
        let Some(version) = first.and_then(|line| line.strip_prefix(MAGIC)) else {
            return CheckpointFault::Foreign;
        };
        if version != VERSION.to_string() {
            return CheckpointFault::Version;
        }
        let header = lines.next().map(serde_json::from_slice::<Self>);
        let Some(Ok(header)) = header else {
            return CheckpointFault::Damaged;
        };
        if header.rules != self.rules {
            return CheckpointFault::OtherRules(header.game);
        }
        match header.packing == self.packing {
            _ if header.graph != self.graph => CheckpointFault::OtherGraph {
                found: header.graph,
                asked: self.graph,
            },
            _ if header.worker != self.worker => CheckpointFault::OtherWorker {
                found: header.worker,
                asked: self.worker,
            },
            _ if header.symmetries != self.symmetries => CheckpointFault::OtherSymmetries,
            true => CheckpointFault::OtherMemory,
            false => CheckpointFault::Version,
        }
    }
}

/// Headers are shorter: they name the facts of a game.
const MOST_HEADER: u64 = 1 << 26;

/// The next ply of a file; nothing where no whole one is left.
fn next_frame(reader: &mut Take<impl Read>) -> Result<Option<Vec<u8>>, CheckpointFault> {
    let Some(room) = reader.limit().checked_sub((FRAME + CHECKSUM) as u64) else {
        return Ok(None);
    };
    let mut len = [0; size_of::<u64>()];
    reader.read_exact(&mut len)?;
    let mut check = [0; FRAME - size_of::<u64>()];
    reader.read_exact(&mut check)?;
    if Sha256::digest(len)[..check.len()] != check {
        return Err(CheckpointFault::Damaged);
    }
    let len = u64::from_le_bytes(len);
    if len > room {
        return Ok(None);
    }
    let mut bytes = vec![0; len as usize];
    reader.read_exact(&mut bytes)?;
    let mut checksum = [0; CHECKSUM];
    reader.read_exact(&mut checksum)?;
    match Sha256::digest(&bytes)[..] == checksum {
        true => Ok(Some(bytes)),
        // A loss of power may leave the end of a file unwritten.
        false if len == room => Ok(None),
        false => Err(CheckpointFault::Damaged),
    }
}

/// Writes, and computes the checksum of what is written.
struct HashingWriter<W> {
    inner: W,
    hash: Sha256,
}

impl<W: Write> Write for HashingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests;
