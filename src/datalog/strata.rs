//! Stratification: the strongly connected components of the dependency graph, each after those it depends on.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use serde::{Deserialize, Serialize};

use super::program::{Literal, Pred, Program};

/// A strongly connected component of the dependency graph.
#[derive(Debug, Clone)]
pub struct DependencyComponent {
    /// The predicates.
    pub preds: Vec<Pred>,
    /// Whether any of them depends on itself.
    pub recursive: bool,
    /// The highest input level it depends on; 0 if it is static.
    pub level: usize,
    /// The components it uses directly, all earlier in the order.
    pub uses: Vec<usize>,
}

/// Some predicate depends on its own negation, so that the program is not stratified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("`{0}` depends on its own negation")]
pub struct Unstratified(pub String);

/// The components of `program` in an order in which each can be computed.
///
/// # Errors
/// [`Unstratified`] where a cycle passes through a negation.
pub fn stratify(program: &Program) -> Result<Vec<DependencyComponent>, Unstratified> {
    let graph = dependencies(program);
    // petgraph lists components in reverse topological order. Its other algorithm recurses as deep as the chains of rules.
    let groups = kosaraju_scc(&graph);
    let mut component_of = vec![0; program.pred_count()];
    for (number, group) in groups.iter().enumerate() {
        for node in group {
            component_of[node.index()] = number;
        }
    }
    let mut components: Vec<DependencyComponent> = Vec::with_capacity(groups.len());
    for (number, group) in groups.into_iter().enumerate() {
        let mut component = DependencyComponent {
            preds: Vec::new(),
            recursive: group.len() > 1,
            level: 0,
            uses: Vec::new(),
        };
        for node in group {
            let pred = graph[node];
            component.level = component.level.max(program.input_level(pred));
            component.preds.push(pred);
            for edge in graph.edges(node) {
                let used = component_of[petgraph::visit::EdgeRef::target(&edge).index()];
                if used != number {
                    component.uses.push(used);
                    component.level = component.level.max(components[used].level);
                } else if *edge.weight() {
                    return Err(Unstratified(program.name(pred).to_owned()));
                } else {
                    component.recursive = true;
                }
            }
        }
        component.preds.sort_unstable();
        component.uses.sort_unstable();
        component.uses.dedup();
        components.push(component);
    }
    Ok(components)
}

/// An edge from each head to each predicate of its body; its weight says whether it is negated.
fn dependencies(program: &Program) -> DiGraph<Pred, bool> {
    let mut graph = DiGraph::new();
    for pred in program.preds() {
        graph.add_node(pred);
    }
    for clause in program.clauses() {
        for literal in &clause.body {
            let (atom, negated) = match literal {
                Literal::Positive(atom) => (atom, false),
                Literal::Negative(atom) => (atom, true),
                Literal::Distinct(..) | Literal::Same(..) => continue,
            };
            let (from, to) = (
                NodeIndex::new(clause.head.pred.index()),
                NodeIndex::new(atom.pred.index()),
            );
            graph.add_edge(from, to, negated);
        }
    }
    graph
}

#[cfg(test)]
mod tests {
    use super::stratify;
    use crate::datalog::{Atom, Clause, Literal, Program};

    #[test]
    fn a_long_chain_of_relations_has_an_order() {
        let mut program = Program::default();
        let preds: Vec<_> = (0..50_000)
            .map(|n| program.pred(&format!("p{n}"), 0))
            .collect();
        let atom = |pred| Atom {
            pred,
            args: Vec::new(),
        };
        for pair in preds.windows(2) {
            program.add(Clause {
                head: atom(pair[1]),
                body: vec![Literal::Positive(atom(pair[0]))],
                variables: 0,
            });
        }
        let components = stratify(&program).unwrap();
        assert_eq!(components.len(), preds.len());
        assert_eq!(components[0].preds, [preds[0]]);
    }
}
