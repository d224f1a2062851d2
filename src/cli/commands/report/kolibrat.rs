//! Kolibrat: the figures of the bachelor thesis that describes the game.

use maud::Markup;

use super::kolibrat_states::{placements, reached};
use super::kolibrat_values::{branching, moves, positions, scores};
use super::page::{ReportPage, ReportTable, compared, state_figures};
use super::work::{Work, initial_value};
use crate::cli::failure::Failure;
use crate::engine::Propnet;
use crate::game::{Role, StateMachine};
use crate::generate::{KolibratSize, Size};
use crate::session::Game;
use crate::state_space::SolvedValue;

/// Boards with pieces of a side; who wins the games to 1 to 5 points, `-` for an endless game; and the plies of a game to one point.
const SOLVED: [(u8, u8, u8, &str, u16); 24] = [
    (2, 2, 1, "RRRRR", 5),
    (2, 2, 2, "BBBBB", 6),
    (2, 3, 1, "BBBBB", 3),
    (2, 3, 2, "RRRRR", 9),
    (2, 3, 3, "BBBBB", 10),
    (2, 3, 4, "BBBBB", 10),
    (3, 2, 1, "RRRRR", 5),
    (3, 2, 2, "RRRRR", 5),
    (3, 2, 3, "RRRRR", 5),
    (3, 2, 4, "RRRRR", 5),
    (3, 3, 1, "RRRRR", 7),
    (3, 3, 2, "RRRRR", 9),
    (3, 3, 3, "RRRRR", 9),
    (3, 3, 4, "RRRRR", 9),
    (2, 4, 1, "RRRRR", 7),
    (2, 4, 2, "RRRRR", 13),
    (2, 4, 3, "RRRRR", 17),
    (2, 4, 4, "R----", 17),
    (3, 4, 1, "RRRRR", 9),
    (3, 4, 2, "-----", 0),
    (3, 4, 3, "RRRRR", 21),
    (3, 4, 4, "-----", 0),
    (3, 4, 5, "-R---", 0),
    (3, 4, 6, "-R---", 0),
];

/// Boards on which somebody can go on for ever from so many points on: red, black.
const ENDLESS: [(KolibratDimensions, [Option<u8>; 2]); 3] = [
    ((2, 3, 4), [None, Some(2)]),
    ((3, 3, 4), [Some(3), None]),
    ((3, 4, 6), [Some(3), Some(4)]),
];

/// Columns, rows and pieces of a side.
pub(super) type KolibratDimensions = (u8, u8, u8);

/// Paths by length on some boards, to so many points.
const PATHS: [(u8, u8, u8, u8, &str); 5] = [
    (3, 4, 4, 5, "3, 9, 30, 100, 404, 1630, 7036, 29874"),
    (3, 4, 4, 1, "3, 9, 30, 100, 404, 1630, 7036, 29784"),
    (4, 5, 5, 5, "4, 16, 72, 324, 1692, 8842, 50652"),
    (3, 3, 4, 1, "3, 9, 30, 102, 398, 1448, 5310, 18024"),
    (2, 2, 2, 1, "2, 4, 8, 12, 22, 34, 42, 30, 14, 0"),
];

/// What makes some tables of the page, of games to so many points.
type TablesOfPart = fn(&mut Work, u8) -> Result<Vec<ReportTable>, Failure>;

