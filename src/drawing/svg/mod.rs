//! Boards and facts as SVG, for pages of HTML.
//!
//! Colours are those of [`SVG_STYLE`], by class: a page that shows boards includes it once. It has a light and a dark form.

mod cells;
mod edges;
mod panel;
mod points;

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::picture::{Picture, PictureBoard};
use crate::info::board::{BoardKind, single_contents};

/// The style sheet of boards.
pub const SVG_STYLE: &str = include_str!("style.css");

/// The picture as a part of a page.
pub(super) fn draw(picture: &Picture<'_>) -> String {
    let rest = picture.rest();
    let page = html! {
        @for board in picture.boards() { (whole_board(&board)) }
        @if !rest.is_empty() {
            p.rest { @for fact in &rest { code { (fact) } " " } }
        }
    };
    page.into_string()
}

/// All panels of a board, and what its symbols stand for.
fn whole_board(board: &PictureBoard<'_>) -> Markup {
    let explained = explained(board);
    html! {
        @match &board.plan.kind {
            BoardKind::Points(graph) => div.boards { (points::draw(board, graph)) },
            BoardKind::Edges(grid) => div.boards { (edges::draw(board, grid)) },
            _ => {
                @let panels = board.panels();
                @for row in &panels.rows {
                    div.boards { @for panel in row { (panel::draw(board, panel)) } }
                }
                @if let Some(note) = &panels.note { p.legend { (note) } }
            }
        }
        @if !explained.is_empty() { p.legend { (explained) } }
    }
}

/// What the symbols on the board stand for, where they are shortened.
fn explained(board: &PictureBoard<'_>) -> String {
    if matches!(board.plan.kind, BoardKind::Edges(_)) {
        return String::new();
    }
    let shown = board.contents.values();
    let shown: BTreeSet<&str> = shown.flat_map(|content| single_contents(content)).collect();
    let pairs = board.legend.explained();
    let pairs = pairs.filter(|(_, name)| shown.contains(name));
    let pairs: Vec<String> = pairs
        .map(|(symbol, name)| format!("{symbol} {name}"))
        .collect();
    pairs.join(", ")
}
