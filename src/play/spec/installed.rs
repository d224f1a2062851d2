//! Players that lie in folders: each is a program, and can be asked for by its name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::Deserialize;

use super::{Level, PlayerKind, PlayerProgram};
use crate::util::system_said;

/// The file that describes the player in a folder.
const DESCRIPTION: &str = "player.toml";

/// The longest description that is read, in bytes.
const LONGEST_DESCRIPTION: u64 = 1 << 16;

/// The folders in which players are looked for, those that win first.
static FOLDERS: OnceLock<Vec<PathBuf>> = OnceLock::new();

/// Sets the folders in which this process looks for players by their names; a name in an earlier folder wins. Only the first call
/// counts, and without one there are no such players.
pub fn set_player_folders(folders: Vec<PathBuf>) {
    let _ = FOLDERS.set(folders);
}

/// A player that was found in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledPlayer {
    /// Its name.
    pub name: String,
    /// What it does, where it says so.
    pub meaning: Option<String>,
    /// Where it lies: a file, or a folder.
    pub path: PathBuf,
    /// The program.
    pub program: PlayerProgram,
}

/// A file or folder among the players that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is left out: {why}", .path.display())]
pub struct LeftOutPlayer {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it, and how to mend it.
    pub why: String,
}

/// What lies in the folders of players.
#[derive(Debug, Clone, Default)]
pub struct InstalledPlayers {
    /// The players, by name.
    pub players: Vec<InstalledPlayer>,
    /// What is none.
    pub left_out: Vec<LeftOutPlayer>,
}

/// What `player.toml` may say.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerDescription {
    command: Vec<String>,
    meaning: Option<String>,
}

impl InstalledPlayers {
    /// Looks into the folders that were set.
    pub fn find() -> Self {
        Self::in_folders(FOLDERS.get().map_or(&[], Vec::as_slice))
    }

    /// Looks into these folders; a name in an earlier one wins. Files whose names begin with a dot are passed over.
    pub fn in_folders(folders: &[PathBuf]) -> Self {
        let mut found = Self::default();
        for folder in folders {
            for path in entries(folder) {
                match InstalledPlayer::read(&path) {
                    Ok(player) => found.add(player),
                    Err(fault) => found.left_out.push(fault),
                }
            }
        }
        found
            .players
            .sort_by(|one, other| one.name.cmp(&other.name));
        found
    }

    fn add(&mut self, player: InstalledPlayer) {
        match self.named(&player.name) {
            None => self.players.push(player),
            Some(other) => {
                let why = format!("{} has the same name", other.path.display());
                let path = player.path;
                self.left_out.push(LeftOutPlayer { path, why });
            }
        }
    }

    /// The player of this name.
    pub fn named(&self, name: &str) -> Option<&InstalledPlayer> {
        self.players.iter().find(|player| player.name == name)
    }

    /// What would be the player of this name, but is left out.
    pub fn left_out_named(&self, name: &str) -> Option<&LeftOutPlayer> {
        let mut left_out = self.left_out.iter();
        left_out.find(|left_out| name_of(&left_out.path).as_deref() == Some(name))
    }
}

/// What lies in a folder, in the order of names; nothing where it is not there.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_hidden = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        name.as_encoded_bytes().starts_with(b".")
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| !is_hidden(path));
    paths.sort_unstable();
    paths
}

/// The name of the player at a path: that of the file up to its first dot.
fn name_of(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    name.split('.').next().map(str::to_owned)
}

impl InstalledPlayer {
    /// The player in a file that can be executed, or in a folder with a `player.toml`.
    ///
    /// # Errors
    /// Says why there is none.
    pub fn read(path: &Path) -> Result<Self, LeftOutPlayer> {
        let left_out = |why: String| LeftOutPlayer {
            path: path.to_owned(),
            why,
        };
        let name = checked_name(path).map_err(left_out)?;
        let described = fs::metadata(path)
            .map_err(|why| system_said(&why))
            .and_then(|metadata| match metadata.is_dir() {
                true => described(path),
                false => executable(path, &metadata).and_then(|()| Ok((absolute(path)?, None))),
            });
        let (program, meaning) = match described.map_err(left_out)? {
            (file, None) => (
                PlayerProgram::installed(&name, file, Vec::new(), None),
                None,
            ),
            (folder, Some(PlayerDescription { command, meaning })) => {
                let (file, arguments) = program_in(&folder, &command).map_err(left_out)?;
                let program = PlayerProgram::installed(&name, file, arguments, Some(folder));
                (program, meaning)
            }
        };
        Ok(Self {
            name,
            meaning,
            path: path.to_owned(),
            program,
        })
    }
}

fn checked_name(path: &Path) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let name = name_of(path).filter(|name| !name.is_empty() && name.chars().all(fits));
    let Some(name) = name else {
        return Err("a name has ASCII letters, digits, - and _: rename it".to_owned());
    };
    match PlayerKind::of(&name).is_some() || Level::of(&name).is_some() {
        true => Err(format!("`{name}` is the name of another player: rename it")),
        false => Ok(name),
    }
}

/// The folder with its description.
fn described(folder: &Path) -> Result<(PathBuf, Option<PlayerDescription>), String> {
    let path = folder.join(DESCRIPTION);
    let text = fs::metadata(&path).and_then(|metadata| match metadata.len() {
        ..LONGEST_DESCRIPTION => fs::read_to_string(&path),
        _ => Err(io::Error::other("it is too long")),
    });
    let text =
        text.map_err(|why| format!("{DESCRIPTION} cannot be read: {}", system_said(&why)))?;
    let description = toml::from_str(&text).map_err(|fault: toml::de::Error| {
        let message = fault.message().trim();
        format!("{DESCRIPTION}: {message}; it needs command = [\"PROGRAM\", \"ARGUMENT\"]")
    })?;
    Ok((absolute(folder)?, Some(description)))
}

/// The path from the root: the program is found by it wherever it runs, and not looked for among those of the system.
fn absolute(path: &Path) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|why| system_said(&why))
}

/// The program of a folder: a file in it, or one that the system finds by its name.
fn program_in(folder: &Path, command: &[String]) -> Result<(PathBuf, Vec<String>), String> {
    let Some((file, arguments)) = command.split_first().filter(|(file, _)| !file.is_empty()) else {
        return Err(format!("the command in {DESCRIPTION} is empty"));
    };
    let own = folder.join(file);
    let file = match fs::metadata(&own) {
        Ok(metadata) => executable(&own, &metadata).map(|()| own)?,
        Err(_) => file.into(),
    };
    Ok((file, arguments.to_vec()))
}

#[cfg(unix)]
fn executable(path: &Path, metadata: &fs::Metadata) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    match metadata.is_file() && metadata.permissions().mode() & 0o111 != 0 {
        true => Ok(()),
        false => Err(format!(
            "{0} is no program: make it one with `chmod +x {0}`",
            path.display()
        )),
    }
}

#[cfg(not(unix))]
fn executable(path: &Path, metadata: &fs::Metadata) -> Result<(), String> {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    match metadata.is_file() && ["exe", "bat", "cmd"].iter().any(|known| ending == *known) {
        true => Ok(()),
        false => Err(format!("{} is no program", path.display())),
    }
}
