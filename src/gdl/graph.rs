//! The dependency graph of relations, and stratification: no cycle may contain a negation.

use std::collections::VecDeque;

use indexmap::IndexMap;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef;
use petgraph::{Direction, Graph};
use rustc_hash::FxHashMap;

use crate::gdl::description::{Description, Expr, Signature};
use crate::gdl::split::{SplitRelation, Splits};
use crate::kif::{Diagnostic, Span};

/// The dependency graph: an edge per sentence in a body, from the head's relation to the sentence's.
pub(super) struct Dependencies<'d> {
    graph: DiGraph<SplitRelation<'d>, Dependency>,
    nodes: FxHashMap<SplitRelation<'d>, NodeIndex>,
    splits: Splits<'d>,
    /// The strongly connected component of each relation.
    components: Vec<usize>,
}

/// Why one relation depends on another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dependency {
    /// Whether the sentence is not negated.
    positive: bool,
    /// The sentence in the body.
    span: Span,
}

impl Dependency {
    fn new(positive: bool, span: Span) -> Self {
        Self { positive, span }
    }
}

/// The limits on reported cycles, and on the steps of one.
const MAX_REPORTED: usize = 20;
const MAX_STEPS: usize = 12;

type Edge<'g> = EdgeReference<'g, Dependency>;

impl<'d> Dependencies<'d> {
    /// The dependencies of relations; a relation that depends on its own negation is split if possible.
    pub(super) fn of(description: &'d Description) -> Self {
        let whole = Self::between(description, Splits::default());
        let unstratified_set = whole.unstratified_components();
        if unstratified_set.is_empty() {
            return whole;
        }
        let unstratified_set = |signature| {
            let relation = SplitRelation {
                signature,
                value: None,
            };
            let component = whole
                .nodes
                .get(&relation)
                .map(|node| whole.components[node.index()]);
            component.is_some_and(|component| unstratified_set.contains_key(&component))
        };
        Self::between(description, Splits::find(description, unstratified_set))
    }

