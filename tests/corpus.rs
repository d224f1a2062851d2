//! Where the collected rule files are. They are other people's and not part of this project.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The collection: where `KOLIBRI_CORPUS` points, or beside the project. Says so on standard error where there is none.
pub(crate) fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let folder = env::var_os("KOLIBRI_CORPUS").map_or(beside, PathBuf::from);
    if folder.join("kif").is_dir() {
        return Some(folder);
    }
    // Not `eprintln!`, which the test harness swallows where a test passes.
    let said = writeln!(
        io::stderr(),
        "skipped: no rule files at {}",
        folder.display()
    );
    said.unwrap();
    None
}

/// The rule files of the collection, of its invalid and of its probing files, sorted. Empty where there is none.
pub(crate) fn rule_files() -> Vec<PathBuf> {
    let Some(folder) = folder() else {
        return Vec::new();
    };
    let parts = ["kif", "invalid/kif", "probes/kif"];
    parts
        .iter()
        .flat_map(|part| files_in(&folder.join(part)))
        .collect()
}

/// The texts of the collected rule files of these names; none where there is no collection.
pub(crate) fn texts<'n>(names: &[&'n str]) -> Vec<(&'n str, String)> {
    let Some(folder) = folder() else {
        return Vec::new();
    };
    let text = |name: &&'n str| {
        let path = folder.join(format!("kif/{name}.kif"));
        let text = fs::read_to_string(&path);
        (
            *name,
            text.unwrap_or_else(|why| panic!("{}: {why}", path.display())),
        )
    };
    names.iter().map(text).collect()
}

/// The rule files of a folder, sorted.
pub(crate) fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
        .collect();
    files.sort();
    files
}
