//! Tournaments: interrupted, killed, split up and put together again, they end in the same table.

mod killed;
mod plans;
mod positions;
#[cfg(unix)]
mod schedulers;
mod shards;

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use kolibri::tournament::{FinishedGame, Standings, TournamentLog};

use crate::cli::{Ended, Folder};

/// A plan of random players at tic-tac-toe.
fn random_plan(rounds: u64, more: &str) -> String {
    format!(
        "games = [\"tictactoe\"]\nrounds = {rounds}\nseed = 5\n{more}\n[[players]]\nname = \"A\"\nplayer = \"random\"\n\
         [[players]]\nname = \"B\"\nplayer = \"random\"\n"
    )
}

fn read(path: &Path) -> TournamentLog {
    let file = File::open(path).unwrap();
    TournamentLog::read(BufReader::new(file)).unwrap()
}

/// The games of a log that count by their numbers, without the times that they took.
fn games(path: &Path) -> Vec<FinishedGame> {
    let mut games = read(path).counted_games();
    games.sort_by_key(|game| game.number);
    for game in &mut games {
        game.seconds.fill(0.0);
    }
    games
}

/// What these games say.
fn table(path: &Path) -> serde_json::Value {
    let header = read(path).header;
    serde_json::to_value(Standings::of(&header, &games(path)).unwrap()).unwrap()
}

fn run(folder: &Folder, words: &str) -> Ended {
    let words: Vec<&str> = ["tournament"].into_iter().chain(words.split(' ')).collect();
    folder.run(&words)
}

#[test]
fn results_do_not_depend_on_how_many_games_are_played_at_once() {
    let folder = Folder::new().with("cup.toml", random_plan(20, "[openings]\nplies = 2\n"));
    for (log, at_once) in [("one.jsonl", "1"), ("three.jsonl", "3")] {
        let ended = run(
            &folder,
            &format!("cup.toml --log {log} --concurrency {at_once}"),
        );
        assert_eq!(ended.status, 0, "{}", ended.shown());
        assert!(ended.err.contains("40 games; "), "{}", ended.err);
    }
    let [one, three] = ["one.jsonl", "three.jsonl"].map(|log| folder.path().join(log));
    assert_eq!(games(&one).len(), 40);
    assert_eq!(games(&one), games(&three));
    let different: std::collections::HashSet<String> =
        games(&one).into_iter().map(|game| game.hash).collect();
    assert!(different.len() > 30, "each game has chance of its own");
}

/// Both games of a pair begin alike, with the roles exchanged.
#[test]
fn pairs_share_an_opening() {
    let folder = Folder::new().with(
        "cup.toml",
        random_plan(5, "keep_moves = true\n[openings]\nplies = 2\n"),
    );
    assert_eq!(run(&folder, "cup.toml").status, 0);
    let games = games(&folder.path().join("cup.games.jsonl"));
    for pair in games.chunks(2) {
        let opening = |game: &FinishedGame| game.moves.as_ref().unwrap()[..2].to_vec();
        assert_eq!(opening(&pair[0]), opening(&pair[1]));
        assert_eq!(pair[0].pair, pair[1].pair);
        let exchanged: Vec<_> = pair[1].players.iter().rev().cloned().collect();
        assert_eq!(pair[0].players, exchanged);
    }
    assert_ne!(
        games[0].moves.as_ref().unwrap()[..2],
        games[2].moves.as_ref().unwrap()[..2]
    );
}

#[test]
fn a_finished_tournament_is_not_played_again() {
    let folder = Folder::new().with("cup.toml", random_plan(3, ""));
    let first = run(&folder, "cup.toml");
    let log = fs::read(folder.path().join("cup.games.jsonl")).unwrap();
    let again = run(&folder, "cup.toml");
    assert_eq!((first.status, again.status), (0, 0));
    assert_eq!(first.out, again.out);
    assert_eq!(
        fs::read(folder.path().join("cup.games.jsonl")).unwrap(),
        log
    );
    let status = run(&folder, "cup.toml --status");
    assert_eq!(status.out, first.out);
    assert!(
        status.err.contains("6 of 6 games, nobody plays"),
        "{}",
        status.err
    );
}

#[test]
fn a_plan_that_was_corrected_before_any_game_is_played() {
    let opening = |plies: usize| random_plan(3, &format!("[openings]\nplies = {plies}\n"));
    let folder = Folder::new().with("cup.toml", opening(99));
    let refused = run(&folder, "cup.toml");
    assert!(
        refused.err.contains("no opening of 99 plies"),
        "{}",
        refused.err
    );
    fs::write(folder.path().join("cup.toml"), opening(2)).unwrap();
    let played = run(&folder, "cup.toml");
    assert_eq!(played.status, 0, "{}", played.err);
}

#[test]
fn the_first_failure_of_a_player_is_told() {
    let plan = random_plan(2, "start_clock = 1\nplay_clock = 1\n");
    let plan = plan.replacen("player = \"random\"", "player = \"remote:127.0.0.1:1\"", 1);
    let folder = Folder::new().with("cup.toml", plan);
    let played = run(&folder, "cup.toml");
    assert_eq!(played.status, 0, "{}", played.shown());
    let told: Vec<&str> = played
        .err
        .lines()
        .filter(|line| line.contains("failure"))
        .collect();
    let [only] = told[..] else { panic!("{told:?}") };
    assert!(
        only.starts_with("the first failure of A, in game ")
            && only.contains("no answer (CE): 127.0.0.1:1"),
        "{only}"
    );
}

