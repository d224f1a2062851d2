//! A client of the server: requests over plain sockets, and a match that is played over one.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

use kolibri::serve::{GameServer, ServeOptions};
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// The head of a request that asks for a socket.
pub(super) const UPGRADE: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                                  Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

/// Nothing that is waited for takes so long.
pub(super) const LONG: Duration = Duration::from_secs(120);

/// A server of the library, with matches in a folder of its own.
pub(super) struct TestServer {
    server: GameServer,
    _folder: TempDir,
}

impl TestServer {
    pub(super) fn start() -> Self {
        let folder = TempDir::new().unwrap();
        let server = start_in(folder.path(), "127.0.0.1:0");
        Self {
            server,
            _folder: folder,
        }
    }

    pub(super) fn client(&self) -> Client {
        Client::of(self.server.address())
    }
}

/// A server that keeps its matches in this folder.
pub(super) fn start_in(folder: &Path, listen: &str) -> GameServer {
    let options = ServeOptions {
        folder: folder.to_owned(),
        game: None,
        cache: None,
    };
    GameServer::start(TcpListener::bind(listen).unwrap(), options).unwrap()
}

/// Whoever calls a server.
#[derive(Debug, Clone, Copy)]
pub(super) struct Client {
    address: SocketAddr,
}

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Answer {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|fault| panic!("{fault}: {self:?}"))
    }
}

impl Client {
    pub(super) fn of(address: SocketAddr) -> Self {
        Self { address }
    }

    /// Where the server listens.
    pub(super) fn port(self) -> u16 {
        self.address.port()
    }

    pub(super) fn connect(self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream
    }

    /// Sends bytes, and reads until the connection is closed.
    pub(super) fn exchange(self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that has had enough closes the connection before all is sent.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        Answer {
            status: status.unwrap_or(0),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    pub(super) fn request(self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let host = match headers.contains("Host:") {
            true => String::new(),
            false => format!("Host: {}\r\n", self.address),
        };
        let length = body.len();
        self.exchange(
            format!(
                "{method} {path} HTTP/1.1\r\n{host}{headers}Content-Length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        )
    }

    pub(super) fn get(self, path: &str) -> Answer {
        self.request("GET", path, "", "")
    }

    pub(super) fn post(self, path: &str, body: &Value) -> Answer {
        self.request("POST", path, "", &body.to_string())
    }

    /// Makes a match.
    pub(super) fn begin(self, asked: &Value) -> MatchKeys {
        let answer = self.post("/api/v1/matches", asked);
        assert_eq!(answer.status, 201, "{answer:?}");
        let made = answer.json();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let links = made["links"].as_object().unwrap().iter();
        MatchKeys {
            client: self,
            id: text(&made["id"]),
            key: text(&made["key"]),
            links: links.map(|(role, key)| (role.clone(), text(key))).collect(),
        }
    }
}

/// A match, and the keys to it.
#[derive(Debug, Clone)]
pub(super) struct MatchKeys {
    pub(super) client: Client,
    pub(super) id: String,
    pub(super) key: String,
    pub(super) links: Vec<(String, String)>,
}

impl MatchKeys {
    pub(super) fn path(&self, rest: &str) -> String {
        format!("/api/v1/matches/{}{rest}", self.id)
    }

    /// A connection of whoever made it.
    pub(super) fn own_socket(&self) -> MatchClient {
        self.socket(&format!("?key={}", self.key))
    }

    pub(super) fn link(&self, role: &str) -> &str {
        let mut links = self.links.iter();
        &links.find(|(of, _)| of == role).unwrap().1
    }

    pub(super) fn socket(&self, query: &str) -> MatchClient {
        let address = self.client.address;
        let path = self.path(&format!("/socket{query}"));
        let stream = self.client.connect();
        let (socket, _) = tungstenite::client(format!("ws://{address}{path}"), stream).unwrap();
        let mut client = MatchClient {
            socket,
            view: Value::Null,
        };
        client.view = client.next("view");
        client
    }
}

/// A connection to a match.
pub(super) struct MatchClient {
    socket: WebSocket<TcpStream>,
    /// The match as it was shown last.
    pub(super) view: Value,
}

impl MatchClient {
    pub(super) fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string());
    }

    pub(super) fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text.to_owned())).unwrap();
    }

    /// The next message of this kind; views before it are kept.
    pub(super) fn next(&mut self, kind: &str) -> Value {
        self.next_of(&[kind])
    }

    /// The next message of one of these kinds.
    pub(super) fn next_of(&mut self, kinds: &[&str]) -> Value {
        loop {
            let message = self.socket.read().unwrap();
            let Message::Text(text) = message else {
                continue;
            };
            let message: Value = serde_json::from_str(text.as_str()).unwrap();
            if message["type"] == "view" {
                self.view = message.clone();
            }
            if kinds.iter().any(|kind| message["type"] == *kind) {
                return message;
            }
            assert!(message["type"] != "refused", "{message}");
        }
    }

    /// Waits until the match looks so.
    pub(super) fn until(&mut self, looks_so: impl Fn(&Value) -> bool) -> &Value {
        while !looks_so(&self.view) {
            self.next("view");
        }
        &self.view
    }

    /// The connection, of which nothing is read any more.
    pub(super) fn into_stream(self) -> TcpStream {
        self.socket.get_ref().try_clone().unwrap()
    }

    pub(super) fn ask(&mut self, message: &Value, kind: &str) -> Value {
        self.send(message);
        self.next(kind)
    }

    pub(super) fn ply(&self) -> u64 {
        self.view["ply"].as_u64().unwrap()
    }

    /// Plays a move, and waits until it is shown.
    pub(super) fn play(&mut self, role: &str, mv: &str) {
        let ply = self.ply();
        self.send(&play(role, mv, ply));
        self.until(|view| view["ply"].as_u64() > Some(ply));
    }
}

pub(super) fn play(role: &str, mv: &str, ply: u64) -> Value {
    json!({"type": "play", "role": role, "move": mv, "ply": ply})
}
