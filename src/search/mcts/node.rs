//! What the tree stores for a state, for each role in it, and for each move.

use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use super::words::{
    Bounds, Visits, add_float, add_to_mean, floats, halves, set_floats, set_halves,
};

/// No node.
pub(super) const NO_NODE: u32 = u32::MAX;
/// No arms: the node has not been expanded.
pub(super) const UNEXPANDED: u32 = u32::MAX;
/// Nothing is known of the moves of a node.
pub(super) const NO_ENTRY: u32 = u32::MAX;
/// No fact that a move is known to make.
pub(super) const NO_FACT: u32 = u32::MAX;

/// How the leaves of a tree are evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeafMethod {
    /// By learned weights, with all their children.
    Children,
    /// By playouts, which may count the facts at their ends.
    Playouts { tracks_facts: bool },
}

/// A state of the game, as the tree stores it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'t>(pub(super) &'t NodeRow);

/// Words of a node, or of a role in it.
pub(super) type NodeRow = [AtomicU64; 3];

/// Who moves in a node that is an end: terminal, or some role has no legal move.
const END: u32 = 1 << 31;
const SEVERAL: u32 = END - 1;

impl<'t> Node<'t> {
    /// Becomes a state that nobody has visited.
    pub(super) fn set_new(self, movers: Movers, is_end: bool, notes: u32) {
        let movers = match movers {
            Movers::One(role) => role as u32,
            Movers::Several => SEVERAL,
        };
        set_halves(&self.0[0], (0, 0));
        self.set_moves(UNEXPANDED, notes);
        set_halves(&self.0[2], (movers | if is_end { END } else { 0 }, 0));
    }

    /// Evaluations backpropagated through the node, and those under way.
    #[inline]
    pub(super) fn visits(self) -> Visits<'t> {
        Visits(&self.0[0])
    }

    /// The index of its first arm. In a node where one role alone has a choice, arms are the moves of that role.
    #[inline]
    pub(super) fn arms(self) -> u32 {
        halves(&self.0[1]).0
    }

    /// The index of the first note on its moves.
    #[inline]
    pub(super) fn notes(self) -> u32 {
        halves(&self.0[1]).1
    }

    /// Gives it arms, unless another thread has done so.
    #[inline]
    pub(super) fn set_arms(self, first: u32) {
        let set = |word: u64| {
            let notes = u64::from(word as u32);
            (word >> 32 == u64::from(UNEXPANDED)).then_some(u64::from(first) << 32 | notes)
        };
        // The arms are ready before another thread looks at them, whoever has made them.
        _ = self.0[1].try_update(Release, Acquire, set);
    }

    /// Sets the indices of its first arm, and of the first note on its moves.
    #[inline]
    pub(super) fn set_moves(self, arms: u32, notes: u32) {
        set_halves(&self.0[1], (arms, notes));
    }

    #[inline]
    pub(super) fn is_expanded(self) -> bool {
        (self.0[1].load(Acquire) >> 32) as u32 != UNEXPANDED
    }

    /// Terminal, or some role has no legal move.
    #[inline]
    pub(super) fn is_end(self) -> bool {
        halves(&self.0[2]).0 & END != 0
    }

    /// The roles that have a choice.
    #[inline]
    pub(super) fn movers(self) -> Movers {
        match halves(&self.0[2]).0 & !END {
            SEVERAL => Movers::Several,
            role => Movers::One(role as usize),
        }
    }

    /// The distance to the end in plies, where the value is proved.
    #[inline]
    pub(super) fn plies(self) -> u32 {
        halves(&self.0[2]).1
    }

    #[inline]
    pub(super) fn set_plies(self, plies: u32) {
        let (movers, _) = halves(&self.0[2]);
        set_halves(&self.0[2], (movers, plies));
    }
}

/// The statistics of one role in a state.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoleStats<'t>(pub(super) &'t NodeRow);

impl<'t> RoleStats<'t> {
    /// Those of a role with so many legal moves, before any evaluation.
    pub(super) fn set_new(self, bounds: (f32, f32), moves: u32, minimax: f32) {
        self.0[0].store(0.0_f64.to_bits(), Relaxed);
        set_floats(&self.0[1], bounds);
        set_halves(&self.0[2], (moves, minimax.to_bits()));
    }

    /// The sum of all evaluated goals.
    #[inline]
    pub(super) fn sum(self) -> f64 {
        f64::from_bits(self.0[0].load(Relaxed))
    }

    #[inline]
    pub(super) fn add(self, value: f64) {
        add_float(&self.0[0], value);
    }

    /// The proved bounds of its goal.
    #[inline]
    pub(super) fn bounds(self) -> Bounds<'t> {
        Bounds(&self.0[1])
    }

    /// The number of its legal moves.
    #[inline]
    pub(super) fn moves(self) -> u32 {
        halves(&self.0[2]).0
    }

    /// The goal that it can get according to the evaluations in the tree (implicit minimax).
    #[inline]
    pub(super) fn minimax(self) -> f32 {
        f32::from_bits(halves(&self.0[2]).1)
    }

    #[inline]
    pub(super) fn set_minimax(self, minimax: f32) {
        set_halves(&self.0[2], (self.moves(), minimax.to_bits()));
    }
}

/// A move of one role in one state: an arm of the bandit that the role plays there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arm<'t>(pub(super) &'t ArmRow);

/// Words of an arm.
pub(super) type ArmRow = [AtomicU64; 4];

