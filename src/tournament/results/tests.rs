use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::statistics::{
    EloDifference, ResultCounts, StrengthScale, Verdict, elo_of_score, score_of_elo,
};
use crate::tournament::fixture::{game, header};
use crate::tournament::{EndlessResult, GameEnd};

/// Players and their strengths in Elo points.
const PLAYERS: [(&str, f64); 3] = [("weak", -120.0), ("good", 20.0), ("best", 100.0)];
/// What it is worth to move first, in Elo points.
const FIRST: f64 = 50.0;

/// A round robin in pairs of games, so many for every two players.
fn tournament(pairs: u64, seed: u64) -> Vec<FinishedGame> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut games = Vec::new();
    for (place, (one, elo)) in PLAYERS.iter().enumerate() {
        for (other, others) in &PLAYERS[place + 1..] {
            for _ in 0..pairs {
                let number = games.len() as u64;
                let goals = drawn(elo - others + FIRST, &mut rng);
                games.push(game(number, [one, other], goals));
                let goals = drawn(others - elo + FIRST, &mut rng);
                games.push(game(number + 1, [other, one], goals));
            }
        }
    }
    games
}

fn drawn(lead: f64, rng: &mut impl Rng) -> [u8; 2] {
    let expected = score_of_elo(lead);
    let draws = 0.5 * expected.min(1.0 - expected);
    match rng.random::<f64>() {
        chance if chance < draws => [50, 50],
        chance if chance < expected + draws / 2.0 => [100, 0],
        _ => [0, 100],
    }
}

fn names(table: &ResultTable) -> Vec<&str> {
    table
        .standings
        .iter()
        .map(|one| one.player.as_str())
        .collect()
}

#[test]
fn the_order_of_the_games_does_not_matter() {
    let header = header(&PLAYERS.map(|(name, _)| name));
    let mut games = tournament(30, 5);
    let expected = Standings::of(&header, &games).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..5 {
        games.shuffle(&mut rng);
        assert_eq!(Standings::of(&header, &games).unwrap(), expected);
    }
    assert_eq!(names(&expected.all), ["best", "good", "weak"]);
    assert_eq!((expected.all.games, expected.all.different), (180, 180));
    let json = serde_json::to_value(&expected).unwrap();
    assert_eq!(json["standings"][0]["player"], "best");
    assert_eq!(json["by_game"][0]["game"], "nim");
}

#[test]
fn the_table_of_two_players_is_that_of_their_pairs() {
    let header = header(&["a", "b"]);
    // Pairs with 2, 1½, 1 and 1 points for a.
    let goals = [
        [100, 0],
        [0, 100],
        [50, 50],
        [0, 100],
        [50, 50],
        [50, 50],
        [100, 0],
        [100, 0],
    ];
    let players = [["a", "b"], ["b", "a"]];
    let games: Vec<FinishedGame> = (0..8)
        .map(|number| game(number, players[number as usize % 2], goals[number as usize]))
        .collect();
    let found = Standings::of(&header, &games).unwrap().all;
    let pair = &found.pairs[0];
    assert_eq!(pair.players, ["a", "b"]);
    assert_eq!(
        (pair.won, pair.drawn, pair.lost, pair.pairs),
        (4, 3, 1, Some([0, 0, 2, 1, 1]))
    );
    let expected = EloDifference::of(&ResultCounts::Pairs([0, 0, 2, 1, 1])).unwrap();
    assert_eq!(
        (pair.games, pair.score, pair.elo),
        (8, expected.score, expected.elo)
    );
    assert_eq!(
        (pair.score_error, pair.elo_interval, pair.superiority),
        (None, None, None),
        "four pairs say too little"
    );
    let [first, second] = &found.standings[..] else {
        panic!("{found:?}");
    };
    assert_eq!(
        (first.won, first.drawn, first.lost, first.points),
        (4, 3, 1, Some(68.75))
    );
    assert_eq!((second.points, second.points_error), (Some(31.25), None));
    let lead = first.elo.unwrap() - second.elo.unwrap();
    assert!((lead - expected.elo.unwrap()).abs() < 1e-6);
    assert_eq!(
        (first.error, first.superiority),
        (None, None),
        "four pairs say too little"
    );
    assert_eq!(
        (first.decisions, first.seconds_per_move),
        (36, Some(3.0 / 36.0))
    );
    assert_eq!(found.first_mover.unwrap().mean, 56.25);
    let roles: Vec<(&str, bool, f64)> = found
        .roles
        .iter()
        .map(|one| (one.role.as_str(), one.is_first, one.points.mean))
        .collect();
    assert_eq!(roles, [("red", true, 56.25), ("blue", false, 43.75)]);
}

