//! What may be done in a match, and by whom.

use std::iter;
use std::time::Duration;

use serde_json::{Value, json};

use super::client::{TestServer, UPGRADE, play};

const PEOPLE: &str = r#"{"game":"tictactoe","delay":0}"#;

fn people() -> Value {
    serde_json::from_str(PEOPLE).unwrap()
}

#[test]
fn moves_out_of_turn_and_for_others_are_refused() {
    let server = TestServer::start();
    let asked = json!({"game": "tictactoe", "delay": 0, "players": [
        {"role": "o", "kind": "link", "name": "Bob"},
    ]});
    let game = server.client().begin(&asked);
    let mut owner = game.own_socket();
    let mut guest = game.socket(&format!("?key={}", game.link("o")));
    let mut spectator = game.socket("");
    assert_eq!(owner.view["roles"][0]["is_mine"], true);
    assert_eq!(owner.view["is_owner"], true);
    assert_eq!(guest.view["roles"][1]["is_mine"], true);
    assert_eq!(guest.view["roles"][1]["name"], "Bob");
    for watcher in [&guest, &spectator] {
        assert_eq!(watcher.view["moves"], json!({}));
        assert_eq!(watcher.view["is_owner"], false);
    }
    let refused = |said: Value, part: &str| {
        let message = said["message"].as_str().unwrap();
        assert!(message.contains(part), "{message}");
    };
    let corner = "(mark 1 1)";
    refused(owner.ask(&play("o", corner, 0), "refused"), "do not play o");
    refused(owner.ask(&play("x", corner, 3), "refused"), "present one");
    refused(
        owner.ask(&play("x", "(mark 9 9)", 0), "refused"),
        "may not play",
    );
    refused(owner.ask(&play("y", corner, 0), "refused"), "no role y");
    refused(owner.ask(&json!({"type": "dance"}), "refused"), "dance");
    refused(guest.ask(&play("o", corner, 0), "refused"), "may not play");
    refused(
        spectator.ask(&play("x", corner, 0), "refused"),
        "do not play x",
    );
    owner.play("x", corner);
    guest.until(|view| view["ply"] == 1);
    spectator.until(|view| view["ply"] == 1);
    refused(
        owner.ask(&play("x", "(mark 2 2)", 1), "refused"),
        "may not play",
    );
    for message in [
        json!({"type": "undo"}),
        json!({"type": "restart"}),
        json!({"type": "goto", "ply": 0}),
    ] {
        refused(guest.ask(&message, "refused"), "whoever made the match");
    }
    refused(
        spectator.ask(&json!({"type": "analyse", "on": true}), "refused"),
        "players",
    );
    guest.play("o", "(mark 2 2)");
    assert_eq!(guest.view["history"][1]["by"], 1);
}

#[test]
fn a_wrong_key_opens_nothing() {
    let server = TestServer::start();
    let game = server.client().begin(&people());
    let wrong = "?key=00000000000000000000000000000000";
    assert_eq!(game.client.get(&game.path(wrong)).status, 403);
    let socket = game.path(&format!("/socket{wrong}"));
    let refused = game.client.request("GET", &socket, UPGRADE, "");
    assert_eq!(refused.status, 403);
    for query in [wrong, ""] {
        let removed = game.client.request("DELETE", &game.path(query), "", "");
        assert_eq!(removed.status, 403);
    }
    assert_eq!(game.client.get(&game.path("")).status, 200);
    let own = format!("?key={}", game.key);
    let removed = game.client.request("DELETE", &game.path(&own), "", "");
    assert_eq!(removed.status, 204);
    assert_eq!(game.client.get(&game.path("")).status, 404);
    assert_eq!(game.client.get("/api/v1/matches/../../x").status, 404);
}

