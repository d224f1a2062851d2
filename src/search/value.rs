//! The value of a state for the searching role.

/// The value of a state for the searching role: a goal, and the distance to the end.
///
/// Greater is better. A certain end with goal 100 is above all estimates, a certain 0 below them. Of two ends with the
/// same goal above 50 the nearer one is better, below 50 the farther one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i32);

/// A goal point: values are counted in thousandths of it.
const POINT: i32 = 1000;
/// A thousandth, in units of the representation. The distance to the end takes less, so that it only decides between
/// equal goals.
const UNIT: i32 = 2048;
/// Greater distances to the end count as this one.
const MAX_DISTANCE: i32 = 400;

impl Value {
    /// Below every value.
    pub(super) const LOWEST: Self = Self(-2 * POINT * UNIT);
    /// Above every value.
    pub(super) const HIGHEST: Self = Self(102 * POINT * UNIT);

    /// The game ends with `goal`, `steps` from the root.
    pub(super) fn end(goal: u8, steps: u32) -> Self {
        let steps = i32::try_from(steps).map_or(MAX_DISTANCE, |steps| steps.min(MAX_DISTANCE));
        let nearness = match goal {
            0..50 => steps - MAX_DISTANCE,
            50 => return Self::UNKNOWN,
            51.. => MAX_DISTANCE - steps,
        };
        // The lowest bit marks values that contain a distance to the end.
        Self(i32::from(goal) * POINT * UNIT + 2 * nearness + 1)
    }

    /// An estimate of the goal, in thousandths: always below a certain win and above a certain loss.
    pub(super) fn estimate(thousandths: i32) -> Self {
        Self(thousandths.clamp(POINT, 99 * POINT) * UNIT)
    }

    /// The estimate of so many goal points.
    pub(crate) fn of_points(points: f64) -> Self {
        Self::estimate((points * f64::from(POINT)) as i32)
    }

    /// The value of a state of which nothing is known.
    pub(crate) const UNKNOWN: Self = Self(50 * POINT * UNIT);

    /// The mean of equally likely values. If all are ends with the same goal, the least of them; otherwise distances
    /// are dropped, since a mean of them could not be converted between root and state.
    pub(super) fn mean(values: &[Self]) -> Self {
        let least = values.iter().min().copied().unwrap_or(Self::UNKNOWN);
        let same = |value: &Self| value.is_end() && value.goal() == least.goal();
        if values.iter().all(same) {
            return least;
        }
        let sum: i64 = values
            .iter()
            .map(|value| i64::from(value.thousandths()))
            .sum();
        let mean = sum.div_euclid(values.len().max(1) as i64) as i32;
        // Neither a certain win nor a certain loss.
        Self(mean.clamp(1, 100 * POINT - 1) * UNIT)
    }

    /// The value as stored in the transposition table: the distance counts from the state, which is `steps` from the
    /// root.
    pub(super) fn value_to_tt(self, steps: u32) -> Self {
        self.moved(steps as i32)
    }

    /// The value of a table entry, with the distance counted from the root again.
    pub(super) fn value_from_tt(self, steps: u32) -> Self {
        self.moved(-(steps as i32))
    }

    fn moved(self, nearer: i32) -> Self {
        match self.is_end() {
            false => self,
            true if self.goal() > 50 => Self(self.0 + 2 * nearer),
            true => Self(self.0 - 2 * nearer),
        }
    }

    /// Whether it contains a distance to the end.
    fn is_end(self) -> bool {
        self.0 & 1 == 1
    }

