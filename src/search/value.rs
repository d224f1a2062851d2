//! How good a state is for the role that searches.

/// How good a state is for the searching role: its goal, then how soon (a good end) or how late (a bad one) it comes.
///
/// Ordered: greater is better. A sure end with goal 100 beats every estimate, every estimate beats a sure 0. Between two
/// ends with the same goal above 50 the sooner one is better, below 50 the later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i32);

/// Thousandths of a goal point: what values are counted in.
const POINT: i32 = 1000;
/// A thousandth, in the units that values are stored in: haste is less, so that it decides between equal goals alone.
const UNIT: i32 = 2048;
/// Steps are counted up to here; ends further away are equally far.
const FARTHEST: i32 = 400;

impl Value {
    /// Below every value.
    pub(super) const LOWEST: Self = Self(-2 * POINT * UNIT);
    /// Above every value.
    pub(super) const HIGHEST: Self = Self(102 * POINT * UNIT);

    /// The game ends `steps` from the root, and gives `goal`.
    pub(super) fn end(goal: u8, steps: u32) -> Self {
        let steps = i32::try_from(steps).map_or(FARTHEST, |steps| steps.min(FARTHEST));
        let haste = match goal {
            0..50 => steps - FARTHEST,
            50 => return Self::UNKNOWN,
            51.. => FARTHEST - steps,
        };
        // The lowest bit tells values that depend on how far an end is from all others.
        Self(i32::from(goal) * POINT * UNIT + 2 * haste + 1)
    }

    /// The game goes on, and the goal is expected to be so many thousandths: never as good as a sure win, never as bad as
    /// a sure loss.
    pub(super) fn estimate(thousandths: i32) -> Self {
        Self(thousandths.clamp(POINT, 99 * POINT) * UNIT)
    }

    /// Nobody knows.
    pub(crate) const UNKNOWN: Self = Self(50 * POINT * UNIT);

    /// The mean of values that chance picks from, all equally likely. Where all are ends with the same goal, the least;
    /// else distances do not count, since a mean of them could not be told from wherever one stands.
    pub(super) fn mean(values: &[Self]) -> Self {
        let least = values.iter().min().copied().unwrap_or(Self::UNKNOWN);
        let same = |value: &Self| value.is_end() && value.goal() == least.goal();
        if values.iter().all(same) {
            return least;
        }
        let thousandths = |value: &Self| match value.is_end() {
            true => i64::from(value.goal()) * i64::from(POINT),
            false => i64::from(value.0 / UNIT),
        };
        let sum: i64 = values.iter().map(thousandths).sum();
        let mean = sum.div_euclid(values.len().max(1) as i64) as i32;
        // Neither a sure win nor a sure loss.
        Self(mean.clamp(1, 100 * POINT - 1) * UNIT)
    }

    /// The same value with steps counted from a state that is `steps` from the root.
    pub(super) fn told_from_state(self, steps: u32) -> Self {
        self.moved(steps as i32)
    }

    /// The same value with steps counted from the root, if they were counted from a state `steps` away from it.
    pub(super) fn told_from_root(self, steps: u32) -> Self {
        self.moved(-(steps as i32))
    }

    fn moved(self, nearer: i32) -> Self {
        match self.is_end() {
            false => self,
            true if self.goal() > 50 => Self(self.0 + 2 * nearer),
            true => Self(self.0 - 2 * nearer),
        }
    }

    /// Whether it counts the steps to an end.
    fn is_end(self) -> bool {
        self.0 & 1 == 1
    }

    /// The estimate that differs by so many thousandths of a goal point.
    pub(super) fn shifted(self, thousandths: i32) -> Self {
        Self(self.0.saturating_add(thousandths.saturating_mul(UNIT)))
    }

