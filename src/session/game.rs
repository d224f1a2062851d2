//! The owned handle of a game.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::erased::{AnyGame, TypedGame};
use super::{GameError, InvalidFacts, Position, UnknownRole};
use crate::analysis::{Sample, SampleOptions};
use crate::catalog::GameSource;
use crate::conformance::Walk;
use crate::engine::{
    AnyEngine, EngineChoice, LoadError, LoadOptions, LoadReport, check_rules, load, load_rules,
};
use crate::files::FileCache;
use crate::game::{Engine, GameFacts, Stopped};
use crate::gdl::rules_digest;
use crate::search::{
    CourseResult, FeatureTuning, KeptWeights, LearnedWeights, TrainingCourse, TunedFeatures,
};
use crate::symmetry::SymmetryGroup;
use crate::util::{Alarm, Deadline};

/// A game that can be played: checked rules with an engine. Owned and immutable; clones share it.
#[derive(Clone)]
pub struct Game {
    shared: Arc<Shared>,
}

struct Shared {
    source: GameSource,
    report: LoadReport,
    engine: Arc<dyn AnyGame>,
    cache: Option<FileCache>,
}

impl Game {
    /// The game of this name: a shipped one, the path of a rule file, or `-` for standard input.
    ///
    /// # Errors
    /// [`GameError`] says what is wrong with the name or the rules, with the diagnostics of the checker, or why no engine
    /// runs them.
    pub fn load(name: &str) -> Result<Self, GameError> {
        let source = GameSource::find(name)?;
        Ok(Self::open(source, &LoadOptions::default())?)
    }

    /// The game in the file at `path`.
    ///
    /// # Errors
    /// As [`Game::load`].
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, GameError> {
        let source = GameSource::from_file(path.as_ref())?;
        Ok(Self::open(source, &LoadOptions::default())?)
    }

    /// The game with these rules in GDL.
    ///
    /// # Errors
    /// As [`Game::load`].
    pub fn from_text(name: &str, text: &str) -> Result<Self, GameError> {
        let source = GameSource::from_text(name, text);
        Ok(Self::open(source, &LoadOptions::default())?)
    }

    /// The game with these rules, on the engine that `options` ask for.
    ///
    /// # Errors
    /// As [`Game::load`].
    pub fn open(source: GameSource, options: &LoadOptions) -> Result<Self, LoadError> {
        let (engine, report) = load(&source, options)?;
        let learned = learned_before(&source, options);
        let engine = erased(engine, learned);
        Ok(Self::new(source, report, engine, options))
    }

    /// The same, where `options` leave the choice of the engine: on the propnet if it is ready within `time`, otherwise on the
    /// reasoner.
    ///
    /// # Errors
    /// As [`Game::load`].
    pub fn open_within(
        source: GameSource,
        options: &LoadOptions,
        time: Duration,
    ) -> Result<Self, LoadError> {
        let deadline = Deadline::new(Some(Instant::now() + time), &options.stop);
        let alarm = Alarm::at(&deadline);
        let within = LoadOptions {
            stop: alarm.flag().clone(),
            ..options.clone()
        };
        match Self::open(source.clone(), &within) {
            Err(LoadError::Interrupted)
                if options.engine == EngineChoice::Auto && !options.stop.is_raised() =>
            {
                Self::on_reasoner(source, options)
            }
            opened => opened,
        }
    }

    /// On the reasoner, without what grounding would tell of the game: that takes long where the propnet does.
    pub(crate) fn on_reasoner(
        source: GameSource,
        options: &LoadOptions,
    ) -> Result<Self, LoadError> {
        let options = LoadOptions {
            engine: EngineChoice::Reasoner,
            ..options.clone()
        };
        let mut report = LoadReport::default();
        let rules = Arc::new(check_rules(&source, &options.stop, &mut report)?);
        let (engine, report) = load_rules(&source, rules, Some(None), &options, report)?;
        let learned = learned_before(&source, &options);
        let engine = erased(engine, learned);
        Ok(Self::new(source, report, engine, &options))
    }

