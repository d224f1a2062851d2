//! The logistic function, the same to the last bit on every machine: `std` takes exponentials and logarithms from the platform, and what is learned
//! from some thousand games would depend on it.

/// The argument at which it gives this expected goal, in thousandths; at a certain loss or win, that of an almost certain one.
pub(in crate::search) fn logit(expectation: i32) -> f32 {
    logit_of((expectation as f32 / 100_000.0).clamp(0.0005, 0.9995))
}

/// The expected goal at this argument, in thousandths.
pub(in crate::search) fn expectation_at(argument: f32) -> i32 {
    (logistic(argument) * 100_000.0) as i32
}

/// The goal, from 0 to 100, that is expected where heuristics add up to so many logits.
pub fn points_at(logits: f64) -> f64 {
    100.0 * f64::from(logistic(logits as f32))
}

/// The argument at which it gives this share; infinite where that is 0 or 1.
pub(super) fn logit_of(share: f32) -> f32 {
    libm::logf(share / (1.0 - share))
}

/// From 0 to 1.
pub(super) fn logistic(sum: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As on an Intel Xeon, where `std` gives one exponential in ten with another last bit.
    #[test]
    fn it_is_the_same_to_the_last_bit_on_every_machine() {
        let known = [
            (-7.25, 0x3a3a_092d),
            (-2.5, 0x3d9b_5b88),
            (-1.0, 0x3e89_b2b1),
            (0.1, 0x3f06_6509),
            (1.0, 0x3f3b_26a8),
            (2.5, 0x3f6c_948f),
            (7.25, 0x3f7f_d17e),
        ];
        for (argument, bits) in known {
            assert_eq!(logistic(argument).to_bits(), bits, "{argument}");
        }
    }

    #[test]
    fn certain_shares_are_at_infinity() {
        assert_eq!([0.0, 1.0].map(logit_of), [f32::NEG_INFINITY, f32::INFINITY]);
        assert_eq!([f32::NEG_INFINITY, f32::INFINITY].map(logistic), [0.0, 1.0]);
        assert!((logistic(logit_of(0.8)) - 0.8).abs() < 1e-6);
    }
}
