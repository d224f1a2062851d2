//! Rule text → a game with an engine: every stage in order, each one once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::kept_network::{Compiled, KeptNetwork, NetworkEntry};
use super::native::native_engine;
use super::parts::PropnetParts;
use super::{
    AnyEngine, BuildError, CompiledNetwork, EngineKind, EngineReason, LoadReport, NotGroundable,
    Propnet, Reasoner, native::NATIVE_ENGINES, self_check,
};
use crate::catalog::{GameSource, Origin};
use crate::conformance::{Agreement, Divergence};
use crate::datalog::EvaluationLimits;
use crate::files::{EntryKind, FileCache, KeptEntry};
use crate::game::GameFacts;
use crate::gdl::{self, Rules};
use crate::ground::startup_limits;
use crate::kif::Diagnostic;
use crate::util::{Deadline, Expired, StopFlag, WorkTime};

/// How a game is to be run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum EngineChoice {
    /// The propnet if the rules can be grounded within limits, else the reasoner
    #[default]
    Auto,
    /// Derive everything from the rules, state by state
    Reasoner,
    /// A propositional network compiled from the rules
    Propnet,
    /// The native engine, written by hand for a shipped game
    Native,
}

/// How a game is to be made ready.
#[derive(Debug, Clone)]
pub struct LoadOptions {
    /// How it is to be run.
    pub engine: EngineChoice,
    /// Whether a network is tried out against its rules first. Those of shipped games are verified by our tests, and one from
    /// the cache may have been tried out when it was compiled.
    pub self_check: bool,
    /// Raised from outside to end the work.
    pub stop: StopFlag,
    /// The limits of the reasoner for each state, whose flag ends evaluations later, too; grounding keeps to them where they
    /// are narrower than its own.
    pub limits: EvaluationLimits,
    /// Where the network of a game or how the reasoner plans it, its boards, and what is learned of it, are kept for the next time; without it, nothing is.
    pub cache: Option<FileCache>,
}

impl Default for LoadOptions {
    fn default() -> Self {
        EngineChoice::default().into()
    }
}

impl From<EngineChoice> for LoadOptions {
    /// With a self-check.
    fn from(engine: EngineChoice) -> Self {
        Self {
            engine,
            self_check: true,
            stop: StopFlag::default(),
            limits: EvaluationLimits::default(),
            cache: None,
        }
    }
}

/// Why a game could not be made ready.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The rules are wrong.
    #[error("{} cannot be played: its rules have errors{}", .0.name, .0.first_error())]
    Invalid(Box<InvalidGame>),
    /// There is no native engine for this game.
    #[error("{} has no native engine; as they are shipped, and on other boards of up to 64 squares, these games have one: {}", .0, NATIVE_ENGINES.join(", "))]
    NoNativeEngine(String),
    /// The reasoner cannot run the rules.
    #[error(transparent)]
    Reasoner(#[from] BuildError),
    /// The rules make no network.
    #[error(transparent)]
    Propnet(#[from] NotGroundable),
    /// The network is wrong.
    #[error("the propnet does not play by the rules: {}", .0.difference.report("rules", "propnet"))]
    Diverges(Box<Divergence>),
    /// The game was made by a program, without rules.
    #[error("{0} has no rules that another engine could run")]
    NoRules(String),
    /// The stop flag was raised.
    #[error("interrupted")]
    Interrupted,
}

/// Rules that are wrong, with everything needed to show why.
#[derive(Debug, Clone)]
pub struct InvalidGame {
    /// The name of the game.
    pub name: String,
    /// Errors and warnings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

impl InvalidGame {
    fn first_error(&self) -> String {
        let first = self.diagnostics.iter().find(|found| found.is_error());
        first.map_or_else(String::new, |found| format!(": {}", found.message))
    }
}

/// What a self-check saw, if there was one: how far engine and rules agree, or where they part.
pub type SelfCheck = Option<Result<Agreement, Box<Divergence>>>;

/// The stages in order: text → s-expressions → checked rules → ground rules → network → program → engine; or from the
/// rules straight to the reasoner, or to a native engine.
///
/// # Errors
/// Says what is wrong with the rules, or why no engine that is wanted runs them.
pub fn load(
    source: &GameSource,
    options: &LoadOptions,
) -> Result<(AnyEngine, LoadReport), LoadError> {
    let mut report = LoadReport::default();
    let rules = check_rules(source, &options.stop, &mut report)?;
    load_rules(source, Arc::new(rules), None, options, report)
}

/// The same for rules that were checked before, as `report` says. `known` are the game facts, as far as they have
/// looked for them: `Some(None)` says that there are none.
///
/// # Errors
/// Why no engine that is wanted runs the rules.
pub fn load_rules(
    source: &GameSource,
    rules: Arc<Rules>,
    known: Option<Option<GameFacts>>,
    options: &LoadOptions,
    report: LoadReport,
) -> Result<(AnyEngine, LoadReport), LoadError> {
    let mut load = Load {
        is_shipped: source.origin == Origin::Shipped,
        rules: &rules,
        options,
        report,
    };
    let engine = match options.engine {
        EngineChoice::Native => load.native(source, known),
        EngineChoice::Reasoner => load.reasoner(source, EngineReason::Asked, known),
        EngineChoice::Propnet => load.propnet(source, &load.limits()),
        EngineChoice::Auto => load.propnet_or_reasoner(source),
    }?;
    if options.engine == EngineChoice::Propnet {
        load.report.reason = EngineReason::Asked;
    }
    let mut report = load.report;
    report.rules = Some(rules);
    log(source, &report);
    Ok((engine, report))
}

/// The self-check takes about a twentieth of what start-up took anyway; but at least so long, where there is that much to
/// check, and no longer.
const SELF_CHECK_SHARE: u32 = 20;
const SELF_CHECK: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(100));

/// The stages from checked rules on.
struct Load<'r> {
    rules: &'r Arc<Rules>,
    /// Shipped games are verified by our tests.
    is_shipped: bool,
    options: &'r LoadOptions,
    report: LoadReport,
}

