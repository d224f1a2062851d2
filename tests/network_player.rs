//! The player that match servers call, over real sockets, by servers that speak each dialect and by clients that mean harm.

mod harm;
mod servers;
mod wire;

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use kolibri::engine::EngineChoice;
use kolibri::network_player::{
    HttpServer, Margin, NetworkPlayer, NetworkPlayerOptions, PlayerEvent,
};
use kolibri::play::{Record, RecordFormat, Spec};
use kolibri::{Game, Session};

use crate::cli::Folder;
use wire::{body, dresden, exchange, ggp_base};

fn options(spec: &str) -> NetworkPlayerOptions {
    NetworkPlayerOptions {
        name: "Tester".to_owned(),
        spec: Spec::under_clocks(spec).unwrap(),
        engine: EngineChoice::Auto,
        cache: None,
        margin: Margin::learned(),
        records: None,
        seed: 1,
    }
}

/// A player that listens.
fn listening(options: NetworkPlayerOptions) -> (HttpServer, SocketAddr, Receiver<PlayerEvent>) {
    let (player, events) = NetworkPlayer::new(options);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = HttpServer::start(listener, player).unwrap();
    let address = server.address();
    (server, address, events)
}

/// The rules of a shipped game, as servers send them.
fn rules(game: &str) -> String {
    let game = Game::load(game).unwrap();
    let lines = game.source().text.lines();
    let bare = lines.map(|line| line.split(';').next().unwrap());
    bare.collect::<Vec<_>>().join(" ")
}

fn start(id: &str, role: &str, rules: &str) -> String {
    format!("( START {id} {role} ({rules} ) 20 20)")
}

/// What is odd, as the player tells it.
fn odd(events: &Receiver<PlayerEvent>) -> Vec<String> {
    let odd = events.try_iter().filter_map(|event| match event {
        PlayerEvent::Odd { what, .. } => Some(what),
        _ => None,
    });
    odd.collect()
}

const FREE: &str = "( ( name Tester ) ( status available ) )";
const TAKEN: &str = "( ( name Tester ) ( status busy ) )";

#[test]
fn a_match_as_ggp_base_plays_it() {
    let (_server, player, events) = listening(options("first"));
    assert_eq!(ggp_base(player, "( INFO )"), FREE);
    assert_eq!(
        ggp_base(
            player,
            &start("t.ticTacToe.1795208146910", "x", &rules("tictactoe"))
        ),
        "ready"
    );
    assert_eq!(ggp_base(player, "( INFO )"), TAKEN);
    let id = "t.ticTacToe.1795208146910";
    assert_eq!(
        ggp_base(player, &format!("( PLAY {id} NIL )")),
        "(mark 1 1)"
    );
    assert_eq!(
        ggp_base(player, &format!("( PLAY {id} (( mark 1 1 ) noop ) )")),
        "noop"
    );
    assert_eq!(
        ggp_base(player, &format!("( PLAY {id} (noop ( mark 2 2 ) ) )")),
        "(mark 1 2)"
    );
    assert_eq!(
        ggp_base(player, &format!("( STOP {id} (( mark 1 2 ) noop ) )")),
        "done"
    );
    assert_eq!(odd(&events), [""; 0]);
    assert_eq!(ggp_base(player, "( ABORT other )"), "busy");
    assert_eq!(ggp_base(player, "( PING )"), "ready");
}

#[test]
fn a_match_as_dresden_plays_it() {
    let (_server, player, events) = listening(options("first"));
    let message = format!(
        "(START dresden1 O ({}) 20 20)",
        rules("tictactoe").to_uppercase()
    );
    assert_eq!(dresden(player, &message), "ready");
    assert_eq!(dresden(player, "(PLAY dresden1 NIL)"), "NOOP");
    assert_eq!(
        dresden(player, "(PLAY dresden1 ((MARK 2 1) NOOP))"),
        "(MARK 1 1)"
    );
    assert_eq!(dresden(player, "(STOP dresden1 (NOOP (MARK 1 1)))"), "done");
    assert_eq!(odd(&events), [""; 0]);
}

#[test]
fn moves_come_in_other_case_and_as_percepts() {
    let (_server, player, events) = listening(options("first"));
    assert_eq!(
        dresden(player, &start("m", "X", &rules("tictactoe"))),
        "ready"
    );
    assert_eq!(dresden(player, "(play m 0 nil nil)"), "(mark 1 1)");
    assert_eq!(
        dresden(
            player,
            "(PLAY m 1 (MARK 1 1) ((DID X (MARK 1 1)) (DID O NOOP)))"
        ),
        "noop"
    );
    assert_eq!(
        dresden(player, "(PLAY m ((did o (mark 3 3)) (did x noop)))"),
        "(mark 1 2)"
    );
    assert_eq!(
        dresden(
            player,
            "(STOP m 3 (MARK 1 2) ((DID X (MARK 1 2)) (DID O NOOP)))"
        ),
        "done"
    );
    assert_eq!(odd(&events), [""; 0]);
}

