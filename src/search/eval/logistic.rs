//! The logistic function.

/// The argument at which it gives this expected goal, in thousandths; at a certain loss or win, that of an almost certain one.
pub(in crate::search) fn logit(expectation: i32) -> f32 {
    let share = (expectation as f32 / 100_000.0).clamp(0.0005, 0.9995);
    (share / (1.0 - share)).ln()
}

/// The expected goal at this argument, in thousandths.
pub(in crate::search) fn expectation_at(argument: f32) -> i32 {
    (logistic(argument) * 100_000.0) as i32
}

/// The goal, from 0 to 100, that is expected where heuristics add up to so many logits.
pub fn points_at(logits: f64) -> f64 {
    100.0 * f64::from(logistic(logits as f32))
}

/// From 0 to 1.
pub(super) fn logistic(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}
