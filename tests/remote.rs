//! Players on the network: ours against each other through real sockets, and players that do everything wrong.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use kolibri::engine::EngineChoice;
use kolibri::network_player::{
    HttpServer, Margin, NetworkPlayer, NetworkPlayerOptions, PlayerEvent,
};
use kolibri::play::{MatchResult, Spec};
use kolibri::{Game, Match};

use crate::cli::Folder;

/// A player that listens, and how to name it.
fn player(spec: &str) -> (HttpServer, String, std::sync::mpsc::Receiver<PlayerEvent>) {
    let (player, events) = NetworkPlayer::new(NetworkPlayerOptions {
        name: "Tester".to_owned(),
        spec: Spec::under_clocks(spec).unwrap(),
        engine: EngineChoice::Auto,
        cache: None,
        margin: Margin::learned(),
        records: None,
        seed: 1,
    });
    let server = HttpServer::start(TcpListener::bind("127.0.0.1:0").unwrap(), player).unwrap();
    let name = format!("remote:{}", server.address());
    (server, name, events)
}

fn spec(text: &str) -> Spec {
    text.parse().unwrap()
}

/// A match in which the first role is played from outside.
fn against(game: &Game, name: &str) -> Match {
    let roles = game.roles();
    let others = roles.iter().skip(1);
    let first = Match::new(game).player(&roles[0], spec(name));
    let all = others.fold(first, |so_far, role| so_far.player(role, spec("random")));
    all.clocks(Duration::from_secs(10), Duration::from_secs(1))
}

fn errors(result: &MatchResult) -> Vec<String> {
    result
        .games
        .iter()
        .flat_map(|game| game.errors.clone())
        .collect()
}

/// What a player found odd.
fn odd(events: &std::sync::mpsc::Receiver<PlayerEvent>) -> Vec<String> {
    let odd = events.try_iter().filter_map(|event| match event {
        PlayerEvent::Odd { what, .. } | PlayerEvent::Refused { why: what } => Some(what),
        _ => None,
    });
    odd.collect()
}

/// Three roles, all of which choose at once.
const THREE: &str = "(role a) (role b) (role c) (init (step 0)) (number 1) (number 2) (number 3) \
    (<= (legal ?r (say ?n)) (role ?r) (number ?n)) \
    (<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2))) \
    (<= (next (said ?r ?n)) (does ?r (say ?n))) \
    (<= terminal (true (step 3))) \
    (<= (goal ?r 100) (true (said ?r 3))) (<= (goal ?r 50) (true (said ?r 2))) (<= (goal ?r 0) (true (said ?r 1))) \
    (<= (goal ?r 0) (role ?r) (true (step 0)))";

#[test]
fn players_meet_over_the_network() {
    let three = Game::from_text("three", THREE).unwrap();
    for game in ["tictactoe", "nim", "rock-paper-scissors"]
        .map(|name| Game::load(name).unwrap())
        .into_iter()
        .chain([three])
    {
        for scramble in [false, true] {
            let listening: Vec<_> = game
                .roles()
                .iter()
                .map(|_| player("minimax:depth=2,heuristic=none"))
                .collect();
            let mut remote = Match::new(&game);
            for (role, (_, name, _)) in game.roles().iter().zip(&listening) {
                remote = remote.player(role, spec(name));
            }
            let remote = remote
                .clocks(Duration::from_secs(20), Duration::from_secs(20))
                .scramble(scramble);
            let result = remote.games(2).swap(true).run().unwrap();
            assert_eq!(errors(&result), [""; 0], "{}", game.name());
            for record in &result.records {
                assert!(record.is_completed);
                assert_eq!((record.scrambled, record.play_clock), (scramble, 20));
            }
            for (server, _, events) in listening {
                drop(server);
                assert_eq!(odd(&events), [""; 0], "{}", game.name());
                let all: Vec<PlayerEvent> = events.try_iter().collect();
                assert!(
                    !all.iter()
                        .any(|event| event.to_string().contains("stopped")),
                    "{all:?}"
                );
            }
        }
    }
}

#[test]
fn a_player_hears_of_the_moves_of_an_opening() {
    let game = Game::load("tictactoe").unwrap();
    let (server, name, events) = player("first");
    let result = against(&game, &name).opening(3).run().unwrap();
    assert_eq!(errors(&result), [""; 0]);
    drop(server);
    // Its answers to the moves of the opening are not played.
    let odd = odd(&events);
    assert!(
        odd.iter()
            .all(|what| what.contains("did not play the answer")),
        "{odd:?}"
    );
}

