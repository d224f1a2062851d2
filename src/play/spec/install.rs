//! Players are copied into the folder of installed players.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{InstalledPlayer, InstalledPlayers, LeftOutPlayer};
use crate::util::system_said;

/// How deep folders in a player's folder may be nested.
const DEEPEST: u32 = 16;

/// Why a player was not installed. What was there is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InstallError {
    /// It is no player.
    #[error("{} is no player: {}", .0.path.display(), .0.why)]
    NoPlayer(LeftOutPlayer),
    /// There is one of this name.
    #[error("a player `{name}` is installed: {}", path.display())]
    Exists {
        /// The name.
        name: String,
        /// Where the other one lies.
        path: PathBuf,
    },
    /// The system refuses to write.
    #[error("cannot write {}: {why}", path.display())]
    Unwritable {
        /// What cannot be written.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

impl InstalledPlayer {
    /// Copies this player into `folder`, whole or not at all; with `is_replaced`, in place of one that has its name there.
    ///
    /// # Errors
    /// [`InstallError`].
    pub fn install(&self, folder: &Path, is_replaced: bool) -> Result<Self, InstallError> {
        let here = [folder.to_owned()];
        let before = InstalledPlayers::in_folders(&here);
        let before: Vec<&PathBuf> = before
            .named(&self.name)
            .map(|player| &player.path)
            .into_iter()
            .chain(before.left_out_named(&self.name).map(|fault| &fault.path))
            .collect();
        if let Some(path) = before.first().filter(|_| !is_replaced) {
            return Err(InstallError::Exists {
                name: self.name.clone(),
                path: (*path).clone(),
            });
        }
        let target = folder.join(self.path.file_name().unwrap_or_default());
        let unwritable = |why: &io::Error| InstallError::Unwritable {
            path: target.clone(),
            why: system_said(why),
        };
        self.put(folder, &target, &before)
            .map_err(|why| unwritable(&why))?;
        Self::read(&target).map_err(InstallError::NoPlayer)
    }

    /// Copies beside the target, where a name that begins with a dot is passed over, and renames.
    fn put(&self, folder: &Path, target: &Path, before: &[&PathBuf]) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let beside = |ending: &str| folder.join(format!(".{}.{ending}", self.name));
        let (new, old) = (beside("new"), beside("old"));
        remove(&new)?;
        remove(&old)?;
        copy(&self.path, &new, DEEPEST).inspect_err(|_| drop(remove(&new)))?;
        for path in before {
            fs::rename(path, &old)?;
            if path.as_path() != target {
                remove(&old)?;
            }
        }
        fs::rename(&new, target).inspect_err(|_| drop(fs::rename(&old, target)))?;
        remove(&old)
    }
}

/// Copies a file, or a folder with all that it holds; permissions are kept.
fn copy(from: &Path, to: &Path, depth: u32) -> io::Result<()> {
    if !fs::metadata(from)?.is_dir() {
        return fs::copy(from, to).map(drop);
    }
    if depth == 0 {
        return Err(io::Error::other("its folders are nested too deeply"));
    }
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()), depth - 1)?;
    }
    Ok(())
}

/// Removes a file, or a folder with all that it holds, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(_) => Ok(()),
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn write(path: &Path, text: &str, mode: u32) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn shown(found: &InstalledPlayers) -> Vec<String> {
        let players = found.players.iter().map(|player| player.name.clone());
        let left_out = found.left_out.iter();
        let left_out = left_out.map(|fault| fault.to_string().replace(['\n'], " "));
        players.chain(left_out).collect()
    }

    #[test]
    fn what_is_no_player_is_left_out_with_a_word() {
        let folder = tempfile::tempdir().unwrap();
        let (user, system) = (folder.path().join("user"), folder.path().join("system"));
        write(&user.join("good.py"), "#!/bin/sh", 0o755);
        write(&user.join("bare.py"), "", 0o644);
        write(&user.join("random"), "", 0o755);
        write(&user.join("two words"), "", 0o755);
        write(&user.join(".hidden"), "", 0o755);
        write(
            &user.join("both/player.toml"),
            "command = [\"sh\", \"-c\", \"x\"]\nmeaning = \"plays\"",
            0o644,
        );
        write(&user.join("none/readme"), "", 0o644);
        write(&user.join("wrong/player.toml"), "comand = 3", 0o644);
        write(&user.join("empty/player.toml"), "command = []", 0o644);
        write(&system.join("good"), "", 0o755);
        write(&system.join("other"), "", 0o755);
        let folders = [user, folder.path().join("missing"), system];
        let found = InstalledPlayers::in_folders(&folders);
        let shown = shown(&found);
        let expected = [
            "both",
            "good",
            "other",
            "bare.py is no program: make it one with `chmod +x ",
            "the command in player.toml is empty",
            "player.toml cannot be read: no such file",
            "`random` is the name of another player: rename it",
            "two words is left out: a name has ASCII letters",
            "unknown field `comand`, expected `command` or `meaning`; it needs command = ",
            "user/good.py has the same name",
        ];
        assert_eq!(shown.len(), expected.len(), "{shown:?}");
        for (line, expected) in shown.iter().zip(expected) {
            assert!(line.contains(expected), "{line}: {expected}");
        }
        let both = found.named("both").unwrap();
        assert_eq!(both.meaning.as_deref(), Some("plays"));
        assert_eq!(both.program.arguments(), ["-c", "x"]);
        assert!(found.left_out_named("bare").is_some());
    }

    #[test]
    fn players_are_installed_and_replaced_only_if_that_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let (source, target) = (folder.path().join("source"), folder.path().join("players"));
        write(&source.join("mine.sh"), "one", 0o755);
        write(
            &source.join("mine/player.toml"),
            "command = [\"./run\"]",
            0o644,
        );
        write(&source.join("mine/run"), "two", 0o755);
        let read = |name: &str| InstalledPlayer::read(&source.join(name)).unwrap();
        let installed = read("mine.sh").install(&target, false).unwrap();
        assert_eq!(installed.path, target.join("mine.sh"));
        let fault = read("mine").install(&target, false).unwrap_err();
        assert!(
            fault
                .to_string()
                .starts_with("a player `mine` is installed: "),
            "{fault}"
        );
        let installed = read("mine").install(&target, true).unwrap();
        assert_eq!(
            installed.program.file(),
            target.join("mine/./run").as_os_str()
        );
        let names = |folder: &Path| {
            let entries = fs::read_dir(folder).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.collect::<Vec<String>>()
        };
        assert_eq!(names(&target), ["mine"]);
        read("mine").install(&target, true).unwrap();
        assert_eq!(names(&target), ["mine"]);
        let unwritable = target.join("mine/run");
        let fault = read("mine").install(&unwritable, false).unwrap_err();
        assert!(fault.to_string().starts_with("cannot write "), "{fault}");
    }
}
