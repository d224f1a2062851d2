//! What is remembered of the states met: a graph, in which a state stands once, however it was come by.

use hashbrown::HashTable;
use rustc_hash::FxHashMap;

use super::node::{Arm, Choosers, Fresh, LEAST, MOST, NOBODY, Node, Noise, Side, UNOPENED};

/// All nodes.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) roles: usize,
    /// Per role, whether chance plays it.
    pub(super) chance: Vec<bool>,
    nodes: Vec<Node>,
    /// Per node and role.
    sides: Vec<Side>,
    arms: Vec<Arm>,
    /// Children of nodes in which several roles have a choice, by the number of the joint move.
    joints: FxHashMap<(u32, u64), u32>,
    /// Per node, the hash of its state.
    hashes: Vec<u64>,
    index: HashTable<u32>,
    pub(super) root: u32,
    /// How many bytes may be taken up.
    budget: usize,
    /// How many bytes a state takes up elsewhere.
    state_bytes: usize,
    pub(super) noise: Vec<Noise>,
    /// The least and the greatest sum of the players' goals that an end gave.
    pub(super) goal_sums: Option<(f64, f64)>,
}

impl Tree {
    /// Without nodes, for roles of which these are played by chance.
    pub(super) fn new(chance: Vec<bool>, budget: usize, state_bytes: usize) -> Self {
        Self {
            roles: chance.len(),
            nodes: Vec::new(),
            sides: Vec::new(),
            arms: Vec::new(),
            joints: FxHashMap::default(),
            hashes: Vec::new(),
            index: HashTable::new(),
            root: NOBODY,
            budget,
            state_bytes,
            noise: vec![Noise::default(); chance.len()],
            goal_sums: None,
            chance,
        }
    }

    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    pub(super) fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    pub(super) fn side(&self, node: u32, role: usize) -> &Side {
        &self.sides[node as usize * self.roles + role]
    }

    pub(super) fn side_mut(&mut self, node: u32, role: usize) -> &mut Side {
        &mut self.sides[node as usize * self.roles + role]
    }