#[test]
fn requests_may_be_written_in_many_ways() {
    let (_server, player, _events) = listening(options("first"));
    for request in [
        "GET /%28+INFO%20%29 HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: here\r\n\r\n",
        "POST / HTTP/1.0\r\n\r\n",
        "POST / HTTP/1.0\nContent-Length: 8\n\n( info )",
        "POST / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\nCONTENT-LENGTH: 6\r\n\r\n(INFO)",
        "POST /anything HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n(INFO)\r\n0\r\n\r\n",
        "POST / HTTP/1.0\r\nGGP-Match-ID: abc\r\nGGP-Match-Step: 1\r\nGGP-Match-Host: Tiltyard\r\nGGP-Match-Players: a, b\r\n\
         Receiver: PLAYER\r\nContent-Length: 6\r\n\r\n(INFO)",
    ] {
        assert_eq!(
            body(&exchange(player, request.as_bytes())),
            FREE,
            "{request}"
        );
    }
    let reply = exchange(player, b"OPTIONS / HTTP/1.0\r\n\r\n");
    assert_eq!(body(&reply), "");
    assert!(
        reply.contains("Access-Control-Allow-Origin: *\r\n"),
        "{reply}"
    );
    assert!(reply.contains("Content-Type: text/acl\r\n"), "{reply}");
}

#[test]
fn one_match_is_played_at_a_time() {
    let (_server, player, events) = listening(options("first"));
    let rules = rules("nim");
    let game = Game::load("nim").unwrap();
    let role = &game.roles()[0];
    assert_eq!(ggp_base(player, &format!("(PREVIEW ({rules}) 5)")), "ready");
    assert_eq!(ggp_base(player, &start("one", role, &rules)), "ready");
    assert_eq!(ggp_base(player, &start("two", role, &rules)), "busy");
    assert_eq!(ggp_base(player, &format!("(PREVIEW ({rules}) 5)")), "busy");
    assert_eq!(ggp_base(player, "(PING)"), "busy");
    assert_eq!(ggp_base(player, "(PLAY two NIL)"), "busy");
    assert_eq!(
        ggp_base(player, "(PLAY One NIL)"),
        "busy",
        "names are compared exactly"
    );
    assert_eq!(ggp_base(player, "(STOP two NIL)"), "busy");
    assert_eq!(ggp_base(player, "(ABORT one)"), "aborted");
    assert_eq!(ggp_base(player, &start("two", role, &rules)), "ready");
    assert_eq!(ggp_base(player, "(STOP two NIL)"), "done");
    assert_eq!(ggp_base(player, "(INFO)"), FREE);
    let refused = events
        .try_iter()
        .filter(|event| matches!(event, PlayerEvent::Refused { .. }));
    assert_eq!(refused.count(), 4);
}

#[test]
fn the_same_question_gets_the_same_answer() {
    let (_server, player, events) = listening(options("random"));
    assert_eq!(
        ggp_base(player, &start("m", "x", &rules("tictactoe"))),
        "ready"
    );
    let first = ggp_base(player, "(PLAY m NIL)");
    assert_eq!(ggp_base(player, "(PLAY m NIL)"), first);
    let waits = format!("(PLAY m ({first} noop))");
    assert_eq!(ggp_base(player, &waits), "noop");
    assert_eq!(ggp_base(player, &waits), "noop");
    let reply = if first == "(mark 3 3)" {
        "(mark 1 1)"
    } else {
        "(mark 3 3)"
    };
    let next = format!("(PLAY m (noop {reply}))");
    let second = ggp_base(player, &next);
    for _ in 0..5 {
        assert_eq!(ggp_base(player, &next), second);
    }
    assert_eq!(odd(&events), [""; 0]);
}

