//! Elo points as dots, with their intervals as bars.

use maud::{Markup, html};

use super::super::tables::elo;
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
    let (width, height) = (NAMES + SCALE + WORDS, bottom + FOOT);
    html! {
        figure {
            svg width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img" {
                title { "Elo points with 95 % intervals" }
                @for tick in scale.ticks() {
                    @let x = scale.x(tick);
                    line.grid.zero[tick == 0.0] x1=(x) x2=(x) y1="0" y2=(bottom + 4.0) {}
                    text.label x=(x) y=(bottom + 20.0) text-anchor="middle" { (signed(tick)) }
                }
                @for (row, one) in standings.iter().enumerate() { (line(one, row, &scale)) }
            }
            figcaption { "Elo points with 95 % intervals; the mean of the players is 0" }
        }
    }
}

fn line(one: &PlayerStanding, row: usize, scale: &Scale) -> Markup {
    let middle = (row as f64 + 0.5) * ROW;
    let ends = one
        .elo
        .zip(one.error)
        .map(|(elo, error)| [elo - error, elo + error]);
    html! {
        g {
            title { (one.player) ": " (elo(one)) }
            text x=(NAMES - 12.0) y=(middle + 4.0) text-anchor="end" { (shortened(&one.player)) }
            @if let Some([low, high]) = ends {
                @let [low, high] = [low, high].map(|end| round(scale.x(end)));
                line.interval x1=(low) x2=(high) y1=(middle) y2=(middle) {}
                line.interval x1=(low) x2=(low) y1=(middle - 4.0) y2=(middle + 4.0) {}
                line.interval x1=(high) x2=(high) y1=(middle - 4.0) y2=(middle + 4.0) {}
            }
            @match (one.elo, one.rating) {
                (Some(elo), _) => circle.bar cx=(round(scale.x(elo))) cy=(middle) r="5" {},
                (None, RatingStatus::Above) => (arrow(NAMES + SCALE, 1.0, middle)),
                (None, RatingStatus::Below) => (arrow(NAMES, -1.0, middle)),
                (None, _) => {}
            }
            text.faint x=(NAMES + SCALE + 14.0) y=(middle + 4.0) { (elo(one)) }
        }
    }
}

/// A number of Elo points: zero has no sign.
fn signed(elo: f64) -> String {
    match elo == 0.0 {
        true => "0".to_owned(),
        false => format!("{elo:+.0}"),
    }
}

/// A player beyond the end of the scale.
fn arrow(tip: f64, way: f64, middle: f64) -> Markup {
    let back = tip - way * 10.0;
    html! {
        polygon.bar points={ (tip) "," (middle) " " (back) "," (middle - 5.0) " " (back) "," (middle + 5.0) } {}
    }
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
        NAMES + 14.0 + (elo - self.low) / (self.high - self.low) * (SCALE - 28.0)
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
