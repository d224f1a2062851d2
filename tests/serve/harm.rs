//! Callers that mean harm: the server stays up, and answers others.

use std::io::Write;

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::{Client, MatchKeys, TestServer, UPGRADE, play, start_in};

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

/// Rules in which one relation has a row for each six of sixty numbers.
fn exploding(rule: &str) -> Value {
    let numbers: String = (0..60).map(|n| format!("(n {n}) ")).collect();
    let rules = format!(
        "(role a) {numbers} (init start) (<= (legal a go) (true start)) (<= terminal (true end)) (goal a 50)
         (<= (p ?a ?b ?c ?d ?e ?f) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f))
         (<= (r ?a ?b ?c ?d ?e ?f) (true start) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f))
         {rule}"
    );
    json!({"rules": rules})
}

/// A text that is unlike any other.
fn harmless(number: usize) -> Value {
    json!({"rules": format!("(role a) (init (step {number})) (legal a go) (<= terminal (true (step 9))) (goal a 50)")})
}

#[test]
fn rules_that_explode_cost_their_caller_alone() {
    let server = TestServer::start();
    let client = server.client();
    let in_what_never_changes = "(<= (init (q ?a)) (p ?a ?a ?a ?a ?a ?b))";
    let in_the_first_position = "(<= (legal a (take ?a ?b ?c ?d ?e ?f)) (r ?a ?b ?c ?d ?e ?f))";
    let all = [in_what_never_changes, in_the_first_position];
    let asked: Vec<_> = ["matches", "check"]
        .iter()
        .flat_map(|what| all.map(|rule| (format!("/api/v1/{what}"), exploding(rule))))
        .collect();
    let asked: Vec<_> = asked
        .into_iter()
        .map(|(path, body)| std::thread::spawn(move || client.post(&path, &body).status))
        .collect();
    let game = client.begin(&json!({"game": "tictactoe"}));
    game.own_socket().play("x", "(mark 1 1)");
    for number in 0..3 {
        client.begin(&harmless(number));
    }
    for asked in asked {
        let status = asked.join().unwrap();
        // A text whose rules are not wrong may be checked, and not played.
        assert!(matches!(status, 200 | 400 | 413), "{status}");
    }
    client.begin(&harmless(3));
}

/// Messages with members of every kind, right and wrong.
fn message() -> impl Strategy<Value = String> {
    let kinds = [
        "play", "undo", "redo", "goto", "line", "restart", "pause", "resign", "analyse", "why",
        "dance",
    ];
    let number = select(vec![
        json!(0),
        json!(1),
        json!(2),
        json!(7),
        json!(-1),
        json!(u64::MAX),
        json!("1"),
        json!(null),
    ]);
    let cells = (0..5u32, 0..5u32).prop_map(|(x, y)| format!("(mark {x} {y})"));
    let mv = prop_oneof![8 => cells, 1 => Just("noop".to_owned()), 1 => "\\PC{0,12}"];
    let role = select(vec!["x", "o", "x", "o", "", "random"]);
    let on = select(vec![json!(true), json!(false), json!("on")]);
    let plies = [number.clone(), number.clone(), number.clone(), number];
    let made = (select(kinds.to_vec()), role, mv, on, plies);
    let made = made.prop_map(|(kind, role, mv, on, [ply, line, lines, plies])| {
        let whole = json!({"type": kind, "role": role, "move": mv, "on": on, "ply": ply, "line": line,
                           "lines": lines, "plies": plies, "end": kind == "why" && role == "x"});
        whole.to_string()
    });
    let fitting = (select(vec!["x", "o"]), 1..4u32, 1..4u32, 0..9u64)
        .prop_map(|(role, x, y, ply)| play(role, &format!("(mark {x} {y})"), ply).to_string());
    prop_oneof![6 => made, 6 => fitting, 1 => "\\PC{0,40}"]
}

#[test]
fn any_messages_leave_a_match_that_is_the_same_when_read_again() {
    let folder = TempDir::new().unwrap();
    let server = start_in(folder.path(), "127.0.0.1:0");
    let game = Client::of(server.address()).begin(&json!({"game": "tictactoe", "limit": 86_400}));
    let mut owner = game.own_socket();
    let mut runner = TestRunner::deterministic();
    let messages = vec(message(), 400).new_tree(&mut runner).unwrap().current();
    for (number, message) in messages.iter().enumerate() {
        owner.send_text(message);
        // Told in answer to nothing else, so that all before it is done.
        let last = format!("last-{number}");
        owner.send(&json!({"type": last}));
        while !owner.next("refused")["message"]
            .as_str()
            .unwrap()
            .contains(&last)
        {}
    }
    let seen = |game: &MatchKeys| {
        let mut view = game.own_socket().view;
        assert_eq!(view["problem"], Value::Null);
        assert!(view["ply"].as_u64() <= view["plies"].as_u64());
        for changing in ["version", "limit"] {
            view.as_object_mut().unwrap().remove(changing);
        }
        view
    };
    let before = seen(&game);
    drop((owner, server));
    let server = start_in(folder.path(), "127.0.0.1:0");
    let client = Client::of(server.address());
    assert_eq!(seen(&MatchKeys { client, ..game }), before);
}

