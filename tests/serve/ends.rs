//! How matches end: by their rules, by their time limit, by giving up.

use std::fs;
use std::io::Write;

use kolibri::serve::GameServer;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::{Client, MatchClient, MatchKeys, TestServer, start_in};

/// Red may get ahead; until then both have the same.
const RACE: &str = "(role red) (role black) (init (step a))
    (legal red stay) (legal red lead) (legal black noop)
    (<= (next (step a)) (true (step a)) (does red stay)) (<= (next (step b)) (true (step a)) (does red lead))
    (<= terminal (true (step c))) (<= (next (step c)) (true (step b)))
    (<= (goal red 50) (true (step a))) (<= (goal black 50) (true (step a)))
    (<= (goal red 60) (true (step b))) (<= (goal red 70) (true (step c))) (<= (goal black 20) (true (step c)))";

fn race(limit: u64) -> Value {
    json!({"name": "race", "rules": RACE, "delay": 0, "limit": limit, "seed": 4})
}

fn over(player: &mut MatchClient) -> Value {
    player.until(|view| view["is_over"] == true).clone()
}

/// A server that is started again, in whose match all time but that of one event was used meanwhile.
fn without_time(folder: &TempDir, server: GameServer, game: &MatchKeys) -> (GameServer, MatchKeys) {
    drop(server);
    let path = folder.path().join(format!("{}.jsonl", game.id));
    let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
    writeln!(file, "{}", json!({"event": "clock", "used": 86_400_000})).unwrap();
    again(folder, game)
}

fn again(folder: &TempDir, game: &MatchKeys) -> (GameServer, MatchKeys) {
    let server = start_in(folder.path(), "127.0.0.1:0");
    let client = Client::of(server.address());
    let game = MatchKeys {
        client,
        ..game.clone()
    };
    (server, game)
}

#[test]
fn the_highest_goal_wins_when_the_time_is_up() {
    let folder = TempDir::new().unwrap();
    let server = start_in(folder.path(), "127.0.0.1:0");
    let game = Client::of(server.address()).begin(&race(86_400));
    let mut owner = game.own_socket();
    assert_eq!(owner.view["ended"], Value::Null);
    let limit = &owner.view["limit"];
    assert_eq!(
        (&limit["seconds"], &limit["running"]),
        (&json!(86_400), &json!(true))
    );
    owner.play("red", "lead");
    let (_server, game) = without_time(&folder, server, &game);
    let mut owner = game.own_socket();
    let view = over(&mut owner);
    assert_eq!(
        view["ended"],
        json!({"by": "limit", "text": "The time is up; red has the most points, 60, and wins.",
               "winners": ["red"], "by_lot": false})
    );
    assert_eq!(
        (&view["roles"][0]["goal"], &view["roles"][1]["goal"]),
        (&json!(60), &json!(0))
    );
    assert_eq!(
        view["limit"],
        json!({"seconds": 86_400, "left": 0.0, "running": false})
    );
    // Looking back changes nothing of it, and beginning anew gives all the time back.
    owner.send(&json!({"type": "goto", "ply": 0}));
    let view = owner.until(|view| view["ply"] == 0).clone();
    assert_eq!(
        (&view["is_over"], &view["ended"]["by"]),
        (&json!(true), &json!("limit"))
    );
    let late = owner.ask(&super::client::play("red", "stay", 0), "refused");
    assert_eq!(late["message"], "the game is over");
    let listed = game.client.get("/api/v1/matches").json();
    assert_eq!(listed["matches"][0]["is_over"], true);
    owner.send(&json!({"type": "restart"}));
    let view = owner.until(|view| view["is_over"] == false);
    assert_eq!(
        (&view["ended"], &view["limit"]["running"]),
        (&Value::Null, &json!(true))
    );
    assert!(view["limit"]["left"].as_f64() > Some(80_000.0), "{view}");
}

