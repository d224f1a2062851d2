//! What a search asks of a game, whatever the engine.
//!
//! A search stands on a ladder: on the lowest rung there is the state to be searched, on the next one states that come of
//! it, and so on up to where it looks at the moment. Nothing here knows the types of the engine, so that the searches are
//! compiled once; a call that crosses over makes or looks at many states.

use crate::util::Deadline;

/// A way up from the state to be searched.
pub(super) trait Ladder {
    /// Whether to look at all states that come of one costs hardly more than to look at one of them.
    fn is_eager(&self) -> bool;

    /// How many states there are on a rung.
    fn len(&self, rung: usize) -> usize;

    /// What is known of a state on a rung.
    fn seen(&self, rung: usize, index: usize) -> Seen;

    /// Tells states apart: equal states have equal keys, and others almost never.
    fn key(&self, rung: usize, index: usize) -> u64;

    /// Gets ready to go on from a state on a rung.
    fn enter(&mut self, rung: usize, index: usize);

    /// Replaces the states on the next rung by those that come of the state entered last on this one, one for each pick.
    fn expand(&mut self, rung: usize, picks: &[Pick]);

    /// Replaces the states on the next rung by all that come of some states on this one, in each of which `side` alone has
    /// a choice: for every parent its children, one after the other in the order of their numbers.
    fn expand_families(&mut self, rung: usize, parents: &[(u32, Side)]);

    /// Lets what takes long be cut short by `end`; without one, gets ready for anything again.
    fn set_deadline(&mut self, end: Option<&Deadline>);

    /// Whether something was cut short: then what is known of the states made last means nothing.
    fn is_cut_short(&self) -> bool;

    /// Numbers that tell the moves apart which `side` has in the state entered last on this rung, one per choice; the same
    /// move has the same number everywhere.
    fn keys(&mut self, rung: usize, side: Side) -> &[u32];

    /// The facts that hold in a state on a rung, by their numbers in the game's game facts; none where nobody marks them.
    fn words(&self, rung: usize, index: usize) -> &[u64];

    /// The words for the joint move that `pick` makes in the state entered last on this rung, of those who have a choice.
    fn text(&self, rung: usize, pick: Pick) -> String;
}

/// What is known of a state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub(super) is_over: bool,
    /// What the searcher scores where the game is over: where the rules give no goal, 50 stands for not knowing.
    pub(super) goal: u8,
    /// Thousandths of the goal that the searcher can expect where the game goes on.
    pub(super) expectation: i32,
    pub(super) choices: Choices,
}

/// How many ways there are to go on from a state, all of which can be combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choices {
    /// The searcher's moves.
    pub(super) own: u32,
    /// The joint moves of all who play against it.
    pub(super) replies: u32,
    /// The joint moves of chance.
    pub(super) chances: u32,
}

/// Who makes a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The searcher, who wants high values.
    Own,
    /// Everybody else, who is taken to want low ones.
    Others,
}

/// Who has a choice in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Nobody can go on: some role has no move at all, or there are too many ways.
    Stuck,
    /// One side alone, or nobody.
    Of(Side),
    /// Several sides, or chance.
    Mixed,
}

/// A joint move, by the numbers of the choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pick {
    pub(super) own: u32,
    pub(super) reply: u32,
    pub(super) chance: u32,
}

impl Choices {
    /// More joint moves than this are not looked at.
    const MOST: u64 = 1 << 16;

    pub(super) fn turn(self) -> Turn {
        let Self {
            own,
            replies,
            chances,
        } = self;
        match self.joint() {
            0 => Turn::Stuck,
            joint if joint > Self::MOST => Turn::Stuck,
            _ if chances > 1 || own > 1 && replies > 1 => Turn::Mixed,
            _ if replies > 1 => Turn::Of(Side::Others),
            _ => Turn::Of(Side::Own),
        }
    }

    /// Whether there is a single way to go on.
    pub(super) fn is_forced(self) -> bool {
        self.joint() == 1
    }

    /// How many joint moves there are.
    pub(super) fn joint(self) -> u64 {
        let product = u64::from(self.own) * u64::from(self.replies);
        product.saturating_mul(u64::from(self.chances))
    }

    /// How many choices `side` has.
    pub(super) fn of(self, side: Side) -> u32 {
        match side {
            Side::Own => self.own,
            Side::Others => self.replies,
        }
    }
}

impl Pick {
    /// The choice of one side where all others have but one.
    pub(super) fn of(side: Side, choice: u32) -> Self {
        let (own, reply) = match side {
            Side::Own => (choice, 0),
            Side::Others => (0, choice),
        };
        Self {
            own,
            reply,
            chance: 0,
        }
    }
}
