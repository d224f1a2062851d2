//! The order in which sentences are built: strongly connected components of the dependency graph, and in each of them a set of
//! sentences that cuts all cycles (feedback vertices).

use std::ops::Range;

use super::LeafSources;
use crate::ground::{Ground, SentenceDependencies};

/// A strongly connected component: one sentence, or several that depend on each other.
pub(super) struct SentenceComponent {
    /// Their places in [`DerivationOrder::sentences`].
    pub(super) sentences: Range<usize>,
    /// Those that cut the cycles and become variables: their places in [`DerivationOrder::variables`].
    pub(super) variables: Range<usize>,
}

/// A topological order of the components.
pub(super) struct DerivationOrder {
    pub(super) components: Vec<SentenceComponent>,
    pub(super) sentences: Vec<u32>,
    pub(super) variables: Vec<u32>,
}

impl DerivationOrder {
    pub(super) fn new(ground: &Ground, sources: &LeafSources) -> Self {
        let is_derived: Vec<bool> = ground
            .sentences
            .iter()
            .map(|sentence| sources.of(sentence).is_none())
            .collect();
        let dependencies = SentenceDependencies::new(ground, |id| is_derived[id.0 as usize]);
        let mut order = Self {
            components: Vec::new(),
            sentences: Vec::new(),
            variables: Vec::new(),
        };
        let mut walk = ComponentSearch::new(ground.sentences.len());
        dependencies.each_component(|members| {
            if is_derived[members[0] as usize] {
                order.add(members, &mut walk, &dependencies);
            }
        });
        order
    }

    fn add(
        &mut self,
        members: &[u32],
        walk: &mut ComponentSearch,
        dependencies: &SentenceDependencies,
    ) {
        let (sentences, variables) = (self.sentences.len(), self.variables.len());
        match members {
            &[alone] if !dependencies.of(alone).contains(&alone) => self.sentences.push(alone),
            _ => {
                let of = |sentence| dependencies.of(sentence).iter().copied();
                walk.visit(members, of, &mut self.sentences, &mut self.variables);
            }
        }
        self.components.push(SentenceComponent {
            sentences: sentences..self.sentences.len(),
            variables: variables..self.variables.len(),
        });
    }
}

/// Depth-first search through one component after the other.
struct ComponentSearch {
    state: Vec<VisitState>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    /// Outside the component.
    Outside,
    Waiting,
    Open,
    /// Open, and the target of a back edge.
    Assumed,
    Done,
}

impl ComponentSearch {
    fn new(sentences: usize) -> Self {
        Self {
            state: vec![VisitState::Outside; sentences],
        }
    }

    /// Lists the members in post-order, and the targets of back edges as assumed.
    fn visit<I: Iterator<Item = u32>>(
        &mut self,
        members: &[u32],
        dependencies: impl Fn(u32) -> I,
        sentences: &mut Vec<u32>,
        assumed: &mut Vec<u32>,
    ) {
        members
            .iter()
            .for_each(|&member| self.state[member as usize] = VisitState::Waiting);
        let mut path = Vec::new();
        for &member in members {
            self.open(member, &dependencies, &mut path);
            while let Some((sentence, used)) = path.last_mut() {
                let sentence = *sentence;
                if let Some(next) = used.next() {
                    if self.state[next as usize] == VisitState::Open {
                        self.state[next as usize] = VisitState::Assumed;
                        assumed.push(next);
                    }
                    self.open(next, &dependencies, &mut path);
                } else {
                    self.state[sentence as usize] = VisitState::Done;
                    sentences.push(sentence);
                    path.pop();
                }
            }
        }
        members
            .iter()
            .for_each(|&member| self.state[member as usize] = VisitState::Outside);
    }

    fn open<I>(
        &mut self,
        sentence: u32,
        dependencies: impl Fn(u32) -> I,
        path: &mut Vec<(u32, I)>,
    ) {
        if self.state[sentence as usize] == VisitState::Waiting {
            self.state[sentence as usize] = VisitState::Open;
            path.push((sentence, dependencies(sentence)));
        }
    }
}
