//! Pages of HTML that stand alone: a file that needs no other, in light and dark.

mod curve;
mod drawing;
mod figure;
mod histogram;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub(super) use curve::curve_chart;
pub(super) use drawing::drawing;
pub(super) use figure::{Elements, figure, label, level, rectangle, upright, words};
pub(super) use histogram::{bar_chart, histogram};

/// What all pages look like.
const STYLE: &str = include_str!("style.css");

/// A page; `styles` say what only this one has.
pub(super) fn page(title: &str, styles: &[&str], body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) @for style in styles { (PreEscaped(style)) } }
            }
            body {
                h1 { (title) }
                (body)
            }
        }
    };
    page.into_string()
}
