//! The games of a student project in checkers: all that its report prints, and the ones it leaves out.
//!
//! Its evaluations are part of the native engine; its searches and its rules of play are here.

mod game;
mod search;

use kolibri::game::StateMachine;
use kolibri::native::checkers::published::PublishedEvaluation;
use kolibri::native::checkers::{CheckersState, CheckersTurn};
use kolibri::native::{Checkers, NativeEngine};

use self::game::{Ending, PlayedGame, play};
use self::search::{Algorithm, PublishedPlayer, Sign};

/// The ending, the turns of red and black, and the leaves and turns that red and black searched.
type ExpectedRow = (Ending, [u32; 2], [u64; 4], &'static str);

/// The players, red first, and how their game goes.
type ExpectedGame = ([PublishedEvaluation; 2], ExpectedRow);

use Ending::{Black, Draw, Red};
use PublishedEvaluation::{One, Three, Two};

const LONG: [u32; 2] = [79, 80];

/// Table 3 of the report, and the pairings that it leaves out.
#[rustfmt::skip]
const DEPTH_TWO: [ExpectedGame; 9] = [
    ([One, One], (Draw, LONG, [2596, 3295, 3004, 3675], "...B/rrB./..../bb../..R./..../..../.RR.")),
    ([One, Two], (Draw, LONG, [1648, 1968, 1620, 2589], "..../..../.BB./BBB./.BB./...b/R.../...b")),
    ([One, Three], (Draw, LONG, [1604, 2511, 1640, 1950], "B.../..R./..../..../R.../..../.RR./b...")),
    ([Two, One], (Draw, LONG, [1697, 2147, 1261, 1907], "r.../rrB./r.../bb../.brr/bbR./..R./.b..")),
    ([Two, Two], (Black, [24, 25], [253, 345, 196, 295], "B..B/.bb./.b.b/..../...b/b.b./...b/....")),
    ([Two, Three], (Draw, LONG, [1103, 1554, 821, 1141], "rB../b.../...r/..../.R../..../..../....")),
    ([Three, One], (Draw, LONG, [1877, 2300, 3519, 4282], "..../.B../..B./..../...r/.r../Rr../..bb")),
    ([Three, Two], (Black, [25, 26], [461, 594, 324, 481], "..../..../..Bb/.bB./..../...b/...b/..bb")),
    ([Three, Three], (Draw, LONG, [1158, 1674, 1202, 1533], "..../..B./..../..../..../.r../rrR./....")),
];

/// Table 4 of the report, and the pairings that it leaves out. It prints red's leaves a second time for black's 38490.
#[rustfmt::skip]
const DEPTH_FOUR: [ExpectedGame; 9] = [
    ([One, One], (Draw, LONG, [19380, 26817, 18947, 27852], "..../B.Rb/B.../..../..../..../..../...R")),
    ([One, Two], (Draw, LONG, [19139, 25786, 14910, 26728], "..../..../B.../..B./.b../..r./..Rb/.b.b")),
    ([One, Three], (Draw, LONG, [24683, 37489, 38490, 51299], "..../bbB./..../R.../..r./..../.RR./....")),
    ([Two, One], (Draw, LONG, [21556, 28704, 21713, 33334], "B.../..B./..../..../...r/.R../..B./....")),
    ([Two, Two], (Draw, LONG, [28641, 44847, 29419, 39043], "r.../..../BB../r.../..R./bRR./..../....")),
    ([Two, Three], (Draw, LONG, [23521, 39900, 14272, 18544], "B.../..../..../..R./RRR./..../..../....")),
    ([Three, One], (Draw, LONG, [12832, 19121, 61072, 78077], "..../B.../.B../..../..../..../Rrrb/....")),
    ([Three, Two], (Black, [20, 20], [3146, 4195, 2818, 4845], ".B../..../...B/..../..../..Bb/rb.b/bbbb")),
    ([Three, Three], (Red, [22, 22], [3052, 4814, 4894, 7203], ".r../..../...r/.r.r/..../..r./...r/....")),
];

fn player(algorithm: Algorithm, evaluation: PublishedEvaluation, depth: u32) -> PublishedPlayer {
    PublishedPlayer {
        algorithm,
        evaluation,
        depth,
        sign: Sign::AsPublished,
    }
}

/// The board as the report draws it: rows from square 1 on, kings with capital letters.
fn drawn(position: &CheckersState) -> String {
    const LETTERS: [(&str, char); 4] = [
        ("red", 'r'),
        ("red_king", 'R'),
        ("black", 'b'),
        ("black_king", 'B'),
    ];
    let facts = NativeEngine::<Checkers>::default().state_text(position);
    let letter = |row: u8, column: u8| {
        let file = char::from(b'a' + 2 * column + (row + 1) % 2);
        let holds = |piece: &str| facts.contains(&format!("(cell {file} {} {piece})", 8 - row));
        let known = LETTERS.iter().find(|(piece, _)| holds(piece));
        known.map_or('.', |(_, letter)| *letter)
    };
    let rows = (0..8).map(|row| (0..4).map(|column| letter(row, column)).collect());
    let rows: Vec<String> = rows.collect();
    rows.join("/")
}

/// How a game of red against black goes.
fn row(game: &PlayedGame) -> (Ending, [u32; 2], [u64; 4], String) {
    let [black, red] = game.accounts;
    let nodes = [red, black].map(|account| account.nodes);
    let [red_nodes, black_nodes] = nodes;
    let searched = [
        red_nodes.leaf,
        red_nodes.expanded,
        black_nodes.leaf,
        black_nodes.expanded,
    ];
    (
        game.ending,
        [red.turns, black.turns],
        searched,
        drawn(&game.last),
    )
}

fn assert_row(players: [PublishedPlayer; 2], (ending, turns, nodes, board): ExpectedRow) {
    let [red, black] = players;
    let game = play([Some(black), Some(red)]);
    assert_eq!(
        row(&game),
        (ending, turns, nodes, board.to_owned()),
        "{players:?}"
    );
}

/// Whichever algorithm searches for whom, the 72 games are these 18.
#[test]
fn all_games_come_out_node_for_node() {
    use Algorithm::{AlphaBeta, MinimaxAb};
    for (depth, games) in [(2, DEPTH_TWO), (4, DEPTH_FOUR)] {
        for ([red, black], row) in games {
            for [of_red, of_black] in [[MinimaxAb, AlphaBeta], [AlphaBeta, MinimaxAb]] {
                let players = [player(of_red, red, depth), player(of_black, black, depth)];
                assert_row(players, row);
            }
        }
    }
}

/// The third sample run.
#[test]
fn a_game_at_depth_six() {
    let players = [
        player(Algorithm::MinimaxAb, Three, 6),
        player(Algorithm::AlphaBeta, Three, 6),
    ];
    let nodes = [170_008, 234_729, 165_402, 280_880];
    assert_row(
        players,
        (Draw, LONG, nodes, ".B../bb../bb../..../..../..R./br../...."),
    );
}

/// The fifth sample run: a person makes the first turn of the list, and red's 24th turn blocks red.
#[test]
fn a_player_who_blocks_himself_has_lost() {
    let red = player(Algorithm::MinimaxAb, Three, 4);
    let game = play([None, Some(red)]);
    assert_eq!((game.ending, game.accounts[1].turns), (Black, 24));
    assert_eq!(drawn(&game.last), "B.../..../..../..../.b../.b../.r.b/.bbb");
    let always_first = player(Algorithm::AlphaBeta, PublishedEvaluation::Constant, 1);
    assert_eq!(play([Some(always_first), Some(red)]).turns, game.turns);
}

/// The two games whose turns are printed. Both end in a shuffle.
#[test]
fn two_games_come_out_move_for_move() {
    let first = "
        1. 21-17 12-16  2. 17-13 11-15  3. 25-21 10-14  4. 22-17 7-10  5. 26-22 2-7  6. 24-20 7-11
        7. 27-24 3-7  8. 29-25 8-12  9. 30-26 4-8  10. 31-27 14-18  11. 23x14 9x18  12. 26-23 6-9
        13. 13x6 15-19  14. 22x15 19x26  15. 6-2 10x19  16. 24x15 11x18  17. 2x11x4 26-30
        18. 20x11 30-26  19. 25-22 18x25  20. 27-23 26x19  21. 28-24 19x28  22. 17-14 25-29
        23. 4-8 1-6  24. 8-3 28-24  25. 3-7 29-25  26. 7-3 12-16  27. 3-7 25-30  28. 7-3 16-19
        29. 3-7 19-23  30. 7-3 23-26  31. 32-27 24x31  32. 3-7 31-27  33. 11-8 26-31  34. 8-4 27-23
        35. 4-8 23-19  36. 21-17 19-15  37. 17-13 15-19  38. 8-4 19-15";
    assert_turns(2, first, ["4-8", "15-19", "8-4", "19-15"]);
    let tenth = "
        1. 21-17 9-14  2. 25-21 10-15  3. 17x10 7x14  4. 23-18 14x23  5. 26x19x10 6x15  6. 24-19 15x24
        7. 28x19 1-6  8. 19-15 11x18x25  9. 29x22 6-10  10. 21-17 10-14  11. 17x10 12-16
        12. 27-23 8-11  13. 22-18 16-20  14. 31-27 11-16  15. 10-6 2x9  16. 18-14 9x18  17. 23x14 5-9
        18. 14x5 3-7  19. 5-1 4-8  20. 27-23 20-24  21. 1-5 24-27  22. 5-1 7-11  23. 23-18 8-12
        24. 32x23 16-20  25. 18-14 11-15  26. 1-5 15-19  27. 23x16 12x19  28. 5-1 19-23  29. 1-6 23-27
        30. 30-26 20-24  31. 6-1 24-28  32. 1-6 27-31  33. 26-22 31-26  34. 22-18 28-32
        35. 18-15 26-22  36. 6-9 22-17  37. 14-10 17-22  38. 10-6 22-18  39. 15-11 18-15  40. 11-8 15-10
        41. 6-1 10-7  42. 1-5 7-10";
    assert_turns(4, tenth, ["5-1", "10-7", "1-5", "7-10"]);
}

fn assert_turns(depth: u32, opening: &str, shuffle: [&str; 4]) {
    let game = play([
        Some(player(Algorithm::AlphaBeta, One, depth)),
        Some(player(Algorithm::MinimaxAb, One, depth)),
    ]);
    let turns: Vec<String> = game.turns.iter().map(CheckersTurn::text).collect();
    let known = opening
        .split_whitespace()
        .filter(|word| word.contains(['-', 'x']));
    let known: Vec<&str> = known.chain(shuffle.into_iter().cycle()).take(159).collect();
    assert_eq!(turns, known);
}

/// With the sign corrected two more games are won at depth 4, and two are won a turn earlier.
#[test]
fn the_corrected_sign_finds_wins() {
    let mended = |depth, evaluation| PublishedPlayer {
        sign: Sign::Corrected,
        ..player(Algorithm::MinimaxAb, evaluation, depth)
    };
    let known = [
        ([One, Two], Black, [38, 39]),
        ([Two, Three], Red, [24, 24]),
        ([Three, Two], Black, [19, 19]),
        ([Three, Three], Red, [21, 21]),
    ];
    for ([red, black], ending, turns) in known {
        let game = play([Some(mended(4, black)), Some(mended(4, red))]);
        let alpha_beta = |player| PublishedPlayer {
            algorithm: Algorithm::AlphaBeta,
            ..player
        };
        let again = [mended(4, black), mended(4, red)].map(|player| Some(alpha_beta(player)));
        assert_eq!(play(again), game);
        let (ended, lengths, ..) = row(&game);
        assert_eq!((ended, lengths), (ending, turns));
    }
}
