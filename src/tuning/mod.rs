//! Weights of Kolibrat's evaluation, tuned by the simulated annealing of A. Lindberg's bachelor thesis (DTU, 2007), section 3.3.
//!
//! A population of weights plays against itself; winners survive, and each yields a copy with random changes, which become smaller
//! from generation to generation.

mod contest;
mod log;
mod mutation;
mod plan;

pub use contest::TuningGame;
pub use log::{AnnealingLog, AnnealingLogFault, LoggedGeneration};
pub use plan::{AnnealingPlan, AnnealingSetup, TuningFault};

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use self::contest::{Contest, ContestEnd};
use crate::native::kolibrat::PropertyWeights;
use crate::session::Game;
use crate::util::StopFlag;

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
            Some((players, contest.decide(&players)?))
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
        let pairs: usize = generations.map(|generation| generation.games.len()).sum();
        pairs * self.plan.games_of_pair()
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

    #[test]
    fn what_does_not_cool_has_as_many_generations() {
        let plan = AnnealingPlan {
            constant: true,
            temperature: 0.5,
            ..AnnealingPlan::published(AnnealingSetup::Prose)
        };
        assert_eq!(plan.temperatures(), [0.5; 25]);
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
            AnnealingPlan {
                constant: true,
                swap: true,
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
