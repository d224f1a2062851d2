//! All moves as first: the value of a move by all playouts in which it comes about at any time, as far as that predicts evaluations.
//!
//! In a node, each move has an AMAF mean: that of the playouts below the node at whose end the fact holds that the move makes. (Gelly and Silver
//! 2007, *Combining online and offline knowledge in UCT*, count playouts in which the move is made.) In some games this mean predicts well what a
//! move is worth, and some dozens of playouts give it for all moves, where visits of all moves take thousands. In others it predicts nothing. A
//! regression over the evaluations of the search finds out how much of the next evaluation of a move follows from the mean of its own evaluations, and
//! how much from its AMAF mean. The AMAF mean then counts as the number of visits that have the same weight.

use std::ops::Range;
use std::sync::atomic::AtomicU64;

use super::node::{Arm, Movers};
use super::select::{TreePath, TreePaths};
use super::tree::Tree;
use super::words::{floats, halves, set_floats, set_halves};

/// The results of the playouts from a leaf at whose end a fact holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct FactMean {
    /// The share of the playouts at whose end it holds.
    share: f32,
    /// The mean goal in these of the role that makes the fact.
    mean: f32,
}

/// The results of the playouts below a node at whose end the fact holds that a move makes.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoveAmaf {
    /// The index of the fact.
    fact: u32,
    /// The sum of the shares of playouts at whose end it holds.
    weight: f32,
    /// The mean goal in these playouts.
    mean: f32,
}

impl FactMean {
    /// Of `each` playouts, given those with the fact: the sum of the goals, and their number.
    pub(super) fn of((sum, count): (u64, u64), each: u32) -> Self {
        Self {
            share: count as f32 / each as f32,
            mean: sum as f32 / count.max(1) as f32,
        }
    }
}

/// What the tree stores of it.
pub(super) type AmafRow = [AtomicU64; 2];

impl From<&AmafRow> for MoveAmaf {
    fn from([fact, values]: &AmafRow) -> Self {
        let (weight, mean) = floats(values);
        Self {
            fact: halves(fact).0,
            weight,
            mean,
        }
    }
}

impl MoveAmaf {
    pub(super) fn store(self, [fact, values]: &AmafRow) {
        set_halves(fact, (self.fact, 0));
        set_floats(values, (self.weight, self.mean));
    }

    pub(super) fn of(fact: u32) -> Self {
        Self {
            fact,
            weight: 0.0,
            mean: 0.0,
        }
    }

    /// The weight of the playouts after other moves of the node, at least, if the move has so many visits: after the move itself, the
    /// fact holds, if it lasts.
    fn weight_of_others(&self, visits: u32) -> f32 {
        (self.weight - visits as f32).max(0.0)
    }

    fn add(&mut self, found: FactMean) {
        if found.share > 0.0 {
            self.weight += found.share;
            self.mean += (found.mean - self.mean) * found.share / self.weight;
        }
    }
}

/// A regression of evaluations of moves on what was known of the moves before: the mean of their evaluations so far, and the AMAF mean.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AmafRegression {
    /// The number of evaluations, and the sum of the visits before each.
    count: f64,
    visits: f64,
    /// Sums of products: `m` is the mean of the evaluations so far, `a` the AMAF mean, `e` the evaluation.
    mm: f64,
    ma: f64,
    aa: f64,
    me: f64,
    ae: f64,
}

/// An evaluation of a move and what was known before, relative to the value of the node.
#[derive(Debug, Clone, Copy)]
pub(super) struct AmafSample {
    evaluation: f64,
    mean: f64,
    /// The visits of the move before.
    visits: f64,
    amaf: f64,
}

/// How evaluations of moves follow from AMAF means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AmafFit {
    /// How much more a move is worth, before it is visited, by a point of its AMAF mean.
    slope: f32,
    /// The number of visits whose mean tells as much as the AMAF mean.
    visits: f32,
    /// The variance of the AMAF means.
    spread: f32,
}

/// The visits of a move before an evaluation that is a sample: enough for a mean, not so many that an AMAF mean hardly matters.
const SAMPLED_VISITS: Range<u32> = 4..32;

