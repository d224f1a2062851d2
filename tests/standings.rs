//! Tables from the log of a tournament, in every form; and the log against the rules.

use std::collections::BTreeMap;

use kolibri::Match;
use kolibri::play::{Session, Spec};
use kolibri::tournament::{
    EndlessResult, FinishedGame, GameEnd, TournamentGame, TournamentHeader, TournamentPlayer,
    hash_of_moves,
};

use crate::cli::Folder;

/// Three players of tic-tac-toe, one of them under a name that tables must take care of.
const PLAYERS: [&str; 3] = ["first", "random:seed=1", "a|b <script>"];

/// A tournament in pairs of games of tic-tac-toe, with their moves.
pub(crate) fn log() -> String {
    let game = kolibri::Game::load("tictactoe").unwrap();
    let of_game = TournamentGame::new("tictactoe", &Session::new(&game), "tictactoe");
    assert_eq!(of_game.first, Some(0));
    let header = TournamentHeader {
        format: TournamentHeader::FORMAT,
        plan: "1".to_owned(),
        seed: 1,
        planned: Some(40),
        players: PLAYERS
            .iter()
            .map(|name| TournamentPlayer {
                name: (*name).to_owned(),
                spec: "random".to_owned(),
            })
            .collect(),
        games: vec![of_game],
        settings: BTreeMap::new(),
        endless: EndlessResult::Draw,
        sprt: None,
    };
    let mut log = header.to_line();
    for number in 0..36 {
        let pair = number / 2;
        let (one, other) = [(0, 1), (1, 2), (0, 2)][pair as usize % 3];
        let (one, other) = if number % 2 == 0 {
            (one, other)
        } else {
            (other, one)
        };
        let result = Match::new(&game)
            .player("x", Spec::Random { seed: None })
            .player("o", Spec::Random { seed: None })
            .seed(number)
            .run()
            .unwrap();
        let played = &result.games[0];
        log += &FinishedGame {
            number,
            game: "tictactoe".to_owned(),
            opening: pair,
            pair,
            players: vec![
                Some(PLAYERS[one].to_owned()),
                Some(PLAYERS[other].to_owned()),
            ],
            goals: played.goals.clone(),
            end: GameEnd::Terminal,
            note: None,
            plies: played.moves.len(),
            decisions: vec![4, 4],
            seconds: vec![0.001, 0.002],
            errors: vec![0, 1],
            late: vec![0, 0],
            hash: hash_of_moves(&played.moves),
            facts: Vec::new(),
            start: Vec::new(),
            moves: Some(played.moves.clone()),
            record: None,
        }
        .to_line();
    }
    log
}

#[test]
fn each_game_is_listed() {
    let counted = log().lines().count() - 1;
    let endless = log().replacen(
        r#""end":"terminal""#,
        r#""end":"repetition","facts":["(score x 5)","(score o 3)"]"#,
        1,
    );
    let folder = Folder::new().with("games.jsonl", endless);
    let run = |options: &[&str]| {
        let ended = folder.run(&[&["standings", "games.jsonl", "--games"], options].concat());
        assert_eq!((ended.status, ended.err.as_str()), (0, ""));
        ended.out
    };
    let text = run(&[]);
    let first = text.lines().nth(1).unwrap();
    for part in [
        "first : random:seed=1",
        "endless: repetition",
        "(score x 5) (score o 3)",
    ] {
        assert!(first.contains(part), "{text}");
    }
    assert_eq!(text.lines().count(), counted + 1);
    let csv = run(&["--csv"]);
    assert!(csv.starts_with("game,players,goals,end,plies,facts at the end\n1,first : "));
    assert_eq!(csv.lines().count(), counted + 1);
    assert_eq!(run(&["--markdown"]).lines().count(), counted + 2);
    let json: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    assert_eq!(json[0]["facts"][1], "(score o 3)");
    let page = folder.run(&["standings", "games.jsonl", "--games", "--html", "page.html"]);
    assert_eq!(page.status, 2, "{}", page.shown());
}

