//! Positions as pictures.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use crate::info::board::{
    Board, BoardKind, BoardLayout, BoardView, CellContents, Square, colour_name, contents,
    side_name,
};
use crate::kif::{GroundTerm, read_each};
use crate::playtest::ShownStep;
use crate::session::{Game, Session};
use crate::terminal::{Screen, Style};

/// The width of a square.
const SQUARE: usize = 38;
/// The room for labels of columns and rows.
const MARGIN: usize = 24;
/// Colours of sides whose names tell none.
const COLOURS: [&str; 6] = ["side0", "side1", "side2", "side3", "side4", "side5"];
/// A longer content does not fit its square.
const LONGEST: usize = 4;

/// Draws the positions of one game.
pub(super) struct Pictures {
    layout: BoardLayout,
    start: Vec<GroundTerm>,
}

impl Pictures {
    pub(super) fn of(game: &Game) -> Self {
        let style = Style {
            unicode: true,
            color: false,
            width: 100,
        };
        let session = Session::new(game);
        Self {
            layout: Screen::survey_anyway(&session, style).layout().clone(),
            start: terms(&session.facts()),
        }
    }

    /// The first position; `None` where the game has no board.
    pub(super) fn start(&self) -> Option<Markup> {
        self.position(&[], &self.start)
    }

    /// The position after a step, what changed in it marked; `None` where the game has no board.
    pub(super) fn after(&self, step: &ShownStep) -> Option<Markup> {
        self.position(&terms(&step.before), &terms(&step.facts))
    }

    fn position(&self, before: &[GroundTerm], after: &[GroundTerm]) -> Option<Markup> {
        let states = [self.start.clone(), before.to_vec(), after.to_vec()];
        let contents = contents(&self.layout, &states);
        let view = |facts: &[GroundTerm]| BoardView::new(&self.layout, facts, &contents);
        let (before, after) = (view(&states[1]), view(&states[2]));
        let is_graph = |board: &Board| matches!(board.kind, BoardKind::Points(_));
        let has_graph = self.layout.boards.iter().any(is_graph);
        if self.layout.boards.is_empty() || has_graph || after.overflows {
            return None;
        }
        let boards = self.layout.boards.iter().enumerate();
        let boards = boards.map(|(number, board)| {
            let changed = match states[1].is_empty() {
                true => BTreeSet::new(),
                false => after.changed(&before, number),
            };
            BoardPicture::new(board, &contents[number]).draw(&after.boards[number], &changed)
        });
        let boards: Vec<Markup> = boards.collect();
        let rest: Vec<String> = after.rest.iter().map(GroundTerm::to_string).collect();
        Some(html! {
            @for board in &boards { (board) }
            @if !rest.is_empty() { p.rest { code { (rest.join(" ")) } } }
        })
    }
}

fn terms(facts: &[String]) -> Vec<GroundTerm> {
    read_each(facts).unwrap_or_default()
}

/// How a board is drawn.
struct BoardPicture<'d> {
    board: &'d Board,
    contents: &'d CellContents,
    /// The text of each content on the board.
    labels: BTreeMap<&'d str, String>,
    sides: Vec<&'d str>,
}

impl<'d> BoardPicture<'d> {
    fn new(board: &'d Board, contents: &'d CellContents) -> Self {
        let shown = contents.names.iter();
        let shown: Vec<&str> = shown
            .map(String::as_str)
            .filter(|name| !contents.is_blank(name))
            .collect();
        let mut sides: Vec<&str> = shown.iter().map(|name| side_name(name)).collect();
        sides.sort_unstable();
        sides.dedup();
        Self {
            board,
            contents,
            labels: labels(&shown),
            sides,
        }
    }

    fn draw(&self, holds: &BTreeMap<Square, String>, changed: &BTreeSet<Square>) -> Markup {
        let mut panels: Vec<&Vec<String>> =
            self.board.known.iter().map(|(panel, ..)| panel).collect();
        panels.dedup();
        html! {
            div.boards {
                @for panel in panels { (self.panel(panel, holds, changed)) }
            }
            @let explained = self.explained(holds);
            @if !explained.is_empty() { p.legend { (explained) } }
        }
    }

