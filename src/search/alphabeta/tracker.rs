//! The search window, and the best move so far of a side.

use super::stack::Side;
use crate::search::Value;

/// A search window: outside it, a bound suffices.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Window {
    pub(in crate::search) low: Value,
    pub(in crate::search) high: Value,
    /// Whether what is found changes it; otherwise nothing is cut off.
    pub(in crate::search) narrows: bool,
}

/// The value of a node.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct NodeValue {
    pub(in crate::search) value: Value,
    /// Whether no line below was cut off by the depth limit.
    pub(in crate::search) complete: bool,
}

/// The best move of one side so far, and the window for the next one.
pub(super) struct BestMoveTracker {
    pub(super) side: Side,
    pub(super) window: Window,
    /// The window of the whole node.
    pub(super) asked: Window,
    pub(super) value: Value,
    pub(super) best: Option<u32>,
    /// Whether all values so far are complete; after a cutoff, only that of the move that caused it counts.
    pub(super) complete: bool,
}

impl Window {
    /// The window that holds all values.
    pub(in crate::search) fn all(narrows: bool) -> Self {
        Self {
            low: Value::LOWEST,
            high: Value::HIGHEST,
            narrows,
        }
    }

    /// Whether it is a null window.
    pub(super) fn is_null(self) -> bool {
        self.low >= self.high.just_below()
    }

    /// Whether a value causes a cutoff in a state in which `side` has the choice.
    pub(super) fn causes_cutoff(self, side: Side, value: Value) -> bool {
        match side {
            Side::Own => value >= self.high,
            Side::Others => value <= self.low,
        }
    }

    /// The window once `side` is sure of `value`.
    pub(super) fn narrowed(self, side: Side, value: Value) -> Self {
        match side {
            _ if !self.narrows => self,
            Side::Own => Self {
                low: self.low.max(value),
                ..self
            },
            Side::Others => Self {
                high: self.high.min(value),
                ..self
            },
        }
    }

    /// The null window that asks whether `side` gets more than it is sure of.
    pub(super) fn null(self, side: Side) -> Self {
        match side {
            Side::Own => Self {
                high: self.low.just_above(),
                ..self
            },
            Side::Others => Self {
                low: self.high.just_below(),
                ..self
            },
        }
    }

    pub(super) fn holds(self, value: Value) -> bool {
        self.low < value && value < self.high
    }
}

impl Side {
    /// The bound that is worse for the side than any value.
    fn worst(self) -> Value {
        match self {
            Self::Own => Value::LOWEST,
            Self::Others => Value::HIGHEST,
        }
    }

    fn prefers(self, one: Value, other: Value) -> bool {
        match self {
            Self::Own => one > other,
            Self::Others => one < other,
        }
    }
}

impl NodeValue {
    pub(in crate::search) const UNKNOWN: Self = Self {
        value: Value::UNKNOWN,
        complete: false,
    };

    pub(super) fn incomplete(value: Value) -> Self {
        Self {
            value,
            complete: false,
        }
    }
}

impl BestMoveTracker {
    pub(super) fn new(side: Side, window: Window) -> Self {
        Self {
            side,
            window,
            asked: window,
            value: side.worst(),
            best: None,
            complete: true,
        }
    }

    /// Adds the value of a choice; says whether it is the best so far.
    pub(super) fn add(&mut self, choice: u32, found: NodeValue) -> bool {
        self.complete &= found.complete;
        let is_best = self.best.is_none() || self.side.prefers(found.value, self.value);
        if is_best {
            self.best = Some(choice);
            self.value = found.value;
            self.window = self.window.narrowed(self.side, found.value);
            if self.is_cutoff() {
                self.complete = found.complete;
            }
        }
        is_best
    }

    /// Whether the best move so far causes a cutoff.
    pub(super) fn is_cutoff(&self) -> bool {
        self.best.is_some() && self.asked.causes_cutoff(self.side, self.value)
    }

    pub(super) fn found(&self) -> NodeValue {
        NodeValue {
            value: self.value,
            complete: self.complete,
        }
    }
}
