//! A long training: several runs at a time, compared with the weights that players learn by themselves.
//!
//! Each run plays games of its own. At equal distances, the mean of the weights since about half of the time is compared with the usual
//! weights by short matches; so are all runs at the end, and the mean over all of them. The best of these is the result. Where nothing was
//! learned in the time of the usual weights, nothing is compared.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

use super::duel::{CalibrationDecile, calibration, share_of_points};
use super::game_model::game_model;
use super::model::EvaluationModel;
use super::saved::{SavedWeights, WeightsSubject, most_hidden_units};
use super::self_play::GamesInProgress;
use super::shapes::TupleSize;
use super::taught::{TaughtTargets, Teacher};
use super::threats::Threats;
use super::training::{GROUPS, Training, groups};
use super::training_plan::{TrainingPlan, TrainingRecord};
use super::weights::LearnedWeights;
use crate::game::{Engine, Role};
use crate::search::Heuristics;
use crate::search::limits::SearchClock;
use crate::symmetry::fact_symmetries;
use crate::util::StopFlag;

/// Points of the learning curve at most, and how many seconds apart they are at least: each is written to a file, too.
const MOST_POINTS: u64 = 16;
const SECONDS_OF_POINT: f64 = 5.0;
/// Games of each comparison on the way, and at the end.
const GAMES: u64 = 200;
const FINAL_GAMES: u64 = 800;
/// Which parts of the time go to learning, to the comparisons on the way, and to those at the end.
const LEARNING: f64 = 0.75;
const COMPARING: f64 = 0.125;
const CHOOSING: f64 = 0.125;
/// How long the usual weights may take where no time is given.
pub(super) const USUAL_TIME: Duration = Duration::from_secs(5);
/// Where one is given, they may take this share of it beforehand, but no less than that and no more than this: where games are long, none ends in
/// the first seconds.
const USUAL_SHARE: f64 = 0.125;
const MOST_USUAL_TIME: Duration = Duration::from_secs(60);

/// On so many threads, one run plays its groups of games at a time.
pub const THREADS_OF_RUN: usize = GROUPS as usize;

/// What is asked of a long training.
pub struct TrainingCourse<'c> {
    /// The number of the role; where what one of two roles wins, the other loses, weights are for both.
    pub role: usize,
    /// How long to learn.
    pub time: Option<Duration>,
    /// States of self-play of each run at most.
    pub states: Option<u64>,
    /// How many runs learn apart from each other.
    pub runs: usize,
    /// The threads that play and learn; what a run learns from a number of states does not depend on how many.
    pub pool: &'c ThreadPool,
    /// What the games of the first run are drawn from; those of the others from the numbers after it.
    pub seed: u64,
    /// How large tuples may be, where nothing is gone on with.
    pub size: TupleSize,
    /// Hidden units of each turn beside what players weigh, where nothing is gone on with: at most
    /// [`MOST_HIDDEN_UNITS`](super::MOST_HIDDEN_UNITS), and fewer in a game of many thousands of facts.
    pub hidden: usize,
    /// What tells targets, in place of the ends of games.
    pub teacher: Option<&'c Teacher<'c>>,
    /// Weights to go on with.
    pub start: Option<&'c SavedWeights>,
    /// The name of the game, and the digest of its rules.
    pub subject: (String, String),
    /// Raised to end it: what was learned until then counts.
    pub stop: &'c StopFlag,
    /// Told of each point of the learning curve, with the weights there.
    pub report: &'c dyn Fn(&CoursePoint, &SavedWeights),
}

/// A point of the learning curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoursePoint {
    /// What all runs took so far.
    pub training: TrainingRecord,
    /// The points of 100 that the mean over all runs gets against the usual weights, one ply deep.
    pub score: Option<f64>,
}

/// The result of a long training.
#[derive(Debug, Clone)]
pub struct CourseResult {
    /// The best weights.
    pub weights: SavedWeights,
    /// The points of 100 that each run gets against the usual weights, one ply deep.
    pub runs: Vec<Option<f64>>,
    /// Those of the mean over all runs, where there are several.
    pub mean: Option<f64>,
    /// The number of the run that is the best; none where the mean is.
    pub best: Option<usize>,
    /// How the values of the best weights agree with the results of other games.
    pub calibration: [CalibrationDecile; 10],
}

/// A run of self-play.
struct CourseRun<'g> {
    training: Training<'g>,
    groups: Vec<GamesInProgress<'g>>,
}

impl CourseRun<'_> {
    /// Whether the game begins, and gives something to weigh.
    fn can_learn(&self) -> bool {
        !self.groups.is_empty() && !self.training.weighs_nothing()
    }

    /// Plays and learns a step, unless so many states were expanded.
    fn step(&mut self, states: u64) {
        if self.training.expanded() < states {
            self.training.step(&mut self.groups);
            self.training.add_to_mean();
        }
    }
}

