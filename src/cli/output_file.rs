//! Files that a command writes to where it is told.

use std::path::Path;

use crate::cli::failure::Failure;
use crate::files::{Existing, WriteError, check_target, write_file};

/// Writes `contents` to a file; one that is there already is replaced only by `force`, the option `--force`.
pub(super) fn write_output(
    path: &Path,
    contents: &(impl AsRef<[u8]> + ?Sized),
    force: bool,
) -> Result<(), Failure> {
    write_file(path, contents.as_ref(), existing(force)).map_err(refused)
}

/// Whether [`write_output`] could write now, which is better told before hours of work.
pub(super) fn check_output(path: &Path, force: bool) -> Result<(), Failure> {
    check_target(path, existing(force)).map_err(refused)
}

fn existing(force: bool) -> Existing<'static> {
    match force {
        true => Existing::Replace,
        false => Existing::Keep,
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
