//! The same searches on one thread and more.

use std::fmt;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::Serialize;

use super::SearchArgs;
use crate::cli::console::{Console, Stream};
use crate::cli::failure::{Failure, INTERRUPTED, Outcome};
use crate::cli::number::rounded;
use crate::cli::output_file::write_output;
use crate::cli::page::{curve_chart, drawing};
use crate::cli::status_line::StatusLine;
use crate::cli::style;
use crate::cli::thread_curve::{CurvePoint, CurveSearch};
use crate::engine::EngineKind;
use crate::play::opening;
use crate::session::Session;
use crate::util::StopFlag;

/// Positions that are searched: the one given, and those so many random plies later.
const LATER: [usize; 3] = [0, 2, 4];
/// More threads than any machine can use.
const MOST: usize = 256;

/// Numbers of threads, such as `1..4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ThreadRange {
    least: usize,
    most: usize,
}

impl FromStr for ThreadRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (least, most) = text.split_once("..").unwrap_or(("1", text));
        let number = |text: &str| text.trim_start_matches('=').parse().ok();
        match (number(least), number(most)) {
            (Some(least), Some(most)) if (1..=most).contains(&least) && most <= MOST => {
                Ok(Self { least, most })
            }
            _ => Err(format!(
                "write numbers of threads up to {MOST}, such as 1..4"
            )),
        }
    }
}

impl fmt::Display for ThreadRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.least, self.most)
    }
}

impl ThreadRange {
    fn numbers(self) -> RangeInclusive<usize> {
        self.least..=self.most
    }
}

#[derive(Serialize)]
struct CurveReport {
    game: String,
    engine: EngineKind,
    depth: u32,
    positions: Vec<CurvePosition>,
    /// All of them together.
    curve: Vec<CurvePoint>,
    interrupted: bool,
}

#[derive(Serialize)]
struct CurvePosition {
    /// The random moves that lead there.
    moves: Vec<String>,
    role: String,
    curve: Vec<CurvePoint>,
}

/// Searches the positions on each number of threads, and tells what they take.
pub(super) fn curve(
    args: &SearchArgs,
    session: &Session,
    (threads, depth): (ThreadRange, u32),
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let stop = console.stop_flag();
    let mut status = StatusLine::new(console.quiet);
    let mut positions = Vec::new();
    for (session, moves) in fixed_positions(session, &stop) {
        let Some(role) = session.position().role_to_move() else {
            continue;
        };
        let search = CurveSearch {
            session: &session,
            role,
            settings: &args.settings(),
            training: args.learning_time(),
            depth,
            stop: &stop,
        };
        positions.push(CurvePosition {
            role: session.roles()[role].clone(),
            curve: search.run(threads.numbers(), &moves.join(" "), &mut status),
            moves,
        });
    }
    if positions.is_empty() {
        return Err(Failure::finding(
            "there is no position in which one role is to move",
        ));
    }
    let game = session.game();
    let report = CurveReport {
        game: game.name().to_owned(),
        engine: game.report().engine,
        depth,
        curve: together(&positions),
        positions,
        interrupted: stop.is_raised(),
    };
    if let Some(path) = &args.svg {
        write_output(path, &picture(&report), args.force)?;
    }
    match args.json {
        true => console.json(&report)?,
        false => report.show(&mut console.out)?,
    }
    console.out.flush()?;
    if report.interrupted {
        console.hint(INTERRUPTED)?;
        return Ok(Outcome::Interrupted);
    }
    match report.curve.iter().all(|point| point.agrees) {
        true => Ok(Outcome::Success),
        false => Err(Failure::finding(
            "a value depends on the number of threads, which must not be",
        )),
    }
}

/// The positions, each with the random moves that lead there: the same every time. Those in which the game is over are left out.
fn fixed_positions(session: &Session, stop: &StopFlag) -> Vec<(Session, Vec<String>)> {
    let position = |plies: &usize| {
        let mut later = session.clone();
        let joints = opening(&mut later, *plies, *plies as u64, stop)?;
        let mut moves = Vec::new();
        for joint in &joints {
            let choosing = later.position().choosing().into_iter();
            moves.extend(choosing.map(|role| joint[role].clone()));
            later.play_joint(joint).ok()?;
        }
        (joints.len() == *plies && !later.is_terminal()).then_some((later, moves))
    };
    LATER.iter().filter_map(position).collect()
}

