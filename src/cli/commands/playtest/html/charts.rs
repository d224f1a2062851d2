//! Figures as pictures.

use maud::Markup;

use crate::cli::page::{Elements, figure, level, rectangle, upright, words};
use crate::playtest::{ResultBalance, RoleShare};

/// The widths of the parts of a line of the balance: names, bars, words.
const NAMES: f64 = 110.0;
const BARS: f64 = 300.0;
const WORDS: f64 = 240.0;
const ROW: f64 = 24.0;

/// What games without a winner are called.
fn draws(balance: &ResultBalance) -> &'static str {
    match balance.draws == balance.nobody {
        true => "nobody",
        false => "draws",
    }
}

/// Who wins, a bar for each role with its interval, and one for draws.
pub(super) fn balance(balance: &ResultBalance) -> Markup {
    let mut elements = Elements::new();
    for (row, of) in balance.roles.iter().enumerate() {
        elements.extend(role_bar(of, row as f64 * ROW, balance));
    }
    let mut bottom = balance.roles.len() as f64 * ROW;
    if balance.draws > 0 {
        let share = balance.draws as f64 / balance.games.max(1) as f64;
        let remark = format!("{} %", percent(share));
        elements.extend(bar(draws(balance), ("draw", share), &remark, bottom));
        bottom += ROW;
    }
    let height = bottom + 8.0;
    elements.push(upright("axis", NAMES, [0.0, height]).into());
    let title = format!("Who wins: {}", balance.players);
    let caption = format!("{}: {} games", balance.players, balance.games);
    figure((NAMES + BARS + WORDS, height), &title, elements, &caption)
}

fn role_bar(of: &RoleShare, top: f64, balance: &ResultBalance) -> Elements {
    let [low, high] = of.interval;
    let first = match balance.first_mover.as_ref() == Some(&of.role) {
        true => " (first)",
        false => "",
    };
    let remark = format!(
        "{} % ({} to {}), {:.0} points",
        percent(of.share),
        percent(low),
        percent(high),
        of.mean_goal
    );
    let mut elements = bar(
        &format!("{}{first}", of.role),
        ("bar", of.share),
        &remark,
        top,
    );
    let ends = [low, high].map(|end| NAMES + of_width(end));
    elements.push(level("interval", ends, top + ROW / 2.0).into());
    elements
}

/// A line: a name, a bar of this class as long as a share, and a remark.
fn bar(name: &str, (class, share): (&str, f64), remark: &str, top: f64) -> Elements {
    let drawn = rectangle((NAMES, top + 4.0), (of_width(share), ROW - 8.0));
    let remark = words(remark, NAMES + BARS + 8.0, top + 17.0).set("class", "faint");
    vec![
        words(name, 0.0, top + 17.0).into(),
        drawn.set("class", class).into(),
        remark.into(),
    ]
}

fn of_width(share: f64) -> f64 {
    (share * BARS).round()
}

fn percent(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}
