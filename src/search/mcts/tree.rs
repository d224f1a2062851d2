//! The statistics of all nodes. Transpositions share a node, so the tree is in fact a directed graph.

use hashbrown::HashTable;
use rustc_hash::FxHashMap;

use super::amaf::{AmafRegression, MoveAmaf};
use super::node::{
    Arm, LeafInfo, LeafMethod, LeafWorth, MAX_GOAL, MIN_GOAL, Movers, NO_ENTRY, NO_FACT, NO_NODE,
    Node, RoleStats, RunningDeviation, UNEXPANDED, set_priors,
};

/// All nodes, with an index by the hash of their states.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) roles: usize,
    /// By role, whether chance plays it.
    pub(super) chance: Vec<bool>,
    nodes: Vec<Node>,
    /// By node and role.
    role_stats: Vec<RoleStats>,
    arms: Vec<Arm>,
    /// By arm, where playouts count facts.
    pub(super) amafs: Vec<MoveAmaf>,
    /// What moves are worth for the role that has the choice in a node.
    evaluations: Vec<f32>,
    /// The facts that the moves of nodes without arms make.
    pub(super) facts: Vec<u32>,
    pub(super) regression: AmafRegression,
    /// The children of nodes in which several roles have a choice, by the index of the joint move.
    joints: FxHashMap<(u32, u64), u32>,
    /// By node, the hash of its state.
    hashes: Vec<u64>,
    index: HashTable<u32>,
    pub(super) root: u32,
    /// The moves of the searcher at the root that lead to a state that occurred twice in the match.
    pub(super) repetitions: Vec<u32>,
    /// The memory limit in bytes.
    budget: usize,
    /// The size of a state, which is stored elsewhere.
    state_bytes: usize,
    pub(super) deviations: Vec<RunningDeviation>,
    /// The least and the greatest sum of the players' goals over all evaluations.
    pub(super) goal_sums: Option<(f64, f64)>,
    /// How leaves are evaluated.
    pub(super) method: LeafMethod,
}

impl Tree {
    /// An empty tree; `chance` says of each role whether chance plays it.
    pub(super) fn new(
        chance: Vec<bool>,
        method: LeafMethod,
        budget: usize,
        state_bytes: usize,
    ) -> Self {
        Self {
            roles: chance.len(),
            nodes: Vec::new(),
            role_stats: Vec::new(),
            arms: Vec::new(),
            amafs: Vec::new(),
            evaluations: Vec::new(),
            facts: Vec::new(),
            regression: AmafRegression::default(),
            joints: FxHashMap::default(),
            hashes: Vec::new(),
            index: HashTable::new(),
            root: NO_NODE,
            repetitions: Vec::new(),
            budget,
            state_bytes,
            deviations: vec![RunningDeviation::default(); chance.len()],
            goal_sums: None,
            method,
            chance,
        }
    }

    /// Whether leaves are evaluated with all their children, and not by playouts.
    pub(super) fn is_evaluated(&self) -> bool {
        self.method == LeafMethod::Children
    }

    /// Whether playouts count the facts at their ends.
    pub(super) fn tracks_facts(&self) -> bool {
        self.method == LeafMethod::Playouts { tracks_facts: true }
    }

    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    pub(super) fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    pub(super) fn stats(&self, node: u32, role: usize) -> &RoleStats {
        &self.role_stats[node as usize * self.roles + role]
    }

    pub(super) fn stats_mut(&mut self, node: u32, role: usize) -> &mut RoleStats {
        &mut self.role_stats[node as usize * self.roles + role]
    }

