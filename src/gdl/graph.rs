//! The dependency graph of relations, and what GDL forbids in it: negation inside a circle.

use std::collections::VecDeque;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef;
use petgraph::{Direction, Graph};
use rustc_hash::FxHashMap;

use crate::gdl::description::{Description, Signature};
use crate::kif::{Diagnostic, Span};

/// Which relation is derived from which: an edge per sentence in a body, from the head's relation to the sentence's.
pub(super) struct Dependencies<'d> {
    graph: DiGraph<Signature<'d>, Dependency>,
    nodes: FxHashMap<Signature<'d>, NodeIndex>,
    /// The circle each relation belongs to; a relation on no circle has one to itself.
    circles: Vec<usize>,
}

/// Why one relation depends on another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dependency {
    /// Whether the body asks for the sentence, not for its absence.
    positive: bool,
    /// The sentence in the body.
    span: Span,
}

type Edge<'g> = EdgeReference<'g, Dependency>;

impl<'d> Dependencies<'d> {
    pub(super) fn of(description: &'d Description) -> Self {
        let mut graph = Graph::new();
        let mut nodes = FxHashMap::default();
        for statement in &description.statements {
            let Some(head) = statement.head.signature() else {
                continue;
            };
            let head = *nodes.entry(head).or_insert_with(|| graph.add_node(head));
            statement.each_sentence(|positive, sentence| {
                if let Some(signature) = sentence.signature() {
                    let node = *nodes
                        .entry(signature)
                        .or_insert_with(|| graph.add_node(signature));
                    let span = sentence.span;
                    graph.add_edge(head, node, Dependency { positive, span });
                }
            });
        }
        let circles = circles(&graph);
        Self {
            graph,
            nodes,
            circles,
        }
    }

    /// Whether each of the two relations is derived from the other.
    pub(super) fn on_one_circle(&self, left: Signature<'_>, right: Signature<'_>) -> bool {
        self.circle(left)
            .is_some_and(|circle| self.circle(right) == Some(circle))
    }

    /// The number of the circle a relation belongs to.
    pub(super) fn circle(&self, signature: Signature<'_>) -> Option<usize> {
        let node = self.nodes.get(&signature)?;
        Some(self.circles[node.index()])
    }

    /// Reports one circle through a negation for each set of relations that depend on each other.
    pub(super) fn check_stratification(&self, findings: &mut Vec<Diagnostic>) {
        let mut reported = vec![false; self.graph.node_count()];
        for edge in self.graph.edge_references() {
            let circle = self.circles[edge.source().index()];
            let inside = circle == self.circles[edge.target().index()];
            if !edge.weight().positive && inside && !reported[circle] {
                reported[circle] = true;
                findings.push(self.unstratified(edge));
            }
        }
    }

    fn unstratified(&self, negation: Edge<'_>) -> Diagnostic {
        let (head, denied) = (negation.source(), negation.target());
        let message = format!("`{}` depends on its own negation", self.graph[head]);
        let mut finding = Diagnostic::error("unstratified", negation.weight().span, message);
        finding = finding.label(negation.weight().span, self.step(negation));
        for edge in self.path(denied, head) {
            finding = finding.label(edge.weight().span, self.step(edge));
        }
        finding.help(
            "break the circle: what stands under `not` must be settled before this relation is, so it must not be derived from it",
        )
    }

    /// One edge in words.
    fn step(&self, edge: Edge<'_>) -> String {
        let (head, body) = (self.graph[edge.source()], self.graph[edge.target()]);
        if edge.weight().positive {
            format!("`{head}` is derived from `{body}`")
        } else {
            format!("`{head}` is derived from the absence of `{body}`")
        }
    }

    /// The shortest way from one relation to another along the edges; empty from a relation to itself.
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

    /// For each relation the first edge of its shortest way to `to`.
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

    /// How relations come to depend on `goal`.
    pub(super) fn ways_to(&self, goal: Signature<'_>) -> Ways<'_, 'd> {
        let goal = self.nodes.get(&goal).copied();
        let towards = goal.map_or_else(Vec::new, |goal| self.towards(goal));
        Ways {
            dependencies: self,
            goal,
            towards,
        }
    }
}

/// The shortest ways from all relations to one.
pub(super) struct Ways<'g, 'd> {
    dependencies: &'g Dependencies<'d>,
    goal: Option<NodeIndex>,
    towards: Vec<Option<Edge<'g>>>,
}

impl Ways<'_, '_> {
    /// The steps that lead from `start` to the goal, each with its place; `None` if none do, empty at the goal itself.
    pub(super) fn from(&self, start: Signature<'_>) -> Option<Vec<(Span, String)>> {
        let goal = self.goal?;
        let mut at = *self.dependencies.nodes.get(&start)?;
        let mut steps = Vec::new();
        while at != goal {
            let edge = self.towards[at.index()]?;
            steps.push((edge.weight().span, self.dependencies.step(edge)));
            at = edge.target();
        }
        Some(steps)
    }
}

/// Numbers the strongly connected components. Kosaraju's algorithm, because petgraph's other one recurses as deep as
/// the text's author likes.
fn circles(graph: &DiGraph<Signature<'_>, Dependency>) -> Vec<usize> {
    let mut circles = vec![0; graph.node_count()];
    for (number, members) in kosaraju_scc(graph).into_iter().enumerate() {
        for node in members {
            circles[node.index()] = number;
        }
    }
    circles
}
