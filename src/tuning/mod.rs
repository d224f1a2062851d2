//! Weights of Kolibrat's evaluation, tuned by the simulated annealing of A. Lindberg's bachelor thesis (DTU, 2007), section 3.3.
//!
//! A population of weights plays against itself; winners survive, and each yields a copy with random changes, which become smaller
//! from generation to generation.

mod contest;
mod log;
mod mutation;

pub use contest::TuningGame;
pub use log::{AnnealingLog, AnnealingLogFault, LoggedGeneration};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use self::contest::{Contest, ContestEnd};
use crate::engine::EngineChoice;
use crate::generate::{KolibratSize, Size as _};
use crate::native::kolibrat::PropertyWeights;
use crate::session::{Game, GameError};
use crate::util::StopFlag;

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
    /// States searched per move.
    pub nodes: u64,
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
            nodes: 1000,
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
        all.take_while(|at| *at > least).collect()
    }

    /// The chance of one generation; the first weights are generation 0.
    fn random(&self, generation: usize) -> Xoshiro256PlusPlus {
        let number = generation as u64 + 1;
        Xoshiro256PlusPlus::seed_from_u64(self.seed ^ number.wrapping_mul(STRIDE))
    }

    fn evaluation(&self, weights: &str) -> String {
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

impl AnnealingLog {
    /// An annealing that has not begun.
    pub fn new(plan: AnnealingPlan) -> Self {
        let mut random = plan.random(0);
        let first = (0..plan.population).map(|_| mutation::first(plan.setup, &mut random));
        Self {
            first: first.collect(),
            generations: Vec::new(),
            plan,
        }
    }

    /// The weights of the present generation.
    pub fn population(&self) -> &[PropertyWeights] {
        let last = self.generations.last();
        last.map_or(&self.first, |generation| &generation.population)
    }

    /// Plays one generation on `game`, on the threads of the present pool. `false` where all have been played, or `stop` was raised: then
    /// nothing has changed. The result does not depend on the number of threads.
    pub fn advance(&mut self, game: &Game, stop: &StopFlag) -> bool {
        let number = self.generations.len();
        let Some(temperature) = self.plan.temperatures().get(number).copied() else {
            return false;
        };
        let mut random = self.plan.random(number + 1);
        let Some(games) = self.games(game, stop, &mut random) else {
            return false;
        };
        let mut population = self.survivors(&games, &mut random);
        let survivors = population.len();
        for index in survivors..self.plan.population {
            let parent = population[index % survivors];
            let mixed = match random.random_range(0..100) < self.plan.crossover {
                true => {
                    let other = population[random.random_range(0..survivors)];
                    mutation::crossed(&parent, &other, &mut random)
                }
                false => parent,
            };
            population.push(mutation::mutant(
                &mixed,
                temperature,
                &self.plan,
                &mut random,
            ));
        }
        population.shuffle(&mut random);
        let games = games.into_iter().map(|(game, _)| game).collect();
        self.generations.push(LoggedGeneration {
            games,
            temperature,
            population,
        });
        true
    }

    /// The games of a generation, with who of the population played them and how they ended.
    fn games(
        &self,
        game: &Game,
        stop: &StopFlag,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<Vec<(TuningGame, u64)>> {
        let population = self.population();
        let opponent = self.plan.opponent.as_ref();
        let opponent = opponent.and_then(|text| text.parse::<PropertyWeights>().ok());
        let pairs: Vec<[PropertyWeights; 2]> = match opponent {
            None => population
                .chunks_exact(2)
                .map(|pair| [pair[0], pair[1]])
                .collect(),
            Some(opponent) => {
                let sides = population.iter().enumerate();
                let sides = sides.map(|(index, own)| match index % 2 {
                    0 => [*own, opponent],
                    _ => [opponent, *own],
                });
                sides.collect()
            }
        };
        let ends = pairs.into_par_iter().map(|players| {
            let contest = Contest {
                game,
                plan: &self.plan,
                stop,
            };
            Some((players, contest.play(&players)?))
        });
        let ends: Option<Vec<([PropertyWeights; 2], ContestEnd)>> = ends.collect();
        let games = ends?
            .into_iter()
            .enumerate()
            .map(|(index, (players, end))| {
                let drawn = random.random_range(0..2_usize);
                let winner = end.winner.unwrap_or(drawn);
                let own = match opponent {
                    None => winner,
                    Some(_) => index % 2,
                };
                let rank = end.rank(own);
                let game = TuningGame {
                    black_wins: winner == 1,
                    winner: players[winner],
                    loser: players[1 - winner],
                };
                (game, rank)
            });
        Some(games.collect())
    }

    /// Who survives: winners of pairs, or against one opponent those who won soonest or lost latest.
    fn survivors(
        &self,
        games: &[(TuningGame, u64)],
        random: &mut Xoshiro256PlusPlus,
    ) -> Vec<PropertyWeights> {
        let mut survivors: Vec<PropertyWeights> = match self.plan.opponent {
            None => {
                let mut winners: Vec<_> = games.iter().map(|(game, _)| game.winner).collect();
                winners.shuffle(random);
                winners
            }
            Some(_) => {
                let ranked = self.population().iter().zip(games);
                let mut ranked: Vec<_> = ranked.map(|(own, (_, rank))| (*rank, *own)).collect();
                ranked.sort_by_key(|(rank, _)| *rank);
                ranked.into_iter().map(|(_, own)| own).collect()
            }
        };
        survivors.truncate(self.plan.survivors);
        survivors
    }

    /// The mean of the present weights, and their standard deviations.
    pub fn mean(&self) -> (PropertyWeights, [f64; 11]) {
        mean(self.population())
    }

    /// The mean over several runs, and the standard deviations between them; of a single run, or none, those of the weights of
    /// `first`.
    pub fn mean_of_all(first: &Self, runs: &[&Self]) -> (PropertyWeights, [f64; 11]) {
        match runs {
            [] => first.mean(),
            [run] => run.mean(),
            runs => {
                let means: Vec<PropertyWeights> = runs.iter().map(|run| run.mean().0).collect();
                mean(&means)
            }
        }
    }

    /// What a player takes as its `evaluation` to play by the mean of [`AnnealingLog::mean_of_all`].
    pub fn evaluation_of_all(first: &Self, runs: &[&Self]) -> String {
        let (mean, _) = Self::mean_of_all(first, runs);
        first.plan.evaluation(&mean.to_string())
    }

    /// How many games were played.
    pub fn games_played(&self) -> usize {
        let generations = self.generations.iter();
        generations.map(|generation| generation.games.len()).sum()
    }
}

/// Mean and standard deviation of each weight.
fn mean(all: &[PropertyWeights]) -> (PropertyWeights, [f64; 11]) {
    let count = all.len().max(1) as f64;
    let mean = |of: &dyn Fn(&PropertyWeights) -> f64| all.iter().map(of).sum::<f64>() / count;
    let means: [f64; 11] =
        std::array::from_fn(|index| mean(&|weights| f64::from(weights.0[index])));
    let deviations = std::array::from_fn(|index| {
        mean(&|weights| (f64::from(weights.0[index]) - means[index]).powi(2)).sqrt()
    });
    let means = PropertyWeights(means.map(|mean| mean.round() as i32));
    (means, deviations)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(setup: AnnealingSetup) -> AnnealingPlan {
        AnnealingPlan {
            population: 8,
            survivors: 4,
            nodes: 30,
            plies: 40,
            step: 0.25,
            ..AnnealingPlan::published(setup)
        }
    }

    fn played(mut log: AnnealingLog, generations: usize, threads: usize) -> AnnealingLog {
        let game = log.plan.game().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let stop = StopFlag::default();
            for _ in 0..generations {
                assert!(log.advance(&game, &stop));
            }
        });
        log
    }

    #[test]
    fn generations_are_as_many_as_published() {
        let generations = |setup| AnnealingPlan::published(setup).temperatures().len();
        assert_eq!(generations(AnnealingSetup::Prose), 50);
        assert_eq!(generations(AnnealingSetup::Listing), 69);
    }

    /// Half way, written down, read and gone on with, on another number of threads: the same to the last weight.
    #[test]
    fn resumed_is_uninterrupted() {
        for plan in [
            small(AnnealingSetup::Prose),
            small(AnnealingSetup::Listing),
            AnnealingPlan {
                opponent: Some("1/2/1/2/1/0/10/2/2/1/1".to_owned()),
                crossover: 50,
                ..small(AnnealingSetup::Prose)
            },
        ] {
            let whole = played(AnnealingLog::new(plan.clone()), 3, 1);
            let half = played(AnnealingLog::new(plan), 1, 2);
            let read: AnnealingLog = half.to_string().parse().unwrap();
            assert_eq!(read, half);
            let resumed = played(read, 2, 2);
            assert_eq!(resumed, whole);
            assert_ne!(whole.first, whole.population());
            assert_eq!(whole.population().len(), 8);
        }
    }

    #[test]
    fn a_stopped_generation_changes_nothing() {
        let mut log = AnnealingLog::new(small(AnnealingSetup::Prose));
        let stop = StopFlag::default();
        stop.raise();
        let game = log.plan.game().unwrap();
        let before = log.clone();
        assert!(!log.advance(&game, &stop));
        assert_eq!(log, before);
    }
}
