//! Learned weights as bytes, for files.
//!
//! ```text
//! kolibri weights 3\n
//! a line of JSON: game, digest of its rules, role, heuristics, training, facts, threats, turns, features, cells, tuples, hidden
//! arrays, compressed (gzip):
//!     f32   what a fact counts, for each feature and each of its facts
//!     then for each turn:
//!     f32   constant
//!     f32   weight, mean and scale of each feature
//!     f32   weight of each fact and each threat
//!     i16   weights of all tuples, in 1/1024
//!     f32   biases of the hidden units, weights of each fact and each threat in all units, output weights of the units
//! SHA-256 of all bytes before
//! ```
//!
//! Numbers are little-endian. Features and tuples are written down, so that a file says what is weighted, whatever the program finds
//! in the rules by now. Threats ([`Threats`]) count as facts after those of the game. Version 2 is the same
//! without hidden units, version 1 without threats, too; both are still read.

mod numbers;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use self::numbers::{WeightNumbers, arrays, compressed};
use super::cells::{Cell, cell_grids};
use super::features::{Feature, FeatureMeasure};
use super::heuristics::{FACTS, Heuristics};
use super::learned::LearnedEvaluator;
use super::model::EvaluationModel;
use super::reachable::GoalBounds;
use super::threats::{ThreatRecord, Threats};
use super::training_plan::TrainingRecord;
use super::tuples::Tuples;
use super::turn::TurnFacts;
use crate::files::{add_checksum, first_line, without_checksum};
use crate::game::{GameFacts, Role};
use crate::search::alphabeta::stack::Side;

/// The first line of every file is this and the version.
const MAGIC: &str = "kolibri weights ";
/// Another version is another form.
pub(super) const VERSION: u32 = 3;
/// The first one that is still read.
const OLDEST: u32 = 1;
/// More weights than this are refused.
const MOST_WEIGHTS: usize = 1 << 24;
/// The most hidden units of a turn; fewer where there are many thousands of facts.
pub const MOST_HIDDEN_UNITS: usize = 256;
/// The most turns: games have few roles.
const MOST_TURNS: usize = 64;

/// How many hidden units each of so many turns may have over so many facts.
pub(super) fn most_hidden_units(facts: usize, turns: usize) -> usize {
    MOST_HIDDEN_UNITS.min(MOST_WEIGHTS / (turns * (facts + 2)).max(1))
}

/// What weights were learned for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeightsSubject {
    /// The name of the game.
    pub game: String,
    /// The digest of its rules.
    pub rules: String,
    /// The number of the role.
    pub role: usize,
    /// Whether what one of two roles wins, the other loses: then the weights are for both.
    pub shares_points: bool,
}

/// Learned weights of a game, as files keep them.
#[derive(Debug, Clone)]
pub struct SavedWeights {
    subject: WeightsSubject,
    training: TrainingRecord,
    heuristics: Heuristics,
    facts: Vec<String>,
    model: EvaluationModel,
}

/// Why bytes are no weights.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsFileFault {
    /// The first line is not that of weights.
    #[error("it is not a file of weights")]
    Foreign,
    /// Another version of the format.
    #[error(
        "it holds weights in version {0} of the format, and this program reads versions {OLDEST} to {VERSION}"
    )]
    Version(String),
    /// The checksum is another one.
    #[error("it is damaged or was cut short: its checksum is wrong")]
    Damaged,
    /// The header cannot be read, or contradicts itself.
    #[error("its header cannot be read")]
    Header,
}

/// Why weights do not suit a player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnsuitableWeights {
    /// They were learned for other rules.
    #[error("it holds weights for other rules, of a game named `{0}`")]
    OtherRules(String),
    /// The program finds other facts in the rules.
    #[error("it holds weights for other facts than this program finds in the rules")]
    OtherFacts,
    /// They say nothing of what is good for this role.
    #[error("it holds weights for `{0}`, and says nothing of what is good for the other roles")]
    OtherRole(String),
}

#[derive(Serialize, Deserialize)]
struct WeightsHeader {
    #[serde(flatten)]
    subject: WeightsSubject,
    heuristics: String,
    training: TrainingRecord,
    facts: Vec<String>,
    #[serde(default)]
    threats: Option<ThreatRecord>,
    turns: Vec<u32>,
    #[serde(default)]
    turns_are_choices: bool,
    features: Vec<FeatureRecord>,
    cells: Vec<Vec<u32>>,
    tuples: Vec<Vec<usize>>,
    #[serde(default)]
    hidden: usize,
}

#[derive(Serialize, Deserialize)]
struct FeatureRecord {
    heuristic: String,
    about: String,
    counts: FeatureCounts,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FeatureCounts {
    OwnMoves,
    OthersMoves,
    Facts(Vec<u32>),
}

impl SavedWeights {
    /// The weights of a model.
    pub(super) fn of(
        model: &EvaluationModel,
        game_facts: Option<&GameFacts>,
        heuristics: Heuristics,
        (subject, training): (WeightsSubject, TrainingRecord),
    ) -> Self {
        Self {
            subject,
            training,
            heuristics,
            facts: game_facts.map_or_else(Vec::new, |known| known.facts.clone()),
            model: model.clone(),
        }
    }