#[test]
fn choices_at_the_same_time_are_hidden() {
    let server = TestServer::start();
    let roles = kolibri::Game::load("rock-paper-scissors")
        .unwrap()
        .roles()
        .to_vec();
    let links: Vec<Value> = roles
        .iter()
        .map(|role| json!({"role": role, "kind": "link"}))
        .collect();
    let asked = json!({"game": "rock-paper-scissors", "players": links, "delay": 0});
    let game = server.client().begin(&asked);
    let mut players: Vec<_> = roles
        .iter()
        .map(|role| game.socket(&format!("?key={}", game.link(role))))
        .collect();
    let first = players[0].view["moves"][&roles[0]][0]["move"]
        .as_str()
        .unwrap()
        .to_owned();
    players[0].send(&play(&roles[0], &first, 0));
    for player in &mut players {
        let view = player
            .until(|view| view["roles"][0]["has_chosen"] == true)
            .clone();
        assert_eq!(view["ply"], 0);
        assert_eq!(view["choosing"], json!([roles[1]]));
        assert_eq!(view["history"], json!([]));
    }
    assert_eq!(players[1].view["moves"].get(&roles[0]), None);
    let again = players[0].ask(&play(&roles[0], &first, 0), "refused");
    assert!(
        again["message"]
            .as_str()
            .unwrap()
            .contains("chosen already")
    );
    let second = players[1].view["moves"][&roles[1]][1]["move"]
        .as_str()
        .unwrap()
        .to_owned();
    players[1].play(&roles[1], &second);
    let history = &players[0].until(|view| view["ply"] == 1)["history"];
    assert_eq!(history[0], json!({"moves": [first, second], "by": null}));
}

#[test]
fn moves_are_taken_back_and_variations_kept() {
    let server = TestServer::start();
    let game = server.client().begin(&people());
    let mut owner = game.own_socket();
    for (role, mv) in [
        ("x", "(mark 1 1)"),
        ("o", "(mark 2 2)"),
        ("x", "(mark 3 3)"),
    ] {
        owner.play(role, mv);
    }
    owner.send(&json!({"type": "undo"}));
    let view = owner.until(|view| view["ply"] == 2);
    assert_eq!(
        (&view["plies"], &view["choosing"]),
        (&json!(3), &json!(["x"]))
    );
    owner.send(&json!({"type": "redo"}));
    owner.until(|view| view["ply"] == 3);
    owner.send(&json!({"type": "goto", "ply": 1}));
    owner.until(|view| view["ply"] == 1);
    owner.play("o", "(mark 1 3)");
    let view = owner.until(|view| view["plies"] == 2);
    let branch = json!({"ply": 1, "moves": ["noop", "(mark 2 2)"], "line": 0});
    assert_eq!(view["branches"], json!([branch]));
    owner.send(&json!({"type": "line", "line": 0, "ply": 3}));
    let view = owner.until(|view| view["plies"] == 3);
    assert_eq!(view["history"][2]["moves"], json!(["(mark 3 3)", "noop"]));
    assert_eq!(view["branches"][0]["moves"], json!(["noop", "(mark 1 3)"]));
    let beyond = owner.ask(&json!({"type": "goto", "ply": 4}), "refused");
    assert!(
        beyond["message"]
            .as_str()
            .unwrap()
            .contains("no such position")
    );
    owner.send(&json!({"type": "resign", "role": "o"}));
    let view = owner.until(|view| view["is_over"] == true);
    assert_eq!(
        (&view["roles"][0]["goal"], &view["roles"][1]["goal"]),
        (&json!(100), &json!(0))
    );
    owner.send(&json!({"type": "restart"}));
    let view = owner.until(|view| view["plies"] == 0);
    assert_eq!(
        (&view["is_over"], &view["branches"]),
        (&json!(false), &json!([]))
    );
}

#[test]
fn machines_answer_wait_and_go_on() {
    let server = TestServer::start();
    let machine = json!({"role": "o", "kind": "machine", "player": "minimax:depth=2"});
    let asked = json!({"game": "tictactoe", "players": [machine], "delay": 0});
    let game = server.client().begin(&asked);
    let mut owner = game.own_socket();
    owner.play("x", "(mark 2 2)");
    owner.until(|view| view["ply"] == 2);
    owner.send(&json!({"type": "undo"}));
    // The machine does not move while a person looks round.
    let view = owner.until(|view| view["ply"] == 0);
    assert_eq!(view["plies"], 2);
    owner.send(&json!({"type": "pause", "on": true}));
    owner.until(|view| view["is_paused"] == true);
    owner.play("x", "(mark 1 1)");
    assert_eq!(owner.view["choosing"], json!(["o"]));
    owner.send(&json!({"type": "pause", "on": false}));
    let view = owner.until(|view| view["ply"] == 2);
    assert_eq!(view["branches"][0]["ply"], 0);
}