    /// The next lower value, as a bound that admits equals.
    pub(super) fn just_below(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// The goal value (0..=100), rounded.
    pub fn goal(self) -> u8 {
        let rounded = (self.0 + POINT * UNIT / 2).div_euclid(POINT * UNIT);
        u8::try_from(rounded.clamp(0, 100)).unwrap_or(100)
    }

    /// Goal points with decimals; the distance is dropped.
    pub fn points(self) -> f64 {
        f64::from(self.thousandths()) / f64::from(POINT)
    }

    /// The same in thousandths of a point.
    pub(super) fn thousandths(self) -> i32 {
        match self.is_end() {
            true => i32::from(self.goal()) * POINT,
            false => self.0 / UNIT,
        }
    }

    /// The distance of the end from the root in steps, if it is known and the goal is not 50.
    pub fn steps(self) -> Option<u32> {
        let nearness = (self.0 - i32::from(self.goal()) * POINT * UNIT) >> 1;
        let steps = MAX_DISTANCE - nearness.abs();
        self.is_end().then_some(steps as u32)
    }

    /// Whether no deeper search can change the goal: a certain 100 or a certain 0.
    pub fn is_decided(self) -> bool {
        self >= Self::end(100, u32::MAX) || self <= Self::end(0, u32::MAX)
    }

    /// The next higher value.
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
    fn near_wins_and_far_losses_are_better() {
        assert!(Value::end(100, 1) > Value::end(100, 3));
        assert!(Value::end(0, 9) > Value::end(0, 2));
        assert!(Value::end(70, 1) > Value::end(70, 3));
        assert_eq!(Value::end(50, 1), Value::end(50, 9));
        assert!(Value::end(100, u32::MAX) > Value::estimate(100 * POINT));
        // The distance never outweighs a goal, not even a mean of goals.
        let better = Value::mean(&[Value::end(71, 9), Value::end(70, 9)]);
        assert!(Value::end(70, 1) < better && better < Value::end(71, u32::MAX));
        assert!(Value::estimate(0) > Value::end(0, u32::MAX));
        assert!(Value::LOWEST < Value::end(0, 0) && Value::HIGHEST > Value::end(100, 0));
    }

    /// Every end, from the worst to the best.
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
    fn ends_are_ordered_by_goal_and_then_by_distance() {
        let ends = all_ends();
        assert_eq!(ends.len(), 100 * 201 + 1);
        for pair in ends.windows(2) {
            assert!(pair[0].2 < pair[1].2, "{pair:?}");
        }
        assert!((0..=200).all(|steps| Value::end(50, steps) == Value::UNKNOWN));
    }

    #[test]
    fn estimates_and_ends_are_ordered_by_points() {
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

    /// The mean of wins and losses is the share of the wins.
    #[test]
    fn the_mean_of_wins_and_losses_is_their_share() {
        let shares = (1..=24_i64).flat_map(|cases| (0..=cases).map(move |wins| (wins, cases)));
        let shares: Vec<(i64, i64)> = shares.collect();
        let mean = |(wins, cases): (i64, i64)| {
            // Ends at various distances, in any order.
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
    fn means_are_exact_to_a_thousandth() {
        // Goals and estimates, in thousandths of a point; goals 100 and 0 are certain.
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
    fn goal_and_distance_can_be_read_back() {
        for goal in 0..=100 {
            for steps in [0, 1, 17, 200, 100_000] {
                let end = Value::end(goal, steps);
                assert_eq!(end.goal(), goal);
                assert_eq!(end.steps(), (goal != 50).then_some(steps.min(400)));
            }
        }
    }

    #[test]
    fn distances_are_converted_between_root_and_state() {
        for goal in 0..=100 {
            let seen_from_state = Value::end(goal, 7).value_to_tt(3);
            assert_eq!(seen_from_state, Value::end(goal, 4));
            assert_eq!(seen_from_state.value_from_tt(3), Value::end(goal, 7));
        }
        assert_eq!(Value::UNKNOWN.value_to_tt(3), Value::UNKNOWN);
    }

    #[test]
    fn outcomes_of_chance_have_equal_weights() {
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
        // One different value among very many makes the mean uncertain.
        for (many, other) in [(lost, won), (lost, nearly), (won, lost), (won, sure)] {
            let mut values = vec![many; 200_000];
            values.push(other);
            let seldom = mean(&values);
            assert!(!seldom.is_decided() && (seldom > many) == (other > many));
        }
    }
}
