//! Tic-tac-toe: counts that are known from elsewhere.

use super::page::{ReportPage, ReportTable, compared, state_figures};
use super::work::{Work, initial_value};
use crate::cli::commands::states::SymmetryChoice;
use crate::cli::failure::Failure;
use crate::session::Game;
use crate::state_space::{GameCount, StateSpace};

/// Paths of 1 to 9 marks.
const PATHS: &str = "9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872";

pub(super) fn page(work: &mut Work) -> Result<ReportPage, Failure> {
    let game = Game::load("tictactoe").map_err(|fault| Failure::finding(fault.to_string()))?;
    let network = work.network(&game)?;
    let group = SymmetryChoice::Keep.group(game.source(), &network, &work.deadline())?;
    let mut space = work.space("tic-tac-toe", &network, Some(group.into()));
    let states = space.as_ref().map(|space| space.totals().states);
    let ends = space.as_ref().map(|space| space.totals().terminal);
    let games = space
        .as_mut()
        .map(|space| space.count_games(&network, &work.deadline()));
    let games = games.and_then(Result::ok);
    let finite = |games: &GameCount| match games {
        GameCount::Finite(games) => Some(games.clone()),
        GameCount::Infinite => None,
    };
    let games_of_classes = games.as_ref().and_then(|games| finite(&games.of_classes));
    let games = games.and_then(|games| finite(&games.all));
    let solution = work.solution("tic-tac-toe", &network);
    let value = solution.and_then(|solution| initial_value(&solution, &network));
    let value = value.map(|value| match value.goal() {
        Some(50) => "draw",
        Some(100) => "x wins",
        _ => "o wins",
    });
    let of_classes = space.as_ref().map(StateSpace::classes);
    let totals = space.iter().map(StateSpace::totals);
    let figures = totals.flat_map(|totals| state_figures("Tic-tac-toe", totals));
    let figures = figures.collect();
    let counts = vec![
        compared("positions", 5_478, states, None),
        compared("of these, over", 958, ends, None),
        compared("positions up to symmetry", 765, of_classes, None),
        compared("games", 255_168, games, None),
        compared("games up to symmetry", 26_830, games_of_classes, None),
        compared("value of the start", "draw", value, None),
        compared(
            "paths by length",
            PATHS,
            work.perft("tic-tac-toe", &game, (9, false)),
            None,
        ),
    ];
    Ok(ReportPage {
        title: "Tic-tac-toe: known counts",
        about: "Counts that have been published often, beside those of the program, from the rule file.",
        tables: vec![ReportTable::of_known("Counts", "", counts)],
        figures,
    })
}
