//! `kolibri elo`: how much stronger a player is, judged by results given by hand.

use std::io::Write as _;

use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::number::whole;
use crate::statistics::{EloDifference, ResultCounts};

const EXAMPLES: &str = "\
Examples:
  kolibri elo 120 41 95                      120 games won, 41 drawn, 95 lost
  kolibri elo 379 10170 21828 10640 343      pairs of games with 0, ½, 1, 1½ and 2 points";

/// Tell how much stronger a player is, judged by results
///
/// Three numbers are games won, drawn and lost. Five numbers are pairs of games from one opening with the roles exchanged: how
/// many brought 0, ½, 1, 1½ and 2 points. Pairs give the smaller error.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct EloArgs {
    #[command(flatten)]
    pub(super) counts: CountArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Results as they are typed.
#[derive(Debug, clap::Args)]
pub(super) struct CountArgs {
    /// Games won, drawn, lost; or pairs with 0, ½, 1, 1½ and 2 points
    #[arg(required = true, value_name = "COUNT", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    counts: Vec<u64>,
}

impl CountArgs {
    pub(super) fn results(&self) -> Result<ResultCounts, Failure> {
        ResultCounts::from_counts(&self.counts).ok_or_else(|| {
            let given = self.counts.len();
            Failure::usage(format!("{given} numbers are no results")).with_help(
                "give three numbers: games won, drawn, lost; or five: pairs with 0, ½, 1, 1½ and 2 points",
            )
        })
    }
}

pub(in crate::cli) fn run(args: &EloArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let results = args.counts.results()?;
    let found = EloDifference::of(&results).map_err(|fault| Failure::usage(fault.to_string()))?;
    match args.json {
        true => console.json(&found)?,
        false => write!(console.out, "{}", for_people(&results, &found))?,
    }
    Ok(Outcome::Success)
}

fn for_people(results: &ResultCounts, found: &EloDifference) -> String {
    let elo = match (found.elo, found.elo_interval) {
        (Some(elo), [Some(low), Some(high)]) => {
            format!("{elo:+.2} (95 %: {low:+.2} to {high:+.2})")
        }
        (Some(elo), [low, high]) => {
            let end = |end: Option<f64>| {
                end.map_or_else(|| "no limit".to_owned(), |end| format!("{end:+.2}"))
            };
            format!("{elo:+.2} (95 %: {} to {})", end(low), end(high))
        }
        (None, _) => "no estimate: one player scored everything".to_owned(),
    };
    let normalised = match (found.normalised_elo, found.normalised_error) {
        (Some(elo), Some(error)) => format!("{elo:+.2} ± {error:.2}"),
        _ => "no estimate: all results are the same".to_owned(),
    };
    format!(
        "{results}: {} games\n\
         score               {:.2} % ± {:.2}\n\
         Elo                 {elo}\n\
         normalised Elo      {normalised}\n\
         superiority         {:.2} %\n",
        found.games,
        found.score * 100.0,
        found.score_error * 100.0,
        found.superiority * 100.0,
    )
}
