//! Files of learned weights.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Game;
use crate::gdl::rules_digest;
use crate::search::{SavedWeights, UnsuitableWeights, WeightsFileFault};
use crate::util::system_said;

/// Why a file gives a player no weights.
#[derive(Debug, thiserror::Error)]
#[error("`{}`: {fault}", path.display())]
pub struct WeightsError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: WeightsFault,
}

/// What is wrong with a file of weights.
#[derive(Debug, thiserror::Error)]
pub enum WeightsFault {
    /// The system cannot read it.
    #[error("{}", system_said(.0))]
    System(#[from] io::Error),
    /// It holds no weights, or it is damaged.
    #[error(transparent)]
    File(#[from] WeightsFileFault),
    /// They are for other rules or roles.
    #[error(transparent)]
    Unsuitable(#[from] UnsuitableWeights),
}

impl WeightsError {
    fn new(path: &Path, fault: impl Into<WeightsFault>) -> Self {
        Self {
            path: path.to_owned(),
            fault: fault.into(),
        }
    }

    /// How to mend it.
    pub fn help(&self) -> &'static str {
        match &self.fault {
            WeightsFault::System(_) => "check the path",
            WeightsFault::Unsuitable(UnsuitableWeights::OtherRole(_)) => {
                "learn weights for that role: `kolibri train GAME --role ROLE --out FILE`"
            }
            _ => "learn the weights of this game: `kolibri train GAME --out FILE`",
        }
    }
}

/// The weights in a file, for a role of a game.
///
/// # Errors
/// [`WeightsError`]: the file cannot be read, is damaged, or holds weights for other rules or roles.
pub fn read_weights(
    game: &Game,
    path: &Path,
    role: usize,
) -> Result<Arc<SavedWeights>, WeightsError> {
    let saved = read_any_weights(path)?;
    let rules = rules_digest(&game.source().text);
    let suits = saved.check(&rules, game.facts(), (game.roles(), role));
    suits.map_err(|fault| WeightsError::new(path, fault))?;
    Ok(Arc::new(saved))
}

/// The weights in a file, for whatever game.
///
/// # Errors
/// [`WeightsError`]: the file cannot be read, or is damaged.
pub fn read_any_weights(path: &Path) -> Result<SavedWeights, WeightsError> {
    let bytes = fs::read(path).map_err(|fault| WeightsError::new(path, fault))?;
    SavedWeights::from_bytes(&bytes).map_err(|fault| WeightsError::new(path, fault))
}
