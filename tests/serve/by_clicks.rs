//! Shipped games, played to their end by clicks alone.

use std::collections::BTreeMap;

use kolibri::catalog::SHIPPED;
use serde_json::{Value, json};

use super::client::{MatchKeys, TestServer};

/// The legal moves of a view, by the clicks that make them.
fn by_clicks(view: &Value) -> Vec<(String, Vec<String>, Vec<String>)> {
    let mut found = Vec::new();
    for (role, moves) in view["moves"].as_object().unwrap() {
        let mut groups: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
        for mv in moves.as_array().unwrap() {
            let clicks = mv["clicks"].as_array().unwrap().iter();
            let clicks = clicks.map(|click| click.as_str().unwrap().to_owned());
            let mv = mv["move"].as_str().unwrap().to_owned();
            groups.entry(clicks.collect()).or_default().push(mv);
        }
        let groups = groups.into_iter();
        found.extend(groups.map(|(clicks, moves)| (role.clone(), clicks, moves)));
    }
    found
}

/// Plays for all people, each time by other clicks; tells of moves that need a list.
fn play_by_clicks(game: &MatchKeys) -> (Value, Vec<String>) {
    let (mut player, mut listed) = (game.own_socket(), Vec::new());
    loop {
        let view = player.until(|view| {
            view["is_over"] == true || !view["moves"].as_object().unwrap().is_empty()
        });
        assert_eq!(view["problem"], Value::Null);
        if view["is_over"] == true {
            return (player.view.clone(), listed);
        }
        let picture = view["picture"].as_str().unwrap().to_owned();
        let groups = by_clicks(view);
        let needs_list = groups
            .iter()
            .filter(|group| group.1.is_empty() || group.2.len() > 1);
        listed.extend(needs_list.flat_map(|group| group.2.clone()));
        for square in groups.iter().flat_map(|group| &group.1) {
            assert!(
                picture.contains(&format!("data-square=\"{square}\"")),
                "{square}"
            );
        }
        let ply = player.ply();
        let (role, _, moves) = &groups[ply as usize * 5 % groups.len()];
        player.play(role, &moves[ply as usize % moves.len()]);
    }
}

#[test]
fn each_shipped_game_is_played_to_its_end_by_clicks() {
    let server = TestServer::start();
    for game in SHIPPED {
        let roles = kolibri::Game::load(game.name).unwrap().roles().to_vec();
        let machine = |role| json!({"role": role, "kind": "machine", "player": "random"});
        let machines: Vec<_> = roles.iter().skip(1).map(machine).collect();
        let asked = json!({"game": game.name, "players": machines, "seed": 1, "delay": 0});
        let (end, listed) = play_by_clicks(&server.client().begin(&asked));
        let goals = end["roles"].as_array().unwrap().iter();
        assert!(goals.clone().all(|role| role["goal"].is_u64()), "{end}");
        // Sticks are counted, gestures have no place, and a graph is not drawn: these are chosen from a list.
        let is_listed = matches!(game.name, "fakelogic" | "nim" | "rock-paper-scissors");
        assert_eq!(!listed.is_empty(), is_listed, "{}: {listed:?}", game.name);
    }
}
