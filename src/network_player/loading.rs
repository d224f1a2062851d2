//! The rules of a match on their way to an engine.

use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use crate::catalog::GameSource;
use crate::engine::{EngineChoice, LoadError, LoadOptions};
use crate::session::Game;

/// Rules that are being loaded, on a thread of their own. Dropping this ends the work.
pub(super) struct Loading {
    source: GameSource,
    options: LoadOptions,
    wanted: Receiver<Result<Game, LoadError>>,
}

impl Loading {
    /// Begins to load the rules on the engine that `options` ask for.
    pub(super) fn begin(source: GameSource, options: &LoadOptions) -> Self {
        let (sender, wanted) = channel();
        let (rules, how) = (source.clone(), options.clone());
        thread::spawn(move || sender.send(Game::open(rules, &how)));
        let options = options.clone();
        Self {
            source,
            options,
            wanted,
        }
    }

    /// The game on the engine wanted, if that is ready by `time`; otherwise on the reasoner, which is ready soon.
    pub(super) fn game_by(&self, time: Instant) -> Result<Game, LoadError> {
        let left = time.saturating_duration_since(Instant::now());
        match self.wanted.recv_timeout(left) {
            Ok(game) => game,
            Err(_) => Game::open(
                self.source.clone(),
                &LoadOptions {
                    engine: EngineChoice::Reasoner,
                    ..self.options.clone()
                },
            ),
        }
    }

    /// The game on the engine wanted, if that became ready since.
    pub(super) fn better(&self) -> Option<Game> {
        self.wanted.try_recv().ok()?.ok()
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.options.stop.raise();
    }
}
