//! Elo points as dots, with their intervals as bars.

use maud::Markup;
use svg::node::element::{Circle, Group, Polygon, Title};

use super::super::tables::elo;
use crate::cli::page::{Elements, figure, label, level, upright, words};
use crate::tournament::{PlayerStanding, RatingStatus};

/// The room for a name and for the points in words, the width of the scale, and the height of a line.
const NAMES: f64 = 230.0;
const WORDS: f64 = 110.0;
const SCALE: f64 = 440.0;
const ROW: f64 = 28.0;
/// The letters of a name that are shown.
const LETTERS: usize = 32;
/// The height of the scale below the lines.
const FOOT: f64 = 34.0;

/// The players, the strongest at the top.
pub(super) fn chart(standings: &[PlayerStanding]) -> Markup {
    let scale = Scale::of(standings);
    let bottom = standings.len() as f64 * ROW;
    let mut elements = Elements::new();
    for tick in scale.ticks() {
        let class = if tick == 0.0 { "grid zero" } else { "grid" };
        let x = scale.x(tick);
        elements.push(upright(class, x, [0.0, bottom + 4.0]).into());
        elements.push(label(signed(tick), x, bottom + 20.0).into());
    }
    for (row, one) in standings.iter().enumerate() {
        elements.push(line(one, (row as f64 + 0.5) * ROW, &scale).into());
    }
    figure(
        (NAMES + SCALE + WORDS, bottom + FOOT),
        "Elo points with 95 % intervals",
        elements,
        "Elo points with 95 % intervals; the mean of the players is 0",
    )
}

/// The line of a player around a height.
fn line(one: &PlayerStanding, middle: f64, scale: &Scale) -> Group {
    let points = elo(one);
    let name = words(shortened(&one.player), NAMES - 12.0, middle + 4.0);
    let mut drawn = Group::new()
        .add(Title::new(format!("{}: {points}", one.player)))
        .add(name.set("text-anchor", "end"));
    if let Some((elo, error)) = one.elo.zip(one.error) {
        let ends = [elo - error, elo + error].map(|end| scale.x(end));
        drawn = drawn.add(level("interval", ends, middle));
        for end in ends {
            drawn = drawn.add(upright("interval", end, [middle - 4.0, middle + 4.0]));
        }
    }
    drawn = match (one.elo, one.rating) {
        (Some(elo), _) => drawn.add(dot(scale.x(elo), middle, 5.0)),
        (None, RatingStatus::Above) => drawn.add(arrow(NAMES + SCALE, 1.0, middle)),
        (None, RatingStatus::Below) => drawn.add(arrow(NAMES, -1.0, middle)),
        (None, _) => drawn,
    };
    let points = words(points, NAMES + SCALE + 14.0, middle + 4.0);
    drawn.add(points.set("class", "faint"))
}

/// A value in a picture.
pub(super) fn dot(x: f64, y: f64, radius: f64) -> Circle {
    let dot = Circle::new().set("class", "bar").set("r", radius);
    dot.set("cx", x).set("cy", y)
}

/// A number of Elo points: zero has no sign.
fn signed(elo: f64) -> String {
    match elo == 0.0 {
        true => "0".to_owned(),
        false => format!("{elo:+.0}"),
    }
}

/// A player beyond the end of the scale.
fn arrow(tip: f64, way: f64, middle: f64) -> Polygon {
    let back = tip - way * 10.0;
    let corners = [(tip, middle), (back, middle - 5.0), (back, middle + 5.0)];
    Polygon::new()
        .set("class", "bar")
        .set("points", points(corners))
}

/// Places as the attribute of a line through them.
pub(super) fn points(places: impl IntoIterator<Item = (f64, f64)>) -> String {
    let places = places.into_iter().map(|(x, y)| format!("{x},{y}"));
    places.collect::<Vec<_>>().join(" ")
}

/// The beginning of a long name.
pub(super) fn shortened(name: &str) -> String {
    match name.chars().count() > LETTERS {
        true => name.chars().take(LETTERS - 1).chain(['…']).collect(),
        false => name.to_owned(),
    }
}

/// A tenth of a pixel is exact enough.
pub(super) fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

/// From Elo points to places.
struct Scale {
    low: f64,
    high: f64,
    /// From one tick to the next.
    step: f64,
}

impl Scale {
    fn of(standings: &[PlayerStanding]) -> Self {
        let ends = standings.iter().filter_map(|one| {
            let (elo, error) = (one.elo?, one.error.unwrap_or(0.0));
            Some([elo - error, elo + error])
        });
        let (low, high) = ends.flatten().fold((0.0_f64, 0.0_f64), |(low, high), end| {
            (low.min(end), high.max(end))
        });
        let step = step((high - low).max(10.0) / 6.0);
        Self {
            low: (low / step).floor() * step,
            high: ((high / step).ceil() * step).max(step),
            step,
        }
    }

    fn x(&self, elo: f64) -> f64 {
        round(NAMES + 14.0 + (elo - self.low) / (self.high - self.low) * (SCALE - 28.0))
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round() as usize;
        (0..=count).map(|tick| self.low + tick as f64 * self.step)
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not below this.
pub(super) fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let fitting = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|times| times * power >= least);
    fitting.unwrap_or(10.0) * power
}
