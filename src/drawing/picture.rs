//! All there is to draw of one state.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::legend::{Legend, Symbol};
use crate::info::board::{Board, BoardKind, BoardLayout, BoardView, Square};
use crate::kif::GroundTerm;

/// All there is to draw of one state.
pub(super) struct Picture<'p> {
    pub(super) layout: &'p BoardLayout,
    pub(super) legends: &'p [Legend],
    pub(super) view: &'p BoardView,
    /// Per board, the squares that changed.
    pub(super) changed: Vec<BTreeSet<Square>>,
    /// Whether boards are seen from the other side.
    pub(super) is_flipped: bool,
}

/// One board of a picture.
#[derive(Clone, Copy)]
pub(super) struct PictureBoard<'p> {
    /// Its place among the boards.
    pub(super) number: usize,
    pub(super) plan: &'p Board,
    pub(super) legend: &'p Legend,
    pub(super) contents: &'p BTreeMap<Square, String>,
    pub(super) changed: &'p BTreeSet<Square>,
    pub(super) is_flipped: bool,
    /// Its name, where there are several boards.
    pub(super) name: Option<&'p str>,
}

/// The panels of a board that are drawn, in rows.
pub(super) struct ShownPanels<'p> {
    pub(super) rows: Vec<Vec<&'p Vec<String>>>,
    /// What is said of the others.
    pub(super) note: Option<String>,
}

impl<'p> Picture<'p> {
    pub(super) fn boards(&'p self) -> impl Iterator<Item = PictureBoard<'p>> {
        let boards = self.layout.boards.iter().enumerate();
        boards.map(|(number, plan)| PictureBoard {
            number,
            plan,
            legend: &self.legends[number],
            contents: &self.view.boards[number],
            changed: &self.changed[number],
            is_flipped: self.is_flipped,
            name: (self.layout.boards.len() > 1).then(|| plan.name()),
        })
    }

    /// The facts that are on no board, without their outer parentheses. Beside a board, where there are many, those of the
    /// largest relations are only counted.
    pub(super) fn rest(&self) -> Vec<String> {
        let facts = &self.view.rest;
        let counted = match self.layout.boards.is_empty() {
            true => BTreeMap::new(),
            false => relations_to_count(facts),
        };
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let text = |fact: &GroundTerm| match counted.get_key_value(name(fact)) {
            Some((relation, count)) => {
                let is_first = seen.insert(*relation);
                is_first.then(|| format!("{relation}: {count} facts"))
            }
            None => Some(bare(&fact.to_string()).to_owned()),
        };
        facts.iter().filter_map(text).collect()
    }
}

impl<'p> PictureBoard<'p> {
    /// What stands above a panel.
    pub(super) fn title(&self, panel: &[String]) -> String {
        let words = self
            .name
            .into_iter()
            .chain(panel.iter().map(String::as_str));
        words.collect::<Vec<_>>().join(" ")
    }

    /// What stands on a point, and the symbol of the first thing there that has one; `None` where it is empty.
    pub(super) fn on_point(&self, name: &str) -> Option<(&'p str, &'p Symbol)> {
        let content = self.contents.get(&point_square(name))?;
        let symbol = self.legend.symbol_of_several(content)?;
        Some((content, symbol))
    }

    pub(super) fn point_is_changed(&self, name: &str) -> bool {
        self.changed.contains(&point_square(name))
    }

    /// Whether a square is none, since every state or the rules list all squares, and this one is not among them.
    pub(super) fn is_hole(&self, square: &Square) -> bool {
        let plan = self.plan;
        plan.lists_every_square && !self.contents.contains_key(square)
            || plan.has_named_squares && !plan.known.contains(square)
    }

    /// Whether a square is drawn.
    pub(super) fn shows(&self, square: &Square) -> bool {
        match &self.plan.kind {
            BoardKind::Points(_) | BoardKind::Edges(_) => true,
            BoardKind::Grid | BoardKind::Strip | BoardKind::Hexagons(_) => {
                let mut panels = self.panels().rows.into_iter().flatten();
                !self.is_hole(square) && panels.any(|panel| *panel == square.0)
            }
        }
    }