/// A course on its way.
struct LongTraining<'g, 'c, G> {
    game: &'g G,
    learner: Role,
    shares_points: bool,
    course: &'c TrainingCourse<'c>,
    /// The weights that players learn by themselves, where they learn any in their time.
    usual: Option<EvaluationModel>,
    /// What threatens cells, for players.
    threats: Option<Arc<Threats>>,
    runs: Vec<CourseRun<'g>>,
    begin: Instant,
}

impl LearnedWeights {
    /// Learns for long; nothing where a game gives nothing to learn, or the teacher tells nothing of the role.
    pub fn train<G: Engine>(
        &mut self,
        game: &G,
        course: &TrainingCourse<'_>,
    ) -> Option<CourseResult> {
        let usual_time = course.time.map_or(USUAL_TIME, |time| {
            time.mul_f64(USUAL_SHARE).clamp(USUAL_TIME, MOST_USUAL_TIME)
        });
        let clock = SearchClock::within(usual_time, course.stop);
        let role = Role(course.role);
        let plan = TrainingPlan::default();
        let usual = course.pool.install(|| self.learn(game, role, plan, &clock));
        let usual = usual.evaluator.map(|usual| usual.model().clone());
        let shares_points = self.shares_points();
        let mut on_its_way = LongTraining {
            game,
            learner: if shares_points { Role(0) } else { role },
            shares_points,
            course,
            usual,
            threats: game_model(game, TrainingPlan::default()).threats,
            runs: Vec::new(),
            begin: Instant::now(),
        };
        if course.teacher.is_some() && on_its_way.taught().is_none() {
            return None;
        }
        on_its_way.begin();
        if !on_its_way.runs.iter().all(CourseRun::can_learn) {
            return None;
        }
        on_its_way.learn();
        on_its_way.result()
    }
}

