//! Files that a command writes to where it is told.

use std::path::Path;

use crate::cli::failure::Failure;
use crate::files::{Existing, WriteError, check_free, write_file};

/// Writes `contents` to a file; one that is there already is replaced only by `force`, the option `--force`.
pub(super) fn write_output(
    path: &Path,
    contents: &(impl AsRef<[u8]> + ?Sized),
    force: bool,
) -> Result<(), Failure> {
    let existing = match force {
        true => Existing::Replace,
        false => Existing::Keep,
    };
    write_file(path, contents.as_ref(), existing).map_err(refused)
}

/// Whether [`write_output`] will find a file that is there already, which is better told before hours of work.
pub(super) fn check_output(path: &Path, force: bool) -> Result<(), Failure> {
    match force {
        true => Ok(()),
        false => check_free(path).map_err(refused),
    }
}

fn refused(fault: WriteError) -> Failure {
    let is_existing_file = fault.is_existing_file();
    let failure = Failure::from(fault);
    match is_existing_file {
        true => failure.with_help("name another file, or replace this one with `--force`"),
        false => failure,
    }
}
