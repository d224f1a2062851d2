//! Pictures in files of their own.

use svg::node::element::{Group, SVG, Style, Title};

use super::figure::{Elements, rectangle, words};

/// As pages have them, on white paper.
const STYLE: &str = "text { font: 12px system-ui, sans-serif; fill: #1f2328 } \
                     .label { font-size: 11px; fill: #59636e } .bar { fill: #2f6fab } \
                     .axis { stroke: #d1d9e0 } .paper { fill: #fff } \
                     .curve { stroke: #2f6fab; fill: none } .ideal { stroke: #8c959f; fill: none; stroke-dasharray: 4 }";
const MARGIN: f64 = 16.0;
const CAPTION: f64 = 24.0;

/// A picture by its size and its elements.
pub(in crate::cli) type ChartPicture = ((f64, f64), Elements);

/// Pictures with their captions, one below the other, as the text of an SVG file.
pub(in crate::cli) fn drawing(title: &str, pictures: Vec<(&str, ChartPicture)>) -> String {
    let mut group = Group::new();
    let (mut width, mut bottom) = (0.0_f64, MARGIN);
    for (caption, ((wide, high), elements)) in pictures {
        let place = format!("translate({MARGIN} {})", bottom + CAPTION);
        let shifted = Group::new().set("transform", place);
        group = group
            .add(words(caption, MARGIN, bottom + CAPTION / 2.0))
            .add(elements.into_iter().fold(shifted, Group::add));
        // About the width of a letter.
        width = width.max(wide).max(caption.len() as f64 * 6.5);
        bottom += CAPTION + high + MARGIN;
    }
    let size = (width + 2.0 * MARGIN, bottom);
    let picture = SVG::new()
        .set("width", size.0)
        .set("height", size.1)
        .set("viewBox", (0, 0, size.0, size.1))
        .add(Title::new(title))
        .add(Style::new(STYLE))
        .add(rectangle((0.0, 0.0), size).set("class", "paper"))
        .add(group);
    format!("{picture}\n")
}
