//! Proofs that a permutation of facts and moves is a symmetry of the rules.
//!
//! The network of the rules is made twice, over the same facts and moves: as it is, and with each of them in the place of its image.
//! Where both are not the same gates, a SAT solver looks for a state and moves in which an output differs from the one that it
//! should become: a *miter* (Brand, *Verification of large synthesized designs*, 1993). No such state, no difference.

use std::collections::HashMap;

use batsat::Lit as SolverLit;

use super::FactPermutation;
use crate::engine::Propnet;
use crate::game::Role;
use crate::ground::Ground;
use crate::invariants::{ClauseSolver, SolverAnswer};
use crate::propnet::network::{Gates, Leaf, Lit, NodeId};
use crate::propnet::{Interface, Network, build};
use crate::util::Deadline;

/// How many decisions the solver may make for one output, and for all symmetries of a game.
const DECISIONS_FOR_ONE: u64 = 50_000;
const DECISIONS: u64 = 1_000_000;

/// Proves symmetries of one game.
pub(super) struct SymmetryProver<'p> {
    game: &'p Propnet,
    interface: Interface,
    network: Network,
    decisions: u64,
    deadline: &'p Deadline,
}

impl<'p> SymmetryProver<'p> {
    /// `ground` are the rules of `game`. Nothing where they have a recursion through the state. After `deadline`, nothing is proved.
    pub(super) fn new(game: &'p Propnet, ground: &Ground, deadline: &'p Deadline) -> Option<Self> {
        let (interface, network) = build(ground, &mut Vec::new());
        network.outputs.cycles.is_empty().then_some(Self {
            game,
            interface,
            network,
            decisions: DECISIONS,
            deadline,
        })
    }

    /// Whether these images of facts and moves are proved to be a symmetry.
    pub(super) fn proves(&mut self, facts: &FactPermutation, moves: &[u32]) -> bool {
        if !self.keeps_roles(facts, moves) {
            return false;
        }
        let (gates, images) = self.image(facts, moves);
        let pairs = self.pairs(facts, moves, &images);
        let mut miter = Miter::new(self, gates);
        let is_proved = pairs.iter().all(|(when, one, other)| {
            let assumed = miter.assumptions(*when);
            miter.are_equal(*one, *other, &assumed)
        });
        self.decisions = miter.solver.left();
        is_proved
    }

    /// Whether the image of each move is one of the role's image.
    fn keeps_roles(&self, facts: &FactPermutation, moves: &[u32]) -> bool {
        let roles = self.interface.roles.iter().enumerate();
        roles.into_iter().all(|(role, inputs)| {
            let image = &self.interface.roles[facts.role(Role(role)).0];
            inputs
                .clone()
                .all(|mv| image.contains(&(moves[mv] as usize)))
        })
    }

    /// The gates of the network with those of its image, and what each node of the image is among them.
    fn image(&self, facts: &FactPermutation, moves: &[u32]) -> (Gates, Vec<Lit>) {
        let mut gates = self.network.gates.clone();
        let leaves = gates.leaves();
        let mut of_facts = vec![0; facts.len()];
        for (fact, becomes) in facts.pairs() {
            of_facts[becomes] = fact;
        }
        let mut of_moves = vec![0; moves.len()];
        for (mv, becomes) in moves.iter().enumerate() {
            of_moves[*becomes as usize] = mv;
        }
        let nodes = self.network.gates.nodes();
        let mut images: Vec<Lit> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let image = match leaves.leaf(node) {
                Some(Leaf::Base(fact)) => leaves.base(of_facts[fact]),
                Some(Leaf::Does(mv)) => leaves.does(of_moves[mv]),
                _ if !gates.is_gate(node) => Lit::new(node, false),
                _ => {
                    let operands = self.network.gates.operands(node).iter();
                    let operands: Vec<Lit> = operands.map(|lit| image_of(&images, *lit)).collect();
                    gates.and(&operands)
                }
            };
            images.push(image);
        }
        (gates, images)
    }

    /// What must be the same, and when.
    fn pairs(
        &self,
        facts: &FactPermutation,
        moves: &[u32],
        images: &[Lit],
    ) -> Vec<(Situation, Lit, Lit)> {
        let outputs = &self.network.outputs;
        let image = |lit: Lit| image_of(images, lit);
        let mut pairs = vec![(Situation::Any, outputs.terminal, image(outputs.terminal))];
        for (mv, becomes) in moves.iter().enumerate() {
            let (legal, other) = (outputs.legal[mv], outputs.legal[*becomes as usize]);
            pairs.push((Situation::GoingOn, legal, image(other)));
        }
        for (fact, becomes) in facts.pairs() {
            let (next, other) = (outputs.next[fact], outputs.next[becomes]);
            pairs.push((Situation::Moving, next, image(other)));
        }
        for (role, goals) in outputs.goals.iter().enumerate() {
            let others = &outputs.goals[facts.role(Role(role)).0];
            let goal = |goals: &[(u8, Lit)], value: u8| {
                let of_value = goals.iter().find(|(of, _)| *of == value);
                of_value.map_or(Lit::FALSE, |(_, lit)| *lit)
            };
            for (value, _) in goals.iter().chain(others) {
                let (goal, other) = (goal(goals, *value), goal(others, *value));
                pairs.push((Situation::Over, goal, image(other)));
            }
        }
        pairs
    }
}

