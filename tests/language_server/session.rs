//! A session that Neovim had with the server, recorded by `editors/neovim/record.lua`, takes the same course again.

use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::client::Client;

/// How long it may take until an answer is the recorded one.
const SETTLED: Duration = Duration::from_secs(30);

/// How often an answer is asked for again that need not be the recorded one at once.
const PAUSE: Duration = Duration::from_millis(50);

/// A recorded message.
enum Line {
    Client(Value),
    Server(Value),
}

fn recorded() -> Vec<Line> {
    let lines = include_str!("neovim.jsonl").lines();
    let line = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        match line["client"].take() {
            Value::Null => Line::Server(line["server"].take()),
            message => Line::Client(message),
        }
    };
    lines.map(line).collect()
}

/// What an answer says, without what changes with each release.
fn said(answer: &Value) -> Value {
    let mut said = match answer.get("error") {
        Some(error) => error.clone(),
        None => answer["result"].clone(),
    };
    if let Some(server) = said.get_mut("serverInfo") {
        server["version"].take();
    }
    said
}

/// Rows and argument values are found out behind the answers, so that the recorded one may be the second or third.
fn check_answer(client: &mut Client, asked: &Value, recorded: &Value) {
    let begin = Instant::now();
    let mut answer = client.response(asked["id"].clone());
    while said(&answer) != said(recorded) && begin.elapsed() < SETTLED && asked["id"] != 1 {
        thread::sleep(PAUSE);
        answer = client.respond(asked["method"].as_str().unwrap(), asked["params"].clone());
    }
    assert_eq!(said(&answer), said(recorded), "{asked}");
}

#[test]
fn a_session_with_neovim_takes_its_course() {
    let mut client = Client::start();
    let mut asked = HashMap::new();
    let mut names = Vec::new();
    for line in recorded() {
        match line {
            Line::Client(message) => {
                client.send(&message);
                if let Some(name) = message["params"]["clientInfo"]["name"].as_str() {
                    names.push(name.to_owned());
                }
                if let Some(id) = message["id"].as_i64() {
                    asked.insert(id, message);
                }
            }
            Line::Server(message) if message.get("method").is_some() => {
                let params = &message["params"];
                let version = params["version"].as_i64().unwrap();
                let found = client.diagnostics(params["uri"].as_str().unwrap(), version as i32);
                assert_eq!(
                    Value::from(found),
                    params["diagnostics"],
                    "version {version}"
                );
            }
            Line::Server(message) => {
                let asked = &asked[&message["id"].as_i64().unwrap()];
                check_answer(&mut client, asked, &message);
            }
        }
    }
    assert_eq!(names, ["Neovim"]);
    assert_eq!(client.shut_down().code(), Some(0));
}
