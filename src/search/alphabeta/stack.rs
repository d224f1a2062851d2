//! The search stack: what a search needs of a game, whatever the engine.
//!
//! Ply 0 holds the state to be searched, every further ply successors of a state of the ply before. Nothing here
//! depends on the types of the engine, so that the search is compiled once; every call makes or reads many states.

use crate::util::Deadline;

/// A stack of plies above the state to be searched.
pub(in crate::search) trait SearchStack {
    /// Whether expanding all children of a state costs hardly more than expanding one.
    fn is_eager(&self) -> bool;

    /// How many children of several states should be made in one call at most, where the first of them has `of_one`.
    fn children_at_once(&self, of_one: u32) -> u32;

    /// Up to how many children in one call it pays to make some that may turn out not to be needed.
    fn likely_children_at_once(&self) -> u32;

    /// The numbers of children that fill a call, ascending, see [`Expansion::call_widths`](crate::game::Expansion::call_widths).
    fn call_widths(&self) -> &[usize];

    /// Whether states have an evaluation.
    fn has_evaluation(&self) -> bool;

    /// The number of states of a ply.
    fn len(&self, ply: usize) -> usize;

    /// The choices in a state of a ply; none where the game is over.
    fn choices(&self, ply: usize, index: usize) -> Choices;

    /// The information about a state of a ply, found now if it was not asked for before.
    fn info(&mut self, ply: usize, index: usize) -> StateInfo;

    /// The key of a state: equal states have equal keys, different ones almost never.
    fn key(&self, ply: usize, index: usize) -> u64;

    /// The key of the class of a state: equal for states that symmetries of the game make of each other. Without symmetries, its
    /// own.
    fn class_key(&mut self, ply: usize, index: usize) -> u64;

    /// The least and the greatest goal that a state leaves to the searcher, as far as the rules show: both are reachable if nothing
    /// shows.
    fn reach(&self, ply: usize, index: usize) -> (u8, u8);

    /// Selects a state of a ply for the calls that follow.
    fn enter(&mut self, ply: usize, index: usize);

    /// Replaces the states of the next ply by successors of the state entered last on this one, one for each pick.
    fn expand(&mut self, ply: usize, picks: &[Pick]);

    /// Replaces the states of the next ply by all children of several states of this one, in each of which `side`
    /// alone has a choice: parent by parent, in the order of the choices.
    fn expand_siblings(&mut self, ply: usize, parents: &[(u32, Side)]);

    /// Replaces the states of the next ply by successors of states of this one, each by its index and a pick.
    fn expand_picks(&mut self, ply: usize, picks: &[(u32, Pick)]);

    /// A joint move of a state of a ply, drawn by `salt`: the same one whatever the engine.
    fn random_pick(&mut self, ply: usize, index: usize, salt: u64) -> Pick;

    /// Replaces the states of ply 0 by as many initial states.
    fn keep_root(&mut self, count: usize);

    /// Replaces the states of ply 0 by states of ply 1, or by the initial state.
    fn keep(&mut self, states: &[Option<usize>]);

    /// Sets the deadline at which long calls are cut short; `None` takes it away.
    fn set_deadline(&mut self, end: Option<&Deadline>);

    /// Whether a call was cut short; then the states made last are meaningless.
    fn is_cut_short(&self) -> bool;

    /// Keys of the moves of `side` in the state entered last on this ply, one per choice; the same move has the same
    /// key in every state.
    fn keys(&mut self, ply: usize, side: Side) -> &[u32];

    /// The static value of a state of a ply for the searcher, in thousandths of a point from an even game: that of its evaluation, or a
    /// hundred times as much as the goal tells where the game is over.
    fn score(&mut self, ply: usize, index: usize) -> i32;

    /// The set of facts that hold in a state of a ply, by their numbers in the game facts, once the information about it or about a
    /// child of it was asked for; empty where facts are not marked.
    fn words(&self, ply: usize, index: usize) -> &[u64];

    /// The moves of `pick` in the state entered last on this ply, as text, of the roles that have a choice.
    fn text(&self, ply: usize, pick: Pick) -> String;
}

/// What is known of a state.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct StateInfo {
    pub(in crate::search) is_over: bool,
    /// The searcher's goal in a terminal state, as [`goal_of_end`](crate::search::end_goal::goal_of_end) counts it.
    pub(in crate::search) goal: u8,
    /// The evaluation of a state that is not terminal: the expected goal of the searcher, in thousandths.
    pub(in crate::search) expectation: i32,
    pub(in crate::search) choices: Choices,
}

/// The number of choices in a state; they combine freely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct Choices {
    /// The searcher's moves.
    pub(in crate::search) own: u32,
    /// The joint moves of all opponents.
    pub(in crate::search) replies: u32,
    /// The joint moves of chance.
    pub(in crate::search) chances: u32,
}

/// A side that makes a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) enum Side {
    /// The searcher, who maximises.
    Own,
    /// All others, who are assumed to minimise.
    Others,
}

/// Who has a choice in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) enum ToMove {
    /// There is no joint move: some role has no legal move, or there are too many joint moves.
    Stuck,
    /// One side alone; the searcher's where no role has a choice.
    Of(Side),
    /// Several sides, or chance.
    Mixed,
}

/// A joint move, by the indices of the choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct Pick {
    pub(in crate::search) own: u32,
    pub(in crate::search) reply: u32,
    pub(in crate::search) chance: u32,
}

impl Choices {
    /// States with more joint moves are not expanded.
    const MOST: u64 = 1 << 16;

    pub(in crate::search) fn turn(self) -> ToMove {
        let Self {
            own,
            replies,
            chances,
        } = self;
        match self.joint() {
            0 => ToMove::Stuck,
            joint if joint > Self::MOST => ToMove::Stuck,
            _ if chances > 1 || own > 1 && replies > 1 => ToMove::Mixed,
            _ if replies > 1 => ToMove::Of(Side::Others),
            _ => ToMove::Of(Side::Own),
        }
    }

    /// The same, seen by the other one of two roles.
    pub(in crate::search) fn swapped(self) -> Self {
        Self {
            own: self.replies,
            replies: self.own,
            ..self
        }
    }

    /// Whether there is a single joint move.
    pub(in crate::search) fn is_forced(self) -> bool {
        self.joint() == 1
    }

    /// The number of joint moves.
    pub(in crate::search) fn joint(self) -> u64 {
        let product = u64::from(self.own) * u64::from(self.replies);
        product.saturating_mul(u64::from(self.chances))
    }

    /// The number of choices of `side`.
    pub(in crate::search) fn of(self, side: Side) -> u32 {
        match side {
            Side::Own => self.own,
            Side::Others => self.replies,
        }
    }
}

impl Pick {
    /// The choice of one side where all others have a single one.
    pub(in crate::search) fn of(side: Side, choice: u32) -> Self {
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
