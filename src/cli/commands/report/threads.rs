//! Searches on one thread and more: a thesis announces such measurements, and no figures of it survive.

use std::time::Instant;

use super::page::{ReportPage, ReportTable};
use super::work::Work;
use crate::cli::failure::Failure;
use crate::cli::number::rounded;
use crate::engine::EngineChoice;
use crate::search::{Heuristics, MinimaxSettings, SearchLimits, Searcher};
use crate::session::{Game, Session};

/// Games, moves to a position, an evaluation that is the same each time, and a depth.
const POSITIONS: [(&str, &[&str], Option<&str>, u32); 4] = [
    ("tictactoe", &[], None, 9),
    ("kolibrat", &[], Some("advanced"), 13),
    (
        "kolibrat",
        &["(insert 1 0)", "(insert 1 3)"],
        Some("advanced"),
        13,
    ),
    ("checkers", &[], Some("ef-1"), 9),
];

pub(super) fn page(work: &mut Work) -> Result<ReportPage, Failure> {
    let mut rows = Vec::new();
    for (name, moves, evaluation, depth) in POSITIONS {
        let refused = |fault: &dyn std::fmt::Display| Failure::finding(fault.to_string());
        let game = Game::load(name).map_err(|fault| refused(&fault))?;
        let game = game.on(&EngineChoice::Native.into());
        let game = game.map_err(|fault| refused(&fault))?;
        let mut session = Session::new(&game);
        for mv in moves {
            session.play(mv).map_err(|fault| refused(&fault))?;
        }
        let mut alone = None;
        for threads in 1..=work.threads {
            work.status.show(&format!("{name} on {threads} threads"));
            let settings = MinimaxSettings {
                evaluation,
                heuristics: Heuristics::NONE,
                ..MinimaxSettings::default()
            };
            let mut searcher = Searcher::minimax(settings);
            let role = session.position().role_to_move().unwrap_or(0);
            let limits = SearchLimits {
                threads,
                stop: Some(&work.stop),
                ..SearchLimits::to_depth(depth)
            };
            let begin = Instant::now();
            let found = session.search(role, &limits, &mut searcher);
            let seconds = begin.elapsed().as_secs_f64();
            let Some(found) = found.filter(|_| !work.stop.is_raised()) else {
                break;
            };
            let (one, value) = *alone.get_or_insert((seconds, found.value));
            let speedup = one / seconds.max(1e-9);
            rows.push(vec![
                [&[name], moves].concat().join(" "),
                depth.to_string(),
                threads.to_string(),
                format!("{seconds:.3}"),
                found.nodes.to_string(),
                rounded(found.nodes as f64 / seconds.max(1e-9)),
                format!("{speedup:.2}"),
                format!("{:.0} %", 100.0 * speedup / threads as f64),
                match found.value == value {
                    true => format!("{:.2}", found.value.points()),
                    false => format!("**differs**: {:.2}", found.value.points()),
                },
            ]);
        }
    }
    Ok(ReportPage {
        title: "Searches on one thread and more",
        about: "Fixed positions, searched to a fixed depth on one thread up to as many as `--threads` says. L. Berger's thesis (DTU, 2012) announces such \
                measurements; none of its figures survive, so that there is nothing to compare with. The value must be the same on any number of threads.",
        tables: vec![ReportTable {
            title: "Time and work",
            about: "",
            header: vec![
                "position",
                "depth",
                "threads",
                "seconds",
                "nodes",
                "nodes/s",
                "speed-up",
                "efficiency",
                "value",
            ],
            rows,
        }],
    })
}
