//! The cross table as a heat map.

use maud::{Markup, html};

use super::super::tables::shares;
use super::elo::shortened;
use crate::tournament::ResultTable;

/// The room for a name, and the size of a square.
const NAMES: usize = 230;
const WIDTH: usize = 52;
const HEIGHT: usize = 34;
const TOP: usize = 24;

/// How much every player won against every other one.
pub(super) fn chart(table: &ResultTable) -> Markup {
    let shares = shares(table);
    let count = shares.len();
    let (width, height) = (NAMES + count * WIDTH + 2, TOP + count * HEIGHT + 2);
    html! {
        figure {
            svg width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img" {
                title { "What the player of the row won against the player of the column, in %" }
                @for column in 0..count {
                    text.label x=(NAMES + column * WIDTH + WIDTH / 2) y=(TOP - 8) text-anchor="middle" { (column + 1) }
                }
                @for (row, shares) in shares.iter().enumerate() {
                    @let top = TOP + row * HEIGHT;
                    @let name = &table.standings[row].player;
                    text x=(NAMES - 12) y=(top + HEIGHT / 2 + 4) text-anchor="end" { (row + 1) "  " (shortened(name)) }
                    @for (column, share) in shares.iter().enumerate() {
                        (square((NAMES + column * WIDTH, top), *share, [name, &table.standings[column].player]))
                    }
                }
            }
            figcaption { "What the player of the row won against the player of the column, in % of the games (a draw is half a game)" }
        }
    }
}

fn square(
    (left, top): (usize, usize),
    share: Option<f64>,
    [player, other]: [&String; 2],
) -> Markup {
    let (middle, base) = (left + WIDTH / 2, top + HEIGHT / 2 + 4);
    html! {
        @match share {
            None => rect.nothing x=(left + 1) y=(top + 1) width=(WIDTH - 2) height=(HEIGHT - 2) rx="3" {},
            Some(share) => g {
                title { (player) " against " (other) ": " (format!("{:.1}", 100.0 * share)) " %" }
                rect x=(left + 1) y=(top + 1) width=(WIDTH - 2) height=(HEIGHT - 2) rx="3" style={ "fill:" (colour(share)) } {}
                text x=(middle) y=(base) text-anchor="middle" { (format!("{:.0}", 100.0 * share)) }
            },
        }
    }
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
