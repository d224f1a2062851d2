//! The games of a student project in checkers: all that its report prints, and the ones it leaves out.
//!
//! `cargo test --release --test all published -- --include-ignored` plays all of them.

use kolibri::native::Checkers;
use kolibri::native::NativeRules;
use kolibri::native::checkers::published::{
    LeafSign, PublishedAlgorithm, PublishedEnding, PublishedEvaluation, PublishedGame,
    PublishedPairing, PublishedPlayer, SearchCounts, SearchTask, board_rows, full_simulation,
    sample_run,
};
use kolibri::native::checkers::{CheckersState, CheckersTurn};
use kolibri::util::StopFlag;

/// The ending, the turns of red and black, and the leaves and turns that red and black searched.
type ExpectedRow = (PublishedEnding, [u32; 2], [u64; 4], &'static str);

/// The players, red first, and how their game goes.
type ExpectedGame = ([PublishedEvaluation; 2], ExpectedRow);

use PublishedAlgorithm::{AlphaBeta, MinimaxAb};
use PublishedEnding::{Black, Draw, Red};
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

fn player(
    algorithm: PublishedAlgorithm,
    evaluation: PublishedEvaluation,
    depth: u32,
) -> PublishedPlayer {
    PublishedPlayer {
        algorithm,
        evaluation,
        depth,
        ..PublishedPlayer::default()
    }
}

fn play(red: PublishedPlayer, black: PublishedPlayer) -> PublishedGame {
    let game = PublishedPairing { red, black }.play(1, &StopFlag::default());
    game.expect("nobody stops it")
}

fn drawn(game: &PublishedGame) -> String {
    board_rows(&game.last).map(String::from_iter).join("/")
}

fn assert_row(game: &PublishedGame, (ending, turns, nodes, board): ExpectedRow, who: &str) {
    let [red, black] = [1, 0].map(|player| game.of_player(player));
    let searched = [red.counts, black.counts].map(|counts| [counts.leaf, counts.expanded]);
    let found = (
        game.ending,
        [red.turns, black.turns],
        searched.concat(),
        drawn(game),
    );
    assert_eq!(
        found,
        (ending, turns, nodes.to_vec(), board.to_owned()),
        "{who}"
    );
}

/// Whichever algorithm searches for whom, the 72 games are these 18. The other two combinations are left to `the_72_games`.
#[test]
fn all_games_come_out_node_for_node() {
    for (depth, games) in [(2, DEPTH_TWO), (4, DEPTH_FOUR)] {
        for ([red, black], row) in games {
            let (one, other) = match depth {
                2 => (AlphaBeta, MinimaxAb),
                _ => (MinimaxAb, AlphaBeta),
            };
            let game = play(player(one, red, depth), player(other, black, depth));
            assert_row(&game, row, &format!("{red:?} {black:?} {depth}"));
        }
    }
}

/// Every one of them, with the totals of the report: 56 draws, 12 wins of black, 4 of red.
#[test]
#[ignore = "takes a minute without optimisation"]
fn the_72_games() {
    let games = full_simulation(&[2, 4], &PublishedPlayer::default());
    let rows = DEPTH_TWO.into_iter().cycle().take(36);
    let rows = rows.chain(DEPTH_FOUR.into_iter().cycle().take(36));
    let mut endings = Vec::new();
    for (pairing, (evaluations, row)) in games.iter().zip(rows) {
        assert_eq!(
            [pairing.red.evaluation, pairing.black.evaluation],
            evaluations
        );
        let game = pairing
            .play(1, &StopFlag::default())
            .expect("nobody stops it");
        assert_row(&game, row, &format!("{pairing:?}"));
        endings.push(game.ending);
    }
    let of = |ending| endings.iter().filter(|one| **one == ending).count();
    assert_eq!([of(Draw), of(Black), of(Red)], [56, 12, 4]);
}

fn assert_deep_run(number: u8, nodes: [u64; 4], board: &'static str) {
    let pairing = sample_run(number).expect("a sample run");
    let game = pairing
        .play(1, &StopFlag::default())
        .expect("nobody stops it");
    assert_row(&game, (Draw, LONG, nodes, board), &number.to_string());
}

/// The third sample run.
#[test]
fn a_game_at_depth_six() {
    let nodes = [170_008, 234_729, 165_402, 280_880];
    assert_deep_run(3, nodes, ".B../bb../bb../..../..../..R./br../....");
}

/// The fourth.
#[test]
#[ignore = "takes a minute without optimisation"]
fn a_game_at_depth_eight() {
    let nodes = [685_938, 1_005_163, 480_809, 814_838];
    assert_deep_run(4, nodes, "..../bB../..../..../.R../..../..../....");
}

/// The first two sample runs are games of the tables. In the fifth a person makes the first turn of the list, and red's 24th turn
/// blocks red, who has lost at once.
#[test]
fn a_player_who_blocks_himself_has_lost() {
    for (number, depth) in [(1, 2), (2, 4)] {
        let [red, black] = [One, Three].map(|evaluation| player(AlphaBeta, evaluation, depth));
        assert_eq!(sample_run(number), Some(PublishedPairing { red, black }));
    }
    let pairing = sample_run(5).expect("a sample run");
    let game = pairing
        .play(1, &StopFlag::default())
        .expect("nobody stops it");
    assert_eq!((game.ending, game.of_player(1).turns), (Black, 24));
    assert_eq!(drawn(&game), "B.../..../..../..../.b../.b../.r.b/.bbb");
    assert_eq!(sample_run(6), None);
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
    let game = play(player(MinimaxAb, One, depth), player(AlphaBeta, One, depth));
    let turns = game.turns.iter().map(|played| played.turn.text());
    let turns: Vec<String> = turns.collect();
    let known = opening
        .split_whitespace()
        .filter(|word| word.contains(['-', 'x']));
    let known: Vec<&str> = known.chain(shuffle.into_iter().cycle()).take(159).collect();
    assert_eq!(turns, known);
}

/// With the sign corrected two more games are won at depth 4, and two are won a turn earlier.
#[test]
fn the_corrected_sign_finds_wins() {
    let mended = |algorithm, evaluation| PublishedPlayer {
        sign: LeafSign::Corrected,
        ..player(algorithm, evaluation, 4)
    };
    let known = [
        ([One, Two], Black, [38, 39]),
        ([Two, Three], Red, [24, 24]),
        ([Three, Two], Black, [19, 19]),
        ([Three, Three], Red, [21, 21]),
    ];
    for ([red, black], ending, turns) in known {
        let game = play(mended(MinimaxAb, red), mended(AlphaBeta, black));
        let lengths = [1, 0].map(|player| game.of_player(player).turns);
        assert_eq!((game.ending, lengths), (ending, turns));
    }
}

/// Positions of games as they go, with what was played in them.
fn positions_of(game: &PublishedGame, step: usize) -> Vec<(Vec<CheckersState>, CheckersTurn)> {
    let after = game.turns.iter().map(|played| played.turn.after);
    let positions: Vec<_> = std::iter::once(Checkers::default().start())
        .chain(after)
        .collect();
    let turns = game.turns.iter().enumerate().step_by(step);
    turns
        .map(|(ply, played)| (positions[..=ply].to_vec(), played.turn.clone()))
        .collect()
}

fn chosen(
    player: &PublishedPlayer,
    positions: &[CheckersState],
) -> (Option<CheckersTurn>, SearchCounts) {
    let (position, past) = positions.split_last().expect("a position");
    let (rules, stop) = (Checkers::default(), StopFlag::default());
    let task = SearchTask {
        rules: &rules,
        position,
        past,
        seed: 1,
        stop: &stop,
    };
    let mut counts = SearchCounts::default();
    (player.choose(&task, &mut counts), counts)
}

/// An opponent who thinks as the player does is what the report supposes; it is searched without cutoffs, which shows that these
/// change nothing.
#[test]
fn an_opponent_of_the_same_mind_changes_nothing() {
    for evaluation in [One, Two, Three] {
        let plain = player(MinimaxAb, evaluation, 2);
        let modelling = PublishedPlayer {
            opponent: Some(evaluation),
            depth: 3,
            ..plain
        };
        for (positions, _) in positions_of(&play(plain, plain), 9) {
            for sign in [LeafSign::AsPublished, LeafSign::Corrected] {
                let plain = PublishedPlayer {
                    sign,
                    depth: 3,
                    ..plain
                };
                let modelling = PublishedPlayer { sign, ..modelling };
                let (turn, counts) = chosen(&plain, &positions);
                let (modelled, all) = chosen(&modelling, &positions);
                assert_eq!(turn, modelled, "{evaluation:?} {sign:?}");
                assert!(counts.expanded <= all.expanded);
            }
        }
    }
}

/// The futility cutoff never searches more, and both algorithms make the same of it.
#[test]
fn futility_cuts_off_more() {
    let plain = player(MinimaxAb, One, 4);
    let mut totals = [0, 0];
    for (positions, _) in positions_of(
        &play(player(MinimaxAb, One, 2), player(AlphaBeta, Two, 2)),
        11,
    ) {
        let futile = PublishedPlayer {
            futility: 40,
            ..plain
        };
        let other = PublishedPlayer {
            algorithm: AlphaBeta,
            ..futile
        };
        let (turn, counts) = chosen(&futile, &positions);
        assert_eq!((turn, counts), chosen(&other, &positions));
        totals[0] += counts.nodes();
        totals[1] += chosen(&plain, &positions).1.nodes();
    }
    assert!(totals[0] < totals[1], "{totals:?}");
}