/// Ten pairs are enough, unless they are all alike.
#[test]
fn errors_need_enough_pairs_that_differ() {
    let header = header(&["a", "b"]);
    let players = [["a", "b"], ["b", "a"]];
    let first = |games: u64, drawn: u64| {
        let goals = |number: u64| match number % 2 {
            _ if number < drawn => [50, 50],
            0 => [100, 0],
            _ => [0, 100],
        };
        let games: Vec<FinishedGame> = (0..games)
            .map(|number| game(number, players[number as usize % 2], goals(number)))
            .collect();
        Standings::of(&header, &games).unwrap().all
    };
    let played = |drawn: u64| first(20, drawn);
    let differ = played(2);
    let expected = EloDifference::of(&ResultCounts::Pairs([0, 0, 1, 0, 9])).unwrap();
    let pair = &differ.pairs[0];
    assert_eq!(pair.score_error, Some(expected.score_error));
    assert_eq!(pair.elo_interval, Some(expected.elo_interval));
    assert_eq!(pair.superiority, Some(expected.superiority));
    assert!(differ.standings[0].points_error.is_some());
    // A pair of which one game is still to be played changes no error.
    let pair = &first(21, 2).pairs[0];
    assert_eq!((pair.games, pair.won, pair.drawn), (21, 19, 2));
    assert_eq!(pair.score_error, Some(expected.score_error));
    let ends = [-1.0, 1.0].map(|sign| elo_of_score(pair.score + sign * expected.score_error));
    assert_eq!(pair.elo_interval, Some(ends));
    assert_eq!(first(19, 2).pairs[0].score_error, None, "nine pairs");
    let alike = played(0);
    let pair = &alike.pairs[0];
    assert_eq!((pair.score, pair.score_error), (1.0, None));
    assert_eq!((pair.elo, pair.elo_interval), (None, None));
    assert_eq!(pair.superiority, Some(1.0));
    assert_eq!(alike.standings[0].points_error, None);
    assert_eq!(alike.first_mover.unwrap().error, None);
}

#[test]
fn endless_games_count_as_the_plan_says() {
    let mut header = header(&["a", "b"]);
    let endless = FinishedGame {
        goals: Vec::new(),
        end: GameEnd::Repetition,
        errors: vec![2, 0],
        late: vec![1, 0],
        ..game(1, ["b", "a"], [0, 0])
    };
    let stuck = FinishedGame {
        goals: Vec::new(),
        end: GameEnd::Stuck,
        hash: endless.hash.clone(),
        ..game(3, ["b", "a"], [0, 0])
    };
    let games = [game(0, ["a", "b"], [75, 25]), endless, stuck];
    let drawn = Standings::of(&header, &games).unwrap().all;
    assert_eq!(
        (
            drawn.games,
            drawn.without_result,
            drawn.endless,
            drawn.different
        ),
        (3, 1, 1, 2)
    );
    assert_eq!((drawn.errors, drawn.late), (2, 1));
    assert_eq!(drawn.standings[0].points, Some(62.5));
    // Whoever plays alone does not win by having no end.
    let mut alone = header.clone();
    alone.games[0].roles.truncate(1);
    let mut endless = games[1].clone();
    endless.players.truncate(1);
    endless.decisions.truncate(1);
    endless.seconds.truncate(1);
    endless.errors.truncate(1);
    endless.late.truncate(1);
    let standings = Standings::of(&alone, &[endless]).unwrap().all.standings;
    assert_eq!((standings[0].won, standings[0].drawn), (0, 1));
    header.endless = EndlessResult::None;
    let without = Standings::of(&header, &games).unwrap().all;
    assert_eq!((without.without_result, without.endless), (2, 1));
    assert_eq!(without.standings[0].points, Some(75.0));
    assert_eq!(without.standings[1].errors, 2);
}

#[test]
fn a_role_of_chance_has_no_player_and_several_roles_are_compared_two_by_two() {
    let mut header = header(&["a", "b", "c"]);
    header.games[0].roles = ["red", "random", "green", "blue"]
        .map(str::to_owned)
        .to_vec();
    let players = [Some("a"), None, Some("b"), Some("c")];
    let of = |number, goals: [Option<u8>; 4]| FinishedGame {
        players: players.map(|name| name.map(str::to_owned)).to_vec(),
        goals: goals.to_vec(),
        decisions: vec![1; 4],
        seconds: vec![0.0; 4],
        errors: vec![0; 4],
        late: vec![0; 4],
        ..game(number, ["a", "b"], [0, 0])
    };
    let games = [
        of(0, [Some(60), None, Some(40), Some(0)]),
        of(2, [Some(0), None, Some(40), Some(60)]),
        of(4, [Some(50), None, Some(40), Some(10)]),
    ];
    let found = Standings::of(&header, &games).unwrap().all;
    assert_eq!(names(&found), ["a", "b", "c"]);
    assert_eq!(found.standings[0].won, 2);
    assert_eq!(found.standings[1].points, Some(40.0));
    assert_eq!(found.pairs.len(), 3);
    let roles: Vec<&str> = found.roles.iter().map(|one| one.role.as_str()).collect();
    assert_eq!(roles, ["red", "green", "blue"]);
}

