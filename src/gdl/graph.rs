//! The dependency graph of relations, and what GDL forbids in it: negation inside a circle.

use std::collections::VecDeque;

use indexmap::IndexMap;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef;
use petgraph::{Direction, Graph};
use rustc_hash::FxHashMap;

use crate::gdl::description::{Description, Expr, Signature};
use crate::gdl::split::{Relation, Splits};
use crate::kif::{Diagnostic, Span};

/// Which relation is derived from which: an edge per sentence in a body, from the head's relation to the sentence's.
pub(super) struct Dependencies<'d> {
    graph: DiGraph<Relation<'d>, Dependency>,
    nodes: FxHashMap<Relation<'d>, NodeIndex>,
    splits: Splits<'d>,
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

impl Dependency {
    fn new(positive: bool, span: Span) -> Self {
        Self { positive, span }
    }
}

/// How many circles are reported, and how many steps of one chain of rules: more than anybody follows.
const MOST_CIRCLES: usize = 20;
const MOST_STEPS: usize = 12;

type Edge<'g> = EdgeReference<'g, Dependency>;

impl<'d> Dependencies<'d> {
    /// The dependencies of whole relations; of parts of them where the whole depends on its own negation.
    pub(super) fn of(description: &'d Description) -> Self {
        let whole = Self::between(description, Splits::default());
        let unsound = whole.unsound_circles();
        if unsound.is_empty() {
            return whole;
        }
        let unsound = |signature| {
            let relation = Relation {
                signature,
                value: None,
            };
            let circle = whole
                .nodes
                .get(&relation)
                .map(|node| whole.circles[node.index()]);
            circle.is_some_and(|circle| unsound.contains_key(&circle))
        };
        Self::between(description, Splits::find(description, unsound))
    }

    fn between(description: &'d Description, splits: Splits<'d>) -> Self {
        let mut graph = Graph::new();
        let mut nodes = FxHashMap::default();
        let mut node = |graph: &mut Graph<_, _>, relation: Relation<'d>| {
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
                    Relation {
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
        let circles = circles(&graph);
        Self {
            graph,
            nodes,
            splits,
            circles,
        }
    }

    /// Which relations had to be taken apart.
    pub(super) fn splits(&self) -> &Splits<'d> {
        &self.splits
    }

    /// Whether the relations of two sentences are derived from each other.
    pub(super) fn on_one_circle(&self, left: &'d Expr, right: &'d Expr) -> bool {
        self.circle(left)
            .is_some_and(|circle| self.circle(right) == Some(circle))
    }

    /// The number of the circle that a sentence's relation belongs to.
    pub(super) fn circle(&self, sentence: &'d Expr) -> Option<usize> {
        let node = self.nodes.get(&self.splits.relation(sentence)?)?;
        Some(self.circles[node.index()])
    }

    /// The circles with a negation inside, each with the first one.
    fn unsound_circles(&self) -> IndexMap<usize, Edge<'_>> {
        let mut unsound = IndexMap::new();
        for edge in self.graph.edge_references() {
            let circle = self.circles[edge.source().index()];
            let inside = circle == self.circles[edge.target().index()];
            if !edge.weight().positive && inside {
                unsound.entry(circle).or_insert(edge);
            }
        }
        unsound
    }

    /// Reports one circle through a negation for each set of relations that depend on each other.
    pub(super) fn check_stratification(&self, findings: &mut Vec<Diagnostic>) {
        let negations = self.unsound_circles().into_values().take(MOST_CIRCLES);
        findings.extend(negations.map(|negation| self.unstratified(negation)));
    }

    fn unstratified(&self, negation: Edge<'_>) -> Diagnostic {
        let (head, denied) = (negation.source(), negation.target());
        let message = format!("`{}` depends on its own negation", self.graph[head]);
        let mut finding = Diagnostic::error("negative-circle", negation.weight().span, message);
        finding = finding.label(negation.weight().span, self.step(negation));
        for edge in self.path(denied, head).into_iter().take(MOST_STEPS) {
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

    /// How relations come to depend on the one with the signature `goal`.
    pub(super) fn ways_to(&self, goal: Signature<'d>) -> Ways<'_, 'd> {
        let relation = Relation {
            signature: goal,
            value: None,
        };
        let goal = self.nodes.get(&relation).copied();
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

impl<'d> Ways<'_, 'd> {
    /// The first steps that lead from the relation of `sentence` to the goal, each with its place; `None` if none do,
    /// empty at the goal itself.
    pub(super) fn from(&self, sentence: &'d Expr) -> Option<Vec<(Span, String)>> {
        let goal = self.goal?;
        let relation = self.dependencies.splits.relation(sentence)?;
        let mut at = *self.dependencies.nodes.get(&relation)?;
        let mut steps = Vec::new();
        while at != goal && steps.len() < MOST_STEPS {
            let edge = self.towards[at.index()]?;
            steps.push((edge.weight().span, self.dependencies.step(edge)));
            at = edge.target();
        }
        Some(steps)
    }
}

/// Numbers the strongly connected components. Kosaraju's algorithm, because petgraph's other one recurses as deep as
/// the text's author likes.
fn circles(graph: &DiGraph<Relation<'_>, Dependency>) -> Vec<usize> {
    let mut circles = vec![0; graph.node_count()];
    for (number, members) in kosaraju_scc(graph).into_iter().enumerate() {
        for node in members {
            circles[node.index()] = number;
        }
    }
    circles
}
