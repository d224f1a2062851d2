//! One side's choice, and the window of values that matter to it.

use crate::search::Value;
use crate::search::ladder::Side;

/// Values a search is asked to tell apart: below the first and above the second, a bound will do.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Window {
    pub(in crate::search) low: Value,
    pub(in crate::search) high: Value,
}

/// What is known of a state.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Found {
    pub(in crate::search) value: Value,
    /// Whether no line it rests on was cut off.
    pub(in crate::search) complete: bool,
}

/// One side's choice: the best so far, and what it takes to be better.
pub(super) struct Contest {
    pub(super) side: Side,
    pub(super) window: Window,
    /// What was asked for at first.
    pub(super) asked: Window,
    pub(super) value: Value,
    pub(super) best: Option<u32>,
    /// Whether all that was looked at is complete; of a contest decided early, only what decided it counts.
    pub(super) complete: bool,
}

impl Window {
    pub(in crate::search) const ALL: Self = Self {
        low: Value::LOWEST,
        high: Value::HIGHEST,
    };

    /// Whether it tells no two values apart.
    pub(super) fn is_null(self) -> bool {
        self.low >= self.high.just_below()
    }

    /// Whether a value ends the search of a state in which `side` has the choice.
    pub(super) fn is_beaten(self, side: Side, value: Value) -> bool {
        match side {
            Side::Own => value >= self.high,
            Side::Others => value <= self.low,
        }
    }

    /// What remains to be told apart once `side` is sure of `value`.
    pub(super) fn narrowed(self, side: Side, value: Value) -> Self {
        match side {
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

    /// The window that asks only whether `side` gets more than it is sure of.
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
    /// What is worse for the side than any value.
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

impl Found {
    pub(in crate::search) const NOTHING: Self = Self {
        value: Value::UNKNOWN,
        complete: false,
    };

    pub(super) fn cut(value: Value) -> Self {
        Self {
            value,
            complete: false,
        }
    }
}

impl Contest {
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

    /// Adds what was found of a choice; says whether it is the best so far.
    pub(super) fn add(&mut self, choice: u32, found: Found) -> bool {
        self.complete &= found.complete;
        let is_best = self.best.is_none() || self.side.prefers(found.value, self.value);
        if is_best {
            self.best = Some(choice);
            self.value = found.value;
            self.window = self.window.narrowed(self.side, found.value);
            if self.is_decided() {
                self.complete = found.complete;
            }
        }
        is_best
    }

    /// Whether the others will not let it come to this.
    pub(super) fn is_decided(&self) -> bool {
        self.best.is_some() && self.asked.is_beaten(self.side, self.value)
    }

    pub(super) fn found(&self) -> Found {
        Found {
            value: self.value,
            complete: self.complete,
        }
    }
}
