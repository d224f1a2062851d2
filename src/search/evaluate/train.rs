//! Weights from games that the program plays against itself: at random first, then with the weights found so far.
//!
//! Weights depend on the game, the role, the heuristics that are on and nothing else, unless the clock cuts the training
//! short: among states that come of one, those are told apart by the facts that hold in them and not by their numbers, so
//! that all engines play the same games.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::Evaluator;
use super::certain::Reach;
use super::features::{Feature, Measure, features};
use super::pupil::Pupil;
use super::regression::{Samples, fit, surprise};
use super::ways::Ways;
use crate::game::{Engine, Role};
use crate::search::Heuristics;
use crate::search::judge::Judge;
use crate::search::ladder::Ladder;
use crate::search::limits::SearchClock;
use crate::search::rungs::Rungs;

/// How often weights are found anew.
const ROUNDS: u64 = 5;
/// So many games, or states looked at, make a round. A third of that gave a Kolibrat that lost every game against a
/// formula made by hand, instead of winning most.
const GAMES: u64 = 750;
const STATES: usize = 240_000;
/// So many games are played side by side.
const AT_ONCE: u64 = 50;
/// Fewer samples tell nothing.
const FEWEST: usize = 200;
/// To count ways to win may take ten times as long as all else. They are left out where they hardly help to foretell
/// results: by less than this, in nats a state. Where lines are to be made, they bring ten times as much.
const WORTH: f64 = 1e-3;

/// What training came to.
#[derive(Debug, Clone)]
pub(in crate::search) struct Taught {
    /// An evaluator, if there was anything to be weighed.
    pub(in crate::search) evaluator: Option<Arc<Evaluator>>,
    /// Whether the clock cut it short, so that another time may bring other weights.
    pub(in crate::search) is_cut_short: bool,
}

/// What can be learned for `role` until the deadline.
pub(in crate::search) fn train<G: Engine>(
    game: &G,
    role: Role,
    heuristics: Heuristics,
    clock: &SearchClock,
) -> Taught {
    let evaluator = evaluator_of(game, role, heuristics, clock);
    Taught {
        is_cut_short: evaluator.is_some() && clock.is_over(),
        evaluator,
    }
}

fn evaluator_of<G: Engine>(
    game: &G,
    role: Role,
    heuristics: Heuristics,
    clock: &SearchClock,
) -> Option<Arc<Evaluator>> {
    let game_facts = if heuristics == Heuristics::NONE {
        None
    } else {
        game.game_facts()
    };
    let facts = game_facts.map_or(0, |game_facts| game_facts.facts.len());
    let ways = game_facts.map(Ways::new).unwrap_or_default();
    let mut features = features(game_facts, &ways, heuristics);
    let reach = game_facts.and_then(|game_facts| Reach::new(game_facts, role, heuristics));
    let evaluator = |features: &[Feature], weights: Vec<f64>| {
        Evaluator::new(features.to_vec(), weights, ways.clone(), facts)
    };
    let rounds = if features.is_empty() { 0 } else { ROUNDS };
    let mut weights = None;
    for round in 0..rounds {
        // The range of goals is left out of account: weights that were learned with it lost to those without.
        let known = weights.clone();
        let known = known.map(|weights| Arc::new(evaluator(&features, weights)));
        let samples = School {
            game,
            role,
            features: &features,
            ways: &ways,
            evaluator: known.as_ref(),
            round,
            clock,
            ladders: Mutex::default(),
        }
        .samples();
        if samples.rows.len() < FEWEST {
            break;
        }
        let fitted = fit(&samples);
        weights = Some(match without_ways(&features, &samples, &fitted) {
            Some((rest, fitted)) => {
                features = rest;
                fitted
            }
            None => fitted,
        });
    }
    let nothing = || reach.is_some().then(|| vec![0.0; features.len() + 1]);
    let weights = weights.or_else(nothing)?;
    Some(Arc::new(evaluator(&features, weights).within(reach)))
}

