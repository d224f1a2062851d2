//! `kolibri states --hosts`: states counted together with other processes.

use std::time::Instant;

use super::{StatesArgs, StatesReport};
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::memory::peak_memory;
use crate::game::StateMachine;
use crate::state_space::StateCodec;

pub(super) fn run(args: &StatesArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    args.cluster.refuse(&[
        ("--symbolic", args.symbolic),
        ("--symmetry", args.symmetry.is_some()),
        ("--disk", args.disk.is_some()),
        ("--dot", args.dot.is_some()),
        ("--max-states", args.space.limits_states()),
    ])?;
    let begin = Instant::now();
    let (named, game) = args.space.open(console)?;
    let source = &named.source;
    let (roles, bits) = (game.roles().to_vec(), StateCodec::new(&game).bits());
    let totals = args.cluster.enumerate(&args.space, source, game, console)?;
    let seconds = begin.elapsed().as_secs_f64();
    let report = StatesReport {
        game: &source.name,
        roles: &roles,
        threads: args.space.threads.count(),
        found: totals.states,
        bits,
        bytes_per_state: None,
        most_disk_bytes: None,
        classes: None,
        games: None,
        infinite: None,
        counts_games: false,
        seconds,
        states_per_second: totals.states as f64 / seconds.max(1e-9),
        peak_memory_bytes: peak_memory(),
        stopped: None,
        totals,
    };
    report.print(args, console)?;
    Ok(Outcome::Success)
}