impl AmafRegression {
    /// Older samples count half when there are so many.
    const WINDOW: f64 = 8192.0;
    /// The regression begins with so many samples without any relation; fewer say nothing.
    const UNRELATED: f64 = 64.0;

    pub(super) fn add(&mut self, sample: AmafSample) {
        if self.count >= Self::WINDOW {
            self.halve();
        }
        let AmafSample {
            evaluation,
            mean,
            visits,
            amaf,
        } = sample;
        self.count += 1.0;
        self.visits += visits;
        self.mm += mean * mean;
        self.ma += mean * amaf;
        self.aa += amaf * amaf;
        self.me += mean * evaluation;
        self.ae += amaf * evaluation;
    }

    fn halve(&mut self) {
        let Self {
            count,
            visits,
            mm,
            ma,
            aa,
            me,
            ae,
        } = self;
        for sum in [count, visits, mm, ma, aa, me, ae] {
            *sum /= 2.0;
        }
    }

    /// Whether so many samples show nothing that counting facts would only take time.
    pub(super) fn is_worthless(&self) -> bool {
        const ENOUGH: f64 = AmafRegression::WINDOW / 2.0;
        self.count >= ENOUGH && self.fit().is_none_or(|fit| fit.visits < 1.0)
    }

    /// `None` while there are few samples, or where the AMAF means say nothing of evaluations.
    pub(super) fn fit(&self) -> Option<AmafFit> {
        if self.count < Self::UNRELATED {
            return None;
        }
        let ridge = 1.0 + Self::UNRELATED / self.count;
        let (mm, aa) = (self.mm * ridge, self.aa * ridge);
        let determinant = mm * aa - self.ma * self.ma;
        let by_mean = (self.me * aa - self.ae * self.ma) / determinant;
        let by_amaf = (self.ae * mm - self.me * self.ma) / determinant;
        // In a few samples, one of them may seem to tell everything.
        let by_mean = by_mean.clamp(0.05, 0.95);
        let by_amaf = by_amaf.min(1.0 - by_mean);
        // What both leave open draws a value to that of the node, but counts for no visits: moves would be explored less for nothing.
        (by_amaf > 0.0).then(|| AmafFit {
            slope: (by_amaf / (1.0 - by_mean)) as f32,
            visits: (self.visits / self.count * by_amaf / by_mean) as f32,
            spread: (self.aa / self.count) as f32,
        })
    }
}

/// The predictions of the values of one role's moves in a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Predictor {
    fit: AmafFit,
    /// The value of the node, the AMAF mean there, and the variance of evaluations.
    value: f32,
    mean: f32,
    variance: f32,
}

/// The predicted value of a move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prediction {
    value: f32,
    /// The number of visits it counts for.
    pub(super) visits: f32,
}

impl Prediction {
    /// Nothing but the value of the node.
    pub(super) fn none(value: f32) -> Self {
        Self { value, visits: 0.0 }
    }

    /// The value together with the mean of so many visits.
    pub(super) fn combined(self, mean: f32, visits: f32) -> f32 {
        match (visits, self.visits) {
            (0.0, _) => self.value,
            (_, 0.0) => mean,
            _ => self.value + (mean - self.value) * visits / (visits + self.visits),
        }
    }
}

impl Predictor {
    /// The prediction for a move of so many visits. An AMAF mean of few playouts is trusted in proportion to how much of its variance is
    /// not by chance.
    pub(super) fn of(&self, amaf: &MoveAmaf, visits: u32) -> Prediction {
        let known = amaf.weight_of_others(visits) * self.fit.spread;
        let trust = known / (known + self.variance);
        Prediction {
            value: self.value + self.fit.slope * trust * (amaf.mean - self.mean),
            visits: self.fit.visits * trust,
        }
    }
}

impl Tree {
    /// The AMAF means of a role's moves in an expanded node; `None` where playouts do not count facts.
    fn amafs(&self, node: u32, role: usize) -> Option<&[AmafRow]> {
        self.tracks_facts()
            .then(|| &self.amafs[self.range(node, role)])
    }

