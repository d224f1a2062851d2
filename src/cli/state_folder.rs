//! Where the program keeps what is neither asked for as a file nor a setting, and where it looks for players.

use std::env;
use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};

/// The home folder, if there is one.
pub(super) fn home() -> Option<PathBuf> {
    etcetera::home_dir().ok()
}

/// The folder for games in progress: `kolibri/games` below the state folder of the platform; `None` where there is no home.
pub(super) fn games_in_progress() -> Option<PathBuf> {
    below("games")
}

/// The folder for the matches of `kolibri serve`: `kolibri/matches`, likewise.
#[cfg(feature = "serve")]
pub(super) fn matches() -> Option<PathBuf> {
    below("matches")
}

/// The folder for what can be made again: the one that `KOLIBRI_CACHE` names, otherwise `kolibri` below the folder for caches of the
/// platform; `None` where that variable is empty, or there is no home.
pub(super) fn cache() -> Option<PathBuf> {
    match env::var_os("KOLIBRI_CACHE") {
        Some(named) => (!named.is_empty()).then(|| named.into()),
        // Tests run such builds, and leave alone what belongs to a person.
        None if cfg!(debug_assertions) => None,
        None => Some(choose_base_strategy().ok()?.cache_dir().join("kolibri")),
    }
}

fn below(name: &str) -> Option<PathBuf> {
    let strategy = choose_base_strategy().ok()?;
    let folder = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    Some(folder.join("kolibri").join(name))
}

/// Where a person's own players lie: `kolibri/players` below the data folder of the platform; `None` where there is no home.
pub(super) fn own_players() -> Option<PathBuf> {
    let strategy = choose_base_strategy().ok()?;
    Some(players_below(&strategy.data_dir()))
}

/// All folders with players: a person's own first, then those of the machine.
pub(super) fn player_folders() -> Vec<PathBuf> {
    let of_machine = machine_data();
    let of_machine = of_machine.iter().map(|folder| players_below(folder));
    own_players().into_iter().chain(of_machine).collect()
}

fn players_below(data: &Path) -> PathBuf {
    data.join("kolibri").join("players")
}

/// The folders with the data of all people on the machine.
fn machine_data() -> Vec<PathBuf> {
    if cfg!(windows) {
        return env::var_os("ProgramData")
            .map(PathBuf::from)
            .into_iter()
            .collect();
    }
    let usual = match cfg!(target_os = "macos") {
        true => "/usr/local/share:/Library/Application Support",
        false => "/usr/local/share:/usr/share",
    };
    let named = env::var_os("XDG_DATA_DIRS").filter(|named| !named.is_empty());
    let named = named.unwrap_or_else(|| usual.into());
    // As the standard says, paths that are not absolute are passed over.
    env::split_paths(&named)
        .filter(|path| path.is_absolute())
        .collect()
}
