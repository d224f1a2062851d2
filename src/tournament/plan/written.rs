//! A plan as it is written: what a TOML file may hold.

use serde::Deserialize;
use toml::Spanned;

use super::Seatings;
use crate::engine::EngineChoice;
use crate::statistics::StrengthScale;
use crate::tournament::EndlessResult;

/// A text with its place, where it has one.
pub(super) type Text = Spanned<String>;

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenPlan {
    pub(super) players: Option<Spanned<Vec<WrittenPlayer>>>,
    pub(super) games: Option<Spanned<Vec<Text>>>,
    pub(super) schedule: Option<Spanned<WrittenSchedule>>,
    pub(super) gauntlet: Option<Text>,
    pub(super) pairings: Option<Spanned<Vec<WrittenPairing>>>,
    pub(super) seatings: Option<Seatings>,
    pub(super) rounds: Option<Spanned<i64>>,
    pub(super) openings: Option<WrittenOpenings>,
    pub(super) seed: Option<Spanned<i64>>,
    pub(super) engine: Option<EngineChoice>,
    pub(super) max_plies: Option<Spanned<i64>>,
    pub(super) occurrences: Option<Spanned<i64>>,
    pub(super) endless: Option<EndlessResult>,
    pub(super) start_clock: Option<Spanned<i64>>,
    pub(super) play_clock: Option<Spanned<i64>>,
    pub(super) scramble: Option<bool>,
    pub(super) keep_facts: Option<Spanned<Vec<Text>>>,
    pub(super) keep_moves: Option<bool>,
    pub(super) sprt: Option<Spanned<WrittenTest>>,
    pub(super) concurrency: Option<Spanned<i64>>,
}

/// `[[players]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenPlayer {
    pub(super) name: Option<Text>,
    pub(super) player: Text,
}

/// `[[pairings]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenPairing {
    pub(super) players: Spanned<Vec<Text>>,
}

/// `schedule`.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WrittenSchedule {
    RoundRobin,
    Gauntlet,
    Swiss,
    Listed,
}

/// `[openings]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenOpenings {
    pub(super) plies: Option<Spanned<i64>>,
    pub(super) file: Option<Text>,
}

/// `[sprt]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenTest {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) alpha: Option<f64>,
    pub(super) beta: Option<f64>,
    pub(super) scale: Option<StrengthScale>,
}
