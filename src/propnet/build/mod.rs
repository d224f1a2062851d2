//! Builds a network from ground rules: a sentence is the disjunction of the bodies of its rules.

mod moves;
mod order;

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::network::{Cycle, GateCounts, Gates, Leaves, Lit, Network, NodeId, Outputs};
use super::passes::{NodeGroup, NodeGroups, Pass};
use crate::datalog::{Functor, Pred, TermId};
use crate::ground::{Ground, Sentence, SentenceId};
use crate::invariants::MutexGroup;
use order::DerivationOrder;

/// What the leaves and outputs of a network mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// Per base, the fluent; in the order of their texts.
    pub fluents: Vec<TermId>,
    /// Per base, whether the fluent holds in the initial state.
    pub initial: Vec<bool>,
    /// Per input, the move; role by role.
    pub moves: Vec<TermId>,
    /// Per role, its inputs.
    pub roles: Vec<Range<usize>>,
}

impl Interface {
    /// The inputs and outputs of the network of `ground`.
    pub fn new(ground: &Ground) -> Self {
        interface(ground, &LeafSources::new(ground))
    }

    /// The mutex groups of leaves: every role makes exactly one move, and some fluents are mutually exclusive.
    pub fn groups(&self, mutex_groups: &[MutexGroup], leaves: Leaves) -> NodeGroups {
        let bases: FxHashMap<TermId, usize> = self.fluents.iter().copied().zip(0..).collect();
        let moves = self.roles.iter().map(|inputs| NodeGroup {
            members: inputs
                .clone()
                .map(|input| leaves.does(input).node())
                .collect(),
            exactly_one: true,
        });
        let fluents = mutex_groups.iter().map(|group| {
            let members = group.facts.iter().filter_map(|fact| bases.get(fact));
            let mut members: Vec<NodeId> = members.map(|&base| leaves.base(base).node()).collect();
            members.sort_unstable();
            let exactly_one = group.exactly_one;
            NodeGroup {
                members,
                exactly_one,
            }
        });
        NodeGroups::new(leaves, moves.chain(fluents).collect())
    }
}

/// Builds the network of `ground`, with the meaning of its leaves and outputs. Records in `passes` how many gates the rules request,
/// and how many are left after constant propagation, hashing, dead-code elimination and merging.
pub fn build(ground: &Ground, passes: &mut Vec<Pass>) -> (Interface, Network) {
    let sources = LeafSources::new(ground);
    let interface = interface(ground, &sources);
    let order = DerivationOrder::new(ground, &sources);
    let leaves = Leaves {
        bases: interface.fluents.len(),
        inputs: interface.moves.len(),
        variables: order.variables.len(),
    };
    let mut builder = NetworkBuilder {
        ground,
        gates: Gates::new(leaves),
        values: leaf_values(ground, &sources, &interface, leaves),
        body: Vec::new(),
        negated_bodies: Vec::new(),
    };
    let cycles = builder.derive_all(&order);
    let outputs = builder.outputs(&interface, cycles);
    let network = Network {
        gates: builder.gates,
        outputs,
    };
    let GateCounts {
        requested,
        nontrivial,
        created,
    } = network.gates.counts();
    let used = network.size();
    let network = moves::without_moves(network).merged();
    passes.extend([
        Pass::new("constants", requested, nontrivial),
        Pass::new("hashing", nontrivial, created),
        Pass::new("dead logic", created, used),
        Pass::new("merging", used, network.size()),
    ]);
    (interface, network)
}

/// Which relations are inputs of the network.
struct LeafSources {
    by_pred: FxHashMap<Pred, LeafSource>,
}

/// Where the rows of an input relation come from; the functor is missing where rows are whole terms.
#[derive(Clone, Copy)]
enum LeafSource {
    State(Option<Functor>),
    JointMove(Option<Functor>),
}

impl LeafSources {
    fn new(ground: &Ground) -> Self {
        let (given, done) = (&ground.relations.base, &ground.relations.input);
        let state = given
            .by_functor
            .iter()
            .map(|(&functor, &pred)| (pred, LeafSource::State(Some(functor))));
        let joint = done
            .by_functor
            .iter()
            .map(|(&functor, &pred)| (pred, LeafSource::JointMove(Some(functor))));
        let whole = [
            given
                .whole_terms
                .map(|pred| (pred, LeafSource::State(None))),
            done.whole_terms
                .map(|pred| (pred, LeafSource::JointMove(None))),
        ];
        Self {
            by_pred: state
                .chain(joint)
                .chain(whole.into_iter().flatten())
                .collect(),
        }
    }

    fn of(&self, sentence: &Sentence) -> Option<LeafSource> {
        self.by_pred.get(&sentence.pred).copied()
    }
}

fn interface(ground: &Ground, sources: &LeafSources) -> Interface {
    let relations = &ground.relations;
    let heads = |pred: Pred| {
        ground
            .sentences
            .iter()
            .filter(move |sentence| sentence.pred == pred)
    };
    let mut fluents: Vec<TermId> = heads(relations.next)
        .map(|sentence| sentence.args[0])
        .collect();
    fluents.extend(&ground.initial);
    fluents.sort_unstable();
    fluents.dedup();
    fluents.sort_by_cached_key(|&fluent| ground.terms.text(fluent));
    debug_assert!(
        ground
            .sentences
            .iter()
            .all(|sentence| sources.of(sentence).is_none() || sentence.pred != relations.next)
    );
    let at_first: FxHashSet<TermId> = ground.initial.iter().copied().collect();
    let initial = fluents.iter().map(|fluent| at_first.contains(fluent));
    let initial = initial.collect();
    let (mut moves, mut roles) = (Vec::new(), Vec::new());
    for &role in &relations.roles {
        let begin = moves.len();
        let legal = heads(relations.legal).filter(|sentence| sentence.args[0] == role);
        moves.extend(legal.map(|sentence| sentence.args[1]));
        moves[begin..].sort_unstable();
        roles.push(begin..moves.len());
    }
    Interface {
        fluents,
        initial,
        moves,
        roles,
    }
}