#[test]
fn advice_is_given() {
    let server = TestServer::start();
    let game = server.client().begin(&people());
    let mut owner = game.own_socket();
    for (role, mv) in [
        ("x", "(mark 1 1)"),
        ("o", "(mark 2 2)"),
        ("x", "(mark 1 2)"),
        ("o", "(mark 3 3)"),
    ] {
        owner.play(role, mv);
    }
    let hint = owner.ask(&json!({"type": "hint", "role": "x"}), "hint");
    assert_eq!(
        (&hint["move"], &hint["ply"]),
        (&json!("(mark 1 3)"), &json!(4))
    );
    assert_eq!(
        (&hint["value"], hint["clicks"].as_array().unwrap().len()),
        (&json!(100.0), 1)
    );
    let why = owner.ask(
        &json!({"type": "why", "role": "x", "move": "(mark 1 1)"}),
        "why",
    );
    let lines = why["lines"].as_array().unwrap();
    assert!(
        lines
            .iter()
            .any(|line| line.as_str().unwrap().contains("fails")),
        "{why}"
    );
    owner.send(&json!({"type": "analyse", "on": true}));
    let thought = owner.next("thinking");
    assert_eq!(
        (&thought["by"], &thought["role"], &thought["ply"]),
        (&json!("analysis"), &json!("x"), &json!(4))
    );
    owner.play("x", "(mark 2 1)");
    loop {
        let thought = owner.next("thinking");
        if thought["ply"] == 5 {
            assert_eq!(thought["role"], "o");
            break;
        }
    }
}

/// What both sides can hold is as certain as a win.
#[test]
fn a_proved_draw_is_exact_and_searched_no_further() {
    let server = TestServer::start();
    let game = server.client().begin(&people());
    let mut owner = game.own_socket();
    owner.play("x", "(mark 1 1)");
    owner.play("o", "(mark 2 2)");
    owner.send(&json!({"type": "analyse", "on": true, "lines": 2}));
    let thought = loop {
        let thought = owner.next("thinking");
        if thought["exact"] == true {
            break thought;
        }
    };
    assert_eq!(
        (&thought["value"], &thought["lines"][1]["exact"]),
        (&json!(50.0), &json!(true)),
        "{thought}"
    );
    assert!(thought["depth"].as_u64() >= Some(5), "{thought}");
    std::thread::sleep(Duration::from_secs(1));
    owner.send(&json!({"type": "hint", "role": "x"}));
    let more = iter::from_fn(|| {
        let told = owner.next_of(&["thinking", "hint"]);
        (told["type"] == "thinking").then_some(told)
    });
    // Progress and result of the one search; others would tell five times a second.
    assert!(more.count() <= 1);
}

#[test]
fn an_analysis_tells_what_the_value_is_made_of() {
    let server = TestServer::start();
    let game = server.client().begin(&json!({"game": "kolibrat"}));
    let mut owner = game.own_socket();
    owner.send(&json!({"type": "analyse", "on": true}));
    let features = loop {
        let thought = owner.next("thinking");
        if let Some(features) = thought["features"].as_array() {
            break features.clone();
        }
    };
    let adds = |feature: &Value| feature[1].as_f64().unwrap().abs();
    assert!(
        features.is_sorted_by(|one, other| adds(one) >= adds(other)),
        "{features:?}"
    );
    let named = |feature: &Value| feature[0] == "mobility";
    assert!(features.iter().any(named), "{features:?}");
}

