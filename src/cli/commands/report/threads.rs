//! Searches on one thread and more: a thesis announces such measurements, and no figures of it survive.

use std::time::Duration;

use maud::Markup;

use super::page::{ReportPage, ReportTable};
use super::work::Work;
use crate::cli::failure::Failure;
use crate::cli::number::rounded;
use crate::cli::page::{curve_chart, figure};
use crate::cli::thread_curve::{CurvePoint, CurveSearch};
use crate::engine::EngineChoice;
use crate::search::{Heuristics, MinimaxSettings};
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
    let (mut rows, mut figures) = (Vec::new(), Vec::new());
    for (name, moves, evaluation, depth) in POSITIONS {
        let refused = |fault: &dyn std::fmt::Display| Failure::finding(fault.to_string());
        let game = Game::load(name).map_err(|fault| refused(&fault))?;
        let game = game.on(&EngineChoice::Native.into());
        let game = game.map_err(|fault| refused(&fault))?;
        let mut session = Session::new(&game);
        for mv in moves {
            session.play(mv).map_err(|fault| refused(&fault))?;
        }
        let settings = MinimaxSettings {
            evaluation: evaluation.map(Into::into),
            heuristics: Heuristics::NONE,
            ..MinimaxSettings::default()
        };
        let search = CurveSearch {
            session: &session,
            role: session.position().role_to_move().unwrap_or(0),
            settings: &settings,
            training: Duration::ZERO,
            depth,
            stop: &work.stop,
        };
        let points = search.run(1..=work.threads, name, &mut work.status);
        let position = [&[name], moves].concat().join(" ");
        rows.extend(points.iter().map(|point| row(&position, depth, point)));
        if points.len() > 1 {
            figures.push(speedups(&position, &points));
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
        figures,
    })
}

/// How many times as fast more threads are.
fn speedups(position: &str, points: &[CurvePoint]) -> Markup {
    let measured = points.iter().map(|point| (point.threads, point.speedup));
    let measured: Vec<(usize, f64)> = measured.collect();
    let hundredths = |speedup| format!("{speedup:.2}");
    let (size, elements) = curve_chart(&measured, Some(&|threads| threads as f64), &hundredths);
    let caption = format!(
        "{position}: speed-up by threads; broken: as many times as fast as there are threads"
    );
    figure(size, &caption, elements, &caption)
}

fn row(position: &str, depth: u32, point: &CurvePoint) -> Vec<String> {
    vec![
        position.to_owned(),
        depth.to_string(),
        point.threads.to_string(),
        format!("{:.3}", point.seconds),
        point.nodes.to_string(),
        rounded(point.nodes_per_second),
        format!("{:.2}", point.speedup),
        format!("{:.0} %", 100.0 * point.efficiency),
        match point.agrees {
            true => format!("{:.2}", point.value),
            false => format!("**differs**: {:.2}", point.value),
        },
    ]
}
