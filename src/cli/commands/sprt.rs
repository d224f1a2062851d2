//! `kolibri sprt`: whether results given by hand decide between two differences of strength.

use std::io::Write as _;

use crate::cli::commands::elo::CountArgs;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::statistics::{Hypotheses, Sprt, StrengthScale, Verdict};

const EXAMPLES: &str = "\
Examples:
  kolibri sprt 120 41 95 --elo1 10
  kolibri sprt 379 10170 21828 10640 343 --elo0 0 --elo1 2 --scale normalised";

/// Tell whether results decide between two differences of strength
///
/// A sequential probability ratio test: while it says `continue`, more games are needed. Three numbers are games won, drawn and
/// lost; five are pairs of games from one opening with the roles exchanged, with 0, ½, 1, 1½ and 2 points.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub(in crate::cli) struct SprtArgs {
    #[command(flatten)]
    counts: CountArgs,
    /// The difference to refute: the player is no stronger than this
    #[arg(long, value_name = "POINTS", default_value_t = 0.0)]
    elo0: f64,
    /// The difference hoped for: the player is at least so much stronger
    #[arg(long, value_name = "POINTS", default_value_t = 5.0)]
    elo1: f64,
    /// How probable it may be that elo1 is accepted where elo0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// How probable it may be that elo0 is accepted where elo1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// What the points mean
    #[arg(long, value_enum, default_value_t)]
    scale: StrengthScale,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &SprtArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let hypotheses = Hypotheses {
        elo0: args.elo0,
        elo1: args.elo1,
        alpha: args.alpha,
        beta: args.beta,
        scale: args.scale,
    };
    let hypotheses = hypotheses.checked();
    let hypotheses = hypotheses.map_err(|fault| Failure::usage(fault.to_string()))?;
    let results = args.counts.results()?;
    let found = hypotheses.test(&results);
    match args.json {
        true => console.json(&found)?,
        false => {
            writeln!(console.out, "{results}: {} games", results.games())?;
            writeln!(console.out, "{}", for_people(&hypotheses, &found))?;
        }
    }
    Ok(Outcome::Success)
}

/// What a test says, in two lines.
pub(super) fn for_people(hypotheses: &Hypotheses, found: &Sprt) -> String {
    let Sprt {
        llr, lower, upper, ..
    } = found;
    let (elo0, elo1) = (hypotheses.elo0, hypotheses.elo1);
    let verdict = match found.verdict {
        Verdict::Continue => "continue: the results do not decide yet".to_owned(),
        Verdict::Elo0 => format!("elo0 is accepted: {elo0:+} rather than {elo1:+}"),
        Verdict::Elo1 => format!("elo1 is accepted: {elo1:+} rather than {elo0:+}"),
    };
    format!("log-likelihood ratio {llr:.3} ({lower:.2} to {upper:.2})\n{verdict}")
}