/// What all positions take together, as far as all were searched.
fn together(positions: &[CurvePosition]) -> Vec<CurvePoint> {
    let whole = positions.iter().map(|position| position.curve.len()).min();
    let mut points: Vec<CurvePoint> = Vec::new();
    for place in 0..whole.unwrap_or(0) {
        let of_each = positions.iter().map(|position| &position.curve[place]);
        let seconds: f64 = of_each.clone().map(|point| point.seconds).sum();
        let nodes: u64 = of_each.clone().map(|point| point.nodes).sum();
        let values: f64 = of_each.clone().map(|point| point.value).sum();
        let threads = positions[0].curve[place].threads;
        let agrees = of_each.clone().all(|point| point.agrees);
        let mean = values / positions.len() as f64;
        let first = points.first();
        points.push(CurvePoint::new(
            threads,
            (seconds, nodes),
            (mean, agrees),
            first,
        ));
    }
    points
}

impl CurveReport {
    fn show(&self, out: &mut Stream<'_>) -> io::Result<()> {
        let strong = style::STRONG;
        let Self {
            game,
            depth,
            engine,
            ..
        } = self;
        writeln!(out, "{strong}{game}{strong:#}, depth {depth}, {engine}")?;
        for position in &self.positions {
            let moves = match position.moves.is_empty() {
                true => "the position given".to_owned(),
                false => format!("after {}", position.moves.join(" ")),
            };
            writeln!(out, "\n{moves}, for {}", position.role)?;
            show_points(&position.curve, out)?;
        }
        if self.positions.len() > 1 {
            writeln!(out, "\nall positions together; of values, the mean")?;
            show_points(&self.curve, out)?;
        }
        Ok(())
    }
}

fn show_points(points: &[CurvePoint], out: &mut Stream<'_>) -> io::Result<()> {
    let faint = style::FAINT;
    writeln!(
        out,
        "{faint}threads   seconds        nodes    nodes/s  speed-up  efficiency   value{faint:#}"
    )?;
    for of in points {
        let sign = if of.agrees { "" } else { "  differs" };
        writeln!(
            out,
            "{:>7} {:>9.3} {:>12} {:>10} {:>9.2} {:>9.0} % {:>7.2}{sign}",
            of.threads,
            of.seconds,
            of.nodes,
            rounded(of.nodes_per_second),
            of.speedup,
            100.0 * of.efficiency,
            of.value
        )?;
    }
    Ok(())
}

/// Time, nodes, speed-up and efficiency by threads, of all positions together.
fn picture(report: &CurveReport) -> String {
    let measured = |of: &dyn Fn(&CurvePoint) -> f64| -> Vec<(usize, f64)> {
        let points = report.curve.iter();
        points.map(|point| (point.threads, of(point))).collect()
    };
    let least = report.curve.first().map_or(1, |point| point.threads);
    let linear = |threads: usize| threads as f64 / least as f64;
    let hundredths = |value: f64| format!("{value:.2}");
    drawing(
        &format!("{} at depth {} by threads", report.game, report.depth),
        vec![
            (
                "Seconds by threads",
                curve_chart(&measured(&|point| point.seconds), None, &hundredths),
            ),
            (
                "Nodes by threads",
                curve_chart(&measured(&|point| point.nodes as f64), None, &rounded),
            ),
            (
                "Speed-up by threads; broken: as many times as fast as there are threads",
                curve_chart(
                    &measured(&|point| point.speedup),
                    Some(&linear),
                    &hundredths,
                ),
            ),
            (
                "Efficiency by threads",
                curve_chart(
                    &measured(&|point| point.efficiency),
                    Some(&|_| 1.0),
                    &hundredths,
                ),
            ),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_threads_are_read() {
        let range = |text: &str| text.parse::<ThreadRange>().map(ThreadRange::numbers);
        assert_eq!(range("1..4"), Ok(1..=4));
        assert_eq!(range("2..=3"), Ok(2..=3));
        assert_eq!(range("2"), Ok(1..=2));
        for wrong in ["", "0", "0..2", "3..2", "1..257", "a..2", "1..", "-1..2"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
