//! Where the rule files are that tests read: our own, which are always there, and a larger collection of other people's,
//! which is not part of this project. Every test that reads the collection reads our own files as well.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Our own rule file whose states no finite set of facts describes, so that it has no ground rules.
pub(crate) const NOT_GROUND: &str = "endless-count";

/// Our own rule files, `kif/X.kif`, with what is recorded of each, `trace/X.json`.
pub(crate) fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules")
}

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
        "only our own rule files: no collection at {}",
        folder.display()
    );
    said.unwrap();
    None
}

/// Our own rule files, then those of the collection, of its invalid and of its probing files, each sorted.
pub(crate) fn rule_files() -> Vec<PathBuf> {
    let mut folders = vec![own().join("kif")];
    if let Some(folder) = folder() {
        folders.extend(["kif", "invalid/kif", "probes/kif"].map(|part| folder.join(part)));
    }
    folders.iter().flat_map(|folder| files_in(folder)).collect()
}

/// The names and texts of our own rule files that have ground rules, and of the collected ones of these names.
pub(crate) fn texts(collected: &[&str]) -> Vec<(String, String)> {
    let mut files = files_in(&own().join("kif"));
    files.retain(|file| !file.ends_with(format!("{NOT_GROUND}.kif")));
    if let Some(folder) = folder() {
        files.extend(
            collected
                .iter()
                .map(|name| folder.join(format!("kif/{name}.kif"))),
        );
    }
    let text = |path: PathBuf| {
        let text = fs::read_to_string(&path);
        let text = text.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        (stem(&path), text)
    };
    files.into_iter().map(text).collect()
}

/// The name of a file without its ending.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
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
