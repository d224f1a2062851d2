//! Bars.

use maud::Markup;
use svg::node::element::Title;

use super::drawing::ChartPicture;
use super::figure::{Elements, figure, label, level, rectangle};
use crate::statistics::Bar;

const WIDTH: f64 = 34.0;
/// The highest bar, and the room above and below it.
const HEIGHT: f64 = 110.0;
const TOP: f64 = 16.0;
const FOOT: f64 = 24.0;

/// How many games or positions have which value, as bars.
pub(in crate::cli) fn histogram(bars: &[Bar], caption: &str) -> Markup {
    let (size, elements) = bar_chart(bars);
    figure(size, caption, elements, caption)
}

/// The bars alone.
pub(in crate::cli) fn bar_chart(bars: &[Bar]) -> ChartPicture {
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
            elements.push(label(short(bar.count), middle, bottom - height - 4.0).into());
        }
        elements.push(label(bar.from, middle, bottom + 16.0).into());
    }
    elements.push(level("axis", [0.0, width], bottom).into());
    ((width, bottom + FOOT), elements)
}

/// A count in no more places than a bar is wide.
fn short(count: usize) -> String {
    const UNITS: [(&str, f64); 3] = [("G", 1e9), ("M", 1e6), ("k", 1e3)];
    match UNITS.iter().find(|(_, size)| count as f64 >= *size) {
        Some((unit, size)) if count > 99_999 => format!("{:.1}{unit}", count as f64 / size),
        _ => count.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn counts_fit_their_bars() {
        for (count, expected) in [
            (0, "0"),
            (99_999, "99999"),
            (100_000, "100.0k"),
            (8_500_949, "8.5M"),
            (25_455_157_049, "25.5G"),
        ] {
            assert_eq!(short(count), expected);
        }
    }
}
