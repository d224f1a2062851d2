//! Curves.

use svg::node::element::{Circle, Polyline, Title};

use super::drawing::ChartPicture;
use super::figure::{Elements, label, level};

/// Between two numbers on the level axis.
const STEP: f64 = 60.0;
const HEIGHT: f64 = 110.0;
const TOP: f64 = 16.0;
const FOOT: f64 = 24.0;
const SIDE: f64 = 40.0;

/// What was measured for each of some numbers, in ascending order, as a curve from zero up; `ideal` is drawn beside it, broken.
pub(in crate::cli) fn curve_chart(
    measured: &[(usize, f64)],
    ideal: Option<&dyn Fn(usize) -> f64>,
    shown: &dyn Fn(f64) -> String,
) -> ChartPicture {
    let ideal: Vec<(usize, f64)> = match ideal {
        Some(of) => measured.iter().map(|(at, _)| (*at, of(*at))).collect(),
        None => Vec::new(),
    };
    let most = measured.iter().chain(&ideal).map(|(_, value)| *value);
    let most = most.fold(0.0, f64::max).max(1e-9);
    let first = measured.first().map_or(0, |(at, _)| *at);
    let bottom = TOP + HEIGHT;
    let place = |(at, value): &(usize, f64)| {
        let x = SIDE + (at - first) as f64 * STEP;
        (x, bottom - value / most * HEIGHT)
    };
    let width = 2.0 * SIDE + measured.len().saturating_sub(1) as f64 * STEP;
    let mut elements = Elements::new();
    for (class, points) in [("ideal", &ideal[..]), ("curve", measured)] {
        let points: Vec<String> = points
            .iter()
            .map(place)
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let line = Polyline::new().set("class", class);
        elements.push(line.set("points", points.join(" ")).into());
    }
    for point in measured {
        let ((x, y), value) = (place(point), shown(point.1));
        let dot = Circle::new().set("cx", x).set("cy", y).set("r", 3);
        let dot = dot.set("class", "bar").add(Title::new(value.clone()));
        elements.push(dot.into());
        elements.push(label(value, x, y - 6.0).into());
        elements.push(label(point.0, x, bottom + 16.0).into());
    }
    elements.push(level("axis", [0.0, width], bottom).into());
    ((width, bottom + FOOT), elements)
}

#[cfg(test)]
mod tests {
    use super::super::drawing;
    use super::*;

    #[test]
    fn the_greatest_value_is_at_the_top_and_the_ideal_is_broken() {
        let measured = [(1, 1.0), (2, 1.5), (3, 2.0)];
        let ideal = |threads: usize| threads as f64;
        let chart = curve_chart(&measured, Some(&ideal), &|value| format!("{value:.1}"));
        let text = drawing("speed-up", vec![("Speed-up", chart)]);
        for part in [
            "points=\"40.0,89.3 100.0,52.7 160.0,16.0\"",
            "points=\"40.0,89.3 100.0,71.0 160.0,52.7\"",
            "<title>2.0</title>",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
