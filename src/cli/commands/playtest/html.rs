//! A report as a page that stands alone.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::show::{evidence, sample_lines, statistic_lines, step_title, verdict};
use crate::catalog::GameSource;
use crate::kif::LineIndex;
use crate::playtest::{Finding, FindingSeverity, Lengths, PlaytestReport, RulePlace, ShownStep};

const STYLE: &str = "
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
pre { font: 14px/1.25 ui-monospace, monospace; background: #f5f5f2; padding: .6rem .8rem; overflow-x: auto }
section.finding { border-left: .35rem solid #888; padding-left: 1rem; margin: 1.5rem 0 }
section.error { border-color: #b3261e } section.warning { border-color: #b26a00 } section.note { border-color: #35668a }
table { border-collapse: collapse } td { padding: .2rem .8rem .2rem 0; vertical-align: top }
.code { color: #666; font-size: .85em } figure { margin: 1rem 0 } svg rect { fill: #35668a } svg text { font: 11px sans-serif; fill: #222 }
";

/// The page.
pub(super) fn page(report: &PlaytestReport, source: &GameSource) -> String {
    let lines = LineIndex::new(&source.text);
    let title = format!("Playtest of {}", report.game);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                p { (verdict(report)) }
                @for one in &report.findings { (finding(one, &lines)) }
                h2 { "What the game is like" }
                table {
                    @for (name, text) in statistic_lines(&report.statistics) {
                        tr { td { (name) } td { (text) } }
                    }
                }
                @if let Some(lengths) = &report.statistics.lengths { (histogram(lengths)) }
                h2 { "On how much this rests" }
                @for line in sample_lines(&report.samples) { p { (line) } }
            }
        }
    };
    page.into_string()
}

fn finding(finding: &Finding, lines: &LineIndex<'_>) -> Markup {
    let severity = match finding.severity {
        FindingSeverity::Error => "error",
        FindingSeverity::Warning => "warning",
        FindingSeverity::Note => "note",
    };
    html! {
        section class={ "finding " (severity) } {
            h3 { (severity) ": " (finding.message) }
            p.code { (finding.code) ", " (evidence(finding)) }
            @for at in &finding.places { (place(at, lines)) }
            @if let Some(help) = &finding.help { p { "Help: " (help) } }
            @if let Some(shown) = &finding.step { (step(shown)) }
        }
    }
}

fn place(place: &RulePlace, lines: &LineIndex<'_>) -> Markup {
    let rule = lines.text().get(place.span.start..place.span.end);
    html! {
        p { "Line " (place.line) @if !place.message.is_empty() { ": " (place.message) } }
        pre { (rule.unwrap_or_default()) }
    }
}

fn step(step: &ShownStep) -> Markup {
    html! {
        figure {
            figcaption { (step_title(step)) }
            pre { (step.picture) }
        }
        p { "Shown by " code { (step.command) } }
    }
}

/// How many games have which length, as bars.
fn histogram(lengths: &Lengths) -> Markup {
    const WIDTH: usize = 44;
    const HEIGHT: usize = 120;
    let most = lengths.histogram.iter().map(|bin| bin.games).max();
    let most = most.unwrap_or(0).max(1);
    let width = lengths.histogram.len() * WIDTH;
    html! {
        figure {
            svg width=(width) height=(HEIGHT + 40) role="img" {
                @for (number, bin) in lengths.histogram.iter().enumerate() {
                    @let height = bin.games * HEIGHT / most;
                    @let left = number * WIDTH;
                    rect x=(left + 2) y=(HEIGHT + 16 - height) width=(WIDTH - 4) height=(height) {}
                    text x=(left + 4) y=(HEIGHT + 12 - height) { (bin.games) }
                    text x=(left + 4) y=(HEIGHT + 32) {
                        (bin.from) @if bin.to > bin.from { "–" (bin.to) }
                    }
                }
            }
            figcaption { "Random games by their length in plies" }
        }
    }
}
