//! Points and the lines between neighbours.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use maud::{Markup, html};

use super::cells::{picture, piece, piece_width};
use crate::drawing::picture::{PictureBoard, point_square};
use crate::info::board::{PointGraph, square_id};

/// From one point to the next, and around all of them.
const GAP: usize = 56;
const MARGIN: usize = 40;
/// The room that a letter of a name takes.
const LETTER: usize = 6;

/// Where each point lies in the picture.
type Places<'p> = BTreeMap<&'p str, (usize, usize)>;

/// The points as a picture.
pub(super) fn draw(board: &PictureBoard<'_>, graph: &PointGraph) -> Markup {
    let names = &board.plan.columns.labels;
    let places = match &graph.positions {
        Some(positions) => on_map(positions),
        None => on_circle(names),
    };
    let most = |side: fn(&(usize, usize)) -> usize| places.values().map(side).max().unwrap_or(0);
    let wide = piece_width(board.legend.width) / 2;
    let size = (
        most(|at| at.0) + MARGIN.max(wide + 4),
        most(|at| at.1) + MARGIN,
    );
    picture(
        size,
        board.plan.name(),
        &html! {
            (lines(graph, &places))
            @for name in names {
                @if let Some(at) = places.get(name.as_str()) { (point(board, name, *at)) }
            }
        },
    )
}

/// As a board file says, x to the right and y upwards.
fn on_map(positions: &BTreeMap<String, (usize, usize)>) -> Places<'_> {
    let top = positions.values().map(|at| at.1).max().unwrap_or(0);
    let place = |(x, y): (usize, usize)| (MARGIN + x * GAP, MARGIN + (top - y) * GAP);
    let places = positions.iter();
    places
        .map(|(name, at)| (name.as_str(), place(*at)))
        .collect()
}

/// One after the other, from the top on, so far apart that their names fit.
fn on_circle(names: &[String]) -> Places<'_> {
    let longest = names.iter().map(|name| name.chars().count()).max();
    let gap = GAP.max(longest.unwrap_or(0) * LETTER + 20);
    let radius = (names.len() * gap) as f64 / TAU;
    let along = |place: f64| (MARGIN as f64 + radius * (1.0 + place)).round() as usize;
    let place = |number: usize| {
        let turn = TAU * number as f64 / names.len() as f64;
        (along(turn.sin()), along(-turn.cos()))
    };
    let numbered = names.iter().enumerate();
    numbered
        .map(|(number, name)| (name.as_str(), place(number)))
        .collect()
}

fn lines(graph: &PointGraph, places: &Places<'_>) -> Markup {
    let pairs = graph.neighbours.iter();
    let pairs = pairs.flat_map(|(from, around)| around.iter().map(move |to| (from, to)));
    let once = pairs.filter(|(from, to)| from < to);
    let drawn =
        once.filter_map(|(from, to)| Some((places.get(from.as_str())?, places.get(to.as_str())?)));
    html! {
        @for (from, to) in drawn {
            line.link x1=(from.0) y1=(from.1) x2=(to.0) y2=(to.1) {}
        }
    }
}

/// A point with what stands on it, and its name below.
fn point(board: &PictureBoard<'_>, name: &str, (x, y): (usize, usize)) -> Markup {
    let is_new = board.point_is_changed(name);
    let new = if is_new { " new" } else { "" };
    html! {
        g.square data-square=(square_id(board.number, &point_square(name))) {
            @match board.on_point(name) {
                Some((content, symbol)) => {
                    circle class={ "cell" (new) } cx=(x) cy=(y) r="20" {}
                    (piece(symbol, content, (x, y)))
                }
                None => circle class={ "cell point" (new) } cx=(x) cy=(y) r="7" {},
            }
            text.label x=(x) y=(y + 29) text-anchor="middle" { (name) }
        }
    }
}