#[test]
fn missing_and_illegal_moves_are_told_and_guessed() {
    let (_server, player, events) = listening(options("first"));
    assert_eq!(
        ggp_base(player, &start("m", "x", &rules("tictactoe"))),
        "ready"
    );
    assert_eq!(ggp_base(player, "(PLAY m NIL)"), "(mark 1 1)");
    assert_eq!(ggp_base(player, "(PLAY m ((mark 7 7) noop))"), "noop");
    assert_eq!(
        ggp_base(player, "(PLAY m (noop))"),
        "(mark 1 3)",
        "the other is taken to have marked 1 2"
    );
    assert_eq!(ggp_base(player, "(PLAY m NIL)"), "noop");
    let told = odd(&events);
    assert!(told[0].contains("(mark 7 7)"), "{told:?}");
    assert!(
        told.iter().any(|what| what.contains("no move, for o")),
        "{told:?}"
    );
    assert!(told.iter().any(|what| what.contains("missing")), "{told:?}");
    assert_eq!(ggp_base(player, "(PLAY m (noop (mark 3 3)))"), "(mark 2 1)");
    assert_eq!(
        ggp_base(player, "(PLAY m ((mark 2 2) noop))"),
        "noop",
        "the server played another move"
    );
    assert!(
        odd(&events)
            .iter()
            .any(|what| what.contains("did not play the answer (mark 2 1)"))
    );
}

#[test]
fn rules_that_cannot_be_played_leave_the_player_free() {
    let (_server, player, events) = listening(options("first"));
    for message in [
        "(START m x ((role x) (<= ) (legal)) 5 5)",
        "(START m nobody ((role x)) 5 5)",
        "(START m x () 5 5)",
    ] {
        assert_eq!(ggp_base(player, message), "busy", "{message}");
        assert!(!odd(&events).is_empty(), "{message}");
    }
    let message = start("m", "nobody", &rules("tictactoe"));
    assert_eq!(ggp_base(player, &message), "busy");
    assert_eq!(odd(&events), ["the game has no role nobody"]);
    assert_eq!(
        ggp_base(player, &start("m", "o", &rules("tictactoe"))),
        "ready"
    );
}

#[test]
fn a_match_without_time_to_load_is_played_all_the_same() {
    let (_server, player, events) = listening(options("mcts"));
    let message = format!("(START m x ({}) 0 10)", rules("tictactoe"));
    assert_eq!(ggp_base(player, &message), "ready");
    let mut session = Session::new(&Game::load("tictactoe").unwrap());
    let mut last = "NIL".to_owned();
    while !session.is_terminal() {
        let reply = ggp_base(player, &format!("(PLAY m {last})"));
        assert!(session.legal_of(0).contains(&reply), "{reply}");
        let other = session.legal_of(1)[0].clone();
        session.play_joint(&[&reply, &other]).unwrap();
        last = format!("({reply} {other})");
    }
    assert_eq!(ggp_base(player, &format!("(STOP m {last})")), "done");
    let loaded = events
        .try_iter()
        .filter(|event| matches!(event, PlayerEvent::Loaded { .. }));
    assert!(loaded.count() >= 1);
}

/// Three who choose at once, in words that mean nothing.
const SCRAMBLED: &str = "(role portcullis) (role oxbow) (role (seat 3)) (init (murk 0)) \
    (<= (legal ?w (blub ?n)) (role ?w) (gnarl ?n)) (gnarl 1) (gnarl 2) (gnarl 3) \
    (<= (next (murk 1)) (true (murk 0))) (<= (next (murk 2)) (true (murk 1))) \
    (<= (next (hod ?w ?n)) (does ?w (blub ?n))) \
    (<= terminal (true (murk 2))) \
    (<= (goal ?w 100) (true (hod ?w 3))) (<= (goal ?w 0) (true (hod ?w 1))) (<= (goal ?w 50) (true (hod ?w 2))) \
    (<= (goal ?w 0) (role ?w) (true (murk 0)))";

#[test]
fn three_players_choose_at_once_and_the_match_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let records = Some((folder.path().to_owned(), RecordFormat::Json));
    let (server, player, events) = listening(NetworkPlayerOptions {
        records,
        ..options("minimax:depth=2")
    });
    assert_eq!(
        ggp_base(player, &start("m.3", "(seat 3)", SCRAMBLED)),
        "ready"
    );
    assert_eq!(
        ggp_base(player, "(PLAY m.3 NIL)").split(' ').next(),
        Some("(blub")
    );
    assert_eq!(
        ggp_base(player, "(PLAY m.3 ((blub 1) (blub 2) (blub 3)))"),
        "(blub 3)",
        "it wins"
    );
    assert_eq!(
        ggp_base(player, "(STOP m.3 ((blub 2) (blub 2) (blub 3)))"),
        "done"
    );
    drop(server);
    let ended = events.iter().find_map(|event| match event {
        PlayerEvent::Ended {
            plies: 2,
            record,
            how,
            ..
        } if how.contains("100 points") => record,
        _ => None,
    });
    let record = Record::load(&ended.unwrap()).unwrap();
    assert_eq!(
        (
            record.match_id.as_str(),
            record.start_clock,
            record.play_clock
        ),
        ("m.3", 20, 20)
    );
    assert_eq!(record.moves[1], ["(blub 2)", "(blub 2)", "(blub 3)"]);
    assert_eq!(record.goal_values, [Some(50), Some(50), Some(100)]);
    assert!(record.is_completed);
    let clocks: Vec<(usize, bool)> = record
        .clocks
        .iter()
        .map(|one| (one.plies, one.is_cut_short))
        .collect();
    assert_eq!(clocks, [(0, false), (0, false), (1, false)]);
    assert!(
        record
            .clocks
            .iter()
            .all(|one| one.clock == 20_000 && one.taken < one.clock)
    );
    let rules = Game::from_text("again", record.rulesheet.as_deref().unwrap()).unwrap();
    record.set_up(&mut Session::new(&rules)).unwrap();
}