/// What comes from the network may be anything.
#[test]
fn any_request_is_read_or_refused() {
    let body = prop_oneof![
        message(),
        vec(0..=255u8, 0..60).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        ("\\PC{0,12}", 0..3usize, "\\PC{0,12}").prop_map(|(state, moves, mv)| {
            let states = vec![state; moves + 1];
            let record = json!({"matchId": "m", "startTime": 1, "states": states, "moves": vec![[mv]; moves], "isCompleted": false});
            json!({"record": record, "limit": moves}).to_string()
        }),
    ];
    let mut runner = TestRunner::deterministic();
    let tried = runner.run(&body, |body| {
        crate::properties::browser_request(body.as_bytes());
        Ok(())
    });
    tried.unwrap();
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

/// A board with so many squares that its picture fills what the system keeps for a connection after a few changes.
#[cfg(target_os = "linux")]
fn large_board() -> Value {
    let numbers: String = (1..=30).map(|n| format!("(n {n}) ")).collect();
    json!({"name": "large", "rules": format!(
        "(role a) {numbers} (<= (init (cell ?x ?y b)) (n ?x) (n ?y) (distinct ?x ?y)) (<= (init (cell ?x ?x w)) (n ?x))
         (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (n ?x))
         (legal a stay) (legal a end) (<= (next over) (does a end)) (<= terminal (true over)) (goal a 50)"
    )})
}

/// Whether the system still holds this connection of the server open, of which it knows the port of the client.
#[cfg(target_os = "linux")]
fn is_established(server: u16, client: u16) -> bool {
    const ESTABLISHED: &str = "01";
    let known = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let has_port = |address: &str, port: u16| address.ends_with(&format!(":{port:04X}"));
    known.lines().skip(1).any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        has_port(words[1], server) && has_port(words[2], client) && words[3] == ESTABLISHED
    })
}

#[cfg(target_os = "linux")]
#[test]
fn whoever_takes_nothing_is_dropped_and_costs_no_memory() {
    let server = TestServer::start();
    let client = server.client();
    let game = client.begin(&large_board());
    let (slow, mut owner) = (game.socket(""), game.own_socket());
    let mut stream = slow.into_stream();
    let ports = (client.port(), stream.local_addr().unwrap().port());
    let mut shown = 0;
    for change in 0..160 {
        let on = change % 2 == 0;
        owner.send(&json!({"type": "pause", "on": on}));
        shown += owner
            .until(|view| view["is_paused"] == on)
            .to_string()
            .len();
    }
    assert!(shown > 10 << 20, "{shown} bytes are too few");
    let begin = std::time::Instant::now();
    while is_established(ports.0, ports.1) {
        assert!(begin.elapsed() < super::client::LONG, "it is not dropped");
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    assert_eq!(client.get(API).status, 200);
    owner.play("a", "stay");
    // What it finds now is what the system kept; the server itself keeps no more than one view.
    let mut found = Vec::new();
    let _ = std::io::Read::read_to_end(&mut stream, &mut found);
    assert!(found.len() < shown / 2, "{} of {shown}", found.len());
}

/// Systems often allow a program 1024 open files unless it asks for more: so many connections may watch matches.
#[cfg(target_os = "linux")]
#[test]
fn the_program_may_open_more_files_than_connections_can_take() {
    let state = TempDir::new().unwrap();
    let mut command = std::process::Command::new("/bin/sh");
    command.args(["-c", "ulimit -S -n 1024; exec \"$0\" \"$@\""]);
    command.arg(assert_cmd::cargo::cargo_bin("kolibri"));
    let program = super::kept::Program::start_by(command, state.path());
    let limits = format!("/proc/{}/limits", program.child.id());
    let limits = std::fs::read_to_string(limits).unwrap();
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let numbers = line.unwrap().split_whitespace();
    let numbers: Vec<u64> = numbers.filter_map(|word| word.parse().ok()).collect();
    let hard = numbers.get(1).map_or(4096, |hard| *hard.min(&4096));
    assert_eq!(numbers[0], hard, "{limits}");
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