/// A player that answers every message by `answer`, which gets the message and the stream.
struct EvilPlayer {
    name: String,
    seen: Arc<Mutex<Vec<String>>>,
    is_over: Arc<AtomicBool>,
}

impl EvilPlayer {
    fn new(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let name = format!("remote:{}", listener.local_addr().unwrap());
        let (seen, is_over) = (
            Arc::<Mutex<Vec<String>>>::default(),
            Arc::<AtomicBool>::default(),
        );
        let (noted, over, answer) = (Arc::clone(&seen), Arc::clone(&is_over), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let (mut stream, noted, answer) =
                    (stream.unwrap(), Arc::clone(&noted), Arc::clone(&answer));
                thread::spawn(move || {
                    let text = message(&mut stream);
                    noted.lock().unwrap().push(text.clone());
                    answer(&text, &mut stream);
                });
            }
        });
        Self {
            name,
            seen,
            is_over,
        }
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for EvilPlayer {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(self.name.strip_prefix("remote:").unwrap());
    }
}

/// The message in a request.
fn message(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("Content-Length: "));
            if body.len() >= length.unwrap().parse().unwrap() {
                return body.to_owned();
            }
        }
        match stream.read(&mut piece) {
            Ok(count) if count > 0 => bytes.extend_from_slice(&piece[..count]),
            _ => return text,
        }
    }
}

fn reply(stream: &mut TcpStream, text: &str) {
    let _ = write!(
        stream,
        "HTTP/1.0 200 OK\r\nContent-length: {}\r\n\r\n{text}",
        text.len()
    );
}