#[test]
fn every_form_has_every_player() {
    let folder = Folder::new().with("games.jsonl", log());
    let run = |options: &[&str]| {
        let ended = folder.run(&[&["standings", "games.jsonl"], options].concat());
        assert_eq!(
            (ended.status, ended.err.as_str()),
            (0, ""),
            "{}",
            ended.shown()
        );
        ended.out
    };
    let text = run(&[]);
    assert!(text.starts_with("36 games, "), "{text}");
    assert!(
        text.contains("(of 40 planned)") && text.contains("the role that moves first: "),
        "{text}"
    );
    for name in PLAYERS {
        assert!(text.contains(name), "{text}");
    }
    let json: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    assert_eq!(json["standings"].as_array().unwrap().len(), 3);
    assert_eq!(
        (&json["pairs"].as_array().unwrap().len(), &json["errors"]),
        (&3, &36.into())
    );
    let elo: f64 = (0..3)
        .map(|place| json["standings"][place]["elo"].as_f64().unwrap())
        .sum();
    assert!(elo.abs() < 1e-6);
    let csv = run(&["--csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 7, "{csv}");
    assert!(
        lines[0]
            .starts_with("game,place,player,games,won,drawn,lost,points,points_error,elo,error,")
    );
    let columns = |line: &str| line.split(',').count();
    assert!(
        lines.iter().all(|line| columns(line) == columns(lines[0])),
        "{csv}"
    );
    let markdown = run(&["--markdown"]);
    assert!(
        markdown.contains(r"a\|b \<script\>") && markdown.contains("| ---: | :--- |"),
        "{markdown}"
    );
    assert_eq!(
        folder
            .run_with_input(&["standings", "-"], log().as_bytes())
            .out,
        text
    );
}

#[test]
fn the_page_stands_alone_and_is_not_replaced() {
    let folder = Folder::new().with("games.jsonl", log());
    let words = ["standings", "games.jsonl", "--html", "page.html", "--quiet"];
    assert_eq!(folder.run(&words).status, 0);
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("a|b &lt;script&gt;"));
    assert!(
        !page.contains("<script") && !page.contains("http"),
        "it needs nothing else"
    );
    let again = folder.run(&words);
    assert_eq!(again.status, 2);
    assert!(again.err.contains("--force"), "{}", again.err);
    assert_eq!(folder.run(&[&words[..], &["--force"]].concat()).status, 0);
}

#[test]
fn a_narrow_terminal_gets_the_columns_that_matter() {
    let folder = Folder::new().with("games.jsonl", log());
    let mut command = assert_cmd::Command::cargo_bin("kolibri").unwrap();
    command.current_dir(folder.path()).env("COLUMNS", "50");
    let output = command.args(["standings", "games.jsonl"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let tables = text.lines().skip_while(|line| !line.is_empty());
    for line in tables.filter(|line| !line.starts_with("Won against")) {
        assert!(line.chars().count() <= 50, "{line}");
    }
    assert!(text.contains("Elo") && !text.contains("s/move"), "{text}");
}

#[test]
fn faults_are_told_with_file_line_and_column() {
    let good = log();
    let wrong = good.replacen("\"plies\":", "\"plys\":", 1);
    let torn = good.trim_end().to_owned();
    let folder = Folder::new()
        .with("wrong.jsonl", wrong)
        .with("torn.jsonl", torn)
        .with("rules.kif", "(role x)");
    let told = folder.run(&["standings", "wrong.jsonl"]);
    assert_eq!((told.status, told.out.as_str()), (2, ""));
    assert!(
        told.err.contains("wrong.jsonl:2:") && told.err.contains("unknown field `plys`"),
        "{}",
        told.err
    );
    let torn = folder.run(&["standings", "torn.jsonl"]);
    assert_eq!(torn.status, 0);
    assert!(
        torn.out.starts_with("35 games") && torn.err.contains("torn.jsonl: line 37"),
        "{}",
        torn.shown()
    );
    let rules = folder.run(&["standings", "rules.kif"]);
    assert!(
        rules.status == 2 && rules.err.contains("not the log of a tournament"),
        "{}",
        rules.err
    );
    let nothing = folder.run(&["standings", "nothing.jsonl"]);
    assert!(
        nothing.status == 2 && nothing.err.contains("cannot read nothing.jsonl"),
        "{}",
        nothing.err
    );
}

#[test]
fn the_moves_of_a_log_are_compared_with_the_rules() {
    let good = log();
    let line = good.lines().nth(4).unwrap();
    let goals = match line.contains("[100,0]") {
        true => line.replace("[100,0]", "[0,100]"),
        false => line
            .replace("\"goals\":[", "\"goals\":[100,0],\"x\":[")
            .replace("\"x\":", "\"facts\":"),
    };
    let folder = Folder::new()
        .with("good.jsonl", &good)
        .with("goals.jsonl", good.replace(line, &goals));
    let hash = line
        .split("\"hash\":\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let other_hash = good.replace(hash, "0000000000000000");
    let folder = folder.with("hash.jsonl", other_hash);
    let twice = format!("{good}{line}\n");
    let illegal = good.replacen("(mark 2 2)", "(mark 4 4)", 1);
    let folder = folder
        .with("twice.jsonl", twice)
        .with("illegal.jsonl", illegal);
    let verified = folder.run(&["verify", "good.jsonl"]);
    assert_eq!(verified.status, 0, "{}", verified.shown());
    assert!(
        verified.out.contains("ok   good.jsonl") && verified.out.contains("1 passed, 0 failed")
    );
    let of_folder = Folder::new().with("good.jsonl", &good);
    let all = of_folder.run(&["verify", "."]);
    assert!(
        all.status == 0 && all.out.contains("ok   ./good.jsonl"),
        "{}",
        all.shown()
    );
    let none = of_folder.run(&["verify", ".", "--only", "bad"]);
    assert!(
        none.status == 2 && none.err.contains("there is no record"),
        "{}",
        none.shown()
    );
    for (file, words) in [
        (
            "hash.jsonl",
            "game number 3: its moves are not those of the hash 0000000000000000",
        ),
        (
            "twice.jsonl",
            "38:1: the log has a game whose `number` is 3 already",
        ),
        ("illegal.jsonl", "(mark 4 4)"),
        ("goals.jsonl", ":"),
    ] {
        let found = folder.run(&["verify", file]);
        assert_eq!(found.status, 1, "{file}: {}", found.shown());
        assert!(found.out.contains(words), "{}", found.shown());
    }
}

#[test]
fn a_record_is_replayed_position_by_position() {
    let folder = Folder::new();
    let words = "match tictactoe --seed 5 --player random --record r --record-format json --quiet";
    folder.run(&words.split(' ').collect::<Vec<_>>());
    let file = std::fs::read_dir(folder.path().join("r"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let path = file.path().display().to_string();
    let record: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let plies = record["moves"].as_array().unwrap().len();
    let all = folder.run(&["replay", &path]);
    assert_eq!(all.status, 0, "{}", all.shown());
    assert!(all.out.starts_with("tictactoe: x random"), "{}", all.out);
    for ply in 1..=plies {
        assert_eq!(
            all.out.matches(&format!("\n{ply}. ")).count(),
            1,
            "{}",
            all.out
        );
    }
    let last = folder.run(&["replay", &path, "--ply", &plies.to_string()]);
    let (_, end) = all.out.split_once(&format!("\n{plies}. ")).unwrap();
    let (_, of_last) = last.out.split_once(&format!("\n{plies}. ")).unwrap();
    // Alone, nothing is marked as new.
    assert_eq!(of_last.lines().next(), end.lines().next());
    assert_eq!(of_last.lines().last(), end.lines().last());
    let text = std::fs::read(&path).unwrap();
    assert_eq!(folder.run_with_input(&["replay", "-"], &text).out, all.out);
    let beyond = folder.run(&["replay", &path, "--ply", "99"]);
    assert!(
        beyond.status == 2 && beyond.err.contains("plies, not 99"),
        "{}",
        beyond.err
    );
    let no_record = folder.run(&["replay", "nim"]);
    assert!(
        no_record.status == 2 && no_record.err.contains("`nim` is no match record"),
        "{}",
        no_record.err
    );
}
