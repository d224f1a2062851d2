//! The boards of rule files: `cargo run --example boards -- [--width N] FILE…` draws the first position of each and one
//! after some moves, and names the kinds of boards found.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::time::Duration;

use kolibri::catalog::GameSource;
use kolibri::drawing::{Screen, Style};
use kolibri::engine::LoadOptions;
use kolibri::{Game, Session};

const PLIES: usize = 12;

fn main() -> Result<(), Box<dyn Error>> {
    let mut style = Style {
        unicode: true,
        color: false,
        width: 100,
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        if arg == "--width" {
            style.width = args.next().ok_or("a width is missing")?.parse()?;
            continue;
        }
        let kinds = draw(Path::new(&arg), style).unwrap_or_else(|why| {
            println!("{why}");
            "not played".to_owned()
        });
        *counts.entry(kinds).or_default() += 1;
    }
    for (kinds, count) in counts {
        println!("{count:4} {kinds}");
    }
    Ok(())
}

/// Draws a game, and names the kinds of its boards.
fn draw(path: &Path, style: Style) -> Result<String, Box<dyn Error>> {
    let source = GameSource::from_file(path)?;
    let game = Game::open_within(source, &LoadOptions::default(), Duration::from_secs(3))?;
    let mut session = Session::new(&game);
    let mut screen = Screen::survey(&session, style)?;
    let boards = screen.layout().boards.iter();
    let kinds: Vec<String> = boards
        .map(|board| match board.panels().len() {
            1 => board.kind.name().to_owned(),
            parts => format!("{} in {parts} parts", board.kind.name()),
        })
        .collect();
    let kinds = match kinds.is_empty() {
        true => "list of facts".to_owned(),
        false => kinds.join(", "),
    };
    println!("== {}: {kinds}", game.name());
    println!("{}", screen.show(&session.facts()));
    println!("{}", screen.legend());
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
    Ok(kinds.split(" in ").next().unwrap_or(&kinds).to_owned())
}