impl Load<'_> {
    /// What the work may use until it is done or stopped.
    fn limits(&self) -> EvaluationLimits {
        EvaluationLimits {
            stop: self.options.stop.clone(),
            ..self.options.limits.clone()
        }
    }

    fn propnet_or_reasoner(&mut self, source: &GameSource) -> Result<AnyEngine, LoadError> {
        let limits = startup_limits(self.options.stop.clone()).at_most(&self.options.limits);
        match self.propnet(source, &limits) {
            Ok(propnet) => Ok(propnet),
            Err(LoadError::Diverges(apart)) => {
                self.report.self_check = Some(Err(apart));
                self.reasoner(source, EngineReason::Diverges, None)
            }
            // Rules that do not ground have no game facts, either, so they are not searched for again.
            Err(LoadError::Propnet(why)) => self.reasoner(source, why.into(), Some(None)),
            Err(why) => Err(why),
        }
    }

    fn propnet(
        &mut self,
        source: &GameSource,
        limits: &EvaluationLimits,
    ) -> Result<AnyEngine, LoadError> {
        let cache = self.options.cache.as_ref();
        let kept = cache.map(|cache| KeptNetwork::new(cache, source));
        let stages = &mut self.report.stages;
        let find = |kept: &KeptNetwork<'_>| stages.time("cache", || kept.find(limits));
        let propnet = match kept.as_ref().and_then(find) {
            Some(kept) => self.of_cache(kept, limits)?,
            None => self.compiled_and_kept(kept.as_ref(), limits)?,
        };
        let ground_rules = propnet.report().ground_rules;
        self.runs(EngineKind::Propnet, EngineReason::Grounded(ground_rules));
        self.report.network = Some(propnet.report().clone());
        Ok(AnyEngine::Propnet(Box::new(propnet)))
    }

    fn of_cache(
        &mut self,
        kept: NetworkEntry,
        limits: &EvaluationLimits,
    ) -> Result<Propnet, LoadError> {
        let no_network = |why: &NotGroundable| {
            tracing::info!("{why}, as an earlier start found; `--no-cache` tries again");
        };
        let parts = kept.compiled.inspect_err(no_network)?;
        if self.wants_self_check() && !kept.is_checked {
            return self.checked(parts, limits);
        }
        let propnet = Propnet::of_parts(parts);
        propnet.program().pack_beside();
        Ok(propnet)
    }

    /// Compiles the rules, and keeps the result unless the self-check finds it wrong.
    fn compiled_and_kept(
        &mut self,
        kept: Option<&KeptNetwork<'_>>,
        limits: &EvaluationLimits,
    ) -> Result<Propnet, LoadError> {
        let (compiled, took) = WorkTime::of(|| self.compiled(limits));
        let compiled = compiled?;
        let stages = &mut self.report.stages;
        let entry = kept.and_then(|kept| {
            let entry = stages.time("encode", || kept.entry(&compiled, limits, &took));
            Some((kept, entry?))
        });
        let propnet = match compiled {
            Ok(parts) => self.checked(parts, limits),
            Err(why) => Err(why.into()),
        };
        let is_wrong = matches!(propnet, Err(LoadError::Diverges(_)));
        if let Some((kept, entry)) = entry.filter(|_| !is_wrong) {
            let seen = self.report.self_check.as_ref();
            let is_checked =
                seen.is_some_and(|seen| seen.as_ref().is_ok_and(|seen| seen.states > 0));
            let stages = &mut self.report.stages;
            stages.time("keep", || kept.put(entry, is_checked));
        }
        propnet
    }

    /// What the rules give, if the work was not stopped.
    fn compiled(&mut self, limits: &EvaluationLimits) -> Result<Compiled, LoadError> {
        let stages = &mut self.report.stages;
        // Ground rules, network, simplified network.
        let network = CompiledNetwork::compile(self.rules, limits, stages);
        if limits.is_stopped() {
            return Err(LoadError::Interrupted);
        }
        // Circuits.
        Ok(network.map(|network| PropnetParts::new(network, stages)))
    }

    fn wants_self_check(&self) -> bool {
        self.options.self_check && !self.is_shipped
    }

    /// The propnet of its parts, packed, if the self-check that is wanted does not find it wrong.
    fn checked(
        &mut self,
        parts: PropnetParts,
        limits: &EvaluationLimits,
    ) -> Result<Propnet, LoadError> {
        let propnet = Propnet::of_parts(parts);
        let stages = &mut self.report.stages;
        stages.time("pack", || propnet.program().pack());
        if self.wants_self_check() {
            let time = self.report.startup() / SELF_CHECK_SHARE;
            let time = time.clamp(SELF_CHECK.0, SELF_CHECK.1);
            let check = || self_check(self.rules, &propnet, time, &limits.stop);
            let checked = self.report.stages.time("self-check", check);
            self.report.self_check = Some(Ok(checked.map_err(LoadError::Diverges)?));
        }
        Ok(propnet)
    }

    fn reasoner(
        &mut self,
        source: &GameSource,
        reason: EngineReason,
        known: Option<Option<GameFacts>>,
    ) -> Result<AnyEngine, LoadError> {
        let limits = self.limits();
        let kept = self.options.cache.as_ref().map(|cache| {
            let about = format!("{} {}", limits.key(), source.text);
            KeptEntry::new(cache, EntryKind::Plans, &source.name, &about)
        });
        let stages = &mut self.report.stages;
        let profile = kept.as_ref().and_then(KeptEntry::find);
        let build = || {
            if let Some(profile) = profile
                && let Some(known) = Reasoner::with_profile(self.rules, limits.clone(), profile)?
            {
                return Ok((known, true));
            }
            Reasoner::with_limits(self.rules, limits).map(|new| (new, false))
        };
        let began = Instant::now();
        let built: Result<_, BuildError> = stages.time("build", build);
        if self.options.stop.is_raised() {
            return Err(LoadError::Interrupted);
        }
        let (reasoner, is_kept) = built?;
        if let Some(kept) = kept.filter(|_| !is_kept)
            && let Some(profile) = reasoner.profile()
        {
            kept.keep(&profile, began.elapsed());
        }
        let mut reasoner = reasoner.stopped_by(&self.options.limits.stop);
        if let Some(facts) = known {
            reasoner = reasoner.with_game_facts(facts);
        }
        self.runs(EngineKind::Reasoner, reason);
        Ok(AnyEngine::Reasoner(Box::new(reasoner)))
    }

    fn native(
        &mut self,
        source: &GameSource,
        known: Option<Option<GameFacts>>,
    ) -> Result<AnyEngine, LoadError> {
        let build = || native_engine(&source.text, self.rules, known);
        let native = self.report.stages.time("build", build);
        let native = native.ok_or_else(|| LoadError::NoNativeEngine(source.name.clone()))?;
        self.runs(EngineKind::Native, EngineReason::Asked);
        Ok(native)
    }

    fn runs(&mut self, engine: EngineKind, reason: EngineReason) {
        self.report.engine = engine;
        self.report.reason = reason;
    }
}

