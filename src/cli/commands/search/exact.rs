//! What a solution tells of a position, in place of a search.

use std::path::Path;
use std::time::Instant;

use super::report::{MoveReport, SearchReport};
use super::{is_over, no_move, role};
use crate::cli::failure::Failure;
use crate::cli::memory::peak_memory;
use crate::session::{Position, Session};
use crate::solved::{RankedMove, SolutionError, SolvedGame};
use crate::state_space::SolvedValue;

/// Moves of the line, at most: it may never end.
const LONGEST_LINE: usize = 200;

/// The exact value of each move, by the solution in `file`, for the role that has a choice.
pub(super) fn exact(session: &Session, file: &Path) -> Result<SearchReport, Failure> {
    if session.is_terminal() {
        return Err(is_over(session));
    }
    let begin = Instant::now();
    let game = session.game();
    let role = role(None, session)?;
    let name = &game.roles()[role];
    let solved = SolvedGame::read(game.clone(), file)?;
    solved.check_role(role).map_err(|fault| SolutionError {
        path: file.to_owned(),
        fault,
    })?;
    let position = session.position();
    let value = solved.value(position).ok_or_else(|| {
        Failure::finding("the solution does not know this position")
            .with_help("it knows the positions that can be reached from the initial one")
    })?;
    let moves = solved.moves(position);
    let best = moves.first().ok_or_else(|| no_move(name))?;
    let points = |value| solved.points(value, role) as f64;
    let report = |mv: &RankedMove| MoveReport {
        mv: mv.text.clone(),
        value: points(mv.value),
        at_most: false,
        exact: true,
        // The move itself takes a ply.
        steps: plies(mv.value).map(|plies| plies + 1),
        line: vec![mv.text.clone()],
    };
    let steps = plies(value);
    Ok(SearchReport {
        game: game.name().to_owned(),
        engine: game.report().engine,
        role: name.clone(),
        best: best.text.clone(),
        value: points(value),
        exact: true,
        steps,
        solution: Some(file.display().to_string()),
        depth: steps.unwrap_or(0),
        line: line(&solved, position),
        nodes: 0,
        seconds: begin.elapsed().as_secs_f64(),
        nodes_per_second: 0.0,
        threads: 1,
        table_entries: None,
        bytes_per_node: None,
        peak_memory_bytes: peak_memory(),
        depths: Vec::new(),
        reuse: None,
        moves: moves.iter().map(report).collect(),
        heuristics: Vec::new(),
        parts: Vec::new(),
        weights: Vec::new(),
        symmetries: None,
        weights_cut_short: false,
        interrupted: false,
    })
}

/// The plies to the end, where there is one.
fn plies(value: SolvedValue) -> Option<u32> {
    match value {
        SolvedValue::Goal { plies, .. } => Some(plies.into()),
        SolvedValue::Endless => None,
    }
}

/// What is played if everyone plays the best moves, up to a position that was there before.
fn line(solved: &SolvedGame, start: &Position) -> Vec<String> {
    let (mut line, mut seen) = (Vec::new(), vec![start.clone()]);
    while line.len() < LONGEST_LINE {
        let Some(best) = solved.moves(&seen[seen.len() - 1]).into_iter().next() else {
            break;
        };
        line.push(best.text);
        if seen.contains(&best.after) {
            break;
        }
        seen.push(best.after);
    }
    line
}
