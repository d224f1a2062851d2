//! A report as a page that stands alone.

mod charts;

use maud::{Markup, PreEscaped, html};

use super::show::{evidence, sample_lines, statistic_lines, step_title, verdict};
use crate::cli::page::{histogram, page as whole_page};
use crate::drawing::{SVG_STYLE, Screen, Style};
use crate::kif::LineIndex;
use crate::playtest::{
    DepthMatch, Finding, FindingSeverity, GameStatistics, PlaytestReport, RulePlace, ShownStep,
};
use crate::session::{Game, Session};

const STYLE: &str = include_str!("style.css");

/// The page.
pub(super) fn page(report: &PlaytestReport, game: &Game) -> String {
    let lines = LineIndex::new(&game.source().text);
    let mut pictures = Pictures::of(game);
    let title = format!("Playtest of {}", report.game);
    let body = html! {
        p { (verdict(report)) }
        @for one in &report.findings { (finding(one, &lines, &mut pictures)) }
        h2 { "What the game is like" }
        @if let Some(start) = pictures.after(&[], &game.initial().facts()) {
            figure { (start) figcaption { "The first position" } }
        }
        (statistics(&report.statistics))
        h2 { "On how much this rests" }
        @for line in sample_lines(&report.samples) { p.faint { (line) } }
    };
    whole_page(&title, &[STYLE, SVG_STYLE], &body)
}

/// Draws positions of one game.
struct Pictures(Screen);

impl Pictures {
    fn of(game: &Game) -> Self {
        Self(Screen::survey_anyway(
            &Session::new(game),
            Style::UNCOLOURED,
        ))
    }

    /// A position, with what changed since `before` if there is such; `None` where the game has no board.
    fn after(&mut self, before: &[String], facts: &[String]) -> Option<Markup> {
        let Self(screen) = self;
        screen.forget();
        if !before.is_empty() {
            screen.show_svg(before);
        }
        let has_board = !screen.layout().boards.is_empty();
        has_board.then(|| PreEscaped(screen.show_svg(facts)))
    }
}

fn finding(finding: &Finding, lines: &LineIndex<'_>, pictures: &mut Pictures) -> Markup {
    let severity = match finding.severity {
        FindingSeverity::Error => "error",
        FindingSeverity::Warning => "warning",
        FindingSeverity::Note => "note",
    };
    html! {
        section class={ "finding " (severity) } {
            h3 { b { (severity) } ": " (finding.message) }
            p.faint { (finding.code) ", " (evidence(finding)) }
            @for at in &finding.places { (place(at, lines)) }
            @if let Some(help) = &finding.help { p { "Help: " (help) } }
            @if let Some(shown) = &finding.step { (step(shown, pictures)) }
        }
    }
}

fn place(place: &RulePlace, lines: &LineIndex<'_>) -> Markup {
    let rule = lines.text().get(place.span.start..place.span.end);
    html! {
        p.faint { "Line " (place.line) @if !place.message.is_empty() { ": " (place.message) } }
        pre { (rule.unwrap_or_default()) }
    }
}

fn step(step: &ShownStep, pictures: &mut Pictures) -> Markup {
    html! {
        figure {
            @match pictures.after(&step.before, &step.facts) {
                Some(picture) => (picture),
                None => pre { (step.picture) },
            }
            figcaption { (step_title(step)) " shown by " code { (step.command) } }
        }
    }
}

fn statistics(statistics: &GameStatistics) -> Markup {
    let in_words = statistic_lines(statistics);
    let in_words = in_words
        .iter()
        .filter(|(name, _)| !["results", "skill"].contains(name));
    html! {
        table {
            @for (name, text) in in_words { tr { th { (name) } td { (text) } } }
        }
        h3 { "Who wins" }
        @for balance in &statistics.balance { (charts::balance(balance)) }
        @if !statistics.depth_matches.is_empty() {
            h3 { "Does looking further ahead win?" }
            (depth_matches(&statistics.depth_matches))
        }
        div.charts {
            @if let Some(lengths) = &statistics.lengths {
                (histogram(&lengths.histogram, "Random games by their length in plies"))
            }
            @if !statistics.branching.histogram.is_empty() {
                (histogram(&statistics.branching.histogram, "Positions by the number of moves of a role that has a choice"))
            }
        }
    }
}

fn depth_matches(matches: &[DepthMatch]) -> Markup {
    html! {
        table {
            tr {
                th { "player" } th { "against" } th.number { "points" } th.number { "95 %" }
                th.number { "won" } th.number { "drawn" } th.number { "lost" } th.number { "games" }
            }
            @for of in matches {
                tr {
                    td { code { (of.stronger) } }
                    td { code { (of.weaker) } }
                    td.number { @if let Some(points) = of.points { (format!("{points:.0}")) } }
                    td.number { @if let Some(error) = of.error { "± " (format!("{error:.0}")) } }
                    td.number { (of.won) }
                    td.number { (of.drawn) }
                    td.number { (of.games - of.won - of.drawn) }
                    td.number { (of.games) }
                }
            }
        }
    }
}