/// Reads and checks the text, and reports everything found from the bytes on.
pub fn check(source: &GameSource) -> gdl::Checked {
    match check_until(source, &Deadline::default()) {
        Ok(checked) => checked,
        Err(expired) => unreachable!("{expired}, without a deadline"),
    }
}

/// What [`check`] says, for callers that may have to give up.
///
/// # Errors
/// If `deadline` is due before everything is checked.
pub fn check_until(source: &GameSource, deadline: &Deadline) -> Result<gdl::Checked, Expired> {
    if source.diagnostics.iter().any(Diagnostic::is_error) {
        let diagnostics = source.diagnostics.clone();
        return Ok(gdl::Checked {
            rules: None,
            diagnostics,
        });
    }
    let mut checked = gdl::load_until(&source.text, deadline)?;
    let on_reading = source.diagnostics.iter().cloned();
    checked.diagnostics.splice(0..0, on_reading);
    Ok(checked)
}

/// The first stages: text → s-expressions → checked rules, with time, size and warnings in `report`.
///
/// # Errors
/// [`LoadError::Invalid`] with everything that is wrong with the rules, or [`LoadError::Interrupted`].
pub fn check_rules(
    source: &GameSource,
    stop: &StopFlag,
    report: &mut LoadReport,
) -> Result<Rules, LoadError> {
    let count = |checked: &Result<gdl::Checked, Expired>| {
        let rules = checked.as_ref().ok()?.rules.as_ref()?;
        Some((rules.rules().len(), "rules"))
    };
    let stages = &mut report.stages;
    let deadline = Deadline::new(None, stop);
    let checked = stages.time_and_size("check", || check_until(source, &deadline), count);
    let checked = checked.map_err(|_| LoadError::Interrupted)?;
    let Some(rules) = checked.rules else {
        return Err(LoadError::Invalid(Box::new(InvalidGame {
            name: source.name.clone(),
            diagnostics: checked.diagnostics,
        })));
    };
    report.warnings = checked.diagnostics;
    Ok(rules)
}