#[test]
fn another_plan_is_refused_with_what_differs() {
    let folder = Folder::new().with("cup.toml", random_plan(3, ""));
    assert_eq!(run(&folder, "cup.toml").status, 0);
    let log = fs::read(folder.path().join("cup.games.jsonl")).unwrap();
    fs::write(
        folder.path().join("cup.toml"),
        random_plan(4, "max_plies = 5\n"),
    )
    .unwrap();
    let refused = run(&folder, "cup.toml");
    assert_eq!(refused.status, 2);
    let expected =
        "is the log of another tournament: max_plies was 2000, and is 5; rounds was 3, and is 4";
    assert!(refused.err.contains(expected), "{}", refused.err);
    assert_eq!(
        fs::read(folder.path().join("cup.games.jsonl")).unwrap(),
        log
    );
}

#[test]
fn a_second_process_is_told_who_plays() {
    let folder = Folder::new().with("cup.toml", random_plan(3, ""));
    assert_eq!(run(&folder, "cup.toml").status, 0);
    let path = folder.path().join("cup.games.jsonl");
    let header = read(&path).header;
    let (_writer, log) = kolibri::tournament::LogWriter::open(&path, &header).unwrap();
    assert_eq!(log.games.len(), 6);
    let refused = run(&folder, "cup.toml");
    assert_eq!(refused.status, 2);
    let expected = format!("is being written by process {}", std::process::id());
    assert!(refused.err.contains(&expected), "{}", refused.err);
    let status = run(&folder, "cup.toml --status");
    assert!(
        status.err.contains("being played by process"),
        "{}",
        status.err
    );
}

#[test]
fn a_torn_line_is_played_again() {
    let folder = Folder::new().with("cup.toml", random_plan(4, ""));
    assert_eq!(run(&folder, "cup.toml").status, 0);
    let path = folder.path().join("cup.games.jsonl");
    let (whole, before) = (games(&path), fs::read_to_string(&path).unwrap());
    fs::write(&path, &before[..before.len() - 20]).unwrap();
    let ended = run(&folder, "cup.toml");
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert!(
        ended
            .err
            .contains("line 9 has no end and counts for nothing"),
        "{}",
        ended.err
    );
    assert_eq!(games(&path), whole);
}

#[test]
fn a_test_ends_the_tournament_early_and_always_at_the_same_game() {
    let plan = "games = [\"tictactoe\"]\nrounds = 1000\n[sprt]\nelo0 = 0.0\nelo1 = 50.0\n[[players]]\nname = \"A\"\n\
                player = \"minimax:depth=3,heuristic=none\"\n[[players]]\nname = \"B\"\nplayer = \"random\"\n";
    let folder = Folder::new().with("cup.toml", plan);
    let tables = ["1", "3"].map(|at_once| {
        let log = format!("{at_once}.jsonl");
        let ended = run(
            &folder,
            &format!("cup.toml --log {log} --concurrency {at_once} --json"),
        );
        assert_eq!(ended.status, 0, "{}", ended.shown());
        table(&folder.path().join(log))
    });
    assert_eq!(tables[0], tables[1]);
    assert_eq!(tables[0]["sprt"]["verdict"], "elo1");
    let games = &tables[0]["standings"][0]["games"];
    assert!(games.as_u64().unwrap() < 200, "{games}");
}

#[test]
fn a_swiss_tournament_depends_on_results_only() {
    let mut plan = "games = [\"tictactoe\"]\nschedule = \"swiss\"\n".to_owned();
    for player in 0..6 {
        plan += &format!("[[players]]\nname = \"P{player}\"\nplayer = \"random\"\n");
    }
    let folder = Folder::new().with("cup.toml", plan);
    for (log, at_once) in [("one.jsonl", "1"), ("three.jsonl", "3")] {
        let ended = run(
            &folder,
            &format!("cup.toml --log {log} --concurrency {at_once}"),
        );
        assert_eq!(ended.status, 0, "{}", ended.shown());
    }
    let [one, three] = ["one.jsonl", "three.jsonl"].map(|log| games(&folder.path().join(log)));
    // Three rounds of three pairs in both roles.
    assert_eq!(one.len(), 18);
    assert_eq!(one, three);
    let refused = run(&folder, "cup.toml --shard 1/2");
    assert_eq!(refused.status, 2);
    assert!(
        refused.err.contains("depends on results"),
        "{}",
        refused.err
    );
}

#[test]
fn records_are_kept_and_verified() {
    let folder = Folder::new().with("cup.toml", random_plan(2, ""));
    assert_eq!(run(&folder, "cup.toml --record records").status, 0);
    let verified = folder.run(&["verify", "records"]);
    assert!(
        verified.out.contains("4 passed, 0 failed"),
        "{}",
        verified.shown()
    );
    let records = games(&folder.path().join("cup.games.jsonl"));
    for game in records {
        assert!(folder.path().join(game.record.unwrap()).exists());
    }
}
