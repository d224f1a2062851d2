//! `kolibri states --hosts`: states counted together with other processes.

use std::sync::Arc;
use std::time::Instant;

use super::StatesArgs;
use super::report::{KnownStates, StatesReport};
use super::symmetry::{ShownClasses, SymmetryChoice};
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::game::StateMachine;
use crate::state_space::StateCodec;

pub(super) fn run(args: &StatesArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    args.cluster.refuse(&[
        ("--symbolic", args.symbolic),
        ("--disk", args.disk.is_some()),
        ("--dot", args.dot.is_some()),
        ("--max-states", args.space.limits_states()),
    ])?;
    let begin = Instant::now();
    let (named, game) = args.space.open(console)?;
    let source = &named.source;
    let (roles, bits) = (game.roles().to_vec(), StateCodec::new(&game).bits());
    let deadline = args.space.deadline(console);
    let group = |choice: SymmetryChoice| choice.group(source, &game, &deadline);
    let symmetries = args.symmetry.map(group).transpose()?.map(Arc::new);
    let found = args
        .cluster
        .enumerate(&args.space, source, game, symmetries.clone(), console)?;
    let totals = found.totals;
    let seconds = begin.elapsed().as_secs_f64();
    let known = KnownStates {
        game: &source.name,
        roles: &roles,
        bits,
        found: totals.states,
        totals,
        stopped: None,
        seconds,
    };
    let classes = symmetries.map(|group| ShownClasses::new(&group, found.classes, None));
    let report = StatesReport {
        classes,
        ..StatesReport::new(args, known)
    };
    report.print(args, console)?;
    Ok(Outcome::Success)
}