pub(super) fn page(work: &mut Work, goals: u8) -> Result<ReportPage, Failure> {
    let parts: [TablesOfPart; 9] = [
        |work, _| Ok(vec![reached(work)?]),
        |work, _| Ok(vec![claims(work)?]),
        |work, goals| Ok(vec![solutions(work, goals)?]),
        |work, _| Ok(vec![positions(work)?]),
        |work, goals| Ok(vec![endless(work, goals)?]),
        |work, _| Ok(vec![paths(work)?]),
        |work, _| branching(work),
        |work, _| Ok(vec![moves(work)?]),
        |work, goals| match goals {
            5 => Ok(vec![scores(work)?]),
            _ => Ok(Vec::new()),
        },
    ];
    let mut tables = vec![placements()];
    for part in parts {
        match part(work, goals) {
            Ok(more) => tables.extend(more),
            // The page has what is known by then.
            Err(_) if work.stop.is_raised() => break,
            Err(why) => return Err(why),
        }
    }
    let figures = match work.stop.is_raised() {
        true => Vec::new(),
        false => figures(work)?,
    };
    Ok(ReportPage {
        title: "Kolibrat: published figures and ours",
        about: "Published: A. Lindberg's bachelor thesis (DTU, 2007), chapter 3. Solutions, endless games and paths are known from other programs \
                than this one, written from the rules; claims of the thesis about them are in a table of their own. Ours are from generated rule files.",
        tables,
        figures,
    })
}

/// The states of a board.
fn figures(work: &mut Work) -> Result<Vec<Markup>, Failure> {
    let board = KolibratBoard::new(work, (3, 3, 4), 1)?;
    let space = work.space(&board.name, &board.network, None);
    let figures = space.map(|space| state_figures(&board.name, space.totals()));
    Ok(figures.unwrap_or_default())
}

/// A board with a number of points, as a game.
pub(super) struct KolibratBoard {
    pub(super) name: String,
    pub(super) game: Game,
    pub(super) network: Propnet,
}

impl KolibratBoard {
    pub(super) fn new(
        work: &Work,
        (width, height, pieces): KolibratDimensions,
        goals: u8,
    ) -> Result<Self, Failure> {
        let size = KolibratSize {
            width,
            height,
            pieces,
            goals,
        };
        let refused = |fault: String| Failure::finding(fault);
        let text = size
            .rule_file()
            .map_err(|fault| refused(fault.to_string()))?;
        let name = format!("{width}x{height}, P = {pieces}, S = {goals}");
        Self::of_rules(work, name, &text)
    }

    fn of_rules(work: &Work, name: String, text: &str) -> Result<Self, Failure> {
        let game = Game::from_text("kolibrat", text);
        let game = game.map_err(|fault| Failure::finding(fault.to_string()))?;
        Ok(Self {
            name,
            network: work.network(&game)?,
            game,
        })
    }

    /// What the rules say of scores and of who is to move in the initial state.
    const INIT: [&str; 2] = [
        "(<= (init (score ?p 0))\n    (role ?p))",
        "(init (control red))",
    ];

    /// The same game from another initial state, for which these rules stand in place of [`Self::INIT`].
    pub(super) fn beginning(&self, work: &Work, init: &[String; 2]) -> Result<Self, Failure> {
        let mut text = self.game.source().text.to_string();
        for (old, new) in Self::INIT.iter().zip(init) {
            text = text.replace(old, new);
        }
        Self::of_rules(work, format!("{} {}", self.name, init.join(" ")), &text)
    }

    /// Who wins, with the plies that it takes.
    pub(super) fn value(&self, work: &mut Work) -> Option<SolvedValue> {
        let solution = work.solution(&self.name, &self.network)?;
        initial_value(&solution, &self.network)
    }

    /// Who can go on for ever.
    fn endless(&self, work: &mut Work) -> Option<&'static str> {
        let loops = work.loops(&self.name, &self.network)?;
        let initial = self.network.initial();
        let can = [0, 1].map(|role| loops.can(Role(role), &initial));
        Some(who(can))
    }
}

fn who(can: [bool; 2]) -> &'static str {
    match can {
        [false, false] => "nobody",
        [true, false] => "red",
        [false, true] => "black",
        [true, true] => "both",
    }
}

pub(super) fn winner(value: SolvedValue) -> &'static str {
    match value.goal() {
        Some(100) => "red",
        Some(0) => "black",
        Some(_) => "draw",
        None => "endless",
    }
}

