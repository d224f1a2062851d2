//! Gives the program a digest of its sources: what it keeps for the next time serves no other build.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    let mut digest = DefaultHasher::new();
    add_folder(Path::new("src"), &mut digest)?;
    println!("cargo::rustc-env=KOLIBRI_SOURCES={:016x}", digest.finish());
    Ok(())
}

fn add_folder(folder: &Path, digest: &mut DefaultHasher) -> io::Result<()> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort_unstable();
    for path in paths {
        match path.is_dir() {
            true => add_folder(&path, digest)?,
            false => (path.file_name(), fs::read(&path)?).hash(digest),
        }
    }
    Ok(())
}
