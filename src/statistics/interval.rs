//! Intervals in which a true value lies with 95 %.

use serde::Serialize;

/// The quantile of the normal distribution that leaves 2.5 % on either side.
pub(super) const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// Half the width of the interval in which the true mean of `values` lies with 95 %, if they are spread normally.
pub fn half_width_95(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    let variance = squares.sum::<f64>() / (count - 1.0).max(1.0);
    TWO_SIDED_95 * (variance / count).sqrt()
}

/// Fewer groups say too little of how far their mean may be off.
pub const LEAST_GROUPS: usize = 10;

/// The mean of values that come in groups, such as games from one opening: values of a group depend on each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeanOfGroups {
    /// How many values there are.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Half the width of the mean's 95 % interval; `None` for fewer than [`LEAST_GROUPS`] groups, and where all groups have the
    /// same mean, which says nothing of how far it may be off.
    pub error: Option<f64>,
}

impl MeanOfGroups {
    /// The mean of values, each with the number of its group; `None` if there is no value. Groups may differ in size: the mean is
    /// a ratio of two sums over groups, and has the variance of such (Cochran, *Sampling Techniques*, 1977, section 6.4).
    pub fn of(values: &[(u64, f64)]) -> Option<Self> {
        let mut values = values.to_vec();
        values.sort_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let groups = values.chunk_by(|one, other| one.0 == other.0);
        let sums = groups.map(|group| (group.iter().map(|(_, value)| value).sum(), group.len()));
        Self::of_sums(&sums.collect::<Vec<_>>())
    }

    /// The same of groups of which the sum and the number of the values are known.
    pub fn of_sums(groups: &[(f64, usize)]) -> Option<Self> {
        let count = groups.iter().map(|(_, count)| count).sum();
        let mean = groups.iter().map(|(sum, _)| sum).sum::<f64>() / count as f64;
        let excess = groups.iter().map(|(sum, count)| sum - mean * *count as f64);
        let squares: Vec<f64> = excess.map(|excess| excess.powi(2)).collect();
        let groups = squares.len() as f64;
        let variance =
            squares.iter().sum::<f64>() * groups / (groups - 1.0) / (count as f64).powi(2);
        // What rounding leaves of no variance is none.
        let is_judged = squares.len() >= LEAST_GROUPS && variance > 1e-24 * mean * mean;
        let error = is_judged.then(|| TWO_SIDED_95 * variance.sqrt());
        (count > 0).then_some(Self { count, mean, error })
    }
}

/// The 95 % interval of a share (Wilson 1927).
pub fn wilson(count: u64, of: u64) -> [f64; 2] {
    const Z: f64 = TWO_SIDED_95;
    if of == 0 {
        return [0.0, 1.0];
    }
    let (n, share) = (of as f64, count as f64 / of as f64);
    let middle = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let whole = 1.0 + Z * Z / n;
    [(middle - half) / whole, (middle + half) / whole].map(|end| end.clamp(0.0, 1.0))
}

/// The probability that a value of the standard normal distribution is below `value`.
pub fn normal_cdf(value: f64) -> f64 {
    0.5 * libm::erfc(-value / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_the_share() {
        let [low, high] = wilson(50, 100);
        assert!((low - 0.404).abs() < 0.001 && (high - 0.596).abs() < 0.001);
        let [low, high] = wilson(100, 100);
        assert!(low > 0.96 && high > 0.9999);
    }

    #[test]
    fn the_mean_of_equal_groups_is_that_of_their_means() {
        let values: Vec<(u64, f64)> = (0..40)
            .map(|at| (at / 2, f64::from((at * at) as u32 % 7)))
            .collect();
        let means: Vec<f64> = values
            .chunks(2)
            .map(|pair| (pair[0].1 + pair[1].1) / 2.0)
            .collect();
        let found = MeanOfGroups::of(&values).unwrap();
        assert_eq!(found.count, 40);
        assert!((found.error.unwrap() - half_width_95(&means)).abs() < 1e-12);
        assert_eq!(MeanOfGroups::of(&values[..18]).unwrap().error, None);
        assert_eq!(MeanOfGroups::of(&[]), None);
    }

    #[test]
    fn the_quantile_and_the_distribution_agree() {
        assert!((normal_cdf(TWO_SIDED_95) - 0.975).abs() < 1e-12);
        assert_eq!(normal_cdf(0.0), 0.5);
    }
}
