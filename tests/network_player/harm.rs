//! Clients that mean harm: the player goes on.

use std::io::Write;
use std::thread;
use std::time::Duration;

use kolibri::network_player::MOST_BYTES;

use super::wire::{connect, exchange, ggp_base};
use super::{TAKEN, listening, options, rules, start};

#[test]
fn harm_is_of_no_avail() {
    let (_server, player, _events) = listening(options("mcts"));
    assert_eq!(
        ggp_base(player, &start("m", "x", &rules("tictactoe"))),
        "ready"
    );
    // Connections that send half a message, byte by byte, or nothing.
    let mut open: Vec<_> = (0..400).map(|_| connect(player)).collect();
    for (number, stream) in open.iter_mut().enumerate() {
        let part = &b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(PLAY m"[..number % 40];
        let _ = stream.write_all(part);
    }
    let slow = thread::spawn(move || {
        for _ in 0..20 {
            for stream in &mut open {
                let _ = stream.write_all(b" ");
            }
            thread::sleep(Duration::from_millis(10));
        }
    });
    let mut large = format!(
        "POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n",
        MOST_BYTES + 1
    )
    .into_bytes();
    large.resize(large.len() + MOST_BYTES + 1, b'(');
    let reply = exchange(player, &large);
    assert!(
        reply.is_empty() || reply.contains("413"),
        "{}",
        &reply[..reply.len().min(200)]
    );
    let deep = "(".repeat(100_000);
    for (garbage, expected) in [
        (
            format!(
                "POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{deep}",
                deep.len()
            ),
            "400",
        ),
        (
            "POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\n\u{0}\u{1}\u{2}".to_owned(),
            "400",
        ),
        (
            "POST / HTTP/1.0\r\nContent-Length: -7\r\n\r\n".to_owned(),
            "400",
        ),
        ("\u{0}\u{0}\u{0}\u{0}\r\n\r\n".to_owned(), ""),
        ("GET /favicon.ico HTTP/1.1\r\n\r\n".to_owned(), "400"),
        (format!("GET /{} HTTP/1.0\r\n\r\n", "x".repeat(200_000)), ""),
    ] {
        let reply = exchange(player, garbage.as_bytes());
        assert!(reply.contains(expected), "{expected}: {reply}");
    }
    assert_eq!(ggp_base(player, "(INFO)"), TAKEN);
    let reply = ggp_base(player, "(PLAY m NIL)");
    assert!(reply.starts_with("(mark "), "{reply}");
    slow.join().unwrap();
    assert_eq!(ggp_base(player, "(ABORT m)"), "aborted");
}

/// Rules of about half a mebibyte, which are read as a message but make no game.
fn long_rules() -> String {
    "(<= (legal x (mark ?m ?n)) (true (cell ?m ?n b))) ".repeat(10_000)
}

#[test]
fn long_messages_do_not_fill_the_memory_and_are_read_beside_others() {
    let (_server, player, _events) = listening(options("first"));
    assert_eq!(
        ggp_base(player, &start("m", "x", &rules("tictactoe"))),
        "ready"
    );
    // Twice as much as is kept of messages that are not finished. Each has sent about a mebibyte when that is reached, more than
    // the long messages have, which are therefore never the ones that are closed.
    let mut open: Vec<_> = (0..32).map(|_| connect(player)).collect();
    for stream in &mut open {
        let head = format!("POST / HTTP/1.0\r\nContent-Length: {MOST_BYTES}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
    }
    let part = [b'x'; 1 << 16];
    for _ in 0..MOST_BYTES / 2 / part.len() {
        for stream in &mut open {
            // Some are closed before they have sent everything.
            let _ = stream.write_all(&part);
        }
    }
    let long = start("other", "x", &long_rules());
    let senders: Vec<_> = (0..4)
        .map(|_| {
            let long = long.clone();
            thread::spawn(move || ggp_base(player, &long))
        })
        .collect();
    assert_eq!(ggp_base(player, "(PLAY m NIL)"), "(mark 1 1)");
    assert_eq!(ggp_base(player, "(INFO)"), TAKEN);
    for sender in senders {
        assert_eq!(sender.join().unwrap(), "busy");
    }
    drop(open);
    assert_eq!(ggp_base(player, "(ABORT m)"), "aborted");
}
