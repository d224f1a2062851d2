//! Why long work ended before it was done.

use crate::game::Fault;
use crate::util::Expired;

/// Why work ended before it was done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The deadline is due, or the flag was raised.
    #[error(transparent)]
    Expired(#[from] Expired),
    /// The engine ran out of a budget.
    #[error("{0}")]
    Fault(#[from] Fault),
    /// A turn did not end, where turns were to be counted.
    #[error("one role stays in control for {0} plies, so that turns cannot be counted")]
    EndlessTurn(u32),
}