#[test]
fn a_match_that_is_left_is_recorded_too() {
    let folder = tempfile::tempdir().unwrap();
    let records = Some((folder.path().to_owned(), RecordFormat::Json));
    let (server, player, events) = listening(NetworkPlayerOptions {
        records,
        ..options("auto:ponder=true")
    });
    assert_eq!(
        ggp_base(player, &format!("(START m x ({}) 2 5)", rules("tictactoe"))),
        "ready"
    );
    drop(server);
    let recorded = events.iter().any(|event| {
        matches!(
            event,
            PlayerEvent::Ended {
                record: Some(_),
                ..
            }
        )
    });
    assert!(recorded);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_search_takes_the_clock_and_keeps_within_it() {
    let (_server, player, events) = listening(options("mcts:ponder=true"));
    let rules = rules("connect-four");
    let role = Game::load("connect-four").unwrap().roles()[0].clone();
    assert_eq!(
        ggp_base(player, &format!("(START m {role} ({rules}) 2 2)")),
        "ready"
    );
    let reply = ggp_base(player, "(PLAY m NIL)");
    assert!(reply.starts_with("(drop "), "{reply}");
    let answered = events.iter().find_map(|event| match event {
        PlayerEvent::Answered { time, clock, .. } => Some((time, clock)),
        _ => None,
    });
    let (time, clock) = answered.unwrap();
    assert_eq!(clock, Duration::from_secs(2));
    assert!(time > clock / 4, "it searches: {time:?}");
}

/// The program, which is ended when the test is over.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_program_plays_as_many_matches_as_asked() {
    let folder = Folder::new();
    let mut program = Command::new(assert_cmd::cargo::cargo_bin("kolibri"));
    program
        .current_dir(folder.path())
        .args([
            "player",
            "--listen",
            "127.0.0.1:0",
            "--player",
            "first",
            "--name",
            "Wren",
        ])
        .args([
            "--matches",
            "1",
            "--record",
            "kept",
            "--record-format",
            "json",
        ])
        .stdout(Stdio::piped());
    let mut program = Program(program.spawn().unwrap());
    let mut lines = BufReader::new(program.0.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    let address: SocketAddr = first
        .strip_prefix("listening on ")
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(ggp_base(address, "(INFO)"), FREE.replace("Tester", "Wren"));
    assert_eq!(
        ggp_base(address, &start("m", "x", &rules("tictactoe"))),
        "ready"
    );
    assert_eq!(ggp_base(address, "(PLAY m NIL)"), "(mark 1 1)");
    assert_eq!(ggp_base(address, "(STOP m ((mark 1 1) noop))"), "done");
    assert_eq!(program.0.wait().unwrap().code(), Some(0));
    let told: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(told[0], "m: plays x, start clock 20 s, play clock 20 s");
    assert!(told[2].starts_with("m: 1. (mark 1 1), after "), "{told:?}");
    assert!(
        told[3].starts_with("m: ended after 1 plies, stopped, recorded in kept"),
        "{told:?}"
    );
    let verified = folder.run(&["verify", "kept"]);
    assert_eq!(verified.status, 0, "{}", verified.shown());
}

#[test]
fn wrong_options_are_explained() {
    let folder = Folder::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for (options, expected) in [
        (["--listen", &taken], "cannot listen on 127.0.0.1:"),
        (["--listen", "nonsense"], "cannot listen on nonsense: "),
        (["--name", "two words"], "give one word"),
        (
            ["--player", "human"],
            "a person cannot answer match servers",
        ),
        (["--player", "minmax"], "did you mean `minimax`?"),
        (
            ["--player", "minimax:evaluation=advanced"],
            "no evaluation `advanced`",
        ),
    ] {
        let ended = folder.run(&["player", options[0], options[1]]);
        assert_eq!(ended.status, 2, "{options:?}: {}", ended.shown());
        assert!(
            ended.err.contains(expected),
            "{options:?}: {}",
            ended.shown()
        );
    }
}
