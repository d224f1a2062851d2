//! Which engine runs the rules, and why.

use std::time::{Duration, Instant};

use crate::conformance::{Agreement, Divergence};
use crate::datalog::Limits;
use crate::engine::{BuildError, NotGroundable, Propnet, Reasoner, self_check};
use crate::gdl::Rules;
use crate::ground::startup_limits;
use crate::util::StopFlag;

/// The self-check takes about a tenth of what start-up took anyway; but at least so long, where there is that much to
/// check, and no longer.
const SELF_CHECK: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(200));

/// Which engine is wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Preference {
    /// The propnet where the rules ground within a budget, else the reasoner.
    #[default]
    Fastest,
    /// The propnet or none.
    Propnet,
    /// The reasoner.
    Reasoner,
}

/// A game with one of the engines.
#[derive(Debug)]
pub enum Machine {
    /// The network of gates.
    Propnet(Box<Propnet>),
    /// The rules themselves.
    Reasoner(Box<Reasoner>),
}

/// An engine, and how it was come by.
#[derive(Debug)]
pub struct Chosen {
    /// The engine.
    pub machine: Machine,
    /// Why this one.
    pub reason: String,
    /// How long each stage took, in order; those of an engine that came to nothing included.
    pub stages: Vec<(&'static str, Duration)>,
    /// What the self-check of the propnet saw.
    pub checked: Checked,
}

/// What a self-check saw, if there was one: how far engine and rules agree, or where they part.
pub type Checked = Option<Result<Agreement, Box<Divergence>>>;

/// Why the rules cannot be run as wanted.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The reasoner cannot run them.
    #[error(transparent)]
    Reasoner(#[from] BuildError),
    /// They make no propnet.
    #[error(transparent)]
    Propnet(#[from] NotGroundable),
    /// Somebody wanted no engine any more.
    #[error("interrupted")]
    Interrupted,
    /// The propnet is wrong.
    #[error("the propnet does not play by the rules: {}", .0.difference.told("rules", "propnet"))]
    Divergence(Box<Divergence>),
}

/// Finds an engine for `rules`. A propnet is tried out against the rules first if `wants_check`; one that fails is not
/// used. `stop` ends the making of a propnet.
///
/// # Errors
/// Why no engine that is wanted runs these rules.
pub fn choose(
    rules: &Rules,
    preference: Preference,
    wants_check: bool,
    stop: &StopFlag,
) -> Result<Chosen, EngineError> {
    const ASKED: &str = "it was asked for";
    let mut choice = Choice {
        rules,
        wants_check,
        stages: Vec::new(),
    };
    let limits = Limits {
        stop: stop.clone(),
        ..Limits::default()
    };
    match preference {
        Preference::Reasoner => choice.reasoner(ASKED.to_owned(), None),
        Preference::Propnet => {
            let mut chosen = choice.propnet(&limits)?;
            chosen.reason = ASKED.to_owned();
            Ok(chosen)
        }
        Preference::Fastest => match choice.propnet(&startup_limits(limits.stop)) {
            Ok(chosen) => Ok(chosen),
            Err(EngineError::Divergence(apart)) => {
                let reason = "the propnet does not play by the rules".to_owned();
                choice.reasoner(reason, Some(Err(apart)))
            }
            Err(EngineError::Interrupted) => Err(EngineError::Interrupted),
            Err(why) => choice.reasoner(why.to_string(), None),
        },
    }
}

struct Choice<'r> {
    rules: &'r Rules,
    wants_check: bool,
    stages: Vec<(&'static str, Duration)>,
}

impl Choice<'_> {
    fn propnet(&mut self, limits: &Limits) -> Result<Chosen, EngineError> {
        let begin = Instant::now();
        let propnet = Propnet::new(self.rules, limits);
        if limits.is_stopped() {
            return Err(EngineError::Interrupted);
        }
        let propnet = propnet.inspect_err(|_| {
            self.stages.push(("ground", begin.elapsed()));
        })?;
        self.stages.extend(&propnet.report().stages);
        let checked = match self.wants_check {
            true => Some(Ok(self.check(&propnet, begin.elapsed(), &limits.stop)?)),
            false => None,
        };
        let ground_rules = propnet.report().ground_rules;
        let reason = format!("the rules amount to {ground_rules} without variables");
        let machine = Machine::Propnet(Box::new(propnet));
        Ok(self.chosen(machine, reason, checked))
    }

    /// Tries the propnet out, which took `startup` to make.
    fn check(
        &mut self,
        propnet: &Propnet,
        startup: Duration,
        stop: &StopFlag,
    ) -> Result<Agreement, EngineError> {
        let begin = Instant::now();
        let time = (startup / 10).clamp(SELF_CHECK.0, SELF_CHECK.1);
        let checked = self_check(self.rules, propnet, time, stop);
        self.stages.push(("self-check", begin.elapsed()));
        checked.map_err(EngineError::Divergence)
    }

    fn reasoner(&mut self, reason: String, checked: Checked) -> Result<Chosen, EngineError> {
        let begin = Instant::now();
        let reasoner = Reasoner::new(self.rules)?;
        self.stages.push(("build", begin.elapsed()));
        let machine = Machine::Reasoner(Box::new(reasoner));
        Ok(self.chosen(machine, reason, checked))
    }

    fn chosen(&mut self, machine: Machine, reason: String, checked: Checked) -> Chosen {
        Chosen {
            machine,
            reason,
            stages: std::mem::take(&mut self.stages),
            checked,
        }
    }
}
