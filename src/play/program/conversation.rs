//! What is said to a program, and what it answers in time.

use std::io;
use std::time::{Duration, Instant};

use super::process::{Process, ProgramEnded};
use crate::engine_protocol::{
    HostMessage, MatchStart, MoveAnswer, PROTOCOL_VERSION, ProgramMessage, ProtocolLine, Turn,
    UnreadableLine,
};
use crate::play::PlayerProgram;
use crate::play::outside::shortened;
use crate::util::{Deadline, Expired, system_said};

/// Why a program gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ProgramFault {
    /// It cannot be started.
    #[error("{0}")]
    NotStarted(String),
    /// It has ended.
    #[error("the program has ended ({0})")]
    Ended(String),
    /// It was silent until its time was up.
    #[error("no answer within {seconds:.3} s{notes}", seconds = .0.as_secs_f64(), notes = behind(.1))]
    Late(Duration, String),
    /// It said something else.
    #[error("{0}")]
    Odd(String),
    /// It has ended too often to be started again.
    #[error("{0}; it is not started again")]
    ForGood(String),
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

fn behind(notes: &str) -> String {
    match notes {
        "" => String::new(),
        notes => format!(": {notes}"),
    }
}

impl ProgramFault {
    /// Whether the program must be started again.
    pub(super) fn is_fatal(&self) -> bool {
        !matches!(self, Self::Odd(_) | Self::Interrupted)
    }

    /// The same in the form of records, which begins with a code.
    pub(super) fn in_record(&self) -> String {
        match self {
            Self::Late(..) => format!("TO {self}"),
            Self::Interrupted => self.to_string(),
            _ => format!("CE {self}"),
        }
    }

    /// The program is not started again.
    pub(super) fn for_good(self) -> Self {
        match self {
            Self::ForGood(_) => self,
            other => Self::ForGood(other.to_string()),
        }
    }
}

/// A program that has said hello.
pub(super) struct Conversation {
    process: Process,
    /// What the program says its name is.
    name: String,
}

impl Conversation {
    /// Starts the program; it says hello before the deadline.
    pub(super) fn begin(
        program: &PlayerProgram,
        deadline: &Deadline,
    ) -> Result<Self, ProgramFault> {
        let begin = Instant::now();
        let process = Process::start(program).map_err(|why| not_started(program, &why))?;
        process.send(
            HostMessage::Hello {
                protocol: PROTOCOL_VERSION,
                host: concat!("kolibri ", env!("CARGO_PKG_VERSION")).to_owned(),
            }
            .to_string(),
        );
        let name = String::new();
        let mut this = Self { process, name };
        match this.answer(begin, deadline)? {
            ProgramMessage::Hello { protocol, name } if protocol == PROTOCOL_VERSION => {
                this.name = name;
                Ok(this)
            }
            ProgramMessage::Hello { protocol, .. } => Err(ProgramFault::NotStarted(format!(
                "it speaks version {protocol} of the engine protocol, and version {PROTOCOL_VERSION} is needed"
            ))),
            other => Err(unexpected("hello", &other)),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Begins a match; the program is ready before the deadline.
    pub(super) fn start_match(
        &mut self,
        start: MatchStart,
        deadline: &Deadline,
    ) -> Result<(), ProgramFault> {
        let begin = Instant::now();
        self.skip()?;
        self.process.send(HostMessage::Start(start).to_string());
        match self.answer(begin, deadline)? {
            ProgramMessage::Ready => Ok(()),
            other => Err(unexpected("ready", &other)),
        }
    }

    /// Asks for a move, which comes before the deadline.
    pub(super) fn ask(
        &mut self,
        turn: Turn,
        deadline: &Deadline,
    ) -> Result<MoveAnswer, ProgramFault> {
        let begin = Instant::now();
        self.skip()?;
        let number = turn.turn;
        self.process.send(HostMessage::Play(turn).to_string());
        loop {
            match self.answer(begin, deadline)? {
                // An answer to an earlier question.
                ProgramMessage::Move(answer) if answer.turn.is_some_and(|turn| turn != number) => {}
                ProgramMessage::Move(answer) => return Ok(answer),
                other => return Err(unexpected("a move", &other)),
            }
        }
    }

    /// Says how the match ended, and that the program must end.
    pub(super) fn end(self, message: HostMessage) {
        self.process.send(message.to_string());
        self.process.send(HostMessage::Quit.to_string());
    }

    /// Drops what was said without being asked for.
    fn skip(&mut self) -> Result<(), ProgramFault> {
        const MOST: usize = 10_000;
        for _ in 0..MOST {
            match self.process.receive(Duration::ZERO) {
                Ok(Some(line)) => tracing::debug!("skipped, since nothing was asked: {line:?}"),
                Ok(None) => return Ok(()),
                Err(ProgramEnded(how)) => return Err(ProgramFault::Ended(how)),
            }
        }
        self.process.end_at_once();
        Err(ProgramFault::Ended(
            "it writes without being asked".to_owned(),
        ))
    }

    /// The next message.
    fn answer(
        &mut self,
        begin: Instant,
        deadline: &Deadline,
    ) -> Result<ProgramMessage, ProgramFault> {
        const TICK: Duration = Duration::from_millis(20);
        loop {
            deadline
                .check()
                .map_err(|why| self.is_late(why, begin, deadline))?;
            let left = deadline
                .at
                .map_or(TICK, |at| at.saturating_duration_since(Instant::now()));
            match self.process.receive(left.min(TICK)) {
                Ok(None) => {}
                Ok(Some(ProtocolLine::Text(line))) => return read(&line),
                Ok(Some(ProtocolLine::TooLong(beginning))) => {
                    let beginning = shortened(&beginning);
                    let what = format!("a line of the program is too long: {beginning}…");
                    return Err(ProgramFault::Odd(what));
                }
                Err(ProgramEnded(how)) => return Err(ProgramFault::Ended(how)),
            }
        }
    }

    fn is_late(&mut self, why: Expired, begin: Instant, deadline: &Deadline) -> ProgramFault {
        self.process.end_at_once();
        match why {
            Expired::Interrupted => ProgramFault::Interrupted,
            Expired::OutOfTime => {
                let at = deadline.at.unwrap_or(begin);
                let time = at.saturating_duration_since(begin);
                ProgramFault::Late(time, self.process.last_notes())
            }
        }
    }
}

fn read(line: &str) -> Result<ProgramMessage, ProgramFault> {
    let odd = |what: String| ProgramFault::Odd(what);
    match line.parse() {
        Ok(ProgramMessage::Error { message }) => {
            Err(odd(format!("the program says: {}", shortened(&message))))
        }
        Ok(message) => Ok(message),
        Err(UnreadableLine::NoJson) => Err(odd(format!(
            "the answer is no JSON: {} (notes belong on standard error)",
            shortened(line)
        ))),
        Err(UnreadableLine::NoMessage(why)) => Err(odd(format!("the answer is no message: {why}"))),
    }
}

fn unexpected(wanted: &str, message: &ProgramMessage) -> ProgramFault {
    let said = shortened(&message.to_string());
    ProgramFault::Odd(format!(
        "the program says {said} where {wanted} is expected"
    ))
}

fn not_started(program: &PlayerProgram, why: &io::Error) -> ProgramFault {
    let file = program.file().to_string_lossy();
    ProgramFault::NotStarted(format!("cannot start {file}: {}", system_said(why)))
}
