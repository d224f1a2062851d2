//! The states of a game, enumerated as the command line asks.

#[cfg(feature = "cluster")]
use std::path::Path;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::catalog::GameSource;
use crate::cli::cache_args::CacheArgs;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, MORE_TIME};
use crate::cli::game::{self, NamedGame};
use crate::cli::number::{counted, whole};
use crate::cli::seconds::Seconds;
use crate::cli::status_line::StatusLine;
use crate::cli::threads::ThreadArgs;
use crate::engine::{self, AnyEngine, EngineChoice, LoadError, LoadOptions, Propnet};
use crate::game::Role;
use crate::gdl::rules_digest;
use crate::state_space::{
    Checkpoint, CheckpointError, ExpectedValues, GraphUse, Solution, SolutionSubject, SpaceError,
    SpaceOptions, SpaceTotals, StateSpace, UnfinishedSpace,
};
use crate::symmetry::SymmetryGroup;
use crate::util::{Deadline, Expired};

/// How to get further than an enumeration did that ended with `why`.
pub(super) fn advice(why: &SpaceError) -> &'static str {
    match why {
        SpaceError::Expired(_) => MORE_TIME,
        SpaceError::OutOfMemory(_) => {
            "give more with `--memory`, or make the game smaller (`kolibri generate`)"
        }
        SpaceError::MoreStates(_) => "give more with `--max-states`",
        SpaceError::Disk(_) => "make room, or name a folder on another disk that you may write to",
        _ => "make the game smaller (`kolibri generate`)",
    }
}

pub(super) fn not_kept(fault: &CheckpointError) -> Failure {
    Failure::usage(fault.to_string()).with_help(fault.help())
}

/// What is to be known of the states.
pub(super) struct SpaceQuestion {
    /// What becomes of the joint moves.
    pub(super) graph: GraphUse,
    /// Whether a state in which several roles choose ends the enumeration.
    pub(super) one_chooses: bool,
    /// Of states that these make of each other, one is enumerated.
    pub(super) symmetries: Option<Arc<SymmetryGroup>>,
}

/// As many states are drawn as a graph.
pub(super) const MOST_DRAWN: usize = 1_000;

/// Options about the states of a game.
#[derive(Debug, clap::Args)]
pub(super) struct SpaceArgs {
    /// A shipped game, the path of a rule file or of a saved game, or - for standard input
    #[arg(value_name = "GAME")]
    game: String,
    /// Give up when the states need more than N MiB
    #[arg(long, value_name = "N", default_value_t = 4096, allow_negative_numbers = true, value_parser = whole::<u64>(1, 1 << 24))]
    memory: u64,
    /// Give up after N states, a few thousand more or less
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    max_states: Option<u64>,
    /// Give up after SECONDS
    #[arg(long, value_name = "SECONDS")]
    time: Option<Seconds>,
    /// Keep the states found in FILE, ply by ply, and go on after those that it holds
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    #[command(flatten)]
    pub(super) threads: ThreadArgs,
    #[command(flatten)]
    cache: CacheArgs,
}

impl SpaceArgs {
    /// The game as it was typed.
    pub(super) fn name(&self) -> &str {
        &self.game
    }

    /// How many bytes the states may take.
    pub(super) fn most_bytes(&self) -> u64 {
        self.memory << 20
    }

    /// When all that is asked must be done.
    pub(super) fn deadline(&self, console: &Console<'_>) -> Deadline {
        console.deadline(self.time.map(Seconds::duration))
    }

    /// Whether there is a most number of them.
    #[cfg(feature = "cluster")]
    pub(super) fn limits_states(&self) -> bool {
        self.max_states.is_some()
    }

    /// Where they are kept, if they are.
    #[cfg(feature = "cluster")]
    pub(super) fn checkpoint(&self) -> Option<&Path> {
        self.checkpoint.as_deref()
    }

    /// How the game is opened on an engine.
    pub(super) fn options(&self, engine: EngineChoice, console: &Console<'_>) -> LoadOptions {
        LoadOptions {
            stop: console.stop_flag(),
            cache: self.cache.cache(),
            ..engine.into()
        }
    }

    /// What was named.
    pub(super) fn find(&self) -> Result<NamedGame, Failure> {
        NamedGame::find(&self.game)
    }

    /// The game, as a network: nothing else makes millions of states a second.
    pub(super) fn open(&self, console: &mut Console<'_>) -> Result<(NamedGame, Propnet), Failure> {
        let named = self.find()?;
        let options = self.options(EngineChoice::Propnet, console);
        match engine::load(&named.source, &options) {
            Ok((AnyEngine::Propnet(game), _)) => Ok((named, *game)),
            Ok(_) => Err(Failure::finding("the rules are not run by a network")),
            Err(fault @ LoadError::Propnet(_)) => Err(Failure::finding(fault.to_string())
                .with_help(
                    "states are enumerated by a network only, and the rules are too large for one, or have terms that grow without end",
                )),
            Err(fault) => Err(game::refused(&named.source, &fault, console)?),
        }
    }

