//! States that are kept in files.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::report::{KnownStates, StatesReport};
use super::symmetry::ShownClasses;
use super::{StatesArgs, ended};
use crate::catalog::GameSource;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::space_args::{SpaceQuestion, advice};
use crate::engine::Propnet;
use crate::game::StateMachine;
use crate::state_space::{GraphUse, SpaceError, StateCodec, enumerate_on_disk};
use crate::symmetry::SymmetryGroup;

pub(super) fn run(
    args: &StatesArgs,
    folder: &Path,
    (source, game): (&GameSource, &Propnet),
    symmetries: Option<Arc<SymmetryGroup>>,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let begin = Instant::now();
    let asked = SpaceQuestion {
        graph: GraphUse::Dropped,
        one_chooses: false,
        symmetries: symmetries.clone(),
    };
    let counted = args.space.with_options(asked, console, |options| {
        enumerate_on_disk(game, folder, options)
    })?;
    let seconds = begin.elapsed().as_secs_f64();
    let (totals, found, space, stopped) = match counted {
        Ok(space) => {
            let known = (space.classes, space.most_disk_bytes);
            let found = space.totals.states;
            (space.totals, found, Some(known), None)
        }
        // Nothing could be written at all.
        Err(unfinished)
            if unfinished.found == 0 && matches!(unfinished.why, SpaceError::Disk(_)) =>
        {
            let help = advice(&unfinished.why);
            return Err(Failure::usage(unfinished.why.to_string()).with_help(help));
        }
        Err(unfinished) => (
            unfinished.totals,
            unfinished.found,
            None,
            Some(unfinished.why),
        ),
    };
    let classes = symmetries.zip(space);
    let known = KnownStates {
        game: &source.name,
        roles: game.roles(),
        bits: StateCodec::new(game).bits(),
        totals,
        found,
        stopped: stopped.as_ref(),
        seconds,
    };
    let report = StatesReport {
        most_disk_bytes: space.map(|(_, bytes)| bytes),
        classes: classes.map(|(group, (classes, _))| ShownClasses::new(&group, classes, None)),
        ..StatesReport::new(args, known)
    };
    report.print(args, console)?;
    ended(stopped, console)
}
