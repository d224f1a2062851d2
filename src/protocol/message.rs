//! What a match server says to a player.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::kif::{Sexpr, SexprKind, parse};

/// The longest clock that is understood: longer ones are cut.
const LONGEST_CLOCK: Duration = Duration::from_secs(24 * 60 * 60);

/// A message of a match server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Asks for the name of the player, and whether it is free.
    Info,
    /// Asks whether the player is free: an older form of [`Message::Info`].
    Ping,
    /// Shows the rules before a match.
    Preview {
        /// The rules, without the parentheses around them.
        rules: String,
        /// Time until the reply.
        clock: Duration,
    },
    /// Begins a match.
    Start(StartMessage),
    /// Asks for a move.
    Play(TurnMessage),
    /// Ends a match.
    Stop(TurnMessage),
    /// Gives a match up.
    Abort {
        /// The name of the match.
        match_id: String,
    },
}

/// What begins a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartMessage {
    /// The name of the match, as the server writes it.
    pub match_id: String,
    /// The role of the player.
    pub role: String,
    /// The rules, without the parentheses around them.
    pub rules: String,
    /// Time until the reply.
    pub start_clock: Duration,
    /// Time for each move.
    pub play_clock: Duration,
}

/// What was played since the last message of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnMessage {
    /// The name of the match.
    pub match_id: String,
    /// How many joint moves were played, where the dialect says so.
    pub turn: Option<usize>,
    /// The last joint move; `None` before the first.
    pub moves: Option<LastMoves>,
}

/// The last joint move as it was sent: a move for each role, in the order of the roles. Dialects of GDL-II send terms such as
/// `(did ROLE MOVE)` instead, and some servers send a single move.
pub type LastMoves = Vec<String>;

/// Why a text is no message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// It is no s-expression.
    #[error("not a message: {0}")]
    Syntax(String),
    /// It begins with another word.
    #[error(
        "`{0}` is no message; those known are INFO, PING, PREVIEW, START, PLAY, STOP and ABORT"
    )]
    Unknown(String),
    /// It has too few parts, or others.
    #[error("`{form}` is expected")]
    Form {
        /// What such a message looks like.
        form: &'static str,
    },
}

const PREVIEW: &str = "(PREVIEW (RULES) SECONDS)";
const START: &str = "(START MATCH ROLE (RULES) SECONDS SECONDS)";
const PLAY: &str = "(PLAY MATCH (MOVES))";
const STOP: &str = "(STOP MATCH (MOVES))";
const ABORT: &str = "(ABORT MATCH)";

impl FromStr for Message {
    type Err = MessageError;

    /// Reads a message. Words may be in upper or lower case; what follows the message is ignored, as are further arguments.
    /// A blank text asks for the state of the player, as some servers do.
    fn from_str(text: &str) -> Result<Self, MessageError> {
        let parsed = parse(text);
        let Some(first) = parsed.sexprs.first() else {
            return match parsed.diagnostics.first() {
                Some(fault) => Err(MessageError::Syntax(fault.message.clone())),
                None => Ok(Self::Info),
            };
        };
        let mut faults = parsed.diagnostics.iter();
        if let Some(fault) = faults.find(|fault| fault.span.start < first.span.end) {
            return Err(MessageError::Syntax(fault.message.clone()));
        }
        let (word, arguments) = match &first.kind {
            SexprKind::Atom(word) => (*word, &[][..]),
            SexprKind::List(items) => (
                first.head().unwrap_or_default(),
                items.get(1..).unwrap_or_default(),
            ),
        };
        let arguments = Arguments(arguments);
        let read = |message: Option<Self>, form| message.ok_or(MessageError::Form { form });
        match word.to_ascii_uppercase().as_str() {
            "INFO" => Ok(Self::Info),
            "PING" => Ok(Self::Ping),
            "PREVIEW" => read(arguments.preview(), PREVIEW),
            "START" => read(arguments.start(), START),
            "PLAY" => read(arguments.turn().map(Self::Play), PLAY),
            "STOP" => read(arguments.turn().map(Self::Stop), STOP),
            "ABORT" => read(arguments.abort(), ABORT),
            _ => Err(MessageError::Unknown(shortened(&first.to_string()))),
        }
    }
}

/// The beginning of a text that may be of any length.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What follows the first word of a message.
struct Arguments<'m, 't>(&'m [Sexpr<'t>]);

impl Arguments<'_, '_> {
    fn preview(&self) -> Option<Message> {
        let [rules, clock, ..] = self.0 else {
            return None;
        };
        let (rules, clock) = (inside(rules)?, seconds(clock)?);
        Some(Message::Preview { rules, clock })
    }