/// In which states outputs must be the same.
#[derive(Debug, Clone, Copy)]
enum Situation {
    /// In all that the mutex groups allow.
    Any,
    /// Where the game is not over.
    GoingOn,
    /// Where it is not over, and each role makes a legal move.
    Moving,
    /// Where it is over.
    Over,
}

fn image_of(images: &[Lit], lit: Lit) -> Lit {
    images[lit.node() as usize].negate_if(lit.is_negated())
}

/// Gates as clauses, as far as they are asked for.
struct Miter {
    gates: Gates,
    solver: ClauseSolver,
    known: HashMap<NodeId, SolverLit>,
    terminal: SolverLit,
    /// Each role makes a legal move.
    moving: SolverLit,
}

impl Miter {
    fn new(of: &SymmetryProver<'_>, gates: Gates) -> Self {
        let mut solver = ClauseSolver::new(of.decisions, of.deadline);
        let truth = solver.free();
        solver.clause([truth]);
        let mut miter = Self {
            gates,
            solver,
            known: HashMap::from([(Lit::TRUE.node(), truth)]),
            terminal: truth,
            moving: truth,
        };
        miter.terminal = miter.literal(of.network.outputs.terminal);
        miter.add_groups(of.game);
        miter.moving = miter.moving(of);
        miter
    }

    /// States are as the mutex groups allow.
    fn add_groups(&mut self, game: &Propnet) {
        let leaves = self.gates.leaves();
        for (group, exactly_one) in game.mutex_groups() {
            let facts = group.iter().map(|fact| self.literal(leaves.base(*fact)));
            let facts: Vec<SolverLit> = facts.collect();
            self.solver.at_most_one(&facts);
            if *exactly_one {
                self.solver.clause(facts);
            }
        }
        for fact in game.static_facts() {
            let holds = self.literal(leaves.base(*fact));
            self.solver.clause([holds]);
        }
    }

    /// The literal under which each role makes one of its legal moves.
    fn moving(&mut self, of: &SymmetryProver<'_>) -> SolverLit {
        let moving = self.solver.free();
        let leaves = self.gates.leaves();
        for inputs in &of.interface.roles {
            let mut made = Vec::new();
            for input in inputs.clone() {
                let does = self.literal(leaves.does(input));
                let legal = self.literal(of.network.outputs.legal[input]);
                self.solver.clause([!moving, !does, legal]);
                made.push(does);
            }
            self.solver.at_most_one(&made);
            self.solver.clause(made.into_iter().chain([!moving]));
        }
        moving
    }

    fn assumptions(&self, when: Situation) -> Vec<SolverLit> {
        match when {
            Situation::Any => Vec::new(),
            Situation::GoingOn => vec![!self.terminal],
            Situation::Moving => vec![!self.terminal, self.moving],
            Situation::Over => vec![self.terminal],
        }
    }

    /// Whether two signals are proved to be the same where all that is assumed holds.
    fn are_equal(&mut self, one: Lit, other: Lit, assumed: &[SolverLit]) -> bool {
        if one == other {
            return true;
        }
        let (one, other) = (self.literal(one), self.literal(other));
        [(one, !other), (!one, other)]
            .into_iter()
            .all(|(one, other)| {
                let assumed = [assumed, &[one, other]].concat();
                self.solver.solve(&assumed, DECISIONS_FOR_ONE) == SolverAnswer::Impossible
            })
    }

    /// The literal of a signal.
    fn literal(&mut self, lit: Lit) -> SolverLit {
        let mut missing = vec![lit.node()];
        while let Some(node) = missing.last().copied() {
            if self.known.contains_key(&node) {
                missing.pop();
                continue;
            }
            let operands = self.gates.operands(node);
            let unknown = operands.iter().map(|lit| lit.node());
            let unknown: Vec<NodeId> = unknown
                .filter(|node| !self.known.contains_key(node))
                .collect();
            if unknown.is_empty() {
                let new = self.encode(node);
                self.known.insert(node, new);
            }
            missing.extend(unknown);
        }
        self.known[&lit.node()].apply_sign(!lit.is_negated())
    }

    /// A new variable for a node, whose operands have theirs.
    fn encode(&mut self, node: NodeId) -> SolverLit {
        if !self.gates.is_gate(node) {
            return self.solver.free();
        }
        let operands = self.gates.operands(node).iter();
        let fails = operands.map(|lit| self.known[&lit.node()].apply_sign(lit.is_negated()));
        let fails: Vec<SolverLit> = fails.collect();
        !self.solver.any(&fails)
    }
}
