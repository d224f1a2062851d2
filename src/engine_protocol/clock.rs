//! Clocks as numbers of seconds.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serializer};

/// The longest clock that is understood: longer ones are cut.
const LONGEST: f64 = 24.0 * 60.0 * 60.0;

pub(super) fn serialize<S: Serializer>(clock: &Duration, to: S) -> Result<S::Ok, S::Error> {
    let whole = clock.as_secs();
    match clock.subsec_nanos() {
        0 => to.serialize_u64(whole),
        _ => to.serialize_f64(clock.as_secs_f64()),
    }
}

pub(super) fn deserialize<'t, D: Deserializer<'t>>(from: D) -> Result<Duration, D::Error> {
    let seconds = f64::deserialize(from)?;
    Ok(Duration::from_secs_f64(seconds.clamp(0.0, LONGEST)))
}
