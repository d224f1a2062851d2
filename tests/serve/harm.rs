//! Callers that mean harm: the server stays up, and answers others.

use std::io::Write;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::{Client, TestServer, UPGRADE, start_in};

const API: &str = "/api/v1/games";

#[test]
fn other_hosts_and_sites_are_refused() {
    let server = TestServer::start();
    let client = server.client();
    let own = client.get("/");
    assert_eq!(own.status, 200);
    let policy =
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self';";
    assert!(
        own.head.contains(policy) && !own.head.contains("unsafe"),
        "{}",
        own.head
    );
    assert!(client.get(API).head.contains(policy));
    for headers in [
        "Host: evil.example\r\n",
        "Host: evil.example:80\r\nOrigin: http://evil.example:80\r\n",
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
    ] {
        let refused = client.request("GET", API, headers, "");
        assert_eq!(refused.status, 403, "{headers}");
        assert!(refused.head.contains(policy));
    }
    let game = client.begin(&json!({"game": "tictactoe"}));
    let upgrade = format!("{UPGRADE}Origin: http://evil.example\r\n");
    let refused = client.request("GET", &game.path("/socket"), &upgrade, "");
    assert_eq!(refused.status, 403);
}

#[test]
fn other_machines_need_the_token() {
    let folder = TempDir::new().unwrap();
    let server = start_in(folder.path(), "0.0.0.0:0");
    let port = server.address().port();
    let client = Client::of(format!("127.0.0.1:{port}").parse().unwrap());
    assert_eq!(client.get("/").status, 403);
    assert_eq!(client.get(API).status, 403);
    let url = server.url("/");
    let path = &url[url.find("/?").unwrap()..];
    let page = client.get(path);
    assert_eq!(page.status, 303);
    let cookie = page
        .head
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "));
    let cookie = cookie.unwrap().split(';').next().unwrap();
    let page = client.request("GET", "/", &format!("Cookie: {cookie}\r\n"), "");
    assert_eq!(page.status, 200);
}

#[test]
fn large_and_broken_requests_are_refused() {
    let server = TestServer::start();
    let client = server.client();
    let large = "x".repeat(5 << 20);
    let refused = client.request("POST", "/api/v1/check", "", &large);
    assert!(matches!(refused.status, 0 | 413), "{}", refused.status);
    let rules = json!({"rules": "(role a) ".repeat(150_000)});
    assert_eq!(client.post("/api/v1/check", &rules).status, 413);
    for body in [
        "",
        "{",
        "[]",
        "{\"rules\": 3}",
        "{\"game\": \"../../etc/passwd\"}",
        "\u{0}",
    ] {
        let refused = client.request("POST", "/api/v1/matches", "", body);
        assert!((400..500).contains(&refused.status), "{body}: {refused:?}");
        assert!(refused.json()["error"].is_string());
    }
    let deep = json!({"rules": "(".repeat(100_000)});
    assert_eq!(client.post("/api/v1/check", &deep).status, 200);
    for request in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        b"\x16\x03\x01\x02\x00\x01\x00\x01",
        b"GET /assets/../../Cargo.toml HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /assets/%2e%2e/Cargo.toml HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ] {
        let refused = client.exchange(request);
        assert!(
            refused.status != 200 && !refused.body.contains("[package]"),
            "{refused:?}"
        );
    }
    assert_eq!(client.get(API).status, 200);
}

#[test]
fn rules_that_explode_cost_their_caller_alone() {
    let server = TestServer::start();
    let client = server.client();
    let numbers: String = (0..60).map(|n| format!("(n {n}) ")).collect();
    let rules = format!(
        "(role a) {numbers} (legal a go) terminal (goal a 50)
         (<= (p ?a ?b ?c ?d ?e ?f) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f))
         (<= (init (q ?a)) (p ?a ?a ?a ?a ?a ?b))"
    );
    let asked = json!({"rules": rules});
    let exploding: Vec<_> = (0..3)
        .map(|_| {
            let asked = asked.clone();
            std::thread::spawn(move || client.post("/api/v1/matches", &asked))
        })
        .collect();
    let game = client.begin(&json!({"game": "tictactoe"}));
    game.own_socket().play("x", "(mark 1 1)");
    for exploding in exploding {
        let refused = exploding.join().unwrap();
        assert!((400..=503).contains(&refused.status), "{refused:?}");
    }
}

#[test]
fn slow_callers_keep_nobody_out() {
    let server = TestServer::start();
    let client = server.client();
    let mut open: Vec<_> = (0..600).map(|_| client.connect()).collect();
    for (number, stream) in open.iter_mut().enumerate() {
        let part = &b"POST /api/v1/check HTTP/1.1\r\nContent-Length: 100\r\n\r\n{"[..number % 50];
        let _ = stream.write_all(part);
    }
    assert_eq!(client.get(API).status, 200);
    let game = client.begin(&json!({"game": "tictactoe", "delay": 0}));
    // One that takes nothing of what it is sent.
    let idle = game.socket("");
    let mut owner = game.own_socket();
    for _ in 0..300 {
        owner.play("x", "(mark 1 1)");
        owner.send(&json!({"type": "undo"}));
        owner.until(|view| view["ply"] == 0);
    }
    assert_eq!(client.get(API).status, 200);
    drop((idle, open));
}

#[test]
fn messages_that_make_no_sense_are_answered() {
    let server = TestServer::start();
    let game = server.client().begin(&json!({"game": "tictactoe"}));
    let mut owner = game.own_socket();
    for message in [
        json!(null),
        json!([]),
        json!({"type": "play"}),
        json!({"type": "play", "role": "x", "move": "(", "ply": -1}),
        json!({"type": "undo", "plies": u64::MAX}),
        json!({"type": "line", "line": u64::MAX, "ply": 0}),
        json!({"type": "why", "role": "x", "move": "(".repeat(30_000)}),
    ] {
        let refused = owner.ask(&message, "refused");
        assert!(refused["message"].is_string());
    }
    let mut other = game.own_socket();
    let too_long = json!({"type": "x".repeat(200_000)});
    other.send(&too_long);
    owner.play("x", "(mark 1 1)");
    assert_eq!(owner.view["problem"], Value::Null);
}
