//! Bars.

use maud::{Markup, html};

use crate::statistics::Bar;

/// How many games or positions have which value, as bars.
pub(in crate::cli) fn histogram(bars: &[Bar], caption: &str) -> Markup {
    const WIDTH: usize = 34;
    const HEIGHT: usize = 110;
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1);
    let width = bars.len() * WIDTH;
    html! {
        figure {
            svg width=(width) height=(HEIGHT + 40) viewBox={ "0 0 " (width) " " (HEIGHT + 40) } role="img" {
                title { (caption) }
                @for (number, bar) in bars.iter().enumerate() {
                    @let height = (bar.count * HEIGHT).div_ceil(most);
                    @let middle = number * WIDTH + WIDTH / 2;
                    rect.bar x=(number * WIDTH + 2) y=(HEIGHT + 16 - height) width=(WIDTH - 4) height=(height) {
                        title { (bar.count) }
                    }
                    @if bar.count > 0 {
                        text.label x=(middle) y=(HEIGHT + 12 - height) text-anchor="middle" { (bar.count) }
                    }
                    text.label x=(middle) y=(HEIGHT + 32) text-anchor="middle" { (bar.from) }
                }
                line.axis x1="0" x2=(width) y1=(HEIGHT + 16) y2=(HEIGHT + 16) {}
            }
            figcaption { (caption) }
        }
    }
}