    /// What they were learned for.
    pub fn subject(&self) -> &WeightsSubject {
        &self.subject
    }

    /// How they were learned.
    pub fn training(&self) -> &TrainingRecord {
        &self.training
    }

    /// What is weighted.
    pub(super) fn model(&self) -> &EvaluationModel {
        &self.model
    }

    /// Whether they are for these rules, of which these facts are known, and for this role.
    ///
    /// # Errors
    /// [`UnsuitableWeights`] says why not.
    pub fn check(
        &self,
        rules: &str,
        game_facts: Option<&GameFacts>,
        (roles, role): (&[String], usize),
    ) -> Result<(), UnsuitableWeights> {
        if self.subject.rules != rules {
            return Err(UnsuitableWeights::OtherRules(self.subject.game.clone()));
        }
        if self.facts != game_facts.map_or(&[][..], |known| &known.facts) {
            return Err(UnsuitableWeights::OtherFacts);
        }
        let threats = || game_facts.and_then(|known| Threats::new(known, &cell_grids(known)));
        if let Some(own) = &self.model.threats
            && threats().is_none_or(|known| known.record() != own.record())
        {
            return Err(UnsuitableWeights::OtherFacts);
        }
        match roles.get(self.subject.role) {
            None => Err(UnsuitableWeights::OtherFacts),
            Some(_) if self.subject.role == role || self.is_for_both(roles) => Ok(()),
            Some(learner) => Err(UnsuitableWeights::OtherRole(learner.clone())),
        }
    }

    fn is_for_both(&self, roles: &[String]) -> bool {
        self.subject.shares_points && roles.len() == 2
    }

    /// The evaluator for a role, which [`SavedWeights::check`] has found suitable.
    pub(in crate::search) fn evaluator(
        &self,
        game_facts: Option<&GameFacts>,
        role: Role,
    ) -> LearnedEvaluator {
        let WeightsSubject {
            role: learner,
            shares_points,
            ..
        } = self.subject;
        let bounds = GoalBounds::new(game_facts, Role(learner), shares_points, self.heuristics);
        let evaluator = LearnedEvaluator::new(self.model.clone(), bounds, shares_points);
        match role.0 == learner {
            true => evaluator,
            false => evaluator.for_other(),
        }
    }

    /// A file that [`SavedWeights::from_bytes`] reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = WeightsHeader {
            subject: self.subject.clone(),
            heuristics: self.heuristics.to_string(),
            training: self.training,
            facts: self.facts.clone(),
            threats: self.model.threats.as_ref().map(|of| of.record().clone()),
            turns: self.model.turns.of_roles.clone(),
            turns_are_choices: self.model.turns.are_choices,
            features: self.model.features.iter().map(FeatureRecord::of).collect(),
            hidden: self.model.hidden_units(),
            ..WeightsHeader::of_tuples(&self.model.tuples)
        };
        // Serialising words and numbers into memory has no way to fail.
        let header = serde_json::to_string(&header).unwrap_or_default();
        let mut bytes = format!("{MAGIC}{VERSION}\n{header}\n").into_bytes();
        bytes.extend(compressed(&arrays(&self.model)));
        add_checksum(&mut bytes);
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`WeightsFileFault`]: the bytes are not those of weights, whole and undamaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsFileFault> {
        let (first, _) = first_line(bytes).ok_or(WeightsFileFault::Foreign)?;
        let version = first.strip_prefix(MAGIC);
        let version = version.ok_or(WeightsFileFault::Foreign)?;
        if !(OLDEST..=VERSION).any(|known| version == known.to_string()) {
            return Err(WeightsFileFault::Version(version.to_owned()));
        }
        let checked = without_checksum(bytes).ok_or(WeightsFileFault::Damaged)?;
        Self::of_checked(checked).ok_or(WeightsFileFault::Header)
    }

    /// What bytes say whose checksum is right; nothing if they contradict themselves.
    fn of_checked(bytes: &[u8]) -> Option<Self> {
        let (_, rest) = first_line(bytes)?;
        let (header, compressed) = first_line(rest)?;
        let header: WeightsHeader = serde_json::from_str(header).ok()?;
        let heuristics: Heuristics = header.heuristics.parse().ok()?;
        let threats = header.read_threats()?;
        let facts = threats.as_ref().map_or(header.facts.len(), Threats::facts);
        let tuples = header.read_tuples(facts)?;
        if !header.has_sound_sizes(facts) {
            return None;
        }
        let expected = header.bytes_of_arrays(facts, tuples.weights);
        let mut numbers = WeightNumbers::decompressed(compressed, expected)?;
        let is_fact = |fact: &u32| (*fact as usize) < facts;
        let features = header.features.iter();
        let features = features.map(|record| record.read(&mut numbers, &is_fact));
        let features = features.collect::<Option<Vec<Feature>>>()?;
        let is_sound = header.turns.iter().all(is_fact);
        let turns = is_sound.then(|| header.read_turns())?;
        let weighs_facts = heuristics.has(FACTS);
        let model = EvaluationModel::new(features, tuples, turns, facts, weighs_facts);
        let model = model.with_hidden(header.hidden);
        let mut model = model.with_threats(threats.map(Arc::new));
        for weights in &mut model.weights {
            numbers.read_into(weights)?;
        }
        model.refresh();
        numbers.is_empty().then_some(Self {
            subject: header.subject,
            training: header.training,
            heuristics,
            facts: header.facts,
            model,
        })
    }
}

