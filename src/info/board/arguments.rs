//! What the arguments of a relation mean, by the mutex groups of its facts.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::axis::Axis;
use super::relation::functor_and_arguments;
use crate::game::GameFacts;

/// An ordered argument may have any number of values; one with more values than this and no order is a place.
const MOST_NAMES: usize = 8;

/// The facts of one relation that can ever hold, and what their arguments mean.
#[derive(Debug)]
pub struct FactRelation<'f> {
    /// The functor.
    pub name: &'f str,
    /// By the number of the fact, its arguments.
    pub facts: IndexMap<u32, Vec<&'f str>>,
    /// Per argument, its values in order, if they have one.
    pub axes: Vec<Option<Axis>>,
    /// The arguments that vary within mutex groups: what a cell holds. All others are its place. Where groups of less than
    /// half of the facts are known, the arguments without an order.
    pub content: Vec<usize>,
}

/// All relations of a game, in the order of their first facts.
pub fn fact_relations(game_facts: &GameFacts) -> Vec<FactRelation<'_>> {
    let mut relations: IndexMap<(&str, usize), IndexMap<u32, Vec<&str>>> = IndexMap::new();
    for (number, fact) in (0..).zip(&game_facts.facts) {
        let words = functor_and_arguments(fact);
        let (name, args) = words
            .split_first()
            .map_or(("", &[][..]), |(name, args)| (*name, args));
        let facts = relations.entry((name, args.len())).or_default();
        facts.insert(number, args.to_vec());
    }
    let relations = relations.into_iter();
    relations
        .map(|((name, arity), facts)| FactRelation::new(name, arity, facts, game_facts))
        .collect()
}

impl<'f> FactRelation<'f> {
    fn new(
        name: &'f str,
        arity: usize,
        facts: IndexMap<u32, Vec<&'f str>>,
        game_facts: &GameFacts,
    ) -> Self {
        let mut relation = Self {
            name,
            facts,
            axes: Vec::new(),
            content: Vec::new(),
        };
        let axis = |place| Axis::of_argument(&relation.values(place), &game_facts.successor_orders);
        relation.axes = (0..arity).map(axis).collect();
        relation.content = relation.content_arguments(game_facts);
        relation
    }

    /// What a cell holds, by the arguments of the fact that says so.
    pub fn content_of(&self, args: &[&'f str]) -> Vec<&'f str> {
        let content = self.content.iter();
        content.map(|&argument| args[argument]).collect()
    }

    /// What most cells hold where these facts hold, such as those of the initial state; nothing if none is of this relation.
    pub fn usual_content(&self, facts: &[u32]) -> Option<Vec<&'f str>> {
        let mut counts: IndexMap<Vec<&str>, usize> = IndexMap::new();
        for args in facts.iter().filter_map(|fact| self.facts.get(fact)) {
            *counts.entry(self.content_of(args)).or_default() += 1;
        }
        // Of equals, the first.
        let (content, _) = counts.into_iter().rev().max_by_key(|(_, count)| *count)?;
        Some(content)
    }

    fn values(&self, place: usize) -> BTreeSet<&'f str> {
        self.facts.values().map(|args| args[place]).collect()
    }

    fn content_arguments(&self, game_facts: &GameFacts) -> Vec<usize> {
        // By the arguments that vary, how many groups there are, and how many facts are in them.
        let mut seen: IndexMap<Vec<usize>, (usize, usize)> = IndexMap::new();
        for group in &game_facts.mutex_groups {
            let args: Option<Vec<_>> = group.iter().map(|fact| self.facts.get(fact)).collect();
            if let Some(args) = args {
                let varies = |place: &usize| args.iter().any(|one| one[*place] != args[0][*place]);
                let varying = (0..self.axes.len()).filter(varies).collect();
                let (groups, facts) = seen.entry(varying).or_default();
                *groups += 1;
                *facts += group.len();
            }
        }
        // That there is one king says nothing of the other pieces.
        seen.retain(|_, (_, facts)| 2 * *facts >= self.facts.len());
        // Where a square holds one piece and a piece stands on one square, the groups of squares are smaller.
        let usual = seen
            .into_iter()
            .min_by_key(|(content, (groups, _))| (content.len(), usize::MAX - groups));
        usual.map_or_else(|| self.unordered().collect(), |(content, _)| content)
    }

    fn unordered(&self) -> impl Iterator<Item = usize> {
        (0..self.axes.len()).filter(|place| self.axes[*place].is_none())
    }

    /// The arguments that distinguish kinds of pieces: the content, and every argument with a few unordered values, such
    /// as the owner. Where the place is what varies, it is not part of the kind.
    pub fn kind_arguments(&self) -> Vec<usize> {
        let few = |place: &usize| self.values(*place).len() <= MOST_NAMES;
        let names: Vec<usize> = self.unordered().filter(few).collect();
        if names.iter().all(|name| self.content.contains(name)) {
            return self.content.clone();
        }
        let is_kind = |place: &usize| {
            names.contains(place) || self.content.contains(place) && self.axes[*place].is_none()
        };
        (0..self.axes.len()).filter(is_kind).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kind arguments of the first relation.
    fn kinds(facts: Vec<String>, groups: Vec<Vec<u32>>) -> Vec<usize> {
        let game_facts = GameFacts {
            facts,
            mutex_groups: groups,
            ..GameFacts::default()
        };
        fact_relations(&game_facts)[0].kind_arguments()
    }

    #[test]
    fn owner_and_kind_of_a_piece_distinguish_pieces() {
        let pieces = ["black king", "black man", "white king", "white man"];
        let squares =
            (1..=9).flat_map(|square| pieces.map(|piece| format!("(cell {square} {piece})")));
        // Only that no piece is both a man and a king is known.
        let groups = (0..18).map(|pair| vec![2 * pair, 2 * pair + 1]).collect();
        assert_eq!(kinds(squares.collect(), groups), [1, 2]);
    }

    #[test]
    fn where_a_king_is_says_nothing_of_other_pieces() {
        let pieces = ["king", "man", "rook"];
        let squares = (1..=4).flat_map(|x| (1..=4).map(move |y| format!("{x} {y}")));
        let facts =
            squares.flat_map(|square| pieces.map(|piece| format!("(cell {square} {piece})")));
        let successor_orders = vec![(1..=4).map(|n| n.to_string()).collect()];
        let game_facts = GameFacts {
            facts: facts.collect(),
            mutex_groups: vec![(0..16).map(|square| 3 * square).collect()],
            successor_orders,
            ..GameFacts::default()
        };
        assert_eq!(fact_relations(&game_facts)[0].content, [2]);
    }

    #[test]
    fn the_place_of_a_piece_is_no_kind() {
        let squares = (1..=4).flat_map(|x| (1..=4).map(move |y| format!("{x} {y}")));
        let squares: Vec<String> = squares.collect();
        let facts = ["black king", "white king"].map(|piece| {
            let at = squares
                .iter()
                .map(|square| format!("(at {piece} {square})"));
            at.collect::<Vec<String>>()
        });
        // A piece is in one place.
        let groups = vec![(0..16).collect(), (16..32).collect()];
        assert_eq!(kinds(facts.concat(), groups), [0, 1]);
    }
}
