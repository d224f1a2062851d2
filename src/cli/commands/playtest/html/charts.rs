//! Figures as pictures.

use maud::{Markup, html};

use crate::playtest::{ResultBalance, RoleShare};

/// The widths of the parts of a line of the balance: names, bars, words.
const NAMES: usize = 110;
const BARS: usize = 300;
const WORDS: usize = 240;
const ROW: usize = 24;

/// What games without a winner are called.
fn draws(balance: &ResultBalance) -> &'static str {
    match balance.draws == balance.nobody {
        true => "nobody",
        false => "draws",
    }
}

/// Who wins, a bar for each role with its interval, and one for draws.
pub(super) fn balance(balance: &ResultBalance) -> Markup {
    let rows = balance.roles.len() + usize::from(balance.draws > 0);
    let (width, height) = (NAMES + BARS + WORDS, rows * ROW + 8);
    let games = balance.games.max(1) as f64;
    html! {
        figure {
            svg width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img" {
                title { "Who wins: " (balance.players) }
                @for (row, of) in balance.roles.iter().enumerate() { (role_bar(of, row, balance)) }
                @if balance.draws > 0 {
                    @let top = balance.roles.len() * ROW;
                    @let share = balance.draws as f64 / games;
                    text x="0" y=(top + 17) { (draws(balance)) }
                    rect.draw x=(NAMES) y=(top + 4) width=(of_width(share)) height=(ROW - 8) {}
                    text.faint x=(NAMES + BARS + 8) y=(top + 17) { (percent(share)) " %" }
                }
                line.axis x1=(NAMES) x2=(NAMES) y1="0" y2=(height) {}
            }
            figcaption { (balance.players) ": " (balance.games) " games" }
        }
    }
}

fn role_bar(of: &RoleShare, row: usize, balance: &ResultBalance) -> Markup {
    let top = row * ROW;
    let middle = top + ROW / 2;
    let [low, high] = of.interval;
    let moves_first = balance.first_mover.as_ref() == Some(&of.role);
    html! {
        text x="0" y=(top + 17) { (of.role) @if moves_first { " (first)" } }
        rect.bar x=(NAMES) y=(top + 4) width=(of_width(of.share)) height=(ROW - 8) {}
        line.interval x1=(NAMES + of_width(low)) x2=(NAMES + of_width(high)) y1=(middle) y2=(middle) {}
        text.faint x=(NAMES + BARS + 8) y=(top + 17) {
            (percent(of.share)) " % (" (percent(low)) " to " (percent(high)) "), " (format!("{:.0}", of.mean_goal)) " points"
        }
    }
}

fn of_width(share: f64) -> usize {
    (share * BARS as f64).round() as usize
}

fn percent(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}
