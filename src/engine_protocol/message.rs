//! What is said, and how it is written.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::clock;

/// The version of the protocol.
pub const PROTOCOL_VERSION: u32 = 1;

/// What a host says to a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum HostMessage {
    /// Comes first; answered by [`ProgramMessage::Hello`].
    Hello {
        /// The version that the host speaks.
        protocol: u32,
        /// The name of the host.
        host: String,
    },
    /// A match begins; answered by [`ProgramMessage::Ready`]. A match that was going on is over.
    Start(MatchStart),
    /// Asks for a move; answered by [`ProgramMessage::Move`].
    Play(Turn),
    /// The rules have ended the match.
    Stop {
        /// The joint moves since the last message.
        moves: Vec<Vec<String>>,
        /// What each role scored, where the rules say so.
        goals: Vec<Option<u8>>,
    },
    /// The match is given up.
    Abort {
        /// Why.
        reason: String,
    },
    /// The program must end, as it must at the end of its input.
    Quit,
}

/// What begins a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchStart {
    /// The name of the match.
    #[serde(rename = "match", default)]
    pub match_id: String,
    /// The role of the program.
    pub role: String,
    /// All roles, in the order of joint moves and goals.
    pub roles: Vec<String>,
    /// The rules, in GDL.
    pub rules: String,
    /// Time until the answer.
    #[serde(with = "clock")]
    pub start_clock: Duration,
    /// Time for each move.
    #[serde(with = "clock")]
    pub play_clock: Duration,
    /// The facts with which the match begins, where these are not those of the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Vec<String>>,
}

/// A position in which a move is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// How many joint moves were played.
    pub turn: usize,
    /// The joint moves since the last message, each a move for each role.
    pub moves: Vec<Vec<String>>,
    /// The facts that hold.
    #[serde(default)]
    pub state: Vec<String>,
    /// The legal moves of the program.
    #[serde(default)]
    pub legal: Vec<String>,
    /// Time until the answer.
    #[serde(with = "clock")]
    pub clock: Duration,
}

/// What a program says to its host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ProgramMessage {
    /// Answers [`HostMessage::Hello`].
    Hello {
        /// The version that the program speaks.
        protocol: u32,
        /// The name of the program.
        #[serde(default)]
        name: String,
    },
    /// Answers [`HostMessage::Start`].
    Ready,
    /// Answers [`HostMessage::Play`].
    Move(MoveAnswer),
    /// Answers anything that the program cannot do.
    Error {
        /// What is wrong.
        message: String,
    },
}

/// A move, and what the program thinks of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveAnswer {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The turn that it is for: an answer for another one is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// The depth that was searched, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// What the program expects to score, in goal points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// How many states were searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The moves expected, the own one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
}

/// A line that is no message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnreadableLine {
    /// It is no JSON.
    #[error("no JSON")]
    NoJson,
    /// It is JSON, but no message.
    #[error("{0}")]
    NoMessage(String),
}

impl FromStr for HostMessage {
    type Err = UnreadableLine;

    fn from_str(line: &str) -> Result<Self, UnreadableLine> {
        read(line)
    }
}

impl FromStr for ProgramMessage {
    type Err = UnreadableLine;

    fn from_str(line: &str) -> Result<Self, UnreadableLine> {
        read(line)
    }
}

fn read<M: DeserializeOwned>(line: &str) -> Result<M, UnreadableLine> {
    serde_json::from_str(line).map_err(|why| match why.classify() {
        serde_json::error::Category::Data => {
            let text = why.to_string();
            let (reason, _) = text.split_once(" at line ").unwrap_or((&text, ""));
            UnreadableLine::NoMessage(reason.chars().take(200).collect())
        }
        _ => UnreadableLine::NoJson,
    })
}

/// One line, without its end.
impl fmt::Display for HostMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, f)
    }
}

/// One line, without its end.
impl fmt::Display for ProgramMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, f)
    }
}