    /// The node of the state with this hash that `is_it` recognises.
    pub(super) fn find(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> Option<u32> {
        let is_it = |&node: &u32| self.hashes[node as usize] == hash && is_it(node as usize);
        self.index.find(hash, is_it).copied()
    }

    /// A node for a state that has none.
    pub(super) fn add(&mut self, hash: u64, fresh: &Fresh) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node {
            visits: 0,
            pending: 0,
            arms: UNOPENED,
            steps: 0,
            is_end: !matches!(fresh, Fresh::Open(_)),
            is_on_path: false,
        });
        for role in 0..self.roles {
            let (low, high, moves) = match fresh {
                Fresh::Open(moves) => (LEAST, MOST, moves[role]),
                Fresh::End(goals) => (goals[role].into(), goals[role].into(), 0),
                Fresh::Stuck => (LEAST, MOST, 0),
            };
            self.sides.push(Side {
                sum: 0.0,
                low,
                high,
                moves,
            });
        }
        self.hashes.push(hash);
        let hashes = &self.hashes;
        let hash_of = |node: &u32| hashes[*node as usize];
        self.index.insert_unique(hash, node, hash_of);
        node
    }

    /// Forgets all nodes.
    pub(super) fn clear(&mut self) {
        *self = self.emptied();
    }

    /// The same without nodes.
    fn emptied(&self) -> Self {
        Self {
            noise: self.noise.clone(),
            goal_sums: self.goal_sums,
            ..Self::new(self.chance.clone(), self.budget, self.state_bytes)
        }
    }

    /// Whether so much room is taken up that it is worth the while to look for what can be forgotten.
    pub(super) fn is_half_full(&self) -> bool {
        4 * self.bytes() >= self.budget
    }

    /// Whether there is no room for more. Lists may take up twice what is in them.
    pub(super) fn is_full(&self) -> bool {
        2 * self.bytes() >= self.budget || self.nodes.len() >= NOBODY as usize
    }

    /// How many bytes its contents take up.
    pub(super) fn bytes(&self) -> usize {
        const INDEX: usize = 16;
        const JOINT: usize = 24;
        let node = size_of::<Node>() + self.roles * size_of::<Side>() + self.state_bytes + INDEX;
        self.nodes.len() * node + self.arms.len() * size_of::<Arm>() + self.joints.len() * JOINT
    }

    pub(super) fn choosers(&self, node: u32) -> Choosers {
        let mut with_choice = (0..self.roles).filter(|&role| self.side(node, role).moves > 1);
        let first = with_choice.next().unwrap_or(0);
        match with_choice.next() {
            None => Choosers::One(first),
            Some(_) => Choosers::Many,
        }
    }

    pub(super) fn is_opened(&self, node: u32) -> bool {
        self.node(node).arms != UNOPENED
    }

    /// Gives the node arms, one per move of each role.
    pub(super) fn open(&mut self, node: u32) {
        let first = self.arms.len() as u32;
        let moves: u32 = (0..self.roles)
            .map(|role| self.side(node, role).moves)
            .sum();
        self.arms.resize(self.arms.len() + moves as usize, Arm::NEW);
        self.node_mut(node).arms = first;
    }

    fn range(&self, node: u32, role: usize) -> std::ops::Range<usize> {
        let before = (0..role)
            .map(|role| self.side(node, role).moves)
            .sum::<u32>();
        let first = (self.node(node).arms + before) as usize;
        first..first + self.side(node, role).moves as usize
    }

    /// The moves of a role in a node that has been opened.
    pub(super) fn arms(&self, node: u32, role: usize) -> &[Arm] {
        &self.arms[self.range(node, role)]
    }

    pub(super) fn arm_mut(&mut self, node: u32, role: usize, pick: u32) -> &mut Arm {
        let first = self.range(node, role).start;
        &mut self.arms[first + pick as usize]
    }

    /// The number of a joint move among all of a node, the last role's move changing fastest.
    fn joint(&self, node: u32, picks: &[u32]) -> u64 {
        let number = |number: u64, (role, &pick): (usize, &u32)| {
            let moves = self.side(node, role).moves.into();
            number.wrapping_mul(moves).wrapping_add(pick.into())
        };
        picks.iter().enumerate().fold(0, number)
    }

    /// What comes of a joint move, if that is known.
    pub(super) fn child(&self, node: u32, picks: &[u32]) -> Option<u32> {
        let child = match self.choosers(node) {
            Choosers::One(role) => self.arms(node, role)[picks[role] as usize].child,
            Choosers::Many => {
                let joint = self.joint(node, picks);
                self.joints.get(&(node, joint)).copied().unwrap_or(NOBODY)
            }
        };
        (child != NOBODY).then_some(child)
    }

    /// Notes what comes of a joint move.
    pub(super) fn link(&mut self, node: u32, picks: &[u32], child: u32) {
        match self.choosers(node) {
            Choosers::One(role) => self.arm_mut(node, role, picks[role]).child = child,
            Choosers::Many => {
                let joint = self.joint(node, picks);
                self.joints.insert((node, joint), child);
            }
        }
    }

    /// Whether what a role can be sure of is all that it can expect: true for puzzles, and for two players as long as
    /// the goals of every end met add up to the same.
    pub(super) fn is_strict(&self) -> bool {
        match self.chance.iter().filter(|chance| !**chance).count() {
            0 | 1 => true,
            2 => {
                // Means are rounded.
                let same = |(least, most)| most - least < 1e-6;
                self.goal_sums.is_some_and(same)
            }
            _ => false,
        }
    }

    /// Whether all is known of the node.
    pub(super) fn is_settled(&self, node: u32) -> bool {
        let settled = |role: usize| {
            let side = self.side(node, role);
            self.chance[role] || side.low >= side.high
        };
        self.node(node).is_end || self.is_strict() && (0..self.roles).all(settled)
    }

    /// What a role is expected to score.
    pub(super) fn expected(&self, node: u32, role: usize) -> f64 {
        let (visits, side) = (self.node(node).visits, self.side(node, role));
        let mean = match visits {
            0 => f64::from(side.low + side.high) / 2.0,
            _ => side.sum / f64::from(visits),
        };
        let least = mean.max(side.low.into());
        if self.is_strict() || self.node(node).is_end {
            least.min(side.high.into())
        } else {
            least
        }
    }

    /// Notes how a game ended, or several on average.
    pub(super) fn note(&mut self, values: &[f64]) {
        let players = values.iter().zip(&self.chance);
        let sum: f64 = players
            .map(|(goal, chance)| if *chance { 0.0 } else { *goal })
            .sum();
        let (least, most) = self.goal_sums.unwrap_or((sum, sum));
        self.goal_sums = Some((least.min(sum), most.max(sum)));
        for (noise, value) in self.noise.iter_mut().zip(values) {
            noise.add(*value);
        }
    }

    /// Forgets what cannot be come by from the root any more. Returns the nodes that stay, in the order of their new
    /// numbers.
    pub(super) fn forget(&mut self) -> Vec<u32> {
        let (kept, new) = self.reachable();
        let mut tree = self.emptied();
        tree.root = 0;
        let renamed = |node: u32| new.get(node as usize).copied().unwrap_or(NOBODY);
        for &old in &kept {
            let mut node = *self.node(old);
            if self.is_opened(old) {
                node.arms = tree.arms.len() as u32;
                let all = self.range(old, 0).start..self.range(old, self.roles - 1).end;
                tree.arms.extend_from_slice(&self.arms[all]);
            }
            let name = tree.nodes.len() as u32;
            tree.nodes.push(node);
            let sides = old as usize * self.roles..(old as usize + 1) * self.roles;
            tree.sides.extend_from_slice(&self.sides[sides]);
            tree.hashes.push(self.hashes[old as usize]);
            let hashes = &tree.hashes;
            let hash_of = |node: &u32| hashes[*node as usize];
            tree.index
                .insert_unique(hashes[name as usize], name, hash_of);
        }
        for arm in &mut tree.arms {
            arm.child = renamed(arm.child);
        }
        for (&(node, joint), &child) in &self.joints {
            if renamed(node) != NOBODY {
                tree.joints.insert((renamed(node), joint), renamed(child));
            }
        }
        *self = tree;
        kept
    }

    /// The nodes that can be come by from the root, which is the first, and the place of each node among them.
    fn reachable(&self) -> (Vec<u32>, Vec<u32>) {
        let mut children: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (&(node, _), &child) in &self.joints {
            children.entry(node).or_default().push(child);
        }
        let mut kept = vec![self.root];
        let mut new = vec![NOBODY; self.nodes.len()];
        new[self.root as usize] = 0;
        let mut next = 0;
        while let Some(&node) = kept.get(next) {
            next += 1;
            let arms = match self.is_opened(node) {
                true => &self.arms[self.range(node, 0).start..self.range(node, self.roles - 1).end],
                false => &[],
            };
            let of_joints = children.get(&node).into_iter().flatten().copied();
            for child in arms.iter().map(|arm| arm.child).chain(of_joints) {
                if child != NOBODY && new[child as usize] == NOBODY {
                    new[child as usize] = kept.len() as u32;
                    kept.push(child);
                }
            }
        }
        (kept, new)
    }
}
