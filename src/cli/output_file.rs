//! Files that a command writes to where it is told.

use std::path::Path;

use crate::cli::failure::Failure;
use crate::files::{Existing, write_file};

/// Writes `contents` to a file; one that is there already is replaced only by `force`, the option `--force`.
pub(super) fn write_output(path: &Path, contents: &str, force: bool) -> Result<(), Failure> {
    let existing = match force {
        true => Existing::Replace,
        false => Existing::Keep,
    };
    write_file(path, contents.as_bytes(), existing).map_err(|fault| {
        let is_existing_file = fault.is_existing_file();
        let failure = Failure::from(fault);
        match is_existing_file {
            true => failure.with_help("name another file, or replace this one with `--force`"),
            false => failure,
        }
    })
}
