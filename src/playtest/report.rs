//! What a playtest found, as data.

use serde::Serialize;

use super::GameStatistics;
use crate::kif::{Diagnostic, Span};

/// What a playtest found.
#[derive(Debug, Clone, Serialize)]
pub struct PlaytestReport {
    /// The name of the game.
    pub game: String,
    /// The engine that played it.
    pub engine: &'static str,
    /// What is wrong, or worth knowing: causes before what may follow from them, notes last.
    pub findings: Vec<Finding>,
    /// What the game is like.
    pub statistics: GameStatistics,
    /// On how much all of this rests.
    pub samples: SampleSizes,
}

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingSeverity {
    /// The game cannot be played as it is.
    Error,
    /// Probably not what the author meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// How it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// It follows from the rules: it holds in every game.
    Proved,
    /// It happened in a game.
    Seen,
    /// It did not happen in any game played: it may in others.
    NotSeen,
}

/// One finding.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// A stable name for this kind of finding, such as `stuck`.
    pub code: &'static str,
    /// How grave it is.
    pub severity: FindingSeverity,
    /// What is wrong, in one sentence.
    pub message: String,
    /// How it is known.
    pub evidence: Evidence,
    /// The rules that cause it, the most telling one first.
    pub places: Vec<RulePlace>,
    /// How to mend it, if that is known.
    pub help: Option<String>,
    /// A step of a game that shows it.
    pub step: Option<ShownStep>,
}

/// A rule, and what it has to do with a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RulePlace {
    /// The line on which it begins, counted from 1.
    pub line: usize,
    /// Where it stands in the text.
    #[serde(skip)]
    pub span: Span,
    /// What it has to do with the finding; empty where that is clear.
    pub message: String,
}

/// A step of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownStep {
    /// Who played, as the command line writes players.
    pub players: Vec<String>,
    /// The seed of the game.
    pub seed: u64,
    /// How many of its first plies were drawn at random.
    pub opening: usize,
    /// How many joint moves were made until then.
    pub ply: usize,
    /// The joint move that led there; empty for the first position.
    pub joint: Vec<String>,
    /// The facts that hold.
    pub facts: Vec<String>,
    /// The facts that held before; empty for the first position.
    #[serde(skip)]
    pub before: Vec<String>,
    /// The position, drawn as text.
    pub picture: String,
    /// A command that shows the game.
    pub command: String,
}

/// On how much a report rests.
#[derive(Debug, Clone, Default, Serialize)]
pub struct SampleSizes {
    /// The seed of the first random game; each further game adds one.
    pub seed: u64,
    /// Random games that ended.
    pub ended: u64,
    /// Random games that got stuck.
    pub stuck: u64,
    /// Random games given up as too long, or as nothing changed any more.
    pub given_up: u64,
    /// Random games among those that ended without a goal for some role.
    pub without_goal: u64,
    /// The longest game allowed, in plies.
    pub max_plies: usize,
    /// States in which it was looked at which rules apply.
    pub probed_states: u64,
    /// Whether it was found out which rules can never apply.
    pub proofs: bool,
    /// Games between players.
    pub games_of_players: u64,
    /// These players but for the depth to which they look, as the command line writes players.
    pub players: Option<String>,
    /// How many of the first plies of these games are drawn at random, the same in all games of a round.
    pub opening: usize,
    /// Seconds for proofs, random games, and games of players.
    pub seconds: [f64; 3],
    /// Whether somebody stopped the work before it was done.
    pub stopped: bool,
    /// Why the engine gave up, if it did.
    pub fault: Option<String>,
}

impl SampleSizes {
    /// Random games that came to any end.
    pub fn random_games(&self) -> u64 {
        self.ended + self.stuck + self.given_up
    }
}

impl PlaytestReport {
    /// Findings that are more than notes.
    pub fn faults(&self) -> impl Iterator<Item = &Finding> {
        let is_fault = |finding: &&Finding| finding.severity != FindingSeverity::Note;
        self.findings.iter().filter(is_fault)
    }
}

impl Finding {
    /// A finding without places, help and step.
    pub(super) fn new(
        code: &'static str,
        severity: FindingSeverity,
        evidence: Evidence,
        message: String,
    ) -> Self {
        Self {
            code,
            severity,
            message,
            evidence,
            places: Vec::new(),
            help: None,
            step: None,
        }
    }

    /// The finding as a diagnostic of the rule text; `None` where it has no place there.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        let (first, others) = self.places.split_first()?;
        let make = match self.severity {
            FindingSeverity::Error => Diagnostic::error,
            FindingSeverity::Warning | FindingSeverity::Note => Diagnostic::warning,
        };
        let mut diagnostic = make(self.code, first.span, self.message.clone());
        if !first.message.is_empty() {
            diagnostic = diagnostic.label(first.span, first.message.clone());
        }
        for other in others {
            diagnostic = diagnostic.label(other.span, other.message.clone());
        }
        diagnostic.help.clone_from(&self.help);
        Some(diagnostic)
    }
}
