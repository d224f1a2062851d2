//! Players that are other programs on this machine.

mod conversation;
mod process;

use std::time::{Duration, Instant};

pub use self::process::end_programs;

use self::conversation::{Conversation, ProgramFault};
use crate::engine_protocol::{HostMessage, MatchStart, MoveAnswer, Turn};
use crate::play::outside::GRACE;
use crate::play::{
    Choice, End, Found, MatchTerms, Player, PlayerFault, PlayerProgram, Session, Spec,
};
use crate::search::Value;
use crate::session::Position;
use crate::util::{Deadline, StopFlag};

/// How often a program is started in a match, at most.
const MOST_STARTS: u32 = 4;

/// A program that cannot be started, or does not speak the protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{program}` is no player: {why}")]
pub struct NoPlayerProgram {
    /// The player, as it is asked for.
    pub program: String,
    /// What it lacks.
    pub why: String,
}

/// Starts each program among these players once, and ends it when it has said hello, which must be within `time`.
///
/// # Errors
/// The first that is no player.
pub fn check_programs(
    players: &[Spec],
    time: Duration,
    stop: &StopFlag,
) -> Result<(), NoPlayerProgram> {
    for (number, player) in players.iter().enumerate() {
        if let Spec::Exec(program) = player
            && !players[..number].contains(player)
        {
            say_hello(program, time, stop)?;
        }
    }
    Ok(())
}

/// Starts a program, and ends it when it has said hello, which must be within `time`; returns the name that it gives itself.
///
/// # Errors
/// It is no player.
pub fn say_hello(
    program: &PlayerProgram,
    time: Duration,
    stop: &StopFlag,
) -> Result<String, NoPlayerProgram> {
    let deadline = Deadline::new(Some(Instant::now() + time), stop);
    let started = Conversation::begin(program, &deadline);
    let named = started.map(|conversation| conversation.name().to_owned());
    named.map_err(|why| NoPlayerProgram {
        program: program.to_string(),
        why: why.to_string(),
    })
}

/// A player that is a program: it is started for a match, and again if it ends or has to be ended.
pub(super) struct ProgramPlayer {
    program: PlayerProgram,
    terms: MatchTerms,
    /// The time for the next call, where somebody else keeps the clock.
    clock: Option<Duration>,
    stop: StopFlag,
    running: Option<RunningMatch>,
    starts: u32,
    /// Why it did not go on the last time.
    last_fault: Option<ProgramFault>,
}

/// A program in a match.
struct RunningMatch {
    conversation: Conversation,
    role: usize,
    /// Where the match began, and the joint moves that the program has heard of.
    first: Position,
    told: Vec<Vec<String>>,
}

impl ProgramPlayer {
    pub(super) fn new(program: &PlayerProgram, stop: &StopFlag) -> Self {
        Self {
            program: program.clone(),
            terms: MatchTerms::default(),
            clock: None,
            stop: stop.clone(),
            running: None,
            starts: 0,
            last_fault: None,
        }
    }

    /// The clock that the program is told, and when it is late.
    fn limits(&self, clock: Duration) -> (Duration, Deadline) {
        const RESERVE: Duration = Duration::from_millis(50);
        let (told, limit) = match self.clock {
            Some(hard) => (hard.saturating_sub(RESERVE.min(hard / 10)), hard),
            None => (clock, clock + GRACE),
        };
        let deadline = Deadline::new(Some(Instant::now() + limit), &self.stop);
        (told, deadline)
    }

    /// Sees to it that the program runs and knows the match.
    fn get_ready(&mut self, session: &Session, role: usize) -> Result<(), ProgramFault> {
        let first = first_position(session);
        let history = session.history();
        if let Some(running) = &self.running
            && running.role == role
            && running.first == *first
            && starts_with(&history, &running.told)
        {
            return Ok(());
        }
        let (clock, deadline) = self.limits(self.terms.start_clock);
        let mut conversation = match self.running.take() {
            Some(running) => running.conversation,
            None => self.start(&deadline)?,
        };
        conversation.start_match(self.match_start(session, role, clock), &deadline)?;
        self.running = Some(RunningMatch {
            conversation,
            role,
            first: first.clone(),
            told: Vec::new(),
        });
        Ok(())
    }

