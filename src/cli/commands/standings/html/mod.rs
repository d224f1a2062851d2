//! Results as a page that stands alone.

mod elo;
mod heat_map;
mod llr;

use maud::{Markup, html};

use super::tables::{Section, Table, sections};
use crate::cli::page::{histogram, page as whole_page};
use crate::tournament::{ResultTable, SprtProgress, Standings};

const STYLE: &str = include_str!("style.css");

/// The page.
pub(super) fn page(standings: &Standings) -> String {
    let sections = sections(standings);
    let parts = standings.by_game.iter().map(|part| &part.table);
    let tables = std::iter::once(&standings.all).chain(parts);
    let tests = std::iter::once(standings.sprt.as_ref()).chain(std::iter::repeat(None));
    let body = html! {
        @for ((section, table), test) in sections.iter().zip(tables).zip(tests) {
            (whole_section(section, table, test))
        }
    };
    whole_page("Results of a tournament", &[STYLE], &body)
}

fn whole_section(section: &Section, of: &ResultTable, test: Option<&SprtProgress>) -> Markup {
    let [first, others @ ..] = &section.tables[..] else {
        return Markup::default();
    };
    html! {
        @if let Some(game) = &section.game { h2 { (game) } }
        @for remark in &section.remarks { p.remark { (remark) } }
        (table(first))
        @if let Some(progress) = test {
            h3 { "The test" }
            (llr::chart(progress))
        }
        @if of.standings.iter().any(|one| one.elo.is_some()) {
            h3 { "Strength" }
            (elo::chart(&of.standings))
        }
        @if of.standings.len() > 2 {
            h3 { "Against each other" }
            (heat_map::chart(of))
        }
        // The cross table is the heat map.
        @for other in others.iter().filter(|other| of.standings.len() <= 2 || !other.is_cross_table()) {
            h3 { (other.caption) }
            (table(other))
        }
        h3 { "Lengths" }
        (histogram(&of.lengths, "Games by their number of plies"))
    }
}

fn table(of: &Table) -> Markup {
    html! {
        div.wide { table {
            tr { @for column in &of.columns { th.number[column.is_number] { (column.title) } } }
            @for row in 0..of.height() {
                tr { @for column in &of.columns { td.number[column.is_number] { (column.cells[row]) } } }
            }
        } }
    }
}
