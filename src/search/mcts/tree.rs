//! The statistics of all nodes, which all threads read and write without a lock, but for children by joint moves. Transpositions share a node, so the tree is in fact a
//! directed graph.

mod reachable;

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use hashbrown::HashTable;
use rustc_hash::FxHashMap;

use super::amaf::{AmafRow, MoveAmaf};
use super::node::{
    Arm, ArmRow, LeafInfo, LeafMethod, LeafWorth, Movers, NO_ENTRY, NO_FACT, NO_NODE, Node,
    NodeRow, RoleStats, priors,
};
use super::statistics::EvaluationStatistics;
use super::words::zeroed_rows;

/// All nodes, with an index by the hash of their states.
///
/// Its memory is reserved when it is made, so that no row ever moves; the system provides what is used.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) roles: usize,
    /// By role, whether chance plays it.
    pub(super) chance: Vec<bool>,
    /// By node, its own row and one for each role.
    rows: Box<[NodeRow]>,
    arms: Box<[ArmRow]>,
    /// By arm, where playouts count facts.
    pub(super) amafs: Box<[AmafRow]>,
    /// What is known of the moves of nodes without arms.
    notes: Box<[AtomicU32]>,
    used: UsedRows,
    /// The children of nodes in which several roles have a choice, by the index of the joint move.
    joints: RwLock<FxHashMap<(u32, u64), u32>>,
    index: Mutex<StateIndex>,
    pub(super) statistics: EvaluationStatistics,
    pub(super) root: u32,
    /// The moves of the searcher at the root that lead to a state that occurred twice in the match.
    pub(super) repetitions: Vec<u32>,
    /// The memory limit in bytes.
    budget: usize,
    /// The size of a state, which is stored elsewhere.
    state_bytes: usize,
    /// How leaves are evaluated.
    pub(super) method: LeafMethod,
}

/// How many nodes, arms, notes, and children by joint moves there are.
#[derive(Debug, Default)]
struct UsedRows {
    nodes: AtomicUsize,
    arms: AtomicUsize,
    notes: AtomicUsize,
    joints: AtomicUsize,
}

/// Finds nodes by the hashes of their states.
#[derive(Debug, Default)]
pub(super) struct StateIndex {
    /// By node.
    hashes: Vec<u64>,
    table: HashTable<u32>,
}

impl StateIndex {
    /// The node with this hash for which `is_it` holds.
    pub(super) fn find(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> Option<u32> {
        let is_it = |&node: &u32| self.hashes[node as usize] == hash && is_it(node as usize);
        self.table.find(hash, is_it).copied()
    }

    fn insert(&mut self, hash: u64, node: u32) {
        self.hashes.push(hash);
        let hashes = &self.hashes;
        let hash_of = |node: &u32| hashes[*node as usize];
        self.table.insert_unique(hash, node, hash_of);
    }
}

impl Tree {
    /// An empty tree; `chance` says of each role whether chance plays it.
    pub(super) fn new(
        chance: Vec<bool>,
        method: LeafMethod,
        budget: usize,
        state_bytes: usize,
    ) -> Self {
        let statistics = EvaluationStatistics::new(&chance);
        let mut tree = Self {
            roles: chance.len(),
            rows: Box::default(),
            arms: Box::default(),
            amafs: Box::default(),
            notes: Box::default(),
            used: UsedRows::default(),
            joints: RwLock::default(),
            index: Mutex::default(),
            statistics,
            root: NO_NODE,
            repetitions: Vec::new(),
            budget,
            state_bytes,
            method,
            chance,
        };
        tree.reserve();
        tree
    }

    /// Reserves memory for what fits into the budget; where memory is short, for less.
    fn reserve(&mut self) {
        while self.try_reserve().is_none() && self.budget > 0 {
            // The rest of the program needs memory, too.
            self.budget /= 4;
        }
    }

