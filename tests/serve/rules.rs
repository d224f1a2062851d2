//! Games, sizes and rule texts.

use serde_json::{Value, json};

use super::client::TestServer;

#[test]
fn games_are_listed_and_drawn() {
    let client = TestServer::start();
    let client = client.client();
    let games = client.get("/api/v1/games").json();
    let games = games["games"].as_array().unwrap();
    assert_eq!(games.len(), kolibri::catalog::SHIPPED.len());
    let tictactoe = client.get("/api/v1/games/tictactoe").json();
    assert_eq!(tictactoe["roles"], json!(["x", "o"]));
    let picture = tictactoe["picture"].as_str().unwrap();
    assert_eq!(picture.matches("class=\"square\"").count(), 9);
    assert!(!picture.contains("style="), "{picture}");
    assert!(tictactoe["rules"].as_str().unwrap().contains("(role x)"));
    let missing = client.get("/api/v1/games/chess");
    assert_eq!(missing.status, 404);
    assert!(
        missing.json()["help"]
            .as_str()
            .unwrap()
            .contains("checkers")
    );
}

#[test]
fn sized_games_are_written() {
    let server = TestServer::start();
    let client = server.client();
    let families = client.get("/api/v1/families").json();
    let families = families["families"].as_array().unwrap();
    let kolibrat = families.iter().find(|family| family["name"] == "kolibrat");
    assert_eq!(kolibrat.unwrap()["parameters"][0]["default"], 3);
    let made = client.post("/api/v1/families/kolibrat", &json!({"width": 4}));
    let rules = made.json()["rules"].as_str().unwrap().to_owned();
    assert!(rules.contains("4 columns, 4 rows"), "{rules}");
    let nim = client.post("/api/v1/families/nim", &json!({"piles": [3, 4]}));
    assert_eq!(nim.json()["name"], "nim-3-4");
    for (name, body) in [
        ("kolibrat", json!({"width": [3, 4]})),
        ("nim", json!({"piles": []})),
        ("kolibrat", json!({"width": 1})),
        ("kolibrat", json!({"depth": 3})),
        ("kolibrat", json!({"width": 4000})),
    ] {
        let refused = client.post(&format!("/api/v1/families/{name}"), &body);
        assert_eq!(refused.status, 400, "{body}");
    }
    assert_eq!(
        client.post("/api/v1/families/chess", &json!({})).status,
        404
    );
    let game = client.begin(&json!({"name": "my-kolibrat", "rules": rules}));
    assert_eq!(game.own_socket().view["game"], "my-kolibrat");
    let text = client.get(&game.path("/rules"));
    assert_eq!(text.body, rules);
}

#[test]
fn findings_have_their_places() {
    let server = TestServer::start();
    let client = server.client();
    let check = |rules: &str| {
        client
            .post("/api/v1/check", &json!({"rules": rules}))
            .json()
    };
    let found = check("(role a)\n(init (at 1)");
    let errors: Vec<&Value> = found["findings"].as_array().unwrap().iter().collect();
    assert_eq!(
        (
            &errors[0]["severity"],
            &errors[0]["line"],
            &errors[0]["column"]
        ),
        (&json!("error"), &json!(2), &json!(1))
    );
    assert_eq!(
        (&found["picture"], &found["roles"]),
        (&Value::Null, &Value::Null)
    );
    let found = check(kolibri::catalog::SHIPPED[0].text);
    assert_eq!(found["findings"], json!([]));
    assert!(found["picture"].as_str().unwrap().contains("<svg"));
    let refused = client.post("/api/v1/matches", &json!({"rules": "(role a"}));
    assert_eq!(refused.status, 400);
    assert!(!refused.json()["findings"].as_array().unwrap().is_empty());
}

#[test]
fn players_are_those_of_this_machine() {
    let server = TestServer::start();
    let players = server.client().get("/api/v1/players").json();
    let names: Vec<&str> = players["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| player["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["random", "first", "minimax", "mcts", "plain", "auto"]
    );
    for player in [
        "remote:127.0.0.1:9147",
        "exec:/bin/true",
        "human",
        "auto:time=9999",
        "nobody",
    ] {
        let machine = json!({"role": "x", "kind": "machine", "player": player});
        let asked = json!({"game": "tictactoe", "players": [machine]});
        let refused = server.client().post("/api/v1/matches", &asked);
        assert_eq!(refused.status, 400, "{player}");
    }
}
