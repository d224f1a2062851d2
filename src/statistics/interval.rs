//! Intervals in which a true value lies with 95 %.

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
    fn the_quantile_and_the_distribution_agree() {
        assert!((normal_cdf(TWO_SIDED_95) - 0.975).abs() < 1e-12);
        assert_eq!(normal_cdf(0.0), 0.5);
    }
}