    /// Reserves memory for what fits into the budget; `None` if memory is short.
    fn try_reserve(&mut self) -> Option<()> {
        /// For what threads add before they see that the budget is used up.
        const MORE: usize = 1 << 12;
        (self.rows, self.arms) = (Box::default(), Box::default());
        (self.amafs, self.notes) = (Box::default(), Box::default());
        let nodes = self.budget / self.node_bytes() + MORE;
        self.rows = zeroed_rows(nodes.min(NO_NODE as usize) * (self.roles + 1))?;
        let arms = (self.budget / self.arm_bytes() + MORE).min(NO_ENTRY as usize);
        self.arms = zeroed_rows(arms)?;
        if self.tracks_facts() {
            self.amafs = zeroed_rows(arms)?;
        }
        if self.has_notes() {
            // Half of the budget at most: notes become arms where the tree grows.
            let notes = self.budget / 2 / size_of::<AtomicU32>() + MORE;
            self.notes = zeroed_rows(notes.min(NO_ENTRY as usize))?;
        }
        Some(())
    }

    /// Whether leaves are evaluated with all their children, and not by playouts.
    #[inline]
    pub(super) fn is_evaluated(&self) -> bool {
        self.method == LeafMethod::Children
    }

    /// Whether playouts count the facts at their ends.
    #[inline]
    pub(super) fn tracks_facts(&self) -> bool {
        self.method == LeafMethod::Playouts { tracks_facts: true }
    }

    fn has_notes(&self) -> bool {
        self.is_evaluated() || self.tracks_facts()
    }

    #[inline]
    pub(super) fn node(&self, node: u32) -> Node<'_> {
        Node(&self.rows[node as usize * (self.roles + 1)])
    }