#[test]
fn games_that_do_not_fit_are_refused() {
    let header = header(&["a", "b"]);
    let twice = [game(3, ["a", "b"], [100, 0]), game(3, ["b", "a"], [100, 0])];
    assert!(matches!(
        Standings::of(&header, &twice),
        Err(LogFault::Twice(3))
    ));
    let other = [game(0, ["a", "z"], [100, 0])];
    assert!(matches!(
        Standings::of(&header, &other),
        Err(LogFault::UnknownPlayer(_))
    ));
    let nothing = Standings::of(&header, &[]).unwrap();
    assert!(nothing.all.standings.is_empty() && nothing.by_game.is_empty());
}

#[test]
fn a_test_takes_whole_pairs_in_their_order() {
    let mut header = header(&["b", "a"]);
    header.sprt = Some(Hypotheses {
        elo0: 0.0,
        elo1: 50.0,
        alpha: 0.05,
        beta: 0.05,
        scale: StrengthScale::Logistic,
    });
    let games: Vec<FinishedGame> = (0..101)
        .map(|number| match number % 2 {
            0 => game(number, ["a", "b"], [0, 100]),
            _ => game(
                number,
                ["b", "a"],
                [[100, 0], [50, 50]][number as usize % 3 % 2],
            ),
        })
        .collect();
    let found = Standings::of(&header, &games).unwrap().sprt.unwrap();
    assert_eq!(found.players, ["b", "a"]);
    assert_eq!(
        found.counts.iter().sum::<u64>(),
        50,
        "the last game has no partner yet"
    );
    let [_, _, _, three, four] = found.counts[..] else {
        panic!("{found:?}");
    };
    assert_eq!(three + four, 50);
    assert_eq!(found.sprt.verdict, Verdict::Elo1);
    assert_eq!(found.history.len(), 50);
    assert_eq!((found.history[0].games, found.history[49].games), (2, 100));
    assert_eq!(found.history[49].llr, found.sprt.llr);
    header.players.push(header.players[0].clone());
    header.players[2].name = "c".to_owned();
    assert_eq!(
        Standings::of(&header, &games).unwrap().sprt,
        None,
        "three players"
    );
}

/// Of 95 % intervals, 95 % hold what is true: those of points, of Elo points and of the first mover.
#[test]
fn intervals_cover_what_is_true() {
    const TOURNAMENTS: u64 = 700;
    let header = header(&PLAYERS.map(|(name, _)| name));
    let against = |lead: f64| {
        100.0 * f64::midpoint(score_of_elo(lead + FIRST), 1.0 - score_of_elo(FIRST - lead))
    };
    let mut covered = [0_u32; 2];
    for seed in 0..TOURNAMENTS {
        let found = Standings::of(&header, &tournament(40, seed)).unwrap().all;
        for (name, elo) in PLAYERS {
            let one = found
                .standings
                .iter()
                .find(|one| one.player == name)
                .unwrap();
            let others = PLAYERS.iter().filter(|(other, _)| *other != name);
            let points = others.map(|(_, others)| against(elo - others)).sum::<f64>() / 2.0;
            let off = one.points.unwrap() - points;
            covered[0] += u32::from(off.abs() <= one.points_error.unwrap());
        }
        let first = found.first_mover.unwrap();
        let leads = PLAYERS.iter().enumerate().flat_map(|(place, (_, elo))| {
            PLAYERS[place + 1..]
                .iter()
                .map(move |(_, others)| elo - others)
        });
        let of_first =
            |lead: f64| f64::midpoint(score_of_elo(lead + FIRST), score_of_elo(FIRST - lead));
        let expected = 100.0 * leads.map(of_first).sum::<f64>() / 3.0;
        covered[1] += u32::from((first.mean - expected).abs() <= first.error.unwrap());
    }
    let share = |covered: u32, of: u64| f64::from(covered) / of as f64;
    let shares = [
        share(covered[0], 3 * TOURNAMENTS),
        share(covered[1], TOURNAMENTS),
    ];
    assert!(
        shares.iter().all(|share| (0.93..0.972).contains(share)),
        "{shares:?}"
    );
}
