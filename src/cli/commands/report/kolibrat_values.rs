//! Kolibrat: what positions are worth, and how many moves they have.

use std::time::Duration;

use super::kolibrat::{KolibratBoard, KolibratDimensions, winner};
use super::page::{ReportTable, compared};
use super::work::Work;
use crate::analysis::{Sample, SampleOptions};
use crate::cli::failure::Failure;
use crate::engine::EndRules;
use crate::state_space::{Solution, SolvedValue};
use crate::statistics::{MeanOfGroups, half_width_95, wilson};

/// Boards of Table 3.2 with its mean number of moves, and the mean of random games that another program has played.
const BRANCHING: [(u8, u8, u8, &str, f64); 9] = [
    (2, 2, 2, "1.6", 1.84),
    (3, 4, 4, "3.2", 3.69),
    (3, 4, 5, "3.2", 3.91),
    (3, 4, 6, "3.2", 3.98),
    (4, 5, 5, "4.5", 5.33),
    (4, 5, 6, "5.0", 5.75),
    (5, 6, 6, "6.0", 7.11),
    (9, 9, 15, "12.3", 18.4),
    (9, 9, 30, "12.3", 21.9),
];
/// On larger boards, random games take minutes.
const MOST_SQUARES: u8 = 20;

/// Table 3.2, and what random games are like.
pub(super) fn branching(work: &mut Work) -> Result<Vec<ReportTable>, Failure> {
    const OTHERWISE: &str = "measured otherwise: the thesis does not tell how; that the way of playing hardly matters, as it says, is not so";
    let (mut published, mut random) = (Vec::new(), Vec::new());
    for (width, height, pieces, in_table, known) in BRANCHING {
        let name = format!("{width}x{height}, P = {pieces}, S = 4");
        let sample = match width * height <= MOST_SQUARES {
            true => random_games(work, (width, height, pieces), 4, 300)?,
            false => None,
        };
        let moves = sample.as_ref().and_then(|games| mean_moves(&games.sample));
        let ours = moves.map(|mean| format!("{:.1}", mean.mean));
        published.push(compared(&name, in_table, ours, Some(OTHERWISE)));
        let moves = moves.map(|mean| (mean.mean, mean.error.unwrap_or_default()));
        random.push(near(format!("{name}: moves"), known, 0.0, moves));
    }
    for (goals, plies) in [(4, 54.0), (5, 66.0)] {
        let games = random_games(work, (3, 4, 4), goals, 4_000)?;
        let games = games.as_ref().filter(|games| games.sample.ended > 0);
        let sample = games.map(|games| &games.sample);
        let name = format!("3x4, P = 4, S = {goals}");
        let lengths = sample.map(|sample| {
            let lengths = sample.lengths.iter();
            let lengths: Vec<f64> = lengths.map(|plies| *plies as f64).collect();
            let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
            (mean, half_width_95(&lengths))
        });
        random.push(near(
            format!("{name}: plies of a game"),
            plies,
            0.5,
            lengths,
        ));
        let won = sample.map(|sample| {
            let won = sample.ends.get(&vec![Some(100), Some(0)]);
            percent(won.copied().unwrap_or(0), sample.ended)
        });
        random.push(near(format!("{name}: % won by red"), 52.5, 0.5, won));
        let stuck = games.map(|games| percent(games.stalemates, games.sample.ended));
        let what = format!("{name}: % that end as nobody can move");
        random.push(near(what, 4.5, 0.5, stuck));
    }
    Ok(vec![
        ReportTable::of_compared(
            "Moves to choose from on average, Table 3.2",
            "Ours: 300 random games from seed 1; `kolibri info --games` gives intervals.",
            published,
        ),
        ReportTable::of_known(
            "Random games",
            "Ours with the half width of the 95 % interval: what is known agrees if it is no further off than twice that, and what it may be rounded by.",
            random,
        ),
    ])
}

/// A mean of random games beside the one that is known but for `rounding`: ours with half the width of its 95 % interval.
fn near(what: String, known: f64, rounding: f64, ours: Option<(f64, f64)>) -> Vec<String> {
    let shown = ours.map(|(mean, error)| format!("{mean:.2} ± {error:.2}"));
    match (ours, &shown) {
        // By chance, one in some ten thousand is further off.
        (Some((mean, error)), Some(shown)) if (mean - known).abs() <= 2.0 * error + rounding => {
            vec![what, known.to_string(), shown.clone(), "agrees".to_owned()]
        }
        _ => compared(what, known, shown, None),
    }
}