    /// Runs an enumeration as it was asked for. Shows how far that is.
    pub(super) fn with_options<T>(
        &self,
        asked: SpaceQuestion,
        console: &Console<'_>,
        run: impl FnOnce(&SpaceOptions<'_>) -> T,
    ) -> Result<T, Failure> {
        let status = Mutex::new(StatusLine::new(console.quiet));
        let show = |totals: &SpaceTotals, bytes: u64| {
            let found: u64 = totals.by_ply.iter().sum();
            let (ply, found, bytes) = (
                totals.by_ply.len() - 1,
                counted(found, "state"),
                bytes >> 20,
            );
            if let Ok(mut status) = status.lock() {
                status.show(&format!("ply {ply}: {found}, {bytes} MiB"));
            }
        };
        let (pool, deadline) = (self.threads.pool()?, self.deadline(console));
        let options = SpaceOptions {
            pool: &pool,
            deadline: &deadline,
            most_bytes: self.most_bytes(),
            most_states: self.max_states.unwrap_or(u64::MAX),
            graph: asked.graph,
            one_chooses: asked.one_chooses,
            symmetries: asked.symmetries,
            on_ply: &show,
        };
        Ok(run(&options))
    }

    /// All states that can be reached. Shows how far that is.
    pub(super) fn enumerate(
        &self,
        source: &GameSource,
        game: &Propnet,
        asked: SpaceQuestion,
        console: &mut Console<'_>,
    ) -> Result<Result<StateSpace, Box<UnfinishedSpace>>, Failure> {
        let Some(path) = &self.checkpoint else {
            return self.with_options(asked, console, |options| {
                StateSpace::enumerate(game, options)
            });
        };
        let subject = SolutionSubject {
            game: source.name.clone(),
            rules: rules_digest(&source.text),
        };
        let mut checkpoint = Checkpoint::open(path, subject).map_err(|fault| not_kept(&fault))?;
        let space = self.with_options(asked, console, |options| {
            StateSpace::enumerate_kept(game, options, &mut checkpoint)
        })?;
        if let Err(unfinished) = &space
            && let SpaceError::Checkpoint(fault) = &unfinished.why
        {
            return Err(not_kept(fault));
        }
        if let Some(ply) = checkpoint.plies().checked_sub(1) {
            let path = path.display();
            console.hint(&format!("went on after ply {ply} as kept in `{path}`"))?;
        }
        Ok(space)
    }

    /// What all states are worth to a role; none where several roles choose at the same time.
    pub(super) fn solve(
        &self,
        source: &GameSource,
        game: &Propnet,
        role: Role,
        symmetries: Option<Arc<SymmetryGroup>>,
        console: &mut Console<'_>,
    ) -> Result<Option<Solution>, Failure> {
        let asked = SpaceQuestion {
            graph: GraphUse::Needed,
            one_chooses: true,
            symmetries,
        };
        let space = match self.enumerate(source, game, asked, console)? {
            Ok(space) => space,
            Err(unfinished) if matches!(unfinished.why, SpaceError::Simultaneous(_)) => {
                return Ok(None);
            }
            Err(unfinished) => return Err(self.not_all(&unfinished)),
        };
        let deadline = self.deadline(console);
        let pool = self.threads.pool()?;
        Ok(Some(pool.install(|| space.solve(game, role, &deadline))?))
    }

    /// What all states are worth to a role on average.
    pub(super) fn expected(
        &self,
        source: &GameSource,
        game: &Propnet,
        role: Role,
        console: &mut Console<'_>,
    ) -> Result<ExpectedValues, Failure> {
        let space = self.enumerate_all(source, game, None, console)?;
        let deadline = self.deadline(console);
        Ok(space.expected(game, role, &deadline)?)
    }

    /// All states that can be reached, and their joint moves, without which the question has no answer.
    pub(super) fn enumerate_all(
        &self,
        source: &GameSource,
        game: &Propnet,
        symmetries: Option<Arc<SymmetryGroup>>,
        console: &mut Console<'_>,
    ) -> Result<StateSpace, Failure> {
        let asked = SpaceQuestion {
            graph: GraphUse::Needed,
            one_chooses: false,
            symmetries,
        };
        let space = self.enumerate(source, game, asked, console)?;
        space.map_err(|unfinished| self.not_all(&unfinished))
    }

    /// Why states that are all needed were not enumerated.
    fn not_all(&self, unfinished: &UnfinishedSpace) -> Failure {
        let found = counted(unfinished.found, "state");
        let is_interrupted = unfinished.why == SpaceError::Expired(Expired::Interrupted);
        match (is_interrupted, &self.checkpoint) {
            (true, Some(_)) => Failure::interrupted(),
            (true, None) => {
                Failure::interrupted_after(&format!("{found} were found, and all are needed"))
                    .with_help("give `--checkpoint FILE` to keep those found, and go on with them")
            }
            (false, _) => Failure::finding(format!(
                "{unfinished}: {found} were found, and all are needed"
            ))
            .with_help(advice(&unfinished.why)),
        }
    }
}
