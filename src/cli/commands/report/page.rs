//! Tables as Markdown and as a page.

use std::fmt::Write as _;

use maud::{Markup, html};

use crate::cli::commands::states::state_bars;
use crate::cli::page::{histogram, page};
use crate::state_space::SpaceTotals;

/// A page of tables.
pub(super) struct ReportPage {
    pub(super) title: &'static str,
    /// Where the published figures are from.
    pub(super) about: &'static str,
    pub(super) tables: Vec<ReportTable>,
    /// Pictures, on the page alone.
    pub(super) figures: Vec<Markup>,
}

/// A table, whose rows are as long as its header.
pub(super) struct ReportTable {
    pub(super) title: &'static str,
    pub(super) about: &'static str,
    pub(super) header: Vec<&'static str>,
    pub(super) rows: Vec<Vec<String>>,
}

impl ReportTable {
    /// A table of published figures beside ours: see [`compared`].
    pub(super) fn of_compared(
        title: &'static str,
        about: &'static str,
        rows: Vec<Vec<String>>,
    ) -> Self {
        Self {
            title,
            about,
            header: vec!["", "published", "ours", ""],
            rows,
        }
    }

    /// The same of figures that other programs have worked out.
    pub(super) fn of_known(
        title: &'static str,
        about: &'static str,
        rows: Vec<Vec<String>>,
    ) -> Self {
        Self {
            header: vec!["", "known", "ours", ""],
            ..Self::of_compared(title, about, rows)
        }
    }
}

/// The verdict on a figure that is another, and nobody knows why.
const DIFFERS: &str = "**differs**";

impl ReportPage {
    /// Whether some figure is another than the published one for no known reason.
    pub(super) fn differs(&self) -> bool {
        let rows = self.tables.iter().flat_map(|table| &table.rows);
        rows.flatten().any(|cell| cell.starts_with(DIFFERS))
    }
}

/// How many states there are by plies, and by joint moves.
pub(super) fn state_figures(what: &str, totals: &SpaceTotals) -> Vec<Markup> {
    let bars = state_bars(totals).into_iter();
    bars.map(|(caption, bars)| histogram(&bars, &format!("{what}: {caption}")))
        .collect()
}

/// A published figure beside ours, if that is known. `why` says why they differ, where they do.
pub(super) fn compared(
    what: impl Into<String>,
    published: impl ToString,
    ours: Option<impl ToString>,
    why: Option<&str>,
) -> Vec<String> {
    let published = published.to_string();
    let ours = ours.map(|ours| ours.to_string());
    let verdict = match (&ours, why) {
        (None, _) => "not worked out".to_owned(),
        (Some(ours), _) if *ours == published => "agrees".to_owned(),
        (_, Some(why)) => why.to_owned(),
        _ => DIFFERS.to_owned(),
    };
    vec![what.into(), published, ours.unwrap_or_default(), verdict]
}

impl ReportPage {
    pub(super) fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n", self.title, self.about);
        for table in &self.tables {
            // Writing to a string has no way to fail.
            let _ = write!(text, "\n## {}\n\n", table.title);
            if !table.about.is_empty() {
                let _ = write!(text, "{}\n\n", table.about);
            }
            let _ = writeln!(text, "| {} |", table.header.join(" | "));
            let _ = writeln!(text, "|{}", "---|".repeat(table.header.len()));
            for row in &table.rows {
                let _ = writeln!(text, "| {} |", row.join(" | "));
            }
        }
        text
    }

    pub(super) fn to_html(&self) -> String {
        let body = html! {
            p { (self.about) }
            @for table in &self.tables {
                h2 { (table.title) }
                @if !table.about.is_empty() { p { (table.about) } }
                table {
                    tr { @for title in &table.header { th { (title) } } }
                    @for row in &table.rows {
                        tr { @for cell in row { td { (cell.replace("**", "")) } } }
                    }
                }
            }
            @if !self.figures.is_empty() { h2 { "Pictures" } }
            @for figure in &self.figures { (figure) }
        };
        page(self.title, &[], &body)
    }
}