    /// Adds the results of the playouts from the end of a path, by fact, to the moves along the path that make these facts. Only where
    /// one role has a choice, AMAF means are used.
    pub(super) fn add_fact_means(&self, paths: &TreePaths, path: &TreePath, means: &[FactMean]) {
        if means.is_empty() {
            return;
        }
        for (node, _) in paths.upwards(path, self.roles) {
            let Movers::One(mover) = self.movers(node) else {
                continue;
            };
            for row in self.amafs(node, mover).unwrap_or_default() {
                let mut amaf = MoveAmaf::from(row);
                if let Some(&found) = means.get(amaf.fact as usize) {
                    amaf.add(found);
                    amaf.store(row);
                }
            }
        }
    }

    /// The evaluation of the selected move of the only role with a choice as a sample, before it is added to the node.
    pub(super) fn amaf_sample(
        &self,
        node: u32,
        picks: &[u32],
        values: &[f64],
    ) -> Option<AmafSample> {
        let Movers::One(mover) = self.movers(node) else {
            return None;
        };
        let amafs = self.amafs(node, mover).filter(|amafs| amafs.len() > 1)?;
        if !self.counts_facts() {
            return None;
        }
        let pick = picks[mover] as usize;
        let (arm, amaf) = (
            Arm(&self.arms(node, mover)[pick]),
            MoveAmaf::from(&amafs[pick]),
        );
        let visits = arm.visits().done();
        let tells = SAMPLED_VISITS.contains(&visits) && amaf.weight_of_others(visits) > 1.0;
        tells.then(|| {
            let value = self.expected(node, mover);
            AmafSample {
                evaluation: values[mover] - value,
                mean: f64::from(arm.mean()) - value,
                visits: visits.into(),
                amaf: f64::from(amaf.mean - amaf_mean(amafs)),
            }
        })
    }

    /// Whether playouts are to count facts, now and for as long as the tree is kept.
    pub(super) fn counts_facts(&self) -> bool {
        self.tracks_facts() && !self.statistics.is_amaf_worthless()
    }

    /// How evaluations of moves follow from AMAF means; `None` where these predict nothing.
    pub(super) fn amaf_fit(&self) -> Option<AmafFit> {
        self.counts_facts().then(|| self.statistics.amaf_fit())?
    }

    /// Predicts the values of a role's moves in an expanded node from their AMAF means.
    pub(super) fn predictor(
        &self,
        node: u32,
        role: usize,
        fit: AmafFit,
    ) -> Option<(Predictor, &[AmafRow])> {
        let amafs = self.amafs(node, role)?;
        let predictor = Predictor {
            fit,
            value: self.expected(node, role) as f32,
            mean: amaf_mean(amafs),
            variance: self.statistics.deviation(role).powi(2),
        };
        Some((predictor, amafs))
    }
}

