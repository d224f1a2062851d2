//! The way of a sequential test.

use maud::Markup;
use svg::node::element::{Polyline, Text};

use super::elo::{dot, points, round, step};
use crate::cli::page::{Elements, figure, label, level, upright, words};
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
    let mut elements = axes(&plot);
    let (sprt, hypotheses) = (&progress.sprt, &progress.hypotheses);
    elements.extend(bound(sprt.upper, "elo1", hypotheses.elo1, &plot));
    elements.extend(bound(sprt.lower, "elo0", hypotheses.elo0, &plot));
    let states = progress.history.iter();
    let places = states.map(|state| (plot.x(state.games as f64), plot.y(state.llr)));
    let places: Vec<(f64, f64)> = [(LEFT, plot.y(0.0))].into_iter().chain(places).collect();
    let way = Polyline::new().set("class", "way");
    elements.push(way.set("points", points(places.iter().copied())).into());
    if let [_, .., (x, y)] = places[..] {
        elements.push(dot(x, y, 4.0).into());
    }
    figure(
        (LEFT + WIDTH + RIGHT, TOP + HEIGHT + FOOT),
        "Log-likelihood ratio over the games",
        elements,
        "Log-likelihood ratio over the games: at the upper bound elo1 is accepted, at the lower one elo0",
    )
}

/// The numbers of games, and the line of a ratio of one.
fn axes(plot: &Plot) -> Elements {
    let mut elements = Elements::new();
    for tick in plot.ticks() {
        let x = plot.x(tick);
        elements.push(upright("grid", x, [TOP, TOP + HEIGHT]).into());
        elements.push(label(tick, x, TOP + HEIGHT + 18.0).into());
    }
    let zero = plot.y(0.0);
    elements.push(level("grid zero", [LEFT, LEFT + WIDTH], zero).into());
    elements.push(left_label("0", zero).into());
    elements
}

/// A bound, and the hypothesis that is accepted there.
fn bound(llr: f64, hypothesis: &str, elo: f64, plot: &Plot) -> Elements {
    let y = plot.y(llr);
    let words = words(
        format!("{hypothesis} {elo:+}"),
        LEFT + WIDTH + 10.0,
        y + 4.0,
    );
    vec![
        level("bound", [LEFT, LEFT + WIDTH], y).into(),
        left_label(&format!("{llr:.2}"), y).into(),
        words.set("class", "faint").into(),
    ]
}

/// A label at the left of a height.
fn left_label(text: &str, y: f64) -> Text {
    label(text, LEFT - 8.0, y + 4.0).set("text-anchor", "end")
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
        round(LEFT + games / self.games * WIDTH)
    }

    fn y(&self, llr: f64) -> f64 {
        round(TOP + (self.high - llr) / (self.high - self.low) * HEIGHT)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let step = step((self.games / 6.0).max(1.0));
        let count = (self.games / step).floor() as usize;
        (0..=count).map(move |tick| tick as f64 * step)
    }
}