    fn start(&self) -> Option<Message> {
        let [match_id, role, rules, start_clock, play_clock, ..] = self.0 else {
            return None;
        };
        Some(Message::Start(StartMessage {
            match_id: match_id.as_atom()?.to_owned(),
            role: role.to_string(),
            rules: inside(rules)?,
            start_clock: seconds(start_clock)?,
            play_clock: seconds(play_clock)?,
        }))
    }

    /// `MATCH MOVES`, or in GDL-II `MATCH TURN LASTMOVE PERCEPTS`.
    fn turn(&self) -> Option<TurnMessage> {
        let (match_id, turn, moves) = match self.0 {
            [match_id, turn, _, percepts] => (match_id, Some(turn), percepts),
            [match_id, moves, ..] => (match_id, None, moves),
            _ => return None,
        };
        let words = |items: &[Sexpr<'_>]| items.iter().map(Sexpr::to_string).collect();
        Some(TurnMessage {
            match_id: match_id.as_atom()?.to_owned(),
            turn: turn
                .and_then(Sexpr::as_atom)
                .and_then(|turn| turn.parse().ok()),
            // An atom, by custom `NIL`, says that there are none.
            moves: moves.as_list().map(words),
        })
    }

    fn abort(&self) -> Option<Message> {
        let match_id = self.0.first()?.as_atom()?.to_owned();
        Some(Message::Abort { match_id })
    }
}

/// What stands between the parentheses of a list, one expression a line, without comments.
fn inside(list: &Sexpr<'_>) -> Option<String> {
    let items = list.as_list()?.iter().map(Sexpr::to_string);
    Some(items.collect::<Vec<_>>().join("\n"))
}

fn seconds(clock: &Sexpr<'_>) -> Option<Duration> {
    let seconds: f64 = clock.as_atom()?.parse().ok()?;
    let shortened = || Duration::from_secs_f64(seconds.min(LONGEST_CLOCK.as_secs_f64()));
    (seconds >= 0.0).then(shortened)
}

/// As ggp-base writes it. Clocks are whole seconds, at least one.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = |clock: &Duration| clock.as_secs().max(1);
        match self {
            Self::Info => f.write_str("( INFO )"),
            Self::Ping => f.write_str("( PING )"),
            Self::Preview { rules, clock } => {
                write!(f, "( PREVIEW ({rules}) {} )", whole(clock))
            }
            Self::Start(start) => {
                let StartMessage {
                    match_id,
                    role,
                    rules,
                    ..
                } = start;
                let clocks = [&start.start_clock, &start.play_clock].map(whole);
                let [start_clock, play_clock] = clocks;
                write!(
                    f,
                    "( START {match_id} {role} ({rules} ) {start_clock} {play_clock})"
                )
            }
            Self::Play(turn) => write!(f, "( PLAY {turn} )"),
            Self::Stop(turn) => write!(f, "( STOP {turn} )"),
            Self::Abort { match_id } => write!(f, "( ABORT {match_id} )"),
        }
    }
}