    fn panel(
        &self,
        panel: &[String],
        holds: &BTreeMap<Square, String>,
        changed: &BTreeSet<Square>,
    ) -> Markup {
        let (columns, rows) = (&self.board.columns.labels, &self.board.rows.labels);
        let (width, height) = (
            MARGIN + columns.len() * SQUARE,
            MARGIN + rows.len() * SQUARE,
        );
        html! {
            svg.board width=(width + 2) height=(height + 2) viewBox={ "0 0 " (width + 2) " " (height + 2) } role="img" {
                title { (self.board.name()) @if !panel.is_empty() { " " (panel.join(" ")) } }
                @for (row, row_label) in rows.iter().enumerate() {
                    @let top = row * SQUARE;
                    text.label x=(MARGIN - 6) y=(top + SQUARE / 2 + 4) text-anchor="end" { (row_label) }
                    @for (column, column_label) in columns.iter().enumerate() {
                        @let square = (panel.to_vec(), column_label.clone(), row_label.clone());
                        @if self.exists(&square) {
                            (self.square(MARGIN + column * SQUARE, top, holds.get(&square), changed.contains(&square)))
                        }
                    }
                }
                @for (column, label) in columns.iter().enumerate() {
                    text.label x=(MARGIN + column * SQUARE + SQUARE / 2) y=(height - 6) text-anchor="middle" { (label) }
                }
            }
        }
    }

    /// Whether there is such a square: where every state lists all of them, one that was never seen is a hole.
    fn exists(&self, square: &Square) -> bool {
        !self.board.lists_every_square || self.board.known.contains(square)
    }

    fn square(&self, left: usize, top: usize, content: Option<&String>, is_new: bool) -> Markup {
        let class = if is_new { "square new" } else { "square" };
        let shown = content.filter(|content| !self.contents.is_blank(content));
        html! {
            rect class=(class) x=(left) y=(top + 1) width=(SQUARE) height=(SQUARE) {}
            @if let Some(content) = shown {
                @let label = self.labels.get(content.as_str()).cloned().unwrap_or_default();
                @let middle = (left + SQUARE / 2, top + 1 + SQUARE / 2);
                circle class={ "piece " (self.colour(content)) } cx=(middle.0) cy=(middle.1) r=(SQUARE / 2 - 4) {
                    title { (content) }
                }
                text.content x=(middle.0) y=(middle.1 + 5) text-anchor="middle" { (label) }
            }
        }
    }

    /// The class of the colour of a content: that which its name tells, or else one for each side.
    fn colour(&self, content: &str) -> &'static str {
        match colour_name(content) {
            Some(name) => name,
            None => {
                let side = self
                    .sides
                    .iter()
                    .position(|side| *side == side_name(content));
                COLOURS[side.unwrap_or(0) % COLOURS.len()]
            }
        }
    }

    /// What the labels on the board stand for, where they are shortened.
    fn explained(&self, holds: &BTreeMap<Square, String>) -> String {
        let shown: BTreeSet<&str> = holds.values().map(String::as_str).collect();
        let labels = self.labels.iter();
        let pairs =
            labels.filter(|(name, label)| shown.contains(*name) && **name != label.as_str());
        let pairs: Vec<String> = pairs
            .map(|(name, label)| format!("{label} {name}"))
            .collect();
        pairs.join(", ")
    }
}

/// Short names: whole where they fit, else the first letters of the words, told apart by numbers.
fn labels<'n>(names: &[&'n str]) -> BTreeMap<&'n str, String> {
    let mut labels: BTreeMap<&str, String> = BTreeMap::new();
    for &name in names {
        let short = match name.chars().count() <= LONGEST {
            true => name.to_owned(),
            false => initials(name),
        };
        let is_taken = |label: &String| labels.values().any(|known| known == label);
        let numbered = (2..).map(|number| format!("{short}{number}"));
        let mut free = std::iter::once(short.clone()).chain(numbered);
        let label = free.find(|label| !is_taken(label)).unwrap_or(short);
        labels.insert(name, label);
    }
    labels
}

/// The first letters of the words of a name, also of one such as `whiteKing`.
fn initials(name: &str) -> String {
    let mut before = ' ';
    let mut initials = String::new();
    for letter in name.chars() {
        let begins = !before.is_alphanumeric()
            || letter.is_uppercase() && !before.is_uppercase()
            || letter.is_numeric() && !before.is_numeric();
        if begins && letter.is_alphanumeric() {
            initials.push(letter);
        }
        before = letter;
    }
    initials.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short_and_differ() {
        let names = ["x", "whiteKing", "white_knight", "wall 12"];
        let labels = labels(&names);
        let labels: Vec<&str> = names.iter().map(|name| labels[name].as_str()).collect();
        assert_eq!(labels, ["x", "wK", "wk", "w1"]);
        let same = super::labels(&["bishop", "barrel"]);
        assert_eq!(
            (same["bishop"].as_str(), same["barrel"].as_str()),
            ("b", "b2")
        );
    }
}