/// Logs how the game was made ready, with a warning if a propnet turned out to be wrong.
fn log(source: &GameSource, report: &LoadReport) {
    let name = &source.name;
    tracing::info!("{name}: engine {}: {}", report.engine, report.reason);
    match &report.self_check {
        None => {}
        Some(Ok(seen)) => tracing::info!("{name}: self-check: {seen}"),
        Some(Err(apart)) => tracing::warn!(
            "the propnet of {name} does not play by the rules, and the reasoner stands in: {}. {}",
            apart.difference.report("rules", "propnet"),
            how_to_report(source, apart)
        ),
    }
}

/// How to report a propnet that is wrong.
pub fn how_to_report(source: &GameSource, apart: &Divergence) -> String {
    let moves = apart.moves.concat();
    let quoted: Vec<String> = moves.iter().map(|mv| format!("'{mv}'")).collect();
    format!(
        "Please report it with the rules; this shows it: kolibri moves {} {} --engine propnet --no-self-check",
        source.shown(),
        quoted.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::add_checksum;

    #[test]
    fn plans_of_the_reasoner_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        // A hundred thousand rows that never change.
        let numbers: String = (0..316)
            .map(|number| format!("(number {number})"))
            .collect();
        let rules = format!(
            "(role r) {numbers} (init start) (goal r 100) (<= terminal (not (true start)))
             (<= (pair ?x ?y) (number ?x) (number ?y))
             (<= (legal r (go ?x)) (pair ?x ?x)) (<= (next end) (does r (go ?x)))"
        );
        let source = GameSource::from_text("g", &rules);
        let options = LoadOptions {
            engine: EngineChoice::Reasoner,
            cache: Some(cache.clone()),
            ..LoadOptions::default()
        };
        let profile = || match load(&source, &options).unwrap() {
            (AnyEngine::Reasoner(reasoner), _) => reasoner.profile(),
            (engine, _) => panic!("{engine:?}"),
        };
        let first = profile();
        let [entry] = &cache.entries()[..] else {
            panic!("{:?}", cache.entries())
        };
        assert!(entry.name.starts_with("plans-"));
        assert_eq!(profile(), first);
        // Something else, to see that it is read.
        let rules = check_rules(&source, &StopFlag::default(), &mut LoadReport::default());
        let other = Reasoner::unprofiled(&rules.unwrap(), EvaluationLimits::default()).unwrap();
        let other = other.profile();
        assert_ne!(other, first);
        let mut written = EntryKind::Plans.begin("g");
        written.extend(postcard::to_stdvec(&other.as_ref().unwrap()).unwrap());
        add_checksum(&mut written);
        cache.put(&entry.name, &written);
        assert_eq!(profile(), other);
        cache.put(&entry.name, b"damaged");
        assert_eq!(profile(), first);
        assert!(cache.peek(&entry.name).unwrap().len() > 100);
    }

    #[test]
    fn a_network_is_checked_until_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        let text = GameSource::find("checkers").unwrap().text;
        let source = GameSource::from_text("g", &text);
        // How many states were compared, where there was a check.
        let compared = |self_check| {
            let options = LoadOptions {
                self_check,
                cache: Some(cache.clone()),
                ..LoadOptions::default()
            };
            let (_, report) = load(&source, &options).unwrap();
            Some(report.self_check?.unwrap().states)
        };
        assert_eq!(compared(false), None);
        assert!(compared(true).is_some(), "it was not checked");
        cache.clear().unwrap();
        let first = compared(true).unwrap();
        assert_eq!(compared(true).is_none(), first > 0);
    }
}