impl WeightsHeader {
    /// Each cell is written once, and tuples name it by its number.
    fn of_tuples(of: &Tuples) -> Self {
        let mut cells: indexmap::IndexSet<Vec<u32>> = indexmap::IndexSet::new();
        let mut number = |cell: &Cell| cells.insert_full(cell.facts.clone()).0;
        let tuples = of.cells.iter();
        let tuples = tuples.map(|tuple| tuple.iter().map(&mut number).collect());
        let tuples = tuples.collect();
        Self {
            subject: WeightsSubject {
                game: String::new(),
                rules: String::new(),
                role: 0,
                shares_points: false,
            },
            heuristics: String::new(),
            training: TrainingRecord::default(),
            facts: Vec::new(),
            threats: None,
            turns: Vec::new(),
            turns_are_choices: false,
            features: Vec::new(),
            cells: cells.into_iter().collect(),
            tuples,
            hidden: 0,
        }
    }

    /// The threats, if there are any; nothing where they make no sense.
    fn read_threats(&self) -> Option<Option<Threats>> {
        match self.threats.clone() {
            Some(record) => Threats::of_record(record, self.facts.len()).map(Some),
            None => Some(None),
        }
    }

    /// Tuples of cells with so many facts.
    fn read_tuples(&self, facts: usize) -> Option<Tuples> {
        let is_fact = |fact: &u32| (*fact as usize) < facts;
        if !self.cells.iter().flatten().all(is_fact) {
            return None;
        }
        let cell = |number: &usize| {
            let facts = self.cells.get(*number)?.clone();
            Some(Cell { facts, place: None })
        };
        let tuples = self.tuples.iter();
        let tuples = tuples.map(|tuple| tuple.iter().map(cell).collect::<Option<Vec<Cell>>>());
        let tuples = tuples.collect::<Option<Vec<_>>>()?;
        let count = tuples.len();
        let tuples = Tuples::new(tuples, facts, MOST_WEIGHTS);
        (tuples.cells.len() == count).then_some(tuples)
    }

    fn read_turns(&self) -> TurnFacts {
        TurnFacts {
            of_roles: self.turns.clone(),
            are_choices: self.turns_are_choices,
        }
    }

    /// How many bytes the arrays must have.
    fn bytes_of_arrays(&self, facts: usize, tuples: usize) -> usize {
        let shares = |record: &FeatureRecord| match &record.counts {
            FeatureCounts::Facts(facts) => facts.len(),
            FeatureCounts::OwnMoves | FeatureCounts::OthersMoves => 0,
        };
        let shares: usize = self.features.iter().map(shares).sum();
        let hidden = self.hidden * (facts + 2);
        let of_turn = 4 * (1 + 3 * self.features.len() + facts + hidden) + 2 * tuples;
        4 * shares + self.read_turns().count() * of_turn
    }

    /// Whether there are not too many turns and hidden units over so many facts.
    fn has_sound_sizes(&self, facts: usize) -> bool {
        self.turns.len() <= MOST_TURNS
            && self.hidden <= most_hidden_units(facts, self.read_turns().count())
    }
}

impl FeatureRecord {
    fn of(feature: &Feature) -> Self {
        Self {
            heuristic: feature.heuristic.to_owned(),
            about: feature.about.clone(),
            counts: match &feature.measure {
                FeatureMeasure::Choices(Side::Own) => FeatureCounts::OwnMoves,
                FeatureMeasure::Choices(Side::Others) => FeatureCounts::OthersMoves,
                FeatureMeasure::Facts(facts) => {
                    FeatureCounts::Facts(facts.iter().map(|(fact, _)| *fact).collect())
                }
            },
        }
    }

    fn read(&self, numbers: &mut WeightNumbers, is_fact: &dyn Fn(&u32) -> bool) -> Option<Feature> {
        let mut names = Heuristics::names().iter();
        Some(Feature {
            heuristic: names.find(|name| **name == self.heuristic)?,
            about: self.about.clone(),
            measure: match &self.counts {
                FeatureCounts::OwnMoves => FeatureMeasure::Choices(Side::Own),
                FeatureCounts::OthersMoves => FeatureMeasure::Choices(Side::Others),
                FeatureCounts::Facts(facts) => {
                    let share = |fact: &u32| Some((*fact, numbers.float()?));
                    let is_sound = facts.iter().all(is_fact);
                    let shares = facts.iter().map(share).collect::<Option<Vec<_>>>()?;
                    FeatureMeasure::Facts(is_sound.then_some(shares)?)
                }
            },
        })
    }
}
