//! Two sets of weights compared: games between them with one ply of look-ahead, many at a time.

use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::model::{EvaluationModel, Parent};
use super::self_play::{FinishedSelfPlay, GamesInProgress, SelfPlayNumbers, SelfPlayers};
use crate::game::{Engine, Role};
use crate::search::alphabeta::plies::EngineStack;
use crate::search::alphabeta::stack::SearchStack;
use crate::search::limits::SearchClock;

/// Groups of games that are played in parallel.
const GROUPS: u64 = 8;
/// Plies between two looks at how many games have ended.
const PLIES: usize = 16;
/// Apart from the seeds of trainings.
const SEED: u64 = 1 << 20;

/// The share of the points, from 0 to 1, that the first of two models gets against the second one in so many games, whose numbers begin with
/// the second one of `games`: in pairs that begin with the same random plies, each side once for each model. Nothing where the time is up before.
pub(super) fn share_of_points<G: Engine>(
    game: &G,
    role: Role,
    models: [&EvaluationModel; 2],
    (games, first): (u64, u64),
    clock: &SearchClock,
) -> Option<f64> {
    let first = first.next_multiple_of(2);
    let of_group = games.div_ceil(GROUPS).next_multiple_of(2);
    let groups = (0..GROUPS).into_par_iter();
    let sums = groups.map(|group| {
        let numbers = first + group * of_group..first + (group + 1) * of_group;
        of_games(game, role, models, &numbers, clock)
    });
    let sums = sums.collect::<Option<Vec<(f64, u64)>>>()?;
    let (points, ended) = sums
        .iter()
        .fold((0.0, 0), |sum, group| (sum.0 + group.0, sum.1 + group.1));
    (ended > 0).then(|| points / ended as f64)
}

/// States of one tenth of the values, and what came of them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CalibrationDecile {
    /// How many states had such a value.
    pub states: u64,
    /// The mean of their values, from 0 to 100.
    pub value: f64,
    /// The mean of the points that their games ended with.
    pub points: f64,
}

/// How values agree with the results of games that a model plays against itself, by tenths of the values. The games belong to no
/// training.
pub(super) fn calibration<G: Engine>(
    game: &G,
    role: Role,
    model: &EvaluationModel,
    games: u64,
    clock: &SearchClock,
) -> [CalibrationDecile; 10] {
    let of_group = games.div_ceil(GROUPS);
    let groups = (0..GROUPS).into_par_iter();
    let played = groups.map(|group| {
        let numbers = group * of_group..(group + 1) * of_group;
        finished(game, role, SelfPlayers::alone(model), &numbers, 1, clock)
    });
    let played: Vec<Option<Vec<FinishedSelfPlay>>> = played.collect();
    let mut deciles = [CalibrationDecile::default(); 10];
    let mut parent = Parent::default();
    for over in played.iter().flatten().flatten() {
        let Some(result) = over.result else { continue };
        for sample in &over.samples {
            let value = 100.0 * f64::from(model.value(&sample.words, sample.choices, &mut parent));
            let decile = &mut deciles[((value / 10.0) as usize).min(9)];
            decile.states += 1;
            decile.value += value;
            decile.points += 100.0 * f64::from(result);
        }
    }
    for decile in &mut deciles {
        let states = decile.states.max(1) as f64;
        decile.value /= states;
        decile.points /= states;
    }
    deciles
}

/// The points of the first model in the games with these numbers, and how many of them ended.
fn of_games<G: Engine>(
    game: &G,
    role: Role,
    models: [&EvaluationModel; 2],
    numbers: &Range<u64>,
    clock: &SearchClock,
) -> Option<(f64, u64)> {
    let players = SelfPlayers::against(models);
    let (mut points, mut ended) = (0.0, 0);
    for over in finished(game, role, players, numbers, 2, clock)? {
        if let Some(result) = over.result {
            ended += 1;
            let is_searcher = over.number % 2 == 0;
            points += f64::from(if is_searcher { result } else { 1.0 - result });
        }
    }
    Some((points, ended))
}

/// The games with these numbers, so many adjacent ones from one opening. Nothing where the time is up before all of them have ended.
fn finished<G: Engine>(
    game: &G,
    role: Role,
    players: SelfPlayers<'_>,
    numbers: &Range<u64>,
    alike: u64,
    clock: &SearchClock,
) -> Option<Vec<FinishedSelfPlay>> {
    let count = (numbers.end - numbers.start) as usize;
    let mut stack = EngineStack::new(game, &game.initial(), role, None);
    stack.mark_facts(players.threats());
    stack.evaluate_from(1);
    stack.set_deadline(Some(&clock.deadline));
    let begin = SelfPlayNumbers {
        first: numbers.start,
        step: 1,
        seed: SEED,
        alike,
    };
    let mut playing = GamesInProgress::new(Box::new(stack), count, begin);
    let mut finished = Vec::new();
    while finished.len() < count {
        if clock.is_over() {
            return None;
        }
        // Games that begin in place of those that ended are not asked for.
        let over = playing.play(PLIES, Some(players)).into_iter();
        finished.extend(over.filter(|over| numbers.contains(&over.number)));
    }
    Some(finished)
}