impl<'t> Arm<'t> {
    /// Becomes a move that was not made. `prior` is how much of the visits the evaluation gives to it, before any.
    pub(super) fn set_new(self, minimax: f32, prior: f32) {
        set_halves(&self.0[0], (0, 0));
        set_floats(&self.0[1], (0.0, minimax));
        set_floats(&self.0[2], (MIN_GOAL, MAX_GOAL));
        set_halves(&self.0[3], (prior.to_bits(), NO_NODE));
    }

    /// Evaluations backpropagated through the move, and those under way.
    #[inline]
    pub(super) fn visits(self) -> Visits<'t> {
        Visits(&self.0[0])
    }

    /// The mean goal of the role that makes the move, and the goal that it can get after the move according to the evaluations in the tree.
    #[inline]
    pub(super) fn values(self) -> (f32, f32) {
        floats(&self.0[1])
    }

    #[inline]
    pub(super) fn set_values(self, values: (f32, f32)) {
        set_floats(&self.0[1], values);
    }

    #[inline]
    pub(super) fn add_to_mean(self, value: f32, visits: u32) {
        add_to_mean(&self.0[1], value, visits);
    }

    #[inline]
    pub(super) fn mean(self) -> f32 {
        self.values().0
    }

    #[inline]
    pub(super) fn minimax(self) -> f32 {
        self.values().1
    }

    /// The proved bounds of the goal of that role after the move.
    #[inline]
    pub(super) fn bounds(self) -> Bounds<'t> {
        Bounds(&self.0[2])
    }

    #[inline]
    pub(super) fn prior(self) -> f32 {
        f32::from_bits(halves(&self.0[3]).0)
    }

    /// The node after the move, if no other role has a choice.
    #[inline]
    pub(super) fn child(self) -> u32 {
        self.0[3].load(Acquire) as u32
    }

    #[inline]
    pub(super) fn set_child(self, child: u32) {
        let (prior, _) = halves(&self.0[3]);
        // The node is ready before another thread looks at it.
        self.0[3].store(u64::from(prior) << 32 | u64::from(child), Release);
    }

    /// What the move is worth where moves are evaluated: between the mean of the evaluations below it and what it leads to by the best
    /// moves in the tree.
    #[inline]
    pub(super) fn worth(self) -> f32 {
        let (mean, minimax) = self.values();
        match self.visits().done() {
            0 => minimax,
            _ => mean + MINIMAX_SHARE * (minimax - mean),
        }
    }
}

/// The share of implicit minimax in what a move is worth.
const MINIMAX_SHARE: f32 = 0.5;

/// The temperature of priors, in goal points: a move that is evaluated worse by so much gets 1/e of the visits.
const TEMPERATURE: f32 = 20.0;

/// The priors of moves by their evaluations: a softmax.
pub(super) fn priors(evaluations: &[f32]) -> Vec<f32> {
    let best = evaluations
        .iter()
        .copied()
        .fold(f32::NEG_INFINITY, f32::max);
    let shares = evaluations.iter();
    let mut shares: Vec<f32> = shares
        .map(|own| libm::expf((own - best) / TEMPERATURE))
        .collect();
    let sum: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

/// The range of goals.
pub(super) const MIN_GOAL: f32 = 0.0;
pub(super) const MAX_GOAL: f32 = 100.0;

/// What expansion finds out about a new state.
#[derive(Debug, Clone)]
pub(super) enum LeafInfo {
    /// Not terminal; the number of legal moves of each role.
    NonTerminal(Vec<u32>),
    /// Terminal; the goal of each role.
    Terminal(Vec<u8>),
    /// Not terminal, but some role has no legal move.
    Stuck,
}

/// What a new state is worth.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeafWorth<'v> {
    /// For each role.
    pub(super) values: &'v [f64],
    /// What each move is worth for the only role with a choice; empty where moves are not evaluated.
    pub(super) moves: &'v [f32],
    /// The facts that the moves of each role make; empty where playouts do not count facts.
    pub(super) facts: &'v [u32],
}

impl LeafInfo {
    /// The number of legal moves of each role, where the state is no end.
    fn moves(&self) -> &[u32] {
        match self {
            Self::NonTerminal(moves) => moves,
            Self::Terminal(_) | Self::Stuck => &[],
        }
    }

    /// The roles that have a choice.
    pub(super) fn movers(&self) -> Movers {
        let moves = self.moves().iter().enumerate();
        let mut with_choice = moves.filter(|&(_, &moves)| moves > 1);
        let first = with_choice.next().map_or(0, |(role, _)| role);
        match with_choice.next() {
            None => Movers::One(first),
            Some(_) => Movers::Several,
        }
    }

    /// The number of legal moves of a role, and the proved bounds of its goal.
    pub(super) fn of_role(&self, role: usize) -> (u32, (f32, f32)) {
        let bounds = match self {
            Self::Terminal(goals) => (goals[role].into(), goals[role].into()),
            Self::NonTerminal(_) | Self::Stuck => (MIN_GOAL, MAX_GOAL),
        };
        (self.moves().get(role).copied().unwrap_or(0), bounds)
    }
}

impl LeafWorth<'_> {
    /// What is known of the moves of the only role with a choice: their evaluations, as bits, or the facts that they make. Nothing where it is
    /// not used.
    pub(super) fn notes(&self, info: &LeafInfo) -> Vec<u32> {
        let (Movers::One(mover), moves) = (info.movers(), info.moves()) else {
            return Vec::new();
        };
        if self.facts.is_empty() {
            return self.moves.iter().map(|own| own.to_bits()).collect();
        }
        let before = moves.iter().take(mover).sum::<u32>() as usize;
        let own = moves.get(mover).map_or(0, |&own| own as usize);
        self.facts[before..before + own].to_vec()
    }
}

/// The roles that have more than one legal move in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Movers {
    /// At most this one.
    One(usize),
    /// Several.
    Several,
}
