//! What the host says, heard while the player thinks.

use std::io::BufRead;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::engine_protocol::{
    HostMessage, LongestLine, ProtocolLine, UnreadableLine, read_protocol_line,
};
use crate::util::StopFlag;

/// What was heard.
pub(super) enum Heard {
    Message(HostMessage),
    /// A line that is no message.
    Unreadable(String),
    /// Nothing comes any more.
    End,
}

/// A thread that reads the input.
pub(super) struct Listening {
    heard: Receiver<Heard>,
    flags: HostFlags,
}

/// What the thread raises at once, while the player may be searching.
#[derive(Clone, Default)]
struct HostFlags {
    /// The search must end, for the match has.
    stop: StopFlag,
    /// The player must end.
    end: StopFlag,
}

impl Listening {
    pub(super) fn begin(input: impl BufRead + Send + 'static) -> Self {
        let (sender, heard) = channel();
        let flags = HostFlags::default();
        let raised = flags.clone();
        thread::spawn(move || {
            listen(input, &sender, &raised);
            raised.end.raise();
            raised.stop.raise();
            let _ = sender.send(Heard::End);
        });
        Self { heard, flags }
    }

    /// The next thing that is said.
    pub(super) fn next(&self) -> Heard {
        let heard = self.heard.recv().unwrap_or(Heard::End);
        if !self.flags.end.is_raised() {
            self.flags.stop.lower();
        }
        heard
    }

    /// The flag that ends a search.
    pub(super) fn stop_flag(&self) -> &StopFlag {
        &self.flags.stop
    }
}

fn listen(mut input: impl BufRead, heard: &Sender<Heard>, flags: &HostFlags) {
    while let Ok(Some(line)) = read_protocol_line(&mut input, LongestLine::OF_HOST) {
        let said = match line {
            ProtocolLine::Text(line) if line.trim().is_empty() => continue,
            ProtocolLine::Text(line) => read(&line),
            ProtocolLine::TooLong(_) => Heard::Unreadable("the line is too long".to_owned()),
        };
        let is_last = matches!(said, Heard::Message(HostMessage::Quit));
        if let Heard::Message(HostMessage::Stop { .. } | HostMessage::Abort { .. }) = said {
            flags.stop.raise();
        }
        if is_last || heard.send(said).is_err() {
            return;
        }
    }
}

fn read(line: &str) -> Heard {
    match line.parse() {
        Ok(message) => Heard::Message(message),
        Err(UnreadableLine::NoJson) => Heard::Unreadable("the line is no JSON".to_owned()),
        Err(UnreadableLine::NoMessage(why)) => {
            Heard::Unreadable(format!("the line is no message: {why}"))
        }
    }
}
