//! Sums over playouts.

/// Sums over playouts. They are sums of integers, so the order of playing does not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneTotals {
    /// Joint moves made, those in unfinished games included.
    pub plies: u64,
    /// Games that ended, got stuck, or were given up.
    pub playouts: u64,
    /// Joint moves made in these games.
    pub plies_of_playouts: u64,
    /// Games in which some role was left without a move before the end.
    pub stuck: u64,
    /// Games given up because they were too long.
    pub too_long: u64,
    /// Joint moves made in the games given up.
    pub plies_of_too_long: u64,
    /// Per role, the sum of the goals at the ends.
    pub goal_sum: Vec<u64>,
    /// Per role, the number of ends that give it a goal: at which exactly one value holds.
    pub goal_count: Vec<u64>,
}

impl LaneTotals {
    pub(super) fn new(roles: usize) -> Self {
        Self {
            plies: 0,
            playouts: 0,
            plies_of_playouts: 0,
            stuck: 0,
            too_long: 0,
            plies_of_too_long: 0,
            goal_sum: vec![0; roles],
            goal_count: vec![0; roles],
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.plies += other.plies;
        self.playouts += other.playouts;
        self.plies_of_playouts += other.plies_of_playouts;
        self.stuck += other.stuck;
        self.too_long += other.too_long;
        self.plies_of_too_long += other.plies_of_too_long;
        let add_each = |sums: &mut Vec<u64>, more: &Vec<u64>| {
            sums.iter_mut()
                .zip(more)
                .for_each(|(sum, more)| *sum += more);
        };
        add_each(&mut self.goal_sum, &other.goal_sum);
        add_each(&mut self.goal_count, &other.goal_count);
    }
}
