//! Matches outlive the program that plays them.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use kolibri::catalog::GameSource;
use kolibri::serve::{GameServer, ServeOptions};
use serde_json::json;
use tempfile::TempDir;

use super::client::{Client, MatchKeys};

/// The program, which keeps its matches in `state`.
pub(super) struct Program {
    pub(super) child: Child,
    client: Client,
}

impl Program {
    fn start(state: &Path) -> Self {
        let path = assert_cmd::cargo::cargo_bin("kolibri");
        Self::start_by(Command::new(path), state)
    }

    /// What `command` starts.
    pub(super) fn start_by(mut command: Command, state: &Path) -> Self {
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .env_clear()
            .env("XDG_STATE_HOME", state)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap();
        let client = Client::of(address.trim_end_matches('/').parse().unwrap());
        Self { child, client }
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn all_matches_are_there_after_a_kill() {
    let state = TempDir::new().unwrap();
    let program = Program::start(state.path());
    let links = json!([{"role": "o", "kind": "link", "name": "Bob"}]);
    let game = program
        .client
        .begin(&json!({"game": "tictactoe", "players": links}));
    let rules =
        "(role a) (init (step 1)) (legal a go) (legal a stay) (<= (next (step 2)) (does a go))
        (<= (next (step 1)) (does a stay)) (<= terminal (true (step 2))) (goal a 50)";
    let other = program
        .client
        .begin(&json!({"name": "own", "rules": rules, "delay": 0}));
    let mut owner = game.own_socket();
    owner.play("x", "(mark 1 1)");
    let file = state
        .path()
        .join(format!("kolibri/matches/{}.jsonl", game.id));
    let kept = fs::read_to_string(&file).unwrap();
    assert!(
        kept.contains("(mark 1 1)"),
        "what is shown is on the disk: {kept}"
    );
    other.own_socket().play("a", "stay");
    program.kill();
    // A line that was torn by the end counts as not written.
    fs::write(&file, kept + "{\"event\":\"played\",\"joint\":[\"noo").unwrap();

    let program = Program::start(state.path());
    let of = |game: &MatchKeys| MatchKeys {
        client: program.client,
        ..game.clone()
    };
    let listed = program.client.get("/api/v1/matches").json();
    let listed = listed["matches"].as_array().unwrap();
    assert_eq!(listed.len(), 2);
    assert!(listed.iter().all(|one| one["plies"] == 1), "{listed:?}");
    let (game, other) = (of(&game), of(&other));
    let view = game.own_socket().view;
    assert_eq!(
        (&view["ply"], &view["history"][0]["moves"]),
        (&json!(1), &json!(["(mark 1 1)", "noop"]))
    );
    let mut guest = game.socket(&format!("?key={}", game.link("o")));
    guest.play("o", "(mark 2 2)");
    let mut owner = other.own_socket();
    assert_eq!(owner.ply(), 1);
    owner.play("a", "go");
    assert_eq!(owner.view["is_over"], true);
}

#[test]
fn that_a_match_is_over_and_how_long_it_took_is_kept() {
    let folder = TempDir::new().unwrap();
    let server = super::client::start_in(folder.path(), "127.0.0.1:0");
    let client = Client::of(server.address());
    let rules =
        "(role a) (init (step 1)) (legal a go) (legal a stay) (<= (next (step 2)) (does a go))
        (<= (next (step 1)) (does a stay)) (<= terminal (true (step 2))) (goal a 50)";
    let over = client.begin(&json!({"name": "own", "rules": rules}));
    let timed = client.begin(&json!({"game": "tictactoe", "limit": 1000}));
    let mut owner = over.own_socket();
    owner.play("a", "go");
    for (ply, is_over) in [(0, false), (1, true)] {
        owner.send(&json!({"type": "goto", "ply": ply}));
        owner.until(|view| view["is_over"] == is_over);
    }
    // Nothing happens in it meanwhile.
    std::thread::sleep(std::time::Duration::from_millis(1200));
    drop((owner, server));
    let server = super::client::start_in(folder.path(), "127.0.0.1:0");
    let client = Client::of(server.address());
    let listed = client.get("/api/v1/matches").json();
    let mut listed = listed["matches"].as_array().unwrap().iter();
    let listed = listed.find(|one| one["id"] == *over.id).unwrap();
    assert_eq!(
        (&listed["is_over"], &listed["plies"]),
        (&json!(true), &json!(1))
    );
    let timed = MatchKeys { client, ..timed };
    let left = timed.own_socket().view["limit"]["left"].as_f64().unwrap();
    assert!(left <= 999.0, "{left}");
}

#[test]
fn a_match_that_is_over_where_it_begins_stays_over() {
    let folder = TempDir::new().unwrap();
    let rules = "(role a) (init done) (legal a go) (<= terminal (true done)) (goal a 50)";
    let is_over = |client: Client| {
        let listed = client.get("/api/v1/matches").json();
        listed["matches"][0]["is_over"].clone()
    };
    let server = super::client::start_in(folder.path(), "127.0.0.1:0");
    let client = Client::of(server.address());
    client.begin(&json!({"name": "own", "rules": rules}));
    assert_eq!(is_over(client), true);
    drop(server);
    let server = super::client::start_in(folder.path(), "127.0.0.1:0");
    assert_eq!(is_over(Client::of(server.address())), true);
}

#[test]
fn hidden_choices_are_kept() {
    let folder = TempDir::new().unwrap();
    let roles = kolibri::Game::load("rock-paper-scissors")
        .unwrap()
        .roles()
        .to_vec();
    let server = super::client::start_in(folder.path(), "127.0.0.1:0");
    let game = Client::of(server.address()).begin(&json!({"game": "rock-paper-scissors"}));
    let mut owner = game.own_socket();
    let mv = owner.view["moves"][&roles[0]][0]["move"]
        .as_str()
        .unwrap()
        .to_owned();
    owner.send(&super::client::play(&roles[0], &mv, 0));
    owner.until(|view| view["roles"][0]["has_chosen"] == true);
    drop((owner, server));
    let server = super::client::start_in(folder.path(), "127.0.0.1:0");
    let client = Client::of(server.address());
    let game = MatchKeys { client, ..game };
    let owner = game.own_socket();
    assert_eq!(owner.view["choosing"], json!([roles[1]]));
}

#[test]
fn a_match_is_drawn_by_its_board_file_when_that_is_gone() {
    let (state, rules) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let start = |game: Option<GameSource>| {
        let folder = state.path().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let options = ServeOptions {
            folder,
            game,
            cache: None,
        };
        GameServer::start(listener, options).unwrap()
    };
    let path = rules.path().join("own.kif");
    let text = kolibri::catalog::SHIPPED[0].text;
    // Other rules than those that are shipped, so that the file is what the server offers.
    fs::write(&path, format!("; mine\n{text}")).unwrap();
    fs::write(
        path.with_extension("board.toml"),
        "orientation = [\"left\", \"down\"]\n",
    )
    .unwrap();
    let server = start(Some(GameSource::from_file(&path).unwrap()));
    let game = Client::of(server.address()).begin(&json!({"game": "own"}));
    let picture = game.own_socket().view["picture"].clone();
    drop(server);
    fs::remove_file(path.with_extension("board.toml")).unwrap();
    let server = start(None);
    let client = Client::of(server.address());
    let again = MatchKeys { client, ..game };
    assert_eq!(again.own_socket().view["picture"], picture);
    let rules = format!("; mine\n{text}");
    let without = client.begin(&json!({"name": "own", "rules": rules}));
    assert_ne!(without.own_socket().view["picture"], picture);
}
