//! Where the program keeps what is neither asked for as a file nor a setting.

use std::path::PathBuf;

use etcetera::{BaseStrategy, choose_base_strategy};

/// The home folder, if there is one.
pub(super) fn home() -> Option<PathBuf> {
    etcetera::home_dir().ok()
}

/// The folder for games in progress: `kolibri/games` below the state folder of the platform; `None` where there is no home.
pub(super) fn games_in_progress() -> Option<PathBuf> {
    let strategy = choose_base_strategy().ok()?;
    let folder = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    Some(folder.join("kolibri").join("games"))
}
