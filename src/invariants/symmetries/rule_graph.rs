//! Ground rules as a coloured graph.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::coloured_graph::ColouredGraph;
use crate::datalog::TermId;
use crate::ground::{Ground, Proposition, PropositionRelations};

/// What a vertex is. Those of other numbers stand for themselves only.
mod colour {
    pub(super) const FACT: u64 = 0;
    pub(super) const INITIAL_FACT: u64 = 1;
    pub(super) const BASE: u64 = 2;
    pub(super) const NEXT: u64 = 3;
    pub(super) const DERIVED: u64 = 4;
    pub(super) const RULE: u64 = 5;
    /// The move of a role, `does` and `legal`: three for each role, from here on.
    pub(super) const OF_ROLES: u64 = 1 << 20;
    /// Sentences that stay as they are, by their numbers.
    pub(super) const FIXED: u64 = 1 << 40;
}

/// What an edge says.
mod label {
    /// From a sentence to the fact or move in it.
    pub(super) const OF: u64 = 0;
    pub(super) const HEAD: u64 = 1;
    pub(super) const HOLDS: u64 = 2;
    pub(super) const FAILS: u64 = 3;
}

/// The graph, and the facts, which are its first vertices.
pub(super) fn rule_graph(ground: &Ground) -> (ColouredGraph, Vec<TermId>) {
    let mut graph = ColouredGraph::default();
    let facts = facts(ground);
    for fact in &facts {
        graph.add_vertex(match ground.initial.contains(fact) {
            true => colour::INITIAL_FACT,
            false => colour::FACT,
        });
    }
    let sentences = add_sentences(ground, &facts, &mut graph);
    for rule in &ground.rules {
        let vertex = graph.add_vertex(colour::RULE);
        let mut add = |label, sentence: &crate::ground::SentenceId| {
            graph.add_edge(vertex, label, sentences[sentence.0 as usize]);
        };
        add(label::HEAD, &rule.head);
        rule.holds
            .iter()
            .for_each(|sentence| add(label::HOLDS, sentence));
        rule.fails
            .iter()
            .for_each(|sentence| add(label::FAILS, sentence));
    }
    (graph, facts.into_iter().collect())
}

/// All facts of states but those that never change.
fn facts(ground: &Ground) -> IndexSet<TermId, FxBuildHasher> {
    let sources = PropositionRelations::new(&ground.relations);
    let mut facts: IndexSet<TermId, FxBuildHasher> = ground.initial.iter().copied().collect();
    for sentence in &ground.sentences {
        match sources.of(sentence, &ground.terms) {
            Some(Proposition::Base(fact)) => facts.insert(fact),
            _ if sentence.pred == ground.relations.next => facts.insert(sentence.args[0]),
            _ => false,
        };
    }
    facts.retain(|fact| !ground.static_facts.contains(fact));
    facts
}

/// Adds a vertex for each sentence, and one for each move; returns those of the sentences.
fn add_sentences(
    ground: &Ground,
    facts: &IndexSet<TermId, FxBuildHasher>,
    graph: &mut ColouredGraph,
) -> Vec<u32> {
    let relations = &ground.relations;
    let sources = PropositionRelations::new(relations);
    let role_of = |role: &TermId| relations.roles.iter().position(|one| one == role);
    let mut moves: IndexMap<(TermId, TermId), u32, FxBuildHasher> = IndexMap::default();
    let mut vertices = Vec::with_capacity(ground.sentences.len());
    for (number, sentence) in (0..).zip(&ground.sentences) {
        let vertex = match sources.of(sentence, &ground.terms) {
            Some(Proposition::Base(fact)) => add_of_fact(graph, colour::BASE, facts, fact),
            _ if sentence.pred == relations.next => {
                add_of_fact(graph, colour::NEXT, facts, sentence.args[0])
            }
            Some(Proposition::Input(role, mv)) => {
                add_of_move(graph, 1, role_of(&role), (role, mv), &mut moves)
            }
            None if sentence.pred == relations.legal => {
                let (role, mv) = (sentence.args[0], sentence.args[1]);
                add_of_move(graph, 2, role_of(&role), (role, mv), &mut moves)
            }
            None if sentence.pred == relations.goal || sentence.pred == relations.terminal => {
                graph.add_vertex(colour::FIXED + number)
            }
            None => graph.add_vertex(colour::DERIVED),
        };
        vertices.push(vertex);
    }
    vertices
}

fn add_of_fact(
    graph: &mut ColouredGraph,
    colour: u64,
    facts: &IndexSet<TermId, FxBuildHasher>,
    fact: TermId,
) -> u32 {
    let vertex = graph.add_vertex(colour);
    // Static facts are no vertices.
    if let Some(place) = facts.get_index_of(&fact) {
        graph.add_edge(vertex, label::OF, place as u32);
    }
    vertex
}

/// A sentence about a move, which is one of those for the role whose number `kind` is.
fn add_of_move(
    graph: &mut ColouredGraph,
    kind: u64,
    role: Option<usize>,
    mv: (TermId, TermId),
    moves: &mut IndexMap<(TermId, TermId), u32, FxBuildHasher>,
) -> u32 {
    let of_role = colour::OF_ROLES + 3 * role.map_or(0, |role| role as u64 + 1);
    let vertex = graph.add_vertex(of_role + kind);
    let of = *moves.entry(mv).or_insert_with(|| graph.add_vertex(of_role));
    graph.add_edge(vertex, label::OF, of);
    vertex
}