    /// A game on an engine of your own, which `kolibri::conformance` can test.
    pub fn from_engine<G: Engine + Send + 'static>(name: &str, engine: G) -> Self {
        let source = GameSource::from_text(name, "");
        let engine = Arc::new(TypedGame::new(engine, LearnedWeights::default()));
        Self::new(source, LoadReport::own(), engine, &LoadOptions::default())
    }

    /// The same rules on another engine. What is known of them is not found out again.
    ///
    /// # Errors
    /// Why this engine does not run them.
    pub fn on(&self, options: &LoadOptions) -> Result<Self, LoadError> {
        let Some(rules) = &self.report().rules else {
            return Err(LoadError::NoRules(self.name().to_owned()));
        };
        let report = LoadReport {
            warnings: self.report().warnings.clone(),
            ..LoadReport::default()
        };
        let known = self
            .report()
            .network
            .is_some()
            .then(|| self.facts().cloned());
        let (engine, report) =
            load_rules(self.source(), Arc::clone(rules), known, options, report)?;
        let learned = learned_before(self.source(), options);
        let engine = erased(engine, learned);
        Ok(Self::new(self.source().clone(), report, engine, options))
    }

    fn new(
        source: GameSource,
        report: LoadReport,
        engine: Arc<dyn AnyGame>,
        options: &LoadOptions,
    ) -> Self {
        let shared = Arc::new(Shared {
            source,
            report,
            engine,
            cache: options.cache.clone(),
        });
        Self { shared }
    }

    /// The name of the shipped game, the stem of the file, or the name given.
    pub fn name(&self) -> &str {
        &self.shared.source.name
    }

    /// The rule text and where it comes from.
    pub fn source(&self) -> &GameSource {
        &self.shared.source
    }

    /// Where what is found out about the game is kept for the next time, see [`LoadOptions::cache`].
    pub(crate) fn cache(&self) -> Option<&FileCache> {
        self.shared.cache.as_ref()
    }

    /// How the game was made ready: engine, stages with their times, sizes, warnings.
    pub fn report(&self) -> &LoadReport {
        &self.shared.report
    }

    /// The names of the roles, as KIF terms.
    pub fn roles(&self) -> &[String] {
        self.shared.engine.roles()
    }

    /// The number of a role, counted from 0 in the order of [`Game::roles`].
    ///
    /// # Errors
    /// [`UnknownRole`].
    pub fn role(&self, name: &str) -> Result<usize, UnknownRole> {
        let found = self.roles().iter().position(|role| role == name);
        found.ok_or_else(|| UnknownRole {
            name: name.to_owned(),
            roles: self.roles().to_vec(),
        })
    }

    /// The position every match starts in.
    pub fn initial(&self) -> Position {
        let state = Arc::clone(&self.shared.engine).initial();
        Position::new(self.clone(), state)
    }

    /// The position in which exactly `facts` (KIF terms) hold.
    ///
    /// # Errors
    /// [`InvalidFacts`] says which text is no ground KIF term, or cannot be a fact of this game as far as the engine knows.
    pub fn position(&self, facts: &[String]) -> Result<Position, InvalidFacts> {
        let state = Arc::clone(&self.shared.engine).with_facts(facts);
        Ok(Position::new(self.clone(), state?))
    }

    /// What the rules say the game is about, if they ground; found out when it is asked for first.
    pub fn facts(&self) -> Option<&GameFacts> {
        self.shared.engine.game_facts()
    }

    /// The proved symmetries of the game that keep its roles, as far as they are found until `deadline`;
    /// nothing where there are none, or the rules make no network.
    pub fn symmetries(&self, deadline: &Deadline) -> Option<Arc<SymmetryGroup>> {
        let find = || {
            let rules = self.report().rules.as_ref()?;
            let group = SymmetryGroup::of_rules(self.source(), rules, self.facts()?, deadline)?;
            tracing::info!("{} symmetries of {}", group.used(), self.name());
            (group.used() > 1).then(|| Arc::new(group))
        };
        self.shared.engine.symmetries(&find, deadline)
    }

    /// The names of the evaluations that come with the engine: rule files have none.
    pub fn evaluations(&self) -> &'static [&'static str] {
        self.shared.engine.evaluations()
    }

    /// Whether the engine has this evaluation: one of [`Game::evaluations`], or weights where it takes some.
    pub fn has_evaluation(&self, name: &str) -> bool {
        self.shared.engine.has_evaluation(name)
    }

    /// The number of random games that each of `threads` threads advances together.
    pub fn lanes_for(&self, playouts: u64, threads: usize) -> usize {
        self.shared.engine.lanes_for(playouts, threads)
    }

    /// A walk from the initial state, for differential tests against another engine.
    pub fn walk(&self) -> Box<dyn Walk + '_> {
        self.shared.engine.walk()
    }

    /// Learns weights of the evaluation for long; nothing where the rules give nothing to learn, or the teacher tells nothing of the role.
    pub fn train(&self, course: &TrainingCourse<'_>) -> Option<CourseResult> {
        self.shared.engine.train(course)
    }

    /// Tunes weights of features by games between them; nothing where the rules give none, or no game ends.
    pub fn tune(&self, tuning: &FeatureTuning<'_>) -> Option<TunedFeatures> {
        self.shared.engine.tune(tuning)
    }

    /// What is seen in the states of a few random games: see [`sample`](crate::analysis::sample()).
    ///
    /// # Errors
    /// The engine ran out of a budget.
    pub fn sample(&self, mut options: SampleOptions<'_>) -> Result<Sample, Stopped> {
        self.shared.engine.sample(&mut options)
    }
}

/// What is known of a game with these rules before anything is learned: what a cache keeps.
fn learned_before(source: &GameSource, options: &LoadOptions) -> LearnedWeights {
    let Some(cache) = &options.cache else {
        return LearnedWeights::default();
    };
    let rules = rules_digest(&source.text);
    LearnedWeights::kept(KeptWeights::new(cache.clone(), &source.name, rules))
}

/// The one place in which an engine's type is forgotten.
fn erased(engine: AnyEngine, learned: LearnedWeights) -> Arc<dyn AnyGame> {
    match engine {
        AnyEngine::Propnet(game) => Arc::new(TypedGame::new(*game, learned)),
        AnyEngine::Reasoner(game) => Arc::new(TypedGame::new(*game, learned)),
        AnyEngine::Breakthrough(game) => Arc::new(TypedGame::new(game, learned)),
        AnyEngine::Checkers(game) => Arc::new(TypedGame::new(game, learned)),
        AnyEngine::ConnectFour(game) => Arc::new(TypedGame::new(game, learned)),
        AnyEngine::Kolibrat(game) => Arc::new(TypedGame::new(game, learned)),
        AnyEngine::LargeKolibrat(game) => Arc::new(TypedGame::new(game, learned)),
        AnyEngine::LinesOfAction(game) => Arc::new(TypedGame::new(game, learned)),
        AnyEngine::TicTacToe(game) => Arc::new(TypedGame::new(game, learned)),
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game")
            .field("name", &self.name())
            .field("engine", &self.report().engine)
            .finish_non_exhaustive()
    }
}