/// The features but the ways to win, and their weights, if these foretell as much as those `fitted` with the ways.
fn without_ways(
    features: &[Feature],
    samples: &Samples,
    fitted: &[f64],
) -> Option<(Vec<Feature>, Vec<f64>)> {
    let is_cheap = |feature: &Feature| !matches!(feature.measure, Measure::Missing { .. });
    let is_kept: Vec<bool> = features.iter().map(is_cheap).collect();
    if !is_kept.contains(&true) || !is_kept.contains(&false) {
        return None;
    }
    let few = samples.of_columns(&is_kept);
    let weights = fit(&few);
    let worth = surprise(&few, &weights) - surprise(samples, fitted);
    let rest = features.iter().filter(|feature| is_cheap(feature));
    (worth < WORTH).then(|| (rest.cloned().collect(), weights))
}

/// Where games are played, and notes taken.
struct School<'s, G: Engine> {
    game: &'s G,
    role: Role,
    features: &'s [Feature],
    ways: &'s Ways,
    evaluator: Option<&'s Arc<Evaluator>>,
    round: u64,
    clock: &'s SearchClock,
    /// Ladders of which no game is played at the moment: making one takes longer than many a game.
    ladders: Mutex<Vec<Rungs<'s, G>>>,
}

impl<'s, G: Engine> School<'s, G> {
    /// What a round of games brings, on all cores: the same on any number of them.
    fn samples(&self) -> Samples {
        let (mut samples, mut states) = (Samples::default(), 0);
        for first in (0..GAMES).step_by(AT_ONCE as usize) {
            if states > STATES || self.clock.is_over() {
                break;
            }
            let games = (first..first + AT_ONCE).into_par_iter();
            let played = games.map(|number| {
                let mut ladder = self.ladder();
                let played = self.play(&mut ladder, number);
                self.resting().push(ladder);
                played
            });
            for (of_game, looked_at) in played.collect::<Vec<_>>() {
                samples.rows.extend(of_game.rows);
                samples.results.extend(of_game.results);
                states += looked_at;
            }
        }
        samples
    }

    /// A ladder that rests, or a new one.
    fn ladder(&self) -> Rungs<'s, G> {
        // By itself, so that nobody waits while one is made.
        let resting = self.resting().pop();
        if let Some(ladder) = resting {
            return ladder;
        }
        let judge = self.evaluator.cloned().map(Judge::Learned);
        let mut rungs = Rungs::new(self.game, &self.game.initial(), self.role, judge);
        rungs.mark_facts();
        rungs
    }

    fn resting(&self) -> MutexGuard<'_, Vec<Rungs<'s, G>>> {
        self.ladders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The samples of one game, and how many states were looked at for it.
    fn play(&self, ladder: &mut dyn Ladder, number: u64) -> (Samples, usize) {
        let seed = self.round * GAMES + number;
        let counted = (self.features, self.ways);
        Pupil::new(ladder, counted, self.evaluator.is_some(), seed).play(self.clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_to_win_that_foretell_nothing_are_left_out() {
        let feature = |measure| Feature {
            heuristic: "any",
            about: String::new(),
            measure,
        };
        let ways = Measure::Missing { role: 0, facts: 1 };
        let features = [feature(ways), feature(Measure::Facts(vec![(0, 1.0)]))];
        let told_by = |column: usize| {
            let bits = (0..400).map(|number| [f64::from(number & 1), f64::from(number >> 1 & 1)]);
            let rows: Vec<Vec<f64>> = bits.map(Vec::from).collect();
            let results = rows.iter().map(|row| row[column]).collect();
            let samples = Samples { rows, results };
            without_ways(&features, &samples, &fit(&samples))
        };
        assert!(told_by(0).is_none());
        let (kept, weights) = told_by(1).unwrap();
        assert!(matches!(
            kept[..],
            [Feature {
                measure: Measure::Facts(_),
                ..
            }]
        ));
        assert!(weights.len() == 2 && weights[0] > 1.0);
        let samples = Samples {
            rows: vec![vec![1.0]; 9],
            results: vec![1.0; 9],
        };
        let alone = without_ways(&features[..1], &samples, &fit(&samples));
        assert!(alone.is_none(), "there is nothing else to count");
    }
}
