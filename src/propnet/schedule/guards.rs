//! Guarded evaluation: gates whose values matter only where some fact holds are run only if it holds in some lane.
//!
//! Whether the king on d4 would be in check matters only where the king is on d4; what a queen on a1 can reach, only where
//! there is one. In a network of a million gates, the facts of the few states in the lanes leave most of it without effect.
//! This is guarded evaluation (Tiwari, Malik and Ashar 1998), found in the gates themselves:
//!
//! - A gate is *observed* only with a guard if each way from it to an output goes through a conjunction with that fact. Where the
//!   guard holds in no lane, its value may be anything.
//! - A gate *needs* a guard if it is false without it (or true). Where the guard holds in no lane, its value is known.
//!
//! Both are computed for all gates at once, as sets of guards: what a gate needs from the leaves upwards, where it is observed from
//! the outputs downwards. A gate is then put under its rarest guard. Facts that hold often are no guards.
//!
//! It is sound to leave out the gates under several guards at the same time. Say that a guard holds somewhere if it does in some lane, and
//! let all guards with which a gate is observed hold somewhere; then its value is right in all lanes. For if it is not run, its value is
//! known. If it is run, its operands are observed with the same guards, with its own guard, which holds somewhere, and with the inner
//! guard; if that holds nowhere, the conjunction with it is false whatever the others are. Outputs are observed without guards.

use std::ops::Range;

use smallvec::SmallVec;

use super::emit;
use crate::propnet::build::Interface;
use crate::propnet::circuit::{ALWAYS, NEVER, Slot};
use crate::propnet::network::{Leaf, Lit, Network, NodeId};
use crate::propnet::sampling::FactFrequencies;

/// No guard, as the number of a node: the constant.
pub(super) const NO_GUARD: NodeId = 0;

/// A fact that holds in more than one state of so many is no guard.
const RARE: f64 = 0.25;
/// So many gates are put under a guard at least: a guard is looked at on every pass.
const FEWEST_GATES: usize = 64;
/// Of the guards of a gate, the rarest are remembered.
const MOST_GUARDS: usize = 4;
/// Guards are used if so many gates are spared in a state on average, and at least this share of all that legal moves need.
const WORTHWHILE_GATES: f64 = 2_000.0;
const WORTHWHILE_SHARE: f64 = 0.15;

/// What a gate is where it is not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Skipped {
    /// Anything: nobody observes it.
    #[default]
    Unobserved,
    /// This.
    Is(bool),
    /// Not there: it has no value of its own, but is added to the disjunction that reads it, whose first value, and whose readers, are
    /// under other guards.
    NotAdded,
}

/// How a gate is run.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Placement {
    /// The fact without which it is not run, or [`NO_GUARD`].
    pub(super) guard: NodeId,
    /// What it is then.
    pub(super) skipped: Skipped,
    /// One of its operands, or [`NO_GUARD`]: the conjunction of the others is run only under this guard.
    pub(super) inner_guard: NodeId,
}

impl Placement {
    /// Whether it is added to the disjunction that reads it.
    pub(super) fn is_disjunct(self) -> bool {
        self.skipped == Skipped::NotAdded
    }
}

/// How all gates are run that the legal moves and the end depend on; others have no guard.
#[derive(Debug)]
pub(super) struct Guards {
    placements: Vec<Placement>,
    /// See [`Circuit::legal_guards`](crate::propnet::circuit::Circuit::legal_guards).
    pub(super) legal_guards: Vec<Vec<Slot>>,
}

impl Guards {
    /// Guards for the gates of `network`, which has no loops, if they are worth it.
    pub(super) fn new(
        interface: &Interface,
        network: &Network,
        frequencies: &FactFrequencies,
    ) -> Option<Self> {
        if frequencies.0.is_empty() {
            return None;
        }
        let analysis = GuardAnalysis::placed(network, frequencies, FEWEST_GATES);
        analysis
            .is_worthwhile()
            .then(|| Self::of_analysis(analysis, interface))
    }

    /// The same with every guard, worth it or not.
    #[cfg(test)]
    pub(super) fn all(
        interface: &Interface,
        network: &Network,
        frequencies: &FactFrequencies,
    ) -> Self {
        Self::of_analysis(GuardAnalysis::placed(network, frequencies, 1), interface)
    }

    fn of_analysis(analysis: GuardAnalysis<'_>, interface: &Interface) -> Self {
        let legal = &analysis.network.outputs.legal;
        let of_role = |inputs: &Range<usize>| {
            let words = legal[inputs.clone()].chunks(64);
            words.map(|legal| analysis.guard_of_all(legal)).collect()
        };
        Self {
            legal_guards: interface.roles.iter().map(of_role).collect(),
            placements: analysis.placements,
        }
    }

    pub(super) fn of(&self, node: NodeId) -> Placement {
        self.placements[node as usize]
    }
}

/// Guards of a gate.
type GuardSet = SmallVec<[NodeId; MOST_GUARDS]>;

