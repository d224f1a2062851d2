//! The engines that can run one game, opened beside each other.

use std::time::Duration;

use rayon::ThreadPool;

use crate::analysis::{DepthCount, Perft};
use crate::catalog::GameSource;
use crate::conformance::{Walk, Walker};
use crate::engine::{EngineChoice, LoadError, LoadOptions, LoadReport, Visit, open};
use crate::game::{Engine, PlayoutOptions, PlayoutTotals, Stopped};
use crate::play::{Seat, Table};
use crate::util::{Deadline, StopFlag};

/// An engine at work, whatever its type.
pub trait ComparedEngine {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// The time from rule text to a game that can be asked.
    fn startup(&self) -> Duration;

    /// A game in texts.
    fn walk(&self) -> Box<dyn Walk + '_>;

    /// A game for players.
    fn table(&self) -> Box<dyn Table + '_>;

    /// Counts paths from the start.
    fn paths(
        &self,
        pool: &ThreadPool,
        depth: u32,
        deadline: &Deadline,
    ) -> Result<DepthCount, Stopped>;

    /// Plays random games from the start.
    fn playouts(&self, options: PlayoutOptions<'_>) -> (PlayoutTotals, Result<(), Stopped>);
}

/// An engine that cannot run the game, and why.
#[derive(Debug, Clone)]
pub struct EngineLeftOut {
    /// Its name.
    pub engine: &'static str,
    /// Why it cannot run the game.
    pub reason: String,
}

/// What is to be done with all engines.
type Work<'w, T> = dyn FnMut(&[&dyn ComparedEngine], &[EngineLeftOut]) -> T + 'w;

/// Opens the game with each engine that can run it, and lets `work` have them all. `stop` ends the making of a
/// propnet.
///
/// # Errors
/// Says what is wrong with the rules.
pub fn with_all<T>(
    source: &GameSource,
    stop: &StopFlag,
    work: &mut Work<'_, T>,
) -> Result<T, LoadError> {
    Joining {
        source,
        to_come: &ENGINES,
        stop,
        running: &[],
        left_out: Vec::new(),
        work,
    }
    .go_on()
}

/// The engines, the one that others are measured by first.
const ENGINES: [EngineChoice; 3] = [
    EngineChoice::Native,
    EngineChoice::Propnet,
    EngineChoice::Reasoner,
];

struct Joining<'j, 'w, T> {
    source: &'j GameSource,
    to_come: &'j [EngineChoice],
    stop: &'j StopFlag,
    running: &'j [&'j dyn ComparedEngine],
    left_out: Vec<EngineLeftOut>,
    work: &'j mut Work<'w, T>,
}

impl<T> Joining<'_, '_, T> {
    fn go_on(mut self) -> Result<T, LoadError> {
        let Some((&engine, to_come)) = self.to_come.split_first() else {
            return Ok((self.work)(self.running, &self.left_out));
        };
        let options = LoadOptions {
            engine,
            // The comparison itself sees whether the network plays by the rules.
            self_check: false,
            stop: self.stop.clone(),
        };
        self.to_come = to_come;
        let joining = Joining {
            left_out: self.left_out.clone(),
            work: &mut *self.work,
            ..self
        };
        let reason = match open(self.source, options, joining) {
            Ok(done) => return done,
            Err(LoadError::NoNativeEngine(_)) => {
                "there is no native engine for these rules".to_owned()
            }
            Err(LoadError::Propnet(why)) => why.to_string(),
            Err(fault) => return Err(fault),
        };
        let engine = name(engine);
        self.left_out.push(EngineLeftOut { engine, reason });
        self.go_on()
    }
}

fn name(engine: EngineChoice) -> &'static str {
    match engine {
        EngineChoice::Auto => "auto",
        EngineChoice::Reasoner => "reasoner",
        EngineChoice::Propnet => "propnet",
        EngineChoice::Native => "native",
    }
}

impl<T> Visit for Joining<'_, '_, T> {
    type Output = Result<T, LoadError>;

    fn visit<G: Engine>(self, game: &G, opened: &LoadReport) -> Self::Output {
        let running = OpenEngine {
            game,
            name: opened.engine,
            startup: opened.startup(),
        };
        let mut all: Vec<&dyn ComparedEngine> = self.running.to_vec();
        all.push(&running);
        let joining = Joining {
            stop: self.stop,
            source: self.source,
            to_come: self.to_come,
            running: &all,
            left_out: self.left_out,
            work: self.work,
        };
        joining.go_on()
    }
}

/// A game on an engine of any type.
pub struct OpenEngine<'g, G> {
    /// The game.
    pub game: &'g G,
    /// What the engine is called.
    pub name: &'static str,
    /// The time from rule text to a game that can be asked.
    pub startup: Duration,
}

impl<G: Engine> ComparedEngine for OpenEngine<'_, G> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn startup(&self) -> Duration {
        self.startup
    }

    fn walk(&self) -> Box<dyn Walk + '_> {
        Box::new(Walker::new(self.game))
    }

    fn table(&self) -> Box<dyn Table + '_> {
        Box::new(Seat::new(self.game))
    }

    fn paths(
        &self,
        pool: &ThreadPool,
        depth: u32,
        deadline: &Deadline,
    ) -> Result<DepthCount, Stopped> {
        let turns = false;
        Perft { turns, deadline }.count(pool, self.game, &self.game.initial(), depth)
    }

    fn playouts(&self, options: PlayoutOptions<'_>) -> (PlayoutTotals, Result<(), Stopped>) {
        self.game.playouts(&self.game.initial(), options)
    }
}
