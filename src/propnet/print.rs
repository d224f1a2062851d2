//! Prints a network: as ground rules in KIF, and as a graph in the DOT language.

use std::fmt::{self, Display, Formatter};

use super::build::Interface;
use super::network::{Leaf, Lit, Network, NodeId};
use crate::datalog::TermId;
use crate::ground::Ground;

/// A network with names for its inputs and outputs. Displays as rules: `(<= gate condition …)`.
#[derive(Debug)]
pub struct NetworkPrinter<'n> {
    network: &'n Network,
    uses: Vec<u32>,
    roles: Vec<String>,
    fluents: Vec<String>,
    /// Per move, its role and its text.
    moves: Vec<(usize, String)>,
}

impl<'n> NetworkPrinter<'n> {
    /// A printer of `network`, which was built from `ground`.
    pub fn new(ground: &Ground, interface: &Interface, network: &'n Network) -> Self {
        let text = |term: &TermId| ground.terms.text(*term);
        let roles = interface.roles.iter().enumerate();
        let role_of = roles.flat_map(|(role, inputs)| inputs.clone().map(move |_| role));
        Self {
            network,
            uses: network.uses(),
            roles: ground.relations.roles.iter().map(text).collect(),
            fluents: interface.fluents.iter().map(text).collect(),
            moves: role_of.zip(interface.moves.iter().map(text)).collect(),
        }
    }

    /// The network as a graph in the DOT language of Graphviz: gates as points, complemented edges dashed.
    pub fn dot(&self) -> String {
        let mut text = String::from("digraph net {\n  rankdir = LR;\n  node [shape = box];\n");
        for node in self.used() {
            if self.network.gates.is_gate(node) {
                text += &format!("  n{node} [shape = point, tooltip = \"{node}\"];\n");
                for &lit in self.network.gates.operands(node) {
                    text += &edge(lit, &format!("n{node}"));
                }
            } else {
                text += &format!("  n{node} [label = \"{}\"];\n", self.name(node));
            }
        }
        for (number, (head, lit)) in self.outputs().into_iter().enumerate() {
            text += &format!("  o{number} [label = \"{head}\", style = rounded];\n");
            text += &edge(lit, &format!("o{number}"));
        }
        text + "}\n"
    }

    /// The nodes that an output depends on.
    fn used(&self) -> impl Iterator<Item = NodeId> {
        let nodes = self.network.gates.nodes();
        nodes.filter(|&node| self.uses[node as usize] > 0)
    }

    /// The outputs with their names.
    fn outputs(&self) -> Vec<(String, Lit)> {
        let outputs = &self.network.outputs;
        let mut named = vec![("terminal".to_owned(), outputs.terminal)];
        for ((role, mv), &lit) in self.moves.iter().zip(&outputs.legal) {
            named.push((format!("(legal {} {mv})", self.roles[*role]), lit));
        }
        for (role, values) in self.roles.iter().zip(&outputs.goals) {
            let values = values.iter();
            named.extend(values.map(|(value, lit)| (format!("(goal {role} {value})"), *lit)));
        }
        for (fluent, &lit) in self.fluents.iter().zip(&outputs.next) {
            named.push((format!("(next {fluent})"), lit));
        }
        for cycle in &outputs.cycles {
            let variables = cycle.variables.clone().zip(&cycle.values);
            named.extend(variables.map(|(variable, lit)| (format!("loop{variable}"), *lit)));
        }
        named
    }

    fn name(&self, node: NodeId) -> String {
        match self.network.gates.leaves().leaf(node) {
            Some(Leaf::Base(base)) => format!("(true {})", self.fluents[base]),
            Some(Leaf::Does(input)) => {
                let (role, mv) = &self.moves[input];
                format!("(does {} {mv})", self.roles[*role])
            }
            Some(Leaf::Variable(number)) => format!("loop{number}"),
            None if node == 0 => "always".to_owned(),
            None => format!("gate{node}"),
        }
    }

    fn literal(&self, lit: Lit) -> String {
        let name = self.name(lit.node());
        if lit.is_negated() {
            format!("(not {name})")
        } else {
            name
        }
    }
}

fn edge(lit: Lit, to: &str) -> String {
    let style = if lit.is_negated() {
        " [style = dashed]"
    } else {
        ""
    };
    format!("  n{} -> {to}{style};\n", lit.node())
}

impl Display for NetworkPrinter<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for node in self.used().filter(|&node| self.network.gates.is_gate(node)) {
            write!(f, "(<= {}", self.name(node))?;
            for &lit in self.network.gates.operands(node) {
                write!(f, " {}", self.literal(lit))?;
            }
            writeln!(f, ")")?;
        }
        for (head, lit) in self.outputs() {
            match lit {
                Lit::TRUE => writeln!(f, "{head}")?,
                Lit::FALSE => {}
                lit => writeln!(f, "(<= {head} {})", self.literal(lit))?,
            }
        }
        Ok(())
    }
}