#[test]
fn an_analysis_tells_of_as_many_lines_as_are_wanted() {
    let server = TestServer::start();
    let game = server.client().begin(&people());
    let mut owner = game.own_socket();
    owner.play("x", "(mark 1 1)");
    owner.play("o", "(mark 2 2)");
    for lines in [json!(0), json!(6)] {
        let asked = json!({"type": "analyse", "on": true, "lines": lines});
        let refused = owner.ask(&asked, "refused");
        assert!(refused["message"].as_str().unwrap().contains("from 1 to 5"));
    }
    let count = |thought: &Value| thought["lines"].as_array().unwrap().len();
    owner.send(&json!({"type": "analyse", "on": true, "lines": 3}));
    let thought = loop {
        let thought = owner.next("thinking");
        if count(&thought) == 3 {
            break thought;
        }
    };
    let lines = thought["lines"].as_array().unwrap();
    for member in ["value", "line", "clicks", "exact"] {
        assert_eq!(lines[0][member], thought[member], "{thought}");
    }
    assert_eq!(lines[0]["line"][0], thought["best"]);
    let values: Vec<f64> = lines
        .iter()
        .map(|line| line["value"].as_f64().unwrap())
        .collect();
    assert!(values.is_sorted_by(|one, other| one >= other), "{values:?}");
    let firsts: Vec<&Value> = lines.iter().map(|line| &line["clicks"]).collect();
    assert!(
        firsts[0] != firsts[1] && firsts[1] != firsts[2],
        "{firsts:?}"
    );
    // Another connection wants fewer, and each gets its own number.
    let mut other = game.own_socket();
    other.send(&json!({"type": "analyse", "on": true}));
    owner.play("x", "(mark 1 3)");
    let at_three = |player: &mut super::client::MatchClient| loop {
        let thought = player.next("thinking");
        if thought["ply"] == 3 {
            return thought;
        }
    };
    assert_eq!(count(&at_three(&mut other)), 1);
    while count(&at_three(&mut owner)) != 3 {}
}

#[test]
fn a_match_may_begin_with_moves() {
    let server = TestServer::start();
    let asked = |moves: Value| json!({"game": "tictactoe", "moves": moves});
    let moves = json!([["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]]);
    let game = server.client().begin(&asked(moves.clone()));
    let view = game.own_socket().view;
    assert_eq!(
        (&view["ply"], &view["history"][1]["moves"]),
        (&json!(2), &moves[1])
    );
    let wrong = asked(json!([moves[0], moves[0]]));
    let refused = server.client().post("/api/v1/matches", &wrong);
    let message = refused.json()["error"].as_str().unwrap().to_owned();
    assert!(
        refused.status == 400 && message.starts_with("joint move 2: "),
        "{message}"
    );
    let many = asked(vec![moves[0].clone(); 5_001].into());
    assert_eq!(server.client().post("/api/v1/matches", &many).status, 413);
}

#[test]
fn a_record_is_saved_and_gone_on_with() {
    let server = TestServer::start();
    let game = server.client().begin(&people());
    let mut owner = game.own_socket();
    owner.play("x", "(mark 1 1)");
    owner.play("o", "(mark 2 2)");
    let record = game.client.get(&game.path("/record"));
    let record = kolibri::play::Record::read(&record.body).unwrap();
    assert_eq!(record.moves.len(), 2);
    let record: Value = serde_json::from_str(&record.to_json()).unwrap();
    let again = server
        .client()
        .begin(&json!({"record": record, "delay": 0}));
    let mut owner = again.own_socket();
    assert_eq!(
        (owner.ply(), &owner.view["history"][1]["by"]),
        (2, &json!(1))
    );
    owner.play("x", "(mark 3 3)");
    let listed = server.client().get("/api/v1/matches").json();
    assert_eq!(listed["matches"].as_array().unwrap().len(), 2);
    assert_eq!(listed["matches"][0]["id"], again.id);
    let mut foreign = record;
    foreign["x-rulesheet"] = json!("/etc/passwd");
    let refused = server
        .client()
        .post("/api/v1/matches", &json!({"record": foreign}));
    assert_eq!(refused.status, 404, "{refused:?}");
}
