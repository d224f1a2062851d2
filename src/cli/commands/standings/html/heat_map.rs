//! The cross table as a heat map.

use maud::Markup;
use svg::node::element::{Group, Title};

use super::super::tables::shares;
use super::elo::shortened;
use crate::cli::page::{Elements, figure, label, rectangle, words};
use crate::tournament::ResultTable;

/// The room for a name, and the size of a square.
const NAMES: f64 = 230.0;
const WIDTH: f64 = 52.0;
const HEIGHT: f64 = 34.0;
const TOP: f64 = 24.0;

/// How much every player won against every other one.
pub(super) fn chart(table: &ResultTable) -> Markup {
    let shares = shares(table);
    let left_of = |column: usize| NAMES + column as f64 * WIDTH;
    let top_of = |row: usize| TOP + row as f64 * HEIGHT;
    let mut elements = Elements::new();
    for column in 0..shares.len() {
        let middle = left_of(column) + WIDTH / 2.0;
        elements.push(label(column + 1, middle, TOP - 8.0).into());
    }
    for (row, shares) in shares.iter().enumerate() {
        let player = &table.standings[row].player;
        let name = format!("{}  {}", row + 1, shortened(player));
        let name = words(name, NAMES - 12.0, base(top_of(row)));
        elements.push(name.set("text-anchor", "end").into());
        for (column, share) in shares.iter().enumerate() {
            let players = [player, &table.standings[column].player];
            elements.push(square((left_of(column), top_of(row)), *share, players).into());
        }
    }
    figure(
        (left_of(shares.len()) + 2.0, top_of(shares.len()) + 2.0),
        "What the player of the row won against the player of the column, in %",
        elements,
        "What the player of the row won against the player of the column, in % of the games (a draw is half a game)",
    )
}

/// The base line of the words in a row.
fn base(top: f64) -> f64 {
    top + HEIGHT / 2.0 + 4.0
}

fn square((left, top): (f64, f64), share: Option<f64>, [player, other]: [&String; 2]) -> Group {
    let field = rectangle((left + 1.0, top + 1.0), (WIDTH - 2.0, HEIGHT - 2.0)).set("rx", 3);
    let Some(share) = share else {
        return Group::new().add(field.set("class", "nothing"));
    };
    let percent = 100.0 * share;
    let title = format!("{player} against {other}: {percent:.1} %");
    let won = words(format!("{percent:.0}"), left + WIDTH / 2.0, base(top));
    Group::new()
        .add(Title::new(title))
        .add(field.set("style", format!("fill:{}", colour(share))))
        .add(won.set("text-anchor", "middle"))
}

/// From the colour of losses by that of even results to that of wins.
fn colour(share: f64) -> String {
    let (end, strength) = match share >= 0.5 {
        true => ("won", share - 0.5),
        false => ("lost", 0.5 - share),
    };
    format!(
        "color-mix(in oklab,var(--{end}) {:.0}%,var(--even))",
        200.0 * strength
    )
}
