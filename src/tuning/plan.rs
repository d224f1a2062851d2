//! All that an annealing depends on.

use std::time::Duration;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::engine::EngineChoice;
use crate::generate::{KolibratSize, Size as _};
use crate::native::kolibrat::PropertyWeights;
use crate::session::{Game, GameError};

/// The two published descriptions of the annealing, which differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnnealingSetup {
    /// As the text of the thesis says.
    Prose,
    /// As its program does: it starts near weights chosen by hand, cools slowly at the end, gives an undecided game to who has more points, and
    /// changes the last five weights together, by a slip.
    Listing,
}

/// All that an annealing depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnnealingPlan {
    /// Which description it follows.
    pub setup: AnnealingSetup,
    /// Columns of the board.
    pub columns: u8,
    /// Rows of the board.
    pub rows: u8,
    /// Pieces of a side on the board, at most.
    pub pieces: u8,
    /// Points needed to win.
    pub points: u8,
    /// Whether the evaluation has the errors of the program.
    pub as_published: bool,
    /// How many weights there are in each generation: an even number.
    pub population: usize,
    /// How many of them survive, at most half.
    pub survivors: usize,
    /// The greatest change of a weight at temperature 1.
    pub amplitude: i32,
    /// The temperature of the first generation.
    pub temperature: f32,
    /// What it falls by.
    pub step: f32,
    /// Whether all generations keep the temperature of the first; there are as many as if it fell.
    #[serde(default)]
    pub constant: bool,
    /// States searched per move, unless it has a time.
    pub nodes: u64,
    /// Time per move, in seconds; then nothing can be played again in the same way.
    #[serde(default)]
    pub time: Option<f64>,
    /// Whether two weights play each game a second time, with colours swapped. Who wins one of them sooner is ahead.
    #[serde(default)]
    pub swap: bool,
    /// Plies after which a game is undecided.
    pub plies: usize,
    /// How many of 100 new weights have two parents.
    pub crossover: u8,
    /// Weights that all others play against, ranked by plies, in place of games between pairs.
    pub opponent: Option<String>,
    /// What all that is random is drawn from.
    pub seed: u64,
}

/// Below [`SLOW_BELOW`], the program of the thesis cools by a tenth of its step.
const SLOW_BELOW: f32 = 0.05;
const SLOWER: f32 = 0.1;
/// What keeps a log within bounds.
const MOST_POPULATION: usize = 10_000;
const LEAST_STEP: f32 = 0.0001;
const LEAST_TIME: f64 = 0.001;
const MOST_TIME: f64 = 3600.0;
/// Keeps seeds of generations apart.
const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;

impl AnnealingPlan {
    /// As published, with a budget of nodes in place of about a second per move.
    pub fn published(setup: AnnealingSetup) -> Self {
        let (columns, rows, pieces) = match setup {
            AnnealingSetup::Prose => (3, 4, 3),
            AnnealingSetup::Listing => (6, 4, 6),
        };
        Self {
            setup,
            columns,
            rows,
            pieces,
            points: 1,
            as_published: false,
            population: 60,
            survivors: 30,
            amplitude: 500,
            temperature: 1.0,
            step: 0.02,
            constant: false,
            nodes: 1000,
            time: None,
            swap: false,
            plies: 240,
            crossover: 0,
            opponent: None,
            seed: 1,
        }
    }

    /// The game that is played, on its native engine.
    ///
    /// # Errors
    /// There is no such board, or it is too large for the engine.
    pub fn game(&self) -> Result<Game, TuningFault> {
        let size = KolibratSize {
            width: self.columns,
            height: self.rows,
            pieces: self.pieces,
            goals: self.points,
        };
        let text = size.rule_file();
        let text = text.map_err(|fault| TuningFault::Board(fault.to_string()))?;
        let game = Game::from_text("kolibrat", &text)?;
        let native = game.on(&EngineChoice::Native.into());
        Ok(native.map_err(GameError::from)?)
    }

    /// What is wrong with the numbers, in words that go on from "give".
    pub fn fault(&self) -> Option<&'static str> {
        let is_even = self.population.is_multiple_of(2);
        let opponent = self.opponent.as_deref().map(str::parse::<PropertyWeights>);
        let checks = [
            (
                is_even && (2..=MOST_POPULATION).contains(&self.population),
                "an even population from 2 to 10000: it plays in pairs",
            ),
            (
                (1..=self.population / 2).contains(&self.survivors),
                "survivors from 1 to half of the population",
            ),
            (
                (0..=PropertyWeights::MOST / 2).contains(&self.amplitude),
                "an amplitude from 0 to 50000",
            ),
            (
                (0.0..=1.0).contains(&self.temperature),
                "a temperature from 0 to 1",
            ),
            (
                (LEAST_STEP..=1.0).contains(&self.step),
                "a step from 0.0001 to 1",
            ),
            (
                self.time
                    .is_none_or(|time| (LEAST_TIME..=MOST_TIME).contains(&time)),
                "a time from 0.001 to 3600 seconds",
            ),
            (self.crossover <= 100, "a crossover from 0 to 100"),
            (
                opponent.is_none_or(|read| read.is_ok()),
                "eleven whole numbers with `/` between them for the opponent, from -100000 to 100000",
            ),
        ];
        let (_, fault) = checks.into_iter().find(|(is_sound, _)| !is_sound)?;
        Some(fault)
    }

    /// The temperatures of the generations.
    pub fn temperatures(&self) -> Vec<f32> {
        let is_slow = |at: f32| self.setup == AnnealingSetup::Listing && at <= SLOW_BELOW;
        let below = |at: &f32| {
            let step = self.step * if is_slow(*at) { SLOWER } else { 1.0 };
            Some(at - step)
        };
        let all = std::iter::successors(Some(self.temperature), below);
        // Single precision leaves a last temperature just above zero, which the program of the thesis takes for one more generation.
        let least = match self.setup {
            AnnealingSetup::Prose => 1e-4,
            AnnealingSetup::Listing => 0.0,
        };
        let above = all.take_while(|at| *at > least);
        let kept = |at| if self.constant { self.temperature } else { at };
        above.map(kept).collect()
    }

    /// The time per move, and otherwise the states.
    pub(super) fn budget(&self) -> (Option<Duration>, Option<u64>) {
        match self.time {
            Some(time) => (Some(Duration::from_secs_f64(time)), None),
            None => (None, Some(self.nodes)),
        }
    }

    /// How many games two weights play.
    pub(super) fn games_of_pair(&self) -> usize {
        if self.swap { 2 } else { 1 }
    }

    /// The chance of one generation; the first weights are generation 0.
    pub(super) fn random(&self, generation: usize) -> Xoshiro256PlusPlus {
        let number = generation as u64 + 1;
        Xoshiro256PlusPlus::seed_from_u64(self.seed ^ number.wrapping_mul(STRIDE))
    }

    pub(super) fn evaluation(&self, weights: &str) -> String {
        let ending = if self.as_published {
            "-as-published"
        } else {
            ""
        };
        format!("{weights}{ending}")
    }
}

/// Why nothing can be tuned.
#[derive(Debug, thiserror::Error)]
pub enum TuningFault {
    /// No such board.
    #[error("{0}")]
    Board(String),
    /// No native engine for it.
    #[error(transparent)]
    Load(#[from] GameError),
}