    #[inline]
    pub(super) fn stats(&self, node: u32, role: usize) -> RoleStats<'_> {
        RoleStats(&self.rows[node as usize * (self.roles + 1) + 1 + role])
    }

    pub(super) fn nodes(&self) -> usize {
        self.used.nodes.load(Relaxed)
    }

    /// The index of the states. Nodes are added one at a time, by who holds it.
    pub(super) fn index(&self) -> MutexGuard<'_, StateIndex> {
        let index = self.index.lock();
        index.unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a node for a new state; `None` if there is no room.
    pub(super) fn add(
        &self,
        index: &mut StateIndex,
        hash: u64,
        info: &LeafInfo,
        worth: LeafWorth<'_>,
    ) -> Option<u32> {
        let number = self.nodes();
        if (number + 1) * (self.roles + 1) > self.rows.len() {
            return None;
        }
        let node = number as u32;
        let notes = self.add_notes(&worth.notes(info))?;
        let is_end = !matches!(info, LeafInfo::NonTerminal(_));
        self.node(node).set_new(info.movers(), is_end, notes);
        for role in 0..self.roles {
            let (moves, bounds) = info.of_role(role);
            let stats = self.stats(node, role);
            stats.set_new(bounds, moves, worth.values[role] as f32);
        }
        self.used.nodes.store(number + 1, Relaxed);
        index.insert(hash, node);
        Some(node)
    }

    /// Adds what is known of the moves of a node, and returns the index of the first of it; `None` if there is no room.
    fn add_notes(&self, notes: &[u32]) -> Option<u32> {
        if notes.is_empty() {
            return Some(NO_ENTRY);
        }
        let first = self.used.notes.load(Relaxed);
        let own = self.notes.get(first..first + notes.len())?;
        for (own, &note) in own.iter().zip(notes) {
            own.store(note, Relaxed);
        }
        self.used.notes.store(first + notes.len(), Relaxed);
        Some(first as u32)
    }

    /// What is known of the moves of the only role with a choice, in a node without arms.
    fn notes(&self, node: u32) -> Option<Vec<u32>> {
        let first = self.node(node).notes();
        let Movers::One(mover) = self.node(node).movers() else {
            return None;
        };
        let moves = self.stats(node, mover).moves() as usize;
        let notes = || self.notes[first as usize..][..moves].iter();
        (first != NO_ENTRY).then(|| notes().map(|note| note.load(Relaxed)).collect())
    }

    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.used = UsedRows::default();
        self.joints = RwLock::default();
        self.index = Mutex::default();
        self.root = NO_NODE;
        self.repetitions.clear();
    }

    /// Whether dropping unreachable nodes is worth its time.
    pub(super) fn is_half_full(&self) -> bool {
        2 * self.bytes() >= self.budget
    }

    /// Whether the memory limit is reached, but for what threads add before they see that.
    pub(super) fn is_full(&self) -> bool {
        let is_used_up = |used: usize, all: usize| used >= all - all / 16;
        let UsedRows {
            nodes, arms, notes, ..
        } = &self.used;
        is_used_up(self.bytes(), self.budget)
            || is_used_up(nodes.load(Relaxed), self.rows.len() / (self.roles + 1))
            || is_used_up(arms.load(Relaxed), self.arms.len())
            || self.has_notes() && is_used_up(notes.load(Relaxed), self.notes.len())
    }

    fn node_bytes(&self) -> usize {
        /// A place in the index, which may be twice as large as what it holds, as the list of states may be.
        const INDEX: usize = 16 + size_of::<u64>();
        (self.roles + 1) * size_of::<NodeRow>() + 2 * (self.state_bytes + INDEX)
    }

    fn arm_bytes(&self) -> usize {
        let amaf = if self.tracks_facts() {
            size_of::<AmafRow>()
        } else {
            0
        };
        size_of::<ArmRow>() + amaf
    }

    /// The memory taken by the contents, in bytes.
    pub(super) fn bytes(&self) -> usize {
        /// The table may be twice as large as what it holds.
        const JOINT: usize = 2 * 24;
        self.nodes() * self.node_bytes()
            + self.used.arms.load(Relaxed) * self.arm_bytes()
            + self.used.notes.load(Relaxed) * size_of::<AtomicU32>()
            + self.used.joints.load(Relaxed) * JOINT
    }

    /// The roles that have a choice in a node.
    #[inline]
    pub(super) fn movers(&self, node: u32) -> Movers {
        self.node(node).movers()
    }

    #[inline]
    pub(super) fn is_expanded(&self, node: u32) -> bool {
        self.node(node).is_expanded()
    }

    /// Expands a node: adds an arm for each move of the only role with a choice, or of each role if several have one. False if there is no
    /// room.
    pub(super) fn expand(&self, node: u32) -> bool {
        let moves: u32 = match self.movers(node) {
            Movers::One(mover) => self.stats(node, mover).moves(),
            Movers::Several => {
                let moves = (0..self.roles).map(|role| self.stats(node, role).moves());
                moves.sum()
            }
        };
        let first = self.used.arms.fetch_add(moves as usize, Relaxed);
        let all = first..first + moves as usize;
        let Some(arms) = self.arms.get(all.clone()) else {
            return false;
        };
        let notes = self.notes(node);
        let evaluations = notes.as_deref().filter(|_| self.is_evaluated());
        let evaluations = evaluations.unwrap_or_default().iter();
        let evaluations: Vec<f32> = evaluations.map(|&bits| f32::from_bits(bits)).collect();
        let evaluated = evaluations.iter().copied().zip(priors(&evaluations));
        let evaluated = evaluated.chain(std::iter::repeat((0.0, 0.0)));
        for (arm, (minimax, prior)) in arms.iter().zip(evaluated) {
            Arm(arm).set_new(minimax, prior);
        }
        if self.tracks_facts() {
            let facts = notes
                .into_iter()
                .flatten()
                .chain(std::iter::repeat(NO_FACT));
            for (amaf, fact) in self.amafs[all].iter().zip(facts) {
                MoveAmaf::of(fact).store(amaf);
            }
        }
        self.node(node).set_arms(first as u32);
        true
    }

    /// Where the arms of a role in an expanded node are: none, where only another role has a choice.
    #[inline]
    pub(super) fn range(&self, node: u32, role: usize) -> std::ops::Range<usize> {
        let first = self.node(node).arms() as usize;
        let moves = |role: usize| self.stats(node, role).moves() as usize;
        match self.movers(node) {
            Movers::One(mover) if mover == role => first..first + moves(role),
            Movers::One(_) => first..first,
            Movers::Several => {
                let first = first + (0..role).map(moves).sum::<usize>();
                first..first + moves(role)
            }
        }
    }

    /// The arms of a role in an expanded node, as [`Tree::range`] says.
    #[inline]
    pub(super) fn arms(&self, node: u32, role: usize) -> &[ArmRow] {
        &self.arms[self.range(node, role)]
    }

    /// A move of a role that has arms in an expanded node.
    #[inline]
    pub(super) fn arm(&self, node: u32, role: usize, pick: u32) -> Arm<'_> {
        Arm(&self.arms(node, role)[pick as usize])
    }

    /// The roles that have arms in an expanded node.
    #[inline]
    pub(super) fn roles_with_arms(&self, node: u32) -> std::ops::Range<usize> {
        match self.movers(node) {
            Movers::One(mover) => mover..mover + 1,
            Movers::Several => 0..self.roles,
        }
    }

    /// The index of a joint move among all of a node; the last role's move varies fastest.
    fn joint(&self, node: u32, picks: &[u32]) -> u64 {
        let number = |number: u64, (role, &pick): (usize, &u32)| {
            let moves = self.stats(node, role).moves().into();
            number.wrapping_mul(moves).wrapping_add(pick.into())
        };
        picks.iter().enumerate().fold(0, number)
    }

    /// The child by a joint move, if it is in the tree.
    #[inline]
    pub(super) fn child(&self, node: u32, picks: &[u32]) -> Option<u32> {
        let child = match self.movers(node) {
            Movers::One(role) => self.arm(node, role, picks[role]).child(),
            Movers::Several => {
                let joint = (node, self.joint(node, picks));
                let joints = self.joints.read();
                let joints = joints.unwrap_or_else(PoisonError::into_inner);
                joints.get(&joint).copied().unwrap_or(NO_NODE)
            }
        };
        (child != NO_NODE).then_some(child)
    }

    /// Sets the child by a joint move. Where several roles have a choice, that takes memory, and is left out if there is none.
    pub(super) fn link(&self, node: u32, picks: &[u32], child: u32) {
        match self.movers(node) {
            Movers::One(role) => self.arm(node, role, picks[role]).set_child(child),
            Movers::Several if self.is_full() => {}
            Movers::Several => {
                let joint = (node, self.joint(node, picks));
                let joints = self.joints.write();
                let mut joints = joints.unwrap_or_else(PoisonError::into_inner);
                joints.insert(joint, child);
                self.used.joints.store(joints.len(), Relaxed);
            }
        }
    }

    /// Sets the child by a move of the only role with a choice to a terminal node.
    pub(super) fn link_end(&self, node: u32, pick: u32, end: u32) {
        if let Movers::One(mover) = self.movers(node) {
            let arm = self.arm(node, mover, pick);
            arm.bounds().tighten(self.stats(end, mover).bounds().get());
            arm.set_child(end);
        }
    }

    /// Whether the node is terminal or its value is proved for every player.
    #[inline]
    pub(super) fn is_proved(&self, node: u32) -> bool {
        let proved = |role: usize| {
            let (lower, upper) = self.stats(node, role).bounds().get();
            self.chance[role] || lower >= upper
        };
        self.node(node).is_end() || self.statistics.is_constant_sum() && (0..self.roles).all(proved)
    }

    /// The estimated goal of a role: the mean, clamped to the proved bounds.
    #[inline]
    pub(super) fn expected(&self, node: u32, role: usize) -> f64 {
        let (this, stats) = (self.node(node), self.stats(node, role));
        let (lower, upper) = stats.bounds().get();
        let mean = match this.visits().done() {
            0 => f64::from(lower + upper) / 2.0,
            visits => stats.sum() / f64::from(visits),
        };
        let least = mean.max(lower.into());
        if self.statistics.is_constant_sum() || this.is_end() {
            least.min(upper.into())
        } else {
            least
        }
    }
}
