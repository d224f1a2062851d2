//! Names of files, completed while they are typed.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path, is_separator};

use crate::files::in_home;

/// The files and folders whose names begin as `typed` does, which is written as a person types it: nothing is escaped, and `~`
/// stands for the home folder. Folders end in a separator; hidden files are told where their dot was typed.
pub(super) fn beginning_so(typed: &str, home: Option<&Path>) -> Vec<String> {
    let cut = typed.rfind(is_separator).map_or(0, |place| place + 1);
    let (folder, start) = typed.split_at(cut);
    let place = match folder {
        "" => Path::new(".").to_owned(),
        folder => in_home(folder, home),
    };
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let named = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let is_meant = name.starts_with(start) && (!name.starts_with('.') || !start.is_empty());
        let is_folder = || fs::metadata(entry.path()).is_ok_and(|found| found.is_dir());
        is_meant.then(|| match is_folder() {
            true => format!("{folder}{name}{MAIN_SEPARATOR}"),
            false => format!("{folder}{name}"),
        })
    });
    let mut names: Vec<String> = named.collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn names_are_completed_as_they_are_typed() {
        let home = TempDir::new().unwrap();
        for name in ["my game", "my other", ".hidden", "x"] {
            fs::write(home.path().join(name), "").unwrap();
        }
        fs::create_dir(home.path().join("my folder")).unwrap();
        let found = |typed: &str| beginning_so(typed, Some(home.path()));
        let folder = format!("~/my folder{MAIN_SEPARATOR}");
        assert_eq!(found("~/my "), [&folder, "~/my game", "~/my other"]);
        assert_eq!(found("~/.h"), ["~/.hidden"]);
        assert_eq!(found("~/").len(), 4);
        let typed = format!("{}/x", home.path().display());
        assert_eq!(found(&typed), [typed.as_str()]);
        assert!(found("~/nowhere/").is_empty());
    }
}
