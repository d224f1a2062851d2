//! A match server as bytes on a socket.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// No reply takes longer, whatever else the machine does.
const LONG: Duration = Duration::from_secs(60);

pub(super) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    stream.set_write_timeout(Some(LONG)).unwrap();
    stream
}

/// Sends bytes, and reads until the player closes the connection.
pub(super) fn exchange(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = connect(address);
    // A player may refuse a message before it has read all of it.
    let _ = stream.write_all(bytes);
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    String::from_utf8(reply).unwrap()
}

/// The body of a reply whose head is as it should be.
pub(super) fn body(reply: &str) -> String {
    let (head, body) = reply
        .split_once("\r\n\r\n")
        .unwrap_or_else(|| panic!("no head: {reply:?}"));
    assert!(head.contains(" 200 OK\r\n"), "{head}");
    let length = format!("Content-Length: {}", body.len());
    assert!(head.contains(&length), "{head}");
    body.to_owned()
}

/// A message as ggp-base sends it.
pub(super) fn ggp_base(address: SocketAddr, message: &str) -> String {
    let length = message.len();
    let request = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER\r\nReceiver: \r\n\
         Content-Type: text/acl\r\nContent-Length: {length}\r\n\r\n{message}"
    );
    body(&exchange(address, request.as_bytes()))
}

/// A message as the game controller of Dresden sends it.
pub(super) fn dresden(address: SocketAddr, message: &str) -> String {
    let length = message.len();
    let request = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\nReceiver: localhost\r\n\
         Content-type: text/acl\r\nContent-length: {length}\r\n\r\n{message}"
    );
    body(&exchange(address, request.as_bytes()))
}
