//! The logistic function.

/// From 0 to 1.
pub(super) fn logistic(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}
