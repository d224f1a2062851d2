//! What the tree stores for a state, for each role in it, and for each move.

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

/// A state of the game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Evaluations backpropagated through the node.
    pub(super) visits: u32,
    /// Evaluations under way: visits without a value so far (virtual loss).
    pub(super) virtual_loss: u32,
    /// The index of its first arm.
    pub(super) arms: u32,
    /// The index of the first evaluation of its moves, which become those of its arms.
    pub(super) evaluations: u32,
    /// The index of the first of the facts that its moves make, role by role.
    pub(super) facts: u32,
    /// The distance to the end in plies, where the value is proved.
    pub(super) plies: u16,
    /// Terminal, or some role has no legal move.
    pub(super) is_end: bool,
    /// On the path of the selection under way; this detects cycles.
    pub(super) is_on_path: bool,
}

/// The statistics of one role in a state.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoleStats {
    /// The sum of all evaluated goals.
    pub(super) sum: f64,
    /// The proved lower bound of its goal.
    pub(super) lower: f32,
    /// The proved upper bound of its goal.
    pub(super) upper: f32,
    /// The number of its legal moves.
    pub(super) moves: u32,
    /// The goal that it can get according to the evaluations in the tree (implicit minimax).
    pub(super) minimax: f32,
}

/// A move of one role in one state: an arm of the bandit that the role plays there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arm {
    /// Evaluations backpropagated through the move.
    pub(super) visits: u32,
    /// Evaluations under way (virtual loss).
    pub(super) virtual_loss: u32,
    /// The mean goal of the role that makes the move.
    pub(super) mean: f32,
    /// The goal that it can get after the move according to the evaluations in the tree.
    pub(super) minimax: f32,
    /// How much of the visits the evaluation gives to the move, before any.
    pub(super) prior: f32,
    /// The proved bounds of the goal of that role after the move.
    pub(super) lower: f32,
    pub(super) upper: f32,
    /// The node after the move, if no other role has a choice.
    pub(super) child: u32,
}

impl Arm {
    /// What the move is worth where moves are evaluated: between the mean of the evaluations below it and what it leads to by the best
    /// moves in the tree.
    pub(super) fn worth(&self) -> f32 {
        match self.visits {
            0 => self.minimax,
            _ => self.mean + MINIMAX_SHARE * (self.minimax - self.mean),
        }
    }

    pub(super) const NEW: Self = Self {
        visits: 0,
        virtual_loss: 0,
        mean: 0.0,
        minimax: 0.0,
        prior: 0.0,
        lower: MIN_GOAL,
        upper: MAX_GOAL,
        child: NO_NODE,
    };
}

/// The share of implicit minimax in what a move is worth.
const MINIMAX_SHARE: f32 = 0.5;

/// The temperature of priors, in goal points: a move that is evaluated worse by so much gets 1/e of the visits.
const TEMPERATURE: f32 = 20.0;

/// Gives moves their priors by their evaluations: a softmax.
pub(super) fn set_priors(arms: &mut [Arm]) {
    let best = arms
        .iter()
        .fold(f32::NEG_INFINITY, |best, arm| best.max(arm.minimax));
    for arm in arms.iter_mut() {
        arm.prior = ((arm.minimax - best) / TEMPERATURE).exp();
    }
    let sum: f32 = arms.iter().map(|arm| arm.prior).sum();
    for arm in arms {
        arm.prior /= sum;
    }
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

/// The roles that have more than one legal move in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Movers {
    /// At most this one.
    One(usize),
    /// Several.
    Several,
}

/// The standard deviation of evaluations, as an exponential moving average.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RunningDeviation {
    count: f64,
    mean: f64,
    variance: f64,
}

impl RunningDeviation {
    /// The length of the moving average, in evaluations.
    const WINDOW: f64 = 2000.0;
    /// A lower limit in goal points, so that exploration goes on where all evaluations are equal.
    const MIN_DEVIATION: f64 = 1.0;

    /// Adds one evaluation.
    pub(super) fn add(&mut self, value: f64) {
        self.count = (self.count + 1.0).min(Self::WINDOW);
        let difference = value - self.mean;
        self.mean += difference / self.count;
        self.variance += (difference * (value - self.mean) - self.variance) / self.count;
    }

    /// The standard deviation, in goal points.
    pub(super) fn std_dev(&self) -> f32 {
        self.variance.sqrt().max(Self::MIN_DEVIATION) as f32
    }
}