    fn between(description: &'d Description, splits: Splits<'d>) -> Self {
        let mut graph = Graph::new();
        let mut nodes = FxHashMap::default();
        let mut node = |graph: &mut Graph<_, _>, relation: SplitRelation<'d>| {
            *nodes
                .entry(relation)
                .or_insert_with(|| graph.add_node(relation))
        };
        for statement in &description.statements {
            let Some(relation) = splits.relation(&statement.head) else {
                continue;
            };
            let head = node(&mut graph, relation);
            if relation.value.is_some() {
                let whole = node(
                    &mut graph,
                    SplitRelation {
                        value: None,
                        ..relation
                    },
                );
                graph.add_edge(whole, head, Dependency::new(true, statement.head.span));
            }
            statement.each_sentence(|positive, sentence| {
                if let Some(relation) = splits.relation(sentence) {
                    let body = node(&mut graph, relation);
                    graph.add_edge(head, body, Dependency::new(positive, sentence.span));
                }
            });
        }
        let components = components(&graph);
        Self {
            graph,
            nodes,
            splits,
            components,
        }
    }

    /// The relations that are split.
    pub(super) fn splits(&self) -> &Splits<'d> {
        &self.splits
    }

    /// Whether the relations of two sentences depend on each other.
    pub(super) fn in_one_component(&self, left: &'d Expr, right: &'d Expr) -> bool {
        self.component(left)
            .is_some_and(|component| self.component(right) == Some(component))
    }

    /// The component of a sentence's relation.
    pub(super) fn component(&self, sentence: &'d Expr) -> Option<usize> {
        let node = self.nodes.get(&self.splits.relation(sentence)?)?;
        Some(self.components[node.index()])
    }

    /// The components that contain a negated edge, each with the first one.
    fn unstratified_components(&self) -> IndexMap<usize, Edge<'_>> {
        let mut unstratified_set = IndexMap::new();
        for edge in self.graph.edge_references() {
            let component = self.components[edge.source().index()];
            let inside = component == self.components[edge.target().index()];
            if !edge.weight().positive && inside {
                unstratified_set.entry(component).or_insert(edge);
            }
        }
        unstratified_set
    }

    /// Reports one cycle through a negation for each component that has one.
    pub(super) fn check_stratification(&self, findings: &mut Vec<Diagnostic>) {
        let negations = self
            .unstratified_components()
            .into_values()
            .take(MAX_REPORTED);
        findings.extend(negations.map(|negation| self.unstratified(negation)));
    }

    fn unstratified(&self, negation: Edge<'_>) -> Diagnostic {
        let (head, negated) = (negation.source(), negation.target());
        let message = format!("`{}` depends on its own negation", self.graph[head]);
        let mut finding = Diagnostic::error("negative-circle", negation.weight().span, message);
        finding = finding.label(negation.weight().span, self.step(negation));
        for edge in self.path(negated, head).into_iter().take(MAX_STEPS) {
            finding = finding.label(edge.weight().span, self.step(edge));
        }
        finding.help(
            "break the cycle: a relation under `not` must be computed before this one, so it must not depend on it",
        )
    }

    /// An edge as text.
    fn step(&self, edge: Edge<'_>) -> String {
        let (head, body) = (self.graph[edge.source()], self.graph[edge.target()]);
        if edge.weight().positive {
            format!("`{head}` is derived from `{body}`")
        } else {
            format!("`{head}` depends on the negation of `{body}`")
        }
    }

    /// The shortest path from one relation to another; empty from a relation to itself.
    fn path(&self, from: NodeIndex, to: NodeIndex) -> Vec<Edge<'_>> {
        let towards = self.towards(to);
        let mut path = Vec::new();
        let mut at = from;
        while at != to
            && let Some(edge) = towards[at.index()]
        {
            path.push(edge);
            at = edge.target();
        }
        path
    }

    /// For each relation, the first edge of its shortest path to `to` (breadth-first search).
    fn towards(&self, to: NodeIndex) -> Vec<Option<Edge<'_>>> {
        let mut first = vec![None; self.graph.node_count()];
        let mut queue = VecDeque::from([to]);
        while let Some(node) = queue.pop_front() {
            for edge in self.graph.edges_directed(node, Direction::Incoming) {
                let source = edge.source();
                if source != to && first[source.index()].is_none() {
                    first[source.index()] = Some(edge);
                    queue.push_back(source);
                }
            }
        }
        first
    }

    /// The shortest paths from all relations to the one with the signature `goal`.
    pub(super) fn paths_to(&self, goal: Signature<'d>) -> DependencyPaths<'_, 'd> {
        let relation = SplitRelation {
            signature: goal,
            value: None,
        };
        let goal = self.nodes.get(&relation).copied();
        let towards = goal.map_or_else(Vec::new, |goal| self.towards(goal));
        DependencyPaths {
            dependencies: self,
            goal,
            towards,
        }
    }
}

/// The shortest paths from all relations to one.
pub(super) struct DependencyPaths<'g, 'd> {
    dependencies: &'g Dependencies<'d>,
    goal: Option<NodeIndex>,
    towards: Vec<Option<Edge<'g>>>,
}

impl<'d> DependencyPaths<'_, 'd> {
    /// The first steps that lead from the relation of `sentence` to the goal, each with its place; `None` if none do,
    /// empty at the goal itself.
    pub(super) fn from(&self, sentence: &'d Expr) -> Option<Vec<(Span, String)>> {
        let goal = self.goal?;
        let relation = self.dependencies.splits.relation(sentence)?;
        let mut at = *self.dependencies.nodes.get(&relation)?;
        let mut steps = Vec::new();
        while at != goal && steps.len() < MAX_STEPS {
            let edge = self.towards[at.index()]?;
            steps.push((edge.weight().span, self.dependencies.step(edge)));
            at = edge.target();
        }
        Some(steps)
    }
}

/// Numbers the strongly connected components by Kosaraju's algorithm: petgraph's other one recurses as deep as the chains
/// of rules in the text.
fn components(graph: &DiGraph<SplitRelation<'_>, Dependency>) -> Vec<usize> {
    let mut components = vec![0; graph.node_count()];
    for (number, members) in kosaraju_scc(graph).into_iter().enumerate() {
        for node in members {
            components[node.index()] = number;
        }
    }
    components
}