#[test]
fn equal_goals_are_decided_by_a_lot_that_stays() {
    let folder = TempDir::new().unwrap();
    let server = start_in(folder.path(), "127.0.0.1:0");
    let game = Client::of(server.address()).begin(&race(86_400));
    let (server, game) = without_time(&folder, server, &game);
    let ended = over(&mut game.own_socket())["ended"].clone();
    assert_eq!(
        (&ended["by"], &ended["by_lot"]),
        (&json!("limit"), &json!(true))
    );
    assert_eq!(ended["winners"].as_array().unwrap().len(), 1);
    let path = folder.path().join(format!("{}.jsonl", game.id));
    let kept = fs::read_to_string(path).unwrap();
    assert_eq!(kept.matches("\"time-up\"").count(), 1, "{kept}");
    drop(server);
    let (_server, game) = again(&folder, &game);
    assert_eq!(game.own_socket().view["ended"], ended);
}

#[test]
fn the_time_ends_a_match_by_itself_and_not_while_it_waits() {
    let server = TestServer::start();
    let game = server.client().begin(&race(1));
    let ended = over(&mut game.own_socket())["ended"].clone();
    assert_eq!(ended["by"], "limit");
    let game = server.client().begin(&race(86_400));
    let mut owner = game.own_socket();
    owner.send(&json!({"type": "pause", "on": true}));
    let paused = owner.until(|view| view["is_paused"] == true)["limit"].clone();
    assert_eq!(paused["running"], false);
    owner.play("red", "stay");
    assert_eq!(owner.view["limit"], paused, "the clock stands still");
    owner.send(&json!({"type": "pause", "on": false}));
    owner.until(|view| view["limit"]["running"] == true);
    for limit in [json!(0), json!(86_401), json!(-1), json!("long")] {
        let mut asked = race(1);
        asked["limit"] = limit;
        assert_eq!(server.client().post("/api/v1/matches", &asked).status, 400);
    }
}

#[test]
fn an_end_by_the_rules_is_told_and_explained() {
    let server = TestServer::start();
    let game = server.client().begin(&race(86_400));
    let mut owner = game.own_socket();
    let why_end = json!({"type": "why", "end": true});
    let why = owner.ask(&why_end, "why");
    assert_eq!(
        (&why["lines"][0], &why["end"]),
        (&json!("not terminal"), &json!(true))
    );
    assert!(
        why["lines"][1]
            .as_str()
            .unwrap()
            .contains("line 4: (<= terminal"),
        "{why}"
    );
    owner.play("red", "lead");
    owner.play("red", "stay");
    let view = over(&mut owner);
    assert_eq!(
        view["ended"],
        json!({"by": "rules", "text": "red wins.", "winners": ["red"], "by_lot": false})
    );
    assert_eq!(view["limit"]["running"], false);
    let why = owner.ask(&why_end, "why");
    let lines: Vec<&str> = why["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line.as_str().unwrap())
        .collect();
    let expected = [
        "terminal",
        "  line 4: (<= terminal (true (step c)))",
        "    holds (true (step c))",
        "(goal red 70)",
        "  line 6: (<= (goal red 70) (true (step c)))",
        "    holds (true (step c))",
        "(goal black 20)",
        "  line 6: (<= (goal black 20) (true (step c)))",
        "    holds (true (step c))",
    ];
    assert_eq!(lines, expected);
    // Whoever looks back at a game that has ended is in no hurry.
    owner.send(&json!({"type": "goto", "ply": 0}));
    let view = owner.until(|view| view["ply"] == 0);
    assert_eq!(
        (&view["ended"], &view["limit"]["running"]),
        (&Value::Null, &json!(false))
    );
}

#[test]
fn giving_up_is_told() {
    let server = TestServer::start();
    let game = server.client().begin(&json!({"game": "tictactoe"}));
    let mut owner = game.own_socket();
    assert_eq!(owner.view["limit"], Value::Null);
    owner.send(&json!({"type": "resign", "role": "o"}));
    assert_eq!(
        over(&mut owner)["ended"],
        json!({"by": "resignation", "text": "o gives up, and x wins.", "winners": ["x"], "by_lot": false})
    );
}