/// A share with half its 95 % interval, around the middle of that.
fn percent(count: u64, all: u64) -> (f64, f64) {
    let [least, most] = wilson(count, all);
    (50.0 * (least + most), 50.0 * (most - least))
}

/// Random games on a board; none if there is no time left.
fn random_games(
    work: &mut Work,
    size: KolibratDimensions,
    goals: u8,
    games: u64,
) -> Result<Option<RandomGames>, Failure> {
    let board = KolibratBoard::new(work, size, goals)?;
    work.status.show(&format!("random games of {}", board.name));
    let rules = board.game.report().rules.as_ref();
    let mut end_rules = rules.and_then(|rules| EndRules::new(rules, TIME, &work.stop).ok());
    let sample = board.game.sample(SampleOptions {
        seed: 1,
        games,
        max_plies: 10_000,
        deadline: work.deadline(),
        on_end: &mut |facts| {
            if let Some(rules) = &mut end_rules {
                rules.count(facts);
            }
        },
    });
    let sample = sample.map_err(|fault| Failure::finding(fault.to_string()))?;
    // The rule for the player who has moved last, as nobody has a move, comes last.
    let stalemate = end_rules.as_ref().and_then(|rules| rules.counts().last());
    let random = RandomGames {
        stalemates: stalemate.map_or(0, |count| count.ends),
        sample,
    };
    Ok(Some(random).filter(|_| !work.stop.is_raised()))
}

/// What random games showed.
struct RandomGames {
    sample: Sample,
    /// Games that ended as nobody had a move.
    stalemates: u64,
}

/// The rules of an end take less.
const TIME: Duration = Duration::from_secs(1);

fn mean_moves(sample: &Sample) -> Option<MeanOfGroups> {
    let games = sample.by_game.iter();
    let games = games.map(|(moves, states)| (*moves as f64, *states as usize));
    MeanOfGroups::of_sums(&games.collect::<Vec<_>>())
}

/// Columns, rows and pieces of a side; the mean and the greatest number of moves of the states of games to one point.
const MOVES: [(u8, u8, u8, &str, u64); 4] = [
    (2, 2, 2, "1.74", 3),
    (3, 4, 4, "4.16", 10),
    (3, 4, 5, "4.48", 11),
    (3, 4, 6, "4.58", 11),
];

/// The moves of all states that can be reached.
pub(super) fn moves(work: &mut Work) -> Result<ReportTable, Failure> {
    const OTHERWISE: &str =
        "counted otherwise: the other program takes boards that can be reached at any score";
    let mut rows = Vec::new();
    for (width, height, pieces, mean, most) in MOVES {
        let board = KolibratBoard::new(work, (width, height, pieces), 1)?;
        let space = work.space(&board.name, &board.network, None);
        let branching = space.as_ref().map(|space| space.totals().branching);
        let found = branching.and_then(|moves| moves.mean());
        let found = found.map(|mean| format!("{mean:.2}"));
        let what = format!("{}: mean", board.name);
        rows.push(compared(what, mean, found, Some(OTHERWISE)));
        let what = format!("{}: most", board.name);
        rows.push(compared(
            what,
            most,
            branching.map(|moves| moves.most),
            None,
        ));
        if (width, height, pieces) == (3, 4, 4) {
            let what = format!("{}: states in which the game goes on", board.name);
            let states = branching.map(|moves| moves.states);
            rows.push(compared(what, 332_543, states, None));
            let ten = space.as_ref().map(|space| {
                let states = space.totals().by_branching.get(&most);
                states.copied().unwrap_or(0)
            });
            let what = format!("{}: states with {most} moves", board.name);
            rows.push(compared(what, 34, ten, None));
        }
    }
    Ok(ReportTable::of_known(
        "Moves in the states that can be reached",
        "Games to one point: states differ by the board and by who is to move.",
        rows,
    ))
}

/// What the first insertions bring, and a piece in the middle of the board.
pub(super) fn positions(work: &mut Work) -> Result<ReportTable, Failure> {
    let mut rows = Vec::new();
    for (pieces, known) in [
        (1, ["red", "black", "red"]),
        (2, ["endless", "black", "endless"]),
        (4, ["endless", "endless", "endless"]),
    ] {
        let board = KolibratBoard::new(work, (3, 4, pieces), 1)?;
        let solution = work.solution(&board.name, &board.network);
        for (column, known) in known.into_iter().enumerate() {
            let mv = format!("(insert {column} 0)");
            let value = solution.as_ref();
            let value = value.and_then(|solution| after(&board, solution, &mv));
            let what = format!("{}: after {mv}", board.name);
            rows.push(compared(what, known, value.map(winner), None));
        }
    }
    let board = KolibratBoard::new(work, (3, 3, 4), 1)?;
    let solution = work.solution(&board.name, &board.network);
    let counts = solution.map(|solution| with_middle(&solution));
    let known = [
        ("red", "red", 2_669),
        ("red", "black", 998),
        ("black", "red", 689),
        ("black", "black", 3_130),
    ];
    for (place, (mover, winner, known)) in known.into_iter().enumerate() {
        let what = format!("{}: won by {winner}, {mover} to move", board.name);
        rows.push(compared(
            what,
            known,
            counts.map(|counts| counts[place]),
            None,
        ));
    }
    Ok(ReportTable::of_known(
        "First insertions, and a red piece in the middle",
        "The thesis says that on 3x3 squares, red wins by coming to the middle first. Of the states with a red piece there, red wins less than half.",
        rows,
    ))
}