    /// The value just below, as a bound that admits equals.
    pub(super) fn just_below(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// The goal value (0..=100) this stands for.
    pub fn goal(self) -> u8 {
        let rounded = (self.0 + POINT * UNIT / 2).div_euclid(POINT * UNIT);
        u8::try_from(rounded.clamp(0, 100)).unwrap_or(100)
    }

    /// Goal points with decimals, for people; distances do not show.
    pub fn points(self) -> f64 {
        match self.is_end() {
            true => f64::from(self.goal()),
            false => f64::from(self.0 / UNIT) / f64::from(POINT),
        }
    }

    /// How many steps from the root the game ends, if that is known and matters: an end with goal 50 is as good sooner or
    /// later.
    pub fn steps(self) -> Option<u32> {
        let haste = (self.0 - i32::from(self.goal()) * POINT * UNIT) >> 1;
        let steps = FARTHEST - haste.abs();
        self.is_end().then_some(steps as u32)
    }

    /// Whether no deeper search can change the goal: a sure 100 or a sure 0.
    pub fn is_decided(self) -> bool {
        self >= Self::end(100, u32::MAX) || self <= Self::end(0, u32::MAX)
    }

    /// The value just above.
    pub(super) fn just_above(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    pub(super) fn raw(self) -> i32 {
        self.0
    }

    pub(super) fn from_raw(raw: i32) -> Self {
        Self(raw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sooner_wins_and_later_losses_are_better() {
        assert!(Value::end(100, 1) > Value::end(100, 3));
        assert!(Value::end(0, 9) > Value::end(0, 2));
        assert!(Value::end(70, 1) > Value::end(70, 3));
        assert_eq!(Value::end(50, 1), Value::end(50, 9));
        assert!(Value::end(100, u32::MAX) > Value::estimate(100 * POINT));
        // Haste never outweighs a goal, not even a mean of goals.
        let better = Value::mean(&[Value::end(71, 9), Value::end(70, 9)]);
        assert!(Value::end(70, 1) < better && better < Value::end(71, u32::MAX));
        assert!(Value::estimate(0) > Value::end(0, u32::MAX));
        assert!(Value::LOWEST < Value::end(0, 0) && Value::HIGHEST > Value::end(100, 0));
    }

    /// Every end, from the worst to the best: by its goal, then by when it comes, as far as that matters.
    fn all_ends() -> Vec<(u8, u32, Value)> {
        let ends = (0..=100).flat_map(|goal| {
            let steps: Vec<u32> = match goal {
                0..50 => (0..=200).collect(),
                50 => vec![0],
                51.. => (0..=200).rev().collect(),
            };
            let end = move |steps| (goal, steps, Value::end(goal, steps));
            steps.into_iter().map(end)
        });
        ends.collect()
    }

    #[test]
    fn ends_are_ordered_by_goal_and_then_by_haste() {
        let ends = all_ends();
        assert_eq!(ends.len(), 100 * 201 + 1);
        for pair in ends.windows(2) {
            assert!(pair[0].2 < pair[1].2, "{pair:?}");
        }
        assert!((0..=200).all(|steps| Value::end(50, steps) == Value::UNKNOWN));
    }

    #[test]
    fn estimates_stand_among_ends_by_their_points() {
        let ends = all_ends();
        for thousandths in (1000..=99_000).step_by(125) {
            let estimate = Value::estimate(thousandths);
            assert_eq!(estimate.points(), f64::from(thousandths) / 1000.0);
            for &(goal, steps, end) in ends.iter().step_by(7) {
                let thousandths_of_end = i32::from(goal) * 1000;
                if thousandths != thousandths_of_end {
                    let is_less = thousandths < thousandths_of_end;
                    assert_eq!(estimate < end, is_less, "{thousandths} {goal} {steps}");
                    assert_ne!(estimate, end);
                }
            }
        }
        for estimate in [i32::MIN, -1, 0, 50_000, 100_000, i32::MAX].map(Value::estimate) {
            let [lost, won] = [ends[200], ends[100 * 201 - 200]].map(|(.., end)| end);
            assert!(lost < estimate && estimate < won && !estimate.is_decided());
        }
    }

    /// How much of 100 points comes of so many wins in so many cases, the rest being losses.
    #[test]
    fn the_mean_of_wins_and_losses_is_their_share() {
        let shares = (1..=24_i64).flat_map(|cases| (0..=cases).map(move |wins| (wins, cases)));
        let shares: Vec<(i64, i64)> = shares.collect();
        let mean = |(wins, cases): (i64, i64)| {
            // Ends at all sorts of distances, in an order that does not matter.
            let case = |case: i64| match case * 7 % cases.max(1) {
                _ if case < wins => Value::end(100, case as u32 % 9),
                other => Value::end(0, other as u32),
            };
            let mut values: Vec<Value> = (0..cases).map(case).collect();
            values.rotate_left(wins as usize / 2);
            Value::mean(&values)
        };
        for &(wins, cases) in &shares {
            let value = mean((wins, cases));
            // To the last thousandth, in whole numbers.
            let points = (wins * 100_000 / cases) as f64 / 1000.0;
            assert_eq!(value.points(), points, "{wins} of {cases}");
            assert_eq!(value.is_decided(), wins == 0 || wins == cases);
            for goal in 0..=100 {
                let (mine, other) = (100 * wins, i64::from(goal) * cases);
                for end in [0, 7, 200].map(|steps| Value::end(goal, steps)) {
                    let is_ordered = mine == other || (value < end) == (mine < other);
                    assert!(is_ordered, "{wins} of {cases}, {goal}");
                }
            }
        }
        for one in shares
            .iter()
            .filter(|(wins, cases)| 0 < *wins && wins < cases)
        {
            for other in shares
                .iter()
                .filter(|(wins, cases)| 0 < *wins && wins < cases)
            {
                let exactly = (one.0 * other.1).cmp(&(other.0 * one.1));
                assert_eq!(mean(*one).cmp(&mean(*other)), exactly, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn the_mean_of_anything_is_told_to_a_thousandth() {
        // Goals and estimates, in thousandths of a point: 100 and 0 of them sure.
        let values = |seed: i64, count: i64| {
            (0..count).map(move |place| {
                let drawn = (seed * 7919 + place * 104_729) % 99_001;
                match place % 3 {
                    0 => (
                        drawn % 101 * 1000,
                        Value::end((drawn % 101) as u8, place as u32),
                    ),
                    _ => (drawn.max(1000), Value::estimate(drawn as i32)),
                }
            })
        };
        for (seed, count) in (0..200).flat_map(|seed| [2, 3, 6, 7, 36].map(|count| (seed, count))) {
            let sum: i64 = values(seed, count)
                .map(|(thousandths, _)| thousandths)
                .sum();
            let of: Vec<Value> = values(seed, count).map(|(_, value)| value).collect();
            let points = (sum / count) as f64 / 1000.0;
            assert_eq!(Value::mean(&of).points(), points, "{of:?}");
            assert_eq!(Value::mean(&of).steps(), None);
        }
    }

    #[test]
    fn the_goal_can_be_read_back() {
        for goal in 0..=100 {
            for steps in [0, 1, 17, 200, 100_000] {
                let end = Value::end(goal, steps);
                assert_eq!(end.goal(), goal);
                assert_eq!(end.steps(), (goal != 50).then_some(steps.min(400)));
            }
        }
    }

    #[test]
    fn distances_are_told_from_wherever_one_stands() {
        for goal in 0..=100 {
            let seen_from_state = Value::end(goal, 7).told_from_state(3);
            assert_eq!(seen_from_state, Value::end(goal, 4));
            assert_eq!(seen_from_state.told_from_root(3), Value::end(goal, 7));
        }
        assert_eq!(Value::UNKNOWN.told_from_state(3), Value::UNKNOWN);
    }

    #[test]
    fn chance_counts_every_outcome_alike() {
        let mean = |values: &[Value]| Value::mean(values);
        let [won, lost] = [Value::end(100, 3), Value::end(0, 5)];
        assert_eq!(mean(&[won, lost, lost, lost]).goal(), 25);
        assert_eq!(mean(&[won, Value::end(100, 9)]), Value::end(100, 9));
        assert!(!mean(&[won, Value::estimate(99_000)]).is_decided());
        let [sure, nearly] = [Value::end(99, 2), Value::end(1, 2)];
        assert!(mean(&[won, won, won, sure]) > sure);
        assert!(mean(&[lost, lost, lost, nearly]) < nearly);
        assert_eq!(mean(&[lost, lost, lost, nearly]).points(), 0.25);
        assert!(mean(&[lost, lost, lost, nearly]) > lost && mean(&[won, won, sure]) < won);
        // However seldom it comes to something else, nothing is sure.
        for (many, other) in [(lost, won), (lost, nearly), (won, lost), (won, sure)] {
            let mut values = vec![many; 200_000];
            values.push(other);
            let seldom = mean(&values);
            assert!(!seldom.is_decided() && (seldom > many) == (other > many));
        }
    }
}
