//! The way of a sequential test.

use maud::{Markup, html};

use super::elo::{round, step};
use crate::tournament::SprtProgress;

/// The picture, the room for numbers at the left, for words at the right and for the scale below.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 130.0;
const FOOT: f64 = 36.0;
const TOP: f64 = 12.0;

/// The logarithm of the likelihood ratio over the games, between the bounds.
pub(super) fn chart(progress: &SprtProgress) -> Markup {
    let plot = Plot::of(progress);
    let right = LEFT + WIDTH;
    let bounds = [
        (
            progress.sprt.upper,
            format!("elo1 {:+}", progress.hypotheses.elo1),
        ),
        (
            progress.sprt.lower,
            format!("elo0 {:+}", progress.hypotheses.elo0),
        ),
    ];
    let (width, height) = (right + RIGHT, TOP + HEIGHT + FOOT);
    let states = progress.history.iter();
    let points = states.map(|state| {
        format!(
            "{},{}",
            round(plot.x(state.games as f64)),
            round(plot.y(state.llr))
        )
    });
    let points: Vec<String> = std::iter::once(format!("{LEFT},{}", round(plot.y(0.0))))
        .chain(points)
        .collect();
    html! {
        figure {
            svg width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img" {
                title { "Log-likelihood ratio over the games" }
                @for tick in plot.ticks() {
                    @let x = round(plot.x(tick));
                    line.grid x1=(x) x2=(x) y1=(TOP) y2=(TOP + HEIGHT) {}
                    text.label x=(x) y=(TOP + HEIGHT + 18.0) text-anchor="middle" { (tick) }
                }
                line.grid.zero x1=(LEFT) x2=(right) y1=(plot.y(0.0)) y2=(plot.y(0.0)) {}
                text.label x=(LEFT - 8.0) y=(plot.y(0.0) + 4.0) text-anchor="end" { "0" }
                @for (bound, words) in &bounds {
                    @let y = round(plot.y(*bound));
                    line.bound x1=(LEFT) x2=(right) y1=(y) y2=(y) {}
                    text.label x=(LEFT - 8.0) y=(y + 4.0) text-anchor="end" { (format!("{bound:.2}")) }
                    text.faint x=(right + 10.0) y=(y + 4.0) { (words) }
                }
                polyline.way points=(points.join(" ")) {}
                @if let Some(last) = progress.history.last() {
                    circle.bar cx=(round(plot.x(last.games as f64))) cy=(round(plot.y(last.llr))) r="4" {}
                }
            }
            figcaption { "Log-likelihood ratio over the games: at the upper bound elo1 is accepted, at the lower one elo0" }
        }
    }
}

/// From games and ratios to places.
struct Plot {
    games: f64,
    low: f64,
    high: f64,
}

impl Plot {
    fn of(progress: &SprtProgress) -> Self {
        let (lower, upper) = (progress.sprt.lower, progress.sprt.upper);
        let llrs = progress.history.iter().map(|state| state.llr);
        let (low, high) = llrs.fold((lower, upper), |(low, high), llr| {
            (low.min(llr), high.max(llr))
        });
        let games = progress.history.last().map_or(0, |last| last.games);
        let margin = (high - low) * 0.06;
        Self {
            games: games.max(1) as f64,
            low: low - margin,
            high: high + margin,
        }
    }

    fn x(&self, games: f64) -> f64 {
        LEFT + games / self.games * WIDTH
    }

    fn y(&self, llr: f64) -> f64 {
        TOP + (self.high - llr) / (self.high - self.low) * HEIGHT
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let step = step((self.games / 6.0).max(1.0));
        let count = (self.games / step).floor() as usize;
        (0..=count).map(move |tick| tick as f64 * step)
    }
}