    /// The node with this hash for which `is_it` holds.
    pub(super) fn find(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> Option<u32> {
        let is_it = |&node: &u32| self.hashes[node as usize] == hash && is_it(node as usize);
        self.index.find(hash, is_it).copied()
    }

    /// Adds a node for a new state.
    pub(super) fn add(&mut self, hash: u64, info: &LeafInfo, worth: LeafWorth<'_>) -> u32 {
        let node = self.nodes.len() as u32;
        let evaluations = append(&mut self.evaluations, worth.moves);
        let facts = append(&mut self.facts, worth.facts);
        self.nodes.push(Node {
            visits: 0,
            virtual_loss: 0,
            arms: UNEXPANDED,
            evaluations,
            facts,
            plies: 0,
            is_end: !matches!(info, LeafInfo::NonTerminal(_)),
            is_on_path: false,
        });
        for role in 0..self.roles {
            let (lower, upper, moves) = match info {
                LeafInfo::NonTerminal(moves) => (MIN_GOAL, MAX_GOAL, moves[role]),
                LeafInfo::Terminal(goals) => (goals[role].into(), goals[role].into(), 0),
                LeafInfo::Stuck => (MIN_GOAL, MAX_GOAL, 0),
            };
            self.role_stats.push(RoleStats {
                sum: 0.0,
                lower,
                upper,
                moves,
                minimax: worth.values[role] as f32,
            });
        }
        self.hashes.push(hash);
        let hashes = &self.hashes;
        let hash_of = |node: &u32| hashes[*node as usize];
        self.index.insert_unique(hash, node, hash_of);
        node
    }

    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        *self = self.emptied();
    }

    /// The same tree without nodes.
    fn emptied(&self) -> Self {
        Self {
            deviations: self.deviations.clone(),
            goal_sums: self.goal_sums,
            regression: self.regression,
            ..Self::new(
                self.chance.clone(),
                self.method,
                self.budget,
                self.state_bytes,
            )
        }
    }

    /// Whether dropping unreachable nodes is worth its time.
    pub(super) fn is_half_full(&self) -> bool {
        4 * self.bytes() >= self.budget
    }

    /// Whether the memory limit is reached. A `Vec` may take twice the memory of its contents.
    pub(super) fn is_full(&self) -> bool {
        2 * self.bytes() >= self.budget || self.nodes.len() >= NO_NODE as usize
    }

    /// The memory taken by the contents, in bytes.
    pub(super) fn bytes(&self) -> usize {
        const INDEX: usize = 16;
        const JOINT: usize = 24;
        let node =
            size_of::<Node>() + self.roles * size_of::<RoleStats>() + self.state_bytes + INDEX;
        self.nodes.len() * node
            + self.arms.len() * size_of::<Arm>()
            + self.amafs.len() * size_of::<MoveAmaf>()
            + self.evaluations.len() * size_of::<f32>()
            + self.facts.len() * size_of::<u32>()
            + self.joints.len() * JOINT
    }

    pub(super) fn movers(&self, node: u32) -> Movers {
        let mut with_choice = (0..self.roles).filter(|&role| self.stats(node, role).moves > 1);
        let first = with_choice.next().unwrap_or(0);
        match with_choice.next() {
            None => Movers::One(first),
            Some(_) => Movers::Several,
        }
    }

    pub(super) fn is_expanded(&self, node: u32) -> bool {
        self.node(node).arms != UNEXPANDED
    }

    /// Expands a node: adds an arm for each move of each role.
    pub(super) fn expand(&mut self, node: u32) {
        let first = self.arms.len() as u32;
        let moves: u32 = (0..self.roles)
            .map(|role| self.stats(node, role).moves)
            .sum();
        self.arms.resize(self.arms.len() + moves as usize, Arm::NEW);
        self.node_mut(node).arms = first;
        if self.tracks_facts() {
            let facts = self.facts(node).into_iter();
            let facts = facts.chain(std::iter::repeat(NO_FACT)).take(moves as usize);
            self.amafs.extend(facts.map(MoveAmaf::of));
        }
        if let (Movers::One(mover), Some(evaluations)) = (self.movers(node), self.evaluations(node))
        {
            let evaluated = self.arms_mut(node, mover).iter_mut().zip(evaluations);
            for (arm, minimax) in evaluated {
                arm.minimax = minimax;
            }
            set_priors(self.arms_mut(node, mover));
        }
    }

