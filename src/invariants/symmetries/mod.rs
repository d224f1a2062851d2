//! Symmetries of the rules: exchanges of facts, and of moves with them, that turn the ground rules into themselves.
//!
//! Facts, moves, sentences and rules are the vertices of a graph, which say by labelled edges what stands where in a rule. An automorphism
//! of this graph that keeps roles, goals and the initial state is a symmetry of the game (Schiffel, *Symmetry detection in general game
//! playing*, 2010). Not all symmetries of a game are found: rules may say the same in different ways.

mod coloured_graph;
mod rule_graph;

use self::rule_graph::rule_graph;
use crate::datalog::TermId;
use crate::ground::Ground;
use crate::util::Deadline;

/// The symmetries of a game, as far as they show in its ground rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetries {
    /// How many there are, the identity included; as many as a number holds where there are more.
    pub count: u128,
    /// Some of them, from which all others are made: the facts that each moves, with what they become.
    pub generators: Vec<Vec<(TermId, TermId)>>,
}

/// The symmetries of ground rules that are found within a bounded effort, and until `deadline`. They move no static facts.
pub fn symmetries(ground: &Ground, deadline: &Deadline) -> Symmetries {
    let (graph, facts) = rule_graph(ground);
    let group = graph.automorphisms(facts.len(), deadline);
    let moved = |image: &Vec<u32>| {
        let facts_with_images = facts.iter().zip(image);
        let pairs = facts_with_images.map(|(fact, place)| (*fact, facts[*place as usize]));
        pairs.filter(|(fact, becomes)| fact != becomes).collect()
    };
    Symmetries {
        count: group.order,
        generators: group.generators.iter().map(moved).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datalog::EvaluationLimits;
    use crate::gdl::load;
    use crate::ground::ground;

    fn found(text: &str) -> u128 {
        let rules = load(text).rules.unwrap();
        let ground = ground(&rules, &EvaluationLimits::default()).unwrap();
        let symmetries = symmetries(&ground, &Deadline::default());
        assert_eq!(symmetries.generators.is_empty(), symmetries.count == 1);
        symmetries.count
    }

    fn shipped(name: &str) -> u128 {
        let path = format!("{}/games/{name}.kif", env!("CARGO_MANIFEST_DIR"));
        found(&std::fs::read_to_string(path).unwrap())
    }

    #[test]
    fn boards_are_turned_and_mirrored() {
        assert_eq!(shipped("tictactoe"), 8);
        assert_eq!(shipped("connect-four"), 2);
        // No heap is like another.
        assert_eq!(shipped("nim"), 1);
        // The rules count pieces square by square, from one side to the other.
        assert_eq!(shipped("kolibrat"), 1);
    }

    #[test]
    fn equal_lamps_are_exchanged_and_roles_are_not() {
        let lamps = "(role a) (role b) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (<= (legal ?r (light ?l)) (role ?r) (lamp ?l)) \
                     (<= (next (on ?l)) (does ?r (light ?l))) (<= (next (on ?l)) (true (on ?l))) \
                     (<= terminal (true (on 1)) (true (on 2)) (true (on 3)) (true (on 4))) (goal a 100) (goal b 0)";
        assert_eq!(found(lamps), 24);
        // The first lamp is lit at first.
        assert_eq!(found(&format!("{lamps} (init (on 1))")), 6);
    }
}
