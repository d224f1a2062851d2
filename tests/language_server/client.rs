//! A small client: starts the program, sends messages, and sorts what comes back.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// How long an answer may take before a test fails: far longer than any takes.
const TIMEOUT: Duration = Duration::from_secs(120);

pub(super) struct Client {
    process: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Notifications that nobody has asked for yet.
    notices: VecDeque<Value>,
    /// Responses that nobody has asked for yet.
    responses: Vec<Value>,
    next_id: i64,
}

impl Client {
    /// A server that has not been spoken to.
    pub(super) fn start() -> Client {
        let mut process = Command::new(assert_cmd::cargo::cargo_bin("kolibri"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = process.stdout.take().unwrap();
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read_message(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Client {
            input: process.stdin.take(),
            process,
            messages,
            notices: VecDeque::new(),
            responses: Vec::new(),
            // Higher than those of a recorded session.
            next_id: 1000,
        }
    }

    /// A server that is ready.
    pub(super) fn ready() -> Client {
        let mut client = Client::start();
        let completion = json!({"completionItem": {"snippetSupport": true}});
        let capabilities = json!({"textDocument": {"completion": completion}});
        client.request("initialize", json!({"capabilities": capabilities}));
        client.notify("initialized", json!({}));
        client
    }

    pub(super) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub(super) fn send_body(&mut self, body: &str) {
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// Sends a message, which gets its version of the protocol.
    pub(super) fn send(&mut self, message: &Value) {
        let mut message = message.clone();
        message["jsonrpc"] = json!("2.0");
        self.send_body(&message.to_string());
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"method": method, "params": params}));
    }

    /// The whole response to a request.
    pub(super) fn respond(&mut self, method: &str, params: Value) -> Value {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"id": id, "method": method, "params": params}));
        self.response(json!(id))
    }

    /// The response with this id.
    pub(super) fn response(&mut self, id: Value) -> Value {
        loop {
            let mut known = self.responses.iter();
            if let Some(index) = known.position(|response| response["id"] == id) {
                return self.responses.remove(index);
            }
            self.receive();
        }
    }

    /// Waits for a message.
    fn receive(&mut self) {
        let message = self.messages.recv_timeout(TIMEOUT).expect("a message");
        match message.get("method") {
            Some(_) => self.notices.push_back(message),
            None => self.responses.push(message),
        }
    }

    /// The result of a request that succeeds.
    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        let response = self.respond(method, params);
        assert_eq!(response.get("error"), None, "{method}");
        response["result"].clone()
    }

    /// The message of a request that fails.
    pub(super) fn refusal(&mut self, method: &str, params: Value) -> String {
        let response = self.respond(method, params);
        let message = response["error"]["message"].as_str();
        message.unwrap_or_else(|| panic!("{response}")).to_owned()
    }

    pub(super) fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "kif", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// An edit; `range` is `[line, character, line, character]`, without it `text` is the whole new text.
    pub(super) fn change(&mut self, uri: &str, version: i32, range: Option<[u32; 4]>, text: &str) {
        let change = match range {
            Some(range) => json!({"range": range_of(range), "text": text}),
            None => json!({"text": text}),
        };
        let document = json!({"uri": uri, "version": version});
        let params = json!({"textDocument": document, "contentChanges": [change]});
        self.notify("textDocument/didChange", params);
    }

    /// The findings about a version of a document; those about earlier versions are passed over.
    pub(super) fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Value> {
        loop {
            let Some(notice) = self.notices.pop_front() else {
                self.receive();
                continue;
            };
            let params = &notice["params"];
            if params["uri"] == uri && params["version"] == version {
                return params["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    /// Closes the input, and waits for the program to end.
    pub(super) fn end(mut self) -> ExitStatus {
        drop(self.input.take());
        self.process.wait().unwrap()
    }

    /// Asks the server to shut down and to exit, without closing its input.
    pub(super) fn shut_down(mut self) -> ExitStatus {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        self.process.wait().unwrap()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn read_message(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

pub(super) fn range_of([line, character, to_line, to_character]: [u32; 4]) -> Value {
    json!({
        "start": {"line": line, "character": character},
        "end": {"line": to_line, "character": to_character},
    })
}