    /// The evaluations of the moves of the only role with a choice, if there are any.
    fn evaluations(&self, node: u32) -> Option<Vec<f32>> {
        let first = self.node(node).evaluations;
        let Movers::One(mover) = self.movers(node) else {
            return None;
        };
        let moves = self.stats(node, mover).moves as usize;
        (first != NO_ENTRY).then(|| self.evaluations[first as usize..][..moves].to_vec())
    }

    fn arms_mut(&mut self, node: u32, role: usize) -> &mut [Arm] {
        let range = self.range(node, role);
        &mut self.arms[range]
    }

    pub(super) fn range(&self, node: u32, role: usize) -> std::ops::Range<usize> {
        let before = (0..role)
            .map(|role| self.stats(node, role).moves)
            .sum::<u32>();
        let first = (self.node(node).arms + before) as usize;
        first..first + self.stats(node, role).moves as usize
    }

    /// The arms of a role in an expanded node.
    pub(super) fn arms(&self, node: u32, role: usize) -> &[Arm] {
        &self.arms[self.range(node, role)]
    }

    pub(super) fn arm_mut(&mut self, node: u32, role: usize, pick: u32) -> &mut Arm {
        let first = self.range(node, role).start;
        &mut self.arms[first + pick as usize]
    }

    /// The index of a joint move among all of a node; the last role's move varies fastest.
    fn joint(&self, node: u32, picks: &[u32]) -> u64 {
        let number = |number: u64, (role, &pick): (usize, &u32)| {
            let moves = self.stats(node, role).moves.into();
            number.wrapping_mul(moves).wrapping_add(pick.into())
        };
        picks.iter().enumerate().fold(0, number)
    }

    /// The child by a joint move, if it is in the tree.
    pub(super) fn child(&self, node: u32, picks: &[u32]) -> Option<u32> {
        let child = match self.movers(node) {
            Movers::One(role) => self.arms(node, role)[picks[role] as usize].child,
            Movers::Several => {
                let joint = self.joint(node, picks);
                self.joints.get(&(node, joint)).copied().unwrap_or(NO_NODE)
            }
        };
        (child != NO_NODE).then_some(child)
    }

    /// Sets the child by a joint move.
    pub(super) fn link(&mut self, node: u32, picks: &[u32], child: u32) {
        match self.movers(node) {
            Movers::One(role) => self.arm_mut(node, role, picks[role]).child = child,
            Movers::Several => {
                let joint = self.joint(node, picks);
                self.joints.insert((node, joint), child);
            }
        }
    }

    /// Sets the child by a move of the only role with a choice to a terminal node.
    pub(super) fn link_end(&mut self, node: u32, pick: u32, end: u32) {
        if let Movers::One(mover) = self.movers(node) {
            let goal = self.stats(end, mover).lower;
            let arm = self.arm_mut(node, mover, pick);
            (arm.child, arm.lower, arm.upper) = (end, goal, goal);
        }
    }

    /// Whether proved bounds are bounds of the value under rational play: true for one player, and for two players as
    /// long as all evaluations had the same sum of goals.
    pub(super) fn is_constant_sum(&self) -> bool {
        match self.chance.iter().filter(|chance| !**chance).count() {
            0 | 1 => true,
            2 => {
                // Means of goals are subject to rounding.
                let same = |(least, most)| most - least < 1e-6;
                self.goal_sums.is_some_and(same)
            }
            _ => false,
        }
    }

    /// Whether the node is terminal or its value is proved for every player.
    pub(super) fn is_proved(&self, node: u32) -> bool {
        let proved = |role: usize| {
            let stats = self.stats(node, role);
            self.chance[role] || stats.lower >= stats.upper
        };
        self.node(node).is_end || self.is_constant_sum() && (0..self.roles).all(proved)
    }

    /// The estimated goal of a role: the mean, clamped to the proved bounds.
    pub(super) fn expected(&self, node: u32, role: usize) -> f64 {
        let (visits, stats) = (self.node(node).visits, self.stats(node, role));
        let mean = match visits {
            0 => f64::from(stats.lower + stats.upper) / 2.0,
            _ => stats.sum / f64::from(visits),
        };
        let least = mean.max(stats.lower.into());
        if self.is_constant_sum() || self.node(node).is_end {
            least.min(stats.upper.into())
        } else {
            least
        }
    }

