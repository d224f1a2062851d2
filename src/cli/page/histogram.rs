//! Bars.

use maud::Markup;
use svg::node::element::Title;

use super::figure::{Elements, figure, label, level, rectangle};
use crate::statistics::Bar;

const WIDTH: f64 = 34.0;
/// The highest bar, and the room above and below it.
const HEIGHT: f64 = 110.0;
const TOP: f64 = 16.0;
const FOOT: f64 = 24.0;

/// How many games or positions have which value, as bars.
pub(in crate::cli) fn histogram(bars: &[Bar], caption: &str) -> Markup {
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1);
    let (width, bottom) = (bars.len() as f64 * WIDTH, TOP + HEIGHT);
    let mut elements = Elements::new();
    for (number, bar) in bars.iter().enumerate() {
        let height = (bar.count as f64 * HEIGHT / most as f64).ceil();
        let left = number as f64 * WIDTH;
        let middle = left + WIDTH / 2.0;
        let drawn = rectangle((left + 2.0, bottom - height), (WIDTH - 4.0, height));
        let drawn = drawn.set("class", "bar");
        elements.push(drawn.add(Title::new(bar.count.to_string())).into());
        if bar.count > 0 {
            elements.push(label(bar.count, middle, bottom - height - 4.0).into());
        }
        elements.push(label(bar.from, middle, bottom + 16.0).into());
    }
    elements.push(level("axis", [0.0, width], bottom).into());
    figure((width, bottom + FOOT), caption, elements, caption)
}