fn write(message: &impl Serialize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(&serde_json::to_string(message).map_err(|_| fmt::Error)?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn messages_of_the_host_are_written_on_one_line() {
        let start = HostMessage::Start(MatchStart {
            match_id: "m".to_owned(),
            role: "x".to_owned(),
            roles: strings(&["x", "o"]),
            rules: "(role x)\n(role o)".to_owned(),
            start_clock: Duration::from_secs(30),
            play_clock: Duration::from_millis(1500),
            state: None,
        });
        let line = r#"{"type":"start","match":"m","role":"x","roles":["x","o"],"rules":"(role x)\n(role o)","start_clock":30,"play_clock":1.5}"#;
        assert_eq!(start.to_string(), line);
        assert_eq!(line.parse(), Ok(start));
        let play = HostMessage::Play(Turn {
            turn: 1,
            moves: vec![strings(&["(mark 1 1)", "noop"])],
            state: strings(&["(control o)"]),
            legal: strings(&["(mark 1 2)"]),
            clock: Duration::from_secs(15),
        });
        let line = r#"{"type":"play","turn":1,"moves":[["(mark 1 1)","noop"]],"state":["(control o)"],"legal":["(mark 1 2)"],"clock":15}"#;
        assert_eq!(play.to_string(), line);
        assert_eq!(line.parse(), Ok(play));
        assert_eq!(HostMessage::Quit.to_string(), r#"{"type":"quit"}"#);
    }

    #[test]
    fn answers_need_no_thoughts_and_may_hold_more_than_is_known() {
        let answer = MoveAnswer {
            mv: "noop".to_owned(),
            ..MoveAnswer::default()
        };
        let text = r#"{"mood":"good","type":"move","move":"noop"}"#;
        assert_eq!(text.parse(), Ok(ProgramMessage::Move(answer.clone())));
        let line = r#"{"type":"move","move":"noop"}"#;
        assert_eq!(ProgramMessage::Move(answer).to_string(), line);
        let thoughts =
            r#"{"type":"move","move":"a","turn":3,"depth":4,"value":50.5,"nodes":9,"line":["a"]}"#;
        let read: ProgramMessage = thoughts.parse().unwrap();
        assert_eq!(read.to_string(), thoughts);
    }

    #[test]
    fn what_is_no_message_is_refused_with_a_reason() {
        let fault = |line: &str| line.parse::<ProgramMessage>().unwrap_err().to_string();
        assert_eq!(fault("hello"), "no JSON");
        assert_eq!(fault(""), "no JSON");
        assert_eq!(fault("{\"type\":\"move\""), "no JSON");
        assert_eq!(fault("{\"type\":\"move\"}"), "missing field `move`");
        assert!(fault("{\"type\":\"sing\"}").starts_with("unknown variant `sing`"));
        assert!(fault("{\"type\":\"move\",\"move\":7}").contains("expected a string"));
        assert!(fault(&format!("{{\"type\":\"{}\"}}", "x".repeat(9999))).len() < 300);
        assert!(fault(&"[".repeat(100_000)).contains("invalid type: sequence"));
    }

    #[test]
    fn clocks_have_limits() {
        let line = r#"{"type":"play","turn":0,"moves":[],"clock":1e300}"#;
        let Ok(HostMessage::Play(turn)) = line.parse() else {
            panic!("a message")
        };
        assert_eq!(turn.clock, Duration::from_secs(86_400));
        let line = r#"{"type":"play","turn":0,"moves":[],"clock":-1}"#;
        let Ok(HostMessage::Play(turn)) = line.parse() else {
            panic!("a message")
        };
        assert_eq!(turn.clock, Duration::ZERO);
    }

    proptest! {
        #[test]
        fn any_move_is_one_line(mv: String, line: Vec<String>) {
            let answer = ProgramMessage::Move(MoveAnswer { mv, line, ..MoveAnswer::default() });
            let written = answer.to_string();
            prop_assert!(!written.contains('\n'));
            prop_assert_eq!(written.parse(), Ok(answer));
        }
    }
}