impl<'g, 'c: 'g, G: Engine> LongTraining<'g, 'c, G> {
    /// Gets all runs ready.
    fn begin(&mut self) {
        let time = self.course.time.unwrap_or(Duration::MAX);
        let clock = SearchClock::within(time, self.course.stop);
        let symmetries = fact_symmetries(self.game, self.shares_points, &clock.deadline);
        let played = self.course.start.map(|start| start.training().games);
        let taught = self.taught();
        for number in 0..self.course.runs.max(1) as u64 {
            let plan = TrainingPlan {
                heuristics: Heuristics::ALL,
                states: None,
                grows: false,
                seed: self.course.seed.wrapping_add(number),
                size: self.course.size,
            };
            let model = match self.course.start {
                Some(start) => self.with_usual_threats(start.model()),
                None => {
                    let model = game_model(self.game, plan);
                    let most = most_hidden_units(model.facts(), model.weights.len());
                    model.with_hidden(self.course.hidden.min(most))
                }
            };
            let played = played.unwrap_or(0);
            let plan_and_threats = (plan, model.threats.as_ref());
            let groups = groups(self.game, self.learner, plan_and_threats, played, &clock);
            let training = Training::new(model, symmetries.clone(), plan);
            self.runs.push(CourseRun {
                training: training.resumed(played).taught(taught),
                groups,
            });
        }
    }

    /// The teacher, if there is one that tells something of the role.
    fn taught(&self) -> Option<TaughtTargets<'g>> {
        let (teacher, facts) = self.course.teacher.zip(self.game.game_facts())?;
        let taught = TaughtTargets::new(teacher, facts, self.learner);
        taught.is_known().then_some(taught)
    }

    /// Weights to go on with, with the threats that the usual ones know: both play on one stack.
    fn with_usual_threats(&self, start: &EvaluationModel) -> EvaluationModel {
        match (&start.threats, &self.threats) {
            (None, Some(threats)) => start.with_new_threats(Arc::clone(threats)),
            _ => start.clone(),
        }
    }

    /// Goes on to the end, from point to point; those at which there is nothing new are left out.
    fn learn(&mut self) {
        let points = self.points();
        let each = 1.0 / points as f64;
        let mut known_states = None;
        for point in 1..=points {
            // What writing takes is taken from learning, so that the time is kept.
            let until = (LEARNING + COMPARING) * point as f64 * each - COMPARING * each;
            let clock = self.clock_until(until);
            let states = self.course.states.unwrap_or(u64::MAX);
            let states = (u128::from(states) * u128::from(point) / u128::from(points)) as u64;
            self.learn_until(states, &clock);
            if self.course.stop.is_raised() {
                return;
            }
            let training = self.record();
            if known_states == Some(training.states) {
                continue;
            }
            known_states = Some(training.states);
            let Some(mean) = self.mean() else {
                return;
            };
            let score = self.score(&mean, GAMES, COMPARING * each);
            let known = CoursePoint { training, score };
            (self.course.report)(&known, &self.saved(&mean));
            if point.is_power_of_two() && point < points {
                let trainings = self.runs.iter_mut().map(|run| &mut run.training);
                trainings.for_each(Training::forget_mean);
            }
        }
    }

    /// All runs play and learn step by step, so that each gets as far as the others on any number of threads.
    fn learn_until(&mut self, states: u64, clock: &SearchClock) {
        let runs = &mut self.runs;
        self.course.pool.install(|| {
            let is_short = |run: &CourseRun<'_>| run.training.expanded() < states;
            while runs.iter().any(is_short) && !clock.is_over() {
                runs.par_iter_mut().for_each(|run| run.step(states));
            }
            runs.par_iter_mut().for_each(|run| run.training.catch_up());
        });
    }

    /// How many points the learning curve has.
    fn points(&self) -> u64 {
        self.course.time.map_or(MOST_POINTS, |time| {
            let seconds = (LEARNING + COMPARING) * time.as_secs_f64();
            ((seconds / SECONDS_OF_POINT) as u64).clamp(1, MOST_POINTS)
        })
    }

    /// The best of all runs and their mean.
    fn result(&self) -> Option<CourseResult> {
        if self.runs.iter().all(|run| run.training.games() == 0) {
            return None;
        }
        let models = self.runs.iter().map(|run| run.training.averaged());
        let models: Vec<EvaluationModel> = models.collect();
        // Those of the runs, that of their mean, and the calibration.
        let each = CHOOSING / (models.len() + 2) as f64;
        let runs: Vec<Option<f64>> = models
            .iter()
            .map(|model| self.score(model, FINAL_GAMES, each))
            .collect();
        let mean = self.mean()?;
        let of_mean = (models.len() > 1).then(|| self.score(&mean, FINAL_GAMES, each));
        let of_mean = of_mean.flatten();
        // Of equals, the mean.
        let better = (0..runs.len()).filter(|&run| runs[run] > of_mean);
        let best = better.max_by(|&one, &other| {
            let of = |run: usize| runs[run].unwrap_or(0.0);
            of(one).total_cmp(&of(other))
        });
        let best = best.or((models.len() == 1).then_some(0));
        let taken = best.map_or(&mean, |best| &models[best]);
        let (game, learner, clock) = (self.game, self.learner, self.clock(each));
        let pool = self.course.pool;
        let calibration = pool.install(|| calibration(game, learner, taken, FINAL_GAMES, &clock));
        Some(CourseResult {
            calibration,
            weights: self.saved(taken),
            runs,
            mean: of_mean,
            best,
        })
    }

    /// The mean of the weights over all runs; none where there is no run.
    fn mean(&self) -> Option<EvaluationModel> {
        let mut runs = self.runs.iter().map(|run| run.training.averaged());
        let mut mean = runs.next()?;
        for (count, run) in (2u16..).zip(runs) {
            mean.approach(&run, 1.0 / f32::from(count));
        }
        mean.round();
        Some(mean)
    }

    /// A clock for this part of the time that the training has, if it has one.
    fn clock(&self, part: f64) -> SearchClock {
        let time = self.course.time;
        let time = time.map_or(Duration::MAX, |time| time.mul_f64(part));
        SearchClock::within(time, self.course.stop)
    }

    /// A clock until this part of the time is over, if there is a time.
    fn clock_until(&self, part: f64) -> SearchClock {
        let time = self.course.time;
        let until = time.map_or(Duration::MAX, |time| time.mul_f64(part));
        SearchClock::within(until.saturating_sub(self.begin.elapsed()), self.course.stop)
    }

    /// Points of 100 against the usual weights, by what can be played in this part of the time.
    fn score(&self, model: &EvaluationModel, games: u64, part: f64) -> Option<f64> {
        let clock = self.clock(part);
        let models = [model, self.usual.as_ref()?];
        let (game, learner) = (self.game, self.learner);
        let play = || share_of_points(game, learner, models, (games, 0), &clock);
        let share = self.course.pool.install(play);
        share.map(|share| 100.0 * share)
    }

    /// What was done, that of the weights at the start included.
    fn record(&self) -> TrainingRecord {
        let before = self.course.start.map(|start| *start.training());
        let before = before.unwrap_or_default();
        let trainings = self.runs.iter().map(|run| &run.training);
        let new_games = |training: &Training| training.games() - before.games;
        TrainingRecord {
            states: before.states + trainings.clone().map(Training::expanded).sum::<u64>(),
            games: before.games + trainings.map(new_games).sum::<u64>(),
            seconds: before.seconds + self.begin.elapsed().as_secs_f64(),
            cut_short: self.course.time.is_some(),
            seconds_to_double: 0.0,
        }
    }

    fn saved(&self, model: &EvaluationModel) -> SavedWeights {
        let (game, rules) = self.course.subject.clone();
        let subject = WeightsSubject {
            game,
            rules,
            role: self.learner.0,
            shares_points: self.shares_points,
        };
        let heuristics = Heuristics::ALL;
        let about = (subject, self.record());
        SavedWeights::of(model, self.game.game_facts(), heuristics, about)
    }
}