/// The AMAF mean of all moves of a role in a node.
fn amaf_mean(amafs: &[AmafRow]) -> f32 {
    let add = |(weight, sum): (f32, f32), amaf: MoveAmaf| {
        (weight + amaf.weight, sum + amaf.weight * amaf.mean)
    };
    let (weight, sum) = amafs.iter().map(MoveAmaf::from).fold((0.0, 0.0), add);
    if weight > 0.0 { sum / weight } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// About normally distributed, with this standard deviation.
    fn noise(rng: &mut impl Rng, deviation: f64) -> f64 {
        let sum: f64 = (0..12).map(|_| rng.random_range(-0.5..0.5)).sum();
        deviation * sum
    }

    /// The fit of moves whose true values have a standard deviation of 4 points, single evaluations one of 15, and whose AMAF means are
    /// what `amaf` makes of the true values.
    fn fit(
        samples: u32,
        mut amaf: impl FnMut(f64, &mut Xoshiro256PlusPlus) -> f64,
    ) -> Option<AmafFit> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut regression = AmafRegression::default();
        for _ in 0..samples {
            let truth = noise(&mut rng, 4.0);
            regression.add(AmafSample {
                evaluation: truth + noise(&mut rng, 15.0),
                mean: truth + noise(&mut rng, 15.0 / f64::sqrt(9.0)),
                visits: 9.0,
                amaf: amaf(truth, &mut rng),
            });
        }
        regression.fit()
    }

    #[test]
    fn amaf_means_count_for_what_they_tell() {
        // An error of three points is that of 25 visits.
        let near = fit(8000, |truth, rng| truth + noise(rng, 3.0)).unwrap();
        assert!((0.4..0.8).contains(&near.slope), "{near:?}");
        assert!((15.0..35.0).contains(&near.visits), "{near:?}");
        assert!((23.0..27.0).contains(&near.spread), "{near:?}");
        let far = fit(8000, |truth, rng| truth + noise(rng, 12.0)).unwrap();
        assert!(far.visits < 4.0 && far.slope < 0.2, "{far:?}");
    }

    #[test]
    fn amaf_means_that_mislead_count_for_nothing() {
        assert_eq!(fit(8000, |truth, rng| noise(rng, 3.0) - truth), None);
        assert_eq!(fit(8000, |_, _| 0.0), None);
        let unrelated = fit(8000, |_, rng| noise(rng, 3.0));
        assert!(
            unrelated.is_none_or(|fit| fit.visits < 2.0),
            "{unrelated:?}"
        );
    }

    #[test]
    fn facts_are_counted_until_they_prove_worthless() {
        let regression = |samples, slope: f64| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            let mut regression = AmafRegression::default();
            for _ in 0..samples {
                let amaf = noise(&mut rng, 3.0);
                regression.add(AmafSample {
                    evaluation: slope * amaf + noise(&mut rng, 15.0),
                    mean: noise(&mut rng, 5.0),
                    visits: 9.0,
                    amaf,
                });
            }
            regression
        };
        assert!(!regression(4000, -0.5).is_worthless());
        assert!(regression(4100, -0.5).is_worthless());
        assert!(!regression(20_000, 0.5).is_worthless());
    }

    #[test]
    fn few_samples_say_nothing() {
        assert_eq!(fit(63, |truth, _| truth), None);
        assert!(fit(200, |truth, _| truth).is_some());
    }

    #[test]
    fn old_samples_are_forgotten() {
        let mut regression = AmafRegression::default();
        let sample = |amaf| AmafSample {
            evaluation: 1.0,
            mean: 0.1,
            visits: 9.0,
            amaf,
        };
        (0..100_000).for_each(|_| regression.add(sample(-1.0)));
        assert_eq!(regression.fit(), None);
        (0..20_000).for_each(|_| regression.add(sample(1.0)));
        assert!(regression.fit().is_some() && regression.count <= AmafRegression::WINDOW);
    }

    #[test]
    fn predictions_give_way_to_visits() {
        let prediction = Prediction {
            value: 70.0,
            visits: 10.0,
        };
        assert_eq!(prediction.combined(0.0, 0.0), 70.0);
        assert_eq!(prediction.combined(40.0, 10.0), 55.0);
        assert_eq!(prediction.combined(40.0, 20.0), 50.0);
        assert_eq!(Prediction::none(70.0).combined(40.0, 1.0), 40.0);
        assert_eq!(Prediction::none(70.0).combined(0.0, 0.0), 70.0);
    }

    #[test]
    fn a_mean_by_the_playouts_after_the_move_itself_counts_for_nothing() {
        let predictor = Predictor {
            fit: AmafFit {
                slope: 0.5,
                visits: 20.0,
                spread: 10.0,
            },
            value: 50.0,
            mean: 52.0,
            variance: 100.0,
        };
        let mut amaf = MoveAmaf::of(0);
        (0..10).for_each(|_| amaf.add(FactMean::of((8 * 60, 8), 8)));
        let of = |visits| {
            let Prediction { value, visits } = predictor.of(&amaf, visits);
            (value, visits)
        };
        assert_eq!(of(0), (52.0, 10.0));
        assert_eq!(of(10), (50.0, 0.0));
        assert_eq!(of(1000), (50.0, 0.0));
    }
}