    /// The panels worth drawing: of many panels those that hold something go first, and a board beside the main one is
    /// not drawn where it is empty, unless every state lists its squares. Panels numbered twice make a table: the first number is the row.
    pub(super) fn panels(&self) -> ShownPanels<'p> {
        let (panels, left_out) = self.worth_drawing();
        let rows = panels.chunk_by(|one, other| one.len() < 2 || one.first() == other.first());
        let what = match left_out {
            1 => "part".to_owned(),
            more => format!("{more} parts"),
        };
        let name = self.plan.name();
        ShownPanels {
            rows: rows.map(<[_]>::to_vec).collect(),
            note: (left_out > 0).then(|| format!("and {what} of {name} not drawn")),
        }
    }

    /// The panels that are drawn, in order, and how many others hold something.
    fn worth_drawing(&self) -> (Vec<&'p Vec<String>>, usize) {
        const MOST: usize = 16;
        let panels = self.plan.panels();
        if self.number == 0 && panels.len() <= MOST {
            return (panels, 0);
        }
        let holding = self.contents.iter();
        let holding = holding.filter(|(_, content)| {
            self.plan.lists_every_square || self.legend.symbol(content).is_some()
        });
        let holding: BTreeSet<&Vec<String>> = holding.map(|((panel, ..), _)| panel).collect();
        let is_held = |panel: &&Vec<String>| holding.contains(panel);
        let held = panels.iter().filter(|panel| is_held(panel));
        let empty = panels
            .iter()
            .filter(|panel| self.number == 0 && !is_held(panel));
        let worth: Vec<&Vec<String>> = held.chain(empty).copied().collect();
        let left_out = worth.len().saturating_sub(MOST);
        let drawn: BTreeSet<&Vec<String>> = worth.into_iter().take(MOST).collect();
        let shown = panels.into_iter().filter(|panel| drawn.contains(panel));
        (shown.collect(), left_out)
    }
}

/// More facts than this are not listed beside a board.
const MOST_FACTS: usize = 24;

/// The relations of which only the number of facts is told, so that few enough remain.
fn relations_to_count(facts: &[GroundTerm]) -> BTreeMap<&str, usize> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for fact in facts {
        *counts.entry(name(fact)).or_default() += 1;
    }
    let mut largest: Vec<(&str, usize)> = counts.into_iter().collect();
    largest.sort_by_key(|(_, count)| Reverse(*count));
    let mut listed = facts.len();
    let too_many = largest.into_iter().take_while(|(_, count)| {
        let is_too_many = listed > MOST_FACTS && *count > 1;
        listed -= count - 1;
        is_too_many
    });
    too_many.collect()
}

/// The name of a fact's relation.
fn name(fact: &GroundTerm) -> &str {
    match fact {
        GroundTerm::Constant(name) | GroundTerm::Compound(name, _) => name,
    }
}

/// A fact or move without the parentheses around it.
pub fn bare(text: &str) -> &str {
    let inside = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    inside.unwrap_or(text)
}

/// A point as a cell of its board.
pub(super) fn point_square(name: &str) -> Square {
    (Vec::new(), name.to_owned(), String::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kif::read_facts;

    #[test]
    fn of_many_facts_the_largest_relations_are_counted() {
        let counted = |text: &str| {
            let facts = read_facts(text).unwrap();
            let counted = relations_to_count(&facts);
            counted
                .iter()
                .map(|(name, count)| format!("{name} {count}"))
                .collect::<Vec<_>>()
        };
        let linked: String = (0..20).map(|n| format!("(linked {n} a) ")).collect();
        let owned: String = (0..9).map(|n| format!("(owned {n}) ")).collect();
        assert!(counted(&format!("{linked} (step 1)")).is_empty());
        assert_eq!(
            counted(&format!("{linked} {owned} (step 1)")),
            ["linked 20"]
        );
        let colours: String = (0..30).map(|n| format!("(colour {n}) ")).collect();
        let all = format!("{colours} {linked} {linked} (step 1)");
        assert_eq!(counted(&all), ["colour 30", "linked 40"]);
    }
}