struct GuardAnalysis<'n> {
    network: &'n Network,
    /// Per base, how often it holds.
    frequencies: &'n [f64],
    /// Per base, whether it is a guard.
    is_guard: Vec<bool>,
    /// Whether legal moves or the end depend on a gate.
    is_live: Vec<bool>,
    /// How often each node is read.
    uses: Vec<u32>,
    /// Per node, the guards without which it is false, and those without which it is true.
    needs: Vec<[GuardSet; 2]>,
    placements: Vec<Placement>,
    /// Gates under each guard, by its base.
    sizes: Vec<usize>,
}

impl<'n> GuardAnalysis<'n> {
    fn new(network: &'n Network, frequencies: &'n FactFrequencies) -> Self {
        let nodes = network.gates.nodes().len();
        let outputs = network.outputs.legal.iter();
        let outputs = outputs.chain([&network.outputs.terminal]);
        Self {
            network,
            frequencies: &frequencies.0,
            is_guard: frequencies.0.iter().map(|&share| share <= RARE).collect(),
            is_live: cone(network, outputs.map(|lit| lit.node())),
            uses: network.uses(),
            needs: Vec::new(),
            placements: vec![Placement::default(); nodes],
            sizes: Vec::new(),
        }
    }

    /// All gates placed, without the guards that had fewer gates than `fewest`.
    fn placed(network: &'n Network, frequencies: &'n FactFrequencies, fewest: usize) -> Self {
        let mut analysis = Self::new(network, frequencies);
        analysis.place();
        for (is_guard, &size) in analysis.is_guard.iter_mut().zip(&analysis.sizes) {
            *is_guard &= size >= fewest;
        }
        analysis.place();
        analysis
    }

    /// Places all gates, with the guards that there are.
    fn place(&mut self) {
        self.needs = self.find_needs();
        self.sizes = vec![0; self.frequencies.len()];
        let mut observed = self.outputs();
        let mut readers = vec![NO_GUARD; self.placements.len()];
        for node in self.network.gates.nodes().rev() {
            let is_gate = self.network.gates.is_gate(node) && self.is_live[node as usize];
            let Some(seen) = observed[node as usize].take().filter(|_| is_gate) else {
                continue;
            };
            let placement = self.placement(node, &seen, readers[node as usize]);
            self.placements[node as usize] = placement;
            self.count(node, placement);
            let mut below = seen;
            if placement.skipped != Skipped::Unobserved {
                insert(&mut below, placement.guard);
            }
            insert(&mut below, placement.inner_guard);
            for lit in self.network.gates.operands(node) {
                let operand = lit.node() as usize;
                if lit.is_negated() {
                    readers[operand] = node;
                }
                match &mut observed[operand] {
                    Some(seen) => seen.retain(|guard| below.contains(guard)),
                    empty => *empty = Some(below.clone()),
                }
            }
        }
    }

    /// Per node, the guards without which it is false, and those without which it is true.
    fn find_needs(&self) -> Vec<[GuardSet; 2]> {
        let gates = &self.network.gates;
        let mut needs: Vec<[GuardSet; 2]> = vec![Default::default(); gates.nodes().len()];
        for node in gates.nodes().filter(|&node| self.is_live[node as usize]) {
            if self.is_guard(node) {
                needs[node as usize][0].push(node);
            }
            let operands = gates.operands(node);
            let Some(first) = operands.first() else {
                continue;
            };
            let of = |lit: &Lit, is: bool| {
                &needs[lit.node() as usize][usize::from(lit.is_negated() == is)]
            };
            let mut any: GuardSet = operands
                .iter()
                .flat_map(|lit| of(lit, true))
                .copied()
                .collect();
            let mut all = of(first, false).clone();
            all.retain(|guard| operands.iter().all(|lit| of(lit, false).contains(guard)));
            self.keep_rarest(&mut any);
            needs[node as usize] = [any, all];
        }
        needs
    }

    fn keep_rarest(&self, guards: &mut GuardSet) {
        guards.sort_unstable();
        guards.dedup();
        if guards.len() > MOST_GUARDS {
            guards.sort_by(|one, other| self.frequency(*one).total_cmp(&self.frequency(*other)));
            guards.truncate(MOST_GUARDS);
        }
    }

    /// The outputs, which are observed without guards.
    fn outputs(&self) -> Vec<Option<GuardSet>> {
        let network = self.network;
        let mut observed = vec![None; network.gates.nodes().len()];
        let goals = network.outputs.goals.iter().flatten();
        let goals: Vec<NodeId> = goals.map(|(_, lit)| lit.node()).collect();
        // What goals read of the gates of legal moves.
        let of_goals = cone(network, goals.iter().copied());
        let outside = |node: &NodeId| of_goals[*node as usize] && !self.is_live[*node as usize];
        let gates = network.gates.nodes().filter(outside);
        let read = gates.flat_map(|node| network.gates.operands(node).iter().map(|lit| lit.node()));
        let outputs = network
            .outputs
            .legal
            .iter()
            .chain([&network.outputs.terminal]);
        for node in outputs.map(|lit| lit.node()).chain(goals).chain(read) {
            observed[node as usize] = Some(GuardSet::new());
        }
        observed
    }

