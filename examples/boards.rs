//! The boards of rule files: `cargo run --example boards -- [--width N] [--page PAGE] FILE…` draws the first position of
//! each and one after some moves, and names the kinds of boards found. With `--page`, the positions are drawn as a page of
//! HTML, too.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kolibri::catalog::GameSource;
use kolibri::drawing::{SVG_STYLE, Screen, Style};
use kolibri::engine::{EngineChoice, LoadOptions};
use kolibri::info::board::Board;
use kolibri::{Game, Session};

const PLIES: usize = 12;
const START_UP: Duration = Duration::from_secs(3);

fn main() -> Result<(), Box<dyn Error>> {
    let mut style = Style::UNCOLOURED;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut page: Option<PathBuf> = None;
    let mut html = format!("<!doctype html><meta charset=utf-8><style>{SVG_STYLE}</style>");
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--width" => style.width = args.next().ok_or("a width is missing")?.parse()?,
            "--page" => page = Some(args.next().ok_or("a page is missing")?.into()),
            _ => {
                let kinds = draw(Path::new(&arg), style, &mut html).unwrap_or_else(|why| {
                    println!("== {arg}: not played: {why}");
                    "not played".to_owned()
                });
                *counts.entry(kinds).or_default() += 1;
            }
        }
    }
    for (kinds, count) in counts {
        println!("{count:4} {kinds}");
    }
    if let Some(page) = page {
        fs::write(page, html)?;
    }
    Ok(())
}

/// Draws a game, and names the kinds of its boards.
fn draw(path: &Path, style: Style, html: &mut String) -> Result<String, Box<dyn Error>> {
    let source = GameSource::from_file(path)?;
    let options = LoadOptions::from(EngineChoice::Reasoner);
    let game = Game::open_within(source, &options, START_UP)?;
    let mut session = Session::new(&game);
    let mut screen = Screen::survey(&session, style)?;
    let kinds = kinds(&screen);
    println!("== {}: {kinds}", game.name());
    println!("{}", screen.show(&session.facts()));
    println!("{}", screen.legend());
    *html += &format!("<h2>{}: {kinds}</h2>", game.name());
    *html += &screen.show_svg(&session.facts());
    for ply in 0..PLIES {
        if session.is_terminal() {
            break;
        }
        let joint = (0..game.roles().len()).map(|role| {
            let legal = session.legal_of(role);
            legal.get((7 * ply + role) % legal.len().max(1)).cloned()
        });
        let Some(joint) = joint.collect::<Option<Vec<String>>>() else {
            break;
        };
        screen.forget();
        screen.show(&session.facts());
        session.play_joint(&joint)?;
    }
    println!("{}", screen.show(&session.facts()));
    *html += &screen.show_svg(&session.facts());
    Ok(kinds.split(" in ").next().unwrap_or(&kinds).to_owned())
}

/// The kinds of the boards of a game.
fn kinds(screen: &Screen) -> String {
    let boards = screen.layout().boards.iter();
    let kinds: Vec<String> = boards.map(Board::shape).collect();
    match kinds.is_empty() {
        true => "list of facts".to_owned(),
        false => kinds.join(", "),
    }
}