    /// Records goals, which may be the means of several playouts.
    pub(super) fn record_goals(&mut self, goals: &[f64]) {
        let players = goals.iter().zip(&self.chance);
        let sum: f64 = players
            .map(|(goal, chance)| if *chance { 0.0 } else { *goal })
            .sum();
        let (least, most) = self.goal_sums.unwrap_or((sum, sum));
        self.goal_sums = Some((least.min(sum), most.max(sum)));
    }

    /// Records an evaluation.
    pub(super) fn record(&mut self, values: &[f64]) {
        for (deviation, value) in self.deviations.iter_mut().zip(values) {
            deviation.add(*value);
        }
    }

    /// Drops the nodes that are not reachable from the root. Returns the old numbers of the others, in the order of their
    /// new numbers.
    pub(super) fn drop_unreachable(&mut self) -> Vec<u32> {
        let (kept, new) = self.reachable();
        let mut tree = self.emptied();
        tree.root = 0;
        let renumbered = |node: u32| new.get(node as usize).copied().unwrap_or(NO_NODE);
        for &old in &kept {
            let mut node = *self.node(old);
            if self.is_expanded(old) {
                node.arms = tree.arms.len() as u32;
                let all = self.range(old, 0).start..self.range(old, self.roles - 1).end;
                if self.tracks_facts() {
                    tree.amafs.extend_from_slice(&self.amafs[all.clone()]);
                }
                tree.arms.extend_from_slice(&self.arms[all]);
                (node.evaluations, node.facts) = (NO_ENTRY, NO_ENTRY);
            } else {
                let evaluations = self.evaluations(old).unwrap_or_default();
                node.evaluations = append(&mut tree.evaluations, &evaluations);
                node.facts = append(&mut tree.facts, &self.facts(old));
            }
            let number = tree.nodes.len() as u32;
            tree.nodes.push(node);
            let role_stats = old as usize * self.roles..(old as usize + 1) * self.roles;
            tree.role_stats
                .extend_from_slice(&self.role_stats[role_stats]);
            tree.hashes.push(self.hashes[old as usize]);
            let hashes = &tree.hashes;
            let hash_of = |node: &u32| hashes[*node as usize];
            tree.index
                .insert_unique(hashes[number as usize], number, hash_of);
        }
        for arm in &mut tree.arms {
            arm.child = renumbered(arm.child);
        }
        for (&(node, joint), &child) in &self.joints {
            if renumbered(node) != NO_NODE {
                tree.joints
                    .insert((renumbered(node), joint), renumbered(child));
            }
        }
        *self = tree;
        kept
    }

    /// The nodes reachable from the root, breadth first, and the index of each node among them.
    fn reachable(&self) -> (Vec<u32>, Vec<u32>) {
        let mut children: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (&(node, _), &child) in &self.joints {
            children.entry(node).or_default().push(child);
        }
        let mut kept = vec![self.root];
        let mut new = vec![NO_NODE; self.nodes.len()];
        new[self.root as usize] = 0;
        let mut next = 0;
        while let Some(&node) = kept.get(next) {
            next += 1;
            let arms = match self.is_expanded(node) {
                true => &self.arms[self.range(node, 0).start..self.range(node, self.roles - 1).end],
                false => &[],
            };
            let of_joints = children.get(&node).into_iter().flatten().copied();
            for child in arms.iter().map(|arm| arm.child).chain(of_joints) {
                if child != NO_NODE && new[child as usize] == NO_NODE {
                    new[child as usize] = kept.len() as u32;
                    kept.push(child);
                }
            }
        }
        (kept, new)
    }
}

/// Appends what is known of the moves of a node, and returns the index of the first of it.
fn append<T: Copy>(all: &mut Vec<T>, of_node: &[T]) -> u32 {
    let first = all.len() as u32;
    all.extend_from_slice(of_node);
    if of_node.is_empty() { NO_ENTRY } else { first }
}