    /// Where a gate is run that is observed with these guards, and that this gate reads negated.
    fn placement(&self, node: NodeId, seen: &GuardSet, reader: NodeId) -> Placement {
        let operands = self.network.gates.operands(node);
        let is_operand = |guard: NodeId| operands.contains(&Lit::new(guard, false));
        let [false_without, true_without] = &self.needs[node as usize];
        let of_reader = self.placements[reader as usize];
        let is_disjunct = |guard: NodeId| {
            self.uses[node as usize] == 1
                && reader != NO_GUARD
                && of_reader.skipped == Skipped::Unobserved
                && ![of_reader.guard, of_reader.inner_guard].contains(&guard)
        };
        let mut placement = Placement::default();
        for (guards, skipped) in [
            (seen, Skipped::Unobserved),
            (false_without, Skipped::Is(false)),
            (true_without, Skipped::Is(true)),
        ] {
            for &guard in guards.iter().filter(|&&guard| self.is_guard(guard)) {
                let skipped = match skipped {
                    Skipped::Is(false) if is_disjunct(guard) => Skipped::NotAdded,
                    skipped => skipped,
                };
                // To set what is not run costs as much as a last conjunction with the guard.
                let pays = !matches!(skipped, Skipped::Is(_)) || !is_operand(guard);
                if pays && self.is_rarer(guard, placement.guard) {
                    placement = Placement {
                        guard,
                        skipped,
                        inner_guard: NO_GUARD,
                    };
                }
            }
        }
        let inner = operands
            .iter()
            .filter(|lit| !lit.is_negated())
            .map(|lit| lit.node());
        for guard in inner.filter(|&guard| self.is_guard(guard)) {
            if self.is_rarer(guard, placement.guard) && self.is_rarer(guard, placement.inner_guard)
            {
                placement.inner_guard = guard;
            }
        }
        placement
    }

    /// The slot of the rarest fact without which none of these outputs is true.
    fn guard_of_all(&self, outputs: &[Lit]) -> Slot {
        let mut outputs = outputs.iter().filter(|&&lit| lit != Lit::FALSE);
        let of = |lit: &Lit| &self.needs[lit.node() as usize][usize::from(lit.is_negated())];
        let Some(first) = outputs.next() else {
            return NEVER;
        };
        let mut all = of(first).clone();
        outputs.for_each(|lit| all.retain(|guard| of(lit).contains(guard)));
        let rarest = all
            .into_iter()
            .min_by(|one, other| self.frequency(*one).total_cmp(&self.frequency(*other)));
        rarest.map_or(ALWAYS, |guard| emit::base(guard as usize - 1))
    }

    /// Notes the size of a gate, in gates of two operands.
    fn count(&mut self, node: NodeId, placement: Placement) {
        let size = self.network.gates.operands(node).len() - 1;
        let inner = if placement.inner_guard == NO_GUARD {
            0
        } else {
            size - 1
        };
        for (guard, size) in [
            (placement.guard, size - inner),
            (placement.inner_guard, inner),
        ] {
            if guard != NO_GUARD {
                self.sizes[guard as usize - 1] += size;
            }
        }
    }

    /// Whether guards spare enough.
    fn is_worthwhile(&self) -> bool {
        let spared = self.sizes.iter().zip(self.frequencies);
        let spared: f64 = spared
            .map(|(&size, share)| size as f64 * (1.0 - share))
            .sum();
        let gates = &self.network.gates;
        let live = gates.nodes().filter(|&node| self.is_live[node as usize]);
        let all: usize = live
            .map(|node| gates.operands(node).len().saturating_sub(1))
            .sum();
        spared >= WORTHWHILE_GATES && spared >= WORTHWHILE_SHARE * all as f64
    }

    fn is_guard(&self, node: NodeId) -> bool {
        match self.network.gates.leaves().leaf(node) {
            Some(Leaf::Base(base)) => self.is_guard[base],
            _ => false,
        }
    }

    fn frequency(&self, guard: NodeId) -> f64 {
        self.frequencies[guard as usize - 1]
    }

    /// Whether a guard holds less often than another, if that is one.
    fn is_rarer(&self, guard: NodeId, than: NodeId) -> bool {
        than == NO_GUARD || self.frequency(guard) < self.frequency(than)
    }
}

/// Adds a guard, if it is one.
fn insert(guards: &mut GuardSet, guard: NodeId) {
    if guard != NO_GUARD && !guards.contains(&guard) {
        guards.push(guard);
    }
}

/// Per node, whether one of `outputs` depends on it, or is it.
pub(super) fn cone(network: &Network, outputs: impl Iterator<Item = NodeId>) -> Vec<bool> {
    let mut is_inside = vec![false; network.gates.nodes().len()];
    outputs.for_each(|node| is_inside[node as usize] = true);
    for node in network.gates.nodes().rev() {
        if is_inside[node as usize] {
            for lit in network.gates.operands(node) {
                is_inside[lit.node() as usize] = true;
            }
        }
    }
    is_inside
}