/// What the position after a move from the empty board is worth.
fn after(board: &KolibratBoard, solution: &Solution, mv: &str) -> Option<SolvedValue> {
    let mut position = board.game.initial();
    position.play(mv).ok()?;
    solution.value(&position.facts())
}

/// The states in which the game goes on and red stands in the middle of 3x3 squares: with red to move, won by red and by black, and
/// the same with black to move.
fn with_middle(solution: &Solution) -> [u64; 4] {
    let mut counts = [0; 4];
    for state in solution.states().filter(|state| !state.is_terminal) {
        let facts = solution.codec().facts_of(&solution.state(&state));
        let has = |fact: &str| facts.iter().any(|one| one == fact);
        let goal = state.value.goal();
        if has("(cell 1 1 red)") && matches!(goal, Some(0 | 100)) {
            let place = 2 * usize::from(has("(control black)")) + usize::from(goal == Some(0));
            counts[place] += 1;
        }
    }
    counts
}

/// Who wins from the empty board of the standard game by what both have scored: for each score of red, those of black from 0 to 4; `=`
/// for endless games. Red to move, and black.
const BY_SCORE: [(&str, [&str; 5]); 2] = [
    ("red", ["==bbb", "r=bbb", "rr=bb", "rrr=b", "rrrr="]),
    ("black", ["=bbbb", "==bbb", "rr=bb", "rrr=b", "rrrr="]),
];

/// The empty board at any score.
pub(super) fn scores(work: &mut Work) -> Result<ReportTable, Failure> {
    let board = KolibratBoard::new(work, (3, 4, 4), 5)?;
    let solution = work.solution(&board.name, &board.network);
    let mut rows = Vec::new();
    for (mover, known) in BY_SCORE {
        for (red, known) in known.into_iter().enumerate() {
            let mut found = String::new();
            if let Some(solution) = &solution {
                for black in 0..5 {
                    let start = EmptyBoard { mover, red, black };
                    found.extend(start.winner(work, &board, solution)?);
                }
            }
            let found = (found.len() == known.len()).then_some(found);
            let what = format!("{mover} to move, red has {red}");
            rows.push(compared(what, known, found, None));
        }
    }
    Ok(ReportTable::of_known(
        "The empty board of 3x4, P = 4, S = 5, by score",
        "A letter for each score of black from 0 to 4: who wins; `=` for endless games. The scores that no game from 0 to 0 leaves with an empty board are solved on their own.",
        rows,
    ))
}

/// An empty board.
struct EmptyBoard {
    mover: &'static str,
    red: usize,
    black: usize,
}

impl EmptyBoard {
    /// Who wins from here; none if that takes too long.
    fn winner(
        &self,
        work: &mut Work,
        board: &KolibratBoard,
        solution: &Solution,
    ) -> Result<Option<char>, Failure> {
        let Self { mover, red, black } = self;
        let facts = board.game.initial().facts().into_iter();
        let facts = facts.map(|fact| match fact.as_str() {
            "(control red)" => format!("(control {mover})"),
            "(score red 0)" => format!("(score red {red})"),
            "(score black 0)" => format!("(score black {black})"),
            _ => fact,
        });
        let value = match solution.value(&facts.collect::<Vec<_>>()) {
            Some(value) => Some(value),
            None => board.beginning(work, &self.init())?.value(work),
        };
        Ok(value.map(|value| match winner(value) {
            "red" => 'r',
            "black" => 'b',
            _ => '=',
        }))
    }

    /// What the rules say of the initial state, in place of [`KolibratBoard::INIT`].
    fn init(&self) -> [String; 2] {
        let Self { mover, red, black } = self;
        [
            format!("(init (score red {red})) (init (score black {black}))"),
            format!("(init (control {mover}))"),
        ]
    }
}
