//! The rules of a match on their way to an engine.

use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use crate::catalog::GameSource;
use crate::engine::{EngineKind, LoadError, LoadOptions};
use crate::session::Game;
use crate::util::StopFlag;

/// Rules that are being loaded, on threads of their own. Dropping this ends the work.
pub struct LoadingGame {
    stop: StopFlag,
    wanted: Receiver<Result<Game, LoadError>>,
    reasoner: Receiver<Result<Game, LoadError>>,
}

impl LoadingGame {
    /// Begins to load the rules on the engine that `options` ask for. The reasoner is begun at the same time: where it had to
    /// wait for the other, the first moves of large games would come without rules.
    pub fn begin(source: GameSource, options: &LoadOptions) -> Self {
        Self {
            stop: options.stop.clone(),
            wanted: on_a_thread(&source, options, Game::open),
            reasoner: on_a_thread(&source, options, Game::on_reasoner),
        }
    }

    /// The game on the engine wanted, if that is ready by `time`; otherwise on the reasoner, which is ready soon.
    ///
    /// # Errors
    /// The rules cannot be played.
    pub fn game_by(&self, time: Instant) -> Result<Game, LoadError> {
        let left = time.saturating_duration_since(Instant::now());
        let game = self.wanted.recv_timeout(left);
        // A thread that ends without a game has panicked, which it has reported.
        game.or_else(|_| self.reasoner.recv())
            .unwrap_or(Err(LoadError::Interrupted))
    }

    /// The game on another engine than the reasoner, if that became ready since.
    pub fn better(&self) -> Option<Game> {
        let game = self.wanted.try_recv().ok()?.ok()?;
        (game.report().engine != EngineKind::Reasoner).then_some(game)
    }
}

/// What `open` makes of the rules, once it is ready.
fn on_a_thread(
    source: &GameSource,
    options: &LoadOptions,
    open: fn(GameSource, &LoadOptions) -> Result<Game, LoadError>,
) -> Receiver<Result<Game, LoadError>> {
    let (sender, game) = channel();
    let (source, options) = (source.clone(), options.clone());
    thread::spawn(move || sender.send(open(source, &options)));
    game
}

impl Drop for LoadingGame {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::EngineChoice;

    /// Each of the numbers may follow each other in eight places: no network has room for that, and no state needs it.
    fn too_large_for_a_network() -> GameSource {
        let numbers: String = (0..40).map(|n| format!("(number {n}) ")).collect();
        let rules = format!(
            "(role x) {numbers} (init (at 0 0 0 0 0 0 0 0)) (legal x go) \
             (<= (next (at ?b ?c ?d ?e ?f ?g ?h ?i)) (true (at ?a ?b ?c ?d ?e ?f ?g ?h)) (number ?i)) \
             (<= terminal (true (at ?a ?a ?a ?a ?a ?a ?a 39))) (goal x 50)"
        );
        GameSource::from_text("large", &rules)
    }

    #[test]
    fn the_reasoner_plays_until_the_engine_wanted_is_ready() {
        let loading = LoadingGame::begin(too_large_for_a_network(), &LoadOptions::default());
        let game = loading.game_by(Instant::now()).unwrap();
        assert_eq!(game.report().engine, EngineKind::Reasoner);
        assert_eq!(game.initial().legal_of(0), ["go"]);
    }

    #[test]
    fn an_engine_that_is_ready_in_time_is_taken() {
        let rules = "(role x) (init a) (legal x go) (<= (next b) (true a)) (<= terminal (true b)) (goal x 50)";
        let source = GameSource::from_text("small", rules);
        let loading = LoadingGame::begin(source, &LoadOptions::default());
        let game = loading.game_by(Instant::now() + Duration::from_secs(600));
        assert_eq!(game.unwrap().report().engine, EngineKind::Propnet);
        assert!(loading.better().is_none(), "there is no other");
    }

    #[test]
    fn the_reasoner_is_not_replaced_by_itself() {
        let options = LoadOptions::from(EngineChoice::Reasoner);
        let source = GameSource::from_text(
            "small",
            "(role x) (init a) (legal x go) (terminal) (goal x 50)",
        );
        let (ready, wanted) = channel();
        ready.send(Game::open(source, &options)).unwrap();
        let loading = LoadingGame {
            stop: options.stop,
            wanted,
            reasoner: channel().1,
        };
        assert!(loading.better().is_none());
    }
}
