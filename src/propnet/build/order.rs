//! An order in which sentences can be derived, and which must be guessed because they depend on themselves.

use std::ops::Range;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::{RulesByHead, Sources};
use crate::ground::Ground;

/// Sentences that are derived together: one, or several that depend on each other.
pub(super) struct Component {
    /// Their places in [`Order::sentences`].
    pub(super) sentences: Range<usize>,
    /// Those that must be guessed before they are known: their places in [`Order::variables`].
    pub(super) variables: Range<usize>,
}

/// An order in which sentences can be derived, what each rests on first.
pub(super) struct Order {
    pub(super) components: Vec<Component>,
    pub(super) sentences: Vec<u32>,
    pub(super) variables: Vec<u32>,
}

impl Order {
    pub(super) fn new(ground: &Ground, rules: &RulesByHead<'_>, sources: &Sources) -> Self {
        let is_derived: Vec<bool> = ground
            .sentences
            .iter()
            .map(|sentence| sources.of(sentence).is_none())
            .collect();
        let rests_on = |sentence: u32| {
            let bodies = rules.of(sentence).iter();
            let used = bodies.flat_map(|rule| rule.holds.iter().chain(&rule.fails).map(|id| id.0));
            used.filter(|&used| is_derived[used as usize])
        };
        let mut graph = DiGraph::<(), ()>::new();
        ground.sentences.iter().for_each(|_| _ = graph.add_node(()));
        for sentence in 0..ground.sentences.len() as u32 {
            let edges = rests_on(sentence).map(|used| (sentence, used));
            edges.for_each(|(from, to)| {
                _ = graph.add_edge(
                    NodeIndex::new(from as usize),
                    NodeIndex::new(to as usize),
                    (),
                )
            });
        }
        let mut order = Self {
            components: Vec::new(),
            sentences: Vec::new(),
            variables: Vec::new(),
        };
        let mut walk = Walk::new(ground.sentences.len());
        for component in kosaraju_scc(&graph) {
            let members: Vec<u32> = component
                .iter()
                .map(|node| node.index() as u32)
                .filter(|&sentence| is_derived[sentence as usize])
                .collect();
            order.add(&members, &mut walk, rests_on);
        }
        order
    }

    fn add<I: Iterator<Item = u32>>(
        &mut self,
        members: &[u32],
        walk: &mut Walk,
        rests_on: impl Fn(u32) -> I,
    ) {
        let (sentences, variables) = (self.sentences.len(), self.variables.len());
        walk.visit(members, rests_on, &mut self.sentences, &mut self.variables);
        self.components.push(Component {
            sentences: sentences..self.sentences.len(),
            variables: variables..self.variables.len(),
        });
    }
}

/// Depth-first search through one component after the other.
struct Walk {
    state: Vec<Visit>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    /// Outside the component.
    Outside,
    Waiting,
    Open,
    /// Open, and known to be met again.
    Guessed,
    Done,
}

impl Walk {
    fn new(sentences: usize) -> Self {
        Self {
            state: vec![Visit::Outside; sentences],
        }
    }

    /// Lists the members after what they rest on, and those that are rested on before they are done as guessed.
    fn visit<I: Iterator<Item = u32>>(
        &mut self,
        members: &[u32],
        rests_on: impl Fn(u32) -> I,
        sentences: &mut Vec<u32>,
        guessed: &mut Vec<u32>,
    ) {
        members
            .iter()
            .for_each(|&member| self.state[member as usize] = Visit::Waiting);
        let mut path = Vec::new();
        for &member in members {
            self.open(member, &rests_on, &mut path);
            while let Some((sentence, used)) = path.last_mut() {
                let sentence = *sentence;
                if let Some(next) = used.next() {
                    if self.state[next as usize] == Visit::Open {
                        self.state[next as usize] = Visit::Guessed;
                        guessed.push(next);
                    }
                    self.open(next, &rests_on, &mut path);
                } else {
                    self.state[sentence as usize] = Visit::Done;
                    sentences.push(sentence);
                    path.pop();
                }
            }
        }
        members
            .iter()
            .for_each(|&member| self.state[member as usize] = Visit::Outside);
    }

    fn open<I>(&mut self, sentence: u32, rests_on: impl Fn(u32) -> I, path: &mut Vec<(u32, I)>) {
        if self.state[sentence as usize] == Visit::Waiting {
            self.state[sentence as usize] = Visit::Open;
            path.push((sentence, rests_on(sentence)));
        }
    }
}
