//! The engines that are compared: the same rules on each engine that can run them.

use std::time::Duration;

use rayon::ThreadPool;

use crate::analysis::{DepthCount, Perft};
use crate::catalog::GameSource;
use crate::conformance::Walk;
use crate::engine::{EngineChoice, EngineKind, LoadError, LoadOptions};
use crate::game::{PlayoutOptions, PlayoutTotals, Stopped};
use crate::session::{Game, Session};
use crate::util::{Deadline, StopFlag};

/// A game on one engine.
#[derive(Debug, Clone)]
pub struct ComparedEngine {
    /// What the engine is called.
    pub name: &'static str,
    /// The game on it.
    pub game: Game,
}

/// An engine that cannot run the game, and why.
#[derive(Debug, Clone)]
pub struct EngineLeftOut {
    /// Which one.
    pub engine: EngineKind,
    /// Why it cannot run the game.
    pub reason: String,
}

/// The game on each engine that can run it, the one that others are measured by first, and the engines that cannot. The
/// rules are checked and ground once. `stop` ends the compilation of the propnet.
///
/// # Errors
/// Says what is wrong with the rules.
pub fn open_engines(
    source: &GameSource,
    stop: &StopFlag,
) -> Result<(Vec<ComparedEngine>, Vec<EngineLeftOut>), LoadError> {
    let options = |engine| LoadOptions {
        engine,
        // The comparison itself sees whether the network plays by the rules.
        self_check: false,
        stop: stop.clone(),
        ..LoadOptions::default()
    };
    let mut left_out = Vec::new();
    let reasoner = Game::open(source.clone(), &options(EngineChoice::Reasoner))?;
    let propnet = match reasoner.on(&options(EngineChoice::Propnet)) {
        Ok(propnet) => Some(propnet),
        Err(LoadError::Propnet(why)) => {
            left_out.push(EngineLeftOut {
                engine: EngineKind::Propnet,
                reason: why.to_string(),
            });
            None
        }
        Err(why) => return Err(why),
    };
    // What the propnet knows of the game need not be found out again.
    let known = propnet.as_ref().unwrap_or(&reasoner);
    let native = match known.on(&options(EngineChoice::Native)) {
        Ok(native) => Some(native),
        Err(LoadError::NoNativeEngine(_)) => {
            let reason = "there is no native engine for these rules".to_owned();
            let engine = EngineKind::Native;
            left_out.insert(0, EngineLeftOut { engine, reason });
            None
        }
        Err(why) => return Err(why),
    };
    let games = native.into_iter().chain(propnet).chain([reasoner]);
    let engines = games.map(|game| ComparedEngine {
        name: game.report().engine.name(),
        game,
    });
    Ok((engines.collect(), left_out))
}

impl ComparedEngine {
    /// Which engine it is.
    pub fn kind(&self) -> EngineKind {
        self.game.report().engine
    }

    /// What the engine is called.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The time from rule text to a game that can be asked.
    pub fn startup(&self) -> Duration {
        self.game.report().startup()
    }

    /// A walk from the start, for differential tests.
    pub fn walk(&self) -> Box<dyn Walk + '_> {
        self.game.walk()
    }

    /// A session that begins at the start.
    pub fn session(&self) -> Session {
        Session::new(&self.game)
    }

    /// Counts paths from the start.
    ///
    /// # Errors
    /// Says why it stopped before the count was complete.
    pub fn paths(
        &self,
        pool: &ThreadPool,
        depth: u32,
        deadline: &Deadline,
    ) -> Result<DepthCount, Stopped> {
        let turns = false;
        self.game
            .initial()
            .perft(&Perft { turns, deadline }, pool, depth)
    }

    /// Plays random games from the start.
    pub fn playouts(&self, options: PlayoutOptions<'_>) -> (PlayoutTotals, Result<(), Stopped>) {
        self.game.initial().playouts_with(options)
    }
}
