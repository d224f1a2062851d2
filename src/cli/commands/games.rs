//! `kolibri games`: what comes with the program.

use std::io::Write;

use serde::Serialize;

use crate::catalog::SHIPPED;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::style;

/// List the games that come with the program
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct GamesArgs {
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct GameLine {
    name: &'static str,
    title: &'static str,
}

pub(in crate::cli) fn run(args: &GamesArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let width = SHIPPED.iter().map(|game| game.name.len()).max();
    let width = width.unwrap_or_default();
    for game in SHIPPED {
        let (name, title) = (game.name, game.title());
        if args.json {
            console.json(&GameLine { name, title })?;
        } else {
            let strong = style::STRONG;
            writeln!(console.out, "{strong}{name:width$}{strong:#}  {title}")?;
        }
    }
    if !args.json {
        console.hint("`kolibri match NAME` lets two players play one of them")?;
    }
    Ok(Outcome::Success)
}