/// What the thesis claims of solutions.
fn claims(work: &mut Work) -> Result<ReportTable, Failure> {
    let claims = [
        ((2, 2, 2), "black", None),
        ((3, 3, 4), "red", None),
        (
            (3, 4, 4),
            "red",
            Some("slip: said without a proof; neither side can force a win"),
        ),
    ];
    let mut rows = Vec::new();
    for (size, published, slip) in claims {
        let board = KolibratBoard::new(work, size, 1)?;
        let value = board.value(work).map(winner);
        rows.push(compared(
            format!("{}: who wins", board.name),
            published,
            value,
            slip,
        ));
    }
    let slip = Some("slip, unless games to one point are meant: the thesis does not say");
    for (size, goals) in [((3, 3, 4), 1), ((2, 3, 4), 2), ((3, 3, 4), 3)] {
        let board = KolibratBoard::new(work, size, goals)?;
        let endless = board.endless(work);
        let what = format!("{}: who can go on for ever", board.name);
        rows.push(compared(what, "nobody", endless, slip));
    }
    Ok(ReportTable::of_compared("Claims of the thesis", "", rows))
}

/// Who wins on each board.
fn solutions(work: &mut Work, goals: u8) -> Result<ReportTable, Failure> {
    let mut rows = Vec::new();
    for (width, height, pieces, winners, plies) in SOLVED {
        for (goals, known) in (1..=goals).zip(winners.chars()) {
            let board = KolibratBoard::new(work, (width, height, pieces), goals)?;
            let value = board.value(work);
            let known = match known {
                'R' => "red",
                'B' => "black",
                _ => "endless",
            };
            let (published, ours) = match value {
                Some(SolvedValue::Goal { plies: found, .. }) if goals == 1 && plies > 0 => (
                    format!("{known} after {plies} plies"),
                    value.map(|value| format!("{} after {found} plies", winner(value))),
                ),
                _ => (
                    known.to_owned(),
                    value.map(|value| winner(value).to_owned()),
                ),
            };
            rows.push(compared(board.name, published, ours, None));
        }
    }
    Ok(ReportTable::of_compared(
        "Who wins",
        "Red is to move on the empty board.",
        rows,
    ))
}

/// Who can go on for ever on each board.
fn endless(work: &mut Work, goals: u8) -> Result<ReportTable, Failure> {
    let mut rows = Vec::new();
    for (width, height, pieces, ..) in SOLVED {
        let from = ENDLESS
            .iter()
            .find(|(size, _)| *size == (width, height, pieces));
        for goals in 1..=goals {
            let can = |from: Option<u8>| from.is_some_and(|from| goals >= from);
            let known = from.map_or("nobody", |(_, [red, black])| who([can(*red), can(*black)]));
            let board = KolibratBoard::new(work, (width, height, pieces), goals)?;
            let found = board.endless(work);
            rows.push(compared(board.name, known, found, None));
        }
    }
    Ok(ReportTable::of_known(
        "Who can force that the game never ends",
        "",
        rows,
    ))
}

/// Paths from the empty board.
fn paths(work: &mut Work) -> Result<ReportTable, Failure> {
    let mut rows = Vec::new();
    for (width, height, pieces, goals, known) in PATHS {
        let board = KolibratBoard::new(work, (width, height, pieces), goals)?;
        let depth = known.split(", ").count() as u32;
        let found = work.perft(&board.name, &board.game, (depth, false));
        rows.push(compared(board.name, known, found, None));
    }
    Ok(ReportTable::of_known("Paths by their length", "", rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::KolibratSize;

    #[test]
    fn generated_rules_have_the_initial_state_that_is_replaced() {
        let text = KolibratSize::default().rule_file().unwrap();
        for rule in KolibratBoard::INIT {
            assert_eq!(text.matches(rule).count(), 1, "{rule}");
        }
    }
}
