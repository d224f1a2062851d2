//! What a state is, in a byte.

/// Where a state stands in the game: who has a choice, or how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StateKind(pub(super) u8);

impl StateKind {
    /// No state has this number.
    pub(super) const NONE: Self = Self(0xff);
    /// The game goes on, but a role has no legal move.
    pub(super) const STUCK: Self = Self(0x7f);
    /// Several roles have a choice.
    pub(super) const SEVERAL: Self = Self(0x7e);
    /// The game goes on with the only joint move.
    pub(super) const FORCED: Self = Self(0x7d);

    const ENDED: u8 = 0x80;
    /// A game may end in so many ways.
    pub(super) const MOST_ENDS: usize = 0x7f;

    /// Only this role has a choice.
    pub(super) fn of_role(role: usize) -> Option<Self> {
        let role = u8::try_from(role).ok()?;
        (role < Self::FORCED.0).then_some(Self(role))
    }

    /// The game is over, with the goals of this number.
    pub(super) fn ended(end: usize) -> Option<Self> {
        (end < Self::MOST_ENDS).then_some(Self(Self::ENDED | end as u8))
    }

    /// The number of the goals, if the game is over.
    pub(super) fn end(self) -> Option<usize> {
        (self.0 & Self::ENDED != 0 && self != Self::NONE).then(|| (self.0 & !Self::ENDED).into())
    }

    /// The role that has a choice, if it is the only one.
    pub(super) fn role(self) -> Option<usize> {
        (self.0 < Self::FORCED.0).then(|| self.0.into())
    }
}