    fn start(&mut self, deadline: &Deadline) -> Result<Conversation, ProgramFault> {
        if self.starts >= MOST_STARTS {
            let last = self.last_fault.clone();
            return Err(last.unwrap_or(ProgramFault::Interrupted).for_good());
        }
        self.starts += 1;
        Conversation::begin(&self.program, deadline)
    }

    fn match_start(&self, session: &Session, role: usize, start_clock: Duration) -> MatchStart {
        let roles = session.roles().iter().map(|role| self.terms.told(role));
        let first = first_position(session);
        let is_usual = *first == session.game().initial();
        MatchStart {
            match_id: self.terms.match_id.clone(),
            role: self.terms.told(&session.roles()[role]),
            roles: roles.collect(),
            rules: self.terms.told_rules(session),
            start_clock,
            play_clock: self.clock.unwrap_or(self.terms.play_clock),
            state: (!is_usual).then(|| self.told_all(&first.facts())),
        }
    }

    fn told_all(&self, texts: &[String]) -> Vec<String> {
        texts.iter().map(|text| self.terms.told(text)).collect()
    }

    fn ask(&mut self, session: &Session, role: usize) -> Result<MoveAnswer, ProgramFault> {
        self.get_ready(session, role)?;
        let history = session.history();
        let (clock, deadline) = self.limits(self.terms.play_clock);
        let Some(mut running) = self.running.take() else {
            return Err(ProgramFault::Interrupted);
        };
        let new = &history[running.told.len()..];
        let turn = Turn {
            turn: history.len(),
            moves: new.iter().map(|joint| self.told_all(joint)).collect(),
            state: self.told_all(&session.facts()),
            legal: self.told_all(session.legal_of(role)),
            clock,
        };
        running.told.extend(new.iter().map(|joint| joint.to_vec()));
        let answer = running.conversation.ask(turn, &deadline);
        // Whoever is late or has ended is started again; whoever says something odd goes on.
        if answer.as_ref().err().is_none_or(|fault| !fault.is_fatal()) {
            self.running = Some(running);
        }
        answer
    }
}

fn first_position(session: &Session) -> &Position {
    session.past().next().unwrap_or(session.position())
}

fn starts_with(history: &[&[String]], told: &[Vec<String>]) -> bool {
    let mut pairs = history.iter().zip(told);
    history.len() >= told.len() && pairs.all(|(one, other)| *one == other.as_slice())
}

/// What a program thinks of its move.
fn found(answer: &MoveAnswer, time: Duration) -> Option<Found> {
    let value = answer.value.filter(|value| value.is_finite())?;
    Some(Found {
        best: answer.mv.clone(),
        value: Value::of_points(value),
        exact: false,
        depth: answer.depth.unwrap_or_default(),
        pv: Vec::new(),
        line: answer.line.clone(),
        nodes: answer.nodes.unwrap_or_default(),
        moves: Vec::new(),
        fault: None,
        time,
    })
}

impl Player for ProgramPlayer {
    fn name(&self) -> String {
        self.program.to_string()
    }

    fn begin(&mut self, terms: &MatchTerms) {
        self.terms = terms.clone();
        self.starts = 0;
    }

    fn prepare(&mut self, session: &mut Session, role: usize) {
        self.last_fault = self.get_ready(session, role).err();
    }

    fn set_clock(&mut self, clock: Duration) {
        self.clock = Some(clock);
    }

    fn choose(&mut self, session: &Session, role: usize) -> Result<Choice, PlayerFault> {
        let begin = Instant::now();
        let answer = self.ask(session, role).map_err(|fault| {
            self.last_fault = Some(fault.clone());
            PlayerFault(fault.in_record())
        })?;
        let found = found(&answer, begin.elapsed());
        let legal = session.legal_of(role);
        self.terms.understood(&answer.mv, legal, found)
    }

    fn finish(&mut self, session: &Session, end: &End) {
        let Some(running) = self.running.take() else {
            return;
        };
        let history = session.history();
        let new = history.get(running.told.len()..).unwrap_or_default();
        running.conversation.end(match end {
            End::Terminal => HostMessage::Stop {
                moves: new.iter().map(|joint| self.told_all(joint)).collect(),
                goals: session.goals().to_vec(),
            },
            end => HostMessage::Abort {
                reason: end.to_string(),
            },
        });
    }
}
