//! What all evaluations of a search tell together.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::amaf::{AmafFit, AmafRegression, AmafSample};

/// Statistics over all evaluations. What selection and backpropagation ask for all the time is read without a lock.
#[derive(Debug)]
pub(super) struct EvaluationStatistics {
    /// By role, the standard deviation of evaluations, as bits.
    deviations: Box<[AtomicU32]>,
    is_constant_sum: AtomicBool,
    /// Whether the AMAF means proved worthless.
    is_amaf_worthless: AtomicBool,
    gathered: Mutex<Gathered>,
}

#[derive(Debug)]
struct Gathered {
    /// By role, whether chance plays it.
    chance: Vec<bool>,
    deviations: Vec<RunningDeviation>,
    /// The least and the greatest sum of the players' goals over all evaluations.
    goal_sums: Option<(f64, f64)>,
    regression: AmafRegression,
}

impl EvaluationStatistics {
    /// Before any evaluation; `chance` says of each role whether chance plays it.
    pub(super) fn new(chance: &[bool]) -> Self {
        let roles = || std::iter::repeat_n(RunningDeviation::default(), chance.len());
        let gathered = Gathered {
            chance: chance.to_vec(),
            deviations: roles().collect(),
            goal_sums: None,
            regression: AmafRegression::default(),
        };
        let deviations = roles().map(|deviation| AtomicU32::new(deviation.std_dev().to_bits()));
        Self {
            deviations: deviations.collect(),
            is_constant_sum: AtomicBool::new(gathered.is_constant_sum()),
            is_amaf_worthless: AtomicBool::new(false),
            gathered: Mutex::new(gathered),
        }
    }

    fn gathered(&self) -> MutexGuard<'_, Gathered> {
        let gathered = self.gathered.lock();
        gathered.unwrap_or_else(PoisonError::into_inner)
    }

    /// The standard deviation of the evaluations of a role, in goal points.
    pub(super) fn deviation(&self, role: usize) -> f32 {
        f32::from_bits(self.deviations[role].load(Relaxed))
    }

    /// Whether proved bounds are bounds of the value under rational play: true for one player, and for two players as
    /// long as all evaluations had the same sum of goals.
    pub(super) fn is_constant_sum(&self) -> bool {
        self.is_constant_sum.load(Relaxed)
    }

    /// Whether so many samples show nothing of AMAF means that counting facts would only take time.
    pub(super) fn is_amaf_worthless(&self) -> bool {
        self.is_amaf_worthless.load(Relaxed)
    }

    /// How evaluations of moves follow from AMAF means, if they do.
    pub(super) fn amaf_fit(&self) -> Option<AmafFit> {
        self.gathered().regression.fit()
    }

    /// Records evaluations, and goals, which may be the means of several playouts: the values of all roles each.
    pub(super) fn record<'v>(
        &self,
        evaluations: impl Iterator<Item = &'v [f64]>,
        goals: impl Iterator<Item = &'v [f64]>,
    ) {
        let mut gathered = self.gathered();
        evaluations.for_each(|values| gathered.record_evaluation(values));
        goals.for_each(|goals| gathered.record_goals(goals));
        for (shown, deviation) in self.deviations.iter().zip(&gathered.deviations) {
            shown.store(deviation.std_dev().to_bits(), Relaxed);
        }
        let is_constant_sum = gathered.is_constant_sum();
        self.is_constant_sum.store(is_constant_sum, Relaxed);
    }

    /// Records samples of what AMAF means tell of evaluations.
    pub(super) fn record_samples(&self, samples: impl Iterator<Item = AmafSample>) {
        let mut gathered = self.gathered();
        samples.for_each(|sample| gathered.regression.add(sample));
        let is_worthless = gathered.regression.is_worthless();
        self.is_amaf_worthless.store(is_worthless, Relaxed);
    }
}

impl Gathered {
    fn record_evaluation(&mut self, values: &[f64]) {
        for (deviation, value) in self.deviations.iter_mut().zip(values) {
            deviation.add(*value);
        }
    }

    fn record_goals(&mut self, goals: &[f64]) {
        let players = goals.iter().zip(&self.chance);
        let sum: f64 = players
            .map(|(goal, chance)| if *chance { 0.0 } else { *goal })
            .sum();
        let (least, most) = self.goal_sums.unwrap_or((sum, sum));
        self.goal_sums = Some((least.min(sum), most.max(sum)));
    }

    fn is_constant_sum(&self) -> bool {
        match self.chance.iter().filter(|chance| !**chance).count() {
            0 | 1 => true,
            2 => {
                // Means of goals are subject to rounding.
                let same = |(least, most)| most - least < 1e-6;
                self.goal_sums.is_some_and(same)
            }
            _ => false,
        }
    }
}

/// The standard deviation of evaluations, as an exponential moving average.
#[derive(Debug, Clone, Copy, Default)]
struct RunningDeviation {
    count: f64,
    mean: f64,
    variance: f64,
}

impl RunningDeviation {
    /// The length of the moving average, in evaluations.
    const WINDOW: f64 = 2000.0;
    /// A lower limit in goal points, so that exploration goes on where all evaluations are equal.
    const MIN_DEVIATION: f64 = 1.0;

    /// Adds one evaluation.
    fn add(&mut self, value: f64) {
        self.count = (self.count + 1.0).min(Self::WINDOW);
        let difference = value - self.mean;
        self.mean += difference / self.count;
        self.variance += (difference * (value - self.mean) - self.variance) / self.count;
    }

    /// The standard deviation, in goal points.
    fn std_dev(&self) -> f32 {
        self.variance.sqrt().max(Self::MIN_DEVIATION) as f32
    }
}
