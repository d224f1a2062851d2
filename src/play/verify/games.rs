//! The games of the records, each opened once.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::catalog::{GameSource, Origin};
use crate::engine::{LoadError, LoadOptions};
use crate::session::Game;

/// Games that were opened lately. Records of one game mostly follow each other, and a large game takes much memory, so that
/// few are kept.
pub(super) struct OpenedGames<'o> {
    options: &'o LoadOptions,
    kept: usize,
    /// The one used last comes last.
    recent: Mutex<VecDeque<Arc<OpenedGame>>>,
}

/// A game that is opened by whoever needs it first; others wait for that.
pub(super) struct OpenedGame {
    source: GameSource,
    loaded: OnceLock<Result<Game, LoadError>>,
    is_used: AtomicBool,
}

impl<'o> OpenedGames<'o> {
    /// Keeps this many games.
    pub(super) fn new(kept: usize, options: &'o LoadOptions) -> Self {
        Self {
            options,
            kept,
            recent: Mutex::default(),
        }
    }

    /// The game with these rules.
    pub(super) fn with_rules(&self, source: GameSource) -> Arc<OpenedGame> {
        let mut recent = self.recent();
        let known = recent.iter().position(|game| game.has_rules(&source));
        let game = match known.and_then(|place| recent.remove(place)) {
            Some(game) => game,
            None => Arc::new(OpenedGame::new(source)),
        };
        recent.push_back(Arc::clone(&game));
        if recent.len() > self.kept {
            recent.pop_front();
        }
        game
    }

    /// The same game anew, instead of one whose engine has used up a budget that holds for all its life.
    pub(super) fn anew(&self, used_up: &Arc<OpenedGame>) -> Arc<OpenedGame> {
        self.recent().retain(|game| !Arc::ptr_eq(game, used_up));
        self.with_rules(used_up.source.clone())
    }

    /// The game ready to be played, and whether it was played before.
    pub(super) fn open<'g>(&self, game: &'g OpenedGame) -> (Result<&'g Game, &'g LoadError>, bool) {
        let loaded = game
            .loaded
            .get_or_init(|| Game::open(game.source.clone(), self.options));
        (loaded.as_ref(), game.is_used.swap(true, Ordering::Relaxed))
    }

    fn recent(&self) -> MutexGuard<'_, VecDeque<Arc<OpenedGame>>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenedGame {
    fn new(source: GameSource) -> Self {
        Self {
            source,
            loaded: OnceLock::new(),
            is_used: AtomicBool::new(false),
        }
    }

    /// Whether these rules make the same game. Where a text comes from matters only in that shipped games are trusted.
    fn has_rules(&self, source: &GameSource) -> bool {
        let is_shipped = |source: &GameSource| source.origin == Origin::Shipped;
        self.source.text == source.text
            && self.source.name == source.name
            && self.source.diagnostics == source.diagnostics
            && is_shipped(&self.source) == is_shipped(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(name: &str, text: &str) -> GameSource {
        GameSource::from_text(name, text)
    }

    #[test]
    fn a_game_is_opened_once_and_few_are_kept() {
        let options = LoadOptions::default();
        let games = OpenedGames::new(2, &options);
        let one = games.with_rules(source("a", "(role a)"));
        assert!(Arc::ptr_eq(
            &one,
            &games.with_rules(source("a", "(role a)"))
        ));
        let other = games.with_rules(source("a", "(role b)"));
        assert!(!Arc::ptr_eq(&one, &other));
        games.with_rules(source("a", "(role a)"));
        games.with_rules(source("a", "(role c)"));
        let again = games.with_rules(source("a", "(role a)"));
        assert!(Arc::ptr_eq(&one, &again), "used after the other one");
        assert!(!Arc::ptr_eq(
            &other,
            &games.with_rules(source("a", "(role b)"))
        ));
    }

    #[test]
    fn a_game_that_is_used_up_is_opened_anew() {
        let options = LoadOptions::default();
        let games = OpenedGames::new(2, &options);
        let rules = GameSource::find("nim").unwrap();
        let game = games.with_rules(rules.clone());
        let (opened, was_used) = games.open(&game);
        assert!(opened.is_ok() && !was_used);
        assert!(games.open(&game).1);
        let anew = games.anew(&game);
        assert!(!games.open(&anew).1);
        assert!(Arc::ptr_eq(&anew, &games.with_rules(rules)));
    }
}