/// The signals of the sentences that are inputs; those that can never hold are false.
fn leaf_values(
    ground: &Ground,
    sources: &LeafSources,
    interface: &Interface,
    leaves: Leaves,
) -> Vec<Option<Lit>> {
    let number = |terms: &[TermId]| -> FxHashMap<TermId, usize> {
        terms
            .iter()
            .enumerate()
            .map(|(number, &term)| (term, number))
            .collect()
    };
    let bases = number(&interface.fluents);
    let moves: FxHashMap<(TermId, TermId), usize> = ground
        .relations
        .roles
        .iter()
        .zip(&interface.roles)
        .flat_map(|(&role, inputs)| {
            inputs
                .clone()
                .map(move |input| ((role, interface.moves[input]), input))
        })
        .collect();
    let term = |functor: Option<Functor>, args: &[TermId]| match functor {
        Some(functor) => ground.terms.find(functor, args),
        None => args.first().copied(),
    };
    let value = |sentence: &Sentence| {
        let args = &sentence.args[..];
        let leaf = match sources.of(sentence)? {
            LeafSource::State(functor) => term(functor, args)
                .and_then(|fluent| bases.get(&fluent))
                .map(|&base| leaves.base(base)),
            LeafSource::JointMove(functor) => args
                .split_first()
                .and_then(|(&role, args)| moves.get(&(role, term(functor, args)?)))
                .map(|&input| leaves.does(input)),
        };
        Some(leaf.unwrap_or(Lit::FALSE))
    };
    ground.sentences.iter().map(value).collect()
}

struct NetworkBuilder<'g> {
    ground: &'g Ground,
    gates: Gates,
    /// Per sentence, its signal, once it is built.
    values: Vec<Option<Lit>>,
    /// Buffers for the signals of a rule, and of all rules of a sentence.
    body: Vec<Lit>,
    negated_bodies: Vec<Lit>,
}

impl NetworkBuilder<'_> {
    fn derive_all(&mut self, order: &DerivationOrder) -> Vec<Cycle> {
        let mut cycles = Vec::new();
        for component in &order.components {
            let variables = component.variables.clone();
            let members = &order.variables[variables.clone()];
            let leaves = self.gates.leaves();
            for (&sentence, number) in members.iter().zip(variables.clone()) {
                self.values[sentence as usize] = Some(leaves.variable(number));
            }
            for &sentence in &order.sentences[component.sentences.clone()] {
                self.values[sentence as usize] = Some(self.derive(sentence));
            }
            if !members.is_empty() {
                let value = |&sentence: &u32| self.value(sentence);
                let values = members.iter().map(value).collect();
                cycles.push(Cycle { variables, values });
            }
        }
        cycles
    }

    /// The signal of a sentence: the disjunction of its rules' bodies.
    fn derive(&mut self, sentence: u32) -> Lit {
        let mut negated_bodies = std::mem::take(&mut self.negated_bodies);
        negated_bodies.clear();
        let mut body = std::mem::take(&mut self.body);
        for &number in self.ground.by_head.of(SentenceId(sentence)) {
            let rule = &self.ground.rules[number as usize];
            let holds = rule.holds.iter().map(|id| self.value(id.0));
            let fails = rule.fails.iter().map(|id| !self.value(id.0));
            body.clear();
            body.extend(holds.chain(fails));
            negated_bodies.push(!self.gates.and(&body));
        }
        let signal = !self.gates.and(&negated_bodies);
        (self.negated_bodies, self.body) = (negated_bodies, body);
        signal
    }

    fn value(&self, sentence: u32) -> Lit {
        self.values[sentence as usize].unwrap_or(Lit::FALSE)
    }

    fn outputs(&self, interface: &Interface, cycles: Vec<Cycle>) -> Outputs {
        let (ground, relations) = (self.ground, &self.ground.relations);
        let find = |pred: Pred, args: &[TermId]| {
            let sentence = Sentence {
                pred,
                args: args.to_vec(),
            };
            let index = ground.sentences.get_index_of(&sentence);
            index.map_or(Lit::FALSE, |index| self.value(index as u32))
        };
        let legal = relations
            .roles
            .iter()
            .zip(&interface.roles)
            .flat_map(|(&role, inputs)| {
                let moves = &interface.moves[inputs.clone()];
                moves
                    .iter()
                    .map(move |&mv| find(relations.legal, &[role, mv]))
            });
        Outputs {
            terminal: find(relations.terminal, &[]),
            legal: legal.collect(),
            goals: relations
                .roles
                .iter()
                .map(|&role| self.goals(role))
                .collect(),
            next: interface
                .fluents
                .iter()
                .map(|&fluent| find(relations.next, &[fluent]))
                .collect(),
            cycles,
        }
    }

    fn goals(&self, role: TermId) -> Vec<(u8, Lit)> {
        let mut goals = Vec::new();
        for (number, sentence) in self.ground.sentences.iter().enumerate() {
            if sentence.pred != self.ground.relations.goal || sentence.args[0] != role {
                continue;
            }
            let lit = self.value(number as u32);
            match self.ground.terms.text(sentence.args[1]).parse() {
                Ok(value @ 0..=100) => goals.push((value, lit)),
                // Not a goal value. Listed twice, it makes the goal ambiguous wherever it holds, which counts as no goal.
                _ => goals.extend([(0, lit), (0, lit)]),
            }
        }
        goals.sort_by_key(|&(value, _)| value);
        goals
    }
}
