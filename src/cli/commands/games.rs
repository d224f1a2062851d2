//! `kolibri games`: what comes with the program.

use std::io::Write;

use serde::Serialize;

use crate::catalog::SHIPPED;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::session::{Session, style};

/// List the games that come with the program
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Line {
    name: &'static str,
    title: &'static str,
}

pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Result<Outcome, Failure> {
    let width = SHIPPED.iter().map(|game| game.name.len()).max();
    let width = width.unwrap_or_default();
    for game in SHIPPED {
        let (name, title) = (game.name, game.title());
        if args.json {
            session.json(&Line { name, title })?;
        } else {
            let strong = style::STRONG;
            writeln!(session.out, "{strong}{name:width$}{strong:#}  {title}")?;
        }
    }
    if !args.json {
        session.hint("`kolibri match NAME` lets two players play one of them")?;
    }
    Ok(Outcome::Success)
}
