//! `kolibri solve --hosts`: a game solved together with other processes.

use std::time::Instant;

use super::counts::StatesByValue;
use super::{SolveArgs, SolveReport, moves_of, value_of};
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::memory::peak_memory;
use crate::solved::{SolvedGame, replies};
use crate::state_space::{ClusterQuestion, StateCodec};

pub(super) fn run(args: &SolveArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    args.cluster.refuse(&[
        ("--by", args.by.is_some()),
        ("--out", args.out.is_some()),
        ("--solution", args.solution.is_some()),
        ("--strategy", args.strategy.is_some()),
        ("--verify", args.verify),
        ("--check-heuristic", args.check_heuristic.is_some()),
        ("--max-states", args.space.limits_states()),
    ])?;
    let begin = Instant::now();
    let (propnet, role, position) = args.open(console)?;
    let codec = StateCodec::new(&propnet);
    let shown = [vec![position.clone()], replies(&position)].concat();
    let states = shown.iter();
    let states = states.filter_map(|position| codec.state_of(&position.facts()));
    let question = ClusterQuestion {
        role,
        states: states.collect(),
    };
    let source = position.game().source();
    let symmetries = args.symmetries(source, &propnet, console)?;
    let asked = (question, symmetries);
    let found = args
        .cluster
        .solve(&args.space, source, propnet, asked, console)?;
    let totals = &found.space.totals;
    let solved = SolvedGame::new(position.game().clone(), found.solution);
    let solution = solved.solution();
    let report = SolveReport {
        game: solved.game().name(),
        roles: solution.roles(),
        role: &solution.roles()[solution.role().0],
        states: totals.states,
        classes: args.symmetry.then_some(found.space.classes),
        joint_moves: totals.edges,
        value: value_of(&solved, &position)?,
        moves: moves_of(&solved, &position),
        counts: StatesByValue::of(&found.counts),
        by_value: found.counts,
        by_facts: None,
        file: None,
        file_bytes: None,
        strategy: None,
        proofs: None,
        heuristic: None,
        seconds: begin.elapsed().as_secs_f64(),
        peak_memory_bytes: peak_memory(),
    };
    report.print(args, console)
}