/// The kinds of errors of a match against a player that answers PLAY so.
fn faults(answer: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> (Vec<String>, EvilPlayer) {
    let game = Game::from_text("three", THREE).unwrap();
    let evil = EvilPlayer::new(move |message, stream| match message.starts_with("( PLAY") {
        true => answer(stream),
        false => reply(stream, "ready"),
    });
    let result = against(&game, &evil.name).run().unwrap();
    assert!(result.records[0].is_completed, "the match goes on");
    let faults = result.records[0]
        .errors
        .iter()
        .map(|errors| errors[0].clone())
        .collect();
    let totals: Vec<u32> = result.totals.of_players().map(|line| line.errors).collect();
    let all: Vec<String> = faults;
    assert_eq!(
        totals[0] as usize,
        all.iter().filter(|fault| !fault.is_empty()).count()
    );
    assert_eq!(&totals[1..], [0, 0]);
    (all, evil)
}

#[test]
fn what_a_player_does_wrong_is_counted_and_the_match_goes_on() {
    let (silent, _) = faults(|_| thread::sleep(Duration::from_secs(6)));
    assert_eq!(
        silent,
        [
            "",
            "TO no answer within 2 s",
            "TO no answer within 2 s",
            "TO no answer within 2 s"
        ]
    );
    let (illegal, _) = faults(|stream| reply(stream, "(say 9)"));
    assert_eq!(illegal[1..], ["IL (say 9)", "IL (say 9)", "IL (say 9)"]);
    let (unreadable, _) = faults(|stream| reply(stream, "((("));
    assert_eq!(unreadable[1], "IL no move: (((");
    let (closed, _) = faults(|_| {});
    assert!(closed[1].starts_with("CE "), "{closed:?}");
    let (garbage, _) = faults(|stream| drop(stream.write_all(b"\x00\xff\r\n\r\n nothing")));
    assert!(garbage[1].starts_with("CE "), "{garbage:?}");
    let (endless, _) = faults(|stream| while stream.write_all(&[b'x'; 4096]).is_ok() {});
    assert!(endless[1].starts_with("CE "), "{endless:?}");
    let (refused, _) = faults(|stream| drop(write!(stream, "HTTP/1.0 500 Oh\r\n\r\n")));
    assert!(refused[1].contains("500"), "{refused:?}");
    let (slow, _) = faults(|stream| {
        for byte in "HTTP/1.0 200 OK\r\nContent-Length: 7\r\n\r\n(say 1)"
            .bytes()
            .cycle()
        {
            thread::sleep(Duration::from_millis(500));
            if stream.write_all(&[byte]).is_err() {
                return;
            }
        }
    });
    assert!(slow[1].starts_with("TO "), "{slow:?}");
}

#[test]
fn messages_are_those_of_the_protocol() {
    let (faults, evil) = faults(|stream| drop(write!(stream, "HTTP/1.1 200 OK\n\n  (SAY 2)\r\n")));
    assert_eq!(faults, [""; 4]);
    let seen = evil.seen();
    let id = seen[0].split(' ').nth(2).unwrap();
    assert!(
        seen[0].starts_with(&format!("( START {id} a ((role a) (role b) ")),
        "{}",
        seen[0]
    );
    assert!(seen[0].ends_with(" ) 10 1)"), "{}", seen[0]);
    assert_eq!(seen[1], format!("( PLAY {id} NIL )"));
    assert!(
        seen[2].starts_with(&format!("( PLAY {id} ((say 2) (say ")),
        "{}",
        seen[2]
    );
    assert!(
        seen[4].starts_with(&format!("( STOP {id} ((say 2) (say ")),
        "{}",
        seen[4]
    );
    assert_eq!(seen.len(), 5);
}

#[test]
fn a_busy_player_has_only_errors() {
    let game = Game::from_text("three", THREE).unwrap();
    let evil = EvilPlayer::new(|_, stream| reply(stream, "busy"));
    let result = against(&game, &evil.name).run().unwrap();
    assert_eq!(errors(&result).len(), 3);
    assert!(
        errors(&result)[0].contains("is busy"),
        "{:?}",
        errors(&result)
    );
    assert_eq!(evil.seen().len(), 1, "it is not asked again");
}

#[test]
fn words_mean_nothing_to_the_player() {
    let game = Game::load("tictactoe").unwrap();
    let evil = EvilPlayer::new(|_, stream| reply(stream, "noop"));
    let result = against(&game, &evil.name).scramble(true).run().unwrap();
    assert!(!errors(&result).is_empty());
    let seen = evil.seen();
    assert!(
        !seen
            .iter()
            .any(|text| text.contains("mark") || text.contains("noop")),
        "{seen:?}"
    );
}

#[test]
fn a_remote_player_begins_where_the_rules_begin() {
    let folder = Folder::new();
    for (words, expected) in [
        (
            &[
                "match",
                "tictactoe",
                "(mark 1 1)",
                "--player",
                "remote:127.0.0.1:1",
            ][..],
            "unexpected argument",
        ),
        (
            &["match", "tictactoe", "--player", "remote:nowhere"],
            "needs HOST:PORT",
        ),
        (
            &["play", "tictactoe", "--player", "remote:127.0.0.1:1"],
            "cannot take moves back",
        ),
        (
            &["player", "--player", "remote:127.0.0.1:1"],
            "cannot answer in place",
        ),
    ] {
        let ended = folder.run(words);
        assert_eq!(ended.status, 2, "{}", ended.shown());
        assert!(ended.err.contains(expected), "{}", ended.shown());
    }
    let record = folder.run(&[
        "match",
        "tictactoe",
        "--player",
        "first",
        "--max-plies",
        "3",
        "--record",
        ".",
        "--record-format",
        "json",
        "--quiet",
    ]);
    assert_eq!(record.status, 0, "{}", record.shown());
    let entry = std::fs::read_dir(folder.path())
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let file = entry.file_name().into_string().unwrap();
    let ended = folder.run(&["match", &file, "--player", "remote:127.0.0.1:1"]);
    assert_eq!(ended.status, 2, "{}", ended.shown());
    assert!(
        ended.err.contains("only begin where the rules begin"),
        "{}",
        ended.shown()
    );
}

#[test]
fn scrambled_rules_are_the_same_game() {
    let folder = Folder::new();
    let ended = folder.run(&[
        "scramble",
        "tictactoe",
        "--seed",
        "3",
        "-o",
        "other.kif",
        "--key",
        "key.json",
    ]);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let counts = |game: &str| folder.run(&["perft", game, "4", "--json"]).json()["counts"].clone();
    assert_eq!(counts("other.kif"), counts("tictactoe"));
    let key = std::fs::read_to_string(folder.path().join("key.json")).unwrap();
    let key: serde_json::Value = serde_json::from_str(&key).unwrap();
    let rules = std::fs::read_to_string(folder.path().join("other.kif")).unwrap();
    assert!(
        rules.contains(key["mark"].as_str().unwrap()) && !rules.contains("mark"),
        "{rules}"
    );
    assert_eq!(folder.run(&["fmt", "--check", "other.kif"]).status, 0);
    let again = folder.run(&["scramble", "tictactoe", "-o", "other.kif"]);
    assert!(again.err.contains("--force"), "{}", again.shown());
}
