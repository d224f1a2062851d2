//! Figures: a picture, and what stands below it.

use std::ops::DerefMut as _;

use maud::{Markup, PreEscaped, html};
use svg::Node;
use svg::node::element::{Line, Rectangle, SVG, Text, Title};

/// The elements of a picture, those in front last.
pub(in crate::cli) type Elements = Vec<Box<dyn Node>>;

/// A figure that shows a picture of this size.
pub(in crate::cli) fn figure(
    (width, height): (f64, f64),
    title: &str,
    elements: Elements,
    caption: &str,
) -> Markup {
    let mut picture = SVG::new()
        .set("width", width)
        .set("height", height)
        .set("viewBox", (0, 0, width, height))
        .set("role", "img")
        .add(Title::new(title));
    // In a page of HTML it says nothing, and it is the only address there.
    SVG::deref_mut(&mut picture)
        .get_attributes_mut()
        .remove("xmlns");
    let picture = elements.into_iter().fold(picture, SVG::add);
    html! {
        figure {
            (PreEscaped(picture.to_string()))
            figcaption { (caption) }
        }
    }
}

/// Words that begin at a place of their base line.
pub(in crate::cli) fn words(text: impl ToString, x: f64, y: f64) -> Text {
    Text::new(text.to_string()).set("x", x).set("y", y)
}

/// Small words around a place.
pub(in crate::cli) fn label(text: impl ToString, x: f64, y: f64) -> Text {
    words(text, x, y)
        .set("class", "label")
        .set("text-anchor", "middle")
}

/// A rectangle by its upper left corner and its size.
pub(in crate::cli) fn rectangle((x, y): (f64, f64), (width, height): (f64, f64)) -> Rectangle {
    Rectangle::new()
        .set("x", x)
        .set("y", y)
        .set("width", width)
        .set("height", height)
}

/// A level line.
pub(in crate::cli) fn level(class: &str, [left, right]: [f64; 2], y: f64) -> Line {
    line(class, [left, right], [y, y])
}

/// An upright line.
pub(in crate::cli) fn upright(class: &str, x: f64, [top, bottom]: [f64; 2]) -> Line {
    line(class, [x, x], [top, bottom])
}

fn line(class: &str, [x1, x2]: [f64; 2], [y1, y2]: [f64; 2]) -> Line {
    Line::new()
        .set("class", class)
        .set("x1", x1)
        .set("x2", x2)
        .set("y1", y1)
        .set("y2", y2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_pictures_are_escaped() {
        let elements: Elements = vec![words("a<b", 1.0, 2.5).into()];
        let page = figure((30.0, 20.0), "\"x\" & <y>", elements, "<c>").into_string();
        assert!(
            page.starts_with(
                "<figure><svg height=\"20\" role=\"img\" viewBox=\"0 0 30 20\" width=\"30\">"
            ),
            "{page}"
        );
        for part in [
            "\"x\" &amp; &lt;y&gt;",
            "<text x=\"1\" y=\"2.5\">",
            "a&lt;b",
            "<figcaption>&lt;c&gt;</figcaption>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
}
