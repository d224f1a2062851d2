//! What is kept of a state, of what it is for each role, and of moves.

/// Stands for no node.
pub(super) const NOBODY: u32 = u32::MAX;
/// Stands for no arms.
pub(super) const UNOPENED: u32 = u32::MAX;

/// A state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Evaluations that came by.
    pub(super) visits: u32,
    /// Evaluations on their way that will come by.
    pub(super) pending: u32,
    /// Its first arm.
    pub(super) arms: u32,
    /// Steps to the end, where both is known for sure: what comes of the state, and how.
    pub(super) steps: u16,
    /// The game does not go on.
    pub(super) is_end: bool,
    /// It is on the path that is being gone.
    pub(super) is_on_path: bool,
}

/// What a state is for one role.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    /// The sum of all evaluations.
    pub(super) sum: f64,
    /// What the role can be sure of, at least.
    pub(super) low: f32,
    /// What it can be sure of, at most.
    pub(super) high: f32,
    /// How many moves it has.
    pub(super) moves: u32,
}

/// A move of one role in one state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arm {
    /// Evaluations of the move.
    pub(super) visits: u32,
    /// Evaluations on their way.
    pub(super) pending: u32,
    /// The mean of the evaluations for the role that makes the move.
    pub(super) mean: f32,
    /// What the role can be sure of by the move, at least and at most.
    pub(super) low: f32,
    pub(super) high: f32,
    /// What comes of it, where no other role has a choice.
    pub(super) child: u32,
}

impl Arm {
    pub(super) const NEW: Self = Self {
        visits: 0,
        pending: 0,
        mean: 0.0,
        low: LEAST,
        high: MOST,
        child: NOBODY,
    };
}

/// The least and the most that a goal can be.
pub(super) const LEAST: f32 = 0.0;
pub(super) const MOST: f32 = 100.0;

/// What is known of a state that is met for the first time.
#[derive(Debug, Clone)]
pub(super) enum Fresh {
    /// The game goes on; how many moves each role has.
    Open(Vec<u32>),
    /// The game is over; what each role scores.
    End(Vec<u8>),
    /// Some role has no move.
    Stuck,
}

/// Who has a choice in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choosers {
    /// At most this role.
    One(usize),
    /// Several.
    Many,
}

/// How much evaluations vary.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Noise {
    count: f64,
    mean: f64,
    variance: f64,
}

impl Noise {
    /// So many evaluations are looked back on.
    const MEMORY: f64 = 2000.0;
    /// In goal points; where all is alike, moves are still tried in turn.
    const LEAST: f64 = 1.0;

    /// Takes note of one more.
    pub(super) fn add(&mut self, value: f64) {
        self.count = (self.count + 1.0).min(Self::MEMORY);
        let differ = value - self.mean;
        self.mean += differ / self.count;
        self.variance += (differ * (value - self.mean) - self.variance) / self.count;
    }

    /// The standard deviation, in goal points.
    pub(super) fn deviation(&self) -> f32 {
        self.variance.sqrt().max(Self::LEAST) as f32
    }
}