impl fmt::Display for TurnMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let match_id = &self.match_id;
        match &self.moves {
            None => write!(f, "{match_id} NIL"),
            Some(moves) => write!(f, "{match_id} ({} )", moves.join(" ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Message {
        text.parse()
            .unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    fn turn(match_id: &str, moves: Option<&[&str]>) -> TurnMessage {
        TurnMessage {
            match_id: match_id.to_owned(),
            turn: None,
            moves: moves.map(|moves| moves.iter().map(|&mv| mv.to_owned()).collect()),
        }
    }

    fn start(match_id: &str, role: &str, rules: &str, clocks: [u64; 2]) -> Message {
        Message::Start(StartMessage {
            match_id: match_id.to_owned(),
            role: role.to_owned(),
            rules: rules.to_owned(),
            start_clock: Duration::from_secs(clocks[0]),
            play_clock: Duration::from_secs(clocks[1]),
        })
    }

    /// The messages as ggp-base sends them, character for character.
    #[test]
    fn the_form_of_ggp_base_is_read_and_written() {
        let rules = "(role x)\n(<= terminal (true (cell 1)))";
        let spaced = "( role x ) ( <= terminal ( true ( cell 1 ) ) )";
        for (text, message) in [
            ("( INFO )".to_owned(), Message::Info),
            (
                format!("( START t.game.1795208146910 x ({spaced} ) 30 15)"),
                start("t.game.1795208146910", "x", rules, [30, 15]),
            ),
            (
                "( PLAY m.1 NIL )".to_owned(),
                Message::Play(turn("m.1", None)),
            ),
            (
                "( PLAY m.1 (( mark 1 2 ) noop ) )".to_owned(),
                Message::Play(turn("m.1", Some(&["(mark 1 2)", "noop"]))),
            ),
            (
                "( STOP m.1 (noop noop ) )".to_owned(),
                Message::Stop(turn("m.1", Some(&["noop", "noop"]))),
            ),
            (
                "( ABORT m.1 )".to_owned(),
                Message::Abort {
                    match_id: "m.1".to_owned(),
                },
            ),
        ] {
            assert_eq!(read(&text), message);
            assert_eq!(read(&message.to_string()), message);
        }
        let play = read("( PLAY m.1 (( mark 1 2 ) noop ) )");
        assert_eq!(play.to_string(), "( PLAY m.1 ((mark 1 2) noop ) )");
        assert_eq!(read("(PLAY m nil)").to_string(), "( PLAY m NIL )");
    }

    #[test]
    fn other_dialects_are_read() {
        let shouted = "(START dresden1 XPLAYER ((ROLE XPLAYER)(<= TERMINAL (TRUE OVER))) 10 5)";
        let rules = "(ROLE XPLAYER)\n(<= TERMINAL (TRUE OVER))";
        assert_eq!(read(shouted), start("dresden1", "XPLAYER", rules, [10, 5]));
        assert_eq!(
            read("(start m x ((role x)) 10 5 more (things))"),
            start("m", "x", "(role x)", [10, 5])
        );
        assert_eq!(
            read("(start m (side 1) () 1.5 0.5)").to_string(),
            "( START m (side 1) ( ) 1 1)"
        );
        assert_eq!(read("  (pInG)\r\n"), Message::Ping);
        assert_eq!(read("info()"), Message::Info);
        assert_eq!(read(""), Message::Info);
        assert_eq!(
            read("(STOP m NIL) and more )"),
            Message::Stop(turn("m", None))
        );
        assert_eq!(
            read("(stop m (mark 1 1))"),
            Message::Stop(turn("m", Some(&["mark", "1", "1"])))
        );
        let percepts = TurnMessage {
            turn: Some(2),
            ..turn("m", Some(&["(did x a)", "(did y b)"]))
        };
        assert_eq!(
            read("(PLAY m 2 a ((did x a) (did y b)))"),
            Message::Play(percepts)
        );
        let first = TurnMessage {
            turn: Some(0),
            ..turn("m", None)
        };
        assert_eq!(read("(PLAY m 0 NIL NIL)"), Message::Play(first));
        let preview = Message::Preview {
            rules: "(role x)".to_owned(),
            clock: Duration::from_secs(9),
        };
        assert_eq!(read("( PREVIEW ((role x)) 9 )"), preview);
        assert_eq!(read(&preview.to_string()), preview);
    }

    #[test]
    fn what_is_no_message_is_refused_with_a_reason() {
        let fault = |text: &str| text.parse::<Message>().unwrap_err().to_string();
        assert_eq!(
            fault("(HELLO world)"),
            "`(HELLO world)` is no message; those known are INFO, PING, PREVIEW, START, PLAY, STOP and ABORT"
        );
        assert_eq!(fault("(START m x)"), format!("`{START}` is expected"));
        assert_eq!(
            fault("(START m x () -1 5)"),
            format!("`{START}` is expected")
        );
        assert_eq!(
            fault("(START m x () nan 5)"),
            format!("`{START}` is expected")
        );
        assert_eq!(fault("(PLAY)"), format!("`{PLAY}` is expected"));
        assert!(fault("(PLAY m (a b)").starts_with("not a message: "));
        assert!(fault(")").starts_with("not a message: "));
        assert!(fault(&"x".repeat(100_000)).len() < 200);
        assert!(
            "(PLAY m (a)) (".parse::<Message>().is_ok(),
            "what follows is ignored"
        );
    }

    #[test]
    fn clocks_have_a_limit() {
        let Message::Start(start) = read("(START m x () 1e300 5)") else {
            panic!("a START message")
        };
        assert_eq!(start.start_clock, LONGEST_CLOCK);
    }

    proptest! {
        /// Nothing that comes over the wire makes the reader panic, and what it reads it can write and read again.
        #[test]
        fn any_text_is_read_or_refused(text in r"(?s)\(? *(INFO|start|PLAY|Stop|abort|PREVIEW)?[ ()a-z0-9;?.\n]{0,80}|.{0,60}") {
            if let Ok(message) = text.parse::<Message>() {
                let written = message.to_string();
                prop_assert!(written.parse::<Message>().is_ok(), "{written}");
            }
        }
    }
}
